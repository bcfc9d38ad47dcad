"""Tests for nonlinear structure: clouds that are curved or hollow."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from scipy import stats

from gramian._core.check import generator, share, whole
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import bonferroni
from gramian._nulls.draws import row_orders
from gramian._nulls.p_values import (
    draw_in_parts,
    draw_until,
    joint_p_value,
    smallest_p_value,
    two_looks,
)
from gramian.evidence.clusters import ClusterEvidence, clusters
from gramian.evidence.table import (
    RowScheme,
    Scheme,
    axes_without,
    finite_table,
    normal_scores,
    number_of_draws,
    row_scheme,
)

_MAX_ROWS = 200  # looked at
_MIN_ROWS = 8
_MAX_COLUMNS = 64  # columns above which single pairs are not looked at
_WAVES = 8, 2  # of few and of many columns
_AXES = 3
_WORK = 1e6  # rows × columns × draws
_DRAWS = 119, 239
_FIRST_LOOK = 39  # draws after which nothing that speaks for a bend ends the test
_HOPELESS = 0.25
_MODE_LEVEL = 0.25
_BLUR = 0.05  # of the deviation of an axis
_ANGLES = np.linspace(0.0, np.pi / 2.0, 12, endpoint=False)
_TURNS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_SWEEPS = 2


@dataclass(frozen=True, eq=False)
class CurveEvidence:
    """The result of a test for nonlinear dependence of columns or axes.

    `p_value` is None if nothing can be tested: `reason` is then "scheme", "few rows" or "few
    columns". The `null` is "independent columns" if no axis exceeds noise, else "linear model". The
    `effect` is the largest correlation of two waves (rises and falls) along two axes, or columns
    where no axis stands out, that is not a straight line: 0 for none, 1 for a curve without noise.
    `where` are these axes (from 1) or columns (by position), `kind` ("bent", "clusters" or None) is
    the finding at a level of 5 %, and `n_rows` the number of rows used.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((30, 3))
    >>> curves(X, None, 0, rng=0).null
    'independent columns'
    """

    p_value: float | None
    floor: float
    null: str
    effect: float
    where: tuple[int, int]
    kind: str | None
    clusters: ClusterEvidence
    n_rows: int
    scheme: str
    reason: str = ""


def curves(
    X: TableLike,
    F: TableLike | None,
    q: int,
    *,
    rng: SeedLike = None,
    scheme: Scheme = "permutation",
    groups_of_copies: VectorLike | None = None,
    n_draws: int | None = None,
    alpha: float = 0.05,
) -> CurveEvidence:
    """Test for nonlinear structure that linear axes do not show.

    If no axis exceeds noise (q = 0), the hypothesis is that the columns are independent: sums and
    maxima of the dependence of pairs and triples of columns are compared with those of columns
    permuted one by one. (Principal axes of independent columns that are not normal depend on one
    another, so that they cannot be used.)

    If q axes exceed noise, it is that the table is linear, by either of two models; the larger
    p-value is doubled, because models fitted to the same table are not an exact null: a normal
    copula (normal variables of the same rank correlations, each then given the values of its
    column), or independent sources (the first axes rotated to maximal independence and permuted one
    by one, and the residuals of each column permuted). The statistic is the dependence between the
    first axes (two or three) of each such table after the same rotation.

    Parameters
    ----------
    X : array (n, p)
        Columns as analysed.
    F : array (n, k) or None
        Coordinates; those of X by default.
    q : int
        Number of axes above noise.
    rng : Generator or seed, optional
        Seed of the random draws.
    scheme, groups_of_copies
        As for `groups`. With "sign flips" (rows of unequal variance, which ties the sizes of all
        columns together) signs are drawn in place of orders where q = 0, and nothing is tested
        where axes stand out; nor with "blocks", "shifts" and "none".
    n_draws : int, optional
        119 to 239 by default, by the size of the table; only 39 if these show nothing.
    alpha : float
        Level at which `kind` is given.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> angle = 2 * np.pi * rng.random(100)
    >>> X = np.column_stack([np.cos(angle), np.sin(angle), 0.1 * rng.standard_normal(100)])
    >>> evidence = curves(X, None, 2, rng=rng)
    >>> evidence.kind, round(evidence.p_value, 3)
    ('bent', 0.008)
    """
    X, rng = finite_table(X), generator(rng, "rng")
    whole(q, "q", 0)
    share(alpha, "alpha")
    number_of_draws(n_draws, 1)
    draws = row_scheme(scheme, len(X), groups_of_copies)
    null, rows = "linear model" if q else "independent columns", draws.rows
    groups = clusters(X, F, q, rng=rng, scheme=scheme, groups_of_copies=groups_of_copies)
    X = np.asarray(X[:, np.ptp(X[rows], axis=0) > 0][rows])
    if reason := _reason(draws, q, X):
        return CurveEvidence(None, 1.0, null, 0.0, (0, 0), None, groups, 0, scheme, reason)
    X = X[np.sort(rng.choice(len(X), _MAX_ROWS, replace=False))] if len(X) > _MAX_ROWS else X
    count = number_of_draws(n_draws, int(np.clip(_WORK / X.size, *_DRAWS)))
    p_value, T = _linear(X, q, rng, count) if q else _independent(X, rng, count, scheme)
    effect, where = _strongest(T, 1 if q else 0)
    kind = _kind(p_value, groups, alpha)
    floor = (2.0 if q else 1.0) * smallest_p_value(count)
    return CurveEvidence(p_value, floor, null, effect, where, kind, groups, len(X), scheme)


def _reason(draws: RowScheme, q: int, X: np.ndarray) -> str:
    if draws.is_ordered or (draws.name == "sign flips" and q):
        return "scheme"
    if len(X) < _MIN_ROWS:
        return "few rows"
    return "few columns" if X.shape[1] < 2 else ""


def _kind(p_value: float, groups: ClusterEvidence, alpha: float) -> str | None:
    bent = p_value <= alpha
    # The shadow of a curve on a column has modes too.
    if bent and groups.column is not None:
        return "bent"
    # What is no line in any case is called clusters on less evidence of modes.
    if groups.found(alpha) or (bent and groups.found(_MODE_LEVEL) and groups.few):
        return "clusters"
    return "bent" if bent else None


def _independent(
    X: np.ndarray, rng: np.random.Generator, count: int, scheme: str
) -> tuple[float, np.ndarray]:
    """Return the p-value of independent columns, and the waves of the columns."""
    some = _WAVES[X.shape[1] > _MAX_COLUMNS]
    W = waves(X.T, some)
    # Rows of unequal variance tie the sizes of all columns together, but not their signs.
    Z = (X - np.median(X, axis=0)).T

    def draw() -> np.ndarray:
        if scheme == "sign flips":
            return _of_columns(waves(Z * rng.choice([-1.0, 1.0], Z.shape), some))
        orders = row_orders(W.shape[-1], len(W), rng)
        return _of_columns(np.take_along_axis(W, orders[:, None, :], axis=2))

    def draw_many(count: int) -> np.ndarray:
        return np.array([draw() for _ in range(count)])

    return _p_value(_of_columns(W), draw_many, count), W


def _of_columns(W: np.ndarray) -> np.ndarray:
    return np.array([*bends(W, _MAX_COLUMNS), three(W) if len(W) > 2 else 0.0])


def _linear(
    X: np.ndarray, q: int, rng: np.random.Generator, count: int
) -> tuple[float, np.ndarray]:
    """Return the larger p-value of two linear models, and the waves of the axes as they are."""
    # The second axis may be the bend of the first; three columns are looked at as a whole.
    m = min(_AXES if X.shape[1] <= _AXES else max(q, 2), _AXES, *X.shape)
    own = _of_tables(iter([X]), m, rng, 1)[0]
    worst = 0.0
    # An axis of noise behind those that stand out is a source as well as none.
    models = [sources(X, k, rng, _WAVES[0]) for k in sorted({min(q, m), m})]
    for tables in (normal_copula(X, rng), *models):
        draw = partial(_of_tables, tables, m, rng)
        worst = max(worst, _p_value(own, draw, count))
        if worst > _HOPELESS:
            break
    # Fitted models: doubling keeps the level where the noise is heavy-tailed or in counts.
    return float(bonferroni(worst, 2)), waves(first_coordinates(X, m).T, _WAVES[0], ties=False)


def _p_value(own: np.ndarray, draw: Callable[[int], np.ndarray], count: int) -> float:
    """Return the p-value of the best of several statistics, those of the data being `own`."""

    def so_far(drawn: np.ndarray) -> float:
        return joint_p_value(np.vstack([own, drawn]))

    some = partial(draw_in_parts, draw, most=_FIRST_LOOK)
    looks = two_looks(count, _FIRST_LOOK)
    return so_far(draw_until(some, looks, lambda drawn: so_far(drawn) > _HOPELESS))


def _of_tables(
    tables: Iterator[np.ndarray], m: int, rng: np.random.Generator, count: int
) -> np.ndarray:
    """Return what bends among the axes of some tables after they are rotated, (count, 2)."""
    axes = []
    for _ in range(count):
        F = first_coordinates(next(tables), m)
        # Ranks see the smallest differences, such as those between rows that are alike but for the
        # first axis: noise hides what is below a small part of an axis's deviation.
        axes.append(F + _BLUR * F.std(axis=0) * rng.standard_normal(F.shape))
    S = unmix(np.stack(axes), _WAVES[0])[0]
    return bends(waves(S.swapaxes(-1, -2), _WAVES[0], ties=False), _MAX_COLUMNS)


def _strongest(W: np.ndarray, first: int) -> tuple[float, tuple[int, int]]:
    """Return the largest correlation of two waves that is no straight line, and where it is."""
    if len(W) > _MAX_COLUMNS:
        return 0.0, (0, 0)
    T = np.triu(pairs(W), 1)
    i, j = np.unravel_index(int(T.argmax()), T.shape)
    unit = W / np.maximum(np.linalg.norm(W, axis=-1, keepdims=True), 1e-300)
    r = np.abs(unit[i] @ unit[j].T)
    r[0, 0] = 0.0
    return float(r.max()), (int(i) + first, int(j) + first)


def first_axes(X: np.ndarray, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first m coordinates and directions of a table."""
    Z = X - X.mean(axis=0)
    if Z.shape[1] <= Z.shape[0]:
        V = _leading(Z.T @ Z, m)[1]
        return Z @ V, V
    size, U = _leading(Z @ Z.T, m)
    return U * size, Z.T @ (U / size)


