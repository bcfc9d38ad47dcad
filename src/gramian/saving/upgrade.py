"""Fits that version 0.1.0 wrote, whose attributes were many, made into one record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gramian._array import as_kind, is_array, is_sparse, namespace, to_numpy
from gramian._pairs import Points
from gramian._validate import Table
from gramian.embedding import Embedding, FeatureModel, GramModel, Model, Places, Record, Training
from gramian.embedding.principal import Principal, Standard
from gramian.estimators.inside import Combination, MapModel, Scaling, Stream
from gramian.kernels.blocks import Blocks
from gramian.operators import DistanceGram, SquareGram, TiledGram

__all__ = ["upgraded"]

Parts = dict[str, Any]
# What 0.1.0 kept under these names stands in the record now.
_OLD = (
    *("embedding_", "coordinates_", "weights_", "_live", "_rows", "_index", "_columns", "_points"),
    *("_features", "_shift", "_principal", "_witnesses", "_distance", "_unit", "_constant"),
    *("_kernel", "_arrangement", "_fit", "_curve", "_point_weight", "_moments", "_like"),
    *("_scales", "_inner", "_inertias", "_published"),
)


# Parameters that came later, with the values that change nothing.
_LATER: dict[str, Parts] = {
    "PCA": {"missing": "raise", "whiten": False},
    "KernelPCA": {"care": 2.0, "missing": "raise", "scale": False},
    "MultiKernelPCA": {"care": 2.0},
    "Blocks": {"readers": {}},
    "ClassicalMDS": {"missing": "raise"},
    "FAMD": {"missing": "raise"},
    "MFA": {"missing": "raise"},
    "MDS": {"missing": "raise"},
    "KernelLogisticRegression": {"class_weight": None},
}


def upgraded(name: str, parts: Parts) -> Parts:
    """Return the attributes of a fitted estimator as they are now."""
    parts = _LATER.get(name, {}) | parts
    if name == "KernelLogisticRegression":
        return {"_points": None, "_map": None, "_level": None} | parts
    if name not in _MODELS or "record_" in parts or "embedding_" not in parts | _late(parts):
        return parts
    state = {key: value for key, value in parts.items() if key not in _OLD}
    if "_moments" in parts:
        state |= _of_stream(parts)
    else:
        training = _training(name, parts)
        fit = Record(training, _MODELS[name](parts, training))
        if "coordinates_" in parts:
            _remember(fit, parts)
        state["record_"] = fit
    if name == "MultiKernelPCA":
        weights = parts["kernel_weights_"].to_numpy()
        scales, inertias, inner = parts["_scales"], parts["_inertias"], parts["_inner"]
        kernels = parts["kernels_"]
        state["combination_"] = Combination(kernels, weights, scales, inertias, inner)
    published = {"_published": (*(k for k in parts.get("_published", ()) if k in state), "record_")}
    return state | published


def _late(parts: Parts) -> Parts:
    """Return what a large table's fit had left for later."""
    return {"embedding_": None} if "_witnesses" in parts or "_moments" in parts else {}


def _training(name: str, parts: Parts) -> Training:
    rows, p, live = parts.get("_rows"), parts.get("weights_"), parts.get("_live")
    if rows is None:
        points = parts["_points"]
        rows = points.X if isinstance(points, Points) else points
        rows = rows if live is None else _with_gaps(rows, live)
    settings = [parts.get("kernel"), parts.get("metric")]
    square = any(isinstance(s, str) and s == "precomputed" for s in settings)
    distance = parts.get("_distance")
    reader = parts.get("kernel_") if distance is None else distance.gower
    table = Table(rows, parts.get("_index"), parts.get("_columns"), reader)
    return Training.of(table, p, source=[], like=_like(parts, rows), square=square)


def _like(parts: Parts, rows: Any) -> Any:
    Z = parts.get("coordinates_")
    if Z is not None:
        return Z[:0]
    return np.empty(0, rows.dtype) if is_sparse(rows) else rows[:0]


def _with_gaps(rows: Any, live: np.ndarray) -> Any:
    """Return the rows that had a weight among those that 0.1.0 did not keep."""
    if isinstance(rows, Blocks):
        return Blocks({k: _with_gaps(b, live) for k, b in rows.blocks.items()}, rows.columns)
    if is_array(rows) and str(rows.dtype) != "object":
        out = np.full((live.size, *rows.shape[1:]), np.nan)
        out[live] = to_numpy(rows)
        return as_kind(out, rows)
    if is_sparse(rows) or not isinstance(rows, list | np.ndarray):
        return rows
    out = np.full(live.size, None, dtype=object)
    out[live] = list(rows)
    return out


