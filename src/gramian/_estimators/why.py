"""The columns behind an axis, or behind the place of some rows."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.array import as_kind, to_dense, to_numpy
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
from gramian._reading.cloud import ratio
from gramian._reading.coding import Coding
from gramian._reading.cross_validation import kernel_ridge
from gramian.errors import InputError

_MIN_ROWS = 6
_MAX_ROWS = 2_000  # rows of the tests; of more a seeded sample
_MAX_REGRESSION_ROWS = 500  # where a map is learnt from the columns
_BLOCKS = 20  # of columns that are held out together
_MAX_HELD = 2e7  # numbers of the axes without each column
_BLOCK_ENTRIES = 1 << 22
_NODES = 16  # of the path from the mean row to a row
_MAX_PATHS = 100  # rows whose paths are followed
_MAX_HELD_AXES = 10  # that a column is compared with, unless a later one is asked about
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
    coding: Coding | None = None  # where columns are indicators of categories

    @property
    def w(self) -> np.ndarray:
        return np.full(len(self.X), 1.0 / len(self.X)) if self.p is None else self.p

    @property
    def last(self) -> int:
        """The last axis that is asked about by its number, 0 of rows."""
        return int(np.flatnonzero(self.direction).max()) + 1 if self.by_axis else 0

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
    coding = getattr(vars(fit).get("fit_", fit), "coding_", None)  # categories as indicators
    is_unread = coding is None and (fit.is_factor_method or fit.questions)
    if training.kind != "table" or is_unread or is_bare:
        raise InputError(
            f"X: {type(fit).__name__} has no table of numbers whose columns could be named: fit "
            "or read one, or use describe(table)"
        )
    table, p = training.active()
    X = to_dense(table.values).astype(np.float64)
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
    by_axis = axis is not None or rows is None
    names = fit._variable_names() if coding is None else coding.labels
    return _Question(fit, X, p, names, Z, direction, chosen, by_axis, coding)


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
            return ratio(w @ ((X - mean) * (t - w @ t)[:, None]), deviation * size)
        if isinstance(model, FeatureModel | GramModel):
            slopes = w @ np.concatenate(list(_slopes(question, X)))
            return deviation * slopes / size
        return _ridge(X, t, w)[0] / size
    if isinstance(model, FeatureModel) and type(model.principal.features) is FeatureMap:
        rows = rows_at(fit.training_.active()[0].values, question.rows)
        F = to_numpy(model.features(rows)).astype(float)
        V = to_numpy(model.spectrum.vectors).astype(np.float64)
        return F.mean(axis=0) * (V @ d) * model.unit
    if not isinstance(model, FeatureModel | GramModel):
        beta, scale = _local_ridge(question)
        return (X[question.rows].mean(axis=0) - mean) * ratio(beta, scale)
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


def _slopes(question: _Question, X: np.ndarray) -> Any:
    """Yield blocks of the derivatives of the direction in each column, at rows of X, (b, p)."""
    fit, d = question.fit, question.direction
    parts = kernel_parts(fit)
    if parts is None:
        deviation = np.sqrt(question.w @ (question.X - question.w @ question.X) ** 2)
        unit = np.where(deviation > 0, deviation, 1.0)
        yield np.stack([slope @ d for slope in differences(fit, X, unit)], axis=1)
        return
    kernel, points, A = parts
    weights = A @ d
    step = max(1, _BLOCK_ENTRIES // (len(points) * X.shape[1]))
    for rows in row_blocks(len(X), step):
        there = Points(as_kind(X[rows], points.X), points)
        slope = to_numpy(kernel.slope(Pairs(there, points, exact=True)))
        yield np.einsum("ijp,j->ip", slope, weights) * fit.model_.unit


def kernel_parts(fit: Any) -> tuple[Any, Points, np.ndarray] | None:
    """Return a fit's kernel, points x_j and A with axes Σ_j A_jk k(x, x_j); None if not exact."""
    model = fit.model_
    operator = model.operator if isinstance(model, GramModel) else None
    if not isinstance(operator, TiledGram) or not operator.points.is_dense:
        return None
    if not operator.kernel.differentiable:
        return None
    e = model.embedding
    C = to_numpy(e.coefficients).astype(np.float64)
    A = C - to_numpy(e.centering.p)[:, None] * C.sum(axis=0)  # of the centred axes
    return operator.kernel, operator.points, A


