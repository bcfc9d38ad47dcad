"""What ties a model to its rows: its axes, points and pairs are of the rows of the training."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import is_array, namespace, to_numpy
from gramian.distances.mixed import Gower
from gramian.embedding import (
    Embedding,
    FeatureModel,
    GramModel,
    Places,
    Record,
    Training,
    count,
    rows_at,
)
from gramian.estimators.inside import MapModel
from gramian.operators import DistanceGram, TiledGram
from gramian.operators.feature import FeatureMap
from gramian.saving.closeness import are_close, equal, require
from gramian.saving.rules import is_finite
from gramian.saving.ties import width

__all__ = ["feature_model", "gram_model", "map_model", "model_rows", "record"]


def gram_model(m: GramModel) -> None:
    """The operator is of the points of the embedding."""
    e = m.embedding
    require(e.centering is not None, "a Gram matrix that is not centred")
    require(m.operator.n == e.coordinates.shape[0], "a Gram matrix of other points")
    require(m.shift is None or m.shift.shape == (len(e.spectrum.values),), "a shift of other axes")
    if m.shift is not None and e.centering is not None:
        C, c = e.coefficients, e.centering
        shift = c.means @ C - c.grand * namespace(C).sum(C, axis=0)
        require(are_close(m.shift, shift), "a shift that is not that of its axes")


def feature_model(m: FeatureModel) -> None:
    """The embedding, where there is one, is on the same axes."""
    s, e = m.principal.spectrum, m.embedding
    require(m.shift is None or m.shift.shape == (len(s.values),), "a shift of other axes")
    if m.shift is not None:
        of, axes = m.principal.standard, (e.coefficients if e is not None else s.vectors)
        shift = ((of.mean * of.factor) @ axes) * of.unit
        require(are_close(m.shift, shift), "a shift that is not that of its axes")
    if e is not None:
        require(equal(e.spectrum.values, s.values), "two spectra")
        require(equal(e.coefficients, s.vectors), "two sets of axes")
        require(e.unit == m.principal.standard.unit, "two units")


def map_model(m: MapModel) -> None:
    """The map, its pairs and its dissimilarities are of the same points."""
    e, a = m.embedding, m.arrangement
    n, points = e.coordinates.shape[0], a.rows.size
    require(a.where.size == n == count(m.rows), "a map of other rows")
    require(m.fit.distance.size == a.delta.size, "a fit of other pairs")
    require(m.fit.per_point.size == points, "a fit of other points")
    require(m.shift is None and e.centering is None, "a map that is centred twice")
    require(m.weights is None or m.weights.size == n, "weights of other points")
    W = m.scaling.pair_weight
    require(W is None or isinstance(W, str) or W.shape == (n, n), "weights of other pairs")
    require((m.curve is None) == (m.scaling.scaling == "ratio"), "disparities of another scaling")
    require(m.distance is not None or width(m.rows) == n, "distances of other points")


def record(r: Record) -> None:
    """The model is of the rows, and what was computed of it is what it says."""
    t, m = r.training, r.model
    if t.table is None:
        require(isinstance(m, FeatureModel) and m.embedding is None, "rows that it did not keep")
        require("places" not in vars(r) and "coordinates" not in vars(r), "places of rows gone")
        vars(r).pop("embedding", None)  # of no rows: made again when it is asked for
        return
    _own_rows(m, t)
    _own_weights(m, t)
    _known_rows(m, t)
    e = _kept_embedding(r)
    if "places" in vars(r):
        require(e is not None, "places of no points")
        _kept_places(r, vars(r)["places"], e)
    if "coordinates" in vars(r):
        require("places" in vars(r), "coordinates of no places")
        shown = r.shown(vars(r)["places"].coordinates, t.like)
        require(are_close(vars(r)["coordinates"], shown), "coordinates that are not its places")


def _known_rows(m: Any, t: Training) -> None:
    """Refuse NaN where it means nothing: it may be a missing distance or value of Gower's."""
    values = t.require().values
    if not is_array(values) or str(values.dtype) == "object" or isinstance(t.reader, Gower):
        return
    if is_finite(values) or (t.kind == "square" and isinstance(m, MapModel)):
        return
    require(t.live is not None and is_finite(rows_at(values, t.live)), "rows that are unknown")


def _own_rows(m: Any, t: Training) -> None:
    """Refuse a model of other rows than those of the training that have a weight."""
    values, mine, e = t.require().values, model_rows(m), m.embedding
    require(e is None or e.coordinates.shape[0] == t.n_live, "an embedding of other rows")
    if mine is not None:
        same = mine is values if t.live is None else False
        require(count(mine) == t.n_live, "rows that are not those of its axes")
        require(same or equal(mine, t.active()[0].values), "rows that are not those of its axes")
    if isinstance(m, FeatureModel) and type(m.principal.features) is FeatureMap:
        require(m.principal.standard.factor.shape[0] == width(values), "axes in other columns")


def model_rows(m: Any) -> Any:
    """Return the rows that a model keeps by itself, or None."""
    if isinstance(m, GramModel):
        if isinstance(m.operator, TiledGram):
            return m.operator.points.X
        return m.operator.rows if isinstance(m.operator, DistanceGram) else None
    return m.rows if isinstance(m, MapModel) else None


def _own_weights(m: Any, t: Training) -> None:
    """Refuse weights that are not those of the training."""
    p = t.weights if t.live is None or t.weights is None else t.weights[t.live]
    if isinstance(m, MapModel):
        require(equal(m.weights, p), "weights that are not those of its rows")
    if isinstance(m, GramModel) and m.embedding.centering is not None:
        own = np.full(t.n_live, 1.0 / t.n_live) if p is None else p
        require(are_close(m.embedding.centering.p, own), "weights that are not those of its rows")


def _kept_embedding(r: Record) -> Embedding | None:
    """Return the embedding, of the model or computed once, which must be the same."""
    own: Embedding | None = getattr(r.model, "embedding", None)
    kept = vars(r).get("embedding", own)
    if kept is None or kept is own:
        return own
    require(isinstance(kept, Embedding), "an embedding that is none")
    require(own is None or equal(own.coordinates, kept.coordinates), "two embeddings")
    require(equal(kept.spectrum.values, r.model.spectrum.values), "two spectra")
    require(equal(kept.coefficients, r.model.spectrum.vectors) or own is not None, "other axes")
    require(kept.coordinates.shape[0] == r.training.n_live, "an embedding of other rows")
    require(kept.unit == r.model.unit, "two units")
    return kept


def _kept_places(r: Record, places: Places, e: Any) -> None:
    """Refuse places that were computed once and are not those of the embedding."""
    at = slice(None) if r.training.live is None else r.training.live
    require(places.coordinates.shape == (r.training.n, len(r.model.spectrum.values)), "no places")
    require(
        equal(to_numpy(places.coordinates)[at], to_numpy(e.coordinates)), "places of other points"
    )
    require(equal(to_numpy(places.distance2)[at], to_numpy(e.distance2)), "other distances")
    require((places.modulus is None) == (e.modulus is None), "two sorts of places")
    known = r.training.kind == "square" or is_finite(places.distance2)
    require(known, "rows at no distance")
