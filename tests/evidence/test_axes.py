"""Axes above noise: level on noise of all kinds, planted ranks, schemes, refusals."""

from itertools import permutations

import numpy as np
import pytest
from tests.evidence import designs

import gramian as gm
from gramian._nulls.deflation import axis_tests

axes = gm.evidence.axes
SIZES = [(8, 4), (12, 6), (40, 10)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", designs.NOISE)
def test_noise_has_no_axis(kind):
    rng = np.random.default_rng(0)
    tables = [designs.standard(designs.NOISE[kind](rng, n, p)) for n, p in SIZES * 12]
    hits = sum((axes(X, n_draws=39, rng=rng).n_axes or 0) > 0 for X in tables)
    assert designs.surely_at_most(hits, len(tables), 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(8, 20), (12, 6), (40, 10), (30, 60)])
@pytest.mark.parametrize("kind", ["normal", "unequal", "elliptic"])
def test_flipped_signs_hold_their_level_in_small_tables_of_unequal_rows(kind, size):
    rng = np.random.default_rng(1)
    tables = [designs.standard((designs.NOISE | designs.ROWS)[kind](rng, *size)) for _ in range(30)]
    hits = sum(axes(X, scheme="sign flips", n_draws=39, rng=rng).n_axes > 0 for X in tables)
    assert designs.surely_at_most(hits, len(tables), 0.07)


@pytest.mark.slow
def test_unequal_rows_make_no_axis_even_where_nobody_saw_them():
    rng = np.random.default_rng(2)
    tables = [designs.standard(designs.ROWS["elliptic"](rng, 12, 20)) for _ in range(60)]
    assert designs.surely_at_most(
        sum(axes(X, n_draws=39, rng=rng).n_axes > 0 for X in tables), len(tables), 0.06
    )


@pytest.mark.slow
@pytest.mark.parametrize("past", [0.8, 1.0])
def test_series_that_have_nothing_in_common_have_no_axis(past):
    rng = np.random.default_rng(3)
    tables = [designs.standard(designs.series(rng, 60, 8, past)) for _ in range(24)]
    blind = sum(axes(X, n_draws=39, rng=rng).n_axes > 0 for X in tables)
    hits = sum(axes(X, scheme="blocks", n_draws=39, rng=rng).n_axes > 0 for X in tables)
    assert designs.surely_at_most(hits, len(tables), 0.07) and blind > 12


@pytest.mark.slow
def test_series_with_a_common_one_have_an_axis():
    rng = np.random.default_rng(4)
    tables = [designs.series(rng, 60, 1, 0.8) + designs.series(rng, 60, 8, 0.8) for _ in range(10)]
    assert sum(axes(X, scheme="blocks", n_draws=39, rng=rng).n_axes > 0 for X in tables) == 10


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p", "rank"), [(12, 8, 1), (60, 10, 2), (40, 80, 3)])
def test_planted_ranks(n, p, rank):
    rng = np.random.default_rng(5)
    tables = [designs.factor(rng, n, p, rank) for _ in range(8)]
    counts = np.array([axes(X, n_draws=59, rng=rng).n_axes for X in tables])
    assert designs.surely_at_least((counts >= rank).sum(), 8, 0.95)
    assert designs.surely_at_most((counts > rank).sum(), 8, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "t3", "lognormal"])
@pytest.mark.parametrize("scheme", ["permutation", "sign flips"])
def test_no_axis_too_many_behind_a_strong_one(kind, scheme):
    """Heavy tails, covariances: 16 to 49 % without the noise that the first axis took along."""
    rng = np.random.default_rng(6)
    extra = 0
    for _ in range(25):
        E = designs.NOISE[kind](rng, 100, 30)
        w = rng.standard_normal(30)
        X = E / E.std() + 2.1 * np.outer(rng.standard_normal(100), w / np.linalg.norm(w))
        extra += axes(X, scheme=scheme, n_draws=39, rng=rng).n_axes > 1
    assert designs.surely_at_most(extra, 25, 0.08)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["permutation", "sign flips"])
