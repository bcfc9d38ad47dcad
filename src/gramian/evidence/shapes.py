"""Shapes of columns (long tails, counts), and rows that repeat others or nearly do."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pandas as pd
from scipy import stats

from gramian._nulls.corrections import benjamini_hochberg
from gramian._nulls.p_values import p_values

_FDR = 0.05  # false discoveries among the columns that are named
_N_COLUMNS = 999  # normal columns that the data's are compared with
_N_TABLES = 399  # tables of normal rows
_CALM_LEVEL = 0.2  # level under which resamples are not trusted
_MAX_AXES, _ROWS_PER_AXIS = 10, 5  # in whose space rows are far


@dataclass(frozen=True)
class Tails:
    """Columns with tails longer than normal ones, by position, at most 5 % of them false.

    `p_values` and `kurtosis`, (p,), are those of every column; the kurtosis is that without the one
    or two farthest values, 3 for a normal column.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_cauchy((60, 3))
    >>> gm.evidence.assumptions(X, rng=0).tails.columns
    (0, 1, 2)
    """

    columns: tuple[int, ...]
    p_values: np.ndarray
    kurtosis: np.ndarray


@dataclass(frozen=True)
class Counts:
    """Columns of non-negative integers, by position, and their share of zeros.

    `inflated` are the columns with more zeros than a Poisson distribution of the same mean.

    Examples
    --------
    >>> X = np.random.default_rng(0).poisson(0.5, (50, 4))
    >>> gm.evidence.assumptions(X, rng=0).counts.columns
    (0, 1, 2, 3)
    """

    columns: tuple[int, ...]
    zeros: float
    inflated: tuple[int, ...]


def tails(X: np.ndarray, rng: np.random.Generator) -> Tails | None:
    """Return the columns with long tails, None where there are none."""
    # One wild value is an outlier and no tail: the kurtosis is that of what is left without it. It
    # is held against normal columns of as many rows that lost theirs.
    if len(X) < 8 or not X.shape[1]:
        return None
    seen, p = tail_p_values(X, rng)
    named = benjamini_hochberg(p) <= _FDR
    if not named.any():
        return None
    return Tails(tuple(int(j) for j in np.flatnonzero(named)), p, seen)


def tail_p_values(
    X: np.ndarray, rng: np.random.Generator | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the kurtosis of each column without its farthest values, and its p-value."""
    # Without a generator the normal columns are always the same, and drawn once.
    seen = _kurtosis(X)
    null = _usual_kurtosis(len(X)) if rng is None else _normal_kurtosis(len(X), rng)
    return seen, p_values(seen, null)


def calm(X: np.ndarray, rng: np.random.Generator) -> bool:
    """Whether no value and no row is so far out that intervals of resamples would not cover."""
    return far_p_value(X, rng) > _CALM_LEVEL


