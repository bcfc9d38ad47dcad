"""Inside or outside: T² and Q of rows, and limits for new ones by cross-validation."""

import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import as_kind, to_numpy
from gramian._core.check import share
from gramian._core.embedding import FeatureModel, GramModel, Model, Places, Training, count, rows_at
from gramian._core.types import DataLike, VectorLike
from gramian._estimators.base import SpectralEstimator, like_this
from gramian._estimators.pca import PCA
from gramian.errors import InputError

_FOLDS = 10
_MIN_ROWS = 5
_ROUNDING = 1e-10  # of the inertia, under which a distance beside the axes is 0
_MIN_INERTIA_SHARE = 1e-12  # of the first axis, under which an axis is left out
_NAMED = 3  # columns that are named for a row


def limits(
    fit: SpectralEstimator, X: DataLike | None, alpha: float, diag: VectorLike | None
) -> pd.DataFrame:
    """Return T² and Q of rows, of the fit or new ones, and the limits that new rows keep."""
    share(alpha, "alpha")
    if fit.is_map or fit.training_.kind in ("gram", "blocks"):
        raise InputError(
            f"X: limits need axes on which new rows are placed, and {type(fit).__name__} has none: "
            "use PCA or KernelPCA of a table"
        )
    fit.model_.require_squares("limits")
    t2_held, q_held, w = np.concatenate(list(_held_out(fit)), axis=1)
    t2_limit, q_limit = joint_limits(t2_held, q_held, w, alpha)
    cloud = fit._cloud(X, diag)
    places = Places(cloud.coordinates, cloud.norm2)
    t2, q = _statistics(places, fit.model_)
    inside = (t2 <= t2_limit) & (q <= q_limit)
    unit2 = fit.model_.unit**2
    own: dict[str, Any] = {"t2": t2, "q": q * unit2, "t2_limit": t2_limit}
    own |= {"q_limit": q_limit * unit2, "inside": inside}
    if fit.has_variables and not fit.is_factor_method and isinstance(fit.model_, FeatureModel):
        rows = fit.training_.rows if X is None else fit._new_rows(X).values
        ahead = t2 * q_limit >= q * t2_limit  # which statistic is farther beyond its limit
        own["columns"] = _responsible(fit, rows, inside, ahead)
    return pd.DataFrame(own, index=cloud.labels)


def joint_limits(t2: np.ndarray, q: np.ndarray, w: np.ndarray, alpha: float) -> tuple[float, float]:
    """Return limits at the same rank of both, that 1 − α of rows not in the fit keep together."""
    ranks = [_ranks(x, w) for x in (t2, q)]
    both = np.maximum(*ranks)
    order = np.argsort(both, kind="stable")
    level = (1.0 - alpha) * (1.0 + 1.0 / len(w))  # a new row is one more
    at = min(int(np.searchsorted(np.cumsum(w[order]), level - 1e-12)), len(w) - 1)
    least = both[order[at]] + 1e-12
    first, second = (float(x[r <= least].max()) for x, r in zip((t2, q), ranks, strict=True))
    return first, second


