"""Ward's tree, and the exchange of rows between classes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.cluster.hierarchy import DisjointSet, fcluster, linkage

_MAX_MATRIX_ROWS = 4000  # rows up to which a matrix of distances is made
_MAX_LEAVES = 10_000  # rows up to which each is a leaf
_N_PROTOTYPES = 500  # leaves of a tree of more rows: small classes of k-means
_MIN_CLASSES, _MAX_CLASSES = 3, 10  # numbers of classes that HCPC's rule looks at


@dataclass(frozen=True, eq=False)
class Tree:
    """The hierarchy of classes of Ward's method.

    `merges`, (m − 1, 4), are as in SciPy: the two classes joined (leaves first, then merged classes
    in order), the inertia between them that is lost, and the number of leaves. `leaves` (n,) are
    those of the rows: each itself, or one of 500 small classes for more than 10,000 rows.

    Examples
    --------
    >>> tree = ward(np.array([[0.0], [2.0], [10.0]]), np.full(3, 1 / 3))
    >>> tree.gains.round(3).tolist()
    [18.0, 0.667]
    """

    merges: np.ndarray
    leaves: np.ndarray

    def __repr__(self) -> str:
        return f"Tree({len(self.merges) + 1} leaves, {len(self.leaves)} rows)"

    @property
    def gains(self) -> np.ndarray:
        """The inertia between classes that 2, 3, … classes have more than one fewer, (m − 1,)."""
        return np.asarray(self.merges[::-1, 2])

    @cached_property
    def within(self) -> np.ndarray:
        """The inertia within 1, 2, … classes, (m − 1,)."""
        return np.asarray(np.cumsum(self.merges[:, 2])[::-1])

    @property
    def suggested(self) -> int:
        """The number of classes by HCPC's rule: least inertia within, relative to one class fewer.

        It is between 3 and 10, or half of the number of leaves: never a single class.
        """
        most = min(_MAX_CLASSES, round((len(self.merges) + 1) / 2), len(self.within))
        if most < _MIN_CLASSES:
            return min(len(self.merges) + 1, 2)
        within = self.within[_MIN_CLASSES - 2 : most]
        before, after = within[:-1], within[1:]
        ratio = np.divide(after, before, out=np.ones_like(after), where=before > 0)
        return _MIN_CLASSES + int(ratio.argmin())

    def cut(self, k: int) -> np.ndarray:
        """Return the class of each row, codes from 0, when the tree is cut into k classes."""
        ranks = self.merges.copy()
        ranks[:, 2] = np.arange(1.0, len(ranks) + 1.0)  # ties would give fewer classes
        codes = fcluster(ranks, k, criterion="maxclust") - 1
        return np.asarray(codes[self.leaves])


def ward(F: np.ndarray, w: np.ndarray, seed: int = 0) -> Tree:
    """Return the tree of rows (n, q) of weights w of sum 1."""
    # Joining classes of weights a and b whose centres are d apart loses the inertia ab/(a + b)·d².
    n = len(F)
    leaves = np.arange(n)
    if n > _MAX_LEAVES:
        F, w, leaves = _prototypes(F, w, seed)
    if len(F) <= _MAX_MATRIX_ROWS and np.ptp(w) <= 1e-12 * w.max():
        merges = linkage(F, "ward")
        merges[:, 2] **= 2
        merges[:, 2] *= 0.5 / len(F)
        return Tree(merges, leaves)
    return Tree(_chain(F, w), leaves)


def _prototypes(
    F: np.ndarray, w: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the centres of many small classes, their weights, and the class of each row."""
    from sklearn.cluster import KMeans  # a tenth of a second, of large tables alone

    found = KMeans(_N_PROTOTYPES, n_init=1, max_iter=30, random_state=seed).fit(F, sample_weight=w)
    _, codes = np.unique(found.labels_, return_inverse=True)
    mass = np.bincount(codes, w)
    centres = np.stack([np.bincount(codes, w * f) / mass for f in F.T], axis=1)
    return centres, mass, codes


