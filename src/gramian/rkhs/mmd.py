"""The maximum mean discrepancy: do two samples have the same distribution?"""

from typing import Literal

import numpy as np

from gramian._core.array import Array, as_kind, is_numpy, namespace, shuffled, to_numpy
from gramian._core.check import generator, one_of, whole
from gramian._core.frames import column_names
from gramian._core.operators.gram import DenseGram, Gram
from gramian._core.operators.tiled import TiledGram
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import budget_bytes, row_blocks
from gramian._core.types import RowsLike, SeedLike
from gramian._nulls.p_values import PermutationTest
from gramian.errors import InputError
from gramian.kernels.base import Kernel, KernelLike
from gramian.kernels.registry import as_kernel
from gramian.rkhs.dependence import greater_test
from gramian.rkhs.points import Induced, beside, join, refuse_out_of_range

_MAX_STORED = 8_192  # points up to which the Gram matrix is kept for all permutations
_PERMUTATIONS_AT_ONCE = 256  # permutations in one product


def mmd(
    kernel: KernelLike,
    X: RowsLike,
    Y: RowsLike,
    *,
    estimate: Literal["unbiased", "biased", "linear"] = "unbiased",
    n_permutations: int = 999,
    memory: int | str | None = None,
    random_state: SeedLike = None,
) -> PermutationTest:
    """Compare two samples by the maximum mean discrepancy.

    MMD² = |μ_X − μ_Y|², the squared distance of the barycentres in feature space. The statistic is
    an estimate of MMD² (squared, not its root), the unbiased one by default.

    Parameters
    ----------
    kernel : Kernel, name or callable
        A scale "median" is that of both samples together.
    X, Y : array (n, p) or n objects, array (m, p) or m objects
        The two samples.
    estimate : "unbiased", "biased" or "linear"
        "unbiased" leaves out k(x, x) and may be negative; "biased" is the squared distance of the
        two mean embeddings; "linear" averages over n/2 independent pairs of pairs, in O(n) time.
    n_permutations : int
        Number of permutations of the labels of the samples (for "linear", of sign changes of its
        terms), exact if rows are exchangeable (no serial order, no copies). With 0 the p-value is
        NaN.
    memory : int or str, optional
        Budget in bytes or as "500MB". The Gram matrix is stored if it fits, else computed in tiles.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Returns
    -------
    PermutationTest
        `statistic`, `p_value` = (1 + number of permutations at least as large)/(1 + permutations),
        `reference`.

    Examples
    --------
    >>> x = np.linspace(0.0, 1.0, 20)[:, None]
    >>> test = mmd(gm.kernels.Gaussian(1.0), x, x + 2.0, n_permutations=99)
    >>> round(test.statistic, 3), test.p_value
    (1.485, 0.01)
    """
    one_of(estimate, "estimate", ("unbiased", "biased", "linear"))
    count = whole(n_permutations, "n_permutations", 0)
    kernel = as_kernel(kernel)
    A = Points(kernel.rows(X, "X"))
    both = join(A, beside(Points(kernel.rows(Y, "Y")), A))
    kernel = kernel.resolve(both, None, column_names(X))
    refuse_out_of_range(kernel, both, "X and Y")
    n, m = len(A), len(both) - len(A)
    least = 1 if estimate == "biased" else 2
    if min(n, m) < least:
        raise InputError(
            f"X and Y have {n} and {m} rows, but the {estimate} estimate needs at least {least} of "
            "each: give more rows"
        )
    rng, budget = generator(random_state), budget_bytes(memory)
    if estimate == "linear":
        return _linear(kernel, both, n, count, rng)
    return _quadratic(kernel, both, n, count, rng, estimate, budget)


def _quadratic(
    kernel: Kernel,
    both: Points,
    n: int,
    count: int,
    rng: np.random.Generator,
    estimate: str,
    budget: int,
) -> PermutationTest:
    """From sums of the Gram matrix: zᵀKz and zᵀK1 suffice, z the indicator of a sample."""
    gram: Gram = TiledGram(Induced(kernel), both)
    N = gram.n
    columns = max(1, min(_PERMUTATIONS_AT_ONCE, budget // (48 * N)))
    if N <= _MAX_STORED and budget >= 16 * N * N and count > columns:
        gram = DenseGram(gram.dense())  # one pass needs no memory, several are quicker with it
    z = np.zeros(N, dtype=np.int8)  # few bytes: thousands of copies are shuffled
    z[:n] = 1
    first = gram.matmul(as_kind(np.column_stack([z, np.ones(N)]), gram.like))
    ones, total = first[:, 1], float(to_numpy(first[:, 1]).astype(np.float64).sum())
    m, one = N - n, 1 if estimate == "unbiased" else 0

    def mmd2(xx: np.ndarray, x1: np.ndarray) -> np.ndarray:
        """MMD² of zᵀKz and zᵀK1, K with a diagonal of zeros."""
        within = xx / (n * (n - one)) + (total - 2.0 * x1 + xx) / (m * (m - one))
        value = within - 2.0 * (x1 - xx) / (n * m)
        return value if one else np.asarray(np.maximum(value, 0.0))  # below 0 by rounding

    def values(Z: Array) -> np.ndarray:
        """MMD² of samples that are the columns of Z, (N, r)."""
        return mmd2(_sums(Z, gram.matmul(Z)), _sums(Z, ones[:, None]))

    statistic = float(values(as_kind(z[:, None], gram.like))[0])
    blocks = [block.stop - block.start for block in row_blocks(count, columns)]
    parts = [values(shuffled(rng, z, size, gram.like)) for size in blocks]
    return greater_test(statistic, np.concatenate(parts) if parts else np.zeros(0))


def _sums(Z: Array, V: Array) -> np.ndarray:
    """Return Σ_i z_i·v_i of each column in double precision, added up where the numbers are."""
    if is_numpy(V) and V.dtype == np.float64:
        return np.einsum("ij,ij->j", Z, np.broadcast_to(V, Z.shape))
    xp = namespace(V)
    return to_numpy(xp.sum(Z * V, axis=0, dtype=xp.float64))


def _linear(
    kernel: Kernel, both: Points, n: int, count: int, rng: np.random.Generator
) -> PermutationTest:
    """The mean of h = k(x, x′) + k(y, y′) − k(x, y′) − k(x′, y) over disjoint pairs of pairs.

    To exchange x′ and y′ changes the sign of h, and nothing else under the hypothesis.
    """
    m = len(both) - n
    half = min(n, m) // 2
    x, y = rng.permutation(n)[: 2 * half], n + rng.permutation(m)[: 2 * half]
    x, xx, y, yy = x[:half], x[half:], y[:half], y[half:]
    D = [_pairwise(kernel, both, a, b) for a, b in ((x, xx), (y, yy), (x, yy), (xx, y))]
    h = 0.5 * (D[2] + D[3] - D[0] - D[1])
    parts = [
        rng.choice(np.array([-1.0, 1.0]), (b.stop - b.start, half)) @ h / half
        for b in row_blocks(count, max(1, (1 << 22) // half))
    ]
    return greater_test(float(h.mean()), np.concatenate(parts) if parts else np.zeros(0))


def _pairwise(kernel: Kernel, points: Points, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Return |φ(x) − φ(y)|² for listed pairs, from the diagonals of small blocks."""
    size = 128 if points.is_dense else 8  # kernels on objects cost more than a call
    pairs = (Pairs(points.take(i[b]), points.take(j[b])) for b in row_blocks(len(i), size))
    parts = [to_numpy(kernel.squared_distance(some)).diagonal() for some in pairs]
    return np.concatenate(parts).astype(float)
