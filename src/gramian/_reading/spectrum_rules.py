"""How many axes to keep, from the eigenvalues alone.

Each takes the leading eigenvalues (descending), the total inertia and the number of axes there
could be, and returns q with its evidence, or None when more eigenvalues are needed to decide. It
is 0 where not even the first axis stands out.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from gramian._core.check import share as checked_share
from gramian._reading.choice import Choice
from gramian._reading.rule import Step


def reach(values: np.ndarray, total: float, dimension: int, share: float = 0.9) -> Choice | None:
    """Keep the smallest q whose eigenvalues add up to at least `share` of the total.

    >>> reach(np.array([3.0, 1.5, 0.5]), 5.0, 3, 0.8)
    2
    """
    checked_share(share, "share", one=True)
    # The tolerance lets a share that is met exactly count as met.
    enough = np.flatnonzero(np.cumsum(values) >= (share - 1e-12) * total)
    if not enough.size and len(values) < dimension:
        return None
    q = int(enough[0]) + 1 if enough.size else int(np.count_nonzero(values))
    return Choice(q, "threshold", values[:q].sum() / total, share)


def threshold(share: float) -> Step:
    """Return the rule that keeps a share of the inertia.

    >>> threshold(0.8)(np.array([3.0, 1.5, 0.5]), 5.0, 3)
    2
    """
    return partial(reach, share=share)


def kaiser(values: np.ndarray, total: float, dimension: int) -> Choice | None:
    """Keep the axes with more inertia than the average axis (1 for scaled data).

    >>> kaiser(np.array([3.0, 1.5, 0.4, 0.1]), 5.0, 4)
    2
    """
    mean = total / dimension
    q = leading(values > mean * (1.0 + 1e-12), dimension)
    if q is None:
        return None
    q = max(q, 1)  # where all are equal, none is above the average and none below
    return Choice(q, "kaiser", values[q - 1], mean, reference=mean)


def leading(passes: np.ndarray, dimension: int) -> int | None:
    """Return the number of axes before the first that does not pass; None if all did so far.

    >>> leading(np.array([True, True, False, True]), 4)
    2
    """
    failing = np.flatnonzero(~passes)
    if failing.size:
        return int(failing[0])
    return len(passes) if len(passes) >= dimension else None


def cattell(values: np.ndarray, total: float, dimension: int) -> Choice | None:
    """Keep axes 1 to k + 1 while the second differences 1 to k of the eigenvalues are positive.

    δ_k = (λ_k − λ_{k+1}) − (λ_{k+1} − λ_{k+2}); the first δ_k ≤ 0 ends the count. The evidence is
    the δ that ended it, against 0.

    >>> cattell(np.array([5.0, 3.0, 2.0, 1.0, 0.5]), 11.5, 5)
    2
    """
    bend = np.diff(values, n=2)
    flat = np.flatnonzero(bend <= 1e-12 * values[0]) if bend.size else bend
    if not flat.size and len(values) < dimension:
        return None
    live = int(np.count_nonzero(values > 1e-12 * values[0]))
    q = min(int(flat[0]) + 1 if flat.size else len(bend) + 1, live)
    return Choice(q, "cattell", bend[q - 1] if q <= len(bend) else np.nan, 0.0)


def sticks(total: float, dimension: int) -> np.ndarray:
    """Return the expected lengths of a stick of length `total` broken at random in `dimension`.

    b_k = total/m · Σ_{i ≥ k} 1/i, the longest piece first.

    >>> sticks(3.0, 2)
    array([2.25, 0.75])
    """
    return total / dimension * np.cumsum(1.0 / np.arange(dimension, 0, -1))[::-1]


def broken_stick(values: np.ndarray, total: float, dimension: int) -> Choice | None:
    """Keep the axes, from the first on, longer than the pieces of a stick broken at random.

    >>> broken_stick(np.array([3.0, 1.2, 0.5, 0.3]), 5.0, 4)
    1
    """
    values, pieces = values[:dimension], sticks(total, dimension)
    q = leading(values > pieces[: len(values)], dimension)
    if q is None:
        return None
    k = max(q, 1) - 1
    return Choice(q, "broken_stick", values[k], pieces[k], reference=pieces)


def elbow(values: np.ndarray, total: float, dimension: int) -> Choice | None:
    """Keep the axes before the corner of the scree: its point farthest below the chord.

    The chord goes from the first eigenvalue to the last. The distance to it is, up to a factor,
    c − λ_k − (k − 1)·s with s its slope; with the last eigenvalues unknown, s lies between two
    bounds, and the corner is certain when it is the same for both and nothing later can be lower.

    >>> elbow(np.array([10.0, 9.0, 1.0, 0.9, 0.8]), 21.7, 5)
    2
    """
    values = values[:dimension]
    known = len(values)
    if dimension <= 2:
        return Choice(1, "elbow")
    if known == 0:
        return None
    if known >= dimension:
        return _corner(values)
    last = float(values[-1])
    rest = max(total - float(values.sum()), 0.0)
    position = np.arange(known)
    ends = (0.0, min(last, rest / (dimension - known)))
    steep, gentle = ((values[0] - end) / (dimension - 1) for end in ends)
    corners = {int(np.argmin(values + position * slope)) for slope in (steep, gentle)}
    lowest = float((values + position * steep).min())
    if len(corners) > 1 or lowest > known * gentle:
        return None
    return Choice(max(min(corners), 1), "elbow")


def _corner(values: np.ndarray) -> Choice:
    """Return the axes before the corner of a whole scree, at least 1.

    The evidence is the distance below the chord, as a share of the height of the scree, of the
    corner and of the runner-up.
    """
    m, height = len(values), float(values[0] - values[-1])
    level = values + np.arange(m) * (height / (m - 1))
    # The first of those that rounding alone sets apart: a scree above its chord has no corner.
    q = max(int(np.argmax(level <= level.min() + 2.0**-44 * abs(float(values[0])))), 1)
    if height <= 0:
        return Choice(q, "elbow")
    chord = np.linspace(values[0], values[-1], m)
    below = np.sort((chord - values) / height)[::-1]
    return Choice(q, "elbow", below[0], below[1])
