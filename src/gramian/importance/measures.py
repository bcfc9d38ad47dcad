"""Which variables make the axes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import to_dense, to_numpy
from gramian._core.check import flag, generator, short, whole
from gramian._core.embedding import is_table
from gramian._core.numbers import require_squares
from gramian._core.table import table
from gramian._estimators.analysis import training_of
from gramian._estimators.fit import n_axes
from gramian._estimators.foreign import outside
from gramian.errors import InputError, InputTypeError, TiedAxesWarning
from gramian.importance.jacobian import mean_squares, transformed
from gramian.importance.noise import against_noise, unfitted


def gradient(
    fitted: Any, X: Any = None, *, n_noise: int = 0, random_state: Any = None
) -> pd.DataFrame:
    """How far coordinates move when a variable moves by one standard deviation.

    For variable j and axis k, g_jk = s_j·√(mean over points of (∂z_k/∂x_j)²), s_j the standard
    deviation of the variable; in total √(Σ_k g_jk²). For PCA g_jk is |loading|·s_j. Exact for
    linear methods and the usual kernels, by central differences for the others.

    Parameters
    ----------
    fitted : fitted estimator with `transform`
        One made here, a Pipeline, or a reduction of another library.
    X : table (m, p), optional
        Points at which derivatives are taken; those of the fit by default. Pipelines and fits of
        other libraries keep no rows: give them.
    n_noise : int
        Shuffles to compare with, each of them fitted again: of every column by itself, and of one
        column after the other. Shares add up to 1 on noise too, and there is always a largest one.
    random_state : int, optional

    Returns
    -------
    DataFrame, one row a variable
        Columns ("gradient", 1 … q), ("gradient", "total"), ("share", "") (of the squared totals;
        they add up to 1) and ("rank", ""). With `n_noise`, also ("noise", "mean") and ("noise",
        "largest"), the shares of the variable where every column is shuffled by itself, and
        ("p_value", ""): how often the first axes hold as much of the inertia with this variable
        shuffled, at best 1/(n_noise + 1). It is of one variable; `gm.evidence.holm` corrects for
        their number.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.KernelPCA(2).fit(gm.datasets.iris().data)
    >>> gm.importance.gradient(fit)[("share", "")].idxmax()
    'petal length (cm)'
    """
    fitted = outside.as_estimator(fitted)
    values, p, names = _rows(fitted, X)

    def measure(fit: Any, rows: np.ndarray) -> pd.DataFrame:
        return _gradients(fit, rows, p, names)

    return against_noise(measure, fitted, values, p, n_noise, generator(random_state))


def _gradients(fitted: Any, values: np.ndarray, p: np.ndarray, names: list[Any]) -> pd.DataFrame:
    deviation = np.sqrt(np.maximum(p @ (values - p @ values) ** 2, 0.0))
    step = np.where(deviation > 0, deviation, 1.0)
    squares = mean_squares(fitted, values, p, step) * deviation[:, None] ** 2
    return _table("gradient", np.sqrt(squares), np.sqrt(squares.sum(axis=1)), names)


def permutation(
    fitted: Any,
    X: Any = None,
    *,
    n_permutations: int = 10,
    refit: bool = True,
    n_noise: int = 0,
    random_state: Any = None,
) -> pd.DataFrame:
    """How far the axes turn when the values of a variable are shuffled among the rows.

    The method is fitted again with one column shuffled, its kernel kept, and the first q axes are
    compared with the old ones: √(q − ‖UᵀV‖²) for orthonormal bases U and V of the coordinates
    (Crone and Crosby's distance), 0 for the same plane. With `refit=False` the axes stay, and what
    counts is the mean square by which the points move on them, over the inertia of the axes: p
    projections in place of p fits, and on tables with known variables (rings, clusters, XOR among
    columns of noise) the measure that ranks them best.

    Parameters
    ----------
    fitted : fitted estimator
    X : table (n, p), optional
        The rows of the fit, where the fit has not kept them.
    n_permutations : int
    refit : bool
    n_noise : int
        As for `gradient`.
    random_state : int, optional

    Returns
    -------
    DataFrame, one row a variable
        Columns ("distance", 1 … q) (the first k axes together) or ("movement", 1 … q) (axis by
        axis), each with "total", ("share", "") (of the squared totals, or of the totals), and
        ("rank", ""). With `n_noise` as for `gradient`.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.KernelPCA(2).fit(gm.datasets.iris().data)
    >>> gm.importance.permutation(fit, n_permutations=3)[("rank", "")].tolist()
    [2, 4, 1, 3]
    """
    whole(n_permutations, "n_permutations")
    flag(refit, "refit")
    fitted = outside.as_estimator(fitted)
    values, p, names = _rows(fitted, X)
    if isinstance(fitted, outside.Outside):
        fitted = clone(fitted).fit(_named(values, fitted))  # what it keeps of its rows
    rng = generator(random_state)
    orders = [rng.permutation(len(values)) for _ in range(n_permutations)]

    def measure(fit: Any, rows: np.ndarray) -> pd.DataFrame:
        if not refit:
            moved = _movements(fit, rows, p, orders)
            return _table("movement", moved, moved.sum(axis=1), names, power=1)
        turned = _turns(fit, rows, p, orders)
        return _table("distance", turned, turned[:, -1], names)

    return against_noise(measure, fitted, values, p, n_noise, rng)


def _rows(fitted: Any, X: Any) -> tuple[np.ndarray, np.ndarray, list[Any]]:
    """Return rows with their weights and the names of their columns."""
    if not outside.is_estimator(fitted):
        raise InputTypeError(
            f"fitted={short(fitted)} is no estimator: give a fitted PCA or KernelPCA"
        )
    check_is_fitted(fitted)
    if n_axes(fitted) is None:
        raise InputTypeError(
            f"fitted: {type(fitted).__name__} has no coordinates: give a fitted PCA or KernelPCA"
        )
    if fitted.is_precomputed:
        raise InputError("fitted: precomputed values have no variables: fit the table itself")
    if X is None:
        if isinstance(fitted, outside.Outside):
            raise InputError(
                f"X is missing: {type(fitted.estimator).__name__} keeps no rows: give them, "
                "gradient(fitted, X)"
            )
        rows, p = training_of(fitted).active()
    else:
        rows, p = table(X, "X", min_rows=1), None
    if not is_table(rows.values):
        raise InputError(
            "fitted: objects and Gram operators have no variables: give a fit of a table"
        )
    values = to_dense(rows.values)
    values = values.astype(np.float64)
    if values.shape[1] != getattr(fitted, "n_features_in_", values.shape[1]):
        raise InputError(f"X has {values.shape[1]} columns but the fit {fitted.n_features_in_}")
    names = fitted.column_names or list(range(values.shape[1]))
    require_squares(values, names)
    return values, np.full(len(values), 1.0 / len(values)) if p is None else p, names


def _named(values: np.ndarray, fitted: Any) -> Any:
    """Return plain rows under the names that the fit has seen."""
    names = getattr(fitted, "feature_names_in_", None)
    return values if names is None else pd.DataFrame(values, columns=names)


def _table(
    measure: str, each: np.ndarray, total: np.ndarray, names: list[Any], power: int = 2
) -> pd.DataFrame:
    whole = (total**power).sum()
    share = total**power / (whole if whole > 0 else 1.0)
    columns: list[tuple[str, Any]] = [(measure, k + 1) for k in range(each.shape[1])]
    columns += [(measure, "total"), ("share", ""), ("rank", "")]
    rank = (-total).argsort(kind="stable").argsort() + 1
    table = pd.DataFrame(
        np.column_stack([each, total, share, rank]),
        index=pd.Index(names, name="variable"),
        columns=pd.MultiIndex.from_tuples(columns, names=["measure", "axis"]),
    )
    return table.astype({("rank", ""): int})


def _movements(fitted: Any, X: np.ndarray, p: np.ndarray, orders: list[np.ndarray]) -> np.ndarray:
    """Return the mean square movement of the points on each axis, over the inertia of all axes."""
    before = transformed(fitted, X)
    inertia = float(np.abs(fitted.eigenvalues_).sum())
    squares = np.zeros((X.shape[1], before.shape[1]))
    for j in range(X.shape[1]):
        moved = X.copy()
        for order in orders:
            moved[:, j] = X[order, j]
            squares[j] += p @ (transformed(fitted, moved) - before) ** 2
    return squares / (len(orders) * inertia)


def _turns(fitted: Any, X: np.ndarray, p: np.ndarray, orders: list[np.ndarray]) -> np.ndarray:
    """Return the distance of the first k axes to those of shuffled tables, k = 1 … q."""
    q, again = fitted.n_components_, unfitted(fitted)
    U = _basis(again, X, p, q)
    distances = np.zeros((X.shape[1], q))
    for j in range(X.shape[1]):
        moved = X.copy()
        for order in orders:
            moved[:, j] = X[order, j]
            S = np.cumsum(np.cumsum((U.T @ _basis(again, moved, p, q)) ** 2, axis=0), axis=1)
            distances[j] += np.sqrt(np.clip(np.arange(1, q + 1) - np.diag(S), 0.0, None))
    return distances / len(orders)


def _basis(estimator: Any, X: np.ndarray, p: np.ndarray, q: int) -> np.ndarray:
    """Return the coordinates as orthonormal columns, (n, q)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TiedAxesWarning)
        fit = estimator.fit(X, sample_weight=p)
    Z = to_numpy(fit.coordinates_).astype(np.float64)
    Z = Z * np.sqrt(p)[:, None]
    length = np.linalg.norm(Z, axis=0)
    return np.pad(Z / np.where(length > 0, length, 1.0), ((0, 0), (0, q - Z.shape[1])))
