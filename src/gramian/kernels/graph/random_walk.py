"""Random-walk kernels: sums over the walks of two graphs.

In products of labelled graphs, by numbers of walks, or by eigenpairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from gramian._core.array import Array
from gramian._core.check import one_of, positive, short, whole
from gramian._core.hashing import combine
from gramian._core.pairs import Pairs
from gramian._core.parallel import distribute
from gramian.errors import InputError
from gramian.kernels.graph._batch import Batch, GraphKernel, batch_of, cut
from gramian.kernels.graph._graph import Graph, as_graphs
from gramian.kernels.objects import Objects, ranges
from gramian.kernels.registry import register

_ARCS_AT_ONCE = 1 << 18
_GRAPHS_AT_ONCE = 64
_TOLERANCE = 1e-22  # of a squared residual; the sum's own error is of the order of the square
_MAX_EXPONENT = 700.0  # exp of more is no number
MAX_STEPS = 512  # steps; a sum that needs more is computed from eigenpairs
_NEGLIGIBLE_SHARE = 1e-17
_N_POWER_STEPS = 24
Profile = Callable[[np.ndarray], np.ndarray]  # may overwrite what it is given
Spectrum = tuple[np.ndarray, np.ndarray]  # eigenvalues, and squares of what 1 has of each vector


@register(kind="graphs")
class RandomWalk(GraphKernel):
    """The random-walk kernel: common walks of two graphs, longer ones weighted less.

    With W the adjacency matrix of the product graph, whose nodes are pairs of nodes (of equal
    labels, where labels are used) and whose weights are products of weights, k is the sum of all
    entries of Σ_t c_t W^t, with c_t = decay^t ("geometric") or decay^t/t! ("exponential").

    Without labels W = A ⊗ B: the sum is over numbers of walks in each graph, or, where it is close
    to diverging, over the eigenpairs of A and B, in closed form. With labels the geometric sum is a
    linear system, solved by conjugate gradients.

    Parameters
    ----------
    decay : positive float
        The geometric sum is finite if decay·ρ(A)·ρ(B) < 1, ρ the largest eigenvalue.
    kind : "geometric" or "exponential"
        The weights c_t of the walks of t steps.
    labelled : bool or None
        Whether only nodes with equal labels match; None: if the graphs have labels.
    steps : int, optional
        Maximum length of the walks; unlimited by default.

    Examples
    --------
    >>> edge = [[0, 1], [1, 0]]
    >>> float(RandomWalk(decay=0.1)([edge])[0, 0].round(6))
    4.444444
    """

    def __init__(
        self,
        decay: float = 0.01,
        kind: str = "geometric",
        labelled: bool | None = False,
        steps: int | None = None,
    ) -> None:
        self.decay = decay
        self.kind = kind
        self.labelled = labelled
        self.steps = steps

    def evaluate(self, pairs: Pairs) -> Array:
        """The weighted numbers of common walks."""
        X, Y = as_graphs(pairs.A.X), as_graphs(pairs.B.X)
        labelled = self._uses_labels(X)
        steps = None if labelled else self._enough_steps(X, Y)
        X, Y, same = X[pairs.rows], Y[pairs.cols], pairs.same
        if labelled:
            A, B = (_non_negative(Z).take(Z.positions) for Z in (X, Y))
            return self._finite(lambda: product_sums(A, B, self._total, same))
        if steps is not None:
            return self._finite(lambda: self._walks(X, steps) @ self._walks(Y, steps).T)
        left, right = (Z.take(Z.memoize("walk spectra", walk_spectra)) for Z in (X, Y))
        self._check_convergence(left, right)
        return self._finite(lambda: spectral_sums(left, right, self._profile, self.decay, same))

    def self_similarity(self, X: Sequence[Any]) -> Array:
        """The weighted number of walks in the product of each graph with itself."""
        X = as_graphs(X)
        return X.take(X.memoize(("diagonal", repr(self)), self._diagonal))

    def _diagonal(self, X: Objects) -> np.ndarray:
        if self._uses_labels(X):
            return self._finite(lambda: product_diagonal(_non_negative(X), self._total))
        steps = self._enough_steps(X, X)
        if steps is not None:
            return self._finite(lambda: (self._walks(X, steps) ** 2).sum(axis=1))
        spectra = X.memoize("walk spectra", walk_spectra)
        self._check_convergence(spectra, spectra)
        return self._finite(lambda: spectral_diagonal(spectra, self._profile, self.decay))

    def _walks(self, X: Objects, steps: int) -> np.ndarray:
        def make(all: Objects) -> np.ndarray:
            return walk_features(batch_of(all), lambda t: self.decay * self._ratio(t), steps)

        return X.take(X.memoize(("walks", repr(self), steps), make))

    def _enough_steps(self, X: Objects, Y: Objects) -> int | None:
        """Return after how many steps the rest of the sum is nothing, None if that is too many."""
        if self.steps is not None:
            return self.steps if self.steps <= MAX_STEPS else None
        radii = (Z.take(Z.memoize("walk radius", radius_bounds)).max() for Z in (X, Y))
        largest = self.decay * math.prod(map(float, radii))
        term, t = 1.0, 0  # a bound of the t-th term, relative to the first
        while t <= MAX_STEPS:
            shrink = largest * self._ratio(t + 1)
            if shrink < 1 and term * shrink < _NEGLIGIBLE_SHARE * (1 - shrink):
                return -(-t // 16) * 16  # sixteen at a time: few different numbers to keep
            term, t = term * shrink, t + 1
        return None

    def _uses_labels(self, X: Objects) -> bool:
        positive(self.decay, "decay")
        one_of(self.kind, "kind", ("geometric", "exponential"))
        if self.steps is not None:
            whole(self.steps, "steps", 0)
        return batch_of(X).uses_labels(self.labelled)

    def _finite(self, values: Callable[[], np.ndarray]) -> np.ndarray:
        with np.errstate(over="ignore", invalid="ignore"):
            K = values()
        if not np.isfinite(K).all():
            raise InputError(f"decay={short(self.decay)}: the sum over walks overflows: use less")
        return K

    def _profile(self, x: np.ndarray) -> np.ndarray:
        """Return Σ_t c_t/decay^t·x^t, x the decay times products of eigenvalues."""
        if self.steps is not None:
            total = np.ones_like(x)
            for t in range(self.steps, 0, -1):
                total = 1.0 + x * total * self._ratio(t)
            return total
        if self.kind == "exponential":
            return np.asarray(np.exp(x, out=x))
        np.subtract(1.0, x, out=x)
        return np.asarray(np.divide(1.0, x, out=x))

    def _total(self, product: Product) -> np.ndarray:
        if self.kind == "geometric" and self.steps is None:
            return geometric(product, float(self.decay))
        return series(product, lambda t: self.decay * self._ratio(t), self.steps)

    def _ratio(self, t: int) -> float:
        """c_t/(c_{t−1}·decay)."""
        return 1.0 if self.kind == "geometric" else 1.0 / t

    def _check_convergence(self, left: list[Spectrum], right: list[Spectrum]) -> None:
        """Raise where the sum is infinite, or too large for a number."""
        if self.steps is not None:
            return
        largest = math.prod(max(np.abs(values).max() for values, _ in Z) for Z in (left, right))
        limit = 1.0 if self.kind == "geometric" else _MAX_EXPONENT
        if self.decay * largest >= limit:
            raise InputError(
                f"decay={short(self.decay)}: the sum over walks is infinite or overflows, because "
                f"two graphs' largest eigenvalues multiply to {largest:.6g}: use decay below "
                f"{limit / largest:.6g}, or fewer steps"
            )


def _non_negative(X: Objects) -> Batch:
    batch = batch_of(X)
    batch.refuse_negative("a random walk")
    return batch


def walk_features(batch: Batch, ratio: Callable[[int], float], steps: int) -> np.ndarray:
    """Return √c_t times the number of walks of t steps, (g, steps + 1); c_t/c_{t−1} = ratio(t).

    Σ_t c_t 1ᵀ(A ⊗ B)^t 1 = Σ_t c_t·(1ᵀA^t 1)·(1ᵀB^t 1). All terms are positive, so that the sum
    loses no digits, and few are needed unless it is close to diverging.
    """
    A, first = batch.adjacency, batch.offsets[:-1]
    y = np.ones(batch.owner.size)
    F = np.empty((len(batch), steps + 1))
    F[:, 0] = batch.sizes
    for t in range(1, steps + 1):
        y = np.sqrt(ratio(t)) * (A @ y)
        F[:, t] = np.add.reduceat(y, first)
    return F


def radius_bounds(X: Objects) -> np.ndarray:
    """Return upper bounds of the largest eigenvalues, (g,), after Collatz and Wielandt.

    max_i (Ay)_i/y_i is one for every positive y; power iteration makes it sharp.
    """
    batch = _non_negative(X)
    A, first, owner = batch.adjacency, batch.offsets[:-1], batch.owner
    y = np.ones(owner.size)
    bound = np.maximum.reduceat(A @ y, first)
    # The shift keeps bipartite graphs from going back and forth, and y from vanishing.
    shift = np.where(bound > 0, 0.5 * bound, 1.0)[owner]
    for _ in range(_N_POWER_STEPS):
        y = A @ y + shift * y
        y /= np.maximum.reduceat(y, first)[owner]
        bound = np.minimum(bound, np.maximum.reduceat((A @ y) / y, first))
    return bound * (1.0 + 1e-12)


@dataclass(frozen=True, eq=False)
class Product:
    """The product graphs of some graphs with some others, side by side in one matrix."""

    W: sparse.csr_array
    pair: np.ndarray  # the pair of graphs each node of the product belongs to
    n_pairs: int

    def sums(self, x: np.ndarray) -> np.ndarray:
        """Add up entries pair by pair."""
        return np.bincount(self.pair, weights=x, minlength=self.n_pairs)


def product_sums(
    A: Batch, B: Batch, total: Callable[[Product], np.ndarray], same: bool
) -> np.ndarray:
    """Return the totals over the products of all pairs; on and above the diagonal if A is B."""
    K = np.zeros((len(A), len(B)))
    arcs = np.add.reduceat(A.degrees, A.offsets[:-1]) + 1
    kinds = max(np.unique(B.codes).size, 1) ** 2
    chunks = list(cut(arcs * (B.heads.size / kinds + len(B)), _ARCS_AT_ONCE))
    # Here one after the other: products of graphs take memory.
    sums = distribute(_sums_of, chunks, A, B, total, same, threads=False)
    for (first, last), part in zip(chunks, sums, strict=True):
        K[first:last, first if same else 0 :] = part
    return K


def _sums_of(
    chunks: Sequence[tuple[int, int]],
    A: Batch,
    B: Batch,
    total: Callable[[Product], np.ndarray],
    same: bool,
) -> list[np.ndarray]:
    """Return the totals of some chunks of the graphs of A."""
    out = []
    for first, last in chunks:
        start = first if same else 0
        right = B.take(np.arange(start, len(B))) if start else B
        rows = A.take(np.arange(first, last))
        out.append(total(_product(rows, right)).reshape(len(rows), -1))
    return out


def product_diagonal(A: Batch, total: Callable[[Product], np.ndarray]) -> np.ndarray:
    """Return the totals over the products of each graph with itself."""
    K = np.zeros(len(A))
    for first in range(0, len(A), _GRAPHS_AT_ONCE):
        part = A.take(np.arange(first, min(first + _GRAPHS_AT_ONCE, len(A))))
        # Labels that differ from graph to graph leave only the products that are wanted.
        own = part.relabel(combine(part.codes, part.owner.astype(np.uint64)))
        square = total(_product(own, own)).reshape(len(part), -1)
        K[first : first + len(part)] = square.diagonal()
    return K


def _product(A: Batch, B: Batch) -> Product:
    order = np.argsort(B.codes, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    # Node u of A meets the nodes of B with its label: a run of the sorted ones.
    low, count = _run(B.codes[order], A.codes)
    base = np.cumsum(count) - count - low  # (u, v) is node base[u] + place[v] of the product
    u, v = np.repeat(np.arange(count.size), count), order[ranges(low, count)]
    kinds_a, kinds_b = (combine(G.codes[G.tails], G.codes[G.heads]) for G in (A, B))
    by_kind = np.argsort(kinds_b, kind="stable")
    low, count = _run(kinds_b[by_kind], kinds_a)
    e, f = np.repeat(np.arange(count.size), count), by_kind[ranges(low, count)]
    rows, cols = base[A.tails[e]] + place[B.tails[f]], base[A.heads[e]] + place[B.heads[f]]
    entries = (A.weights[e] * B.weights[f], (rows, cols))
    W = sparse.coo_array(entries, shape=(u.size, u.size)).tocsr()
    return Product(W, A.owner[u] * len(B) + B.owner[v], len(A) * len(B))


def _run(table: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where each value starts in a sorted table, and its number of occurrences."""
    low = np.searchsorted(table, values)
    return low, np.searchsorted(table, values, side="right") - low


