"""Dependence of two kernels: alignment, the RV coefficient and HSIC, with permutation tests."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.linalg import lapack

from gramian._core.array import Array, as_kind, eps, is_array, power_of_two, to_numpy
from gramian._core.check import flag, generator, one_of, whole
from gramian._core.compiled import has_numba, lazy_jit
from gramian._core.frames import in_order_of, is_frame, labels_of, order_of
from gramian._core.operators.gram import DenseGram, Gram
from gramian._core.operators.tiled import TiledGram, tile_rows
from gramian._core.parallel import budget_bytes, parallel_map, require_memory, row_blocks
from gramian._core.table import pair_table, square
from gramian._core.types import RowsLike, SeedLike, TableLike
from gramian._nulls.p_values import PermutationTest, permutation_p_value
from gramian.distances.corrections import double_centre
from gramian.errors import InputError
from gramian.kernels.base import KernelLike
from gramian.rkhs.points import Induced, points_of

_MIN_COMPILED_COST = 10**8  # entries of all permutations from which compiled loops pay

Order: TypeAlias = np.ndarray | None  # of permuted points; None as they are
Similarity: TypeAlias = KernelLike | TableLike  # a kernel, or a Gram matrix


def alignment(
    first: Similarity,
    second: Similarity,
    X: RowsLike | None = None,
    Y: RowsLike | None = None,
    *,
    centred: bool = True,
) -> float:
    """Return the alignment of two kernels, the cosine of the angle between their Gram matrices.

    ⟨K, L⟩/√(⟨K, K⟩·⟨L, L⟩), ⟨K, L⟩ = tr(KL), both centred by default: it is then the RV
    coefficient, and 1 if one configuration is the other rotated and scaled.

    Parameters
    ----------
    first, second : Gram matrix (n, n), table (n, p), Kernel, name or callable
        The two configurations: Gram matrices, tables (with their linear kernels) or kernels on X
        and Y. A table with as many columns as rows must be passed as X or Y.
    X : array (n, p) or n objects, optional
        The points where `first` is a kernel.
    Y : array (n, q) or n objects, optional
        The points where `second` is a kernel; X by default. Points with the same labels in another
        order are paired by label.
    centred : bool
        Whether to centre both Gram matrices; otherwise large means dominate.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 3.0], [4.0, 0.0]])
    >>> round(alignment("linear", X @ X.T, X), 12)
    1.0
    """
    first, second, X, Y = _linear_of_tables(first, second, X, Y)
    K, L = _gram_pair(first, second, X, Y, induced=flag(centred, "centred"))
    cross, one, two = _moments(K, L, centred=centred, units=(_unit(K), _unit(L)))
    return _cosine(cross, one, two)


def _cosine(cross: float, one: float, two: float) -> float:
    if one <= 0 or two <= 0:
        name = "first" if one <= 0 else "second"
        raise InputError(
            f"{name}: its (centred) Gram matrix is zero, so that no angle exists: X and Y need "
            "rows that differ, for this kernel"
        )
    return cross / (math.sqrt(one) * math.sqrt(two))


def rv(
    first: Similarity,
    second: Similarity,
    X: RowsLike | None = None,
    Y: RowsLike | None = None,
    *,
    n_permutations: int = 999,
    memory: int | str | None = None,
    random_state: SeedLike = None,
) -> PermutationTest:
    """Test the RV coefficient of two configurations of the same points.

    It is the centred alignment of their Gram matrices. Under the hypothesis the points of one are
    matched with those of the other at random: they are exchangeable (no serial order, no copies).

    Parameters
    ----------
    first, second, X, Y
        As for `alignment`: `rv(X, Y)` compares tables, `rv(kernel, kernel, X, Y)` kernels.
    n_permutations : int
        Number of permutations; with 0 the p-value is NaN and memory does not grow with n².
    memory, random_state
        As for `mmd`.

    Examples
    --------
    >>> x = np.arange(8.0)[:, None]
    >>> round(rv(x, x**2, n_permutations=99).statistic, 6)
    0.924528
    >>> round(rv("linear", "linear", x, x**2, n_permutations=99).statistic, 6)
    0.924528
    """
    first, second, X, Y = _linear_of_tables(first, second, X, Y)
    K, L = _gram_pair(first, second, X, Y, induced=True)
    units = _unit(K), _unit(L)
    cross, one, two = _moments(K, L, centred=True, units=units)
    value = _cosine(cross, one, two)
    size = math.sqrt(one) * math.sqrt(two)

    def share(c: float, order: Order) -> float:
        return value if order is None else c / units[0] / units[1] / size

    return _permutation_test(K, L, value, share, n_permutations, memory, random_state)


def hsic(
    first: Similarity,
    second: Similarity,
    X: RowsLike | None = None,
    Y: RowsLike | None = None,
    *,
    estimate: Literal["biased", "unbiased"] = "biased",
    n_permutations: int = 999,
    memory: int | str | None = None,
    random_state: SeedLike = None,
) -> PermutationTest:
    """Test independence by the Hilbert–Schmidt independence criterion.

    The squared norm of the cross-covariance of φ(x) and ψ(y): tr(K̃L̃)/n² for centred Gram
    matrices ("biased"), or the estimate of Song et al. (2012) whose mean is 0 under independence.
    The p-value is exact if the rows are exchangeable; two random walks would look dependent.

    Parameters
    ----------
    first, second, X, Y
        As for `alignment`.
    estimate : "biased" or "unbiased"
        "biased" sums all pairs; "unbiased" has expectation 0 under independence.
    n_permutations, memory, random_state
        As for `rv`.

    Examples
    --------
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> test = hsic("gaussian", "gaussian", x, x**2, n_permutations=99)
    >>> round(test.statistic, 4), test.p_value
    (0.051, 0.01)
    """
    one_of(estimate, "estimate", ("biased", "unbiased"))
    K, L = _gram_pair(first, second, X, Y, induced=True)
    n = K.n
    if estimate == "unbiased" and n < 4:
        raise InputError(f"X has {n} rows, but the unbiased estimate needs 4: give more rows")
    value = _moments(K, L, centred=True)[0]
    k, l = _row_means(K) * n, _row_means(L) * n  # noqa: E741
    s = float(k.sum()) * float(l.sum())

    def statistic(centred: float, order: Order) -> float:
        if estimate == "biased":
            return centred / n**2
        kl = float(k @ (l if order is None else l[order]))
        plain = centred + 2.0 * kl / n - s / n**2
        return (plain + s / ((n - 1) * (n - 2)) - 2.0 * kl / (n - 2)) / (n * (n - 3))

    return _permutation_test(K, L, value, statistic, n_permutations, memory, random_state)


def _linear_of_tables(
    first: Similarity, second: Similarity, X: RowsLike | None, Y: RowsLike | None
) -> tuple[Similarity, Similarity, RowsLike | None, RowsLike | None]:
    """Return the arguments with tables in place of Gram matrices as points of linear kernels."""
    if _is_table(first) and X is None:
        first, X = "linear", first
    if _is_table(second) and Y is None:
        second, Y = "linear", second
    return first, second, X, Y


def _is_table(similarity: Any) -> bool:
    """Whether something is a matrix that is no Gram matrix, because it is not square."""
    try:
        shape: tuple[int, ...] = np.shape(similarity) if _is_matrix(similarity) else ()
    except ValueError:  # rows of several lengths, which are refused by name later
        return False
    return len(shape) == 2 and shape[0] != shape[1]


def _gram_pair(
    first: Similarity, second: Similarity, X: RowsLike | None, Y: RowsLike | None, *, induced: bool
) -> tuple[Gram, Gram]:
    """Return the Gram operators of two kernels or matrices on the same points."""
    Y = X if Y is None else Y
    labels = labels_of(first if _is_matrix(first) else X)
    if not _is_matrix(second):
        Y = in_order_of(Y, labels, "Y", "the points of first")
    elif _is_table(second):
        raise InputError(
            "second is a table, but must be a square Gram matrix: give tables as X and Y, after "
            "two kernels"
        )
    elif not isinstance(order := order_of(labels_of(second), labels, "second", "first"), slice):
        frame: Array = second
        second = frame.iloc[order, order]
    K = _gram(first, X, "first", induced)
    L = _gram(second, Y, "second", induced)
    if K.n != L.n:
        raise InputError(f"first has {K.n} points and second {L.n}: they must be the same points")
    if K.n < 2:
        name = "first" if _is_matrix(first) else "X"
        raise InputError(f"{name} has 1 point: give at least 2")
    return K, L


def _is_matrix(similarity: object) -> bool:
    return is_frame(similarity) or is_array(similarity) or isinstance(similarity, list | tuple)


def _gram(similarity: Array, X: RowsLike | None, name: str, induced: bool) -> Gram:
    """Return a Gram operator; with `induced`, that of −½ the squared distances in feature space."""
    if _is_matrix(similarity):
        matrix = pair_table(similarity, name, "kernel", min_rows=1)
        square(matrix, name, "kernel")
        M = to_numpy(matrix.values).astype(float)
        d = M.diagonal()
        return DenseGram(M - 0.5 * (d[:, None] + d[None, :]) if induced else M)
    if X is None:
        raise InputError(f"X is missing: {name} is a kernel and needs its points")
    kernel, points = points_of(similarity, X, "X" if name == "first" else "Y")
    return TiledGram(Induced(kernel) if induced else kernel, points)


def _row_means(K: Gram) -> np.ndarray:
    """Return the means of the rows, (n,)."""
    one = as_kind(np.full((K.n, 1), 1.0 / K.n), K.like)
    return to_numpy(K.matmul(one))[:, 0].astype(float)


def _unit(K: Gram) -> float:
    """Return a power of two near the size of K, so that the squares of K/unit stay in range."""
    first = np.abs(to_numpy(K.block(slice(0, 1), slice(0, K.n))))
    return power_of_two(float(first.max()))


def _moments(
    K: Gram, L: Gram, *, centred: bool, units: tuple[float, float] = (1.0, 1.0)
) -> tuple[float, float, float]:
    """Return ⟨K, L⟩, ⟨K, K⟩ and ⟨L, L⟩, in tiles that are centred before they are squared."""
    n = K.n
    k, l = (_row_means(M) if centred else np.zeros(n) for M in (K, L))  # noqa: E741
    rows = list(row_blocks(n, tile_rows(n, K.like)))
    tiles = [(a, b) for i, a in enumerate(rows) for b in rows[i:]]
    for M in (K, L):
        M.block(slice(0, 1), slice(0, 1))  # caches are made by one thread

    def block(M: Gram, m: np.ndarray, unit: float, a: slice, b: slice) -> np.ndarray:
        T = to_numpy(M.block(a, b)).astype(float)
        T = T - m[a, None] - m[None, b] + m.mean() if centred else T
        return T / unit

    def work(share: Sequence[tuple[slice, slice]]) -> np.ndarray:
        total = np.zeros(3)
        for a, b in share:
            S, T = block(K, k, units[0], a, b), block(L, l, units[1], a, b)
            twice = 1.0 if a == b else 2.0
            total += twice * np.array([np.vdot(S, T), np.vdot(S, S), np.vdot(T, T)])
        return total

    cross, one, two = np.sum(parallel_map(work, tiles), axis=0)
    return float(cross), float(one), float(two)


def _permutation_test(
    K: Gram,
    L: Gram,
    observed: float,
    statistic: Callable[[float, Order], float],
    n_permutations: int,
    memory: int | str | None,
    random_state: SeedLike,
) -> PermutationTest:
    """Permute the points of L; `statistic` is a function of tr(K̃L̃) and the permutation."""
    value = statistic(observed, None)
    if not math.isfinite(value):
        raise InputError("first, second: the products of their entries overflow: rescale them")
    count = whole(n_permutations, "n_permutations", 0)
    if count == 0:
        return greater_test(value, np.zeros(0))
    remedy = "use n_permutations=0, fewer rows or raise memory="
    require_memory(
        48 * K.n**2, budget_bytes(memory), "a permutation test of two Gram matrices", remedy
    )
    rng = generator(random_state)
    orders = [rng.permutation(K.n) for _ in range(count)]
    first, second = (double_centre(to_numpy(G.dense()).astype(float)) for G in (K, L))
    trace = _traces(first, second, count)
    reference = np.empty(count)

    def work(share: Sequence[int]) -> None:
        for i in share:
            reference[i] = statistic(trace(orders[i]), orders[i])

    parallel_map(work, range(count))
    return greater_test(value, reference)


def greater_test(statistic: float, reference: np.ndarray) -> PermutationTest:
    """Return the test of a statistic that is large under the alternative; NaN without draws."""
    p = permutation_p_value(statistic, reference, "greater") if reference.size else float("nan")
    return PermutationTest(statistic, p, reference, "greater")


def _traces(K: np.ndarray, L: np.ndarray, count: int) -> Callable[[np.ndarray], float]:
    """Return tr(K·L permuted) as a function of the permutation, by thin factors where they pay."""
    F, H = _factor(K), _factor(L)
    n = len(K)
    if F is not None and H is not None and F.shape[1] * H.shape[1] <= 4 * n:
        return lambda order: float((np.square(F.T @ H[order])).sum())
    if has_numba() and count * n * n > _MIN_COMPILED_COST:
        return lambda order: float(_trace_of_order(K, L, order))
    return lambda order: float(np.vdot(K, L[np.ix_(order, order)]))


@lazy_jit
def _trace_of_order(K, L, order):  # type: ignore[no-untyped-def]
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
