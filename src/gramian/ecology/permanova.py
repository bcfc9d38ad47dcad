"""Do groups and numbers explain the distances between rows? PERMANOVA."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from gramian._core.check import generator, one_of
from gramian._core.frames import in_order_of
from gramian._core.numbers import groups_of_rows
from gramian._core.types import RowsLike, SeedLike, TableLike, VectorLike
from gramian._nulls.draws import row_orders
from gramian._nulls.p_values import number_of_permutations, p_values
from gramian.ecology.design import Terms, beside, design_of, distances_of, gram_of, is_on_top
from gramian.errors import InputError
from gramian.kernels.base import Kernel

BY = ("terms", "margin", "model")
_CHUNK = 1 << 24  # numbers at a time


@dataclass(frozen=True, eq=False)
class Permanova:
    """The result of PERMANOVA: the effects of terms on the distances between rows.

    Attributes
    ----------
    table : DataFrame
        One row per term, then "residual" and "total": "df", "sum_of_squares", "r2", "F", "p_value".
    by : "terms", "margin" or "model"
    n_permutations : int

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> test = gm.ecology.permanova(iris.data, iris.groups, n_permutations=99)
    >>> round(float(test.table.loc["species", "r2"]), 4)
    0.8689
    """

    table: pd.DataFrame
    by: str
    n_permutations: int

    def __repr__(self) -> str:
        how = {"terms": "terms in their order", "margin": "each term given the others"}
        head = how.get(self.by, "all terms together")
        shown = self.table.to_string(float_format=lambda x: f"{x:.4g}", na_rep="")
        return f"PERMANOVA, {head}, {self.n_permutations} permutations\n{shown}"


def permanova(
    X: RowsLike,
    table: TableLike,
    terms: Terms | None = None,
    *,
    metric: str | Kernel | Callable[..., float] = "euclidean",
    by: Literal["terms", "margin", "model"] = "terms",
    strata: VectorLike | None = None,
    n_permutations: int = 999,
    random_state: SeedLike = None,
) -> Permanova:
    """Test whether columns explain the distances between rows, as vegan's adonis2 does.

    The sum of squares Σ_{i<j} d²/n is split as in an analysis of variance (Anderson 2001), for any
    distance or kernel. Residuals of the previous terms are permuted (Freedman and Lane), so that
    these may be related to the tested one. If groups differ in spread, the test rejects too often
    or too rarely: check this with `dispersion`.

    Parameters
    ----------
    X : array or data frame (n, p), distances, or objects
        The response: measurements, distances or objects.
    table : data frame (n, k)
        Explaining columns: numbers and categories.
    terms : formula or names, optional
        "a + b", "a*b" (with their interaction "a:b"), a list of such names; all columns by default.
    metric : str, Kernel or callable
        As for `gm.ClassicalMDS`: "braycurtis", "hellinger", "aitchison", …; "precomputed": X holds
        distances; a kernel.
    by : "terms", "margin" or "model"
        Each term given the previous ones, given all others (except interactions that contain it),
        or all terms together.
    strata : column of n labels, optional
        Rows are only permuted within strata (sites of one region, samples of one person).
    n_permutations, random_state : int
        Number of permutations, and the seed that they are drawn from.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> test = gm.ecology.permanova(iris.data, iris.groups, metric="braycurtis", random_state=0)
    >>> float(test.table.loc["species", "p_value"])
    0.001
    """
    one_of(by, "by", BY)
    D, index = distances_of(X, metric)
    n = len(D)
    p = np.full(n, 1.0 / n)
    design = design_of(table, terms, n, index)
    moved = orders_of_rows(n, n_permutations, random_state, strata, index)
    # n times inertias are sums of squares.
    rows = analysis(n * gram_of(D, p), design, p, by, moved)
    return Permanova(rows, by, len(moved))


def analysis(
    G: np.ndarray,
    design: dict[str, np.ndarray],
    p: np.ndarray,
    by: str,
    moved: np.ndarray,
    condition: np.ndarray | None = None,
) -> pd.DataFrame:
    """Return the table of terms, residual and total of a centred Gram matrix."""
    root = np.sqrt(p)
    start = root[:, None] if condition is None else condition
    names = [name for name in design if by == "terms" or is_on_top(name, design)]
    parts = {"model": list(design)} if by == "model" else {name: [name] for name in names}
    total = float(np.trace(G))
    everything = beside(start, list(design.values()), root)
    df_rest = len(G) - start.shape[1] - everything.shape[1]
    if everything.shape[1] == 0:
        raise InputError("table: its columns do not differ between rows: name terms that vary")
    if df_rest < 1:
        raise InputError(
            f"terms: {everything.shape[1]} degrees of freedom leave none of {len(G)} rows over: "
            "name fewer terms"
        )
    table: list[dict[str, Any]] = []
    left = np.nan
    for name, members in parts.items():
        parts_of_term = bases(design, members, by, start, root)
        sums, residuals = term_sums(G, *parts_of_term, moved)  # the first of the rows as they are
        df, left = parts_of_term[1].shape[1], float(residuals[0])
        row = {"term": name, "df": df, "sum_of_squares": sums[0], "F": np.nan, "p_value": np.nan}
        if df:
            # Where nothing is left over, a large number of the sign of what is explained.
            a, b = sums / df, residuals / df_rest
            F = np.divide(a, b, out=np.where(a > 0, 1e300, 0.0), where=np.abs(b) > 1e-300)
            row |= {"F": F[0], "p_value": p_values(F[0], F[1:])}
        table.append(row)
    table.append({"term": "residual", "df": df_rest, "sum_of_squares": left})
    table.append({"term": "total", "df": len(G) - 1, "sum_of_squares": total})
    frame = pd.DataFrame(table).set_index("term")
    frame["r2"] = frame["sum_of_squares"] / total
    return frame[["df", "sum_of_squares", "r2", "F", "p_value"]]


def bases(
    design: dict[str, np.ndarray], members: list[str], by: str, start: np.ndarray, root: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return orthonormal bases of what is given, the constant included, of terms and of others."""
    names = list(design)
    before = names[: names.index(members[0])]
    if by == "margin":
        before = [name for name in names if name not in members]
    after = [name for name in names if name not in before and name not in members]
    given = np.hstack([start, beside(start, [design[k] for k in before], root)])
    term = beside(given, [design[k] for k in members], root)
    both = np.hstack([given, term])
    return given, term, beside(both, [design[k] for k in after], root)


