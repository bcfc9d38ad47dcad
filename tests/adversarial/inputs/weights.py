"""Weights of rows (or columns) of every kind."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
from tests.optional import library

from ..cell import either, refused, right

pl = library("polars")
torch = library("torch")
N = 12
W = np.arange(1.0, N + 1)
W.setflags(write=False)


def put(value, dtype=float, at=4):
    w = W.astype(dtype)
    w[at] = value
    return w


FAMILIES = {
    "weights": [
        right("counts", lambda: np.array(W)),
        right("all equal", lambda: np.full(N, 0.25)),
        right("sum one", lambda: W / W.sum()),
        right("ints", lambda: W.astype("i4")),
        right("u1", lambda: W.astype("u1")),
        right("f4", lambda: W.astype("f4")),
        right("f2", lambda: W.astype("f2")),
        right("long double", lambda: W.astype("g")),
        right("a list", lambda: W.tolist()),
        right("a tuple", lambda: tuple(W.tolist())),
        right("a Series", lambda: pd.Series(np.array(W)), lambda: W),
        right(
            "a Series of another index",
            lambda: pd.Series(np.array(W), index=range(N, 0, -1)),
            lambda: W,
        ),
        either("polars Series", lambda: pl.Series(np.array(W)), lambda: W),
        either("nullable", lambda: pd.array(W.astype(int), dtype="Int64"), lambda: W),
        either("torch", lambda: torch.tensor(np.array(W)), lambda: W),
        right("strided", lambda: np.repeat(W, 2)[::2]),
        right("backwards", lambda: W[::-1].copy()[::-1]),
        right("read-only", lambda: W),
        right("bytes swapped", lambda: W.astype(">f8")),
        right("stride 0", lambda: np.broadcast_to(2.0, N)),
        either("objects", lambda: W.astype(object), lambda: W),
        either("bools", lambda: W > 3, lambda: W > 3),
        either("Decimal", lambda: np.array([Decimal(int(w)) for w in W]), lambda: W),
        either("Fraction", lambda: [Fraction(int(w), 3) for w in W], lambda: W / 3),
        either("zeros here and there", lambda: np.where(W % 4 == 0, 0.0, W)),
        either("two that are not zero", lambda: np.where(W < 3, W, 0.0)),
        either("one that is not zero", lambda: np.where(W == 3, 1.0, 0.0)),
        either("times 1e300", lambda: W * 1e300),
        either("times 1e-300", lambda: W * 1e-300),
        either("subnormal", lambda: W * 5e-324),
        either("at the largest number", lambda: np.full(N, np.finfo(float).max)),
        either("one of 1e300", lambda: put(1e300)),
        either("one of 1e-300", lambda: put(1e-300)),
        either("a mask that hides nothing", lambda: np.ma.array(W, mask=False), lambda: W),
        refused("NaN", lambda: put(np.nan)),
        refused("inf", lambda: put(np.inf)),
        refused("-inf", lambda: put(-np.inf)),
        refused("negative", lambda: put(-1.0)),
        refused("all negative", lambda: -W),
        refused("all zero", lambda: np.zeros(N)),
        refused("negative zeros", lambda: -np.zeros(N)),
        refused("add up to zero", lambda: np.resize([1.0, -1.0], N)),
        refused("too short", lambda: W[:-1]),
        refused("too long", lambda: np.r_[W, 1.0]),
        refused("empty", lambda: []),
        refused("a column of them", lambda: W[:, None]),
        refused("two axes", lambda: np.ones((N, N + 1))),
        refused("words", lambda: [f"w{i}" for i in range(N)]),
        refused("numbers as text", lambda: W.astype(str)),
        refused("bytes", lambda: W.astype("S4")),
        refused("complex", lambda: W + 0j),
        refused("complex objects", lambda: put(1j, object)),
        refused("dates", lambda: W.astype("i8").astype("M8[D]")),
        refused("durations", lambda: W.astype("i8").astype("m8[s]")),
        refused("a date among objects", lambda: put(date(2020, 1, 1), object)),
        refused("None among objects", lambda: put(None, object)),
        refused("np.timedelta64 among objects", lambda: put(np.timedelta64(3, "D"), object)),
        refused("masked", lambda: np.ma.array(W, mask=W == 4)),
        refused("NA", lambda: pd.array([*range(N - 1), None], dtype="Int64")),
        refused("integers beyond 2^53", lambda: W.astype("i8") + 2**60),
        refused("objects beyond 2^53", lambda: [2**60 + i for i in range(N)]),
        refused("a dictionary", lambda: dict(enumerate(W))),
        refused("a set", lambda: set(W.tolist())),
        refused("a word", lambda: "balanced"),
        refused("an object", object),
        refused("a generator", lambda: (w for w in W)),
        refused("ragged", lambda: [[1.0], [1.0, 2.0]] * 6),
        refused("records", lambda: np.zeros(N, dtype=[("w", float)])),
    ],
}
