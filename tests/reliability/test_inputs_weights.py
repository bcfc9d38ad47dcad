"""Weights of rows: what is refused, and what a weight of zero means."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm

from .refusals import ESTIMATORS, assert_same_fit, numbers, refuses

pytestmark = pytest.mark.slow


X = np.random.default_rng(50).standard_normal((12, 4)) * [3.0, 2.0, 1.0, 0.5]
W = np.random.default_rng(51).uniform(0.5, 2.0, 12)
METHODS = {
    **ESTIMATORS,
    "KernelPCA krylov": lambda: gm.KernelPCA(n_components=2, kernel="linear", solver="krylov"),
}


def replaced(*pairs):
    w = W.copy()
    for i, value in pairs:
        w[i] = value
    return w


BAD = {
    "negative": (replaced((3, -1.0)), ("3",)),
    "hardly negative": (replaced((3, -1e-20)), ("3",)),
    "nan": (replaced((3, np.nan)), ("3",)),
    "inf": (replaced((3, np.inf)), ("3",)),
    "all zero": (np.zeros(12), ()),
    "too short": (W[:5], ("5", "12")),
    "too long": (np.r_[W, 1.0], ("13", "12")),
    "two dimensions": (np.ones((12, 2)), ()),
    "complex": (W + 0j, ("complex",)),
    "strings": (["a"] * 12, ()),
    "masked": (np.ma.masked_array(W, mask=[True] + [False] * 11), ("mask",)),
    "only one row": (np.eye(12)[0], ()),
}


@pytest.mark.filterwarnings("ignore::gramian.errors.ConstantColumnWarning")
@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("method", METHODS)
def test_bad_weights(method, case):
    w, words = BAD[case]
    refuses(lambda: METHODS[method]().fit(X, sample_weight=w), "sample_weight", *words)


@pytest.mark.parametrize("method", METHODS)
def test_a_weight_of_zero_makes_a_supplementary_row(method):
    rows = np.vstack([X, 100 + X[:3]])
    w = np.r_[W, np.zeros(3)]
    est = METHODS[method]().fit(rows, sample_weight=w)
    active = METHODS[method]().fit(X, sample_weight=W)
    assert est.coordinates_.shape == (15, 2)
    np.testing.assert_allclose(est.eigenvalues_, active.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(est.inertia_, active.inertia_, rtol=1e-10)
    size = np.abs(est.coordinates_).max()
    np.testing.assert_allclose(est.coordinates_[:12], active.coordinates_, atol=1e-8 * size)
    np.testing.assert_allclose(est.coordinates_[12:], active.transform(rows[12:]), atol=1e-8 * size)


@pytest.mark.parametrize("factor", [1e-300, 1e-10, 1e10, 1e300])
@pytest.mark.parametrize("method", METHODS)
def test_only_the_ratios_of_weights_count(method, factor):
    est = METHODS[method]().fit(X, sample_weight=W * factor)
    assert_same_fit(est, METHODS[method]().fit(X, sample_weight=W), rtol=1e-11)


@pytest.mark.parametrize("value", [1, 3.0, 0.1])
@pytest.mark.parametrize("method", METHODS)
def test_equal_weights_are_no_weights(method, value):
    est = METHODS[method]().fit(X, sample_weight=np.full(12, value))
    assert_same_fit(est, METHODS[method]().fit(X), rtol=1e-11)


@pytest.mark.parametrize("form", [list, tuple, pd.Series, lambda w: w.astype(">f8"), np.ma.array])
@pytest.mark.parametrize("method", METHODS)
def test_weights_in_other_forms(method, form):
    est = METHODS[method]().fit(X, sample_weight=form(W))
    assert_same_fit(est, METHODS[method]().fit(X, sample_weight=W), rtol=1e-12)


@pytest.mark.parametrize("ratio", [1e8, 1e15])
@pytest.mark.parametrize("method", METHODS)
def test_very_uneven_weights(method, ratio):
    w = np.where(np.arange(12) < 6, ratio, 1.0)
    est = METHODS[method]().fit(X, sample_weight=w)
    assert all(np.all(np.isfinite(v)) for v in numbers(est).values())
    C = X - (w / w.sum()) @ X
    inertia = {
        "PCA scaled": 4.0,
        "KernelPCA gaussian": None,
    }.get(method, float((w / w.sum()) @ (C**2).sum(axis=1)))
    if inertia is not None:
        assert abs(est.inertia_ - inertia) <= 1e-11 * inertia
