"""Figure records as SVG that stands in a page: texts stay texts, colours follow the theme.

Every colour is given twice, as `--l` for light paper and `--d` for dark; the style sheet of the
page takes the one that suits. Legends and colour keys are HTML below the drawing, where they wrap.
"""

from collections.abc import Callable, Iterator
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from gramian.plots import record as r
from gramian.plots.layout import legend_layers, tick_count, whole_step
from gramian.plots.style import (
    FAINT,
    INK,
    MUTED,
    ON_DARK,
    SCALE,
    SCALE_DARK,
    TEXT,
    THEMES,
    text_color,
)

# The colours of records as pages have them, on light and on dark paper.
_PAGE = {color: (color, dark) for color, dark in ON_DARK.items()}
_PAGE |= {text_color(color): (text_color(light), dark) for color, (light, dark) in _PAGE.items()}
_PAGE |= {INK: (INK, THEMES["dark"].ink), MUTED: ("#6e6e6e", THEMES["dark"].muted)}
_PAGE |= {FAINT: (FAINT, THEMES["dark"].faint)}
_DIVERGING = ("#b2182b", "#dd8a70", "#f7f7f7", "#7fb0d0", "#2166ac")  # from small to large
_DASHES = {"solid": "", "dash": ' stroke-dasharray="4 3"', "dot": ' stroke-dasharray="1 2"'}
_MAX_TITLES = 400  # points of a layer that carry their names; more are one path
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_RIGHT = 12.0  # room at the right of a panel, in points


def svg(figure: r.Figure, label: str, *, decimal: str = ".") -> str:
    """Return a record as an SVG element and its legend; `label` is read aloud in its place."""
    width = max(p.left + p.width + _RIGHT for p in figure.panels)
    for layer in figure.layers(r.Labels):
        assert isinstance(layer, r.Labels)
        if len(layer.boxes):
            panel = next(p for p in figure.panels if layer in p.layers)
            width = max(width, panel.left + float(layer.boxes[:, 2].max()) + 2.0)
    top = max(p.bottom + p.height for p in figure.panels) + 10.0
    body = "".join(part for panel in figure.panels for part in _panel(panel, top, decimal))
    style = f"max-width:{width * 4 / 3:.0f}px;--wide:{width:.0f}"
    size = f'viewBox="0 0 {_n(width)} {_n(top)}" style="{style}"'
    name = escape(label, quote=True)
    return f'<svg class="fig" {size} role="img" aria-label="{name}">{body}</svg>' + "".join(
        (*_legend(figure), *_color_key(figure, decimal))
    )


def _panel(panel: r.Panel, top: float, decimal: str) -> Iterator[str]:
    left, low = panel.left, top - panel.bottom
    high = low - panel.height
    lines = []
    if panel.frame or panel.x.line:
        lines.append(f"M{_n(left)},{_n(low)}h{_n(panel.width)}")
    if panel.frame or panel.y.line:
        lines.append(f"M{_n(left)},{_n(low)}v{_n(-panel.height)}")
    yield f'<path class="s" style="{_paint(MUTED)}" stroke-width=".7" d="{"".join(lines)}"/>'
    yield f'<g transform="translate({_n(left)} {_n(low)}) scale(1 -1)">'
    for layer in panel.layers:
        if not isinstance(layer, r.Labels):
            yield from _DRAW[type(layer)](layer, panel)
    yield "</g>"
    middle, centre = left + panel.width / 2, (low + high) / 2
    for value, text in _ticks(panel.x, panel.width, decimal):
        x = left + _place(panel.x, value) * panel.width
        if panel.x.upright:
            yield _text(
                text,
                x + 3,
                low + 5,
                panel.x.color,
                TEXT,
                "end",
                f"rotate(-90 {_n(x + 3)} {_n(low + 5)})",
            )
        else:
            yield _text(text, x, low + 13, panel.x.color, TEXT)
    deep = 0.0
    if panel.x.upright:
        deep = (
            max((len(text) for _, text in _ticks(panel.x, panel.width, decimal)), default=0) * 5.5
        )
    yield _text(panel.x.title, middle, low + 28 + deep, panel.x.color, TEXT + 1)
    widest = 0.0
    for value, text in _ticks(panel.y, panel.height, decimal):
        y = low - _place(panel.y, value) * panel.height
        widest = max(widest, 0.62 * TEXT * len(text))
        yield _text(text, left - 5, y + 3.2, panel.y.color, TEXT, "end")
    x = max(left - 5 - widest - 9, 9.0)
    turn = f"rotate(-90 {_n(x)} {_n(centre)})"
    yield _text(panel.y.title, x, centre, panel.y.color, TEXT + 1, "middle", turn)
    for layer in panel.layers:
        if isinstance(layer, r.Labels):
            yield from _labels(layer, panel, low)


