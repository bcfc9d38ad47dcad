"""What compares groups of rows of a hostile table: sums of squares, spreads, correlations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import gramian as gm

from ..cell import Entry, Pair
from ..truth import Real, Rows
from .common import manhattan, three_rows
from .factors import correspondence, counted

MODEL = {"n_permutations": 9, "random_state": 0}


def names(n: int) -> np.ndarray:
    """Two groups in turn, the first of them larger."""
    return np.resize(["u", "v", "u"], n)


def design(n: int) -> pd.DataFrame:
    return pd.DataFrame({"g": names(n)})


def enough(X: np.ndarray) -> bool:
    return three_rows(X) and len(X) >= 5


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


def related(links: Any, t: Rows) -> list[Pair]:
    """The correlations of the pairs that are shown, in each condition."""
    g = np.resize(["a", "b"], t.n)
    columns = {label: k for k, label in enumerate(LABELS[: t.p])}
    pairs = []
    for name in ("a", "b"):
        Z = Rows(t.X[g == name]).Z
        R = Z.T @ Z / len(Z)
        known = links[links["source"].isin(columns) & links["target"].isin(columns)]
        ends = zip(known["source"], known["target"], strict=True)
        want = np.array([R[columns[s], columns[e]] for s, e in ends], Real)
        pairs.append((known[name].to_numpy(dtype=float), want))
    return pairs


LABELS = [f"x{k}" for k in range(1000)]


def differ(x: Any, v: Any) -> Any:
    """Nearly all pairs, under the names that plain columns have."""
    condition = np.resize(["a", "b"], len(v))
    links = gm.networks.differential(x, condition, fdr=0.999, n_permutations=3, random_state=0)
    known = getattr(x, "columns", getattr(x, "column_names", LABELS))
    names = {str(c): LABELS[k] for k, c in enumerate(list(known)[: v.shape[1]])}
    return links.assign(
        source=[names.get(str(s), s) for s in links["source"]],
        target=[names.get(str(s), s) for s in links["target"]],
    )


def nowhere(X: np.ndarray) -> bool:
    return False


ENTRIES = [
    Entry(
        "ecology.permanova",
        lambda x, v: gm.ecology.permanova(x, design(len(v)), **MODEL).table,
        split,
        "X table metric terms",
        enough,
    ),
    Entry(
        "ecology.dispersion",
        lambda x, v: gm.ecology.dispersion(x, names(len(v)), centre="centroid", **MODEL),
        spreads,
        "X groups metric",
        enough,
    ),
    Entry(
        "ecology.dispersion(median)",
        lambda x, v: gm.ecology.dispersion(x, names(len(v)), **MODEL),
        lambda found, t: [(np.isfinite(found.distances.to_numpy(dtype=float)).all(), True)],
        "X groups metric",
        enough,
        share=0.5,
    ),
    Entry(
        "ecology.rda",
        lambda x, v: gm.ecology.rda(x, design(len(v))),
        lambda found, t: explained(found, t.d2),
        "X table metric terms",
        enough,
    ),
    Entry(
        "ecology.dbrda",
        lambda x, v: gm.ecology.dbrda(x, design(len(v)), metric="cityblock"),
        lambda found, t: explained(found, manhattan(t.X, t.X) ** 2),
        "X table metric terms",
        enough,
    ),
    Entry(
        "ecology.cca",
        lambda x, v: gm.ecology.cca(x, design(len(v))),
        of_counts,
        "X table metric terms",
        lambda X: enough(X) and counted(X) and bool((X.sum(axis=1) > 0).all()),
    ),
    Entry(
        "networks.differential",
        differ,
        related,
        "X condition",
        nowhere,
        share=0.5,
    ),
]
