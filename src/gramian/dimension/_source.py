"""What a rule is asked about: eigenvalues, a table, or an estimator with its rows."""

import warnings
from collections.abc import Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
from sklearn.base import clone

from gramian._core.check import flag, short, whole
from gramian._core.embedding import count
from gramian._core.frames import in_order_of, labels_of
from gramian._core.numbers import as_floats
from gramian._core.table import Table
from gramian._core.types import RowsLike, TableLike, VectorLike
from gramian._estimators.analysis import (
    has_null_table,
    null_table,
    rows_and_weights,
    spectrum,
    spectrum_of_moments,
)
from gramian._estimators.fit import Fit
from gramian._estimators.foreign import outside
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.pca import PCA
from gramian._estimators.scaling.mds import ClassicalMDS
from gramian._estimators.scaling.stress_mds import MDS
from gramian._reading.null_table import NullTable
from gramian.errors import InputError, TiedAxesWarning

_MAX_NEGATIVE_SHARE = 0.125  # of the largest eigenvalue, how far below 0 others may be


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
        return self.features or null_table(
            self.estimator, self.needs_table("parallel analysis"), self.weights
        )

    @property
    def is_linear(self) -> bool:
        """Whether the axes are principal components of the table."""
        return isinstance(self.estimator, Fit) and self.estimator.is_linear

    @property
    def has_columns(self) -> bool:
        """Whether there is a table whose columns can be resampled."""
        rows = self.rows
        return rows is not None and has_null_table(self.estimator, rows, self.weights)

    @property
    def has_signs(self) -> bool:
        """Whether the signs of deviations can be flipped: amounts and categories have none."""
        able = self.is_linear or isinstance(self.estimator, KernelPCA)
        return self.has_columns and able and self.columns.has_signs

    def needs_table(self, what: str) -> Table:
        """Return the rows, or raise an error where only eigenvalues are known."""
        if self.rows is None:
            raise InputError(
                f"{what} needs the data, which eigenvalues and a fit on blocks of rows do not "
                "keep: give X as one table, or a fit of one; a sample of the rows tells of itself "
                "alone"
            )
        return self.rows

    def needs_shape(self, what: str) -> tuple[int, int]:
        """Return (n, p), or raise an error where the axes are not those of a table."""
        if self.shape is None:
            raise InputError(
                f"{what} is for principal components of a table of n rows: give X, a PCA, or "
                "n_samples= with eigenvalues"
            )
        return self.shape


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
    return not any(_is_row(v) for v in source)


def _is_row(value: object) -> bool:
    sized = isinstance(value, Sized) and not isinstance(value, str)
    return bool(getattr(value, "ndim", sized))


def _of_eigenvalues(values: np.ndarray, n_samples: int | None) -> SpectrumSource:
    if values.size == 0 or not np.isfinite(values).all():
        raise InputError("source: eigenvalues must be finite numbers, at least one of them")
    values = np.asarray(values, dtype=np.float64)
    _refuse_negative(values)
    _refuse_unsorted(values)
    values = np.sort(values)[::-1]
    shape = None if n_samples is None else (whole(n_samples, "n_samples", 2), len(values))
    return SpectrumSource(values, float(values.sum()), len(values), shape)


def _refuse_negative(values: np.ndarray) -> None:
    """Refuse eigenvalues below 0, but for a small tail.

    Reduced correlation matrices, those of factor analysis, have one of up to a tenth or so of the
    largest, and computed spectra one of rounding errors.
    """
    largest, lowest = float(values.max()), float(values.min())
    if largest <= 0:
        raise InputError(f"source: the largest eigenvalue is {largest:.3g}: it must be positive")
    if lowest < -_MAX_NEGATIVE_SHARE * largest or values.sum() <= 0:
        raise InputError(
            f"source[{int(values.argmin())}] is {lowest:.6g}: eigenvalues of a covariance or Gram "
            "matrix are not negative: give all of them, largest first, or a table (n, p)"
        )


def _refuse_unsorted(values: np.ndarray) -> None:
    """Refuse eigenvalues out of order, which may be no eigenvalues; those below 0 hold no axis."""
    rise = np.diff(np.maximum(values, 0.0))
    if (rise > 1e-9 * values.max()).any():
        k = int(rise.argmax())
        raise InputError(
            f"source is not sorted: source[{k}] is {values[k]:.6g} and source[{k + 1}] is "
            f"{values[k + 1]:.6g}: give eigenvalues largest first, np.sort(source)[::-1]"
        )


def _of_estimator(
    estimator: Any, X: RowsLike | None, sample_weight: VectorLike | None
) -> SpectrumSource:
    sample_weight = in_order_of(sample_weight, labels_of(X), "sample_weight")
    if X is None and (kept := outside.sklearn_spectrum(estimator)) is not None:
        return _of_kept(estimator, *kept)
    if X is None and (moments := spectrum_of_moments(estimator)) is not None:
        return _of_eigenvalues(*moments)
    estimator, X = outside.counterpart(estimator, X)
    rows, p = rows_and_weights(estimator, X, sample_weight)
    if isinstance(estimator, MDS):  # stress has no spectrum: that of classical scaling is read
        estimator = ClassicalMDS(metric=estimator.metric)
    return _of_rows(clone(estimator).set_params(n_components=None), rows, p)


def _of_kept(fitted: object, values: np.ndarray, n: int, p: int) -> SpectrumSource:
    """Return the spectrum of a PCA of scikit-learn's, which keeps no rows."""
    if len(values) < min(n, p):
        raise InputError(
            f"source: {type(fitted).__name__} of scikit-learn has kept {len(values)} of "
            f"{min(n, p)} eigenvalues and no rows: give them too, choose(fitted, X)"
        )
    return _of_eigenvalues(values, n)


def _of_rows(estimator: Any, rows: Table, p: np.ndarray | None) -> SpectrumSource:
    n = count(rows.values)
    if estimator.is_linear:
        columns = null_table(estimator, rows, p)
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