def _n(x: float) -> str:
    return f"{x:.1f}".removesuffix(".0")


def _place(axis: r.Axis, value: float) -> float:
    """Return where a value is between the ends of an axis, from 0 to 1."""
    return (value - axis.limits[0]) / (axis.limits[1] - axis.limits[0])


def _ticks(axis: r.Axis, room: float, decimal: str) -> list[tuple[float, str]]:
    low, high = axis.limits
    if axis.ticks is not None:
        first, last = sorted(axis.limits)
        return [(value, text) for value, text in axis.ticks if first <= value <= last]
    step = float(whole_step(axis)) if axis.whole else _nice((high - low) / tick_count(room))
    first = int(np.ceil(low / step - 1e-9))
    values = [k * step for k in range(first, int(np.floor(high / step + 1e-9)) + 1)]
    return [(value, _number(value, decimal)) for value in values]


def _nice(raw: float) -> float:
    power = 10.0 ** np.floor(np.log10(raw))
    return float(power * next(k for k in _STEPS if k * power >= raw * (1 - 1e-9)))


def _number(value: float, decimal: str) -> str:
    return f"{value:.6g}".replace("-", "−").replace(".", decimal)


def _paint(color: str) -> str:
    """Return the two colours of a mark as properties."""
    light, dark = _PAGE.get(color) or (color, _lighter(color))
    return f"--l:{light};--d:{dark}"


def _lighter(color: str) -> str:
    parts = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(0.55 * part + 0.45 * 255):02x}" for part in parts)


def _scaled(scale: r.ColorScale, values: np.ndarray) -> list[str]:
    """Return the two colours of numbers on a scale."""
    place = np.clip((values - scale.low) / ((scale.high - scale.low) or 1.0), 0.0, 1.0)
    ends = (_DIVERGING[::-1],) * 2 if scale.name.startswith("RdBu") else (SCALE, SCALE_DARK)
    both = ([_between(colors, float(t)) for t in place] for colors in ends)
    return [f"--l:{light};--d:{dark}" for light, dark in zip(*both, strict=True)]


def _between(colors: tuple[str, ...], place: float) -> str:
    steps = list(pairwise(colors))
    k = min(int(place * len(steps)), len(steps) - 1)
    t = place * len(steps) - k
    pairs = ((int(c[j : j + 2], 16) for c in steps[k]) for j in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * t):02x}" for a, b in pairs)


def _text(
    text: str, x: float, y: float, color: str, size: float, anchor: str = "middle", turn: str = ""
) -> str:
    if not text:
        return ""
    at = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}"'
    rotated = f' transform="{turn}"' if turn else ""
    return f'<text class="f" style="{_paint(color)}" {at}{rotated}>{escape(text)}</text>'


def _title(labels: Any, details: Any, k: int) -> str:
    """Return the name and the numbers of a mark, shown on hover and read aloud."""
    if not len(labels):
        return ""
    parts = [str(labels[k]), *(f"{key} {values[k]:.3g}" for key, values in details.items())]
    return f"<title>{escape('; '.join(parts))}</title>"


def _name(labels: Any, k: int) -> str:
    """Return the attribute by which the page links a mark with its column."""
    return f' data-label="{escape(str(labels[k]), quote=True)}"' if k < len(labels) else ""


def _mark(marker: str, x: float, y: float, d: float) -> str:
    """Return the outline of a marker of diameter d; y runs upwards."""
    a = d / 2
    if marker == "square":
        return f"M{_n(x - 0.9 * a)},{_n(y - 0.9 * a)}h{_n(1.8 * a)}v{_n(1.8 * a)}h{_n(-1.8 * a)}z"
    if marker == "diamond":
        h = _n(1.2 * a)
        return f"M{_n(x)},{_n(y - 1.2 * a)}l{h},{h}l-{h},{h}l-{h},-{h}z"
    if marker in ("triangle", "triangle-down"):
        up = 1 if marker == "triangle" else -1
        return (
            f"M{_n(x)},{_n(y + up * 1.2 * a)}l{_n(1.04 * a)},{_n(-up * 1.95 * a)}h{_n(-2.08 * a)}z"
        )
    return f"M{_n(x - a)},{_n(y)}a{_n(a)},{_n(a)} 0 1 0 {_n(d)},0a{_n(a)},{_n(a)} 0 1 0 {_n(-d)},0z"


