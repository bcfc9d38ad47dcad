"""The columns behind an axis, or behind the place of some rows."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.array import is_numpy, to_dense, to_numpy
from gramian._core.check import is_label, is_list, is_whole, short, whole
from gramian._core.embedding import EmbeddedModel, FeatureModel, GramModel, count, rows_at
from gramian._core.numbers import as_array, as_floats
from gramian._core.operators import TiledGram
from gramian._core.operators.feature import FeatureMap
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import row_blocks
from gramian._estimators.base import SpectralEstimator, like_this
from gramian._estimators.pca import PCA
from gramian._nulls.corrections import benjamini_hochberg
from gramian._nulls.spectra import axes_without, normal_scores
from gramian.errors import InputError

_MIN_ROWS = 6
_MAX_ROWS = 2_000  # rows of the tests; of more a seeded sample
_MAX_REGRESSION_ROWS = 500  # where a map is learnt from the columns
_BLOCKS = 20  # of columns that are held out together
_MAX_HELD = 2e7  # numbers of the axes without each column
_BLOCK_ENTRIES = 1 << 22
_NODES = 16  # of the path from the mean row to a row
_MAX_PATHS = 100  # rows whose paths are followed
_STEP = float(np.finfo(float).eps ** (1 / 3))  # of differences, in standard deviations
_PENALTIES = 10.0 ** np.arange(-4.0, 3.0)  # of ridge regressions, times the number of rows


@dataclass(frozen=True, eq=False)
class _Question:
    """What is asked: a direction among the axes, and rows whose place on it is to be explained."""

    fit: SpectralEstimator
    X: np.ndarray  # (n, p), the rows that have a weight
    p: np.ndarray | None  # their weights
    names: list[Any]
    Z: np.ndarray  # (n, q), their coordinates
    direction: np.ndarray  # (q,)
    rows: np.ndarray | None  # (n,) bool
    by_axis: bool

    @property
    def w(self) -> np.ndarray:
        return np.full(len(self.X), 1.0 / len(self.X)) if self.p is None else self.p

    @property
    def target(self) -> np.ndarray:
        """What held-out axes are to reproduce: the direction, or which rows are meant, (n,)."""
        if self.rows is None or self.by_axis:
            return self.Z @ self.direction
        return self.rows.astype(float)


def why(
    fit: SpectralEstimator, rows: Any, axis: Any, sets: Mapping[Any, Sequence[Any]] | None
) -> pd.DataFrame:
    """Return effects and p-values of the columns, or of sets of them."""
    question = _question(fit, rows, axis)
    effect = _effects(question)
    z = _held_out_scores(question)
    p = 2.0 * stats.norm.sf(np.abs(z))
    if sets is None:
        index = pd.Index(question.names, name="column")
        # On each side by itself: many true names on one side would let false ones pass that make
        # up the whole of the other.
        sides = [_fdr(np.where(side, p, 1.0)) for side in (z > 0, z <= 0)]
        q = np.where(z > 0, *sides)
        return pd.DataFrame({"effect": effect, "p_value": p, "q_value": q}, index=index)
    return _enrichment(question, effect, z, sets)


def _fdr(p: np.ndarray) -> np.ndarray:
    return benjamini_hochberg(p) if len(p) else p


def _question(fit: SpectralEstimator, rows: Any, axis: Any) -> _Question:
    training = fit.training_
    is_bare = fit.is_external and not hasattr(fit, "n_features_in_")
    if training.kind != "table" or fit.is_factor_method or fit.questions or is_bare:
        raise InputError(
            f"X: {type(fit).__name__} has no table of numbers whose columns could be named: fit "
            "or read one, or use describe(table)"
        )
    table, p = training.active()
    X = to_dense(to_numpy(table.values) if not is_numpy(table.values) else table.values)
    X = X.astype(np.float64)
    if len(X) < _MIN_ROWS:
        raise InputError(f"X has {len(X)} rows with a weight: at least {_MIN_ROWS} are required")
    live = np.ones(training.n, dtype=bool) if training.live is None else training.live
    Z = to_numpy(fit.record_.places.coordinates).astype(np.float64)[live] * fit.model_.unit
    chosen = None if rows is None else _chosen_rows(rows, training.labels)
    if chosen is not None:
        if chosen.all() or not chosen[live].any():
            raise InputError("rows: name some of the rows that have a weight, not all of them")
        chosen = chosen[live]
    direction = _direction(axis, Z, chosen)
    return _Question(
        fit, X, p, fit._variable_names(), Z, direction, chosen, axis is not None or rows is None
    )


def _chosen_rows(rows: Any, labels: pd.Index) -> np.ndarray:
    """Return which rows are meant by labels, positions or a mask, (n,) bool."""
    values = list(as_array(rows, "rows").ravel()) if is_list(rows) else [rows]
    n, mask = len(labels), np.zeros(len(labels), dtype=bool)
    if len(values) == n and all(isinstance(v, bool | np.bool_) for v in values):
        return np.array(values, dtype=bool)
    if values and all(is_label(v) and v in labels for v in values):
        return np.asarray(pd.Series(labels).isin(values))
    if values and all(is_whole(v) and 0 <= v < n for v in values):
        mask[[int(v) for v in values]] = True
        return mask
    raise InputError(f"rows={short(rows)} must be labels of rows, positions below {n} or a mask")


def _direction(axis: Any, Z: np.ndarray, rows: np.ndarray | None) -> np.ndarray:
    """Return a direction among the axes, of length 1, (q,)."""
    q = Z.shape[1]
    if axis is None and rows is not None:
        direction = Z[rows].mean(axis=0)
    elif axis is None or not is_list(axis):
        k = whole(1 if axis is None else axis, "axis", 1, q, what="the axes of the fit")
        direction = np.eye(q)[k - 1]
    else:
        direction = as_floats(axis, "axis")
        if direction.shape != (q,) or not np.isfinite(direction).all():
            raise InputError(f"axis={short(axis)} must be a number or {q} weights of the axes")
    length = np.linalg.norm(direction)
    if length == 0:
        raise InputError("axis: the direction is zero: the rows are at the origin; give an axis")
    return np.asarray(direction / length)


def _effects(question: _Question) -> np.ndarray:
    """Return the part of each column in the place of the rows, or its tie to the direction."""
    fit, X, w, d = question.fit, question.X, question.w, question.direction
    model, mean = fit.model_, w @ X
    deviation = np.sqrt(w @ (X - mean) ** 2)
    if question.rows is None:
        t = question.Z @ d
        size = np.sqrt(w @ (t - w @ t) ** 2)
        if isinstance(model, FeatureModel) and type(model.principal.features) is FeatureMap:
            return _ratio(w @ ((X - mean) * (t - w @ t)[:, None]), deviation * size)
        if isinstance(model, FeatureModel | GramModel):
            slopes = w @ np.concatenate(list(_slopes(question, X)))
            return deviation * slopes / size
        return _ridge(X, t, w)[0] / size
    if isinstance(model, FeatureModel) and type(model.principal.features) is FeatureMap:
        F = to_numpy(model.features(rows_at(_values(fit), _everywhere(question)))).astype(float)
        V = to_numpy(model.spectrum.vectors).astype(np.float64)
        return F.mean(axis=0) * (V @ d) * model.unit
    if not isinstance(model, FeatureModel | GramModel):
        beta, scale = _local_ridge(question)
        return (X[question.rows].mean(axis=0) - mean) * _ratio(beta, scale)
    some = np.flatnonzero(question.rows)
    if len(some) > _MAX_PATHS:
        some = np.random.default_rng(0).choice(some, _MAX_PATHS, replace=False)
    # Gauss and Legendre's rule along the straight path: the parts add up to what lies between.
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    total = np.zeros(X.shape[1])
    for node, weight in zip(0.5 * (nodes + 1.0), 0.5 * weights, strict=True):
        path = mean + node * (X[some] - mean)
        slopes = np.concatenate(list(_slopes(question, path)))
        total += weight * ((X[some] - mean) * slopes).mean(axis=0)
    return total


def _values(fit: SpectralEstimator) -> Any:
    return fit.training_.rows


def _everywhere(question: _Question) -> np.ndarray:
    """Return the rows that are meant among all rows of the fit, (n,) bool."""
    training = question.fit.training_
    assert question.rows is not None
    if training.live is None:
        return question.rows
    mask = np.zeros(training.n, dtype=bool)
    mask[np.flatnonzero(training.live)[question.rows]] = True
    return mask


def _ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.divide(a, b, out=np.zeros(np.shape(a)), where=b > 0)


def _slopes(question: _Question, X: np.ndarray) -> Any:
    """Yield blocks of the derivatives of the direction in each column, at rows of X, (b, p)."""
    fit, d = question.fit, question.direction
    parts = kernel_parts(fit)
    if parts is None:
        yield _differences(question, X)
        return
    kernel, points, A = parts
    weights = A @ d
    step = max(1, _BLOCK_ENTRIES // (len(points) * X.shape[1]))
    for rows in row_blocks(len(X), step):
        there = Points(X[rows], points)
        slope = to_numpy(kernel.slope(Pairs(there, points, exact=True)))
        yield np.einsum("ijp,j->ip", slope, weights) * fit.model_.unit


def kernel_parts(fit: Any) -> tuple[Any, Points, np.ndarray] | None:
    """Return a fit's kernel, points x_j and A with axes Σ_j A_jk k(x, x_j); None if not exact."""
    model = fit.model_
    operator = model.operator if isinstance(model, GramModel) else None
    if not isinstance(operator, TiledGram) or not operator.points.is_dense:
        return None
    if not operator.kernel.differentiable or not is_numpy(operator.points.X):
        return None
    e = model.embedding
    C = to_numpy(e.coefficients).astype(np.float64)
    A = C - to_numpy(e.centering.p)[:, None] * C.sum(axis=0)  # of the centred axes
    return operator.kernel, operator.points, A


