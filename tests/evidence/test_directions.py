"""Directions over resamples: twins, the truth of simulated tables, ties, intervals."""

import numpy as np
import pytest
from tests.evidence.designs import NOISE, standard, surely_at_least, surely_at_most

import gramian as gm

directions = gm.evidence.directions


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize(("n", "p"), [(30, 4), (12, 40)])
def test_angles_are_those_of_refitted_axes(n, p, scaled):
    """A twin that stacks the rows and refits."""
    X = np.random.default_rng(0).standard_normal((n, p)) + np.arange(n)[:, None] % 3
    X = standard(X) if scaled else X
    found = directions(X, 2, rng=np.random.default_rng(1), n_resamples=9)
    rng, angles = np.random.default_rng(1), []
    V = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:2]
    for _ in range(9):
        Y = X[np.repeat(np.arange(n), rng.multinomial(n, np.full(n, 1 / n)))]
        Y = Y - Y.mean(axis=0)
        size = Y.std(axis=0)
        Y = Y / np.where(size > 0, size, 1.0) if scaled else Y
        W = np.linalg.svd(Y, full_matrices=False)[2][:2]
        angles.append(np.degrees(np.arccos(np.minimum(1, np.abs((V * W).sum(axis=1))))))
    np.testing.assert_allclose(found.angles, np.median(angles, axis=0), atol=1e-5)
    np.testing.assert_allclose(found.high, np.quantile(angles, 0.95, axis=0), atol=1e-5)


@pytest.mark.slow
def test_the_angle_said_is_that_of_the_truth():
    said, true = [], []
    for seed in range(30):
        X = np.random.default_rng(seed).standard_normal((30, 60))
        X[:, 0] *= np.sqrt(20.0)
        said.append(directions(X, 1, rng=seed, n_resamples=20).angles[0])
        v = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][0]
        true.append(np.degrees(np.arccos(abs(v[0]))))
    assert 0.75 < np.median(said) / np.median(true) < 1.3


def test_axes_that_mix_are_read_together():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2000))
    X[:, :100] += 2.0 * rng.standard_normal((40, 1))
    X[:, 100:200] += 1.9 * rng.standard_normal((40, 1))
    found = directions(X, 2, rng=0, n_resamples=30)
    assert found.together == ((1, 2),) and not found.identified.any()
    assert found.together_angles[0] < found.angles.max()
    assert found.low_eigenvalue is None


@pytest.mark.slow
def test_a_steady_axis_is_not_read_with_an_unsteady_one():
    """A first axis six times as large as the second, of skewed rows: few, so that a test of the
    eigenvalues tells nothing."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        size, rest = rng.standard_normal((30, 1)), rng.standard_normal((30, 6))
        found = directions(standard(np.exp(0.5 * size + 0.3 * rest)), 2, rng=0)
        assert found.angles[0] < 0.5 * found.angles[1]
        assert found.together == () and found.identified[0]


def test_an_axis_is_not_read_with_one_that_is_noise():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((100, 6))
    X[:, :3] += rng.standard_normal((100, 1))
    assert directions(standard(X), 2, above=1, rng=0).together == ()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "uniform", "t3"])
def test_equal_eigenvalues_are_told_apart_in_one_table_of_twenty(kind):
    rng = np.random.default_rng(1)
    tables = [NOISE[kind](rng, 100, 4) * [3.0, 3.0, 1.0, 0.5] for _ in range(60)]
    hits = sum(directions(X, 2, rng=0, n_resamples=2).together == () for X in tables)
    assert surely_at_most(hits, 60, 0.1 if kind == "t3" else 0.07)


@pytest.mark.slow
def test_eigenvalues_far_apart_are():
    rng = np.random.default_rng(2)
    tables = [rng.standard_normal((60, 4)) * [9.0, 3.0, 1.0, 0.3] for _ in range(20)]
    hits = sum(directions(X, 3, rng=0, n_resamples=2).identified.all() for X in tables)
    assert surely_at_least(hits, 20, 0.95)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "uniform"])
def test_intervals_cover(kind):
    rng = np.random.default_rng(3)
    truth = np.array([25.0, 4.0]) * (1 / 12 if kind == "uniform" else 1.0)
    inside = shown = 0
    for _ in range(120):
        X = NOISE[kind](rng, 80, 4) * [5.0, 2.0, 0.5, 0.5]
        found = directions(X, 2, rng=rng, n_resamples=2)
        if found.low_eigenvalue is not None:
            ok = (found.low_eigenvalue < truth) & (truth < found.high_eigenvalue)
            inside, shown = inside + ok.sum(), shown + (~np.isnan(found.low_eigenvalue)).sum()
    assert shown > 100
    assert surely_at_least(inside, shown, 0.93) and surely_at_most(inside, shown, 0.98)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(3.0, 3.0, 1.0, 1.0, 1.0), (3.0, 2.5, 1.0, 1.0, 1.0)])
def test_intervals_cover_eigenvalues_that_are_nearly_one(sizes):
    """They are shown whatever the gap: those of a gap that chance made wide would not cover."""
    rng, inside, shown = np.random.default_rng(5), 0, 0
    for _ in range(100):
        found = directions(rng.standard_normal((100, 5)) * sizes, 2, rng=rng, n_resamples=2)
        if found.low_eigenvalue is not None:
            truth = np.array(sizes[:2]) ** 2
            inside += ((found.low_eigenvalue < truth) & (truth < found.high_eigenvalue)).sum()
            shown += 2
    assert shown > 140
    assert surely_at_least(inside, shown, 0.92) and surely_at_most(inside, shown, 0.98)


def test_axes_that_are_noise_have_no_interval():
    X = np.random.default_rng(0).standard_normal((100, 4)) * [3.0, 1.0, 1.0, 1.0]
    found = directions(X, 2, above=1, rng=0, n_resamples=2)
    assert np.isnan(found.low_eigenvalue).tolist() == [False, True]
    assert directions(X, 2, above=0, rng=0, n_resamples=2).low_eigenvalue is None
    with pytest.raises(gm.errors.InputError, match="above=-1"):
        directions(X, 2, above=-1)


def test_intervals_are_not_shown_where_they_would_not_cover():
    rng = np.random.default_rng(4)
    assert directions(rng.standard_normal((30, 20)), 1, rng=0).low_eigenvalue is None
    assert directions(rng.standard_cauchy((80, 4)), 1, rng=0).low_eigenvalue is None


def test_small_tables_and_refusals():
    found = directions([[0.0, 1.0], [2.0, 0.0], [4.0, 4.0]], 2, rng=0, n_resamples=5)
    assert np.isfinite(found.angles).all() and len(found.angles) == 2
    with pytest.raises(gm.errors.InputError, match="no axis"):
        directions(np.ones((5, 2)), 1)
    with pytest.raises(gm.errors.InputError, match="n_resamples"):
        directions(np.eye(5), 1, n_resamples=1)