def _points(layer: r.Points, panel: r.Panel) -> Iterator[str]:
    at = panel.to_page(layer.at[:, :2])
    sizes = np.broadcast_to(layer.size, len(at))
    alpha = float(np.mean(layer.alpha))
    kind = "f" if layer.filled else "s"
    look = f'stroke-width="1" opacity="{alpha:.2f}"'
    if isinstance(layer.color, str) and len(at) > _MAX_TITLES:
        d = "".join(_mark(layer.marker, x, y, s) for (x, y), s in zip(at, sizes, strict=True))
        yield f'<path class="{kind}" {look} style="{_paint(layer.color)}" d="{d}"/>'
        return
    inks = [_paint(layer.color)] * len(at) if isinstance(layer.color, str) else None
    if inks is None:
        assert layer.scale is not None
        inks = _scaled(layer.scale, np.asarray(layer.color))
    yield f"<g {look}>"
    for k, (x, y) in enumerate(at):
        shape = _mark(layer.marker, x, y, float(sizes[k]))
        mark = f'<path class="{kind}" style="{inks[k]}" d="{shape}"{_name(layer.labels, k)}>'
        yield f"{mark}{_title(layer.labels, layer.details, k)}</path>"
    yield "</g>"


def _arrows(layer: r.Arrows, panel: r.Panel) -> Iterator[str]:
    tips, (ox, oy) = panel.to_page(layer.at), panel.to_page(np.zeros((1, 2)))[0]
    if isinstance(layer.color, str):
        inks = [_paint(layer.color)] * len(tips)
    else:
        assert layer.scale is not None
        inks = _scaled(layer.scale, np.asarray(layer.color))
    for k, (x, y) in enumerate(tips):
        length = float(np.hypot(x - ox, y - oy)) or 1.0
        ux, uy = (x - ox) / length, (y - oy) / length
        head = min(6.0, length)
        bx, by = x - head * ux, y - head * uy
        d = f"M{_n(ox)},{_n(oy)}L{_n(bx)},{_n(by)}"
        ends = [(x, y), (bx - 2.4 * uy, by + 2.4 * ux), (bx + 2.4 * uy, by - 2.4 * ux)]
        tip = "M" + "L".join(f"{_n(a)},{_n(b)}" for a, b in ends) + "z"
        yield f'<g style="{inks[k]}"{_name(layer.labels, k)}>'
        yield _title(layer.labels, layer.details, k)
        yield f'<path class="s" stroke-width="{_n(layer.width)}" d="{d}"/>'
        yield f'<path class="f" d="{tip}"/></g>'


def _curve(layer: r.Curve, panel: r.Panel) -> Iterator[str]:
    known = np.isfinite(layer.x) & np.isfinite(layer.y)
    x, y = np.asarray(layer.x, dtype=float)[known], np.asarray(layer.y, dtype=float)[known]
    if not len(x):
        return
    at = panel.to_page(np.column_stack([x, y]))
    d = "M" + "L".join(f"{_n(a)},{_n(b)}" for a, b in at)
    style = f'style="{_paint(layer.color)}"'
    if layer.fill:
        yield f'<path class="f" {style} fill-opacity="{layer.fill}" d="{d}z"/>'
    yield f'<path class="s" {style} stroke-width="{layer.width}"{_DASHES[layer.dash]} d="{d}"/>'
    if layer.marker_size:
        dots = "".join(_mark("circle", a, b, layer.marker_size) for a, b in at)
        yield f'<path class="f" {style} d="{dots}"/>'


def _guide(layer: r.Guide, panel: r.Panel) -> Iterator[str]:
    axis = panel.x if layer.axis == "x" else panel.y
    if not axis.limits[0] <= layer.at <= axis.limits[1]:
        return
    place = _place(axis, layer.at)
    if layer.axis == "x":
        d = f"M{_n(place * panel.width)},0v{_n(panel.height)}"
    else:
        d = f"M0,{_n(place * panel.height)}h{_n(panel.width)}"
    look = f'stroke-width="{layer.width}"{_DASHES[layer.dash]}'
    yield f'<path class="s" style="{_paint(layer.color)}" {look} d="{d}"/>'


