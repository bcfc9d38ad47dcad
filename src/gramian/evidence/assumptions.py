"""Checks of the assumptions of tests."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import pandas as pd

from gramian._core.check import generator, one_of, share
from gramian._core.types import SeedLike, TableLike
from gramian._nulls.p_values import draw_until, p_values, smallest_p_value, two_looks
from gramian.evidence.arrangement import Arrangement, arrangement, groups_in_names
from gramian.evidence.order import Finding, innovations
from gramian.evidence.order import order as find_order
from gramian.evidence.shapes import (
    Copies,
    Counts,
    Tails,
    copies,
    counts,
    near_columns,
    near_rows,
    tails,
)
from gramian.evidence.table import Table, as_data_frame, finite_table, normal_scores, table_of

_MIN_SERIES = 24  # rows, under which a series tells too little of its past
_MAX_COLUMNS_PER_ROW = 2  # columns a row, over which the same is true of all of them together
_SHORT_SERIES = 12  # rows, under which a series hardly shows
_DOUBT_LEVEL = 0.02  # an order that is no finding yet is reason to leave the null that it breaks
_SURE_ROWS = 100  # rows, from which on an order that breaks a test is a finding
_SUSPECT_LEVEL = 0.05  # and in the shortest tables even less of it
_WEAK_CORRELATION, _MANY_ROWS = 0.4, 250  # with which columns may be rotated
_DRAWS = 199
_MAX_COLUMNS = 400  # of a wide table, which show the scales of its rows as well as all
_MAX_RANKED = 20_000  # numbers, over which normal draws are not ranked
_FIRST_LOOK = 49
ORDERS = ("auto", "ignored")
_HOPELESS = 0.2  # a p-value that more draws will not bring under any level


@dataclass(frozen=True)
class Assumptions:
    """Violations of the assumptions of tests; None where there is none.

    Attributes
    ----------
    order : Finding or None
        Rows resemble the previous ones; the effect is the largest autocorrelation.
    copies : Copies or None
        Groups of rows that are duplicates, or nearly so.
    unequal : Finding or None
        Rows differ in variance; the effect is the ratio of a large to a small one.
    tails : Tails or None
        Columns with long tails, which affect limits for rows but no test.
    counts : Counts or None
        Columns of counts.
    scheme : str
        The null model that remains valid: "permutation", "sign flips" (unequal rows), "blocks"
        (order), "shifts" (a weak order in many rows, not predicted by their past), "copies", or
        "none". Beside copies each of them is of one row of each group.
    arrangement : Arrangement or None
        What explains the order of the rows, if it does so completely.
    near_columns : tuple of (int, int, float)
        Columns that nearly repeat a previous one, that one, and their correlation, ±0.99 or more.

    Examples
    --------
    >>> walks = np.random.default_rng(0).standard_normal((60, 4)).cumsum(axis=0)
    >>> assumptions(walks, rng=0).order.p_value
    0.005
    """

    order: Finding | None
    copies: Copies | None
    unequal: Finding | None
    tails: Tails | None
    counts: Counts | None
    scheme: str
    arrangement: Arrangement | None = None
    near_columns: tuple[tuple[int, int, float], ...] = ()


def assumptions(
    X: TableLike,
    *,
    everything: TableLike | None = None,
    order: Literal["auto", "ignored"] = "auto",
    rng: SeedLike = None,
    alpha: float = 0.01,
) -> Assumptions:
    """Check the assumptions of permutation tests, and choose a null model that is valid.

    Rows that follow each other may be alike because the file is arranged by groups, named by a
    column or not, or sorted by a number. If such an arrangement explains the order completely, rows
    are exchangeable like those of the shuffled file, and `order` is None.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed.
    everything : DataFrame (n, ·), optional
        All columns, including groups: copies are rows that agree in all of them, and columns that
        are not in X, or parts of row names, may explain the order of the rows.
    order : "auto" or "ignored"
        "ignored": the order of the rows has no meaning and is not examined.
    rng, alpha : Generator or seed, optional; float
        Seed of the random draws, and level of each finding.

    Examples
    --------
    >>> assumptions(np.random.default_rng(0).standard_normal((40, 5)), rng=0).scheme
    'permutation'
    """
    share(alpha, "alpha")
    one_of(order, "order", ORDERS)
    X, rng = finite_table(X, bare=True), generator(rng, "rng")
    frame = as_data_frame(everything, len(X))
    repeats = copies(X if frame is None else frame, _DRAWS, alpha, rng) or _unnamed_near_rows(
        X, frame
    )
    own = X
    if repeats is not None:  # one row of each group: a copy is not taken for a neighbour
        first = np.sort(np.unique(repeats.labels, return_index=True)[1])
        own, frame = X[first], None if frame is None else frame.iloc[first]
    table = table_of(own)
    draws, n = max(_DRAWS, int(np.ceil(1 / alpha))), table.n
    series, layout = None, None
    if order == "auto" and n >= 8 and table.p:
        series = find_order(table.values, draws, rng)
        if series.p_value <= max(alpha, _DOUBT_LEVEL, _suspicion(n)):
            layout = arrangement(own[:, table.live], frame, draws, rng)
            series = None if layout is not None else series
    uneven = unequal_rows(table.values, draws, rng) if n > 4 else None
    autocorrelated = series if series and series.p_value <= alpha else None
    unequal = uneven if uneven and uneven.p_value <= alpha else None
    scheme = _scheme(table, series, unequal, repeats, alpha, rng)
    shapes = tails(X, rng), counts(X)
    return Assumptions(autocorrelated, repeats, unequal, *shapes, scheme, layout, near_columns(X))


def _unnamed_near_rows(X: np.ndarray, frame: pd.DataFrame | None) -> Copies | None:
    """Return near copies, unless the names of rows tell their groups: those are of a design."""
    near = near_rows(X)
    if near is None or frame is None:
        return near
    for codes in groups_in_names(pd.Series(frame.index), len(X)):
        pairs = np.unique(np.stack([near.labels, codes]), axis=1).shape[1]
        if pairs == len(np.unique(near.labels)):
            return None
    return near


def _suspicion(n: int) -> float:
    """Return the level at which an order is reason to test nothing: less where little is seen."""
    return _DOUBT_LEVEL if n >= _SHORT_SERIES else _SUSPECT_LEVEL


def _scheme(
    table: Table,
    series: Finding | None,
    unequal: Finding | None,
    repeats: Copies | None,
    alpha: float,
    rng: np.random.Generator,
) -> str:
    """Name the null that still holds."""
    p, n = 1.0 if series is None else series.p_value, table.n
    if p <= (alpha if n >= _MIN_SERIES else max(alpha, _suspicion(n))):
        if _by_past(table, alpha, rng):
            return "blocks"
        weak = series is not None and abs(series.effect) < _WEAK_CORRELATION and n >= _MANY_ROWS
        return "shifts" if weak else "none"
    if p <= _DOUBT_LEVEL and n < _SURE_ROWS and _by_past(table, alpha, rng):
        return "blocks"
    if repeats is not None:
        return "copies"
    return "permutation" if unequal is None else "sign flips"


def _by_past(table: Table, alpha: float, rng: np.random.Generator) -> bool:
    """Whether what columns bring beyond their own past can be tested: it is free of order."""
    # A short past is estimated badly in every column in the same way, and many columns add that up.
    if table.n < _MIN_SERIES or table.p > _MAX_COLUMNS_PER_ROW * table.n:
        return False
    return find_order(innovations(table.values), _DRAWS, rng).p_value > alpha


def unequal_rows(X: np.ndarray, n_draws: int, rng: np.random.Generator) -> Finding:
    """Test whether some rows are larger in all columns than others."""
    # Columns become normal scores Z, so that long tails of their own do not count. The energy of
    # row i is e_i = Σ_j z_ij², and the statistic Var(e)/(2|R|²), R the correlations of the scores:
    # 1 for normal rows whatever their correlations, more where rows have scales of their own. Two
    # nulls must fail: columns that are permuted (exact where they are independent), and normal rows
    # of the same correlations (so that an axis is not taken for a scale).
    Z = normal_scores(X[:, rng.permutation(X.shape[1])[:_MAX_COLUMNS]])
    Z = Z[:, Z.any(axis=0)]
    if Z.shape[1] < 2:
        return Finding(1.0, 1.0, "ratio of spreads")
    observed, p = _spread(Z), 0.0
    _, s, Vt = np.linalg.svd(Z, full_matrices=False)
    root = (s[:, None] * Vt) / np.sqrt(len(Z))

    def draw_normal() -> np.ndarray:
        Y = rng.standard_normal((len(Z), len(root))) @ root
        # Ranks again, but where so many rows make no difference.
        return normal_scores(Y) if Z.size <= _MAX_RANKED else (Y - Y.mean(axis=0)) / Y.std(axis=0)

    for draw in (partial(rng.permuted, Z, axis=0), draw_normal):
        drawn = draw_until(
            partial(_draw_spreads, draw),
            two_looks(n_draws, _FIRST_LOOK),
            lambda drawn: p_values(observed, drawn) > _HOPELESS,
        )
        p = max(p, float(p_values(observed, drawn)))
        if p > _HOPELESS:
            break
    # How many times larger a large row (nine of ten) is than a small one (one of ten).
    low, high = np.quantile(np.sqrt(np.einsum("ij,ij->i", Z, Z)), [0.1, 0.9])
    ratio = float(high / max(low, 1e-12))
    return Finding(p, ratio, "ratio of spreads", smallest_p_value(n_draws))


def _draw_spreads(draw: Callable[[], np.ndarray], count: int) -> np.ndarray:
    return np.array([_spread(draw()) for _ in range(count)])


def _spread(Z: np.ndarray) -> float:
    """Return the variance of the energies over that of normal rows with these correlations."""
    energy = np.einsum("ij,ij->i", Z, Z)
    G = Z.T @ Z if Z.shape[1] <= len(Z) else Z @ Z.T
    return float(energy.var() / max(2.0 * np.einsum("ij,ij->", G, G) / len(Z) ** 2, 1e-300))
