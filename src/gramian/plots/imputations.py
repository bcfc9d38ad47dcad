"""The map of a table with missing values: regions of individuals, arrows of variables."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np
import pandas as pd

from gramian._core.check import share
from gramian.missing import MultipleImputation
from gramian.plots.cloud import (
    along,
    arrow_layers,
    name_arrows,
    name_rows,
    origin_lines,
    plane,
    point_layers,
)
from gramian.plots.coloring import Coloring, Group, one_color
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import Elements, LabelChoice, check_axes, individuals_of, require_kind
from gramian.plots.groups import place_layers, place_outlines
from gramian.plots.labels import label_layers
from gramian.plots.layout import finish, margin_left
from gramian.plots.record import Figure, Panel, Points
from gramian.plots.style import ACCENT, FAINT, POINT_COLOR
from gramian.plots.variables import circle, plane_of_variables

_PANEL_SCALE = 0.67  # of the width of a map, for each of the two
_GAP = 14.0


@as_plot
def imputations(
    many: MultipleImputation,
    axes: Sequence[int] = (1, 2),
    *,
    level: float = 0.95,
    labels: LabelChoice = "auto",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the uncertainty of the map of a table with missing values.

    On the left the individuals: around each with missing values the region where the map of the
    whole table would put it. On the right the variables: an arrow for each, and around its tip
    where the completed tables have it. Regions and tips that are large against the map say that it
    rests on imputed values.

    Parameters
    ----------
    many : MultipleImputation
        From `gm.missing.multiple`.
    level : float
        Probability of the regions.
    labels : "auto", bool, int or labels
        Which individuals are named; "auto" names those with the largest regions.

    Examples
    --------
    >>> import gramian as gm
    >>> many = gm.missing.multiple(gm.datasets.airquality().data, n_components=2, n_tables=20)
    >>> record = gm.plots.imputations(many, backend="none")
    >>> int(record.numbers["open"].sum())
    42
    """
    known = isinstance(many, MultipleImputation)
    require_kind(known, many, "many", "the result of gm.missing.multiple")
    axes = check_axes(many.fit, axes, 2)
    share(level, "level")
    places = many.ellipses(axes, level)
    open_rows = np.asarray(many.imputation.holes.to_numpy().any(axis=1))
    panels = [_individuals(many, axes, places, open_rows, labels)]
    tips = many.arrows[:, :, [k - 1 for k in axes]]
    if tips.shape[1]:
        other = _variables(many, axes, tips)
        left = panels[0].width + margin_left(other.y) + _GAP
        panels.append(replace(other, left=left))
    return finish(
        panels,
        numbers={"ellipses": places, "open": open_rows, "tips": tips},
        notes=[f"regions: {level:.0%}, over {len(tips)} completed tables"],
    )


def _small(panel: Panel) -> Panel:
    """Return a panel about half as wide as a page."""
    return replace(panel, width=_PANEL_SCALE * panel.width, height=_PANEL_SCALE * panel.height)


def _individuals(
    many: MultipleImputation,
    axes: Sequence[int],
    places: pd.DataFrame,
    open_rows: np.ndarray,
    labels: LabelChoice,
) -> Panel:
    """Return the map of the individuals, with a region for each with missing values."""
    rows = individuals_of(many.fit, axes)
    groups = (
        Group("complete", ~open_rows, FAINT),
        Group("with missing values", open_rows, POINT_COLOR),
    )
    colors = Coloring("", tuple(group for group in groups if group.rows.any()))
    outlines = place_layers(places, colors, open_rows)
    reach = [outline for outline in place_outlines(places[open_rows])]
    panel = _small(plane(many.fit, axes, np.vstack([rows.coordinates, *reach])))
    marks = point_layers(rows, colors, np.ones(len(open_rows), dtype=bool))
    size = (places["major"] * places["minor"]).to_numpy() * open_rows
    ranked = replace(rows, contribution=size)  # the largest regions are the ones to look up
    auto = isinstance(labels, str) and labels == "auto"
    option = 8 if auto and open_rows.sum() > 8 else labels
    naming = name_rows(ranked, option, "contribution", open_rows, colors.inks())
    names = label_layers(panel, [naming], [panel.to_page(mark.at) for mark in marks])
    return replace(panel, layers=(*origin_lines(), *outlines, *marks, *names))


def _variables(many: MultipleImputation, axes: Sequence[int], tips: np.ndarray) -> Panel:
    """Return the map of the variables, with the tips that each completed table gives them."""
    names = many.variables
    arrows = Elements(names, many.places_of_variables[:, [k - 1 for k in axes]])
    cloud = tips.reshape(-1, 2)
    colors = one_color(len(names), ACCENT)
    panel = _small(
        plane_of_variables(many.fit, axes, many.scaled, np.vstack([arrows.coordinates, cloud]))
    )
    every = np.ones(len(names), dtype=bool)
    layers = [*origin_lines(), *(circle() if many.scaled else [])]
    size = 2.0 if len(cloud) < 5000 else 1.0
    layers += [Points(cloud, ACCENT, size=size, alpha=0.25), *arrow_layers(arrows, colors, every)]
    naming = name_arrows(arrows, np.arange(len(names)), colors.inks())
    spots = [along(panel, arrows, every), panel.to_page(cloud[:: max(1, len(cloud) // 500)])]
    layers += label_layers(panel, [naming], spots)
    return replace(panel, layers=tuple(layers))
