"""The table that parallel analysis draws anew, as an estimator sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.embedding import is_table
from gramian._core.table import Table
from gramian._estimators._base import like_this
from gramian._reading.null_table import NullTable, by_columns
from gramian._reading.rules import settled
from gramian.errors import InputError


def settled_axes(estimator: Any, rows: Table, p: np.ndarray | None) -> Any:
    """Return n_components, a number where it names a rule that looks at the table."""
    seed = estimator.get_params(deep=False).get("random_state")
    return settled(estimator.n_components, lambda: null_table(estimator, rows, p), seed)


def null_table(estimator: Any, rows: Table, p: np.ndarray | None) -> NullTable:
    """Return the columns that are drawn anew and what their spectrum is."""
    if estimator._is_precomputed or not is_table(rows.values):
        raise InputError(
            "parallel analysis permutes the columns of one table, and there is none: give the "
            "table and a kernel or a metric instead of precomputed values, blocks or objects"
        )
    return estimator._null_table(rows, p)


def null_table_by_fits(
    estimator: Any, rows: Table, p: np.ndarray | None, *, has_signs: bool = True
) -> NullTable:
    """Return the columns and the spectrum of a fit to each table."""
    whole = like_this(estimator, n_components=None)

    def eigenvalues(columns: np.ndarray) -> np.ndarray:
        drawn = replace(rows, values=np.ascontiguousarray(columns.T))
        model, _ = whole._analyse(drawn, p)
        values = np.abs(to_numpy(model.spectrum.values)) * model.unit**2
        return np.append(values, np.zeros(max(columns.shape[1] - 1 - len(values), 0)))

    return NullTable(by_columns(rows.values), eigenvalues, 1.0, p, has_signs=has_signs)
