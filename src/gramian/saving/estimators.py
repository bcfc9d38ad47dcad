"""What ties the attributes of a fitted estimator to its record, and to one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.distances.mixed import Gower
from gramian.embedding import (
    FeatureModel,
    GramModel,
    Record,
    Training,
    rows_at,
)
from gramian.estimators.inside import MapModel, derived
from gramian.features.lowrank import ApproximateFeatures, LandmarkMap
from gramian.kernels import Kernel, Linear, Precomputed
from gramian.operators import DistanceGram, TiledGram
from gramian.reading.coding import Coding
from gramian.reading.grouping import Grouping
from gramian.saving.closeness import equal, require
from gramian.saving.kernels import are_related, is_quick, try_kernel, try_on_two
from gramian.saving.model_ties import model_rows
from gramian.saving.predictors import (
    components_agree,
    features_agree,
    landmarks_agree,
    logistic_agrees,
)
from gramian.saving.ties import width
from gramian.saving.trial import require_columns, try_record

__all__ = ["estimator_agrees"]


def estimator_agrees(fitted: Any) -> None:
    """Refuse an estimator whose attributes are not those of its record."""
    own = vars(fitted)
    require(set(own.get("_published") or ()) <= set(own), "results that are not there")
    if isinstance(own.get("record_"), Record):
        _spectral(fitted)
    elif "decomposition_" in own:
        components_agree(fitted)
    elif "classes_" in own:
        logistic_agrees(fitted)
    elif "_F" in own:
        features_agree(fitted)


def _spectral(fitted: Any) -> None:
    own, record = vars(fitted), fitted.record_
    expected = derived(fitted)
    for name, value in expected.items():
        require(name in own and equal(own[name], value), f"a {name} that is not its record's")
    table = record.training.table
    if table is not None:
        if isinstance(table.reader, Coding | Grouping):
            _variables(own, table.reader)
        else:
            _columns(own, table.values, table.columns)
        _kernels(fitted)
    else:
        stream = own.get("stream_")
        require(stream is not None and stream.n == record.training.n, "rows that nobody saw")
        seen = {k: own[k] for k in ("n_features_in_", "feature_names_in_") if k in own}
        require(all(equal(seen.get(k), v) for k, v in stream.seen.items()), "other columns")
        require(own.get("n_samples_seen_") == stream.n, "rows that nobody saw")
        require_columns(record.model.principal.standard, stream.moments)
        by = getattr(record.model.principal.features, "kernel_map", None)
        if isinstance(by, LandmarkMap):
            landmarks_agree(by, by.landmarks.origin.X, own.get("landmarks_"))
    try_record(record)


def _columns(own: dict[str, Any], rows: Any, names: Any) -> None:
    """Refuse columns that are not those that scikit-learn saw."""
    require(own.get("n_features_in_") == width(rows), "a number of columns that is not its rows'")
    seen = own.get("feature_names_in_")
    named = names is not None and all(isinstance(name, str) for name in names)
    require((seen is not None) == named, "names of columns that nobody saw")
    require(seen is None or list(seen) == list(names), "names of columns that nobody saw")


def _variables(own: dict[str, Any], reader: Coding | Grouping) -> None:
    """Refuse variables that are not those that scikit-learn saw before they were coded."""
    if isinstance(reader, Coding):
        coding, places = reader, np.arange(len(reader.variables))
    else:
        coding, places = reader.coding, reader.columns
    p, seen = own.get("n_features_in_"), own.get("feature_names_in_")
    known = p is not None and int(places.max()) < p and (reader is not coding or len(places) == p)
    require(known, "a number of columns that is not its variables'")
    named = seen is None or [seen[k] for k in places] == coding.names
    require(named, "names of columns that nobody saw")


def _kernels(fitted: Any) -> None:
    """Refuse a kernel that is not the one of the model, or that cannot be used on the rows."""
    record, kernel = fitted.record_, vars(fitted).get("kernel_")
    _metric(record)
    if kernel is None:
        return
    inside = _kernel_of(record)
    rows, reader = _first_rows(record.training), record.training.reader
    known = inside is None or _is_about(inside, kernel, record)
    require(known, "a kernel that is not that of its axes")
    if isinstance(kernel, Precomputed) and kernel.matrix is None:
        require(record.training.kind in ("square", "gram"), "a kernel that nobody knows")
        return
    require(record.training.kind not in ("square", "gram"), "a kernel that nobody used")
    if isinstance(record.model, FeatureModel):
        by = getattr(record.model.principal.features, "kernel_map", None)
        if isinstance(by, LandmarkMap):
            landmarks_agree(by, by.landmarks.origin.X, vars(fitted).get("landmarks_"))
    plain = isinstance(record.model, FeatureModel) and inside is None
    approximate = plain and isinstance(record.model.principal.features, ApproximateFeatures)
    require(not plain or approximate or isinstance(kernel, Linear), "axes of another kernel")
    if isinstance(reader, Kernel):
        require(are_related(reader, kernel), "a kernel that its rows were not read by")
    try_kernel(kernel, rows)


def _is_about(inside: Kernel, kernel: Kernel, record: Record) -> bool:
    """Whether a model's kernel is the fit's, or the one that centring makes of it."""
    if inside == kernel:
        return True
    m = record.model
    if isinstance(m, GramModel) and isinstance(m.operator, TiledGram):
        return _alike(inside, kernel.about(m.operator.points))
    by = getattr(m.principal.features, "kernel_map", None) if isinstance(m, FeatureModel) else None
    return isinstance(by, LandmarkMap) and _alike(inside, kernel.about(by.landmarks.origin))


def _alike(one: Any, two: Any) -> bool:
    """Whether two kernels have the same parameters, arrays among them."""
    if not isinstance(one, Kernel) or type(one) is not type(two):
        return equal(one, two)
    mine, other = one.get_params(deep=False), two.get_params(deep=False)
    return all(_alike(value, other[name]) for name, value in mine.items())


def _first_rows(training: Training) -> Any:
    """Return two rows that have a weight: others may be unknown."""
    mask = np.ones(training.n, dtype=bool) if training.live is None else training.live.copy()
    mask[np.flatnonzero(mask)[2:]] = False
    return rows_at(training.require().values, mask)


def _kernel_of(record: Record) -> Kernel | None:
    m = record.model
    if isinstance(m, GramModel) and isinstance(m.operator, TiledGram):
        return m.operator.kernel
    if isinstance(m, FeatureModel):
        by = getattr(m.principal.features, "kernel_map", None)
        return by.kernel if isinstance(by, LandmarkMap) else None
    return None


def _metric(record: Record) -> None:
    """Refuse a metric that is none; Gower's codes are those of the rows."""
    m = record.model
    distance = m.distance if isinstance(m, MapModel) else None
    if isinstance(m, GramModel) and isinstance(m.operator, DistanceGram):
        distance = m.operator.metric
    if distance is None:
        return
    reader = record.training.reader
    require(distance.gower is (reader if isinstance(reader, Gower) else None), "two codes")
    if distance.gower is not None:
        _codes(distance.gower, record.training.require().values)
    elif not isinstance(distance.metric, Kernel) or is_quick(distance.metric):
        rows = model_rows(m)  # some metrics need them all
        try_on_two(rows, lambda two: [distance(two.X, rows)])


def _codes(gower: Gower, rows: np.ndarray) -> None:
    """Refuse codes and ranges that are not those of the rows."""
    require(len(gower.columns) == width(rows), "codes of no columns")
    for column, values in zip(gower.columns, rows.T, strict=True):
        known = values[~np.isnan(values)]
        span = float(np.ptp(known)) if known.size else 0.0
        require(column.span == (span if span > 0 else 1.0), "a range that is not its column's")
        if column.codes is not None and known.size:
            inside = known.min() >= 0 and known.max() < len(column.codes)
            require(bool(inside and (known % 1 == 0).all()), "codes that are not its column's")
