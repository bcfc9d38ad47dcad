"""The matrix a fit started from: its similarities or its dissimilarities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._annotated import at_hand
from gramian._check import generator
from gramian.distances import euclidean
from gramian.embedding import count
from gramian.errors import InputError, InputTypeError
from gramian.estimators import protocol


@dataclass(frozen=True, eq=False)
class RowMatrix:
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


def matrix_of(fitted: Any, X: Any, most: int) -> RowMatrix:
    """Return the matrix over the rows of X (those of the fit by default), or a sample of them."""
    if protocol.n_axes(fitted) is None:
        raise InputTypeError(
            f"fitted must be a fitted estimator or a matrix, got {type(fitted).__name__}"
        )
    rows, positions, labels = _of_fit(fitted) if X is None else _of_input(fitted, X)
    n = len(positions)
    pick = _sample(n, most)
    part = protocol.between(fitted, rows, pick)
    where = positions[pick]
    return RowMatrix(part.values, part.kind, where, labels[where], n, part.features)


def _of_fit(fitted: Any) -> tuple[Any, np.ndarray, pd.Index]:
    """Return the rows of a fit that have a weight, their positions, and the labels of all rows."""
    training = fitted.training_
    if training.kind == "gone":
        raise InputError(
            "X is missing: the fit does not keep its rows: give them, or some, such as "
            "X=rows.sample(1000) of a scan"
        )
    live = training.live
    positions = np.arange(training.n) if live is None else np.flatnonzero(live)
    return training.active()[0].values, positions, training.labels


def _of_input(fitted: Any, X: Any) -> tuple[Any, np.ndarray, pd.Index]:
    rows = protocol.read(fitted, at_hand(X))
    n = count(rows.values)
    return (
        fitted.training_.beside(rows.values),
        np.arange(n),
        pd.RangeIndex(n) if rows.index is None else rows.index,
    )


def _sample(n: int, most: int) -> np.ndarray:
    """Return all positions, or `most` of them taken with a fixed seed, in their order."""
    if n <= most:
        return np.arange(n)
    return np.sort(generator(None).choice(n, size=most, replace=False))
