"""The correlations of variables as a picture."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
import pandas as pd

from gramian._array import dense
from gramian._check import one_of
from gramian._validate import table
from gramian.errors import InputError
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.elements import Elements
from gramian.plots.gram import clustered, square_panel
from gramian.plots.layout import single
from gramian.plots.record import ColorScale, Figure, HeatMap

_MOST = 400  # variables that a picture can show


@drawn
def correlations(
    X: Any,
    *,
    order: str | None = "clusters",
    title: str = "",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the correlations of the columns of a table, like beside like.

    Parameters
    ----------
    X : table (n, p)
        Columns without variance have no correlation and are left out, which is said.
    order : "clusters" or None
        Columns in the order of a hierarchical clustering of 1 − r, or as they are.

    Examples
    --------
    >>> import gramian as gm
    >>> record = gm.plots.correlations(gm.datasets.iris().data, backend="none")
    >>> record.numbers["correlations"].round(2)[0].tolist()
    [1.0, -0.12, -0.43, -0.37]
    """
    rows = table(X, "X", min_rows=3)
    values = dense(rows.values)
    names = pd.RangeIndex(values.shape[1]) if rows.columns is None else pd.Index(rows.columns)
    spread = np.ptp(values, axis=0) > 0
    if not 2 <= spread.sum() <= _MOST:
        raise InputError(f"X has {spread.sum()} columns that vary: give 2 to {_MOST}")
    R = np.corrcoef(values[:, spread], rowvar=False)
    one_of(order, "order", ("clusters",), none=True)
    which = np.arange(len(R)) if order is None else clustered(1.0 - R)
    R = R[np.ix_(which, which)]
    labels = Elements(names[spread][which], np.empty((0, 2))).labels
    left_out = int((~spread).sum())
    return single(
        square_panel(labels, shown=len(R) <= 60),
        [HeatMap(R, labels, labels, ColorScale(-1.0, 1.0, "RdBu_r", "correlation"))],
        title=title,
        notes=[f"left out: {left_out} constant columns"] if left_out else [],
        numbers={"correlations": R, "labels": labels},
    )
