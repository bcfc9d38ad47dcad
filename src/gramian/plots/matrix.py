"""The matrix a fit started from: its similarities or its dissimilarities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._array import to_numpy
from gramian._pairs import Points
from gramian._random import generator
from gramian.distances import euclidean
from gramian.errors import InputError, InputTypeError

__all__ = ["Given", "distances_of_gram", "given"]

_STARTS = ("kernel", "metric")  # parameters that say what a method starts from


@dataclass(frozen=True, eq=False)
class Given:
    """A square matrix over some rows of a fit."""

    values: np.ndarray  # (m, m)
    kind: str  # "similarity" or "distance"
    rows: np.ndarray  # which rows of the fit (or of X) they are, (m,)
    labels: pd.Index
    whole: int  # how many rows there are
    features: np.ndarray | None = None  # (m, p), where the similarities are their products

    @property
    def distances(self) -> np.ndarray:
        """The distances between the rows, those of the feature space for similarities."""
        if self.kind == "distance":
            return self.values
        if self.features is not None:  # near points keep their digits
            return euclidean(self.features)
        return distances_of_gram(self.values)


def distances_of_gram(G: np.ndarray) -> np.ndarray:
    """Return √(k(x,x) + k(y,y) − 2k(x,y)).

    >>> distances_of_gram(np.array([[1.0, 0.0], [0.0, 1.0]]))[0, 1].round(4)
    np.float64(1.4142)
    """
    d = np.diag(G)
    squares = np.clip(d[:, None] + d[None, :] - 2.0 * G, 0.0, None)
    np.fill_diagonal(squares, 0.0)
    return np.sqrt(squares)


def given(fitted: Any, X: Any, most: int) -> Given:
    """Return the matrix over the rows of X (those of the fit by default), or a sample of them."""
    if not hasattr(fitted, "n_components_"):
        raise InputTypeError(
            f"fitted must be a fitted estimator or a matrix, got {type(fitted).__name__}"
        )
    rows, positions, index = _kept(fitted) if X is None else _of_input(fitted, X)
    n = len(positions)
    labels = pd.RangeIndex(int(positions.max()) + 1) if index is None else index
    pick = _sample(n, most)
    M, kind, F = _matrix(fitted, rows, pick)
    return Given(M, kind, positions[pick], labels[positions[pick]], n, F)


def _sample(n: int, most: int) -> np.ndarray:
    """Return all positions, or `most` of them taken with a fixed seed, in their order."""
    if n <= most:
        return np.arange(n)
    return np.sort(generator(None).choice(n, size=most, replace=False))


def _kept(fitted: Any) -> tuple[Any, np.ndarray, pd.Index | None]:
    """Return the rows that the fit keeps, their positions, and the labels of all rows."""
    index, live = getattr(fitted, "_index", None), getattr(fitted, "_live", None)
    points = getattr(fitted, "_points", None)
    if points is not None:  # only rows that have a weight
        rows = points.X if isinstance(points, Points) else points
        return rows, np.arange(_count(rows)) if live is None else np.flatnonzero(live), index
    rows = getattr(fitted, "_rows", None)
    if rows is None:
        raise InputError(
            "X is missing: the fit does not keep its rows: give those it was fitted on"
        )
    return rows, np.arange(_count(rows)), index


def _of_input(fitted: Any, X: Any) -> tuple[Any, np.ndarray, pd.Index | None]:
    rows = fitted._door(X)
    return rows.values, np.arange(_count(rows.values)), rows.index


def _count(rows: Any) -> int:
    return rows.shape[0] if hasattr(rows, "shape") else len(rows)


def _matrix(fitted: Any, rows: Any, pick: np.ndarray) -> tuple[np.ndarray, str, np.ndarray | None]:
    """Return similarities or distances between some rows, which they are, and the features."""
    kind = "distance" if hasattr(fitted, "metric") else "similarity"
    some = [rows[i] for i in pick] if isinstance(rows, list) else rows[pick.tolist()]
    if any(str(getattr(fitted, name, "")) == "precomputed" for name in _STARTS):
        return to_numpy(some)[:, pick], kind, None
    if kind == "distance":
        return to_numpy(fitted._distance(some)), kind, None
    if hasattr(fitted, "kernel_"):
        return to_numpy(fitted.kernel_.pairwise(some)), kind, None
    F = to_numpy(fitted._features(some)) * fitted.embedding_.unit
    return F @ F.T, kind, F
