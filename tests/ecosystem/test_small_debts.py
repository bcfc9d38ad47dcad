"""Signs, errors per q, quality of variables, what notebooks show, warnings that are said once."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score

import gramian as gm

IRIS = gm.datasets.iris()
X = IRIS.data


def test_the_error_of_q_axes_is_the_norm_of_the_difference():
    fit = gm.PCA().fit(X)
    E = fit.reconstruction_error().norm
    A = X.to_numpy()
    U, s, Vt = np.linalg.svd(A - A.mean(axis=0), full_matrices=False)
    for q in range(5):
        back = (U[:, :q] * s[:q]) @ Vt[:q] + A.mean(axis=0)
        assert E[q] == pytest.approx(np.linalg.norm(A - back), abs=1e-6)


def test_quality_of_variables_is_cumulated():
    for table in (gm.PCA(3).fit(X).variables(), gm.KernelPCA(3).fit(X).variables(X)):
        np.testing.assert_allclose(table["quality"], table["cos2"].cumsum(axis=1))
    whole = gm.PCA(scale=True).fit(X).variables()["quality"].iloc[:, -1]
    np.testing.assert_allclose(whole, 1.0)


@pytest.mark.slow
def test_a_fit_shows_what_was_done_in_a_notebook():
    fit = gm.PCA(2, scale=True).fit(X)
    page = fit._repr_html_()
    assert "PCA of 150 individuals, 4 variables" in page
    assert "73.0 %" in page
    assert fit.certificate_.text.split(";")[0] in page
    assert fit._repr_mimebundle_()["text/html"] == page
    assert "sk-" in gm.PCA()._repr_html_()  # before a fit, scikit-learn's diagram
    labelled = gm.KernelLogisticRegression().fit(X, IRIS.groups["species"])
    assert "virginica" in labelled._repr_html_()
    odd = gm.KernelPCA(1, kernel=gm.kernels.sequence.Spectrum(k=1)).fit(["<b>", "ab", "c"])
    assert "<b>" not in odd._repr_html_()


@pytest.mark.slow
def test_results_show_their_tables_in_a_notebook():
    study = gm.stability.bootstrap(gm.PCA(2), X, n_resamples=5)
    page = study._repr_html_()
    assert "<table" in page
    assert "angle" in page
    assert "<h3>" in gm.PCA(2).fit(X).summary()._repr_html_()


@pytest.mark.slow
def test_a_separation_is_said_once():
    rows, y = load_breast_cancer(return_X_y=True)
    rows, y = rows[:120, :12], y[:120]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        cross_val_score(gm.PrincipalComponentClassifier(8, kernel="linear", penalty=0.0), rows, y)
    texts = [str(w.message) for w in said if w.category is gm.errors.SeparationWarning]
    assert len(set(texts)) <= 1


@pytest.mark.slow
def test_a_saved_kernel_pca_gives_its_numbers(tmp_path):
    """What docs/saving.md promises."""
    rows = gm.datasets.breast_cancer().data
    fit = gm.KernelPCA(3).fit(rows)
    gm.save(fit, tmp_path / "fit.gramian")
    same = gm.load(tmp_path / "fit.gramian")
    pd.testing.assert_frame_equal(same.individuals(), fit.individuals(), check_exact=True)
    assert np.abs(same.transform(rows) - fit.transform(rows)).max() < 1e-13
