"""Document 3's noisy rings: axes, coefficients and accuracy, against numbers of plain NumPy."""

import warnings

import numpy as np
import pytest
from tests.outside._reference import assert_close, load, table

import gramian as gm

pytestmark = pytest.mark.slow


ROWS = load("documents/documents.json")["results"]["doc002_logistic_table"]["rows"]
TOL = 1e-8


def rings(part):
    found = table(f"documents/doc002_rings_{part}_seed0.csv")
    return found[["x", "y"]].to_numpy(), found["z"].to_numpy()


def model(c, penalty):
    kernel = gm.kernels.Gaussian.from_gamma(1 / float(c))
    return gm.PrincipalComponentClassifier(0.9, kernel=kernel, penalty=penalty)


def assert_as_stored(fitted, stored, coef, accuracy):
    assert fitted.n_components_ == stored["q"]
    expected = np.asarray(stored[coef])
    assert_close(fitted.intercept_, expected[:1], TOL)
    # The sign of an axis is arbitrary.
    assert_close(np.abs(fitted.coef_[:, 0]), np.abs(expected[1:]), TOL, TOL)
    assert fitted.score(*rings("test")) == pytest.approx(stored[accuracy], abs=1e-12)


@pytest.mark.parametrize("c", ["1", "6", "10"])
def test_maximum_likelihood(c):
    fitted = model(c, 0.0).fit(*rings("train"))
    assert fitted.penalty_ == 0.0
    assert_as_stored(fitted, ROWS[c]["seed0"], "coef", "acc")


@pytest.mark.parametrize("c", ["0.1", "1", "6", "10"])
def test_ridge(c):
    fitted = model(c, 1.0).fit(*rings("train"))
    assert_as_stored(fitted, ROWS[c]["seed0"], "coef_ridge1", "acc_ridge1")


def test_a_scale_too_small_separates_and_says_so():
    with pytest.warns(gm.errors.SeparationWarning, match="does not exist"):
        fitted = model("0.1", 0.0).fit(*rings("train"))
    assert fitted.n_components_ == ROWS["0.1"]["seed0"]["q"]
    assert fitted.penalty_ > 0
    assert np.abs(fitted.coef_).max() < 10
    assert 0.75 < fitted.score(*rings("test")) < 0.9


def test_a_line_only_guesses():
    X, y = rings("train")
    fitted = gm.PrincipalComponentClassifier(2, kernel="linear").fit(X, y)
    stored = ROWS["linear"]["seed0"]["acc"]
    assert fitted.score(*rings("test")) == pytest.approx(stored, abs=1e-12)


def test_tuned_axes_come_near_the_best_possible():
    X, y = rings("train")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = gm.PrincipalComponentClassifier("cv").fit(X, y)
    assert 3 <= fitted.n_components_ <= 10  # two axes are the plane, the third is the radius
    assert fitted.score(*rings("test")) > 0.8
    losses = fitted.cv_results_["loss"]
    assert losses[2] > 0.6 and losses[fitted.n_components_] == losses.min()
