"""Static figures with matplotlib: no pyplot, no global state, one style applied locally."""

import os
from dataclasses import replace
from io import BytesIO
from typing import Any, TypeAlias

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as MplFigure
from matplotlib.figure import FigureBase
from matplotlib.ticker import FixedLocator, Locator, MaxNLocator, MultipleLocator, NullLocator

from gramian.errors import InputError
from gramian.io.files import atomic_write
from gramian.plots import record as r
from gramian.plots.backends.matplotlib_layers import color_map, draw_layer, legend_handles
from gramian.plots.layout import BAR_GAP, margin_bottom, tick_count, whole_step
from gramian.plots.style import SMALL, TEXT, TITLE, look

Rectangle: TypeAlias = tuple[float, float, float, float]
_DPI = 150
_LEGEND_ROWS = 15  # of a legend inside a panel
_TOP_ORDER = 100.0  # of what is drawn above all layers


class Figure(MplFigure):
    """A matplotlib figure that notebooks show without pyplot, and files hold as a whole."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure, in the format that the name ends in; texts stay texts."""
        with matplotlib.rc_context({"svg.fonttype": "none", "pdf.fonttype": 42}):
            self._write(fname, options)

    def _write(self, fname: Any, options: dict[str, Any]) -> None:
        if not isinstance(fname, str | os.PathLike):
            super().savefig(fname, **options)
            return
        path, suffix = os.path.splitext(os.fspath(fname))
        if options.get("format") is None:
            options["format"] = suffix[1:] or matplotlib.rcParams["savefig.format"]
            fname = f"{path}.{options['format']}"  # as matplotlib completes a name without
        buffer = BytesIO()  # not into the file: some formats stumble over a disk that is full
        super().savefig(buffer, **options)
        with atomic_write(fname, "wb") as file:
            file.write(buffer.getvalue())

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
        rectangle = (
            panel.left / figure.width,
            panel.bottom / figure.height,
            panel.width / figure.width,
            panel.height / figure.height,
        )
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
    if panel.z is not None or hasattr(ax, "zaxis"):
        raise InputError("ax is in the plane, a map in space is not: leave ax out")
    with matplotlib.rc_context(_style()):
        _fill(ax, panel)
        if figure.title:
            ax.set_title(figure.title, fontsize=_size(TITLE), loc="left", fontweight="bold")
        below = -margin_bottom(panel.x) * look().theme.scale
        units: Any = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "top"}
        for k, note in enumerate(figure.notes):
            place = (0.0, below - k * _size(SMALL) * 1.45)
            ax.annotate(note, (0.0, 0.0), place, **units, **_note_style())
        if figure.color_bar is not None:
            _color_bar(ax, ax.inset_axes((1.03, 0.0, 0.03, 0.5)), figure.color_bar.scale)
        if figure.legend is not None:
            _legend(
                ax, replace(figure, legend=replace(figure.legend, rows=_LEGEND_ROWS)), loc="best"
            )
    return ax


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


def _fill(ax: Axes, panel: r.Panel) -> None:
    ax.set_facecolor(look().theme.paper)
    second = ax.twinx() if panel.y2 is not None else None
    for position, layer in enumerate(panel.layers):
        target = second if getattr(layer, "secondary", False) else ax
        assert target is not None
        draw_layer(target, layer, 2.0 + position)
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
    getattr(ax, f"set_{which}label")(
        axis.title, fontsize=_size(TEXT + 1), color=axis.color, labelpad=5
    )
    if axis.ticks is not None:
        line.set_major_locator(FixedLocator([value for value, _ in axis.ticks]))
        line.set_ticklabels([text for _, text in axis.ticks])
    else:
        line.set_major_locator(_locator(axis, room))
    line.set_minor_locator(NullLocator())
    family = ax.xaxis.label.get_fontfamily()
    length = 3.0 if axis.line else 0.0
    ax.tick_params(
        which,
        labelsize=_size(TEXT),
        labelcolor=axis.color,
        color=look().theme.muted,
        length=length,
        width=0.7,
    )
    ax.tick_params(which, labelfontfamily=family, pad=3, labelrotation=90 if axis.upright else 0)


def _locator(axis: r.Axis, room: float) -> Locator:
    if axis.whole:
        return MultipleLocator(whole_step(axis))
    return MaxNLocator(nbins=tick_count(room), steps=[1, 2, 2.5, 5, 10])


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
    ax.set_proj_type("ortho")
    ax.view_init(elev=panel.view[0], azim=panel.view[1])
    for position, layer in enumerate(panel.layers):
        draw_layer(ax, layer, 2.0 + position)
    for which, axis in (("x", panel.x), ("y", panel.y), ("z", panel.z)):
        _finish_axis(ax, which, axis, 0.6 * panel.width)
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
    for k, note in enumerate(reversed(figure.notes)):
        y = (5.0 + k * _size(SMALL) * 1.45) / H
        out.text(first.left / W, y, note, va="bottom", **_note_style())
    if (bar := figure.color_bar) is not None:
        rectangle = (bar.left / W, bar.bottom / H, bar.width / W, bar.height / H)
        _color_bar(out, out.add_axes(rectangle), bar.scale)
    if figure.legend is not None:
        corner = (figure.legend.left / W, figure.legend.top / H)
        _legend(out, figure, loc="upper left", bbox_to_anchor=corner)


def _legend(target: Any, figure: r.Figure, **place: Any) -> None:
    """Draw the legend, in columns where it is long."""
    assert figure.legend is not None
    handles, size = legend_handles(figure), _size(TEXT)
    legend = target.legend(
        handles=list(handles.values()),
        labels=list(handles),
        ncols=-(-len(handles) // (figure.legend.rows or len(handles))),
        borderaxespad=0.0,
        frameon=False,
        fontsize=size,
        title=figure.legend.title or None,
        title_fontproperties={"size": size, "weight": "bold"},
        alignment="left",
        handlelength=1.3,
        handletextpad=0.6,
        columnspacing=1.2,
        labelspacing=0.45,
        **place,
    )
    legend.set_zorder(_TOP_ORDER)


def _color_bar(target: Any, cax: Axes, scale: r.ColorScale) -> None:
    figure = target if isinstance(target, FigureBase) else target.get_figure()
    key = figure.colorbar(color_map(scale), cax=cax)
    key.outline.set_visible(False)
    key.locator = MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10])
    key.update_ticks()
    theme = look().theme
    ticks: Any = {"labelsize": _size(TEXT), "labelcolor": theme.ink, "color": theme.muted}
    cax.tick_params(length=2.5, width=0.7, **ticks)
    cax.tick_params(labelfontfamily=cax.yaxis.label.get_fontfamily())
    cax.set_title(
        scale.title, fontsize=_size(TEXT), fontweight="bold", loc="left", pad=BAR_GAP * theme.scale
    )
