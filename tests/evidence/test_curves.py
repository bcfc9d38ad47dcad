"""Bends are found where they are, and not where columns or sources are only odd."""

from itertools import combinations

import numpy as np
import pytest
from tests.evidence.test_clusters import NOISE

from gramian.evidence import curves
from gramian.evidence.curves import (
    bends,
    first_axes,
    first_coordinates,
    normal_copula,
    pairs,
    three,
    unmix,
    waves,
)


def standard(X):
    X = X - X.mean(axis=0)
    return X / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)


def ring(rng, n, p, noise, radius=1.0):
    angle = 2.0 * np.pi * rng.random(n)
    plane = np.column_stack([np.cos(angle), np.sin(angle)]) * np.reshape(radius, (-1, 1))
    turn = np.linalg.qr(rng.standard_normal((p, p)))[0]
    return np.pad(plane, ((0, 0), (0, p - 2))) @ turn + noise * rng.standard_normal((n, p))


def rings(rng):
    angle, radius = 2.0 * np.pi * rng.random(100), np.where(np.arange(100) % 2, 1.0, 3.0)
    plane = np.column_stack([np.cos(angle), np.sin(angle)]) * radius[:, None]
    return standard(plane + 0.2 * rng.standard_normal((100, 2)))


def parabola(rng):
    x = rng.uniform(-1.5, 1.5, 100)
    turn = np.linalg.qr(rng.standard_normal((10, 10)))[0]
    plane = np.pad(np.column_stack([x, x**2]), ((0, 0), (0, 8)))
    return plane @ turn + 0.15 * rng.standard_normal((100, 10))


def three_way(rng):
    X = rng.standard_normal((100, 6))
    X[:, :2] = rng.choice([-1.0, 1.0], (100, 2)) + 0.2 * rng.standard_normal((100, 2))
    X[:, 2] = X[:, 0] * X[:, 1] + 0.2 * rng.standard_normal(100)
    return standard(X)


def roll(rng):
    t = 1.5 * np.pi * (1.0 + 2.0 * rng.random(200))
    X = np.column_stack([t * np.cos(t), 21.0 * rng.random(200), t * np.sin(t)])
    return standard(X + 0.3 * rng.standard_normal((200, 3)))


def hidden_ring(rng):
    X = rng.standard_normal((100, 10))
    angle = 2.0 * np.pi * rng.random(100)
    X[:, :2] = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.1 * rng.standard_normal((100, 2))
    return standard(X)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "q"),
    [
        (lambda rng: ring(rng, 100, 10, 0.15), 2),
        (hidden_ring, 0),
        (rings, 0),
        (three_way, 0),
        (roll, 0),
        (roll, 1),
        (parabola, 1),
        (parabola, 2),
    ],
    ids=["ring", "ring of columns", "rings", "three-way", "roll", "roll 1", "arch 1", "arch 2"],
)
def test_bends_are_found_and_called_so(draw, q):
    rng = np.random.default_rng(5)
    kinds = [curves(draw(rng), None, q, rng=rng, n_draws=59).kind for _ in range(6)]
    assert kinds.count("bent") >= 5


@pytest.mark.slow
def test_corners_of_a_square_are_clusters_though_no_axis_and_no_bend_shows_them():
    rng, kinds = np.random.default_rng(7), []
    for _ in range(6):
        X = rng.standard_normal((120, 4))
        X[:, :2] += 5.0 * rng.choice([-1.0, 1.0], (120, 2))
        kinds.append(curves(standard(X), None, 0, rng=rng, n_draws=59).kind)
    assert kinds.count("clusters") >= 5


@pytest.mark.slow
def test_clusters_are_called_clusters():
    rng, kinds = np.random.default_rng(6), []
    for _ in range(8):
        centres = 6.0 * np.linalg.qr(rng.standard_normal((6, 3)))[0].T
        X = centres[np.arange(90) % 3] + rng.standard_normal((90, 6))
        kinds.append(curves(X, None, 2, rng=rng, n_draws=59).kind)
    assert kinds.count("clusters") >= 7


# At most 6 % of the tables: of 40, more than 7 has a chance below 1 in 1,000.
@pytest.mark.slow
@pytest.mark.parametrize("law", list(NOISE))
@pytest.mark.parametrize("shape", [(60, 6), (12, 4)])
def test_independent_columns_of_any_shape_are_not_bent(law, shape):
    rng = np.random.default_rng(7)
    tables = [NOISE[law](rng, shape) for _ in range(40)]
    p = [curves(X, None, 0, rng=rng, n_draws=39).p_value for X in tables]
    assert sum(value is not None and value <= 0.05 for value in p) <= 7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sources", "noise", "q"),
    [
        ("normal", "normal", 2),
        ("lognormal", "normal", 2),
        ("uniform", "normal", 2),
        ("normal", "lognormal", 1),
        ("normal", "counts", 1),
        ("normal", "bernoulli", 1),
        ("normal", "cauchy", 1),
    ],
)
def test_linear_tables_are_not_bent(sources, noise, q):
    rng, claims = np.random.default_rng(8), 0
    for _ in range(15):
        X = 2.0 * NOISE[sources](rng, (60, q)) @ rng.standard_normal((q, 8))
        X = standard(X + NOISE[noise](rng, (60, 8)))
        claims += curves(X, None, q, rng=rng, n_draws=59).kind is not None
    assert claims <= 4  # of 15, at 6 %: a chance of 1 in 1,000


