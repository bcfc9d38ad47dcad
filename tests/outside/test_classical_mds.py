"""gm.ClassicalMDS against cmdscale, vegan::wcmdscale, ade4 (dudi.pco, supdist) and ape::pcoa."""

import warnings
from typing import Any

import numpy as np
import pytest

import gramian as gm

from ._reference import array, assert_axes_close, assert_close, load, signs, table

TOL = 1e-9
CITIES = load("classical_mds/UScitiesD.json")
ARRESTS = load("classical_mds/usarrests_euclid_scaled.json")


def distances(stored: dict) -> np.ndarray:
    name = "data/UScitiesD" if stored is CITIES else "classical_mds/usarrests_euclid_scaled"
    return table(f"{name}.csv").to_numpy(float)


def fit(stored: dict, q: int | None, rows: Any = slice(None), weight: Any = None, **options: Any):
    """Fit on distances; the road-like distances between cities are not Euclidean, and say so."""
    D = distances(stored)[rows, rows]
    mds = gm.ClassicalMDS(q, metric="precomputed", **options)
    if stored is CITIES and "correction" not in options:
        with pytest.warns(gm.errors.NotEuclideanWarning):
            return mds.fit(D, sample_weight=weight)
    with warnings.catch_warnings():
        warnings.simplefilter("error", gm.errors.NotEuclideanWarning)
        return mds.fit(D, sample_weight=weight)


both = pytest.mark.parametrize("stored", [CITIES, ARRESTS], ids=["UScitiesD", "USArrests"])


@pytest.mark.parametrize("q", [1, 2, 3])
@both
def test_cmdscale(stored: dict, q: int) -> None:
    expected = stored[f"cmdscale_k{q}"]
    mds = fit(stored, q)
    eig = array(expected["eig"])
    n = len(eig)
    assert_close(n * mds.eigenvalues_, eig[:q], TOL)
    assert_close(n * mds.inertia_, eig.sum(), TOL)
    assert_close(mds.inertia_ratio_, eig[:q] / eig.sum(), TOL)
    assert_axes_close(mds.coordinates_, array(expected["points"]), TOL)


def test_two_axes_are_the_default() -> None:
    mds = gm.ClassicalMDS(metric="precomputed").fit(distances(ARRESTS))
    assert_axes_close(mds.coordinates_, array(ARRESTS["cmdscale_k2"]["points"]), TOL)


def test_euclidean_metric_on_the_rows_themselves() -> None:
    """The stored distances are between rows standardised with divisor n - 1."""
    X = table("data/USArrests.csv")
    mds = gm.ClassicalMDS(3).fit((X - X.mean()) / X.std())
    assert_close(50 * mds.eigenvalues_, array(ARRESTS["cmdscale_k3"]["eig"])[:3], TOL)
    assert_axes_close(mds.coordinates_, array(ARRESTS["cmdscale_k3"]["points"]), TOL)


@both
def test_ape_and_vegan_positive_axes(stored: dict) -> None:
    """Every axis that carries positive inertia, as far as the packages keep them."""
    points = array(stored["vegan_wcmdscale"]["points"])
    n, q = points.shape
    mds = fit(stored, q)
    ape = array(stored["ape_none"]["values"])[:q, 0]
    assert_close(n * mds.eigenvalues_, array(stored["vegan_wcmdscale"]["eig"])[:q], TOL)
    assert_close(n * mds.eigenvalues_, ape, TOL)
    assert_close(n * mds.inertia_, stored["ape_none"]["trace"], TOL)
    assert_axes_close(mds.coordinates_, points, TOL)
    assert_axes_close(mds.coordinates_, array(stored["ape_none"]["vectors"])[:, :q], TOL)


@pytest.mark.parametrize("q", [1, 2, 5])
def test_negative_inertia(q: int) -> None:
    """The negative eigenvalues are reported in full however few axes are kept."""
    eig = array(CITIES["cmdscale_k2"]["eig"])
    negative = -eig[eig < -1e-6].sum()
    assert_close(10 * fit(CITIES, q).negative_inertia_, negative, TOL)


def test_no_negative_inertia() -> None:
    mds = fit(ARRESTS, 2)
    assert abs(mds.negative_inertia_) < 1e-12 * mds.inertia_