def first_coordinates(X: np.ndarray, m: int) -> np.ndarray:
    """Return the coordinates alone: the directions of many columns cost as much again."""
    if X.shape[1] <= X.shape[0]:
        return first_axes(X, m)[0]
    Z = X - X.mean(axis=0)
    size, U = _leading(Z @ Z.T, m)
    return np.asarray(U * size)


def _leading(G: np.ndarray, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the roots of the m largest eigenvalues of G, and their vectors."""
    values, U = np.linalg.eigh(G)
    return np.sqrt(np.maximum(values[::-1][:m], 1e-300)), U[:, ::-1][:, :m]


def normal_copula(X: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Draw tables of a normal copula: the same columns of values and correlations of ranks."""
    n, Z, values = len(X), normal_scores(X), np.sort(X, axis=0)
    while True:
        # Normal combinations of the rows have the covariances of the rows.
        drawn = rng.standard_normal((n, n)) @ Z
        table = np.empty_like(values)
        np.put_along_axis(table, drawn.argsort(axis=0), values, axis=0)
        yield table


def sources(X: np.ndarray, m: int, rng: np.random.Generator, count: int) -> Iterator[np.ndarray]:
    """Draw tables of independent sources and residuals."""
    F, V = first_axes(X, m)
    S, turn = unmix(F, count)
    rest, back = _noise(X - X.mean(axis=0), F, V), V @ turn
    while True:
        yield rng.permuted(S, axis=0) @ back.T + rng.permuted(rest, axis=0)


def _noise(Z: np.ndarray, F: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return what each column has by itself: its residuals on the axes of the *other* columns."""
    # What is left beside the axes of the whole table is not that: the noise of a column, a spike
    # say, is in those axes too, and axes of noise alone would depend on one another by it.
    m = F.shape[1]
    if Z.shape[1] <= m + 1:
        return np.asarray(Z - F @ V.T)
    A = axes_without(Z, m)
    inner = A @ A.transpose(0, 2, 1) + 1e-9 * np.eye(A.shape[1])
    slopes = np.linalg.solve(inner, np.einsum("jkn,nj->jk", A, Z)[..., None])
    return np.asarray(Z - (A.transpose(0, 2, 1) @ slopes)[..., 0].T)


def waves(A: np.ndarray, count: int, *, ties: bool = True) -> np.ndarray:
    """Return functions of the ranks of sequences A (…, n) over √n, times k^{−¼}, (…, count, n)."""
    # The ranks of a sequence, as shares u of their number, have the orthonormal functions √2
    # cos(πku): the first rises like the sequence itself, the second goes up and down, and so on.
    # Two independent sequences have no such functions that are correlated; for the first of both
    # alone a straight axis is enough. The weighted sum of their squared correlations is the
    # Hilbert–Schmidt criterion of a kernel on the ranks, Σ k^{−½} cos(πku) cos(πkv).
    n = A.shape[-1]
    if not ties:  # whole ranks: a table of their waves, which add up to 0
        return np.asarray(np.moveaxis(_table(n, count)[:, _ranks(A)], 0, -2))
    W = _waves_at((stats.rankdata(A, axis=-1) - 0.5) / n, count)
    return np.asarray(W - W.mean(axis=-1, keepdims=True))


def _waves_at(u: np.ndarray, count: int) -> np.ndarray:
    k = np.arange(1.0, count + 1.0)[:, None]
    unit = np.sqrt(2.0 / u.shape[-1]) / k**0.25
    return np.asarray(np.cos(np.pi * k * u[..., None, :]) * unit)


def _ranks(A: np.ndarray) -> np.ndarray:
    """Return the ranks from 0 of sequences A (…, n) whose numbers are taken to differ."""
    ranks = np.empty(A.shape, dtype=np.intp)
    places = np.broadcast_to(np.arange(A.shape[-1]), A.shape)
    np.put_along_axis(ranks, A.argsort(axis=-1), places, axis=-1)
    return ranks


@lru_cache(maxsize=8)
def _table(n: int, count: int) -> np.ndarray:
    """Return the waves of whole ranks, (count, n): needed thousands of times a study."""
    return _waves_at((np.arange(n) + 0.5) / n, count)


def pairs(W: np.ndarray) -> np.ndarray:
    """Return the dependence of each two of p sequences beyond a straight line, (…, p, p)."""
    *tables, p, count, n = W.shape
    A = W.reshape(*tables, p * count, n)
    C = (A @ A.swapaxes(-1, -2)) ** 2
    sums = C.reshape(*tables, p, count, p, count).sum(axis=(-3, -1))
    return np.asarray(sums - C[..., ::count, ::count])


def bends(W: np.ndarray, most: int) -> np.ndarray:
    """Return the sum over all pairs of sequences (…, p, count, n) and the largest, (…, 2)."""
    # Above `most` sequences the sum comes from matrices of the rows, up to a constant that does not
    # change when sequences are permuted, and the largest is left out.
    p, count, n = W.shape[-3:]
    if p <= most:
        T = pairs(W)[..., *np.triu_indices(p, 1)]
        return np.stack([T.sum(axis=-1), T.max(axis=-1, initial=0.0)], axis=-1)
    A, first = W.reshape(p * count, n), W[:, 0]
    return np.array([((A.T @ A) ** 2).sum() - ((first.T @ first) ** 2).sum(), 0.0])


def three(W: np.ndarray) -> float:
    """Return the sum over triples of sequences of the squared mean product of their first waves."""
    # Three columns may depend on one another though each two do not (x, y and the sign of xy). The
    # sum over triples is one over pairs of rows: e₃ = (s₁³ − 3s₁s₂ + 2s₃)/6 of the products.
    a = W[:, 0] * np.sqrt(W.shape[-1])
    s1, s2, s3 = ((a**power).T @ a**power for power in (1, 2, 3))
    return float((s1**3 - 3.0 * s1 * s2 + 2.0 * s3).sum()) / (6.0 * W.shape[-1] ** 2)


def unmix(F: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return axes F (…, n, m) of variance 1 turned to be as independent as can be, and the turn."""
    # Axes of a linear model with independent sources that are not normal depend on one another as
    # soon as the axes are rotated against the sources, which equal eigenvalues leave to chance:
    # only what no turn takes away is a bend.
    size = F.std(axis=-2, keepdims=True)
    size = np.where(size > 0, size, 1.0)
    S = F / size
    m = S.shape[-1]
    turn = np.broadcast_to(np.eye(m), (*S.shape[:-2], m, m)).copy()
    planes = [(i, j) for i in range(m) for j in range(i)]
    for first, second in planes * (_SWEEPS if m > 2 else 1):
        both = [first, second]
        Q = _best_turn(S[..., first], S[..., second], count)
        S[..., both], turn[..., both] = S[..., both] @ Q, turn[..., both] @ Q
    return S, turn * size.swapaxes(-1, -2)


def _best_turn(a: np.ndarray, b: np.ndarray, count: int) -> np.ndarray:
    """Return the rotations (…, 2, 2) of two sequences after which they depend least."""
    c, s = _TURNS[:, :1], _TURNS[:, 1:]
    a, b = a[..., None, :], b[..., None, :]
    # With the first in order its waves are the table of waves itself.
    order = (c * a + s * b).argsort(axis=-1)
    ranks = np.take_along_axis(_ranks(c * b - s * a), order, axis=-1)
    table = _table(a.shape[-1], count)
    C = (table @ np.ascontiguousarray(table.T)[ranks]) ** 2
    cos, sin = np.moveaxis(_TURNS[(C.sum(axis=(-2, -1)) - C[..., 0, 0]).argmin(axis=-1)], -1, 0)
    return np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=-2)
