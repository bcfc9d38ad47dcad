"""Moments of blocks of rows: all that is kept of rows that are read once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from gramian._core.array import Array, as_doubles, is_sparse, namespace, to_numpy
from gramian._core.check import expect
from gramian._core.chunked.blocks import Block
from gramian._core.operators.moments import Moments, moments
from gramian.errors import InputError

SEEN = frozenset({"n_features_in_", "feature_names_in_"})


@dataclass(frozen=True, eq=False)
class Stream:
    """What is known of the rows that were read."""

    moments: Moments
    n: Annotated[int, ">= 1"]
    like: Array  # an empty array of the rows' library and precision
    seen: dict[str, Any]  # what scikit-learn records of the columns

    def check(self) -> None:
        """Refuse columns that are not those of the moments, and results of no precision."""
        p = self.moments.first.shape[0]
        expect(set(self.seen) <= SEEN, "what scikit-learn records of columns")
        expect(self.seen.get("n_features_in_", p) == p, f"{p} columns")
        expect("float" in str(getattr(self.like, "dtype", "")), "an array of floating numbers")

    @classmethod
    def of(cls, X: Any, weights: np.ndarray | None, seen: dict[str, Any]) -> Stream:
        """Return what one block of rows says; weights are used as they are."""
        n = X.shape[0] if weights is None else int(np.count_nonzero(weights))
        like = X.data if is_sparse(X) else X
        w = None if weights is None else as_doubles(weights, like)
        return cls(moments(X, w), n, like[:0, ...], seen)

    @property
    def names(self) -> Any:
        """The names of the columns, or None."""
        return self.seen.get("feature_names_in_")

    def __add__(self, other: Stream) -> Stream:
        """Return what is known of the rows of both."""
        like = max(self.like, other.like, key=lambda a: a.dtype.itemsize)
        return Stream(merged(self.moments, other.moments), self.n + other.n, like, self.seen)


def block_stream(block: Block, cross: bool = True) -> Stream | None:
    """Return what a block says, as NumPy arrays; without `cross` only variances of columns."""
    live = block.live
    if not len(live):
        return None
    X = live.values
    w = None if live.weights is None else as_doubles(live.weights, X.data if is_sparse(X) else X)
    m = moments(X, w, cross=cross)
    shift, unit, first, second = (to_numpy(a) for a in (m.shift, m.unit, m.first, m.second))
    like = np.empty((0, X.shape[1]), dtype=str(X.dtype).rpartition(".")[2])
    return Stream(Moments(shift, unit, m.weight, first, second), len(live), like, {})


def merged(a: Moments, b: Moments) -> Moments:
    """Return the moments of the rows of both, each around a point of its own, without loss.

    Scatters are added around their own means, with w_a·w_b/(w_a + w_b)·d·dᵀ for the distance d of
    these (Chan, Golub and LeVeque 1983): sums around one point that is far from most rows, as the
    first block of a sorted table may be, would have to cancel. The new shift of a column is the
    nearer one of the two to the new mean, so that shifts stay numbers of the data.

    >>> from gramian._core.operators.moments import moments
    >>> rows = np.array([[1e8], [1e8 + 1.0], [0.0], [4.0]])
    >>> both = merged(moments(rows[:2]), moments(rows[2:]))
    >>> both.weight, both.mean.tolist()
    (4.0, [50000001.25])
    """
    xp = namespace(a.first)
    unit = xp.maximum(a.unit, b.unit)
    a, b = rescaled(a, unit), rescaled(b, unit)
    weight = a.weight + b.weight
    with np.errstate(over="ignore", invalid="ignore"):
        apart = (b.shift - a.shift) + (b.rest - a.rest)
    if not bool(xp.all(xp.isfinite(apart))):
        raise InputError("X: differences of its numbers overflow: divide the data by 16")
    from_a = a.rest + (b.weight / weight) * apart  # of the mean, beside either shift
    from_b = b.rest - (a.weight / weight) * apart
    near_a = xp.abs(from_a) <= xp.abs(from_b)
    first = weight * (xp.where(near_a, from_a, from_b) / unit)
    d = apart / unit
    second = _scatter(a) + _scatter(b) + _outer(d, a) * (a.weight * b.weight / weight)
    second += _outer(first, a) / weight
    return Moments(xp.where(near_a, a.shift, b.shift), unit, weight, first, second)


def rescaled(m: Moments, unit: Array) -> Moments:
    """Return the same moments in other units."""
    ratio = m.unit / unit
    return Moments(m.shift, unit, m.weight, m.first * ratio, m.second * _outer(ratio, m))


def _scatter(m: Moments) -> Array:
    """Return the second moment around the mean."""
    return m.second - _outer(m.first, m) / m.weight


def _outer(d: Array, m: Moments) -> Array:
    """Return d·dᵀ, or its diagonal where the moments have only that."""
    return d * d if m.second.ndim == 1 else d[:, None] * d[None, :]


def in_units(m: Moments) -> Moments:
    """Return moments in the unit of the features, which kernels keep near 1."""
    return rescaled(m, np.ones_like(m.unit))


def about_origin(m: Moments) -> np.ndarray:
    """Return Σ w·f·fᵀ from the moments about the shift."""
    cross = np.outer(m.shift, m.first)
    return m.second + cross + cross.T + m.weight * np.outer(m.shift, m.shift)


def padded(stream: Stream, columns: int) -> Stream:
    """Return the moments with features more, which are 0 for the rows that came before."""
    m = stream.moments
    more = columns - len(m.first)
    shift, first = (np.pad(a, (0, more)) for a in (m.shift, m.first))
    second = np.pad(m.second, (0, more))
    return replace(stream, moments=Moments(shift, np.ones(columns), m.weight, first, second))


def turned(m: Moments, Q: np.ndarray) -> Moments:
    """Return the moments of f·Q."""
    second = Q.T @ m.second @ Q
    second = 0.5 * (second + second.T)
    return Moments(m.shift @ Q, np.ones(Q.shape[1]), m.weight, m.first @ Q, second)
