"""Interactive figures with plotly: offline, nothing is fetched or sent.

Layers of a record are traces and annotations, written as plain dictionaries; scales of colours stay
records until the figure is made.
"""

import html
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from gramian.io.files import atomic_write
from gramian.plots import record as r
from gramian.plots.backends import plotly_config
from gramian.plots.layout import (
    BAR_GAP,
    legend_layers,
    note_lines,
    tick_count,
    title_lines,
    whole_step,
)
from gramian.plots.style import SMALL, TEXT, TITLE, look, shorten

PX = 96 / 72  # pixels per point
_MAX_SVG_MARKS = 5_000  # more marks than this are drawn by the graphics card
_FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
_INSET = 8  # pixels that plotly leaves in front of the marks of a legend
_BUTTONS = 28  # pixels at the top where plotly puts its buttons
_MARKERS = {"triangle": "triangle-up"}
_SPACE_MARKERS = {"triangle": "cross", "triangle-down": "x"}  # what space has in place of triangles
# Plotly's symbols are of unequal size.
_SYMBOL_SCALES = {"triangle-up": 1.2, "triangle-down": 1.2, "square": 0.92}
_MAX_LABELLED_CELLS = 150  # matrices larger than this have no labels in their cells


class Figure(go.Figure):
    """A plotly figure that is shown and written without the buttons that send data away."""

    def show(self, *args: Any, **options: Any) -> Any:
        """Show the figure."""
        return super().show(*args, **_safe(options))

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> dict[str, Any]:
        # The HTML is for pages made of notebooks, which know nothing of plotly's own type.
        return {
            "application/vnd.plotly.v1+json": json.loads(self.to_json()),
            "text/html": self.to_html(full_html=False, include_plotlyjs=True),
            "text/plain": repr(type(self)),
        }

    def to_html(self, *args: Any, **options: Any) -> str:
        """Return the figure as HTML."""
        return super().to_html(*args, **_safe(options))

    def write_html(self, file: Any, *args: Any, **options: Any) -> Any:
        """Write the figure as HTML; a file holds all of it or what it held before."""
        options = _safe(options)
        beside = str(options.get("include_plotlyjs")).lower() == "directory"
        if beside or options.get("auto_open"):
            return super().write_html(file, *args, **options)
        with _whole_file(file) as page:
            return super().write_html(page, *args, **options)

    def write_json(self, file: Any, *args: Any, **options: Any) -> Any:
        """Write the figure as JSON; a file holds all of it or what it held before."""
        with _whole_file(file) as page:
            return super().write_json(page, *args, **options)

    def write_image(self, file: Any, format: Any = None, *args: Any, **options: Any) -> Any:
        """Write the figure as an image; a file holds all of it or what it held before."""
        if isinstance(file, str | os.PathLike):  # plotly says what is wrong with a name without
            format = format or Path(file).suffix.removeprefix(".") or None
        with _whole_file(file, "wb") as image:
            return super().write_image(image, format, *args, **options)


def _whole_file(file: Any, mode: str = "w") -> AbstractContextManager[Any]:
    """Return a file that is there when it is whole; what is open already stays as it is."""
    is_path = isinstance(file, str | os.PathLike)
    return atomic_write(file, mode) if is_path else nullcontext(file)


def _safe(options: dict[str, Any]) -> dict[str, Any]:
    return options | {"config": plotly_config() | (options.get("config") or {})}


