"""Road distances between nine American cities: classical MDS of non-Euclidean distances."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

import gramian as gm

from .._reference import array, assert_axes_close, assert_close, load, table

TOL = 1e-8
STORED = load("documents/documents.json")["results"]["doc004_cities"]
EIGENVALUES = array(STORED["eigenvalues"])


def distances() -> np.ndarray:
    return table("documents/doc004_cities9.csv").to_numpy()


def fit(q: int) -> gm.ClassicalMDS:
    with pytest.warns(gm.errors.NotEuclideanWarning):
        return gm.ClassicalMDS(q, metric="precomputed").fit(distances())


def test_eigenvalues() -> None:
    mds = fit(5)
    assert_close(9 * mds.eigenvalues_, EIGENVALUES[:5], TOL)
    assert_close(9 * mds.inertia_, EIGENVALUES.sum(), TOL)


@pytest.mark.parametrize("q", [2, 3])
def test_negative_inertia(q: int) -> None:
    negative = EIGENVALUES[EIGENVALUES < -1]
    assert len(negative) == STORED["n_negative"]
    assert_close(9 * fit(q).negative_inertia_, -negative.sum(), TOL)


def test_coordinates() -> None:
    expected = array(STORED["coordinates_2d_largest_entry_positive"])
    assert_axes_close(fit(2).coordinates_, expected, TOL, sign=1.0)
    assert_axes_close(fit(3).coordinates_, array(STORED["coordinates_3d"]), TOL)


def test_goodness_of_fit() -> None:
    """Share of two axes among all inertia in modulus, and among positive inertia."""
    mds = fit(2)
    kept, negative = mds.eigenvalues_.sum(), mds.negative_inertia_
    positive = mds.inertia_ + negative
    assert_close([kept / (positive + negative), kept / positive], STORED["GOF"], TOL)


def test_distances_on_the_map() -> None:
    """Errors of the plane, over pairs."""
    D = squareform(distances())
    on_map = pdist(fit(2).coordinates_)
    assert_close(np.abs(on_map - D).max(), STORED["max_abs_error_miles"], TOL)
    raw = np.sum((on_map - D) ** 2)
    assert_close(raw, STORED["raw_stress_2d"], TOL)
    assert_close(np.sqrt(raw / np.sum(on_map**2)), STORED["stress1_metric"], TOL)


@pytest.mark.parametrize("method", ["lingoes", "cailliez"])
def test_corrections(method: str) -> None:
    """The smallest constant, after which seven axes give the corrected distances back."""
    constant = STORED[f"{method}_constant"]
    mds = gm.ClassicalMDS(7, metric="precomputed", correction=method).fit(distances())
    assert_close(mds.correction_constant_, constant, TOL)
    D = squareform(distances())
    corrected = np.sqrt(D**2 + 2 * constant) if method == "lingoes" else D + constant
    assert_close(pdist(mds.coordinates_), corrected, TOL)