def far_p_value(X: np.ndarray, rng: np.random.Generator) -> float:
    """Return the p-value of "rows are normal" against values or rows that are far out."""
    # Such rows decide alone what resamples show. Asked are the kurtosis of each column (Simes) and
    # that of rows as a whole, mean(d⁴) of their distances among the first axes (Mardia 1970), which
    # knows rows that are far out in all columns a little; the smaller p-value, doubled.
    n = len(X)
    U, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    m = max(1, min(int((s > 1e-9 * s[0]).sum()), n // _ROWS_PER_AXIS, _MAX_AXES))
    d2 = rng.chisquare(m, (_N_TABLES, n))
    null = (d2**2).mean(axis=1) * (m / d2.mean(axis=1)) ** 2
    seen = np.array([((n * (U[:, :m] ** 2).sum(axis=1)) ** 2).mean()])
    normal = _fourth(rng.standard_normal((n, _N_COLUMNS)))
    columns = benjamini_hochberg(p_values(_fourth(X), normal)).min()
    return float(min(1.0, 2.0 * min(columns, p_values(seen, null)[0])))


def _fourth(X: np.ndarray) -> np.ndarray:
    """Return m₄/m₂² of each column."""
    f = (X - X.mean(axis=0)) ** 2
    m2 = f.mean(axis=0)
    return np.asarray((f**2).mean(axis=0) / np.where(m2 > 0, m2, np.inf) ** 2)


@lru_cache(maxsize=64)
def _usual_kurtosis(n: int) -> np.ndarray:
    return _normal_kurtosis(n, np.random.default_rng(0))


def _normal_kurtosis(n: int, rng: np.random.Generator) -> np.ndarray:
    """Return that of normal columns."""
    return _kurtosis(rng.standard_normal((n, _N_COLUMNS)))


def _kurtosis(X: np.ndarray) -> np.ndarray:
    """Return m₄/m₂² of each column without the values farthest from its median."""
    n = len(X)
    far = np.abs(X - np.median(X, axis=0))
    keep = n - (2 if n >= 20 else 1)
    middle = np.take_along_axis(X, np.argpartition(far, keep - 1, axis=0)[:keep], axis=0)
    middle = middle - middle.mean(axis=0)
    m2 = (middle**2).mean(axis=0)
    # What is constant without its farthest values has nothing but a tail.
    constant = m2 <= 1e-20 * np.maximum(far.max(axis=0), 1e-300) ** 2
    return np.where(constant, n, (middle**4).mean(axis=0) / np.where(constant, 1.0, m2) ** 2)


def counts(X: np.ndarray) -> Counts | None:
    """Return the columns that count something, None where they are fewer than half."""
    # A standardised column of counts still has its values at equal steps; its smallest stands for
    # 0.
    whole = [_lattice(column) for column in X.T]
    named = [j for j, numbers in enumerate(whole) if numbers is not None]
    if 2 * len(named) < max(X.shape[1], 1):
        return None
    tables = [numbers for numbers in whole if numbers is not None]
    zeros = [float((numbers == 0).mean()) for numbers in tables]
    inflated = tuple(j for j, x in zip(named, tables, strict=True) if _has_excess_zeros(x))
    return Counts(tuple(named), float(np.mean(zeros)), inflated)


def _lattice(column: np.ndarray) -> np.ndarray | None:
    """Return a column as the counts it stands for; None where it is none."""
    values = np.unique(column)
    if len(values) < 3 or len(values) > len(column) / 2:
        return None
    if np.array_equal(values, values.round()):  # numbers as they were counted
        return column if values[0] == 0 else None
    steps = (column - values[0]) / np.diff(values).min()
    if np.abs(steps - steps.round()).max() > 1e-6 or stats.skew(column) < 0.5:
        return None
    return np.asarray(steps.round())


def _has_excess_zeros(numbers: np.ndarray) -> bool:
    n, zeros = len(numbers), int((numbers == 0).sum())
    return bool(stats.binom.sf(zeros - 1, n, np.exp(-numbers.mean())) < 0.01)


_MAX_NEAR_PAIRS = 0.2  # rows that differ in one column, for a pair that differs in none
_NEAR_CORRELATION = 0.99  # of columns that are nearly the same
_MAX_REPEATED = 0.25  # of the columns, above which it is what the table is like
_MAX_COMPARED = 1_500  # columns
_MIN_PATTERNS = 8  # different rows, for all to be there the same number of times by no chance
_NEAR_SIZES = 2, 3, 4, 5  # rows of a group of near copies
_NEAR_LEVEL = 1e-3  # of a table with near copies
_NEAR_GAP, _OWN_GAP = 3.0, 1.0  # exponential gaps: of a group that counts, of a row that belongs
_NEAR_NEIGHBOURS = 16  # of a row, whose distances show the dimension of the cloud
_MAX_NEAR_ROWS = 3_000
_MAX_NEAR_TIES = 0.5  # of the values of a column, above which rows are near by their steps


@dataclass(frozen=True)
class Copies:
    """Groups of rows that are equal in every column, more of them than expected at random.

    `labels`, (n,), are the groups of the rows; a row without a copy is a group of its own.
    `n_copies` counts the rows that repeat another one. With `near` the rows of a group are not
    equal, but much nearer to one another than to any other row, like repeated measurements.

    Examples
    --------
    >>> X = gm.datasets.wine().data.to_numpy()[:20]
    >>> gm.evidence.assumptions(X.repeat(2, axis=0), rng=0).copies.n_copies
    20
    """

    labels: np.ndarray = field(repr=False)
    n_groups: int
    n_copies: int
    near: bool = False


def copies(
    frame: np.ndarray | pd.DataFrame, n_draws: int, alpha: float, rng: np.random.Generator
) -> Copies | None:
    """Return the groups of identical rows, None where chance alone would make as many."""
    # Where columns have few values rows coincide: then as many pairs would be found with the
    # columns permuted, or there are as many pairs that differ in a single column.
    frame = pd.DataFrame(frame)
    numbers = frame.select_dtypes("number").to_numpy(dtype=float, na_value=np.nan)
    numbers = np.where(np.isnan(numbers), np.inf, numbers)  # nothing differs from nothing
    # The numbers alone tell all rows apart: most tables need no more looking at. −0 is 0.
    if numbers.size and len({row.tobytes() for row in numbers + 0.0}) == len(numbers):
        return None
    columns = [pd.factorize(frame.iloc[:, j])[0] for j in range(frame.shape[1])]
    codes = np.array(columns, dtype=int).reshape(len(columns), len(frame)).T  # (n, c)
    if not codes.size:
        return None
    labels = _labels(codes)
    sizes = np.bincount(labels)
    if len(sizes) == len(labels):
        return None
    times = int(np.gcd.reduce(sizes))
    if times > 1 and len(sizes) >= _MIN_PATTERNS:  # every row so many times: no chance does that
        # Groups of so many rows each: equal rows beyond that are other rows.
        place = pd.Series(labels).groupby(labels).cumcount().to_numpy() // times
        labels = _labels(np.stack([labels, place], axis=1))
    elif _coincide(codes, _pairs(labels), n_draws, alpha, rng):
        return None
    groups = int(labels.max()) + 1
    return Copies(labels, groups, len(labels) - groups)


def near_columns(X: np.ndarray) -> tuple[tuple[int, int, float], ...]:
    """Return the columns that nearly repeat one before them, which one, and the correlation."""
    # A few of them are measures taken twice; where most columns do so it is what the table is like,
    # as in a spectrum.
    n, p = X.shape
    if n < 8 or not 3 <= p <= _MAX_COMPARED:
        return ()
    Z = X - X.mean(axis=0)
    size = np.sqrt((Z**2).sum(axis=0))
    Z = Z / np.where(size > 0, size, np.inf)
    R = np.triu(Z.T @ Z, 1)
    first = np.abs(R).argmax(axis=0)
    r = R[first, np.arange(p)]
    repeats = np.flatnonzero(np.abs(r) >= _NEAR_CORRELATION)
    if len(repeats) > _MAX_REPEATED * p:
        return ()
    return tuple((int(j), int(first[j]), float(r[j])) for j in repeats)


def near_rows(X: np.ndarray) -> Copies | None:
    """Return groups of rows that nearly repeat one another, None where chance makes as many."""
    # Where rows are spread like any points in d dimensions, the ratio of the distances to
    # neighbours g + 1 and g has g·d·log(ratio) exponential of mean 1, whatever the density. In a
    # group of g + 1 near copies, each of them the neighbours of all others, it is large in all.
    # The number of groups is compared with a binomial one, at a level shared by the sizes.
    n = len(X)
    size = X.std(axis=0) if n else np.empty(0)
    live = size > 1e-12 * np.abs(X).max(axis=0, initial=0.0)
    if not _MIN_PATTERNS <= n <= _MAX_NEAR_ROWS or live.sum() < 2:
        return None
    ties = (np.diff(np.sort(X[:, live], axis=0), axis=0) == 0).mean(axis=0)
    if np.median(ties) > _MAX_NEAR_TIES:
        return None
    far, index = _neighbours((X[:, live] - X[:, live].mean(axis=0)) / size[live])
    if far[:, 0].min() <= 1e-7 * float(np.median(far)):  # equal rows are copies, or are none
        return None
    best, groups = _NEAR_LEVEL / len(_NEAR_SIZES), list[np.ndarray]()
    for g in (m - 1 for m in _NEAR_SIZES if m < far.shape[1]):
        members = np.sort(np.column_stack([np.arange(n), index[:, :g]]), axis=1)
        closed = (members[members] == members[:, None]).all(axis=(1, 2))
        gap = g * _dimension(far, g) * np.log(far[:, g] / far[:, g - 1])
        mean = gap[members].mean(axis=1)
        count = int((closed & (mean > _NEAR_GAP)).sum()) // (g + 1)
        p = float(stats.binom.sf(count - 1, n // (g + 1), np.exp(-_NEAR_GAP))) if count else 1.0
        if p < best:
            best, groups = p, list(members[closed & (mean > _OWN_GAP)])
    if not groups:
        return None
    first = np.arange(n)
    for rows in groups:
        first[rows] = rows[0]
    labels = np.unique(first, return_inverse=True)[1].ravel()
    count = int(labels.max()) + 1
    return Copies(labels, count, n - count, near=True)


def _neighbours(Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distances of each row to its nearest rows, and which these are."""
    squares = np.einsum("ij,ij->i", Z, Z)
    D = np.sqrt(np.maximum(squares[:, None] + squares - 2.0 * Z @ Z.T, 0.0))
    np.fill_diagonal(D, np.inf)
    k = min(_NEAR_NEIGHBOURS, len(Z) - 1)
    index = np.argsort(D, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(D, index, axis=1), index


def _dimension(far: np.ndarray, g: int) -> float:
    """Return the dimension of a cloud, from the distances to neighbours beyond the first g."""
    # Levina and Bickel 2004: log(r_k/r_j) has the mean Σ_{j ≤ i < k} 1/i over the dimension.
    k = far.shape[1]
    if k < g + 2:
        return 1.0
    steps = np.cumsum(1.0 / np.arange(k - 1, g, -1.0))[::-1]
    seen = np.log(far[:, -1:] / far[:, g:-1]).mean()
    return float(steps.mean() / max(seen, 1e-12))


def _labels(codes: np.ndarray) -> np.ndarray:
    return np.asarray(np.unique(codes, axis=0, return_inverse=True)[1]).ravel()


def _pairs(labels: np.ndarray) -> int:
    sizes = np.unique(labels, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def _coincide(
    codes: np.ndarray, pairs: int, n_draws: int, alpha: float, rng: np.random.Generator
) -> bool:
    """Whether so many equal pairs are no sign of copying."""
    # The sum of a random number for each value stands for the row.
    numbers = np.array([rng.random(c.max() + 2)[c] for c in codes.T])  # (c, n)
    whole = numbers.sum(axis=0)
    near = sum(_pairs((whole - column).round(9)) - pairs for column in numbers)
    if near > _MAX_NEAR_PAIRS * pairs:
        return True
    drawn = [_pairs(rng.permuted(numbers, axis=1).sum(axis=0).round(9)) for _ in range(n_draws)]
    return bool(p_values(pairs, drawn) > alpha)
