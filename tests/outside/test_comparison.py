"""Procrustes, protest and Mantel's test against vegan."""

import numpy as np
import pytest

from gramian import stability

from ._reference import array, assert_close, load, table

STORED = load("classical_mds/procrustes.json")
DUNE = load("classical_mds/dune_tests.json")
X, Y, Y3 = (table(f"classical_mds/procrustes_{name}.csv").to_numpy() for name in ("X", "Y", "Y3"))
A, B, C = (
    table(f"classical_mds/{name}.csv").to_numpy()
    for name in ("dune_bray", "dune_env_dist", "third_dist20")
)
CASES = {
    "rot_scale": lambda: stability.procrustes(X, Y),
    "rot_only": lambda: stability.procrustes(X, Y, scale=False),
    "symmetric": lambda: stability.procrustes(X, Y, symmetric=True),
    "swapped": lambda: stability.procrustes(Y, X),
    "Y3_into_X2_padded": lambda: stability.procrustes(X, Y3),
}


@pytest.mark.parametrize("case", list(CASES))
def test_procrustes(case: str) -> None:
    found, expected = CASES[case](), STORED[case]
    assert found.statistic == pytest.approx(expected["ss"], rel=1e-9)
    assert found.scale == pytest.approx(expected["scale"], rel=1e-9)
    assert found.rmse == pytest.approx(expected["rmse"], rel=1e-9)
    assert_close(found.residuals, array(expected["residuals"]), 1e-8, atol=1e-10)
    if case != "Y3_into_X2_padded":  # the turn of a padded column is free
        assert_close(found.rotation, array(expected["rotation"]), 1e-8, atol=1e-10)
    # vegan's Yrot is centred on the target.
    centred = found.fitted - found.target.mean(axis=0)
    shown = array(expected["Yrot"])[:, : centred.shape[1]]
    assert_close(centred, shown - shown.mean(axis=0), 1e-8, atol=1e-9)


def test_fitted_is_what_the_parts_say() -> None:
    found = stability.procrustes(X, Y)
    again = found.scale * Y @ found.rotation + found.translation
    np.testing.assert_allclose(again, found.fitted, atol=1e-12)


def test_protest() -> None:
    found = stability.protest(X, Y, n_permutations=999)
    assert found.statistic == pytest.approx(STORED["protest"]["t0"], rel=1e-9)
    assert found.fit.statistic == pytest.approx(STORED["protest"]["ss"], rel=1e-9)
    assert found.p_value == STORED["protest"]["signif_seed1_999"] == 0.001


def test_mantel() -> None:
    pearson = stability.mantel(A, B, n_permutations=999)
    assert pearson.statistic == pytest.approx(DUNE["mantel_pearson"]["r"], rel=1e-9)
    assert pearson.p_value <= 0.002
    spearman = stability.mantel(A, B, method="spearman", n_permutations=199)
    assert spearman.statistic == pytest.approx(DUNE["mantel_spearman"]["r"], rel=1e-9)
    partial = stability.mantel(A, B, given=C, n_permutations=199)
    assert partial.statistic == pytest.approx(DUNE["mantel_partial_pearson"]["r"], rel=1e-9)
    assert spearman.p_value == 1 / 200
    # vegan permutes all points; ours change places with neighbours in C alone (tests/stability).
    assert partial.p_value <= 0.02


@pytest.mark.slow
def test_mantel_of_unrelated_distances_is_not_significant() -> None:
    rng = np.random.default_rng(0)
    p = []
    for _ in range(40):
        a, b = rng.standard_normal((2, 15, 3))
        D, E = (np.sqrt(((M[:, None] - M) ** 2).sum(-1)) for M in (a, b))
        p.append(stability.mantel(D, E, n_permutations=39, random_state=1).p_value)
    assert 0.3 < np.mean(p) < 0.7 and np.mean(np.array(p) <= 0.05) <= 0.15