@pytest.mark.slow
def test_rows_of_unequal_variance_are_not_bent_and_odd_dependence_is_still_seen():
    rng = np.random.default_rng(9)
    scale = np.geomspace(0.3, 3.0, 60)[:, None]
    claims = 0
    for _ in range(30):
        X = rng.standard_normal((60, 6)) * scale
        claims += curves(X, None, 0, rng=rng, n_draws=39, scheme="sign flips").p_value <= 0.05
    assert claims <= 6
    assert curves(three_way(rng), None, 0, rng=rng, scheme="sign flips").p_value <= 0.05


def test_pairs_and_triples_are_sums_of_squared_mean_products():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 5))
    W = waves(X.T, 3)
    u = (X.argsort(axis=0).argsort(axis=0) + 0.5) / 20
    k = np.arange(1, 4)[:, None, None]
    plain = np.sqrt(2.0) * np.cos(np.pi * k * u.T)  # (3, 5, 20), orthonormal over the rows
    assert np.allclose(np.einsum("kpn,lpn->pkl", plain, plain) / 20, np.eye(3), atol=1e-12)
    weight = np.arange(1, 4) ** -0.5
    total = largest = 0.0
    for i, j in combinations(range(5), 2):
        C = (plain[:, i] @ plain[:, j].T / 20) ** 2 * np.outer(weight, weight)
        total, largest = total + C.sum() - C[0, 0], max(largest, C.sum() - C[0, 0])
    assert np.allclose(bends(W, 64), (total, largest))
    first = plain[0]
    triples = [(first[list(t)].prod(axis=0).mean()) ** 2 for t in combinations(range(5), 3)]
    assert np.isclose(three(W), sum(triples))
    order = [rng.permutation(20) for _ in range(5)]
    shuffled = np.stack([w[:, o] for w, o in zip(W, order, strict=True)])
    # From the rows' side the sum is the same up to a constant.
    differences = [bends(T, 64)[0] * 2.0 - bends(T, 1)[0] for T in (W, shuffled)]
    assert np.isclose(*differences)


def test_sources_are_found_behind_turned_axes():
    rng = np.random.default_rng(1)
    S = rng.lognormal(size=(200, 2))
    S = standard(S - S.mean(axis=0))
    turn = np.array([[np.cos(0.6), -np.sin(0.6)], [np.sin(0.6), np.cos(0.6)]])
    F = S @ turn
    back, mixing = unmix(F, 8)
    mixed = pairs(waves(F.T, 8))[0, 1]
    assert pairs(waves(back.T, 8))[0, 1] < 0.3 * mixed
    assert np.allclose(back @ mixing.T, F)


def test_of_all_turns_that_of_least_dependence_is_taken():
    angles = np.linspace(0.0, np.pi / 2.0, 12, endpoint=False)
    for F in np.random.default_rng(3).lognormal(size=(5, 40, 2)):
        S = F / F.std(axis=0)
        turns = [np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) for t in angles]
        least = min(pairs(waves((S @ turn).T, 8))[0, 1] for turn in turns)
        assert np.isclose(pairs(waves(unmix(F, 8)[0].T, 8))[0, 1], least)


def test_tables_together_give_what_each_gives():
    F = np.random.default_rng(2).lognormal(size=(2, 3, 40, 3))
    S, turn = unmix(F, 8)
    W = waves(S.swapaxes(-1, -2), 8, ties=False)
    for at in np.ndindex(2, 3):
        alone, rotated = unmix(F[at], 8)
        assert np.allclose(S[at], alone) and np.allclose(turn[at], rotated)
        assert np.allclose(pairs(W)[at], pairs(waves(alone.T, 8)))
        assert np.allclose(bends(W, 64)[at], bends(waves(alone.T, 8), 64))


@pytest.mark.slow
def test_where_nothing_can_be_told():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 4))
    for options, reason in (
        ({"scheme": "blocks"}, "scheme"),
        ({"scheme": "none"}, "scheme"),
        ({"scheme": "sign flips", "q": 1}, "scheme"),
    ):
        silent = curves(X, None, **({"q": 0} | options), rng=rng)
        assert silent.p_value is None and silent.kind is None and silent.reason == reason
    assert curves(X[:6], None, 0, rng=rng).reason == "few rows"
    assert curves(X[:, :1], None, 0, rng=rng).reason == "few columns"
    constant = np.column_stack([X, np.ones(30)])
    same = [curves(T, None, 0, rng=np.random.default_rng(2)).p_value for T in (X, constant)]
    assert same[0] == same[1]
    thrice = np.repeat(np.arange(30), 3)
    options = {"scheme": "copies", "groups_of_copies": thrice, "rng": np.random.default_rng(2)}
    assert curves(X[thrice], None, 0, **options).p_value == same[0]


@pytest.mark.parametrize("shape", [(30, 5), (6, 40)])
def test_the_first_axes_are_those_of_the_singular_values(shape):
    X = 3.0 + np.random.default_rng(0).standard_normal(shape)
    U, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    F, V = first_axes(X, 2)
    signs = np.sign((F * U[:, :2]).sum(axis=0))
    assert np.allclose(F, U[:, :2] * s[:2] * signs) and np.allclose(V, Vt[:2].T * signs)
    assert np.allclose(first_coordinates(X, 2), F)


def test_a_draw_of_the_copula_keeps_the_values_of_each_column():
    X = np.random.default_rng(0).standard_normal((20, 3)).round(1)  # with ties
    drawn = next(normal_copula(X, np.random.default_rng(1)))
    assert np.array_equal(np.sort(drawn, axis=0), np.sort(X, axis=0))
    assert not np.array_equal(drawn, X)
