"""Layers of a record as matplotlib's artists, and their entries in a legend."""

from collections.abc import Callable
from typing import Any

import matplotlib
import numpy as np
from matplotlib import colors as mcolors
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import Stroke
from matplotlib.text import Annotation
from matplotlib.transforms import ScaledTranslation

from gramian.plots import record as r
from gramian.plots.style import look

_MARKERS = {"circle": "o", "triangle": "^", "square": "s", "diamond": "D", "triangle-down": "v"}
_DASHES: dict[str, Any] = {"solid": "-", "dash": (0, (4, 3)), "dot": (0, (1, 2))}
_LEADER: dict[str, Any] = {"arrowstyle": "-", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
_MAX_VECTOR_MARKS = 2_000  # more markers than this are pixels in a PDF or SVG


def _points(ax: Any, layer: r.Points, order: float) -> None:
    n, dimension = layer.at.shape
    edge: Any = "none" if np.mean(layer.size) < 3.6 else look().theme.paper
    options: dict[str, Any] = {"c": _faces(layer), "edgecolors": edge, "linewidths": 0.4}
    if not layer.filled:
        options = {"facecolors": "none", "edgecolors": layer.color, "linewidths": 1.0}
    if dimension == 3:
        options["depthshade"] = False
    ax.scatter(
        *layer.at.T,
        s=np.square(layer.size),
        marker=_MARKERS[layer.marker],
        rasterized=n > _MAX_VECTOR_MARKS,
        zorder=order,
        **options,
    )


def _faces(layer: r.Points) -> np.ndarray:
    """Return the colour of every marker with its opacity, (n, 4)."""
    rgba = np.array(np.broadcast_to(_rgba(layer), (len(layer.at), 4)))
    rgba[:, 3] = layer.alpha
    return rgba


def _rgba(layer: r.Points | r.Arrows) -> Any:
    """Return the colour of all marks, or one for each."""
    if layer.scale is None:
        return mcolors.to_rgba(str(layer.color))
    return color_map(layer.scale).to_rgba(np.asarray(layer.color))


def color_map(scale: r.ColorScale) -> ScalarMappable:
    """Return numbers as colours."""
    return ScalarMappable(mcolors.Normalize(scale.low, scale.high), _colors(scale))


def _colors(scale: r.ColorScale) -> Any:
    """Return a named map of colours, or what is left of it without its low end."""
    whole = matplotlib.colormaps[scale.name]
    if not scale.start:
        return whole
    return mcolors.ListedColormap(whole(np.linspace(scale.start, 1.0, 256)))


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
        color=_rgba(layer),
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
        cmap=_colors(layer.scale),
        vmin=layer.scale.low,
        vmax=layer.scale.high,
        extent=(0.5, n + 0.5, m + 0.5, 0.5),
        interpolation="nearest",
        aspect="auto",
        zorder=order,
    )


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


def draw_layer(ax: Any, layer: r.Layer, order: float) -> None:
    """Draw a layer of a panel, above those of a lower order."""
    _DRAW[type(layer)](ax, layer, order)


_DRAW: dict[type, Callable[[Any, Any, float], None]] = {
    r.Points: _points,
    r.Arrows: _arrows,
    r.Curve: _curve,
    r.Guide: _guide,
    r.Bars: _bars,
    r.HeatMap: _heat,
    r.Labels: _labels,
}


def legend_handles(figure: r.Figure) -> dict[str, Any]:
    """Return one legend entry per name: the mark of the first layer that bears it."""
    handles: dict[str, Any] = {}
    for layer in figure.layers():
        if layer.name and layer.name not in handles:
            handles[layer.name] = _handle(layer)
    return handles


def _handle(layer: Any) -> Any:
    if isinstance(layer, r.Points):
        color = layer.color if isinstance(layer.color, str) else look().theme.muted
        face = color if layer.filled else "none"
        return Line2D(
            [],
            [],
            linestyle="none",
            marker=_MARKERS[layer.marker],
            markersize=6.0 * look().theme.scale,
            markerfacecolor=face,
            markeredgecolor=color if not layer.filled else look().theme.paper,
            markeredgewidth=0.4 if layer.filled else 1.0,
        )
    if isinstance(layer, r.Bars):
        return Patch(facecolor=layer.color)
    dash = _DASHES[getattr(layer, "dash", "solid")]
    marker = "o" if getattr(layer, "marker_size", 0.0) else None
    return Line2D(
        [],
        [],
        color=layer.color if isinstance(layer.color, str) else look().theme.muted,
        linewidth=layer.width,
        linestyle=dash,
        marker=marker,
        markersize=4,
    )
