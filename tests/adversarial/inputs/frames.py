"""The clean numbers in data frames: pandas, polars and pyarrow, with columns of every type."""

from decimal import Decimal

import numpy as np
import pandas as pd
from tests.optional import library

from ..cell import either, refused, right
from .base import NAMES, WHOLE, N, X, changed

pa = library("pyarrow")
pl = library("polars")
ROWS = [f"r{i}" for i in range(N)]
DATES = pd.date_range("2020-01-01", periods=N)
WORDS = [f"w{i % 3}" for i in range(N)]


def frame(values=X, index=ROWS, columns=NAMES, **more):
    """A pandas frame of the clean numbers, with more columns."""
    return pd.DataFrame(np.array(values), index=index, columns=columns).assign(**more)


def typed(dtype, values=WHOLE):
    return frame(values).astype(dtype)


def polar(values=X, **more):
    return pl.DataFrame(np.array(values), schema=NAMES).with_columns(**more)


def arrow(values=X, **more):
    columns = {
        name: pa.array(column) for name, column in zip(NAMES, np.array(values).T, strict=True)
    }
    return pa.table(columns | more)


class Frame(pd.DataFrame):
    """A frame of a class of one's own."""

    @property
    def _constructor(self):
        return Frame


def cells(convert, values=X):
    """A frame of objects."""
    return frame(values).astype(object).map(convert).astype(object)


def dictionary(values):
    return pd.arrays.ArrowExtensionArray(pa.array(values).dictionary_encode())