def transform_rows(fit: Any, X: np.ndarray) -> np.ndarray:
    """Return the coordinates of plain rows."""
    return to_numpy(fit.transform(named_rows(fit, X))).astype(np.float64)


def named_rows(fit: Any, X: np.ndarray) -> np.ndarray | pd.DataFrame:
    """Return plain rows under the column names that a fit may have."""
    names = getattr(fit, "feature_names_in_", None)
    return X if names is None else pd.DataFrame(X, columns=names)


def differences(fit: Any, X: np.ndarray, step: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the derivatives of the axes in each column, (n, q), by differences of `transform`."""
    for j, h in enumerate(_STEP * step):
        up, down = X.copy(), X.copy()
        up[:, j] += h
        down[:, j] -= h
        width = (up[:, j] - down[:, j])[:, None]
        yield (transform_rows(fit, up) - transform_rows(fit, down)) / width


def _ridge(X: np.ndarray, t: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return slopes of t on standardised columns, the penalty by leave-one-out, and deviations."""
    root = np.sqrt(w / w.sum())
    mean = (w / w.sum()) @ X
    scale = np.sqrt((w / w.sum()) @ (X - mean) ** 2)
    S = ratio(X - mean, scale) * root[:, None]
    y = (t - (w / w.sum()) @ t) * root
    U, s, Vt = np.linalg.svd(S, full_matrices=False)
    best, slopes = np.inf, np.zeros(X.shape[1])
    for penalty in _PENALTIES:
        shrink = s**2 / (s**2 + penalty * s[0] ** 2)
        leverage = np.minimum((U**2) @ shrink + root**2, 1.0 - 1e-9)
        error = float(np.sum(((y - U @ (shrink * (U.T @ y))) / (1.0 - leverage)) ** 2))
        if error < best:
            best, slopes = error, Vt.T @ (ratio(shrink, s) * (U.T @ y))
    return slopes, scale


def _local_ridge(question: _Question) -> tuple[np.ndarray, np.ndarray]:
    """Return slopes of the direction in the part of the map where the rows are."""
    assert question.rows is not None
    place = question.Z[question.rows].mean(axis=0)
    d2 = np.sum((question.Z - place) ** 2, axis=1)
    reach = max(np.quantile(d2, 0.5), d2[question.rows].max())
    near = np.maximum(1.0 - d2 / (2.0 * reach), 0.0) * question.w
    return _ridge(question.X, question.Z @ question.direction, near)


def mean_slopes(fit: SpectralEstimator, axes: Sequence[int]) -> pd.DataFrame:
    """Return the mean slopes of axes along columns, per deviation, and "steady": mean²/square."""
    means, squares = {}, 0.0
    for k in axes:
        question = _question(fit, None, k)
        X, w = question.X, question.w
        if isinstance(fit.model_, FeatureModel | GramModel):
            some = slice(None, None, -(-len(X) // _MAX_ROWS))
            slopes = np.concatenate(list(_slopes(question, X[some])))
            slopes, w = slopes * np.sqrt(w @ (X - w @ X) ** 2), w[some] / w[some].sum()
        else:  # a map without a formula
            slopes, w = _ridge(X, question.Z @ question.direction, w)[0][None], np.ones(1)
        means[k], squares = w @ slopes, squares + w @ slopes**2
    table = pd.DataFrame(means, index=pd.Index(question.names))
    return table.assign(steady=ratio((table**2).sum(axis=1).to_numpy(), np.asarray(squares)))


def _held_out_scores(question: _Question) -> np.ndarray:
    """Return normal scores of the ties of columns to the direction that others give, (p,)."""
    # A column takes part in the map that it is compared with, and noise would look tied to it. So
    # each is compared with the map of the other columns, turned to the target. The target owes
    # something to the column too: the column must be tied to this map as a whole just as well.
    X, p = question.X, question.p
    n, columns = X.shape
    most = _MAX_ROWS
    model = question.fit.model_
    learnt = isinstance(model, EmbeddedModel) and not isinstance(model, GramModel)
    coding = question.coding
    owner = np.arange(columns) if coding is None else coding.owner
    variables = np.unique(owner)
    learnt |= question.fit.is_external  # it cannot be fitted again
    if learnt or coding is not None:
        most = _MAX_REGRESSION_ROWS
    some = np.arange(n)
    if n > most:
        some = np.sort(np.random.default_rng(0).choice(n, most, replace=False))
    scores = normal_scores(X[some])
    target = question.target[some]
    w = np.full(len(some), 1.0 / len(some)) if p is None else p[some] / p[some].sum()
    n = len(some)
    r, overall = np.zeros(columns), np.zeros(columns)  # ties to the direction and to the map
    q = min(question.Z.shape[1], max(question.last, min(_MAX_HELD_AXES, n // 5)), n - 3)
    exact = isinstance(question.fit, PCA) and p is None and columns > 1
    if exact and columns * q * n <= _MAX_HELD:
        F = to_numpy(question.fit._principal.features(X[some])).astype(np.float64)
        axes = axes_without(F, min(q, *F.shape))  # (p, q, n)
        for j, Z in enumerate(axes):
            held = _turned(Z.T, target, w)
            r[j], overall[j] = _correlation(scores[:, j], held, w), _tie(scores[:, [j]], Z.T, w)[0]
    elif len(variables) > 1:
        order = np.random.default_rng(0).permutation(variables)
        for part in np.array_split(order, min(_BLOCKS, len(order))):
            block = np.flatnonzero(np.isin(owner, part))
            if learnt:
                rest, m = np.delete(scores, block, axis=1), max(q, min(_MAX_HELD_AXES, n // 10))
                Z, around = _learnt_map(rest, question.Z[some], m)
            elif coding is not None:  # the axes of coded columns are those of the other ones
                F = to_numpy(question.fit._principal.features(X[some])).astype(np.float64)
                F = np.delete(F - w @ F, block, axis=1) * np.sqrt(w)[:, None]
                U = np.linalg.svd(F, full_matrices=False)[0]
                around = Z = U[:, :q] / np.sqrt(w)[:, None]
            else:
                around = Z = _map_without(question, some, block)[:, :q]
            held = _turned(Z, target, w)
            r[block] = [_correlation(scores[:, j], held, w) for j in block]
            overall[block] = _tie(scores[:, block], around, w)
    else:
        return np.zeros(columns)  # one variable by itself: there is nothing to compare it with
    freedom = max(1.0 / float(np.sum(w**2)) - 2.0, 1.0)
    r = np.clip(r, -1.0 + 1e-15, 1.0 - 1e-15)
    t = r * np.sqrt(freedom / (1.0 - r**2))
    tail = stats.t.logsf(np.abs(t), freedom)
    size = -stats.norm.ppf(np.exp(np.maximum(tail, -700.0)))
    return np.asarray(np.sign(r) * np.minimum(size, overall))


def _turned(Z: np.ndarray, target: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the combination of coordinates that is nearest to the target, (n,)."""
    base, root = np.column_stack([np.ones(len(Z)), Z]), np.sqrt(w)
    return np.asarray(base @ np.linalg.lstsq(base * root[:, None], target * root, rcond=None)[0])


def _tie(S: np.ndarray, Z: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return normal scores, from 0 up, of the F test of each column of S on coordinates, (p,)."""
    root = np.sqrt(w)[:, None]
    U, size, _ = np.linalg.svd(root * (Z - w @ Z), full_matrices=False)
    U = U[:, size > 1e-10 * size[0]]
    C = root * (S - w @ S)
    share = np.clip(ratio(((U.T @ C) ** 2).sum(axis=0), (C**2).sum(axis=0)), 0.0, 1.0 - 1e-15)
    m = U.shape[1]
    freedom = max(1.0 / float(np.sum(w**2)) - 1.0 - m, 1.0)
    tail = stats.f.logsf(share / (1.0 - share) * freedom / m, m, freedom)
    return np.asarray(np.maximum(-stats.norm.ppf(0.5 * np.exp(np.maximum(tail, -700.0))), 0.0))


def _correlation(a: np.ndarray, b: np.ndarray, w: np.ndarray) -> float:
    """Return a weighted correlation with normal scores of b, 0 where one does not vary."""
    if np.ptp(b) <= 1e-12 * np.abs(b).max(initial=0.0):
        return 0.0
    b = _place_scores(b)
    a, b = a - w @ a, b - w @ b
    size = np.sqrt((w @ a**2) * (w @ b**2))
    return float(w @ (a * b) / size) if size > 0 else 0.0


def _place_scores(t: np.ndarray) -> np.ndarray:
    """Return normal scores of places along a line, (n,); equal rows are tied despite rounding."""
    size = np.abs(t).max(initial=0.0)
    return normal_scores(np.round(t / size, 9)[:, None])[:, 0] if size > 0 else np.zeros(len(t))


def _map_without(question: _Question, some: np.ndarray, block: np.ndarray) -> np.ndarray:
    """Return the map of some rows that a block of columns had no part in, (n, q)."""
    X, fit = question.X[some].copy(), question.fit
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


def _learnt_map(X: np.ndarray, Z: np.ndarray, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Return predictions of a map from columns, leaving one out, and m kernel axes of these."""
    D = np.sum(X**2, axis=1)[:, None] + np.sum(X**2, axis=1)[None, :] - 2.0 * X @ X.T
    K = np.exp(-D / max(float(np.median(D)), 1e-300))
    C = K - K.mean(axis=0)
    axes = np.linalg.eigh(C - C.mean(axis=1)[:, None])[1][:, -m:]
    return np.asarray(Z - kernel_ridge(K, Z, _PENALTIES)[2]), axes


def _enrichment(
    question: _Question, effect: np.ndarray, z: np.ndarray, sets: Mapping[Any, Sequence[Any]]
) -> pd.DataFrame:
    """Return whether sets of columns are more strongly tied to the direction than the others.

    The difference of mean scores, its variance inflated by the mean correlation of the columns of
    a set that the direction does not explain (CAMERA, Wu and Smyth 2012).
    """
    if not isinstance(sets, Mapping) or not sets:
        raise InputError(f"sets={short(sets)} must be a dict of lists of columns, by name")
    at = {name: [j] for j, name in enumerate(question.names)}
    if (coding := question.coding) is not None:
        at |= {v: np.flatnonzero(coding.owner == k).tolist() for k, v in enumerate(coding.names)}
    S, t = normal_scores(question.X), _place_scores(question.Z @ question.direction)[:, None]
    residual = S - t * (t.T @ S / len(S))
    size = np.sqrt(np.sum(residual**2, axis=0))
    residual = ratio(residual, size)
    side = np.sign(z)
    rows = {}
    for name, members in sets.items():
        if not is_list(members):
            raise InputError(f"sets[{short(name)}] must be a list of columns")
        unknown = [c for c in members if not is_label(c) or (c not in at and not is_whole(c))]
        if unknown:
            raise InputError(f"sets[{short(name)}] has {short(unknown[0])}, which is no column")
        own = np.unique([j for c in members for j in (at[c] if c in at else [int(c)])]).astype(int)
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
