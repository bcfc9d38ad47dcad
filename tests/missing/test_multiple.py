"""Many tables: what is known is the same in all, regions cover, the map is that of the fit."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tests.missing.test_impute import AIR, planted

import gramian as gm
from gramian.errors import InputError

MANY = gm.missing.multiple(AIR, 2, n_tables=60, random_state=0)


@pytest.mark.slow
def test_what_is_known_is_the_same_in_all_tables():
    known = AIR.notna()
    assert len(MANY.tables) == 60 and MANY.n_components == 2
    for table in MANY.tables[:5]:
        assert table[known].fillna(0).equals(AIR[known].fillna(0)) and table.notna().all().all()
    holes = AIR.isna().to_numpy()
    drawn = np.array([table.to_numpy()[holes] for table in MANY.tables])
    assert (drawn.std(axis=0) > 0).all()
    assert np.abs(drawn.mean(axis=0) - MANY.imputation.table.to_numpy()[holes]).mean() < 15.0


@pytest.mark.slow
def test_the_map_is_that_of_the_one_table():
    fit = gm.PCA(2, scale=True).fit(MANY.imputation.table)
    np.testing.assert_allclose(MANY.fit.coordinates_, fit.coordinates_, atol=1e-10)
    arrows = fit.variables()["correlation"].to_numpy()
    np.testing.assert_allclose(MANY.places_of_variables, arrows, atol=1e-10)
    own = gm.PCA(2, scale=True).fit(MANY.tables[0])
    moved = gm.stability.procrustes(fit.coordinates_, own.coordinates_, scale=False).fitted
    np.testing.assert_allclose(MANY.coordinates[0], moved, atol=1e-8)
    seen = np.corrcoef(MANY.tables[0].to_numpy().T, moved.T)[:4, 4:]
    np.testing.assert_allclose(MANY.arrows[0], seen, atol=1e-8)


@pytest.mark.slow
def test_rows_with_holes_have_larger_regions():
    regions = MANY.ellipses()
    open_rows = AIR.isna().any(axis=1)
    area = regions["major"] * regions["minor"]
    assert area[open_rows].median() > 5.0 * area[~open_rows].median()
    assert regions.loc["May 5", "minor"] > 0.5  # ozone and sun are missing


def test_a_hole_moves_a_row_along_its_variable():
    """Where one value is missing, the region lies along the arrow of its variable."""
    angle = MANY.ellipses().loc["May 10", "angle"]  # only ozone is missing
    x, y = MANY.places_of_variables[0]
    gap = abs(angle - np.degrees(np.arctan2(y, x))) % 180
    assert min(gap, 180 - gap) < 15


@pytest.mark.slow
def test_regions_cover_in_a_few_simulations():
    """The whole table of designs is benchmarks/missing.py."""
    cells, rows = [], []
    for seed in range(6):
        X, lost = planted(seed, 60, 8, 2, 0.6, 0.15)
        many = gm.missing.multiple(lost, 2, n_tables=60, random_state=seed)
        holes = np.isnan(lost)
        told = many.intervals()
        cells += list((told["low"] <= X[holes]) & (X[holes] <= told["high"]))
        whole = gm.PCA(2, scale=True).fit(X).coordinates_
        at = gm.stability.procrustes(many.fit.coordinates_, whole, scale=False).fitted
        centre = many.coordinates.mean(axis=0)
        S = np.array([np.cov(many.coordinates[:, i].T) for i in range(60)])
        d2 = np.einsum("ik,ikl,il->i", at - centre, np.linalg.inv(S), at - centre)
        rows += list(d2[holes.any(axis=1)] < 6.4)  # Hotelling's limit for 60 tables
    assert 0.90 < np.mean(cells) < 0.985 and 0.88 < np.mean(rows) < 0.985


def test_intervals_are_those_of_one_table_more():
    """Mean ± t·s·√(1 + 1/B), the prediction interval of a normal sample."""
    few = gm.missing.multiple(AIR, 2, n_tables=5, random_state=0)
    drawn = np.array([table.to_numpy()[AIR.isna().to_numpy()] for table in few.tables])
    reach = stats.t.ppf(0.95, 4) * drawn.std(axis=0, ddof=1) * np.sqrt(1 + 1 / 5)
    told = few.intervals(0.9)
    np.testing.assert_allclose(told["low"], drawn.mean(axis=0) - reach)
    np.testing.assert_allclose(told["high"], drawn.mean(axis=0) + reach)


def test_intervals_are_labelled():
    told = MANY.intervals()
    assert told.index.names == ["row", "column"] and len(told) == 44
    assert (told["low"] < told["estimate"]).all() and (told["estimate"] < told["high"]).all()
    assert (MANY.intervals(0.5)["high"] < told["high"]).all()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_tables():
    again = gm.missing.multiple(AIR, 2, n_tables=60, random_state=0)
    assert again.tables[3].equals(MANY.tables[3])


@pytest.mark.slow
def test_levels_are_drawn_by_their_shares():
    rng = np.random.default_rng(0)
    size = rng.standard_normal(150)
    frame = pd.DataFrame({"a": size + 0.3 * rng.standard_normal(150)})
    frame["b"] = size + 0.3 * rng.standard_normal(150)
    frame["c"] = np.where(size + 0.5 * rng.standard_normal(150) > 0, "large", "small")
    frame = frame.astype({"c": "str"})
    far, near = int(np.argmax(size)), int(np.argmin(np.abs(size)))
    lost = frame.copy()
    lost.loc[[far, near], "c"] = None
    many = gm.missing.multiple(lost, 1, n_tables=100, random_state=0)
    share = [np.mean([table.loc[k, "c"] == "large" for table in many.tables]) for k in (far, near)]
    assert share[0] > 0.9 and 0.1 < share[1] < 0.9
    assert isinstance(many.fit, gm.FAMD) and many.arrows.shape == (100, 2, 1)
    questions = lost.assign(d=np.where(size > 0.5, "x", "y"))[["c", "d"]]
    answers = gm.missing.multiple(questions, 1, n_tables=5)
    assert isinstance(answers.fit, gm.MCA) and answers.arrows.shape == (5, 0, 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: gm.missing.multiple(AIR, 2, n_tables=2), "n_tables=2"),
        (lambda: MANY.ellipses((1, 3)), r"axes=\(1, 3\)"),
        (lambda: MANY.ellipses(level=1.0), "level=1.0"),
        (lambda: MANY.intervals(2), "level=2"),
        (lambda: gm.missing.multiple(AIR, 0, n_tables=3).fit, "n_components=0"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.filterwarnings("ignore::gramian.errors.NearlyEmptyWarning")
def test_too_few_values_for_a_noise_are_refused():
    X = np.array([[1.0, 2.0, np.nan], [2.0, np.nan, 1.0], [3.0, 1.0, 2.0]])
    with pytest.raises(InputError, match="n_components=1 leaves no residual for the noise"):
        gm.missing.multiple(X, 1)
