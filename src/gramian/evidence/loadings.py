"""Tests of the variables of an axis, against the axis of the other variables."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.check import generator, share, whole
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import benjamini_hochberg, bonferroni
from gramian.evidence.table import Scheme, axes_without, finite_table, normal_scores, row_scheme

_WORK = 2.5e8  # rows × columns × the smaller of both, above which rows are sampled
_MIN_SAMPLE = 100  # rows that a sample has at least
_ROWS_PER_COLUMN = 3  # rows for each column, from which on a column can be regressed on all others
_MIN_SHARE = 0.5  # of the largest correlation of an axis: what is less tied does not make the axis
_LAGS = 10  # part of the rows, up to which autocorrelations are looked at
_MIN_ROWS = 5  # rows under which no correlation says anything


@dataclass(frozen=True, eq=False)
class LoadingEvidence:
    """The associations of variables with axes.

    `table` has one row (axis from 1, column by position): "correlation" with the axis; "held_out",
    with the axis of the other columns; "p_value"; "corrected" for the number of columns (Benjamini
    and Hochberg, on each side of the axis by itself) and "named": whether that is at most `fdr`,
    the expected share of false names, and the correlation at least half the largest on the axis.
    With scheme "blocks" and "none" p-values are NaN and nothing is named.

    Examples
    --------
    >>> iris = gm.datasets.iris().data
    >>> loadings((iris - iris.mean()) / iris.std(), 1, rng=0).named(1).round(2).to_dict()
    {2: 0.99, 3: 0.96, 0: 0.89}
    """

    table: pd.DataFrame
    fdr: float
    scheme: str

    def named(self, axis: int) -> pd.Series:
        """Return the correlations of the variables that may be named, the largest first."""
        rows = self.table.loc[axis]
        r = rows.loc[rows["named"], "correlation"]
        return r.iloc[np.argsort(-np.abs(r.to_numpy()), kind="stable")]


def loadings(
    X: TableLike,
    q: int,
    *,
    rng: SeedLike = None,
    fdr: float = 0.05,
    scheme: Scheme = "permutation",
    groups_of_copies: VectorLike | None = None,
) -> LoadingEvidence:
    """Test which variables are associated with the first q axes, in tables of any shape.

    A variable is compared with the axes of the *other* variables, so that its own contribution to
    its axis does not count: with more columns than rows, that part alone would make all of them
    look associated. Both are replaced by normal scores of their ranks, whose correlation r has the
    same distribution for any independent variable: t = r√((n − 2)/(1 − r²)) is Student's t. With
    three rows for each column, the regression of a variable on all others is tested too, and the
    smaller p-value doubled: an axis made by a pair of columns vanishes without either. p-values are
    corrected so that at most a share `fdr` of the names is expected to be false.

    Parameters
    ----------
    X : array (n, p)
        Columns as analysed; constant ones are not associated with any axis.
    q : int
        Axes.
    rng : Generator or seed, optional
        Seed of the sample of rows that is drawn if the table is large.
    fdr : float
        The false discovery rate.
    scheme, groups_of_copies
        As for `groups`. Rows of unequal variance ("sign flips") get the error of White (HC3), rows
        in a weak order ("shifts") count for as many as would be independent.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((40, 60))
    >>> X[:, :5] += 2.0 * rng.standard_normal((40, 1))
    >>> sorted(loadings(X, 1, rng=rng).named(1).index)
    [0, 1, 2, 3, 4]
    """
    X, rng = finite_table(X), generator(rng, "rng")
    n, p = X.shape
    whole(q, "q", 0)
    share(fdr, "fdr")
    rows = row_scheme(scheme, n, groups_of_copies).rows
    silent = scheme in ("blocks", "none") or len(rows) < _MIN_ROWS
    # All rows, or as many as the work allows.
    most = int(max(_MIN_SAMPLE, _WORK / p**2 if p * p * p < _WORK else np.sqrt(_WORK / p)))
    if scheme != "none" and len(rows) > most:
        rows = np.sort(rng.choice(rows, most, replace=False))
    Z, live = _live(X[rows])
    q = min(q, max(min(Z.shape[0] - 2, Z.shape[1] - 1), 0))
    own, other, test = (np.full((q, p), np.nan) for _ in range(3))
    if q:
        own[:, live], sign = _own(Z, q)
    if not silent and q:
        a, A = _scores(Z.T), _scores(axes_without(Z, q).transpose(1, 0, 2))
        other[:, live] = sign[:, None] * np.einsum("jn,kjn->kj", a, A)
        test[:, live] = _p_values(a, sign[:, None, None] * A, other[:, live], scheme)
        if scheme not in ("sign flips", "shifts") and _ROWS_PER_COLUMN * a.shape[0] <= a.shape[1]:
            test[:, live] = bonferroni(np.minimum(test[:, live], _regressions(a)), 2)
    return LoadingEvidence(_table(own, other, test, fdr), fdr, scheme)


def _live(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns that vary, centred, and where they are."""
    Z = X - X.mean(axis=0)
    size = np.abs(Z).max(axis=0, initial=0.0)
    live = size > 1e-12 * np.maximum(np.abs(X).max(axis=0, initial=0.0), 1e-300)
    return Z[:, live], np.flatnonzero(live)


