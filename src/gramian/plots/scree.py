"""What each axis adds: the scree plot, and the error of reconstruction."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd

from gramian._core.check import flag, one_of, whole
from gramian._core.frames import collect
from gramian._core.types import TableLike
from gramian._estimators.base import SpectralEstimator
from gramian._estimators.fit import Fit
from gramian.errors import InputError, InputTypeError
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import require_kind
from gramian.plots.layout import CURVES_HEIGHT, CURVES_WIDTH, around, empty_panel, single
from gramian.plots.record import Axis, Bars, Curve, Figure, Labels, Layer, Panel, Points
from gramian.plots.style import (
    ACCENT,
    BAR_COLOR,
    INK,
    MUTED,
    PALETTE,
    POINT_COLOR,
    SMALL,
    text_size,
)
from gramian.plots.text import height, shorten, width

_FEW_DECADES = 2.3  # orders, below which 2 and 5 are ticked as well as 1
_NEGLIGIBLE = 1e-15  # of the largest inertia: smaller ones are 0 but for rounding
_MAX_MARKERS = 40  # points on a curve that can be distinguished


@as_plot
def scree(
    fitted: SpectralEstimator,
    *,
    n_axes: int = 12,
    values: str = "percent",
    scale: str = "linear",
    reference: Any = None,
    cumulated: bool = True,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the inertia of each axis, and the inertia cumulated.

    Parameters
    ----------
    n_axes : int
        The first so many axes.
    values : "percent" or "eigenvalues"
        Inertia as a share of the total, or as it is.
    scale : "linear", "log" or "log-log"
        Bars, or points at the logarithms of the inertia, or of axis and inertia both: a decay by
        a factor, or by a power, is a straight line there. Negative inertias, those of an
        indefinite kernel, are hollow marks at their moduli.
    reference : number, array, {name: number or array}, or an object with `.reference`, optional
        Eigenvalues to compare with, one for all axes or one for each: the reference values of a
        rule such as parallel analysis.
    cumulated : bool
        Draw the cumulated share of the inertia, measured on the right; beside bars only.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.scree(fit, backend="none").numbers["inertia"].round(1)
    array([73. , 22.9,  3.7,  0.5])
    """
    _check(fitted, n_axes, values)
    own = 100.0 * fitted.inertia_ratio_ if values == "percent" else fitted.eigenvalues_
    inertia = np.asarray(own, dtype=float)[:n_axes]
    q = len(inertia)
    share = 100.0 * np.cumsum(fitted.inertia_ratio_)[:q]
    # The inertia of tiny numbers is below all doubles; its shares are not.
    unit = 100.0 / (fitted.inertia_ or 1.0) if values == "percent" else 1.0
    references = {name: curve[:q] * unit for name, curve in _references(reference, q).items()}
    label = "Inertia (%)" if values == "percent" else "Eigenvalue"
    numbers = {"inertia": inertia, "cumulated": share, "references": references}
    flag(cumulated, "cumulated")
    if one_of(scale, "scale", ("linear", "log", "log-log")) != "linear":
        curves, both = _reference_curves(references), scale == "log-log"
        panel, layers, notes = _log_scree(inertia, label, curves, both=both)
        return single(panel, layers, notes=notes, numbers=numbers)
    panel = _scree_panel(label, inertia, [*references.values()], cumulated)
    layers = [_bars(inertia), *_reference_curves(references)]
    if cumulated:
        layers.append(_cumulative_curve(share, name="cumulated" if references else ""))
    if q <= 15 and not references:  # curves would run through the numbers
        layers.append(_tops(panel, inertia, share if cumulated else None))
    return single(panel, layers, numbers=numbers)


def _check(fitted: SpectralEstimator, n_axes: int, values: str) -> None:
    known = isinstance(fitted, Fit) and fitted.axis_inertias is not None
    require_kind(known, fitted, "fitted", "a fitted estimator with eigenvalues")
    one_of(values, "values", ("percent", "eigenvalues"))
    whole(n_axes, "n_axes")


def _scree_panel(
    label: str, inertia: np.ndarray, curves: list[np.ndarray], cumulated: bool
) -> Panel:
    """Return the empty panel, high enough for the bars and for the curves beside them."""
    highest = max(inertia.max(), *(curve.max() for curve in curves), 0.0)
    lowest = min(inertia.min(), 0.0)  # an indefinite kernel may have axes of negative inertia
    second = None
    if cumulated:  # the zeros of both scales stand at one height
        second = Axis("Cumulated inertia (%)", (108.0 * lowest / highest, 108.0), color=MUTED)
    x = Axis("Axis", (0.4, len(inertia) + 0.6), whole=True)
    y = Axis(label, (1.08 * lowest, 1.08 * highest))
    return empty_panel(CURVES_WIDTH, CURVES_HEIGHT, x, y, y2=second)


def _positions(values: np.ndarray) -> np.ndarray:
    """Return where axes stand: at their numbers."""
    return np.arange(1.0, len(values) + 1.0)


def _bars(inertia: np.ndarray) -> Bars:
    return Bars(inertia, [f"Axis {k:.0f}" for k in _positions(inertia)], color=BAR_COLOR)


def _reference_curves(references: Mapping[str, np.ndarray]) -> list[Curve]:
    # The first of the palette is the bars' own; where the others run out, curves are dotted.
    looks = [(color, dash) for dash in ("dash", "dot") for color in (ACCENT, *PALETTE[2:])]
    return [
        Curve(_positions(curve), curve, color, width=1.4, dash=dash, marker_size=3.5, name=name)
        for (name, curve), (color, dash) in zip(references.items(), cycle(looks), strict=False)
    ]


