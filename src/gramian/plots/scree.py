"""Scree plot, reconstruction error, and bar charts of cos² and contributions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any, Literal, Unpack

import numpy as np

from gramian._core.check import flag, one_of, whole
from gramian._core.frames import collect
from gramian._core.types import TableLike
from gramian._estimators.base import SpectralEstimator
from gramian._estimators.fit import Fit
from gramian._estimators.readings import Reading
from gramian._estimators.scaling.mds import ClassicalMDS
from gramian.errors import InputError, InputTypeError
from gramian.plots.cloud import row_weights
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import (
    Elements,
    check_axes,
    elements_of,
    individuals_of,
    require_kind,
    variables_of,
)
from gramian.plots.labels import Naming, label_layers, overlaps
from gramian.plots.layout import CURVES_HEIGHT, CURVES_WIDTH, around, empty_panel, single
from gramian.plots.matrices import matrix_of
from gramian.plots.record import Axis, Bars, Curve, Figure, Guide, Labels, Layer, Panel, Points
from gramian.plots.style import (
    ACCENT,
    BAR_COLOR,
    INK,
    MUTED,
    PALETTE,
    POINT_COLOR,
    SMALL,
    height,
    shorten,
    text_size,
    upwards,
    width,
)

_FEW_DECADES = 2.3  # orders, below which 2 and 5 are ticked as well as 1
_NEGLIGIBLE = 1e-15  # of the largest inertia: smaller ones are 0 but for rounding
_NEGLIGIBLE_SHARE = 1e-10  # of the largest eigenvalue, below which a negative one is rounding
_MAX_DENSE = 1_000  # rows up to which negative eigenvalues are found to be drawn
_MAX_MARKERS = 40  # points on a curve that can be distinguished
_BAR_LENGTH, _BAR_STEP = 300.0, 15.0
_MAX_BARRED = 200  # variables of which some have bars; of more the largest are about alike
_MIN_BAR_STEP = 11.0  # below which the names of neighbouring bars touch


@as_plot
def scree(
    fitted: SpectralEstimator,
    *,
    n_axes: int = 12,
    values: Literal["percent", "eigenvalues"] = "percent",
    scale: Literal["linear", "log", "log-log"] = "linear",
    reference: Any = None,
    cumulated: bool = True,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the scree plot: the inertia of each axis, and the cumulated inertia.

    Parameters
    ----------
    n_axes : int
        Number of axes, from the first on.
    values : "percent" or "eigenvalues"
        Inertia as a percentage of the total, or the eigenvalues themselves.
    scale : "linear", "log" or "log-log"
        Bars, or points on a logarithmic scale of the inertia, or of axis and inertia: exponential,
        or power-law, decay is then a straight line. Negative inertias, of an indefinite kernel, are
        hollow marks at their absolute values.
    reference : number, array, {name: number or array}, or an object with `.reference`, optional
        Eigenvalues to compare with, one for all axes or one for each: the reference values of a
        rule such as parallel analysis.
    cumulated : bool
        Draw the cumulated inertia too, in the unit of the bars; beside bars only.

    Notes
    -----
    For distances that are not Euclidean, shares are of Σ|λ|; with up to 1,000 rows, bars of the
    negative eigenvalues follow.

    Examples
    --------
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.scree(fit, backend="none").numbers["inertia"].round(1)
    array([73. , 22.9,  3.7,  0.5])
    """
    known = isinstance(fitted, Fit) and fitted.axis_inertias is not None
    require_kind(known, fitted, "fitted", "a fitted estimator with eigenvalues")
    percent = one_of(values, "values", ("percent", "eigenvalues")) == "percent"
    whole(n_axes, "n_axes")
    flag(cumulated, "cumulated")
    ratio, below = np.asarray(fitted.axis_shares, dtype=float), np.zeros(0)
    total = float(fitted.inertia_) or 1.0
    if isinstance(fitted, ClassicalMDS) and (negative := float(fitted.negative_inertia_)) > 0:
        # The total is less than its positive part: shares are of Σ|λ|, as in R's cmdscale.
        total += 2.0 * negative
        below = _negative(fitted)[-n_axes:] * (100.0 / total if percent else 1.0)
    own = 100.0 * ratio if percent else fitted.eigenvalues_
    inertia = np.asarray(own, dtype=float)[:n_axes]
    q = len(inertia)
    share = 100.0 * np.cumsum(ratio)[:q]
    # The inertia of tiny numbers is below all doubles; its shares are not.
    unit = 100.0 / total if percent else 1.0
    references = {name: curve[:q] * unit for name, curve in _references(reference, q).items()}
    label = "Inertia (%)" if percent else "Eigenvalue"
    numbers = {"inertia": inertia, "cumulated": share, "references": references, "negative": below}
    at = np.arange(1.0, q + 1.0)
    # The first of the palette is the bars' own; where the others run out, curves are dotted.
    looks = [(color, dash) for dash in ("dash", "dot") for color in (ACCENT, *PALETTE[2:])]
    curves = [
        Curve(at[: len(y)], y, color, width=1.4, dash=dash, marker_size=3.5, name=name)
        for (name, y), (color, dash) in zip(references.items(), cycle(looks), strict=False)
    ]
    if one_of(scale, "scale", ("linear", "log", "log-log")) != "linear":
        panel, layers, notes = _log_scree(inertia, label, curves, both=scale == "log-log")
        return single(panel, layers, notes=notes, numbers=numbers)
    highest = max(inertia.max(), *(curve.y.max() for curve in curves), 0.0)
    lowest = min(inertia.min(), below.min(initial=0.0))  # of indefinite kernels and distances
    last = (fitted.training_.n if below.size else 0) - np.arange(below.size)[::-1]
    ends = [f"{k:.0f}" for k in [*at, *last]]  # negative eigenvalues are the last ones
    bars = np.concatenate([inertia, below])
    layers = [Bars(bars, [f"Axis {k}" for k in ends], color=BAR_COLOR), *curves]
    line = share if percent else share / 100.0 * total
    if cumulated:  # in the unit of the bars: one axis serves both
        highest = max(highest, float(line.max()))
        layers.append(Curve(at, line, MUTED, marker_size=3.5, name="cumulated"))
    x = Axis("Axis", (0.4, len(bars) + 0.6), whole=True)
    if below.size:
        x = replace(x, ticks=[(k + 1.0, end) for k, end in enumerate(ends)])
    y = Axis(label, (1.08 * lowest, 1.08 * highest))
    panel = empty_panel(CURVES_WIDTH, CURVES_HEIGHT, x, y)
    if len(bars) <= 15 and not references:  # curves would run through the numbers
        layers.append(_tops(panel, inertia, line if cumulated else None))
        layers += [_tops(panel, below, None, q)] if below.size else []
    return single(panel, layers, numbers=numbers)