def _ranks(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the weight of smaller values, and of the row itself."""
    order = np.argsort(x, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(w[order])])
    return below[np.searchsorted(x[order], x)] + w


def _statistics(places: Places, model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Return T² = Σ f²/λ and Q = d² − Σ f², in units, 0 where it is rounding."""
    values, total = np.abs(model.spectrum.values), abs(model.spectrum.total)
    Z2 = to_numpy(places.coordinates).astype(np.float64) ** 2
    q = np.maximum(to_numpy(places.distance2).astype(np.float64) - Z2.sum(axis=1), 0.0)
    live = values > _MIN_INERTIA_SHARE * values[0]
    return (Z2[:, live] / values[live]).sum(axis=1), np.where(q > _ROUNDING * total, q, 0.0)


def _held_out(fit: SpectralEstimator) -> Iterator[np.ndarray]:
    """Yield T², Q and weights, (3, m), of rows that had no part in the axes."""
    rows, p = fit.training_.active()
    n = count(rows.values)
    if n < _MIN_ROWS:
        raise InputError(f"limits: X has {n} rows: at least {_MIN_ROWS} are required")
    w = np.full(n, 1.0 / n) if p is None else p
    fold = np.empty(n, dtype=int)
    fold[np.random.default_rng(0).permutation(n)] = np.arange(n) % min(_FOLDS, n)
    estimator = _fitted_again(fit)
    for k in range(fold.max() + 1):
        rest = fold != k
        part = replace(rows, values=_square(fit.training_, rows_at(rows.values, rest), rest))
        with warnings.catch_warnings():  # of the parts: those of the whole were given in the fit
            warnings.simplefilter("ignore", UserWarning)
            most = int(rest.sum()) - 1  # axes that these rows have
            part_fit = like_this(estimator, n_components=min(int(estimator.n_components), most))
            model, _ = part_fit._analyse(
                replace(part, index=None), None if p is None else p[rest] / p[rest].sum()
            )
        held = _square(fit.training_, rows_at(rows.values, ~rest), rest)
        t2, q = _statistics(_places(model, held, rows.values, ~rest), model)
        yield np.stack([t2, q * (model.unit / fit.model_.unit) ** 2, w[~rest]])


def _fitted_again(fit: SpectralEstimator) -> SpectralEstimator:
    """Return what can be fitted to a part of the rows; of a map read, PCA where it is its map."""
    if not fit.is_external:
        return like_this(fit, n_components=fit.n_components_)
    pca = PCA(fit.n_components_, scale=fit.is_scaled)
    if isinstance(fit.model_, FeatureModel):
        values = pca.fit(fit.training_.rows).eigenvalues_
        if np.allclose(values, fit.eigenvalues_, rtol=1e-6, atol=1e-9 * fit.inertia_):
            return pca
    raise InputError(
        "X: limits need axes that can be fitted to a part of the rows, and those of this map are "
        "not principal axes of its table: use gm.PCA or gm.KernelPCA"
    )


def _square(training: Training, values: Any, rest: np.ndarray) -> Any:
    """Return rows of values with the rows of a part: its columns, where values are of pairs."""
    return rows_at(values.T, rest).T if training.kind == "square" else values


def _places(model: Model, held: Any, values: Any, out: np.ndarray) -> Places:
    """Return where rows lie that had no part; k(x, x) of a precomputed kernel is at hand."""
    places = model.project(held)
    if not np.isnan(to_numpy(places.distance2)).any():
        return places
    assert isinstance(model, GramModel)
    product, _ = model.operator.cross_matmul(held, model.embedding.right)
    return model.place(product, as_kind(to_numpy(values).diagonal()[out], product))


def _responsible(
    fit: SpectralEstimator, rows: Any, inside: np.ndarray, by_t2: np.ndarray
) -> list[tuple[Any, ...]]:
    """Return the columns with the largest parts in the statistic that puts a row outside."""
    model, names = fit.model_, fit._variable_names()
    assert isinstance(model, FeatureModel)
    V, values = to_numpy(model.spectrum.vectors).astype(np.float64), model.spectrum.values
    out: list[tuple[Any, ...]] = [()] * len(inside)
    outside = np.flatnonzero(~inside)
    if not outside.size:
        return out
    F = to_numpy(model.features(rows_at(rows, ~inside))).astype(np.float64)
    Z = F @ V
    live = values > _MIN_INERTIA_SHARE * values[0]
    parts = F * ((Z[:, live] / values[live]) @ V[:, live].T)  # they add up to T²
    parts = np.where(by_t2[outside, None], parts, (F - Z @ V.T) ** 2)
    for i, part in zip(outside.tolist(), parts, strict=True):
        best = np.argsort(-part, kind="stable")[:_NAMED]
        out[i] = tuple(names[j] for j in best if part[j] > 0)
    return out
