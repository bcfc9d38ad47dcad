"""Static figures with matplotlib: no pyplot, no global state, one style applied locally."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeAlias

import matplotlib
import numpy as np
from matplotlib import colors as mcolors
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure as MplFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FixedLocator, Locator, MaxNLocator, MultipleLocator, NullLocator
from matplotlib.transforms import ScaledTranslation

from gramian.io.files import replaced
from gramian.plots import record as r
from gramian.plots.layout import tick_count, whole_step
from gramian.plots.style import INK, MUTED, SMALL, TEXT, TITLE

__all__ = ["draw"]

Rectangle: TypeAlias = tuple[float, float, float, float]

_MARKERS = {"circle": "o", "triangle": "^", "square": "s", "diamond": "D", "triangle-down": "v"}
_DASHES: dict[str, Any] = {"solid": "-", "dash": (0, (4, 3)), "dot": (0, (1, 2))}
_LEADER = {"arrowstyle": "-", "color": MUTED, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
_DPI = 150
_RASTER = 2_000  # more markers than this are pixels in a PDF or SVG


class Figure(MplFigure):
    """A matplotlib figure that notebooks show without pyplot, and files hold as a whole."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure, in the format that the name ends in."""
        if not isinstance(fname, str | os.PathLike):
            super().savefig(fname, **options)
            return
        path, suffix = os.path.splitext(os.fspath(fname))
        if options.get("format") is None:
            options["format"] = suffix[1:] or matplotlib.rcParams["savefig.format"]
            fname = f"{path}.{options['format']}"  # as matplotlib completes a name without
        buffer = BytesIO()  # not into the file: some formats stumble over a disk that is full
        super().savefig(buffer, **options)
        with replaced(fname, "wb") as file:
            file.write(buffer.getvalue())

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=110, facecolor="white")
        return buffer.getvalue()


def draw(figure: r.Figure) -> Figure:
    """Return the record as a matplotlib figure."""
    with matplotlib.rc_context(_style()):
        size = (figure.width / 72, figure.height / 72)
        out = Figure(figsize=size, dpi=_DPI, facecolor="white")
        for panel in figure.panels:
            rectangle = (
                panel.left / figure.width,
                panel.bottom / figure.height,
                panel.width / figure.width,
                panel.height / figure.height,
            )
            (_draw_space if panel.z is not None else _draw_panel)(out, rectangle, panel)
        _around(out, figure)
    return out


def _style() -> Any:
    """Return matplotlib's own defaults with our texts, whatever the reader has set."""
    keep = ("backend", "backend_fallback", "interactive", "toolbar", "timezone", "date.epoch")
    style: Any = {k: v for k, v in matplotlib.rcParamsDefault.items() if k not in keep}
    # Texts come from data: a dollar is a dollar. The reader's own fonts fill in missing glyphs.
    style["font.family"] = ["DejaVu Sans", *matplotlib.rcParams["font.family"]]
    style["text.parse_math"] = False
    return style | {"font.size": TEXT, "text.color": INK}


def _draw_panel(out: Figure, rectangle: Rectangle, panel: r.Panel) -> None:
    ax = out.add_axes(rectangle)
    second = ax.twinx() if panel.y2 is not None else None
    for position, layer in enumerate(panel.layers):
        target = second if getattr(layer, "secondary", False) else ax
        assert target is not None
        _DRAW[type(layer)](target, layer, 2.0 + position)
    _scales(ax, panel)
    if second is not None and panel.y2 is not None:
        _finish_axis(second, "y", panel.y2, panel.height)
        _spines(second, ["right"])


def _scales(ax: Axes, panel: r.Panel) -> None:
    _finish_axis(ax, "x", panel.x, panel.width)
    _finish_axis(ax, "y", panel.y, panel.height)
    # Units already are equal; this keeps them so in a window (matplotlib cannot below 1e-30).
    if panel.equal and panel.x.limits[1] - panel.x.limits[0] > 1e-25:
        ax.set_aspect("equal", adjustable="datalim")
    shown = [side for side, axis in (("bottom", panel.x), ("left", panel.y)) if axis.line]
    _spines(ax, ["left", "right", "top", "bottom"] if panel.frame else shown)


