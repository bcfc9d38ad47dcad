"""Where points are dense: lines around the least area that holds a share of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter

_GRID_SIZE = 120  # along each side of the grid
_GRID_MARGIN = 3.0  # bandwidths that the grid reaches beyond the points
_INNER_SHARE = 0.5  # of the points are inside the inner line
# Which sides of a cell a line enters and leaves by, its inside on the left; corners count 1, 2, 4,
# 8 around from the lower left one. Two corners across from one another have two lines.
_STEPS: dict[int, tuple[str, ...]] = {
    1: ("BL",), 2: ("RB",), 4: ("TR",), 8: ("LT",), 3: ("RL",), 6: ("TB",), 12: ("LR",),
    9: ("BT",), 7: ("TL",), 14: ("LB",), 13: ("BR",), 11: ("RT",), 5: ("BL", "TR"),
    10: ("RB", "LT"), -5: ("BR", "TL"), -10: ("LB", "RT"),
}  # fmt: skip
_SIDES = {"B": (0, 0, 0), "T": (0, 1, 0), "L": (1, 0, 0), "R": (1, 0, 1)}


@dataclass(frozen=True, eq=False)
class Density:
    """Lines of equal density: as many points as a level says are where it is higher."""

    levels: tuple[float, ...]
    lines: tuple[np.ndarray, ...]  # (k, 2) each, closed

    def outlines(self) -> list[np.ndarray]:
        """Return the closed lines of all levels."""
        return list(self.lines)


def density(Z: np.ndarray, w: np.ndarray, level: float) -> Density | None:
    """Return the lines that hold half of the points and `level` of them, None for too few.

    The density is a Gaussian kernel estimate with Scott's bandwidths n^(−1/6)·s, on a grid.

    >>> rng = np.random.default_rng(0)
    >>> Z = rng.standard_normal((4000, 2))
    >>> [round(float(np.hypot(*line.T).mean()), 1) for line in density(Z, np.ones(4000), 0.9).lines]
    [1.2, 2.1]
    """
    w = w / w.sum()
    n = 1.0 / float(w @ w)
    spread = np.sqrt(np.clip(w @ (Z - w @ Z) ** 2, 0.0, None))
    if n < 5.0 or not (spread > 0).all():
        return None
    band = n ** (-1.0 / 6.0) * spread
    low, high = Z.min(axis=0) - _GRID_MARGIN * band, Z.max(axis=0) + _GRID_MARGIN * band
    edges = [np.linspace(a, b, _GRID_SIZE + 1) for a, b in zip(low, high, strict=True)]
    mass = np.histogram2d(Z[:, 0], Z[:, 1], bins=edges, weights=w)[0]
    smooth = gaussian_filter(mass, band * _GRID_SIZE / (high - low), mode="constant")
    x, y = ((edge[1:] + edge[:-1]) / 2 for edge in edges)
    levels = tuple(sorted({min(_INNER_SHARE, level), level}))
    heights = [_height(smooth, mass, share) for share in levels]
    lines = [line for h in heights for line in closed_lines(smooth.T, x, y, h)]
    return Density(levels, tuple(lines))


def _height(smooth: np.ndarray, mass: np.ndarray, share: float) -> float:
    """Return the density above which so many of the points lie."""
    order = np.argsort(-smooth, axis=None, kind="stable")
    held = np.cumsum(mass.ravel()[order])
    return float(smooth.ravel()[order[min(int(np.searchsorted(held, share)), held.size - 1)]])


def closed_lines(D: np.ndarray, x: np.ndarray, y: np.ndarray, height: float) -> list[np.ndarray]:
    """Return the lines on which a surface over a grid has one height (marching squares).

    Beyond its edge the surface is taken for 0, so that all lines are closed.

    >>> D = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    >>> closed_lines(D, np.arange(3.0), np.arange(3.0), 1.0)[0].tolist()
    [[0.5, 1.0], [1.0, 0.5], [1.5, 1.0], [1.0, 1.5], [0.5, 1.0]]
    """
    D = np.pad(D, 1)
    x, y = (np.concatenate([[2 * v[0] - v[1]], v, [2 * v[-1] - v[-2]]]) for v in (x, y))
    after = _steps(D, height)
    lines = []
    while after:
        first = edge = next(iter(after))
        around = [first]
        while (edge := after.pop(edge)) != first:
            around.append(edge)
        lines.append(np.array([_crossing(D, x, y, height, edge) for edge in [*around, first]]))
    return lines


def _steps(D: np.ndarray, height: float) -> dict[tuple[int, int, int], tuple[int, int, int]]:
    """Return which side of a cell follows which one: (across, row, column) each."""
    inside = (height <= D).astype(int)
    code = inside[:-1, :-1] + 2 * inside[:-1, 1:] + 4 * inside[1:, 1:] + 8 * inside[1:, :-1]
    after = {}
    for i, j in np.argwhere((code > 0) & (code < 15)):
        kind = int(code[i, j])
        if kind in (5, 10) and D[i : i + 2, j : j + 2].mean() >= height:
            kind = -kind
        for step in _STEPS[kind]:
            (a, di, dj), (b, ei, ej) = (_SIDES[side] for side in step)
            after[a, int(i) + di, int(j) + dj] = (b, int(i) + ei, int(j) + ej)
    return after


def _crossing(
    D: np.ndarray, x: np.ndarray, y: np.ndarray, height: float, edge: tuple[int, int, int]
) -> tuple[float, float]:
    """Return where a line meets a side, between its two corners."""
    upright, i, j = edge
    k, m = (i + 1, j) if upright else (i, j + 1)
    share = (height - D[i, j]) / (D[k, m] - D[i, j])
    return float(x[j] + share * (x[m] - x[j])), float(y[i] + share * (y[k] - y[i]))
