"""Gram matrices, distances and correlations as heat maps, Shepard diagrams, rows as images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.optimize import isotonic_regression
from scipy.spatial.distance import squareform

from gramian._core.array import to_dense, to_numpy
from gramian._core.check import flag, generator, is_list, is_whole, one_of, short, whole
from gramian._core.embedding import count
from gramian._core.frames import collect
from gramian._core.table import square
from gramian._core.table import table as read_table
from gramian._core.types import TableLike
from gramian._estimators.analysis import pairs, read_rows
from gramian._estimators.base import SpectralEstimator
from gramian._estimators.fit import n_axes
from gramian._estimators.preimages import Preimages
from gramian.distances import euclidean
from gramian.errors import InputError, InputTypeError
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.elements import check_axes, require_kind
from gramian.plots.layout import (
    CURVES_HEIGHT,
    CURVES_WIDTH,
    LEGEND_STEP,
    around,
    empty_panel,
    finish,
    single,
)
from gramian.plots.record import Axis, ColorScale, Curve, Figure, HeatMap, Panel, Points
from gramian.plots.style import (
    ACCENT,
    POINT_COLOR,
    SCALE,
    across,
    clean,
    point_alpha,
    point_size,
    shorten,
    upwards,
)

_MAX_ROWS = 1_000  # rows that a picture can show
_MAX_NAMES = 60  # rows whose names can be read beside it
_MAX_OPTIMAL_LEAVES = 400  # leaves up to which the best of all orders of a tree is looked for
_SIDE, _SHEPARD_SIDE = 380.0, 320.0
_MAX_PAIRS = 20_000
_MAX_LABELLED_PAIRS = 5_000  # that can be pointed at
_MAX_COLUMNS = 400  # variables that a picture can show
_IMAGE_SIDE, _IMAGE_GAP = 64.0, 8.0
_MAX_IMAGES = 60
_FILM_ENDS = 0.02  # of the rows, beyond the first and the last step
_FEW_PROFILE_NAMES = 5  # that lie side by side


@as_plot
def gram(
    fitted: Any,
    X: TableLike | None = None,
    *,
    order: Literal["clusters"] | None = "clusters",
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the Gram matrix or the distances of a fit, or any such matrix, sorted by similarity.

    Of more than 1,000 rows a sample is drawn.

    Parameters
    ----------
    fitted : fitted estimator, or a square symmetric matrix
        A matrix with zeros on its diagonal and no negative entry holds distances, any other
        similarities. For an estimator, what it decomposes: kernel values (inner products of the
        centred and scaled rows for PCA), or distances for MDS.
    X : table, optional
        Rows to compare; those of the fit by default.

    Examples
    --------
    >>> K = np.array([[1.0, 0.0, 0.9], [0.0, 1.0, 0.1], [0.9, 0.1, 1.0]])
    >>> gm.plots.gram(K, backend="none").numbers["order"].tolist()
    [1, 2, 0]
    """
    matrix = matrix_of(fitted, X) if hasattr(fitted, "fit") else _read_matrix(fitted)
    leaves = _order(matrix.distances, order)
    M, m, labels = matrix.values[np.ix_(leaves, leaves)], len(leaves), matrix.labels[leaves]
    shown = m <= _MAX_NAMES and not (isinstance(matrix.labels, pd.RangeIndex) and m > 30)
    notes = [f"a sample of {m} of {matrix.whole} rows"] if m < matrix.whole else []
    numbers = {"matrix": M, "order": matrix.rows[leaves]}
    return _heat_map(M, labels, _scale(M, matrix.kind), shown, notes, numbers)


def _heat_map(
    M: np.ndarray,
    index: pd.Index,
    scale: ColorScale,
    shown: bool,
    notes: list[str],
    numbers: dict[str, Any],
) -> Figure:
    """Return the picture of a matrix, its names beside it where they can be read."""
    m, labels = len(M), [clean(label) for label in index]
    ticks = [(k + 1.0, shorten(text, 20)) for k, text in enumerate(labels)] if shown else []
    side = max(_SIDE, 10.5 * m) if shown else _SIDE
    x = Axis("", (0.5, m + 0.5), ticks, line=False, upright=True)
    panel = empty_panel(side, side, x, Axis("", (m + 0.5, 0.5), ticks, line=False))
    layers = [HeatMap(M, labels, labels, scale)]
    return single(panel, layers, notes=notes, numbers=numbers | {"labels": labels})


