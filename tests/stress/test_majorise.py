"""A step of majorisation, the fits of disparities, and what repeats the step."""

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial.distance import pdist, squareform

from gramian._estimators.stress import numba_loops, numpy_loops
from gramian._estimators.stress.majorise import Step, disparities, majorise
from gramian._estimators.stress.maps import curve_of, fit_of
from gramian._estimators.stress.problem import LOSSES, SCALINGS, Problem, pair_list
from gramian.errors import InputError

from . import naive

N = 12


def problem(seed=0, weighted=True, **options):
    rng = np.random.default_rng(seed)
    delta = np.round(rng.random(N * (N - 1) // 2) + 0.2, 1)  # with ties
    weight = rng.random(len(delta)) + 0.1 if weighted else None
    if options.get("loss") == "sstress":
        delta = delta**2
    return Problem(delta, weight, **options), rng.standard_normal((N, 2))


@pytest.mark.parametrize("weighted", [False, True])
def test_ratio_step_is_guttmans_transform(weighted):
    p, X = problem(weighted=weighted)
    W = squareform(p.weight if weighted else np.ones_like(p.target))
    loss, Z = Step(p, numpy_loops)(X)
    np.testing.assert_allclose(Z - Z.mean(axis=0), naive.guttman(X, squareform(p.target), W))
    w = W[np.triu_indices(N, 1)]
    assert loss == pytest.approx(np.sum(w * (p.target - pdist(X)) ** 2) / (w @ p.target**2))


def test_weights_that_are_products_need_no_factor():
    s = np.random.default_rng(1).random(N) + 0.5
    first, second = np.triu_indices(N, 1)
    plain, X = problem(weighted=False)
    product = Problem(plain.target, s[first] * s[second], s)
    general = Problem(plain.target, s[first] * s[second])
    a, b = Step(product, numpy_loops)(X)[1], Step(general, numpy_loops)(X)[1]
    np.testing.assert_allclose(a - a.mean(axis=0), b - b.mean(axis=0), atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("q", [1, 2])
def test_a_step_never_raises_the_loss(scaling, loss, weighted, q):
    p, X = problem(weighted=weighted, scaling=scaling, loss=loss)
    step = Step(p, numpy_loops)
    X = X[:, :q]
    losses = []
    for _ in range(25):
        value, X = step(X)
        losses.append(value)
    assert (np.diff(losses) <= 1e-12).all() and losses[-1] < losses[0]


@pytest.mark.slow
@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("loss", LOSSES)
def test_compiled_steps_are_the_same(scaling, loss):
    p, X = problem(scaling=scaling, loss=loss)
    a, b = Step(p, numpy_loops)(X), Step(p, numba_loops)(X)
    assert a[0] == pytest.approx(b[0], rel=1e-12)
    np.testing.assert_allclose(a[1], b[1], atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("offset", [0.0, -1.0, 4.0])
def test_interval_is_a_line_with_both_parts_positive(weighted, sign, offset):
    rng = np.random.default_rng(3)
    delta = np.sort(rng.random(45))
    w = rng.random(45) + 0.1 if weighted else None
    pairs = pair_list(10, delta, w)
    d = np.maximum(offset + sign * 3.0 * delta + rng.standard_normal(45), 0.0)
    root = np.sqrt(w if weighted else np.ones(45))
    A = np.column_stack([np.ones(45), delta - delta[0]])
    expected = A @ nnls(A * root[:, None], d * root)[0]
    np.testing.assert_allclose(disparities("interval", "primary", pairs, d, numpy_loops), expected)


def test_ties():
    """Secondary keeps equal dissimilarities equal; primary fits at least as well."""
    rng = np.random.default_rng(5)
    delta = np.repeat(np.arange(1.0, 10.0), 5)
    d, pairs = rng.random(45), pair_list(10, delta, rng.random(45) + 0.5)
    d, w = d[pairs.position], pairs.weight
    first, second = (
        disparities("ordinal", t, pairs, d, numpy_loops) for t in ("primary", "secondary")
    )
    groups = second.reshape(9, 5)
    assert (groups == groups[:, :1]).all() and (np.diff(groups[:, 0]) >= 0).all()
    means = np.add.reduceat(w * d, pairs.starts) / np.add.reduceat(w, pairs.starts)
    sizes = np.add.reduceat(w, pairs.starts)
    np.testing.assert_allclose(groups[:, 0], naive.isotonic(means, sizes))
    assert (first.reshape(9, 5)[1:].min(axis=1) >= first.reshape(9, 5)[:-1].max(axis=1)).all()
    assert pairs.square_sum(first - d) < pairs.square_sum(second - d)


@pytest.mark.slow
def test_majorise_ends_where_plain_steps_end():
    p, X = problem()
    step = Step(p, numpy_loops)
    found = majorise(step, X, max_iter=500, tol=1e-10)
    for _ in range(3000):
        X = step(X)[1]
    assert found.converged and found.n_iter < 500
    assert found.loss == pytest.approx(step(X)[0], rel=1e-9)
    assert (np.diff(found.history) <= 1e-15).all()
    short = majorise(step, problem(7)[1], max_iter=3, tol=1e-10)
    assert not short.converged and short.n_iter >= 3


@pytest.mark.slow
@pytest.mark.parametrize("scaling", SCALINGS)
def test_the_curve_goes_through_the_disparities(scaling):
    p, X = problem(weighted=False, scaling=scaling)
    fit = fit_of(p, majorise(Step(p, numpy_loops), X, max_iter=300, tol=1e-8).X)
    assert fit.per_point.sum() == pytest.approx(1.0)
    curve = curve_of(p, fit)
    if scaling == "ratio":
        assert curve is None
        return
    knots = np.linspace(0.0, 1.5 * p.target.max(), 200)
    level = curve(knots)
    assert level[0] == 0.0 and (np.diff(level) >= -1e-12).all()
    means = [fit.disparity[p.target == t].mean() for t in np.unique(p.target)]
    ratio = curve(np.unique(p.target)) / means
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)


def test_points_that_nothing_ties_together_are_refused():
    W = np.zeros((6, 6))
    W[:3, :3] = W[3:, 3:] = 1.0
    with pytest.raises(InputError, match="2 separate groups"):
        Problem(np.ones(15), W[np.triu_indices(6, 1)])
    with pytest.raises(InputError, match="nothing to draw"):
        Problem(np.zeros(15))