GAP = [*range(7), None, *range(4)]
M = pd.MultiIndex
FAMILIES = {
    "pandas": [
        right("a frame", frame, lambda: X),
        right("duplicate row labels", lambda: frame(index=["r"] * N), lambda: X),
        right("NaN as a row label", lambda: frame(index=[np.nan, *range(N - 1)]), lambda: X),
        right("None as a row label", lambda: frame(index=[None, *ROWS[1:]]), lambda: X),
        right("dates as row labels", lambda: frame(index=DATES), lambda: X),
        right(
            "dates of a time zone as row labels",
            lambda: frame(index=DATES.tz_localize("Asia/Tokyo")),
            lambda: X,
        ),
        right(
            "MultiIndex of rows",
            lambda: frame(index=M.from_product([range(3), range(4)])),
            lambda: X,
        ),
        right(
            "tuples as row labels",
            lambda: frame(index=pd.Index([(i, i) for i in range(N)], tupleize_cols=False)),
            lambda: X,
        ),
        either(
            "MultiIndex of columns",
            lambda: frame(columns=M.from_product([range(2), range(2)])),
            lambda: X,
        ),
        either(
            "column names of mixed types", lambda: frame(columns=["a", 1, 2.5, None]), lambda: X
        ),
        either("column name NaN", lambda: frame(columns=["a", "b", "c", np.nan]), lambda: X),
        right("column names are numbers", lambda: frame(columns=range(4)), lambda: X),
        right("empty column name", lambda: frame(columns=["", "b", "c", "d"]), lambda: X),
        right(
            "hostile column names",
            lambda: frame(columns=["<script>", "=1+1", "a\x00b", "\u202e"]),
            lambda: X,
        ),
        right(
            "very long column name", lambda: frame(columns=["a" * 10**5, "b", "c", "d"]), lambda: X
        ),
        refused("duplicate columns", lambda: frame(columns=["a", "b", "a", "d"])),
        right("a frame of f4", lambda: typed("f4", X), lambda: X, single=True),
        right("a frame of ints", lambda: typed("i8"), lambda: WHOLE),
        right("a frame of u1", lambda: typed("u1"), lambda: WHOLE),
        right("a frame of bools", lambda: frame(WHOLE > 50), lambda: WHOLE > 50),
        right(
            "mixed number types",
            lambda: frame(WHOLE).astype({"a": "i1", "b": "f8", "c": "u4"}),
            lambda: WHOLE,
        ),
        right("nullable Float64", lambda: typed("Float64", X), lambda: X),
        right("nullable Int64", lambda: typed("Int64"), lambda: WHOLE),
        right("nullable boolean", lambda: frame(WHOLE > 50).astype("boolean"), lambda: WHOLE > 50),
        right("arrow doubles", lambda: typed("double[pyarrow]", X), lambda: X),
        right("arrow ints", lambda: typed("int32[pyarrow]"), lambda: WHOLE),
        right("arrow bools", lambda: frame(WHOLE > 50).astype("bool[pyarrow]"), lambda: WHOLE > 50),
        either(
            "arrow decimals", lambda: frame().astype(pd.ArrowDtype(pa.decimal128(12, 4))), lambda: X
        ),
        either("sparse columns", lambda: frame().astype(pd.SparseDtype(float, 0.0)), lambda: X),
        either("one sparse column", lambda: frame(b=pd.arrays.SparseArray(X[:, 1])), lambda: X),
        right("object columns of floats", lambda: cells(float), lambda: X),
        right("object columns of ints", lambda: cells(int, WHOLE), lambda: WHOLE),
        either("object columns of Decimal", lambda: cells(Decimal), lambda: X),
        right("a subclass of DataFrame", lambda: Frame(frame()), lambda: X),
        right("a view of an array", lambda: pd.DataFrame(np.array(X), copy=False), lambda: X),
        right(
            "a slice of a frame",
            lambda: frame(np.vstack([X, X]), index=range(2 * N)).iloc[::2],
            lambda: np.vstack([X, X])[::2],
        ),
        right("a transposed frame", lambda: pd.DataFrame(np.array(X).T).T, lambda: X),
        right(
            "attrs and flags", lambda: frame().set_flags(allows_duplicate_labels=False), lambda: X
        ),
        refused("NaN in a frame", lambda: frame(changed(np.nan))),
        refused("inf in a frame", lambda: frame(changed(np.inf))),
        refused("NA in Int64", lambda: frame(c=pd.array(GAP, dtype="Int64"))),
        refused("NA in Float64", lambda: frame(c=pd.array(GAP, dtype="Float64"))),
        refused("NA in arrow", lambda: frame(c=pd.array(GAP, dtype="int64[pyarrow]"))),
        refused("None in an object column", lambda: frame(c=pd.array(GAP, dtype=object))),
        refused(
            "NaN in a sparse column", lambda: frame(c=pd.arrays.SparseArray(changed(np.nan)[:, 2]))
        ),
        refused("a column of words", lambda: frame(c=WORDS)),
        refused("a column of numbers as text", lambda: frame(c=[str(v) for v in range(N)])),
        refused("a column of objects and words", lambda: frame(c=pd.array(WORDS, dtype=object))),
        refused(
            "a column of arrow words", lambda: frame(c=pd.array(WORDS, dtype="string[pyarrow]"))
        ),
        refused("categories", lambda: frame(c=pd.Categorical(WORDS))),
        refused("categories of numbers", lambda: frame(c=pd.Categorical(range(N)))),
        refused("dates", lambda: frame(c=DATES)),
        refused("dates of a time zone", lambda: frame(c=DATES.tz_localize("UTC"))),
        refused("durations", lambda: frame(c=DATES - DATES[0])),
        refused("periods", lambda: frame(c=pd.period_range("2020", periods=N, freq="M"))),
        refused("intervals", lambda: frame(c=pd.interval_range(0, N))),
        refused("complex column", lambda: frame(c=X[:, 0] + 1j)),
        refused("column of lists", lambda: frame(c=[[i] for i in range(N)])),
        refused(
            "column of durations as objects",
            lambda: frame(c=pd.array(list(DATES - DATES[0]), dtype=object)),
        ),
        refused("arrow dictionary", lambda: frame(c=dictionary(WORDS))),
        refused(
            "arrow durations", lambda: frame(c=pd.array(range(N), dtype="duration[s][pyarrow]"))
        ),
        refused("int64 column beyond 2^53", lambda: frame(c=np.arange(N) + 2**60)),
        refused(
            "object column beyond 2^53",
            lambda: frame(c=pd.array([2**60 + i for i in range(N)], dtype=object)),
        ),
        refused(
            "Int64 beyond 2^53",
            lambda: frame(c=pd.array([2**60 + i for i in range(N)], dtype="Int64")),
        ),
        refused(
            "arrow int64 beyond 2^53",
            lambda: frame(c=pd.array([2**60 + i for i in range(N)], dtype="int64[pyarrow]")),
        ),
        refused("empty frame", pd.DataFrame),
        refused("frame without columns", lambda: pd.DataFrame(index=range(N))),
        refused("frame without rows", lambda: frame().iloc[:0]),
        refused("a Series", lambda: frame()["a"]),
        refused("an Index", lambda: pd.Index(range(N))),
        refused("groups of a frame", lambda: frame(g=WORDS).groupby("g")),
    ],
    "polars": [
        right("polars", polar, lambda: X),
        right("polars ints", lambda: polar(WHOLE), lambda: WHOLE),
        right("polars f4", lambda: polar(X).cast(pl.Float32), lambda: X, single=True),
        right("polars bools", lambda: polar(WHOLE > 50), lambda: WHOLE > 50),
        right("polars u8", lambda: polar(WHOLE).cast(pl.UInt8), lambda: WHOLE),
        right(
            "polars in chunks",
            lambda: pl.concat([polar(X[:5]), polar(X[5:])], rechunk=False),
            lambda: X,
        ),
        either("polars decimals", lambda: polar().cast(pl.Decimal(12, 4)), lambda: X),
        either("polars lazy", lambda: polar().lazy(), lambda: X),
        refused("polars null", lambda: polar(c=pl.Series(GAP))),
        refused("polars NaN", lambda: polar(changed(np.nan))),
        refused("polars inf", lambda: polar(changed(np.inf))),
        refused("polars words", lambda: polar(c=pl.Series(WORDS))),
        refused("polars categories", lambda: polar(c=pl.Series(WORDS, dtype=pl.Categorical))),
        refused("polars dates", lambda: polar(c=pl.Series(DATES.date))),
        refused("polars durations", lambda: polar(c=pl.Series(DATES - DATES[0]))),
        refused("polars lists", lambda: polar(c=pl.Series([[i] for i in range(N)]))),
        refused("polars structs", lambda: polar(c=pl.Series([{"u": i} for i in range(N)]))),
        refused("polars nulls only", lambda: polar(c=pl.Series([None] * N))),
        refused(
            "polars ints beyond 2^53", lambda: polar(c=pl.Series([2**60 + i for i in range(N)]))
        ),
        refused("polars without rows", lambda: polar().head(0)),
        refused("polars without columns", pl.DataFrame),
        refused("polars Series", lambda: polar()["a"]),
    ],
    "pyarrow": [
        either("arrow table", arrow, lambda: X),
        either("arrow table of ints", lambda: arrow(WHOLE), lambda: WHOLE),
        either("arrow record batch", lambda: arrow().to_batches()[0], lambda: X),
        either(
            "arrow table in chunks",
            lambda: pa.concat_tables([arrow(X[:5]), arrow(X[5:])]),
            lambda: X,
        ),
        refused("arrow table with nulls", lambda: arrow(c=pa.array(GAP))),
        refused("arrow table with NaN", lambda: arrow(changed(np.nan))),
        refused("arrow table of words", lambda: arrow(c=pa.array(WORDS))),
        refused("arrow table of dates", lambda: arrow(c=pa.array(DATES.date))),
        refused("arrow ints beyond 2^53", lambda: arrow(c=pa.array([2**60 + i for i in range(N)]))),
        refused("arrow array", lambda: pa.array([1.0, 2.0, 3.0])),
    ],
}