def _cumulative_curve(share: np.ndarray, name: str) -> Curve:
    return Curve(_positions(share), share, MUTED, marker_size=3.5, secondary=True, name=name)


def _tops(panel: Panel, inertia: np.ndarray, share: np.ndarray | None) -> Labels:
    """Return the numbers above the bars, or inside where the cumulated line runs above."""
    texts = [_number(float(value)) for value in inertia]
    places = np.column_stack([_positions(inertia), np.maximum(inertia, 0.0)])
    size = text_size(SMALL)
    half = np.array([[width(text, size) / 2, height(size) / 2] for text in texts])
    above = np.tile([0.0, height(size) / 2 + 1.0], (len(texts), 1))
    if share is not None and panel.y2 is not None:
        line = panel.height * (share - panel.y2.limits[0]) / np.ptp(panel.y2.limits)
        above[_line_crosses(panel.to_page(places) + above, half, line), 1] *= -1.0
    centres = panel.to_page(places) + above
    return Labels(
        at=places,
        texts=texts,
        offsets=above,
        colors=[INK] * len(texts),
        leaders=np.zeros(len(texts), dtype=bool),
        boxes=np.hstack([centres - half, centres + half]),
        rows=np.arange(len(texts)),
        size=size,
    )


def _number(value: float) -> str:
    """Return a number in few digits, with a true minus sign."""
    text = f"{abs(value):.1f}" if 0.05 <= abs(value) < 1e4 else f"{abs(value):.2g}"
    return f"−{text}" if value < 0 else text


def _line_crosses(centres: np.ndarray, half: np.ndarray, line: np.ndarray) -> np.ndarray:
    """Return which texts a line through the middles of the bars runs through, (q,) bool."""
    x = centres[:, 0]
    steps = np.linspace(-1.0, 1.0, 9) * (half[:, :1] + 2.0)
    at = np.interp(x[:, None] + steps, x, line)
    return np.asarray((np.abs(at - centres[:, 1:]) < half[:, 1:] + 2.0).any(axis=1))


def _references(reference: Any, q: int) -> dict[str, np.ndarray]:
    """Return the curves to compare with under their names, at most q values each."""
    if reference is None:
        return {}
    if hasattr(reference, "reference"):
        reference = reference.reference
    several = isinstance(reference, Mapping) or hasattr(reference, "columns")  # or a data frame
    named = reference if several else {"reference": reference}
    return {shorten(name): _reference_values(name, values, q) for name, values in named.items()}


def _reference_values(name: object, values: npt.ArrayLike, q: int) -> np.ndarray:
    """Return eigenvalues to compare with; one number stands for every axis."""
    try:
        curve = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"reference {name!r} is not a curve: give eigenvalues") from error
    if curve.ndim == 0:
        curve = np.full(q, float(curve))
    if curve.ndim != 1 or curve.size == 0 or not np.isfinite(curve).all():
        raise InputError(f"reference {name!r} must hold finite eigenvalues, one per axis")
    return curve


def _log_axis(title: str, values: np.ndarray) -> Axis:
    """Return the scale of positive values that are drawn at their logarithms to base 10.

    >>> _log_axis("λ", np.array([0.03, 40.0])).ticks
    ((-1.0, '0.1'), (0.0, '1'), (1.0, '10'))
    """
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
    layers += [_log_curve(curve, x) for curve in references]
    if below.any():
        layers.append(_negative(x[below], y[below], k[below]))
    known = np.concatenate([size[live], *(curve.y[curve.y > 0] for curve in references)])
    axis = _log_axis("Axis", k) if both else Axis("Axis", (0.4, len(k) + 0.6), whole=True)
    panel = empty_panel(CURVES_WIDTH, CURVES_HEIGHT, axis, _log_axis(label, known))
    idle = int((~live).sum())
    return panel, layers, [f"{idle} axes of inertia 0 are left out"] if idle else []


def _log_curve(curve: Curve, x: np.ndarray) -> Curve:
    """Return a curve to compare with, at the logarithms of its values."""
    live = curve.y > 0
    at = x[: len(curve.y)][live]
    return Curve(at, np.log10(curve.y[live]), curve.color, dash=curve.dash, name=curve.name)


def _negative(x: np.ndarray, y: np.ndarray, axes: np.ndarray) -> Points:
    look: dict[str, Any] = {"size": 6.0, "marker": "triangle-down", "filled": False}
    names = [f"Axis {number:.0f}" for number in axes]
    return Points(np.column_stack([x, y]), ACCENT, labels=names, name="negative: modulus", **look)


@as_plot
def reconstruction(
    fitted: SpectralEstimator,
    X: TableLike | None = None,
    *,
    relative: bool = True,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw what is lost when points are replaced by their projections on the first q axes.

    Parameters
    ----------
    X : table, optional
        New rows; the error of the fit is drawn beside theirs, where it keeps its rows.
    relative : bool
        As a share of the error for q = 0, which is the total inertia.

    Examples
    --------
    >>> import gramian as gm
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
    numbers = {name: curve.to_numpy() for name, curve in curves.items()}
    return single(_error_panel(label, curves), _error_curves(curves), numbers=numbers)


def _error_curves(curves: Mapping[str, pd.Series]) -> list[Curve]:
    return [
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


def _error_panel(label: str, curves: Mapping[str, pd.Series]) -> Panel:
    highest = max(float(curve.max()) for curve in curves.values())
    last = max(len(curve) for curve in curves.values()) - 1
    pad = 0.03 * last
    x = Axis("Number of axes q", (-pad, last + pad), whole=True)
    y = Axis(label, (-0.02 * highest, 1.05 * highest))
    return empty_panel(CURVES_WIDTH, CURVES_HEIGHT, x, y)
