"""Completed tables: labels and kinds kept, refusals in words, rows and columns named, speed."""

import time

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian as gm
from gramian.errors import ConvergenceWarning, InputError, NearlyEmptyWarning

AIR = gm.datasets.airquality().data


def planted(seed, n=60, p=8, q=2, noise=0.4, share=0.1):
    """Return a table of q axes and noise, and the same with holes."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, q)) @ rng.standard_normal((q, p))
    X /= X.std(axis=0) if q else 1.0
    X += noise * rng.standard_normal(X.shape)
    return X, np.where(rng.random(X.shape) < share, np.nan, X)


@pytest.mark.slow
def test_axes_say_more_than_means():
    X, lost = planted(0)
    holes = np.isnan(lost)
    by_axes = gm.missing.impute(lost)
    by_means = gm.missing.impute(lost, 0)
    assert by_axes.n_components == 2 and by_axes.choice.method == "cv"
    np.testing.assert_allclose(
        by_means.table[holes], np.broadcast_to(np.nanmean(lost, 0), X.shape)[holes]
    )
    error = [np.mean((done.table - X)[holes] ** 2) for done in (by_axes, by_means)]
    assert error[0] < 0.4 * error[1]


def test_one_axis_is_counted_as_one():
    assert "filled in by 1 axis)" in repr(gm.missing.impute(AIR, 1))


@pytest.mark.slow
def test_frames_keep_their_labels_and_what_was_known():
    done = gm.missing.impute(AIR, 2)
    assert done.table.index.equals(AIR.index) and done.table.columns.equals(AIR.columns)
    assert (
        done.table.notna().all().all() and (done.table.where(AIR.notna()) == AIR)[AIR.notna()].all
    )
    known = AIR.notna()
    assert (done.table[known].fillna(-1) == AIR[known].fillna(-1)).all().all()
    assert done.holes.equals(AIR.isna()) and done.fitted.shape == AIR.shape
    assert "44 of 612 cells filled in by 2 axes" in repr(done)
    whole = AIR.assign(day=np.arange(153))
    assert gm.missing.impute(whole, 2).table["day"].dtype == whole["day"].dtype


@pytest.mark.parametrize(
    "kind",
    [
        lambda X: X.to_numpy().tolist(),
        lambda X: X.to_numpy(),
        lambda X: np.ma.masked_invalid(X.to_numpy()),
        lambda X: X.astype("Float64"),
        lambda X: pl.from_pandas(X),
        lambda X: pl.from_pandas(X).to_arrow(),
    ],
    ids=["lists", "array", "masked", "nullable", "polars", "arrow"],
)
def test_tables_of_every_kind(kind):
    expected = gm.missing.impute(AIR, 2).table.to_numpy()
    table = gm.missing.impute(kind(AIR), 2).table
    values = np.asarray(table.to_pandas() if hasattr(table, "to_pandas") else table, dtype=float)
    np.testing.assert_allclose(values, expected, rtol=1e-12)
    if hasattr(table, "columns"):
        assert type(table) is type(kind(AIR))


def test_single_precision_stays():
    X = AIR.to_numpy(dtype=np.float32)
    assert gm.missing.impute(X, 1).table.dtype == np.float32


@pytest.mark.slow
def test_a_table_without_holes_comes_back():
    X, _ = planted(1)
    done = gm.missing.impute(X)
    assert (done.table == X).all() and done.table is not X and done.n_components == 2


@pytest.mark.slow
def test_categories_come_back_as_they_were():
    rng = np.random.default_rng(3)
    size = rng.standard_normal(80)
    frame = pd.DataFrame({"a": size, "b": size + 0.3 * rng.standard_normal(80)})
    frame["c"] = pd.Categorical(np.where(size > 0, "large", "small"), ["small", "large"])
    frame["d"] = pd.Series(np.where(size > 0.5, "yes", "no"), dtype=object)
    lost = frame.copy()
    lost.loc[3, "c"] = None
    lost.loc[5, "d"] = None
    lost.loc[7, "a"] = None
    done = gm.missing.impute(lost, 2)
    assert done.table.dtypes.equals(frame.dtypes)
    assert (
        done.table.loc[3, "c"] == frame.loc[3, "c"] and done.table.loc[5, "d"] == frame.loc[5, "d"]
    )
    assert done.indicators.loc[3, ["c=small", "c=large"]].sum() == pytest.approx(1.0)
    np.testing.assert_allclose(
        done.fill(lost.iloc[[3, 7]])["a"], done.table.loc[[3, 7], "a"], rtol=1e-6
    )
    with pytest.raises(InputError, match="'c' has 'huge', which no row"):
        done.fill(lost.astype({"c": object}).iloc[[3]].assign(c="huge"))
    assert gm.missing.choose(lost[["c", "d"]]).method == "cv"
    with pytest.raises(InputError, match="criterion='gcv'"):
        gm.missing.choose(lost, criterion="gcv")


@pytest.mark.slow
def test_new_rows_do_not_depend_on_their_batch():
    done = gm.missing.impute(AIR, 2)
    new = AIR.iloc[[4, 26, 10]]
    together = done.fill(new)
    alone = pd.concat([done.fill(new.iloc[[k]]) for k in range(3)])
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    with pytest.raises(InputError, match="3 columns"):
        done.fill(AIR.iloc[:2, :3])
    with pytest.raises(InputError, match="where the table has another"):
        done.fill(AIR.iloc[:2, ::-1])


@pytest.mark.slow
def test_units_do_not_matter():
    factors = [1e3, 1e-3, 1.0, 5.0]
    ours = gm.missing.impute(AIR)
    theirs = gm.missing.impute(AIR * factors)
    assert ours.n_components == theirs.n_components
    np.testing.assert_allclose(theirs.table / factors, ours.table, rtol=1e-6)


def test_rows_and_columns_without_a_value_are_named():
    lost = AIR.copy()
    lost.loc["May 3"] = np.nan
    with pytest.raises(InputError, match=r"no value in row 'May 3': drop it first"):
        gm.missing.impute(lost)
    with pytest.raises(InputError, match=r"no value in column 'sand'"):
        gm.missing.impute(AIR.assign(sand=np.nan))


@pytest.mark.slow
def test_nearly_empty_rows_and_columns_are_named():
    X, lost = planted(4)
    frame = pd.DataFrame(lost).add_prefix("v").rename(index=lambda k: f"r{k}")
    frame.loc["r7", frame.columns[1:]] = np.nan
    frame.loc["r7", "v0"] = 1.0
    with pytest.warns(NearlyEmptyWarning, match="row 'r7' of X"):
        gm.missing.impute(frame, 1)
    frame = pd.DataFrame(X).add_prefix("v")
    frame.loc[3:, "v5"] = np.nan
    with pytest.warns(NearlyEmptyWarning, match="column 'v5' of X"):
        gm.missing.impute(frame, 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_components": "many"}, "'many' must be a whole number of at least 0, or 'cv'"),
        ({"n_components": 4}, "at least 0 and at most 3, one less"),
        ({"n_components": -1}, "n_components=-1"),
        ({"method": "mean"}, "method='mean' must be one of regularized, em"),
        ({"scale": 1}, "scale=1 must be True or False"),
        ({"ridge": -1.0}, "ridge=-1.0"),
        ({"tol": 0.0}, "tol=0.0"),
        ({"sample_weight": [1.0]}, "sample_weight has shape"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(InputError, match=words):
        gm.missing.impute(AIR, **options)


def test_too_few_steps_are_told():
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        done = gm.missing.impute(AIR, 2, max_iter=2)
    assert not done.converged and done.table.notna().all().all()


def test_infinity_is_refused():
    with pytest.raises(InputError, match="inf"):
        gm.missing.impute(AIR.replace(12.0, np.inf))


@pytest.mark.slow
def test_five_hundred_rows_take_well_under_a_second():
    _, lost = planted(5, 500, 50, 4, 1.0)
    start = time.process_time()
    gm.missing.impute(lost, 4)
    assert time.process_time() - start < 1.0