@pytest.mark.parametrize(("n", "p", "rank"), [(200, 5, 3), (60, 5, 2), (40, 6, 4)])
def test_no_axis_too_many_where_few_columns_are_left(n, p, rank, scheme):
    rng = np.random.default_rng(11)
    extra = 0
    for _ in range(20):
        X = 3 * rng.standard_normal((n, rank)) @ rng.standard_normal((rank, p))
        X += rng.standard_normal((n, p))
        extra += axes(X, scheme=scheme, n_draws=39, rng=rng).n_axes > rank
    assert designs.surely_at_most(extra, 20, 0.05)


@pytest.mark.slow
def test_a_giant_axis_hides_no_small_one():
    rng = np.random.default_rng(7)
    a, b = rng.standard_normal((2, 100, 1))
    X = designs.standard(
        20 * a + b * rng.choice([-1.0, 1.0], 8) + 0.3 * rng.standard_normal((100, 8))
    )
    evidence = axes(X, rng=rng)
    assert evidence.n_axes == 2 and evidence.deflated == (2,)


def test_the_first_p_value_is_that_of_all_permutations():
    """Four rows and two columns: the larger eigenvalue against all 24 relative orders."""
    X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [7.0, 8.0]])
    X = designs.standard(X)
    top = [np.linalg.eigvalsh(np.cov(X[:, 0], X[list(o), 1]))[1] for o in permutations(range(4))]
    exact = np.mean(np.array(top) >= top[0] - 1e-12)
    rng = np.random.default_rng(8)
    p = axis_tests(X.T, ("permutation",), rng, n_draws=99, exactly=True)[0].p_value
    assert abs(p - exact) < 4 * np.sqrt(exact * (1 - exact) / 99)


@pytest.mark.slow
def test_copies_count_once():
    rng = np.random.default_rng(9)
    X = rng.standard_normal((20, 6))
    labels = np.arange(20).repeat(3)
    once = axes(designs.standard(X), rng=1)
    thrice = axes(
        designs.standard(X.repeat(3, axis=0)), scheme="copies", groups_of_copies=labels, rng=1
    )
    np.testing.assert_allclose(thrice.p_values, once.p_values)
    np.testing.assert_allclose(thrice.eigenvalues, once.eigenvalues)


@pytest.mark.slow
def test_the_record():
    rng = np.random.default_rng(10)
    X = designs.factor(rng, 60, 8, 2)
    evidence = axes(X, n_draws=199, rng=rng)
    assert (np.diff(evidence.p_values) >= 0).all() and evidence.p_values[0] >= evidence.floor
    assert len(evidence.p_values) == evidence.n_axes + 1 == len(evidence.reference)
    values = np.linalg.eigvalsh(np.cov(X.T, ddof=0))[::-1]
    np.testing.assert_allclose(evidence.eigenvalues, values[: len(evidence.eigenvalues)])
    assert (evidence.eigenvalues[:2] > evidence.reference[:2]).all()


def test_what_cannot_be_told():
    X = np.random.default_rng(0).standard_normal((20, 4))
    assert axes(X, scheme="none").n_axes is None
    assert axes(X[:, :1], rng=0).n_axes is None  # one column makes no pair
    assert axes(np.ones((20, 3)), rng=0).n_axes is None
    assert axes(X[:2], rng=0).n_axes is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scheme": "bootstrap"}, "scheme"),
        ({"scheme": "copies"}, "groups_of_copies"),
        ({"n_draws": 9}, "n_draws"),
        ({"alpha": 0.0}, "alpha"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(gm.errors.InputError, match=words):
        axes(np.eye(8), **options)
    with pytest.raises(gm.errors.InputError, match="contains NaN at row 0, column 0"):
        axes([[np.nan, 1.0], [0.0, 1.0]])