def geometric(product: Product, decay: float) -> np.ndarray:
    """Return 1ᵀ(I − decay·W)⁻¹1 for every pair, by conjugate gradients on all pairs at once."""
    W, pair, sums = product.W, product.pair, product.sums
    r = np.ones(pair.size)
    p, x = r.copy(), np.zeros(pair.size)
    rho = sums(r)
    enough = _TOLERANCE * rho
    for _ in range(pair.size + 1):
        live = rho > enough
        if not live.any():
            break
        q = p - decay * (W @ p)
        curvature = sums(p * q)
        if (curvature[live] <= 0).any():  # the matrix is not positive: the series diverges
            raise InputError(
                f"decay={short(decay)}: the sum over walks diverges for some of the graphs: use a "
                'smaller decay, or kind="exponential"'
            )
        alpha = np.divide(rho, curvature, out=np.zeros_like(rho), where=live)
        x += alpha[pair] * p
        r -= alpha[pair] * q
        fresh = sums(r * r)
        beta = np.divide(fresh, rho, out=np.zeros_like(rho), where=live)
        p = r + beta[pair] * p
        rho = np.where(live, fresh, 0.0)
    return sums(x)


def series(product: Product, coefficient: Callable[[int], float], steps: int | None) -> np.ndarray:
    """Return Σ_t c_t 1ᵀW^t1 for every pair, c_t/c_{t−1} = coefficient(t), until terms vanish."""
    y = np.ones(product.pair.size)
    total = product.sums(y)
    widest = float(product.W.sum(axis=1).max(initial=0.0))
    t = 1
    while steps is None or t <= steps:
        y = coefficient(t) * (product.W @ y)
        term = product.sums(y)
        total += term
        shrinking = 2.0 * widest * coefficient(t + 1) < 1  # by half and more, from here on
        if not np.isfinite(term).all() or (shrinking and (term <= 1e-17 * total).all()):
            break
        t += 1
    return total


