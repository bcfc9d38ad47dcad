import random
import string

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from gramian.plots.style import clean, shorten, width


def drawn_width(text, size):
    """The width of a text as matplotlib draws it."""
    box = TextPath((0, 0), text, size=size, prop=FontProperties("DejaVu Sans")).get_extents()
    return box.width


def test_labels_become_one_line_of_visible_characters():
    assert clean("a\n b\tc") == "a b c"
    assert clean("  two  spaces ") == "two spaces"
    assert clean("left\u202eright\u0007") == "leftright"
    assert clean(("T20", 4)) == "T20 / 4"
    assert clean(3.5) == "3.5"
    assert clean("plain") == "plain"


@pytest.mark.parametrize("most", [5, 12, 24, 25])
def test_long_labels_keep_both_ends(most):
    label = "treatment-with-a-very-long-name-replicate-12"
    short = shorten(label, most)
    assert len(short) == most and short.count("…") == 1
    start, end = short.split("…")
    assert label.startswith(start) and label.endswith(end) and len(start) >= len(end) >= 1
    assert shorten(label, len(label)) == label


@pytest.mark.slow
def test_widths_are_not_less_than_what_is_drawn():
    rng = random.Random(0)
    letters = string.ascii_letters + string.digits + "_-. ()/²…%&<>"
    for _ in range(200):
        text = "".join(rng.choices(letters, k=rng.randint(3, 24))).strip() or "x"
        drawn = drawn_width(text, 8.0)
        assert drawn <= width(text, 8.0) <= 1.35 * drawn + 4.0, text


@pytest.mark.parametrize("text", ["температура", "温度と湿度", "ΔΩλ μικρό", "ŁÓDŹ čeština"])
def test_widths_of_other_scripts_are_generous(text):
    assert width(text, 10.0) >= 0.55 * 10.0 * len(text)
