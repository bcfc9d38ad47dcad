"""The table of individuals, for every method, against its definitions."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch

import gramian as gm
from gramian.errors import InputError

from .twins import METHODS, NAMES, axes, centred, data, fitted, gaussian, given, gram_of, weights

TOL = 1e-9


def close(actual: Any, wanted: Any, tol: float = TOL) -> None:
    np.testing.assert_allclose(np.asarray(actual), wanted, rtol=tol, atol=tol)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("q", [None, 2])
@pytest.mark.parametrize("method", NAMES)
def test_definitions(method: str, q: int | None, weighted: bool) -> None:
    X = data()
    w = weights(12) if weighted else np.ones(12)
    p = w / w.sum()
    K = centred(gram_of(method, X), p)
    values, F = axes(K, p)
    est = fitted(method, X, q, w)
    found = est.individuals()
    k = est.n_components_
    assert k == (q or len(values))
    close(found["cos2"], F[:, :k] ** 2 / np.diag(K)[:, None])
    close(found["quality"], np.cumsum(F[:, :k] ** 2, axis=1) / np.diag(K)[:, None])
    close(found["contribution"].drop(columns="total"), p[:, None] * F[:, :k] ** 2 / values[:k])
    close(found["contribution", "total"], p * np.diag(K) / np.trace(p[:, None] * K))
    close(found["distance2"], np.diag(K))
    close(found["coordinate"], est.coordinates_, 0)


@pytest.mark.parametrize("method", NAMES)
def test_columns(method: str) -> None:
    found = fitted(method, data(), 2).individuals()
    measures = ["coordinate", "cos2", "quality", "contribution"]
    wanted = [(name, axis) for name in measures for axis in (1, 2)]
    wanted += [("contribution", "total"), ("distance2", "")]
    assert list(found.columns) == wanted
    assert found.columns.names == ["measure", "axis"]
    assert isinstance(found.columns[0][1], int)
    assert list(found.index) == list(range(12))
    assert found.dtypes.eq(float).all()


@pytest.mark.parametrize("q", [None, 2])
@pytest.mark.parametrize("method", NAMES)
def test_new_rows(method: str, q: int | None) -> None:
    """d² of a new point is k(x, x) − 2 Σ p k(x, x_i) + ΣΣ p p k, by brute force."""
    X, new, w = data(), data(5, seed=7), weights(12)
    p = w / w.sum()
    if "gauss" in method or method == "precomputed kernel":
        K, cross, diag = gaussian(X, X, 1.5), gaussian(new, X, 1.5), np.ones(5)
    else:
        K, cross, diag = X @ X.T, new @ X.T, np.sum(new**2, axis=1)
    wanted = diag - 2 * cross @ p + p @ K @ p
    extra = {"diag": diag} if method == "precomputed kernel" else {}
    est = fitted(method, X, q, w)
    found = est.individuals(given(method, X, new), **extra)
    close(found["distance2"], wanted)
    close(found["coordinate"], est.transform(given(method, X, new)), 0)
    shift = est.coordinates_.T @ p  # not 0 for the axes as functions
    close(found["cos2"], (found["coordinate"].to_numpy() - shift) ** 2 / wanted[:, None])
    close(found["quality"], found["cos2"].cumsum(axis=1))
    assert "contribution" not in found


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("method", NAMES)
def test_training_rows_as_new_rows(method: str, weighted: bool) -> None:
    X = data()
    est = fitted(method, X, 3, weights(12) if weighted else None)
    extra = {"diag": np.ones(12)} if method == "precomputed kernel" else {}
    new = est.individuals(given(method, X), **extra)
    close(new, est.individuals().drop(columns="contribution"))


@pytest.mark.parametrize("method", NAMES)
def test_rows_of_weight_zero(method: str) -> None:
    """They are read like new rows, and the others as if they were not there."""
    X = data()
    w = weights(12)
    w[[2, 9]] = 0
    live = w > 0
    est = fitted(method, X, 3, w)
    alone = fitted(method, X[live], 3, w[live])
    found = est.individuals()
    close(found[live], alone.individuals())
    extra = {"diag": np.ones(2)} if method == "precomputed kernel" else {}
    others = alone.individuals(given(method, X[live], X[~live]), **extra)
    close(found[~live].drop(columns="contribution"), others)
    assert (found.loc[~live, "contribution"] == 0).all(axis=None)


@pytest.mark.parametrize("method", NAMES)
def test_only_proportions_of_weights_matter(method: str) -> None:
    X, w = data(), weights(12)
    close(fitted(method, X, 3, w).individuals(), fitted(method, X, 3, 1e-7 * w).individuals())


@pytest.mark.parametrize("method", ["pca", "mds", "linear", "gaussian"])
def test_a_point_at_the_barycentre(method: str) -> None:
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0], [0.0, 0.0]])
    X = X if method != "gaussian" else np.repeat(X[:2], 2, axis=0)
    if method == "gaussian":  # the mean of a pair and its copy is no point; k̃(x, x) is not 0
        assert (fitted(method, X, 1).individuals()["cos2", 1] > 0.99).all()
        return
    found = fitted(method, X).individuals()
    assert (found.loc[4, ["cos2", "quality", "distance2"]] == 0).all()
    close(found.loc[4, "contribution"], 0.0, 1e-30)
    close(found.loc[:3, "cos2"].sum(axis=1), 1.0)


@pytest.mark.parametrize("offset", [0.0, 1 / 3])
@pytest.mark.parametrize("method", ["pca", "mds", "linear", "precomputed distances"])
def test_a_point_at_the_barycentre_up_to_rounding(method: str, offset: float) -> None:
    X = data() + offset
    X[-1] = X[:-1].mean(axis=0)
    found = fitted(method, X, 2).individuals()
    assert not found.isna().any(axis=None)
    assert (found["cos2"].iloc[-1] == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-20, 1e20, 1e160, 1e300])
@pytest.mark.parametrize("method", ["pca", "pca, Gram", "mds", "linear", "precomputed distances"])
def test_any_scale(method: str, scale: float) -> None:
    X = data()
    usual = fitted(method, X, 3).individuals()
    rows = given(method, X) * scale
    est = METHODS[method](X, 3).fit(rows)
    for found in (est.individuals(), est.individuals(rows)):
        close(found["cos2"], usual["cos2"])
        close(found["quality"], usual["quality"])
        close(found["coordinate"] / scale, usual["coordinate"])
    close(est.individuals()["contribution"], usual["contribution"])
    with np.errstate(over="ignore", under="ignore"):
        wanted = usual["distance2"].to_numpy() * scale * scale
    np.testing.assert_allclose(found["distance2"], wanted, rtol=TOL)


@pytest.mark.parametrize("method", NAMES)
def test_single_precision(method: str) -> None:
    X = data()
    wanted = fitted(method, X, 2).individuals()
    found = METHODS[method](X, 2).fit(given(method, X).astype(np.float32)).individuals()
    close(found["cos2"], wanted["cos2"], 1e-4)
    close(found["contribution"].sum(), 1.0, 1e-12)
    assert found.dtypes.eq(float).all()


def test_precomputed_kernel_needs_the_diagonal_of_new_rows() -> None:
    X, new = data(), data(5, seed=7)
    est = fitted("precomputed kernel", X, 2)
    K = given("precomputed kernel", X, new)
    with pytest.raises(InputError, match="diag is missing"):
        est.individuals(K)
    with pytest.raises(InputError, match="diag is missing"):
        est.reconstruction_error(K)
    with pytest.raises(InputError, match="diag has 4 values but X has 5"):
        est.individuals(K, diag=np.ones(4))
    with pytest.raises(InputError, match="diag contains NaN"):
        est.individuals(K, diag=[1, 1, np.nan, 1, 1])
    with pytest.raises(InputError, match="diag is given without X"):
        est.individuals(diag=np.ones(5))
    with pytest.raises(InputError, match="diag is for"):
        fitted("pca", X).individuals(new, diag=np.ones(5))


@pytest.mark.parametrize(
    "labels",
    [list("abcdefghijkl"), list(range(100, 112)), ["same"] * 12],
    ids=["text", "integers", "duplicates"],
)
@pytest.mark.parametrize("estimator", [gm.PCA(2), gm.KernelPCA(2), gm.ClassicalMDS(2)])
def test_labels_are_kept(estimator: Any, labels: list[Any]) -> None:
    frame = pd.DataFrame(data(), columns=list("wxyz"), index=labels).rename_axis(index="who")
    estimator.fit(frame)
    assert estimator.individuals().index.equals(frame.index)
    assert estimator.individuals().index.name == "who"
    assert estimator.individuals(frame.iloc[3:5]).index.equals(frame.index[3:5])
    close(estimator.individuals(), estimator.fit(frame.to_numpy()).individuals())


def test_polars_rows_are_numbered() -> None:
    frame = pl.DataFrame(data(), schema=list("wxyz"))
    pca = gm.PCA(2).fit(frame)
    assert pca.individuals().index.equals(pd.RangeIndex(12))
    close(pca.individuals(frame)["cos2"], pca.individuals()["cos2"])


def test_torch_arrays_give_the_same_table() -> None:
    for method in ("pca", "gaussian", "mds"):
        X = data()
        wanted = fitted(method, X, 2).individuals()
        est = fitted(method, torch.asarray(X), 2)
        close(est.individuals(), wanted)
        close(est.individuals(torch.asarray(X))["distance2"], wanted["distance2"])


def test_set_output_does_not_matter() -> None:
    pca = gm.PCA(2).set_output(transform="pandas").fit(data())
    assert list(pca.transform(data()).columns) == ["axis 1", "axis 2"]
    close(pca.individuals(), gm.PCA(2).fit(data()).individuals())


def test_blocks_have_no_individuals_of_their_own() -> None:
    X = data()
    pca = gm.PCA(2).fit(iter([X[:6], X[6:]]))
    with pytest.raises(InputError, match="blocks of rows"):
        pca.individuals()
    wanted = gm.PCA(2).fit(X).individuals().drop(columns="contribution")
    close(pca.individuals(X), wanted)


def test_before_fit() -> None:
    for method in ("individuals", "variables", "summary", "reconstruction_error"):
        with pytest.raises(ValueError, match="not fitted"):
            getattr(gm.PCA(), method)()


def test_other_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="3 features"):
        gm.PCA(2).fit(data()).individuals(data(p=3))


def test_null_axes_have_no_contribution() -> None:
    X = np.outer(np.arange(5.0), [1.0, 2.0, 3.0])
    with pytest.warns(gm.errors.RankWarning):
        found = gm.PCA(2).fit(X).individuals()
    close(found["contribution"].sum(), [1.0, 0.0, 1.0])
    assert not found.isna().any(axis=None)
