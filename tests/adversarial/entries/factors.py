"""Factor methods, comparisons of groups and imputation of a hostile table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..cell import Pair
from ..judge import numbers
from ..truth import Real, Rows, eigenvalues
from .common import clean, padded, two_axes
from .text import read


def profiles(M: np.ndarray, c: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Profiles of rows around the mean profile, divided by its root, and the masses of the rows.

    A row without counts lies at the mean; a column without any has no part.
    """
    if (M < 0).any():
        return np.full((len(M), 1), np.nan), np.ones(len(M))
    M = M / M.max(initial=Real(1e-4000))
    totals = M.sum(axis=1)
    r = totals / totals.sum()
    c = M.sum(axis=0) / M.sum() if c is None else c
    with np.errstate(invalid="ignore", divide="ignore"):
        P = np.where(totals[:, None] > 0, M / totals[:, None], c) - c
    return (P / np.sqrt(np.where(c > 0, c, 1)))[:, c > 0], r


def correspondence(M: np.ndarray) -> np.ndarray:
    """The inertias of correspondence analysis, by the definition."""
    F, r = profiles(M)
    R = F * np.sqrt(r)[:, None]
    return eigenvalues(R.T @ R if R.shape[0] > R.shape[1] else R @ R.T)


def inertias(f: Any, want: np.ndarray) -> list[Pair]:
    """Axes and their total, which have no unit: to 1e-9 of one."""
    m = max(len(want), len(f.eigenvalues_))
    return [
        (1 + padded(f.eigenvalues_, m), 1 + padded(want, m)),
        (1 + Real(f.inertia_), 1 + want.sum()),
    ]


def counted(X: np.ndarray) -> bool:
    """Whether a table is one of amounts whose profiles differ."""
    if not two_axes(X) or (X < 0).any() or np.isinf(X.sum()):
        return False
    return bool(correspondence(X.astype(Real)).sum() > 1e-9)


def amounts(p: int) -> np.ndarray:
    """A tame table of counts, of as many axes as it can have."""
    return np.round(np.abs(clean(p)) * 4) + 1


def codes(X: np.ndarray) -> np.ndarray:
    """The indicator matrix of the levels of all columns."""
    return np.hstack([(x[:, None] == np.unique(x)).astype(Real) for x in X.T])


def coded(X: np.ndarray) -> bool:
    return two_axes(X) and bool((np.round(X) == X).all() and np.abs(X).max() < 2**53)


def groups(p: int) -> dict[str, list[int]]:
    return {"a": [0], "b": list(range(1, p))} if p > 1 else {"a": [0]}


def balanced(t: Rows) -> np.ndarray:
    """Scaled columns, each group divided by the root of its first inertia."""
    parts = [t.Z[:, own] for own in groups(t.p).values()]
    return np.hstack([Z / np.sqrt(t.inertias(Z)[0]) for Z in parts])


def grouped(X: np.ndarray) -> bool:
    return two_axes(X) and bool((np.ptp(X, axis=0) > 0).all())


MODEL = {"n_permutations": 9, "random_state": 0}


def names(n: int) -> np.ndarray:
    """Two groups in turn, the first of them larger."""
    return np.resize(["u", "v", "u"], n)


def design(v: Any) -> pd.DataFrame:
    return pd.DataFrame({"g": names(len(v))})


def squares(d2: np.ndarray) -> tuple[Any, Any]:
    """Sums of squares: Σ d²/n over pairs of all rows, and over those of each group."""
    g = names(len(d2))
    own = [d2[np.ix_(g == name, g == name)] for name in np.unique(g)]
    return d2.sum() / 2 / len(d2), sum(block.sum() / 2 / len(block) for block in own)


def split(table: Any, t: Rows) -> list[Pair]:
    total, within = squares(t.d2)
    return [
        (table["sum_of_squares"].to_numpy(dtype=float), [total - within, within, total]),
        (table["r2"].to_numpy(dtype=float), [1 - within / total, within / total, 1]),
    ]


def left_out(d2: np.ndarray) -> Any:
    """The share of the sum of squares that is within groups."""
    total, within = squares(d2)
    return within / total


def explained(found: Any, d2: np.ndarray) -> list[Pair]:
    """The shares of an ordination that two groups constrain."""
    total, within = squares(d2)
    n = len(d2)
    return [
        (found.inertia["total"], total / n),
        (found.inertia["rest"], within / n),
        (1 + Real(found.r2), 2 - within / total),
    ]


def of_counts(found: Any, t: Rows) -> list[Pair]:
    """What groups explain of χ² is that of the table of their sums."""
    g = names(t.n)
    sums = np.array([t.X[g == name].sum(axis=0) for name in np.unique(g)])
    total, between = correspondence(t.X).sum(), correspondence(sums).sum()
    return [
        (1 + Real(found.inertia["total"]), 1 + total),
        (1 + Real(found.r2), 1 + between / total),
    ]


def spreads(found: Any, t: Rows) -> list[Pair]:
    g = names(t.n)
    far = np.zeros(t.n, dtype=Real)
    for name in np.unique(g):
        far[g == name] = np.sqrt((Rows(t.X[g == name]).C ** 2).sum(axis=1))
    return [(found.distances.to_numpy(dtype=float), far)]


