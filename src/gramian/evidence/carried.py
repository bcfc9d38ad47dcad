"""One row or two that carry an axis, and what is left without them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from gramian._core.check import share, whole
from gramian.evidence.table import Table, table_of

_ROWS = 2
_LOOK = 8  # axes of the fit without the rows, among which the axis is looked for


@dataclass(frozen=True)
class Carried:
    """An axis that hangs on one row or two.

    Attributes
    ----------
    rows : tuple of int
        Positions, the heaviest first.
    contribution : float
        Their share of the axis.
    share, share_without : float
        The axis's part of the inertia, with them, and that of the axis nearest to it without them.
    angle : float
        Between both, in degrees.
    axis_without : int
        The number of that axis, from 1; the angle tells whether it is the same. 0 where the other
        rows do not differ.

    Examples
    --------
    >>> import numpy as np, gramian as gm
    >>> X = np.random.default_rng(0).standard_normal((40, 5))
    >>> X[7] += 20
    >>> gm.evidence.carried(X, 1).rows
    (7,)
    """

    rows: tuple[int, ...]
    contribution: float
    share: float
    share_without: float
    angle: float
    axis_without: int


def carried(X: Any, k: int, *, least: float = 0.3, alpha: float = 0.01) -> Carried | None:
    """Return the row or the two rows that carry axis k, refitted without them; None if none do.

    A row counts whose contribution to the axis no row of a normal cloud reaches, but for a chance
    of alpha: it is Beta(1/2, (n − 2)/2) for each of n rows. Together they make a share `least` of
    the axis.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed.
    k : int
        The axis, from 1.
    least : float
    alpha : float

    Returns
    -------
    Carried or None

    Examples
    --------
    >>> import numpy as np
    >>> carried(np.random.default_rng(0).standard_normal((40, 5)), 1) is None
    True
    """
    share(alpha, "alpha")
    share(least, "least", zero=True, one=True)
    table = table_of(X)
    whole(k, "k", 1, max(table.rank, 1), what="the axes")
    heavy = _heavy(table, k, least, alpha)
    return None if not heavy else _without(table, k, heavy)


def _heavy(table: Table, k: int, least: float, alpha: float) -> tuple[int, ...]:
    """Return the rows that carry the axis, at most two."""
    n = table.n
    if n < 8 or table.rank < k:
        return ()
    contribution = table.axes[0][:, k - 1] ** 2
    limit = stats.beta.isf(alpha / n, 0.5, (n - 2) / 2)
    order = np.argsort(-contribution)[:_ROWS]
    if contribution[order[0]] <= limit:
        return ()
    # The second goes with the first where it is nearly as heavy, or too heavy itself.
    second = contribution[order[1]]
    pair = second > limit or second >= 0.5 * contribution[order[0]]
    rows = order if pair else order[:1]
    return tuple(int(i) for i in rows) if contribution[rows].sum() >= least else ()


def _without(table: Table, k: int, heavy: tuple[int, ...]) -> Carried:
    """Refit without the rows, and find the axis again."""
    U, s, V = table.axes
    rest = table.rows(np.setdiff1d(np.arange(table.n), heavy))
    contribution = float((U[list(heavy), k - 1] ** 2).sum())
    part = float(s[k - 1] ** 2 / (s**2).sum())
    if rest.rank == 0:  # the other rows do not differ: nothing is left of the axis
        return Carried(heavy, contribution, part, 0.0, 90.0, 0)
    _, t, W = rest.axes
    axis = V[np.isin(table.live, rest.live), k - 1]  # a column may be constant without the rows
    cosines = np.abs(axis @ W[:, :_LOOK])
    nearest = int(cosines.argmax())
    return Carried(
        heavy,
        contribution,
        part,
        float(t[nearest] ** 2 / (t**2).sum()),
        float(np.degrees(np.arccos(min(1.0, cosines[nearest])))),
        nearest + 1,
    )
