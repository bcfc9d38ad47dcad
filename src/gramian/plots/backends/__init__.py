"""The backends: each draws any figure record with one library, which only it imports."""

from importlib import import_module
from typing import Any

from gramian._core.check import one_of, short
from gramian.errors import InputTypeError, MissingExtraError
from gramian.plots.record import Figure
from gramian.plots.style import looking

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
