"""Means of groups whose variances need not be equal: statistics, many at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

_TINY = 1e-300
_CHUNK = 4e6  # numbers held at a time


@dataclass(frozen=True)
class Moments:
    """Sizes, means and sums of squares within c groups, for m columns centred over all rows.

    Leading dimensions, where there are any, count assignments of the rows to the groups.
    """

    sizes: np.ndarray  # (c,)
    means: np.ndarray  # (…, c, m)
    within: np.ndarray  # (…, c, m), sums of squares

    @classmethod
    def of(cls, codes: np.ndarray, Y: np.ndarray, squares: np.ndarray) -> Moments:
        """Return those of Y (n, m), `squares` its square, for assignments `codes` (…, n)."""
        c = int(codes.max()) + 1
        members = (codes[..., None, :] == np.arange(c)[:, None]).astype(float)
        sizes = members.reshape(-1, c, codes.shape[-1])[0].sum(axis=1)
        means = members @ Y / sizes[:, None]
        within = members @ squares - sizes[:, None] * means**2
        return cls(sizes, means, np.maximum(within, 0.0))

    @property
    def freedom(self) -> np.ndarray:
        """Degrees of freedom of each group's variance, (c, 1)."""
        return np.asarray(np.maximum(self.sizes - 1.0, 0.0)[:, None])

    def pooled(self) -> np.ndarray:
        """Return the variance within the groups together, (…, 1, m)."""
        total: np.ndarray = self.within.sum(axis=-2, keepdims=True)
        return total / self.freedom.sum()

    def variances(self) -> np.ndarray:
        """Return the variance of each group, at least that of all, (…, c, m).

        A handful of rows that happen to lie close together, as those of a skewed group without its
        tail do, would else seem to be known exactly.
        """
        own = self.within / np.maximum(self.freedom, 1.0)
        return np.maximum(own, self.pooled())

    def cautious(self) -> np.ndarray:
        """Return variances that also believe what the other columns say of a group's spread."""
        own = self.within / np.maximum(self.freedom, 1.0)
        others = self.within.sum(axis=-2, keepdims=True) - self.within
        others = others / np.maximum(self.freedom.sum() - self.freedom, 1.0)
        total = self.within.sum(axis=-2, keepdims=True)
        unit = np.where(total > 0, total, 1.0)
        wider = (own / unit).sum(axis=-1, keepdims=True)
        wider = wider / np.maximum((others / unit).sum(axis=-1, keepdims=True), _TINY)
        known = self.freedom > 0
        return np.maximum(self.variances(), np.where(known, wider * others, 0.0))


def eta2(moments: Moments) -> np.ndarray:
    """Return the share of each column's sum of squares that lies between the groups, (…, m)."""
    apart = (moments.sizes[:, None] * moments.means**2).sum(axis=-2)
    total = apart + moments.within.sum(axis=-2)
    return np.asarray(np.divide(apart, total, out=np.zeros_like(total), where=total > 0))


def between(moments: Moments, variances: np.ndarray) -> np.ndarray:
    """Return the F* of Brown and Forsythe (1974) of each column, (…, m).

    Σ n_j (ȳ_j − ȳ)² / Σ (1 − n_j/n) s_j²; the square of Welch's t for two groups.
    """
    size = moments.sizes[:, None]
    error = ((1.0 - size / size.sum()) * variances).sum(axis=-2)
    return np.asarray((size * moments.means**2).sum(axis=-2) / np.maximum(error, _TINY))


def between_p_values(moments: Moments) -> np.ndarray:
    """Return p-values of F* for normal groups of any variances, (m,).

    Degrees of freedom by Mehrotra (1997) above and Satterthwaite below.
    """
    s2, size = moments.cautious(), moments.sizes[:, None]
    share = size / size.sum()
    w = (1.0 - share) * s2
    total = np.maximum(w.sum(axis=0), _TINY)
    above = ((1.0 - 2.0 * share) * s2**2).sum(axis=0) + (share * s2).sum(axis=0) ** 2
    below = (w**2 / np.maximum(moments.freedom, 0.5)).sum(axis=0)
    live = below > 0  # a constant column differs in nothing
    above, below = np.where(live, above, 1.0), np.where(live, below, 1.0)
    p = stats.f.sf(between(moments, s2), total**2 / above, total**2 / below)
    return np.asarray(np.where(live, p, 1.0))


def rest(moments: Moments, variances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Welch's t of each group against the others together, and its error, (…, c, m)."""
    size = moments.sizes[:, None]
    other = np.maximum(size.sum() - size, _TINY)
    # Columns are centred over all rows: the others' mean is −n_j ȳ_j/(n − n_j).
    gap = moments.means * (1.0 + size / other)
    spread = size * variances
    error = variances / size + (spread.sum(axis=-2, keepdims=True) - spread) / other**2
    return gap / np.sqrt(np.maximum(error, _TINY)), error


def rest_p_values(moments: Moments) -> np.ndarray:
    """Return two-sided p-values of `rest` for normal groups of any variances, (c, m)."""
    s2, size = moments.cautious(), moments.sizes[:, None]
    t, error = rest(moments, s2)
    freedom = np.maximum(moments.freedom, 0.5)
    part = (size * s2) ** 2 / freedom
    other = np.maximum(size.sum() - size, _TINY)
    below = s2**2 / size**2 / freedom + (part.sum(axis=0) - part) / other**4
    live = below > 0
    p = 2.0 * stats.t.sf(np.abs(t), np.where(live, error**2 / np.where(live, below, 1.0), 1.0))
    return np.asarray(np.where(live, p, 1.0))


def statistics(moments: Moments, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Return F* of columns and axes, (…, m), and t of each group against the rest on the axes."""
    part = part_of(moments, slice(p, None))
    f = between(moments, moments.variances())
    return f, rest(part, part.variances())[0]


def part_of(moments: Moments, columns: slice) -> Moments:
    """Return the moments of some of the columns."""
    return Moments(moments.sizes, moments.means[..., columns], moments.within[..., columns])


def top(values: np.ndarray) -> float:
    """Return the largest value, 0 where there is none."""
    return float(values.max(initial=0.0))


def peaks(
    codes: np.ndarray, Y: np.ndarray, squares: np.ndarray, p: int, orders: np.ndarray
) -> np.ndarray:
    """Return the largest F* of columns and of axes, and the largest |t|, of each permutation."""
    c = int(codes.max()) + 1
    step = max(1, int(_CHUNK / (c * (len(Y) + 4 * Y.shape[1]))))
    out = []
    for start in range(0, len(orders), step):
        f, t = statistics(Moments.of(codes[orders[start : start + step]], Y, squares), p)
        tops = [f[:, :p].max(axis=1, initial=0.0), f[:, p:].max(axis=1, initial=0.0)]
        out.append(np.stack([*tops, np.abs(t).max(axis=(1, 2), initial=0.0)], axis=1))
    return np.concatenate(out)
