"""Curves over the axes: the scree plot and the error of reconstruction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gramian.errors import InputError, InputTypeError
from gramian.plots.backends import draw
from gramian.plots.layout import single
from gramian.plots.record import Axis, Bars, Curve, Labels, Layer, Panel
from gramian.plots.style import ACCENT, BAR_COLOR, INK, MUTED, PALETTE
from gramian.plots.text import height, shorten, width

__all__ = ["reconstruction", "scree"]

_WIDTH, _HEIGHT = 380.0, 230.0
# Of references: as many as there are colours are dashed, and as many again dotted.
_LOOKS = tuple((color, dash) for dash in ("dash", "dot") for color in (ACCENT, *PALETTE[2:]))


def scree(
    fitted: Any,
    *,
    n_axes: int = 12,
    values: str = "percent",
    reference: Any = None,
    cumulated: bool = True,
    title: str = "",
    backend: str = "matplotlib",
) -> Any:
    """Draw the inertia of each axis, and the inertia cumulated.

    Parameters
    ----------
    fitted : fitted estimator
    n_axes : int
        The first so many axes.
    values : "percent" or "eigenvalues"
        Inertia as a share of the total, or as it is.
    reference : number, array, {name: number or array}, or an object with `.reference`, optional
        Eigenvalues to compare with, one for all axes or one for each: the reference values of a
        rule such as parallel analysis.
    cumulated : bool
        Draw the cumulated share of the inertia, measured on the right.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    >>> gm.plots.scree(fit, backend="none").numbers["inertia"].round(1)
    array([73. , 22.9,  3.7,  0.5])
    """
    if not hasattr(fitted, "eigenvalues_"):
        raise InputTypeError(
            f"fitted must be a fitted estimator with eigenvalues, got {type(fitted).__name__}"
        )
    if values not in ("percent", "eigenvalues"):
        raise InputError(f'values={values!r} must be "percent" or "eigenvalues"')
    if n_axes < 1:
        raise InputError(f"n_axes={n_axes!r} must be at least 1")
    unit = 100.0 / fitted.inertia_ if values == "percent" else 1.0
    inertia = np.asarray(fitted.eigenvalues_, dtype=float)[:n_axes] * unit
    share = 100.0 * np.cumsum(fitted.inertia_ratio_)[: len(inertia)]
    q = len(inertia)
    at = np.arange(1.0, q + 1.0)
    references = {name: curve[:q] * unit for name, curve in _references(reference, q).items()}
    layers: list[Layer] = [Bars(inertia, [f"Axis {k:.0f}" for k in at], color=BAR_COLOR)]
    for k, (name, curve) in enumerate(references.items()):
        x, (color, dash) = at[: len(curve)], _LOOKS[k % len(_LOOKS)]
        layers.append(Curve(x, curve, color, width=1.4, dash=dash, marker_size=3.5, name=name))
    highest = max(inertia.max(), *(curve.max() for curve in references.values()), 0.0)
    lowest = min(inertia.min(), 0.0)
    second = None
    if cumulated:
        name = "cumulated" if references else ""
        layers.append(Curve(at, share, MUTED, marker_size=3.5, secondary=True, name=name))
        second = Axis("Cumulated inertia (%)", (108.0 * lowest / highest, 108.0), color=MUTED)
    panel = Panel(
        left=0.0,
        bottom=0.0,
        width=_WIDTH,
        height=_HEIGHT,
        x=Axis("Axis", (0.4, q + 0.6), whole=True),
        y=Axis(
            "Inertia (%)" if values == "percent" else "Eigenvalue", (1.08 * lowest, 1.08 * highest)
        ),
        y2=second,
        layers=(),
    )
    if q <= 15 and not references:  # curves would run through the numbers
        layers.append(_tops(panel, at, inertia))
    numbers = {"inertia": inertia, "cumulated": share, "references": references}
    return draw(single(panel, layers, title=title, numbers=numbers), backend)


def _tops(panel: Panel, at: np.ndarray, inertia: np.ndarray) -> Labels:
    """Return the numbers above the bars."""
    texts = [f"{value:.1f}" if 0.05 <= abs(value) < 1e4 else f"{value:.2g}" for value in inertia]
    places = np.column_stack([at, np.maximum(inertia, 0.0)])
    half = np.array([[width(text) / 2, height() / 2] for text in texts])
    above = np.array([0.0, height() / 2 + 1.0])
    centres = panel.to_page(places) + above
    return Labels(
        at=places,
        texts=texts,
        offsets=np.tile(above, (len(at), 1)),
        colors=[INK] * len(at),
        leaders=np.zeros(len(at), dtype=bool),
        boxes=np.hstack([centres - half, centres + half]),
        rows=np.arange(len(at)),
    )


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
        if curve.ndim == 0:
            curve = np.full(q, float(curve))
        if curve.ndim != 1 or curve.size == 0 or not np.isfinite(curve).all():
            raise InputError(f"reference {name!r} must hold finite eigenvalues, one per axis")
        curves[shorten(name)] = curve
    return curves


def reconstruction(
    fitted: Any,
    X: Any = None,
    *,
    relative: bool = True,
    title: str = "",
    backend: str = "matplotlib",
) -> Any:
    """Draw what is lost when points are replaced by their projections on the first q axes.

    Parameters
    ----------
    fitted : fitted estimator
    X : table, optional
        New rows; the error of the fit is drawn beside theirs.
    relative : bool
        As a share of the error for q = 0, which is the total inertia.
    title : str
    backend : "matplotlib", "plotly" or "none"

    Returns
    -------
    The backend's own figure; the record of what is drawn for "none".

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
    found = {"fit": fitted.reconstruction_error()}
    if X is not None:
        found["new rows"] = fitted.reconstruction_error(X)
    curves = {k: 100.0 * e.relative if relative else e.total for k, e in found.items()}
    layers = [
        Curve(
            curve.index.to_numpy(dtype=float),
            curve.to_numpy(),
            PALETTE[k],
            width=1.5,
            marker_size=4.0 if len(curve) <= 40 else 0.0,
            name=name if len(curves) > 1 else "",
        )
        for k, (name, curve) in enumerate(curves.items())
    ]
    highest = max(float(curve.max()) for curve in curves.values())
    last = len(curves["fit"]) - 1
    pad = 0.03 * last
    label = "Error of reconstruction (% of the inertia)" if relative else "Error of reconstruction"
    panel = Panel(
        left=0.0,
        bottom=0.0,
        width=_WIDTH,
        height=_HEIGHT,
        x=Axis("Number of axes q", (-pad, last + pad), whole=True),
        y=Axis(label, (-0.02 * highest, 1.05 * highest)),
        layers=(),
    )
    numbers = {name: curve.to_numpy() for name, curve in curves.items()}
    return draw(single(panel, layers, title=title, numbers=numbers), backend)
