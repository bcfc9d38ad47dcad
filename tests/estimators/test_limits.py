"""Limits of T² and Q: coverage of new rows, identities, columns, weights, errors."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.limits import coverage

import gramian as gm
from gramian._estimators.limits import joint_limits
from gramian.errors import InputError

RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.standard_normal((80, 5)) * [4.0, 3.0, 1.0, 1.0, 1.0], columns=list("abcde"))
FIT = gm.PCA(2).fit(X)


def test_statistics_are_distances_on_and_beside_the_axes():
    table = FIT.limits()
    Z, C = FIT.coordinates_, X.to_numpy() - FIT.mean_
    np.testing.assert_allclose(table["t2"], (Z**2 / FIT.eigenvalues_).sum(axis=1))
    np.testing.assert_allclose(table["q"], ((C - Z @ FIT.components_) ** 2).sum(axis=1))
    inside = (table["t2"] <= table["t2_limit"]) & (table["q"] <= table["q_limit"])
    assert table["inside"].equals(inside) and table.index.equals(X.index)
    pd.testing.assert_frame_equal(FIT.limits(X).iloc[:5], table.iloc[:5])


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_both_limits_hold_together_for_the_rows_they_were_made_of(alpha):
    t2, q = RNG.chisquare(2, 400), RNG.chisquare(3, 400)
    first, second = joint_limits(t2, q, np.full(400, 1 / 400), alpha)
    share = np.mean((t2 <= first) & (q <= second))
    assert 1 - alpha <= share <= 1 - alpha + 0.02
    # At the same rank of both.
    assert abs(np.mean(t2 <= first) - np.mean(q <= second)) < 0.01
    # Weights count like repetition, up to the correction for the number of rows.
    counts = RNG.integers(1, 3, 400)
    weighted = joint_limits(t2, q, counts / counts.sum(), alpha)
    many = (np.repeat(a, counts) for a in (t2, q))
    repeated = joint_limits(*many, np.full(counts.sum(), 1 / counts.sum()), alpha)
    np.testing.assert_allclose(weighted, repeated, rtol=0.2)


def test_without_anything_beside_the_axes_only_t2_counts():
    table = gm.PCA().fit(X).limits()
    assert (table["q"] == 0).all() and (table["q_limit"] == 0).all()
    assert 0.85 < table["inside"].mean() < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("design", ["normal, 100 × 8, PCA(3)", "t5, 50 × 200, PCA(3)"])
def test_new_rows_inside(design):
    """A slice of benchmarks/limits.py: a table's share has a deviation of 2 to 4 %."""
    assert 0.92 < coverage(design, tables=12).mean() < 0.98


def test_columns_that_put_a_row_outside():
    new = pd.DataFrame(np.zeros((3, 5)), columns=X.columns)
    new.loc[1, "d"] = 20.0  # beside the axes
    new.loc[2, "a"] = 40.0  # on them
    table = FIT.limits(new)
    assert table["inside"].tolist() == [True, False, False]
    assert [names[:1] for names in table["columns"]] == [(), ("d",), ("a",)]
    assert "columns" not in gm.KernelPCA(2).fit(X).limits(new)


@pytest.mark.parametrize("factor", [1e-100, 1e100])
def test_units_do_not_matter(factor):
    far = gm.PCA(2).fit(X * factor).limits()
    np.testing.assert_allclose(far["t2"], FIT.limits()["t2"], rtol=1e-8)
    np.testing.assert_allclose(far["q"] / factor**2, FIT.limits()["q"], rtol=1e-8)
    assert far["inside"].equals(FIT.limits()["inside"])


@pytest.mark.slow
def test_precomputed_kernels_and_other_fits():
    K = gm.kernels.Gaussian(2.0).pairwise(X.to_numpy(), X.to_numpy())
    table = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(2.0)).fit(X.to_numpy()).limits()
    same = gm.KernelPCA(2, kernel="precomputed").fit(K).limits()
    np.testing.assert_allclose(same.to_numpy(float), table.to_numpy(float), atol=1e-9)
    D = gm.distances.euclidean(X.to_numpy())
    mds = gm.ClassicalMDS(2, metric="precomputed").fit(D).limits()
    columns = ["t2", "q", "t2_limit", "q_limit"]
    np.testing.assert_allclose(mds[columns], FIT.limits()[columns], rtol=1e-6)
    assert gm.FAMD(2).fit(X.assign(g=list("uv") * 40)).limits()["inside"].mean() > 0.8
    assert gm.RobustPCA(2).fit(X).limits().shape == (80, 6)
    rotated = gm.PCA(4).fit(X).rotate("oblimin", 2)
    pd.testing.assert_frame_equal(rotated.limits(), FIT.limits())


def test_rows_without_a_weight_are_new_ones():
    w = np.where(np.arange(80) < 60, 1.0, 0.0)
    table = gm.PCA(2).fit(X, sample_weight=w).limits()
    new = gm.PCA(2).fit(X[:60]).limits(X[60:])
    np.testing.assert_allclose(table["t2"][60:], new["t2"])
    np.testing.assert_allclose(table["t2_limit"].iloc[0], new["t2_limit"].iloc[0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: FIT.limits(alpha=0.0), "alpha"),
        (lambda: FIT.limits(alpha=2), "alpha"),
        (lambda: gm.PCA(2).fit(X * 1e200).limits(), "limits"),
        (lambda: FIT.limits(X.iloc[:, :2]), "columns"),
        (lambda: gm.PCA(1).fit(X[:4]).limits(), "at least 5"),
        (lambda: gm.MDS(2, n_init=1).fit(X[:10]).limits(), "MDS has none"),
        (lambda: gm.PCA(2).fit(iter([X.to_numpy()])).limits(), "X is missing"),
    ],
)
def test_errors(call, words):
    with pytest.raises(InputError, match=words):
        call()
