"""Factor methods of a hostile table: counts, categories, groups of columns, several tables."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Entry, Pair
from ..truth import Real, Rows, eigenvalues
from .common import gram_of, padded, two_axes, vary
from .fits import clean
from .functions import BOOLS


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


def new_profiles(F: Any, t: Rows) -> list[Pair]:
    A = amounts(t.p).astype(Real)
    G, _ = profiles(t.X, A.sum(axis=0) / A.sum())
    return [(1 + gram_of(F), 1 + G @ G.T)]


def codes(X: np.ndarray) -> np.ndarray:
    """The indicator matrix of the levels of all columns."""
    return np.hstack([(x[:, None] == np.unique(x)).astype(Real) for x in X.T])


def coded(X: np.ndarray) -> bool:
    return two_axes(X) and bool((np.round(X) == X).all() and np.abs(X).max() < 2**53)


def answers(F: Any, t: Rows) -> list[Pair]:
    """Products of rows of indicators around their mean, as profiles."""
    G, _ = profiles(codes(t.X))
    return [(1 + gram_of(F), 1 + G @ G.T)]


def groups(p: int) -> dict[str, list[int]]:
    return {"a": [0], "b": list(range(1, p))} if p > 1 else {"a": [0]}


def balanced(t: Rows) -> np.ndarray:
    """Scaled columns, each group divided by the root of its first inertia."""
    parts = [t.Z[:, own] for own in groups(t.p).values()]
    return np.hstack([Z / np.sqrt(t.inertias(Z)[0]) for Z in parts])


def grouped(X: np.ndarray) -> bool:
    return two_axes(X) and bool((np.ptp(X, axis=0) > 0).all())


def mfa(v: np.ndarray) -> Any:
    return gm.MFA(groups=groups(v.shape[1]))


def shares(f: Any, t: Rows) -> list[Pair]:
    """Two equal tables have the axes of one."""
    return [(f.inertia_ratio_, padded(t.variances, len(f.inertia_ratio_)) / t.variances.sum())]


def lengths(table: Any, F: np.ndarray) -> list[Pair]:
    return [(1 + table["distance2"].to_numpy().ravel(), 1 + (F**2).sum(axis=1))]


# What is a category is no number, and what is missing may be one.
LABELS = "pandas,polars,pyarrow,number types,containers,not finite"
ENTRIES = [
    Entry(
        "CA.fit",
        lambda x, v: gm.CA().fit(x),
        lambda f, t: inertias(f, correspondence(t.X)),
        fits=counted,
    ),
    Entry(
        "CA.fit_transform",
        lambda x, v: gm.CA().fit_transform(x),
        lambda F, t: [(1 + gram_of(F), 1 + (G := profiles(t.X)[0]) @ G.T)],
        fits=counted,
    ),
    Entry(
        "CA.transform",
        lambda x, v: gm.CA().fit(amounts(v.shape[1])).transform(x),
        new_profiles,
        fits=counted,
    ),
    Entry(
        "CA.individuals",
        lambda x, v: gm.CA().fit(x).individuals(),
        lambda T, t: lengths(T, profiles(t.X)[0]),
        fits=counted,
    ),
    Entry(
        "CA.individuals(X)",
        lambda x, v: gm.CA().fit(v).individuals(x),
        lambda T, t: lengths(T, profiles(t.X)[0]),
        fits=counted,
        skips="None",
    ),
    Entry(
        "CA.variables",
        lambda x, v: gm.CA().fit(x).variables(),
        lambda T, t: [((T["contribution"].sum() > 1 - 1e-9).all(), True)],
        fits=counted,
    ),
    Entry(
        "MCA.fit",
        lambda x, v: gm.MCA().fit(x),
        lambda f, t: inertias(f, correspondence(codes(t.X))),
        fits=coded,
        takes=LABELS,
    ),
    Entry(
        "MCA.fit_transform",
        lambda x, v: gm.MCA().fit_transform(x),
        answers,
        fits=coded,
        takes=LABELS,
    ),
    Entry(
        "MCA.transform",
        lambda x, v: gm.MCA().fit(v).transform(x),
        answers,
        fits=coded,
        takes=LABELS,
        skips=BOOLS,
    ),
    Entry(
        "MCA.individuals",
        lambda x, v: gm.MCA().fit(x).individuals(),
        lambda T, t: lengths(T, profiles(codes(t.X))[0]),
        fits=coded,
        takes=LABELS,
    ),
    Entry(
        "FAMD.fit",
        lambda x, v: gm.FAMD().fit(x),
        lambda f, t: inertias(f, t.scaled_variances),
        fits=vary,
        takes=LABELS,
    ),
    Entry(
        "FAMD.fit_transform",
        lambda x, v: gm.FAMD().fit_transform(x),
        lambda F, t: [(gram_of(F), t.Z @ t.Z.T)],
        fits=vary,
        takes=LABELS,
    ),
    Entry(
        "FAMD.transform",
        lambda x, v: gm.FAMD().fit(v).transform(x),
        lambda F, t: [(gram_of(F), t.Z @ t.Z.T)],
        fits=vary,
        takes=LABELS,
        skips=BOOLS,
    ),
    Entry(
        "FAMD.individuals",
        lambda x, v: gm.FAMD().fit(x).individuals(),
        lambda T, t: lengths(T, t.Z),
        fits=vary,
        takes=LABELS,
    ),
    Entry(
        "MFA.fit",
        lambda x, v: mfa(v).fit(x),
        lambda f, t: inertias(f, t.inertias(balanced(t))),
        "X groups",
        grouped,
        takes=LABELS,
    ),
    Entry(
        "MFA.fit_transform",
        lambda x, v: mfa(v).fit_transform(x),
        lambda F, t: [(gram_of(F), (B := balanced(t)) @ B.T)],
        "X groups",
        grouped,
        takes=LABELS,
    ),
    Entry(
        "MFA.transform",
        lambda x, v: mfa(v).fit(v).transform(x),
        lambda F, t: [(gram_of(F), (B := balanced(t)) @ B.T)],
        "X groups",
        grouped,
        takes=LABELS,
        skips=BOOLS,
    ),
    Entry(
        "MFA.individuals",
        lambda x, v: mfa(v).fit(x).individuals(),
        lambda T, t: lengths(T, balanced(t)),
        "X groups",
        grouped,
        takes=LABELS,
    ),
    Entry("STATIS.fit", lambda x, v: gm.STATIS().fit({"a": v, "b": x}), shares, "X b", vary),
    Entry(
        "STATIS.fit_transform",
        lambda x, v: gm.STATIS().fit_transform({"a": v, "b": x}),
        lambda F, t: [((G := gram_of(F)) / G.trace(), t.gram / t.gram.trace())],
        "X b",
        vary,
    ),
    Entry(
        "STATIS.transform",
        lambda x, v: gm.STATIS().fit({"a": v, "b": v}).transform({"a": v, "b": x}),
        lambda F, t: [((G := gram_of(F)) / G.trace(), t.gram / t.gram.trace())],
        "X b",
        vary,
    ),
    Entry(
        "STATIS.inverse_transform",
        lambda x, v: (
            gm.STATIS().fit({"a": clean(v.shape[1]), "b": clean(v.shape[1])}).inverse_transform(x)
        ),
        lambda f, t: [(len(f) > 0, True)],
        "X Z a kernels method kernel",
        lambda X: False,
    ),
    Entry(
        "STATIS.individuals",
        lambda x, v: gm.STATIS().fit({"a": v, "b": x}).individuals(),
        lambda T, t: [
            (
                (d := T["distance2"].to_numpy(dtype=float).ravel()) / d.sum(),
                t.gram.diagonal() / t.gram.trace(),
            )
        ],
        "X b",
        vary,
    ),
]
