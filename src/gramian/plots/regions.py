"""Decision regions of a classifier, in the plane of two columns."""

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import pandas as pd
from scipy.ndimage import distance_transform_edt

from gramian._core.array import to_dense
from gramian._core.check import whole
from gramian._core.numbers import as_array, refuse_masks
from gramian._core.table import table
from gramian._core.types import TableLike, VectorLike
from gramian._estimators.foreign.outside import is_fitted_classifier
from gramian.errors import InputError, InputTypeError
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import column_positions
from gramian.plots.labels import Naming, label_layers
from gramian.plots.layout import columns_panel, single
from gramian.plots.record import Curve, Figure, Layer, Points
from gramian.plots.style import (
    TEXT,
    clean,
    few_enough,
    look_of,
    natural_order,
    point_size,
    shorten,
    text_color,
)

_REGION_OPACITY = 0.22


@as_plot
def regions(
    fitted: Any,
    X: TableLike,
    y: VectorLike | None = None,
    *,
    columns: Sequence[Any] = (0, 1),
    resolution: int = 200,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the decision regions of a classifier in a plane, and points on it.

    Parameters
    ----------
    fitted : fitted classifier
        It needs `predict` and `classes_`; `predict_proba`, if available, smooths the borders.
    X : table (n, p)
        Points to show, which determine the limits of the plane.
    y : array (n,), optional
        Their classes; the predicted ones by default.
    columns : pair of positions or names
        The columns of the plane; all others are fixed at their medians.
    resolution : int
        Number of grid points along each side.

    Examples
    --------
    >>> rings = gm.datasets.rings()
    >>> fit = gm.KernelLogisticRegression().fit(rings.data, rings.groups["ring"])
    >>> figure = gm.plots.regions(fit, rings.data, rings.groups["ring"], backend="none")
    >>> round(float((figure.numbers["classes"] == "radius 1").mean()), 1)
    0.2
    """
    if not is_fitted_classifier(fitted):
        raise InputTypeError(
            f"fitted must be a fitted classifier, got {type(fitted).__name__}: call fit first"
        )
    if str(getattr(fitted, "kernel", "")) == "precomputed":
        raise InputError("fitted: a precomputed kernel cannot be evaluated elsewhere in the plane")
    rows = table(X, "X", min_rows=1)
    values = to_dense(rows.values)
    pair = column_positions(columns, rows.columns, values.shape[1])
    if len(pair) != 2 or pair[0] == pair[1]:
        raise InputError(f"columns={tuple(columns)!r} must name two different columns")
    whole(resolution, "resolution", 2)
    names = [f"x{k + 1}" if rows.columns is None else clean(rows.columns[k]) for k in pair]
    panel = columns_panel(values[:, pair], names)
    gx, gy = (np.linspace(*axis.limits, resolution) for axis in (panel.x, panel.y))
    # A row for every place of the plane, x running first; other columns at their medians.
    grid: Any = np.tile(np.median(values, axis=0), (gx.size * gy.size, 1))
    grid[:, pair[0]], grid[:, pair[1]] = np.tile(gx, gy.size), np.repeat(gy, gx.size)
    if rows.columns is not None:  # a classifier that was fitted on names wants them
        grid = pd.DataFrame(grid, columns=rows.columns)
    classes = np.asarray(fitted.classes_)
    order = natural_order([str(label) for label in classes])
    if hasattr(fitted, "predict_proba"):  # largest at the class predicted, (m, c)
        scores = np.asarray(fitted.predict_proba(grid), dtype=float)
    else:
        scores = (np.asarray(fitted.predict(grid))[:, None] == classes[None, :]).astype(float)
    scores = scores[:, order].reshape(resolution, resolution, -1)
    classes = classes[order]
    looks = [look_of(k) for k in range(len(classes))]
    layers: list[Layer] = [
        Curve(*outline, color, width=0.0, fill=_REGION_OPACITY)
        for outline, (color, _, _) in zip(_outlines(scores, gx, gy), looks, strict=True)
        if len(outline[0])
    ]
    refuse_masks(y, "y")
    known = as_array(fitted.predict(X) if y is None else y, "y")
    if known.shape != (len(values),):
        raise InputError(f"y has shape {known.shape} but X has {len(values)} rows: give one each")
    layers += _points(values[:, pair], known, classes, looks)
    best = scores.argmax(axis=2)
    if not few_enough(len(classes)):
        places, texts, inks = [], [], []
        for k, label in enumerate(classes):
            if (best == k).any():  # its name stands where it is the only one far around
                depth = distance_transform_edt(np.pad(best == k, 1))[1:-1, 1:-1]
                i, j = np.unravel_index(int(depth.argmax()), depth.shape)
                places.append((gx[j], gy[i]))
                texts.append(shorten(str(label)))
                inks.append(text_color(looks[k][0]))
        naming = Naming(np.array(places), texts, inks, 0.0, bold=True, size=TEXT)
        layers += label_layers(panel, [naming], [panel.to_page(values[:, pair])])
    notes = [] if values.shape[1] == 2 else ["other columns are held at their medians"]
    numbers = {"x": gx, "y": gy, "classes": classes[best]}
    heading = "class" if y is not None else "predicted"
    return single(panel, layers, legend_title=heading, notes=notes, numbers=numbers)


def _outlines(
    scores: np.ndarray, gx: np.ndarray, gy: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the region of each class as one closed line: a strip for each row of the grid.

    Strips end where the scores of two neighbours cross; the line visits them from one corner and
    back, which encloses nothing more.
    """
    half = 0.5 * (gy[1] - gy[0])
    paths: list[list[tuple[float, float]]] = [[] for _ in range(scores.shape[2])]
    for row, y in zip(scores, gy, strict=True):
        best = row.argmax(axis=1)
        ends = np.flatnonzero(best[1:] != best[:-1])
        cuts = [gx[0], *(_crossing(row, gx, best, int(i)) for i in ends), gx[-1]]
        firsts = [0, *(ends + 1)]
        low, high = max(y - half, gy[0]), min(y + half, gy[-1])
        for first, a, b in zip(firsts, cuts[:-1], cuts[1:], strict=True):
            path = paths[best[first]]
            strip = [(a, low), (b, low), (b, high), (a, high), (a, low)]
            path += [*strip, path[0]] if path else strip
    return [(np.array([p[0] for p in path]), np.array([p[1] for p in path])) for path in paths]


def _crossing(row: np.ndarray, gx: np.ndarray, best: np.ndarray, i: int) -> float:
    """Return where the class at place i gives way to that at place i + 1."""
    before, after = best[i], best[i + 1]
    lead = row[i : i + 2, before] - row[i : i + 2, after]
    share = lead[0] / (lead[0] - lead[1]) if lead[0] > lead[1] else 0.5
    return float(gx[i] + share * (gx[i + 1] - gx[i]))


def _points(
    at: np.ndarray, known: np.ndarray, classes: np.ndarray, looks: list[tuple[str, str, bool]]
) -> list[Layer]:
    strange = [label for label in pd.unique(known) if label not in classes]
    if strange:
        raise InputError(f"y has {str(strange[0])[:40]!r}, which is not one of the fit's classes")
    size, marked = point_size(len(at)), not few_enough(len(classes))
    points: list[Layer] = []
    for label, (color, marker, filled) in zip(classes, looks, strict=True):
        if (own := known == label).any():
            mark, name = marker if marked else "circle", shorten(str(label))
            points.append(Points(at[own], color, size=size, marker=mark, filled=filled, name=name))
    return points
