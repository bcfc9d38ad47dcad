"""Distances as Gram matrices, and explaining columns as orthonormal bases, term by term."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from gramian._core.array import column_units
from gramian._core.check import is_list, short
from gramian._core.frames import collect, column_names, is_frame, refuse_same_names
from gramian._core.numbers import require_square
from gramian._core.types import RowsLike, TableLike
from gramian._estimators.analysis import distances_between
from gramian._reading.columns import Factor, Numeric, columns, frame_of
from gramian.errors import InputError
from gramian.kernels.base import Kernel

Terms = str | Sequence[str]  # a formula, or names of columns


def is_on_top(name: str, terms: Iterable[str]) -> bool:
    """Whether no interaction holds a term, so that it may be left out by itself."""
    own = set(name.split(":"))
    return not any(own < set(other.split(":")) for other in terms)


def design_of(
    table: TableLike, terms: Terms | None, n: int, index: pd.Index | None
) -> dict[str, np.ndarray]:
    """Return the columns (n, c) of each term: a name, a product "a:b" or of a formula "a + b*c"."""
    if not (is_frame(table) or isinstance(table, Mapping | pd.Series)):
        raise InputError(
            f"table={short(table)} must be a data frame whose columns explain the rows"
        )
    known = _columns_by_name(table, n, index)
    names = list(dict.fromkeys(term_names(terms, known)))
    parts = {name: columns_of_term(name, known) for name in names}
    if not parts:
        raise InputError("terms is empty: give one column of table at least")
    return parts


def _columns_by_name(
    table: TableLike, n: int, index: pd.Index | None
) -> dict[str, Numeric | Factor]:
    """Return the columns under the texts that terms name them by, in their order."""
    native = frame_of(collect(table))
    names = [str(name) for name in column_names(native) or ()]
    refuse_same_names(pd.DataFrame(columns=names), "table")  # 1 and "1" are one name in a term
    own = columns(native, n, index if isinstance(index, pd.Index) else None)
    known: dict[str, Numeric | Factor] = {str(c.name): c for c in own.numeric}
    known |= {str(c.name): c for c in own.factors}
    return {name: known[name] for name in names}


def term_names(terms: Terms | None, known: Iterable[str]) -> list[str]:
    """Return the terms of a formula or a list, all known names by default."""
    if terms is None:
        return list(known)
    if isinstance(terms, str):
        return terms.split() if terms in known else _formula(terms)
    if not is_list(terms) or not all(isinstance(term, str) for term in terms):
        raise InputError(
            f'terms={short(terms)} must be names of columns of table, or a text such as "a + b*c"'
        )
    return [str(term) for term in terms]


def _formula(text: str) -> list[str]:
    """Return the terms of "a + b*c": a, b, c, b:c, main effects first."""
    names: list[str] = []
    for part in text.split("+"):
        factors = [name.strip() for name in part.split("*")]
        products = [""]
        for name in factors:
            products += [f"{before}:{name}" if before else name for before in products]
        names += products[1:]
    return sorted(names, key=lambda name: name.count(":"))


def columns_of_term(term: str, known: dict[str, Numeric | Factor]) -> np.ndarray:
    """Return the columns of a name or of a product "a:b", (n, c)."""
    parts = [term] if term in known else [part.strip() for part in term.split(":")]
    block = np.ones((1, 1))
    for name in parts:
        if name not in known:
            raise InputError(
                f"terms: {name!r} is not a column of table: choose from {', '.join(known)}"
            )
        one = _encode(known[name])
        block = (block[:, :, None] * one[:, None, :]).reshape(len(one), -1)
    return block


def refuse_missing(column: Numeric | Factor) -> None:
    """Refuse a column with a gap."""
    missing = column.codes < 0 if isinstance(column, Factor) else np.isnan(column.values)
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise InputError(f"table misses {column.name!r} in row {row}: fill it or drop the row")


def _encode(column: Numeric | Factor) -> np.ndarray:
    """Return a number as it is and a factor as indicators of all categories but the first."""
    refuse_missing(column)
    if isinstance(column, Numeric):  # what it spans does not depend on its unit
        values = column.values[:, None]
        return np.asarray(values / column_units(values))
    return np.asarray((column.codes[:, None] == np.arange(1, len(column.labels))).astype(float))


def beside(Q: np.ndarray, blocks: Sequence[np.ndarray], root: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of what columns, times the roots of weights, add to Q."""
    if not blocks:
        return np.empty((len(Q), 0))
    B = np.hstack(blocks)
    B = B - (root**2 @ B)  # weights of sum 1: the constant is taken out exactly
    size = np.linalg.norm(B * root[:, None], axis=0)
    B = (B * root[:, None])[:, size > 0] / size[size > 0]
    rest = B - Q @ (Q.T @ B)
    rest = rest - Q @ (Q.T @ rest)
    U, s, _ = np.linalg.svd(rest, full_matrices=False)
    return np.asarray(U[:, s > 1e-7])


def distances_of(
    X: RowsLike, metric: str | Kernel | Callable[..., float]
) -> tuple[np.ndarray, pd.Index | None]:
    """Return the distances between rows, (n, n), not all 0, and the labels of the rows."""
    D, index = distances_between(X, metric)
    if not D.any():
        raise InputError("X: all its rows are the same: give rows that differ")
    require_square(D.max(), "X: its largest distance")
    return D, index


def gram_of(D: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return √P(I − 1pᵀ)(−½D²)(I − p1ᵀ)√P, whose trace is the inertia of weights p of sum 1."""
    G = -0.5 * D**2
    means = G @ p
    G = G - means[:, None] - means[None, :] + p @ means
    root = np.sqrt(p)
    return np.asarray(root[:, None] * G * root[None, :])
