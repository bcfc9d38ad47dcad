"""How many classes? Each division of the tree is held against a cloud that has none."""

from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.stats import norm

from gramian._nulls.corrections import bonferroni
from gramian._nulls.stopping import draw_until
from gramian.clusters.tree import centres_of, nearest
from gramian.evidence.clusters import dip, dip_p_values

_MIN_ROWS = 8  # rows of a class that may be divided
_MAX_DIVISIONS = 3  # divisions below a class that may speak for it
_LOOKS = 19, 99  # draws of a first look, and of a second where it leaves a doubt
_DOUBTFUL_P = 1e-5, 0.3  # p-values between which there is one
_MAX_DRAWN_ROWS = 100  # of a cloud; beyond, √n·dip has the law that it has there
_MAX_EXCHANGES = 5
_RIDGE = 0.1
_CURVE_FACTOR = 5.0  # of a curve that was fitted to the rows, on the p-value along it
_DEGREE = 2  # more would let it coil up within a cluster
_MAX_AXES = 3  # of the rows: a curve may wind through all the noise of many
_N_ROUNDS = 8
_N_POINTS = 101  # of the curve
_BEYOND = np.linspace(0.01, 0.3, 30)[:, None]  # of its length, straight on at both ends
_CHUNK = 1 << 20  # numbers of the gaps between rows and pieces


@dataclass(frozen=True)
class Split:
    """A division of a class in two, and whether it is more than a cut through one cloud."""

    rows: int  # of the class
    parts: tuple[int, int]
    statistic: float  # √n·dip, the largest of the divisions that were looked at
    p_value: float
    level: float

    @property
    def found(self) -> bool:
        """Whether the two parts are apart."""
        return self.p_value <= self.level


def divide(
    F: np.ndarray, merges: np.ndarray, alpha: float, rng: np.random.Generator
) -> tuple[np.ndarray, list[Split]]:
    """Return the class of each row, codes from 0, and the divisions that were tried.

    From the top of the tree down, a class is divided where its branches are apart: along the line
    that tells them apart, Hartigan's dip is larger than in clouds of one mode that were divided in
    the same way. The next divisions below may speak for a class too: of five clusters, three and
    two may overlap along every line. Nor is a bent cloud divided, thick as its shadow is at both
    ends: there must be a dip along the curve that follows the rows too. A class of m rows is tried
    at the level alpha·(m − 1)/(n − 1), so that the chance of any division too many is about alpha
    (Meinshausen 2008).
    """
    n = len(F)
    codes, tried, count = np.zeros(n, dtype=int), list[Split](), 1
    waiting = [len(merges) - 1]
    while waiting:
        node = waiting.pop()
        rows = _members(merges, node + n)
        if len(rows) < _MIN_ROWS:
            continue
        p, own = _apart(F, merges, node, rng)
        level = alpha * (len(rows) - 1) / (n - 1)
        if p <= level and (along := _apart_along_a_curve(F[rows])) > alpha:
            p = along
        branches = [_members(merges, int(child)) for child in merges[node, :2]]
        tried.append(Split(len(rows), (len(branches[0]), len(branches[1])), own, p, level))
        if not tried[-1].found:
            continue
        codes[branches[1]] = count
        count += 1
        waiting += [int(child) - n for child in merges[node, :2] if child >= n]
    return codes, tried


def _members(merges: np.ndarray, node: int) -> np.ndarray:
    """Return the leaves below a class."""
    n, waiting, leaves = len(merges) + 1, [node], list[int]()
    while waiting:
        node = waiting.pop()
        if node < n:
            leaves.append(node)
        else:
            waiting += merges[node - n, :2].astype(int).tolist()
    return np.array(leaves)