def walk_spectra(X: Objects) -> list[Spectrum]:
    """Return for each graph the eigenvalues μ of A and (Σ_i u_i)² of their eigenvectors u.

    Sums over walks of t steps are then Σ (Σ_i u_i)² μ^t.
    """
    batch = _non_negative(X)
    cost = float((batch.sizes.astype(float) ** 3).sum())
    return _parallel_map(_spectra_of, batch.graphs, cost=cost)


def _spectra_of(graphs: Sequence[Graph]) -> list[Spectrum]:
    eigenpairs = (np.linalg.eigh(graph.adjacency.toarray()) for graph in graphs)
    return [(values, vectors.sum(axis=0) ** 2) for values, vectors in eigenpairs]


def spectral_sums(
    left: list[Spectrum], right: list[Spectrum], f: Profile, scale: float, same: bool
) -> np.ndarray:
    """Return Σ_ij a_i b_j f(scale·μ_i ν_j) for all pairs; above the diagonal if both are one."""
    sizes = np.array([values.size for values, _ in right])
    starts = np.cumsum(sizes) - sizes
    nu, b = (np.concatenate(part) for part in zip(*right, strict=True))
    K = np.zeros((len(left), len(right)))
    others = nu, b, starts, f, scale
    rows = [(g if same else 0, spectrum) for g, spectrum in enumerate(left)]
    cost = nu.size * sum(mu.size for mu, _ in left)
    for g, sums in enumerate(_parallel_map(_row_sums, rows, *others, cost=cost)):
        K[g, rows[g][0] :] = sums
    return K


