"""Colours of pages: strong enough on both papers, the largest number strongest."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

import gramian as gm
from gramian.plots.backends.matplotlib import color_map
from gramian.plots.style import (
    BAR_COLOR,
    MORE_COLORS,
    MORE_DARK,
    ON_DARK,
    PALETTE,
    PALETTE_DARK,
    SCALE,
    SCALE_DARK,
    THEMES,
    text_color,
)

PAPER = {"light": "#ffffff", "dark": "#1a1a1a"}
MARKS = {
    "light": (*PALETTE, *MORE_COLORS, *SCALE),
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


def test_marks_of_figures_have_a_contrast_of_three():
    assert contrast(BAR_COLOR, "#ffffff") >= 3.0
    assert min(contrast(dark, THEMES["dark"].paper) for dark in ON_DARK.values()) >= 3.0


@pytest.mark.parametrize("theme", ["screen", "dark"])
def test_the_largest_points_of_a_figure_are_the_strongest(theme):
    fit = gm.PCA(2).fit(np.random.default_rng(0).normal(size=(20, 3)))
    drawn = gm.plots.individuals(fit, color="cos2", backend="none", theme=theme)
    scale = next(layer.scale for layer in drawn.panels[0].layers if getattr(layer, "scale", None))
    inks = color_map(scale).to_rgba(np.linspace(scale.low, scale.high, 9))
    paper = PAPER["light"] if theme == "screen" else THEMES["dark"].paper
    strength = [contrast(to_hex(ink), paper) for ink in inks]
    assert strength == sorted(strength) and strength[0] >= (3.0 if theme == "screen" else 2.9)


def test_names_of_groups_have_a_contrast_of_four_and_a_half():
    names = [text_color(color) for color in (*PALETTE, *MORE_COLORS)]
    assert min(contrast(color, PAPER["light"]) for color in names) >= 4.5
    assert min(contrast(color, PAPER["dark"]) for color in (*PALETTE_DARK, *MORE_DARK)) >= 4.5


@pytest.mark.parametrize(("scale", "paper"), [(SCALE, "light"), (SCALE_DARK, "dark")])
def test_larger_numbers_are_stronger(scale, paper):
    strength = [contrast(color, PAPER[paper]) for color in scale]
    assert strength == sorted(strength)
