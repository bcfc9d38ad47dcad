"""A map made by stress: its pairs, its disparities and its stress follow from one another."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist, squareform

from gramian._array import to_numpy
from gramian.distances.dissimilarities import condensed_of
from gramian.estimators.inside import MapModel
from gramian.saving.closeness import are_close, require
from gramian.stress import Problem, curve_of

__all__ = ["map_agrees"]


def map_agrees(m: MapModel) -> None:
    """Refuse a map whose distances, dissimilarities, disparities or stress are of another one."""
    a, fit = m.arrangement, m.fit
    power = 1 if m.scaling.loss == "stress" else 2
    Z = to_numpy(m.embedding.coordinates).astype(np.float64)
    require(are_close(fit.distance, pdist(Z[a.rows]) ** power), "distances of another map")
    require(are_close(*_known(m)), "dissimilarities of other rows")
    problem = m.scaling.problem(a)
    _stress(m, problem)
    curve = curve_of(problem, fit)
    if m.curve is not None and curve is not None:
        require((curve.slope is None) == (m.curve.slope is None), "a curve of another scaling")
        pairs = [(m.curve.delta, curve.delta), (m.curve.level, curve.level)]
        pairs.append((np.array([m.curve.slope or 0.0]), np.array([curve.slope or 0.0])))
        same = all(are_close(mine, theirs) for mine, theirs in pairs)
        require(same, "another curve than its disparities")


def _known(m: MapModel) -> tuple[np.ndarray, np.ndarray]:
    """Return the dissimilarities that are kept and those of the rows, 0 where they are missing."""
    a = m.arrangement
    D = m.rows if m.distance is None else m.distance(m.rows)
    D = np.asarray(to_numpy(D), dtype=float)[np.ix_(a.rows, a.rows)]
    there = condensed_of(D) / m.embedding.unit
    require(np.array_equal(np.isnan(there), np.isnan(a.delta)), "dissimilarities of other rows")
    return np.nan_to_num(a.delta), np.nan_to_num(there)


def _stress(m: MapModel, problem: Problem) -> None:
    """Refuse a stress that is not that of the distances and disparities."""
    fit = m.fit
    w = np.ones_like(fit.distance) if problem.weight is None else problem.weight
    known = w > 0
    require(bool(np.isfinite(fit.disparity[known]).all()), "pairs without a disparity")
    gap = np.where(known, fit.disparity - fit.distance, 0.0)
    square = w * gap**2
    raw = float(square.sum())
    points = squareform(square, checks=False).sum(axis=1)
    share = points / (2.0 * raw) if raw > 0 else points
    size = float((w * fit.distance) @ fit.distance)
    pairs = [([fit.raw], [raw]), ([fit.stress], [np.sqrt(raw / size)]), (fit.per_point, share)]
    for mine, theirs in pairs:
        require(are_close(np.asarray(mine), np.asarray(theirs)), "a stress of another map")
