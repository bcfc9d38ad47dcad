"""The table of variables: active and supplementary, for every method."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian as gm
from gramian.errors import InputError

from .twins import NAMES, data, fitted, weights


def correlation(y: np.ndarray, f: np.ndarray, p: np.ndarray) -> float:
    """The weighted correlation, from its definition."""
    p = p / p.sum()
    y, f = y - p @ y, f - p @ f
    return (p @ (y * f)) / np.sqrt((p @ y**2) * (p @ f**2))


def sd(y: np.ndarray, p: np.ndarray) -> float:
    p = p / p.sum()
    return np.sqrt(p @ (y - p @ y) ** 2)


@pytest.mark.parametrize("solver", ["covariance", "dense"])
@pytest.mark.parametrize("q", [None, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("columns", [None, [1.0, 0.5, 2.0, 3.0]])
@pytest.mark.parametrize("scale", [False, True])
def test_active(scale: bool, columns: Any, weighted: bool, q: int | None, solver: str) -> None:
    X = data()
    p = weights(12) if weighted else np.ones(12)
    pca = gm.PCA(q, scale=scale, column_weight=columns, solver=solver).fit(X, sample_weight=p)
    found = pca.variables()
    r = np.array([[correlation(x, f, p) for f in pca.coordinates_.T] for x in X.T])
    s = np.ones(4) if scale else np.array([sd(x, p) for x in X.T])
    w = np.ones(4) if columns is None else np.array(columns)
    np.testing.assert_allclose(found["correlation"], r, atol=1e-12)
    np.testing.assert_allclose(found["coordinate"], r * s[:, None], atol=1e-12)
    np.testing.assert_allclose(found["cos2"], r**2, atol=1e-12)
    part = w[:, None] * (r * s[:, None]) ** 2 / pca.eigenvalues_
    np.testing.assert_allclose(found["contribution"], part, atol=1e-12)
    np.testing.assert_allclose(found["contribution"].sum(), 1.0, rtol=1e-12)
    if q is None:
        np.testing.assert_allclose(found["cos2"].sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("q", [None, 2])
@pytest.mark.parametrize("method", NAMES)
def test_supplementary(method: str, q: int | None) -> None:
    X, p = data(), weights(12)
    Y = data(p=3, seed=5)
    est = fitted(method, X, q, p)
    found = est.variables(pd.DataFrame(Y, columns=["a", "b", "c"]))
    r = np.array([[correlation(y, f, p) for f in est.coordinates_.T] for y in Y.T])
    np.testing.assert_allclose(found["correlation"], r, atol=1e-12)
    s = np.array([sd(y, p) for y in Y.T])
    np.testing.assert_allclose(found["coordinate"], r * s[:, None], atol=1e-12)
    np.testing.assert_allclose(found["cos2"], r**2, atol=1e-12)
    assert list(found.index) == ["a", "b", "c"]
    assert list(found.columns.levels[0]) == ["coordinate", "correlation", "cos2", "quality"]


@pytest.mark.parametrize("scale", [False, True])
def test_active_columns_read_as_supplementary_agree(scale: bool) -> None:
    X = pd.DataFrame(data(), columns=list("wxyz"))
    pca = gm.PCA(scale=scale).fit(X, sample_weight=weights(12))
    same = pca.variables().drop(columns="contribution")
    np.testing.assert_allclose(pca.variables(X), same, atol=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1e20, 1e200])
def test_any_scale(scale: float) -> None:
    X = data()
    for pca in (gm.PCA(), gm.PCA(scale=True)):
        usual = pca.fit(X).variables()
        found = pca.fit(X * scale).variables()
        np.testing.assert_allclose(found["correlation"], usual["correlation"], atol=1e-12)
        np.testing.assert_allclose(found["contribution"], usual["contribution"], atol=1e-12)
    pca = gm.PCA(2).fit(X)
    large = pca.variables(X * scale)
    np.testing.assert_allclose(large["correlation"], pca.variables(X)["correlation"], atol=1e-12)
    np.testing.assert_allclose(
        large["coordinate"] / scale, pca.variables(X)["coordinate"], atol=1e-12
    )


@pytest.mark.parametrize("offset", [1e4, 1e8])
def test_an_offset_of_a_supplementary_column_costs_nothing(offset: float) -> None:
    X = data()
    y = np.round(X[:, 0] * 1024) / 1024  # y + 1e8 is exact
    pca = gm.PCA().fit(X)
    np.testing.assert_allclose(pca.variables(y + offset), pca.variables(y), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("solver", ["covariance", "dense"])
def test_a_column_of_weight_zero_is_supplementary(scale: bool, solver: str) -> None:
    X = data()
    for w in (None, weights(12), np.r_[0.0, weights(11)]):
        weighted = gm.PCA(scale=scale, solver=solver, column_weight=[1.0, 0.0, 1.0, 2.0])
        found = weighted.fit(X, sample_weight=w).variables()
        alone = gm.PCA(scale=scale, column_weight=[1.0, 1.0, 2.0])
        alone.fit(X[:, [0, 2, 3]], sample_weight=w)
        np.testing.assert_allclose(found.iloc[[0, 2, 3]], alone.variables(), atol=1e-12)
        extra = alone.variables(X[:, [1]])
        np.testing.assert_allclose(found.iloc[[1]].drop(columns="contribution"), extra, atol=1e-12)
        assert (found.iloc[1]["contribution"] == 0).all()


@pytest.mark.parametrize("column_weight", [None, [1.0, 0.0, 1.0, 2.0]])
@pytest.mark.parametrize("scale", [False, True])
def test_blocks_of_rows(scale: bool, column_weight: Any) -> None:
    X = data()
    pca = gm.PCA(2, scale=scale, column_weight=column_weight)
    wanted = pca.fit(X).variables()
    np.testing.assert_allclose(pca.fit(iter([X[:5], X[5:]])).variables(), wanted, atol=1e-12)
    with pytest.raises(InputError, match="blocks of rows"):
        pca.variables(X)


def test_constant_columns_have_zeros() -> None:
    X = data()
    X[:, 2] = 7.1
    with pytest.warns(gm.errors.ConstantColumnWarning):
        scaled = gm.PCA(scale=True).fit(X)
    for pca in (scaled, gm.PCA().fit(X)):
        assert (pca.variables().iloc[2] == 0).all()
        assert not pca.variables().isna().any(axis=None)
        assert (pca.variables({"one": np.full(12, 0.1)}) == 0).all(axis=None)


def test_missing_values_leave_out_their_rows() -> None:
    X, y, p = data(), data(seed=3)[:, 0], weights(12)
    hole = y.copy()
    hole[[1, 4, 7]] = np.nan
    seen = ~np.isnan(hole)
    est = gm.KernelPCA(3).fit(X, sample_weight=p)
    for table in (pd.DataFrame({"y": hole}), pl.DataFrame({"y": hole.tolist()}, nan_to_null=True)):
        found = est.variables(table)
        r = [correlation(y[seen], f[seen], p[seen]) for f in est.coordinates_.T]
        np.testing.assert_allclose(found["correlation"].iloc[0], r, atol=1e-12)
        np.testing.assert_allclose(
            found["coordinate"].iloc[0], np.array(r) * sd(y[seen], p[seen]), atol=1e-12
        )


@pytest.mark.parametrize("estimator", [gm.KernelPCA(2), gm.ClassicalMDS(2)])
def test_kernel_methods_have_no_variables_of_their_own(estimator: Any) -> None:
    estimator.fit(data())
    with pytest.raises(InputError, match=r"variables\(table\)"):
        estimator.variables()
    with pytest.raises(InputError, match=r"describe\(table\)"):
        estimator.describe()


@pytest.mark.parametrize(
    ("columns", "labels"),
    [(["a", "b", "a2", "c"], ["a", "b", "a2", "c"]), ([10, 20, 30, 40], [10, 20, 30, 40])],
)
def test_labels(columns: list[Any], labels: list[Any]) -> None:
    frame = pd.DataFrame(data(), columns=columns)
    assert list(gm.PCA(2).fit(frame).variables().index) == labels
    assert list(gm.PCA(2).fit(frame.to_numpy()).variables().index) == ["x0", "x1", "x2", "x3"]
    if isinstance(columns[0], str):
        polars = pl.DataFrame(data(), schema=columns)
        assert list(gm.PCA(2).fit(polars).variables().index) == labels


def test_null_axes() -> None:
    X = np.outer(np.arange(5.0), [1.0, 2.0])
    with pytest.warns(gm.errors.RankWarning):
        pca = gm.PCA(2).fit(X)
    for found in (pca.variables(), pca.variables({"y": [1.0, 3.0, 2.0, 5.0, 4.0]})):
        assert not found.isna().any(axis=None)
        np.testing.assert_allclose(found["correlation", 2], 0.0, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_variable_far_from_the_origin_loses_no_digits(weighted: bool) -> None:
    """At 2²⁷ a mean is wrong by a hundredth of this deviation: it is taken off twice."""
    X, rng = data(), np.random.default_rng(2)
    z = np.round(rng.standard_normal(len(X)) * 2.0**5) / 2.0**25
    pca = gm.PCA(2).fit(X, sample_weight=weights(12) if weighted else None)
    near, far = (pca.variables(pd.DataFrame({"z": z + offset})) for offset in (0.0, 2.0**27))
    np.testing.assert_allclose(far, near, rtol=1e-9, atol=1e-16)
