"""Reference pictures of every figure, and the facts of how each was laid out.

``python -m tests.plots.references --write`` draws them anew (all, or those whose names hold a word
that follows), ``--sheets FOLDER`` puts them side by side to be looked at, which one must do first.
A picture is small: text is grey there, and a name that moves by a line or changes its colour is
seen all the same.
"""

import argparse
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.text import Annotation
from PIL import Image
from tests.plots.gallery import cases

import gramian as gm
from gramian.plots.record import Points

FOLDER = Path(__file__).parent / "pictures"
DPI = 36
BLOCK = 4  # pixels on a side, over which pictures are averaged
CLOSE = 0.12  # the most that a block may differ, of the range from black to white
COLORS = 255
_MANY, _LAYERS = 5_000, 30  # marks and layers: plotly's figure of more shows nothing new, slowly


def picture(figure: Any) -> Image.Image:
    """Return a figure of matplotlib's as a small picture."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI)
    return Image.open(buffer).convert("RGB")


def kept(image: Image.Image) -> bytes:
    """Return a picture as it is kept: in few colours."""
    buffer = io.BytesIO()
    octree, plain = Image.Quantize.FASTOCTREE, Image.Dither.NONE
    image.quantize(COLORS, octree, dither=plain).save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def blocks(image: Image.Image) -> np.ndarray:
    """Return the means over blocks of pixels, (rows, columns, 3), from 0 to 1."""
    pixels = np.asarray(image.convert("RGB"), dtype=float) / 255.0
    high, wide = (side // BLOCK * BLOCK for side in pixels.shape[:2])
    parts = pixels[:high, :wide].reshape(high // BLOCK, BLOCK, wide // BLOCK, BLOCK, 3)
    return parts.mean(axis=(1, 3))


def difference(image: Image.Image, other: Image.Image) -> float:
    """Return the largest difference between blocks of two pictures, 1 for other sizes.

    A block is compared with that of the other picture and with those one pixel away: where an edge
    is snapped to the grid of pixels depends on the last digit of its position.
    """
    if image.size != other.size:
        return 1.0
    own, pixels = blocks(image), np.asarray(other.convert("RGB"))
    shifts = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)]
    near = [blocks(Image.fromarray(np.roll(pixels, by, axis=(0, 1)))) for by in shifts]
    return float(np.min([np.abs(own - each).max(axis=2) for each in near], axis=0).max())


def facts(record: Any, figure: Any = None) -> list[Any]:
    """Return how the figures of both backends are laid out."""
    drawn = gm.plots.draw(record, "matplotlib") if figure is None else figure
    marks = sum(len(layer.at) for layer in record.layers(Points))
    many = marks > _MANY or len(list(record.layers())) > _LAYERS
    return [_of_matplotlib(drawn), None if many else _of_plotly(record)]


def _of_matplotlib(figure: Any) -> list[Any]:
    """Return limits, titles, marks and texts of each panel, and the legend."""
    panels = [_panel(ax) for ax in figure.axes]
    legends = [[text.get_text() for text in legend.get_texts()] for legend in figure.legends]
    notes = [[text.get_text(), *_round(text.get_position())] for text in figure.texts]
    return [*_round(figure.get_size_inches()), panels, legends, notes]


def _panel(ax: Any) -> list[Any]:
    marks = [_marks(mark) for mark in ax.collections if isinstance(mark, PathCollection)]
    lines = [_line(line) for line in ax.lines if isinstance(line, Line2D)]
    names = [_name(text) for text in ax.texts]
    limits = [*ax.get_xlim(), *ax.get_ylim(), *ax.get_position().bounds]
    return [ax.get_xlabel(), ax.get_ylabel(), _round(limits), marks, lines, names]


def _marks(mark: Any) -> list[Any]:
    at = np.ma.filled(mark.get_offsets(), np.nan)
    faces = mark.get_facecolors()
    color = to_hex(faces[0]) if len(faces) else "none"
    shape = len(mark.get_paths()[0].vertices)
    middle = np.nanmean(at, axis=0), np.nanstd(at, axis=0)
    return [len(at), color, shape, _round(mark.get_sizes()[:1]), _round(np.concatenate(middle))]


def _line(line: Any) -> list[Any]:
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    ends = [x[0], y[0], x.mean(), y.mean()]
    return [len(x), to_hex(line.get_color()), _round(ends)]


def _name(text: Any) -> list[Any]:
    """Return a text with where it belongs and how far from there it stands."""
    place = [*text.xy, *text.xyann] if isinstance(text, Annotation) else text.get_position()
    size = text.get_fontsize()
    return [text.get_text(), _round([*place, size]), to_hex(text.get_color())]


def _of_plotly(record: Any) -> list[Any]:
    """Return the traces in brief and the page of plotly's figure."""
    page = gm.plots.draw(record, "plotly").to_dict()
    layout = page["layout"]
    axes = {
        name: [_round(axis["range"]), axis["title"]["text"], _round(axis.get("domain", []))]
        for name, axis in layout.items()
        if name.startswith(("xaxis", "yaxis"))
    }
    scenes = [layout["scene"].get("annotations")] if "scene" in layout else []
    notes = [_note(note) for part in [layout.get("annotations"), *scenes] for note in part or ()]
    legends = [
        [_round([legend["x"], legend["y"]])]
        for name, legend in layout.items()
        if name.startswith("legend")
    ]
    size = [layout["width"], layout["height"]]
    return [size, axes, legends, notes, [_trace(trace) for trace in page["data"]]]


