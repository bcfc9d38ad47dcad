"""The backends: each draws any figure record with one library, which only it imports."""

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from gramian._core.check import is_list, one_of, short
from gramian.errors import InputError, InputTypeError, MissingExtraError
from gramian.plots.record import Figure
from gramian.plots.style import PALETTE, looking

BACKENDS = ("matplotlib", "plotly", "none")
_WINDOWLESS = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")  # of matplotlib


def draw(record: Figure, backend: str, ax: Any = None) -> Any:
    """Return the record as a figure of the backend's library, or draw it into `ax`.

    Examples
    --------
    >>> fit = gm.PCA(2).fit(gm.datasets.iris().data)
    >>> record = gm.plots.individuals(fit, backend="none")
    >>> figure = gm.plots.draw(record, "matplotlib")
    >>> len(figure.axes)
    1
    """
    if not isinstance(record, Figure):
        raise InputTypeError(
            f"record={short(record)} must be what a plot returns with backend='none'"
        )
    if one_of(backend, "backend", BACKENDS) == "none":
        return record
    library = _library(backend)
    with looking(theme=record.theme):
        return library.draw(record) if ax is None else library.draw_into(ax, record)


def show(figure: Any, *, block: bool | None = None) -> None:
    """Show a figure in a window, or a plotly figure in the browser.

    Plots return figures without showing them. A notebook displays the last expression of a cell; in
    a script, this function opens a window.

    Parameters
    ----------
    figure : figure
        What a function of `gm.plots` returned.
    block : bool, optional
        Whether to wait until the window is closed, as for `matplotlib.pyplot.show`.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")  # a backend without windows, for which nothing happens
    >>> figure = gm.plots.scree(gm.PCA(2).fit(gm.datasets.iris().data))
    >>> gm.plots.show(figure)
    >>> len(figure.axes)
    1
    """
    if hasattr(figure, "to_plotly_json"):
        figure.show(config=plotly_config())
        return
    figure = figure.get_figure(root=True) if hasattr(figure, "get_figure") else figure
    if not hasattr(figure, "savefig"):
        raise InputTypeError(f"figure={short(figure)} must be a figure of matplotlib or plotly")
    from matplotlib import pyplot

    if pyplot.get_backend().lower() not in _WINDOWLESS:
        if not hasattr(figure, "number"):  # no window yet: a new one takes this figure in
            manager: Any = pyplot.figure().canvas.manager
            figure.set_canvas(manager.canvas)
            manager.canvas.figure = figure
        pyplot.show(block=block)


def palette_of(palette: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the colours that a caller asks for, as "#rrggbb"."""
    if palette is None:
        return PALETTE
    colors = tuple(palette) if is_list(palette) else ()
    if colors and all(isinstance(c, str) and re.fullmatch("#[0-9a-fA-F]{6}", c) for c in colors):
        return colors
    library = _library("matplotlib")  # which knows the names of colours
    try:
        return tuple(library.named_colors(palette if isinstance(palette, str) else colors))
    except (KeyError, ValueError) as error:
        raise InputError(
            f'palette={short(palette)} must be a list of colours such as "#0072B2" or "red", or '
            'the name of a list of them in matplotlib such as "Set2"'
        ) from error


def plotly_config() -> dict[str, Any]:
    """Return the options for showing a plotly figure: no logo, and no button that uploads data.

    Examples
    --------
    >>> plotly_config()["showSendToCloud"]
    False
    """
    return {
        "displaylogo": False,
        "showSendToCloud": False,
        "plotlyServerURL": "",
        "typesetMath": False,
        "responsive": False,
    }


def _library(backend: str) -> Any:
    try:
        return import_module(f"gramian.plots.backends.{backend}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != backend:
            raise
        raise MissingExtraError(
            f"backend={backend!r} needs {backend}: pip install 'gramian[plot]' "
            "(backend='none' returns the numbers without a drawing)"
        ) from error
