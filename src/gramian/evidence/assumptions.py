"""What tests take for granted, looked at before one is believed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import share
from gramian._nulls.p_values import p_values, smallest_p_value
from gramian._nulls.stopping import draw_until, two_looks
from gramian.evidence.order import Finding, innovations, order
from gramian.evidence.shapes import Copies, Counts, Tails, copies, counts, tails
from gramian.evidence.table import Table, normal_scores, table_of
from gramian.evidence.validation import everything_of, finite_table, random

_SERIES = 24  # rows, under which a series tells too little of its past
_WIDE = 2  # columns a row, over which the same is true of all of them together
_SHORT = 12  # rows, under which a series hardly shows
_DOUBT = 0.02  # an order that is no finding yet is reason enough to leave the null that it breaks
_SURE = 100  # rows, from which on an order that breaks a test is a finding
_SUSPICION = 0.05  # and in the shortest tables even less of it
_WEAK, _MANY = 0.4, 250  # an autocorrelation, and rows, with which columns may go round
_DRAWS = 199
_COLUMNS = 400  # of a wide table, which show the scales of its rows as well as all
_EXACT = 20_000  # numbers, over which normal draws are not ranked
_FIRST_LOOK = 49
_HOPELESS = 0.2  # a p-value that more draws will not bring under any level


@dataclass(frozen=True)
class Assumptions:
    """What was found against the assumptions of tests; None where nothing was.

    Attributes
    ----------
    order : Finding or None
        Rows are like those before them; the effect is the largest autocorrelation.
    copies : Copies or None
        Groups of rows that are the same.
    unequal : Finding or None
        Rows differ in variance; the effect is the ratio of a large to a small one.
    tails : Tails or None
        Columns with long tails. No test is broken by them, but limits for rows are.
    counts : Counts or None
        Columns of counts.
    scheme : str
        The null that still holds: "permutation", "sign flips" (unequal rows), "blocks" (order),
        "shifts" (a weak order in many rows that their past does not tell), "copies", or "none".

    Examples
    --------
    >>> import numpy as np, gramian as gm
    >>> walks = np.random.default_rng(0).standard_normal((60, 4)).cumsum(axis=0)
    >>> found = gm.evidence.assumptions(walks, rng=0)
    >>> found.scheme, found.order.p_value
    ('blocks', 0.005)
    """

    order: Finding | None
    copies: Copies | None
    unequal: Finding | None
    tails: Tails | None
    counts: Counts | None
    scheme: str


def assumptions(
    X: Any, *, everything: Any = None, rng: Any = None, alpha: float = 0.01
) -> Assumptions:
    """Look for what breaks a permutation test, and name the null that still holds.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed.
    everything : DataFrame (n, ·), optional
        All columns, groups too: copies are rows that agree in each of them, and a file sorted by a
        group or a number is not taken for a series.
    rng : Generator or seed, optional
    alpha : float
        Level of each finding.

    Returns
    -------
    Assumptions

    Examples
    --------
    >>> import numpy as np
    >>> assumptions(np.random.default_rng(0).standard_normal((40, 5)), rng=0).scheme
    'permutation'
    """
    share(alpha, "alpha")
    X, rng = finite_table(X, bare=True), random(rng)
    table, frame = table_of(X), everything_of(everything, len(X))
    repeats = copies(X if frame is None else frame, _DRAWS, alpha, rng)
    distinct, part = _distinct(table, frame, repeats)
    draws = max(_DRAWS, int(np.ceil(1 / alpha)))
    series = _order(distinct, part, draws, rng)
    uneven = unequal_rows(distinct.values, draws, rng) if distinct.n > 4 else None
    findings = series if series and series.p_value <= alpha else None
    unequal = uneven if uneven and uneven.p_value <= alpha else None
    scheme = _scheme(distinct, part, series, unequal, repeats, alpha, rng)
    return Assumptions(findings, repeats, unequal, tails(X, rng), counts(X), scheme)


def _distinct(
    table: Table, frame: pd.DataFrame | None, repeats: Copies | None
) -> tuple[Table, pd.DataFrame | None]:
    """Return one row of each group of copies, so that a copy is not taken for a neighbour."""
    if repeats is None:
        return table, frame
    first = np.sort(np.unique(repeats.labels, return_index=True)[1])
    return table.rows(first), None if frame is None else frame.iloc[first]


def _order(
    table: Table, frame: pd.DataFrame | None, draws: int, rng: np.random.Generator
) -> Finding | None:
    return order(table.values, frame, draws, rng) if table.n >= 8 and table.p else None


def _scheme(
    table: Table,
    frame: pd.DataFrame | None,
    series: Finding | None,
    unequal: Finding | None,
    repeats: Copies | None,
    alpha: float,
    rng: np.random.Generator,
) -> str:
    """Name the null that still holds."""
    p = 1.0 if series is None else series.p_value
    if p <= _level(table.n, alpha):
        if repeats is not None:
            return "none"
        if _by_past(table, frame, alpha, rng):
            return "blocks"
        weak = series is not None and abs(series.effect) < _WEAK and table.n >= _MANY
        return "shifts" if weak else "none"
    if repeats is not None:
        return "copies"
    if p <= _DOUBT and table.n < _SURE and _by_past(table, frame, alpha, rng):
        return "blocks"
    return "permutation" if unequal is None else "sign flips"


def _level(n: int, alpha: float) -> float:
    """Return when an order is reason enough to test nothing: sooner where little can be seen."""
    return alpha if n >= _SERIES else max(alpha, _DOUBT if n >= _SHORT else _SUSPICION)


def _by_past(
    table: Table, frame: pd.DataFrame | None, alpha: float, rng: np.random.Generator
) -> bool:
    """Whether what columns bring beyond their own past can be tested: it is free of order.

    A short past is told badly in every column in the same way, which many columns add up.
    """
    if table.n < _SERIES or table.p > _WIDE * table.n:
        return False
    rest = innovations(table.values)
    part = None if frame is None else frame.iloc[-len(rest) :]
    return order(rest, part, _DRAWS, rng).p_value > alpha


def unequal_rows(X: np.ndarray, n_draws: int, rng: np.random.Generator) -> Finding:
    """Test whether some rows are larger in all columns than others.

    Columns become normal scores Z, so that long tails of their own do not count. The energy of row
    i is e_i = Σ_j z_ij², and the statistic Var(e)/(2|R|²), R the correlations of the scores: 1 for
    normal rows whatever their correlations, more where rows have scales of their own. Two nulls
    must fail: columns that are permuted (exact where they are independent), and normal rows of the
    same correlations (so that an axis is not taken for a scale).
    """
    Z = normal_scores(X[:, rng.permutation(X.shape[1])[:_COLUMNS]])
    Z = Z[:, Z.any(axis=0)]
    if Z.shape[1] < 2:
        return Finding(1.0, 1.0, "ratio of spreads")
    seen, p = _spread(Z), 0.0
    looks = two_looks(n_draws, _FIRST_LOOK)
    for draw in (_free, _normal(Z)):
        drawn = draw_until(
            lambda count, draw=draw: np.array(  # type: ignore[misc]
                [_spread(draw(Z, rng)) for _ in range(count)]
            ),
            looks,
            lambda drawn: p_values(seen, drawn) > _HOPELESS,
        )
        p = max(p, p_values(seen, drawn))
        if p > _HOPELESS:
            break
    return Finding(float(p), _ratio(Z), "ratio of spreads", smallest_p_value(n_draws))


def _free(Z: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.permuted(Z, axis=0)


def _normal(Z: np.ndarray) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    """Return the draw of normal rows with the correlations of a table."""
    n, p = Z.shape
    _, s, Vt = np.linalg.svd(Z, full_matrices=False)
    root = (s[:, None] * Vt) / np.sqrt(n)

    def draw(Z: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        Y = rng.standard_normal((n, len(root))) @ root
        # Ranks again, but where so many rows make no difference.
        return normal_scores(Y) if n * p <= _EXACT else (Y - Y.mean(axis=0)) / Y.std(axis=0)

    return draw


def _spread(Z: np.ndarray) -> float:
    """Return the variance of the energies over that of normal rows with these correlations."""
    energy = np.einsum("ij,ij->i", Z, Z)
    G = Z.T @ Z if Z.shape[1] <= len(Z) else Z @ Z.T
    return float(energy.var() / max(2.0 * np.einsum("ij,ij->", G, G) / len(Z) ** 2, 1e-300))


def _ratio(Z: np.ndarray) -> float:
    """Return how many times larger a large row (nine of ten) is than a small one (one of ten)."""
    low, high = np.quantile(np.sqrt(np.einsum("ij,ij->i", Z, Z)), [0.1, 0.9])
    return float(high / max(low, 1e-12))
