"""What figures, reports and studies ask of a method: the members of `Fit`."""

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import TruncatedSVD

import gramian as gm
from gramian._estimators.fit import Fit, n_axes
from gramian._estimators.foreign.outside import Outside, as_fit

X = np.random.default_rng(0).standard_normal((20, 3))
COUNTS = [[20, 5, 1], [6, 18, 6], [2, 7, 25]]
ANSWERS = {"tea": ["black", "green"] * 10, "milk": ["yes", "no", "no", "no"] * 5}
TRAITS = ["is_precomputed", "is_linear", "is_map", "is_external", "is_streamed", "is_scaled"]
TRAITS += ["is_factor_method", "has_variables", "has_categories", "fills_missing"]

FITS = {
    "pca": (lambda: gm.PCA(2).fit(X), "is_linear has_variables"),
    "scaled pca": (lambda: gm.PCA(2, scale=True).fit(X), "is_linear has_variables is_scaled"),
    "filling pca": (
        lambda: gm.PCA(1, missing="iterative").fit(X),
        "is_linear has_variables fills_missing",
    ),
    "blocks": (lambda: gm.PCA(2).fit([X[:9], X[9:]]), "is_linear has_variables is_streamed"),
    "kernel": (lambda: gm.KernelPCA(2).fit(X), ""),
    "linear kernel": (lambda: gm.KernelPCA(2, kernel="linear").fit(X), "is_linear"),
    "kernel values": (
        lambda: gm.KernelPCA(2, kernel="precomputed").fit(X @ X.T),
        "is_precomputed",
    ),
    "several kernels": (lambda: gm.MultiKernelPCA(2).fit(X), ""),
    "distances": (lambda: gm.ClassicalMDS(2).fit(X), "is_linear"),
    "other distances": (lambda: gm.ClassicalMDS(2, metric=gm.kernels.Gaussian(1.0)).fit(X), ""),
    "stress": (lambda: gm.MDS(2, n_init=1).fit(X), "is_map"),
    "counts": (lambda: gm.CA(1).fit(COUNTS), "is_factor_method has_variables"),
    "answers": (lambda: gm.MCA(1).fit(ANSWERS), "is_factor_method has_variables has_categories"),
    "map": (lambda: gm.read_map(np.tanh(X[:, :2])), "is_external is_map"),
    "another library": (lambda: Outside(TruncatedSVD(2)).fit(X), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FITS)
def test_traits(name):
    make, expected = FITS[name]
    fit = make()
    assert isinstance(fit, Fit) and n_axes(fit) == fit.n_components_
    assert sorted(trait for trait in TRAITS if getattr(fit, trait)) == sorted(expected.split())


def test_an_estimator_that_is_not_fitted_has_no_axes():
    assert (
        n_axes(gm.PCA(2)) is None and n_axes(X) is None and n_axes(Outside(TruncatedSVD())) is None
    )


def test_labels_weights_and_names_are_those_of_the_table():
    table = pd.DataFrame(X, index=[f"row {i}" for i in range(20)], columns=["a", "b", "c"])
    fit = gm.PCA(2).fit(table, sample_weight=np.arange(20.0))
    assert list(fit.row_labels) == list(table.index) and list(fit.column_names) == ["a", "b", "c"]
    assert fit.row_weights[3] == pytest.approx(3 / 190)
    assert gm.MCA(1).fit(ANSWERS).questions == ["tea", "milk"]


def test_anything_with_coordinates_is_a_fit():
    class Bare:
        def __init__(self):
            self.coordinates_, self.n_components_ = X[:, :2], 2

    fit = as_fit(Bare())
    assert fit.coordinates_ is not None and fit.n_axes == 2 and fit.axis_inertias is None
    assert fit.row_labels is None and not fit.has_variables and as_fit(X) is None