def _chain(F: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return merges by chains of nearest neighbours: n² steps, and no matrix."""
    # From any class, the nearest, its nearest and so on end in two classes that are each other's
    # nearest; Ward's criterion lets these be joined at once, whatever else is to be joined first.
    n = len(F)
    centre, mass, alive = F.copy(), w.copy(), np.ones(n, dtype=bool)
    pairs = np.empty((n - 1, 3))
    chain: list[int] = []
    for step in range(n - 1):
        chain = chain or [int(alive.argmax())]
        while True:
            a = chain[-1]
            gap = centre - centre[a]
            cost = mass * mass[a] / (mass + mass[a]) * np.einsum("ij,ij->i", gap, gap)
            cost[~alive] = np.inf
            cost[a] = np.inf
            b = int(cost.argmin())
            if len(chain) > 1 and cost[chain[-2]] <= cost[b]:
                b = chain[-2]
                break
            chain.append(b)
        del chain[-2:]
        pairs[step] = a, b, cost[b]
        total = mass[a] + mass[b]
        centre[b] += (centre[a] - centre[b]) * (mass[a] / total)
        mass[b], alive[a] = total, False
    return _in_order(pairs)


def _in_order(pairs: np.ndarray) -> np.ndarray:
    """Return merges from the cheapest on; a class is met under the row that it is known by."""
    n = len(pairs) + 1
    merges = np.empty((n - 1, 4))
    sets, name, count = DisjointSet(range(n)), np.arange(n), np.ones(n)
    for step, row in enumerate(pairs[np.argsort(pairs[:, 2], kind="stable")]):
        a, b = sets[int(row[0])], sets[int(row[1])]
        merges[step] = *sorted((name[a], name[b])), row[2], count[a] + count[b]
        sets.merge(a, b)
        name[sets[a]], count[sets[a]] = n + step, merges[step, 3]
    return merges


_MAX_ROUNDS = 100


def centres_of(F: np.ndarray, w: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the barycentres of classes 0, 1, …, (k, q)."""
    mass = np.bincount(codes, w)
    return np.stack([np.bincount(codes, w * f) / mass for f in F.T], axis=1)


def distances_squared(F: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the squared distances of rows to centres, (n, k)."""
    return np.stack([((F - c) ** 2).sum(axis=1) for c in centres], axis=1)


def nearest(F: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the class whose centre is nearest to each row, (n,)."""
    return np.asarray(distances_squared(F, centres).argmin(axis=1))


def consolidate_classes(F: np.ndarray, w: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return classes between which no row can be moved to lose inertia within them."""
    # Rows go to the nearest centre until none does, then the one whose move gains most (Hartigan).
    for _ in range(_MAX_ROUNDS):
        codes = _reassign(F, w, codes)
        mass, gaps = np.bincount(codes, w), distances_squared(F, centres_of(F, w, codes))
        rows = np.arange(len(F))
        own, rest = gaps[rows, codes], mass[codes] - w
        stay = np.divide(mass[codes] * own, rest, out=np.full(len(F), -1.0), where=rest > 1e-12)
        move = mass * gaps / (mass + w[:, None])
        move[rows, codes] = np.inf
        gain = w * (stay - move.min(axis=1))
        best = int(gain.argmax())
        if gain[best] <= 1e-12 * (w @ own):
            break
        codes = codes.copy()
        codes[best] = move[best].argmin()
    return codes


def _reassign(F: np.ndarray, w: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return classes after rows have gone to the nearest centre until none does."""
    k = int(codes.max()) + 1
    for _ in range(_MAX_ROUNDS):
        other = nearest(F, centres_of(F, w, codes))
        if (other == codes).all() or len(np.unique(other)) < k:
            break
        codes = other
    return codes


def number_classes(F: np.ndarray, w: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return codes 0, 1, … in the order of the classes on the first axis."""
    order = np.argsort(centres_of(F[:, :1], w, codes)[:, 0], kind="stable")
    return np.asarray(np.argsort(order)[codes])
