"""What is lost on the first q axes."""

import numpy as np
import pandas as pd
import pytest
from tests.outside._reference import table

import gramian as gm

from .twins import METHODS, NAMES, axes, centred, data, fitted, given, gram_of, weights


@pytest.mark.parametrize("q", [None, 2])
@pytest.mark.parametrize("method", NAMES)
def test_definition(method: str, q: int | None) -> None:
    X, w = data(), weights(12)
    p = w / w.sum()
    K = centred(gram_of(method, X), p)
    _, F = axes(K, p)
    est = fitted(method, X, q, w)
    error = est.reconstruction_error()
    k = est.n_components_
    kept = np.cumsum(np.c_[np.zeros(12), F[:, :k] ** 2], axis=1)
    wanted = np.diag(K)[:, None] - kept
    np.testing.assert_allclose(error.points, wanted, atol=1e-9)
    np.testing.assert_allclose(error.total, p @ wanted, atol=1e-9)
    np.testing.assert_allclose(error.relative, p @ wanted / est.inertia_, atol=1e-9)
    assert list(error.total.index) == list(error.points.columns) == list(range(k + 1))
    np.testing.assert_allclose(1.0 - error.relative.iloc[1:], est.quality_, atol=1e-9)


@pytest.mark.parametrize("q", [1, 2, 3])
def test_it_is_the_distance_to_the_inverse_transform(q: int) -> None:
    X, new = data(), data(5, seed=3)
    pca = gm.PCA(3).fit(X)
    cut = gm.PCA(q).fit(X)
    for rows, error in ((X, pca.reconstruction_error()), (new, pca.reconstruction_error(new))):
        rest = rows - cut.inverse_transform(cut.transform(rows))
        np.testing.assert_allclose(error.points[q], np.sum(rest**2, axis=1), atol=1e-10)
        np.testing.assert_allclose(error.total[q], np.sum(rest**2, axis=1).mean(), atol=1e-10)


@pytest.mark.parametrize("method", NAMES)
def test_new_rows_count_equally(method: str) -> None:
    X, new = data(), data(5, seed=3)
    extra = {"diag": np.ones(5)} if method == "precomputed kernel" else {}
    error = fitted(method, X, 2, weights(12)).reconstruction_error(given(method, X, new), **extra)
    np.testing.assert_allclose(error.total, error.points.mean(axis=0))
    assert error.points.shape == (5, 3)


@pytest.mark.parametrize("method", NAMES)
def test_nothing_is_left_after_all_axes(method: str) -> None:
    error = fitted(method, data()).reconstruction_error()
    assert error.total.iloc[-1] == 0.0
    assert (error.total.iloc[:-1] > 0).all()


@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_any_scale(scale: float) -> None:
    X = data()
    usual = gm.PCA(3).fit(X).reconstruction_error().relative
    pca = METHODS["pca"](X, 3).fit(X * scale)
    points = pca.individuals()
    np.testing.assert_allclose(points["quality"], gm.PCA(3).fit(X).individuals()["quality"])
    np.testing.assert_allclose(1.0 - pca.quality_, usual.iloc[1:], atol=1e-12)


def test_labels() -> None:
    frame = pd.DataFrame(data(), index=list("abcdefghijkl"), columns=list("wxyz"))
    assert gm.PCA(2).fit(frame).reconstruction_error().points.index.equals(frame.index)


def test_document_example() -> None:
    """The errors E_q = √(n·total) of the worked 5 × 5 example in one of the source texts."""
    A = table("documents/doc001_A.csv").to_numpy()
    total = gm.PCA().fit(A).reconstruction_error().total
    wanted = [17.42412, 6.22529, 3.28293, 1.20742, 0.0]
    np.testing.assert_allclose(np.sqrt(len(A) * total), wanted, atol=5e-6)
