"""The compiled twins of `gramian.stress.loops`, chunk by chunk.

The number of chunks depends on the size of the problem alone and chunks are added up in order, so
that the result is the same for every number of threads.
"""

from __future__ import annotations

import itertools

import numpy as np

from gramian.stress import _compiled as _fast
from gramian.stress.loops import Run
from gramian.stress.pairlist import PairList

__all__ = ["isotonic", "pair_distances", "pair_pass", "ratio_pass", "sort_within", "sweep"]

_PAIRS = 60_000  # in a chunk: about a tenth of a millisecond
_CHUNKS = 32  # at most

sort_within = _fast.sort_within


def _count(pairs: int) -> int:
    return min(max(pairs // _PAIRS, 1), _CHUNKS)


def _pair_chunks(pairs: int) -> list[tuple[int, int]]:
    cuts = np.linspace(0, pairs, _count(pairs) + 1).astype(int).tolist()
    return list(itertools.pairwise(cuts))


def _row_chunks(n: int) -> list[tuple[int, int]]:
    """Cut the rows of an upper triangle into parts with as many pairs each."""
    share = np.linspace(0.0, 1.0, _count(n * (n - 1) // 2) + 1)
    cuts = (n * (1.0 - np.sqrt(1.0 - share))).astype(int).tolist()
    cuts[-1] = n
    return list(itertools.pairwise(cuts))


def ratio_pass(
    delta: np.ndarray, weight: np.ndarray, X: np.ndarray, run: Run = map
) -> tuple[np.ndarray, float]:
    """Return Σ_j wδ/d·(x_i − x_j), (n, q), and Σ_{i<j} w(δ − d)²."""
    XT = np.ascontiguousarray(X.T)

    def work(rows: tuple[int, int]) -> tuple[np.ndarray, float]:
        out = np.zeros_like(XT)
        return out, _fast.ratio_pass(delta, weight, XT, *rows, out)

    parts = list(run(work, _row_chunks(len(X))))
    return sum(out for out, _ in parts).T, sum(raw for _, raw in parts)


def pair_distances(pairs: PairList, X: np.ndarray, run: Run = map) -> np.ndarray:
    """Return the distances of the pairs, (m,)."""
    X, out = np.ascontiguousarray(X), np.empty(len(pairs.delta))

    def work(part: tuple[int, int]) -> None:
        _fast.pair_distances(X, *pairs.ends, *part, out)

    list(run(work, _pair_chunks(len(out))))
    return out


def pair_pass(
    pairs: PairList, X: np.ndarray, d: np.ndarray, target: np.ndarray, run: Run = map
) -> tuple[np.ndarray, float]:
    """Return Σ wd̂/d·(x_i − x_j), (n, q), and Σ w(d̂ − d)² from distances and targets, (m,) each."""
    X = np.ascontiguousarray(X)

    def work(part: tuple[int, int]) -> tuple[np.ndarray, float]:
        out = np.zeros_like(X)
        return out, _fast.pair_pass(X, *pairs.ends, pairs.weight, d, target, *part, out)

    parts = list(run(work, _pair_chunks(len(d))))
    return sum(out for out, _ in parts), sum(raw for _, raw in parts)


def isotonic(y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the non-decreasing sequence closest to y in weighted least squares."""
    out = np.empty_like(y)
    _fast.isotonic(y, weight, out)
    return out


def sweep(target: np.ndarray, weight: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return X after minimising Σ w(t − d²)² over one coordinate after the other."""
    XT = np.array(X.T, order="C")
    _fast.sweep(target, weight, XT)
    return np.ascontiguousarray(XT.T)
