"""Worked PCA examples: five by five matrix, reconstruction errors, decathlon, digits."""

import numpy as np
import pytest

import gramian as gm

from .._reference import array, assert_axes_close, assert_close, load, table

TOL = 1e-8
RESULTS = load("documents/documents.json")["results"]
FIVE = RESULTS["doc001_example_2_4"]


def five_by_five() -> np.ndarray:
    return table("documents/doc001_A.csv").to_numpy()


def reconstruction_error(X: np.ndarray, q: int) -> float:
    """Frobenius norm of X minus its image on the first q axes."""
    pca = gm.PCA(q).fit(X)
    return float(np.linalg.norm(X - pca.inverse_transform(pca.coordinates_)))


def test_example_2_4_spectrum() -> None:
    """The text diagonalises the scatter matrix; inertias are its eigenvalues over n."""
    pca = gm.PCA(4).fit(five_by_five())
    assert_close(pca.mean_, FIVE["mu"], TOL)
    assert_close(5 * pca.eigenvalues_, FIVE["scatter_eigenvalues"][:4], TOL)
    assert_close(5 * pca.inertia_, np.trace(FIVE["scatter_C"]), TOL)
    assert_close(pca.explained_variance_, FIVE["covariance_eigenvalues"][:4], TOL)
    assert_close(pca.singular_values_, FIVE["singular_values"][:4], TOL)


def test_example_2_4_axes() -> None:
    pca = gm.PCA(4).fit(five_by_five())
    V, B = array(FIVE["V_signed_as_printed"])[:, :4], array(FIVE["B"])[:, :4]
    assert_axes_close(np.asarray(pca.components_).T, V, TOL)
    assert_axes_close(pca.coordinates_, B, TOL)


def test_example_2_4_reconstruction() -> None:
    pca = gm.PCA(3).fit(five_by_five())
    image = pca.inverse_transform(pca.coordinates_)
    assert_close(image, array(FIVE["reconstruction_k3"]), TOL)


@pytest.mark.parametrize("q", [1, 2, 3, 4])
def test_example_2_4_errors(q: int) -> None:
    X = five_by_five()
    expected = FIVE["E_k_for_k_0_to_5"]
    assert_close(reconstruction_error(X, q), expected[q], TOL, atol=1e-12)
    eigenvalues = np.asarray(gm.PCA(4).fit(X).eigenvalues_)
    assert_close(np.sqrt(5 * eigenvalues[q:].sum()), expected[q], TOL, atol=1e-12)


def test_example_2_4_has_four_axes() -> None:
    """Five centred rows span four dimensions: a fifth axis carries nothing, and that is said."""
    X = five_by_five()
    with pytest.warns(gm.errors.RankWarning):
        pca = gm.PCA(5).fit(X)
    assert np.all(np.abs(pca.eigenvalues_[4:]) < 1e-12 * pca.inertia_)
    assert_close(pca.inverse_transform(pca.coordinates_), X, TOL, atol=1e-12)


@pytest.mark.parametrize("name", ["uncorrelated", "correlated"])
def test_example_2_5(name: str) -> None:
    expected = RESULTS["doc001_example_2_5"][name]
    X = table(f"documents/doc001_ex25_{name}.csv").to_numpy()
    assert_close(reconstruction_error(X, 2), expected["reconstruction_error"], TOL)
    pca = gm.PCA().fit(X)
    assert_close(pca.explained_variance_, expected["eigenvalues"], TOL)
    assert_close(pca.singular_values_[2], expected["from_eigenvalue"], TOL)


def test_example_2_5_as_the_text_has_it() -> None:
    """x1 = 4 x2 + 2 x3 exactly: two axes lose nothing."""
    expected = RESULTS["doc001_example_2_5"]["text_version_x1_equal_4x2_plus_2x3"]
    X = table("documents/doc001_ex25_correlated.csv").to_numpy().copy()
    X[:, 0] = 4 * X[:, 1] + 2 * X[:, 2]
    pca = gm.PCA(2).fit(X)
    assert_close(pca.explained_variance_, expected["eigenvalues"][:2], TOL)
    assert reconstruction_error(X, 2) < 1e-12


def test_sign_rule_survives_opposite_loadings() -> None:
    """A published sign rule multiplies the axis by zero when its extreme loadings are opposite."""
    assert RESULTS["doc001_listing2_sign_rule"]["multiplier"][1] == 0
    before = array(RESULTS["doc001_listing2_sign_rule"]["eigenvectors_before"])
    t = np.array([-2.0, -1.0, 0.0, 3.0])
    pca = gm.PCA(1).fit(np.column_stack([t, -t]))
    assert_axes_close(np.asarray(pca.components_).T, before[:, 1:], TOL)
    assert_close(np.abs(pca.coordinates_[:, 0]), np.sqrt(2) * np.abs(t), TOL, atol=1e-12)


def test_decathlon_scree() -> None:
    stored = RESULTS["doc000"]["scree_test_decathlon"]
    pca = gm.PCA(scale=True).fit(table("data/decathlon.csv").iloc[:, :10])
    eigenvalues = np.asarray(pca.eigenvalues_)
    assert_close(eigenvalues, stored["eigenvalues"], TOL)
    first = -np.diff(eigenvalues)
    assert_close(first, stored["first_differences"], TOL)
    assert_close(-np.diff(first), stored["second_differences"], TOL, atol=1e-10)


def test_decathlon_kaiser() -> None:
    stored = RESULTS["doc000"]["scree_test_decathlon"]
    q = stored["kaiser_gt_mean"]
    pca = gm.PCA("kaiser", scale=True).fit(table("data/decathlon.csv").iloc[:, :10])
    assert pca.n_components_ == q
    assert_close(pca.eigenvalues_, stored["eigenvalues"][:q], TOL)


def test_digits() -> None:
    """Eigenvalues of class 3, ten of whose 64 pixels never vary, and the axes for 95 %."""
    stored = RESULTS["doc004_digits_parallel"]
    X = table("documents/doc004_digits3.csv").to_numpy(float)
    expected = array(stored["eigenvalues_cov_divisor_n"])
    pca = gm.PCA(54).fit(X)
    assert_close(pca.eigenvalues_, expected[:54], TOL)
    assert_close(pca.inertia_, expected.sum(), TOL)
    assert gm.PCA(0.95).fit(X).n_components_ == stored["n_95pct_variance"]
