"""Constrained ordination: RDA, CCA, and db-RDA of any distance or kernel."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd

from gramian._core.check import flag, one_of
from gramian._core.table import table as validated
from gramian._core.types import RowsLike, SeedLike, TableLike, VectorLike
from gramian._estimators.kernel_pca import KernelPCA
from gramian._nulls.p_values import p_values
from gramian.distances.communities import refuse_negative
from gramian.ecology.design import Terms, beside, design_of, distances_of, gram_of
from gramian.ecology.permanova import BY, analysis, largest, orders_of_rows, residual
from gramian.errors import InputError
from gramian.kernels.base import Kernel

_MIN_DISTANCE = 1e-7  # of χ²: profiles are known to 1e-16


@dataclass(frozen=True, eq=False)
class Constrained:
    """A constrained ordination: the explained part of the inertia, on its principal axes.

    Attributes
    ----------
    fit : KernelPCA
        The fit of the explained part, with maps, tables and readings as for any fit.
        `fit.variables(table)` and `fit.categories(table)` place the explaining columns.
    rest : KernelPCA
        The fit of the unexplained part.
    inertia : Series
        "total", "condition", "constrained", "rest".
    eigenvalues : array
        Eigenvalues of the explained part; negative ones, for non-Euclidean distances, are last.
    r2, adjusted_r2 : float
        The share explained, and its adjustment for the number of columns (Ezekiel); NaN for `cca`,
        whose rows have weights.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> found = gm.ecology.rda(iris.data, iris.groups)
    >>> round(found.r2, 4), found.fit.coordinates_.shape
    (0.8689, (150, 2))
    """

    fit: KernelPCA
    rest: KernelPCA
    inertia: pd.Series
    eigenvalues: np.ndarray
    r2: float
    adjusted_r2: float
    _gram: np.ndarray = field(repr=False)
    _design: dict[str, np.ndarray] = field(repr=False)
    _weights: np.ndarray = field(repr=False)
    _condition: np.ndarray = field(repr=False)

    def __repr__(self) -> str:
        shares = (self.inertia / self.inertia["total"]).drop("total")
        parts = ", ".join(f"{name} {share:.1%}" for name, share in shares.items() if share)
        return f"Constrained({parts}; {len(self.eigenvalues)} axes)"

    def test(
        self,
        by: Literal["model", "terms", "margin", "axes"] = "model",
        *,
        strata: VectorLike | None = None,
        n_permutations: int = 999,
        random_state: SeedLike = None,
    ) -> pd.DataFrame:
        """Test the explained part by permutation: as a whole, by terms, or by axes.

        Parameters
        ----------
        by : "model", "terms", "margin" or "axes"
            As for `permanova`; "axes": the largest eigenvalue given the axes before it.
        strata, n_permutations, random_state
            As for `permanova`.

        Returns
        -------
        DataFrame
            "df", "inertia", "F", "p_value", one row per term or axis.

        Examples
        --------
        >>> iris = gm.datasets.iris()
        >>> found = gm.ecology.rda(iris.data, iris.groups)
        >>> found.test("axes", n_permutations=99)["p_value"].tolist()
        [0.01, 0.01]
        """
        one_of(by, "by", (*BY, "axes"))
        order = n_permutations, random_state, strata, self.fit.training_.index
        moved = orders_of_rows(len(self._gram), *order)
        if by == "axes":
            return self._axes(moved)
        table = analysis(self._gram, self._design, self._weights, by, moved, self._condition)
        return table.drop(columns="r2").rename(columns={"sum_of_squares": "inertia"})

    def _axes(self, moved: np.ndarray) -> pd.DataFrame:
        root, G = np.sqrt(self._weights), self._gram
        span = beside(self._condition, list(self._design.values()), root)
        values, U = np.linalg.eigh(span.T @ G @ span)
        axes = span @ U[:, ::-1]
        df = len(G) - self._condition.shape[1] - span.shape[1]
        rest = self.inertia["rest"] / df
        rows = []
        for k in np.flatnonzero(values[::-1] > 0):
            given = np.hstack([self._condition, axes[:, :k]])
            p = float(p_values(*largest(G, given, axes[:, k:], moved)))
            own = float(values[::-1][k])
            rows.append({"axis": k + 1, "df": 1, "inertia": own, "F": own / rest, "p_value": p})
        return pd.DataFrame(rows).set_index("axis")


def dbrda(
    X: RowsLike,
    table: TableLike,
    terms: Terms | None = None,
    *,
    condition: Terms | None = None,
    metric: str | Kernel | Callable[..., float] = "braycurtis",
) -> Constrained:
    """Constrained ordination of the distances between rows (distance-based RDA).

    The centred Gram matrix −½d² is projected on the columns and diagonalised (McArdle and Anderson
    2001): RDA for Euclidean distances, kernel RDA for a kernel.

    Parameters
    ----------
    X, table, terms, metric
        As for `permanova`.
    condition : names, optional
        Columns of table whose effect is removed first (partial ordination).

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> found = gm.ecology.dbrda(iris.data, iris.groups, metric="braycurtis")
    >>> round(found.r2, 3)
    0.879
    """
    D, index = distances_of(X, metric)
    return _ordinate(D, None, index, table, terms, condition)


def rda(
    X: TableLike,
    table: TableLike,
    terms: Terms | None = None,
    *,
    condition: Terms | None = None,
    scale: bool = False,
) -> Constrained:
    """Redundancy analysis: the PCA of the part of a table that columns explain.

    Parameters
    ----------
    X : array or data frame (n, p)
        The response: amounts or measurements.
    table, terms, condition
        As for `dbrda`.
    scale : bool
        Divide the columns of X by their standard deviations.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> gm.ecology.rda(iris.data, iris.groups, scale=True).eigenvalues.round(3).tolist()
    [2.74, 0.149]
    """
    metric = "seuclidean" if flag(scale, "scale") else "euclidean"
    D, index = distances_of(X, metric)
    if scale:  # standard deviations of divisor n, as everywhere else
        D = D * np.sqrt(len(D) / (len(D) - 1.0))
    return _ordinate(D, None, index, table, terms, condition)


def cca(
    X: TableLike, table: TableLike, terms: Terms | None = None, *, condition: Terms | None = None
) -> Constrained:
    """Canonical correspondence analysis: the CA of the part of counts that columns explain.

    Rows are compared by χ² distances and weighted by their sums.

    Parameters
    ----------
    X : array or data frame (n, p)
        Counts or other amounts.
    table, terms, condition
        As for `dbrda`.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> gm.ecology.cca(iris.data, iris.groups).eigenvalues.round(4).tolist()
    [0.0601, 0.0004]
    """
    counts = validated(X, "X", allow_sparse=False).values
    D, index = distances_of(X, "chi2")
    counts = np.asarray(counts, dtype=float)
    refuse_negative(counts, "cca")
    if D.max() < _MIN_DISTANCE:
        raise InputError(
            "X: the profiles of its rows differ by little more than rounding: take a common offset "
            "off the counts"
        )
    return _ordinate(D, counts.sum(axis=1) / counts.sum(), index, table, terms, condition)


def _ordinate(
    D: np.ndarray,
    weights: np.ndarray | None,
    index: pd.Index | None,
    table: TableLike,
    terms: Terms | None,
    condition: Terms | None,
) -> Constrained:
    n = len(D)
    p = np.full(n, 1.0 / n) if weights is None else weights
    G, root = gram_of(D, p), np.sqrt(p)
    start = root[:, None]
    if condition is not None:
        given = design_of(table, condition, n, index)
        start = np.hstack([start, beside(start, list(given.values()), root)])
        if terms is None:
            everything = design_of(table, None, n, index)
            terms = [name for name in everything if name not in given]
    design = design_of(table, terms, n, index)
    span = beside(start, list(design.values()), root)
    m, rest_df = span.shape[1], n - start.shape[1] - span.shape[1]
    if m == 0 or rest_df < 1:
        raise InputError(f"terms: {m} degrees of freedom of {n} rows: use other or fewer terms")
    values = np.linalg.eigvalsh(span.T @ G @ span)[::-1]
    explained = span @ (span.T @ G @ span) @ span.T
    left = residual(residual(G, start), span)
    total, within, part = float(np.trace(G)), float(np.trace(left)), float(values.sum())
    before = 0.0 if condition is None else total - within - part
    inertia = {"total": total, "condition": before, "constrained": part, "rest": within}
    adjusted, given_df = np.nan, start.shape[1] - 1
    if np.ptp(p) < 1e-12:
        adjusted = _adjust(1.0 - within / total, n, given_df + m)
        adjusted -= _adjust(before / total, n, given_df)
    q = max(1, int((values > 1e-10 * abs(values[0])).sum()))
    fit, rest = _axes_of(explained, p, index, q), _axes_of(left, p, index, None)
    known, share = pd.Series(inertia), part / total
    return Constrained(fit, rest, known, values, share, adjusted, G, design, p, start)


def _adjust(r2: float, n: int, df: int) -> float:
    """Return R² less what df random columns explain."""
    return 1.0 - (1.0 - r2) * (n - 1.0) / (n - 1.0 - df)


def _axes_of(part: np.ndarray, p: np.ndarray, index: pd.Index | None, q: int | None) -> KernelPCA:
    """Return the fit whose axes are those of a part of the Gram matrix."""
    K = part / np.sqrt(np.outer(p, p))
    K = 0.5 * (K + K.T)
    rows = K if index is None else pd.DataFrame(K, index=index)
    return KernelPCA(q, kernel="precomputed", indefinite="clip").fit(rows, sample_weight=p)
