"""What breaks a test is seen where it is, and not where it is not."""

import numpy as np
import pandas as pd
import pytest
from tests.evidence import designs

import gramian as gm
from gramian.evidence.order import _autocorrelations

assumptions = gm.evidence.assumptions


def records(tables):
    rng = np.random.default_rng(0)
    return [assumptions(X, rng=rng) for X in tables]


@pytest.mark.slow
@pytest.mark.parametrize("kind", designs.NOISE)
def test_independent_rows_break_nothing(kind):
    rng = np.random.default_rng(1)
    found = records(designs.NOISE[kind](rng, n, p) for n, p in [(12, 5), (30, 6)] * 5)
    for name in ("order", "copies", "unequal"):
        hits = sum(getattr(record, name) is not None for record in found)
        assert designs.surely_at_most(hits, len(found), 0.02), name
    assert sum(record.scheme in ("permutation", "blocks") for record in found) >= 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "name", "scheme"),
    [
        ("autoregression", "order", "blocks"),
        ("random walk", "order", "blocks"),
        ("copies", "copies", "copies"),
        ("unequal", "unequal", "sign flips"),
        ("elliptic", "unequal", "sign flips"),
    ],
)
def test_broken_assumptions_are_seen(kind, name, scheme):
    rng = np.random.default_rng(2)
    tables = [
        designs.standard(designs.ROWS[kind](rng, 60, 8))[rng.permutation(60)] for _ in range(5)
    ]
    if name == "order":
        tables = [designs.standard(designs.ROWS[kind](rng, 60, 8)) for _ in range(5)]
    found = records(tables)
    assert designs.surely_at_least(sum(getattr(r, name) is not None for r in found), 5, 0.95)
    assert designs.surely_at_least(sum(r.scheme == scheme for r in found), 5, 0.9)


@pytest.mark.slow
def test_an_axis_is_no_row_of_unequal_variance():
    rng = np.random.default_rng(3)
    found = records(designs.factor(rng, 60, 8, rank) for rank in (1, 2, 3) * 2)
    assert designs.surely_at_most(sum(record.unequal is not None for record in found), 6, 0.03)


@pytest.mark.slow
def test_rows_that_vary_more_and_follow_each_other_are_no_series():
    """Half of the file three times as wide: the statistic varies as it does over permuted rows.

    A plain autocorrelation varies √((1 + 81)/2)/5 = 1.28 times as much.
    """
    rng, wide = np.random.default_rng(7), np.repeat([1.0, 3.0], 60)[:, None]
    tables = [rng.standard_normal((120, 1)) * wide for _ in range(800)]
    lags = np.array([1])
    own = np.array([_autocorrelations(X, lags)[0] for X in tables]).std()
    shuffled = np.array([_autocorrelations(rng.permutation(X), lags)[0] for X in tables]).std()
    assert own == pytest.approx(shuffled, rel=0.12)


@pytest.mark.slow
def test_a_short_series_cannot_be_told():
    X = designs.series(np.random.default_rng(4), 16, 8, 1.0)
    assert assumptions(X, rng=0).scheme == "none"
    X = designs.series(np.random.default_rng(4), 30, 100, 1.0)  # nor one of many columns
    assert assumptions(X, rng=0).scheme == "none"


@pytest.mark.slow
def test_a_file_sorted_by_a_group_is_no_series():
    rng = np.random.default_rng(5)
    group = np.repeat(["a", "b", "c"], 20)
    X = 4 * rng.standard_normal((3, 6)).repeat(20, axis=0) + rng.standard_normal((60, 6))
    frame = pd.DataFrame(X).assign(group=group)
    assert assumptions(X, rng=0).arrangement.n_steps == 3
    assert assumptions(X, everything=frame, rng=0).arrangement.names == ("group",)
    walks = X + designs.series(rng, 60, 6, 0.9)  # and within groups it is one
    assert assumptions(walks, everything=frame, rng=0).order is not None


@pytest.mark.slow
def test_a_file_sorted_by_a_number_is_no_series():
    rng = np.random.default_rng(6)
    X = designs.factor(rng, 60, 6)
    X = X[np.argsort(X[:, 0])]
    assert assumptions(X, rng=0).order is None
    X = 2 * np.sort(rng.standard_normal((60, 1)), axis=0) + rng.standard_normal((60, 6))
    score = pd.DataFrame({"score": np.sort(rng.standard_normal(60))})
    assert assumptions(X, rng=0).order is not None
    assert assumptions(X, everything=score, rng=0).order is None
    time = pd.DataFrame({"year": np.arange(60)})
    assert assumptions(designs.series(rng, 60, 6, 0.9), everything=time, rng=0).order is not None