def _note(note: dict[str, Any]) -> list[Any]:
    keys = ("x", "y", "z", "xshift", "yshift", "ax", "ay")
    return [note["text"], _round([note[k] for k in keys if k in note]), note["font"]["color"]]


def _trace(trace: dict[str, Any]) -> list[Any]:
    looks = [trace.get(part) or {} for part in ("marker", "line")]
    colors = [look.get("color") for look in looks]
    shown = [color if isinstance(color, str) else "" for color in colors]
    symbol = looks[0].get("symbol", "")
    count = np.size(trace.get("x")) if trace.get("x") is not None else np.size(trace.get("z"))
    return [trace["type"], trace.get("name") or "", shown, symbol, int(count)]


def _round(numbers: Any) -> list[float | None]:
    """Return numbers to three digits after the point, or three that count."""
    values = np.atleast_1d(np.asarray(numbers, dtype=float)).ravel()
    return [_digits(float(value)) for value in values]


def _digits(value: float) -> float | None:
    if not math.isfinite(value):
        return None
    return float(f"{value:.3g}") if abs(value) >= 1000 else round(value, 3) + 0.0


def like(found: Any, known: Any) -> bool:
    """Whether two facts are the same, numbers to a rounding."""
    if isinstance(known, list | tuple) and isinstance(found, list | tuple):
        return len(found) == len(known) and all(map(like, found, known))
    if isinstance(known, dict):
        return found.keys() == known.keys() and all(like(found[k], known[k]) for k in known)
    if isinstance(known, float | int) and isinstance(found, float | int):
        return abs(found - known) <= 2e-3 + 2e-3 * abs(known)
    return bool(found == known)


def plain(thing: Any) -> Any:
    """Return facts as a file has them."""
    return json.loads(json.dumps(thing))


def recorded() -> dict[str, Any]:
    """Return the facts that are kept, under the names of the cases."""
    lines = (FOLDER / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    return dict(json.loads(line) for line in lines)


def _write(found: dict[str, Callable[..., Any]]) -> None:
    FOLDER.mkdir(exist_ok=True)
    known = recorded() if (FOLDER / "facts.jsonl").exists() else {}
    for name, draw in found.items():
        record = draw(backend="none")
        figure = gm.plots.draw(record, "matplotlib")
        known[name] = facts(record, figure)  # before it is drawn, which moves texts in space
        (FOLDER / f"{name}.png").write_bytes(kept(picture(figure)))
    every = cases()
    whole: Any = {"ensure_ascii": False, "separators": (",", ":")}
    lines = [json.dumps([name, known[name]], **whole) for name in every]
    (FOLDER / "facts.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for path in FOLDER.glob("*.png"):
        if path.stem not in every:
            path.unlink()


def _sheets(found: dict[str, Callable[..., Any]], folder: Path, columns: int = 3) -> None:
    """Write the figures, twelve to a sheet, large enough to be read."""
    names = list(found)
    for first in range(0, len(names), 4 * columns):
        drawn = []
        for name in names[first : first + 4 * columns]:
            buffer = io.BytesIO()
            found[name]().savefig(buffer, format="png", dpi=72)
            drawn.append(Image.open(buffer).convert("RGB"))
        sheet = Image.new("RGB", (640 * columns, 4 * 520), "#dddddd")
        for k, image in enumerate(drawn):
            image.thumbnail((630, 510))
            sheet.paste(image, (640 * (k % columns), 520 * (k // columns)))
        sheet.save(folder / f"sheet-{first:03d}.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="draw and keep them anew")
    parser.add_argument("--sheets", type=Path, help="a folder for sheets to be looked at")
    parser.add_argument("words", nargs="*", help="of the names of figures; all by default")
    options = parser.parse_args()
    words = options.words or [""]
    chosen = {name: draw for name, draw in cases().items() if any(word in name for word in words)}
    if options.write:
        _write(chosen)
    if options.sheets:
        _sheets(chosen, options.sheets)
