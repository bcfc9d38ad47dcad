"""Rules of the eigenvalues: a table of cases, R's numbers, decisions from a partial spectrum."""

from functools import partial

import numpy as np
import pytest
from tests.outside._reference import array, load, table

import gramian as gm
from gramian import dimension
from gramian._reading import spectrum_rules as rules
from gramian._reading.rules import RULES, selection

NSCREE = load("number_of_components/nScree.json")["results"]
SETS = list(NSCREE)


def values_of(name):
    return array(NSCREE[name]["eigenvalues"])


@pytest.mark.parametrize("name", SETS)
def test_kaiser_is_that_of_nfactors(name):
    """It counts λ ≥ mean, we λ > mean: an eigenvalue equal to the mean is no more than average."""
    values = values_of(name)
    equal = np.count_nonzero(np.abs(values - values.mean()) < 1e-12)
    assert dimension.kaiser(values) == NSCREE[name]["components"]["nkaiser"] - equal


@pytest.mark.parametrize("name", SETS)
def test_broken_stick_is_that_of_vegan(name):
    values = values_of(name)
    expected = array(NSCREE[name]["broken_stick"])
    found = dimension.broken_stick(values)
    np.testing.assert_allclose(found.reference, expected, rtol=1e-12)
    below = np.flatnonzero(values <= expected)
    assert found == (below[0] if below.size else len(values))


CASES = [
    # rule, eigenvalues, q
    ("kaiser", [3.0, 1.5, 0.4, 0.1], 2),
    ("kaiser", [1.0, 1.0, 1.0], 1),
    (0.6, [3.0, 1.5, 0.5], 1),
    (0.9, [3.0, 1.5, 0.5], 2),
    (partial(rules.threshold, share=1.0), [3.0, 1.5, 0.5], 3),
    ("cattell", [5.0, 3.0, 2.0, 1.0, 0.5], 2),
    ("cattell", [5.0, 4.0, 3.0], 1),
    ("cattell", [8.0, 4.0, 2.0, 1.0], 3),
    ("cattell", [8.0, 4.0], 1),
    ("broken_stick", [3.0, 1.2, 0.5, 0.3], 1),
    ("broken_stick", [1.0, 1.0, 1.0], 1),
    ("broken_stick", [2.1, 1.9, 0.0, 0.0], 2),
    ("elbow", [10.0, 9.0, 1.0, 0.9, 0.8], 2),
    ("elbow", [10.0, 1.0, 0.9, 0.8, 0.7], 1),
    ("elbow", [4.0, 3.9, 3.8, 0.1, 0.05, 0.0], 3),
    ("elbow", [1.0, 1.0], 1),
]


@pytest.mark.parametrize(("rule", "values", "q"), CASES)
def test_cases(rule, values, q):
    step = rule if callable(rule) else selection(rule, len(values), "axes").rule
    assert step(np.array(values), float(sum(values)), len(values)) == q


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [3.0, 2.9, 2.8, 2.7]])
def test_no_axis_stands_out_of_a_broken_stick_but_an_estimator_keeps_one(values):
    assert dimension.broken_stick(values) == 0
    assert RULES["broken_stick"].step(None)(np.array(values), sum(values), len(values)) == 1


def test_decathlon_keeps_two_axes_by_the_second_differences_and_four_by_the_mean():
    expected = load("documents/documents.json")["results"]["doc000"]["scree_test_decathlon"]
    X = table("data/decathlon.csv").iloc[:, :10]
    found = dimension.cattell(X, scale=True)
    assert found == expected["cattell_keep"] == 2
    assert found.value == pytest.approx(expected["second_differences"][1], abs=1e-12)
    assert dimension.kaiser(X, scale=True) == expected["kaiser_gt_mean"] == 4
    assert gm.PCA("cattell", scale=True).fit(X).n_components_ == 2
    assert gm.PCA("kaiser", scale=True).fit(X).n_components_ == 4


