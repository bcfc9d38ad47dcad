"""The rows of an estimator, their spectrum, pairs and null tables; what a rule is asked about."""

import warnings
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
import pandas as pd
from sklearn.base import clone

from gramian._core.array import Array, is_array, take, to_numpy
from gramian._core.check import flag, short, whole
from gramian._core.embedding import Training, count, is_table
from gramian._core.frames import in_order_of, labels_of
from gramian._core.numbers import as_floats
from gramian._core.operators import Gram, SelectedGram
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.table import Table, distance_matrix, table, weights
from gramian._core.types import RowsLike, TableLike, VectorLike, WeightsLike
from gramian._estimators.base import SpectralEstimator, like_this
from gramian._estimators.fit import Fit
from gramian._estimators.foreign import outside
from gramian._estimators.pca import PCA
from gramian._estimators.scaling.distances import MetricLike, distance_of, distance_rows, is_metric
from gramian._reading.null_table import NullTable, square_unit
from gramian._reading.rule import Choice, Evidence, Rule
from gramian.errors import InputError, TiedAxesWarning
from gramian.kernels import Kernel

_MAX_NEGATIVE_SHARE = 0.125  # of the largest eigenvalue, how far below 0 others may be


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


class EstimatorLike(Protocol):
    """An estimator of this library or of another, fitted or not."""

    def fit(self, X: Any, y: Any = None) -> Any: ...


@dataclass(frozen=True)
class SpectrumSource:
    """A full spectrum and, where they are known, the rows it was made from."""

    values: np.ndarray  # (m,), descending
    total: float
    dimension: int  # how many axes there could be
    shape: tuple[int, int] | None = None  # of a table whose principal components these are
    estimator: Any = None
    rows: Table | None = None
    weights: np.ndarray | None = None
    features: NullTable | None = None  # what PCA analyses, already prepared

    @property
    def axes(self) -> int:
        """How many eigenvalues can differ from zero."""
        return self.dimension if self.shape is None else min(self.dimension, self.shape[0] - 1)

    def leading(self, m: int) -> np.ndarray:
        """Return the first m eigenvalues, with zeros for those that no row can fill."""
        return np.append(self.values, np.zeros(max(m - len(self.values), 0)))[:m]

    @cached_property
    def columns(self) -> NullTable:
        """The table by columns, as the estimator sees it."""
        if self.features is not None:
            return self.features
        if self.rows is None:
            raise InputError(
                "parallel analysis needs the data, which eigenvalues and a fit on blocks of rows "
                "do not keep: give X as one table, or a fit of one; a sample of the rows tells of "
                "itself alone"
            )
        return self.estimator._columns_to_permute(self.rows, self.weights)

    def meets(self, rule: Rule) -> bool:
        """Whether there is what a rule needs."""
        by, rows = self.estimator, self.rows
        there = rule.of_table and isinstance(by, SpectralEstimator) and not by.is_precomputed
        there = there and rows is not None and is_table(rows.values)
        there = there and by._has_null(rows, self.weights)
        return rule.applies(self.shape, self.columns if there else None)

    def ask(self, rule: Rule, options: Mapping[str, Any]) -> Evidence:
        """Return the number of axes and what it rests on; 0 where not even the first stands out."""
        if rule.of_table:
            return rule.on_table(self.columns, options)
        m = self.axes if rule.over == "axes" else self.dimension
        choice = rule.on_spectrum(self.leading(m), self.total, m, self.shape, options)
        q = len(self.values) if choice is None else int(choice)
        if q > m:
            raise InputError(f"the rule {rule.name!r} keeps {q} axes, but there are only {m}")
        if choice is None:
            return Choice(q, rule.name)
        curve = choice.reference
        if curve is not None:  # at most one value an axis
            curve = np.asarray(curve, dtype=float)
            curve = np.full(self.axes, curve) if curve.ndim == 0 else curve[: self.axes]
        return Choice(q, rule.name, choice.value, choice.threshold, choice.p_value, curve)


Source: TypeAlias = TableLike | VectorLike | EstimatorLike | SpectrumSource


def source_of(
    source: Source,
    X: RowsLike | None = None,
    *,
    scale: bool = False,
    sample_weight: VectorLike | None = None,
    n_samples: int | None = None,
    name: str = "source",
) -> SpectrumSource:
    """Return the spectrum to read: of eigenvalues, of a table by PCA, or of an estimator."""
    if isinstance(source, SpectrumSource):
        return source
    flag(scale, "scale")
    if source is None or np.isscalar(source) or isinstance(source, type):
        raise InputError(f"{name}={short(source)}: give eigenvalues, a table or a fitted estimator")
    if outside.is_estimator(source):
        return _of_estimator(source, X, sample_weight)
    if X is not None:
        raise InputError("X goes with an estimator: give choose(estimator, X) or choose(X)")
    if _is_vector(source):
        return _of_eigenvalues(as_floats(source, name), n_samples)
    return _of_estimator(PCA(scale=scale), cast(TableLike, source), sample_weight)


