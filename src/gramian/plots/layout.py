"""Where things stand on the page: limits, margins, the legend and the key to the colours."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian._core.check import text
from gramian.plots.record import Axis, ColorBar, ColorScale, Figure, Layer, Legend, Panel, Points
from gramian.plots.style import SMALL, TEXT, TITLE, across, look, shorten, text_size, upwards, width

MAP_WIDTH = 400.0  # of the panel of a map, in points
CURVES_WIDTH, CURVES_HEIGHT = 380.0, 230.0  # of the panel of curves over the axes
BAR_GAP = 7.0  # between a key to colours and its title: the highest tick reaches above the key
_SPACE_MARGIN = 16.0  # right of a view of space, whose upright scale stands out of its panel
_TITLE_ROOM = 22.0  # above a panel in a cell of a grid
_MAX_SPREAD_RATIO = 4.0  # columns whose spreads differ by more do not share a unit
_MIN_LINE = 6  # characters of a line of a title or note
_MIN_TICK_STEP, _TICK_GAP = 6.5, 4.0  # from tick to tick with a name, and between two such names
_MAX_NAME_SHARE = 0.3  # of a side of a page, that names of ticks may take
_MAX_KEY_SHARE = 0.2  # of a page, beyond which the title of a key to colours runs along it
_is_number = re.compile(r"[-−]?[0-9.]+(e[-+]?[0-9]+)?").fullmatch
_LINE_HEIGHT = 1.45  # distance between lines of text, in text sizes
LEGEND_STEP = 1.6 * TEXT  # between the lines of a legend
LEGEND_LINE = TEXT * _LINE_HEIGHT + 5.0  # room for a legend of one line above the panels


def around(values: npt.ArrayLike, margin: float = 0.07, zero: bool = False) -> tuple[float, float]:
    """Return limits around the values, with a margin; a single value gets a unit around it."""
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    if zero or known.size == 0:
        known = np.append(known, 0.0)
    low, high = float(known.min()), float(known.max())
    span = high - low
    if span <= 1e-12 * max(abs(low), abs(high)):
        span = max(abs(low), abs(high)) or 1.0
    return low - margin * span, high + margin * span


def map_panel(x: Axis, y: Axis) -> Panel:
    """Return an empty panel with equal units: as flat as the cloud, within reason."""
    spans = [axis.limits[1] - axis.limits[0] for axis in (x, y)]
    flat = float(np.clip(spans[1] / spans[0], 0.58, 1.0))
    wide, high = across(MAP_WIDTH), upwards(MAP_WIDTH * flat)
    unit = max(spans[0] / wide, spans[1] / high)  # as long on both axes: one is widened
    x, y = _widen(x, unit * wide), _widen(y, unit * high)
    return Panel(0.0, 0.0, wide, high, x, y, (), equal=True)


def columns_panel(at: np.ndarray, names: Sequence[str]) -> Panel:
    """Return an empty panel for two columns, with equal units where their spreads are alike."""
    x, y = (Axis(name, around(v)) for name, v in zip(names, at.T, strict=True))
    spans = [axis.limits[1] - axis.limits[0] for axis in (x, y)]
    if max(spans) <= _MAX_SPREAD_RATIO * min(spans):
        return map_panel(x, y)
    return empty_panel(MAP_WIDTH, 0.75 * MAP_WIDTH, x, y)


def _widen(axis: Axis, span: float) -> Axis:
    low, high = axis.limits
    extra = (span - (high - low)) / 2
    return replace(axis, limits=(low - extra, high + extra))


def empty_panel(width: float, height: float, x: Axis, y: Axis, **options: Any) -> Panel:
    """Return a panel of a usual size, without layers."""
    return Panel(0.0, 0.0, across(width), upwards(height), x, y, (), **options)


def tick_width(axis: Axis) -> float:
    """Return the room that the widest tick text of an axis needs."""
    if axis.ticks is not None:
        return max((width(text, TEXT) for _, text in axis.ticks), default=0.0)
    low, high = sorted(axis.limits)
    if _is_scientific(axis):
        return width("−0.5e+100", TEXT)
    digits = max(_decimals((high - low) / parts) for parts in range(3, 8))
    return max(width(f"{value:.{digits}f}".replace("-", "−"), TEXT) for value in (low, high))


def _decimals(step: float) -> int:
    """Return how many digits ticks have that stand about so far apart, at 1, 2, 2.5 or 5."""
    power = int(np.floor(np.log10(step)))
    is_quarter = 2.0 < step / 10.0**power <= 2.5
    return max(0, is_quarter - power - (step / 10.0**power > 5.0))


def _is_scientific(axis: Axis) -> bool:
    """Whether the ticks of an axis are written with an exponent."""
    return axis.ticks is None and not 1e-3 < abs(axis.limits[1] - axis.limits[0]) < 6e5


def tick_count(room: float) -> int:
    """Return how many ticks fit on an axis of this length, in points."""
    return int(np.clip(room / 50.0 + 1.0, min(max(room // 20.0, 1), 3), 7))


def whole_step(axis: Axis, room: float = np.inf) -> int:
    """Return the distance between ticks at whole numbers: at most 16, one in 20 points."""
    most = float(np.clip(room / 20.0, 3.0, 16.0))
    return int(np.ceil((axis.limits[1] - axis.limits[0]) / most))


def tick_step(axis: Axis, room: float) -> float:
    """Return the least distance between ticks that have names, in points."""
    at = np.sort([value for value, _ in axis.ticks or ()])
    gap = np.diff(at).min(initial=np.inf) / abs(axis.limits[1] - axis.limits[0])
    return max(float(gap * room), 1.0)


def lines_of(text: str, room: float, size: float) -> list[str]:
    """Return a text in lines that fit the room; a number stays with its unit."""
    wide = width(text, size)
    if wide <= room:
        return [text]
    whole, n = text.replace(" %", "\u00a0%").replace("(% ", "(%\u00a0"), np.ceil(wide / room)
    most = min(room * len(text) / wide, len(text) // n + 5)  # in lines of about one length
    lines = wrap(whole, max(int(most), _MIN_LINE))
    return [line.replace("\u00a0", " ") for line in lines]


def title_lines(axis: Axis, room: float) -> list[str]:
    """Return the title of an axis, in lines where it is longer than the axis and its ends."""
    return lines_of(axis.title, room + TEXT, TEXT + 1.0)


def note_lines(notes: Sequence[str], panels: Sequence[Panel], size: float) -> list[str]:
    """Return the notes in lines that are as wide as the panels together."""
    room = max(p.left + p.width for p in panels) - min(p.left for p in panels)
    return [line for note in notes for line in lines_of(note, room, size)]


def note_height(notes: Sequence[str], panels: Sequence[Panel]) -> float:
    """Return how high the notes are."""
    size = text_size(SMALL)
    return len(note_lines(notes, panels, size)) * size * _LINE_HEIGHT


def _legible(panel: Panel) -> Panel:
    """Return a panel whose ticks with names do not meet: short ones, upright, or fewer."""
    x, (wide, high) = panel.x, look().page
    least, names = tick_width(x) + _TICK_GAP, [name for _, name in x.ticks or ()]
    if least > tick_step(x, panel.width) and not all(map(_is_number, names)):
        x = replace(x, upright=True)
    room = (_MIN_TICK_STEP, high) if x.upright else (least, np.inf)
    x = _named(x, panel.width, *room)
    return replace(panel, x=x, y=_named(panel.y, panel.height, _MIN_TICK_STEP, wide))


def _named(axis: Axis, room: float, least: float, side: float) -> Axis:
    """Return an axis with names so short that they leave most of a side of the page, or fewer."""
    if not axis.ticks:
        return axis
    share = _MAX_NAME_SHARE * side / max(tick_width(axis), 1.0)
    most = max(min(share, 1.0) * max(len(name) for _, name in axis.ticks), _MIN_LINE)
    ticks = [(at, shorten(name, int(most))) for at, name in axis.ticks]
    return replace(axis, ticks=ticks[:: max(int(np.ceil(least / tick_step(axis, room))), 1)])


def margin_left(axis: Axis, room: float = np.inf) -> float:
    """Return the room left of a panel for the ticks and the title of its vertical axis."""
    title = len(title_lines(axis, room)) * TEXT * _LINE_HEIGHT + 6.0 if axis.title else 0.0
    return 10.0 + tick_width(axis) + title


def margin_bottom(axis: Axis, room: float = np.inf) -> float:
    """Return the room below a panel for the ticks and the title of its horizontal axis."""
    title = len(title_lines(axis, room)) * TEXT * _LINE_HEIGHT + 4.0 if axis.title else 0.0
    ticks = 0.0 if axis.ticks == () else TEXT + 8.0
    if axis.upright:
        ticks = tick_width(axis) + 8.0
    return ticks + title + 5.0


def single(panel: Panel, layers: Iterable[Layer], **options: Any) -> Figure:
    """Return a figure of one panel."""
    return finish([replace(panel, layers=tuple(layers))], **options)


def finish(
    panels: Sequence[Panel],
    *,
    title: str = "",
    legend_title: str = "",
    notes: Sequence[str] = (),
    numbers: Mapping[str, Any] | None = None,
    corner: bool = False,
) -> Figure:
    """Move the panels to make room for what stands around them, and return the figure.

    Legends stand on the right; those of a few words without a title above, in one line; with
    `corner` above the last panel, where that is empty.
    """
    title = look().title if title == "" else title
    if title is not None:
        text(title, "title")
    panels = [panel if panel.z else _legible(panel) for panel in panels]
    edge_left = min(p.left - (margin_left(p.y, p.height) if p.z is None else 0.0) for p in panels)
    edge_bottom = min(
        p.bottom - (margin_bottom(p.x, p.width) if p.z is None else 0.0) for p in panels
    )
    bottom = 6.0 + note_height(notes, panels)
    moved = [
        replace(p, left=p.left - edge_left + 4.0, bottom=p.bottom - edge_bottom + bottom)
        for p in panels
    ]
    right = max(p.left + p.width + (_SPACE_MARGIN if p.z else 0.0) for p in moved)
    top = max(p.bottom + p.height for p in moved)
    above = TEXT if any(_is_scientific(p.y) for p in moved) else 0.0  # room for the exponent
    aside = moved[-1].left if corner else right + 10.0
    line = None if corner or legend_title else _line(moved, top + above)
    if line is None:
        floor = moved[-1].bottom + moved[-1].height + 20.0 if corner else 0.0
        legend, legend_size = _legend(moved, aside, top, legend_title, floor)
    else:
        legend, legend_size, above = line, (0.0, 0.0), above + LEGEND_LINE
    bar, bar_width = _color_bar(moved, aside, top - legend_size[1])
    wide = max(legend_size[0], bar_width)
    return Figure(
        width=max(right + 10.0, aside + wide + 6.0),
        height=top + above + (TITLE * _LINE_HEIGHT + 10.0 if title else 8.0),
        panels=tuple(moved),
        title=title,
        legend=legend,
        color_bar=bar,
        notes=tuple(notes),
        numbers=dict(numbers or {}),
    )


def legend_layers(panels: Iterable[Panel]) -> dict[str, Any]:
    """Return the first layer of each name, in the order in which they are drawn."""
    first: dict[str, Any] = {}
    for layer in (layer for panel in panels for layer in panel.layers if layer.name):
        first.setdefault(layer.name, layer)
    return first


def _line(panels: Sequence[Panel], top: float) -> Legend | None:
    """Return a legend of a few words above the panels, or nothing where it needs more room."""
    names = list(legend_layers(panels))
    left = min(panel.left for panel in panels)
    column = _column(names)
    if not names or left + len(names) * column > max(p.left + p.width for p in panels):
        return None
    return Legend(left, top + TEXT * _LINE_HEIGHT + 4.0, rows=1, column=column)


def _column(names: Sequence[str]) -> float:
    return max((width(name, TEXT) for name in names), default=0.0) + 28.0


def _legend(
    panels: Sequence[Panel], left: float, top: float, title: str, floor: float
) -> tuple[Legend | None, tuple[float, float]]:
    names = list(legend_layers(panels))
    if not names:
        return None, (0.0, 0.0)
    line, head = LEGEND_STEP, 1.2 if title else 0.0
    room = top - (floor or min(panel.bottom for panel in panels) - 20.0)
    rows = max(int((room - 16.0) / line - head), 4)
    columns = -(-len(names) // rows)
    rows = -(-len(names) // columns)
    column = _column(names)
    wide = max(columns * column, width(title, TEXT) * 1.15 + 4.0)
    return Legend(left, top, title, rows, column), (wide, (rows + head) * line + 16.0)


def _color_bar(panels: Sequence[Panel], left: float, top: float) -> tuple[ColorBar | None, float]:
    scales = [
        scale
        for panel in panels
        for layer in panel.layers
        if isinstance(scale := getattr(layer, "scale", None), ColorScale)
        and not (isinstance(layer, Points) and isinstance(layer.color, str))
    ]
    scale = scales[0] if scales else None
    if scale is None or (not scale.title and any(other != scale for other in scales)):
        return None, 0.0  # images that have scales of their own
    room = top - min(panel.bottom for panel in panels)
    wide, line = width(scale.title, TEXT) * 1.15 + 4.0, TEXT * _LINE_HEIGHT
    along = wide > _MAX_KEY_SHARE * look().page[0]
    title = line + BAR_GAP if scale.title and not along else 0.0
    high = float(np.clip(room - title, 60.0, 150.0))
    ticks = tick_width(Axis("", (scale.low, scale.high)))
    bar = ColorBar(scale, left, top - title - high, high, along=along)
    beside = bar.width + 8.0 + ticks
    return bar, beside + line if along else max(beside, wide)


def slot_of(ax: Any) -> tuple[float, float, float, float] | None:
    """Return the cell of a grid of panels that an axes stands in, in points; None without a grid.

    The cells share out the whole figure. What stands around a panel, and a title that its owner
    may add, has to fit into its cell: then it meets no neighbour and no edge.
    """
    spec = ax.get_subplotspec() if hasattr(ax, "get_subplotspec") else None
    if spec is None or spec.get_topmost_subplotspec() is not spec:
        return None
    grid, figure = spec.get_gridspec(), ax.get_figure()
    cells = []
    spans = (grid.get_width_ratios(), spec.colspan), (grid.get_height_ratios(), spec.rowspan)
    for ratios, span in spans:
        edges = np.append(0.0, np.cumsum(ratios)) / np.sum(ratios)
        cells.append((edges[span.start], edges[span.stop]))
    (left, right), (top, bottom) = cells
    W, H = 72.0 * figure.bbox.width / figure.dpi, 72.0 * figure.bbox.height / figure.dpi
    height = (bottom - top) * H - _TITLE_ROOM
    return left * W, (1.0 - bottom) * H, (right - left) * W, height