def draw(figure: r.Figure) -> Figure:
    """Return the record as a plotly figure."""
    layout = page(figure)
    drawn: list[dict[str, Any]] = []
    for number, panel in enumerate(figure.panels, start=1):
        s = "" if number == 1 else str(number)  # what follows the names of the axes of a panel
        layout |= (_scene if panel.z else _axes)(figure, panel, s)
        axes = {"scene": f"scene{s}"} if panel.z else {"xaxis": f"x{s}", "yaxis": f"y{s}"}
        for layer in panel.layers:
            if isinstance(layer, r.Labels):
                notes = layout[f"scene{s}"] if panel.z else layout
                notes["annotations"] += texts(layer, s)
            elif isinstance(layer, r.Guide):
                layout["shapes"].append(shape(layer, s, panel))
            else:
                group = {"showlegend": False, "legendgroup": literal(layer.name) or None}
                drawn.extend(part | group | axes for part in _traces(layer))
    marks = [mark for mark in drawn if mark["type"] == "scatter"]
    if sum(len(mark["x"]) for mark in marks) > _MAX_SVG_MARKS:
        # The graphics card draws above everything else: all of it goes there, or none. Grounds
        # are below in any case, and it leaves gaps in shapes that touch themselves.
        for mark in marks:
            if "fill" not in mark or mark["line"]["width"]:
                mark["type"] = "scattergl"
    add_color_bar(drawn, figure)
    for holder in (part for mark in drawn for part in (mark, mark.get("marker", {}))):
        if "colorscale" in holder:
            holder["colorscale"] = _colors(holder["colorscale"])
    return Figure(data=drawn + legend_entries(figure), layout=layout)


def _colors(scale: r.ColorScale) -> Any:
    """Return a named scale of colours, or what is left of it without its low end."""
    if not scale.start:
        return scale.name
    at = np.linspace(0.0, 1.0, 12)
    inks = sample_colorscale(scale.name, scale.start + (1.0 - scale.start) * at)
    return [list(pair) for pair in zip(at.tolist(), inks, strict=True)]


def _traces(layer: r.Layer) -> list[dict[str, Any]]:
    """Return a layer as traces: one, or one for each arrow where they differ in colour."""
    if not isinstance(layer, r.Arrows) or layer.scale is None:
        return [_TRACES[type(layer)](layer)]
    scale = layer.scale
    share = (np.asarray(layer.color, dtype=float) - scale.low) / (scale.high - scale.low)
    arrows = [
        replace(
            layer,
            at=layer.at[[k]],
            color=ink,
            scale=None,
            labels=layer.labels[k : k + 1],
            details={title: values[[k]] for title, values in layer.details.items()},
        )
        for k, ink in enumerate(sample_colorscale(_colors(scale), np.clip(share, 0.0, 1.0)))
    ]
    # A trace that shows nothing but the key to the colours.
    marks = {"color": [scale.low], "cmin": scale.low, "cmax": scale.high, "colorscale": scale}
    key = {"type": "scatter", "x": [None], "y": [None], "mode": "markers", "marker": marks}
    return [key, *map(_arrows, arrows)]


def _px(points: float) -> float:
    """Return the size of a text in the theme, in pixels."""
    return look().theme.size(points) * PX


def page(figure: r.Figure) -> dict[str, Any]:
    """Return the page: its size, its texts and its legend."""
    W, H, theme = figure.width, figure.height, look().theme
    left = figure.panels[0].left / W
    texts = []
    if figure.title:
        texts.append(_text(figure.title, left, 1 - 6.0 / H, TITLE, "top", theme.ink, bold=True))
    notes = note_lines(figure.notes, figure.panels, theme.size(SMALL))
    for k, note in enumerate(reversed(notes)):
        y = (5.0 + k * _px(SMALL) / PX * 1.45) / H
        texts.append(_text(note, left, y, SMALL, "bottom", theme.muted))
    margin = {"l": 0, "r": 0, "t": _BUTTONS, "b": 0, "pad": 0, "autoexpand": False}
    font = {"family": _FONT, "size": _px(TEXT), "color": theme.ink}
    layout: dict[str, Any] = {"template": "none", "margin": margin, "font": font, "bargap": 0}
    layout |= {"width": round(W * PX), "height": round(H * PX) + _BUTTONS, "hovermode": "closest"}
    layout |= {"paper_bgcolor": theme.paper, "plot_bgcolor": theme.paper}
    layout["hoverlabel"] = {"font": font, "bgcolor": theme.paper, "align": "left"}
    layout["modebar"] = {"remove": ["sendDataToCloud", "lasso2d", "select2d"]}
    layout |= {"annotations": texts, "shapes": [], "showlegend": figure.legend is not None}
    if figure.legend is not None:
        layout |= _legends(figure, figure.legend)
    return layout