def test_karlis_saporta_spinaki():
    X = table("data/decathlon.csv").iloc[:, :10]
    found = dimension.kaiser(X, scale=True, variant="karlis")
    assert found.threshold == pytest.approx(1.0 + 2.0 * np.sqrt(9 / 40), rel=1e-12)
    assert found == 1


@pytest.mark.parametrize(
    "rule", [name for name, rule in RULES.items() if rule.needs == "eigenvalues"]
)
@pytest.mark.parametrize("seed", range(6))
def test_a_partial_spectrum_decides_like_the_full_one_or_not_at_all(rule, seed):
    """Leading eigenvalues and the total are enough, or the rule asks for more."""
    rng = np.random.default_rng(seed)
    values = np.sort(rng.gamma(0.3 + 0.3 * seed, size=60))[::-1]
    total = float(values.sum())
    step = RULES[rule].step(None)
    full = step(values, total, 60)
    partial = [step(values[:k], total, 60) for k in range(1, 60)]
    assert set(partial) <= {None, full}
    late = [k for k, q in enumerate(partial, 1) if q is None]
    assert not late or partial[late[-1] :] == [full] * (59 - late[-1])


def test_some_partial_spectra_do_decide_an_elbow():
    values = 0.5 ** np.arange(100.0)
    assert rules.elbow(values[:20], float(values.sum()), 100) == rules.elbow(
        values, float(values.sum()), 100
    )


@pytest.mark.parametrize("name", ["elbow", "cattell", "broken_stick"])
@pytest.mark.parametrize("shape", [(40, 8), (9, 40)])
def test_estimators_and_functions_agree(name, shape):
    X = np.random.default_rng(5).standard_normal(shape) * np.geomspace(9, 1, shape[1])
    q = max(int(getattr(dimension, name)(X)), 1)
    assert gm.PCA(name).fit(X).n_components_ == q
    for solver in ("covariance", "dense"):
        assert gm.PCA(name, solver=solver).fit(X).n_components_ == q


@pytest.mark.parametrize("name", ["elbow", "cattell", "broken_stick"])
def test_kernel_pca_takes_the_names_with_every_solver(name):
    X = np.random.default_rng(0).standard_normal((150, 3))
    dense = gm.KernelPCA(name, solver="dense").fit(X)
    krylov = gm.KernelPCA(name, solver="krylov").fit(X)
    assert dense.n_components_ == krylov.n_components_
    assert dense.n_components_ == max(int(getattr(dimension, name)(gm.KernelPCA().fit(X))), 1)


def test_choice_is_an_integer_with_evidence():
    import pickle

    found = dimension.kaiser([3.0, 1.5, 0.4, 0.1])
    assert found == 2 and found + 1 == 3 and found.n_components == 2
    assert (found.value, found.threshold) == (1.5, 1.25)
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.threshold == found.threshold
    assert gm.PCA(found).fit(np.diag([4.0, 3.0, 2.0, 1.0])).n_components_ == 2


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: dimension.threshold(0.9), "give eigenvalues"),
        (lambda: dimension.kaiser([]), "at least one"),
        (lambda: dimension.kaiser([np.nan, 1.0]), "finite"),
        (lambda: dimension.kaiser([0.0, 0.0]), "positive"),
        (lambda: dimension.kaiser([2.0, 1.0], variant="median"), "variant"),
        (lambda: dimension.kaiser([2.0, 1.0], variant="karlis"), "n_samples"),
        (lambda: dimension.threshold([2.0, 1.0], 1.5), "share"),
        (lambda: dimension.gavish_donoho([2.0, 1.0]), "n_samples"),
        (lambda: dimension.elbow(gm.PCA(2)), "not fitted"),
        (lambda: gm.PCA("parallell").fit(np.eye(4)), "known rule"),
        (lambda: gm.KernelPCA("minka").fit(np.eye(4)), "needs a table"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(gm.errors.InputError, match=words) as caught:
        call()
    assert len(str(caught.value)) <= 400