def _own(Z: np.ndarray, q: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the correlations of the columns with the first axes, (q, p), and the axes' signs."""
    U, _, V = np.linalg.svd(Z, full_matrices=False)
    # The entry of largest modulus is positive, as in `components_` of a fit.
    sign = np.sign(V[np.arange(q), np.abs(V[:q]).argmax(axis=1)])
    return sign[:, None] * (U[:, :q].T @ Z) / np.sqrt((Z**2).sum(axis=0)), sign


def _scores(A: np.ndarray) -> np.ndarray:
    """Return normal scores of the ranks along the last dimension, centred and of norm 1."""
    return np.asarray(normal_scores(A, axis=-1) / np.sqrt(A.shape[-1]))


def _p_values(a: np.ndarray, A: np.ndarray, r: np.ndarray, scheme: str) -> np.ndarray:
    """Return two-sided p-values of correlations r (q, p) of a (p, n) with A (q, p, n)."""
    freedom = (_independent_rows(a, A) if scheme == "shifts" else a.shape[1]) - 2.0
    if scheme == "sign flips":
        w = A**2 / np.maximum(1.0 - 1.0 / a.shape[1] - A**2, 1e-3) ** 2
        error = np.einsum("kjn,kjn->kj", w, (a - r[:, :, None] * A) ** 2)
        t = np.abs(r) / np.sqrt(np.maximum(error, 1e-300))
    else:
        t = np.abs(r) * np.sqrt(freedom / np.maximum(1.0 - r**2, 1e-300))
    return np.asarray(2.0 * stats.t.sf(t, freedom))


def _independent_rows(a: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return how many independent rows give correlations of a (p, n) and A (q, p, n) as sure."""
    # The variance of the correlation of two series grows by 1 + 2Σ ρ(l)ρ'(l) over lags l, ρ and ρ'
    # their autocorrelations (Bartlett 1935).
    n = a.shape[-1]
    spectra = (np.abs(np.fft.rfft(s, 2 * n)) ** 2 for s in (a, A))
    first, second = (np.fft.irfft(s)[..., 1 : max(2, n // _LAGS)] for s in spectra)
    return np.asarray(np.clip(n / (1.0 + 2.0 * (first * second).sum(axis=-1)), 3.0, n))


def _regressions(a: np.ndarray) -> np.ndarray:
    """Return p-values of the regression of each column of scores a (p, n) on all others, (p,)."""
    # Two columns that make an axis by themselves cannot do without each other: the axis of the
    # others is then another one, and only this test sees them.
    p, n = a.shape
    if p < 2:
        return np.ones(p)
    C = np.linalg.inv(a @ a.T + 1e-10 * np.eye(p))
    unexplained = np.clip(1.0 / np.diag(C), 1e-10, 1.0)
    F = (1.0 - unexplained) / (p - 1) / (unexplained / (n - p))
    return np.asarray(stats.f.sf(F, p - 1, n - p))


def _by_sides(test: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return p-values of one axis, corrected on each of its sides."""
    # Many true names on one side would let false ones pass that make up the whole of the other.
    idle = np.where(np.isnan(test), np.nan, 1.0)
    sides = (benjamini_hochberg(np.where(side, test, idle)) for side in (own > 0, own <= 0))
    return np.where(own > 0, *sides)


def _table(own: np.ndarray, other: np.ndarray, test: np.ndarray, fdr: float) -> pd.DataFrame:
    q, p = own.shape
    side = _MIN_SHARE * np.max(np.abs(np.nan_to_num(own)), axis=1, initial=0.0, keepdims=True)
    corrected = np.array([_by_sides(*row) for row in zip(test, own, strict=True)]).reshape(q, p)
    fields = {
        "correlation": np.nan_to_num(own).ravel(),
        "held_out": other.ravel(),
        "p_value": test.ravel(),
        "corrected": corrected.ravel(),
        "named": ((corrected <= fdr) & (np.abs(own) >= side)).ravel(),
    }
    pairs = [range(1, q + 1), range(p)]
    return pd.DataFrame(fields, index=pd.MultiIndex.from_product(pairs, names=["axis", "column"]))
