"""From the record of a figure to the figure: size, theme and place; registration of plots."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from functools import wraps
from importlib import import_module
from typing import Any, Literal, ParamSpec, TypedDict, Unpack

import numpy as np

from gramian._core.check import is_list, is_number, one_of, short
from gramian._estimators.foreign import outside
from gramian.errors import InputError, InputTypeError
from gramian.plots.backends import BACKENDS, draw, palette_of
from gramian.plots.layout import LEGEND_LINE, LEGEND_STEP, legend_layers, note_height, slot_of
from gramian.plots.record import (
    Arrows,
    ColorBar,
    ColorScale,
    Curve,
    Figure,
    Guide,
    Labels,
    Legend,
    Panel,
    Points,
)
from gramian.plots.style import FAINT, INK, MUTED, ON_DARK, THEMES, Theme, looking

P = ParamSpec("P")

_MIN_SIZE = 0.12  # of its usual size, below which a panel shows nothing
# What parameters mean in every plot that takes them and does not describe them itself.
_COMMON = """fitted : fitted estimator
    The fit to draw.
axes : (int, int)
    Counted from 1.
of : "individuals", "variables" or "categories"
    The elements to draw.
top : int
    Number of bars.
color : optional
    As for `individuals`.
color_as : "groups" or "values", optional
    What numbers are, where that is ambiguous.
labels : "auto", bool, int or labels
    What is named: "auto", all of up to 40 points, else the 12 most important; an int, that many;
    True, all. A name without a free place is left out.
select : int, float, labels or mask, optional
    What is highlighted, the rest being drawn faintly: the best ones (int), those above a threshold
    below 1 (float), those named, or those marked.
by : "contribution" or "cos2"
    What "best" means for `labels` and `select`, on the axes together.
order : "clusters" or None
    Sorted by hierarchical clustering (average linkage), or left in their order.
X : table, optional
    Rows to draw in place of those of the fit, which a fit on blocks of rows does not keep; of a
    scan, a random sample of 2,000.
title : str
    The title above the figure.
backend : "matplotlib", "plotly" or "none"
    A static figure, an interactive one, or the record of what would be drawn.
ax : matplotlib SubFigure or Axes, optional
    Draw into this part or panel of an existing figure; texts are placed for its current size.
figsize : (float, float), optional
    Width and height of the figure in inches; by default as large as necessary.
palette : colours, or the name of a palette of matplotlib such as "Set2", optional
    Colours such as "#0072B2" or "red" of the groups; by default seven for colour-blind readers.
theme : "screen", "paper", "talk" or "dark"
    Text size of about 9, 7, 14 points, or 9 points on a dark background."""
_RETURNS = """

