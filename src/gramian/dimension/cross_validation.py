"""Cross-validation of single cells: how well does PCA with q axes predict what it did not see?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._random import generator
from gramian._validate import table
from gramian.errors import InputError
from gramian.reading.parallel import features_by_columns
from gramian.reading.summary import few_numbers

__all__ = ["CrossValidation", "cross_validation", "standardised"]

METHODS = ("gcv", "smooth", "em")


@dataclass(frozen=True)
class CrossValidation:
    """The error of prediction for each number of axes, and where it is first smallest.

    Attributes
    ----------
    n_components : int
        The first local minimum of the criterion (0 is possible).
    criterion : Series
        Mean squared error of prediction, indexed by the number of axes, from 0 on.
    method : str

    Examples
    --------
    >>> import gramian as gm
    >>> errors = gm.dimension.cross_validation(gm.datasets.iris().data, scale=True)
    >>> int(errors), errors.method
    (3, 'gcv')
    """

    n_components: int
    criterion: pd.Series
    method: str

    def __int__(self) -> int:
        return self.n_components

    def __repr__(self) -> str:
        error = few_numbers(self.criterion)
        return f"CrossValidation(n_components={self.n_components}, {self.method}={error})"


def cross_validation(
    X: Any,
    *,
    method: str = "gcv",
    scale: bool = False,
    max_components: int | None = None,
    n_folds: int = 10,
    random_state: Any = None,
) -> CrossValidation:
    """Choose the number of axes that predicts the cells of the table best.

    "gcv" and "smooth" are those of FactoMineR's `estim_ncp` (Josse and Husson 2012): with x̂ the
    reconstruction from q axes, the mean of (np·(x − x̂)/((n − 1)p − q(n + p − q − 1)))², and the
    mean of ((x − x̂)/((1 − 1/n − Σu²)(1 − Σv²)))², which imitates leaving out one cell at a time.
    "em" does leave cells out, a tenth at a time, and fills them in by iterated PCA. The first
    local minimum is kept, not the global one: beyond it the criteria break down.

    Parameters
    ----------
    X : table (n, p)
    method : "gcv", "smooth" or "em"
    scale : bool
        Divide columns by their standard deviations (divisor n − 1, as `estim_ncp` does).
    max_components : int, optional
        The most axes tried; min(n − 2, p − 1) by default.
    n_folds : int
        For "em", parts the cells are dealt to.
    random_state : int, optional
        For "em".

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> cross_validation(X, scale=True).criterion.round(3).tolist()
    [1.0, 0.49, 0.173, 0.087]
    """
    if method not in METHODS:
        raise InputError(f"method={method!r} must be one of {', '.join(METHODS)}")
    Y = standardised(X, scale)
    n, p = Y.shape
    most = min(n - 2, p - 1)
    if max_components is not None:
        if max_components < 1:
            raise InputError(f"max_components={max_components!r} must be at least 1")
        most = min(most, max_components)
    if most < 1:
        raise InputError(f"X is {n} × {p}: cross-validation needs 3 rows and 2 columns at least")
    if method == "em":
        found = _em(Y, most, n_folds, generator(random_state))
    else:
        found = (_gcv if method == "gcv" else _smooth)(Y, most)
    criterion = pd.Series(found, index=pd.RangeIndex(len(found), name="q"), name=method)
    return CrossValidation(first_minimum(found), criterion, method)


def standardised(X: Any, scale: bool) -> np.ndarray:
    """Return the centred columns that vary, (n, p), divided by deviations (n − 1) if asked."""
    columns = features_by_columns(table(X, "X").values, scale=scale)
    n = columns.values.shape[1]
    return columns.values.T * (np.sqrt((n - 1) / n) if scale else columns.unit)


def first_minimum(criterion: np.ndarray) -> int:
    """Return the index before the first increase.

    >>> first_minimum(np.array([3.0, 1.0, 2.0, 0.5]))
    1
    """
    rises = np.flatnonzero(np.diff(criterion) > 0)
    return int(rises[0]) if rises.size else len(criterion) - 1


def _null(Y: np.ndarray) -> float:
    n = Y.shape[0]
    return float(np.mean(Y * Y) * n / (n - 1))


def _gcv(Y: np.ndarray, most: int) -> np.ndarray:
    n, p = Y.shape
    s2 = np.linalg.svd(Y, compute_uv=False) ** 2
    q = np.arange(1, most + 1)
    left = np.array([s2[k:].sum() for k in q])
    free = (n - 1) * p - q * (n + p - q - 1.0)
    return np.append(_null(Y), n * p * left / free**2)


def _smooth(Y: np.ndarray, most: int) -> np.ndarray:
    U, s, Vt = np.linalg.svd(Y, full_matrices=False)
    n = Y.shape[0]
    error = Y.copy()
    rows, columns = np.full(n, 1.0 - 1.0 / n), np.ones(Y.shape[1])
    found = [_null(Y)]
    for k in range(most):
        error -= s[k] * np.outer(U[:, k], Vt[k])
        rows -= U[:, k] ** 2
        columns -= Vt[k] ** 2
        found.append(float(np.mean((error / np.outer(rows, columns)) ** 2)))
    return np.array(found)


def _em(Y: np.ndarray, most: int, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the error of prediction of left-out cells for 0, 1, … axes, up to the first rise."""
    if not 2 <= n_folds <= Y.size:
        raise InputError(f"n_folds={n_folds!r} must lie between 2 and the number of cells")
    fold = rng.permutation(Y.size).reshape(Y.shape) % n_folds
    found: list[float] = []
    for q in range(most + 1):
        errors = [_filled(Y, fold == k, q)[fold == k] - Y[fold == k] for k in range(n_folds)]
        found.append(float(np.mean(np.concatenate(errors) ** 2)))
        if len(found) > 1 and found[-1] > found[-2]:
            break
    return np.array(found)


def _filled(Y: np.ndarray, missing: np.ndarray, q: int, max_iter: int = 200) -> np.ndarray:
    """Return the table with its missing cells filled in by PCA with q axes, iterated."""
    seen = np.where(missing, 0.0, Y)
    counts = np.maximum((~missing).sum(axis=0), 1)
    Z = np.where(missing, seen.sum(axis=0) / counts, Y)
    size = float(np.sum(seen**2))
    for _ in range(max_iter if q else 0):
        mean = Z.mean(axis=0)
        U, s, Vt = np.linalg.svd(Z - mean, full_matrices=False)
        new = np.where(missing, mean + (U[:, :q] * s[:q]) @ Vt[:q], Y)
        moved = float(np.sum((new - Z) ** 2))
        Z = new
        if moved <= 1e-10 * size:
            break
    return Z
