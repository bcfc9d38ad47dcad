"""n_components="parallel": the axes that stand out of the data's own noise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gramian._array import to_numpy
from gramian._random import generator
from gramian._validate import Table
from gramian.errors import InputError
from gramian.reading.parallel import Columns, axes_above_noise, by_columns
from gramian.reading.rules import PARALLEL

__all__ = ["AgainstNoise"]


class AgainstNoise:
    """The table that parallel analysis draws anew, as an estimator sees it."""

    n_components: Any

    def _decided(self, rows: Table, p: np.ndarray | None) -> Any:
        """Return this estimator, its number of axes found by parallel analysis where asked."""
        if not (isinstance(self.n_components, str) and self.n_components == PARALLEL):
            return self
        columns = self._against_noise(rows, p)
        q = axes_above_noise(columns, generator(getattr(self, "random_state", None)))
        return self._like_this(n_components=q)

    def _against_noise(self, rows: Table, p: np.ndarray | None) -> Columns:
        """Return the columns and their spectrum; by default that of a fit to each table."""
        if getattr(self, "_is_precomputed", False) or not hasattr(rows.values, "shape"):
            raise InputError(
                "parallel analysis permutes the columns of a table, and there is none: give the "
                "table and a kernel or a metric instead of precomputed values or objects"
            )
        whole = self._like_this(n_components=None)

        def eigenvalues(columns: np.ndarray) -> np.ndarray:
            state = whole._fitted(replace(rows, values=np.ascontiguousarray(columns.T)), p)
            found = np.abs(to_numpy(state["eigenvalues_"]))
            return np.append(found, np.zeros(max(columns.shape[1] - 1 - len(found), 0)))

        return Columns(by_columns(rows.values), eigenvalues, 1.0, p)

    def _like_this(self, **changes: Any) -> Any:
        return type(self)(**self.get_params(deep=False) | changes)  # type: ignore[attr-defined]