@pytest.mark.slow
def test_a_file_sorted_by_a_number_within_groups_is_no_series():
    """As MASS's crabs: species, sex, and within them the animals by size."""
    hits = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        size = np.sort(rng.standard_normal((4, 50)), axis=1).reshape(-1, 1)
        group = np.repeat(["blue f", "blue m", "orange f", "orange m"], 50)
        centre = 0.5 * rng.standard_normal((4, 5)).repeat(50, axis=0)
        X = 3 * size + centre + 0.25 * rng.standard_normal((200, 5))
        frame = pd.DataFrame(X).assign(group=group, index=np.tile(np.arange(50), 4))
        hits += assumptions(X, everything=frame, rng=rng).order is not None
    assert designs.surely_at_most(hits, 8, 0.03)


@pytest.mark.slow
def test_copies_are_compared_over_all_columns():
    rng = np.random.default_rng(7)
    age = rng.integers(20, 60, 200).astype(float)[:, None]
    answers = pd.DataFrame(rng.integers(0, 3, (200, 12))).astype(str).assign(age=age)
    assert assumptions(age, everything=answers, rng=0).copies is None
    twice = pd.concat([answers, answers.iloc[:50]])
    found = assumptions(np.vstack([age, age[:50]]), everything=twice, rng=0)
    assert found.copies.n_copies == 50 and found.copies.n_groups == 200
    labels = found.copies.labels
    np.testing.assert_array_equal(labels[:50], labels[200:])
    assert found.scheme == "copies"


@pytest.mark.slow
def test_coincidences_of_a_few_values_are_no_copies():
    rng = np.random.default_rng(8)
    level = rng.standard_normal((200, 1)) > 0  # and columns that go together
    X = (rng.random((200, 5)) < np.where(level, 0.8, 0.2)) * 1.0
    assert len(np.unique(X, axis=0)) < 40
    assert assumptions(X, rng=0).copies is None


@pytest.mark.slow
def test_every_row_three_times_is_seen_even_among_coincidences():
    rng = np.random.default_rng(9)
    X = (rng.random((40, 6)) < 0.3) * 1.0
    found = assumptions(X.repeat(3, axis=0), rng=0)
    assert found.copies.n_groups == 40


@pytest.mark.slow
def test_a_copy_is_no_neighbour():
    X = np.random.default_rng(10).standard_normal((30, 5)).repeat(2, axis=0)
    found = assumptions(X, rng=0)
    assert found.order is None and found.scheme == "copies"
    walks = designs.series(np.random.default_rng(0), 30, 5, 1.0).repeat(2, axis=0)
    found = assumptions(walks, rng=0)
    assert found.scheme == "blocks"  # of one row of each group
    options = {"scheme": found.scheme, "groups_of_copies": found.copies.labels, "rng": 0}
    np.testing.assert_array_equal(
        gm.evidence.axes(walks, **options).p_values,
        gm.evidence.axes(walks[::2], scheme="blocks", rng=0).p_values,
    )


@pytest.mark.slow
def test_tails_and_counts_are_named():
    rng = np.random.default_rng(11)
    X = rng.standard_normal((80, 6))
    X[:, 1], X[:, 4] = rng.standard_cauchy(80), rng.lognormal(0, 1.5, 80)
    assert {1, 4} <= set(assumptions(X, rng=0).tails.columns)
    X = rng.standard_normal((80, 6))
    X[3] += 9  # one row is no tail
    assert assumptions(X, rng=0).tails is None
    numbers = designs.NOISE["zero-inflated"](rng, 80, 4)
    for table in (numbers, designs.standard(numbers)):
        counts = assumptions(table, rng=0).counts
        assert counts.columns == counts.inflated == (0, 1, 2, 3)
        assert counts.zeros == pytest.approx((numbers == 0).mean())
    assert assumptions(rng.poisson(2.0, (300, 4)), rng=0).counts.inflated == ()
    assert assumptions(X, rng=0).counts is None


def test_small_and_empty_tables():
    for X in (np.zeros((5, 0)), np.ones((6, 2)), np.eye(3), np.arange(2.0)[:, None]):
        found = assumptions(X, rng=0)
        assert found.order is None and found.unequal is None


def test_refusals():
    with pytest.raises(gm.errors.InputError, match="everything has 3 rows"):
        assumptions(np.eye(4), everything=pd.DataFrame(np.eye(3)))
    with pytest.raises(gm.errors.InputError, match="alpha"):
        assumptions(np.eye(4), alpha=2)
