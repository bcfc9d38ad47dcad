"""Rotations against R: stats::varimax and promax, GPArotation, on the loadings of psych."""

from itertools import permutations

import numpy as np
import pytest
from tests.outside._reference import array, load

from gramian._reading.rotation import ROTATIONS, Turn, orthomax, promax, rotation

FILES = ["rotation_decathlon_k3", "rotation_harman74_k4"]


def reference(file):
    return load(f"factor_methods/{file}.json")["result"]


def error(A, B):
    """The largest difference, up to the order and the signs of the axes."""
    turned = (A[:, order] for order in permutations(range(A.shape[1])))
    return min(np.abs(C * np.sign((C * B).sum(axis=0)) - B).max() for C in turned)


CASES = {
    "varimax_kaiser": ("varimax", None, 1e-7),
    "varimax_raw": ("varimax", False, 1e-7),
    "GPA_Varimax_raw": ("varimax", False, 1e-7),
    "quartimax": ("quartimax", None, 1e-7),
    "oblimin_gam0": ("oblimin", None, 1e-7),
    "quartimin": ("oblimin", False, 1e-7),
    "oblimin_gam0_kaiser": ("oblimin", True, 1e-7),
    # stats::promax starts from a varimax that stops early, 7e-4 from the maximum.
    "promax_m4_of_unrotated": ("promax", None, 1e-3),
}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("case", CASES)
def test_loadings_are_those_of_R(file, case):
    method, normalize, tolerance = CASES[case]
    known = reference(file)
    L = array(known["unrotated"])
    turn = rotation(L, method, normalize)
    assert error(L @ turn.pattern, array(known[case]["loadings"])) < tolerance


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("power", [3, 4])
def test_promax_from_the_varimax_of_R(file, power):
    known = reference(file)
    L, start = array(known["unrotated"]), array(known["varimax_kaiser_default_eps"]["rotmat"])
    U = promax(L, power=power, start=start)
    expected = known[f"promax_m{power}_of_unrotated"]
    np.testing.assert_allclose(L @ U, array(expected["loadings"]), atol=1e-12)
    np.testing.assert_allclose(Turn(U).correlations, array(expected["phi"]), atol=1e-12)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("method", ["varimax", "oblimin"])
def test_inertias_are_those_of_psych(file, method):
    known = reference(file)
    L = array(known["unrotated"])
    expected = array(known["principal"][method]["Vaccounted"])[0]
    np.testing.assert_allclose(rotation(L, method).inertias(L), expected, rtol=1e-3)


@pytest.mark.parametrize("method", ROTATIONS)
def test_what_holds_for_every_rotation(method):
    L = np.random.default_rng(0).standard_normal((9, 4))
    turn = rotation(L, method)
    np.testing.assert_allclose(np.diagonal(turn.correlations), 1.0)
    np.testing.assert_allclose(turn.inertias(L).sum(), (L**2).sum())
    turned = L @ turn.pattern
    assert (np.diff((turned**2).sum(axis=0)) <= 1e-12).all()
    np.testing.assert_allclose(turned @ turn.correlations @ turned.T, L @ L.T, atol=1e-12)
    # Already rotated loadings of orthogonal methods stay.
    if method in ("varimax", "quartimax"):
        np.testing.assert_allclose(rotation(turned, method).pattern, np.eye(4), atol=1e-7)


def criterion(L, owner):
    """Varimax of squared loadings, those of the levels of a variable added up."""
    S = np.stack([(L[owner == j] ** 2).sum(axis=0) for j in np.unique(owner)])
    return S.var(axis=0).sum()


@pytest.mark.slow
def test_levels_of_a_variable_count_together():
    rng = np.random.default_rng(1)
    L, owner = rng.standard_normal((7, 2)), np.array([0, 1, 1, 2, 2, 2, 3])
    angles = np.linspace(0.0, np.pi / 2, 20_001)
    turns = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in angles]
    best = max(criterion(L @ T, owner) for T in turns)
    found = criterion(L @ orthomax(L, 1.0, owner), owner)
    assert best <= found <= best * (1.0 + 1e-6)
    assert found > criterion(L @ orthomax(L, 1.0), owner)


def test_axes_without_a_preferred_direction_stay():
    np.testing.assert_allclose(orthomax(np.eye(3), 1.0), np.eye(3), atol=1e-12)
    assert orthomax(np.ones((5, 1)), 1.0).tolist() == [[1.0]]
