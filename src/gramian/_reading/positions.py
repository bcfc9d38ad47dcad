"""Is a row on a map among its neighbours in the data? Neighbours lost and invented, row by row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import stats

from gramian._core.parallel import even_blocks, parallel_map
from gramian._nulls.corrections import ALPHA, benjamini_hochberg

# Of some rows: squared distances to the reference rows, (b, m), up to a constant for each row.
Distances: TypeAlias = Callable[[slice], np.ndarray]
N_NEIGHBORS = 15
N_SWAPS = 9  # nearest rows whose places a row is tried at
_MAX_REFERENCE, _MIN_REFERENCE = 2_000, 300  # rows among which neighbours are looked for
_MAX_PAIRS = 400_000_000  # of rows and reference rows
_BLOCK_ENTRIES = 1 << 20
_DEGREES = 20  # of Student's t: tails somewhat longer than normal ones
_MIN_SCALE = 0.02  # of logarithms of ranks
_SHUFFLES = 39  # of the rows of the whole map


def reference_rows(live: np.ndarray, n: int) -> np.ndarray:
    """Return the rows among which neighbours are looked for: all, or a seeded sample of them."""
    m = int(np.clip(_MAX_PAIRS // max(n, 1), _MIN_REFERENCE, _MAX_REFERENCE))
    if len(live) <= 2 * m:
        return live
    return np.sort(np.random.default_rng(0).choice(live, m, replace=False))


@dataclass(frozen=True, eq=False)
class Sides:
    """Rows in the data and on the map, each by distances to the same m reference rows."""

    data: Distances
    shown: Distances
    own: np.ndarray  # (n,), the position of a row among the reference rows, −1 for others

    def block(self, rows: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return both squared distances of some rows; that of a row to itself is infinite."""
        sides = []
        own = self.own[rows]
        at = np.flatnonzero(own >= 0)
        for of in (self.data, self.shown):
            D = of(rows)
            D[at, own[at]] = np.inf
            sides.append(D)
        return sides[0], sides[1]


@dataclass(frozen=True, eq=False)
class Kept:
    """What a map keeps of the neighbours of each row."""

    neighbors: np.ndarray  # (n, k), positions among the reference rows, the nearest first
    ranks: np.ndarray  # (n, k), their ranks on the map, from 1
    lost: np.ndarray  # (n,)
    invented: np.ndarray  # (n,)
    trust: np.ndarray  # (n,)

    @property
    def closeness(self) -> np.ndarray:
        """The mean logarithm of the ranks on the map of the neighbours in the data, (n,)."""
        return np.asarray(np.log(self.ranks).mean(axis=1))


