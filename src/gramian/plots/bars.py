"""Bars of contributions and of squared cosines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian.errors import InputError
from gramian.plots.backends import draw
from gramian.plots.choice import best
from gramian.plots.cloud import row_weights
from gramian.plots.elements import Elements, check_axes, individuals_of, variables_of
from gramian.plots.layout import single
from gramian.plots.record import Axis, Bars, Guide, Layer, Panel
from gramian.plots.style import ACCENT, BAR_COLOR
from gramian.plots.text import shorten

__all__ = ["contributions", "cos2"]

_LENGTH, _STEP = 300.0, 15.0


def contributions(
    fitted: Any,
    axis: int | Sequence[int] = 1,
    *,
    of: str = "individuals",
    top: int = 20,
    title: str = "",
    backend: str = "matplotlib",
) -> Any:
    """Draw the largest contributions to an axis, or to several axes together.

    The dashed line is the contribution that each would have if all had the same.

    Parameters
    ----------
    fitted : fitted estimator
    axis : int or several
        Counted from 1. The contribution to several axes is to the inertia they have together.
    of : "individuals" or "variables"
    top : int
        How many bars.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> record = gm.plots.contributions(fit, of="variables", backend="none")
    >>> record.numbers["values"].round(1).tolist(), record.numbers["uniform"]
    ([33.7, 31.9, 27.2, 7.3], 25.0)
    """
    axes = _axes(fitted, axis)
    elements = _of(fitted, axes, of)
    if elements.contribution is None:
        raise InputError(f"fitted: {type(fitted).__name__} has no contributions: use cos2")
    n = len(elements.index)
    if of == "individuals":
        n = int((row_weights(fitted, n) > 0).sum())
    label = f"Contribution to {_named(axes)} (%)"
    values = 100.0 * elements.contribution
    return _draw(elements, values, label, top, 100.0 / n, title, backend)


def cos2(
    fitted: Any,
    axis: int | Sequence[int] = 1,
    *,
    of: str = "individuals",
    top: int = 20,
    title: str = "",
    backend: str = "matplotlib",
) -> Any:
    """Draw the largest squared cosines: how well an axis, or several, represent each element.

    Parameters
    ----------
    fitted : fitted estimator
    axis : int or several
        Counted from 1; squared cosines of several axes add up.
    of : "individuals" or "variables"
    top : int
        How many bars.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.cos2(fit, of="variables", backend="none").numbers["values"].round(3)
    array([0.983, 0.931, 0.792, 0.212])
    """
    axes = _axes(fitted, axis)
    elements = _of(fitted, axes, of)
    if elements.cos2 is None:
        raise InputError(f"fitted: {type(fitted).__name__} has no squared cosines")
    return _draw(elements, elements.cos2, f"cos² on {_named(axes)}", top, None, title, backend)


def _axes(fitted: Any, axis: int | Sequence[int]) -> tuple[int, ...]:
    return check_axes(fitted, axis if isinstance(axis, Sequence) else (axis,))


def _named(axes: tuple[int, ...]) -> str:
    if len(axes) == 1:
        return f"axis {axes[0]}"
    return f"axes {', '.join(str(k) for k in axes[:-1])} and {axes[-1]}"


def _of(fitted: Any, axes: tuple[int, ...], of: str) -> Elements:
    if of == "individuals":
        return individuals_of(fitted, axes)
    if of == "variables":
        return variables_of(fitted, axes)
    raise InputError(f'of={of!r} must be "individuals" or "variables"')


def _draw(
    elements: Elements,
    values: np.ndarray,
    label: str,
    top: int,
    uniform: float | None,
    title: str,
    backend: str,
) -> Any:
    if top < 1:
        raise InputError(f"top={top!r} must be at least 1")
    order = best(np.nan_to_num(values, nan=-np.inf), top)
    lengths, k = values[order], len(order)
    labels = elements.take(order).labels
    layers: list[Layer] = [Bars(lengths, labels, color=BAR_COLOR, lying=True)]
    highest = float(np.nanmax(lengths))
    if uniform is not None:
        layers.append(Guide("x", uniform, ACCENT, 1.2, "dash", name=f"uniform ({uniform:.3g} %)"))
        highest = max(highest, uniform)
    ticks = [(float(j), shorten(text, 32)) for j, text in enumerate(labels, start=1)]
    panel = Panel(
        left=0.0,
        bottom=0.0,
        width=_LENGTH,
        height=_STEP * k + 8.0,
        x=Axis(label, (0.0, 1.04 * highest or 1.0)),
        y=Axis("", (k + 0.6, 0.4), ticks, line=False),
        layers=(),
    )
    whole = len(values)
    notes = [f"the {k} largest of {whole}"] if k < whole else []
    numbers = {"values": lengths, "labels": labels, "uniform": uniform}
    return draw(single(panel, layers, title=title, notes=notes, numbers=numbers), backend)
