"""From the record of a figure to the figure: its size, its theme, its place among others."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec, TypedDict

import numpy as np

from gramian._core.check import is_list, is_number, one_of, short
from gramian._estimators.foreign import outside
from gramian.errors import InputError, InputTypeError
from gramian.plots.backends import BACKENDS, draw
from gramian.plots.record import Figure
from gramian.plots.style import THEMES, looking, palette_of
from gramian.plots.themes import apply_theme

P = ParamSpec("P")

_MIN_SIZE = 0.15  # of its usual size, below which a panel shows nothing
# What parameters mean in every plot that takes them and does not describe them itself.
_COMMON = """fitted : fitted estimator
axes : (int, int)
    Counted from 1.
of : "individuals", "variables" or "categories"
top : int
    How many bars.
color : optional
    As for `individuals`.
color_as : "groups" or "values", optional
    What numbers are, where that is ambiguous.
by : "contribution" or "cos2"
    What "best" means.
X : table, optional
    Rows to draw in place of those of the fit, which a fit on blocks of rows does not keep; of a
    scan, a random sample of 2,000.
title : str
backend : "matplotlib", "plotly" or "none"
ax : matplotlib SubFigure or Axes, optional
    Draw on this part of an existing figure, or into this panel, whose size the texts are placed
    for.
figsize : (float, float), optional
    Width and height of the figure in inches; as large as it needs by default.
palette : colours, optional
    Of the groups, as "#rrggbb"; seven that colour-blind readers can distinguish by default.
theme : "screen", "paper", "talk" or "dark"
    Texts of about 9 points, of 7 throughout, of 14 and of 9 on dark paper."""
_RETURNS = """

Returns
-------
The backend's own figure; the record of what is drawn for "none"."""


class Drawing(TypedDict, total=False):
    """What every plot takes beside its own options."""

    title: str
    backend: str
    ax: Any
    figsize: Any
    palette: Any
    theme: str


_DEFAULTS = Drawing(
    title="", backend="matplotlib", ax=None, figsize=None, palette=None, theme="screen"
)


def as_plot(record: Callable[P, Figure]) -> Callable[P, Any]:
    """Make a plot of a function that returns the record of a figure.

    The plot takes what the function takes, and the options of `Drawing`.
    """

    signature, own = _signature(record), inspect.signature(record).parameters
    takes_fit = next(iter(own), "") == "fitted"

    @wraps(record)
    def plot(*args: Any, **options: Any) -> Any:
        if takes_fit and args:
            args = (outside.drawable(args[0]), *args[1:])
        elif takes_fit and "fitted" in options:
            options["fitted"] = outside.drawable(options["fitted"])
        try:
            signature.bind(*args, **options)
        except TypeError as error:  # an option that no plot knows must not pass unheard
            raise InputTypeError(f"{record.__name__}(): {error}") from None
        chosen: Any = _DEFAULTS | {k: options.pop(k) for k in [*options] if k in _added(own)}
        one_of(chosen["backend"], "backend", BACKENDS)
        theme = THEMES[one_of(chosen["theme"], "theme", tuple(THEMES))]
        room = _room(chosen["ax"], chosen["figsize"], chosen["backend"])

        def make() -> Figure:
            figure = record(*args, **options)
            if not isinstance(figure, Figure):
                raise InputTypeError(
                    f"record: {record.__name__} returned {type(figure).__name__}: return a Figure, "
                    "such as gramian.plots.layout.single gives"
                )
            return figure

        palette = palette_of(chosen["palette"])
        with looking(palette=palette, theme=theme, title=chosen["title"]):
            if room is None:
                figure = make()
            else:
                fill = _fill_panel if _is_panel(chosen["ax"]) else _fill_page
                figure = fill(make, np.asarray(room) / theme.scale)
        return draw(apply_theme(figure, theme), chosen["backend"], chosen["ax"])

    plot.__signature__ = signature  # type: ignore[attr-defined]
    plot.__doc__ = _documentation(record.__doc__, list(signature.parameters))
    return plot


def _documentation(text: str | None, names: list[str]) -> str | None:
    """Return a docstring with the parameters that plots share, and what they return.

    >>> own = "Parameters\\n----------\\ny : array"
    >>> _documentation(own, ["fitted", "y"]).split("\\n")[2:4]
    ['fitted : fitted estimator', 'y : array']
    """
    head, mark, rest = inspect.cleandoc(text or "").partition("Parameters\n----------\n")
    if not mark:
        return text
    own, _, tail = rest.partition("\n\n")
    entries = _entries(_COMMON) | _entries(own)
    written = dict.fromkeys(entries[name] for name in names if name in entries)
    return head + mark + "\n".join(written) + _RETURNS + (f"\n\n{tail}" if tail else "")


