"""Interactive figures with plotly: offline, nothing is fetched or sent."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import sample_colorscale
from plotly.offline import get_plotlyjs

from gramian.io.files import atomic_write
from gramian.plots import record as r
from gramian.plots.backends import plotly_config
from gramian.plots.backends.plotly_page import add_color_bar, legend_entries, page, scales
from gramian.plots.backends.plotly_traces import Place, literal, shape, texts, trace

_MAX_SVG_MARKS = 5_000  # more marks than this are drawn by the graphics card


class Figure(go.Figure):
    """A plotly figure that is shown and written without the buttons that send data away."""

    def show(self, *args: Any, **options: Any) -> Any:
        """Show the figure."""
        return super().show(*args, **_safe(options))

    def to_html(self, *args: Any, **options: Any) -> str:
        """Return the figure as HTML."""
        return super().to_html(*args, **_safe(options))

    def write_html(self, file: Any, *args: Any, **options: Any) -> Any:
        """Write the figure as HTML; a file holds all of it or what it held before."""
        options = _safe(options)
        beside = str(options.get("include_plotlyjs")).lower() == "directory"
        if not isinstance(file, str | os.PathLike) or beside or options.get("auto_open"):
            return super().write_html(file, *args, **options)
        with atomic_write(file) as page:
            return super().write_html(page, *args, **options)

    def write_json(self, file: Any, *args: Any, **options: Any) -> Any:
        """Write the figure as JSON; a file holds all of it or what it held before."""
        if not isinstance(file, str | os.PathLike):
            return super().write_json(file, *args, **options)
        with atomic_write(file) as page:
            return super().write_json(page, *args, **options)

    def write_image(self, file: Any, format: Any = None, *args: Any, **options: Any) -> Any:
        """Write the figure as an image; a file holds all of it or what it held before."""
        if not isinstance(file, str | os.PathLike):
            return super().write_image(file, format, *args, **options)
        kind = format or Path(file).suffix.removeprefix(".") or None  # plotly says what is wrong
        with atomic_write(file, "wb") as image:
            return super().write_image(image, kind, *args, **options)


def _safe(options: dict[str, Any]) -> dict[str, Any]:
    return options | {"config": plotly_config() | (options.get("config") or {})}


def draw(figure: r.Figure) -> Figure:
    """Return the record as a plotly figure."""
    layout = page(figure)
    drawn: list[dict[str, Any]] = []
    for number, panel in enumerate(figure.panels, start=1):
        place = Place(number, panel.z is not None)
        layout |= scales(figure, panel, place)
        for layer in panel.layers:
            if isinstance(layer, r.Labels):
                notes = layout[f"scene{place.suffix}"] if place.space else layout
                notes["annotations"] += texts(layer, place)
            elif isinstance(layer, r.Guide):
                layout["shapes"].append(shape(layer, place, panel))
            else:
                group = {"showlegend": False, "legendgroup": literal(layer.name) or None}
                drawn.extend(part | group | place.of(layer) for part in _traces(layer))
    marks = [mark for mark in drawn if mark["type"] == "scatter"]
    if sum(len(mark["x"]) for mark in marks) > _MAX_SVG_MARKS:
        # The graphics card draws above everything else: all of it goes there, or none. Grounds
        # are below in any case, and it leaves gaps in shapes that touch themselves.
        for mark in marks:
            if not _is_ground(mark):
                mark["type"] = "scattergl"
    add_color_bar(drawn, figure)
    for holder in (part for mark in drawn for part in (mark, mark.get("marker", {}))):
        if "colorscale" in holder:
            holder["colorscale"] = _colors(holder["colorscale"])
    return Figure(data=drawn + legend_entries(figure), layout=layout)


def _is_ground(mark: dict[str, Any]) -> bool:
    """Whether a trace only fills an area, without an outline."""
    return "fill" in mark and mark["line"]["width"] == 0


def _colors(scale: r.ColorScale) -> Any:
    """Return a named scale of colours, or what is left of it without its low end."""
    if not scale.start:
        return scale.name
    at = np.linspace(0.0, 1.0, 12)
    inks = sample_colorscale(scale.name, scale.start + (1.0 - scale.start) * at)
    return [list(pair) for pair in zip(at.tolist(), inks, strict=True)]


def _traces(layer: r.Layer) -> list[dict[str, Any]]:
    """Return a layer as traces: one, or one for each arrow where they differ in colour."""
    if isinstance(layer, r.Arrows) and layer.scale is not None:
        return [_key_to(layer.scale), *(trace(part) for part in _one_by_one(layer, layer.scale))]
    return [trace(layer)]


def _one_by_one(layer: r.Arrows, scale: r.ColorScale) -> list[r.Arrows]:
    """Return each arrow of a layer in the colour of its number."""
    share = (np.asarray(layer.color, dtype=float) - scale.low) / (scale.high - scale.low)
    inks = sample_colorscale(_colors(scale), np.clip(share, 0.0, 1.0))
    return [
        replace(
            layer,
            at=layer.at[[k]],
            color=ink,
            scale=None,
            labels=layer.labels[k : k + 1],
            details={title: values[[k]] for title, values in layer.details.items()},
        )
        for k, ink in enumerate(inks)
    ]


def _key_to(scale: r.ColorScale) -> dict[str, Any]:
    """Return a trace that shows nothing but the key to a scale of colours."""
    marks = {"color": [scale.low], "cmin": scale.low, "cmax": scale.high}
    marks["colorscale"] = scale
    return {"type": "scatter", "x": [None], "y": [None], "mode": "markers", "marker": marks}


def script() -> str:
    """Return the library that draws figures in a page."""
    return str(get_plotlyjs())
