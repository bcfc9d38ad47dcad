"""Sums over the walks of graphs: in products of labelled graphs, and by eigenpairs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from gramian._core.check import short
from gramian._core.hashing import combine
from gramian._core.parallel import distribute
from gramian.errors import InputError
from gramian.kernels.graph._batch import Batch, ranges
from gramian.kernels.graph._graph import Graph

ARCS_AT_ONCE = 1 << 18
GRAPHS_AT_ONCE = 64  # graphs at once
TOLERANCE = 1e-22  # of a squared residual; the sum's own error is of the order of the square
ENTRIES_AT_ONCE = 1 << 20
Profile = Callable[[np.ndarray], np.ndarray]  # may overwrite what it is given
Spectrum = tuple[np.ndarray, np.ndarray]  # eigenvalues, and squares of what 1 has of each vector


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
    chunks = list(_chunks(A, B))
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
    for first in range(0, len(A), GRAPHS_AT_ONCE):
        part = A.take(np.arange(first, min(first + GRAPHS_AT_ONCE, len(A))))
        # Labels that differ from graph to graph leave only the products that are wanted.
        own = part.relabel(combine(part.codes, part.owner.astype(np.uint64)))
        square = total(_product(own, own)).reshape(len(part), -1)
        K[first : first + len(part)] = square.diagonal()
    return K


def _chunks(A: Batch, B: Batch) -> Iterator[tuple[int, int]]:
    """Cut the graphs of A so that a chunk has about so many arcs in its products."""
    arcs = np.add.reduceat(A.degrees, A.offsets[:-1]) + 1
    kinds = max(np.unique(B.codes).size, 1) ** 2
    cost = np.cumsum(arcs * (B.heads.size / kinds + len(B)))
    first = 0
    while first < len(A):
        done = cost[first - 1] if first else 0.0
        last = max(int(np.searchsorted(cost, done + ARCS_AT_ONCE)), first + 1)
        yield first, last
        first = last


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
    enough = TOLERANCE * rho
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


def walk_spectra(batch: Batch) -> list[Spectrum]:
    """Return for each graph the eigenvalues μ of A and (Σ_i u_i)² of their eigenvectors u.

    Sums over walks of t steps are then Σ (Σ_i u_i)² μ^t.
    """
    spectra: list[Spectrum] = [(np.empty(0), np.empty(0))] * len(batch)
    groups = _of_one_size(batch)
    alike = [[batch.graphs[g] for g in which] for which in groups]
    cost = float((batch.sizes.astype(float) ** 3).sum())
    for which, found in zip(groups, _parallel_map(_group_spectra, alike, cost=cost), strict=True):
        for g, spectrum in zip(which, found, strict=True):
            spectra[g] = spectrum
    return spectra


def _group_spectra(groups: Sequence[list[Graph]]) -> list[list[Spectrum]]:
    """Return the same for groups of graphs, those of one being of one size."""
    out = []
    for graphs in groups:
        values, vectors = np.linalg.eigh(_dense(graphs))
        out.append([(mu, u.sum(axis=0) ** 2) for mu, u in zip(values, vectors, strict=True)])
    return out


def _of_one_size(batch: Batch) -> list[np.ndarray]:
    """Return groups of graphs of equal size, whose eigenpairs are found together."""
    groups = []
    for n in np.unique(batch.sizes):
        which = np.flatnonzero(batch.sizes == n)
        at_once = max(1, ENTRIES_AT_ONCE // int(n) ** 2)
        groups += [which[start : start + at_once] for start in range(0, which.size, at_once)]
    return groups


def _dense(graphs: list[Graph]) -> np.ndarray:
    n = graphs[0].n_nodes
    A = np.zeros((len(graphs), n, n))
    for k, graph in enumerate(graphs):
        A[k, np.repeat(np.arange(n), np.diff(graph.indptr)), graph.indices] = graph.weights
    return A


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
