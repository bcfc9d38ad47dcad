"""Shepard's diagram: distances in the map against those that were given."""

from typing import Unpack

import numpy as np
from scipy.optimize import isotonic_regression

from gramian._core.array import to_numpy
from gramian._core.check import generator, whole
from gramian._core.frames import collect
from gramian._core.types import TableLike
from gramian._estimators.base import SpectralEstimator
from gramian.errors import InputError
from gramian.plots.drawing import Drawing, as_plot
from gramian.plots.layout import around, empty_panel, single
from gramian.plots.matrices import matrix_of
from gramian.plots.record import Axis, Curve, Figure, Points
from gramian.plots.style import ACCENT, POINT_COLOR, point_alpha, point_size
from gramian.plots.text import clean

_MAX_ROWS, _MAX_PAIRS = 1_000, 20_000
_MAX_LABELS = 5_000  # pairs that can be pointed at
_SIDE = 320.0


@as_plot
def shepard(
    fitted: SpectralEstimator,
    X: TableLike | None = None,
    *,
    n_axes: int | None = None,
    **drawing: Unpack[Drawing],
) -> Figure:
    """Draw the distances in the map against the distances it was made from.

    Points below the line are pairs that the map puts too near to each other. Of more than 20,000
    pairs a sample is drawn.

    Parameters
    ----------
        For PCA and kernel PCA the distances are those of the feature space.
    X : table or distances, optional
        What the estimator was fitted on, where it does not keep it.
    n_axes : int, optional
        The map's axes: all for MDS, two otherwise.

    Examples
    --------
    >>> import gramian as gm
    >>> fit = gm.PCA().fit(gm.datasets.iris().data)
    >>> round(gm.plots.shepard(fit, backend="none").numbers["correlation"], 4)
    0.9984
    """
    X = collect(X)
    matrix = matrix_of(fitted, X, _MAX_ROWS)
    q = fitted.n_components_
    usual = q if hasattr(fitted, "metric") else min(2, q)
    depth = usual if n_axes is None else whole(n_axes, "n_axes", most=q, what="the axes of the fit")
    all_rows = _coordinates(fitted, X)[:, :depth].astype(float)
    if matrix.whole > len(all_rows):
        raise InputError(
            f"X has {matrix.whole} rows but the fit {len(all_rows)}: give the same ones"
        )
    Z = all_rows[matrix.rows]
    first, second = _pairs(len(Z))
    delta = matrix.distances[first, second]
    d = np.sqrt(((Z[first] - Z[second]) ** 2).sum(axis=1))
    labels: list[str] = []
    if len(d) <= _MAX_LABELS:
        names = [clean(label) for label in matrix.labels]
        labels = [f"{names[i]} – {names[j]}" for i, j in zip(first, second, strict=True)]
    size, alpha = 0.8 * point_size(len(d)), 0.9 * point_alpha(len(d))
    points = Points(np.column_stack([delta, d]), POINT_COLOR, size=size, alpha=alpha, labels=labels)
    line = _line(getattr(fitted, "scaling", "ratio"), delta, d)
    limits = around(np.concatenate([delta, d]), 0.04, zero=True)
    given = "Given distance" if matrix.kind == "distance" else "Distance in feature space"
    y = Axis(f"Distance in the map ({depth} {'axis' if depth == 1 else 'axes'})", limits)
    panel = empty_panel(_SIDE, _SIDE, Axis(given, limits), y, equal=True)
    numbers = {"given": delta, "map": d, "correlation": _correlation(delta, d)}
    pairs = matrix.whole * (matrix.whole - 1) // 2
    counted = f"{pairs:,} pairs" if pairs == len(d) else f"{len(d):,} of {pairs:,} pairs"
    notes = [f"{counted}, correlation {numbers['correlation']:.3f}"]
    return single(panel, [points, line], notes=notes, numbers=numbers)


def _coordinates(fitted: SpectralEstimator, X: TableLike | None) -> np.ndarray:
    """Return the coordinates of the rows of the fit, of those of X where it kept none."""
    if not fitted.is_streamed:
        return to_numpy(fitted.coordinates_)
    return fitted.individuals(X)["coordinate"].to_numpy()


def _pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs i < j, or a sample of them taken with a fixed seed."""
    first, second = np.triu_indices(n, 1)
    if first.size > _MAX_PAIRS:
        pick = np.sort(generator(None).choice(first.size, _MAX_PAIRS, replace=False))
        first, second = first[pick], second[pick]
    return first, second


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


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    spread = a.std() * b.std()
    return float(((a - a.mean()) * (b - b.mean())).mean() / spread) if spread > 0 else 0.0
