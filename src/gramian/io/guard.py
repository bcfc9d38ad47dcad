"""Texts in CSV files that a spreadsheet would run as formulas: an apostrophe keeps them texts."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable
from typing import Any, Literal

import pandas as pd

from gramian._study.language.labels import escape_controls

# Spaces, quotes and marks that are not seen are skipped by one program or another before it looks.
_SKIPPED = "\\s'\"\\x00-\\x20\\x7f-\\xa0\\xad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff"
_FORMULA = re.compile(f"[{_SKIPPED}]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]|'*[\t\r\n]")


def guarded(text: str) -> str:
    """Return a text with an apostrophe before it where it starts like a formula.

    Control characters are escaped, but for those that quotes hold: tabs and line ends.

    >>> guarded("=1+1"), guarded("a=b")
    ("'=1+1", 'a=b')
    """
    text = escape_controls(text, keep="\t\n\r")
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Return what `guarded` was given; what was escaped stays so.

    >>> [unguarded(guarded(text)) for text in ("=1", "'=1", "'tis")]
    ['=1', "'=1", "'tis"]
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text


def csv_text(frame: pd.DataFrame, sep: str = ",", label: str = "name") -> str:
    """Return a table as CSV: every digit of its numbers, and no text that would be run.

    >>> csv_text(pd.DataFrame({"x": [-0.5]}, index=["=a"]))
    "name,x\\n'=a,-0.5\\n"
    """
    table = _guarded_frame(frame)
    columns = [table.iloc[:, k] for k, kind in enumerate(table.dtypes) if not _is_numbers(kind)]
    texts = itertools.chain(table.index, table.columns, *columns)
    quotes = quoting(texts)
    return table.to_csv(sep=sep, index_label=label, lineterminator="\n", quoting=quotes)


def quoting(cells: Iterable[Any]) -> Literal[0, 2]:
    """Return how csv should quote: it leaves a lone carriage return, a line end to readers, bare.

    >>> quoting(["a", "b"]) == csv.QUOTE_MINIMAL
    True
    """
    bare = any("\r" in str(cell) for cell in cells)
    return csv.QUOTE_NONNUMERIC if bare else csv.QUOTE_MINIMAL


def _guarded_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with its texts and labels guarded; numbers stay as they are."""
    out = frame.copy(deep=False)
    for k, kind in enumerate(frame.dtypes):
        if isinstance(kind, pd.CategoricalDtype) or kind in ("str", "object"):
            out.isetitem(k, [_cell(value) for value in frame.iloc[:, k]])
    out.index = _labels(frame.index)
    out.columns = _labels(frame.columns)
    return out


def _is_numbers(kind: Any) -> bool:
    return pd.api.types.is_numeric_dtype(kind)


def _cell(value: Any) -> Any:
    return guarded(value) if isinstance(value, str) else value


def _labels(index: pd.Index) -> pd.Index:
    if isinstance(index, pd.MultiIndex):
        cells = [tuple(_cell(part) for part in key) for key in index]
        return pd.MultiIndex.from_tuples(cells, names=[_cell(name) for name in index.names])
    if _is_numbers(index.dtype):
        return index
    return pd.Index([_cell(label) for label in index], dtype=object, name=_cell(index.name))


def unguarded_column(column: pd.Series) -> pd.Series:
    """Return a column of texts without apostrophes before what looks like a formula."""
    marked = column.str.startswith("'", na=False).to_numpy(dtype=bool)
    if not marked.any():
        return column
    out = column.copy()
    out[marked] = [unguarded(text) for text in column[marked]]
    return out