def _legends(figure: r.Figure, legend: r.Legend) -> dict[str, Any]:
    """Return the columns of the legend, each of which plotly takes for a legend of its own."""
    W, H = figure.width, figure.height
    names = legend_layers(figure.panels)
    columns = {}
    for k in range(-(-len(names) // (legend.rows or len(names)))):
        left = (legend.left + k * legend.column - _INSET / PX) / W
        column: dict[str, Any] = {"x": left, "y": legend.top / H, "tracegroupgap": 0}
        column |= {"xanchor": "left", "yanchor": "top", "font": {"size": _px(TEXT)}}
        column["bgcolor"] = "rgba(0,0,0,0)"
        if legend.title:  # further columns keep its height
            title = f"<b>{literal(legend.title)}</b>" if k == 0 else " "
            column["title"] = {"text": title, "font": {"size": _px(TEXT)}}
        columns[_legend_name(k)] = column
    return columns


def _legend_name(k: int) -> str:
    return f"legend{k + 1}" if k else "legend"


def _text(
    text: str, x: float, y: float, size: float, anchor: str, color: str, bold: bool = False
) -> dict[str, Any]:
    shown = f"<b>{literal(text)}</b>" if bold else literal(text)
    font = {"size": _px(size), "color": color}
    place = {"x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": anchor}
    return place | {"text": shown, "showarrow": False, "font": font, "borderpad": 0}


def _axes(figure: r.Figure, panel: r.Panel, s: str) -> dict[str, Any]:
    """Return the scales of a panel in the plane."""
    W, H = figure.width, figure.height
    x = _axis(panel.x, panel.width, panel.frame)
    y = _axis(panel.y, panel.height, panel.frame)
    x |= {"domain": [panel.left / W, (panel.left + panel.width) / W], "anchor": f"y{s}"}
    y |= {"domain": [panel.bottom / H, (panel.bottom + panel.height) / H], "anchor": f"x{s}"}
    if panel.equal:
        y |= {"scaleanchor": f"x{s}", "scaleratio": 1}
    return {f"xaxis{s}": x, f"yaxis{s}": y}


def _axis(axis: r.Axis, room: float, frame: bool = False) -> dict[str, Any]:
    muted = look().theme.muted
    font = {"size": _px(TEXT + 1), "color": axis.color}
    lines = title_lines(axis, room / look().theme.scale)
    title = {"text": "<br>".join(map(literal, lines)), "font": font, "standoff": 6}
    out: dict[str, Any] = {"title": title, "range": list(axis.limits), "automargin": False}
    out |= {"showgrid": False, "zeroline": False, "showline": axis.line or frame, "mirror": frame}
    out |= {"linecolor": muted, "linewidth": 1, "tickcolor": muted, "ticklen": 4}
    out |= {"ticks": "outside" if axis.line else "", "ticklabelstandoff": 0 if axis.line else 4}
    out |= {"tickfont": {"size": _px(TEXT), "color": axis.color}, "exponentformat": "e"}
    out |= {"tickmode": "auto", "nticks": tick_count(room) + 1}
    out["tickangle"] = -90 if axis.upright else 0
    if axis.ticks is not None:
        values, texts = zip(*axis.ticks, strict=True) if axis.ticks else ((), ())
        out |= {"tickmode": "array", "tickvals": values, "ticktext": [literal(t) for t in texts]}
    elif axis.whole:
        step = whole_step(axis, room / look().theme.scale)
        out |= {"tickmode": "linear", "tick0": 0, "dtick": step}
    return out


def _scene(figure: r.Figure, panel: r.Panel, s: str) -> dict[str, Any]:
    """Return the scales and the camera of a panel in space."""
    W, H = figure.width, figure.height
    elevation, azimuth = np.deg2rad(panel.view)
    eye = np.array([np.cos(azimuth), np.sin(azimuth), np.tan(elevation)]) * np.cos(elevation) * 2.0
    scene: dict[str, Any] = {
        "domain": {
            "x": [panel.left / W, (panel.left + panel.width) / W],
            "y": [panel.bottom / H, (panel.bottom + panel.height) / H],
        },
        # By parallel projection plotly makes this unit half as high as the panel.
        "aspectmode": "manual",
        "aspectratio": {
            name: 2.0 * panel.unit * (limits[1] - limits[0]) / panel.height
            for name in "xyz"
            for limits in [getattr(panel, name).limits]
        },
        "camera": {
            "eye": dict(zip("xyz", eye.tolist(), strict=True)),
            "projection": {"type": "orthographic"},
        },
        "annotations": [],
    }
    theme = look().theme
    for name in "xyz":
        axis: r.Axis = getattr(panel, name)
        title = {"text": literal(axis.title), "font": {"size": _px(TEXT + 1)}}
        ticks = {"nticks": 6, "tickfont": {"size": _px(SMALL)}, "showbackground": False}
        lines = {"gridcolor": theme.faint, "zerolinecolor": theme.muted, "linecolor": theme.muted}
        scene[f"{name}axis"] = {"title": title, "range": list(axis.limits)} | ticks | lines
    return {f"scene{s}": scene}


def legend_entries(figure: r.Figure) -> list[dict[str, Any]]:
    """Return one empty trace per name, which only shows its mark in the legend.

    A click on it switches all layers of that name on or off.
    """
    space = figure.panels[0].z is not None
    rows = (figure.legend.rows if figure.legend else 0) or 10_000
    none: dict[str, Any] = {"type": "scatter3d" if space else "scatter", "x": [None], "y": [None]}
    none |= {"z": [None]} if space else {}
    return [
        none
        | _key(layer)
        | {"name": literal(name), "legendgroup": literal(name), "legend": _legend_name(k // rows)}
        for k, (name, layer) in enumerate(legend_layers(figure.panels).items())
    ]


def _key(layer: Any) -> dict[str, Any]:
    """Return the mark that stands for a layer in the legend."""
    color = layer.color if isinstance(layer.color, str) else look().theme.muted
    if isinstance(layer, r.Points):
        size = look().theme.scale * (6.0 if layer.at.shape[1] == 2 else 10.0)
        usual = r.Points(layer.at, color, size=size, marker=layer.marker, filled=layer.filled)
        return {"mode": "markers", "marker": marker(usual)}
    line = {"color": color, "width": layer.width * PX, "dash": getattr(layer, "dash", None)}
    if getattr(layer, "marker_size", 0.0):
        mark = {"size": layer.marker_size * PX, "color": color}
        return {"mode": "lines+markers", "line": line, "marker": mark}
    return {"mode": "lines", "line": line}


def add_color_bar(traces: list[dict[str, Any]], figure: r.Figure) -> None:
    """Give the key to the colours to the first trace that is drawn on that scale."""
    bar = figure.color_bar
    if bar is None:
        return
    W, H = figure.width, figure.height
    above = bar.scale.title and not bar.along
    top = _px(TEXT) / PX * 1.45 + BAR_GAP * look().theme.scale if above else 0.0
    key: dict[str, Any] = {"x": bar.left / W, "y": (bar.bottom + bar.height + top) / H}
    key |= {"xanchor": "left", "yanchor": "top", "xpad": 0, "ypad": 0, "outlinewidth": 0}
    key |= {"len": (bar.height + top) * PX, "lenmode": "pixels", "thickness": bar.width * PX}
    key["title"] = {
        "text": f"<b>{literal(bar.scale.title)}</b>",
        "side": "right" if bar.along else "top",
    }
    key |= {"tickfont": {"size": _px(TEXT)}, "nticks": 6, "ticks": "outside", "ticklen": 3}
    key["tickcolor"] = look().theme.muted
    for holder in (part for trace in traces for part in (trace, trace.get("marker", {}))):
        if "colorscale" in holder:
            holder |= {"showscale": True, "colorbar": key}
            return


def literal(text: str) -> str:
    """Return a text that is shown as it is: no markup, no formula."""
    return html.escape(text, quote=False).replace("$", "&#36;")


def _points(layer: r.Points) -> dict[str, Any]:
    kind = "scatter" if layer.at.shape[1] == 2 else "scatter3d"
    marks = {"type": kind, "mode": "markers", "marker": marker(layer)} | _xyz(layer.at)
    return marks | _hover(layer.labels, layer.details)


def marker(layer: r.Points) -> dict[str, Any]:
    """Return how the marks of points look."""
    space = layer.at.shape[1] == 3
    symbol = (_SPACE_MARKERS if space else _MARKERS).get(layer.marker, layer.marker)
    size = np.multiply(layer.size, PX * (0.6 if space else _SYMBOL_SCALES.get(symbol, 1.0)))
    crowded = np.mean(layer.size) < 3.6 or space
    mark: dict[str, Any] = {
        "symbol": symbol if layer.filled else f"{symbol}-open",
        "size": float(size) if np.ndim(size) == 0 else size,
        "color": layer.color,
        # In space all markers of a trace are equally opaque.
        "opacity": float(np.mean(layer.alpha)) if space else layer.alpha,
        "line": {"width": 0 if crowded else 0.6, "color": look().theme.paper}
        if layer.filled
        else {"width": 1.4},
    }
    if layer.scale is not None:
        mark |= {"cmin": layer.scale.low, "cmax": layer.scale.high}
        mark["colorscale"] = layer.scale
    return mark


def _xyz(at: np.ndarray) -> dict[str, Any]:
    return dict(zip("xyz", at.T, strict=False))


def _hover(labels: Sequence[str], details: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Return what stands beside a mark when one points at it."""
    if not labels:
        return {"hoverinfo": "skip"}
    template = "<b>%{text}</b>"
    for k, title in enumerate(details):
        template += f"<br>{literal(title)}: %{{customdata[{k}]:.3g}}"
    hover: dict[str, Any] = {
        "text": [literal(shorten(label, 80)) for label in labels],
        "hovertemplate": template + "<extra></extra>",
    }
    if details:
        hover["customdata"] = np.column_stack(list(details.values()))
    return hover


def _arrows(layer: r.Arrows) -> dict[str, Any]:
    """Return the arrows as one broken line; the marks at the tips carry the heads and labels."""
    n = len(layer.at)
    steps = np.stack([np.zeros((n, 2)), layer.at, np.full((n, 2), np.nan)], axis=1)
    marks = {"symbol": "arrow", "color": layer.color, "opacity": 1.0, "line": {"width": 0}}
    marks["angle"] = _middle(np.rad2deg(np.arctan2(*layer.at.T)), 0.0)
    marks["size"] = _middle(np.full(n, (4.0 * layer.width + 3.0) * PX), 0.0)
    line = {"color": layer.color, "width": layer.width * PX}
    lines: dict[str, Any] = {"type": "scatter", "mode": "lines+markers", "line": line}
    lines |= {"marker": marks} | _xyz(steps.reshape(-1, 2))
    between = {title: _middle(values) for title, values in layer.details.items()}
    labels = [text for label in layer.labels for text in ("", label, "")]
    hover = _hover(labels, between)
    hover["hovertemplate"] = ["", hover["hovertemplate"], ""] * n
    return lines | hover | {"hoverinfo": "skip"}


def _middle(values: np.ndarray, blank: float = np.nan) -> np.ndarray:
    """Return each value between two blanks: those of the start and of the gap."""
    blanks = np.full(len(values), blank)
    return np.column_stack([blanks, values, blanks]).ravel()


def _curve(layer: r.Curve) -> dict[str, Any]:
    line = {"color": layer.color, "width": layer.width * PX, "dash": layer.dash}
    curve = {"type": "scatter", "x": layer.x, "y": layer.y, "mode": "lines", "line": line}
    curve["hoverinfo"] = "x+y" if layer.marker_size else "skip"
    if layer.marker_size:
        curve["mode"] = "lines+markers"
        curve["marker"] = {"size": layer.marker_size * PX, "color": layer.color}
    if layer.fill:
        red, green, blue = (int(layer.color[k : k + 2], 16) for k in (1, 3, 5))
        fill = f"rgba({red},{green},{blue},{layer.fill})"
        curve |= {"fill": "toself", "fillcolor": fill}
    return curve


def shape(layer: r.Guide, s: str, panel: r.Panel) -> dict[str, Any]:
    """Return a line across the panel: above bars, which would hide it, and below points."""
    other = "y" if layer.axis == "x" else "x"
    ends = {f"{layer.axis}{end}": layer.at for end in "01"} | {f"{other}0": 0, f"{other}1": 1}
    refs = {f"{layer.axis}ref": f"{layer.axis}{s}", f"{other}ref": f"{other}{s} domain"}
    level = "above" if any(isinstance(drawn, r.Bars) for drawn in panel.layers) else "below"
    line = {"color": layer.color, "width": layer.width * PX, "dash": layer.dash}
    return {"type": "line", "layer": level, "line": line} | ends | refs


def _bars(layer: r.Bars) -> dict[str, Any]:
    at = np.arange(layer.first, layer.first + len(layer.lengths))
    along, across = ("x", "y") if layer.lying else ("y", "x")
    return {
        "type": "bar",
        "orientation": "h" if layer.lying else "v",
        along: layer.lengths,
        across: at,
        "width": layer.thickness,
        "marker": {"color": layer.color, "line": {"width": 0}},
        "hovertext": [literal(shorten(label, 80)) for label in layer.labels],
        "hovertemplate": f"<b>%{{hovertext}}</b><br>%{{{along}:.4g}}<extra></extra>",
    }


def _heat(layer: r.HeatMap) -> dict[str, Any]:
    m, n = layer.values.shape
    cells: dict[str, Any] = {"type": "heatmap", "z": layer.values, "showscale": False}
    cells |= {"x": np.arange(1, n + 1), "y": np.arange(1, m + 1), "colorscale": layer.scale}
    cells |= {"zmin": layer.scale.low, "zmax": layer.scale.high}
    cells["hovertemplate"] = "%{z:.4g}<extra></extra>"
    if max(m, n) <= _MAX_LABELLED_CELLS:
        rows, columns = (
            [literal(shorten(k, 40)) for k in ks] for ks in (layer.rows, layer.columns)
        )
        cells["text"] = [[f"{row}<br>{column}" for column in columns] for row in rows]
        cells["hovertemplate"] = "%{text}<br>%{z:.4g}<extra></extra>"
    return cells


_TRACES: dict[type, Callable[[Any], dict[str, Any]]] = {
    r.Points: _points,
    r.Arrows: _arrows,
    r.Curve: _curve,
    r.Bars: _bars,
    r.HeatMap: _heat,
}


def texts(layer: r.Labels, s: str) -> list[dict[str, Any]]:
    """Return the labels; they follow their points when one zooms."""
    out = []
    for k, text in enumerate(layer.texts):
        shown = f"<b>{literal(text)}</b>" if layer.bold else literal(text)
        font = {"size": layer.size * PX, "color": layer.colors[k]}
        note: dict[str, Any] = {"text": shown, "font": font, "borderpad": 0}
        note |= {"showarrow": bool(layer.leaders[k])} | _xyz(layer.at[k])
        dx, dy = (layer.offsets[k] * PX).tolist()
        if layer.at.shape[1] == 2:
            note |= {"xref": f"x{s}", "yref": f"y{s}"}
        if layer.leaders[k]:
            note |= {"ax": dx, "ay": -dy, "arrowhead": 0, "arrowwidth": 0.7}
            note |= {"arrowcolor": look().theme.muted, "standoff": 3}
        else:
            note |= {"xshift": dx, "yshift": dy}
        out.append(note)
    return out
