"""Rows that are images, side by side: components, originals and reconstructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.check import is_list, is_whole, short, whole
from gramian._core.table import table
from gramian.errors import InputError
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.layout import finish
from gramian.plots.record import Axis, ColorScale, Figure, HeatMap, Panel
from gramian.plots.style import across, upwards
from gramian.plots.text import shorten

_SIDE, _GAP = 64.0, 8.0
_MAX_IMAGES = 60


@as_plot
def images(
    rows: Any,
    below: Any = None,
    *,
    shape: Sequence[int],
    n_images: int = 10,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw rows as images: the axes of a PCA, or originals and what is left of them.

    Parameters
    ----------
    rows : table (n, p), or a fitted PCA
        Of a PCA the components, each an image of the weights of the variables.
    below : table (n, p), optional
        Drawn below, row by row: reconstructions, say.
    shape : (int, int)
        Height and width of an image; p = height × width.
    n_images : int
        The first so many rows.

    Examples
    --------
    >>> import gramian as gm
    >>> digits = gm.datasets.digits().data
    >>> fit = gm.PCA(4).fit(digits)
    >>> len(gm.plots.images(fit, shape=(8, 8), backend="none").panels)
    4
    >>> again = fit.inverse_transform(fit.transform(digits[:5]))
    >>> len(gm.plots.images(digits[:5], again, shape=(8, 8), backend="none").panels)
    10
    """
    axes = getattr(rows, "components_", None)  # of any library
    upper, names = _read(rows if axes is None else axes, "rows", shape)
    if whole(n_images, "n_images") > _MAX_IMAGES:
        raise InputError(f"n_images={n_images} is too many for a figure: at most {_MAX_IMAGES}")
    if axes is not None:
        names = [f"axis {k + 1}" for k in range(len(upper))]
    lines = [upper[:n_images]]
    if below is not None:
        lines.insert(0, _read(below, "below", shape)[0][:n_images])
        if lines[0].shape != lines[1].shape:
            raise InputError("below has other rows than rows: give one for each")
    high = float(max(np.abs(line).max() for line in lines)) or 1.0
    signed = float(upper.min()) < 0  # a reconstruction may fall a little below what it is of
    scale = ColorScale(-high, high, "RdBu_r") if signed else ColorScale(0.0, high, "Greys")
    panels = [
        _panel(image, j, i, names[j] if i == len(lines) - 1 else "", scale)
        for i, line in enumerate(lines)
        for j, image in enumerate(line)
    ]
    return finish(panels, numbers={"images": upper[:n_images]})


def _read(values: Any, name: str, shape: Any) -> tuple[np.ndarray, list[str]]:
    """Return rows as images, (n, height, width), and their names."""
    sides = list(shape) if is_list(shape) else []
    if len(sides) != 2 or not all(is_whole(side) and side > 0 for side in sides):
        raise InputError(f"shape={short(shape)} must be the height and width of an image")
    rows = table(values, name, min_rows=1, allow_sparse=False)
    X = to_numpy(rows.values)
    if X.shape[1] != sides[0] * sides[1]:
        raise InputError(
            f"{name} has {X.shape[1]} columns, which are no image of {sides[0]} × {sides[1]}"
        )
    names = range(len(X)) if rows.index is None else rows.index
    return X.reshape(-1, *map(int, sides)), [shorten(str(label), 12) for label in names]


def _panel(image: np.ndarray, j: int, i: int, name: str, scale: ColorScale) -> Panel:
    m, n = image.shape
    wide, high = across(_SIDE), upwards(_SIDE * m / n)
    return Panel(
        left=j * (wide + _GAP),
        bottom=i * (high + _GAP + 14.0),
        width=wide,
        height=high,
        x=Axis(name, (0.5, n + 0.5), (), line=False),
        y=Axis("", (m + 0.5, 0.5), (), line=False),
        layers=(HeatMap(image, (), (), scale),),
    )
