"""Cross-validation of single cells: how well PCA with q axes predicts values left out."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from gramian._core.check import flag, generator, one_of, whole
from gramian._core.table import table
from gramian._core.types import SeedLike, TableLike
from gramian._reading.null_table import NullTable, features_by_columns, square_unit
from gramian._reading.rule import Choice
from gramian._reading.summary import few_numbers
from gramian.errors import InputError


@dataclass(frozen=True)
class CrossValidation:
    """The error of prediction for each number of axes, and its first local minimum.

    Attributes
    ----------
    n_components : int
        The first local minimum of the criterion (0 is possible).
    criterion : Series
        Mean squared error of prediction, indexed by the number of axes, from 0 on.
    method : str

    Examples
    --------
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

    def choice(self, rule: str) -> Choice:
        """Return the number of axes, its error held against that of one axis more."""
        error, q = np.append(self.criterion.to_numpy(), np.nan), self.n_components
        return Choice(q, rule, error[q], error[q + 1])


def _cells(X: TableLike | NullTable, scale: bool) -> np.ndarray:
    """Return the cells of a table, (n, p): centred, divided by deviations (n − 1) where scaled."""
    if not isinstance(X, NullTable):
        X = features_by_columns(table(X, "X").values, scale=flag(scale, "scale"))
    n = X.values.shape[1]
    if not X.scaled:
        square_unit(X.unit)  # errors are squares of cells
    return X.values.T * (np.sqrt((n - 1) / n) if X.scaled else X.unit)


