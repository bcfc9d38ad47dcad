"""Do the conditions have different networks? A permutation test of whole samples.

Networks of overlapping sets of a few samples are not independent, so that shuffling networks
between conditions would find differences everywhere. Samples are shuffled instead, and networks
are found again for each shuffle. Since a difference of levels is no difference of networks, what is
shuffled is the contrasts of each condition: where all have the same law but for their levels, the
contrasts of normal samples are exchangeable, which samples less an estimate of their level are not.
Samples that are far out come nearer first: see `tamed_contrasts`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gramian._nulls.p_values import p_values
from gramian.networks.contrasts import Contrasts, contrasts_of
from gramian.networks.finder import Finder, Similarity

_SETS = 4  # sets of samples of each condition
_PART = 0.75  # of the samples of the smallest condition that make a set
_TOGETHER = 600  # networks compared at once
_PAIRS = 60_000_000  # pairs of columns of networks compared at once
SHUFFLES = 39  # of a smaller experiment: with 19 it tells less than the test of all samples does


def statistics(
    Z: np.ndarray,
    codes: np.ndarray,
    finder: Finder,
    similarity: Similarity,
    shuffles: Sequence[tuple[np.random.Generator, bool]],
) -> np.ndarray:
    """Return the squared distance between the barycentres of conditions, one for each shuffle.

    It is the mean over pairs of conditions. A barycentre is that of networks of a few sets, each of
    three quarters of what the smallest condition has of contrasts Z: they blur what a single
    network owes to chance, and tell conditions apart with fewer samples. Each generator draws these
    sets, after it has shuffled the contrasts where it is told to.
    """
    fewest = int(np.bincount(codes).min())
    r = min(max(finder.least_rows - 1, round(_PART * fewest)), fewest)
    pool = Contrasts(Z)
    drawn = [_draw(codes, r, *shuffle) for shuffle in shuffles]
    each = len(drawn[0][0])  # all shuffles draw as many sets
    most = min(_TOGETHER, _PAIRS / Z.shape[1] ** 2)
    together = max(1, int(most) // each)
    distances = []
    for start in range(0, len(drawn), together):
        part = drawn[start : start + together]
        networks = finder.many(pool, [rows for sets, _ in part for rows in sets])
        S = similarity(networks)
        for k, (_, owner) in enumerate(part):
            mine = slice(k * each, (k + 1) * each)
            distances.append(_between(S[mine, mine], owner))
    return np.array(distances)


def _draw(
    codes: np.ndarray, r: int, rng: np.random.Generator, shuffle: bool
) -> tuple[list[np.ndarray], np.ndarray]:
    """Return sets of samples, and the condition of each."""
    groups = rng.permutation(codes) if shuffle else codes
    sets, owner = [], []
    for c in range(int(codes.max()) + 1):
        rows = np.flatnonzero(groups == c)
        sets += [np.sort(rng.choice(rows, r, replace=False)) for _ in range(_SETS)]
        owner += [c] * _SETS
    return sets, np.array(owner)


def _between(S: np.ndarray, owner: np.ndarray) -> float:
    """Return the mean over pairs of groups of |μ_c − μ_d|², from similarities."""
    A = (owner[:, None] == np.unique(owner)).astype(float)
    A /= A.sum(axis=0)
    M = A.T @ S @ A
    d = np.diagonal(M)
    i, j = np.triu_indices(len(d), 1)
    return float((d[i] + d[j] - 2.0 * M[i, j]).mean())


def tamed_contrasts(X: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what is shuffled: contrasts of all conditions, and the condition of each.

    First, samples come nearer until none is farther from the medians of its condition than half.

    A sample that is far out is in all contrasts of its condition, which then resemble each other
    and no others: conditions would differ by their wildest samples. Where many genes are measured,
    samples without long tails hardly move.

    >>> X = np.array([[1.0], [2.0], [3.0], [50.0], [4.0]])
    >>> near = np.array([[2.0], [2.0], [3.0], [4.0], [4.0]])
    >>> Z, owner = tamed_contrasts(X, np.zeros(5))
    >>> bool(np.allclose(Z, contrasts_of(near, np.zeros(5))[0])), len(owner)
    (True, 4)
    """
    X = X.copy()
    for c in np.unique(codes):
        mine = codes == c
        middle = np.median(X[mine], axis=0)
        away = X[mine] - middle
        far = np.linalg.norm(away / (np.abs(away).max() or 1.0), axis=1)
        nearer = np.minimum(1.0, np.median(far) / np.where(far > 0, far, 1.0))
        X[mine] = middle + away * nearer[:, None]
    return contrasts_of(X, codes)


def p_value(T: np.ndarray) -> float:
    """Return the share of statistics that are at least as large as the first, itself included."""
    return float(p_values(T[0], T[1:]))


def rate(
    values: np.ndarray,
    codes: np.ndarray,
    r: int,
    n_experiments: int,
    finder: Finder,
    similarity: Similarity,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return the p-values of whole tests of r samples against r, from disjoint sets in turn.

    Each order of the samples gives as many experiments without common samples as there is room for.
    The share of small p-values is the power of an experiment of r replicates, as one draw of
    samples shows it.
    """
    members = [np.flatnonzero(codes == c) for c in range(int(codes.max()) + 1)]
    room = min(len(rows) for rows in members) // r
    found: list[float] = []
    while len(found) < n_experiments:
        orders = [rng.permutation(rows) for rows in members]
        for k in range(room):
            rows = np.concatenate([order[k * r : (k + 1) * r] for order in orders])
            own = codes[rows]
            shuffles = [(rng, shuffle) for shuffle in [False] + [True] * SHUFFLES]
            Z, owner = tamed_contrasts(values[rows], own)
            found.append(p_value(statistics(Z, owner, finder, similarity, shuffles)))
    return np.array(found[:n_experiments])
