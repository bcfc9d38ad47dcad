"""The record that every data set comes in, and the small helpers that fill it."""

import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Literal, ParamSpec

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gramian._core.views import facts_html
from gramian.datasets.catalogue import ENTRIES
from gramian.errors import InputError

P = ParamSpec("P")


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A data set: a table, supplementary columns, a description and known answers.

    Parameters
    ----------
    name : str
        The name under which `gramian.datasets.load` finds it.
    description : str
        One paragraph on the rows, the columns and what the data are useful for.
    data : DataFrame (n, p), or (n, n) for distances
        The active numeric columns, one row per individual, or distances between individuals.
    groups : DataFrame (n, any)
        Supplementary columns, categorical or numeric, on the same rows as `data`.
    truth : dict
        What is known by construction (parameters of a simulation, planted sets, true positions).
    kind : {"table", "distances"}
        What `data` holds.
    code : str
        The call that creates it, such as ``gm.datasets.rings(noise=0.2)``; empty if unknown.

    Examples
    --------
    >>> toy = Dataset("toy", "Two points.", pd.DataFrame({"x": [0.0, 1.0]}, index=["a", "b"]))
    >>> toy.data.shape, toy.groups.shape
    ((2, 1), (2, 0))
    """

    name: str
    description: str
    data: pd.DataFrame
    groups: pd.DataFrame = None  # type: ignore[assignment]  # no columns, set below
    truth: dict[str, Any] = field(default_factory=dict)
    kind: Literal["table", "distances"] = "table"
    code: str = ""

    def __post_init__(self) -> None:
        """Give absent groups their rows, and refuse parts that do not fit together."""
        if self.groups is None:
            object.__setattr__(self, "groups", pd.DataFrame(index=self.data.index))
        if not self.groups.index.equals(self.data.index):
            raise InputError(f"{self.name}: groups and data must have the same row labels")
        if self.kind == "distances" and not self.data.index.equals(self.data.columns):
            raise InputError(f"{self.name}: distances need the same labels on rows and columns")

    @property
    def target(self) -> pd.DataFrame:
        """Another name for `groups`, the one that prediction uses."""
        return self.groups

    @property
    def distances(self) -> pd.DataFrame:
        """The square table of distances; only where ``kind`` is ``"distances"``."""
        if self.kind != "distances":
            raise AttributeError(f"{self.name!r} is a table of variables, not distances: use .data")
        return self.data

    def __repr__(self) -> str:
        title, parts = self._facts()
        lines = [title, *(f"  {part:<7} {text}" for part, text in parts.items()), ""]
        return "\n".join([*lines, textwrap.indent(textwrap.fill(self.description, 86), "  ")])

    def _repr_html_(self) -> str:
        return facts_html(*self._facts())

    def _facts(self) -> tuple[str, dict[str, str]]:
        n, p = self.data.shape
        size = f"{n} rows × {p} columns" if self.kind == "table" else f"{n} × {n} distances"
        return f"Dataset {self.name!r}: {size}", {
            "data": _shorten([str(label) for label in self.data.columns]),
            "groups": "; ".join(_outline(self.groups[label]) for label in self.groups) or "none",
            "truth": ", ".join(self.truth) or "none",
        }


def remember_call(maker: Callable[P, Dataset]) -> Callable[P, Dataset]:
    """Let the data sets of a function know the call that makes them."""
    signature = inspect.signature(maker)

    @wraps(maker)
    def with_call(*args: P.args, **options: P.kwargs) -> Dataset:
        dataset = maker(*args, **options)
        arguments = signature.bind(*args, **options).arguments
        if not all(_is_written(value) for value in arguments.values()):
            return dataset
        text = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        return replace(dataset, code=f"gm.datasets.{maker.__name__}({text})")

    return with_call


def _is_written(value: object) -> bool:
    """Whether the value of an option can be typed as it is printed."""
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return all(map(_is_written, value))
    return value is None or type(value) in (bool, int, float, str)


def _shorten(words: Sequence[str]) -> str:
    """Join a few words, with an ellipsis for the rest."""
    return ", ".join(words[:6]) + (f", … ({len(words)})" if len(words) > 6 else "")


def _outline(column: pd.Series) -> str:
    """Describe a supplementary column: its categories with their sizes, or its range."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        sizes = column.value_counts(sort=False)
        return f"{column.name} ({_shorten([f'{level}: {size}' for level, size in sizes.items()])})"
    return f"{column.name} ({column.min():g} to {column.max():g})"


def listed(
    name: str,
    data: pd.DataFrame,
    groups: pd.DataFrame | None = None,
    truth: dict[str, Any] | None = None,
) -> Dataset:
    """Return a data set of the catalogue, which knows its kind and describes it."""
    groups = pd.DataFrame(index=data.index) if groups is None else groups
    entry = ENTRIES[name]
    return Dataset(name, entry.description, data, groups, truth or {}, entry.kind)


def row_labels(prefix: str, n: int, width: int = 1) -> list[str]:
    """Label n rows from 1, padded so that they sort: p01, p02, …, p90."""
    width = max(width, len(str(n)))
    return [f"{prefix}{i:0{width}d}" for i in range(1, n + 1)]


def one_group(
    name: str, codes: NDArray[np.integer], levels: Sequence[str], rows: Sequence[str]
) -> pd.DataFrame:
    """Build a one-column frame of categories from integer codes into `levels`."""
    labels = pd.Categorical.from_codes(codes, pd.Index(levels))
    return pd.DataFrame({name: labels}, index=list(rows))
