"""Do groups and numbers explain the distances between rows? PERMANOVA."""

from __future__ import annotations

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
from gramian.ecology.design import Design, Terms, beside, design_of, distances_of, gram_of
from gramian.errors import InputError
from gramian.kernels.base import Kernel

BY = ("terms", "margin", "model")
_CHUNK = 1 << 24  # numbers at a time


@dataclass(frozen=True, eq=False)
class Permanova:
    """What terms explain of the distances between rows.

    Attributes
    ----------
    table : DataFrame
        One row a term, then "residual" and "total": "df", "sum_of_squares", "r2", "F", "p_value".
    by : "terms", "margin" or "model"
    n_permutations : int

    Examples
    --------
    >>> import gramian as gm
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
    distance or kernel. Rows change places to say what chance gives: those of the residuals of the
    terms that come before (Freedman and Lane), so that these may be related to the one tested.
    A test of means of groups that differ in spread rejects too often or too seldom: look at
    `dispersion` as well.

    Parameters
    ----------
    X : array or data frame (n, p), distances, or objects
    table : data frame (n, k)
        Explaining columns: numbers and categories.
    terms : formula or names, optional
        "a + b", "a*b" (with their interaction "a:b"), a list of such names; all columns by default.
    metric : str, Kernel or callable
        As for `gm.ClassicalMDS`: "braycurtis", "hellinger", "aitchison", …; "precomputed": X holds
        distances; a kernel.
    by : "terms", "margin" or "model"
        Each term given those before it, given all others (but interactions that hold it), or all
        terms together.
    strata : column of n labels, optional
        Rows change places within each only (sites of one region, samples of one person).
    n_permutations : int
    random_state : int, optional

    Returns
    -------
    Permanova

    Examples
    --------
    >>> import gramian as gm
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
    codes = strata_codes(strata, n, index)
    count = number_of_permutations(n_permutations)
    moved = row_orders(n, count, generator(random_state), codes)
    # n times inertias are sums of squares.
    rows = analysis(n * gram_of(D, p), design, p, by, moved)
    return Permanova(rows, by, count)


def analysis(
    G: np.ndarray,
    design: Design,
    p: np.ndarray,
    by: str,
    moved: np.ndarray,
    condition: np.ndarray | None = None,
) -> pd.DataFrame:
    """Return the table of terms, residual and total of a centred Gram matrix."""
    root = np.sqrt(p)
    start = root[:, None] if condition is None else condition
    names = [name for name in design.terms if by == "terms" or design.on_top(name)]
    parts = {"model": list(design.terms)} if by == "model" else {name: [name] for name in names}
    total = float(np.trace(G))
    everything = beside(start, list(design.terms.values()), root)
    df_rest = len(G) - start.shape[1] - everything.shape[1]
    if everything.shape[1] == 0:
        raise InputError("table: its columns do not differ between rows: name terms that vary")
    if df_rest < 1:
        raise InputError(
            f"terms: {everything.shape[1]} degrees of freedom leave none of {len(G)} rows over: "
            "name fewer terms"
        )
    table: list[dict[str, Any]] = []
    residual = np.nan
    for name, members in parts.items():
        question = _question(design, members, by, start, root)
        sums, residuals = term_sums(G, question, moved)  # the first of the rows as they are
        df, residual = question.term.shape[1], float(residuals[0])
        row = {"term": name, "df": df, "sum_of_squares": sums[0], "F": np.nan, "p_value": np.nan}
        if df:
            # Where nothing is left over, a large number of the sign of what is explained.
            a, b = sums / df, residuals / df_rest
            F = np.divide(a, b, out=np.where(a > 0, 1e300, 0.0), where=np.abs(b) > 1e-300)
            row |= {"F": F[0], "p_value": p_values(F[0], F[1:])}
        table.append(row)
    table.append({"term": "residual", "df": df_rest, "sum_of_squares": residual})
    table.append({"term": "total", "df": len(G) - 1, "sum_of_squares": total})
    frame = pd.DataFrame(table).set_index("term")
    frame["r2"] = frame["sum_of_squares"] / total
    return frame[["df", "sum_of_squares", "r2", "F", "p_value"]]


def _question(
    design: Design, members: list[str], by: str, start: np.ndarray, root: np.ndarray
) -> Question:
    names = list(design.terms)
    before = names[: names.index(members[0])]
    if by == "margin":
        before = [name for name in names if name not in members]
    after = [name for name in names if name not in before and name not in members]
    blocks = design.terms
    given = np.hstack([start, beside(start, [blocks[k] for k in before], root)])
    term = beside(given, [blocks[k] for k in members], root)
    both = np.hstack([given, term])
    return Question(given, term, beside(both, [blocks[k] for k in after], root))


@dataclass(frozen=True, eq=False)
class Question:
    """What a term explains of a Gram matrix G, given others; bases are orthonormal columns."""

    given: np.ndarray  # (n, a), the constant included
    term: np.ndarray  # (n, b)
    rest: np.ndarray  # (n, c), of the terms that come after

    def residual(self, G: np.ndarray) -> np.ndarray:
        """Return what the given terms leave of a Gram matrix."""
        E = G - self.given @ (self.given.T @ G)
        return np.asarray(E - (E @ self.given) @ self.given.T)


def strata_codes(strata: VectorLike | None, n: int, index: pd.Index | None) -> np.ndarray | None:
    """Return a code for each row, rows of one code changing places only among themselves."""
    if strata is None:
        return None
    strata = in_order_of(strata, index, "strata")
    codes, names = pd.factorize(groups_of_rows(strata, n, "strata"))
    if len(names) == n:
        raise InputError("strata: every row has a label of its own: give some the same")
    return np.asarray(codes)


def term_sums(
    G: np.ndarray, question: Question, moved: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return what a term explains and the residual, of the rows as they are and in each order.

    The rows of what the given terms leave are permuted (Freedman and Lane 1983); of a first term,
    all rows. Both are traces of projections of the Gram matrix.
    """
    E, Q0 = question.residual(G), question.given
    Q = np.hstack([Q0, question.term, question.rest])
    (n, r), part = Q.shape, slice(Q0.shape[1], Q0.shape[1] + question.term.shape[1])
    orders = np.vstack([np.arange(n), moved])
    step = max(1, _CHUNK // (n * max(r, 1)))
    sums = []
    for start in range(0, len(orders), step):
        P = Q[orders[start : start + step]]  # (B, n, r)
        image = (E @ P.transpose(1, 0, 2).reshape(n, -1)).reshape(n, len(P), r)
        sums.append(np.einsum("bnr,nbr->br", P, image))
    own = np.concatenate(sums)
    return own[:, part].sum(axis=1), float(np.trace(E)) - own.sum(axis=1)


def largest(G: np.ndarray, question: Question, moved: np.ndarray) -> tuple[float, np.ndarray]:
    """Return λ₁/(rest) of what a term explains of what is given, and that of each order."""
    Q0, Qt, E = question.given, question.term, question.residual(G)
    trace = float(np.trace(E))

    def ratio(order: slice | np.ndarray) -> float:
        P0, P = Q0[order], Qt[order]
        M = P.T @ E @ P
        rest = trace - float(np.trace(M)) - float(np.sum(P0 * (E @ P0)))
        return float(np.linalg.eigvalsh(M)[-1]) / max(rest, 1e-300)

    return ratio(slice(None)), np.array([ratio(order) for order in moved])