def _negative(fitted: ClassicalMDS) -> np.ndarray:
    """Return the negative eigenvalues, the last one first in size, where the distances are few."""
    training: Any = fitted.training_
    if training.kind == "gone" or training.n > _MAX_DENSE or fitted.negative_inertia_ <= 0:
        return np.zeros(0)
    matrix = matrix_of(fitted, None)
    w = row_weights(fitted, training.n)[matrix.rows]
    root = np.sqrt(w)
    B = -0.5 * matrix.distances**2
    B = B - B @ w - (w @ B)[:, None] + w @ B @ w
    values = np.linalg.eigvalsh(root[:, None] * B * root)[::-1]
    return values[values < -_NEGLIGIBLE_SHARE * values.max()]


def _tops(
    panel: Panel, inertia: np.ndarray, cumulated: np.ndarray | None, first: int = 0
) -> Labels:
    """Return the numbers above the bars, or inside where the cumulated line runs above."""
    texts = [_number(float(value)) for value in inertia]
    at = first + np.arange(1.0, len(texts) + 1.0)
    places = np.column_stack([at, np.maximum(inertia, 0.0)])
    size = text_size(SMALL)
    half = np.array([[width(text, size) / 2, height(size) / 2] for text in texts])
    above = np.tile([0.0, height(size) / 2 + 1.0], (len(texts), 1))
    if cumulated is not None:
        x, middle = (panel.to_page(places) + above).T
        line = panel.to_page(np.column_stack([places[:, 0], cumulated]))[:, 1]
        steps = np.linspace(-1.0, 1.0, 9) * (half[:, :1] + 2.0)
        under = np.interp(x[:, None] + steps, x, line) - middle[:, None]
        inside = (np.abs(under) < half[:, 1:] + 2.0).any(axis=1)
        above[inside, 1] = -above[inside, 1] - 5.0  # clear of the mark of the line
    centres = panel.to_page(places) + above
    boxes = np.hstack([centres - half, centres + half])  # in a small panel some may meet
    rows = np.flatnonzero([not overlaps(box, boxes[:k]).any() for k, box in enumerate(boxes)])
    return Labels(
        at=places[rows],
        texts=[texts[k] for k in rows],
        offsets=above[rows],
        colors=[INK] * len(rows),
        leaders=np.zeros(len(rows), dtype=bool),
        boxes=boxes[rows],
        rows=rows,
        size=size,
    )


