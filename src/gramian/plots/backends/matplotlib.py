"""Static figures with matplotlib: no pyplot, no global state, one style applied locally."""

import os
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from typing import Any, TypeAlias

import matplotlib
import numpy as np
from matplotlib import colors as mcolors
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure as MplFigure
from matplotlib.figure import FigureBase
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import Stroke
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator, MaxNLocator, MultipleLocator, NullLocator
from matplotlib.transforms import Bbox, ScaledTranslation

from gramian.errors import InputError
from gramian.io.files import atomic_write
from gramian.plots import record as r
from gramian.plots.layout import (
    BAR_GAP,
    legend_layers,
    margin_bottom,
    note_lines,
    slot_of,
    tick_count,
    tick_step,
    title_lines,
    whole_step,
)
from gramian.plots.style import SMALL, TEXT, TITLE, look

Rectangle: TypeAlias = tuple[float, float, float, float]
_DPI = 150
_MAX_LISTED = 20  # colours of a list that is made for groups
_TICK_STEPS = [1, 2, 2.5, 5, 10]
_LEGEND_ROWS = 15  # of a legend inside a panel
_TOP_ORDER = 100.0  # of what is drawn above all layers
_MARKERS = {"circle": "o", "triangle": "^", "square": "s", "diamond": "D", "triangle-down": "v"}
_DASHES: dict[str, Any] = {"solid": "-", "dash": (0, (4, 3)), "dot": (0, (1, 2))}
_LEADER: dict[str, Any] = {"arrowstyle": "-", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
_MAX_VECTOR_MARKS = 2_000  # more markers than this are pixels in a PDF or SVG


class Figure(MplFigure):
    """A matplotlib figure that notebooks show without pyplot, and files hold as a whole."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure, in the format that the name ends in; texts stay texts."""
        is_path = isinstance(fname, str | os.PathLike)
        if is_path and options.get("format") is None:
            path, suffix = os.path.splitext(os.fspath(fname))
            options["format"] = suffix[1:] or matplotlib.rcParams["savefig.format"]
            fname = f"{path}.{options['format']}"  # as matplotlib completes a name without
        # Not into the file: some formats stumble over a disk that is full.
        target = BytesIO() if is_path else fname
        with matplotlib.rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
            super().savefig(target, **options)
        if is_path:
            with atomic_write(fname, "wb") as file:
                file.write(target.getvalue())

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()


def draw(figure: r.Figure) -> Figure:
    """Return the record as a matplotlib figure."""
    with matplotlib.rc_context(_style()):
        size = (figure.width / 72, figure.height / 72)
        return _draw_on(Figure(figsize=size, dpi=_DPI), figure)


def _draw_on(out: Any, figure: r.Figure) -> Any:
    """Draw the whole record on a figure, or a part of one, of its size."""
    out.set_facecolor(look().theme.paper)
    for panel in figure.panels:
        W, H = figure.width, figure.height
        rectangle = (panel.left / W, panel.bottom / H, panel.width / W, panel.height / H)
        if panel.z is not None:
            _draw_space(out, rectangle, panel)
        else:
            _fill(out.add_axes(rectangle), panel)
    _around(out, figure)
    return out


def draw_into(ax: Any, figure: r.Figure) -> Any:
    """Draw the record on a part of another figure, or its panel into one there; return that."""
    if isinstance(ax, FigureBase):
        with matplotlib.rc_context(_style()):
            return _draw_on(ax, figure)
    (panel,) = figure.panels
    slot = slot_of(ax)
    if (panel.z is not None) != hasattr(ax, "zaxis"):
        raise InputError(
            "ax is in the plane and the map in space: make it by plt.subplots(subplot_kw="
            '{"projection": "3d"})'
            if panel.z is not None
            else "ax is in space and the figure in the plane: give plain axes"
        )
    if slot is not None:
        W, H = (72.0 * side / ax.get_figure().dpi for side in ax.get_figure().bbox.size)
        x, y = slot[0] + panel.left, slot[1] + panel.bottom
        place = (x / W, y / H, panel.width / W, panel.height / H)
        ax.set_position(place)  # where constrained layout leaves it
        ax.set_axes_locator(_Fixed(place, ax.get_subplotspec()))  # and tight layout too
    with matplotlib.rc_context(_style()):
        if panel.z is None:
            _fill(ax, panel, adjustable="box")
        else:
            _fill_space(ax, panel)
        if figure.title:
            ax.set_title(figure.title, fontsize=_size(TITLE), loc="left", fontweight="bold")
        scale = look().theme.scale
        below = -margin_bottom(panel.x, panel.width / scale) * scale
        units: Any = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "top"}
        for k, note in enumerate(note_lines(figure.notes, [panel], _size(SMALL))):
            offset = (0.0, below - k * _size(SMALL) * 1.45)
            ax.annotate(note, (0.0, 0.0), offset, **units, **_note_style())
        if (bar := figure.color_bar) is not None:
            w, h = panel.width, panel.height
            corner = ((bar.left - panel.left) / w, (bar.bottom - panel.bottom) / h)
            size = (bar.width / w, bar.height / h)
            beside = (1.03, 0.0, 0.03, 0.5) if slot is None else (*corner, *size)
            _color_bar(ax, ax.inset_axes(beside), bar)
        if (key := figure.legend) is not None:
            # Above the panel, a legend would meet the title of an axes.
            beside_panel = panel.left + panel.width <= key.left < figure.width
            if slot is not None and (key.top < panel.bottom or beside_panel):
                x = (key.left - panel.left) / panel.width
                y = (key.top - panel.bottom) / panel.height
                _legend(ax, figure, loc="upper left", bbox_to_anchor=(x, y))
            else:
                key = replace(key, rows=_LEGEND_ROWS)
                _legend(ax, replace(figure, legend=key), loc="best")
    return ax


