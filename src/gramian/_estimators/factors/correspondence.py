"""Correspondence analysis of a table of counts."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.utils import Tags

from gramian._core.array import is_sparse, to_numpy
from gramian._core.check import one_of, warn
from gramian._core.embedding import Model
from gramian._core.operators.moments import Moments
from gramian._core.table import Table, raw_weights, table, weights
from gramian._core.types import DataLike, VectorLike, WeightsLike
from gramian._estimators.base import Attributes
from gramian._estimators.factors.base import ELEMENT_MEASURES, FactorEstimator
from gramian._reading.cloud import Cloud, ellipse_table, ratio, two_axes
from gramian._reading.correspondence import (
    Counts,
    active_columns,
    count_columns,
    counts_null,
    profile_table,
    supplementary_columns,
)
from gramian._reading.describe import Associations
from gramian._reading.null_table import NullTable
from gramian.errors import EmptyProfileWarning, InputError


class CA(FactorEstimator):
    """Correspondence analysis: rows and columns of a table of counts on the same axes.

    With P the table divided by its total, r and c its margins, rows are their profiles P_ij/r_i,
    with weights r, in the χ² metric 1/c. `eigenvalues_` are the inertias of the axes, `inertia_`
    is χ²/total.

    Parameters
    ----------
    n_components, solver, random_state
        As for `PCA`; by default every axis, at most min(rows, columns) − 1.

    Attributes
    ----------
    total_ : float
        The sum of all counts, times the weights of the rows, if any. All others are those of `PCA`.

    See Also
    --------
    MCA : several categorical columns.
    gramian.ecology.permanova : tests of counts by groups.

    References
    ----------
    - Benzécri (1973), L'analyse des données, tome 2 : l'analyse des correspondances.
    - Greenacre (2007), Correspondence analysis in practice.

    Notes
    -----
    `individuals` are the rows, `variables` the columns. A row without counts has no profile: it
    has no weight and lies at the origin. A sparse table stays sparse.

    Examples
    --------
    >>> counts = [[20, 5, 1], [6, 18, 6], [2, 7, 25]]
    >>> fit = gm.CA().fit(counts)
    >>> fit.eigenvalues_.round(3)
    array([0.49, 0.16])
    >>> fit.variables()["contribution", 1].round(3).tolist()
    [0.531, 0.0, 0.469]
    >>> fit.individuals([[10, 10, 0]])["coordinate", 1].round(3).tolist()
    [0.656]
    """

    _takes_sparse = True

    def _read(self, X: DataLike) -> Table:
        return profile_table(_counts(X, 2))[0]

    def _read_new(self, X: DataLike) -> Table:
        counts = self._like_fit(X, _counts(X, 1))
        rows, totals = profile_table(counts)
        _warn_of_empty(totals == 0, rows)
        return rows

    def _rows_and_weights(
        self, X: DataLike, sample_weight: WeightsLike
    ) -> tuple[Table, np.ndarray | None]:
        rows, totals = profile_table(_counts(X, 2))
        _warn_of_empty(totals == 0, rows)
        w = raw_weights(sample_weight, len(totals), index=rows.index)
        if not np.isfinite(totals.sum()):
            raise InputError("X: the sum of its counts overflows: divide the table by a constant")
        if not totals.any():
            raise InputError("X has no counts, every number is 0: give a table that has some")
        masses = totals if w is None else totals * (w / w.max())
        if np.count_nonzero(masses) < 2:
            raise InputError("X has only one sample with counts and a weight: give at least 2 rows")
        total = float(totals.sum() if w is None else totals @ w)
        return replace(rows, reader=Counts(total)), weights(masses, len(totals), "X")

    def _table_attributes(self, X: DataLike, rows: Table, sample_weight: WeightsLike) -> Attributes:
        return super()._table_attributes(X, rows, None) | {"total_": rows.reader.total}

    def _analyse(self, rows: Table, p: np.ndarray | None) -> tuple[Model, Attributes]:
        n, columns = rows.values.shape
        if columns < 2:
            raise InputError(f"X has 1 feature(s) (shape=({n}, 1)): CA needs at least 2 columns")
        return self._principal_axes(replace(rows, columns=None), p, _chi2, scale=False)

    def _dimension(self, rows: Table) -> int:
        return min(rows.values.shape) - 1

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        return counts_null(rows, p)

    def axis_elements(self) -> pd.DataFrame:
        """Return what makes the axes: the columns."""
        return self.variables()[ELEMENT_MEASURES]

    def _has_null(self, rows: Table, p: np.ndarray | None) -> bool:
        return isinstance(rows.reader, Counts) and rows.reader.whole(rows, p) is not None

    def _cloud(self, X: DataLike | None = None, diag: VectorLike | None = None) -> Cloud:
        cloud = super()._cloud(X, diag)
        rows = self.training_.rows if X is None else _counts(X, 1).values
        empty = to_numpy(rows.sum(axis=1)) == 0  # no profile: it lies at the origin
        return replace(cloud, distance2=np.where(empty, 0.0, cloud.distance2))

    def individuals(
        self, X: DataLike | None = None, *, diag: VectorLike | None = None
    ) -> pd.DataFrame:
        """Return the table of rows, those of the fit or supplementary rows of counts, (m, p).

        As for `PCA`, with distances of profiles in the χ² metric; for the rows of the fit also
        ("mass", "") and ("inertia", ""), the contribution of the row to χ²/total.
        """
        rows = super().individuals(X, diag=diag)
        if X is not None:
            return rows
        rows["mass", ""] = self._masses
        rows["inertia", ""] = self._masses * rows["distance2", ""]
        return rows

    def variables(self, table: DataLike | None = None, *, kind: str = "counts") -> pd.DataFrame:
        """Return the table of columns: those of the fit, or supplementary ones.

        Parameters
        ----------
        table : data frame or array, optional
            Columns on the rows of the fit, as for `PCA.variables`.
        kind : "counts" or "numbers"
            What supplementary columns are: counts, placed by their profiles on the axes of the
            rows, or any numbers, whose coordinate is the correlation weighted by the masses.

        Returns
        -------
        DataFrame
            Columns (measure, axis): "coordinate", "cos2", for the columns of the fit
            "contribution", for supplementary ones "correlation"; ("distance2", ""), and for those
            of the fit ("mass", "") and ("inertia", "").
        """
        one_of(kind, "kind", ("counts", "numbers"))
        if table is None:
            return self._own_variables("variables")
        if kind == "numbers":
            return super().variables(table)
        training = self.record_.training
        columns = count_columns(table, training.n, training.index)
        return supplementary_columns(self._cloud(), columns)

    def ellipses(
        self, axes: Sequence[int] = (1, 2), level: float = 0.95, *, of: str = "rows"
    ) -> pd.DataFrame:
        """Return the region of each row, or column, in a plane, for counts of a multinomial law.

        With Γ the standard coordinates of the columns, a row of n counts and profile p at f has
        the covariance (Γᵀ diag(p) Γ − ffᵀ)/n, the axes being held fixed. The result is as for
        `gm.stability`: centre, half axes and angle; `gm.plots.individuals(ca, ellipses=ca)` draws
        those of rows.

        Parameters
        ----------
        axes : two int
            The axes of the plane, counted from 1.
        level : float in (0, 1)
            Probability that the region holds the point.
        of : "rows" or "columns"
            The points; "columns" is the same with rows and columns exchanged.
        """
        pair = two_axes(axes, self.n_components_, level)
        own, P = [self.individuals(), self.variables()], self.training_.rows  # profiles of rows
        if one_of(of, "of", ("rows", "columns")) == "columns":
            own, P = own[::-1], P.T
        F, G = (part["coordinate"].to_numpy()[:, pair] for part in own)
        G = G / np.sqrt(np.maximum(self.eigenvalues_[pair], 1e-300))
        mass, other = (part["mass", ""].to_numpy()[:, None] for part in own)
        GG = (G[:, :, None] * G[:, None, :]).reshape(len(G), 4)
        # The profile of a column is P_ij·r_i/c_j.
        second = P @ GG if of == "rows" else ratio(P @ (GG * other), mass)
        S = second.reshape(-1, 2, 2) - F[:, :, None] * F[:, None, :]
        S = ratio(S, mass[:, :, None] * self.total_)
        return ellipse_table(F, S, stats.chi2.ppf(level, 2), own[0].index)

    def _active_variables(self) -> pd.DataFrame:
        return active_columns(self._principal, self._variable_names())

    def _active_associations(self) -> Associations:
        return []

    def describe(self, table: DataLike | None = None, *, alpha: float = 0.05) -> pd.DataFrame:
        """Return what is associated with each axis, with p-values, as `PCA.describe` of a table."""
        if table is None:
            raise InputError(
                "table is missing: rows and columns of a CA are read in individuals() and "
                "variables(): give the table whose columns should be described"
            )
        return super().describe(table, alpha=alpha)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


def _chi2(m: Moments) -> np.ndarray:
    """Return the χ² metric, 1/c; a column without counts has no part."""
    return ratio(np.ones(1), to_numpy(m.mean))


def _counts(X: DataLike, min_rows: int) -> Table:
    """Return a table of counts, or of other amounts that are not negative."""
    rows = table(X, "X", min_rows=min_rows)
    values = rows.values if is_sparse(rows.values) else to_numpy(rows.values)
    flat = np.asarray(values.data if is_sparse(values) else values)
    if flat.size and float(flat.min()) < 0:
        i, j = (int(k[0]) for k in (values < 0).nonzero())
        row = i if rows.index is None else rows.index[i]
        column = j if rows.columns is None else rows.columns[j]
        raise InputError(
            f"Negative values in data passed to CA: X has {float(values[i, j]):.6g} at row "
            f"{row!r}, column {column!r}: give counts, or use gm.PCA"
        )
    return replace(rows, values=values)


def _warn_of_empty(empty: np.ndarray, rows: Table) -> None:
    which = np.flatnonzero(empty)
    if which.size:
        labels = which[:5].tolist() if rows.index is None else list(rows.index[which[:5]])
        shown = ", ".join(repr(label) for label in labels)
        more = "" if which.size <= 5 else f" and {which.size - 5} more"
        warn(
            f"X: row {shown}{more} has no counts, so no profile: it lies at the origin and has "
            "no weight",
            EmptyProfileWarning,
        )