def _differences(question: _Question, X: np.ndarray) -> np.ndarray:
    """Return the same by central differences of `transform`."""
    fit, d = question.fit, question.direction
    names = getattr(fit, "feature_names_in_", None)
    deviation = np.sqrt(question.w @ (question.X - question.w @ question.X) ** 2)
    out = np.empty(X.shape)
    for j, h in enumerate(_STEP * np.where(deviation > 0, deviation, 1.0)):
        ends = []
        for side in (h, -h):
            moved = X.copy()
            moved[:, j] += side
            rows = moved if names is None else pd.DataFrame(moved, columns=names)
            ends.append(to_numpy(fit.transform(rows)).astype(np.float64) @ d)
        out[:, j] = (ends[0] - ends[1]) / (2.0 * h)
    return out


def _ridge(X: np.ndarray, t: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return slopes of t on standardised columns, the penalty by leave-one-out, and deviations."""
    root = np.sqrt(w / w.sum())
    mean = (w / w.sum()) @ X
    scale = np.sqrt((w / w.sum()) @ (X - mean) ** 2)
    S = _ratio(X - mean, np.broadcast_to(scale, X.shape)) * root[:, None]
    y = (t - (w / w.sum()) @ t) * root
    U, s, Vt = np.linalg.svd(S, full_matrices=False)
    best, slopes = np.inf, np.zeros(X.shape[1])
    for penalty in _PENALTIES:
        shrink = s**2 / (s**2 + penalty * s[0] ** 2)
        leverage = np.minimum((U**2) @ shrink + root**2, 1.0 - 1e-9)
        error = float(np.sum(((y - U @ (shrink * (U.T @ y))) / (1.0 - leverage)) ** 2))
        if error < best:
            best, slopes = error, Vt.T @ (_ratio(shrink, s) * (U.T @ y))
    return slopes, scale


def _local_ridge(question: _Question) -> tuple[np.ndarray, np.ndarray]:
    """Return slopes of the direction in the part of the map where the rows are."""
    assert question.rows is not None
    place = question.Z[question.rows].mean(axis=0)
    d2 = np.sum((question.Z - place) ** 2, axis=1)
    reach = max(np.quantile(d2, 0.5), d2[question.rows].max())
    near = np.maximum(1.0 - d2 / (2.0 * reach), 0.0) * question.w
    return _ridge(question.X, question.Z @ question.direction, near)


def _held_out_scores(question: _Question) -> np.ndarray:
    """Return normal scores of the ties of columns to the direction that others give, (p,)."""
    # A column takes part in the map that it is compared with, and noise would look tied to it. So
    # each is compared with the map of the other columns, turned to the target.
    X, p = question.X, question.p
    n, columns = X.shape
    most = _MAX_ROWS
    model = question.fit.model_
    learnt = isinstance(model, EmbeddedModel) and not isinstance(model, GramModel)
    if learnt:
        most = _MAX_REGRESSION_ROWS
    some = np.arange(n)
    if n > most:
        some = np.sort(np.random.default_rng(0).choice(n, most, replace=False))
    scores = normal_scores(X[some])
    target = question.target[some]
    w = np.full(len(some), 1.0 / len(some)) if p is None else p[some] / p[some].sum()
    r = np.zeros(columns)
    q = question.Z.shape[1]
    exact = isinstance(question.fit, PCA) and p is None and columns > 1
    if exact and columns * q * len(some) <= _MAX_HELD and len(some) > q + 1:
        F = to_numpy(question.fit._principal.features(X[some])).astype(np.float64)
        U = np.linalg.svd(F - F.mean(axis=0), full_matrices=False)[0][:, :q]
        axes = axes_without(F, U.shape[1])  # (p, q, n)
        held = np.einsum("k,jkn->jn", U.T @ (target - target.mean()), axes)
        r = np.array([_correlation(s, t, w) for s, t in zip(scores.T, held, strict=True)])
    elif columns > 1:
        order = np.random.default_rng(0).permutation(columns)
        for block in np.array_split(order, min(_BLOCKS, columns)):
            Z = _map_without(question, some, block, learnt)
            base = np.column_stack([np.ones(len(some)), Z]) * np.sqrt(w)[:, None]
            held = base @ np.linalg.lstsq(base, target * np.sqrt(w), rcond=None)[0] / np.sqrt(w)
            r[block] = [_correlation(scores[:, j], held, w) for j in block]
    else:
        return np.zeros(columns)  # one column by itself: there is nothing to compare it with
    freedom = max(1.0 / float(np.sum(w**2)) - 2.0, 1.0)
    r = np.clip(r, -1.0 + 1e-15, 1.0 - 1e-15)
    t = r * np.sqrt(freedom / (1.0 - r**2))
    tail = stats.t.logsf(np.abs(t), freedom)
    return np.asarray(np.sign(r) * -stats.norm.ppf(np.exp(np.maximum(tail, -700.0))))


def _correlation(a: np.ndarray, b: np.ndarray, w: np.ndarray) -> float:
    """Return a weighted correlation with normal scores of b, 0 where one does not vary."""
    if np.ptp(b) <= 1e-12 * np.abs(b).max(initial=0.0):
        return 0.0
    b = normal_scores(b[:, None])[:, 0]
    a, b = a - w @ a, b - w @ b
    size = np.sqrt((w @ a**2) * (w @ b**2))
    return float(w @ (a * b) / size) if size > 0 else 0.0


def _map_without(
    question: _Question, some: np.ndarray, block: np.ndarray, learnt: bool
) -> np.ndarray:
    """Return the map of some rows that a block of columns had no part in, (n, q)."""
    X, fit = question.X[some].copy(), question.fit
    if learnt:
        rest = np.delete(normal_scores(X), block, axis=1)
        return _learnt_map(rest, question.Z[some])
    X[:, block] = X[:, block].mean(axis=0)
    rows, p = fit.training_.active()
    estimator = like_this(fit, n_components=fit.n_components_)
    kernel = vars(fit).get("kernel_")
    part = replace(rows, values=X, index=None, reader=rows.reader if kernel is None else kernel)
    with warnings.catch_warnings():  # constant columns are meant
        warnings.simplefilter("ignore", UserWarning)
        model, _ = estimator._analyse(part, None if p is None else p[some] / p[some].sum())
    Z = to_numpy(model.project(part.values).coordinates).astype(np.float64)
    return Z[:, : count(Z.T)]


def _learnt_map(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Return leave-one-out predictions of a map from columns, by kernel ridge regression."""
    D = np.sum(X**2, axis=1)[:, None] + np.sum(X**2, axis=1)[None, :] - 2.0 * X @ X.T
    values, U = np.linalg.eigh(np.exp(-D / max(float(np.median(D)), 1e-300)))
    values, mean = np.clip(values, 0.0, None), Z.mean(axis=0)
    UZ, best, out = U.T @ (Z - mean), np.inf, Z
    for penalty in _PENALTIES:
        shrink = values / (values + penalty)
        leverage = np.minimum((U**2) @ shrink, 1.0 - 1e-9)
        residual = ((Z - mean) - U @ (shrink[:, None] * UZ)) / (1.0 - leverage)[:, None]
        error = float(np.sum(residual**2))
        if error < best:
            best, out = error, Z - residual
    return out


def _enrichment(
    question: _Question, effect: np.ndarray, z: np.ndarray, sets: Mapping[Any, Sequence[Any]]
) -> pd.DataFrame:
    """Return whether sets of columns are more strongly tied to the direction than the others.

    The difference of mean scores, its variance inflated by the mean correlation of the columns of
    a set that the direction does not explain (CAMERA, Wu and Smyth 2012).
    """
    if not isinstance(sets, Mapping) or not sets:
        raise InputError(f"sets={short(sets)} must be a dict of lists of columns, by name")
    at = {name: j for j, name in enumerate(question.names)}
    S, t = normal_scores(question.X), normal_scores((question.Z @ question.direction)[:, None])
    residual = S - t * (t.T @ S / len(S))
    size = np.sqrt(np.sum(residual**2, axis=0))
    residual = _ratio(residual, np.broadcast_to(size, residual.shape))
    side = np.sign(z)
    rows = {}
    for name, members in sets.items():
        if not is_list(members):
            raise InputError(f"sets[{short(name)}] must be a list of columns")
        unknown = [c for c in members if not is_label(c) or (c not in at and not is_whole(c))]
        if unknown:
            raise InputError(f"sets[{short(name)}] has {short(unknown[0])}, which is no column")
        own = np.unique([at[c] if c in at else int(c) for c in members]).astype(int)
        m, others = len(own), len(z) - len(own)
        if m and (own.min() < 0 or own.max() >= len(z)):
            raise InputError(f"sets[{short(name)}] has a position beyond {len(z)} columns")
        if m < 2 or others < 2:
            rows[name] = (m, float(effect[own].mean()) if m else np.nan, np.nan)
            continue
        # Sizes of ties, whichever side they are on: a set may be split between both.
        strength = np.abs(z)
        total = (residual[:, own] * side[own]).sum(axis=1)
        rho = max((float(total @ total) - m) / (m * (m - 1)), 0.0)
        rest = np.delete(strength, own)
        spread = float(rest.std(ddof=1)) if len(rest) > 2 else 1.0
        error = spread * np.sqrt((1.0 + (m - 1) * rho) / m + 1.0 / others)
        gap = float(strength[own].mean() - rest.mean())
        p = float(stats.t.sf(gap / max(error, 1e-300), len(S) - 2))
        rows[name] = (m, float(effect[own].mean()), p)
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["size", "effect", "p_value"])
    table.index.name = "set"
    return table.assign(q_value=_fdr(table["p_value"].to_numpy()))