def keep(sides: Sides, n: int, m: int, k: int) -> Kept:
    """Return what a map keeps of the k nearest of m reference rows, for each of n rows."""
    # Venna and Kaski's sums of ranks beyond k, row by row: their means over the rows are
    # 1 − continuity and 1 − trustworthiness.
    J, R = np.empty((n, k), dtype=np.int32), np.empty((n, k), dtype=np.int32)
    beyond = np.empty((n, 2))

    def work(blocks: Sequence[slice]) -> None:
        for rows in blocks:
            there, here = sides.block(rows)
            J[rows], near = nearest(there, k), nearest(here, k)
            R[rows] = _ranks_of(here, J[rows])
            beyond[rows, 0] = np.maximum(R[rows] - k, 0).sum(axis=1)
            beyond[rows, 1] = np.maximum(_ranks_of(there, near) - k, 0).sum(axis=1)

    parallel_map(work, even_blocks(n, max(1, _BLOCK_ENTRIES // m)))
    others = m - (sides.own >= 0)  # reference rows beside the row itself
    most = 0.5 * k * (2.0 * others - 3.0 * k + 1.0)
    lost, invented = (beyond / most[:, None]).T
    # What a place at random among the others would lose on average.
    chance = (others - k) * (others - k + 1.0) * k / (2.0 * others) / most
    trust = np.clip(1.0 - np.maximum(lost, invented) / chance, 0.0, 1.0)
    return Kept(J, R, lost, invented, trust)


def nearest(D: np.ndarray, k: int) -> np.ndarray:
    """Return the columns of the k smallest numbers of each row, in order, (b, k)."""
    some = np.argpartition(D, k - 1, axis=1)[:, :k]
    order = np.argsort(np.take_along_axis(D, some, axis=1), axis=1, kind="stable")
    return np.take_along_axis(some, order, axis=1)


def _ranks_of(D: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return the ranks, from 1, of some columns of each row: one more than there are smaller."""
    values, ordered = np.take_along_axis(D, columns, axis=1), np.sort(D, axis=1)
    low, high = np.zeros(columns.shape, dtype=np.int64), np.full(columns.shape, D.shape[1])
    for _ in range(D.shape[1].bit_length()):  # a search by halving, of all at once
        middle = (low + high) // 2
        at = np.minimum(middle, D.shape[1] - 1)
        less = (np.take_along_axis(ordered, at, axis=1) < values) & (low < high)
        low, high = np.where(less, middle + 1, low), np.where(less, high, middle)
    return low + 1


def reference_ranks(Z: np.ndarray) -> np.ndarray:
    """Return the rank of each reference row seen from each on the map, 0 from itself, (m, m)."""
    m = len(Z)
    out = np.zeros((m, m), dtype=np.int32)

    def work(blocks: Sequence[slice]) -> None:
        for rows in blocks:
            D = squared_distances(Z[rows], Z, single=False)
            D[np.arange(len(D)), np.arange(m)[rows]] = -np.inf
            steps = np.arange(m, dtype=np.int32)[None, :]
            np.put_along_axis(out[rows], np.argsort(D, axis=1), steps, axis=1)

    parallel_map(work, even_blocks(m, max(1, _BLOCK_ENTRIES // m)))
    return out


def worse_than_neighbours(kept: Kept, ranks: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return how much worse the place of each row is than those of its nearest rows, (n,).

    On maps in which neighbourhoods are shuffled a row stands where one of its nearest rows is
    shown. The mean logarithm of the ranks of its neighbours, seen from there, is compared with that
    from its own place: about 0 where places are exchangeable, below 0 where the map is right. The
    row itself is not counted among those that are nearer, so that new rows have the same law.
    """
    n, k = kept.neighbors.shape
    out, logs = np.empty(n), _logs(len(ranks))
    for rows in even_blocks(n, max(1, _BLOCK_ENTRIES // (N_SWAPS * k))):
        J = kept.neighbors[rows]
        seen = ranks[J[:, :N_SWAPS, None], J[:, None, :]]
        known = own[rows] >= 0
        itself = ranks[J[known, :N_SWAPS], own[rows][known, None]]
        seen[known] -= seen[known] > itself[:, :, None]
        # A row has rank 0 from its own place, and counts for nothing.
        out[rows] = np.median(logs[seen].sum(axis=2) / max(k - 1, 1), axis=1)
    return kept.closeness - out


def _logs(m: int) -> np.ndarray:
    """Return the logarithms of ranks, 0 for that of a row seen from itself."""
    return np.log(np.maximum(np.arange(m), 1))


def misplacement(excess: np.ndarray, training: np.ndarray) -> np.ndarray:
    """Return corrected p-values of rows whose places are too bad for those of the training rows.

    The centre and the larger quartile of the training rows' own excess are those of a t law: a
    fourth of them may be misplaced and the scale stays.
    """
    low, middle, high = np.quantile(training, [0.25, 0.5, 0.75])
    scale = max(middle - low, high - middle, _MIN_SCALE) / stats.t.ppf(0.75, _DEGREES)
    return benjamini_hochberg(stats.t.sf((excess - middle) / scale, _DEGREES))


def is_random(kept: Kept, ranks: np.ndarray, own: np.ndarray) -> bool:
    """Whether the map keeps neighbours no better than maps with shuffled rows."""
    rows = np.flatnonzero(own >= 0)
    J = kept.neighbors[rows]
    at = own[rows]
    rng, logs = np.random.default_rng(0), _logs(len(ranks))
    seen = float(logs[ranks[at[:, None], J]].mean())
    drawn = []
    for _ in range(_SHUFFLES):
        order = rng.permutation(len(ranks))
        drawn.append(float(logs[ranks[order[at][:, None], order[J]]].mean()))
    return (1 + sum(value <= seen for value in drawn)) / (1 + _SHUFFLES) > ALPHA


def squared_distances(A: np.ndarray, B: np.ndarray, single: bool) -> np.ndarray:
    """Return |a − b|² for rows near the origin, (b, m), rounded after the terms have cancelled."""
    left = np.column_stack([-2.0 * A, np.sum(A * A, axis=1), np.ones(len(A))])
    right = np.column_stack([B, np.ones(len(B)), np.sum(B * B, axis=1)])
    D = left @ right.T
    return D.astype(np.float32) if single else D
