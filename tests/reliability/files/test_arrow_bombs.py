"""Parquet and Feather files that unpack to far more than they are."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather as fe
from pyarrow import parquet as pq

import gramian as gm
from gramian.errors import InputError

pytestmark = pytest.mark.slow


N = 300_000


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Bounds of a megabyte, so that bombs need not be large."""
    monkeypatch.setattr("gramian.io.content._SMALL_BYTES", 1_000_000)


def parquet(table, **options):
    out = io.BytesIO()
    pq.write_table(table, out, **options)
    return out.getvalue()


def feather(table, **options):
    out = io.BytesIO()
    fe.write_feather(table, out, **options)
    return out.getvalue()


def categories(text, n):
    return pa.DictionaryArray.from_arrays(np.zeros(n, dtype=np.int32), [text])


def views(text, n):
    """Return a column whose cells all point at the same letters."""
    first = int.from_bytes(text[:4].encode(), "little")
    cells = np.tile(np.array([len(text), first, 0, 0], dtype=np.int32), n)
    buffers = [None, pa.py_buffer(cells.tobytes()), pa.py_buffer(text.encode())]
    return pa.Array.from_buffers(pa.string_view(), n, buffers)


x = np.arange(3000.0)
TABLES = {
    "zeros": pa.table({"x": np.zeros(N)}),
    "nothing": pa.table({"x": pa.nulls(N)}),
    "texts": pa.table({"x": x, "t": pa.array(["a" * 1000] * 3000)}),
    "categories": pa.table({"x": x, "t": categories("a" * 1000, 3000)}),
    "views": pa.table({"x": x, "t": views("a" * 1000, 3000)}),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("write", [parquet, feather])
def test_bombs_are_refused_and_may_be_trusted(write, name):
    table = TABLES[name]
    data = write(table, compression="zstd")
    assert len(data) < 100_000
    with pytest.raises(InputError, match="pass largest="):
        gm.io.read(io.BytesIO(data))
    if name != "nothing":
        source = gm.io.read(io.BytesIO(data), largest="50MB", row_names=False)
        assert len(source) == len(table)


@pytest.mark.parametrize("write", [parquet, feather])
def test_lists_are_left_out_and_told(write):
    lists = pa.array([[0.0] * 1000] * 50)
    table = pa.table({"l": lists, "x": np.arange(50.0), "y": np.arange(50.0) ** 2})
    source = gm.io.read(io.BytesIO(write(table)))
    assert source.columns("active") == ["x", "y"]
    assert any(w.key == "one_value" and "'l'" in w for w in source.warnings)
    with pytest.raises(InputError, match="no column of numbers"):
        gm.io.read(io.BytesIO(write(pa.table({"l": lists}))))


@pytest.mark.parametrize("write", [parquet, feather])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_texts_of_every_kind_are_read(write, kind):
    texts = ["red", "blue", None, "red", "a text that is longer than a view", "blue"]
    table = pa.table({"x": np.arange(6.0), "t": pa.array(texts, kind)})
    source = gm.io.read(io.BytesIO(write(table)), group="t")
    found = source.groups()["t"]
    assert [None if pd.isna(v) else v for v in found] == texts


@pytest.mark.parametrize("write", [parquet, feather])
def test_two_columns_of_one_name(write):
    table = pa.Table.from_arrays([pa.array([1.0, 2.0, 4.0])] * 2, names=["x", "x"])
    assert list(gm.io.read(io.BytesIO(write(table))).active()) == ["x", "x (2)"]


def test_an_arrow_file_that_lies_about_its_buffers():
    data = bytearray(feather(pa.table({"x": np.zeros(5000)}), compression="lz4"))
    place = data.find((40_000).to_bytes(8, "little"))
    data[place : place + 8] = (2**40).to_bytes(8, "little")
    with pytest.raises(InputError, match="unpacks to"):
        gm.io.read(io.BytesIO(bytes(data)))
