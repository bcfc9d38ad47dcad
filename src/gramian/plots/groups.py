"""Groups on a map: barycentres, ellipses, hulls and lines of equal density."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from scipy import stats
from scipy.ndimage import gaussian_filter
from scipy.spatial import ConvexHull, QhullError

from gramian._core.check import one_of, share
from gramian.errors import InputError, MissingExtraError
from gramian.plots.coloring import Coloring, Group
from gramian.plots.elements import Elements
from gramian.plots.labels import Naming
from gramian.plots.record import Curve, Points
from gramian.plots.style import INK, TEXT, TITLE, text_color

_FEW_POINTS = 200  # points between which names find places
_KINDS = ("concentration", "confidence", "hull", "density")
_GRID_SIZE = 120  # along each side of the grid
_GRID_MARGIN = 3.0  # bandwidths that the grid reaches beyond the points
_INNER_SHARE = 0.5  # of the points are inside the inner line


def barycentre(Z: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the weighted mean of the rows of Z."""
    return w @ Z / w.sum()


def barycentres_of(Z: np.ndarray, colors: Coloring, w: np.ndarray) -> pd.DataFrame:
    """Return the barycentre of each group with a name, one row each."""
    groups = [g for g in colors.groups if g.name and w[g.rows].sum() > 0]
    if not groups:
        raise InputError("barycentres=True needs groups: give color= a column of categories")
    centres = [barycentre(Z[g.rows], w[g.rows]) for g in groups]
    return pd.DataFrame(np.array(centres), index=[g.name for g in groups])


def barycentre_layers(centres: pd.DataFrame, colors: Coloring) -> list[Points]:
    """Return a large marker for each barycentre."""
    looks, marks = {group.name: group for group in colors.groups}, []
    for name, centre in zip(centres.index, centres.to_numpy()[:, None, :], strict=True):
        look: dict[str, Any] = {"marker": looks[name].marker, "size": 11.0, "alpha": 1.0}
        label = (f"barycentre of {name}",)
        marks.append(Points(centre, looks[name].color, labels=label, name=name, **look))
    return marks


def names_of_groups(
    Z: np.ndarray, colors: Coloring, w: np.ndarray, *, marked: bool
) -> list[Naming]:
    """Return the names of groups that are marked, or more than the colours distinguish."""
    if not marked and not colors.is_crowded:
        return []
    centres = barycentres_of(Z, colors, w)
    inks = {group.name: text_color(group.color) for group in colors.groups}
    names = list(centres.index)
    at, colors_of = centres.to_numpy(), [inks[name] for name in names]
    naming = Naming(at, names, colors_of, 6.0, bold=True, size=TEXT)
    if marked:
        return [naming]
    return [replace(naming, radius=0.0, size=TITLE, over=len(Z) > _FEW_POINTS)]


@dataclass(frozen=True, eq=False)
class Ellipse:
    """The points z with (z − centre)ᵀ shape⁻¹ (z − centre) = 1."""

    centre: np.ndarray  # (2,)
    shape: np.ndarray  # (2, 2)

    def outline(self, count: int = 121) -> np.ndarray:
        """Return points on the ellipse, the last equal to the first, (count, 2)."""
        # A covariance that is rounding would turn the path, or begin it at another point.
        shape, size = self.shape, np.sqrt(np.diagonal(self.shape))
        straight = np.abs(shape) <= 1e-12 * np.outer(size, size)
        values, axes = np.linalg.eigh(np.where(straight, 0.0, shape))
        radii = np.sqrt(np.clip(values, 0.0, None))  # points on a line have a radius of 0
        return _outline(self.centre, radii, axes.T, count)

    def holds(self, Z: np.ndarray) -> np.ndarray:
        """Return which rows of Z lie inside, (n,)."""
        D = Z - self.centre
        return (D * np.linalg.solve(self.shape, D.T).T).sum(axis=1) <= 1.0


def ellipse(Z: np.ndarray, w: np.ndarray, kind: str, level: float) -> Ellipse | None:
    """Return the ellipse of a group, None where it has too few points for one.

    With S the covariance of the group (divisor n − 1), "concentration" is the ellipse that holds
    `level` of a normal distribution with this mean and covariance, χ²₂(level)·S, and "confidence"
    the one that holds the true barycentre with this probability, Hotelling's
    2(n − 1)/(n(n − 2))·F₂,ₙ₋₂(level)·S. Unequal weights count as n = (Σw)²/Σw² rows.
    """
    one_of(kind, "ellipses", _KINDS, none=True)
    share(level, "level")
    w = w / w.sum()
    n = 1.0 / float(w @ w)
    if n <= 2.0 + 1e-9:
        return None
    centre = w @ Z
    D = Z - centre
    S = (D * w[:, None]).T @ D * n / (n - 1.0)
    if kind == "concentration":
        factor = stats.chi2.ppf(level, 2)
    else:
        factor = 2.0 * (n - 1.0) / (n * (n - 2.0)) * stats.f.ppf(level, 2, n - 2.0)
    return Ellipse(centre, factor * S)