def residual(G: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Return what an orthonormal basis leaves of a Gram matrix."""
    E = G - Q @ (Q.T @ G)
    return np.asarray(E - (E @ Q) @ Q.T)


def orders_of_rows(
    n: int,
    n_permutations: int,
    random_state: SeedLike,
    strata: VectorLike | None = None,
    index: pd.Index | None = None,
) -> np.ndarray:
    """Return random orders of rows, (B, n), which change places only within strata."""
    codes = None
    if strata is not None:
        strata = in_order_of(strata, index, "strata")
        codes, names = pd.factorize(groups_of_rows(strata, n, "strata"))
        if len(names) == n:
            raise InputError("strata: every row has a different label: rows of a stratum share one")
    count = number_of_permutations(n_permutations)
    return row_orders(n, count, generator(random_state), codes)


def term_sums(
    G: np.ndarray, given: np.ndarray, term: np.ndarray, rest: np.ndarray, moved: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return what a term explains and the residual, of the rows as they are and in each order."""
    # The rows of what the given terms leave are permuted (Freedman and Lane 1983); of a first term,
    # all rows. Both are traces of projections of the Gram matrix.
    E, Q = residual(G, given), np.hstack([given, term, rest])
    (n, r), part = Q.shape, slice(given.shape[1], given.shape[1] + term.shape[1])
    orders = np.vstack([np.arange(n), moved])
    step = max(1, _CHUNK // (n * max(r, 1)))
    sums = []
    for start in range(0, len(orders), step):
        P = Q[orders[start : start + step]]  # (B, n, r)
        image = (E @ P.transpose(1, 0, 2).reshape(n, -1)).reshape(n, len(P), r)
        sums.append(np.einsum("bnr,nbr->br", P, image))
    own = np.concatenate(sums)
    return own[:, part].sum(axis=1), float(np.trace(E)) - own.sum(axis=1)


def largest(
    G: np.ndarray, given: np.ndarray, term: np.ndarray, moved: np.ndarray
) -> tuple[float, np.ndarray]:
    """Return λ₁/(rest) of what a term explains of what is given, and that of each order."""
    E = residual(G, given)
    trace = float(np.trace(E))

    def ratio(order: slice | np.ndarray) -> float:
        P0, P = given[order], term[order]
        M = P.T @ E @ P
        rest = trace - float(np.trace(M)) - float(np.sum(P0 * (E @ P0)))
        return float(np.linalg.eigvalsh(M)[-1]) / max(rest, 1e-300)

    return ratio(slice(None)), np.array([ratio(order) for order in moved])
