"""Tables of text are scanned as they are read: marks, header, names of rows, cells that spoil."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError

X = np.random.default_rng(0).standard_normal((500, 3)).round(3)
FRAME = pd.DataFrame(X, columns=list("abc"))
LABELS = [f"r{k}" for k in range(500)]
WRITTEN = {
    "commas": FRAME.to_csv(index=False),
    "semicolons": FRAME.to_csv(index=False, sep=";"),
    "decimal commas": FRAME.to_csv(index=False, sep=";", decimal=","),
    "tabs": FRAME.to_csv(index=False, sep="\t"),
    "bars": FRAME.to_csv(index=False, sep="|"),
    "a title": "Measured in May\n\n" + FRAME.to_csv(index=False),
    "a comment": "# by hand\n" + FRAME.to_csv(index=False),
    "no header": FRAME.to_csv(index=False, header=False),
    "as R writes": FRAME.rename_axis(None).to_csv().lstrip(","),
    "names": FRAME.assign(name=LABELS)[["name", *"abc"]].to_csv(index=False),
    "other names": FRAME.assign(city=LABELS)[["city", *"abc"]].to_csv(index=False),
    "names in the middle": FRAME.assign(who=LABELS)[["a", "who", "b", "c"]].to_csv(index=False),
    "groups": FRAME.assign(g=["u", "v"] * 250).to_csv(index=False),
    "lines in cells": FRAME.assign(t=[f"one\n{k % 7}" for k in range(500)]).to_csv(index=False),
    "a mark": "\ufeff" + FRAME.to_csv(index=False),
}


def written(folder, text, name="rows.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("how", WRITTEN)
def test_a_scan_finds_what_a_reading_finds(tmp_path, how):
    path = written(tmp_path, WRITTEN[how])
    rows, whole = gm.io.scan(path), gm.io.read(path)
    found = rows.collect()
    assert found.columns.tolist() == whole.columns("active")
    assert np.array_equal(found, X) and np.array_equal(whole.active(), X)
    has_names = not isinstance(found.index, pd.RangeIndex)
    numbered = [str(k + 1) for k in range(500)]
    assert (found.index.tolist() if has_names else numbered) == whole.names


@pytest.mark.parametrize("digits", [1, 16])
def test_blocks_have_as_many_rows_however_long_their_lines_are(tmp_path, digits):
    values = np.random.default_rng(1).standard_normal((2000, 30)).round(digits)
    path = tmp_path / "rows.csv"
    pd.DataFrame(values).add_prefix("x").to_csv(path, index=False)
    blocks = [np.asarray(block) for block in gm.io.scan(path, memory="2MB")]
    size = 2_000_000 // (16 * 8 * 30)  # a sixteenth of the memory
    assert [len(block) for block in blocks] == [size] * (2000 // size) + [2000 % size]
    assert np.array_equal(np.concatenate(blocks), values)


def test_a_line_that_is_longer_than_those_before_fits_into_what_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("gramian.io.arrow._READ_BYTES", 1 << 10)
    values = np.random.default_rng(1).standard_normal((40, 400))
    values[:20] = np.nan
    path = tmp_path / "rows.csv"
    pd.DataFrame(values).add_prefix("x").to_csv(path, index=False)
    found = gm.io.scan(path, columns=[f"x{k}" for k in range(400)]).collect()
    assert np.array_equal(found, values, equal_nan=True)


@pytest.mark.slow
def test_unusual_ways_of_writing_are_told(tmp_path):
    notes = gm.io.scan(written(tmp_path, WRITTEN["decimal commas"])).notes
    assert "semicolons; the decimal mark is the comma" in notes[0]
    assert (
        "The first line contains numbers"
        in gm.io.scan(written(tmp_path, WRITTEN["no header"])).notes[1]
    )
    assert gm.io.scan(written(tmp_path, WRITTEN["commas"])).notes == ()
    assert gm.io.scan(written(tmp_path, WRITTEN["tabs"], "rows.tsv")).notes == ()


def test_a_header_of_numbers_can_be_said(tmp_path):
    path = written(tmp_path, "0.4,0.7,0.9\n" + FRAME.to_csv(index=False, header=False))
    assert gm.io.scan(path).count() == 501
    rows = gm.io.scan(path, header=True)
    assert rows.known_columns() == ["0.4", "0.7", "0.9"] and rows.count() == 500
    np.save(tmp_path / "rows.npy", X)
    for options in ({"header": True}, {"na_values": ["-"]}):
        with pytest.raises(InputError, match="is for tables of text"):
            gm.io.scan(tmp_path / "rows.npy", **options)


@pytest.mark.slow
@pytest.mark.parametrize("row", [20, 49_000], ids=["early", "late"])
@pytest.mark.parametrize("cell", ["oops", "-", "5 mg"])
def test_a_cell_that_is_no_number_is_named_wherever_it_is(tmp_path, cell, row):
    long = pd.concat([FRAME] * 100, ignore_index=True).astype(object)
    long.iloc[row, 1] = cell
    path = written(tmp_path, long.to_csv(index=False))
    words = rf"rows\.csv: column 'b' would be numbers but for '{cell}' \(row {row + 1:,}\)"
    with pytest.raises(InputError, match=words + r".*na_values="):
        gm.PCA(2).fit(gm.io.scan(path, memory="2MB"))
    known = gm.io.scan(path, na_values=[cell])
    with pytest.raises(InputError, match=rf"missing value.* at row {row}, column 'b'"):
        gm.PCA(2).fit(known)
    assert gm.PCA(2).fit(known.complete()).n_samples_seen_ == 49_999
    assert gm.io.scan(path, columns=["a", "c"]).count() == 50_000


def test_text_names_of_parquet_without_an_index(tmp_path):
    FRAME.assign(name=LABELS)[["name", *"abc"]].to_parquet(tmp_path / "x.parquet", index=False)
    rows = gm.io.scan(tmp_path / "x.parquet")
    assert rows.collect().index.tolist() == LABELS == gm.io.read(tmp_path / "x.parquet").names


NOTHING = {
    "empty": "",
    "blank lines": "\n\n",
    "spaces": "  \n \n",
    "header": "a,b,c\n",
    "header without an end": "a,b,c",
    "header and blank lines": "a,b,c\n\n\n",
    "header of Windows": "a,b,c\r\n\r\n",
    "header after a mark": "\ufeffa,b,c\n",
    "header and many blank lines": "a,b,c" + "\n" * (1 << 21),
    "header after a comment": "# of 2020, by us\na,b,c\n",
}


@pytest.mark.parametrize("how", list(NOTHING))
def test_a_file_without_rows_is_refused_by_scan_as_by_read(tmp_path, how):
    path = tmp_path / "rows.csv"
    path.write_bytes(NOTHING[how].encode())
    words = "no rows: there is nothing" if "header" in how else "there is nothing to read"
    for ask in (gm.io.read, gm.io.scan, lambda p: gm.io.scan(p, columns=["a"])):
        with pytest.raises(InputError, match=words):
            ask(path)
