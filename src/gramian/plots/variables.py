"""Maps of variables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from gramian._core.check import one_of
from gramian._core.types import TableLike
from gramian._estimators.readings import Reading
from gramian.errors import InputError
from gramian.plots.cloud import along, arrow_layers, faint_tips, name_arrows, origin_lines, plane
from gramian.plots.coloring import ColorColumn, Coloring, coloring, one_color
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import (
    Elements,
    LabelChoice,
    Selection,
    axis_title,
    check_axes,
    positions_to_name,
    selection_mask,
    variables_of,
)
from gramian.plots.labels import label_layers
from gramian.plots.layout import map_panel, single
from gramian.plots.record import Axis, Curve, Figure, Layer, Panel
from gramian.plots.style import ACCENT, MUTED

_MAX_ARROWS = 25  # more variables than this are points, and the best of them arrows


@as_plot
def variables(
    fitted: Reading,
    axes: Sequence[int] = (1, 2),
    *,
    table: TableLike | None = None,
    values: str = "auto",
    color: ColorColumn = None,
    color_as: str | None = None,
    labels: LabelChoice = "auto",
    select: Selection = None,
    by: str = "contribution",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the map of the variables on two axes, with the circle of correlations.

    Parameters
    ----------
    table : table with the rows of the fit, optional
        Its numeric columns are drawn as supplementary variables, in another colour. A method
        without variables of its own (kernel PCA, MDS) needs it.
    values : "auto", "correlation" or "coordinate"
        What the arrows show. "auto" is the correlation with the axes where variables are scaled or
        only supplementary, else their coordinates √λ·a, which no circle bounds.
    color : column of p values, "cos2", "contribution" or "quality", optional
        Groups of variables, or numbers; the words as for `individuals`.
    labels : "auto", bool, int or labels
        "auto" names all arrows up to 40, else the 12 that matter most.
    select : int, float, labels or mask, optional
        Variables drawn as arrows, the others being faint points: so many of the best, those
        above a threshold below 1, the ones named, or the ones marked. By default all up to 25,
        else the 25 best.
    by : "contribution" or "cos2"
        What "best" means: those that contribute most to each axis, in turn, or those best
        represented in the plane. A threshold looks at the two axes together.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.wine().data)
    >>> record = gm.plots.variables(fit, select=0.6, by="cos2", backend="none")
    >>> int(record.numbers["selected"].sum())
    7
    """
    axes = check_axes(fitted, axes, 2)
    measure = _measure(fitted, values)
    active = variables_of(fitted, axes, None, measure) if fitted.has_variables else None
    others = None if table is None else variables_of(fitted, axes, table, measure)
    parts = _parts(active, others, color, color_as, select, labels, by)
    if not parts:
        raise InputError(
            f"table is missing: {type(fitted).__name__} keeps no variables of its own: give table= "
            "the columns to read on the axes"
        )
    circled = measure == "correlation"
    panel = plane_of_variables(
        fitted, axes, circled, np.vstack([part.arrows.coordinates for part in parts])
    )
    layers: list[Layer] = [*origin_lines(), *(circle() if circled else [])]
    for k, part in enumerate(parts):
        layers += faint_tips(part.arrows, ~part.selected)
        name = "supplementary" if k == 1 else "active" if len(parts) == 2 else ""
        layers += arrow_layers(part.arrows, part.colors, part.selected, name=name)
    namings = [name_arrows(part.arrows, part.named, part.colors.inks()) for part in parts]
    spots = [along(panel, part.arrows, part.selected) for part in parts]
    layers += label_layers(panel, namings, spots)
    first = parts[0]
    return single(
        panel,
        layers,
        legend_title=first.colors.legend_title,
        notes=_notes(parts, select, by),
        numbers={"variables": active, "supplementary": others, "selected": first.selected},
    )


@dataclass(frozen=True, eq=False)
class _Part:
    arrows: Elements
    colors: Coloring
    selected: np.ndarray  # drawn as arrows, (p,) bool
    named: np.ndarray  # positions, most important first


def _parts(
    active: Elements | None,
    others: Elements | None,
    color: ColorColumn,
    color_as: str | None,
    select: Selection,
    labels: LabelChoice,
    by: str,
) -> list[_Part]:
    """Return the active variables, then the supplementary ones, which have no contributions."""
    parts = []
    if active is not None:
        parts.append(
            _part(active, coloring(color, active.index, color_as, active), select, labels, by)
        )
    if others is not None and active is None:  # then `color` and `select` are about the table
        parts.append(
            _part(others, coloring(color, others.index, color_as, others), select, labels, "cos2")
        )
    elif others is not None:
        parts.append(_part(others, one_color(len(others.index), ACCENT), None, labels, "cos2"))
    return parts


def _part(
    arrows: Elements, colors: Coloring, select: Selection, labels: LabelChoice, by: str
) -> _Part:
    select = min(_MAX_ARROWS, len(arrows.index)) if select is None else select
    selected = selection_mask(arrows, select, by)
    # Where points are labelled, all arrows are: a selection is made to be read.
    return _Part(arrows, colors, selected, positions_to_name(arrows, labels, by, selected))


def _measure(fitted: Reading, values: str) -> str:
    if one_of(values, "values", ("auto", "correlation", "coordinate")) == "auto":
        scaled = not fitted.has_variables or fitted.is_scaled
        return "correlation" if scaled else "coordinate"
    return values


def plane_of_variables(fitted: Reading, axes: Sequence[int], circled: bool, Z: np.ndarray) -> Panel:
    """Return the empty map of variables: around the circle of correlations, or their tips Z."""
    if not circled:
        return plane(fitted, axes, Z)
    # Wider than high: texts run sideways.
    x, y = (
        Axis(axis_title(fitted, k), (-reach, reach))
        for k, reach in zip(axes, (1.4, 1.12), strict=True)
    )
    return map_panel(x, y)


def circle() -> list[Curve]:
    """Return the circle that no correlations leave."""
    turn = np.linspace(0.0, 2.0 * np.pi, 241)
    return [Curve(np.cos(turn), np.sin(turn), color=MUTED, width=0.9)]


def _notes(parts: Sequence[_Part], select: Selection, by: str) -> list[str]:
    arrows, selected = parts[0].arrows, parts[0].selected
    if selected.all():
        return []
    what = "contribution" if by == "contribution" and arrows.contribution is not None else "cos²"
    count, whole = int(selected.sum()), len(selected)
    if select is None or (isinstance(select, int) and select >= 1):
        if what == "contribution":
            return [f"arrows: the {count} of {whole} variables that contribute most to either axis"]
        return [f"arrows: the {count} of {whole} variables with the largest {what} in the plane"]
    if isinstance(select, float):
        return [f"arrows: the {count} of {whole} variables with {what} ≥ {select:g} in the plane"]
    return [f"arrows: {count} of {whole} variables"]
