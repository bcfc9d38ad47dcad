"""What the factor methods share: a metric on the columns, weights on the rows."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
import pandas as pd
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, is_sparse, to_numpy
from gramian._core.check import Random
from gramian._core.embedding import FeatureModel, Model, count, principal_axes
from gramian._core.frames import collect, is_frame, labels_of
from gramian._core.operators.moments import Moments
from gramian._core.parallel import budget_bytes
from gramian._core.spectral.spectrum import Request
from gramian._core.table import Table, raw_weights, weights
from gramian._core.types import DataLike, SeedLike, VectorLike, WeightsLike
from gramian._estimators.base import (
    Attributes,
    SpectralEstimator,
    TableSolver,
    columns_of,
    read_coordinates,
    record_columns,
)
from gramian._reading.categories import (
    coding_null,
    coding_spectrum,
    variable_table,
    with_contributions,
)
from gramian._reading.cloud import Cloud, ratio
from gramian._reading.coding import Coding, encode_table, variables_and_index
from gramian._reading.columns import Factor, Numeric, frame_of
from gramian._reading.describe import Associations, supplementary_associations
from gramian._reading.null_table import NullTable
from gramian._reading.rules import selection
from gramian.errors import InputError

Metric = Callable[[Moments], np.ndarray]


class FactorEstimator(SpectralEstimator):
    """Principal axes of coded rows: a subclass says how they are coded and what columns weigh.

    In v-tests a row of weight w counts as w individuals where weights sum to more than 1, and as
    one individual otherwise; everything else rests on the proportions of the weights alone.
    """

    n_features_in_: Annotated[int, "p", ">= 1"]
    components_: Annotated[Array, "(q, J)"]
    total_: Annotated[float, "> 0"]
    _codes_rows = True
    _is_scaled = True  # supplementary numbers are read by their correlations

    def __init__(
        self,
        n_components: int | float | str | None = None,
        *,
        solver: TableSolver = "auto",
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
        self.random_state = random_state

    is_factor_method = True
    _has_numbers = False  # whether columns of numbers have correlations with the axes

    @property
    def is_scaled(self) -> bool:
        """Whether columns of numbers were divided by their standard deviations."""
        return self._has_numbers

    def _principal_axes(
        self, rows: Table, p: np.ndarray | None, metric: Metric, *, scale: bool
    ) -> tuple[Model, Attributes]:
        """Return the axes of the rows with a weight for every column."""
        request = self._request(rows)
        principal = principal_axes(
            rows.values, p, request, scale=scale, column_weight=metric, names=rows.columns
        )
        return FeatureModel(principal), {"components_": principal.spectrum.vectors.T}

    def _request(self, rows: Table) -> Request:
        dimension = self._dimension(rows)
        if dimension < 1:
            raise InputError(
                "X is constant: there is no axis where no row differs: give rows that do"
            )
        limit = min(count(rows.values), dimension)
        axes = selection(self.n_components, limit, "the axes that this table can have")
        known = Request(axes, self.solver, tol=1e-12, dimension=dimension)
        return replace(known, budget=budget_bytes(None), random=Random(self.random_state))

    def _dimension(self, rows: Table) -> int:
        raise NotImplementedError

    def _table_attributes(self, X: DataLike, rows: Table, sample_weight: WeightsLike) -> Attributes:
        n = count(rows.values)
        w = raw_weights(sample_weight, n, index=rows.index)
        return columns_of(as_given(X)) | {"total_": float(n if w is None else w.sum())}

    def _cloud(self, X: DataLike | None = None, diag: VectorLike | None = None) -> Cloud:
        cloud = super()._cloud(X, diag)
        return replace(cloud, size=self.total_ if self.total_ > 1 else None)

    @property
    def _masses(self) -> np.ndarray:
        """The weights of all rows, (n,)."""
        n = self.training_.n
        return np.full(n, 1.0 / n) if self.weights_ is None else self.weights_

    @property
    def _axes(self) -> np.ndarray:
        """The axes in the space of the coded columns, (J, q)."""
        return to_numpy(self._principal.spectrum.vectors).astype(np.float64)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


def as_given(X: DataLike) -> Any:
    """Return a table as scikit-learn counts its columns."""
    X = collect(X)
    if isinstance(X, Mapping) and not is_sparse(X):  # a DOK matrix is both
        return frame_of(X, "X")
    return X if is_frame(X) or hasattr(X, "shape") else np.asarray(X, dtype=object)


class MixedEstimator(FactorEstimator):
    """Rows of numbers and categories: numbers are scaled, categories become indicators.

    A subclass says what a variable weighs: (x − mean)/deviation·√w, and for each level of mass p
    (indicator − p)/√p·√w.
    """

    def _columns_of_table(self, X: DataLike, min_rows: int) -> tuple[list[Numeric | Factor], Any]:
        """Return the columns as this method takes them, and the row labels."""
        return variables_and_index(X, min_rows=min_rows)

    def _variable_weights(self, coding: Coding) -> np.ndarray:
        """Return the weight of each variable, (K,)."""
        return np.ones(len(coding.variables))

    def _read(self, X: DataLike) -> Table:
        return self._rows_and_weights(X, None)[0]

    def _rows_and_weights(
        self, X: DataLike, sample_weight: WeightsLike
    ) -> tuple[Table, np.ndarray | None]:
        columns, index = self._columns_of_table(X, 2)
        rows = encode_table(columns, index, Coding.of(columns))
        return rows, weights(sample_weight, count(rows.values), index=index)

    def _read_new(self, X: DataLike) -> Table:
        columns, index = self._columns_of_table(X, 1)
        record_columns(self, as_given(X), reset=False)
        return encode_table(columns, index, self.coding_)

    @property
    def _has_numbers(self) -> bool:  # type: ignore[override]
        return not bool(self.coding_.is_level.all())

    @property
    def questions(self) -> list[Hashable]:
        """The columns of categories, in which a missing answer is allowed."""
        return [v.name for v in self.coding_.variables if v.levels is not None]

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
        return rows.reader.max_axes(rows.values)

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        coding: Coding = rows.reader
        weight = self._variable_weights(coding)[coding.owner]
        return coding_null(
            coding, rows, p, lambda X: coding_spectrum(X, p, coding.is_level, weight)
        )

    def _active_variables(self) -> pd.DataFrame:
        weight = self._variable_weights(self.coding_)
        return variable_table(self._principal, self.coding_, weight)

    def _factors(self) -> list[Factor]:
        return self.coding_.factors(self.training_.rows)

    def categories(self, table: DataLike | None = None) -> pd.DataFrame:
        """Return the table of categories: those of the fit, or of the columns of a table.

        Parameters
        ----------
        table : data frame, array or one column, optional
            Supplementary categories, as for `PCA.categories`.

        Returns
        -------
        DataFrame
            As for `PCA.categories`; categories of the fit also have "contribution" and ("mass",
            ""), their share of the weight of the rows.
        """
        if table is not None:
            return super().categories(table)
        check_is_fitted(self)
        if not self.has_categories:
            raise InputError("table is missing: the fit has no categories of its own: give a table")
        own = self._category_table(self._factors())
        return with_contributions(own, self._principal, self.coding_)

    def inverse_transform(self, Z: DataLike) -> pd.DataFrame:
        """Return the table reconstructed from the coordinates Z, (m, q).

        Numbers are projections on the axes. A category is the level with the largest reconstructed
        indicator; the level of missing answers becomes a missing value again.
        """
        check_is_fitted(self)
        values = to_numpy(read_coordinates(Z, self.n_components_)).astype(np.float64)
        s = self._principal.standard
        coded = ratio((values / s.unit) @ self._axes.T, to_numpy(s.factor)) + to_numpy(s.mean)
        columns: dict[Any, np.ndarray] = {}
        for v, start in zip(self.coding_.variables, self.coding_.starts, strict=False):
            columns[v.name] = coded[:, start]
            if v.levels is not None:
                names = np.array([*v.levels[: v.width - v.has_holes], None], dtype=object)
                columns[v.name] = names[coded[:, start : start + v.width].argmax(axis=1)]
        return pd.DataFrame(columns, index=labels_of(Z))

    def axis_elements(self) -> pd.DataFrame:
        """Return what makes the axes: numbers and categories, by their plain names."""
        parts, own = [], self.variables()
        if "correlation" in own.columns.get_level_values(0):
            parts.append(own[own["correlation", 1].notna()][ELEMENT_MEASURES])
        if self.has_categories:
            levels = self.categories()[ELEMENT_MEASURES]
            parts.append(levels.set_axis(level_names(levels.index), axis=0))
        return pd.concat(parts)

    def _active_categories(self) -> pd.DataFrame | None:
        return named_categories(self.categories()) if self.has_categories else None

    def _active_associations(self) -> Associations:
        numbers = self.coding_.numbers(self.training_.rows)
        return supplementary_associations(self._cloud(), numbers, self._factors())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def named_categories(own: pd.DataFrame) -> pd.DataFrame:
    """Return a table of categories under plain names, "question=answer"."""
    return own.set_axis(pd.Index([f"{name}={level}" for name, level in own.index]))


ELEMENT_MEASURES = ["coordinate", "cos2", "contribution"]
_BARE_LEVELS = ("yes", "no", "oui", "non", "true", "false", "other", "none")


def level_names(index: pd.Index) -> list[str]:
    """Return categories by their names, with the question where that alone would say little.

    >>> answers = [("milk", "yes"), ("tea", "green"), ("sex", "F"), ("age", "> 60")]
    >>> level_names(pd.MultiIndex.from_tuples(answers))
    ['milk=yes', 'green', 'sex=F', 'age=> 60']
    """
    counts = Counter(str(level) for _, level in index)
    names = []
    for variable, level in index:
        text = str(level)  # 0, F and yes say nothing without their question
        is_bare = counts[text] > 1 or len(text) < 3 or text.lower() in _BARE_LEVELS
        is_bare |= not text[0].isalpha()  # "<7.25" and "> 60" are limits of something
        names.append(f"{variable}={text}" if is_bare else text)
    return names