def test_positive_axes_give_ade4_quasieuclid() -> None:
    """Without a correction, the map on all positive axes is what ade4::quasieuclid keeps."""
    F = np.asarray(fit(CITIES, 6).coordinates_)
    D = np.sqrt(((F[:, None] - F[None]) ** 2).sum(axis=2))
    expected = array(CITIES["ade4_quasieuclid"]["dist"])
    assert_close(D, expected, TOL, atol=TOL * expected.max())


@pytest.mark.parametrize("method", ["lingoes", "cailliez"])
def test_correction_constant(method: str) -> None:
    constant = fit(CITIES, 2, correction=method).correction_constant_
    assert_close(constant, CITIES[f"ade4_{method}"]["constant"], TOL)
    assert_close(constant, CITIES[f"vegan_wcmdscale_{method}"]["ac"], TOL)
    if method == "cailliez":
        assert_close(constant, CITIES["cmdscale_add_k2"]["ac"], TOL)


@pytest.mark.parametrize("method", ["lingoes", "cailliez"])
def test_corrected_eigenvalues(method: str) -> None:
    """n - 2 axes remain: the correction takes the smallest eigenvalue to zero."""
    mds = fit(CITIES, 8, correction=method)
    ape = CITIES[f"ape_{method}"]
    assert_close(10 * mds.eigenvalues_, array(CITIES[f"vegan_wcmdscale_{method}"]["eig"]), TOL)
    assert_close(10 * mds.eigenvalues_, array(ape["values"])[:8, 1], TOL)
    assert_close(10 * mds.inertia_, ape["trace_cor"], TOL)


@pytest.mark.parametrize("method", ["lingoes", "cailliez"])
def test_corrected_coordinates(method: str) -> None:
    F = fit(CITIES, 5, correction=method).coordinates_
    assert_axes_close(F, array(CITIES[f"ape_{method}"]["vectors_cor"]), TOL)
    assert_axes_close(F[:, :3], array(CITIES[f"vegan_wcmdscale_{method}"]["points"]), TOL)
    if method == "cailliez":
        assert_axes_close(F[:, :3], array(CITIES["cmdscale_add_k3"]["points"]), TOL)


@pytest.mark.parametrize("method", ["lingoes", "cailliez"])
def test_corrected_distances(method: str) -> None:
    """All eight axes give back the distances as ade4 corrected them."""
    F = np.asarray(fit(CITIES, 8, correction=method).coordinates_)
    D = np.sqrt(((F[:, None] - F[None]) ** 2).sum(axis=2))
    corrected = array(CITIES[f"ade4_{method}"]["dist"])
    assert_close(D, corrected, TOL, atol=TOL * corrected.max())


@both
def test_sample_weights(stored: dict) -> None:
    """ade4 normalises the weights to sum 1, as the library does; vegan's scale with their sum."""
    vegan, ade4 = stored["vegan_wcmdscale_weighted"], stored["ade4_dudi_pco_weighted"]
    weight = array(vegan["weights"])
    li = array(ade4["li"])
    q = li.shape[1]
    mds = fit(stored, q, weight=weight)
    eig = array(vegan["eig"]) / weight.sum()
    assert_close(mds.eigenvalues_, array(ade4["eig"])[:q], TOL)
    assert_close(mds.eigenvalues_, eig[:q], TOL)
    assert_close(mds.inertia_, eig.sum(), TOL)
    assert_close(mds.negative_inertia_, -eig[eig < 0].sum(), TOL, atol=1e-12)
    assert_axes_close(mds.coordinates_, li, TOL)
    assert_axes_close(mds.coordinates_, array(vegan["points"]), TOL)


@both
def test_uniform_weights(stored: dict) -> None:
    li = array(stored["ade4_dudi_pco"]["li"])
    n, q = li.shape
    mds = fit(stored, q, weight=np.full(n, 3.0))
    assert_close(mds.eigenvalues_, array(stored["ade4_dudi_pco"]["eig"])[:q], TOL)
    assert_axes_close(mds.coordinates_, li, TOL)


@both
def test_supplementary_points(stored: dict) -> None:
    active, new = array(stored["supdist"]["coordAct"]), array(stored["supdist"]["coordSup"])
    n, q = active.shape
    mds = fit(stored, q, rows=slice(0, n))
    assert_axes_close(mds.coordinates_, active, TOL)
    sign = signs(mds.coordinates_, active)
    assert_axes_close(mds.transform(distances(stored)[n:, :n]), new, TOL, sign)
