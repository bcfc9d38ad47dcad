"""Lying bars of the largest values, each beside its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian._check import one_of, whole
from gramian.errors import InputError
from gramian.estimators.factors.axis_elements import axis_elements
from gramian.plots.choice import best
from gramian.plots.elements import (
    Elements,
    check_axes,
    individuals_of,
    variables_of,
)
from gramian.plots.elements import elements_of as elements_on
from gramian.plots.layout import single
from gramian.plots.look import across, upwards
from gramian.plots.record import Axis, Bars, Figure, Guide, Layer, Panel
from gramian.plots.style import ACCENT, BAR_COLOR
from gramian.plots.text import shorten

_LENGTH, _STEP = 300.0, 15.0


def axis_tuple(fitted: Any, axis: int | Sequence[int]) -> tuple[int, ...]:
    """Return one axis or several as a tuple, or say which of them the fit does not have."""
    return check_axes(fitted, axis if isinstance(axis, Sequence) else (axis,))


def axes_text(axes: tuple[int, ...]) -> str:
    """Return the axes in words.

    >>> axes_text((1, 2, 3))
    'axes 1, 2 and 3'
    """
    if len(axes) == 1:
        return f"axis {axes[0]}"
    return f"axes {', '.join(str(k) for k in axes[:-1])} and {axes[-1]}"


def elements_of(fitted: Any, axes: tuple[int, ...], of: str, X: Any = None) -> Elements:
    """Return the individuals (those of X, where it is given), variables or categories of a fit."""
    if one_of(of, "of", ("individuals", "variables", "categories")) == "individuals":
        return individuals_of(fitted, axes, X)
    if X is not None:
        raise InputError(f"X holds rows, but of={of!r}: leave one of them out")
    if of == "categories":
        table = axis_elements(fitted)
        if table is None:
            raise InputError(f"of='categories': {type(fitted).__name__} has none of its own")
        return elements_on(fitted, table, axes)
    return variables_of(fitted, axes)


def bars(
    elements: Elements,
    values: np.ndarray,
    label: str,
    top: int,
    *,
    uniform: float | None = None,
    title: str = "",
) -> Figure:
    """Return the bars of the largest values, with a line at the value that all would share."""
    whole(top, "top")
    order = best(np.nan_to_num(values, nan=-np.inf), top)
    lengths, names = values[order], elements.take(order).labels
    layers: list[Layer] = [Bars(lengths, names, color=BAR_COLOR, lying=True)]
    highest = float(np.nanmax(lengths))
    if uniform is not None:
        layers.append(Guide("x", uniform, ACCENT, 1.2, "dash", name=f"uniform ({uniform:.3g} %)"))
        highest = max(highest, uniform)
    k, n = len(order), len(values)
    notes = [f"the {k} largest of {n}"] if k < n else []
    numbers = {"values": lengths, "labels": names, "uniform": uniform}
    panel = _panel(label, highest, names)
    return single(panel, layers, title=title, notes=notes, numbers=numbers)


def _panel(label: str, highest: float, names: Sequence[str]) -> Panel:
    """Return the empty panel, the first bar at its top."""
    k = len(names)
    ticks = [(float(j), shorten(name, 32)) for j, name in enumerate(names, start=1)]
    return Panel(
        left=0.0,
        bottom=0.0,
        width=across(_LENGTH),
        height=upwards(_STEP * k + 8.0),
        x=Axis(label, (0.0, 1.04 * highest or 1.0)),
        y=Axis("", (k + 0.6, 0.4), ticks, line=False),
        layers=(),
    )
