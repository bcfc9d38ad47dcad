"""Do two tables of distances agree? Mantel's test."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rankdata

from gramian._array import to_numpy
from gramian._check import generator, one_of
from gramian._permutation import PermutationTest, number_of_permutations, permutation_p_value
from gramian.distances.dissimilarities import condensed_of, dissimilarities
from gramian.errors import InputError, InputTypeError

__all__ = ["mantel"]

_METHODS = ("pearson", "spearman")


def mantel(
    A: Any,
    B: Any,
    *,
    given: Any = None,
    method: str = "pearson",
    alternative: str = "greater",
    n_permutations: int = 999,
    random_state: Any = None,
) -> PermutationTest:
    """Test whether two tables of distances between the same points are correlated.

    The statistic is the correlation over the pairs; under the hypothesis the points of one table
    are matched with those of the other at random, so rows and columns are permuted together.

    Parameters
    ----------
    A, B : distances, square tables (n, n) or vectors (n(n−1)/2,)
    given : distances, optional
        A third table, whose part in both is taken out first (partial Mantel test).
    method : "pearson" or "spearman"
    alternative : "greater" (as in vegan), "less" or "two-sided" (as in scikit-bio)
    n_permutations : int
    random_state : int, optional

    Returns
    -------
    PermutationTest

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([0.0, 1.0, 3.0, 7.0, 12.0])
    >>> D = np.abs(x[:, None] - x)
    >>> round(mantel(D, D**2).statistic, 4)
    0.9729
    """
    one_of(method, "method", _METHODS)
    first_table = _distances(A, "A")
    a, b = (_ranks(condensed_of(M), method) for M in (first_table, _distances(B, "B")))
    c = None if given is None else _ranks(condensed_of(_distances(given, "given")), method)
    n = len(first_table)
    for v, name in ((b, "B"), (c, "given")):
        if v is not None and len(v) != len(a):
            raise InputError(f"{name} has other points than A: {len(v)} pairs against {len(a)}")
    first, second = np.triu_indices(n, 1)
    square = np.zeros((n, n))
    square[first, second] = square[second, first] = a
    b, c = _standard(b, "B"), None if c is None else _standard(c, "given")

    def statistic(order: np.ndarray) -> float:
        return _correlation(_standard(square[order[first], order[second]], "A"), b, c)

    rng = generator(random_state)
    observed = statistic(np.arange(n))
    draws = range(number_of_permutations(n_permutations))
    reference = np.array([statistic(rng.permutation(n)) for _ in draws])
    p = permutation_p_value(observed, reference, alternative)
    return PermutationTest(observed, p, reference, alternative)


def _distances(M: Any, name: str) -> np.ndarray:
    if M is None:
        raise InputTypeError(f"{name} is None: give a square table of distances, or their vector")
    return np.asarray(to_numpy(dissimilarities(M, name).values), dtype=float)


def _ranks(v: np.ndarray, method: str) -> np.ndarray:
    return v if method == "pearson" else rankdata(v)


def _standard(v: np.ndarray, name: str) -> np.ndarray:
    """Return v centred and of length 1."""
    v = v - v.mean()
    size = float(np.linalg.norm(v))
    if size == 0:
        raise InputError(f"{name}: all distances are equal, so that no correlation exists")
    return v / size


def _correlation(a: np.ndarray, b: np.ndarray, c: np.ndarray | None) -> float:
    """Return the correlation of a and b, given c if there is one."""
    r = float(a @ b)
    if c is None:
        return r
    ac, bc = float(a @ c), float(b @ c)
    return (r - ac * bc) / float(np.sqrt((1.0 - ac * ac) * (1.0 - bc * bc)))
