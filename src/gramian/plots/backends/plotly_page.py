"""The page of a plotly figure: its size, scales, texts, legend and key to the colours."""

from typing import Any

import numpy as np

from gramian.plots import record as r
from gramian.plots.backends.plotly_traces import PX, Place, literal, marker
from gramian.plots.layout import BAR_GAP, tick_count, whole_step
from gramian.plots.style import SMALL, TEXT, TITLE, look

_FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
_INSET = 8  # pixels that plotly leaves in front of the marks of a legend
_BUTTONS = 28  # pixels at the top where plotly puts its buttons


def _px(points: float) -> float:
    """Return the size of a text in the theme, in pixels."""
    return look().theme.size(points) * PX


def page(figure: r.Figure) -> dict[str, Any]:
    """Return the page: its size, its texts and its legend."""
    W, H, theme = figure.width, figure.height, look().theme
    left = figure.panels[0].left / W
    texts = (
        [_text(figure.title, left, 1 - 6.0 / H, TITLE, "top", theme.ink, bold=True)]
        if figure.title
        else []
    )
    for k, note in enumerate(reversed(figure.notes)):
        texts.append(
            _text(note, left, (5.0 + k * _px(SMALL) / PX * 1.45) / H, SMALL, "bottom", theme.muted)
        )
    layout: dict[str, Any] = {
        "template": "none",
        "width": round(W * PX),
        "height": round(H * PX) + _BUTTONS,
        "margin": {"l": 0, "r": 0, "t": _BUTTONS, "b": 0, "pad": 0, "autoexpand": False},
        "font": {"family": _FONT, "size": _px(TEXT), "color": theme.ink},
        "paper_bgcolor": theme.paper,
        "plot_bgcolor": theme.paper,
        "hovermode": "closest",
        "hoverlabel": {
            "font": {"family": _FONT, "size": _px(TEXT), "color": theme.ink},
            "bgcolor": theme.paper,
            "align": "left",
        },
        "modebar": {"remove": ["sendDataToCloud", "lasso2d", "select2d"]},
        "annotations": texts,
        "shapes": [],
        "showlegend": figure.legend is not None,
        "bargap": 0,
    }
    if figure.legend is not None:
        layout |= _legends(figure, figure.legend)
    return layout