def _order(D: np.ndarray, order: str | None) -> np.ndarray:
    """Return rows as they are, or in the order of a hierarchical clustering of their distances."""
    if one_of(order, "order", ("clusters",), none=True) is None or len(D) < 3:
        return np.arange(len(D))
    near = squareform(0.5 * (D + D.T), checks=False)
    return leaves_list(linkage(near, "average", optimal_ordering=len(D) <= _MAX_OPTIMAL_LEAVES))


def _read_matrix(values: TableLike) -> RowMatrix:
    """Return a matrix that is no fit, or a sample of its rows."""
    rows = read_table(values, "fitted", allow_sparse=False)
    square(rows, "fitted", "similarity or distance")
    M = to_numpy(rows.values)
    n = len(M)
    index = pd.RangeIndex(n) if rows.index is None else rows.index
    far = M.min() >= 0 and np.abs(np.diag(M)).max() <= 1e-12 * M.max()
    pick = np.arange(n) if n <= _MAX_ROWS else np.linspace(0, n - 1, _MAX_ROWS).astype(int)
    return RowMatrix(
        M[np.ix_(pick, pick)], "distance" if far else "similarity", pick, index[pick], n
    )


def _scale(M: np.ndarray, kind: str) -> ColorScale:
    """Return colours that part below and above zero where the matrix has both signs."""
    low, high = float(M.min()), float(M.max())
    title = "distance" if kind == "distance" else "k(x, y)"
    if low < 0 < high:
        reach = max(-low, high)
        return ColorScale(-reach, reach, "RdBu_r", title)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return ColorScale(low, high, title=title)


@as_plot
def correlations(
    X: TableLike, *, order: Literal["clusters"] | None = "clusters", **drawing: Unpack[Drawing]
) -> Figure:
    """Draw the correlations of the columns of a table, sorted by similarity.

    Parameters
    ----------
    X : table (n, p), or a fitted estimator of one
        Columns without variance have no correlation and are left out, which the figure reports.
    order : "clusters" or None
        Columns in the order of a hierarchical clustering of 1 − r, or as they are.

    Examples
    --------
    >>> record = gm.plots.correlations(gm.datasets.iris().data, backend="none")
    >>> record.numbers["correlations"].round(2)[0].tolist()
    [1.0, -0.12, -0.43, -0.37]
    """
    training = getattr(X, "training_", None)
    if training is not None and training.kind == "table":
        X = pd.DataFrame(to_dense(training.rows), columns=training.columns)
    rows = read_table(X, "X", min_rows=3)
    values = to_dense(rows.values)
    names = pd.RangeIndex(values.shape[1]) if rows.columns is None else pd.Index(rows.columns)
    spread = np.ptp(values, axis=0) > 0
    if not 2 <= spread.sum() <= _MAX_COLUMNS:
        raise InputError(f"X has {spread.sum()} columns that vary: give 2 to {_MAX_COLUMNS}")
    R = np.corrcoef(values[:, spread], rowvar=False)
    which = _order(1.0 - R, order)
    R = R[np.ix_(which, which)]
    constant = int((~spread).sum())
    notes = [f"left out: {constant} constant columns"] if constant else []
    scale = ColorScale(-1.0, 1.0, "RdBu_r", "correlation")
    shown = len(R) <= _MAX_NAMES
    return _heat_map(R, names[spread][which], scale, shown, notes, {"correlations": R})


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
        d = np.diag(self.values)
        squares = np.clip(d[:, None] + d[None, :] - 2.0 * self.values, 0.0, None)
        np.fill_diagonal(squares, 0.0)
        return np.sqrt(squares)


def matrix_of(fitted: SpectralEstimator, X: TableLike | None) -> RowMatrix:
    """Return the matrix over the rows of X (those of the fit by default), or a sample of them."""
    known = n_axes(fitted) is not None
    require_kind(known, fitted, "fitted", "a fitted estimator or a matrix")
    training: Any = fitted.training_
    if X is not None:
        new = read_rows(fitted, collect(X))
        n = count(new.values)
        rows, positions = training.to_training_library(new.values), np.arange(n)
        labels = pd.RangeIndex(n) if new.index is None else new.index
    elif training.kind == "gone":
        raise InputError(
            "X is missing: the fit does not keep its rows: give them, or some, such as "
            "X=rows.sample(1000) of a scan"
        )
    else:  # those that have a weight
        rows, labels = training.active()[0].values, training.labels
        live = training.live
        positions = np.arange(training.n) if live is None else np.flatnonzero(live)
    n = len(positions)
    pick = np.arange(n)
    if n > _MAX_ROWS:
        pick = np.sort(generator(None).choice(n, size=_MAX_ROWS, replace=False))
    part = pairs(fitted, rows, pick)
    where = positions[pick]
    return RowMatrix(part.values, part.kind, where, labels[where], n, part.features)


