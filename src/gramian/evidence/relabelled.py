"""Statistics of groups over permuted labels: how far the largest of each table goes by chance."""

from __future__ import annotations

import numpy as np

from gramian.evidence.welch import Moments, between, rest

__all__ = ["beyond", "joint", "part_of", "peaks", "statistics", "top"]

_CHUNK = 4e6  # numbers held at a time


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


def beyond(best: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return (1 + #)/(B + 1), # the permuted tables whose best reaches a value."""
    ranked = np.sort(best[1:])
    # A permutation that gives the same groups back must count, whatever its rounding.
    below = np.searchsorted(ranked, values * (1.0 - 1e-9))
    return (1.0 + len(ranked) - below) / (1.0 + len(ranked))


def joint(best: np.ndarray) -> float:
    """Return the p-value of the better of two statistics: both are ranked among all tables."""
    ranks = [(b[None, :] >= b[:, None] * (1.0 - 1e-9)).mean(axis=1) for b in best.T if b.any()]
    if not ranks:
        return 1.0
    least = np.min(ranks, axis=0)
    return float((least <= least[0] * (1.0 + 1e-9)).mean())