class _Fixed:
    """A place that no layout changes: labels were set for the size that a panel has there."""

    def __init__(self, place: Rectangle, spec: Any) -> None:
        self.place, self.spec = place, spec

    def __call__(self, ax: Any, renderer: Any) -> Bbox:
        """Return the place, as a part of the figure."""
        return Bbox.from_bounds(*self.place)

    def get_subplotspec(self) -> Any:
        """Return the cell, which tight layout asks for."""
        return self.spec


def _size(points: float) -> float:
    """Return the size of a text in the theme."""
    return look().theme.size(points)


def _note_style() -> dict[str, Any]:
    return {"fontsize": _size(SMALL), "color": look().theme.muted}


def _style() -> Any:
    """Return matplotlib's own defaults with our texts, whatever the reader has set."""
    keep = ("backend", "backend_fallback", "interactive", "toolbar", "timezone", "date.epoch")
    style: Any = {k: v for k, v in matplotlib.rcParamsDefault.items() if k not in keep}
    # Texts come from data: a dollar is a dollar. The reader's own fonts fill in missing glyphs.
    style["font.family"] = ["DejaVu Sans", *matplotlib.rcParams["font.family"]]
    style["text.parse_math"] = False
    return style | {"font.size": _size(TEXT), "text.color": look().theme.ink}


def _fill(ax: Axes, panel: r.Panel, adjustable: Any = "datalim") -> None:
    ax.set_facecolor(look().theme.paper)
    for position, layer in enumerate(panel.layers):
        _DRAW[type(layer)](ax, layer, 2.0 + position)
    _finish_axis(ax, "x", panel.x, panel.width)
    _finish_axis(ax, "y", panel.y, panel.height)
    # Units already are equal; this keeps them so in a window (matplotlib cannot below 1e-30).
    if panel.equal and panel.x.limits[1] - panel.x.limits[0] > 1e-25:
        ax.set_aspect("equal", adjustable=adjustable)
    shown = [side for side, axis in (("bottom", panel.x), ("left", panel.y)) if axis.line]
    _spines(ax, ["left", "right", "top", "bottom"] if panel.frame else shown)


def _finish_axis(ax: Any, which: str, axis: r.Axis, room: float) -> None:
    line = getattr(ax, f"{which}axis")
    getattr(ax, f"set_{which}lim")(*_limits(ax, which, axis))
    own = room / look().theme.scale  # before the theme enlarged it
    title = "\n".join(title_lines(axis, own))
    getattr(ax, f"set_{which}label")(title, fontsize=_size(TEXT + 1), color=axis.color, labelpad=5)
    if axis.ticks is not None:
        line.set_major_locator(FixedLocator([value for value, _ in axis.ticks]))
        line.set_ticklabels([text for _, text in axis.ticks])
    elif axis.whole:
        line.set_major_locator(MultipleLocator(whole_step(axis, own)))
    else:
        most = tick_count(room)
        line.set_major_locator(MaxNLocator(most, steps=_TICK_STEPS, min_n_ticks=min(most, 2)))
    line.set_minor_locator(NullLocator())
    family = ax.xaxis.label.get_fontfamily()
    length = 3.0 if axis.line else 0.0
    step = max(tick_step(axis, own), 4.0)
    size = min(TEXT, step) if which == "y" or axis.upright else TEXT
    ticks: Any = {"labelsize": _size(size), "labelcolor": axis.color, "color": look().theme.muted}
    ax.tick_params(which, length=length, width=0.7, **ticks)
    ax.tick_params(which, labelfontfamily=family, pad=3, labelrotation=90 if axis.upright else 0)


