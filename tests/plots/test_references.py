"""Every figure beside its reference: a small picture, and where its texts and marks stand.

A change that is wanted: ``python -m tests.plots.references --sheets FOLDER``, look at the sheets,
then ``--write``.
"""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from tests.plots import references
from tests.plots.gallery import cases

import gramian as gm
from gramian.plots.record import Labels

pytestmark = pytest.mark.slow


CASES = cases()
KNOWN = references.recorded()


def test_every_figure_has_a_reference():
    assert set(KNOWN) == set(CASES)
    assert {path.stem for path in references.FOLDER.glob("*.png")} == set(CASES)
    every = {name for name in gm.plots.__all__ if name.islower()} - {"draw", "register", "show"}
    source = (references.FOLDER.parent / "gallery.py").read_text(encoding="utf-8")
    missing = [name for name in every - {"plotly_config"} if f"plots.{name}(" not in source]
    assert not missing, f"give these a case in tests/plots/gallery.py: {missing}"
    assert sum(path.stat().st_size for path in references.FOLDER.iterdir()) < 2_000_000


@pytest.mark.parametrize("name", CASES)
def test_a_figure_is_as_it_was_when_it_was_looked_at(name):
    record = CASES[name](backend="none")
    figure = gm.plots.draw(record, "matplotlib")
    assert references.like(references.plain(references.facts(record, figure)), KNOWN[name])
    image = references.picture(figure)
    with Image.open(references.FOLDER / f"{name}.png") as known:
        assert references.difference(image, known) < references.CLOSE


def moved(record, by):
    """Return a figure whose first name stands elsewhere."""
    panels = list(record.panels)
    for p, panel in enumerate(panels):
        for k, layer in enumerate(panel.layers):
            if isinstance(layer, Labels) and len(layer.texts):
                offsets = layer.offsets.copy()
                offsets[0] += by
                layers = list(panel.layers)
                layers[k] = replace(layer, offsets=offsets)
                panels[p] = replace(panel, layers=tuple(layers))
                return replace(record, panels=tuple(panels))
    raise AssertionError("no name to move")


@pytest.mark.parametrize("name", ["individuals-10-2", "variables-10", "scree-300", "map3d-10-2"])
def test_a_name_that_moves_by_a_line_is_seen(name):
    record = CASES[name](backend="none")
    with Image.open(references.FOLDER / f"{name}.png") as known:
        for by in (np.array([0.0, 10.0]), np.array([-14.0, 0.0])):
            other = moved(record, by)
            image = references.picture(gm.plots.draw(other, "matplotlib"))
            assert references.difference(image, known) > references.CLOSE
            assert not references.like(references.plain(references.facts(other)), KNOWN[name])


def test_a_colour_or_a_mark_that_changes_is_seen():
    record = CASES["individuals-300-10"](backend="none")
    panel = record.panels[0]
    layers = list(panel.layers)
    k = next(k for k, layer in enumerate(layers) if layer.name == "group 4")
    for change in ({"color": "#000000"}, {"marker": "square"}, {"filled": False}):
        other = [*layers[:k], replace(layers[k], **change), *layers[k + 1 :]]
        drawn = replace(record, panels=(replace(panel, layers=tuple(other)),))
        found = references.plain(references.facts(drawn))
        assert not references.like(found, KNOWN["individuals-300-10"])
