"""Do the rows fall apart into clusters along an axis?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian._core.check import whole
from gramian._nulls.corrections import bonferroni
from gramian.evidence.dip import FLOOR, dip, dip_p_values
from gramian.evidence.door import coordinates, distinct_rows, finite_table, random
from gramian.evidence.outline import MOST, Outline, outline_of

_AXES = 4
_FEWEST = 8
_COLUMNS = 25  # of more, corrected for their number, no p-value would be small
_TIES = 0.2  # of the values of a column, from which on it is no quantity
_DOUBT = 0.5  # p-value above which clusters are not counted
_TURNS = 6  # directions of the first plane


@dataclass(frozen=True, eq=False)
class ClusterEvidence:
    """Whether an axis has more than one mode, and whether clusters make them.

    Attributes
    ----------
    p_value : float or None
        Of the hypothesis that every direction of the first axes has one mode; None where nothing
        was tested.
    axis : int
        The axis, from 1, along which the rows fall apart most; 0 where none was tested.
    column : int or None
        The column, by position, along which they do, where no axis stands out.
    hollow : bool
        Whether a ring describes the rows better than clusters do: its shadow has two modes too.
    n_clusters : int
        How many clusters describe the first plane best, up to six; 1 where one cloud does, 0
        where there is no sign of modes.
    floor : float

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 5))
    >>> X[:30] += 4.0
    >>> evidence = clusters(X, None, 1, rng=rng)
    >>> evidence.found(), evidence.axis
    (True, 1)
    """

    p_value: float | None
    axis: int
    hollow: bool
    n_clusters: int
    floor: float
    column: int | None = None

    @property
    def few(self) -> bool:
        """Whether some, not many, clusters describe the plane: a curve takes as many as it may."""
        return 1 < self.n_clusters < MOST

    def found(self, alpha: float = 0.05) -> bool:
        """Whether clusters may be claimed at level alpha."""
        return self.p_value is not None and self.p_value <= alpha and not self.hollow


_NOTHING = ClusterEvidence(None, 0, False, 0, 1.0)


def clusters(
    X: Any,
    F: Any,
    q: int,
    *,
    rng: Any = None,
    scheme: str = "permutation",
    groups_of_copies: Any = None,
) -> ClusterEvidence:
    """Test whether the rows fall apart along one of the first q axes, or columns with none.

    Each of the axes, and turns between the first two, is held against the hypothesis of one mode:
    Hartigan's dip against that of the uniform distribution, the hardest that has one, corrected
    for the number of directions. Skewness and heavy tails make no modes. Columns of few values
    (counts, answers) are first spread evenly around each of them. Where no axis stands out the
    directions are the columns of quantities, if they are not many: clusters at the corners of a
    square are in two columns that have nothing to do with each other.

    Parameters
    ----------
    X : array (n, p)
        Columns as analysed.
    F : array (n, k) or None
        Coordinates; those of X by default.
    q : int
        Axes above noise.
    rng : Generator or seed, optional
    scheme, groups_of_copies
        As for `groups`. With "blocks", "shifts" and "none" nothing is tested: a walk lingers in
        places.

    Returns
    -------
    ClusterEvidence

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data.to_numpy()
    >>> gm.evidence.clusters(X, None, 1, rng=np.random.default_rng(0)).p_value < 0.01
    True
    """
    X, rng = finite_table(X), random(rng)
    F = coordinates(F, len(X))
    kept = distinct_rows(scheme, len(X), groups_of_copies)
    m = min(whole(q, "q", 0), _AXES, *X.shape, *(() if F is None else F.shape))
    if kept is None or scheme in ("blocks", "shifts") or len(kept) < _FEWEST:
        return _NOTHING
    X = X[kept] - X[kept].mean(axis=0)
    if m == 0:
        return _of_columns(X, rng)
    F = _own(X, max(m, 2)) if F is None else F[kept][:, : max(m, 2)]
    F = F + spread_of_steps(X, F, rng)
    directions = _directions(m)
    p = _p_values(F[:, :m] @ directions)
    axis = int(np.abs(directions[:, p.argmin()]).argmax()) + 1
    return _evidence(p, F[:, :2], rng, axis)


def _of_columns(X: np.ndarray, rng: np.random.Generator) -> ClusterEvidence:
    """Look for modes in the columns themselves."""
    ties = (np.diff(np.sort(X, axis=0), axis=0) == 0).mean(axis=0)
    quantities = np.flatnonzero(ties < _TIES)
    if not 0 < len(quantities) <= _COLUMNS:
        return _NOTHING
    p = _p_values(X[:, quantities])
    best = quantities[np.argsort(p, kind="stable")]
    return _evidence(p, X[:, best[:2]], rng, 0, int(best[0]))


def _evidence(
    p: np.ndarray, plane: np.ndarray, rng: np.random.Generator, axis: int, column: int | None = None
) -> ClusterEvidence:
    p_value = float(bonferroni(p.min(), len(p)))
    # Where nothing speaks of modes nobody asks what makes them.
    outline = outline_of(plane, rng) if p_value <= _DOUBT else Outline(0, False)
    floor = float(bonferroni(FLOOR, len(p)))
    return ClusterEvidence(p_value, axis, outline.hollow, outline.n_clusters, floor, column)


def _own(X: np.ndarray, m: int) -> np.ndarray:
    U, s, _ = np.linalg.svd(X, full_matrices=False)
    return np.asarray((U * s)[:, :m])


def spread_of_steps(X: np.ndarray, F: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return what spreading the values of a column over the steps between them adds to the axes.

    Counts lie on a grid, and so do their axes: each value would be a mode.
    """
    ordered = np.sort(X, axis=0)
    steps = np.diff(ordered, axis=0)
    ties = (steps == 0).mean(axis=0)
    step = np.where(steps > 0, steps, np.inf).min(axis=0)
    step = np.where((ties >= 0.5) & np.isfinite(step), step, 0.0)
    if not step.any():
        return np.zeros_like(F)
    V = X.T @ F / np.maximum((F**2).sum(axis=0), 1e-300)
    return np.asarray((rng.random(X.shape) - 0.5) * step @ V)


def _directions(m: int) -> np.ndarray:
    """Return the axes, and turns between the first two of them, as directions (m, d)."""
    angles = np.pi * np.arange(1, _TURNS) / _TURNS
    turns = np.zeros((m, len(angles)))
    if m > 1:
        turns[0], turns[1] = np.cos(angles), np.sin(angles)
    turns = turns[:, np.abs(angles - np.pi / 2) > 1e-9]
    return np.hstack([np.eye(m), turns]) if m > 1 else np.eye(m)


def _p_values(S: np.ndarray) -> np.ndarray:
    """Return p-values of one mode for each column of S."""
    return dip_p_values(np.array([dip(f) for f in S.T]), len(S))
