"""The trace of two centred Gram matrices when the points of one are permuted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.linalg import lapack

from gramian._core.array import eps, to_numpy
from gramian._core.check import generator, is_whole
from gramian._core.compiled import has_numba, lazy_jit
from gramian._core.operators.gram import Gram
from gramian._core.parallel import budget_bytes, parallel_map, require_memory
from gramian._nulls.p_values import PermutationTest, number_of_permutations, permutation_p_value
from gramian.errors import InputError

_MIN_COMPILED_COST = 10**8  # entries of all permutations from which compiled loops pay


def permutation_test(
    K: Gram,
    L: Gram,
    observed: float,
    statistic: Callable[[float, Any], float],
    n_permutations: int,
    memory: Any,
    random_state: Any,
) -> PermutationTest:
    """Permute the points of L; `statistic` is a function of tr(K̃L̃) and the permutation."""
    value = statistic(observed, None)
    if not math.isfinite(value):
        raise InputError("first, second: the products of their entries overflow: rescale them")
    if is_whole(n_permutations) and n_permutations == 0:
        return PermutationTest(value, float("nan"), np.zeros(0), "greater")
    count = number_of_permutations(n_permutations)
    remedy = "use n_permutations=0, fewer rows or raise memory="
    require_memory(
        48 * K.n**2, budget_bytes(memory), "a permutation test of two Gram matrices", remedy
    )
    rng = generator(random_state)
    orders = [rng.permutation(K.n) for _ in range(count)]
    trace = _traces(_center(K), _center(L), count)

    def work(share: Sequence[int]) -> list[tuple[int, float]]:
        return [(i, statistic(trace(orders[i]), orders[i])) for i in share]

    reference = np.empty(count)
    for share in parallel_map(work, range(count)):
        for i, entry in share:
            reference[i] = entry
    return PermutationTest(
        value, permutation_p_value(value, reference, "greater"), reference, "greater"
    )


def _center(K: Gram) -> np.ndarray:
    M = to_numpy(K.dense()).astype(float)
    m = M.mean(axis=0)
    return M - m[:, None] - m[None, :] + m.mean()


def _traces(K: np.ndarray, L: np.ndarray, count: int) -> Callable[[np.ndarray], float]:
    """Return tr(K·L permuted) as a function of the permutation, by thin factors where they pay."""
    F, H = _factor(K), _factor(L)
    n = len(K)
    if F is not None and H is not None and F.shape[1] * H.shape[1] <= 4 * n:
        return lambda order: float((np.square(F.T @ H[order])).sum())
    if has_numba() and count * n * n > _MIN_COMPILED_COST:
        return lambda order: float(_permuted_trace(K, L, order))
    return lambda order: float(np.vdot(K, L[np.ix_(order, order)]))


@lazy_jit
def _permuted_trace(K, L, order):  # type: ignore[no-untyped-def]
    total = 0.0
    for i in range(order.size):
        row = L[order[i]]
        part = 0.0
        for j in range(i):
            part += K[i, j] * row[order[j]]
        total += 2.0 * part + K[i, i] * row[order[i]]
    return total


def _factor(K: np.ndarray) -> np.ndarray | None:
    """Return F with F·Fᵀ = K to rounding, by Cholesky with pivots, or None for an indefinite K."""
    n = len(K)
    tiny = n * eps(K.dtype) * float(np.abs(K.diagonal()).max())
    C, pivots, rank, _ = lapack.dpstrf(K, tol=tiny, lower=1)
    F = np.empty((n, rank))
    F[pivots - 1] = np.tril(C)[:, :rank]
    left = np.abs(K - F @ F.T).max()
    return F if left <= 10.0 * tiny else None
