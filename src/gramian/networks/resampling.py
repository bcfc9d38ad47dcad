"""Networks of resampled samples: two experiments out of one, and a test of conditions.

Networks of overlapping sets of a few samples are not independent, so that shuffling networks
between conditions would find differences everywhere. The test shuffles samples instead, and finds
networks again for each shuffle. Since a difference of levels is no difference of networks, what is
shuffled is the contrasts of each condition: where all have the same law but for their levels, the
contrasts of normal samples are exchangeable, which samples less an estimate of their level are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gramian._nulls.p_values import p_values
from gramian.networks.contrasts import contrasts, rows_of, without_means
from gramian.networks.finder import Similarity
from gramian.networks.infer import Edges, Recipe
from gramian.networks.structure import MEASURES, structure_change

KEPT = 20  # networks of each unit and size that are kept
_MAX_NETWORKS = 400  # compared at once
_MAX_PAIRS = 40_000_000  # pairs of columns of networks compared at once
_N_SHUFFLED = 10  # pairs of tables without any link
MIN_CONTRASTS = 8  # from which a jackknife can be had
_MIN_DENSITY = 0.1  # of edges, where signs are tried
SIGNS = 199  # tables whose numbers have random signs
SHUFFLES = 39  # of a smaller experiment: with 19 it tells less than the test of all samples does
_SETS = 4  # sets of samples of each condition
_SET_SHARE = 0.75  # of the samples of the smallest condition that make a set
_MAX_TEST_NETWORKS = 600  # compared at once
_MAX_TEST_PAIRS = 60_000_000  # pairs of columns of networks compared at once


@dataclass(frozen=True, eq=False)
class Unit:
    """What experiments are drawn from: n samples, or contrasts, as many of each stratum in each."""

    name: str
    values: np.ndarray  # (n, p)
    strata: np.ndarray  # (n,): the stratum of each thing, the condition of a sample
    step: int = 1
    lost: int = 0  # 1 for contrasts

    @property
    def largest_size(self) -> int:
        """The most replicates of which there are two disjoint experiments."""
        return int(np.bincount(self.strata).min()) // 2 // self.step + self.lost

    @property
    def few(self) -> bool:
        """Whether these are so few contrasts that leaving out one of them says nothing."""
        return self.lost > 0 and len(self.strata) < MIN_CONTRASTS

    def take(self, r: int) -> int:
        """Return how many things of a stratum r replicates are: r samples, or r − 1 contrasts."""
        return self.step * (r - self.lost)

    def table(self, rows: np.ndarray) -> np.ndarray:
        """Return the table of some things, of which networks are found, without means of strata."""
        X = self.values[rows]
        if self.lost:
            return rows_of(X)
        return without_means(X, self.strata[rows]) if self.strata.any() else X

    def halves(self, order: np.ndarray, r: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the first and the last things of each stratum, in an order."""
        k = self.take(r)
        strata = [order[self.strata[order] == s] for s in range(int(self.strata.max()) + 1)]
        first, last = ([s[:k] for s in strata], [s[len(s) - k :] for s in strata])
        return np.sort(np.concatenate(first)), np.sort(np.concatenate(last))


