"""Networks without a gap between links and no links: chains, trees, graded modules, factors.

A `Graded` design has a correlation matrix and, as a study does by default, as many edges as are
significant (false discovery rate 0.05) in one table of the size of the study. `design(rng)`
draws one for the prior of the learning curves.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.replicate_designs import strongest
from gramian.networks.finder import as_finder

STRUCTURES = ("chains", "tree", "hubs", "graded modules", "factors", "signs")
LAWS = ("normal", "normal", "t5", "t5 genes", "lognormal")


@dataclass(frozen=True, eq=False)
class Graded:
    """A correlation matrix, the law of samples and the number of edges."""

    root: np.ndarray  # (p, p): samples are independent numbers times its transpose
    law: str
    edges: int

    @property
    def genes(self):
        return len(self.root)


def samples(root, law, rng, n):
    """Return n samples."""
    shape = (n, len(root))
    z = rng.standard_t(5, shape) if law == "t5 genes" else rng.standard_normal(shape)
    z = z @ root.T
    if law == "t5":
        z /= np.sqrt(rng.chisquare(5, (n, 1)) / 5)
    return np.exp(0.6 * z) if law == "lognormal" else z


def root_of(S):
    values, vectors = np.linalg.eigh(S)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def chains(p, size, link):
    """Return the correlations link^lag within blocks."""
    lag = np.abs(np.subtract.outer(np.arange(p), np.arange(p)))
    block = np.arange(p) // size
    return np.where(block[:, None] == block, link**lag, 0.0)


def factors(loadings):
    """Return the correlations of genes with these loadings (p, q)."""
    S = loadings @ loadings.T
    S[np.diag_indices(len(S))] = np.maximum(1.0, np.diag(S) + 0.05)
    d = np.sqrt(np.diag(S))
    return S / d[:, None] / d


def tree(p, rng, preferential, low, high):
    """Return the correlations of a tree in which each gene follows an earlier one."""
    parent, degree = np.zeros(p, dtype=int), np.ones(p)
    S = np.eye(p)
    for k in range(1, p):
        weights = degree[:k] if preferential else (np.arange(k) >= k - 4).astype(float)
        parent[k] = rng.choice(k, p=weights / weights.sum())
        degree[parent[k]] += 1
        S[k, :k] = S[:k, k] = rng.uniform(low, high) * S[parent[k], :k]
    return S


def by_blocks(p, size, low, high, rng):
    """Return one factor a block, loadings from low to high."""
    L = np.zeros((p, -(-p // size)))
    L[np.arange(p), np.arange(p) // size] = rng.uniform(low, high, p)
    return L


def correlations(structure, p, rng):
    size, low = int(rng.integers(6, 20)), rng.uniform(0.3, 0.7)
    high = rng.uniform(0.85, 0.98)
    if structure == "chains":
        return chains(p, size, rng.uniform(0.6, 0.95))
    if structure in ("tree", "hubs"):
        return tree(p, rng, structure == "hubs", rng.uniform(0.5, 0.85), high)
    if structure == "factors":
        L = by_blocks(p, -(-p // 3), low, high, rng)[rng.permutation(p)]
        return factors(np.hstack([L, np.full((p, 1), rng.uniform(0.0, 0.4))]))
    L = by_blocks(p, size, low, high, rng)
    return factors(L * rng.choice([-1, 1], L.shape) if structure == "signs" else L)


def graded(S, law, n, rng):
    """Return a design with as many edges as a study of n rows would take."""
    root = root_of(S)
    X = samples(root, law, rng, n)
    edges = round(as_finder(None, X).density * len(S) * (len(S) - 1) / 2)
    return Graded(root, law, max(edges, 1))


def design(rng):
    p = int(np.exp(rng.uniform(np.log(24), np.log(80))))
    S = correlations(str(rng.choice(STRUCTURES)), p, rng)
    return graded(S, str(rng.choice(LAWS)), int(np.exp(rng.uniform(np.log(8), np.log(60)))), rng)


def agreements(scene, rng, r, pairs):
    """Return what pairs of experiments of r replicates have in common."""
    X = samples(scene.root, scene.law, rng, 2 * pairs * r).reshape(2 * pairs, r, -1)
    T = strongest(X, scene.edges)
    return (T[:pairs] * T[pairs:]).sum(axis=1) / scene.edges
