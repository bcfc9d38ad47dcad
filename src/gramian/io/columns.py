"""Columns that an option names: they must be there; one text may name several, a,b."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterable
from typing import Any

import pandas as pd

from gramian._core.check import is_list, short
from gramian._study.language import Voice, quoted
from gramian.errors import InputError, InputTypeError


def known_columns(value: Any, frame: pd.DataFrame, option: str) -> list[str]:
    """Return names of columns that exist; suggest one where a name does not.

    >>> known_columns("a,b", pd.DataFrame({"a": [1], "b": [2], "c": [3]}), "ignore")
    ['a', 'b']
    """
    texts = [str(name) for name in _listed(value)]
    columns = [str(c) for c in frame.columns] if texts else []
    out = []
    for text in texts:
        parts = [text] if text in columns else _parted(text)
        out += [_known(part, columns, option) for part in parts]
    return list(dict.fromkeys(out))


def _parted(text: str) -> list[str]:
    """Return the names in a text such as a,b or "a, b",c."""
    try:
        parts = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:  # no list of names
        return [text]
    return [part.strip() for part in parts if part.strip()] or [text]


def _known(text: str, columns: list[str], option: str) -> str:
    if text not in columns:
        near = difflib.get_close_matches(text, columns, 1)
        absent = f"{option}: there is no column {text[:60]!r}"
        if near:
            absent += f"; did you mean {near[0]!r:.60}?"
        else:
            absent += f"; they are {Voice().write(quoted(columns))}"
        raise InputError(absent, argument=option, found=text)
    return text


def _listed(value: Any) -> Iterable[Any]:
    if value is None:
        return []
    if isinstance(value, str | int):
        return [value]
    if not is_list(value) and not isinstance(value, set | frozenset):
        raise InputTypeError(f"{short(value)} names no columns: give a name or a list of names")
    return list(value)
