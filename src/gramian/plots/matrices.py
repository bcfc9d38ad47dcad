"""Matrices as pictures: Gram matrices, distances, correlations, and rows that are images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from gramian._core.array import to_dense, to_numpy
from gramian._core.check import generator, is_list, is_whole, one_of, short, whole
from gramian._core.embedding import count
from gramian._core.frames import collect
from gramian._core.table import square, table
from gramian._core.types import TableLike
from gramian._estimators.analysis import pairs, read_rows
from gramian._estimators.base import SpectralEstimator
from gramian._estimators.fit import n_axes
from gramian.distances import euclidean
from gramian.errors import InputError
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import Elements, require_kind
from gramian.plots.layout import empty_panel, finish, single
from gramian.plots.record import Axis, ColorScale, Figure, HeatMap, Panel
from gramian.plots.style import across, upwards
from gramian.plots.text import shorten

_MAX_ROWS = 1_000  # rows that a picture can show
_MAX_NAMES = 60  # rows whose names can be read beside it
_MAX_OPTIMAL_LEAVES = 400  # leaves up to which the best of all orders of a tree is looked for
_SIDE = 380.0
_MAX_COLUMNS = 400  # variables that a picture can show
_IMAGE_SIDE, _IMAGE_GAP = 64.0, 8.0
_MAX_IMAGES = 60


@as_plot
def gram(
    fitted: Any,
    X: TableLike | None = None,
    *,
    order: str | None = "clusters",
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
    matrix = matrix_of(fitted, X, _MAX_ROWS) if hasattr(fitted, "fit") else _read_matrix(fitted)
    leaves = _order(matrix.distances, order)
    M = matrix.values[np.ix_(leaves, leaves)]
    labels = Elements(matrix.labels[leaves], np.empty((0, 2))).labels
    m = len(M)
    shown = m <= _MAX_NAMES and not (isinstance(matrix.labels, pd.RangeIndex) and m > 30)
    panel = _square_panel(labels, shown=shown)
    notes = [f"a sample of {m} of {matrix.whole} rows"] if m < matrix.whole else []
    layers = [HeatMap(M, labels, labels, _scale(M, matrix.kind))]
    numbers = {"matrix": M, "order": matrix.rows[leaves], "labels": labels}
    return single(panel, layers, notes=notes, numbers=numbers)


def _square_panel(labels: list[str], *, shown: bool) -> Panel:
    """Return the empty panel of a matrix, its names beside it where they can be read."""
    m = len(labels)
    ticks = [(k + 1.0, shorten(text, 20)) for k, text in enumerate(labels)] if shown else []
    limits = (0.5, m + 0.5)
    side = max(_SIDE, 10.5 * m) if shown else _SIDE
    x = Axis("", limits, ticks, line=False, upright=True)
    return empty_panel(side, side, x, Axis("", limits[::-1], ticks, line=False))


def cluster_order(D: np.ndarray) -> np.ndarray:
    """Return rows in the order of a hierarchical clustering of their distances.

    >>> cluster_order(np.array([[0.0, 9.0, 1.0], [9.0, 0.0, 8.0], [1.0, 8.0, 0.0]])).tolist()
    [1, 2, 0]
    """
    near = squareform(0.5 * (D + D.T), checks=False)
    return leaves_list(linkage(near, "average", optimal_ordering=len(D) <= _MAX_OPTIMAL_LEAVES))


def _read_matrix(values: TableLike) -> RowMatrix:
    """Return a matrix that is no fit, or a sample of its rows."""
    rows = table(values, "fitted", allow_sparse=False)
    square(rows, "fitted", "similarity or distance")
    M = to_numpy(rows.values)
    n = len(M)
    index = pd.RangeIndex(n) if rows.index is None else rows.index
    far = M.min() >= 0 and np.abs(np.diag(M)).max() <= 1e-12 * M.max()
    pick = np.arange(n) if n <= _MAX_ROWS else np.linspace(0, n - 1, _MAX_ROWS).astype(int)
    return RowMatrix(
        M[np.ix_(pick, pick)], "distance" if far else "similarity", pick, index[pick], n
    )


def _order(D: np.ndarray, order: str | None) -> np.ndarray:
    n = len(D)
    if one_of(order, "order", ("clusters",), none=True) is None or n < 3:
        return np.arange(n)
    return cluster_order(D)


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


@as_plot
def correlations(
    X: TableLike,
    *,
    order: str | None = "clusters",
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
    values = to_dense(rows.values)
    names = pd.RangeIndex(values.shape[1]) if rows.columns is None else pd.Index(rows.columns)
    spread = np.ptp(values, axis=0) > 0
    if not 2 <= spread.sum() <= _MAX_COLUMNS:
        raise InputError(f"X has {spread.sum()} columns that vary: give 2 to {_MAX_COLUMNS}")
    R = np.corrcoef(values[:, spread], rowvar=False)
    one_of(order, "order", ("clusters",), none=True)
    which = np.arange(len(R)) if order is None else cluster_order(1.0 - R)
    R = R[np.ix_(which, which)]
    labels = Elements(names[spread][which], np.empty((0, 2))).labels
    left_out = int((~spread).sum())
    return single(
        _square_panel(labels, shown=len(R) <= 60),
        [HeatMap(R, labels, labels, ColorScale(-1.0, 1.0, "RdBu_r", "correlation"))],
        notes=[f"left out: {left_out} constant columns"] if left_out else [],
        numbers={"correlations": R, "labels": labels},
    )


@dataclass(frozen=True, eq=False)
class RowMatrix:
    """A square matrix over some rows of a fit."""

    values: np.ndarray  # (m, m)
    kind: str  # "similarity" or "distance"
    rows: np.ndarray  # which rows of the fit (or of X) they are, (m,)
    labels: pd.Index
    whole: int  # how many rows there are
    features: np.ndarray | None = None  # (m, p), where the similarities are their products

    @property
    def distances(self) -> np.ndarray:
        """The distances between the rows, those of the feature space for similarities."""
        if self.kind == "distance":
            return self.values
        if self.features is not None:  # near points keep their digits
            return euclidean(self.features)
        return distances_of_gram(self.values)


def distances_of_gram(G: np.ndarray) -> np.ndarray:
    """Return √(k(x,x) + k(y,y) − 2k(x,y)).

    >>> distances_of_gram(np.array([[1.0, 0.0], [0.0, 1.0]]))[0, 1].round(4)
    np.float64(1.4142)
    """
    d = np.diag(G)
    squares = np.clip(d[:, None] + d[None, :] - 2.0 * G, 0.0, None)
    np.fill_diagonal(squares, 0.0)
    return np.sqrt(squares)


def matrix_of(fitted: SpectralEstimator, X: TableLike | None, most: int) -> RowMatrix:
    """Return the matrix over the rows of X (those of the fit by default), or a sample of them."""
    known = n_axes(fitted) is not None
    require_kind(known, fitted, "fitted", "a fitted estimator or a matrix")
    rows, positions, labels = _of_fit(fitted) if X is None else _of_input(fitted, X)
    n = len(positions)
    pick = _sample(n, most)
    part = pairs(fitted, rows, pick)
    where = positions[pick]
    return RowMatrix(part.values, part.kind, where, labels[where], n, part.features)


def _of_fit(fitted: Any) -> tuple[Any, np.ndarray, pd.Index]:
    """Return the rows of a fit that have a weight, their positions, and the labels of all rows."""
    training = fitted.training_
    if training.kind == "gone":
        raise InputError(
            "X is missing: the fit does not keep its rows: give them, or some, such as "
            "X=rows.sample(1000) of a scan"
        )
    live = training.live
    positions = np.arange(training.n) if live is None else np.flatnonzero(live)
    return training.active()[0].values, positions, training.labels


def _of_input(fitted: Any, X: TableLike) -> tuple[Any, np.ndarray, pd.Index]:
    rows = read_rows(fitted, collect(X))
    n = count(rows.values)
    return (
        fitted.training_.to_training_library(rows.values),
        np.arange(n),
        pd.RangeIndex(n) if rows.index is None else rows.index,
    )


def _sample(n: int, most: int) -> np.ndarray:
    """Return all positions, or `most` of them taken with a fixed seed, in their order."""
    if n <= most:
        return np.arange(n)
    return np.sort(generator(None).choice(n, size=most, replace=False))


@as_plot
def images(
    rows: Any,
    below: TableLike | None = None,
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
    upper, names = _read_images(rows if axes is None else axes, "rows", shape)
    if whole(n_images, "n_images") > _MAX_IMAGES:
        raise InputError(f"n_images={n_images} is too many for a figure: at most {_MAX_IMAGES}")
    if axes is not None:
        names = [f"axis {k + 1}" for k in range(len(upper))]
    lines = [upper[:n_images]]
    if below is not None:
        lines.insert(0, _read_images(below, "below", shape)[0][:n_images])
        if lines[0].shape != lines[1].shape:
            raise InputError("below has other rows than rows: give one for each")
    high = float(max(np.abs(line).max() for line in lines)) or 1.0
    signed = float(upper.min()) < 0  # a reconstruction may fall a little below what it is of
    scale = ColorScale(-high, high, "RdBu_r") if signed else ColorScale(0.0, high, "Greys")
    panels = [
        _image_panel(image, j, i, names[j] if i == len(lines) - 1 else "", scale)
        for i, line in enumerate(lines)
        for j, image in enumerate(line)
    ]
    return finish(panels, numbers={"images": upper[:n_images]})


def _read_images(
    values: TableLike, name: str, shape: Sequence[int]
) -> tuple[np.ndarray, list[str]]:
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


def _image_panel(image: np.ndarray, j: int, i: int, name: str, scale: ColorScale) -> Panel:
    m, n = image.shape
    wide, high = across(_IMAGE_SIDE), upwards(_IMAGE_SIDE * m / n)
    return Panel(
        left=j * (wide + _IMAGE_GAP),
        bottom=i * (high + _IMAGE_GAP + 14.0),
        width=wide,
        height=high,
        x=Axis(name, (0.5, n + 0.5), (), line=False),
        y=Axis("", (m + 0.5, 0.5), (), line=False),
        layers=(HeatMap(image, (), (), scale),),
    )