def _entries(section: str) -> dict[str, str]:
    """Return the paragraphs of a list of parameters, under the names that each is about."""
    paragraphs = re.split(r"\n(?! )", section)
    return {
        name: text
        for text in paragraphs
        for name in text.split("\n")[0].split(" : ")[0].split(", ")
    }


def _signature(record: Callable[..., Figure]) -> inspect.Signature:
    """Return the signature of the plot: that of the function, with the options by name."""
    signature = inspect.signature(record)
    added = _added(signature.parameters)
    if taken := set(added) & set(signature.parameters):
        raise InputError(
            f"record takes {min(taken)}, which the plot adds: leave it out and return the Figure"
        )
    own = [p for p in signature.parameters.values() if p.annotation != "Unpack[Drawing]"]
    kinds = Drawing.__annotations__
    more = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=usual, annotation=kinds[name]
        )
        for name, usual in added.items()
    ]
    # Python wants **options last; the sort is stable, so all else stays in order.
    parameters = sorted([*own, *more], key=lambda p: p.kind is inspect.Parameter.VAR_KEYWORD)
    return signature.replace(parameters=parameters, return_annotation=Any)


def _added(own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are added to a function's own, which may have a title."""
    return {name: usual for name, usual in _DEFAULTS.items() if name != "title" or name not in own}


def _room(ax: Any, figsize: Any, backend: str) -> tuple[float, float] | None:
    """Return the room that the figure, or with `ax` its panel, has to fill, in points."""
    if ax is not None:
        if backend != "matplotlib" or figsize is not None:
            raise InputError(
                "ax is a panel of matplotlib's, of its own size: leave backend, figsize"
            )
        if not _is_panel(ax) and not hasattr(ax, "subfigures"):
            raise InputTypeError(f"ax={short(ax)} must be a SubFigure or Axes of matplotlib")
        box = ax.get_window_extent()
        dpi = ax.get_figure().dpi
        return 72.0 * box.width / dpi, 72.0 * box.height / dpi
    if figsize is None:
        return None
    sides = list(figsize) if is_list(figsize) else []
    if len(sides) != 2 or not all(is_number(side) and 0.5 <= side <= 200 for side in sides):
        raise InputError(f"figsize={short(figsize)} must be width and height in inches")
    return 72.0 * float(sides[0]), 72.0 * float(sides[1])


def _is_panel(ax: Any) -> bool:
    """Whether something is a panel of matplotlib's, and not a part of a figure."""
    return hasattr(ax, "get_window_extent") and hasattr(ax, "plot")


def _fill_panel(make: Callable[[], Figure], size: np.ndarray) -> Figure:
    """Return a record whose only panel fills the room."""
    first = make()
    if len(first.panels) != 1:
        raise InputError(f"ax is one panel, the figure has {len(first.panels)}: leave it out")
    panel = first.panels[0]
    with _scale_panels(size / [panel.width, panel.height]):
        return make()


def _fill_page(make: Callable[[], Figure], size: np.ndarray) -> Figure:
    """Return a record of a given size: what is around the panels keeps its size, they change."""
    factors, figure = np.ones(2), make()
    for _ in range(3):  # ticks and legends change a little with the panels
        whole = np.array([figure.width, figure.height])
        inner = _extent(figure)
        factors = factors * (size - (whole - inner)) / inner
        if factors.min() < _MIN_SIZE:
            raise InputError("figsize leaves no room for what is drawn: make it larger")
        with _scale_panels(factors):
            figure = make()
    return replace(figure, width=float(size[0]), height=float(size[1]))


@contextmanager
def _scale_panels(factors: np.ndarray) -> Iterator[None]:
    with looking(wide=float(factors[0]), high=float(factors[1])):
        yield


def _extent(figure: Figure) -> np.ndarray:
    """Return how wide and high the panels are together."""
    low = np.min([(p.left, p.bottom) for p in figure.panels], axis=0)
    high = np.max([(p.left + p.width, p.bottom + p.height) for p in figure.panels], axis=0)
    return np.asarray(high - low)