def _remember(fit: Record, parts: Parts) -> None:
    """Put the places that were saved where they would be computed."""
    e, Z = parts["embedding_"], parts["coordinates_"]
    shift, unit = parts.get("_shift"), e.unit
    centred = Z if shift is None else Z - shift
    live = parts.get("_live")
    coordinates = e.coordinates if live is None else centred / unit
    vars(fit)["places"] = Places(coordinates, e.distance2, e.modulus)
    vars(fit)["coordinates"] = Z
    vars(fit)["embedding"] = _active(e, live)


def _active(e: Embedding, live: np.ndarray | None) -> Embedding:
    """Return an embedding whose distances are those of rows with a weight alone."""
    if live is None:
        return e
    modulus = None if e.modulus is None else _at(e.modulus, live)
    return replace(e, distance2=_at(e.distance2, live), modulus=modulus)


def _at(a: Any, live: np.ndarray) -> Any:
    return a[live] if isinstance(a, np.ndarray) else a[namespace(a).asarray(live)]


def _of_stream(parts: Parts) -> Parts:
    names = ("n_features_in_", "feature_names_in_")
    seen = {name: parts[name] for name in names if name in parts}
    n, like = parts["n_samples_seen_"], parts["_like"]
    training = Training("gone", None, n, like=like)
    stream = Stream(parts["_moments"], n, like, seen)
    return {"stream_": stream, "record_": Record(training, FeatureModel(parts["_principal"]))}


def _feature_model(parts: Parts) -> FeatureModel:
    e: Embedding = parts["embedding_"]
    features = parts["_features"]
    mean = features.shift + features.rest
    s = Standard(mean, mean * np.nan, features.factor, e.unit, int(mean.shape[0]))
    embedding = _active(e, parts.get("_live"))
    return FeatureModel(Principal(e.spectrum, s, features), parts.get("_shift"), embedding)


def _of_pca(parts: Parts, training: Training) -> Model:
    e = parts.get("embedding_")
    return FeatureModel(
        parts["_principal"], None, None if e is None else _active(e, parts.get("_live"))
    )


def _of_kernel_pca(parts: Parts, training: Training) -> Model:
    if "_features" in parts:
        return _feature_model(parts)
    embedding = _active(parts["embedding_"], parts.get("_live"))
    if parts["_points"] is None:
        K = training.active()[0].values
        return GramModel(SquareGram(0.5 * (K + K.T)), embedding, parts["_shift"])
    return GramModel(TiledGram(parts["kernel_"], parts["_points"]), embedding, parts["_shift"])


def _of_classical(parts: Parts, training: Training) -> Model:
    if "_features" in parts:
        return _feature_model(parts)
    embedding = _active(parts["embedding_"], parts.get("_live"))
    if "_kernel" in parts:
        return GramModel(TiledGram(parts["_kernel"], parts["_points"]), embedding)
    rows = training.active()[0].values
    distance = None if training.kind == "square" else parts["_distance"]
    correction, constant = parts["correction"], parts["_constant"]
    return GramModel(DistanceGram(rows, distance, parts["_unit"], correction, constant), embedding)


def _of_stress(parts: Parts, training: Training) -> Model:
    weight, live = parts["pair_weight"], parts.get("_live")
    if not (weight is None or isinstance(weight, str)):
        weight = Scaling.square(weight, training.n)
        weight = weight if live is None else weight[np.ix_(live, live)]
    scaling = Scaling(parts["loss"], parts["scaling"], parts["ties"], weight)
    return MapModel(
        _active(parts["embedding_"], live),
        parts["_arrangement"],
        parts["_fit"],
        parts["_curve"],
        scaling,
        None if training.kind == "square" else parts["_distance"],
        training.active()[0].values,
        parts["_point_weight"],
    )


_MODELS: dict[str, Callable[[Parts, Training], Model]] = {
    "PCA": _of_pca,
    "KernelPCA": _of_kernel_pca,
    "MultiKernelPCA": _of_kernel_pca,
    "ClassicalMDS": _of_classical,
    "MDS": _of_stress,
}
