"""Which variables make the axes: by derivatives, and by shuffling."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, as_kind, is_array, is_numpy, to_dense, to_numpy
from gramian._core.check import flag, generator, short, whole
from gramian._core.embedding import is_table
from gramian._core.numbers import require_squares
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import row_blocks
from gramian._core.table import table
from gramian._core.types import SeedLike, TableLike
from gramian._estimators.analysis import training_of
from gramian._estimators.fit import n_axes
from gramian._estimators.foreign import outside
from gramian._estimators.foreign.reductions import last_step
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.pca import PCA
from gramian._estimators.why import differences, kernel_parts, named_rows, transform_rows
from gramian._nulls.p_values import permutation_p_value
from gramian.errors import InputError, InputTypeError, RankWarning, TiedAxesWarning
from gramian.kernels import Dot, Linear, Radial
from gramian.kernels.pullback import Rooted, Shifted

__all__ = ["gradient", "permutation"]

_BLOCK_ROWS = 512
_BLOCK_ENTRIES = 2**22  # of columns times axes
# Of a fit and its rows: a table with the column ("share", "").
_Measure: TypeAlias = Callable[[BaseEstimator, np.ndarray], pd.DataFrame]


def gradient(
    fitted: BaseEstimator,
    X: TableLike | None = None,
    *,
    n_noise: int = 0,
    random_state: SeedLike = None,
) -> pd.DataFrame:
    """Measure how far coordinates move when a variable changes by one standard deviation.

    For variable j and axis k, g_jk = s_j·√(mean over points of (∂z_k/∂x_j)²), s_j the standard
    deviation of the variable; in total √(Σ_k g_jk²). For PCA g_jk is |loading|·s_j. Exact for
    linear methods and the usual kernels, by central differences for the others.

    Parameters
    ----------
    fitted : fitted estimator with `transform`
        A fit of gramian, a Pipeline, or a reduction of another library.
    X : table (m, p), optional
        Points at which derivatives are taken; those of the fit by default. Required for Pipelines
        and fits of other libraries, which keep no rows.
    n_noise : int
        Number of shuffled tables to fit for comparison: with every column shuffled by itself, and
        with one column shuffled at a time. (Shares sum to 1 and one is the largest even for noise.)
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Returns
    -------
    DataFrame, one row a variable
        Columns ("gradient", 1 … q), ("gradient", "total"), ("share", "") (of the squared totals;
        they add up to 1) and ("rank", ""). With `n_noise`, also ("noise", "mean") and ("noise",
        "largest"), the shares of the variable where every column is shuffled by itself, and
        ("p_value", ""): how often the first axes hold as much of the inertia with this variable
        shuffled, at best 1/(n_noise + 1). It is not corrected for the number of variables; see
        `gm.evidence.holm`.

    Examples
    --------
    >>> fit = gm.KernelPCA(2).fit(gm.datasets.iris().data)
    >>> gm.importance.gradient(fit)[("share", "")].idxmax()
    'petal length (cm)'
    """
    fitted = outside.as_estimator(fitted)
    values, p, names = _rows(fitted, X)

    def measure(fit: BaseEstimator, rows: np.ndarray) -> pd.DataFrame:
        deviation = np.sqrt(np.maximum(p @ (rows - p @ rows) ** 2, 0.0))
        step = np.where(deviation > 0, deviation, 1.0)
        squares = _mean_squares(fit, rows, p, step) * deviation[:, None] ** 2
        return _table("gradient", np.sqrt(squares), np.sqrt(squares.sum(axis=1)), names)

    return _compare_with_noise(measure, fitted, values, p, n_noise, generator(random_state))


def permutation(
    fitted: BaseEstimator,
    X: TableLike | None = None,
    *,
    n_permutations: int = 10,
    refit: bool = True,
    n_noise: int = 0,
    random_state: SeedLike = None,
) -> pd.DataFrame:
    """Measure how far the axes rotate when the values of a variable are shuffled.

    The method is fitted again with one column shuffled, its kernel kept, and the first q axes are
    compared with the old ones: √(q − ‖UᵀV‖²) for orthonormal bases U and V of the coordinates
    (Crone and Crosby's distance), 0 for the same plane. With `refit=False` the axes are kept, and
    the measure is the mean squared movement of the points on them, over the inertia of the axes: p
    projections instead of p fits. On simulated tables (rings, clusters, XOR among columns of noise)
    it ranked the known variables best.

    The arguments are those of `gradient`; X are the rows of the fit, if it has not kept them.

    Returns
    -------
    DataFrame, one row a variable
        Columns ("distance", 1 … q) (the first k axes together) or ("movement", 1 … q) (axis by
        axis), each with "total", ("share", "") (of the squared totals, or of the totals), and
        ("rank", ""). With `n_noise` as for `gradient`.

    Examples
    --------
    >>> fit = gm.KernelPCA(2).fit(gm.datasets.iris().data)
    >>> gm.importance.permutation(fit, n_permutations=3)[("rank", "")].tolist()
    [2, 4, 1, 3]
    """
    whole(n_permutations, "n_permutations")
    flag(refit, "refit")
    fitted = outside.as_estimator(fitted)
    values, p, names = _rows(fitted, X)
    if isinstance(fitted, outside.Outside):
        fitted = clone(fitted).fit(named_rows(fitted, values))  # what it keeps of its rows
    rng = generator(random_state)
    orders = [rng.permutation(len(values)) for _ in range(n_permutations)]

    def measure(fit: BaseEstimator, rows: np.ndarray) -> pd.DataFrame:
        if not refit:
            moved = _movements(fit, rows, p, orders)
            return _table("movement", moved, moved.sum(axis=1), names, power=1)
        turned = _turns(fit, rows, p, orders)
        return _table("distance", turned, turned[:, -1], names)

    return _compare_with_noise(measure, fitted, values, p, n_noise, rng)


def _rows(fitted: BaseEstimator, X: TableLike | None) -> tuple[np.ndarray, np.ndarray, list[Any]]:
    """Return rows with their weights and the names of their columns."""
    if not outside.is_estimator(fitted):
        raise InputTypeError(
            f"fitted={short(fitted)} is not an estimator: give a fitted PCA or KernelPCA"
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
    values = to_dense(rows.values).astype(np.float64)
    if values.shape[1] != getattr(fitted, "n_features_in_", values.shape[1]):
        raise InputError(f"X has {values.shape[1]} columns but the fit {fitted.n_features_in_}")
    names = fitted.column_names or list(range(values.shape[1]))
    require_squares(values, names)
    return values, np.full(len(values), 1.0 / len(values)) if p is None else p, names


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


def _movements(
    fitted: BaseEstimator, X: np.ndarray, p: np.ndarray, orders: list[np.ndarray]
) -> np.ndarray:
    """Return the mean square movement of the points on each axis, over the inertia of all axes."""
    before = transform_rows(fitted, X)
    inertia = float(np.abs(fitted.eigenvalues_).sum())
    squares = np.zeros((X.shape[1], before.shape[1]))
    for j, moved in _shuffled_columns(X, orders):
        squares[j] += p @ (transform_rows(fitted, moved) - before) ** 2
    return squares / (len(orders) * inertia)


def _turns(
    fitted: BaseEstimator, X: np.ndarray, p: np.ndarray, orders: list[np.ndarray]
) -> np.ndarray:
    """Return the distance of the first k axes to those of shuffled tables, k = 1 … q."""
    q, again = fitted.n_components_, _clone_as_resolved(fitted)
    place = _place(fitted)
    U = _basis(again, place(X), p, q)
    distances = np.zeros((X.shape[1], q))
    for j, moved in _shuffled_columns(X, orders):
        S = np.cumsum(np.cumsum((U.T @ _basis(again, place(moved), p, q)) ** 2, axis=0), axis=1)
        distances[j] += np.sqrt(np.clip(np.arange(1, q + 1) - np.diag(S), 0.0, None))
    return distances / len(orders)


def _place(fitted: BaseEstimator) -> Callable[[np.ndarray], Array]:
    """Return what takes rows to the device and the precision of those that a fit has kept."""
    training = getattr(fitted, "training_", None)
    like = None if training is None else training.rows
    if is_numpy(like) or not is_array(like):
        return lambda X: X
    return lambda X: as_kind(X, like)


def _shuffled_columns(X: np.ndarray, orders: list[np.ndarray]) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each column, and the table with this column alone in each of the orders."""
    for j in range(X.shape[1]):
        moved = X.copy()
        for order in orders:
            moved[:, j] = X[order, j]
            yield j, moved


def _basis(estimator: BaseEstimator, X: Array, p: np.ndarray, q: int) -> np.ndarray:
    """Return the coordinates as orthonormal columns, (n, q)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TiedAxesWarning)
        fit = estimator.fit(X, sample_weight=p)
    Z = to_numpy(fit.coordinates_).astype(np.float64) * np.sqrt(p)[:, None]
    length = np.linalg.norm(Z, axis=0)
    return np.pad(Z / np.where(length > 0, length, 1.0), ((0, 0), (0, q - Z.shape[1])))


def _mean_squares(
    fitted: BaseEstimator, X: np.ndarray, p: np.ndarray, step: np.ndarray
) -> np.ndarray:
    """Return Σ_i p_i (∂z_k/∂x_j (x_i))² for each column j and axis k, (columns, q)."""
    # Exact for linear methods and for kernels whose derivative is known; by central differences of
    # `step_j` otherwise.
    kernel = fitted.kernel_ if isinstance(fitted, KernelPCA) else None
    if isinstance(fitted, PCA) or isinstance(kernel, Linear):  # one step along each column
        places = np.vstack([p @ X, p @ X + np.diag(step)])
        moved, step = transform_rows(fitted, places), np.diag(places[1:] - places[0])
        return np.asarray(((moved[1:] - moved[0]) / step[:, None]) ** 2)
    parts = kernel_parts(fitted) if isinstance(kernel, Radial | Dot) else None
    if parts is None:
        return np.array([p @ slope**2 for slope in differences(fitted, X, step)])
    return _kernel_squares(parts, X, p)


def _kernel_squares(
    parts: tuple[Any, Points, np.ndarray], X: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """∂z_k/∂x_j = Σ_i A_ik ∂k(x, x_i)/∂x_j, A the coefficients of the centred axes."""
    # By products of matrices: the derivatives one by one (`why`) would take five times as long.
    kernel, points, A = parts
    if isinstance(kernel, Shifted):
        points, X, kernel = kernel.map_points(points), kernel.map_rows(X), kernel.kernel
    elif isinstance(kernel, Rooted):  # the terms of the centre have no part: A adds up to 0
        kernel = kernel.kernel
    assert isinstance(kernel, Radial | Dot)
    radial = isinstance(kernel, Radial)
    scale = float(kernel.scale) if isinstance(kernel, Radial) else 1.0
    centre = to_numpy(points.centre) if radial else np.zeros(X.shape[1])
    Y, Z = to_numpy(points.X) - centre, X - centre
    total = np.zeros((X.shape[1], A.shape[1]))
    width = max(1, _BLOCK_ENTRIES // A.size)
    for rows in row_blocks(len(X), _BLOCK_ROWS):
        there = X[rows] if is_numpy(points.X) else as_kind(X[rows], points.X)
        pairs = Pairs(Points(there, points), points, exact=True)
        argument = pairs.squared_distance(scale) if radial else pairs.dot()
        W = kernel.derivative(to_numpy(argument).astype(np.float64))
        if radial:
            W *= 2.0 / scale / scale
        WA = W @ A
        for columns in row_blocks(X.shape[1], width):
            AY = (Y[:, columns, None] * A[:, None, :]).reshape(len(A), -1)
            D = (W @ AY).reshape(len(W), -1, A.shape[1])
            if radial:
                D = Z[rows, columns, None] * WA[:, None, :] - D
            total[columns] += np.einsum("i,ijk->jk", p[rows], D * D)
    return total


def _clone_as_resolved(fitted: BaseEstimator) -> BaseEstimator:
    """Return the estimator of a fit, with its number of axes and its kernel as resolved."""
    again = clone(fitted).set_params(n_components=fitted.n_components_)
    if isinstance(fitted, outside.Outside):
        kernel = getattr(last_step(fitted.fitted_), "kernel_", None)
        if kernel is not None:
            last_step(again.estimator).set_params(kernel=kernel)
    if "kernel" in again.get_params(deep=False):
        again.set_params(kernel=fitted.kernel_)
    return again


def _compare_with_noise(
    measure: _Measure,
    fitted: BaseEstimator,
    X: np.ndarray,
    p: np.ndarray,
    n_noise: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return the table of a measure, with columns on noise if n_noise > 0."""
    # The level of noise is that of tables with every column shuffled by itself. It has no test in
    # it: a column that has two modes, or a large variance, makes axes of its own there. A variable
    # goes with the others if the first axes hold less of the inertia once it alone is shuffled:
    # p-values test that.
    whole(n_noise, "n_noise", 0)
    table = measure(fitted, X)
    if n_noise == 0:
        return table
    place, drawn = _place(fitted), [rng.permuted(X, axis=0) for _ in range(n_noise)]
    tables = [measure(_fit(fitted, place(Z), p), Z) for Z in drawn]
    shares = np.array([each["share", ""].to_numpy() for each in tables])
    table["noise", "mean"], table["noise", "largest"] = shares.mean(axis=0), shares.max(axis=0)
    own = _inertia_share(_fit(fitted, place(X), p))
    p_values = []
    for j in range(X.shape[1]):
        Z, reference = X.copy(), np.empty(n_noise)
        for b in range(n_noise):
            Z[:, j] = rng.permutation(X[:, j])
            reference[b] = _inertia_share(_fit(fitted, place(Z), p))
        p_values.append(permutation_p_value(own, reference, "greater"))
    table["p_value", ""] = p_values
    return table


def _fit(fitted: BaseEstimator, X: Array, p: np.ndarray) -> BaseEstimator:
    with warnings.catch_warnings():
        # Warnings about a random table are of no use.
        warnings.simplefilter("ignore", TiedAxesWarning)
        warnings.simplefilter("ignore", RankWarning)
        return _clone_as_resolved(fitted).fit(X, sample_weight=p)


def _inertia_share(fit: BaseEstimator) -> float:
    """Return the share of the inertia on the axes of a fit."""
    return float(np.abs(np.asarray(fit.eigenvalues_)).sum() / abs(float(fit.inertia_)))
