"""Distances between rows, by name or function; Euclidean ones keep their digits."""

import textwrap
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist, pdist, squareform

from gramian._core.array import (
    Array,
    column_units,
    is_array,
    is_numpy,
    is_sparse,
    mirror_upper,
    namespace,
    to_numpy,
)
from gramian._core.check import answer, invalid, short
from gramian._core.numbers import as_array
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import row_blocks
from gramian._core.table import table
from gramian._core.types import RowsLike, TableLike
from gramian.distances.communities import (
    COMMUNITIES,
    EUCLIDEAN_OF,
    METHODS,
    refuse_empty,
    refuse_negative,
)
from gramian.distances.mixed import Gower
from gramian.errors import InputError, InputTypeError

_TILE_ROWS = 1024
_MAX_SYMMETRY_ROWS = 64  # up to which a function of two rows is called for every pair twice
_RESULT_NAME = "metric: its result"
_ALIASES = {"l1": "cityblock", "manhattan": "cityblock", "l2": "euclidean"}
_ALIASES |= dict.fromkeys(("bray-curtis", "bray_curtis"), "braycurtis")
_ALIASES |= dict.fromkeys(("chi-square", "chi.square", "chisq"), "chi2")
_ALIASES |= dict.fromkeys(("log_chord", "logchord"), "log-chord")
_ALIASES |= dict.fromkeys(("robust.aitchison", "robust_aitchison"), "robust-aitchison")

Metric: TypeAlias = Callable[[Any, Any], Any]  # of two tables, or of two rows


def squared_euclidean(X: TableLike, Y: TableLike | None = None) -> Array:
    """Return |x − y|² for every row x of X and y of Y (or of X), accurate to 12 digits.

    This includes points far from the origin, distant clusters and near duplicates: pairs for which
    the expansion |x|² + |y|² − 2⟨x, y⟩ loses digits are computed from the differences. X (n, p) and
    Y (m, p) give an array (n, m) of the type of X; without Y it is symmetric with a zero diagonal.

    >>> X = 1e8 + np.array([[0.0], [3.0]])
    >>> float(squared_euclidean(X)[0, 1])
    9.0
    """
    A = Points(table(X, "X", min_rows=1).values)
    B = A if Y is None else Points(table(Y, "Y", min_rows=1).values, A)
    p, q = A.X.shape[1], B.X.shape[1]
    if p != q:
        raise InputError(f"Y has {q} columns but X has {p}: give the same ones")
    device = getattr(A.X, "device", None)
    out = namespace(A.X).empty((len(A), len(B)), dtype=A.X.dtype, device=device)
    for rows in row_blocks(len(A), _TILE_ROWS):
        for cols in row_blocks(len(B), _TILE_ROWS):
            if B is A and cols.start < rows.start:
                continue
            D = Pairs(A, B, rows, cols).squared_distance()
            out[rows, cols] = mirror_upper(D) if B is A and rows == cols else D
            if B is A and rows != cols:
                out[cols, rows] = D.T
    return out


def euclidean(X: TableLike, Y: TableLike | None = None) -> Array:
    """Return |x − y| for every row x of X and y of Y (or of X).

    >>> float(euclidean(np.array([[0.0, 0.0], [3.0, 4.0]]))[0, 1])
    5.0
    """
    A = table(X, "X", min_rows=1).values
    B = None if Y is None else table(Y, "Y", min_rows=1).values
    both = A
    if B is not None:  # a single row has no unit of its own
        stack = sparse.vstack if is_sparse(A) else namespace(A).concat
        both = stack([A, Points(B, Points(A)).X])
    unit = Points(both).unit
    low, high = (1e-15, 1e15) if str(A.dtype).endswith("float32") else (1e-140, 1e140)
    if low < unit < high:
        D = squared_euclidean(A, B)
        return namespace(D).sqrt(D)
    # The squares would leave the range of the numbers.
    D = squared_euclidean(A * (1.0 / unit), None if B is None else B * (1.0 / unit))
    xp = namespace(D)
    with np.errstate(over="ignore"):
        D = xp.sqrt(D) * unit
    if not bool(xp.all(xp.isfinite(D))):
        raise InputError("X: its distances overflow: rescale the data, by a power of two")
    return D


def gower(X: TableLike, Y: TableLike | None = None) -> np.ndarray:
    """Return Gower's distance between rows of numbers and categories.

    It is the mean over the columns known for both rows of |x − y|/range for numbers and of 0 (same)
    or 1 (different) for categories; ordered categories of pandas count as ranks. Missing values are
    left out pair by pair. X (n, p) and Y (m, p), data frames or arrays, give an array (n, m);
    ranges are those of Y where it is given: it holds the reference rows.

    >>> import pandas as pd
    >>> X = pd.DataFrame({"size": [1.0, 3.0, 5.0], "colour": ["red", "red", "blue"]})
    >>> float(gower(X)[0, 2])
    1.0
    """
    distance, codes = Gower.of(X if Y is None else Y)
    return distance.between(codes if Y is None else distance.encode(X), codes)


