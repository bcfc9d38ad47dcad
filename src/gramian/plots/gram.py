"""Matrices as pictures: similarities or distances, like beside like."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from gramian._array import to_numpy
from gramian._check import one_of
from gramian._validate import square, table
from gramian.plots.drawing import Drawing, drawn
from gramian.plots.elements import Elements
from gramian.plots.layout import single
from gramian.plots.look import across, upwards
from gramian.plots.matrix import RowMatrix, matrix_of
from gramian.plots.record import Axis, ColorScale, Figure, HeatMap, Panel
from gramian.plots.text import shorten

_MOST = 1_000  # rows that a picture can show
_NAMED = 60  # rows whose names can be read beside it
_OPTIMAL = 400  # leaves up to which the best of all orders of a tree is looked for
_SIDE = 380.0


@drawn
def gram(
    fitted: Any,
    X: Any = None,
    *,
    order: str | None = "clusters",
    title: str = "",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the Gram matrix or the distances of a fit, or any such matrix, like beside like.

    Of more than 1,000 rows a sample is drawn.

    Parameters
    ----------
    fitted : fitted estimator, or a square symmetric matrix
        A matrix with zeros on its diagonal and no negative entry holds distances, any other
        similarities. Of an estimator, what it started from: kernel values (inner products of the
        centred and scaled rows for PCA), or distances for MDS.
    X : table, optional
        Rows to compare; those of the fit by default.
    order : "clusters" or None
        Rows in the order of a hierarchical clustering (average linkage), or as they are.

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> K = np.array([[1.0, 0.0, 0.9], [0.0, 1.0, 0.1], [0.9, 0.1, 1.0]])
    >>> gm.plots.gram(K, backend="none").numbers["order"].tolist()
    [1, 2, 0]
    """
    matrix = matrix_of(fitted, X, _MOST) if hasattr(fitted, "fit") else _read(fitted)
    leaves = _order(matrix.distances, order)
    M = matrix.values[np.ix_(leaves, leaves)]
    labels = Elements(matrix.labels[leaves], np.empty((0, 2))).labels
    m = len(M)
    shown = m <= _NAMED and not (isinstance(matrix.labels, pd.RangeIndex) and m > 30)
    panel = square_panel(labels, shown=shown)
    notes = [f"a sample of {m} of {matrix.whole} rows"] if m < matrix.whole else []
    record = single(
        panel,
        [HeatMap(M, labels, labels, _scale(M, matrix.kind))],
        title=title,
        notes=notes,
        numbers={"matrix": M, "order": matrix.rows[leaves], "labels": labels},
    )
    return record


def square_panel(labels: list[str], *, shown: bool) -> Panel:
    """Return the empty panel of a matrix, its names beside it where they can be read."""
    m = len(labels)
    ticks = [(k + 1.0, shorten(text, 20)) for k, text in enumerate(labels)] if shown else []
    limits = (0.5, m + 0.5)
    side = max(_SIDE, 10.5 * m) if shown else _SIDE
    return Panel(
        left=0.0,
        bottom=0.0,
        width=across(side),
        height=upwards(side),
        x=Axis("", limits, ticks, line=False, upright=True),
        y=Axis("", limits[::-1], ticks, line=False),
        layers=(),
    )


def clustered(D: np.ndarray) -> np.ndarray:
    """Return rows in the order of a hierarchical clustering of their distances.

    >>> clustered(np.array([[0.0, 9.0, 1.0], [9.0, 0.0, 8.0], [1.0, 8.0, 0.0]])).tolist()
    [1, 2, 0]
    """
    near = squareform(0.5 * (D + D.T), checks=False)
    return leaves_list(linkage(near, "average", optimal_ordering=len(D) <= _OPTIMAL))


def _read(values: Any) -> RowMatrix:
    """Return a matrix that is no fit, or a sample of its rows."""
    rows = table(values, "fitted", allow_sparse=False)
    square(rows, "fitted", "similarity or distance")
    M = to_numpy(rows.values)
    n = len(M)
    index = pd.RangeIndex(n) if rows.index is None else rows.index
    far = M.min() >= 0 and np.abs(np.diag(M)).max() <= 1e-12 * M.max()
    pick = np.arange(n) if n <= _MOST else np.linspace(0, n - 1, _MOST).astype(int)
    return RowMatrix(
        M[np.ix_(pick, pick)], "distance" if far else "similarity", pick, index[pick], n
    )


def _order(D: np.ndarray, order: str | None) -> np.ndarray:
    n = len(D)
    if one_of(order, "order", ("clusters",), none=True) is None or n < 3:
        return np.arange(n)
    return clustered(D)


def _scale(M: np.ndarray, kind: str) -> ColorScale:
    """Return colours that part below and above zero where the matrix has both signs."""
    low, high = float(M.min()), float(M.max())
    title = "distance" if kind == "distance" else "k(x, y)"
    if low < 0 < high:
        reach = max(-low, high)
        return ColorScale(-reach, reach, "RdBu_r", title)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return ColorScale(low, high, "viridis", title)