def _is_vector(source: object) -> bool:
    """Whether a source is one row of numbers: eigenvalues."""
    if hasattr(source, "shape"):
        return len(source.shape) == 1
    if not isinstance(source, list | tuple | range):
        return False
    sized = [isinstance(v, Sized) and not isinstance(v, str) for v in source]
    return not any(getattr(v, "ndim", own) for v, own in zip(source, sized, strict=True))


def _of_eigenvalues(values: np.ndarray, n_samples: int | None) -> SpectrumSource:
    if values.size == 0 or not np.isfinite(values).all():
        raise InputError("source: eigenvalues must be finite numbers, at least one of them")
    values = np.asarray(values, dtype=np.float64)
    largest, lowest = float(values.max()), float(values.min())
    if largest <= 0:
        raise InputError(f"source: the largest eigenvalue is {largest:.3g}: it must be positive")
    # Reduced correlation matrices, those of factor analysis, have a small negative tail, and
    # computed spectra one of rounding errors.
    if lowest < -_MAX_NEGATIVE_SHARE * largest or values.sum() <= 0:
        raise InputError(
            f"source[{int(values.argmin())}] is {lowest:.6g}: eigenvalues of a covariance or Gram "
            "matrix are not negative: give all of them, largest first, or a table (n, p)"
        )
    rise = np.diff(np.maximum(values, 0.0))  # those below 0 hold no axis
    if (rise > 1e-9 * largest).any():  # these may be no eigenvalues
        k = int(rise.argmax())
        raise InputError(
            f"source is not sorted: source[{k}] is {values[k]:.6g} and source[{k + 1}] is "
            f"{values[k + 1]:.6g}: give eigenvalues largest first, np.sort(source)[::-1]"
        )
    values = np.sort(values)[::-1]
    shape = None if n_samples is None else (whole(n_samples, "n_samples", 2), len(values))
    return SpectrumSource(values, float(values.sum()), len(values), shape)


def _of_estimator(
    estimator: Any, X: RowsLike | None, sample_weight: VectorLike | None
) -> SpectrumSource:
    sample_weight = in_order_of(sample_weight, labels_of(X), "sample_weight")
    if X is None and (kept := outside.sklearn_spectrum(estimator)) is not None:
        values, n, p = kept
        if len(values) < min(n, p):
            raise InputError(
                f"source: {type(estimator).__name__} of scikit-learn has kept {len(values)} of "
                f"{min(n, p)} eigenvalues and no rows: give them too, choose(fitted, X)"
            )
        return _of_eigenvalues(values, n)
    if X is None and (moments := spectrum_of_moments(estimator)) is not None:
        return _of_eigenvalues(*moments)
    if isinstance(estimator, Fit):  # of rotated axes the spectrum is that before the rotation
        estimator = vars(estimator).get("fit_", vars(estimator).get("estimator", estimator))
    estimator, X = outside.counterpart(estimator, X)
    rows, weights = rows_and_weights(estimator, X, sample_weight)
    if isinstance(estimator, Fit) and estimator.is_map and hasattr(estimator, "metric"):
        from gramian._estimators.scaling.mds import ClassicalMDS

        # Stress has no spectrum: that of classical scaling is read.
        estimator = ClassicalMDS(metric=estimator.metric)
    bare = not getattr(estimator, "has_spectrum", True)
    if bare or "n_components" not in estimator.get_params(deep=False):
        text = f"source: {type(estimator).__name__} has no spectrum of all axes"
        raise InputError(f"{text}: give the table, which stands for its PCA")
    return _of_rows(clone(estimator).set_params(n_components=None), rows, weights)


def _of_rows(estimator: Any, rows: Table, p: np.ndarray | None) -> SpectrumSource:
    n = count(rows.values)
    if estimator.is_linear:
        columns = estimator._columns_to_permute(rows, p)
        values = columns.observed * columns.square_unit
        shape = (n, columns.values.shape[0])
        return SpectrumSource(
            values, float(values.sum()), shape[1], shape, estimator, rows, p, columns
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TiedAxesWarning)  # no axis is read, only eigenvalues
        found = spectrum(estimator, rows, p)
    if found.kernel is not None:  # its scale is that of the data, for good
        estimator = estimator.set_params(kernel=found.kernel)
        rows = replace(rows, reader=found.kernel)
    dimension = n - 1 if found.dimension is None else found.dimension
    return SpectrumSource(found.values, found.total, dimension, None, estimator, rows, p)