def bray_curtis(X: TableLike, Y: TableLike | None = None) -> np.ndarray:
    """Return Σ|x − y| / Σ(x + y) for rows of counts or other amounts, which are not negative.

    >>> float(bray_curtis([[1.0, 0.0], [1.0, 2.0]])[0, 1])
    0.5
    """
    return np.asarray(pairwise(X, Y, "braycurtis"))


def pairwise(X: RowsLike, Y: RowsLike | None = None, metric: str | Metric = "euclidean") -> Array:
    """Return distances by name or by a function.

    Parameters
    ----------
    X : array (n, p), a data frame for "gower", or a sequence of n objects for a function
        The rows between which distances are computed.
    Y : the same, m rows, optional
        The reference rows, which also determine metrics that depend on the data ("seuclidean",
        "mahalanobis", "gower", "chi2").
    metric : str or callable
        "euclidean", "gower"; of amounts
        {amounts};
        any metric of `scipy.spatial.distance`; or a function: of two tables that returns an array
        of distances, or of two rows that returns one distance.

    Returns
    -------
    array (n, m)

    Examples
    --------
    >>> float(pairwise(np.array([[0.0, 0.0], [3.0, 4.0]]), metric="manhattan")[0, 1])
    7.0
    """
    if callable(metric):
        return _by_function(X, Y, metric)
    if not isinstance(metric, str):
        raise invalid("metric", metric, "must be a name or a function", InputTypeError)
    metric = _ALIASES.get(metric, metric)
    if metric == "euclidean":
        return euclidean(X, Y)
    if metric == "gower":
        return gower(X, Y)
    A = table(X, "X", min_rows=1).values
    B = None if Y is None else table(Y, "Y", min_rows=1).values
    for M, name in ((A, "X"), (B, "Y")):
        if M is not None and not is_numpy(M):
            kind = "sparse" if is_sparse(M) else type(M).__name__
            raise InputError(
                f"metric={short(metric)} needs NumPy data, and {name} is {kind}: convert it first"
            )
    if metric in EUCLIDEAN_OF or metric in COMMUNITIES:
        return _amount_distances(A, B, metric)
    if metric == "braycurtis":
        refuse_negative(A, "Bray–Curtis")
    try:
        D = _by_name(A, B, metric)
    except ValueError as error:
        text = f"metric={short(metric)}: {error}"
        raise InputError(text, argument="metric", found=metric) from error
    return _require_finite(D, f"metric={short(metric)}")


_names = ", ".join(f'"{name}"' for name in ("braycurtis", *EUCLIDEAN_OF, *COMMUNITIES))
_names = textwrap.fill(_names, 90, subsequent_indent=" " * 8)
pairwise.__doc__ = (pairwise.__doc__ or "").replace("{amounts}", _names)


def _by_name(X: np.ndarray, Y: np.ndarray | None, metric: str) -> np.ndarray:
    options: dict[str, Any] = {}
    if metric in ("seuclidean", "mahalanobis"):  # which do not depend on the units of columns
        unit = column_units(X if Y is None else Y)
        X, Y = X / unit, None if Y is None else Y / unit
    elif metric in ("cosine", "correlation"):  # nor these on the units of rows
        X = X / column_units(X.T)[:, None]
        Y = None if Y is None else Y / column_units(Y.T)[:, None]
    reference = X if Y is None else Y
    if metric == "seuclidean":
        options["V"] = reference.var(axis=0, ddof=1)
    elif metric == "mahalanobis":
        C = np.atleast_2d(np.cov(reference, rowvar=False))
        if np.linalg.matrix_rank(C, hermitian=True) < len(C):
            raise ValueError("the covariance matrix is singular: drop columns or add rows")
        options["VI"] = np.linalg.inv(C)
    if Y is None:
        return np.asarray(np.maximum(squareform(pdist(X, metric, **options)), 0.0))
    return np.asarray(np.maximum(cdist(X, Y, metric, **options), 0.0))


def _by_function(X: Array, Y: Array | None, metric: Metric) -> np.ndarray:
    other = X if Y is None else Y
    _check_collection(X, "X")
    _check_collection(other, "Y")
    if _takes_tables(X, other, metric):
        D = _result(answer(metric, "metric", X, other))
    else:
        D = _pair_by_pair(X, other, metric, Y is None)
    if D.shape != (_length(X), _length(other)) or D.dtype.kind not in "fiub":
        raise InputError(
            f"metric: the function gives {D.dtype} of shape {D.shape}, not numbers of shape "
            f"{(_length(X), _length(other))}: return one distance for two rows, or an array"
        )
    D = _require_finite(D.astype(float), _RESULT_NAME)
    _check_distances(D, Y is None)
    return D


