"""The three questions, of matrices, kernels, distances and functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.check import answer
from gramian._core.table import table
from gramian.distances import pairwise
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.kernels.functions import Precomputed
from gramian.kernels.registry import as_kernel
from gramian.validity.matrices import check_cnd, check_euclidean, check_psd
from gramian.validity.search import search
from gramian.validity.verdict import Verdict


def is_psd(
    K: Any,
    X: Any = None,
    *,
    dimension: int = 2,
    n_sets: int = 200,
    tolerance: float | None = None,
    random_state: Any = None,
) -> Verdict:
    """Say whether a matrix or a kernel is positive semi-definite: cᵀKc ≥ 0 for all c.

    Parameters
    ----------
    K : matrix (n, n), Kernel, name of one, or function of two tables
        A matrix is decided by its eigenvalues. For a kernel or a function a violation is searched
        for: a set of points whose Gram matrix has a negative eigenvalue.
    X : array (n, p) or n objects, optional
        The points among which to search; without, points on `dimension` columns.
    dimension, n_sets : int
        Columns of the points and number of sets of a search.
    tolerance : float, optional
        What counts as rounding, relative to |K|. By default n·eps·|K| of double precision and
        16·√n·eps·max|k| of the matrix's own.
    random_state : int, optional

    Returns
    -------
    Verdict
        True or false, with `margin` (the smallest eigenvalue), `witness` (c with cᵀKc < 0, where
        false), `value` (cᵀKc), `points` and `certain` (of a search).

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.kernels import Gaussian, Sigmoid
    >>> bool(is_psd(Gaussian(1.0))), bool(is_psd(Sigmoid()))
    (True, False)
    >>> c = is_psd(np.array([[1.0, 2.0], [2.0, 1.0]])).witness
    >>> (c * np.sqrt(2)).round(12)
    array([ 1., -1.])
    """
    if isinstance(K, Precomputed):
        return check_psd(K.matrix, tolerance)
    if not (isinstance(K, Kernel | str) or callable(K)):
        return check_psd(K, tolerance)
    kernel = as_kernel(K)
    name = str(kernel)[:60] if isinstance(K, Kernel | str) else getattr(K, "__name__", "it")
    verdict = search(
        lambda points: check_psd(kernel.pairwise(points), tolerance),
        f"positivity of {name}",
        rows=None if X is None else kernel.rows(X, "X"),
        dimension=dimension,
        n_sets=n_sets,
        random_state=random_state,
    )
    if verdict and kernel.psd is True:
        text = f"known of {name}, and {verdict.reason.split(',')[0]}"
        return replace(verdict, certain=True, reason=text)
    return verdict


def is_cnd(
    D2: Any,
    X: Any = None,
    *,
    dimension: int = 2,
    n_sets: int = 200,
    tolerance: float | None = None,
    random_state: Any = None,
) -> Verdict:
    """Say whether a matrix or a function is conditionally negative definite.

    cᵀ·D2·c ≤ 0 for all c with Σc = 0. With a diagonal of zeros these are the squared distances of
    points of a Euclidean space, and exp(−λ·D2) is positive semi-definite for every λ > 0
    (Schoenberg).

    Parameters
    ----------
    D2 : matrix (n, n), or function of two tables
    X, dimension, n_sets, random_state : as for `is_psd`
    tolerance : float, optional
        What counts as rounding, relative to the largest of |D2| and its eigenvalues.

    Returns
    -------
    Verdict
        `margin` is the smallest eigenvalue of −½·D2 on vectors that sum to 0; where false, the
        witness sums to 0 and `value` = cᵀ·D2·c > 0.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(4.0)
    >>> bool(is_cnd((x[:, None] - x) ** 2)), bool(is_cnd((x[:, None] - x) ** 4))
    (True, False)
    """
    if not callable(D2):
        return check_cnd(D2, tolerance)

    def check(points: Any) -> Verdict:
        return check_cnd(answer(D2, "D2", points, points), tolerance)

    return search(
        check,
        "conditional negativity",
        rows=_rows(X),
        dimension=dimension,
        n_sets=n_sets,
        random_state=random_state,
    )


def is_euclidean(
    D: Any,
    X: Any = None,
    *,
    dimension: int = 2,
    n_sets: int = 200,
    tolerance: float | None = None,
    random_state: Any = None,
) -> Verdict:
    """Say whether distances (not squared) are those of points of some Euclidean space.

    They are exactly when their squares are conditionally negative definite; the triangle
    inequality is not enough.

    Parameters
    ----------
    D : matrix (n, n), name of a metric, or function
        A name or a function as in `gm.distances.pairwise`: violations are searched for.
    X, dimension, n_sets, random_state : as for `is_psd`
    tolerance : float, optional
        As for `is_cnd` of the squares.

    Returns
    -------
    Verdict
        As for `is_cnd` of the squares.

    Examples
    --------
    >>> bool(is_euclidean("euclidean")), bool(is_euclidean("cityblock"))
    (True, False)
    """
    if not (isinstance(D, str) or callable(D)):
        return check_euclidean(D, tolerance)
    metric = D
    return search(
        lambda points: check_euclidean(to_numpy(pairwise(points, None, metric)), tolerance),
        f"being Euclidean of {metric if isinstance(metric, str) else 'the metric'}",
        rows=_rows(X),
        dimension=dimension,
        n_sets=n_sets,
        random_state=random_state,
    )


def _rows(X: Any) -> Any:
    """Return rows of numbers as a table, and a list of other objects as it is."""
    if X is None:
        return None
    if isinstance(X, list | tuple) and not X:
        raise InputError("X is empty: give at least one row")
    numbers = not isinstance(X, list | tuple) or isinstance(X[0], list | tuple | np.ndarray)
    return table(X, "X", min_rows=1).values if numbers else X
