"""Classes, targets and eigenvalues: vectors that are no weights."""

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
from tests.optional import library

from ..cell import either, refused, right

pl = library("polars")
torch = library("torch")
N = 12
CODES = np.array([0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1])
Y = np.array([3.0, 1.5, 4.0, 1.0, 5.5, 9.0, 2.0, 6.5, 5.0, 3.5, 8.0, 9.5])
VALUES = np.array([6.0, 3.0, 1.5, 0.75, 0.5, 0.25])


def named(zero, one):
    """The classes under other names."""
    return [one if code else zero for code in CODES]


def objects(values):
    A = np.empty(len(values), dtype=object)
    A[:] = values
    return A


def codes():
    return CODES


def put(value, source=Y, dtype=float, at=4):
    y = source.astype(dtype)
    y[at] = value
    return y


CLASSES = {
    "classes": [
        right("codes", lambda: CODES.copy()),
        right("words", lambda: named("no", "yes"), codes),
        right("an array of words", lambda: np.array(named("no", "yes")), codes),
        right("objects", lambda: objects(named("no", "yes")), codes),
        right("bools", lambda: CODES > 0, codes),
        right("i1", lambda: CODES.astype("i1"), codes),
        right("f8", lambda: CODES.astype(float), codes),
        right("-1 and 1", lambda: 2 * CODES - 1, codes),
        right("far numbers", lambda: np.where(CODES, 10**15, -(10**15)), codes),
        right("integers beyond 2^53", lambda: 2**60 + CODES.astype("i8"), codes),
        right("a Series", lambda: pd.Series(named("no", "yes")), codes),
        right(
            "a Series of another index",
            lambda: pd.Series(named("a", "b"), index=range(N, 0, -1)),
            codes,
        ),
        right("categories", lambda: pd.Categorical(named("no", "yes")), codes),
        right(
            "categories, one without rows",
            lambda: pd.Categorical(named("no", "yes"), ["a", "no", "yes"]),
            codes,
        ),
        either("nullable words", lambda: pd.array(named("no", "yes"), dtype="string"), codes),
        either("arrow words", lambda: pd.array(named("no", "yes"), dtype="string[pyarrow]"), codes),
        either("polars Series", lambda: pl.Series(named("no", "yes")), codes),
        either("torch", lambda: torch.tensor(CODES), codes),
        right("unicode", lambda: named("né", "né"[::-1] + "🧬"), codes),
        right("the empty word", lambda: named("", "a"), codes),
        right("very long words", lambda: named("a" * 10**5, "b" * 10**5), codes),
        right("words with a NUL", lambda: objects(named("a\x00b", "a\x00c")), codes),
        either("bytes", lambda: np.array(named(b"a", b"b")), codes),
        either("dates", lambda: np.array(named("2020-01-01", "2021-01-01"), "M8[D]"), codes),
        either("tuples", lambda: objects(named((0, 1), (1, 0))), codes),
        either("numbers and words", lambda: objects(named(1, "a")), codes),
        either("a column", lambda: CODES[:, None], codes),
        either("Decimal", lambda: objects(named(Decimal(0), Decimal(1))), codes),
        either("None as a class", lambda: objects(named(None, "a")), codes),
        refused("one class", lambda: np.zeros(N)),
        refused("NaN", lambda: put(np.nan, CODES)),
        refused("inf", lambda: put(np.inf, CODES)),
        refused("None among words", lambda: objects(["a", "b", None] * 4)),
        refused("NA", lambda: pd.array([0, 1, None] * 4, dtype="Int64")),
        refused("NaN category", lambda: pd.Categorical(["a", "b", None] * 4)),
        refused("masked", lambda: np.ma.array(CODES, mask=CODES * np.arange(N) == 3)),
        refused("complex", lambda: CODES + 1j),
        refused("measurements", lambda: Y + 0.123),
        refused("too short", lambda: CODES[:-1]),
        refused("too long", lambda: np.r_[CODES, 0]),
        refused("empty", lambda: []),
        refused("two columns", lambda: np.c_[CODES, 1 - CODES]),
        refused("lists", lambda: [[c] * (i % 2 + 1) for i, c in enumerate(CODES.tolist())]),
        refused("None", lambda: None),
        refused("a word", lambda: "yes"),
        refused("a number", lambda: 1),
        refused("an object", object),
        refused("a set", lambda: {0, 1}),
        refused("a dictionary", lambda: dict(enumerate(CODES.tolist()))),
    ],
}
TARGETS = {
    "targets": [
        right("doubles", lambda: Y.copy()),
        right("f4", lambda: Y.astype("f4")),
        right("f2", lambda: Y.astype("f2")),
        right("ints", lambda: CODES.astype("i8")),
        right("u1", lambda: CODES.astype("u1")),
        right("a list", lambda: Y.tolist()),
        right("a Series", lambda: pd.Series(Y, index=range(N, 0, -1)), lambda: Y),
        right("strided", lambda: np.repeat(Y, 3)[::3]),
        right("backwards", lambda: Y[::-1].copy()[::-1]),
        right("bytes swapped", lambda: Y.astype(">f8")),
        right("offset 1e8", lambda: Y + 1e8),
        either("offset 1e12", lambda: Y + 1e12),
        either("times 1e300", lambda: Y * 1e300),
        either("times 1e-300", lambda: Y * 1e-300),
        either("constant", lambda: np.full(N, 0.1)),
        either("objects", lambda: Y.astype(object), lambda: Y),
        either("Decimal", lambda: objects([Decimal(v) for v in Y]), lambda: Y),
        either("bools", lambda: CODES > 0, codes),
        either("nullable", lambda: pd.array(Y, dtype="Float64"), lambda: Y),
        either("torch", lambda: torch.tensor(Y), lambda: Y),
        either("polars", lambda: pl.Series(Y), lambda: Y),
        either("a column", lambda: Y[:, None], lambda: Y),
        refused("NaN", lambda: put(np.nan)),
        refused("inf", lambda: put(np.inf)),
        refused("masked", lambda: np.ma.array(Y, mask=Y == 4)),
        refused("NA", lambda: pd.array([0, 1, None] * 4, dtype="Int64")),
        refused("complex", lambda: Y + 0j),
        refused("words", lambda: named("a", "b")),
        refused("numbers as text", lambda: Y.astype(str)),
        refused("dates", lambda: Y.astype("i8").astype("M8[D]")),
        refused("durations", lambda: Y.astype("i8").astype("m8[s]")),
        refused("a Series of dates", lambda: pd.Series(pd.date_range("2020", periods=N))),
        refused("a date among objects", lambda: put(date(2020, 1, 1), dtype=object)),
        refused("None among objects", lambda: put(None, dtype=object)),
        refused("integers beyond 2^53", lambda: 2**60 + CODES.astype("i8")),
        refused("objects beyond 2^53", lambda: objects([2**60 + i for i in range(N)])),
        refused("categories", lambda: pd.Categorical(CODES)),
        refused("too short", lambda: Y[:-1]),
        refused("empty", lambda: []),
        refused("None", lambda: None),
        refused("a word", lambda: "y"),
        refused("a number", lambda: 1.0),
        refused("an object", object),
        refused("ragged", lambda: [[1.0], [1.0, 2.0]] * 6),
    ],
}
EIGENVALUES = {
    "eigenvalues": [
        right("descending", lambda: VALUES.copy()),
        right("a list", lambda: VALUES.tolist()),
        right("a tuple", lambda: tuple(VALUES.tolist())),
        right("f4", lambda: VALUES.astype("f4")),
        right("ints", lambda: np.array([9, 5, 2, 1])),
        right("a Series", lambda: pd.Series(VALUES), lambda: VALUES),
        right("backwards in memory", lambda: VALUES[::-1].copy()[::-1]),
        right("with zeros at the end", lambda: np.r_[VALUES, 0.0, 0.0]),
        either("rounding below zero", lambda: np.r_[VALUES, -1e-17], lambda: np.r_[VALUES, 0.0]),
        either("all equal", lambda: np.ones(5)),
        either("one", lambda: [2.0]),
        either("times 1e300", lambda: VALUES * 1e300),
        either("times 1e-300", lambda: VALUES * 1e-300),
        either("torch", lambda: torch.tensor(VALUES), lambda: VALUES),
        either("objects", lambda: VALUES.astype(object), lambda: VALUES),
        either("ascending", lambda: VALUES[::-1], lambda: VALUES),
        either("in no order", lambda: VALUES[[2, 0, 1, 5, 4, 3]], lambda: VALUES),
        refused("a negative one", lambda: [3.0, 2.0, -1.0]),
        refused("a negative one first", lambda: [-3.0, 1.0, 2.0]),
        refused("all negative", lambda: -VALUES),
        refused("all zero", lambda: np.zeros(4)),
        refused("NaN", lambda: [3.0, np.nan, 1.0]),
        refused("inf", lambda: [np.inf, 2.0, 1.0]),
        refused("complex", lambda: VALUES + 0j),
        refused("masked", lambda: np.ma.array(VALUES, mask=VALUES == 3)),
        refused("words", lambda: ["a", "b"]),
        refused("numbers as text", lambda: VALUES.astype(str)),
        refused("dates", lambda: np.array([3, 2, 1], "M8[D]")),
        refused("empty", lambda: []),
        refused("None", lambda: None),
        refused("a number", lambda: 3.0),
        refused("a word", lambda: "kaiser"),
        refused("an object", object),
        refused("a class", lambda: dict),
        refused("three axes", lambda: np.ones((2, 3, 4))),
    ],
}
