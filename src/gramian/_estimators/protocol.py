"""What studies ask of an estimator, fitted or not: its rows, its spectrum, its null tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.embedding import Training, count, is_table
from gramian._core.table import Table, table, weights
from gramian._estimators._base import SpectralEstimator, like_this
from gramian._estimators._between import Between as Between
from gramian._estimators._between import between as between
from gramian._estimators._between import distances_between as distances_between
from gramian._estimators._between import is_of_distances as is_of_distances
from gramian._estimators._noise import null_table as null_table
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.pca import PCA
from gramian._estimators.scaling.distances import is_euclidean
from gramian._estimators.scaling.mds import ClassicalMDS
from gramian._estimators.scaling.stress_mds import MDS
from gramian._reading.null_table import square_unit
from gramian.errors import InputError
from gramian.kernels import Linear, as_kernel


@dataclass(frozen=True)
class EigenSpectrum:
    """Every eigenvalue of an estimator's rows."""

    values: np.ndarray  # their moduli
    total: float  # the inertia
    kernel: Any = None  # resolved, where the estimator has one of its own
    dimension: int | None = None  # how many axes there could be, where it is not one less than rows


def read(estimator: Any, X: Any) -> Table:
    """Return rows as an estimator reads them."""
    if not isinstance(estimator, SpectralEstimator):
        return table(X)
    return estimator._read(estimator._filled(X, None)[0])


def takes_square(estimator: Any) -> bool:
    """Whether an estimator takes a matrix over the individuals themselves."""
    return isinstance(estimator, SpectralEstimator) and estimator._is_precomputed


def is_linear(estimator: Any) -> bool:
    """Whether the axes of an estimator are principal components of its table."""
    if isinstance(estimator, KernelPCA):
        if takes_square(estimator) or estimator.approximation is not None:
            return False
        if estimator.kernel is None or estimator.get_params(deep=False).get("scale"):
            return False
        return isinstance(as_kernel(estimator.kernel), Linear)
    euclidean = isinstance(estimator, ClassicalMDS) and is_euclidean(estimator.metric)
    return isinstance(estimator, PCA) or euclidean


def has_columns(estimator: Any, rows: Table, p: np.ndarray | None = None) -> bool:
    """Whether there is a table whose columns can be drawn anew."""
    able = isinstance(estimator, SpectralEstimator) and not takes_square(estimator)
    return able and is_table(rows.values) and estimator._has_null(rows, p)


def fills_holes(fitted: Any) -> bool:
    """Whether a fit fills in what is missing in new rows."""
    return vars(fitted).get("filler_") is not None


def training_of(fitted: Any) -> Training:
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


def is_gone(fitted: Any) -> bool:
    """Whether a fit kept neither its rows nor their coordinates."""
    fits = isinstance(fitted, SpectralEstimator) and "record_" in vars(fitted)
    return fits and fitted.record_.is_gone


def kept_spectrum(fitted: Any) -> tuple[np.ndarray, int] | None:
    """Return all eigenvalues of a PCA of blocks of rows, and their number, from its moments."""
    stream = vars(fitted).get("stream_") if isinstance(fitted, PCA) else None
    if stream is None or not is_gone(fitted) or stream.moments.second.ndim != 2:
        return None
    state = like_this(fitted, n_components=None)._state_of_stream(stream)
    return np.asarray(to_numpy(state["eigenvalues_"]), dtype=float), stream.n


def rows_and_weights(
    estimator: Any, X: Any = None, sample_weight: Any = None
) -> tuple[Table, np.ndarray | None]:
    """Return the rows that have a weight, of X or of the fit, and their weights."""
    if X is None:
        return training_of(estimator).active()
    if isinstance(estimator, SpectralEstimator):
        rows, p = estimator._weighted_rows(X, sample_weight)
    else:
        rows = table(X)
        p = weights(sample_weight, count(rows.values), index=rows.index)
    # A view for the moment: nothing is kept, so nothing is copied or marked.
    kind = "square" if takes_square(estimator) else "table"
    return Training(kind, rows, count(rows.values), p).active()