def _limits(ax: Any, which: str, axis: r.Axis) -> tuple[float, float]:
    """Return the limits of an axis, wide enough for what panels that share it show already."""
    groups = getattr(ax, f"get_shared_{which}_axes", None)
    others = [other for other in groups().get_siblings(ax) if other is not ax] if groups else []
    if not any(other.has_data() for other in others):
        return axis.limits
    both = sorted([*axis.limits, *getattr(ax, f"get_{which}lim")()])
    return (both[0], both[-1]) if axis.limits[0] < axis.limits[1] else (both[-1], both[0])


def _spines(ax: Any, shown: list[str]) -> None:
    for side, spine in ax.spines.items():
        spine.set_visible(side in shown)
        spine.set(color=look().theme.muted, linewidth=0.7)


def _draw_space(out: Figure, rectangle: Rectangle, panel: r.Panel) -> None:
    from mpl_toolkits.mplot3d import Axes3D  # registers the projection

    assert panel.z is not None
    # An axis in space reads the look of its grid when it is made, and never after.
    with matplotlib.rc_context({"grid.color": look().theme.faint + "66", "grid.linewidth": 0.6}):
        ax: Any = out.add_axes(rectangle, projection=Axes3D.name, computed_zorder=False)
    _fill_space(ax, panel)


def _fill_space(ax: Any, panel: r.Panel) -> None:
    """Draw a panel into axes in space."""
    assert panel.z is not None
    ax.computed_zorder = False
    ax.set_proj_type("ortho")
    ax.view_init(elev=panel.view[0], azim=panel.view[1])
    for position, layer in enumerate(panel.layers):
        _DRAW[type(layer)](ax, layer, 2.0 + position)
    for which, axis in (("x", panel.x), ("y", panel.y), ("z", panel.z)):
        length = panel.unit * (axis.limits[1] - axis.limits[0])
        _finish_axis(ax, which, axis, min(length, 0.6 * panel.width))
        getattr(ax, f"{which}axis").pane.set(
            facecolor=look().theme.paper, edgecolor=look().theme.faint
        )
    spans = np.array([axis.limits[1] - axis.limits[0] for axis in (panel.x, panel.y, panel.z)])
    # At zoom 1 the diagonal of the box is this share of the shorter side of the panel.
    natural = 1.0301 * min(panel.width, panel.height)
    ax.set_box_aspect(spans, zoom=panel.unit * np.linalg.norm(spans) / natural)


def _around(out: Figure, figure: r.Figure) -> None:
    """Draw what stands around the panels."""
    W, H = figure.width, figure.height
    first = figure.panels[0]
    if figure.title:
        left, top = first.left / W, 1 - 6.0 / H
        out.text(left, top, figure.title, fontsize=_size(TITLE), fontweight="bold", va="top")
    notes = note_lines(figure.notes, figure.panels, _size(SMALL))
    for k, note in enumerate(reversed(notes)):
        y = (5.0 + k * _size(SMALL) * 1.45) / H
        out.text(first.left / W, y, note, va="bottom", **_note_style())
    if (bar := figure.color_bar) is not None:
        rectangle = (bar.left / W, bar.bottom / H, bar.width / W, bar.height / H)
        _color_bar(out, out.add_axes(rectangle), bar)
    if figure.legend is not None:
        corner = (figure.legend.left / W, figure.legend.top / H)
        _legend(out, figure, loc="upper left", bbox_to_anchor=corner)


