"""gm.PCA against R's prcomp (divisor n - 1) and princomp (divisor n)."""

import numpy as np
import pytest

import gramian as gm

from ._reference import array, assert_axes_close, assert_close, load, table

TOL = 1e-8
DATASETS = ["USArrests", "mtcars"]
dataset = pytest.mark.parametrize("name", DATASETS)


def fit(name: str, scale: bool, n_components: int | None = None) -> gm.PCA:
    return gm.PCA(n_components, scale=scale).fit(table(f"data/{name}.csv"))


def unbiased(n: int) -> float:
    """n / (n - 1): from a variance with divisor n to one with divisor n - 1."""
    return n / (n - 1)


@dataset
def test_prcomp_centred(name: str) -> None:
    stored = load(f"prcomp/{name}.json")["prcomp_center"]
    pca = fit(name, scale=False)
    sdev, x = array(stored["sdev"]), array(stored["x"])
    n = len(x)
    assert_close(pca.mean_, array(stored["center"]), TOL)
    assert_close(pca.explained_variance_, sdev**2, TOL)
    assert_close(pca.eigenvalues_ * unbiased(n), sdev**2, TOL)
    assert_close(pca.singular_values_, sdev * np.sqrt(n - 1), TOL)
    assert_close(pca.explained_variance_ratio_, sdev**2 / np.sum(sdev**2), TOL)
    assert_axes_close(pca.coordinates_, x, TOL)
    assert_axes_close(np.asarray(pca.components_).T, array(stored["rotation"]), TOL)


@dataset
def test_prcomp_scaled(name: str) -> None:
    """prcomp scales by the n - 1 sd: same eigenvalues, scores smaller by sqrt((n - 1) / n)."""
    stored = load(f"prcomp/{name}.json")["prcomp_center_scale"]
    pca = fit(name, scale=True)
    sdev, x = array(stored["sdev"]), array(stored["x"])
    n = len(x)
    assert_close(pca.mean_, array(stored["center"]), TOL)
    assert_close(pca.eigenvalues_, sdev**2, TOL)
    assert_close(pca.explained_variance_, sdev**2 * unbiased(n), TOL)
    assert_close(pca.inertia_, sdev.size, TOL)
    assert_axes_close(pca.coordinates_, x * np.sqrt(unbiased(n)), TOL)
    assert_axes_close(np.asarray(pca.components_).T, array(stored["rotation"]), TOL)


@dataset
def test_prcomp_rank_two(name: str) -> None:
    """Two axes kept: their share is still of the whole inertia."""
    stored = load(f"prcomp/{name}.json")["prcomp_rank2"]
    pca = fit(name, scale=True, n_components=2)
    sdev, x = array(stored["sdev"]), array(stored["x"])
    assert_close(pca.eigenvalues_, sdev[:2] ** 2, TOL)
    assert_close(pca.explained_variance_ratio_, sdev[:2] ** 2 / np.sum(sdev**2), TOL)
    assert_axes_close(pca.coordinates_, x * np.sqrt(unbiased(len(x))), TOL)


@pytest.mark.parametrize(("variant", "scale"), [("princomp_cov", False), ("princomp_cor", True)])
@dataset
def test_princomp(name: str, variant: str, scale: bool) -> None:
    stored = load(f"prcomp/{name}.json")[variant]
    pca = fit(name, scale)
    assert_close(pca.mean_, array(stored["center"]), TOL)
    assert_close(pca.eigenvalues_, array(stored["sdev"]) ** 2, TOL)
    assert_axes_close(pca.coordinates_, array(stored["scores"]), TOL)
    assert_axes_close(np.asarray(pca.components_).T, array(stored["loadings"]), TOL)


@dataset
def test_predict(name: str) -> None:
    """Fitted on all rows but the last five, which are then projected."""
    stored = load(f"prcomp/{name}.json")
    X = table(f"data/{name}.csv")
    new = gm.PCA(scale=True).fit(X[:-5]).transform(X[-5:])
    shrink = 1 / np.sqrt(unbiased(len(X) - 5))
    assert_axes_close(new, array(stored["predict_princomp_cor"]), TOL)
    assert_axes_close(new * shrink, array(stored["predict_prcomp_scale"]), TOL)