def spectrum(estimator: Any, rows: Table, p: np.ndarray | None) -> EigenSpectrum:
    """Return every eigenvalue of rows, as an estimator sees them."""
    model, own = estimator._analyse(rows, p)
    square = square_unit(model.unit)
    values = np.abs(to_numpy(model.spectrum.values)) * square
    # MultiKernelPCA has several kernels, and values computed before have none.
    has_kernel = "kernel" in estimator.get_params(deep=False) and not takes_square(estimator)
    kernel = own.get("kernel_") if has_kernel else None
    dimension = estimator._dimension(rows) if is_factor_method(estimator) else None
    return EigenSpectrum(values, float(model.spectrum.total) * square, kernel, dimension)


# Of anything that has axes, an estimator of another library too.


def n_axes(fitted: Any) -> int | None:
    """Return the number of axes of a fitted reduction, None for anything else."""
    return getattr(fitted, "n_components_", None)


def is_estimator(thing: Any) -> bool:
    """Whether something can be fitted as scikit-learn fits."""
    return hasattr(thing, "get_params") and hasattr(thing, "fit") and not isinstance(thing, type)


def coordinates(fitted: Any) -> Any:
    """Return the coordinates of the rows of a fit, None where it has none."""
    return getattr(fitted, "coordinates_", None)


def eigenvalues(fitted: Any) -> np.ndarray | None:
    """Return the eigenvalues of a fit, None where it has none."""
    return getattr(fitted, "eigenvalues_", None)


def axis_ratios(fitted: Any) -> np.ndarray | None:
    """Return the share of each axis, where the method has one."""
    return getattr(fitted, "inertia_ratio_", None)


def is_map(fitted: Any) -> bool:
    """Whether shares of axes are of the variance of the map alone: of stress, t-SNE, UMAP."""
    return isinstance(fitted, MDS) or getattr(fitted, "space_", "") == "map"


def is_read(fitted: Any) -> bool:
    """Whether the axes were made elsewhere, and read by `gm.read`."""
    return hasattr(fitted, "source_")


def name_of(fitted: Any) -> str:
    """Return what made the axes: the class, or what was read where they were made elsewhere."""
    return str(getattr(fitted, "source_", type(fitted).__name__))


def row_weights(fitted: Any) -> np.ndarray | None:
    """Return the weights of the rows, None for equal ones."""
    p = fitted.training_.weights if isinstance(fitted, SpectralEstimator) else None
    return None if p is None else np.asarray(to_numpy(p), dtype=float)


def labels_of(fitted: Any) -> Any:
    """Return the row labels that a fit was given, or None."""
    if not isinstance(fitted, SpectralEstimator):
        return getattr(fitted, "labels_", None) if hasattr(fitted, "fitted_") else None
    return fitted.training_.index


def column_names(fitted: Any) -> list[Any] | None:
    """Return the names of the columns that a fit was given, or None."""
    if not isinstance(fitted, SpectralEstimator):
        names = getattr(fitted, "feature_names_in_", None) if hasattr(fitted, "fitted_") else None
        return None if names is None else list(names)
    return fitted.training_.columns


def has_variables(fitted: Any) -> bool:
    """Whether the axes are made of columns."""
    return hasattr(fitted, "components_")


def is_scaled(fitted: Any) -> bool:
    """Whether columns were divided by their standard deviations."""
    if is_factor_method(fitted):
        return fitted._has_numbers
    return getattr(fitted, "scale_", None) is not None


def is_factor_method(fitted: Any) -> bool:
    """Whether rows and columns, or individuals and categories, are points on the same axes."""
    return isinstance(fitted, SpectralEstimator) and fitted._is_factor_method


def has_categories(fitted: Any) -> bool:
    """Whether categories had a part in the axes."""
    return is_factor_method(fitted) and fitted._has_levels


def questions(fitted: Any) -> list[Any]:
    """Return the columns of categories of a fit: a missing answer is a level, or says nothing."""
    if not has_categories(fitted) or not hasattr(fitted, "coding_"):
        return []
    return [v.name for v in fitted.coding_.variables if v.levels is not None]


def is_classifier(thing: Any) -> bool:
    """Whether something was fitted to classes and predicts them."""
    return hasattr(thing, "classes_") and hasattr(thing, "predict")


def value_beyond(fitted: Any) -> float:
    """Return the first eigenvalue that was left out, NaN where it is not known."""
    if not isinstance(fitted, SpectralEstimator):
        return np.nan
    beyond = fitted.model_.spectrum.beyond
    return np.nan if beyond is None else beyond * square_unit(fitted.model_.unit)
