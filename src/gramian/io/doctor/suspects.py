"""The roles of columns of numbers that measure nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from gramian.io.doctor.finding import Finding, finding, named
from gramian.io.doctor.numbers import is_coded, number_kind
from gramian.io.doctor.profiles import is_wide_counts

_ROLES = {"identifier": "ignored", "index": "ignored", "category": "group", "date": "supplementary"}
_LEAST = 10  # rows under which two values are no sign of categories
_ZEROS = 0.2  # of a table of counts, whose rarest columns hold 0 and 1 only
_SHOWN = 6
_REPEATED = 4  # columns of a series


def number_roles(numbers: pd.DataFrame) -> tuple[dict[Any, str], list[Finding]]:
    """Return the columns that should not make axes, each with its role and a finding.

    >>> frame = pd.DataFrame({"x": np.linspace(0, 1, 12), "race": [1.0, 2.0, 3.0] * 4})
    >>> number_roles(frame)[0]
    {'race': 'group'}
    """
    X = numbers.to_numpy(dtype=float, na_value=np.nan)
    if not X.size:
        return {}, []
    with np.errstate(invalid="ignore"):
        whole = (np.isnan(X) | (np.floor(X) == X)).all(axis=0)
    kinds: dict[Any, str] = {}
    series = _series(numbers.columns)
    for j in np.flatnonzero(whole).tolist():
        values = X[:, j][np.isfinite(X[:, j])]
        kind = number_kind(str(numbers.columns[j]), values)
        if kind is None and is_coded(str(numbers.columns[j]), values):
            kind = "category"
        if kind is not None and (kind, j) not in series:
            kinds[numbers.columns[j]] = kind
    kinds |= dict.fromkeys(_binary(numbers, X, whole, kinds), "category")
    values = {c: numbers[c].dropna().to_numpy(dtype=float) for c in kinds}
    return (
        {c: _ROLES[kind] for c, kind in kinds.items()},
        [_told(c, kind, values[c]) for c, kind in kinds.items()],
    )


def _series(columns: pd.Index) -> set[tuple[str, int]]:
    """Return the columns of a series such as sp1, sp2, sp3, whose name says nothing of each."""
    stems = [str(c).rstrip("0123456789") for c in columns]
    counts = Counter(stems)
    series = [j for j, stem in enumerate(stems) if counts[stem] >= _REPEATED]
    return {(kind, j) for j in series for kind in ("category", "identifier")}


def _binary(
    numbers: pd.DataFrame, X: np.ndarray, whole: np.ndarray, kinds: dict[Any, str]
) -> list[Any]:
    """Return the columns of two whole numbers beside others that are quantities."""
    if len(X) < _LEAST or is_wide_counts(X):
        return []
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    two = (
        whole
        & np.isfinite(high - low)
        & (low < high)
        & (np.isnan(X) | (low == X) | (high == X)).all(axis=0)
    )
    rest = [j for j, c in enumerate(numbers.columns) if not two[j] and c not in kinds]
    if len(rest) < 2 or np.median((X[:, rest] == 0).mean(axis=0)) > _ZEROS:
        return []
    return [c for j, c in enumerate(numbers.columns) if two[j] and c not in kinds]


def _told(column: Any, kind: str, values: np.ndarray) -> Finding:
    levels = np.unique(values)
    cells = ", ".join(f"{v:.10g}" for v in (levels if kind == "category" else values)[:_SHOWN])
    more = ", …" if kind == "category" and len(levels) > _SHOWN else ""
    key = "date.part" if kind == "date" else ""
    return finding(
        kind,
        key,
        column=column,
        setting=named("as_number", column),
        default=_ROLES[kind],
        cells=", ".join(cells.split(", ")[:3]) if kind == "identifier" else cells + more,
        count=len(levels),
    )
