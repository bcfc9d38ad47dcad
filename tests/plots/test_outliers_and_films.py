"""The outlier map, and what a row becomes along an axis."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError, InputTypeError

rng = np.random.default_rng(5)
X = pd.DataFrame(rng.standard_normal((60, 4)) * [4.0, 3.0, 1.0, 1.0], columns=list("abcd"))
WILD = X.assign(d=X["d"] + 40.0 * (X.index < 6))


def test_distances_are_those_of_the_axes():
    fit = gm.PCA(2).fit(X)
    figure = gm.plots.outliers(fit, backend="none")
    U, s, _ = np.linalg.svd(X - X.mean(), full_matrices=False)
    on = np.sqrt(60 * (U[:, :2] ** 2).sum(axis=1))
    beside = np.sqrt(((U[:, 2:] * s[2:]) ** 2).sum(axis=1))
    np.testing.assert_allclose(figure.numbers["distances"], np.stack([on, beside], 1), atol=1e-10)
    assert (
        figure.numbers["inside"] == (figure.numbers["distances"] <= figure.numbers["limits"]).all(1)
    ).all()
    lines = [panel for panel in figure.panels[0].layers if type(panel).__name__ == "Guide"]
    assert [line.at for line in lines] == pytest.approx(list(figure.numbers["limits"]))


def test_robust_axes_set_wild_rows_apart():
    figure = gm.plots.outliers(gm.RobustPCA(2).fit(WILD), backend="none")
    assert not figure.numbers["inside"][:6].any() and figure.numbers["inside"][6:].mean() > 0.9
    new = gm.plots.outliers(gm.PCA(2).fit(X), X=WILD.iloc[[0, 30]], alpha=0.01, backend="none")
    assert new.numbers["inside"].tolist() == [False, True]


@pytest.mark.parametrize(("scale", "whiten"), [(False, False), (True, False), (False, True)])
def test_a_film_goes_along_its_axis(scale, whiten):
    fit = gm.PCA(2, scale=scale, whiten=whiten).fit(X)
    figure = gm.plots.film(fit, 2, n_images=5, backend="none")
    size = X.std(ddof=0) if scale else 1.0
    v = np.linalg.svd((X - X.mean()) / size, full_matrices=False)[2][1]
    v = v * np.sign(v @ fit.components_[1])
    steps = np.linspace(*np.quantile(fit.coordinates_[:, 1], (0.02, 0.98)), 5)
    expected = X.mean().to_numpy() + np.outer(steps, v) * np.asarray(size)
    np.testing.assert_allclose(figure.numbers["rows"], expected, atol=1e-10)
    drawn = np.stack([curve.y for curve in figure.panels[0].layers if hasattr(curve, "y")])
    np.testing.assert_allclose(drawn, np.outer(steps, v) if scale else expected, atol=1e-10)


def test_a_film_of_a_precomputed_kernel_shows_a_table_of_its_rows():
    plane = X[["a", "b"]]
    fit = gm.KernelPCA(2, kernel="precomputed").fit(gm.kernels.Linear()(plane))
    figure = gm.plots.film(fit, table=plane, n_images=4, backend="none")
    v = np.linalg.lstsq(fit.coordinates_, (plane - plane.mean()).to_numpy())[0][0]
    expected = plane.mean().to_numpy() + np.outer(figure.numbers["at"], v)
    np.testing.assert_allclose(figure.numbers["rows"], expected, atol=1e-6)


def test_a_film_of_images():
    rows = gm.datasets.digits().data.iloc[:60]
    figure = gm.plots.film(gm.KernelPCA(2).fit(rows), shape=(8, 8), n_images=4, backend="none")
    assert len(figure.panels) == 4 and figure.numbers["rows"].shape == (4, 64)


FIT = gm.PCA(2).fit(X)
OBJECTS = gm.KernelPCA(2, kernel=gm.kernels.sequence.Spectrum(k=1)).fit(["ab", "aab", "b", "bba"])


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: gm.plots.film(FIT, 3), "axis 3 is not between 1 and 2"),
        (lambda: gm.plots.film(FIT, shape=(3, 3)), "not an image of 3 × 3"),
        (lambda: gm.plots.film(FIT, n_images=1), "n_images"),
        (lambda: gm.plots.film(OBJECTS), "has no rows to go back to"),
        (lambda: gm.plots.film(FIT, table=X), "rows of PCA come back as they are"),
        (lambda: gm.plots.film(OBJECTS, table=X), "table has 60 rows but the fit has 4"),
        (lambda: gm.plots.film(gm.MDS(2, n_init=1).fit(X)), "gives no rows back"),
        (lambda: gm.plots.outliers(gm.MDS(2, n_init=1).fit(X)), "limits need axes"),
        (lambda: gm.plots.film(gm.PCA(2).partial_fit(X)), "fitted on blocks of rows"),
        (lambda: gm.plots.outliers(X), "must be a fitted estimator"),
    ],
)
def test_errors(call, words):
    with pytest.raises((InputError, InputTypeError), match=words):
        call()
