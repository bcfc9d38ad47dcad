"""What no argument can mean, or hardly any."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import gramian as gm

JUNK: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "object": object,
    "empty text": lambda: "",
    "text": lambda: "abc",
    "minus one": lambda: -1,
    "zero": lambda: 0,
    "a half more than two": lambda: 2.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "10**30": lambda: 10**30,
    "True": lambda: True,
    "complex": lambda: 1j,
    "empty list": list,
    "list of None": lambda: [None, None],
    "ragged list": lambda: [[1.0, 2.0], [3.0]],
    "texts": lambda: ["a", "b"],
    "dictionary": lambda: {"a": 1},
    "empty dictionary": dict,
    "set": lambda: {1, 2},
    "function": lambda: lambda *arguments: None,
    "class": lambda: int,
    "generator": lambda: (k for k in range(3)),
    "empty array": lambda: np.empty((0, 0)),
    "no dimension": lambda: np.array(2.0),
    "one dimension": lambda: np.arange(3.0),
    "three dimensions": lambda: np.ones((2, 3, 4)),
    "nan array": lambda: np.full((6, 3), np.nan),
    "wide array": lambda: np.ones((2, 50)),
    "objects": lambda: np.array([[1.0, "a"], [None, 2.0]], dtype=object),
    "records": lambda: np.zeros(3, dtype=[("a", float), ("b", int)]),
    "bytes": lambda: b"abc",
    "date": lambda: datetime.date(2020, 1, 1),
    "equal labels": lambda: pd.DataFrame(np.eye(3), columns=["a", "a", "b"]),
    "empty frame": pd.DataFrame,
    "series": lambda: pd.Series([1.0, 2.0]),
    "range": lambda: range(2, 5),
    "fitted": lambda: gm.PCA(1).fit(np.eye(3)),
}
