"""Layers of a record as plotly's traces and annotations, written as plain dictionaries.

Scales of colours are left as records, which the page turns into plotly's.
"""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian.plots import record as r
from gramian.plots.style import look
from gramian.plots.text import shorten

PX = 96 / 72  # pixels per point
_MARKERS = {"triangle": "triangle-up"}
_SPACE_MARKERS = {"triangle": "cross", "triangle-down": "x"}  # what space has in place of triangles
# Plotly's symbols are of unequal size.
_SYMBOL_SCALES = {"triangle-up": 1.2, "triangle-down": 1.2, "square": 0.92}
_MAX_LABELLED_CELLS = 150  # matrices larger than this have no labels in their cells


def literal(text: str) -> str:
    """Return a text that is shown as it is: no markup, no formula.

    >>> literal("<b> $x$ & co")
    '&lt;b&gt; &#36;x&#36; &amp; co'
    """
    return html.escape(text, quote=False).replace("$", "&#36;")


@dataclass(frozen=True)
class Place:
    """The names of a panel's axes."""

    number: int
    space: bool = False

    @property
    def suffix(self) -> str:
        """What follows the names of the axes of all panels but the first."""
        return "" if self.number == 1 else str(self.number)

    def of(self, layer: Any) -> dict[str, str]:
        """Say on which axes a trace is drawn."""
        if self.space:
            return {"scene": f"scene{self.suffix}"}
        second = f"y{self.number + 100}" if getattr(layer, "secondary", False) else None
        return {"xaxis": f"x{self.suffix}", "yaxis": second or f"y{self.suffix}"}


def trace(layer: r.Layer) -> dict[str, Any]:
    """Return a layer as a trace."""
    return _TRACES[type(layer)](layer)


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
    lines: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines+markers",
        "line": {"color": layer.color, "width": layer.width * PX},
        "marker": {
            "symbol": "arrow",
            "angle": _middle(np.rad2deg(np.arctan2(*layer.at.T)), 0.0),
            "size": _middle(np.full(n, (4.0 * layer.width + 3.0) * PX), 0.0),
            "color": layer.color,
            "opacity": 1.0,
            "line": {"width": 0},
        },
    } | _xyz(steps.reshape(-1, 2))
    between = {title: _middle(values) for title, values in layer.details.items()}
    labels = [text for label in layer.labels for text in ("", label, "")]
    hover = _hover(labels, between)
    hover["hovertemplate"] = ["", hover["hovertemplate"], ""] * n
    return lines | hover | {"hoverinfo": "skip"}


def _middle(values: np.ndarray, blank: float = np.nan) -> np.ndarray:
    """Return each value between two blanks: those of the start and of the gap."""
    return np.column_stack(
        [np.full(len(values), blank), values, np.full(len(values), blank)]
    ).ravel()


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


def shape(layer: r.Guide, place: Place, panel: r.Panel) -> dict[str, Any]:
    """Return a line across the panel: above bars, which would hide it, and below points."""
    s = place.suffix
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
    cells: dict[str, Any] = {
        "type": "heatmap",
        "z": layer.values,
        "x": np.arange(1, n + 1),
        "y": np.arange(1, m + 1),
        "zmin": layer.scale.low,
        "zmax": layer.scale.high,
        "colorscale": layer.scale,
        "showscale": False,
        "hovertemplate": "%{z:.4g}<extra></extra>",
    }
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


def texts(layer: r.Labels, place: Place) -> list[dict[str, Any]]:
    """Return the labels; they follow their points when one zooms."""
    out = []
    for k, text in enumerate(layer.texts):
        shown = f"<b>{literal(text)}</b>" if layer.bold else literal(text)
        note: dict[str, Any] = {
            "text": shown,
            "font": {"size": layer.size * PX, "color": layer.colors[k]},
            "borderpad": 0,
            "showarrow": bool(layer.leaders[k]),
        }
        note |= _xyz(layer.at[k])
        dx, dy = (layer.offsets[k] * PX).tolist()
        if not place.space:
            note |= {"xref": f"x{place.suffix}", "yref": f"y{place.suffix}"}
        if layer.leaders[k]:
            note |= {"ax": dx, "ay": -dy, "arrowhead": 0, "arrowwidth": 0.7}
            note |= {"arrowcolor": look().theme.muted, "standoff": 3}
        else:
            note |= {"xshift": dx, "yshift": dy}
        out.append(note)
    return out
