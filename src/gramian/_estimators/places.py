"""Whether rows on a map are among their neighbours in the data, for any fit."""

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import slice_rows, to_dense, to_numpy
from gramian._core.check import is_list, short, whole
from gramian._core.embedding import (
    EmbeddedModel,
    FeatureModel,
    GramModel,
    Model,
    Training,
    count,
    rows_at,
)
from gramian._core.frames import in_order_of, is_frame
from gramian._core.parallel import budget_bytes, require_memory, row_blocks
from gramian._core.table import table
from gramian._core.types import DataLike
from gramian._estimators.base import SpectralEstimator, like_this
from gramian._estimators.foreign.reductions import GivenModel
from gramian._estimators.scaling.map import MapModel
from gramian._nulls.corrections import ALPHA
from gramian._reading.positions import (
    N_NEIGHBORS,
    Distances,
    Kept,
    Sides,
    is_random,
    keep,
    misplacement,
    reference_ranks,
    reference_rows,
    squared_distances,
    worse_than_neighbours,
)
from gramian.errors import InputError
from gramian.kernels import Radial

_MIN_ROWS = 6
_MAX_DOUBLE_ROWS = 5_000  # more rows are compared in single precision
_REGION = 0.95  # of resampled places that a radius holds


@dataclass(frozen=True, eq=False)
class Positions:
    """Rows on a map beside their neighbours in the data."""

    kept: Kept
    reference: np.ndarray  # (m,), numbers of the rows among which neighbours are looked for
    p_value: np.ndarray  # (n,), corrected for the number of rows
    misplaced: np.ndarray  # (n,) bool
    index: pd.Index

    @property
    def lost_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows, and rows of the fit that are their neighbours in the data but not on the map."""
        row, at = np.nonzero(self.kept.ranks > self.kept.ranks.shape[1])
        return row, self.reference[self.kept.neighbors[row, at]]


def positions(
    fit: SpectralEstimator,
    X: DataLike | None = None,
    axes: Any = None,
    n_neighbors: int | None = None,
) -> Positions:
    """Return what the map keeps of the neighbours of rows, of the fit or new ones."""
    training = fit.training_
    if training.kind == "gone" or training.table is None:
        training.require()
    chosen = _axes(fit, axes)
    is_mapped = isinstance(fit.model_, GivenModel) and fit.model_.place is None
    mapped = X if is_mapped else None  # such a map has no place for new rows
    new = None if is_mapped or X is None else fit._new_rows(X)
    live = np.arange(training.n) if training.live is None else np.flatnonzero(training.live)
    if len(live) < _MIN_ROWS:
        raise InputError(f"X: places of {len(live)} rows: at least {_MIN_ROWS} are required")
    most = (len(live) - 1) // 2
    k = min(N_NEIGHBORS, max(1, (len(live) - 1) // 3))
    if n_neighbors is not None:
        k = whole(n_neighbors, "n_neighbors", 1, most, what="half of the rows")
    reference = reference_rows(live, training.n)
    k = min(k, (len(reference) - 1) // 2)
    Z = to_numpy(fit.record_.places.coordinates).astype(np.float64)[:, chosen]
    centre = Z[reference].mean(axis=0)
    shown = Z[reference] - centre
    ranks = reference_ranks(shown)

    def compare(distances: Distances, Z: np.ndarray, own: np.ndarray) -> tuple[Kept, np.ndarray]:
        single = len(Z) > _MAX_DOUBLE_ROWS
        sides = Sides(distances, lambda s: squared_distances(Z[s] - centre, shown, single), own)
        kept = keep(sides, len(Z), len(reference), k)
        return kept, worse_than_neighbours(kept, ranks, own)

    own = np.full(training.n, -1)
    own[reference] = np.arange(len(reference))
    if new is None:
        kept, excess = compare(_training_distances(fit, mapped, reference), Z, own)
        p, index = misplacement(excess, excess[live]), training.labels
        random = is_random(kept, ranks, own)
    else:
        # The scale of what is usual is that of the reference rows.
        some = _training_distances(fit, None, reference, only=reference)
        usual, before = compare(some, Z[reference], np.arange(len(reference)))
        random = is_random(usual, ranks, np.arange(len(reference)))
        placed = to_numpy(fit.record_.project(new.values).coordinates).astype(np.float64)
        m = len(placed)
        rows = table(new.values, "X", min_rows=1).values if is_frame(new.values) else new.values
        there = _new_distances(fit, training.as_model_input(rows), reference, live)
        kept, excess = compare(there, placed[:, chosen], np.full(m, -1))
        p = misplacement(excess, before)
        index = pd.RangeIndex(m) if new.index is None else new.index
    return Positions(kept, reference, p, (p <= ALPHA) | random, index)


def places(
    fit: SpectralEstimator,
    X: DataLike | None,
    axes: Any,
    n_neighbors: int | None,
    n_resamples: int,
) -> pd.DataFrame:
    """Return the table of places: one row a row."""
    found = positions(fit, X, axes, n_neighbors)
    chosen = _axes(fit, axes)
    own: dict[str, Any] = {
        "lost": found.kept.lost,
        "invented": found.kept.invented,
        "trust": found.kept.trust,
        "p_value": found.p_value,
        "misplaced": found.misplaced,
        "cos2": np.full(len(found.index), np.nan),
    }
    if not fit.is_map:
        cloud = fit._cloud(X) if fit.training_.kind != "square" or X is None else None
        if cloud is not None:
            whole_ = np.where(cloud.norm2 > 0, cloud.norm2, 1.0)
            own["cos2"] = cloud.squares[:, chosen].sum(axis=1) / whole_
    if whole(n_resamples, "n_resamples", 0):
        own["radius"] = _radius(fit, X, chosen, n_resamples)
    return pd.DataFrame(own, index=found.index)


def _axes(fit: SpectralEstimator, axes: Any) -> list[int]:
    """Return the positions of the axes that make the map, all by default."""
    q = fit.n_components_
    if axes is None:
        return list(range(q))
    if not is_list(axes) or not len(axes):
        raise InputError(f"axes={short(axes)} must be a list of numbers of axes, such as (1, 2)")
    return [whole(k, "axes", 1, q, what="the axes of the fit") - 1 for k in axes]


def _vectors(fit: SpectralEstimator, values: Any) -> Any:
    """Return a function of a slice: rows in the space in which the method compares them, or None.

    Neighbours by a kernel of the distance are those of the rows themselves.
    """
    model = fit.model_
    plain = isinstance(vars(fit).get("kernel_"), Radial) and fit.training_.kind == "table"
    if plain or isinstance(model, GivenModel):
        return lambda rows: to_dense(slice_rows(values, rows)).astype(np.float64)
    if isinstance(model, FeatureModel):
        return lambda rows: to_numpy(model.features(slice_rows(values, rows))).astype(np.float64)
    return None


def _from_vectors(vectors: Any, n: int, there: np.ndarray) -> Distances:
    """Return squared distances of n rows to reference rows, both vectors."""
    centre = there.mean(axis=0)
    unit = np.abs(there - centre).max()
    unit = unit if unit > 0 else 1.0
    reference = (there - centre) / unit
    single = n > _MAX_DOUBLE_ROWS
    return lambda rows: squared_distances((vectors(rows) - centre) / unit, reference, single)


def _training_distances(
    fit: SpectralEstimator, mapped: Any, reference: np.ndarray, only: np.ndarray | None = None
) -> Distances:
    """Return squared distances in the data of the rows of the fit, or some, to reference rows."""
    training, model = fit.training_, fit.model_
    if isinstance(model, GivenModel) and (mapped is not None or not hasattr(fit, "n_features_in_")):
        if mapped is None:
            raise InputError("X is missing: the map was read without its rows: give them")
        values: Any = table(in_order_of(mapped, training.index, "X", "the fit"), "X").values
        if count(values) != training.n:
            raise InputError(f"X has {count(values)} rows but the map has {training.n}")
    else:
        values = training.rows
    vectors = _vectors(fit, values)
    if vectors is not None:
        there = _at(vectors, reference)
        if only is not None:
            few = _at(vectors, only)
            return _from_vectors(lambda rows: few[rows], len(few), there)
        return _from_vectors(vectors, training.n, there)
    n, m = training.n, len(reference)
    require_memory(16 * n * m, budget_bytes(None), f"distances of {n} rows", "fit fewer rows")
    D = np.empty((n, m))
    live = np.ones(n, dtype=bool) if training.live is None else training.live
    if isinstance(model, GramModel):
        at = np.searchsorted(np.flatnonzero(live), reference)
        D[live] = _gram_rows(model, at)
        diag = to_numpy(model.operator.diag()).astype(np.float64)[at]
        D[live] = diag[None, :] - 2.0 * D[live]
    else:
        D[live] = _map_distances(model, to_model(training, live), reference, live)
    if not live.all():
        D[~live] = _new_distances(fit, training.rest, reference, np.flatnonzero(live))(slice(None))
    D = D if only is None else D[only]
    return lambda rows: D[rows].copy()


def to_model(training: Training, live: np.ndarray) -> Any:
    """Return the rows with a weight, as the model takes them."""
    return training.to_model_columns(rows_at(training.rows, live))


def _at(vectors: Any, rows: np.ndarray) -> np.ndarray:
    """Return the vectors of some rows."""
    return np.concatenate([vectors(slice(i, i + 1)) for i in rows.tolist()])


def _gram_rows(model: GramModel, at: np.ndarray) -> np.ndarray:
    """Return k(x, y) of all rows that made the axes and some of them, (n, m)."""
    gram, everything = model.operator.prepare(), slice(0, model.operator.n)
    if len(at) == gram.n:
        return to_numpy(gram.block(everything, everything)).astype(np.float64)
    rows = [to_numpy(gram.block(slice(i, i + 1), everything)) for i in at.tolist()]
    return np.concatenate(rows).astype(np.float64).T


def _map_distances(model: Any, values: Any, reference: np.ndarray, live: np.ndarray) -> np.ndarray:
    """Return squared dissimilarities that a map was made of; unknown ones are infinite."""
    assert isinstance(model, MapModel)
    at = np.searchsorted(np.flatnonzero(live), reference)
    D = to_numpy(values if model.distance is None else model.distance(values, model.rows))
    squares = D.astype(np.float64)[:, at] ** 2
    return np.where(np.isnan(squares), np.inf, squares)


def _new_distances(
    fit: SpectralEstimator, values: Any, reference: np.ndarray, live: np.ndarray
) -> Distances:
    """Return squared distances in the data of new rows to reference rows."""
    model, training = fit.model_, fit.training_
    vectors = _vectors(fit, values)
    if vectors is not None:
        there = _at(_vectors(fit, training.rows), reference)
        return _from_vectors(vectors, count(values), there)
    at = np.searchsorted(live, reference)
    if not isinstance(model, GramModel):
        mask = np.zeros(training.n, dtype=bool)
        mask[live] = True
        D = _map_distances(model, values, reference, mask)
        return lambda rows: D[rows].copy()
    diag = to_numpy(model.operator.diag()).astype(np.float64)[at]
    step = max(1, (1 << 24) // model.operator.n)
    parts = [
        to_numpy(model.operator.cross(slice_rows(values, rows)))[:, at].astype(np.float64)
        for rows in row_blocks(count(values), step)
    ]
    K = np.concatenate(parts)
    return lambda rows: diag[None, :] - 2.0 * K[rows]


def _radius(
    fit: SpectralEstimator, X: DataLike | None, chosen: list[int], n_resamples: int
) -> np.ndarray:
    """Return how far 95 % of the places of each row in fits of resampled rows are from its own."""
    training = fit.training_
    if isinstance(fit.model_, EmbeddedModel) and not isinstance(fit.model_, GramModel):
        raise InputError(
            f"n_resamples: {type(fit).__name__} cannot be fitted to resampled rows here: leave it "
            "out, or use PCA, KernelPCA or ClassicalMDS"
        )
    if training.kind not in ("table", "objects"):
        raise InputError("n_resamples: resampling needs a table of rows: leave it out")
    rows, p = training.active()
    n = count(rows.values)
    new = None if X is None else training.as_model_input(fit._new_rows(X).values)
    there, target = _place(fit.model_, training.rows, new)
    centre = target.mean(axis=0)
    estimator = like_this(fit, n_components=fit.n_components_)
    rng = np.random.default_rng(0)
    squares = np.empty((n_resamples, len(there)))
    for b in range(n_resamples):
        counts = rng.multinomial(n, np.full(n, 1.0 / n) if p is None else p)
        drawn = counts > 0
        part = replace(rows, values=rows_at(rows.values, drawn), index=None)
        with warnings.catch_warnings():  # those of all rows were given in the fit
            warnings.simplefilter("ignore", UserWarning)
            model, _ = estimator._analyse(part, counts[drawn] / n)
        Z, base = _place(model, training.rows, new)
        middle = base.mean(axis=0)
        U, _, Vt = np.linalg.svd((base - middle).T @ (target - centre), full_matrices=False)
        off = (Z - middle) @ (U @ Vt) + centre - there
        squares[b] = np.sum(off[:, chosen] ** 2, axis=1)
    return np.sqrt(np.quantile(squares, _REGION, axis=0))


def _place(model: Model, rows: Any, new: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return where new rows are, or those of the fit, and where those of the fit are."""
    base = to_numpy(model.project(rows).coordinates).astype(np.float64) * model.unit
    if new is None:
        return base, base
    return to_numpy(model.project(new).coordinates).astype(np.float64) * model.unit, base
