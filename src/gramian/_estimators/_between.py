"""What a method starts from, between some rows: similarities or distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian._core.array import is_array, take, to_numpy
from gramian._core.embedding import GramModel, count
from gramian._core.operators import DistanceGram, Gram, SelectedGram
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.table import Table, distance_matrix
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.scaling.distances import Distance, distance_of, distance_rows, is_metric
from gramian._estimators.scaling.map import MapModel
from gramian._estimators.scaling.mds import ClassicalMDS
from gramian._estimators.scaling.stress_mds import MDS


@dataclass(frozen=True, eq=False)
class Between:
    """What a method starts from, between some rows: similarities or distances."""

    values: np.ndarray  # (m, m)
    kind: str  # "similarity" or "distance"
    features: np.ndarray | None = None  # (m, k), where the similarities are their products


def is_of_distances(estimator: Any) -> bool:
    """Whether a method starts from distances."""
    return isinstance(estimator, ClassicalMDS | MDS)


def between(fitted: Any, rows: Any, pick: np.ndarray) -> Between:
    """Return similarities or distances between some of the rows, as a fit sees them."""
    kind = "distance" if is_of_distances(fitted) else "similarity"
    if isinstance(rows, Gram):
        return Between(to_numpy(SelectedGram(rows, pick).dense()), kind)
    if isinstance(rows, list):
        some: Any = [rows[i] for i in pick]
    else:
        some = take(rows, pick, axis=0) if is_array(rows) else rows[pick.tolist()]
    if fitted._is_precomputed:
        return Between(to_numpy(some)[:, pick], kind)
    model = fitted.model_
    if is_of_distances(fitted):
        metric: Any = model.distance if isinstance(model, MapModel) else Distance("euclidean")
        if isinstance(model, GramModel) and isinstance(model.operator, DistanceGram):
            metric = model.operator.metric
        return Between(to_numpy(metric(some)), kind)
    if isinstance(fitted, KernelPCA):
        return Between(to_numpy(fitted.kernel_.pairwise(some)), kind)
    if hasattr(model, "features"):
        F = to_numpy(model.features(some)) * model.unit
    else:  # a map has nothing but its points
        F = to_numpy(model.embedding.coordinates)[pick]
    return Between(F @ F.T, kind, F)


def distances_between(X: Any, metric: Any) -> tuple[np.ndarray, Any]:
    """Return the distances of rows as `ClassicalMDS` would see them, (n, n), and their labels."""
    rows = distance_rows(X, metric)
    n = count(rows.values)
    require_memory(40 * n * n, budget_bytes(None), f"the distances of {n} rows", "give fewer rows")
    D = rows.values if is_metric(metric, "precomputed") else distance_of(metric, rows)(rows.values)
    D = np.asarray(to_numpy(D), dtype=float)
    distance_matrix(Table(D), "metric: its result")
    return 0.5 * (D + D.T), rows.index