def _apart(
    F: np.ndarray, merges: np.ndarray, node: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the p-value of one mode for the rows of a class, and the statistic."""
    rows = _members(merges, node + len(F))
    own = _largest_dip(F, merges, node)
    size, m = F[rows].std(axis=0), min(len(rows), _MAX_DRAWN_ROWS)

    def draw(count: int) -> np.ndarray:
        return np.log([_of_one_cloud(size, m, rng) for _ in range(count)])

    def p_value(logs: np.ndarray) -> float:
        # A tail beyond the draws: logarithms of dips are close to normal.
        return float(norm.sf((np.log(own) - logs.mean()) / logs.std(ddof=1)))

    low, high = _DOUBTFUL_P
    logs = draw_until(draw, _LOOKS, lambda logs: not low < p_value(logs) < high)
    return p_value(logs), own


def _apart_along_a_curve(F: np.ndarray) -> float:
    """Return the p-value of one mode along the curve that follows the rows."""
    p = dip_p_values(np.array([dip(along_curve(F))]), len(F))
    return float(bonferroni(p[0], _CURVE_FACTOR))


def _of_one_cloud(size: np.ndarray, m: int, rng: np.random.Generator) -> float:
    """Return the statistic of an even cloud of m rows that is as wide on each axis.

    The uniform distribution is the hardest that has one mode (Hartigan and Hartigan 1985).
    """
    G = rng.random((m, len(size)))
    G = (G - G.mean(axis=0)) / G.std(axis=0) * size
    return _largest_dip(G, linkage(G, "ward"), m - 2)


def _largest_dip(F: np.ndarray, merges: np.ndarray, node: int) -> float:
    """Return the largest √m·dip between the branches of a class and of the next ones below it."""
    n, nodes, dips = len(F), [node], list[float]()
    while nodes and len(dips) < _MAX_DIVISIONS:
        node = max(nodes)  # unions are numbered by what they cost
        nodes.remove(node)
        first, second = (_members(merges, int(child)) for child in merges[node, :2])
        rows, side = np.concatenate([first, second]), np.repeat([0, 1], [len(first), len(second)])
        if len(rows) < _MIN_ROWS:
            break
        dips.append(_dip_between(F[rows], side) * float(np.sqrt(len(rows))))
        nodes += [int(child) - n for child in merges[node, :2] if child >= n]
    return max(dips)


def _dip_between(F: np.ndarray, side: np.ndarray) -> float:
    """Return the larger dip along two lines that tell two parts apart, after some exchange.

    The line through their centres, and the discriminant one: where a part consists of several
    clusters, these may hide the gap along the first.
    """
    w = np.ones(len(F))
    for _ in range(_MAX_EXCHANGES):
        other = nearest(F, centres_of(F, w, side))
        if (other == side).all() or other.min() == other.max():
            break
        side = other
    centres = centres_of(F, w, side)
    gap, rest = centres[1] - centres[0], F - centres[side]
    W = rest.T @ rest
    W += (_RIDGE * np.trace(W) / len(W) + 1e-300) * np.eye(len(W))
    return max(dip(F @ gap), dip(F @ np.linalg.solve(W, gap)))


def along_curve(F: np.ndarray) -> np.ndarray:
    """Return the arc length at which each row is nearest to a principal curve, (n,).

    Every one of the first principal axes of the rows is a polynomial of the place along the curve,
    and the place is that of the nearest point, in turn from the first axis on (Hastie and Stuetzle
    1989). Beyond its ends the curve goes straight on: rows that lie beyond would else all have the
    place of the end.

    >>> angle = np.linspace(0.0, 2.0, 40)
    >>> s = along_curve(np.column_stack([np.cos(angle), np.sin(angle)]))
    >>> bool(np.abs(np.abs(s - s[0]) - angle).max() < 0.1)
    True
    """
    U, size, _ = np.linalg.svd(F - F.mean(axis=0), full_matrices=False)
    F, s = (U * size)[:, :_MAX_AXES], U[:, 0]
    for _ in range(_N_ROUNDS):
        length = np.ptp(s)
        if length == 0:
            break
        s = _places(F, _curve(F, 2.0 * (s - s.min()) / length - 1.0))
    return np.asarray(s)


def _curve(F: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Return points along the curve of rows with places t between −1 and 1."""
    powers = np.polynomial.legendre.legvander
    C = np.linalg.lstsq(powers(t, _DEGREE), F, rcond=None)[0]
    P = powers(np.linspace(-1.0, 1.0, _N_POINTS), _DEGREE) @ C
    reach = _BEYOND * np.linalg.norm(np.diff(P, axis=0), axis=1).sum()
    return np.vstack(
        [P[0] - reach[::-1] * _unit(P[1] - P[0]), P, P[-1] + reach * _unit(P[-1] - P[-2])]
    )


def _unit(v: np.ndarray) -> np.ndarray:
    return v / max(float(np.linalg.norm(v)), 1e-300)


def _places(F: np.ndarray, P: np.ndarray) -> np.ndarray:
    """Return the arc length of the nearest point of a polygon, (n,)."""
    piece = np.diff(P, axis=0)
    length = np.maximum(np.linalg.norm(piece, axis=1), 1e-300)
    arc = np.concatenate([[0.0], np.cumsum(length)])
    size = max(1, _CHUNK // piece.size)
    parts = []
    for start in range(0, len(F), size):
        gap = F[start : start + size, None] - P[:-1]
        share = np.clip(np.einsum("njd,jd->nj", gap, piece) / length**2, 0.0, 1.0)
        rest = ((gap - share[:, :, None] * piece) ** 2).sum(axis=2)
        j = rest.argmin(axis=1)
        parts.append(arc[j] + share[np.arange(len(j)), j] * length[j])
    return np.concatenate(parts)
