"""Two experiments out of one: networks of disjoint sets of samples, each left out in turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from gramian.networks.contrasts import Contrasts, Listed, Pool, contrasts, rows_of
from gramian.networks.finder import Finder, Similarity
from gramian.networks.recipe import Edges, Recipe
from gramian.networks.structure import MEASURES, structure_change

KEPT = 20  # networks of each unit and size that are kept
_TOGETHER = 400  # networks compared at once
_PAIRS = 40_000_000  # pairs of columns of networks compared at once
_CHANCE = 10  # pairs of tables without any link
_FEW = 8  # contrasts from which a jackknife can be had
_TENTH = 0.1  # of the pairs, at least, that are edges where signs are tried
SIGNS = 199  # tables whose numbers have random signs


@dataclass(frozen=True, eq=False)
class Unit:
    """What experiments are drawn from: a pool of n things, as many of each stratum in each.

    An experiment of r replicates takes step·(r − lost) things of every stratum: r samples of a
    condition, or r − 1 contrasts.
    """

    name: str
    pool: Pool
    strata: np.ndarray  # (n,): the stratum of each thing
    step: int = 1
    lost: int = 0

    @property
    def smallest(self) -> int:
        """The number of things in the smallest stratum."""
        return int(np.bincount(self.strata).min())

    @property
    def largest_size(self) -> int:
        """The most replicates of which there are two disjoint experiments."""
        return self.smallest // 2 // self.step + self.lost

    @property
    def few(self) -> bool:
        """Whether these are so few contrasts that leaving out one of them says nothing."""
        return isinstance(self.pool, Contrasts) and len(self.strata) < _FEW

    def take(self, r: int) -> int:
        """Return how many things of a stratum an experiment takes."""
        return self.step * (r - self.lost)

    def halves(self, order: np.ndarray, r: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the first and the last things of each stratum, in an order."""
        k = self.take(r)
        strata = [order[self.strata[order] == s] for s in range(int(self.strata.max()) + 1)]
        first, last = ([s[:k] for s in strata], [s[len(s) - k :] for s in strata])
        return np.sort(np.concatenate(first)), np.sort(np.concatenate(last))


class _Sets:
    """Sets of rows, each kept once."""

    def __init__(self) -> None:
        self.rows: list[np.ndarray] = []
        self.number: dict[bytes, int] = {}

    def add(self, rows: np.ndarray) -> int:
        key = rows.tobytes()
        if key not in self.number:
            self.number[key] = len(self.rows)
            self.rows.append(rows)
        return self.number[key]