def _number(value: float) -> str:
    """Return a number in few digits, with a true minus sign."""
    text = f"{abs(value):.1f}" if 0.05 <= abs(value) < 1e4 else f"{abs(value):.2g}"
    return f"−{text}" if value < 0 else text


def _references(reference: Any, q: int) -> dict[str, np.ndarray]:
    """Return the curves to compare with under their names, at most q values each."""
    if reference is None:
        return {}
    if hasattr(reference, "reference"):
        reference = reference.reference
    several = isinstance(reference, Mapping) or hasattr(reference, "columns")  # or a data frame
    named = reference if several else {"reference": reference}
    curves = {}
    for name, values in named.items():
        try:
            curve = np.asarray(values, dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"reference {name!r} is not a curve: give eigenvalues") from error
        if curve.ndim == 0:  # one number stands for every axis
            curve = np.full(q, float(curve))
        if curve.ndim != 1 or curve.size == 0 or not np.isfinite(curve).all():
            raise InputError(f"reference {name!r} must hold finite eigenvalues, one per axis")
        curves[shorten(name)] = curve
    return curves


def _log_axis(title: str, values: np.ndarray) -> Axis:
    """Return the scale of positive values that are drawn at their logarithms to base 10."""
    low, high = around(np.log10(values))
    steps = (1, 2, 5) if high - low < _FEW_DECADES else (1,)
    orders = range(int(np.floor(low)) - 1, int(np.ceil(high)) + 1)
    every = -(-len(orders) // 10)  # at most ten orders have a text
    ticks = [(k + np.log10(s), s * 10.0**k) for k in orders if k % every == 0 for s in steps]
    shown = tuple((float(at), f"{value:g}") for at, value in ticks if low <= at <= high)
    return Axis(title, (low, high), shown)


def _log_scree(
    inertia: np.ndarray, label: str, references: Sequence[Curve], *, both: bool
) -> tuple[Panel, list[Layer], list[str]]:
    """Return panel, layers and notes: inertias at their logarithms, negative ones by modulus."""
    size = np.abs(inertia)
    live = size > _NEGLIGIBLE * size.max()
    if not live.any():
        raise InputError('scale="log": all inertias are 0, which has no logarithm: use "linear"')
    k = np.arange(1.0, len(inertia) + 1.0)
    x = np.log10(k) if both else k
    y = np.log10(size, out=np.zeros_like(size), where=live)
    above, below = live & (inertia > 0), live & (inertia < 0)
    layers: list[Layer] = [Curve(x[above], y[above], POINT_COLOR, marker_size=4.0)]
    for curve in references:
        up = curve.y > 0
        at, heights = x[: len(up)][up], np.log10(curve.y[up])
        layers.append(Curve(at, heights, curve.color, dash=curve.dash, name=curve.name))
    if below.any():
        xy, names = np.column_stack([x, y])[below], [f"Axis {axis:.0f}" for axis in k[below]]
        look: dict[str, Any] = {"size": 6.0, "marker": "triangle-down", "filled": False}
        layers.append(Points(xy, ACCENT, labels=names, name="negative: modulus", **look))
    known = np.concatenate([size[live], *(curve.y[curve.y > 0] for curve in references)])
    axis = _log_axis("Axis", k) if both else Axis("Axis", (0.4, len(k) + 0.6), whole=True)
    panel = empty_panel(CURVES_WIDTH, CURVES_HEIGHT, axis, _log_axis(label, known))
    idle = int((~live).sum())
    return panel, layers, [f"{idle} axes of inertia 0 are left out"] if idle else []


@as_plot
def reconstruction(
    fitted: SpectralEstimator,
    X: TableLike | None = None,
    *,
    relative: bool = True,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the reconstruction error of points from their first q axes.

    Parameters
    ----------
    X : table, optional
        New rows; the error of the fit is drawn beside theirs if the fit keeps its rows.
    relative : bool
        Draw the error as a share of that for q = 0, the total inertia.

    Examples
    --------
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.reconstruction(fit, backend="none").numbers["fit"].round(1).tolist()
    [100.0, 27.0, 4.2, 0.5, 0.0]
    """
    if not hasattr(fitted, "reconstruction_error"):
        raise InputTypeError(
            f"fitted: {type(fitted).__name__} has no error of reconstruction: give a fitted PCA, "
            "kernel PCA or classical MDS"
        )
    flag(relative, "relative")
    errors = {}
    if X is None or not fitted.is_streamed:
        errors["fit"] = fitted.reconstruction_error()
    if X is not None:
        errors["new rows"] = fitted.reconstruction_error(collect(X))
    curves = {k: 100.0 * e.relative if relative else e.total for k, e in errors.items()}
    label = "Error of reconstruction (% of the inertia)" if relative else "Error of reconstruction"
    highest = max(float(curve.max()) for curve in curves.values())
    last = max(len(curve) for curve in curves.values()) - 1
    x = Axis("Number of axes q", (-0.03 * last, last + 0.03 * last), whole=True)
    y = Axis(label, (-0.02 * highest, 1.05 * highest))
    layers = [
        Curve(
            curve.index.to_numpy(dtype=float),
            curve.to_numpy(),
            PALETTE[k],
            width=1.5,
            marker_size=4.0 if len(curve) <= _MAX_MARKERS else 0.0,
            name=name if len(curves) > 1 else "",  # a curve alone needs no legend
        )
        for k, (name, curve) in enumerate(curves.items())
    ]
    numbers = {name: curve.to_numpy() for name, curve in curves.items()}
    return single(empty_panel(CURVES_WIDTH, CURVES_HEIGHT, x, y), layers, numbers=numbers)


@as_plot
def cos2(
    fitted: Reading,
    axis: int | Sequence[int] = 1,
    *,
    of: Literal["individuals", "variables", "categories"] = "individuals",
    top: int = 20,
    X: TableLike | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the largest squared cosines, the quality of representation on one or more axes.

    Parameters
    ----------
    axis : int or several
        Counted from 1; squared cosines of several axes add up.

    Examples
    --------
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.cos2(fit, of="variables", backend="none").numbers["values"].round(3)
    array([0.983, 0.931, 0.792, 0.212])
    """
    elements, axes = _elements(fitted, axis, of, X)
    if elements.cos2 is None:
        raise InputError(f"fitted: {type(fitted).__name__} has no squared cosines")
    return _bars(elements, elements.cos2, f"cos² on {axes}", top)


@as_plot
def contributions(
    fitted: Reading,
    axis: int | Sequence[int] = 1,
    *,
    of: Literal["individuals", "variables", "categories"] = "individuals",
    top: int = 20,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the largest contributions to an axis, or to several axes together.

    The dashed line is the mean contribution.

    Parameters
    ----------
    axis : int or several
        Counted from 1. The contribution to several axes is to the inertia they have together.

    Examples
    --------
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> record = gm.plots.contributions(fit, of="variables", backend="none")
    >>> record.numbers["values"].round(1).tolist(), record.numbers["uniform"]
    ([33.7, 31.9, 27.2, 7.3], 25.0)
    """
    if getattr(fitted, "is_streamed", False) and of == "individuals":
        raise InputError(
            "of='individuals': the fit was made of blocks of rows, and kept none: use "
            "of='variables', or cos2(fit, X=sample)"
        )
    elements, axes = _elements(fitted, axis, of)
    if elements.contribution is None:
        raise InputError(f"fitted: {type(fitted).__name__} has no contributions: use cos2")
    n = len(elements.index)
    if of == "individuals":
        n = int((row_weights(fitted, n) > 0).sum())
    values, label = 100.0 * elements.contribution, f"Contribution to {axes} (%)"
    if of != "individuals" and n > _MAX_BARRED:
        return _by_rank(elements, values, label, top, 100.0 / n)
    return _bars(elements, values, label, top, uniform=100.0 / n)


def _elements(
    fitted: Reading, axis: int | Sequence[int], of: str, X: TableLike | None = None
) -> tuple[Elements, str]:
    """Return individuals (those of X, where it is given), variables or categories, and the axes."""
    axes = check_axes(fitted, axis if isinstance(axis, Sequence) else (axis,))
    several = f"axes {', '.join(map(str, axes[:-1]))} and {axes[-1]}"
    text = f"axis {axes[0]}" if len(axes) == 1 else several
    if one_of(of, "of", ("individuals", "variables", "categories")) == "individuals":
        return individuals_of(fitted, axes, X), text
    if X is not None:
        raise InputError(f"X holds rows, but of={of!r}: leave one of them out")
    if of == "variables":
        return variables_of(fitted, axes), text
    table = fitted.axis_elements()
    if table is None:
        raise InputError(f"of='categories': {type(fitted).__name__} has none of its own")
    return elements_of(fitted, table, axes), text


def _by_rank(
    elements: Elements, values: np.ndarray, label: str, top: int, uniform: float
) -> Figure:
    """Return the values in descending order against their rank, the largest with their names."""
    order = np.argsort(-values, kind="stable")
    n, k = len(values), whole(top, "top", 1)
    at = np.column_stack([np.log10(np.arange(1.0, n + 1.0)), values[order]])
    best = elements.take(order[:k])
    ticks = [(float(j), str(10**j)) for j in range(int(np.log10(n)) + 1)]
    x = Axis("Rank", (-0.06 * at[-1, 0], 1.02 * at[-1, 0]), ticks)
    panel = empty_panel(CURVES_WIDTH, CURVES_HEIGHT, x, Axis(label, (0.0, 1.1 * at[0, 1] or 1.0)))
    layers: list[Layer] = [
        Curve(at[:, 0], at[:, 1], BAR_COLOR, width=1.5),
        Guide("y", uniform, ACCENT, 1.2, "dash", name=f"uniform ({uniform:.3g} %)"),
        Points(at[:k], BAR_COLOR, labels=best.labels),
        *label_layers(panel, [Naming(at[:k], best.labels, patience=5.0)], [panel.to_page(at[::9])]),
    ]
    notes = [f"names of the {k} largest of {n}"]
    numbers = {"values": values[order[:k]], "labels": best.labels, "uniform": uniform}
    return single(panel, layers, notes=notes, numbers=numbers)


def _bars(
    elements: Elements, values: np.ndarray, label: str, top: int, uniform: float | None = None
) -> Figure:
    """Return the bars of the largest values, with a line at the value that all would share."""
    whole(top, "top")
    base = _BAR_STEP * min(top, len(values)) + 8.0  # the first bar at its top
    fits = max(int((upwards(base) - 8.0) / _MIN_BAR_STEP), 1)  # in a small panel, with their names
    order = np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")[: min(top, fits)]
    lengths, names = values[order], elements.take(order).labels
    layers: list[Layer] = [Bars(lengths, names, color=BAR_COLOR, lying=True)]
    highest = float(np.nanmax(lengths))
    if uniform is not None:
        layers.append(Guide("x", uniform, ACCENT, 1.2, "dash", name=f"uniform ({uniform:.3g} %)"))
        highest = max(highest, uniform)
    k, n = len(order), len(values)
    ticks = [(float(j), shorten(name, 32)) for j, name in enumerate(names, start=1)]
    x, y = Axis(label, (0.0, 1.04 * highest or 1.0)), Axis("", (k + 0.6, 0.4), ticks, line=False)
    panel = empty_panel(_BAR_LENGTH, base, x, y)
    notes = [f"the {k} largest of {n}"] if k < n else []
    numbers = {"values": lengths, "labels": names, "uniform": uniform}
    return single(panel, layers, notes=notes, numbers=numbers)
