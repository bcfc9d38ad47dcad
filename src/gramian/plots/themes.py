"""A record in a theme: the same figure, larger or smaller, in other ink."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gramian.plots.record import (
    Arrows,
    Bars,
    ColorBar,
    ColorScale,
    Curve,
    Figure,
    Guide,
    Labels,
    Layer,
    Panel,
    Points,
)
from gramian.plots.style import FAINT, INK, MUTED, Theme

_MIN_BRIGHTNESS = 0.3  # of viridis: what is darker than this is not seen on dark paper
_LENGTHS: dict[type[Layer], tuple[str, ...]] = {
    Points: ("size",),
    Arrows: ("width",),
    Curve: ("width", "marker_size"),
    Guide: ("width",),
    Bars: (),
    Labels: ("size", "offsets", "boxes"),
}


def apply_theme(figure: Figure, theme: Theme) -> Figure:
    """Return the record at the size and in the colours of a theme."""
    if theme == figure.theme:
        return figure
    s = theme.scale / figure.theme.scale
    legend, bar = figure.legend, figure.color_bar
    return replace(
        figure,
        theme=theme,
        width=s * figure.width,
        height=s * figure.height,
        panels=tuple(_panel(panel, theme, s) for panel in figure.panels),
        legend=None if legend is None else _scale(legend, s, "left", "top", "column"),
        color_bar=None if bar is None else _bar(bar, theme, s),
    )


def _bar(bar: ColorBar, theme: Theme, s: float) -> ColorBar:
    sized: ColorBar = _scale(bar, s, "left", "bottom", "height", "width")
    return replace(sized, scale=_lit(bar.scale, theme))


def _lit(scale: ColorScale, theme: Theme) -> ColorScale:
    """Return a scale of colours without its dark end where that is lost on dark paper."""
    dark = theme.paper != "white" and scale.name == "viridis"
    return replace(scale, start=_MIN_BRIGHTNESS) if dark else scale


def _scale(thing: Any, s: float, *lengths: str) -> Any:
    return replace(thing, **{name: s * getattr(thing, name) for name in lengths})


def _panel(panel: Panel, theme: Theme, s: float) -> Panel:
    axes = {
        name: replace(axis, color=_ink(axis.color, theme))
        for name in ("x", "y", "z", "y2")
        if (axis := getattr(panel, name)) is not None
    }
    layers = tuple(_layer(layer, theme, s) for layer in panel.layers)
    sized = _scale(panel, s, "left", "bottom", "width", "height", "unit")
    return replace(sized, layers=layers, **axes)


def _layer(layer: Layer, theme: Theme, s: float) -> Layer:
    layer = _scale(layer, s, *_LENGTHS.get(type(layer), ()))
    if isinstance(layer, Labels):
        return replace(layer, colors=tuple(_letter(color, theme) for color in layer.colors))
    if isinstance(scale := getattr(layer, "scale", None), ColorScale):
        layer = replace(layer, scale=_lit(scale, theme))  # type: ignore[call-arg]
    color = getattr(layer, "color", None)
    return replace(layer, color=_ink(color, theme)) if isinstance(color, str) else layer  # type: ignore[call-arg]


def _ink(color: str, theme: Theme) -> str:
    return {INK: theme.ink, MUTED: theme.muted, FAINT: theme.faint}.get(color, color)


def _letter(color: str, theme: Theme) -> str:
    """Return the colour of small letters, lighter on dark paper."""
    inked = _ink(color, theme)
    if inked != color or theme.paper == "white":
        return inked
    parts = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(0.4 * part + 0.6 * 255):02x}" for part in parts)
