"""Entries of every public callable, from the walk of `tests.reliability.junk`.

For each callable and each of its arguments that is data, a hostile input takes the place of the
argument, and the others are good arguments of its size. What is true is the twin: the same call on
the plain numbers of the input. An estimator is also fitted on the input and read without arguments.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from tests.reliability.junk.entries import INNER
from tests.reliability.junk.entries import entries as walk
from tests.reliability.junk.good import GRAPHS, NAMED, WORDS
from tests.surface import ESTIMATORS

import gramian as gm

from ..cell import Entry, Pair
from ..judge import OURS, numbers
from .exceptions import SHARES, SKIPS, TAKES, WORDS_OF, is_data, matching

# kind of input: the parameters that take one.
PARAMETERS = {
    "table": "X Y Z S F N counts new points table data rows reduction supplementary everything a",
    "kernel": "K G matrix adjacency b",
    "distances": "D A B D2",
    "weights": "sample_weight weights column_weight coefficients",
    "labels": "labels groups condition y color",
    "eigenvalues": "source",
}
KIND_OF = {name: kind for kind, names in PARAMETERS.items() for name in names.split()}
SIZE = 12, 4  # of the good arguments, where the input has none


def kinds_of(name: str, parameter: str, good: Any) -> list[str]:
    """Return the kinds of input that an argument takes."""
    if parameter not in KIND_OF or not is_data(name, parameter):
        return []
    if good is GRAPHS or good is NAMED or good is WORDS:
        return ["sequences" if good is WORDS else "graphs"]
    if parameter == "y" and name.startswith("PrincipalComponentRegression"):
        return ["targets"]
    if parameter == "X" and ("precomputed" in name or name.startswith("DISTATIS")):
        return ["kernel" if name.startswith("KernelPCA") else "distances"]
    return ["eigenvalues", "table"] if parameter == "source" else [KIND_OF[parameter]]


def size_of(kind: str, parameter: str, plain: Any) -> tuple[int, int]:
    """Return how many rows and columns the other arguments have."""
    if kind in ("graphs", "sequences", "eigenvalues"):
        return SIZE
    shape = np.shape(plain)
    if kind == "table":
        return shape if len(shape) == 2 else SIZE
    return (9, shape[0]) if parameter == "column_weight" else (shape[0], SIZE[1])


def call(name: str, parameter: str, size: tuple[int, int], value: Any) -> Any:
    """Call an entry of the walk, one argument replaced (one block of it, of several tables)."""
    entry = walk(*size, named=False)[name]
    good = entry.made()
    if isinstance(good.get(parameter), dict) and "two" in good[parameter]:
        value = good[parameter] | {"two": value}
    return entry.call(**{**good, parameter: value})


def read(name: str, method: str, size: tuple[int, int], value: Any) -> Any:
    """Fit an estimator, and call a method without arguments."""
    return getattr(call(f"{name}.fit", "X", size, value), method)()


class Twin:
    """A call, and the same call on plain numbers."""

    def __init__(self, kind: str, parameter: str, run: Callable[[tuple[int, int], Any], Any]):
        self.kind, self.parameter, self.run = kind, parameter, run

    def __call__(self, x: Any, plain: Any) -> tuple[Any, Any, Any]:
        return self.run(size_of(self.kind, self.parameter, plain), x), x, plain

    def plainly(self, plain: Any) -> Any:
        """The result of the plain numbers."""
        return self(plain.copy() if isinstance(plain, np.ndarray) else list(plain), plain)[0]

    def accepts(self, plain: Any) -> bool:
        try:
            self.plainly(plain)
        except OURS:
            return False
        return True

    def pairs(self, result: tuple[Any, Any, Any], truth: Any) -> Iterator[Pair]:
        """Yield what two results say in numbers, in the order in which they say it."""
        got, x, plain = result
        if is_single(x):
            return  # of few digits, ranks and directions are others
        if isinstance(x, np.ndarray) and x.dtype == plain.dtype and x.flags.c_contiguous:
            return  # the same call
        first, second = list(readings(got)), list(readings(self.plainly(plain)))
        yield len(first), len(second)
        for a, b in zip(first, second, strict=True):
            yield np.append(a, 1), np.append(b, 1)  # what is rounding of one has no digits


def is_single(x: Any) -> bool:
    types = [getattr(x, "dtype", ""), *np.ravel(getattr(x, "dtypes", []))]
    return any(re.search(r"(?i)float(16|32)|half|f[24]\b", str(t)) for t in types)


SIMPLE = (bool, int, float, np.generic, np.ndarray)
DRAWN = ("Figure", "Study")  # pictures and pages, with the sizes of texts
# Attributes that hold names, classes, texts with their sizes, or how the work was done.
HIDDEN = re.compile(
    r"^_|name|label|level|index|class|record|timing|n_iter|text|width|height|claims"
)


def readings(value: Any, depth: int = 0) -> Iterator[np.ndarray]:
    """Yield the numbers of a result: of arrays, frames, records and fitted estimators."""
    if (
        isinstance(value, SIMPLE)
        or hasattr(value, "__array_namespace__")
        or hasattr(value, "detach")
    ):
        yield from _array(value)
    elif hasattr(value, "toarray"):
        yield from _array(value.toarray())
    elif hasattr(value, "to_pandas"):
        yield from readings(value.to_pandas(), depth)
    elif hasattr(value, "select_dtypes"):
        columns = [value.iloc[:, j].to_numpy() for j in range(value.shape[1])]
        yield np.array([array for column in columns for array in _array(column)]).T.ravel()
    elif hasattr(value, "iloc"):
        yield from _array(value.to_numpy())
    elif depth > 4 or type(value).__name__ in DRAWN:
        return
    elif isinstance(value, dict):
        for item in value.values():
            yield from readings(item, depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from readings(item, depth + 1)
    elif type(value).__module__.startswith("gramian."):
        for name, item in vars(value).items():
            if not HIDDEN.search(name):
                yield from readings(item, depth + 1)


def _array(value: Any) -> Iterator[np.ndarray]:
    """Yield an array of numbers; words are none."""
    try:
        yield numbers(value).ravel()
    except (TypeError, ValueError):
        return


def make(kind: str, name: str, parameter: str, words: Any, run: Any) -> Entry:
    twin = Twin(kind, parameter, run)
    return Entry(
        f"{name}[{parameter}]",
        twin,
        twin.pairs,
        " ".join([parameter, *words, WORDS_OF.get(kind, "")]),
        twin.accepts,
        ",".join(matching(TAKES, name, parameter)),
        ",".join(matching(SKIPS, name, parameter)),
        min(matching(SHARES, name, parameter), default=0.5),
        1e3,
    )


def derived() -> Iterator[tuple[str, Entry]]:
    """Yield kinds of input, and entries that take them."""
    for name, entry in walk(*SIZE, named=False).items():
        if "path" in entry.arguments:
            continue
        for parameter in entry.arguments:
            for kind in kinds_of(name, parameter, entry.good.get(parameter)):
                run = partial(call, name, parameter)
                yield kind, make(kind, name, parameter, entry.arguments, run)
    for name in ESTIMATORS:
        kind = "distances" if name == "DISTATIS" else "table"
        for method in without_arguments(getattr(gm, name)):
            if f"{name}.{method}" in INNER.split() or not is_data(f"{name}.fit.{method}", "X"):
                continue
            run = partial(read, name, method)
            yield kind, make(kind, f"{name}.fit.{method}", "X", ["n_components"], run)


def without_arguments(cls: type) -> Iterator[str]:
    """Yield the public methods of ours that can be called without an argument."""
    for name, method in inspect.getmembers(cls, inspect.isfunction):
        known = list(inspect.signature(method).parameters.values())[1:]
        ours = method.__module__.startswith("gramian.") and not name.startswith(
            ("_", "get_", "set_")
        )
        if ours and all(p.default is not inspect.Parameter.empty for p in known):
            yield name
