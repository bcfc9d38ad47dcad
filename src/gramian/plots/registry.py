"""Plots of one's own: a function that returns a record becomes ``gm.plots.NAME``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from gramian.errors import InputError, InputTypeError
from gramian.plots.drawing import as_plot
from gramian.plots.record import Figure

PLOTS: dict[str, Callable[..., Any]] = {}  # those that were registered, under their names


def register(record: Callable[..., Figure], /) -> Callable[..., Any]:
    """Make a plot of a function that returns a figure's record, and return the plot.

    The plot takes what the function takes, ``backend=``, ``ax=``, ``figsize=``, ``palette=`` and
    ``theme=``, is drawn by every backend and found in `gm.plots` under the function's name. Plots
    of the library keep their names.

    Parameters
    ----------
    record : function
        Returns a `Figure`, mostly by `gramian.plots.layout.single`; has no argument `backend`.

    Returns
    -------
    function
        The plot.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> from gramian.plots.layout import around, single
    >>> from gramian.plots.record import Axis, Curve, Panel
    >>> @gm.plots.register
    ... def eigenvalues(fitted):
    ...     y = np.asarray(fitted.eigenvalues_)
    ...     x = np.arange(1.0, len(y) + 1.0)
    ...     panel = Panel(0, 0, 300, 200, Axis("Axis", around(x)), Axis("λ", around(y)), ())
    ...     return single(panel, [Curve(x, y)], numbers={"eigenvalues": y})
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.eigenvalues(fit, backend="none").numbers["eigenvalues"].round(2)
    array([2.92, 0.91, 0.15, 0.02])
    """
    name, plot = _name(record), as_plot(record)
    PLOTS[name] = plot
    return plot


def _name(record: Callable[..., Figure]) -> str:
    """Return the name of a plot; one's own may be registered again, as notebooks do."""
    name = getattr(record, "__name__", "")
    if not callable(record) or not name.isidentifier():
        raise InputTypeError(f"record is {type(record).__name__} {name!r}: give a named function")
    if name in vars(import_module("gramian.plots")) or name.startswith("_"):
        raise InputError(f"record: the name {name!r} is taken in gm.plots: choose another one")
    return str(name)