def _legend(target: Any, figure: r.Figure, **place: Any) -> None:
    """Draw the legend, in columns where it is long."""
    assert figure.legend is not None
    layers, size = legend_layers(figure.panels), _size(TEXT)
    handles = {name: _handle(layer) for name, layer in layers.items()}
    title: Any = {"title": figure.legend.title or None, "alignment": "left"}
    title["title_fontproperties"] = {"size": size, "weight": "bold"}
    gaps: Any = {"borderaxespad": 0.0, "handlelength": 1.3, "handletextpad": 0.6}
    gaps |= {"columnspacing": 1.2, "labelspacing": 0.45, "frameon": False, "fontsize": size}
    columns = -(-len(handles) // (figure.legend.rows or len(handles)))
    marks = list(handles.values())
    legend = target.legend(marks, list(handles), ncols=columns, **title, **gaps, **place)
    legend.set_zorder(_TOP_ORDER)


def _color_bar(target: Any, cax: Axes, bar: r.ColorBar) -> None:
    figure = target if isinstance(target, FigureBase) else target.get_figure()
    key = figure.colorbar(color_map(bar.scale), cax=cax)
    key.outline.set_visible(False)
    key.locator = MaxNLocator(nbins=5, steps=_TICK_STEPS)
    key.update_ticks()
    theme = look().theme
    ticks: Any = {"labelsize": _size(TEXT), "labelcolor": theme.ink, "color": theme.muted}
    cax.tick_params(length=2.5, width=0.7, **ticks)
    cax.tick_params(labelfontfamily=cax.yaxis.label.get_fontfamily())
    style: Any = {"fontsize": _size(TEXT), "fontweight": "bold"}
    if bar.along:
        cax.set_ylabel(bar.scale.title, **style)
    else:
        cax.set_title(bar.scale.title, loc="left", pad=BAR_GAP * theme.scale, **style)


def _points(ax: Any, layer: r.Points, order: float) -> None:
    n, dimension = layer.at.shape
    edge: Any = "none" if np.mean(layer.size) < 3.6 else look().theme.paper
    faces = np.array(np.broadcast_to(_rgba(layer), (n, 4)))
    faces[:, 3] = layer.alpha
    options: dict[str, Any] = {"c": faces, "edgecolors": edge, "linewidths": 0.4}
    if not layer.filled:
        options = {"facecolors": "none", "edgecolors": layer.color, "linewidths": 1.0}
    if dimension == 3:  # a long box leaves the square of its axes
        options |= {"depthshade": False, "clip_on": False}
    options |= {"s": np.square(layer.size), "marker": _MARKERS[layer.marker], "zorder": order}
    ax.scatter(*layer.at.T, rasterized=n > _MAX_VECTOR_MARKS, **options)


def _rgba(layer: r.Points | r.Arrows) -> Any:
    """Return the colour of all marks, or one for each."""
    if layer.scale is None:
        return mcolors.to_rgba(str(layer.color))
    return color_map(layer.scale).to_rgba(np.asarray(layer.color))


def color_map(scale: r.ColorScale) -> ScalarMappable:
    """Return numbers as colours."""
    return ScalarMappable(mcolors.Normalize(scale.low, scale.high), _colors(scale))


def named_colors(palette: str | tuple[Any, ...]) -> list[str]:
    """Return colours that have names, or those of a list with a name, as "#rrggbb"."""
    listed = vars(matplotlib.colormaps[palette])["colors"] if isinstance(palette, str) else palette
    if not listed or (isinstance(palette, str) and len(listed) > _MAX_LISTED):
        raise ValueError  # colours for numbers, not for groups
    return [mcolors.to_hex(color) for color in listed]


def _colors(scale: r.ColorScale) -> Any:
    """Return a named map of colours, or what is left of it without its low end."""
    whole = matplotlib.colormaps[scale.name]
    if not scale.start:
        return whole
    return mcolors.ListedColormap(whole(np.linspace(scale.start, 1.0, 256)))


def _arrows(ax: Axes, layer: r.Arrows, order: float) -> None:
    zero = np.zeros(len(layer.at))
    units: Any = {"angles": "xy", "scale_units": "xy", "scale": 1.0, "units": "inches"}
    head: Any = {"headwidth": 5.0, "headlength": 6.5, "headaxislength": 6.0, "minlength": 0.0}
    ink: Any = {"width": layer.width / 72, "color": _rgba(layer), "zorder": order}
    ax.quiver(zero, zero, *layer.at.T, **units, **head, **ink)


def _curve(ax: Axes, layer: r.Curve, order: float) -> None:
    line: Any = {"color": layer.color, "linewidth": layer.width, "linestyle": _DASHES[layer.dash]}
    mark: Any = {"marker": "o" if layer.marker_size else None, "markersize": layer.marker_size}
    ax.plot(layer.x, layer.y, zorder=order, **line, **mark)
    if layer.fill:
        ax.fill(layer.x, layer.y, color=layer.color, alpha=layer.fill, linewidth=0, zorder=order)


def _guide(ax: Axes, layer: r.Guide, order: float) -> None:
    line = ax.axvline if layer.axis == "x" else ax.axhline
    style = _DASHES[layer.dash]
    line(layer.at, color=layer.color, linewidth=layer.width, linestyle=style, zorder=order)


def _bars(ax: Axes, layer: r.Bars, order: float) -> None:
    at = np.arange(layer.first, layer.first + len(layer.lengths))
    bar = ax.barh if layer.lying else ax.bar
    bar(at, layer.lengths, layer.thickness, color=layer.color, linewidth=0, zorder=order)


def _heat(ax: Axes, layer: r.HeatMap, order: float) -> None:
    m, n = layer.values.shape
    extent = (0.5, n + 0.5, m + 0.5, 0.5)
    colors: Any = {"cmap": _colors(layer.scale), "vmin": layer.scale.low, "vmax": layer.scale.high}
    cells: Any = {"interpolation": "nearest", "aspect": "auto", "zorder": order}
    ax.imshow(layer.values, extent=extent, **colors, **cells)


class _Halo:
    """A text on a halo. What has effects is drawn as shapes: the text comes again, as a text."""

    halo: Any = ()

    def draw(self: Any, renderer: Any) -> None:
        """Draw the halo, then the text."""
        nothing: list[Any] = []
        for effects in (self.halo, nothing):
            self.set_path_effects(effects)
            super().draw(renderer)  # type: ignore[misc]
        self.stale = False


class _Haloed(_Halo, Annotation):
    """Such a text in the plane."""


def _labels(ax: Any, layer: r.Labels, order: float) -> None:
    halo = [Stroke(linewidth=2.0, foreground=look().theme.paper)]
    options: dict[str, Any] = {"fontsize": layer.size, "ha": "center", "va": "center"}
    options |= {"fontweight": "bold" if layer.bold else "normal", "zorder": order}
    for k, text in enumerate(layer.texts):
        options["color"] = layer.colors[k]
        if layer.at.shape[1] == 3:
            _label_in_space(ax, layer, k, halo, options)
            continue
        label = _Haloed(
            text,
            layer.at[k],
            layer.offsets[k],
            textcoords="offset points",
            arrowprops=_LEADER | {"color": look().theme.muted} if layer.leaders[k] else None,
            annotation_clip=False,
            **options,
        )
        label.halo = halo
        ax.add_artist(label)
        label.set_clip_on(False)


def _label_in_space(
    ax: Any, layer: r.Labels, k: int, halo: list[Any], options: dict[str, Any]
) -> None:
    from mpl_toolkits.mplot3d.art3d import Text3D

    class Haloed(_Halo, Text3D):
        """A text on a halo in space."""

    label: Any = Haloed(*layer.at[k], layer.texts[k], zdir=None, **options)
    label.halo = halo
    dx, dy = layer.offsets[k] / 72
    moved = ScaledTranslation(dx, dy, ax.get_figure().dpi_scale_trans)
    label.set_transform(ax.transData + moved)
    label.set_clip_on(False)
    ax.add_artist(label)


_DRAW: dict[type, Callable[[Any, Any, float], None]] = {r.Labels: _labels}
_DRAW |= zip(r.MARKS, (_points, _arrows, _curve, _guide, _bars, _heat), strict=True)


def _handle(layer: Any) -> Any:
    """Return the mark that stands for a layer in the legend."""
    color = layer.color if isinstance(layer.color, str) else look().theme.muted
    if isinstance(layer, r.Points):
        face = color if layer.filled else "none"
        edge = (look().theme.paper, 0.4) if layer.filled else (color, 1.0)
        mark: Any = {"marker": _MARKERS[layer.marker], "markersize": 6.0 * look().theme.scale}
        mark |= {"markerfacecolor": face, "markeredgecolor": edge[0], "markeredgewidth": edge[1]}
        return Line2D([], [], linestyle="none", **mark)
    if isinstance(layer, r.Bars):
        return Patch(facecolor=layer.color)
    dash = _DASHES[getattr(layer, "dash", "solid")]
    marker = "o" if getattr(layer, "marker_size", 0.0) else None
    line: Any = {"color": color, "linewidth": layer.width, "linestyle": dash}
    return Line2D([], [], marker=marker, markersize=4, **line)
