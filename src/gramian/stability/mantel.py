"""Do two tables of distances agree? Mantel's test."""

from typing import Literal

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from gramian._core.array import to_numpy
from gramian._core.check import generator, one_of
from gramian._core.frames import order_of
from gramian._core.types import SeedLike, TableLike
from gramian._nulls.p_values import PermutationTest, number_of_permutations, permutation_p_value
from gramian.distances.square import dissimilarities, to_condensed
from gramian.errors import InputError, InputTypeError

_METHODS = ("pearson", "spearman")
_NEAREST = 4  # points that one may change places with, given a third table


def mantel(
    A: TableLike,
    B: TableLike,
    *,
    given: TableLike | None = None,
    method: Literal["pearson", "spearman"] = "pearson",
    alternative: Literal["greater", "less", "two-sided"] = "greater",
    n_permutations: int = 999,
    random_state: SeedLike = None,
) -> PermutationTest:
    """Test whether two tables of distances between the same points are correlated.

    The statistic is the correlation over the pairs; under the hypothesis the points of one table
    are matched with those of the other at random (they are exchangeable: not in an order, no
    copies), so rows and columns are permuted together.

    With a third table, the hypothesis is independence of A and B *given* it: points are only
    permuted with close points of the third table (the four nearest and ties). Permuting all points
    would also break the relation of A to the third table, and find two noisy copies of it related
    in every fourth case.

    Parameters
    ----------
    A, B : distances, square tables (n, n) or vectors (n(n−1)/2,)
        Tables with the same labels in another order are paired by label.
    given : distances, optional
        A third table, whose effect on both is removed first (partial Mantel test): the statistic is
        the partial correlation, as in vegan.
    method : "pearson" or "spearman"
        Correlation of the distances themselves, or of their ranks.
    alternative : "greater" (as in vegan), "less" or "two-sided" (as in scikit-bio)
        Which correlations count against independence.
    n_permutations, random_state : int
        Number of permutations, and the seed that they are drawn from.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 3.0, 7.0, 12.0])
    >>> D = np.abs(x[:, None] - x)
    >>> round(mantel(D, D**2).statistic, 4)
    0.9729
    """
    one_of(method, "method", _METHODS)
    first_table, labels = _distances(A, "A")
    second_table, labels = _distances(B, "B", labels)
    rank = rankdata if method == "spearman" else np.asarray
    a, b = (rank(to_condensed(M)) for M in (first_table, second_table))
    third_table = None if given is None else _distances(given, "given", labels)[0]
    c = None if third_table is None else rank(to_condensed(third_table))
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
    close = None if third_table is None else _neighbours(third_table)
    orders = (rng.permutation(n) if close is None else _exchanges(close, rng) for _ in draws)
    reference = np.array([statistic(order) for order in orders])
    p = permutation_p_value(observed, reference, alternative)
    return PermutationTest(observed, p, reference, alternative)


def _neighbours(D: np.ndarray) -> list[list[int]]:
    """Return for each point the few nearest, and all that are as near as the last of these."""
    D = D + np.where(np.eye(len(D), dtype=bool), np.inf, 0.0)
    last = min(_NEAREST, len(D) - 1) - 1
    limit = np.partition(D, last, axis=1)[:, last]
    return [np.flatnonzero(row <= far).tolist() for row, far in zip(D, limit, strict=True)]


def _exchanges(close: list[list[int]], rng: np.random.Generator) -> np.ndarray:
    """Return an order in which some pairs of neighbours have changed places."""
    order = np.arange(len(close))
    free = np.ones(len(close), dtype=bool)
    for i in rng.permutation(len(close)):
        if not free[i]:
            continue
        free[i] = False
        others = [j for j in close[i] if free[j]]
        if others:
            j = others[int(rng.integers(len(others)))]
            free[j] = False
            if rng.random() < 0.5:
                order[i], order[j] = j, i
    return order


def _distances(
    M: TableLike | None, name: str, labels: pd.Index | None = None
) -> tuple[np.ndarray, pd.Index | None]:
    """Return a table, its points in the order of others by their labels, and the labels known."""
    if M is None:
        raise InputTypeError(f"{name} is None: give a square table of distances, or their vector")
    D = dissimilarities(M, name)
    values = np.asarray(to_numpy(D.values), dtype=float)
    order = order_of(D.index, labels, name, "A")
    return values[order][:, order], D.index if labels is None else labels


def _standard(v: np.ndarray, name: str) -> np.ndarray:
    v = v / max(float(np.abs(v).max(initial=0.0)), np.finfo(float).tiny)  # squares stay in range
    v = v - v.mean()
    size = float(np.linalg.norm(v))
    if size == 0:
        raise InputError(
            f"{name}: all distances are equal, so that no correlation exists: give other points"
        )
    return v / size


def _correlation(a: np.ndarray, b: np.ndarray, c: np.ndarray | None) -> float:
    """Return the correlation of a and b, given c if there is one."""
    r = float(a @ b)
    if c is None:
        return r
    ac, bc = float(a @ c), float(b @ c)
    return (r - ac * bc) / float(np.sqrt((1.0 - ac * ac) * (1.0 - bc * bc)))