def cross_validation(
    X: TableLike | NullTable,
    *,
    method: Literal["gcv", "smooth", "em"] = "gcv",
    scale: bool = False,
    max_components: int | None = None,
    n_folds: int = 10,
    random_state: SeedLike = None,
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
        The table for which the number of axes is chosen.
    method : "gcv", "smooth" or "em"
        How the error is estimated; "em" fills in cells that were left out.
    scale : bool
        Divide columns by their standard deviations (divisor n − 1, as `estim_ncp` does).
    max_components : int, optional
        Maximum number of axes; min(n − 2, p − 1) by default.
    n_folds : int
        Number of folds of the cells, for "em".
    random_state : int, Generator or RandomState, optional
        For "em".

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> gm.dimension.cross_validation(X, scale=True).criterion.round(3).tolist()
    [1.0, 0.49, 0.173, 0.087]
    """
    one_of(method, "method", ("gcv", "smooth", "em"))
    Y = _cells(X, scale)
    n, p = Y.shape
    most = min(n - 2, p - 1)
    if max_components is not None:
        most = min(most, whole(max_components, "max_components"))
    if most < 1:
        raise InputError(f"X is {n} × {p}: cross-validation needs 3 rows and 2 columns at least")
    if method == "em":
        error = _em(Y, most, n_folds, generator(random_state))
    else:
        error = (_gcv if method == "gcv" else _smooth)(Y, most)
    criterion = pd.Series(error, index=pd.RangeIndex(len(error), name="q"), name=method)
    return CrossValidation(first_minimum(error), criterion, method)


def first_minimum(criterion: np.ndarray) -> int:
    """Return the index before the first increase."""
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
    residual = Y.copy()
    rows, columns = np.full(n, 1.0 - 1.0 / n), np.ones(Y.shape[1])
    error = [_null(Y)]
    for k in range(most):
        residual -= s[k] * np.outer(U[:, k], Vt[k])
        rows -= U[:, k] ** 2
        columns -= Vt[k] ** 2
        error.append(float(np.mean((residual / np.outer(rows, columns)) ** 2)))
    return np.array(error)


def _em(Y: np.ndarray, most: int, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the error of prediction of left-out cells for 0, 1, … axes, up to the first rise."""
    whole(n_folds, "n_folds", 2, Y.size, what="the number of cells")
    fold = rng.permutation(Y.size).reshape(Y.shape) % n_folds
    error: list[float] = []
    for q in range(most + 1):
        gaps = [_fill(Y, fold == k, q)[fold == k] - Y[fold == k] for k in range(n_folds)]
        error.append(float(np.mean(np.concatenate(gaps) ** 2)))
        if len(error) > 1 and error[-1] > error[-2]:
            break
    return np.array(error)


def _fill(Y: np.ndarray, missing: np.ndarray, q: int, max_iter: int = 200) -> np.ndarray:
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


def bi_cross_validation(
    X: TableLike | NullTable,
    *,
    scale: bool = False,
    max_components: int | None = None,
    n_folds: int = 2,
    n_repeats: int = 10,
    random_state: SeedLike = None,
) -> CrossValidation:
    """Choose the number of axes that predicts blocks of the table from the other blocks.

    With the table cut in four, [[A, B], [C, D]], the block A is predicted by B·D_q⁺·C, D_q being
    the best approximation of rank q of D; the errors over all blocks are added (Owen and Perry
    2009). The number with the smallest error is kept.

    Parameters
    ----------
    X : table (n, p)
        The table whose axes are counted.
    scale : bool
        Scale the columns.
    max_components : int, optional
        Maximum number of axes; by default all that the blocks allow.
    n_folds : int
        Number of parts that rows, and columns, are divided into.
    n_repeats : int
        Number of random partitions.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 2)) @ rng.standard_normal((2, 20))
    >>> gm.dimension.bi_cross_validation(X + 0.3 * rng.normal(size=(60, 20))).n_components
    2
    """
    Y = _cells(X, scale)
    n, p = Y.shape
    whole(n_folds, "n_folds", 2, min(n, p), what=f"for {n} × {p}")
    whole(n_repeats, "n_repeats")
    rng = generator(random_state)
    # The smallest block D that is left, less one axis so that it never fits exactly.
    most = max(min(n - -(-n // n_folds), p - -(-p // n_folds)) - 1, 0)
    if max_components is not None:
        most = min(most, whole(max_components, "max_components", 0))
    error = np.zeros(most + 1)
    for _ in range(n_repeats):
        rows, columns = rng.permutation(n) % n_folds, rng.permutation(p) % n_folds
        for i in range(n_folds):
            for j in range(n_folds):
                error += _block_errors(Y, rows == i, columns == j, most)
    error /= n_repeats * Y.size
    criterion = pd.Series(error, index=pd.RangeIndex(most + 1, name="q"), name="bcv")
    return CrossValidation(int(np.argmin(error)), criterion, "bcv")


def _block_errors(Y: np.ndarray, rows: np.ndarray, columns: np.ndarray, most: int) -> np.ndarray:
    """Return |A − B·D_q⁺·C|² for q = 0 … most."""
    A, B = Y[np.ix_(rows, columns)], Y[np.ix_(rows, ~columns)]
    C, D = Y[np.ix_(~rows, columns)], Y[np.ix_(~rows, ~columns)]
    U, s, Vt = np.linalg.svd(D, full_matrices=False)
    left, right = B @ Vt.T, U.T @ C
    errors = [float(np.sum(A * A))]
    for k in range(most):
        if s[k] > 1e-12 * s[0]:
            A = A - np.outer(left[:, k], right[k]) / s[k]
        errors.append(float(np.sum(A * A)))
    return np.array(errors)


def kernel_ridge(
    K: np.ndarray, Y: np.ndarray, penalties: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return mean, coefficients (n, p) and leave-one-out residuals of the best ridge regression."""
    values, U = np.linalg.eigh(K)
    values, mean = np.clip(values, 0.0, None), Y.mean(axis=0)
    UY, best = U.T @ (Y - mean), np.full(Y.shape, np.inf)
    for penalty in penalties:
        shrunk = values / (values + penalty)
        leverage = np.minimum((U**2) @ shrunk, 1.0 - 1e-9)
        residual = ((Y - mean) - U @ (shrunk[:, None] * UY)) / (1.0 - leverage)[:, None]
        if np.sum(residual**2) < np.sum(best**2):
            best, alpha = residual, U @ (UY / (values + penalty)[:, None])
    return mean, alpha, best
