"""Coordinates out of fits of other libraries, which are known by what they have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import is_array, to_numpy
from gramian._core.check import short
from gramian._core.frames import is_frame, labels_of
from gramian._core.operators import CenteredGram, TiledGram
from gramian._core.pairs import Points
from gramian._core.table import table
from gramian._estimators.foreign.from_sklearn import kernel_of
from gramian.errors import InputError, InputTypeError


@dataclass(frozen=True)
class Given:
    """Coordinates that were made elsewhere, and what is known of them."""

    Z: np.ndarray  # (n, q)
    name: str
    labels: pd.Index | None = None
    place: Callable[[Any], np.ndarray] | None = None  # of new rows
    distance2: np.ndarray | None = None  # to the barycentre, in the space that was reduced
    space: str = "map"


def last_step(estimator: Any) -> Any:
    """Return the last step of a Pipeline, anything else as it is."""
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if isinstance(steps, list) and steps else estimator


def given_by(reduction: Any, X: Any) -> Given:
    """Return the coordinates of an array or of a fitted estimator."""
    is_plain = is_frame(reduction) or is_array(reduction) or isinstance(reduction, list | tuple)
    if is_plain or hasattr(reduction, "ndim"):
        rows = table(reduction, "reduction", allow_sparse=False)
        Z = np.asarray(to_numpy(rows.values), dtype=float)
        return Given(Z, "coordinates", rows.index)
    name = type(last_step(reduction)).__name__
    if isinstance(reduction, type) or not (
        hasattr(reduction, "fit") or hasattr(reduction, "transform")
    ):
        raise InputTypeError(
            f"reduction={short(reduction)} must be coordinates (n, q), or a fitted estimator"
        )
    _require_fitted(reduction, name)
    Z = _coordinates(reduction, name, X)
    values = np.asarray(to_numpy(Z.to_numpy() if hasattr(Z, "to_numpy") else Z), dtype=float)
    if values.ndim != 2:
        raise InputError(f"reduction: {name} gives coordinates of {values.ndim} dimensions, not 2")
    place = _placing(reduction) if hasattr(reduction, "transform") else None
    distance2, space = _distances(reduction, len(values))
    return Given(values, name, labels_of(Z) if X is None else labels_of(X), place, distance2, space)


def _require_fitted(reduction: Any, name: str) -> None:
    try:
        check_is_fitted(reduction)
    except NotFittedError as error:
        raise InputError(f"reduction: {name} is not fitted: call fit first") from error
    except TypeError:  # no estimator of scikit-learn's kind: what it has will tell
        return


def _coordinates(reduction: Any, name: str, X: Any) -> Any:
    last = last_step(reduction)
    if hasattr(last, "embedding_"):
        return last.embedding_
    if X is None and hasattr(reduction, "X_fit_"):  # scikit-learn's KernelPCA
        root = np.sqrt(np.maximum(reduction.eigenvalues_, 0.0))
        return reduction.eigenvectors_ * root
    if X is None:
        raise InputError(f"X is missing: {name} keeps no coordinates: gm.read(fitted, X)")
    for method in ("row_coordinates", "transform"):  # prince's, and everybody's
        if hasattr(reduction, method):
            return _in_its_unit(reduction, getattr(reduction, method)(X))
    raise InputTypeError(f"reduction: {name} has neither coordinates nor transform")


def _in_its_unit(reduction: Any, Z: Any) -> Any:
    """Return the coordinates of a whitened PCA in the unit of its table: cos² is of that."""
    last = last_step(reduction)
    if getattr(last, "whiten", False) is not True or not hasattr(last, "explained_variance_"):
        return Z
    return Z * np.sqrt(last.explained_variance_)


def _placing(reduction: Any) -> Callable[[Any], np.ndarray]:
    def place(X: Any) -> np.ndarray:
        return np.asarray(to_numpy(reduction.transform(X)), dtype=float)

    return place


def _distances(reduction: Any, n: int) -> tuple[np.ndarray | None, str]:
    """Return squared distances to the barycentre in the space that was reduced, where known."""
    delta = getattr(reduction, "dissimilarity_matrix_", None)
    if delta is not None and np.shape(delta) == (n, n):
        squares = np.asarray(delta, dtype=float) ** 2
        return squares.mean(axis=1) - 0.5 * squares.mean(), "distances"
    rows = getattr(reduction, "X_fit_", None)
    if rows is None or np.shape(rows)[0] != n:
        return None, "map"
    kernel = kernel_of(reduction)
    if isinstance(kernel, str):  # precomputed: scikit-learn has centred it in its place
        return np.asarray(rows).diagonal().astype(float), "kernel"
    points = Points(kernel.rows(rows, "X"))
    gram = TiledGram(kernel.resolve(points), points)
    return np.asarray(to_numpy(CenteredGram(gram, None).diag()), dtype=float), "kernel"