def values(table: Any) -> np.ndarray:
    """The numbers of a table of any library."""
    if hasattr(table, "to_pandas"):
        table = table.to_pandas()
    return numbers(table.to_numpy(dtype=float) if hasattr(table, "iloc") else table)


def punched(p: int) -> np.ndarray:
    X = clean(p).copy()
    X[0, 0] = np.nan
    return X


def masses(p: int) -> np.ndarray:
    """The mean profile of the tame table."""
    A = amounts(p).astype(Real)
    return A.sum(axis=0) / A.sum()


TRUTHS = """
CA().fit(x) | inertias(r, correspondence(t.X)) | counted
CA().fit_transform(x) | 1 + gram_of(r) ~ 1 + gram_of(profiles(t.X)[0]) | counted
CA().fit(amounts(v.shape[1])).transform(x) | 1 + gram_of(r) ~ 1 + gram_of(profiles(t.X,
    masses(t.p))[0]) | counted
CA().fit(x).individuals() | 1 + np.ravel(r["distance2"]) ~ 1 + (profiles(t.X)[0] ** 2).sum(axis=1) |
    counted
CA().fit(v).individuals(x) | 1 + np.ravel(r["distance2"]) ~ 1 + (profiles(t.X)[0] ** 2).sum(axis=1)
    | counted | skips="None"
CA().fit(x).variables() | (r["contribution"].sum() > 1 - 1e-9).all() ~ True | counted
MCA().fit(x) | inertias(r, correspondence(codes(t.X))) | coded | takes=LEVELS
MCA().fit_transform(x) | 1 + gram_of(r) ~ 1 + gram_of(profiles(codes(t.X))[0]) | coded |
    takes=LEVELS
MCA().fit(v).transform(x) | 1 + gram_of(r) ~ 1 + gram_of(profiles(codes(t.X))[0]) | coded |
    takes=LEVELS, skips=BOOLS
MCA().fit(x).individuals() | 1 + np.ravel(r["distance2"]) ~ 1 + (profiles(codes(t.X))[0] **
    2).sum(axis=1) | coded | takes=LEVELS
FAMD().fit(x) | inertias(r, t.scaled_variances) | vary | takes=LEVELS
FAMD().fit_transform(x) | gram_of(r) ~ gram_of(t.Z) | vary | takes=LEVELS
FAMD().fit(v).transform(x) | gram_of(r) ~ gram_of(t.Z) | vary | takes=LEVELS, skips=BOOLS
FAMD().fit(x).individuals() | 1 + np.ravel(r["distance2"]) ~ 1 + (t.Z ** 2).sum(axis=1) | vary |
    takes=LEVELS
MFA(groups=groups(v.shape[1])).fit(x) | inertias(r, t.inertias(balanced(t))) | grouped | X groups,
    takes=LEVELS
MFA(groups=groups(v.shape[1])).fit_transform(x) | gram_of(r) ~ gram_of(balanced(t)) | grouped | X
    groups, takes=LEVELS
MFA(groups=groups(v.shape[1])).fit(v).transform(x) | gram_of(r) ~ gram_of(balanced(t)) | grouped | X
    groups, takes=LEVELS, skips=BOOLS
MFA(groups=groups(v.shape[1])).fit(x).individuals() | 1 + np.ravel(r["distance2"]) ~ 1 +
    (balanced(t) ** 2).sum(axis=1) | grouped | X groups, takes=LEVELS
STATIS().fit({"a": v, "b": x}) | ratios(r, t) | vary | X b
STATIS().fit_transform({"a": v, "b": x}) | unit(gram_of(r)) ~ unit(t.gram) | vary | X b
STATIS().fit({"a": v, "b": v}).transform({"a": v, "b": x}) | unit(gram_of(r)) ~ unit(t.gram) | vary
    | X b
STATIS().fit({"a": v, "b": x}).individuals() | (d := np.ravel(r["distance2"])) / d.sum() ~
    unit(t.gram).diagonal() | vary | X b
ecology.permanova(x, design(v), **MODEL).table | split(r, t) | len(v) > 4 and vary(v) | X table
    metric terms
ecology.dispersion(x, names(len(v)), centre="centroid", **MODEL) | spreads(r, t) | len(v) > 4 and
    vary(v) | X groups metric
ecology.rda(x, design(v)) | explained(r, t.d2) | len(v) > 4 and vary(v) | X table metric terms
ecology.dbrda(x, design(v), metric="cityblock") | explained(r, manhattan(t.X) ** 2) | len(v) > 4 and
    vary(v) | X table metric terms
ecology.cca(x, design(v)) | of_counts(r, t) | len(v) > 4 and counted(v) and (v.sum(axis=1) >
    0).all() | X table metric terms
missing.impute(x, n_components=1, random_state=0).table | values(r) ~ t.X | three_rows(v) and
    v.shape[1] > 2 | X n_components, takes=IMPUTED
missing.impute(x, random_state=0).table | values(r) ~ t.X | False | X n_components, takes=IMPUTED,
    share=0.3
missing.impute(punched(v.shape[1]), 0).fill(x) | values(r) ~ t.X | False | X n_components,
    takes=f"{IMPUTED},a column of NaN,all NaN", skips=BOOLS
missing.multiple(x, n_tables=3, n_components=1, random_state=0).tables[1] | values(r) ~ t.X | False
    | X n_components, takes=IMPUTED, share=0.5
"""
ENTRIES = read(TRUTHS, globals())
