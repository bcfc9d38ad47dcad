"""The rows of an estimator, fitted or not, their spectrum, their pairs and their null tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import Array, is_array, take, to_numpy
from gramian._core.embedding import Training, count, is_table
from gramian._core.operators import Gram, SelectedGram
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.table import Table, distance_matrix, table, weights
from gramian._core.types import RowsLike, TableLike, WeightsLike
from gramian._estimators.base import SpectralEstimator, like_this
from gramian._estimators.pca import PCA
from gramian._estimators.scaling.distances import MetricLike, distance_of, distance_rows, is_metric
from gramian._reading.null_table import NullTable, square_unit
from gramian.errors import InputError
from gramian.kernels import Kernel


def read_rows(estimator: SpectralEstimator, X: RowsLike) -> Table:
    """Return rows as an estimator reads them."""
    return estimator._read(estimator._fill_missing(X, None)[0])


def training_of(fitted: object) -> Training:
    """Return the rows of a fit, or say that there are none."""
    if not isinstance(fitted, SpectralEstimator):
        raise InputError(f"{type(fitted).__name__} keeps no rows: give an estimator of gramian")
    if "record_" not in vars(fitted):
        raise InputError(
            f"{type(fitted).__name__} is not fitted: give its data too, choose(estimator, X)"
        )
    if fitted.training_.kind == "gone":
        raise InputError(
            "the fit read its rows in blocks, and did not keep them: give them too, or a sample "
            "of them, as one table: X.compute() of dask, X.collect() of a scan"
        )
    return fitted.training_


def rows_and_weights(
    estimator: object, X: RowsLike | None = None, sample_weight: WeightsLike = None
) -> tuple[Table, np.ndarray | None]:
    """Return the rows that have a weight, of X or of the fit, and their weights."""
    if X is None:
        return training_of(estimator).active()
    square = False
    if isinstance(estimator, SpectralEstimator):
        rows, p = estimator._rows_and_weights(X, sample_weight)
        square = estimator.is_precomputed
    else:
        rows = table(X)
        p = weights(sample_weight, count(rows.values), index=rows.index)
    # A view for the moment: nothing is kept, so nothing is copied or marked.
    return Training("square" if square else "table", rows, count(rows.values), p).active()


@dataclass(frozen=True)
class EigenSpectrum:
    """Every eigenvalue of an estimator's rows."""

    values: np.ndarray  # their moduli
    total: float  # the inertia
    kernel: Kernel | None = None  # resolved, where the estimator has one of its own
    dimension: int | None = None  # how many axes there could be, where it is not one less than rows


def spectrum(estimator: SpectralEstimator, rows: Table, p: np.ndarray | None) -> EigenSpectrum:
    """Return every eigenvalue of rows, as an estimator sees them."""
    model, own = estimator._analyse(rows, p)
    square = square_unit(model.unit)
    values = np.abs(to_numpy(model.spectrum.values)) * square
    # MultiKernelPCA has several kernels, and values computed before have none.
    has_kernel = "kernel" in estimator.get_params(deep=False) and not estimator.is_precomputed
    kernel = own.get("kernel_") if has_kernel else None
    total = float(model.spectrum.total) * square
    return EigenSpectrum(values, total, kernel, estimator._dimension(rows))


def spectrum_of_moments(fitted: object) -> tuple[np.ndarray, int] | None:
    """Return all eigenvalues of a PCA of blocks of rows, and their number, from its moments."""
    if not isinstance(fitted, PCA) or not fitted.is_streamed:
        return None
    stream = fitted.stream_
    if stream is None or stream.moments.second.ndim != 2:
        return None
    state = like_this(fitted, n_components=None)._state_of_stream(stream)
    return np.asarray(to_numpy(state["eigenvalues_"]), dtype=float), stream.n


def has_null_table(estimator: object, rows: Table, p: np.ndarray | None = None) -> bool:
    """Whether there is a table whose columns can be permuted."""
    if not isinstance(estimator, SpectralEstimator) or estimator.is_precomputed:
        return False
    return is_table(rows.values) and estimator._has_null(rows, p)


def null_table(estimator: SpectralEstimator, rows: Table, p: np.ndarray | None) -> NullTable:
    """Return the columns that parallel analysis permutes and what their spectrum is."""
    return estimator._columns_to_permute(rows, p)


@dataclass(frozen=True, eq=False)
class Pairs:
    """What a method starts from, between some rows: similarities or distances."""

    values: np.ndarray  # (m, m)
    kind: str  # "similarity" or "distance"
    features: np.ndarray | None = None  # (m, k), where the similarities are their products


def pairs(
    fitted: SpectralEstimator, rows: Array | Gram | Sequence[Any], picked: np.ndarray
) -> Pairs:
    """Return similarities or distances between some of the rows, as a fit sees them."""
    kind = fitted._pair_kind
    if isinstance(rows, Gram):
        return Pairs(to_numpy(SelectedGram(rows, picked).dense()), kind)
    if isinstance(rows, list):
        some: Any = [rows[i] for i in picked]
    else:
        some = take(rows, picked, axis=0) if is_array(rows) else rows[picked.tolist()]
    if fitted.is_precomputed:
        return Pairs(to_numpy(some)[:, picked], kind)
    values = fitted._pair_values(some)
    if values is not None:
        return Pairs(to_numpy(values), kind)
    F = fitted._pair_features(some, picked)
    return Pairs(F @ F.T, kind, F)


def distances_between(
    X: RowsLike | TableLike, metric: MetricLike
) -> tuple[np.ndarray, pd.Index | None]:
    """Return the distances of rows as `ClassicalMDS` would see them, (n, n), and their labels."""
    rows = distance_rows(X, metric)
    n = count(rows.values)
    require_memory(40 * n * n, budget_bytes(None), f"the distances of {n} rows", "give fewer rows")
    D = rows.values if is_metric(metric, "precomputed") else distance_of(metric, rows)(rows.values)
    D = np.asarray(to_numpy(D), dtype=float)
    distance_matrix(Table(D), "metric: its result")
    return 0.5 * (D + D.T), rows.index
