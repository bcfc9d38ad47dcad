"""A table as it stands in a file, before anybody says what its columns are for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from gramian._core.check import invalid, is_list
from gramian.errors import InputTypeError
from gramian.io.notes import Note

# Not "None", "null" or "-": these are also names of categories, and a column of numbers that
# holds them is reported.
NA_VALUES = ("", "NA", "N/A", "#N/A", "NaN", "nan", "NULL", "n/a", "<NA>")


@dataclass(frozen=True)
class Options:
    """How to read, where the reader should not guess."""

    kind: str | None = None
    format: str | None = None
    sep: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    header: bool | None = None
    row_names: Any = None
    na_values: Sequence[str] = ()
    active: Any = None
    supplementary: Any = None
    group: Any = None
    ignore: Any = None
    sheet: Any = None
    layer: str | None = None
    transpose: bool | None = None
    missing: str = "keep"
    title: str | None = None
    largest: int | str | None = None
    skip: int | None = None
    as_category: Any = None
    as_number: Any = None


@dataclass
class Raw:
    """The columns of a file, in order, and what was found while reading them."""

    frame: pd.DataFrame  # distinct texts as columns, rows numbered from 0
    names: list[str] | None = None  # of the rows, where the format says them
    roles: dict[str, str] = field(default_factory=dict)  # where the format says them
    notes: list[Note] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    is_distances: bool = False  # where the format says so
    is_guarded: bool = False  # texts that look like formulas have an apostrophe before them


def words(na_values: Any) -> list[str]:
    """Return texts that mean missing as a list of them.

    >>> words("-")
    ['-']
    """
    if isinstance(na_values, str):
        return [na_values]
    if not is_list(na_values) or not all(isinstance(word, str) for word in na_values):
        raise invalid("na_values", na_values, "must be a list of texts", InputTypeError)
    return list(na_values)


def distinct(names: Iterable[Any]) -> tuple[list[str], list[str]]:
    """Return names with a number added to those that were there before, and the repeated ones.

    >>> distinct(["a", "b", "a"])
    (['a', 'b', 'a (2)'], ['a'])
    """
    texts = [str(name) for name in names]
    if len(set(texts)) == len(texts):
        return texts, []
    taken, counts, out = set(texts), Counter[str](), []
    for text in texts:
        counts[text] += 1
        new = text
        while counts[text] > 1 and new in taken:
            new = f"{text} ({counts[text]})"
            if new in taken:
                counts[text] += 1
        taken.add(new)
        out.append(new)
    return out, [text for text, count in Counter(texts).items() if count > 1]
