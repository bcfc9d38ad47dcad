"""n_components by a rule that looks at a table: the axes that stand out of its own noise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gramian._array import to_numpy
from gramian._validate import Table
from gramian.errors import InputError
from gramian.reading.parallel import Columns, by_columns
from gramian.reading.rules import settled

__all__ = ["AgainstNoise"]


class AgainstNoise:
    """The table that parallel analysis draws anew, as an estimator sees it."""

    n_components: Any

    def _decided(self, rows: Table, p: np.ndarray | None) -> Any:
        """Return this estimator, its number of axes settled where a rule looks at the table."""
        seed = getattr(self, "random_state", None)
        q = settled(self.n_components, lambda: self._against_noise(rows, p), seed)
        return self if q is self.n_components else self._like_this(n_components=q)

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
            values = np.abs(to_numpy(state["eigenvalues_"]))
            return np.append(values, np.zeros(max(columns.shape[1] - 1 - len(values), 0)))

        signs = not hasattr(self, "metric")  # a metric may be of amounts or categories
        return Columns(by_columns(rows.values), eigenvalues, 1.0, p, has_signs=signs)

    def _like_this(self, **changes: Any) -> Any:
        return type(self)(**self.get_params(deep=False) | changes)  # type: ignore[attr-defined]