def _outline(centre: np.ndarray, radii: np.ndarray, axes: np.ndarray, count: int) -> np.ndarray:
    """Return points on the ellipse with these half axes, whose directions are rows, (count, 2)."""
    turn = np.linspace(0.0, 2.0 * np.pi, count)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    return centre + circle * radii @ axes


@dataclass(frozen=True, eq=False)
class Hull:
    """The smallest convex outline of points."""

    corners: np.ndarray  # (k, 2), around

    def outline(self) -> np.ndarray:
        """Return the closed outline."""
        return np.vstack([self.corners, self.corners[:1]])


def hull(Z: np.ndarray) -> Hull | None:
    """Return the convex hull of points in the plane, None where they are on a line."""
    try:
        return Hull(Z[ConvexHull(Z).vertices])
    except QhullError:  # fewer than three corners
        return None


@dataclass(frozen=True, eq=False)
class Density:
    """Lines of equal density: as many points as a level says are where it is higher."""

    levels: tuple[float, ...]
    lines: tuple[np.ndarray, ...]  # (k, 2) each, closed


def density(Z: np.ndarray, w: np.ndarray, level: float) -> Density | None:
    """Return the lines that hold half of the points and `level` of them, None for too few.

    The density is a Gaussian kernel estimate with Scott's bandwidths n^(−1/6)·s, on a grid.
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
    lines = [line for h in heights for line in contour_lines(smooth.T, x, y, h)]
    return Density(levels, tuple(lines))


def _height(smooth: np.ndarray, mass: np.ndarray, share: float) -> float:
    """Return the density above which so many of the points lie."""
    order = np.argsort(-smooth, axis=None, kind="stable")
    held = np.cumsum(mass.ravel()[order])
    return float(smooth.ravel()[order[min(int(np.searchsorted(held, share)), held.size - 1)]])


def contour_lines(D: np.ndarray, x: np.ndarray, y: np.ndarray, height: float) -> list[np.ndarray]:
    """Return the lines on which a surface over a grid has one height (marching squares).

    Beyond its edge the surface is taken for 0, so that all lines are closed.
    """
    D = np.pad(D, 1)
    x, y = (np.concatenate([[2 * v[0] - v[1]], v, [2 * v[-1] - v[-2]]]) for v in (x, y))
    try:
        from contourpy import contour_generator
    except ImportError as error:
        text = "lines of density need contourpy: pip install 'gramian[plot]'"
        raise MissingExtraError(text) from error
    lines: Any = contour_generator(x, y, D).lines(height)
    return list(lines)


Shape: TypeAlias = Ellipse | Hull | Density


def ellipses_of(
    Z: np.ndarray, colors: Coloring, w: np.ndarray, kind: str, level: float
) -> dict[str, Shape]:
    """Return the ellipse, hull or lines of density of each group with enough points for one."""
    groups = colors.groups if colors.numbers is None else (Group("", w > 0, INK),)
    live = {group.name: group.rows & (w > 0) for group in groups}
    one_of(kind, "ellipses", _KINDS)
    share(level, "level")
    shapes = {name: _shape(Z[k], w[k], kind, level) for name, k in live.items() if k.any()}
    return {name: shape for name, shape in shapes.items() if shape is not None}


def _shape(Z: np.ndarray, w: np.ndarray, kind: str, level: float) -> Shape | None:
    if kind == "hull":
        return hull(Z)
    return density(Z, w, level) if kind == "density" else ellipse(Z, w, kind, level)


def ellipse_layers(ellipses: dict[str, Shape], colors: Coloring) -> list[Curve]:
    """Return the outlines, each in the colour of its group."""
    inks = {group.name: group.color for group in colors.groups if colors.numbers is None}
    fill = 0.02 if colors.is_crowded else 0.08  # many on one another would hide all
    return [
        Curve(outline[:, 0], outline[:, 1], inks.get(name, INK), width=1.1, fill=fill)
        for name, shape in ellipses.items()
        for outline in (shape.lines if isinstance(shape, Density) else [shape.outline()])
    ]


def places_of(study: Any, rows: Elements, axes: Sequence[int], level: float) -> pd.DataFrame:
    """Return the ellipse of each point over resamples: centre, half axes and angle."""
    table = study.ellipses(axes=tuple(axes), level=level)
    if len(table) != len(rows.index):
        raise InputError(
            f"ellipses: the study is of {len(table)} points but the map has {len(rows.index)}: "
            "give one of the same rows"
        )
    return table


def place_outlines(places: pd.DataFrame, count: int = 41) -> Iterator[np.ndarray]:
    """Go through the outlines of such ellipses, (count, 2) each."""
    for x, y, major, minor, angle in places.to_numpy():
        t = np.radians(angle)
        axes = np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])
        yield _outline(np.array([x, y]), np.array([major, minor]), axes, count)


def place_layers(places: pd.DataFrame, colors: Coloring, selected: np.ndarray) -> list[Curve]:
    """Return a thin outline around each point that is drawn in full, in the colour of its group."""
    return [
        Curve(outline[:, 0], outline[:, 1], ink, width=0.5, fill=0.06)
        for group in colors.groups
        for ink in [group.color if colors.numbers is None else INK]
        for outline in place_outlines(places[group.rows & selected])
    ]
