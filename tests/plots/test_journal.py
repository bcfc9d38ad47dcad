"""A figure for a journal, as the page on figures has it: 8.5 cm wide, every text of 7 points."""

import re
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from tests.plots.test_drawing import inked

import gramian as gm

pytestmark = pytest.mark.slow


PAGE = Path(__file__).resolve().parents[2] / "docs" / "figures.md"


def blocks():
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, re.S)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("journal")
    names: dict[str, object] = {}
    for block in blocks():
        exec(block.replace('"figure.pdf"', repr(str(folder / "figure.pdf"))), names)
        if "page" in names:
            break
    assert (folder / "figure.pdf").stat().st_size > 5_000
    return names["page"]


def texts_of(page):
    return [text for text in page.findobj(Text) if text.get_text() and text.get_visible()]


def test_it_takes_less_than_ten_lines():
    (block,) = [block for block in blocks() if "subfigures" in block]
    assert len([line for line in block.splitlines() if line.strip()]) < 10


def test_its_width_and_its_texts(page):
    assert page.get_size_inches()[0] * 2.54 == pytest.approx(8.5)
    texts = texts_of(page)
    assert len(texts) > 30
    assert {round(text.get_fontsize(), 6) for text in texts} == {7.0}


def test_names_do_not_meet_and_nothing_is_cut(page):
    FigureCanvasAgg(page).draw()
    renderer = page.canvas.get_renderer()
    for part in page.subfigs:
        names = [t for t in part.axes[0].get_children() if isinstance(t, Annotation)]
        boxes = [Text.get_window_extent(name, renderer) for name in names]
        assert len(boxes) > 3
        assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])
    assert inked(page) > 0


def test_figures_of_several_panels_and_of_space_have_a_part_too(pca, species):
    page = Figure(figsize=(7.0, 3.5))
    a, b = page.subfigures(1, 2)
    assert gm.plots.pairs(pca, 3, color=species, ax=a, theme="paper") is a
    gm.plots.map3d(pca, color=species, ax=b, theme="paper", title="b")
    assert len(a.axes) == 6 and len(b.axes) == 1
    assert inked(page) > 0
