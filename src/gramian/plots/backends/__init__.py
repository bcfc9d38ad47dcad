"""The backends: each draws any figure record with one library, which only it imports."""

from importlib import import_module
from typing import Any

from gramian._core.check import one_of, short
from gramian.errors import InputTypeError
from gramian.plots.record import Figure
from gramian.plots.style import looking

BACKENDS = ("matplotlib", "plotly", "none")


def draw(record: Figure, backend: str, ax: Any = None) -> Any:
    """Return the record as a figure of the backend's library, or draw it into `ax`.

    Examples
    --------
    >>> import gramian as gm
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


def plotly_script() -> str:
    """Return plotly's own script, for pages that hold several of its figures."""
    return str(_library("plotly").script())


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
        raise ImportError(
            f"backend={backend!r} needs {backend}: pip install 'gramian[plot]' "
            "(backend='none' returns the numbers without a drawing)"
        ) from error
