"""Maps of individuals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from gramian.plots.backends import draw
from gramian.plots.choice import chosen, named
from gramian.plots.cloud import (
    barycentre_layers,
    barycentres_of,
    ellipse_layers,
    ellipses_of,
    name_barycentres,
    name_points,
    origin_lines,
    place_layers,
    places_of,
    plane,
    point_layers,
    row_weights,
    supplementary_layer,
)
from gramian.plots.coloring import coloring
from gramian.plots.elements import check_axes, individuals_of
from gramian.plots.labels import label_layers
from gramian.plots.layout import single
from gramian.plots.record import Curve, Points
from gramian.plots.style import INK

__all__ = ["individuals"]


def individuals(
    fitted: Any,
    axes: Sequence[int] = (1, 2),
    *,
    color: Any = None,
    size: str | None = None,
    alpha: str | None = None,
    labels: Any = "auto",
    select: Any = None,
    by: str = "contribution",
    barycentres: bool = False,
    ellipses: Any = None,
    level: float = 0.95,
    supplementary: Any = None,
    title: str = "",
    backend: str = "matplotlib",
) -> Any:
    """Draw the map of the individuals on two axes.

    Parameters
    ----------
    fitted : fitted estimator
    axes : (int, int)
        Counted from 1.
    color : column of n values, optional
        Numbers give a colour scale, anything else (and whole numbers with at most 8 different
        values) groups with a legend.
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
    ellipses : "concentration", "confidence" or the result of a study of `gm.stability`, optional
        Around each group: where `level` of its points lie if they are normal, or where its
        barycentre lies with this probability. With a study, around each point: where `level` of
        its resampled places lie.
    supplementary : table, optional
        New rows, placed by `transform` and drawn as hollow diamonds, as are rows of weight 0.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

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
    rows = individuals_of(fitted, axes)
    Z, w = rows.coordinates, row_weights(fitted, len(rows.index))
    colors = coloring(color, rows.index)
    kept = chosen(rows, select, by) & (w > 0)
    others = [rows.take(w == 0)] if (w == 0).any() else []
    if supplementary is not None:
        others.append(individuals_of(fitted, axes, supplementary))
    study = ellipses if hasattr(ellipses, "ellipses") else None
    found: Any = {}
    if study is not None:
        found = places_of(study, rows, axes, level)
    elif ellipses is not None:
        found = ellipses_of(Z, colors, w, ellipses, level)
    centres = barycentres_of(Z, colors, w) if barycentres else None

    outlines = ellipse_layers if study is None else partial(place_layers, kept=kept)
    marks: list[Points | Curve] = [*outlines(found, colors)]
    marks += point_layers(rows, colors, kept, size=size, alpha=alpha, muted=(w > 0) & ~kept)
    marks += [supplementary_layer(part) for part in others]
    namings = []
    if centres is not None:
        marks += barycentre_layers(centres, colors)
        namings.append(name_barycentres(centres, colors))
    for part in others:
        wanted = labels if isinstance(labels, bool | str | None) else "auto"
        some = named(part, wanted, "cos2", np.ones(len(part.index), dtype=bool))
        namings.append(name_points(part, some, INK))
    which = named(rows, labels, by, kept)
    picky = isinstance(labels, str) and len(which) < kept.sum()
    inks = colors.inks()
    namings.append(name_points(rows, which, inks, grown=size is not None, picky=picky))

    panel = plane(fitted, axes, np.vstack([_positions(mark) for mark in marks]))
    # A text across a thin outline can be read, one on a point hides it: fewer spots on outlines.
    spots = [panel.to_page(_positions(k)[:: 1 if isinstance(k, Points) else 5]) for k in marks]
    names = label_layers(panel, namings, spots)
    record = single(
        panel,
        [*origin_lines(), *marks, *names],
        title=title,
        legend_title="" if colors.scale else colors.title,
        notes=[f"{what} of the markers: cos² in the plane" for what in _shown(size, alpha)],
        numbers={"individuals": rows, "selected": kept, "barycentres": centres, "ellipses": found},
    )
    return draw(record, backend)


def _shown(size: str | None, alpha: str | None) -> list[str]:
    return [what for what, option in (("area", size), ("opacity", alpha)) if option]


def _positions(mark: Points | Curve) -> np.ndarray:
    return mark.at if isinstance(mark, Points) else np.column_stack([mark.x, mark.y])