@as_plot
def shepard(
    fitted: SpectralEstimator,
    X: TableLike | None = None,
    *,
    n_axes: int | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the Shepard diagram: distances on the map against the original distances.

    Points below the line are pairs that the map puts too near to each other. Of more than 20,000
    pairs a sample is drawn.

    Parameters
    ----------
    fitted : fitted estimator
        For PCA and kernel PCA the distances are those of the feature space.
    X : table or distances, optional
        What the estimator was fitted on, where it does not keep it.
    n_axes : int, optional
        The map's axes: all for MDS, two otherwise.

    Examples
    --------
    >>> fit = gm.PCA().fit(gm.datasets.iris().data)
    >>> round(gm.plots.shepard(fit, backend="none").numbers["correlation"], 4)
    0.9984
    """
    X = collect(X)
    matrix = matrix_of(fitted, X)
    q = fitted.n_components_
    usual = q if hasattr(fitted, "metric") else min(2, q)
    depth = usual if n_axes is None else whole(n_axes, "n_axes", most=q, what="the axes of the fit")
    streamed = fitted.is_streamed
    own = fitted.individuals(X)["coordinate"].to_numpy() if streamed else fitted.coordinates_
    all_rows = to_numpy(own)[:, :depth].astype(float)
    if matrix.whole > len(all_rows):
        raise InputError(
            f"X has {matrix.whole} rows but the fit {len(all_rows)}: give the same ones"
        )
    Z = all_rows[matrix.rows]
    first, second = np.triu_indices(len(Z), 1)
    if first.size > _MAX_PAIRS:
        pick = np.sort(generator(None).choice(first.size, _MAX_PAIRS, replace=False))
        first, second = first[pick], second[pick]
    delta = matrix.distances[first, second]
    d = np.sqrt(((Z[first] - Z[second]) ** 2).sum(axis=1))
    labels: list[str] = []
    if len(d) <= _MAX_LABELLED_PAIRS:
        names = [clean(label) for label in matrix.labels]
        labels = [f"{names[i]} – {names[j]}" for i, j in zip(first, second, strict=True)]
    size, alpha = 0.8 * point_size(len(d)), 0.9 * point_alpha(len(d))
    points = Points(np.column_stack([delta, d]), POINT_COLOR, size=size, alpha=alpha, labels=labels)
    line = _line(getattr(fitted, "scaling", "ratio"), delta, d)
    limits = around(np.concatenate([delta, d]), 0.04, zero=True)
    given = "Given distance" if matrix.kind == "distance" else "Distance in feature space"
    y = Axis(f"Distance in the map ({depth} {'axis' if depth == 1 else 'axes'})", limits)
    panel = empty_panel(_SHEPARD_SIDE, _SHEPARD_SIDE, Axis(given, limits), y, equal=True)
    spread = delta.std() * d.std()
    covariance = ((delta - delta.mean()) * (d - d.mean())).mean()
    r = float(covariance / spread) if spread > 0 else 0.0
    total = matrix.whole * (matrix.whole - 1) // 2
    counted = f"{total:,} pairs" if total == len(d) else f"{len(d):,} of {total:,} pairs"
    notes = [f"{counted}, correlation {r:.3f}"]
    numbers = {"given": delta, "map": d, "correlation": r}
    return single(panel, [points, line], notes=notes, numbers=numbers)


def _line(scaling: str, delta: np.ndarray, d: np.ndarray) -> Curve:
    """Return what the method asks of the map: equality, or a line or steps fitted to the pairs."""
    x = np.sort(delta)
    if scaling == "ordinal":
        y = isotonic_regression(d[np.argsort(delta, kind="stable")]).x
        return Curve(x, y, ACCENT, width=1.4, name="monotone fit")
    if scaling == "interval" and np.ptp(delta) > 0:
        slope, offset = np.polyfit(delta, d, 1)
        ends = np.array([x[0], x[-1]])
        return Curve(ends, offset + slope * ends, ACCENT, width=1.4, name="linear fit")
    ends = np.array([0.0, max(x[-1], d.max())])
    return Curve(ends, ends, ACCENT, width=1.2, dash="dash", name="equal distances")


@as_plot
def images(
    rows: Any,
    below: TableLike | None = None,
    *,
    shape: Sequence[int],
    n_images: int = 10,
    columns: int = 10,
    mean: bool = False,
    each: bool = False,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw rows as images: the axes of a PCA, or originals and their reconstructions.

    Parameters
    ----------
    rows : table (n, p), or a fitted PCA
        The rows to draw; for a PCA its components, each an image of the weights of the variables.
    below : table (n, p), optional
        Drawn below, row by row: reconstructions, say.
    shape : (int, int)
        Height and width of an image; p = height × width.
    n_images : int
        Number of rows drawn, from the first on.
    columns : int
        Number of images side by side.
    mean : bool
        Draw the mean of a fitted PCA first, in a grey scale of its own.
    each : bool
        Give every image a grey scale of its own, from its lowest value to its highest.

    Examples
    --------
    >>> digits = gm.datasets.digits().data
    >>> fit = gm.PCA(4).fit(digits)
    >>> len(gm.plots.images(fit, shape=(8, 8), backend="none").panels)
    4
    >>> len(gm.plots.images(fit, shape=(8, 8), columns=3, mean=True, backend="none").panels)
    5
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
    upper, names = upper[:n_images], names[:n_images]
    if flag(mean, "mean"):
        if getattr(rows, "mean_", None) is None or below is not None:
            raise InputError("mean=True needs a fitted PCA, and no rows below: leave it out")
        names = ["mean", *names]
        upper = np.concatenate([_read_images(np.atleast_2d(rows.mean_), "mean", shape)[0], upper])
    lines = [upper]
    if below is not None:
        lines.insert(0, _read_images(below, "below", shape)[0][:n_images])
        if lines[0].shape != lines[1].shape:
            raise InputError("below has other rows than rows: give one for each")
    shown = [line[int(mean) :] for line in lines]
    high = float(max(np.abs(line).max() for line in shown)) or 1.0
    signed = float(shown[-1].min()) < 0  # a reconstruction may fall a little below what it is of
    common = ColorScale(-high, high, "RdBu_r") if signed else ColorScale(0.0, high, "Greys")
    last = (len(upper) - 1) // whole(columns, "columns")
    panels = []
    for i, line in enumerate(lines):
        for k, image in enumerate(line):
            row, j = divmod(k, columns)
            low, top = float(image.min()), float(image.max())
            own = ColorScale(low, top if top > low else low + 1.0, "Greys")
            scale = own if flag(each, "each") or (mean and k == 0) else common
            name = names[k] if i == len(lines) - 1 else ""
            panels.append(_image_panel(image, j, (last - row) * len(lines) + i, name, scale))
    return finish(panels, numbers={"images": upper})


@as_plot
def film(
    fitted: Any,
    axis: int = 1,
    *,
    table: TableLike | None = None,
    shape: Sequence[int] | None = None,
    n_images: int = 9,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw how a row changes along an axis, from one end of the rows to the other.

    Rows at steps of the axis, 0 on the others, come back by `inverse_transform`. They are drawn as
    images, or as profiles over the columns, in standard deviations from the mean where the fit is
    scaled. ``numbers["rows"]`` is the table of them, ``numbers["at"]`` the places.

    Parameters
    ----------
    fitted, axis : fitted PCA, KernelPCA, FAMD, …, int
        The fit, and the axis to follow, counted from 1.
    table : table (n, p), optional
        Numbers to show for the rows of the fit, if these are not numbers (graphs, texts, a
        precomputed kernel): means of its rows, weighted by the nearest mixture of rows.
    shape : (int, int), optional
        Height and width of an image; profiles without it.
    n_images : int
        Number of steps, from the 2nd to the 98th percentile of the coordinates.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA(2, scale=True).fit(gm.datasets.iris().data)
    >>> strip = gm.plots.film(fit, n_images=3, backend="none")
    >>> strip.numbers["rows"].iloc[:, 2].round(1).tolist()
    [1.1, 3.9, 6.6]
    """
    (k,) = check_axes(fitted, (axis,), 1)
    steps = whole(n_images, "n_images", 2, _MAX_IMAGES)
    if not hasattr(fitted, "inverse_transform"):
        raise InputTypeError(
            f"fitted: {type(fitted).__name__} gives no rows back from coordinates: use PCA or "
            "KernelPCA"
        )
    if fitted.training_.kind == "gone":
        fitted.training_.require()  # which says what to do
    Z = to_numpy(fitted.coordinates_).astype(float)
    low, high = np.quantile(Z[:, k - 1], (_FILM_ENDS, 1.0 - _FILM_ENDS)).tolist()
    places = np.zeros((steps, Z.shape[1]))
    places[:, k - 1] = np.linspace(low, high, steps)
    index = pd.Index(places[:, k - 1], name=f"axis {k}")
    if table is not None:
        if not isinstance(fitted, Preimages):
            raise InputError(
                f"table: rows of {type(fitted).__name__} come back as they are: leave it out"
            )
        given = read_table(table, "table", allow_sparse=False)
        mixed = to_numpy(given.values).astype(float)
        weights = fitted.inverse_transform(places, method="weights")
        if len(mixed) != weights.shape[1]:
            raise InputError(f"table has {len(mixed)} rows but the fit has {weights.shape[1]}")
        rows = pd.DataFrame(weights.to_numpy() @ mixed, index, given.columns)
    else:
        whiten = getattr(fitted, "whiten", False)
        unit = np.sqrt(to_numpy(fitted.explained_variance_)) if whiten else 1.0
        back = fitted.inverse_transform(places / unit)
        values = back if isinstance(back, pd.DataFrame) else to_dense(back)
        names = back.columns if isinstance(back, pd.DataFrame) else fitted.column_names
        rows = pd.DataFrame(np.asarray(values), index, names).infer_objects()
    numbers = {"rows": rows, "at": places[:, k - 1]}
    shown = rows.select_dtypes("number").set_axis([f"{x:.2g}".replace("-", "−") for x in index])
    if shown.shape[1] == 0:
        raise InputError("fitted: its rows have no numbers to draw: give a table")
    if shape is not None:
        pictures, names = _read_images(shown, "table" if table is not None else "rows", shape)
        scale = ColorScale(float(pictures.min()), float(pictures.max()), "Greys")
        each = enumerate(zip(pictures, names, strict=True))
        panels = [_image_panel(picture, i, 0, name, scale) for i, (picture, name) in each]
        return finish(panels, numbers=numbers)
    values, title = shown.to_numpy(dtype=float), ""
    X = to_dense(fitted.training_.rows) if table is None else mixed
    if getattr(fitted, "is_scaled", False) and X.shape[1] == values.shape[1]:
        spread = X.std(axis=0)
        values = (values - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        title = "Standard deviations from the mean"
    p = values.shape[1]
    ticks = [(j + 1.0, shorten(clean(c), 12)) for j, c in enumerate(shown) if p <= _MAX_NAMES]
    x = Axis("", (0.5, p + 0.5), ticks, upright=p > _FEW_PROFILE_NAMES)
    panel = empty_panel(CURVES_WIDTH, CURVES_HEIGHT, x, Axis(title, around(values)))
    colors = [SCALE[round(i * (len(SCALE) - 1) / (steps - 1))] for i in range(steps)]
    every = -(-steps // max(int(panel.height / LEGEND_STEP) - 1, 2))  # that the legend has room for
    curves = [
        Curve(np.arange(1.0, p + 1.0), v, c, 1.4, name="" if i % every else label)
        for i, (v, c, label) in enumerate(zip(values, colors, shown.index, strict=True))
    ]
    return single(panel, curves, legend_title=f"Axis {k}", numbers=numbers)


def _read_images(
    values: TableLike, name: str, shape: Sequence[int]
) -> tuple[np.ndarray, list[str]]:
    """Return rows as images, (n, height, width), and their names."""
    sides = list(shape) if is_list(shape) else []
    if len(sides) != 2 or not all(is_whole(side) and side > 0 for side in sides):
        raise InputError(f"shape={short(shape)} must be the height and width of an image")
    rows = read_table(values, name, min_rows=1, allow_sparse=False)
    X = to_numpy(rows.values)
    if X.shape[1] != sides[0] * sides[1]:
        raise InputError(
            f"{name} has {X.shape[1]} columns, which is not an image of {sides[0]} × {sides[1]}"
        )
    names = range(len(X)) if rows.index is None else rows.index
    return X.reshape(-1, *map(int, sides)), [shorten(str(label), 12) for label in names]


def _image_panel(image: np.ndarray, j: int, i: int, name: str, scale: ColorScale) -> Panel:
    m, n = image.shape
    wide = min(across(_IMAGE_SIDE), upwards(_IMAGE_SIDE))  # pixels are squares
    high = wide * m / n
    left, bottom = j * (wide + _IMAGE_GAP), i * (high + _IMAGE_GAP + 14.0)
    x = Axis(name, (0.5, n + 0.5), (), line=False)
    y = Axis("", (m + 0.5, 0.5), (), line=False)
    return Panel(left, bottom, wide, high, x, y, (HeatMap(image, (), (), scale),))
