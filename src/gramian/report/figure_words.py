"""What figures say, in the language of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gramian.plots.record import Axis, ColorScale, Figure, Labels, Layer, Panel, Points
from gramian.report.say import Say


def translated(record: Figure, say: Say, ours: bool = False) -> Figure:
    """Return the record with its own texts in the language of the report.

    `ours` says that words of ours stand at its points too, after names from the data.
    """

    def axis(a: Axis) -> Axis:
        return replace(a, title=say.figure(a.title))

    def panel(p: Panel) -> Panel:
        # Names of layers may come from the data: only those of curves are ours.
        layers = [
            layer if isinstance(layer, Points) else replace(layer, name=say.figure(layer.name))
            for layer in p.layers
        ]
        second = None if p.y2 is None else axis(p.y2)
        return replace(p, x=axis(p.x), y=axis(p.y), y2=second, layers=tuple(layers))

    notes: Sequence[str] = [say.figure(note) for note in record.notes]
    record = replace(record, panels=tuple(map(panel, record.panels)), notes=tuple(notes))
    return _endings(record, say) if ours else record


def _endings(record: Figure, say: Say) -> Figure:
    """Return the record with what we say at its points in the language of the report."""

    def scale(of: ColorScale | None) -> ColorScale | None:
        return None if of is None else replace(of, title=say.ending(of.title))

    def layer(of: Layer) -> Layer:
        if isinstance(of, Labels):
            return replace(of, texts=list(map(say.ending, of.texts)))
        if not isinstance(of, Points):
            return of
        details = {say.ending(key): values for key, values in of.details.items()}
        words: dict[str, Any] = {"name": say.ending(of.name), "details": details}
        return replace(of, labels=list(map(say.ending, of.labels)), scale=scale(of.scale), **words)

    panels = [replace(p, layers=tuple(map(layer, p.layers))) for p in record.panels]
    bar = record.color_bar
    if bar is not None:
        bar = replace(bar, scale=replace(bar.scale, title=say.ending(bar.scale.title)))
    return replace(record, panels=tuple(panels), color_bar=bar)
