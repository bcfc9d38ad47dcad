"""Factor methods of tables of numbers and categories."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import to_numpy
from gramian._core.embedding import Model
from gramian._core.operators.moments import Moments
from gramian._core.table import Table
from gramian._estimators._base import Attributes, NullTable, note_columns
from gramian._estimators.factors.base import FactorEstimator, as_given
from gramian._reading.categories import (
    categories,
    coded_null,
    coded_spectrum,
    variable_table,
    with_contributions,
)
from gramian._reading.cloud import norms_of_means
from gramian._reading.coding import Coding, mixed_columns, mixed_table
from gramian._reading.columns import Factor, Numeric
from gramian._reading.describe import Ties, supplementary_ties
from gramian.errors import InputError


class MixedEstimator(FactorEstimator):
    """Rows of numbers and categories: numbers are scaled, categories become indicators.

    A subclass says what a variable weighs: (x − mean)/deviation·√w, and for each level of mass p
    (indicator − p)/√p·√w.
    """

    def _columns_of_table(self, X: Any, min_rows: int) -> tuple[list[Numeric | Factor], Any]:
        """Return the columns as this method takes them, and the row labels."""
        return mixed_columns(X, min_rows=min_rows)

    def _variable_weights(self, coding: Coding) -> np.ndarray:
        """Return the weight of each variable, (K,)."""
        return np.ones(len(coding.variables))

    def _read(self, X: Any) -> Table:
        columns, index = self._columns_of_table(X, 2)
        return mixed_table(columns, index, Coding.of(columns))

    def _read_new(self, X: Any) -> Table:
        columns, index = self._columns_of_table(X, 1)
        note_columns(self, as_given(X), reset=False)
        return mixed_table(columns, index, self.coding_)

    @property
    def _has_numbers(self) -> bool:  # type: ignore[override]
        return not bool(self.coding_.is_level.all())

    @property
    def _has_levels(self) -> bool:  # type: ignore[override]
        return bool(self.coding_.is_level.any())

    @property
    def coding_(self) -> Coding:
        """How the columns of the table became columns of numbers."""
        return self._record("coding_").training.reader

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        coding: Coding = rows.reader
        weight = self._variable_weights(coding)[coding.owner]

        def metric(m: Moments) -> np.ndarray:
            # Columns are divided by their deviation √(p(1 − p)): this makes it √p for a level.
            return weight * np.where(coding.is_level, 1.0 - to_numpy(m.mean), 1.0)

        return self._principal_axes(rows, p, metric, scale=True)

    def _dimension(self, rows: Table) -> int:
        return rows.reader.held(rows.values)

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        coding: Coding = rows.reader
        weight = self._variable_weights(coding)[coding.owner]
        return coded_null(coding, rows, p, lambda X: coded_spectrum(X, p, coding.is_level, weight))

    def _active_variables(self) -> pd.DataFrame:
        weight = self._variable_weights(self.coding_)
        return variable_table(self._principal, self.coding_, weight)

    def _factors(self) -> list[Factor]:
        return self.coding_.factors(self.training_.rows)

    def _placed_categories(self, factors: list[Factor]) -> pd.DataFrame:
        """Return the table of categories, without contributions."""
        return categories(self._cloud(), factors, lambda W: norms_of_means(self.record_, W))

    def categories(self, table: Any = None) -> pd.DataFrame:
        """Return the table of categories: those of the fit, or of the columns of a table.

        Parameters
        ----------
        table : data frame, array or one column, optional
            Supplementary categories, as for `PCA.categories`.

        Returns
        -------
        DataFrame
            Rows (variable, category); columns (measure, axis): "coordinate", "cos2", for
            categories of the fit "contribution", "v_test", "eta2"; ("distance2", "") and, for
            those of the fit, ("mass", ""), their share of the rows' weight.
        """
        check_is_fitted(self)
        if table is not None:
            factors = self._columns_of(table).factors
            if not factors:
                raise InputError(
                    "table has no categorical column: give one, or use variables(table)"
                )
            return self._placed_categories(factors)
        if not self.coding_.is_level.any():
            raise InputError("table is missing: the fit has no categories of its own: give a table")
        return self._with_contributions(self._placed_categories(self._factors()))

    def _with_contributions(self, own: pd.DataFrame) -> pd.DataFrame:
        return with_contributions(own, self._principal, self.coding_)

    def _active_categories(self) -> pd.DataFrame | None:
        if not self.coding_.is_level.any():
            return None
        own = self.categories()
        return own.set_axis(pd.Index([f"{name}={level}" for name, level in own.index]))

    def _active_ties(self) -> Ties:
        values, coding = self.training_.rows, self.coding_
        numbers, factors = coding.numbers(values), coding.factors(values)
        return supplementary_ties(self._cloud(), numbers, factors)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
