"""Numbers that are none: identifiers, counters, codes of categories, codes for missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.io.doctor import vocabulary

_LEAST = 10  # rows under which a column is not suspected
_ROWS = 10  # under which an odd value is not taken for a code
_FEW = 12  # codes of one column
_NEGATIVE: tuple[float, ...] = (
    -9.0,
    -77.0,
    -88.0,
    -99.0,
    -777.0,
    -888.0,
    -999.0,
    -7777.0,
    -8888.0,
    -9999.0,
)
_NEGATIVE += (-99999.0, -999999.0, -99.9, -999.9, -999.99, -9999.9)
_POSITIVE: tuple[float, ...] = (
    99.0,
    999.0,
    9999.0,
    99999.0,
    999999.0,
    999.9,
    9999.9,
    99.9,
    1e20,
    1e30,
)
_POSITIVE += (9.969209968386869e36,)
_TIMES = {"time", "day", "week", "hour", "minute", "dose", "depth", "distance", "position", "rank"}
_TIMES |= {"age", "t", "temps", "jour", "rang", "step", "order", "lag", "year", "annee"}


def number_kind(name: str, values: np.ndarray) -> str | None:
    """Return "identifier", "index", "category" or "date" for numbers that measure nothing.

    Parameters
    ----------
    name : str
    values : ndarray
        Those that are there, in the order of the rows.

    >>> number_kind("ID", np.arange(1000.0, 1600, 7)), number_kind("height", np.arange(100.0, 200))
    ('identifier', None)
    """
    if len(values) < _LEAST or not _are_whole(values):
        return None
    distinct = len(np.unique(values))
    called = vocabulary.is_identifier(name) or vocabulary.is_counter(name)
    if distinct < 2:
        return None
    if vocabulary.is_postal(name):
        return "identifier"
    if called and (distinct > _FEW or distinct > 0.5 * len(values)):
        return "index" if _counts(values) else "identifier"
    if _counts_rows(name, values):
        return "index"
    if is_dated(name, values):
        return "date"
    return "category" if called or is_coded(name, values) else None


def is_coded(name: str, values: np.ndarray) -> bool:
    """Whether whole numbers are codes, by the name of the column.

    >>> is_coded("race", np.array([1.0, 2, 3] * 10)), is_coded("rooms", np.array([1.0, 2, 3] * 10))
    (True, False)
    """
    if not len(values) or not _are_whole(values):
        return False
    return vocabulary.is_category(name) and (
        2 <= len(np.unique(values)) <= min(_FEW, max(2, len(values) // 2))
    )


def is_dated(name: str, values: np.ndarray) -> bool:
    """Whether whole numbers are parts of dates, or dates written as 20240131.

    >>> is_dated("Month", np.array([5.0, 6, 7])), is_dated("date", np.array([20240131.0, 20240201]))
    (True, True)
    """
    part = vocabulary.calendar_part(name)
    if part is not None:
        return bool(values.min() >= part[0] and values.max() <= part[1])
    day, month = values % 100, values // 100 % 100
    if not ((values >= 18000101) & (values <= 21001231)).all():
        return "date" in vocabulary.words_of(name)
    return bool(((day >= 1) & (day <= 31) & (month >= 1) & (month <= 12)).all())


def is_measure(name: Any) -> bool:
    """Whether a column is called a time, a place or a number of rows, which nobody counted.

    >>> is_measure("Age"), is_measure("patient_id"), is_measure("age 20-29")
    (True, True, False)
    """
    if vocabulary.is_identifier(name) or vocabulary.is_counter(name):
        return True
    return bool(set(vocabulary.words_of(name)[-1:]) & _TIMES)


def share_distinct(values: np.ndarray) -> float:
    """Return how many of the values are different, as a share.

    >>> share_distinct(np.array([1.0, 1.0, 2.0, 3.0]))
    0.75
    """
    return len(np.unique(values)) / max(len(values), 1)


def _are_whole(values: np.ndarray) -> bool:
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all())


def _counts(values: np.ndarray) -> bool:
    """Whether values go up by one from row to row, but for a few fresh starts."""
    return bool((np.diff(values) == 1).mean() >= 0.8)


def _counts_rows(name: str, values: np.ndarray) -> bool:
    """Whether values are 1, 2, 3, … n, in a column that is not called time or rank."""
    if values[0] not in (0.0, 1.0) or name == "x" or set(vocabulary.words_of(name)) & _TIMES:
        return False
    return bool((np.diff(values) == 1).all()) and len(values) >= 10


def code_for_missing(name: str, values: np.ndarray) -> float | None:
    """Return a number that stands for missing: far from all others, and made of nines or eights.

    >>> code_for_missing("weight", np.array([60.0, 72, -999, 81, 55, -999, 64, 70, 66, 58]))
    -999.0
    >>> code_for_missing("cash", np.array([60.0, -72, -999, 810, -550, 640, 70, 12, 9, -3]))
    """
    if len(values) < _ROWS:
        return None
    for code, rest in ((values.min(), values[values > values.min()]), _top(values)):
        count = len(values) - len(rest)
        if len(rest) and _is_code(float(code), rest, name, count):
            return float(code)
    return None


def _top(values: np.ndarray) -> tuple[Any, np.ndarray]:
    return values.max(), values[values < values.max()]


def _is_code(code: float, rest: np.ndarray, name: str, count: int) -> bool:
    low, high = float(rest.min()), float(rest.max())
    span = high - low
    if code in _NEGATIVE:
        clear = count > 1 or low - code > 0.5 * span
        return (low >= 0 and clear) or (code < -50 and low - code > 3 * span)
    if code in _POSITIVE:
        far = code - high > max(span, 0.5 * abs(high), 1.0)
        return far and (count > 1 or code > 900)  # a count may well be 99 once
    # 9 beside 1 and 2 is the usual code of questionnaires.
    if count < 2 or code not in (8.0, 9.0) or not _are_whole(rest) or low < 0 or high > 4:
        return False
    return len(np.unique(rest)) <= (4 if vocabulary.is_category(name) else 2)
