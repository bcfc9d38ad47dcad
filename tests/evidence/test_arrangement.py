"""Rows in the order of a design are no series; series are no design."""

import numpy as np
import pandas as pd
import pytest
from tests.evidence import designs

import gramian as gm
from gramian.evidence.arrangement import _steps, _turns, named_factors

assumptions = gm.evidence.assumptions


def means(rng, codes, p=6, size=4.0):
    return size * rng.standard_normal((codes.max() + 1, p))[codes]


def of(X, frame=None):
    return assumptions(X, everything=frame, rng=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_runs_and_turns_without_a_name(seed):
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((60, 6))
    runs, turns = np.repeat([0, 1, 2], [30, 20, 10]), np.arange(60) % 3
    found = of(noise + means(rng, runs))
    assert found.scheme == "permutation" and found.order is None
    assert found.arrangement.n_steps == 3 and not found.arrangement.period
    found = of(noise + means(rng, turns))
    assert found.scheme == "permutation" and found.arrangement.period == 3
    both = of(noise + means(rng, runs) + means(rng, turns)).arrangement
    assert both.n_steps == 3 and both.period == 3


@pytest.mark.slow
def test_crossed_and_nested_factors_that_the_file_names():
    rng = np.random.default_rng(1)
    species, sex = np.repeat([0, 1, 2], 24), np.arange(72) % 2
    island = species + (np.arange(72) % 24 >= 12) * (species == 0) * 3
    X = means(rng, species, 5) + means(rng, island, 5) + rng.standard_normal((72, 5))
    X += means(rng, 2 * species + sex, 5, 1.5)  # sexes differ, in some species more
    columns = {"species": species, "island": island, "sex": sex}
    frame = pd.DataFrame(X).assign(**{k: v.astype(str) for k, v in columns.items()})
    found = of(X, frame)
    assert found.scheme == "permutation"
    assert set(found.arrangement.names) <= {"species", "island", "sex"}


@pytest.mark.slow
def test_many_columns_with_tissues_in_turns_and_batches_in_pairs():
    rng = np.random.default_rng(2)
    tissue, batch = np.arange(26) % 2, np.arange(26) // 2
    X = rng.standard_normal((26, 400))
    X[:, :80] += means(rng, tissue, 80, 2.0)
    X[:, 80:200] += 2 * rng.standard_normal((13, 1))[batch] * rng.standard_normal(120)
    frame = pd.DataFrame(X).assign(tissue=tissue.astype(str), batch=batch.astype(str))
    found = of(X, frame)
    assert found.scheme == "permutation" and set(found.arrangement.names) == {"tissue", "batch"}


@pytest.mark.slow
def test_groups_in_the_names_of_rows():
    rng = np.random.default_rng(3)
    site = np.repeat(np.arange(12), 4)
    X = means(rng, site, 6, 3.0) + rng.standard_normal((48, 6))
    names = [f"site{a:02d}_{b}" for a, b in zip(site, np.arange(48) % 4, strict=True)]
    found = of(X, pd.DataFrame(X, index=names))
    assert found.scheme == "permutation" and found.arrangement.by_row_names


def test_columns_that_are_analysed_explain_nothing():
    X = np.random.default_rng(4).integers(0, 4, (40, 3)).astype(float)
    frame = pd.DataFrame(X, columns=list("abc")).astype(int).assign(site=np.arange(40) // 10)
    assert [factor.name for factor in named_factors(frame, X)] == [("site",)]


def test_a_season_is_no_turn():
    t = np.arange(96)[:, None]
    F = np.sin(2 * np.pi * t / 12 + np.array([0.0, 1.5]))
    assert 12 not in [factor.name for factor in _turns(F)]
    shuffled = F[np.random.default_rng(0).permutation(12)[np.arange(96) % 12]]
    assert 12 in [factor.name for factor in _turns(shuffled)]


def test_steps_are_cut_where_means_change():
    F = np.repeat([0.0, 5.0, -2.0, 5.0], [7, 11, 5, 9])[:, None]
    F = F + 0.5 * np.random.default_rng(5).standard_normal(F.shape)
    assert np.bincount(_steps(F)[-1].codes).tolist() == [7, 11, 5, 9]
    assert not _steps(np.random.default_rng(6).standard_normal((60, 4)))


@pytest.mark.slow
@pytest.mark.parametrize("a", [0.4, 0.7, 0.9, 1.0])
def test_series_are_no_steps(a):
    rng, hits = np.random.default_rng(7), 0
    for n in (40, 60, 100) * 4:
        frame = pd.DataFrame({"plot": np.arange(n) // (n // 4), "day": np.arange(n) % 2}, dtype=str)
        found = of(designs.series(rng, n, 6, a), frame)
        hits += found.arrangement is not None
    assert designs.surely_at_most(hits, 12, 0.05)


@pytest.mark.slow
def test_trends_and_seasons_with_memory_are_no_design():
    rng, hits = np.random.default_rng(8), 0
    t = np.linspace(-1, 1, 60)[:, None]
    for _ in range(6):
        season = np.sin(2 * np.pi * (15 * t + rng.random(6)))
        hits += of(designs.series(rng, 60, 6, 0.5) + 1.5 * season).arrangement is not None
        trend = 2 * t * rng.standard_normal(6)
        hits += of(rng.standard_normal((60, 6)) + trend).arrangement is not None
    assert designs.surely_at_most(hits, 12, 0.06)


def test_the_order_is_ignored_on_request():
    walks = designs.series(np.random.default_rng(9), 40, 5, 1.0)
    assert assumptions(walks, order="ignored", rng=0).scheme == "permutation"
    with pytest.raises(gm.errors.InputError, match="order"):
        assumptions(walks, order="shuffled", rng=0)


def rising(rng, groups, size, p, q, past=0.0, step=3.0):
    """Groups, one after the other, whose means rise along q of the columns; or a series."""
    codes = np.repeat(np.arange(groups), size)
    X = designs.series(rng, len(codes), p, past)
    X /= X.std(axis=0)
    X[:, :q] += step * codes[:, None]
    return X, pd.DataFrame(X).assign(group=codes.astype(str))


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "size", "p"), [(3, 12, 2), (5, 4, 6), (4, 3, 40)])
def test_rising_groups_in_a_small_file_are_no_trend(groups, size, p):
    rng = np.random.default_rng(0)
    found = [of(*rising(rng, groups, size, p, p // 2)) for _ in range(12)]
    assert sum(state.arrangement is not None for state in found) >= 7  # four fifths are expected
    shuffled = rng.permutation(groups * size)
    X, frame = rising(rng, groups, size, p, p // 2)
    assert of(X[shuffled], frame.iloc[shuffled]).order is None


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "size", "p"), [(3, 12, 2), (5, 4, 6), (4, 3, 40)])
@pytest.mark.parametrize("past", [0.7, 0.95])
def test_names_of_runs_do_not_explain_a_series(groups, size, p, past):
    rng = np.random.default_rng(1)
    found = [of(*rising(rng, groups, size, p, 0, past)) for _ in range(12)]
    assert sum(state.arrangement is not None for state in found) <= 2
