"""Distances that keep their digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from gramian._array import Array, is_numpy, is_sparse, mirror_upper, namespace
from gramian._blocks import row_blocks
from gramian._validate import table
from gramian.errors import InputError
from gramian.pairs import Pairs, Points

__all__ = ["euclidean", "pairwise", "squared_euclidean"]

_TILE = 1024


def squared_euclidean(X: Any, Y: Any = None) -> Array:
    """Return |x − y|² for every row x of X and y of Y (or of X), right to 12 digits.

    Far from the origin, for clusters far apart and for near duplicates alike: the pairs for which
    the expansion |x|² + |y|² − 2⟨x, y⟩ loses digits are computed again from the differences.

    Parameters
    ----------
    X : array (n, p)
    Y : array (m, p), optional

    Returns
    -------
    array (n, m) of the kind of X; symmetric with a zero diagonal when Y is None.

    Examples
    --------
    >>> import numpy as np
    >>> X = 1e8 + np.array([[0.0], [3.0]])
    >>> float(squared_euclidean(X)[0, 1])
    9.0
    """
    X = table(X, "X", min_rows=1).values
    A = Points(X)
    B = A if Y is None else Points(table(Y, "Y", min_rows=1).values, A)
    if X.shape[1] != B.X.shape[1]:
        raise InputError(f"Y has {B.X.shape[1]} columns but X has {X.shape[1]}: give the same ones")
    xp = namespace(X)
    out = xp.empty((len(A), len(B)), dtype=X.dtype, **_device(X))
    for rows in row_blocks(len(A), _TILE):
        for cols in row_blocks(len(B), _TILE):
            if B is A and cols.start < rows.start:
                continue
            D = Pairs(A, B, rows, cols).squared_distance()
            out[rows, cols] = mirror_upper(D) if B is A and rows == cols else D
            if B is A and rows != cols:
                out[cols, rows] = D.T
    return out


def euclidean(X: Any, Y: Any = None) -> Array:
    """Return |x − y| for every row x of X and y of Y (or of X).

    >>> import numpy as np
    >>> float(euclidean(np.array([[0.0, 0.0], [3.0, 4.0]]))[0, 1])
    5.0
    """
    D = squared_euclidean(X, Y)
    return namespace(D).sqrt(D)


def pairwise(X: Any, Y: Any = None, metric: str | Callable[[Any, Any], Any] = "euclidean") -> Array:
    """Return distances by name (any metric of `scipy.spatial.distance`) or by a callable.

    >>> import numpy as np
    >>> float(pairwise(np.array([[0.0, 0.0], [3.0, 4.0]]), metric="cityblock")[0, 1])
    7.0
    """
    if metric == "euclidean":
        return euclidean(X, Y)
    if callable(metric):
        return np.asarray(metric(X, X if Y is None else Y), dtype=float)
    X = table(X, "X", min_rows=1).values
    Y = X if Y is None else table(Y, "Y", min_rows=1).values
    if not is_numpy(X):
        kind = "sparse" if is_sparse(X) else type(X).__name__
        raise InputError(f"metric={metric!r} needs NumPy data, not {kind}: convert X first")
    try:
        return cdist(X, Y, metric)
    except ValueError as error:
        raise InputError(f"metric={metric!r}: {error}") from error


def _device(X: Array) -> dict[str, Any]:
    return {} if is_numpy(X) or is_sparse(X) else {"device": X.device}