def _finish_axis(ax: Any, which: str, axis: r.Axis, room: float) -> None:
    line = getattr(ax, f"{which}axis")
    getattr(ax, f"set_{which}lim")(*axis.limits)
    getattr(ax, f"set_{which}label")(axis.title, fontsize=TEXT + 1, color=axis.color, labelpad=5)
    if axis.ticks is not None:
        line.set_major_locator(FixedLocator([value for value, _ in axis.ticks]))
        line.set_ticklabels([text for _, text in axis.ticks])
    else:
        line.set_major_locator(_locator(axis, room))
    line.set_minor_locator(NullLocator())
    family = ax.xaxis.label.get_fontfamily()
    length = 3.0 if axis.line else 0.0
    ax.tick_params(
        which, labelsize=TEXT, labelcolor=axis.color, color=MUTED, length=length, width=0.7
    )
    ax.tick_params(which, labelfontfamily=family, pad=3, labelrotation=90 if axis.upright else 0)


def _locator(axis: r.Axis, room: float) -> Locator:
    if axis.whole:
        return MultipleLocator(whole_step(axis))
    return MaxNLocator(nbins=tick_count(room), steps=[1, 2, 2.5, 5, 10])


def _spines(ax: Any, shown: list[str]) -> None:
    for side, spine in ax.spines.items():
        spine.set_visible(side in shown)
        spine.set(color=MUTED, linewidth=0.7)


def _points(ax: Any, layer: r.Points, order: float) -> None:
    n, dimension = layer.at.shape
    edge: Any = "none" if np.mean(layer.size) < 3.6 else "white"
    options: dict[str, Any] = {"c": _faces(layer), "edgecolors": edge, "linewidths": 0.4}
    if not layer.filled:
        options = {"facecolors": "none", "edgecolors": layer.color, "linewidths": 1.0}
    if dimension == 3:
        options["depthshade"] = False
    ax.scatter(
        *layer.at.T,
        s=np.square(layer.size),
        marker=_MARKERS[layer.marker],
        rasterized=n > _RASTER,
        zorder=order,
        **options,
    )


def _faces(layer: r.Points) -> np.ndarray:
    """Return the colour of every marker with its opacity, (n, 4)."""
    if layer.scale is not None:
        rgba = _mappable(layer.scale).to_rgba(np.asarray(layer.color))
    else:
        rgba = np.tile(mcolors.to_rgba(str(layer.color)), (len(layer.at), 1))
    rgba = np.array(rgba)
    rgba[:, 3] = layer.alpha
    return rgba


def _mappable(scale: r.ColorScale) -> ScalarMappable:
    return ScalarMappable(mcolors.Normalize(scale.low, scale.high), scale.name)


def _arrows(ax: Axes, layer: r.Arrows, order: float) -> None:
    zero = np.zeros(len(layer.at))
    ax.quiver(
        zero,
        zero,
        *layer.at.T,
        angles="xy",
        scale_units="xy",
        scale=1.0,
        units="inches",
        width=layer.width / 72,
        headwidth=5.0,
        headlength=6.5,
        headaxislength=6.0,
        minlength=0.0,
        color=layer.color,
        zorder=order,
    )


def _curve(ax: Axes, layer: r.Curve, order: float) -> None:
    ax.plot(
        layer.x,
        layer.y,
        color=layer.color,
        linewidth=layer.width,
        linestyle=_DASHES[layer.dash],
        marker="o" if layer.marker_size else None,
        markersize=layer.marker_size,
        zorder=order,
    )
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
    ax.imshow(
        layer.values,
        cmap=layer.scale.name,
        vmin=layer.scale.low,
        vmax=layer.scale.high,
        extent=(0.5, n + 0.5, m + 0.5, 0.5),
        interpolation="nearest",
        aspect="auto",
        zorder=order,
    )


def _labels(ax: Any, layer: r.Labels, order: float) -> None:
    halo = [withStroke(linewidth=2.0, foreground="white")]
    options: dict[str, Any] = {"fontsize": layer.size, "ha": "center", "va": "center"}
    options |= {
        "fontweight": "bold" if layer.bold else "normal",
        "path_effects": halo,
        "zorder": order,
    }
    for k, text in enumerate(layer.texts):
        options["color"] = layer.colors[k]
        if layer.at.shape[1] == 3:
            label = ax.text(*layer.at[k], text, **options)
            inches = ax.get_figure().dpi_scale_trans
            dx, dy = layer.offsets[k] / 72
            label.set_transform(label.get_transform() + ScaledTranslation(dx, dy, inches))
            continue
        ax.annotate(
            text,
            layer.at[k],
            layer.offsets[k],
            textcoords="offset points",
            arrowprops=_LEADER if layer.leaders[k] else None,
            **options,
        )


_DRAW: dict[type, Callable[[Any, Any, float], None]] = {
    r.Points: _points,
    r.Arrows: _arrows,
    r.Curve: _curve,
    r.Guide: _guide,
    r.Bars: _bars,
    r.HeatMap: _heat,
    r.Labels: _labels,
}


