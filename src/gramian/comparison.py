"""Do two tables of distances agree? Mantel's test, and what permutation tests have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import rankdata

from gramian._random import generator
from gramian.dissimilarity import condensed_of, dissimilarities
from gramian.errors import InputError

__all__ = ["PermutationTest", "mantel", "permutation_p_value"]

_METHODS = ("pearson", "spearman")
_ALTERNATIVES = ("greater", "less", "two-sided")


@dataclass(frozen=True)
class PermutationTest:
    """A statistic, and where it stands among those of permuted data."""

    statistic: float
    p_value: float  # (1 + number of permutations at least as extreme) / (1 + permutations)
    reference: np.ndarray = field(repr=False)  # the statistic of each permutation
    alternative: str


def permutation_p_value(statistic: float, reference: np.ndarray, alternative: str) -> float:
    """Return the share of values at least as extreme, the observed one included.

    >>> permutation_p_value(3.0, np.array([1.0, 2.0, 4.0]), "greater")
    0.5
    """
    if alternative not in _ALTERNATIVES:
        raise InputError(f"alternative={alternative!r} must be one of {', '.join(_ALTERNATIVES)}")
    # A permutation that gives the same map back must count, whatever its rounding.
    slack = 1e-12 * max(abs(statistic), 1e-300)
    if alternative == "two-sided":
        count = np.count_nonzero(np.abs(reference) >= abs(statistic) - slack)
    elif alternative == "greater":
        count = np.count_nonzero(reference >= statistic - slack)
    else:
        count = np.count_nonzero(reference <= statistic + slack)
    return (1 + int(count)) / (1 + len(reference))


def number_of_permutations(n_permutations: Any) -> int:
    """Return a number of permutations that makes sense."""
    if isinstance(n_permutations, bool) or not isinstance(n_permutations, int | np.integer):
        raise InputError(f"n_permutations={n_permutations!r} must be a whole number")
    if n_permutations < 1:
        raise InputError(f"n_permutations={n_permutations} must be at least 1")
    return int(n_permutations)


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
    if method not in _METHODS:
        raise InputError(f"method={method!r} must be one of {', '.join(_METHODS)}")
    tables = [_distances(M, name) for M, name in ((A, "A"), (B, "B"), (given, "given"))]
    a, b, c = (None if M is None else _ranks(condensed_of(M), method) for M in tables)
    assert a is not None and b is not None and tables[0] is not None
    n = len(tables[0])
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


def _distances(M: Any, name: str) -> np.ndarray | None:
    return None if M is None else np.asarray(dissimilarities(M, name).values, dtype=float)


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