Returns
-------
The figure of the backend, or for "none" the record of what would be drawn."""
PLOTS: dict[str, Callable[..., Any]] = {}  # those that were registered, under their names
_MIN_BRIGHTNESS = 0.38  # of viridis: what is darker than this is not seen on dark paper
# What is as long as the theme is large, and what has such parts; layers have a scale of colours.
_LENGTHS: dict[type, tuple[str, ...]] = {
    Figure: ("width", "height"),
    Legend: ("left", "top", "column"),
    ColorBar: ("left", "bottom", "height", "width"),
    Panel: ("left", "bottom", "width", "height", "unit"),
    Points: ("size",),
    Arrows: ("width",),
    Curve: ("width", "marker_size"),
    Guide: ("width",),
    Labels: ("size", "offsets", "boxes"),
}
_PARTS = {Figure: ("panels", "legend", "color_bar"), Panel: ("layers", "x", "y", "z")}


class Drawing(TypedDict, total=False):
    """What every plot takes beside its own options."""

    title: str
    backend: Literal["matplotlib", "plotly", "none"]
    ax: Any
    figsize: Sequence[float] | None
    palette: str | Sequence[str] | None
    theme: Literal["screen", "paper", "talk", "dark"]


_EDGE = 8.0  # points right of a panel without anything beside it
_MAX_LINE_SHARE = 0.75  # of the width of a page, that a legend in one line may have
_MAX_LEGEND_SHARE = 0.3  # of a cell, that a legend may have beside the panel
_SHARED = (Unpack[Drawing], "Unpack[Drawing]")  # as modules with deferred annotations have it
_DEFAULTS = Drawing(
    title="", backend="matplotlib", ax=None, figsize=None, palette=None, theme="screen"
)


def as_plot(record: Callable[P, Figure]) -> Callable[P, Any]:
    """Make a plot of a function that returns the record of a figure.

    The plot takes what the function takes, and the options of `Drawing`.
    """

    own = inspect.signature(record).parameters
    signature, added = _signature(record), _options_to_add(own)
    takes_fit = next(iter(own), "") == "fitted"

    @wraps(record)
    def plot(*args: Any, **options: Any) -> Any:
        if takes_fit and (args or "fitted" in options):
            fitted, rest = (args[0], args[1:]) if args else (options.pop("fitted"), ())
            args = (outside.drawable(fitted, options.get("X")), *rest)
            if args[0] is not fitted and "X" not in own:  # rows that the fit is read with
                options.pop("X", None)
        try:
            signature.bind(*args, **options)
        except TypeError as error:  # an unknown option is an error
            raise InputTypeError(f"{record.__name__}(): {error}") from None
        chosen: Any = {name: options.pop(name, usual) for name, usual in added.items()}
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
        with looking(palette=palette, theme=theme, title=chosen.get("title", "")):
            if room is None:
                figure = make()
            else:
                figure = _filling(chosen["ax"], make, np.asarray(room) / theme.scale)
        return draw(apply_theme(figure, theme), chosen["backend"], chosen["ax"])

    plot.__signature__ = signature  # type: ignore[attr-defined]
    plot.__doc__ = _documentation(record.__doc__, list(signature.parameters))
    return plot


def _documentation(text: str | None, names: list[str]) -> str | None:
    """Return a docstring with the parameters that plots share, and what they return."""
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
    added = _options_to_add(signature.parameters)
    if taken := set(added) & set(signature.parameters):
        raise InputError(
            f"record takes {min(taken)}, which the plot adds: leave it out and return the Figure"
        )
    own = [p for p in signature.parameters.values() if p.annotation not in _SHARED]
    kinds, keyword = Drawing.__annotations__, inspect.Parameter.KEYWORD_ONLY
    more = [
        inspect.Parameter(name, keyword, default=usual, annotation=kinds[name])
        for name, usual in added.items()
    ]
    # Python wants **options last; the sort is stable, so all else stays in order.
    parameters = sorted([*own, *more], key=lambda p: p.kind is inspect.Parameter.VAR_KEYWORD)
    return signature.replace(parameters=parameters, return_annotation=Any)


def _options_to_add(own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are added to a function's own, which may have a title."""
    return {name: usual for name, usual in _DEFAULTS.items() if name != "title" or name not in own}


def _room(ax: Any, figsize: Sequence[float] | None, backend: str) -> tuple[float, float] | None:
    """Return the room that the figure, or with `ax` its panel, has to fill, in points."""
    if ax is not None:
        if backend != "matplotlib" or figsize is not None:
            raise InputError(
                "ax is a panel of matplotlib's, of its own size: leave backend, figsize"
            )
        if not _is_panel(ax) and not hasattr(ax, "subfigures"):
            raise InputTypeError(f"ax={short(ax)} must be a SubFigure or Axes of matplotlib")
        slot = slot_of(ax)
        if slot is not None:
            return slot[2], slot[3]
        box = ax.get_window_extent()
        dpi = ax.get_figure().dpi
        return 72.0 * box.width / dpi, 72.0 * box.height / dpi
    if figsize is None:
        return None
    sides = list(figsize) if is_list(figsize) else []
    if len(sides) != 2 or not all(is_number(side) and 0.5 <= side <= 200 for side in sides):
        raise InputError(f"figsize={short(figsize)} must be width and height in inches")
    return 72.0 * float(sides[0]), 72.0 * float(sides[1])