def resampled(
    unit: Unit,
    r: int,
    n_resamples: int,
    finder: Finder,
    similarity: Similarity,
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:
    """Return what is seen of two experiments of r replicates, without common samples.

    In each of B random orders the first and the last things of every stratum give two networks.
    "change" (B,) is 1 − their similarity, and "change_without" (n, B) the same with one thing
    taken out of the order: where all are needed, the two then share one. "far" (B,) is the squared
    distance of the first to the network of all, and what `MEASURES` names (B,) are changes of
    edges, degrees, hubs and modules. "pairs", "weights" and "ends" hold some first networks.
    """
    n = len(unit.strata)
    everyone = np.arange(n)
    each = 2 + 2 * unit.take(r) * (int(unit.strata.max()) + 1)
    pairs = unit.pool.n_columns**2 / 2
    together = max(1, int(min(_TOGETHER, _PAIRS / pairs)) // each)
    change, far = np.empty((n + 1, n_resamples)), np.empty(n_resamples)
    measures = np.empty((len(MEASURES), n_resamples))
    kept: list[Edges] = []
    for start in range(0, n_resamples, together):
        orders = [rng.permutation(n) for _ in range(min(together, n_resamples - start))]
        sets = _Sets()
        whole = sets.add(everyone)
        # (n + 1, orders, 2): row 0 with all in the order, row i + 1 without i
        at = np.array(
            [[_numbers(unit, order, i, r, sets) for order in orders] for i in (-1, *everyone)]
        )
        networks = finder.many(unit.pool, sets.rows)
        S = similarity(networks)
        part = slice(start, start + len(orders))
        change[:, part] = 1.0 - S[at[..., 0], at[..., 1]]
        first = at[0, :, 0]
        far[part] = S[first, first] + S[whole, whole] - 2.0 * S[first, whole]
        for b, (a, c) in enumerate(at[0]):
            measures[:, start + b] = structure_change(networks[a], networks[c], unit.pool.n_columns)
        kept += [networks[k] for k in first[: KEPT - len(kept)]]
    return {
        "change": change[0],
        "change_without": change[1:],
        "far": np.maximum(far, 0.0),
        **dict(zip(MEASURES, measures, strict=True)),
        **packed(kept),
    }


def _numbers(unit: Unit, order: np.ndarray, i: int, r: int, sets: _Sets) -> tuple[int, int]:
    first, last = unit.halves(order if i < 0 else order[order != i], r)
    return sets.add(first), sets.add(last)


def by_chance(
    unit: Unit, r: int, finder: Finder, similarity: Similarity, rng: np.random.Generator
) -> np.ndarray:
    """Return similarities of networks of r replicates in which every column is shuffled alone."""
    tables = []
    for _ in range(_CHANCE):
        for rows in unit.halves(rng.permutation(len(unit.strata)), r):
            tables.append(rng.permuted(unit.pool.table(rows), axis=0))
    S = similarity(finder.many(Listed(tables), [np.array([k]) for k in range(len(tables))]))
    return S[np.arange(0, len(tables), 2), np.arange(1, len(tables), 2)]


def by_signs(
    unit: Unit, r: int, n_resamples: int, finder: Finder, similarity: Similarity, seed: list[int]
) -> np.ndarray:
    """Return the mean similarity of two experiments, then where numbers have random signs.

    Contrasts of samples without links are as likely with the other sign, gene by gene, however
    large they are: what is seen is compared with these. Of few samples few edges are significant,
    and fewer found again: networks have at least a tenth of the pairs here.
    """
    if isinstance(finder, Recipe) and finder.density is not None:
        finder = replace(finder, density=max(_TENTH, finder.density))
    n, sets, rng, means = len(unit.strata), _Sets(), np.random.default_rng(seed), []
    orders = [rng.permutation(n) for _ in range(n_resamples)]
    first, last = np.array([_numbers(unit, order, -1, r, sets) for order in orders]).T
    Z, each = contrasts(unit.pool.table(np.arange(n)), np.zeros(n + 1)), len(sets.rows)
    for start in range(0, SIGNS + 1, some := max(1, _TOGETHER // each)):
        count = min(some, SIGNS + 1 - start)
        signed = [rng.choice([-1.0, 1.0], Z.shape) * Z for _ in range(count)]
        if start == 0:
            signed[0] = Z
        tables = Listed([rows_of(table[rows]) for table in signed for rows in sets.rows])
        S = similarity(finder.many(tables, list(np.arange(len(tables.tables))[:, None])))
        means += [S[first + k, last + k].mean() for k in range(0, len(S), each)]
    return np.array(means)


def packed(networks: Iterable[Edges]) -> dict[str, np.ndarray]:
    """Return networks as three arrays."""
    networks = list(networks)
    return {
        "pairs": np.concatenate([edges.pairs for edges in networks]).astype(np.int64),
        "weights": np.concatenate([edges.weights for edges in networks]).astype(np.float64),
        "ends": np.cumsum([edges.pairs.size for edges in networks]).astype(np.int64),
    }


def unpacked(unit: dict[str, np.ndarray]) -> list[Edges]:
    """Return the networks that `packed` packed."""
    cuts = unit["ends"][:-1]
    parts = zip(np.split(unit["pairs"], cuts), np.split(unit["weights"], cuts), strict=True)
    return [Edges(pairs, weights) for pairs, weights in parts]