def _row_sums(
    rows: Sequence[tuple[int, Spectrum]],
    nu: np.ndarray,
    b: np.ndarray,
    starts: np.ndarray,
    f: Profile,
    scale: float,
) -> list[np.ndarray]:
    """Return the sums of some rows, each from a first column on."""
    sums = []
    for first, spectrum in rows:
        row = _row(*spectrum, nu[starts[first] :], f, scale) * b[starts[first] :]
        sums.append(np.add.reduceat(row, starts[first:] - starts[first]))
    return sums


def _parallel_map(
    work: Callable[..., list[Any]], items: Sequence[Any], *common: Any, cost: float
) -> list[Any]:
    """Return what work makes of the items, dealt out if that is worth it."""
    return distribute(work, items, *common) if cost > 1e6 else work(items, *common)


def _row(mu: np.ndarray, a: np.ndarray, nu: np.ndarray, f: Profile, scale: float) -> np.ndarray:
    """Return Σ_i a_i f(scale·μ_i ν) for all ν, in blocks that stay in the cache."""
    row = np.empty(nu.size)
    step = max(1, (1 << 15) // mu.size)
    for start in range(0, nu.size, step):
        part = slice(start, start + step)
        row[part] = a @ f(np.multiply.outer(scale * mu, nu[part]))
    return row


def spectral_diagonal(spectra: list[Spectrum], f: Profile, scale: float) -> np.ndarray:
    """Return Σ_ij a_i a_j f(scale·μ_i μ_j) for every graph."""
    return np.array([_row(mu, a, mu, f, scale) @ a for mu, a in spectra])
