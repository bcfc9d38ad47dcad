"""Cells of CSV files: quotes that must close, and texts that a spreadsheet would run as formulas.

Readers of CSV differ in what they do with a quote that never closes, or closes before its cell
ends, and lines are lost. A quote that starts a cell opens it; inside, two stand for one; what
follows the closing one is the end of the cell. Quotes inside a cell that does not start with one
are letters.
"""

import csv
import itertools
import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Literal

import pandas as pd
from pandas.api.types import is_numeric_dtype

from gramian._study.language.labels import escape_controls
from gramian.errors import InputError


@dataclass(frozen=True)
class Quotes:
    """What the quotes of a text hold."""

    lines: int = 0  # cells with line breaks
    first: int = 0  # the line where the first of them starts
    is_spaced: bool = False  # whether a cell has spaces before its quote


def check_quotes(text: bytes, sep: str, before: int = 0) -> Quotes:
    """Return what quoted cells hold, after some lines; refuse those that are not closed."""
    if b'"' not in text:
        return Quotes()
    marks = rb"\n\r" + re.escape(b" \t" if sep == " " else sep.encode("utf-8"))
    is_spaced = b' "' in text and re.search(rb"(?:\A|[" + marks + rb']) +"', text) is not None
    # A pattern that starts with a letter is looked for many times as fast as one that does not.
    start = rb"(?:\A|(?<=[" + marks + rb'])) *"' if is_spaced else rb'"(?<![^' + marks + rb']")'
    opening = re.compile(start)
    cell = re.compile(start + _INSIDE + rb"(?=[ \t]*(?:[" + marks + rb"]|\Z))")
    rest = cell.sub(b"x", text)
    if opening.search(rest):
        raise _fault(text, opening, cell, before)
    if _breaks(rest) == _breaks(text):
        return Quotes(is_spaced=is_spaced)
    places = [match.start() for match in cell.finditer(text) if _breaks(match[0])]
    return Quotes(len(places), before + _line(text, places[0]), is_spaced)


# Without a way back: a text of many quotes takes no longer than its length.
_INSIDE = rb'(?>[^"]*(?:""[^"]*)*)"'


def _breaks(text: bytes) -> int:
    return text.count(b"\n") + text.count(b"\r")


def _fault(
    text: bytes, opening: re.Pattern[bytes], cell: re.Pattern[bytes], before: int
) -> InputError:
    """Return what is wrong with the first quote that opens a cell and does not end with it."""
    at = 0
    while (match := opening.search(text, at)) is not None:
        whole = cell.match(text, match.start())
        if whole is None:
            line = before + _line(text, match.end())
            inside = re.compile(_INSIDE).match(text, match.end())
            if inside is None:
                return InputError(
                    f'line {line} opens a quote (") that is never closed: close it, or write the '
                    "cell without"
                )
            end = before + _line(text, inside.end())
            return InputError(
                f'line {line} opens a quote (") that closes before its cell ends (line {end}): '
                'write "" for a quote inside a quoted cell'
            )
        at = whole.end()
    return InputError('the quotes (") of the file are not closed: correct them')


def _line(text: bytes, at: int) -> int:
    """Return the number of the line of a place in a text."""
    before = text[:at]
    return 1 + before.count(b"\n") + (before.count(b"\r") - before.count(b"\r\n"))


# Spaces, quotes and marks that are not seen are skipped by one program or another before it looks.
_SKIPPED_MARKS = (
    "\\s'\"\\x00-\\x20\\x7f-\\xa0\\xad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff"
)
_FORMULA = re.compile(f"[{_SKIPPED_MARKS}]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]|'*[\t\r\n]")


def escape_formula(text: str) -> str:
    """Return a text with an apostrophe before it where it starts like a formula.

    Control characters are escaped, but for those that quotes hold: tabs and line ends.
    """
    text = escape_controls(text, keep="\t\n\r")
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_formula(text: str) -> str:
    """Return what `escape_formula` was given; control characters stay escaped."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text


def csv_text(frame: pd.DataFrame, sep: str = ",", label: str = "name") -> str:
    """Return a table as CSV: every digit of its numbers, and no text that would be run."""
    table = _escape_frame(frame)
    texts = [table.iloc[:, k] for k, kind in enumerate(table.dtypes) if not is_numeric_dtype(kind)]
    quotes = quoting(itertools.chain(table.index, table.columns, *texts))
    return table.to_csv(sep=sep, index_label=label, lineterminator="\n", quoting=quotes)


def quoting(cells: Iterable[object]) -> Literal[0, 2]:
    """Return how csv should quote: by default it leaves a lone carriage return bare."""
    bare = any("\r" in str(cell) for cell in cells)
    return csv.QUOTE_NONNUMERIC if bare else csv.QUOTE_MINIMAL


def _escape_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with its texts and labels guarded; numbers stay as they are."""
    out = frame.copy(deep=False)
    for k, kind in enumerate(frame.dtypes):
        if isinstance(kind, pd.CategoricalDtype) or kind in ("str", "object"):
            out.isetitem(k, [_escape_cell(value) for value in frame.iloc[:, k]])
    out.index = _escape_labels(frame.index)
    out.columns = _escape_labels(frame.columns)
    return out


def _escape_cell(value: Hashable) -> Hashable:
    return escape_formula(value) if isinstance(value, str) else value


def _escape_labels(index: pd.Index) -> pd.Index:
    if isinstance(index, pd.MultiIndex):
        cells = [tuple(_escape_cell(part) for part in key) for key in index]
        return pd.MultiIndex.from_tuples(cells, names=[_escape_cell(name) for name in index.names])
    if is_numeric_dtype(index.dtype):
        return index
    return pd.Index(
        [_escape_cell(label) for label in index], dtype=object, name=_escape_cell(index.name)
    )


def unescape_column(column: pd.Series) -> pd.Series:
    """Return a column of texts without apostrophes before what looks like a formula."""
    marked = column.str.startswith("'", na=False).to_numpy(dtype=bool)
    if not marked.any():
        return column
    out = column.copy()
    out[marked] = [unescape_formula(text) for text in column[marked]]
    return out
