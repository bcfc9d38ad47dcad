"""A small model proves itself on its own rows: it must put them where it says they are.

That ties everything together that an answer depends on: rows, kernel, coefficients, means, axes and
eigenvalues. Of a large model only the inertia of its points is compared, which is one look at them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gramian._array import as_doubles, is_sparse, namespace, to_numpy
from gramian.embedding import (
    Embedding,
    FeatureModel,
    GramModel,
    Places,
    Record,
    count,
    rows_at,
)
from gramian.embedding.principal import Standard
from gramian.errors import InputError
from gramian.estimators.inside import MapModel
from gramian.operators import DistanceGram
from gramian.operators.feature import FeatureMap
from gramian.operators.moments import Moments, moments
from gramian.saving.closeness import are_close, require
from gramian.saving.effort import SMALL, is_quick_record, size_of_rows, work
from gramian.saving.maps import map_agrees

__all__ = ["TRIED", "precision", "quiet", "require_columns", "try_record"]

TRIED = 24  # rows that are placed
_LOOSE = 1e4  # roundings that may add up


@contextmanager
def quiet() -> Iterator[None]:
    """Hold back what is said of numbers that are only looked at."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def try_record(record: Record) -> None:
    """Refuse a record whose points are not where its model puts them."""
    with quiet():
        if record.training.table is None:
            _try_mean(record)
            return
        e, p = _embedding(record), record.training.weights
        if e is not None:
            live = record.training.live
            _inertia(e, p if live is None or p is None else p[live])
        if work(record) <= SMALL and is_quick_record(record):
            _columns(record)
            _places(record, e)
            _kept_places(record)


def _try_mean(record: Record) -> None:
    """Of rows that are gone, their mean is still known: it is the origin."""
    m = record.model
    assert isinstance(m, FeatureModel)
    mean = m.principal.standard.mean
    like = m.principal.features.like
    xp = namespace(mean)
    row = xp.astype(mean[None, :], like.dtype)
    Z = to_numpy(FeatureMap.project(m.principal.features, row, m.spectrum.vectors)[0])
    size = float(np.abs(to_numpy(mean * m.principal.standard.factor)).max())
    near = _LOOSE * precision(like) * max(size, float(np.sqrt(m.spectrum.values[0])))
    require(bool((np.abs(Z) <= near).all()), "a mean that is not at the origin")


def _embedding(record: Record) -> Embedding | None:
    """Return the embedding, made now where it is small and was not needed yet."""
    m = record.model
    kept = vars(record).get("embedding", getattr(m, "embedding", None))
    if kept is None and size_of_rows(record.training.require().values) <= SMALL:
        return m.embed(record.training.active()[0].values)
    return kept


def _inertia(e: Embedding, p: np.ndarray | None) -> None:
    """Refuse points whose weighted mean is not 0 or whose inertia is not the eigenvalues'."""
    Z = to_numpy(e.coordinates).astype(np.float64)
    weights = np.full(len(Z), 1.0 / len(Z)) if p is None else p
    values, s = np.abs(e.spectrum.values), e.spectrum
    near = 30.0 * np.sqrt(precision(e.coordinates))
    slack = near * values[0] + 4.0 * s.residuals
    require(bool((np.abs(weights @ Z**2 - values) <= slack).all()), "points of another inertia")
    root = near * np.sqrt(values[0]) + 4.0 * s.residuals / np.sqrt(values[0])
    require(bool((np.abs(weights @ Z) <= root).all()), "points around another place")
    d2 = to_numpy(e.distance2).astype(np.float64)
    if (d2 > 0).all() and s.negative == 0:  # none was cut off at 0
        require(abs(weights @ d2 - s.total) <= near * np.abs(d2).max(), "another total inertia")


def _columns(record: Record) -> None:
    """Refuse means and deviations that are not those of the columns."""
    m = record.model
    if not isinstance(m, FeatureModel) or type(m.principal.features) is not FeatureMap:
        return
    rows, p = record.training.active()
    X, s = rows.values, m.principal.standard
    w = None if p is None else as_doubles(p, X.data if is_sparse(X) else X)
    of = moments(X, w, cross=False)
    require_columns(s, of)


def require_columns(s: Standard, of: Moments) -> None:
    """Refuse means and deviations that are not those of the moments; a still column has 0."""
    xp = namespace(of.mean)
    require(are_close(s.mean, of.mean), "means of other columns")
    if bool(xp.all(xp.isnan(s.deviation))):  # 0.1.0 did not keep them
        return
    near = 1e-4 * (xp.abs(of.mean) + xp.max(of.deviation)) * (s.deviation == 0)
    near = near + 1e-6 * xp.max(of.deviation)
    good = xp.abs(of.deviation - s.deviation) <= near
    require(bool(xp.all(good)), "deviations of other columns")


