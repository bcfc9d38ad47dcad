"""Colours of pages: strong enough on both papers, the largest number strongest."""

import numpy as np
import pytest

from gramian.plots.style import (
    MORE_DARK,
    MORE_LIGHT,
    PALETTE_DARK,
    PALETTE_LIGHT,
    SCALE,
    SCALE_DARK,
    text_color,
)

PAPER = {"light": "#ffffff", "dark": "#1a1a1a"}
MARKS = {
    "light": (*PALETTE_LIGHT, *MORE_LIGHT, *SCALE),
    "dark": (*PALETTE_DARK, *MORE_DARK, *SCALE_DARK),
}


def luminance(color):
    """Of WCAG 2."""
    c = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    c = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(c @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("paper", PAPER)
def test_marks_have_a_contrast_of_three(paper):
    assert min(contrast(color, PAPER[paper]) for color in MARKS[paper]) >= 3.0


def test_names_of_groups_have_a_contrast_of_four_and_a_half():
    names = [text_color(color) for color in (*PALETTE_LIGHT, *MORE_LIGHT)]
    assert min(contrast(color, PAPER["light"]) for color in names) >= 4.5
    assert min(contrast(color, PAPER["dark"]) for color in (*PALETTE_DARK, *MORE_DARK)) >= 4.5


@pytest.mark.parametrize(("scale", "paper"), [(SCALE, "light"), (SCALE_DARK, "dark")])
def test_larger_numbers_are_stronger(scale, paper):
    strength = [contrast(color, PAPER[paper]) for color in scale]
    assert strength == sorted(strength)