def _legends(figure: r.Figure, legend: r.Legend) -> dict[str, Any]:
    """Return the columns of the legend, each of which plotly takes for a legend of its own."""
    W, H = figure.width, figure.height
    names = _keys(figure)
    columns = {}
    for k in range(-(-len(names) // (legend.rows or len(names)))):
        column: dict[str, Any] = {
            "x": (legend.left + k * legend.column - _INSET / PX) / W,
            "y": legend.top / H,
            "xanchor": "left",
            "yanchor": "top",
            "tracegroupgap": 0,
            "bgcolor": "rgba(0,0,0,0)",
            "font": {"size": _px(TEXT)},
        }
        if legend.title:  # further columns keep its height
            title = f"<b>{literal(legend.title)}</b>" if k == 0 else " "
            column["title"] = {"text": title, "font": {"size": _px(TEXT)}}
        columns[_legend_name(k)] = column
    return columns


def _legend_name(k: int) -> str:
    return f"legend{k + 1}" if k else "legend"


def _keys(figure: r.Figure) -> dict[str, Any]:
    """Return the first layer of each name."""
    first: dict[str, Any] = {}
    for layer in figure.layers():
        first.setdefault(layer.name, layer)
    first.pop("", None)
    return first


def _text(
    text: str, x: float, y: float, size: float, anchor: str, color: str, bold: bool = False
) -> dict[str, Any]:
    shown = f"<b>{literal(text)}</b>" if bold else literal(text)
    font = {"size": _px(size), "color": color}
    place = {"x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": anchor}
    return place | {"text": shown, "showarrow": False, "font": font, "borderpad": 0}


def scales(figure: r.Figure, panel: r.Panel, place: Place) -> dict[str, Any]:
    """Return the scales of a panel."""
    return _scene(figure, panel, place) if place.space else _axes(figure, panel, place)


def _axes(figure: r.Figure, panel: r.Panel, place: Place) -> dict[str, Any]:
    """Return the scales of a panel in the plane."""
    W, H, s = figure.width, figure.height, place.suffix
    x = _axis(panel.x, panel.width, panel.frame)
    y = _axis(panel.y, panel.height, panel.frame)
    x |= {"domain": [panel.left / W, (panel.left + panel.width) / W], "anchor": f"y{s}"}
    y |= {"domain": [panel.bottom / H, (panel.bottom + panel.height) / H], "anchor": f"x{s}"}
    if panel.equal:
        y |= {"scaleanchor": f"x{s}", "scaleratio": 1}
    axes = {f"xaxis{s}": x, f"yaxis{s}": y}
    if panel.y2 is not None:
        second = _axis(panel.y2, panel.height) | {
            "overlaying": f"y{s}",
            "side": "right",
            "anchor": f"x{s}",
        }
        axes[f"yaxis{place.number + 100}"] = second
    return axes


def _axis(axis: r.Axis, room: float, frame: bool = False) -> dict[str, Any]:
    out: dict[str, Any] = {
        "title": {
            "text": literal(axis.title),
            "font": {"size": _px(TEXT + 1), "color": axis.color},
            "standoff": 6,
        },
        "range": list(axis.limits),
        "showgrid": False,
        "zeroline": False,
        "showline": axis.line or frame,
        "mirror": frame,
        "linecolor": look().theme.muted,
        "linewidth": 1,
        "ticks": "outside" if axis.line else "",
        "ticklen": 4,
        "tickcolor": look().theme.muted,
        "tickfont": {"size": _px(TEXT), "color": axis.color},
        "ticklabelstandoff": 0 if axis.line else 4,
        "automargin": False,
        "tickmode": "auto",
        "nticks": tick_count(room) + 1,
        "exponentformat": "e",
        "tickangle": -90 if axis.upright else 0,
    }
    if axis.ticks is not None:
        values, texts = zip(*axis.ticks, strict=True) if axis.ticks else ((), ())
        out |= {"tickmode": "array", "tickvals": values, "ticktext": [literal(t) for t in texts]}
    elif axis.whole:
        out |= {"tickmode": "linear", "tick0": 0, "dtick": whole_step(axis)}
    return out


def _scene(figure: r.Figure, panel: r.Panel, place: Place) -> dict[str, Any]:
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
    for name in "xyz":
        axis: r.Axis = getattr(panel, name)
        scene[f"{name}axis"] = {
            "title": {"text": literal(axis.title), "font": {"size": _px(TEXT + 1)}},
            "range": list(axis.limits),
            "showbackground": False,
            "gridcolor": look().theme.faint,
            "zerolinecolor": look().theme.muted,
            "linecolor": look().theme.muted,
            "nticks": 6,
            "tickfont": {"size": _px(SMALL)},
        }
    return {f"scene{place.suffix}": scene}


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
        for k, (name, layer) in enumerate(_keys(figure).items())
    ]


def _key(layer: Any) -> dict[str, Any]:
    """Return the mark that stands for a layer in the legend."""
    if isinstance(layer, r.Points):
        color = layer.color if isinstance(layer.color, str) else look().theme.muted
        size = look().theme.scale * (6.0 if layer.at.shape[1] == 2 else 10.0)
        usual = r.Points(layer.at, color, size=size, marker=layer.marker, filled=layer.filled)
        return {"mode": "markers", "marker": marker(usual)}
    color = layer.color if isinstance(layer.color, str) else look().theme.muted
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
    top = _px(TEXT) / PX * 1.45 + BAR_GAP * look().theme.scale if bar.scale.title else 0.0
    key = {
        "x": bar.left / W,
        "y": (bar.bottom + bar.height + top) / H,
        "xanchor": "left",
        "yanchor": "top",
        "xpad": 0,
        "ypad": 0,
        "len": (bar.height + top) * PX,
        "lenmode": "pixels",
        "thickness": bar.width * PX,
        "title": {"text": f"<b>{literal(bar.scale.title)}</b>", "side": "top"},
        "tickfont": {"size": _px(TEXT)},
        "nticks": 6,
        "outlinewidth": 0,
        "ticks": "outside",
        "ticklen": 3,
        "tickcolor": look().theme.muted,
    }
    for trace in traces:
        if "colorscale" in trace:
            trace |= {"showscale": True, "colorbar": key}
            return
        if "colorscale" in trace.get("marker", {}):
            trace["marker"] |= {"showscale": True, "colorbar": key}
            return
