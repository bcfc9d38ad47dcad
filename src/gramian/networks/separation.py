"""Do the conditions have different networks? A permutation test of whole samples.

Networks of overlapping sets of a few samples are not independent, so that shuffling networks
between conditions would find differences everywhere. Samples are shuffled instead, and all that
follows (drawing sets, finding networks, comparing them) is done again for each shuffle. Since a
difference of levels is no difference of networks, what is shuffled is the samples less the medians
of their conditions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gramian.networks.finder import Finder, Similarity

__all__ = ["adjusted", "p_values", "statistics"]

_SETS = 4  # sets of r samples of each condition, at each size
_TOGETHER = 600  # networks compared at once


def statistics(
    residuals: np.ndarray,
    codes: np.ndarray,
    sizes: Sequence[int],
    finder: Finder,
    similarity: Similarity,
    shuffles: Sequence[tuple[np.random.Generator, bool]],
) -> np.ndarray:
    """Return the squared distance between the barycentres of conditions, (shuffles, sizes).

    It is the mean over pairs of conditions. Each generator draws sets of
    samples, after it has shuffled them where it is told to.
    """
    drawn = [_draw(codes, sizes, *shuffle) for shuffle in shuffles]
    networks = finder.many(residuals, [rows for sets, _ in drawn for rows in sets])
    each = len(drawn[0][0])  # all shuffles draw as many sets
    together = max(1, _TOGETHER // each)
    distances = []
    for start in range(0, len(drawn), together):
        part = drawn[start : start + together]
        S = similarity(networks[start * each : (start + len(part)) * each])
        for k, (_, owner) in enumerate(part):
            mine = slice(k * each, (k + 1) * each)
            distances.append(_by_size(S[mine, mine], owner, len(sizes)))
    return np.array(distances)


def _draw(
    codes: np.ndarray, sizes: Sequence[int], rng: np.random.Generator, shuffle: bool
) -> tuple[list[np.ndarray], np.ndarray]:
    """Return sets of samples and, for each, the number of its size and of its condition."""
    groups = rng.permutation(codes) if shuffle else codes
    members = [np.flatnonzero(groups == c) for c in range(int(codes.max()) + 1)]
    sets, owner = [], []
    for k, r in enumerate(sizes):
        for c, rows in enumerate(members):
            count = 1 if r == rows.size else _SETS
            sets += [np.sort(rng.choice(rows, r, replace=False)) for _ in range(count)]
            owner += [(k, c)] * count
    return sets, np.array(owner)


def _by_size(S: np.ndarray, owner: np.ndarray, n_sizes: int) -> list[float]:
    parts = [owner[:, 0] == k for k in range(n_sizes)]
    return [_between(S[np.ix_(k, k)], owner[k, 1]) for k in parts]


def _between(S: np.ndarray, owner: np.ndarray) -> float:
    """Return the mean over pairs of groups of |μ_c − μ_d|², from similarities."""
    A = (owner[:, None] == np.unique(owner)).astype(float)
    A /= A.sum(axis=0)
    M = A.T @ S @ A
    d = np.diagonal(M)
    i, j = np.triu_indices(len(d), 1)
    return float((d[i] + d[j] - 2.0 * M[i, j]).mean())


def p_values(T: np.ndarray) -> np.ndarray:
    """Return the share of rows of T (B + 1, sizes) that are at least as large as each row."""
    slack = 1e-12 * np.abs(T).max(axis=0, initial=0.0)
    return (T[:, None, :] >= T[None, :, :] - slack).mean(axis=0)


def adjusted(p: np.ndarray) -> np.ndarray:
    """Return the p-values of row 0 made valid for all sizes together (Westfall and Young 1993)."""
    least = p.min(axis=1)
    return (least[:, None] <= p[0] + 1e-12).mean(axis=0)