def _places(record: Record, e: Embedding | None) -> None:
    """Refuse a model that puts some of its rows elsewhere than they are."""
    assert e is not None
    t, m = record.training, record.model
    rows = t.active()[0].values
    if t.kind == "gram":
        return
    mask = _tried(count(rows), 1 if isinstance(m, MapModel) else TRIED)
    try:
        placed = _placed(m, e, rows, mask)
    except InputError:  # a metric may know no distance of a row to itself
        return
    Z, there = (to_numpy(a).astype(np.float64) for a in (placed.coordinates, e.coordinates))
    require(Z.shape == (mask.sum(), there.shape[1]), "axes that place no rows")
    require(bool(np.isfinite(Z).all()), "rows that have no place")
    _distances(m, e, to_numpy(placed.distance2).astype(np.float64), mask)
    if isinstance(m, MapModel):  # where another place may have as little stress
        map_agrees(m)
        return
    near = _slack(m, e, there)
    gap = np.abs(Z - there[mask]).max(axis=0)
    if e.spectrum.negative > 0:  # a negative axis that was flipped gives new rows the other sign
        gap = np.minimum(gap, np.abs(Z + there[mask]).max(axis=0))
    require(bool((gap <= near).all()), "rows that are elsewhere")


def _kept_places(record: Record) -> None:
    """Refuse places of rows without a weight that are not where the model puts them."""
    kept, live = vars(record).get("places"), record.training.live
    if kept is None or live is None or isinstance(record.model, MapModel):
        return
    fresh = Record(record.training, record.model).places
    for mine, theirs in ((kept.coordinates, fresh.coordinates), (kept.distance2, fresh.distance2)):
        a, b = (to_numpy(value).astype(np.float64)[~live] for value in (mine, theirs))
        known = np.isfinite(b)  # of rows that 0.1.0 did not keep nothing is known
        near = 30.0 * np.sqrt(precision(mine)) * float(np.abs(to_numpy(mine)[live]).max())
        near = near + 1e-4 * np.abs(b[known])
        require(bool((np.abs(a - b)[known] <= near).all()), "rows that are elsewhere")


def _tried(n: int, most: int) -> np.ndarray:
    """Return which rows are tried, evenly spread, (n,)."""
    mask = np.zeros(n, dtype=bool)
    mask[np.unique(np.linspace(0, n - 1, most).astype(int))] = True
    return mask


def _placed(m: Any, e: Embedding, rows: Any, mask: np.ndarray) -> Places:
    """Return where the model puts some of its rows.

    Distances come as they did in the fit, all at once: that of a row to itself is then 0, and not
    a rounding to which a correction would be added.
    """
    if not isinstance(m, GramModel) or not isinstance(m.operator, DistanceGram):
        return m.project(rows_at(rows, mask))
    product = rows_at(m.operator.matmul(e.right), mask)
    return m.placed(product, rows_at(m.operator.diag(), mask))


def _distances(m: Any, e: Embedding, placed: np.ndarray, mask: np.ndarray) -> None:
    """Refuse squared distances that are not those of the points, where they are known."""
    d2 = to_numpy(e.distance2).astype(np.float64)
    if isinstance(m, MapModel):
        there = to_numpy(e.coordinates).astype(np.float64)
        mask, placed = np.ones(len(d2), dtype=bool), (there**2).sum(axis=1)
    size = float(d2.max())
    if isinstance(m, GramModel) and e.centering is not None:
        size += float(np.abs(to_numpy(e.centering.means)).max()) + abs(e.centering.grand)
    gap = np.nan_to_num(placed - d2[mask])  # of rows of kernel values it is not known
    near = 30.0 * np.sqrt(precision(e.coordinates)) * size
    require(bool((np.abs(gap) <= near).all()), "distances that are not its points'")


def _slack(m: Any, e: Embedding, Z: np.ndarray) -> np.ndarray:
    """Return how far rounding may put a point on each axis, (q,)."""
    eps = precision(e.coordinates)
    near = 30.0 * np.sqrt(eps) * float(np.abs(Z).max())
    if not isinstance(m, GramModel) or e.centering is None:
        return np.full(Z.shape[1], near)
    # k̃·c: the kernel's values are rounded relative to the largest, and coefficients are 1/√λ.
    C = to_numpy(e.coefficients).astype(np.float64)
    size = float(np.abs(to_numpy(e.centering.means)).max()) + abs(e.centering.grand)
    size += float(np.abs(to_numpy(e.distance2)).max())
    return near + _LOOSE * eps * size * np.abs(C).sum(axis=0)


def precision(a: Any) -> float:
    """Return the rounding of an array's numbers, relative to 1."""
    return float(namespace(a).finfo(a.dtype).eps)
