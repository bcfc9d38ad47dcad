"""One table of all rules: rows, evidence, consensus, and every kind of source."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from tests.outside._reference import table

import gramian as gm
from gramian import dimension

from .designs import planted

ALL = ["threshold", "kaiser", "karlis", "elbow", "cattell", "broken_stick", "parallel", "signflip"]
ALL += ["deflated", "deterministic", "gavish_donoho", "marchenko_pastur", "minka"]
ALL += ["gcv", "smooth", "bcv"]
SPECTRUM = ["threshold", "kaiser", "elbow", "cattell", "broken_stick"]
DECATHLON = table("data/decathlon.csv").iloc[:, :10]


@pytest.fixture(scope="module")
def chosen():
    return dimension.choose(DECATHLON, scale=True, n_permutations=99)


def test_one_row_a_rule(chosen):
    assert isinstance(chosen, pd.DataFrame)
    assert chosen.index.tolist() == ALL and chosen.index.name == "rule"
    assert list(chosen.columns) == ["q", "value", "threshold", "p_value"]
    assert chosen["q"].dtype.kind == "i"


@pytest.mark.parametrize(
    ("rule", "q"), [("kaiser", 4), ("cattell", 2), ("karlis", 1), ("gcv", 3), ("smooth", 2)]
)
def test_known_numbers_of_decathlon(chosen, rule, q):
    assert chosen.loc[rule, "q"] == q


def test_evidence_is_that_of_the_rules(chosen):
    alone = dimension.parallel_analysis(DECATHLON, scale=True, n_permutations=99)
    k = alone.n_components - 1
    row = chosen.loc["parallel"]
    assert row["value"] == pytest.approx(alone.eigenvalues[k])
    assert row["threshold"] == pytest.approx(alone.reference["quantile"].iloc[k])
    assert row["p_value"] == pytest.approx(alone.p_values[k])
    assert chosen.evidence["parallel"].p_values == pytest.approx(alone.p_values)
    assert chosen.loc["kaiser", "threshold"] == pytest.approx(1.0)
    assert np.isnan(chosen.loc["kaiser", "p_value"])
    gcv = chosen.evidence["gcv"].criterion
    assert chosen.loc["gcv", "value"] == gcv[3] < gcv[4] == chosen.loc["gcv", "threshold"]


def test_consensus_is_the_most_frequent_number(chosen):
    counts = chosen["q"].drop("threshold").value_counts()
    assert counts[chosen.consensus] == counts.max() == chosen.votes.max()


@pytest.mark.parametrize(
    ("q", "consensus"),
    [
        ({"kaiser": 3, "gcv": 3, "parallel": 2}, 3),
        ({"kaiser": 4, "gcv": 1, "parallel": 3}, 3),
        ({"kaiser": 4, "gcv": 2}, 2),
        ({"threshold": 9, "kaiser": 2}, 2),
        ({"kaiser": 4, "gcv": 4, "elbow": 2, "cattell": 2, "parallel": 5}, 4),
    ],
)
def test_ties_of_votes(q, consensus):
    made = dimension.Choices({"q": pd.Series(q)})
    assert made.consensus == consensus


@pytest.mark.slow
def test_a_clear_case_is_agreed_upon():
    rng = np.random.default_rng(0)
    X = planted(rng, 200, 15, [60.0, 50.0, 40.0], rng.standard_normal((200, 15)))
    found = dimension.choose(X, n_permutations=39)
    assert found.consensus == 3
    assert (found["q"] == 3).sum() >= 11


def test_sources():
    X = load_iris().data
    few = {"rules": SPECTRUM}
    direct = dimension.choose(X, scale=True, **few)
    fitted = dimension.choose(gm.PCA(1, scale=True).fit(X), **few)
    given = dimension.choose(gm.PCA(1, scale=True), X, **few)
    values = gm.PCA(scale=True).fit(X).eigenvalues_
    eigenvalues = dimension.choose(values, **few)
    for other in (fitted, given, eigenvalues):
        pd.testing.assert_frame_equal(pd.DataFrame(direct), pd.DataFrame(other), rtol=1e-9)
    assert dimension.choose(values).index.tolist() == SPECTRUM
    with_rows = dimension.choose(values, n_samples=150).index
    assert {"karlis", "minka", "gavish_donoho"} <= set(with_rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator", [gm.KernelPCA(2), gm.ClassicalMDS(2, metric="cosine")], ids=str
)
@pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")
def test_kernel_pca_and_mds(estimator):
    X = load_iris().data[::4]
    found = dimension.choose(estimator, X, n_permutations=19)
    flips = ["signflip"] if isinstance(estimator, gm.KernelPCA) else []  # a metric may want amounts
    assert found.index.tolist() == [*SPECTRUM, "parallel", *flips]
    again = dimension.choose(estimator.fit(X), n_permutations=19)
    pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(again), rtol=1e-9)


def test_a_precomputed_kernel_has_a_spectrum_only():
    K = np.exp(-((load_iris().data[:30, :1] - load_iris().data[:30, :1].T) ** 2))
    found = dimension.choose(gm.KernelPCA(kernel="precomputed"), K)
    assert found.index.tolist() == SPECTRUM


def test_weights_leave_out_what_cannot_use_them():
    w = np.r_[np.zeros(2), np.ones(39)]
    found = dimension.choose(DECATHLON, sample_weight=w, scale=True, n_permutations=19)
    rest = dimension.choose(DECATHLON.iloc[2:], scale=True, rules=SPECTRUM)
    assert found.loc[SPECTRUM, "q"].tolist() == rest["q"].tolist()


def test_scree_draws_the_reference(chosen):
    fit = gm.PCA(scale=True).fit(DECATHLON)
    drawn = gm.plots.scree(fit, reference=chosen, values="eigenvalues", backend="none")
    assert set(drawn.numbers["references"]) == set(chosen.reference)
    alone = dimension.parallel_analysis(DECATHLON, scale=True, n_permutations=19)
    drawn = gm.plots.scree(fit, reference=alone, values="eigenvalues", backend="none")
    np.testing.assert_allclose(drawn.numbers["references"]["quantile"], alone.reference["quantile"])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dimension.choose(DECATHLON, rules=["kayser"]), "known rule"),
        (lambda: dimension.choose([2.0, 1.0], rules=["parallel"]), "does not apply"),
        (lambda: dimension.choose(DECATHLON, DECATHLON), "goes with an estimator"),
        (lambda: dimension.choose(gm.PCA(2)), "not fitted"),
        (lambda: dimension.choose(DECATHLON, share=2.0), "share"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(gm.errors.InputError, match=words):
        call()