def _bars(layer: r.Bars, panel: r.Panel) -> Iterator[str]:
    yield f'<g class="f" style="{_paint(layer.color)}">'
    half = layer.thickness / 2
    for k, length in enumerate(np.asarray(layer.lengths, dtype=float)):
        at = layer.first + k
        ends = np.array([[0.0, at - half], [length, at + half]])
        (x0, y0), (x1, y1) = panel.to_page(ends if layer.lying else ends[:, ::-1])
        box = f'x="{_n(min(x0, x1))}" y="{_n(min(y0, y1))}"'
        box += f' width="{_n(abs(x1 - x0))}" height="{_n(abs(y1 - y0))}"'
        text = str(layer.labels[k]) if k < len(layer.labels) else ""
        name = f' data-label="{escape(text, quote=True)}"' if text else ""
        value = f"<title>{escape(text)} {length:.4g}</title>"
        yield f'<rect {box} data-bar="{at}"{name}>{value}</rect>'
    yield "</g>"


def _heat(layer: r.HeatMap, panel: r.Panel) -> Iterator[str]:
    n = layer.values.shape[1]
    inks = _scaled(layer.scale, layer.values.ravel())
    for k, ink in enumerate(inks):
        row, column = divmod(k, n)
        corners = np.array([[column + 0.5, row + 0.5], [column + 1.5, row + 1.5]])
        (x0, y0), (x1, y1) = panel.to_page(corners)
        box = f'x="{_n(min(x0, x1))}" y="{_n(min(y0, y1))}"'
        size = f'width="{_n(abs(x1 - x0) + 0.1)}" height="{_n(abs(y1 - y0) + 0.1)}"'
        yield f'<rect class="f" style="{ink}" {box} {size}/>'


_DRAW: dict[type, Callable[[Any, r.Panel], Iterator[str]]] = dict(
    zip(r.MARKS, (_points, _arrows, _curve, _guide, _bars, _heat), strict=True)
)


def _labels(layer: r.Labels, panel: r.Panel, low: float) -> Iterator[str]:
    at = panel.to_page(layer.at[:, :2])
    weight = ' font-weight="600"' if layer.bold else ""
    for k, text in enumerate(layer.texts):
        x, y = panel.left + at[k, 0], low - at[k, 1]
        tx, ty = x + layer.offsets[k][0], y - layer.offsets[k][1]
        if layer.leaders[k]:
            line = f"M{_n(x)},{_n(y)}L{_n(tx)},{_n(ty)}"
            yield f'<path class="s" style="{_paint(MUTED)}" stroke-width=".5" d="{line}"/>'
        style = f'style="{_paint(layer.colors[k])}" font-size="{_n(layer.size)}"{weight}'
        place = f'x="{_n(tx)}" y="{_n(ty + 0.36 * layer.size)}" text-anchor="middle"'
        yield f'<text class="f name"{_name(layer.texts, k)} {style} {place}>{escape(text)}</text>'


def _legend(figure: r.Figure) -> Iterator[str]:
    """Yield the legend, every entry of it."""
    layers: dict[str, Any] = legend_layers(figure.panels) if figure.legend is not None else {}
    if not layers or figure.legend is None:
        return
    yield '<p class="legend">'
    if figure.legend.title:
        yield f"<b>{escape(figure.legend.title)}</b> "
    for name, layer in layers.items():
        color = layer.color if isinstance(layer.color, str) else MUTED
        if isinstance(layer, r.Points):
            look = "f" if layer.filled else "s"
            shape = f'<path class="{look}" stroke-width="1.2" d="{_mark(layer.marker, 0, 0, 9)}"/>'
        elif isinstance(layer, r.Bars):
            shape = '<rect class="f" x="-6" y="-5" width="12" height="10"/>'
        else:
            dash = _DASHES[getattr(layer, "dash", "solid")]
            shape = f'<path class="s" stroke-width="2"{dash} d="M-8,0h16"/>'
        size = 'viewBox="-8 -7 16 14" width="16" height="14" aria-hidden="true"'
        upright = f'<g style="{_paint(color)}" transform="scale(1 -1)">{shape}</g>'
        mark = f"<svg {size}>{upright}</svg>"
        yield f"<span>{mark} <bdi>{escape(name)}</bdi></span> "
    yield "</p>"


def _color_key(figure: r.Figure, decimal: str) -> Iterator[str]:
    """Yield the ends of the colour scale and what lies between."""
    if figure.color_bar is None:
        return
    scale = figure.color_bar.scale
    stops = _scaled(scale, np.linspace(scale.low, scale.high, 7))
    boxes = "".join(
        f'<rect class="f" style="{stop}" x="{16 * k}" width="16.5" height="10"/>'
        for k, stop in enumerate(stops)
    )
    bar = f'<svg viewBox="0 0 112 10" width="112" height="10" aria-hidden="true">{boxes}</svg>'
    low, high = (_number(float(f"{x:.3g}"), decimal) for x in (scale.low, scale.high))
    yield f'<p class="legend"><b>{escape(scale.title)}</b> {low} {bar} {high}</p>'
