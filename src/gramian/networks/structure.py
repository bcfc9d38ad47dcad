"""What two networks on the same nodes have in common: edges, degrees, hubs, modules."""

import numpy as np
from scipy import sparse, stats
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse.csgraph import connected_components

from gramian.networks.correlations import unit_columns, upper
from gramian.networks.infer import Edges

MEASURES = ("edges", "degrees", "hubs", "modules")
_MIN_NODES = 3  # of a module


def structure_change(a: Edges, b: Edges, p: int) -> tuple[float, float, float, float]:
    """Return 1 − what two networks on p nodes share, in the order of `MEASURES`."""
    # Edges: Dice's share of those that both have. Degrees: their correlation, 0 by chance. Hubs:
    # the probability that a hub of one has more neighbours in the other than another node, ties
    # counting one half, so that 0.5 is chance. Modules: the adjusted Rand index, 0 by chance.
    d, e = degrees_of(a, p), degrees_of(b, p)
    total = a.pairs.size + b.pairs.size
    if total == 0:
        return 1.0, 1.0, 0.5, 1.0
    common = np.intersect1d(a.pairs, b.pairs, assume_unique=True).size
    hubs = 0.5 * (hub_order(d, e) + hub_order(e, d))
    modules = _rand_index(modules_of(a, p), modules_of(b, p))
    return 1.0 - 2.0 * common / total, 1.0 - _correlation(d, e), 1.0 - hubs, 1.0 - modules


def degrees_of(edges: Edges, p: int) -> np.ndarray:
    """Return the number of neighbours of each node."""
    i, j = upper(p)
    return np.bincount(np.concatenate([i[edges.pairs], j[edges.pairs]]), minlength=p)


def _correlation(d: np.ndarray, e: np.ndarray) -> float:
    """Return the correlation of two degrees; where one is the same everywhere, whether both are."""
    if np.ptp(d) == 0 or np.ptp(e) == 0:
        return float(np.array_equal(d, e))
    return float(np.corrcoef(d, e)[0, 1])


def hub_order(degree: np.ndarray, other: np.ndarray) -> float:
    """Return how often a hub by one degree is before another node by the other."""
    # Hubs are the tenth of the nodes (at most ten) of largest degree, and all that tie with the
    # last of them: in a clique all are hubs, rather than some by lot.
    p = degree.size
    least = np.sort(degree)[::-1][max(1, min(10, p // 10)) - 1]
    hub = degree >= max(least, 1)
    m = int(hub.sum())
    if m in (0, p):
        return 0.5
    ranks = stats.rankdata(other)
    return float((ranks[hub].sum() - m * (m + 1) / 2) / (m * (p - m)))


def modules_of(edges: Edges, p: int) -> np.ndarray:
    """Return the module of each node, 0 for none: parts held together by triangles."""
    # One false edge would join two modules; it is rarely the side of a triangle. Where there are no
    # triangles at all, as in stars, any edge holds.
    i, j = (ends[edges.pairs] for ends in upper(p))
    near = np.zeros((p, p), dtype=bool)
    near[i, j] = near[j, i] = True
    bits = np.packbits(near, axis=1)
    closed = (bits[i] & bits[j]).any(axis=1)  # the ends have a neighbour in common
    if not closed.any():
        closed[:] = True
    sides = sparse.coo_array((closed[closed], (i[closed], j[closed])), shape=(p, p))
    count, part = connected_components(sides, directed=False)
    sizes = np.bincount(part, minlength=count)
    number = np.cumsum(sizes >= _MIN_NODES)
    return np.where(sizes[part] >= _MIN_NODES, number[part], 0)


def clustered_modules(X: np.ndarray, n_links: int) -> np.ndarray:
    """Return the module of each column, 0 for none, by average linkage of absolute correlations."""
    # The tree is cut where the mean correlation of what is joined falls below that of the weakest
    # of the links. Single false links join no modules, however many links there are.
    U, _ = unit_columns(X)
    r = np.clip(np.abs((U.T @ U)[upper(X.shape[1])]), 0.0, 1.0)
    if n_links == 0:
        return np.zeros(X.shape[1], dtype=np.int64)
    weakest = np.partition(r, r.size - n_links)[r.size - n_links]
    part = fcluster(linkage(1.0 - r, "average"), 1.0 - weakest, "distance")
    sizes = np.bincount(part)
    return np.where(sizes[part] >= _MIN_NODES, part, 0)


def _rand_index(a: np.ndarray, b: np.ndarray) -> float:
    """Return Hubert and Arabie's index over the nodes that either puts into a module."""
    from sklearn.metrics import adjusted_rand_score  # a third of a second, of studies alone

    some = (a > 0) | (b > 0)
    if some.sum() < 2:
        return 0.0
    # A node of no module is a part of its own.
    own = (np.where(m == 0, m.max() + np.cumsum(m == 0), m) for m in (a[some], b[some]))
    return float(adjusted_rand_score(*own))
