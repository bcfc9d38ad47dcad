"""Means, merged cells, second tables, remarks, offsets: what stands in a file beside the data."""

import io

import numpy as np
import pandas as pd
import pytest
from tests.io.test_messy import DIALECTS, SPECIES, STATIONS, X, cells, table, text

import gramian as gm
from gramian._study.methods import Settings
from gramian._study.subject import subject_of
from gramian.errors import InputError

SORTED = np.argsort(SPECIES, kind="stable")


def sheet(*, names_first=True):
    """Return the sound table sorted by species, the stations or the species first."""
    out = table().iloc[SORTED]
    return out if names_first else out[["Species", "Station", *X]]


def numbers(frame, how):
    """Return a statistic of each column of numbers, as a person would write it."""
    return [round(float(v), 2) for v in getattr(frame[list(X)], how)()]


def closing(frame, *rows, second=False):
    """Return a table with last rows of statistics, called so in the first or second column."""
    last = [
        [None, label, *numbers(frame, how)] if second else [label, None, *numbers(frame, how)]
        for label, how in rows
    ]
    return [*cells(frame), *last]


def subtotals(frame, label):
    """Return a table with the means of each group below its rows."""
    out = cells(frame)[:1]
    for name, rows in frame.groupby("Species", sort=False):
        out += [*cells(rows)[1:], [label.format(name), None, *numbers(rows, "mean")]]
    return out


def merged(frame):
    """Return a table whose groups are named in their first row only."""
    rows = cells(frame)
    known = [row[0] for row in rows]
    return [
        [None if k > 1 and row[0] == known[k - 1] else row[0], *row[1:]]
        for k, row in enumerate(rows)
    ]


def stacked(frame):
    head = ["Species", "n", "mean pH", None, None, None]
    return [*cells(frame), [None] * 6, head, *([s, 10, 7.4] + [None] * 3 for s in set(SPECIES))]


BY_SPECIES = sheet(names_first=False)
WRITTEN = DIALECTS | {"semicolon": lambda rows: text(rows, ";", ",").encode()}
FAULTS = {
    "Moy.": (closing(sheet(), ("Moy.", "mean")), "summary-rows"),
    "Σ": (closing(sheet(), ("Σ", "sum")), "summary-rows"),
    "x̄ and s.d.": (closing(sheet(), ("x̄", "mean"), ("s.d.", "std")), "summary-rows"),
    "three": (closing(sheet(), ("Mean", "mean"), ("SE", "sem"), ("N", "count")), "summary-rows"),
    "second column": (closing(BY_SPECIES, ("Moyenne", "mean"), second=True), "summary-rows"),
    "subtotals": (subtotals(sheet(), "Mean {}"), "summary-rows"),
    "same subtotals": (subtotals(sheet(), "mean"), "summary-rows"),
    "merged": (merged(BY_SPECIES), "merged-cells"),
    "merged, mean": (
        [*merged(BY_SPECIES), [None, "Moyenne", *numbers(X, "mean")]],
        "summary-rows",
    ),
    "header again": (
        [*cells(sheet())[:12], *cells(sheet())[:1], *cells(sheet())[12:]],
        "title-rows",
    ),
    "stacked": (stacked(sheet()), "title-rows"),
}  # fmt: skip


@pytest.mark.parametrize("dialect", ["comma", "semicolon", "excel"])
@pytest.mark.parametrize("fault", FAULTS)
def test_rows_that_are_no_data_are_left_out(fault, dialect):
    rows, kind = FAULTS[fault]
    source = gm.io.read(io.BytesIO(WRITTEN[dialect](rows)))
    found = [f for f in gm.io.examine(source) if f.kind == kind]
    assert len(found) == 1 and found[0].text != found[0].in_language("fr")
    assert source.names == [STATIONS[k] for k in SORTED]
    np.testing.assert_allclose(source.active().to_numpy(), X.to_numpy()[SORTED], rtol=1e-9)
    assert source.groups()["Species"].tolist() == SPECIES[SORTED].tolist()


def test_rows_that_only_are_called_so_stay():
    winds = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
    frame = pd.DataFrame({"wind": winds, "a": np.arange(8.0) ** 2, "b": [3.5, 1, 9, 2, 8, 1, 7, 4]})
    assert gm.io.as_source(frame).names == winds
    # An answer is no count, even where one row has the number of all rows.
    answers = pd.DataFrame({"ill": ["y", "n"] * 8, "age": [16.0, *range(31, 46)]})
    assert len(gm.io.as_source(answers)) == 16
    # A column of nothing, or a remark in the first row, is no merged cell.
    empty = gm.io.as_source(pd.DataFrame({"text": [None] * len(X), "gap": np.nan, **X}))
    assert list(empty.active()) == list(X) and not empty.columns("group")
    remarks = X.assign(remark=["broken", *[None] * 9, "wet", *[None] * (len(X) - 11)])
    assert "merged-cells" not in [f.kind for f in gm.io.examine(remarks)]


def test_blocks_that_are_numbered_in_merged_cells_are_filled():
    year = [2019 + k // 10 if k % 10 == 0 else None for k in range(30)]
    source = gm.io.as_source(pd.DataFrame({"year": year, "plot": STATIONS, **X}))
    assert source.table["year"].tolist() == [2019 + k // 10 for k in range(30)]
    yearly = [7.5 - k // 10 if k % 10 == 0 else None for k in range(30)]  # measured three times
    assert gm.io.as_source(pd.DataFrame({"ice": yearly, **X})).roles["ice"] == "ignored"


@pytest.mark.parametrize("title", [[], [["Campaign of 2021"]], [["Campaign"], []]])
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_a_workbook_may_start_in_any_column(left, title):
    rows = [*title, *([None] * left + row for row in cells(table()))]
    source = gm.io.read(io.BytesIO(DIALECTS["excel"](rows)))
    assert source.names == STATIONS and list(source.table) == ["Species", *X]
    np.testing.assert_array_equal(source.active().to_numpy(), X.to_numpy())


@pytest.mark.parametrize(
    "end", ["\n* thawed before\nSource: survey of 2021, annex\n", "\nNote: g\n"]
)
@pytest.mark.parametrize("sep", [",", ";", "\t"])
def test_remarks_below_a_table_are_left_out(sep, end):
    sound = table().to_csv(index=False, sep=sep)
    source = gm.io.read(io.StringIO(sound + end))
    assert source.names == STATIONS
    assert [f.kind for f in gm.io.examine(source)] == ["title-rows"]
    # A file that was cut off is not taken for one with a remark.
    with pytest.raises(InputError, match="cells where"):
        gm.io.read(io.StringIO(sound + sep.join(["ST31", "Apis"])))


def test_columns_that_are_mostly_empty_are_left_out():
    few = np.full(len(X), np.nan)
    few[[3, 8, 20]] = [1.0, 5.0, 2.5]
    frame = X.assign(extra=few, half=X["pH"] * X["Nitrate"])
    frame.loc[:14, "half"] = np.nan
    assert list(subject_of(frame, Settings()).X) == [*X, "half"]  # half is not more than half
    (found,) = (f for f in gm.io.examine(frame) if f.kind == "mostly-empty")
    assert found.remedy == "as_number=['extra']" and "extra" in found.in_language("fr")
    assert "extra" in gm.io.as_source(frame, as_number=["extra"]).active()
    # Where hardly a column would stay, all do.
    sparse = X.where(pd.Series(np.arange(len(X)) % 3 == 0), axis=0)
    assert list(gm.io.as_source(sparse.assign(a=X["pH"])).active()) == [*X, "a"]
