"""The axes above noise, tested one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian._check import share, whole
from gramian.evidence.door import distinct_rows, random
from gramian.evidence.innovations import innovations
from gramian.evidence.noise import DRAWS, Draw, residual_of
from gramian.evidence.table import Table, table_of
from gramian.reading.null import count_axes
from gramian.reading.residual import Residual

__all__ = ["AxesEvidence", "axes"]

# Flips come second: a few rows of another variance, which no check sees in a small table, make an
# axis against permuted columns and none against flipped signs.
NULLS = {
    "permutation": ("permutations", "flips"),
    "sign flips": ("flips",),
    "blocks": ("permutations", "flips"),
    "shifts": ("shifts", "flips"),
    "copies": ("permutations", "flips"),
}
_FIRST_LOOK = 99
_IDLE = 0.3  # a p-value that more draws will not bring under any level
_FAR = 6.0  # deviations above the draws, beyond which more of them say the same
_MOST = 30  # axes


@dataclass(frozen=True)
class AxesEvidence:
    """How many axes stand out of noise, and which noise that is.

    Attributes
    ----------
    n_axes : int or None
        Axes before the first that noise would reach; None where no null model holds.
    p_values : array (m,)
        Of axes 1 to m, the first that fails included. Each is the largest so far: an axis is above
        noise only after those before it.
    floor : float
        The smallest p-value that so many draws can give.
    scheme : str
        "permutation", "sign flips", "blocks", "shifts", "copies" or "none"; "directions" of a cloud
        without columns, "counts" of a contingency table.
    reference : array (m,)
        The eigenvalue that noise exceeds with probability alpha, axis by axis.
    eigenvalues : array (m,)
        Those of the rows that were tested.
    deflated : tuple of int
        Axes that show only once those before them are taken off.
    alpha : float

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> gm.evidence.axes((X - X.mean(axis=0)) / X.std(axis=0), rng=0).n_axes
    1
    """

    n_axes: int | None
    p_values: np.ndarray
    floor: float
    scheme: str
    reference: np.ndarray = field(repr=False)
    eigenvalues: np.ndarray = field(repr=False)
    deflated: tuple[int, ...]
    alpha: float


def axes(
    X: Any,
    *,
    scheme: str = "permutation",
    groups_of_copies: Any = None,
    n_draws: int = 399,
    alpha: float = 0.05,
    rng: Any = None,
) -> AxesEvidence:
    """Count the axes that stand out of noise, by parallel analysis with deflation.

    Axis k + 1 is held against the largest eigenvalue of tables drawn from the residual of the first
    k axes. The count stops at the first axis that noise reaches with probability above alpha, so
    that the chance of one axis too many is alpha, whatever their number.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed: standardised where the analysis standardises.
    scheme : str
        "permutation": each column is permuted, and then the signs of its entries flipped; an axis
        must stand out of both. "sign flips": signs only, right where rows differ in variance.
        "copies": the same as "permutation" with one row of each group of copies. "blocks": for rows
        in an order that matters, what each column brings beyond its own past. "shifts": each column
        moves along the rows as a whole and keeps its order. "none": no test.
    groups_of_copies : array (n,), optional
        The group of each row, for "copies".
    n_draws : int
        At most, for each axis; 99 where they leave no doubt.
    alpha : float
    rng : Generator or seed, optional

    Returns
    -------
    AxesEvidence

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((50, 1)) + rng.standard_normal((50, 6))
    >>> axes(X, rng=rng).n_axes
    1
    """
    share(alpha, "alpha")
    whole(n_draws, "n_draws", int(np.ceil(1 / alpha - 1 - 1e-9)))
    table, rng = table_of(X), random(rng)
    kept = distinct_rows(scheme, table.n, groups_of_copies)
    table = table if kept is None else _rows(table, scheme, kept)
    if kept is None or table.rank < 2:
        return _nothing(scheme, alpha)
    return _evidence(table, scheme, n_draws, alpha, rng)


def _rows(table: Table, scheme: str, kept: np.ndarray) -> Table:
    """Return the rows that are exchangeable under the null."""
    if scheme == "copies":
        return table.rows(kept)
    if scheme == "blocks":
        return table.like(innovations(table.values)) if table.n > 4 else table.rows(np.arange(0))
    return table


def _nothing(scheme: str, alpha: float) -> AxesEvidence:
    """No test is possible."""
    empty = np.zeros(0)
    return AxesEvidence(None, empty, 1.0, scheme, empty, empty, (), alpha)


def _evidence(
    table: Table, scheme: str, n_draws: int, alpha: float, rng: np.random.Generator
) -> AxesEvidence:
    p: list[float] = []
    level, floor, plain = [], 1.0, 0
    for k in range(min(table.rank - 1, _MOST)):
        value, drawn = _test(table, k, NULLS[scheme], n_draws, alpha, rng)
        if k == 0:
            plain = _plain(table, drawn, alpha)
        p.append(max([*p, value]))
        level.append(float(np.quantile(drawn[:, 0], 1 - alpha)) / table.n)
        floor = min(floor, 1 / (len(drawn) + 1))
        if not _passes(value, alpha):
            break
    count = count_axes(np.array(p), alpha)
    values = table.axes[1][: len(p)] ** 2 / table.n
    hidden = tuple(range(plain + 1, count + 1))
    return AxesEvidence(count, np.array(p), floor, scheme, np.array(level), values, hidden, alpha)


def _test(
    table: Table,
    k: int,
    nulls: tuple[str, ...],
    n_draws: int,
    alpha: float,
    rng: np.random.Generator,
) -> tuple[float, np.ndarray]:
    """Return the p-value of axis k + 1 and the spectra of its first null, (B, m).

    Every null must fail, so the largest p-value counts; after one that holds no other is drawn.
    """
    largest, first = 0.0, np.zeros((0, 0))
    for null in nulls:
        rest = residual_of(table, k, null)
        drawn = _drawn(rest, DRAWS[null], n_draws, rng)
        first = first if first.size else drawn
        largest = max(largest, _p_value(rest, drawn))
        if not _passes(largest, alpha):
            break
    return largest, first


def _passes(p: float, alpha: float) -> bool:
    return count_axes(np.array([p]), alpha) == 1


def _drawn(rest: Residual, draw: Draw, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """Return spectra of draws, (B, m), as many as it takes."""
    spectra: list[np.ndarray] = []
    for stop in sorted({min(_FIRST_LOOK, n_draws), n_draws}):
        spectra += [rest.spectrum(draw(rest.noise, rng)) for _ in range(stop - len(spectra))]
        top = np.array([values[0] for values in spectra])
        far = rest.top**2 > max(top.mean() + _FAR * top.std(), 1.05 * top.max())
        # Stopping at a clear no cannot raise the level, and a clear yes is no close run.
        if far or _p_value(rest, np.array(spectra)) > _IDLE:
            break
    return np.array(spectra)


def _p_value(rest: Residual, drawn: np.ndarray) -> float:
    # A permutation can give the very table back.
    reached = np.count_nonzero(drawn[:, 0] >= rest.top**2 * (1 - 1e-10))
    return (1 + int(reached)) / (1 + len(drawn))


def _plain(table: Table, drawn: np.ndarray, alpha: float) -> int:
    """Return the number of axes without deflation: the k-th eigenvalue against the k-th drawn."""
    m = min(table.rank, drawn.shape[1])
    reached = np.count_nonzero(drawn[:, :m] >= table.axes[1][:m] ** 2 * (1 - 1e-10), axis=0)
    return count_axes((1 + reached) / (1 + len(drawn)), alpha)
