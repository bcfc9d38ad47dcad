"""Bars of the largest values, each beside its name: squared cosines and contributions."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from gramian._core.check import one_of, whole
from gramian._core.types import TableLike
from gramian._estimators.readings import Reading
from gramian.errors import InputError
from gramian.plots.cloud import row_weights
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import (
    Elements,
    best,
    check_axes,
    elements_of,
    individuals_of,
    variables_of,
)
from gramian.plots.layout import empty_panel, single
from gramian.plots.record import Axis, Bars, Figure, Guide, Layer, Panel
from gramian.plots.style import ACCENT, BAR_COLOR
from gramian.plots.text import shorten

_BAR_LENGTH, _BAR_STEP = 300.0, 15.0


def axis_tuple(fitted: Reading, axis: int | Sequence[int]) -> tuple[int, ...]:
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


def _elements(
    fitted: Reading, axes: tuple[int, ...], of: str, X: TableLike | None = None
) -> Elements:
    """Return the individuals (those of X, where it is given), variables or categories of a fit."""
    if one_of(of, "of", ("individuals", "variables", "categories")) == "individuals":
        return individuals_of(fitted, axes, X)
    if X is not None:
        raise InputError(f"X holds rows, but of={of!r}: leave one of them out")
    if of == "categories":
        table = fitted.axis_elements()
        if table is None:
            raise InputError(f"of='categories': {type(fitted).__name__} has none of its own")
        return elements_of(fitted, table, axes)
    return variables_of(fitted, axes)


def bars(
    elements: Elements,
    values: np.ndarray,
    label: str,
    top: int,
    *,
    uniform: float | None = None,
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
    return single(panel, layers, notes=notes, numbers=numbers)


def _panel(label: str, highest: float, names: Sequence[str]) -> Panel:
    """Return the empty panel, the first bar at its top."""
    k = len(names)
    ticks = [(float(j), shorten(name, 32)) for j, name in enumerate(names, start=1)]
    x, y = Axis(label, (0.0, 1.04 * highest or 1.0)), Axis("", (k + 0.6, 0.4), ticks, line=False)
    return empty_panel(_BAR_LENGTH, _BAR_STEP * k + 8.0, x, y)


@as_plot
def cos2(
    fitted: Reading,
    axis: int | Sequence[int] = 1,
    *,
    of: str = "individuals",
    top: int = 20,
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the largest squared cosines: how well an axis, or several, represent each element.

    Parameters
    ----------
    axis : int or several
        Counted from 1; squared cosines of several axes add up.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.cos2(fit, of="variables", backend="none").numbers["values"].round(3)
    array([0.983, 0.931, 0.792, 0.212])
    """
    axes = axis_tuple(fitted, axis)
    elements = _elements(fitted, axes, of, X)
    if elements.cos2 is None:
        raise InputError(f"fitted: {type(fitted).__name__} has no squared cosines")
    return bars(elements, elements.cos2, f"cos² on {axes_text(axes)}", top)


@as_plot
def contributions(
    fitted: Reading,
    axis: int | Sequence[int] = 1,
    *,
    of: str = "individuals",
    top: int = 20,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the largest contributions to an axis, or to several axes together.

    The dashed line is the contribution that each would have if all had the same.

    Parameters
    ----------
    axis : int or several
        Counted from 1. The contribution to several axes is to the inertia they have together.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> record = gm.plots.contributions(fit, of="variables", backend="none")
    >>> record.numbers["values"].round(1).tolist(), record.numbers["uniform"]
    ([33.7, 31.9, 27.2, 7.3], 25.0)
    """
    axes = axis_tuple(fitted, axis)
    if fitted.is_streamed and of == "individuals":
        raise InputError(
            "of='individuals': the fit was made of blocks of rows, and kept none: use "
            "of='variables', or cos2(fit, X=sample)"
        )
    elements = _elements(fitted, axes, of)
    if elements.contribution is None:
        raise InputError(f"fitted: {type(fitted).__name__} has no contributions: use cos2")
    n = len(elements.index)
    if of == "individuals":
        n = int((row_weights(fitted, n) > 0).sum())
    label = f"Contribution to {axes_text(axes)} (%)"
    values = 100.0 * elements.contribution
    return bars(elements, values, label, top, uniform=100.0 / n)
