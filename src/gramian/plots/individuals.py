"""Maps of individuals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from gramian._core.check import flag
from gramian.plots.cloud import (
    name_points,
    name_rows,
    origin_lines,
    plane,
    point_layers,
    row_weights,
    sample_notes,
    supplementary_layer,
)
from gramian.plots.coloring import Coloring, coloring
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import (
    Elements,
    check_axes,
    individuals_of,
    positions_to_name,
    selection_mask,
)
from gramian.plots.groups import (
    barycentre_layers,
    barycentres_of,
    ellipse_layers,
    ellipses_of,
    names_of_groups,
    place_layers,
    places_of,
)
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import single
from gramian.plots.record import Curve, Figure, Panel, Points
from gramian.plots.style import INK


@as_plot
def individuals(
    fitted: Any,
    axes: Sequence[int] = (1, 2),
    *,
    color: Any = None,
    color_as: str | None = None,
    size: str | None = None,
    alpha: str | None = None,
    labels: Any = "auto",
    select: Any = None,
    by: str = "contribution",
    barycentres: bool = False,
    ellipses: Any = None,
    level: float = 0.95,
    supplementary: Any = None,
    X: Any = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of the individuals on two axes.

    Parameters
    ----------
    color : column of n values, "cos2", "contribution" or "quality", optional
        Numbers give a colour scale, anything else (and whole numbers with at most 8 different
        values) groups with a legend; where groups are more than colours, they differ by marks,
        too, and are named at their barycentres. The words stand for how well the plane represents
        each row, what it contributes to the plane, and how well all axes represent it.
    size, alpha : "cos2", optional
        Markers whose area or opacity shows how well the plane represents each row.
    labels : "auto", bool, int or labels
        "auto" names all rows up to 40, else the 12 that matter most; a number names so many; True
        all. A name that finds no free place is left out.
    select : int, float, labels or mask, optional
        Rows drawn in full, the others faintly: so many of the best, those above a threshold
        below 1, the ones named, or the ones marked.
    by : "contribution" or "cos2"
        What "best" means for `labels` and `select`, on the two axes together.
    barycentres : bool
        Mark the barycentre of each group.
    ellipses : "concentration", "confidence", "hull", "density" or a study, optional
        Around each group: where `level` of its points lie if they are normal, where its
        barycentre lies with this probability, the smallest convex outline of it, or lines of
        equal density around half of its points and around `level` of them. With a study of
        `gm.stability`, around each point: where `level` of its resampled places lie.
    level : float
        Share of the points, or probability, that the ellipses are drawn for.
    supplementary : table, optional
        New rows, placed by `transform` and drawn as hollow diamonds, as are rows of weight 0.

    Examples
    --------
    >>> import gramian as gm
    >>> iris = gm.datasets.iris()
    >>> fit = gm.PCA(scale=True).fit(iris.data)
    >>> record = gm.plots.individuals(fit, color=iris.groups.iloc[:, 0], backend="none")
    >>> record.panels[0].x.title
    'Axis 1 (73.0 %)'
    """
    axes = check_axes(fitted, axes, 2)
    rows = individuals_of(fitted, axes, X)
    w = row_weights(fitted, len(rows.index), X)
    colors = coloring(color, rows.index, color_as, rows)
    selected = selection_mask(rows, select, by) & (w > 0)
    muted = (w > 0) & ~selected
    others = _others(fitted, axes, rows, w, supplementary)
    shapes, outlines = _ellipses(ellipses, level, rows, axes, colors, w, selected)
    flag(barycentres, "barycentres")
    centres = barycentres_of(rows.coordinates, colors, w) if barycentres else None
    namings = names_of_groups(rows.coordinates, colors, w, marked=barycentres)

    marks: list[Points | Curve] = [*outlines]  # from the bottom up
    marks += point_layers(rows, colors, selected, size=size, alpha=alpha, muted=muted)
    marks += [supplementary_layer(part) for part in others]
    marks += [] if centres is None else barycentre_layers(centres, colors)

    namings += [_name_others(part, labels) for part in others]
    grown = size is not None
    namings.append(name_rows(rows, labels, by, selected, colors.inks(), grown=grown))

    panel = plane(fitted, axes, np.vstack([_positions(mark) for mark in marks]))
    names = label_layers(panel, namings, [_spots(panel, mark) for mark in marks])
    return single(
        panel,
        [*origin_lines(), *marks, *names],
        legend_title="" if colors.scale else colors.title,
        notes=[*_notes(size, alpha), *sample_notes(rows, X)],
        numbers={
            "individuals": rows,
            "selected": selected,
            "barycentres": centres,
            "ellipses": shapes,
        },
    )


def _others(
    fitted: Any, axes: Sequence[int], rows: Elements, w: np.ndarray, supplementary: Any
) -> list[Elements]:
    """Return the rows that had no part in the axes: those of weight 0, and new ones."""
    others = [rows.take(w == 0)] if (w == 0).any() else []
    if supplementary is not None:
        others.append(individuals_of(fitted, axes, supplementary))
    return others


def _ellipses(
    ellipses: Any,
    level: float,
    rows: Elements,
    axes: Sequence[int],
    colors: Coloring,
    w: np.ndarray,
    selected: np.ndarray,
) -> tuple[Any, list[Curve]]:
    """Return ellipses and their outlines: around groups or, with a study, around points."""
    if ellipses is None:
        return {}, []
    if hasattr(ellipses, "ellipses"):
        places = places_of(ellipses, rows, axes, level)
        return places, place_layers(places, colors, selected)
    shapes = ellipses_of(rows.coordinates, colors, w, ellipses, level)
    return shapes, ellipse_layers(shapes, colors)


def _name_others(rows: Elements, labels: Any) -> Naming:
    """Return the labels of supplementary rows, which numbers and labels of others do not name."""
    option = labels if isinstance(labels, bool | str | None) else "auto"
    every = np.ones(len(rows.index), dtype=bool)
    return name_points(rows, positions_to_name(rows, option, "cos2", every), INK)


def _notes(size: str | None, alpha: str | None) -> list[str]:
    options = (("area", size), ("opacity", alpha))
    return [f"{what} of the markers: cos² in the plane" for what, option in options if option]


def _positions(mark: Points | Curve) -> np.ndarray:
    return mark.at if isinstance(mark, Points) else np.column_stack([mark.x, mark.y])


def _spots(panel: Panel, mark: Points | Curve) -> np.ndarray:
    """Return where a label would cover a mark, on the panel, (m, 2)."""
    # A text across a thin outline can be read, one on a point hides it: fewer spots on outlines.
    return panel.to_page(_positions(mark)[:: 1 if isinstance(mark, Points) else 5])
