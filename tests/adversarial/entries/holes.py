"""What fills holes: a hostile table without any comes back as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Entry, Pair
from ..judge import numbers
from ..truth import Rows
from .common import three_rows
from .fits import clean
from .functions import BOOLS, MISSING

SMALL = {"n_components": 1, "random_state": 0}
# Holes are what it is for; texts are categories.
TAKES = f"pandas,polars,pyarrow,number types,containers,{MISSING},all masked,a list of masked rows,"
TAKES += "a list with a masked cell"


def values(table: Any) -> np.ndarray:
    """The numbers of a table of any library."""
    if hasattr(table, "to_pandas"):
        table = table.to_pandas()
    return numbers(table.to_numpy(dtype=float) if hasattr(table, "iloc") else table)


def whole(table: Any, t: Rows) -> list[Pair]:
    return [(values(table), t.X)]


def punched(p: int) -> np.ndarray:
    X = clean(p).copy()
    X[0, 0] = np.nan
    return X


ENTRIES = [
    Entry(
        "missing.impute",
        lambda x, v: gm.missing.impute(x, **SMALL).table,
        whole,
        "X n_components",
        lambda X: three_rows(X) and X.shape[1] > 2,
        takes=TAKES,
    ),
    Entry(
        "missing.impute(cv)",
        lambda x, v: gm.missing.impute(x, random_state=0).table,
        whole,
        "X n_components",
        lambda X: False,
        takes=TAKES,
        share=0.3,
    ),
    Entry(
        "missing.impute.fill",
        lambda x, v: gm.missing.impute(punched(v.shape[1]), 0).fill(x),
        whole,
        "X n_components",
        lambda X: False,
        takes=f"{TAKES},a column of NaN,all NaN",
        skips=BOOLS,
    ),
    Entry(
        "missing.multiple",
        lambda x, v: gm.missing.multiple(x, n_tables=3, **SMALL).tables[1],
        whole,
        "X n_components",
        lambda X: False,
        takes=TAKES,
        share=0.5,
    ),
    Entry(
        "missing.choose",
        lambda x, v: gm.missing.choose(x, n_repeats=2, random_state=0),
        lambda r, t: [(0 <= r.n_components < t.p, True)],
        "X max_components",
        lambda X: False,
        takes=TAKES,
        share=0.2,
    ),
]
