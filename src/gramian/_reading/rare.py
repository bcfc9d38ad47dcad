"""Columns as categories, and what is done with rare levels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from gramian._core.numbers import EXACT
from gramian._reading.columns import Factor, Numeric
from gramian.errors import InputError


def as_categories(columns: Sequence[Numeric | Factor], method: str) -> list[Numeric | Factor]:
    """Return every column as categories; whole numbers are codes, other numbers are refused."""
    return [c if isinstance(c, Factor) else _codes(c, method) for c in columns]


def rare_levels(factor: Factor, w: np.ndarray | None, share: float) -> list[object]:
    """Return the levels with less than a share of the weight, none where one or none would stay."""
    held = factor.codes >= 0
    weight = None if w is None else w[held]
    mass = np.bincount(factor.codes[held], weights=weight, minlength=len(factor.labels))
    total = len(factor.codes) if w is None else w.sum()
    rare = mass < share * total
    return [] if np.count_nonzero(~rare) < 2 else list(factor.labels[rare])


def _codes(column: Numeric, method: str) -> Factor:
    known = ~np.isnan(column.values)
    values = column.values[known]
    broken = (values != np.round(values)) | (np.abs(values) > EXACT)
    if broken.any():
        raise InputError(
            f"X, column {column.name!r} holds numbers that are no codes ({values[broken][0]:g}): "
            f"{method} takes categories: cut the column into classes, or use gm.FAMD"
        )
    labels, places = np.unique(values, return_inverse=True)
    codes = np.full(len(column.values), -1)
    codes[known] = places
    return Factor(column.name, codes, pd.Index([int(label) for label in labels], dtype=object))
