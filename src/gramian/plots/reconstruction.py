"""The error of reconstruction by the first axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import pandas as pd

from gramian._core.check import flag
from gramian._core.frames import collect
from gramian.errors import InputTypeError
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.layout import CURVES_HEIGHT, CURVES_WIDTH, empty_panel, single
from gramian.plots.record import Axis, Curve, Figure, Panel
from gramian.plots.style import PALETTE

_MAX_MARKERS = 40  # points on a curve that are told apart


@as_plot
def reconstruction(
    fitted: Any,
    X: Any = None,
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
    return single(_panel(label, curves), _layers(curves), numbers=numbers)


def _layers(curves: Mapping[str, pd.Series]) -> list[Curve]:
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


def _panel(label: str, curves: Mapping[str, pd.Series]) -> Panel:
    highest = max(float(curve.max()) for curve in curves.values())
    last = max(len(curve) for curve in curves.values()) - 1
    pad = 0.03 * last
    x = Axis("Number of axes q", (-pad, last + pad), whole=True)
    y = Axis(label, (-0.02 * highest, 1.05 * highest))
    return empty_panel(CURVES_WIDTH, CURVES_HEIGHT, x, y)