def compare_experiments(
    unit: Unit, r: int, n_resamples: int, similarity: Similarity, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Return what is seen of two experiments of r replicates, without common samples."""
    # In each of B random orders the first and the last things of every stratum give two networks.
    # "change" (B,) is 1 − their similarity, and "change_without" (n, B) the same with one thing
    # taken out of the order: where all are needed, the two then share one. "far" (B,) is the
    # squared distance of the first to the network of all, and what `MEASURES` names (B,) are
    # changes of edges, degrees, hubs and modules. "pairs", "weights" and "ends" hold some first
    # networks.
    n = len(unit.strata)
    each = 2 + 2 * unit.take(r) * (int(unit.strata.max()) + 1)
    p = unit.values.shape[1]
    together = max(1, int(min(_MAX_NETWORKS, _MAX_PAIRS / (p**2 / 2))) // each)
    change, far = np.empty((n + 1, n_resamples)), np.empty(n_resamples)
    measures = np.empty((len(MEASURES), n_resamples))
    kept: list[Edges] = []
    for start in range(0, n_resamples, together):
        orders = [rng.permutation(n) for _ in range(min(together, n_resamples - start))]
        sets: dict[bytes, int] = {}
        whole = _number(np.arange(n), sets)
        # (n + 1, orders, 2): row 0 with all in the order, row i + 1 without i
        taken = [[_numbers(unit, o[o != i], r, sets) for o in orders] for i in range(-1, n)]
        at = np.array(taken)
        networks, S = similarity.compare([unit.table(rows) for rows in _rows(sets)])
        part = slice(start, start + len(orders))
        change[:, part] = 1.0 - S[at[..., 0], at[..., 1]]
        first = at[0, :, 0]
        far[part] = S[first, first] + S[whole, whole] - 2.0 * S[first, whole]
        for b, (a, c) in enumerate(at[0]):
            measures[:, start + b] = structure_change(networks[a], networks[c], p)
        kept += [networks[k] for k in first[: KEPT - len(kept)]]
    return {
        "change": change[0],
        "change_without": change[1:],
        "far": np.maximum(far, 0.0),
        **dict(zip(MEASURES, measures, strict=True)),
        "pairs": np.concatenate([edges.pairs for edges in kept]).astype(np.int64),
        "weights": np.concatenate([edges.weights for edges in kept]).astype(np.float64),
        "ends": np.cumsum([edges.pairs.size for edges in kept]).astype(np.int64),
    }


def unpack_networks(part: dict[str, np.ndarray]) -> list[Edges]:
    """Return the networks that are kept in "pairs", "weights" and "ends"."""
    cuts = part["ends"][:-1]
    parts = zip(np.split(part["pairs"], cuts), np.split(part["weights"], cuts), strict=True)
    return [Edges(pairs, weights) for pairs, weights in parts]


def _number(rows: np.ndarray, sets: dict[bytes, int]) -> int:
    """Return the number of a set of rows among sets that are kept once."""
    return sets.setdefault(rows.tobytes(), len(sets))


def _numbers(unit: Unit, order: np.ndarray, r: int, sets: dict[bytes, int]) -> list[int]:
    return [_number(rows, sets) for rows in unit.halves(order, r)]


def _rows(sets: dict[bytes, int]) -> list[np.ndarray]:
    return [np.frombuffer(key, dtype=np.int64) for key in sets]


def similarities_at_random(
    unit: Unit, r: int, similarity: Similarity, rng: np.random.Generator
) -> np.ndarray:
    """Return similarities of networks of r replicates in which every column is shuffled alone."""
    tables = []
    for _ in range(_N_SHUFFLED):
        for rows in unit.halves(rng.permutation(len(unit.strata)), r):
            tables.append(rng.permuted(unit.table(rows), axis=0))
    _, S = similarity.compare(tables)
    return S[np.arange(0, len(tables), 2), np.arange(1, len(tables), 2)]


def similarities_by_signs(
    unit: Unit, r: int, n_resamples: int, similarity: Similarity, rng: np.random.Generator
) -> np.ndarray:
    """Return the mean similarity of two experiments, then where numbers have random signs."""
    # Contrasts of samples without links are as likely with the other sign, gene by gene, however
    # large they are: what is seen is compared with these. Of few samples few edges are significant,
    # and fewer found again: networks have at least a tenth of the pairs here.
    finder = similarity.finder
    if isinstance(finder, Recipe) and finder.density is not None:
        finder = replace(finder, density=max(_MIN_DENSITY, finder.density))
        similarity = replace(similarity, finder=finder)
    Z, means = unit.values, []
    sets: dict[bytes, int] = {}
    orders = [rng.permutation(len(Z)) for _ in range(n_resamples)]
    first, last = np.array([_numbers(unit, order, r, sets) for order in orders]).T
    each = len(sets)
    for start in range(0, SIGNS + 1, some := max(1, _MAX_NETWORKS // each)):
        count = min(some, SIGNS + 1 - start)
        signed = [rng.choice([-1.0, 1.0], Z.shape) * Z for _ in range(count)]
        if start == 0:
            signed[0] = Z
        _, S = similarity.compare([rows_of(T[rows]) for T in signed for rows in _rows(sets)])
        means += [S[first + k, last + k].mean() for k in range(0, len(S), each)]
    return np.array(means)


def separation_statistics(
    Z: np.ndarray,
    codes: np.ndarray,
    similarity: Similarity,
    shuffles: Sequence[tuple[np.random.Generator, bool]],
) -> np.ndarray:
    """Return the squared distance between the barycentres of conditions, one for each shuffle."""
    # It is the mean over pairs of conditions. A barycentre is that of networks of a few sets, each
    # of three quarters of what the smallest condition has of contrasts Z: they blur what a single
    # network owes to chance, and tell conditions apart with fewer samples. Each generator draws
    # these sets, after it has shuffled the contrasts where requested.
    fewest = int(np.bincount(codes).min())
    r = min(max(similarity.finder.least_rows - 1, round(_SET_SHARE * fewest)), fewest)
    draws = [_sets(codes, r, *shuffle) for shuffle in shuffles]
    owner = np.repeat(np.arange(codes.max() + 1), _SETS)
    most = min(_MAX_TEST_NETWORKS, _MAX_TEST_PAIRS / Z.shape[1] ** 2)
    together = max(1, int(most) // len(owner))
    distances = []
    for start in range(0, len(draws), together):
        some = [rows for sets in draws[start : start + together] for rows in sets]
        S = similarity.of_tables([rows_of(Z[rows]) for rows in some])
        for k in range(0, len(some), len(owner)):
            own = slice(k, k + len(owner))
            distances.append(_between(S[own, own], owner))
    return np.array(distances)


def _sets(codes: np.ndarray, r: int, rng: np.random.Generator, shuffle: bool) -> list[np.ndarray]:
    groups = rng.permutation(codes) if shuffle else codes
    members = [np.flatnonzero(groups == c) for c in range(int(codes.max()) + 1)]
    return [np.sort(rng.choice(own, r, replace=False)) for own in members for _ in range(_SETS)]


def _between(S: np.ndarray, owner: np.ndarray) -> float:
    """Return the mean over pairs of groups of |μ_c − μ_d|², from similarities."""
    A = (owner[:, None] == np.unique(owner)).astype(float)
    A /= A.sum(axis=0)
    M = A.T @ S @ A
    d = np.diagonal(M)
    i, j = np.triu_indices(len(d), 1)
    return float((d[i] + d[j] - 2.0 * M[i, j]).mean())


def trim_contrasts(
    X: np.ndarray, codes: np.ndarray, limit: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return what is shuffled: contrasts of all conditions, and the condition of each."""
    # First, samples come nearer until none is farther from the medians of its condition than
    # `limit` times the median sample.
    # A sample that is far out is in all contrasts of its condition, which then resemble each other
    # and no others: conditions would differ by their wildest samples. Where many genes are
    # measured, samples without long tails hardly move.
    X, far = X.copy(), median_distances(X, codes)
    for c in np.unique(codes):
        mine = codes == c
        middle = np.median(X[mine], axis=0)
        nearer = limit / np.maximum(far[mine], limit)
        X[mine] = middle + (X[mine] - middle) * nearer[:, None]
    return contrasts(X, codes)


def median_distances(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the distance of each sample to the medians of its condition over the median one."""
    far = np.empty(len(X))
    for c in np.unique(codes):
        mine = codes == c
        away = X[mine] - np.median(X[mine], axis=0)
        size = np.linalg.norm(away / (np.abs(away).max() or 1.0), axis=1)
        middle = float(np.median(size))
        far[mine] = size / middle if middle > 0 else np.where(size > 0, np.inf, 0.0)
    return far


def experiment_p_values(
    values: np.ndarray,
    codes: np.ndarray,
    r: int,
    n_experiments: int,
    similarity: Similarity,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return the p-values of whole tests of r samples against r, from disjoint sets in turn."""
    # Each order of the samples gives as many experiments without common samples as there is room
    # for; the share of small p-values is the power of an experiment of r replicates.
    members = [np.flatnonzero(codes == c) for c in range(int(codes.max()) + 1)]
    room = min(len(rows) for rows in members) // r
    p: list[float] = []
    while len(p) < n_experiments:
        orders = [rng.permutation(rows) for rows in members]
        for k in range(room):
            rows = np.concatenate([order[k * r : (k + 1) * r] for order in orders])
            Z, owner = trim_contrasts(values[rows], codes[rows])
            shuffles = [(rng, shuffle) for shuffle in [False] + [True] * SHUFFLES]
            T = separation_statistics(Z, owner, similarity, shuffles)
            p.append(float(p_values(T[0], T[1:])))
    return np.array(p[:n_experiments])