def _filling(ax: Any, make: Callable[[], Figure], size: np.ndarray) -> Figure:
    """Return a record that fills its room: a panel, a cell of a grid, or a page.

    Its legend stands below where there is no room beside the panels; in a cell never above, where
    it would meet the title of an axes.
    """
    first, is_cell = make(), _is_panel(ax)
    if is_cell and (count := len(first.panels)) != 1:
        raise InputError(
            f"ax is one panel, the figure has {count}: give a part of a figure, such as "
            "fig.subfigures(1, 2)[0]"
        )
    if is_cell and slot_of(ax) is None:
        panel = first.panels[0]
        with looking(wide=float(size[0] / panel.width), high=float(size[1] / panel.height)):
            return make()
    if (key := first.legend) is not None:
        beside, line = first.width - key.left, len(legend_layers(first.panels)) * key.column
        if not is_cell and key.left < _sides(first)[1]:  # in a line above, or in a corner
            beside = key.column if key.rows == 1 and line > _MAX_LINE_SHARE * size[0] else 0.0
        if beside > _MAX_LEGEND_SHARE * size[0]:
            return _fill_page(lambda: _with_legend_below(make(), size, is_cell), size)
    return _fill_page(make, size)


def _with_legend_below(figure: Figure, size: np.ndarray, is_cell: bool) -> Figure:
    """Return the record with its legend under all but the notes of a page, where there is room."""
    legend = figure.legend
    assert legend is not None
    names = len(legend_layers(figure.panels))
    columns = min(max(int((size[0] - _EDGE) / legend.column), 1), names)
    rows = -(-names // columns)
    deep = (rows + bool(legend.title)) * LEGEND_STEP + 4.0
    left, right = _sides(figure)
    wide = figure.width if figure.color_bar else right + _EDGE
    if deep > _MAX_LEGEND_SHARE * size[1]:
        return replace(figure, width=wide) if len(figure.panels) == 1 else figure
    left = max(min(left, float(size[0]) - _EDGE - columns * legend.column), 4.0)
    saved = 0.0 if legend.left > right else LEGEND_LINE  # above the panel
    low = 0.0 if is_cell else note_height(figure.notes, figure.panels)
    below = replace(legend, left=left, top=low + deep, rows=rows)
    high = figure.height + deep - saved
    return replace(_moved(figure, 0.0, deep), width=wide, height=high, legend=below)


def _moved(figure: Figure, right: float, up: float) -> Figure:
    """Return the record with its panels, legend and key elsewhere on the page."""
    panels = [replace(p, left=p.left + right, bottom=p.bottom + up) for p in figure.panels]
    key, bar = figure.legend, figure.color_bar
    key = key and replace(key, left=key.left + right, top=key.top + up)
    bar = bar and replace(bar, left=bar.left + right, bottom=bar.bottom + up)
    return replace(figure, panels=tuple(panels), legend=key, color_bar=bar)


def _sides(figure: Figure) -> tuple[float, float]:
    """Return where the panels begin and end, from left to right."""
    return min(p.left for p in figure.panels), max(p.left + p.width for p in figure.panels)


def _is_panel(ax: Any) -> bool:
    """Whether something is a panel of matplotlib's, and not a part of a figure."""
    return hasattr(ax, "get_window_extent") and hasattr(ax, "plot")


def _fill_page(make: Callable[[], Figure], size: np.ndarray) -> Figure:
    """Return a record of a given size: what is around the panels keeps its size, they change."""
    page: Any = (float(size[0]), float(size[1]))
    with looking(page=page):
        factors, figure = np.ones(2), make()
    for _ in range(4):  # ticks and legends change a little with the panels
        whole = np.array([figure.width, figure.height])
        sides = [(p.left, p.bottom, p.left + p.width, p.bottom + p.height) for p in figure.panels]
        inner = np.max(sides, axis=0)[2:] - np.min(sides, axis=0)[:2]  # of the panels together
        wanted = factors * (size - (whole - inner)) / inner
        if np.allclose(wanted, factors, rtol=1e-3):
            break
        factors = np.maximum(wanted, _MIN_SIZE)
        with looking(wide=float(factors[0]), high=float(factors[1]), page=page):
            figure = make()
    if wanted.min() < _MIN_SIZE:
        raise InputError("figsize or ax leaves no room for what is drawn: make it larger")
    rest = np.maximum(size - [figure.width, figure.height], 0.0)  # beside pictures
    return replace(_moved(figure, *(rest / 2.0).tolist()), width=page[0], height=page[1])


def register(record: Callable[..., Figure], /) -> Callable[..., Any]:
    """Turn a function that returns the record of a figure into a plot, and return it.

    The plot takes the arguments of the function, ``backend=``, ``ax=``, ``figsize=``, ``palette=``
    and ``theme=``, works with every backend and is available in `gm.plots` under the name of the
    function. The names of the library's own plots cannot be reused.

    Parameters
    ----------
    record : function
        Returns a `Figure`, usually by `gramian.plots.layout.single`; has no argument `backend`.

    Returns
    -------
    function
        The plot.

    Examples
    --------
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
    name = getattr(record, "__name__", "")
    if not callable(record) or not name.isidentifier():
        raise InputTypeError(f"record is {type(record).__name__} {name!r}: give a named function")
    # Custom ones may be registered again, as notebooks do.
    if name in vars(import_module("gramian.plots")) or name.startswith("_"):
        raise InputError(f"record: the name {name!r} is taken in gm.plots: choose another one")
    PLOTS[name] = as_plot(record)
    return PLOTS[name]


def apply_theme(figure: Figure, theme: Theme) -> Figure:
    """Return the record at the size and in the colours of a theme."""
    if theme == figure.theme:
        return figure
    themed: Figure = _apply(figure, theme, theme.scale / figure.theme.scale)
    return replace(themed, theme=theme)


def _apply(thing: Any, theme: Theme, s: float) -> Any:
    """Return a part of a record with its lengths times s, in the colours of a theme."""
    if isinstance(thing, tuple):
        return tuple(_apply(part, theme, s) for part in thing)
    if not is_dataclass(thing) or isinstance(thing, type):
        return thing
    changes = {name: s * getattr(thing, name) for name in _LENGTHS.get(type(thing), ())}
    for name in _PARTS.get(type(thing), ("scale",)):
        if hasattr(thing, name):
            changes[name] = _apply(getattr(thing, name), theme, s)
    if isinstance(color := getattr(thing, "color", None), str):
        changes["color"] = _theme_color(color, theme)
    if isinstance(thing, Labels):
        changes["colors"] = tuple(_theme_letter(color, theme) for color in thing.colors)
    if isinstance(thing, ColorScale) and theme.paper != "white" and thing.name == "viridis_r":
        changes |= {"name": "viridis", "start": _MIN_BRIGHTNESS}  # the largest are the strongest
    return replace(thing, **changes)


def _theme_color(color: str, theme: Theme) -> str:
    grey = {INK: theme.ink, MUTED: theme.muted, FAINT: theme.faint}
    return (grey if theme.paper == "white" else grey | ON_DARK).get(color, color)


def _theme_letter(color: str, theme: Theme) -> str:
    """Return the colour of small letters, lighter on dark paper."""
    inked = _theme_color(color, theme)
    if inked != color or theme.paper == "white":
        return inked
    parts = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(0.4 * part + 0.6 * 255):02x}" for part in parts)
