"""Indefinite kernels and distances that no Euclidean space can hold: shares stay shares."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import gramian as gm
from gramian.errors import NotEuclideanWarning

from .twins import axes, centred, data, weights

POLICIES = ["clip", "flip", "krein"]


def indefinite(n: int = 14) -> np.ndarray:
    X = data(n)
    return -(cdist(X, X, "cityblock") ** 2) + 5.0


def carried(K: np.ndarray, p: np.ndarray, policy: str) -> np.ndarray:
    """Σ|λ|u²/p over the axes that the policy keeps, from the whole spectrum."""
    values, F = axes(centred(K, p), p)
    kept = values > 0 if policy in ("clip", "drop") else values != 0
    return np.sum(F[:, kept] ** 2, axis=1)


@pytest.mark.parametrize("q", [None, 1, 3])
@pytest.mark.parametrize("policy", POLICIES)
def test_cosines_are_shares_of_what_the_axes_carry(policy: str, q: int | None) -> None:
    K, w = indefinite(), weights(14)
    p = w / w.sum()
    est = gm.KernelPCA(q, kernel="precomputed", indefinite=policy).fit(K, sample_weight=w)
    whole = carried(K, p, policy)
    found = est.individuals()
    np.testing.assert_allclose(found["cos2"], est.coordinates_**2 / whole[:, None], rtol=1e-9)
    np.testing.assert_allclose(found["contribution", "total"], p * whole / (p @ whole), rtol=1e-9)
    assert est.negative_inertia_ > 0
    if q is None:
        np.testing.assert_allclose(found["cos2"].sum(axis=1), 1.0, rtol=1e-9)
    np.testing.assert_allclose(found["contribution"].sum(), 1.0, rtol=1e-9)
    assert (found["quality"].diff(axis=1).iloc[:, 1:] >= 0).all(axis=None)
    error = est.reconstruction_error()
    np.testing.assert_allclose(error.total[0], p @ whole, rtol=1e-9)
    explained = np.sum(np.abs(est.eigenvalues_))
    np.testing.assert_allclose(error.total.iloc[-1], p @ whole - explained, atol=1e-9)


@pytest.mark.parametrize("policy", POLICIES)
def test_a_cosine_does_not_depend_on_the_number_of_axes(policy: str) -> None:
    K = indefinite()
    tables = [
        gm.KernelPCA(q, kernel="precomputed", indefinite=policy).fit(K).individuals()
        for q in (None, 2)
    ]
    for axis in (1, 2):
        np.testing.assert_allclose(tables[0]["cos2", axis], tables[1]["cos2", axis], rtol=1e-12)


@pytest.mark.parametrize("q", [None, 2])
def test_distances_that_are_not_euclidean(q: int | None) -> None:
    X = data(14)
    D = cdist(X, X, "cityblock") ** 2
    with pytest.warns(NotEuclideanWarning):
        est = gm.ClassicalMDS(q, metric="precomputed").fit(D)
    p = np.full(14, 1 / 14)
    B = centred(-0.5 * D**2, p)
    found = est.individuals()
    np.testing.assert_allclose(found["distance2"], np.clip(np.diag(B), 0, None), rtol=1e-9)
    whole = carried(-0.5 * D**2, p, "drop")
    np.testing.assert_allclose(found["cos2"], est.coordinates_**2 / whole[:, None], rtol=1e-8)
    assert found["quality"].to_numpy().max() <= 1 + 1e-12


@pytest.mark.parametrize("policy", POLICIES)
def test_nothing_is_missing_for_new_rows_and_categories(policy: str) -> None:
    K = indefinite()
    est = gm.KernelPCA(3, kernel="precomputed", indefinite=policy).fit(K[:10, :10])
    new = est.individuals(K[10:, :10], diag=np.diag(K)[10:])
    groups = est.categories({"g": list("aabbbccaab")})
    for table in (new, groups):
        assert np.isfinite(table.to_numpy()).all()
        assert table["cos2"].to_numpy().max() <= 1 + 1e-12
        assert table["cos2"].to_numpy().min() >= 0


def test_rows_of_weight_zero_of_an_indefinite_kernel() -> None:
    K, w = indefinite(), weights(14)
    w[[0, 5]] = 0
    est = gm.KernelPCA(2, kernel="precomputed", indefinite="flip").fit(K, sample_weight=w)
    live = w > 0
    alone = gm.KernelPCA(2, kernel="precomputed", indefinite="flip")
    alone.fit(K[np.ix_(live, live)], sample_weight=w[live])
    np.testing.assert_allclose(est.individuals()[live], alone.individuals(), rtol=1e-9)
    new = alone.individuals(K[np.ix_(~live, live)], diag=np.diag(K)[~live])
    np.testing.assert_allclose(est.individuals().loc[~live, "cos2"], new["cos2"], rtol=1e-9)
