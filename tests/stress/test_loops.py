"""The inner loops, in NumPy and compiled, against twins in a few lines."""

import numpy as np
import pytest
from scipy.spatial.distance import squareform

from gramian._estimators.stress import numba_loops, numpy_loops
from gramian._estimators.stress.majorise import loops_for
from gramian._estimators.stress.problem import pair_list

from . import naive

BOTH = pytest.mark.parametrize("module", [numpy_loops, numba_loops], ids=["numpy", "compiled"])


def case(n=17, q=3, weighted=True, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, q))
    X[3] = X[2]  # a distance of zero
    pairs = n * (n - 1) // 2
    delta = rng.random(pairs) + 0.1
    weight = rng.random(pairs) * (rng.random(pairs) > 0.2) if weighted else None
    return X, delta, weight


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("q", [1, 2, 3])
def test_ratio_pass(module, weighted, q):
    X, delta, weight = case(q=q, weighted=weighted)
    w = np.ones_like(delta) if weight is None else weight
    square = np.empty((0, 0)) if weight is None else squareform(weight)
    out, raw = module.ratio_pass(squareform(delta), square, X)
    assert raw == pytest.approx(np.sum(w * (delta - naive.distances(X)) ** 2), rel=1e-12)
    expected = np.zeros_like(X)
    D, W = squareform(delta), squareform(w)
    for i in range(len(X)):
        for j in range(len(X)):
            d = np.linalg.norm(X[i] - X[j])
            if d > 0:
                expected[i] += W[i, j] * D[i, j] / d * (X[i] - X[j])
    np.testing.assert_allclose(out, expected, atol=1e-12)


@BOTH
def test_ratio_pass_over_several_tiles(module):
    X, delta, weight = case(n=300, q=2)
    a = module.ratio_pass(squareform(delta), squareform(weight), X)
    b = numpy_loops.ratio_pass(squareform(delta), squareform(weight), X)
    np.testing.assert_allclose(a[0], b[0], atol=1e-10)
    D = squareform(delta)
    far = naive.guttman(X[:5], D[:5, :5], np.ones((5, 5)))
    small, _ = module.ratio_pass(np.ascontiguousarray(D[:5, :5]), np.empty((0, 0)), X[:5])
    np.testing.assert_allclose(small / 5, far, atol=1e-12)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("weighted", [False, True])
def test_pair_pass(module, weighted):
    X, delta, weight = case(weighted=weighted)
    pairs = pair_list(len(X), delta, weight)
    d = module.pair_distances(pairs, X)
    np.testing.assert_allclose(d, naive.distances(X)[pairs.position], atol=1e-14)
    out, raw = module.pair_pass(pairs, X, d, pairs.delta)
    square = np.empty((0, 0)) if weight is None else squareform(weight)
    expected, expected_raw = numpy_loops.ratio_pass(squareform(delta), square, X)
    np.testing.assert_allclose(out, expected, atol=1e-12)
    assert raw == pytest.approx(expected_raw, rel=1e-12)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("kind", ["random", "rising", "falling", "equal", "steps"])
@pytest.mark.parametrize("weighted", [False, True])
def test_isotonic(module, kind, weighted):
    rng = np.random.default_rng(1)
    y = {
        "random": rng.standard_normal(60),
        "rising": np.arange(60.0),
        "falling": -np.arange(60.0),
        "equal": np.ones(60),
        "steps": np.repeat(rng.standard_normal(12), 5),
    }[kind]
    w = rng.random(60) + 0.01 if weighted else np.empty(0)
    expected = naive.isotonic(y, w if weighted else np.ones(60))
    np.testing.assert_allclose(module.isotonic(y, w), expected, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, 0.01, 1.0, 100.0])
@pytest.mark.parametrize("m", [1, 2, 31, 1024, 1025, 5000])
def test_isotonic_twins_agree_over_chunks(m, noise):
    rng = np.random.default_rng(m)
    y = np.linspace(0.0, 3.0, m) + noise * rng.standard_normal(m)
    for w in (np.empty(0), rng.random(m) + 1e-3):
        a, b = numba_loops.isotonic(y, w), numpy_loops.isotonic(y, w)
        np.testing.assert_allclose(a, b, atol=1e-11 * max(noise, 1.0))
        assert (np.diff(a) >= 0).all()


@pytest.mark.slow
@BOTH
def test_sort_within(module):
    y = np.array([5.0, 3.0, 4.0, 9.0, 2.0, 1.0])
    order = module.sort_within(y, np.array([0, 3, 4]))
    assert order.tolist() == [1, 2, 0, 3, 5, 4]


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("weighted", [False, True])
def test_sweep_moves_each_coordinate_to_its_minimum(module, weighted):
    X, delta, weight = case(n=6, q=2, weighted=weighted, seed=4)
    W = np.empty((0, 0)) if weight is None else squareform(weight)
    T = squareform(delta)
    out = module.sweep(T, W, X)
    full = squareform(np.ones_like(delta) if weight is None else weight)

    def loss(Z):
        D2 = ((Z[:, None] - Z) ** 2).sum(-1)
        return 0.5 * np.sum(full * (T - D2) ** 2)

    assert loss(out) < loss(X)
    Z = X.copy()
    grid = np.linspace(-5.0, 5.0, 4001)
    for i in range(6):
        for k in range(2):
            values = []
            for t in grid:
                Z[i, k] = t
                values.append(loss(Z))
            assert values[int(np.argmin(np.abs(grid - out[i, k])))] <= min(values) + 1e-3
            Z[i, k] = out[i, k]


@pytest.mark.parametrize("seed", range(8))
def test_quartic_step_against_numpy_roots(seed):
    rng = np.random.default_rng(seed)
    a1, a2, a3 = rng.standard_normal(3) * [3.0, 3.0, 1.0]
    a4 = rng.random() + 0.2
    t = numpy_loops.quartic_step(a1, a2, a3, a4)
    roots = np.roots([a4, 3 * a3, a2, a1])
    real = roots[np.abs(roots.imag) < 1e-9].real

    def value(t):
        return 4 * a1 * t + 2 * a2 * t**2 + 4 * a3 * t**3 + a4 * t**4

    assert value(t) == pytest.approx(min(value(real)), abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_best_on_line_against_a_grid(seed):
    rng = np.random.default_rng(seed)
    x, target, w = rng.standard_normal(7), rng.random(7) * 3, rng.random(7)
    grid = np.linspace(-8.0, 8.0, 160001)
    values = ((target - np.abs(grid[:, None] - x)) ** 2) @ w
    z = numpy_loops.best_on_line(x, target, w)
    assert ((target - np.abs(z - x)) ** 2) @ w <= values.min() + 1e-9


def test_resamples_of_two_hundred_points_are_fitted_by_compiled_loops():
    drawn = np.unique(np.random.default_rng(0).integers(0, 200, 200)).size
    assert loops_for(drawn) is numba_loops
    assert loops_for(30) is numpy_loops  # they are not loaded for a few points