def _check_collection(X: Array, name: str) -> None:
    """Raise unless X is a collection of rows or objects."""
    counted = len(X.shape) > 0 if hasattr(X, "shape") else hasattr(X, "__len__")
    if isinstance(X, str | bytes | dict | set) or not counted:
        raise InputTypeError(
            f"{name} is a {type(X).__name__}: give a table, or a list of the objects that metric "
            "compares"
        )
    if _length(X) == 0:
        raise InputError(f"{name} has 0 rows: give at least one")


def _result(values: Array) -> np.ndarray:
    """Return what a function gave as an array."""
    if is_array(values):
        return to_numpy(values)
    return as_array(values.toarray() if is_sparse(values) else values, _RESULT_NAME)


def _check_distances(D: np.ndarray, same: bool) -> None:
    """Raise where values are negative, not 0 between a point and itself, or not symmetric."""
    largest = float(np.abs(D).max(initial=0.0))
    if (-1e-12 * largest > D).any():
        i, j = (int(k[0]) for k in np.nonzero(-1e-12 * largest > D))
        raise InputError(
            f"metric: its result is {D[i, j]:.6g} for rows {i} and {j}: a distance is not negative"
        )
    if not same:
        return
    if (np.abs(np.diagonal(D)) > 1e-7 * largest).any():
        i = int(np.abs(np.diagonal(D)).argmax())
        raise InputError(
            f"metric: its result is {D[i, i]:.6g} for row {i} and itself: a distance is 0 there "
            "(is it a similarity?)"
        )
    if (np.abs(D - D.T) > 1e-7 * largest).any():
        i, j = (int(k[0]) for k in np.nonzero(np.abs(D - D.T) > 1e-7 * largest))
        raise InputError(
            f"metric: its result is {D[i, j]:.6g} for rows {i} and {j} but {D[j, i]:.6g} for {j} "
            f"and {i}: a distance is symmetric: return the mean of both"
        )


def _length(X: Array) -> int:
    return X.shape[0] if hasattr(X, "shape") else len(X)


def _takes_tables(X: Array, Y: Array, metric: Metric) -> bool:
    """Whether the function takes two tables, tried on two rows and one."""
    rows = min(2, _length(X))
    try:
        return np.shape(metric(X[:rows], Y[:1])) == (rows, 1)
    except Exception:  # whatever a function of two rows does with tables; its own errors come later
        return False


def _pair_by_pair(X: Array, Y: Array, metric: Metric, same: bool) -> np.ndarray:
    """Return the distances one by one; of most pairs of a large set, one."""

    def distance(x: object, y: object) -> float:
        value = _result(answer(metric, "metric", x, y))
        if value.size != 1 or value.dtype.kind not in "fiub":
            raise InputError(
                f"metric: the function gives {value.dtype} of shape {value.shape} for two rows: "
                "return one distance"
            )
        return float(value.reshape(()))

    if not same:
        return np.array([[distance(x, y) for y in Y] for x in X])
    n = _length(X)
    D = np.array([[distance(X[i], X[j]) if i <= j else 0.0 for j in range(n)] for i in range(n)])
    D = np.triu(D) + np.triu(D, 1).T
    # Each pair twice where that costs little; else each row once the other way round, with another.
    for i in range(1, n):
        for j in range(i) if n <= _MAX_SYMMETRY_ROWS else (i - 1,):
            D[i, j] = distance(X[i], X[j])
    return np.asarray(D)


def _require_finite(D: np.ndarray, what: str) -> np.ndarray:
    if not np.isfinite(D).all():
        i, j = (int(k[0]) for k in np.nonzero(~np.isfinite(D)))
        if np.isinf(D[i, j]) and what != _RESULT_NAME:
            raise InputError(f"{what} overflows for rows {i} and {j} of X: rescale the data")
        raise InputError(
            f"{what} is {D[i, j]} for rows {i} and {j} of X: NaN and inf are not distances (is "
            "a row constant or all zero?): drop the row or choose another metric"
        )
    return D


def _amount_distances(X: np.ndarray, Y: np.ndarray | None, metric: str) -> np.ndarray:
    """Return distances between rows of amounts: Euclidean after a transform, or pair by pair."""
    for rows, name in ((X, "X"), (Y, "Y")):
        if rows is not None:
            refuse_negative(rows, f"metric={metric!r}", name)
    if Y is not None and Y.shape[1] != X.shape[1]:
        raise InputError(f"Y has {Y.shape[1]} columns but X has {X.shape[1]}: give the same ones")
    reference = X if Y is None else Y
    if metric in EUCLIDEAN_OF:
        method = METHODS[EUCLIDEAN_OF[metric]]
        return np.asarray(
            euclidean(method(X, reference), None if Y is None else method(Y, reference))
        )
    for rows in (X, reference):
        refuse_empty(rows.sum(axis=1), f"metric={metric!r}")
    D = np.maximum([COMMUNITIES[metric](x, reference) for x in X], 0.0)
    if Y is None:
        np.fill_diagonal(D, 0.0)
    return D if Y is not None else 0.5 * (D + D.T)