def _draw_space(out: Figure, rectangle: Rectangle, panel: r.Panel) -> None:
    from mpl_toolkits.mplot3d import Axes3D  # registers the projection

    assert panel.z is not None
    # An axis in space reads the look of its grid when it is made, and never after.
    with matplotlib.rc_context({"grid.color": "#e8e8e8", "grid.linewidth": 0.6}):
        ax: Any = out.add_axes(rectangle, projection=Axes3D.name, computed_zorder=False)
    ax.set_proj_type("ortho")
    ax.view_init(elev=panel.view[0], azim=panel.view[1])
    for position, layer in enumerate(panel.layers):
        _DRAW[type(layer)](ax, layer, 2.0 + position)
    for which, axis in (("x", panel.x), ("y", panel.y), ("z", panel.z)):
        _finish_axis(ax, which, axis, 0.6 * panel.width)
        getattr(ax, f"{which}axis").pane.set(facecolor="white", edgecolor="#dddddd")
    spans = np.array([axis.limits[1] - axis.limits[0] for axis in (panel.x, panel.y, panel.z)])
    # At zoom 1 the diagonal of the box is this share of the shorter side of the panel.
    natural = 1.0301 * min(panel.width, panel.height)
    ax.set_box_aspect(spans, zoom=panel.unit * np.linalg.norm(spans) / natural)


def _around(out: Figure, figure: r.Figure) -> None:
    """Draw what stands around the panels."""
    W, H = figure.width, figure.height
    first = figure.panels[0]
    if figure.title:
        left = first.left / W
        out.text(left, 1 - 6.0 / H, figure.title, fontsize=TITLE, fontweight="bold", va="top")
    for k, note in enumerate(reversed(figure.notes)):
        y = (5.0 + k * SMALL * 1.45) / H
        out.text(first.left / W, y, note, fontsize=SMALL, color=MUTED, va="bottom")
    if figure.color_bar is not None:
        _color_bar(out, figure, figure.color_bar)
    if figure.legend is not None:
        handles = _handles(figure)
        out.legend(
            handles=list(handles.values()),
            labels=list(handles),
            loc="upper left",
            bbox_to_anchor=(figure.legend.left / W, figure.legend.top / H),
            borderaxespad=0.0,
            frameon=False,
            fontsize=TEXT,
            title=figure.legend.title or None,
            title_fontproperties={"size": TEXT, "weight": "bold"},
            alignment="left",
            handlelength=1.3,
            handletextpad=0.6,
            labelspacing=0.45,
        )


def _color_bar(out: Figure, figure: r.Figure, bar: r.ColorBar) -> None:
    W, H = figure.width, figure.height
    cax = out.add_axes((bar.left / W, bar.bottom / H, bar.width / W, bar.height / H))
    key = out.colorbar(_mappable(bar.scale), cax=cax)
    key.outline.set_visible(False)
    key.locator = MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10])
    key.update_ticks()
    cax.tick_params(labelsize=TEXT, labelcolor=INK, color=MUTED, length=2.5, width=0.7)
    cax.tick_params(labelfontfamily=cax.yaxis.label.get_fontfamily())
    top = (bar.bottom + bar.height + 5.0) / H
    out.text(bar.left / W, top, bar.scale.title, fontsize=TEXT, fontweight="bold", va="bottom")


def _handles(figure: r.Figure) -> dict[str, Any]:
    """Return one legend entry per name: the mark of the first layer that bears it."""
    handles: dict[str, Any] = {}
    for layer in figure.layers():
        if layer.name and layer.name not in handles:
            handles[layer.name] = _handle(layer)
    return handles


def _handle(layer: Any) -> Any:
    if isinstance(layer, r.Points):
        color = layer.color if isinstance(layer.color, str) else MUTED
        face = color if layer.filled else "none"
        return Line2D(
            [],
            [],
            linestyle="none",
            marker=_MARKERS[layer.marker],
            markersize=6.0,
            markerfacecolor=face,
            markeredgecolor=color if not layer.filled else "white",
            markeredgewidth=0.4 if layer.filled else 1.0,
        )
    if isinstance(layer, r.Bars):
        return Patch(facecolor=layer.color)
    dash = _DASHES[getattr(layer, "dash", "solid")]
    marker = "o" if getattr(layer, "marker_size", 0.0) else None
    return Line2D(
        [],
        [],
        color=layer.color,
        linewidth=layer.width,
        linestyle=dash,
        marker=marker,
        markersize=4,
    )
