"""Profiles of counts, and the columns of a correspondence analysis."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.array import is_sparse, to_numpy
from gramian._core.embedding.models import FeatureModel, Record
from gramian._core.embedding.principal import Principal
from gramian._core.operators.moments import moments
from gramian._core.table import Table
from gramian._core.types import TableLike
from gramian._reading.cloud import Cloud, axes_frame, ratio
from gramian._reading.columns import Numeric, supplement_of
from gramian._reading.null_table import NullTable, by_columns
from gramian._reading.variables import correlations
from gramian.errors import InputError

_ROUNDING = 1e-9  # of the largest count, how far from a whole number one may be


def profile_table(counts: Table) -> tuple[Table, np.ndarray]:
    """Return the profiles of the rows, zeros for a row without counts, and their totals, (n,)."""
    values = counts.values.astype(np.float64)
    with np.errstate(over="ignore"):
        totals = np.asarray(values.sum(axis=1)).ravel()
    if not np.isfinite(totals).all():
        raise InputError("X: the sum of its counts overflows: divide the table by a constant")
    size = np.where(totals > 0, totals, 1.0)
    if is_sparse(values):
        values.data = values.data / np.repeat(size, np.diff(values.indptr))
        return replace(counts, values=values), totals
    return replace(counts, values=values / size[:, None]), totals


def active_columns(principal: Principal, names: Sequence[Any]) -> pd.DataFrame:
    """Return the table of the columns that made the axes."""
    # With axes v in the metric 1/c, column j has the coordinate √λ·v_j/√c_j and contributes v_j²;
    # its squared distance to the average profile is that of its own profile over the rows.
    V = to_numpy(principal.spectrum.vectors).astype(np.float64)
    c = to_numpy(principal.standard.mean)
    live = to_numpy(principal.standard.factor) > 0
    mass = np.where(live, c, 0.0)
    Z = ratio(V * np.sqrt(principal.spectrum.values), np.sqrt(mass)[:, None])
    distance2 = ratio(to_numpy(principal.standard.deviation), mass) ** 2
    measures = {
        "coordinate": Z,
        "cos2": ratio(Z**2, np.maximum(distance2, (Z**2).sum(axis=1))[:, None]),
        "contribution": np.where(live[:, None], V**2, 0.0),
    }
    single = {("distance2", ""): distance2, ("mass", ""): mass, ("inertia", ""): mass * distance2}
    return axes_frame(measures, pd.Index(names), single)


def count_columns(table: TableLike, n: int, index: pd.Index | None) -> list[Numeric]:
    numeric = supplement_of(table, n, index).numeric
    if not numeric:
        raise InputError("table has no numeric column: give counts, or use categories(table)")
    for column in numeric:
        known = column.values[~np.isnan(column.values)]
        if known.size < n or known.min() < 0:
            what = "missing values" if known.size < n else "negative numbers"
            raise InputError(
                f"table has {what} in column {column.name!r}: give counts, or use kind='numbers'"
            )
        if not column.values.any():
            raise InputError(f"table has no counts in column {column.name!r}: drop it")
    return numeric


def supplementary_columns(cloud: Cloud, counts: Sequence[Numeric]) -> pd.DataFrame:
    """Return the table of columns of counts that had no part in the axes."""
    # A column lies at the barycentre of the rows that have a weight, its counts as weights, over
    # √λ.
    N = np.stack([column.values for column in counts], axis=1) * cloud.live[:, None]
    profile = ratio(N, N.sum(axis=0))
    Z = ratio(profile.T @ cloud.coordinates, np.sqrt(cloud.values))
    r = cloud.p[:, None]
    distance2 = (np.where(r > 0, r, 1.0) * (ratio(profile, r) - 1.0) ** 2 * (r > 0)).sum(axis=0)
    measures = {
        "coordinate": Z,
        "correlation": correlations(cloud, counts)[0],
        "cos2": ratio(Z**2, np.maximum(distance2, (Z**2).sum(axis=1))[:, None]),
    }
    index = pd.Index([column.name for column in counts])
    return axes_frame(measures, index, {("distance2", ""): distance2})


@dataclass(frozen=True)
class Counts:
    """How many things the profiles of a table count in all."""

    total: Annotated[float, "> 0"]

    def whole(self, rows: Table, p: np.ndarray | None) -> np.ndarray | None:
        """Return the counts by columns, (p, n), or None where they are no whole numbers."""
        n = rows.values.shape[0]
        mass = np.full(n, 1.0 / n) if p is None else p
        counts = by_columns(rows.values) * (mass * self.total)
        near = np.rint(counts)
        return near if np.abs(counts - near).max() <= _ROUNDING * max(near.max(), 1.0) else None


def counts_null(rows: Table, p: np.ndarray | None) -> NullTable:
    """Return the counts, how tables of the same margins are drawn, and their spectrum."""
    counts = rows.reader.whole(rows, p) if isinstance(rows.reader, Counts) else None
    if counts is None:
        raise InputError(
            "n_components: parallel analysis of CA draws tables of counts with the same margins, "
            "and X does not hold whole numbers: use another rule, such as 'kaiser' or 'elbow'"
        )
    n = counts.shape[1]

    # Rows and columns are independent: each of the things counted keeps its row, and their columns
    # are permuted among them.
    def draw(columns: np.ndarray, seed: int) -> np.ndarray:
        law = stats.random_table(columns.sum(axis=1).astype(int), columns.sum(axis=0).astype(int))
        return law.rvs(random_state=np.random.default_rng(seed))

    def eigenvalues(columns: np.ndarray) -> np.ndarray:
        live = columns[columns.any(axis=1)][:, columns.any(axis=0)] / columns.sum()
        expected = np.outer(live.sum(axis=1), live.sum(axis=0))
        values = np.linalg.svd((live - expected) / np.sqrt(expected), compute_uv=False)[:-1] ** 2
        return np.append(values, np.zeros(max(n - 1 - len(values), 0)))[: n - 1]

    return NullTable(counts, eigenvalues, 1.0, None, has_signs=False, draw=draw)


def all_inertias(fit: Record) -> np.ndarray:
    """Return every eigenvalue of a fit to features, those of axes that were left out too."""
    assert isinstance(fit.model, FeatureModel)
    rows, p = fit.training.active()
    values = fit.model.spectrum.values
    if values.sum() >= (1.0 - 1e-12) * fit.model.spectrum.total:
        return values
    m = moments(rows.values, p)
    d = to_numpy(m.unit * fit.model.principal.standard.factor)
    return np.linalg.eigvalsh(to_numpy(m.covariance) * np.outer(d, d))[::-1]


def benzecri(values: np.ndarray, K: int) -> np.ndarray:
    """Return Benzécri's inertias of K questions, (K/(K − 1))²(λ − 1/K)² for λ > 1/K, else 0."""
    if K < 2:
        return np.array(values, dtype=float)
    return np.where(values > 1.0 / K, (K / (K - 1.0) * (values - 1.0 / K)) ** 2, 0.0)


def greenacre_total(values: np.ndarray, K: int, J: int) -> float:
    """Return K/(K − 1)·(Σλ² − (J − K)/K²): the mean inertia of the Burt table off its diagonal."""
    if K < 2:
        return float(values.sum())
    return float(K / (K - 1.0) * ((values**2).sum() - (J - K) / K**2))
