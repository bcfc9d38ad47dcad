"""What is drawn, as plain records: a figure of panels, a panel of layers.

A plot computes a `Figure` record; a backend draws it. Lengths on the page are in points (1/72 inch)
from the lower left corner, everything else is in the units of the data, so that two backends that
draw the same record put the same things in the same places.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian.plots.style import INK, MUTED, SCREEN, Theme


@dataclass(frozen=True, eq=False)
class ColorScale:
    """Numbers as colours, from `low` to `high`."""

    low: float
    high: float
    name: str = "viridis_r"  # the largest are the darkest
    title: str = ""
    start: float = 0.0  # share of the named colours that is left out at the low end


@dataclass(frozen=True, eq=False)
class Layer:
    """Something drawn on a panel; layers of one name are one entry of the legend."""

    name: str = field(default="", kw_only=True)


@dataclass(frozen=True, eq=False)
class Points(Layer):
    """Markers. `labels` and `details` (a title and one number per point) are shown on hover."""

    at: np.ndarray  # (n, 2) or, in space, (n, 3)
    color: str | np.ndarray = INK  # one colour, or numbers on `scale`
    scale: ColorScale | None = None
    size: float | np.ndarray = 5.0  # diameter in points
    alpha: float | np.ndarray = 0.9
    marker: str = "circle"
    filled: bool = True
    labels: Sequence[str] = ()
    details: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Arrows(Layer):
    """Arrows from the origin."""

    at: np.ndarray  # their tips, (n, 2)
    color: str | np.ndarray = INK  # one colour, or numbers on `scale`
    width: float = 1.0
    scale: ColorScale | None = None
    labels: Sequence[str] = ()
    details: Mapping[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Curve(Layer):
    """A line through points, possibly with markers, possibly filled down to zero or inside."""

    x: np.ndarray
    y: np.ndarray
    color: str = INK
    width: float = 1.2
    dash: str = "solid"  # "solid", "dash" or "dot"
    fill: float = 0.0  # opacity of the area inside a closed line
    marker_size: float = 0.0


@dataclass(frozen=True, eq=False)
class Guide(Layer):
    """A line across the whole panel at one value of one axis."""

    axis: str  # "x" or "y"
    at: float
    color: str = MUTED
    width: float = 0.7
    dash: str = "solid"


@dataclass(frozen=True, eq=False)
class Bars(Layer):
    """Bars at the positions 1, 2, …, vertical or horizontal."""

    lengths: np.ndarray
    labels: Sequence[str]
    color: str = INK
    lying: bool = False
    thickness: float = 0.72
    first: int = 1  # position of the first bar


@dataclass(frozen=True, eq=False)
class HeatMap(Layer):
    """A matrix as colours; the first row is at the top."""

    values: np.ndarray
    rows: Sequence[str]
    columns: Sequence[str]
    scale: ColorScale


@dataclass(frozen=True, eq=False)
class Labels(Layer):
    """Texts centred at an offset, in points, from where they belong."""

    at: np.ndarray  # where they belong, (k, 2) or, in space, (k, 3)
    texts: Sequence[str]
    offsets: np.ndarray  # (k, 2)
    colors: Sequence[str]
    leaders: np.ndarray  # whether a thin line joins the text to its point
    boxes: np.ndarray  # (k, 4): left, bottom, right, top of each text on its panel, in points
    rows: np.ndarray  # which of the elements to be named these are, (k,)
    bold: bool = False
    size: float = 8.0


MARKS = (Points, Arrows, Curve, Guide, Bars, HeatMap)  # layers of shapes, not of texts


@dataclass(frozen=True, eq=False)
class Axis:
    """A scale with its title; `ticks` (value, text) where they are names, () for none."""

    title: str
    limits: tuple[float, float]
    ticks: Sequence[tuple[float, str]] | None = None
    whole: bool = False  # only whole numbers are ticked
    line: bool = True
    upright: bool = False  # tick texts run upwards
    color: str = INK


@dataclass(frozen=True, eq=False)
class Panel:
    """A rectangle with its scales and layers; `z` makes it a view of space."""

    left: float
    bottom: float
    width: float
    height: float
    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    z: Axis | None = None
    equal: bool = False  # one unit is as long on both axes
    frame: bool = False
    view: tuple[float, float] = (20.0, -60.0)  # elevation and azimuth in space, degrees
    unit: float = 1.0  # how long a unit is in space, in points

    def to_page(self, at: np.ndarray) -> np.ndarray:
        """Return where points of the plane (n, 2) are on the panel, in points from its corner."""
        low, high = np.array([self.x.limits, self.y.limits]).T
        return (at - low) / (high - low) * [self.width, self.height]


@dataclass(frozen=True, eq=False)
class Legend:
    """The place of the legend (its upper left corner) and its title."""

    left: float
    top: float
    title: str = ""
    rows: int = 0  # in a column; 0 for all
    column: float = 0.0  # how wide a column is


@dataclass(frozen=True, eq=False)
class ColorBar:
    """The place of the colour bar of a colour scale."""

    scale: ColorScale
    left: float
    bottom: float
    height: float
    width: float = 9.0
    along: bool = False  # whether its title runs upwards beside it


@dataclass(frozen=True, eq=False)
class Figure:
    """The record of a figure: panels and layers; `numbers` holds the plotted values by name.

    Examples
    --------
    >>> record = gm.plots.scree(gm.PCA().fit(gm.datasets.iris().data), backend="none")
    >>> record.numbers["inertia"].round(1).tolist()
    [92.5, 5.3, 1.7, 0.5]
    """

    width: float
    height: float
    panels: tuple[Panel, ...]
    title: str = ""
    legend: Legend | None = None
    color_bar: ColorBar | None = None
    notes: tuple[str, ...] = ()
    theme: Theme = SCREEN
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        kinds = ", ".join(dict.fromkeys(type(layer).__name__ for layer in self.layers()))
        what = f"{len(self.panels)} panels, layers of {kinds or 'nothing'}"
        return f"Figure({what}; numbers: {', '.join(self.numbers) or 'none'})"

    def layers(self, kind: type | None = None) -> Iterator[Layer]:
        """Go through the layers of all panels, or those of one kind."""
        for panel in self.panels:
            yield from (layer for layer in panel.layers if kind is None or isinstance(layer, kind))
