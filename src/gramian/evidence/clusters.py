"""Do the rows fall apart into clusters along an axis?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from gramian._check import whole
from gramian.evidence.dip import dip
from gramian.evidence.door import coordinates, distinct_rows, finite_table, random
from gramian.evidence.outline import MOST, Outline, outline_of

__all__ = ["ClusterEvidence", "clusters", "spread_of_steps"]

_AXES = 4
_FEWEST = 8
_DRAWS = 499
_SIZE = 100  # rows up to which the reference is drawn; beyond, √n·dip has the law it has there
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
        The axis, from 1, along which the rows fall apart most; 0 where nothing was tested.
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

    @property
    def few(self) -> bool:
        """Whether some, not many, clusters describe the plane: a curve takes as many as it may."""
        return 1 < self.n_clusters < MOST

    def found(self, alpha: float = 0.05) -> bool:
        """Whether clusters may be claimed at level alpha."""
        return self.p_value is not None and self.p_value <= alpha and not self.hollow


def clusters(
    X: Any,
    F: Any,
    q: int,
    *,
    rng: Any = None,
    scheme: str = "permutation",
    groups_of_copies: Any = None,
) -> ClusterEvidence:
    """Test whether the rows fall apart along one of the first q axes.

    Each of the axes, and turns between the first two, is held against the hypothesis of one mode:
    Hartigan's dip against that of the uniform distribution, the hardest that has one, corrected
    for the number of directions. Skewness and heavy tails make no modes. Columns of few values
    (counts, answers) are first spread evenly around each of them.

    Parameters
    ----------
    X : array (n, p)
        Columns as analysed.
    F : array (n, k) or None
        Coordinates; those of X by default.
    q : int
        Axes above noise: with none, nothing is tested.
    rng : Generator or seed, optional
    scheme, groups_of_copies
        As for `groups`. With "blocks" and "none" nothing is tested: a walk lingers in places.

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
    if kept is None or scheme == "blocks" or len(kept) < _FEWEST or m == 0:
        return ClusterEvidence(None, 0, False, 0, 1.0)
    X = X[kept] - X[kept].mean(axis=0)
    F = _own(X, max(m, 2)) if F is None else F[kept][:, : max(m, 2)]
    F = F + spread_of_steps(X, F, rng)
    directions = _directions(m)
    p = _p_values(F[:, :m] @ directions)
    axis = int(np.abs(directions[:, p.argmin()]).argmax()) + 1
    p_value = float(min(1.0, len(p) * p.min()))
    # Where nothing speaks of modes nobody asks what makes them.
    outline = outline_of(F[:, :2], rng) if p_value <= _DOUBT else Outline(0, False)
    return ClusterEvidence(p_value, axis, outline.hollow, outline.n_clusters, 1.0 / (_DRAWS + 1))


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
    n = min(len(S), _SIZE)
    reference = _reference(n) * np.sqrt(n / len(S))
    own = np.array([dip(f) for f in S.T])
    return (1.0 + (reference[None, :] >= own[:, None]).sum(axis=1)) / (_DRAWS + 1.0)


@cache
def _reference(n: int) -> np.ndarray:
    """Return dips of uniform samples: a table that depends on n alone, drawn once."""
    draws = np.random.default_rng(n).random((_DRAWS, n))
    return np.array([dip(row) for row in draws])
