"""Columns that others hold already: copies, combinations, parts that sum to a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gramian._study.language import Fixed, Number, Setting, names
from gramian.io.doctor.finding import Finding, finding, named

_R2 = 0.9999
_COPY = 1 - 1e-10  # a correlation that only rounding keeps from 1
_COLUMNS, _ROWS = 300, 3_000  # that are looked at
_NAMED = 6
_WEIGHT = 0.05  # in deviations: less of a column is not named


@dataclass(frozen=True)
class Combination:
    """A column that follows from others: c ≈ Σ b_j x_j + a."""

    column: int
    others: tuple[int, ...]
    weights: tuple[float, ...]
    r2: float


def combinations(X: np.ndarray) -> list[Combination]:
    """Return the columns that those before them explain (R² of 0.9999 or more).

    >>> x = np.random.default_rng(0).standard_normal((30, 2))
    >>> [c.others for c in combinations(np.column_stack([x, x.sum(axis=1)]))]
    [(0, 1)]
    """
    n, p = X.shape
    Z = X - X.mean(axis=0)
    sd = Z.std(axis=0)
    free: list[int] = []
    out = []
    for j in range(p):
        if sd[j] <= 1e-12 * max(np.abs(X[:, j]).max(), 1e-300):
            continue
        # With nearly as many columns as rows, anything follows from anything.
        if free and 2 * len(free) < n and (tie := _explained(Z, sd, free, j)) is not None:
            out.append(tie)
        else:
            free.append(j)
    return out


def _explained(Z: np.ndarray, sd: np.ndarray, free: list[int], j: int) -> Combination | None:
    S, t = Z[:, free] / sd[free], Z[:, j] / sd[j]
    weights = np.linalg.lstsq(S, t, rcond=None)[0]
    r2 = 1 - float(((t - S @ weights) ** 2).mean())
    if r2 < _R2:
        return None
    few = [i for i in np.argsort(-np.abs(weights)) if abs(weights[i]) >= _WEIGHT]
    one = np.abs(S.T @ t) / len(t)
    if one.max() >= _COPY:
        few = [int(one.argmax())]
    raw = [float(weights[i] * sd[j] / sd[free[i]]) for i in few]
    return Combination(j, tuple(free[i] for i in few), tuple(raw), r2)


def tie_findings(active: pd.DataFrame) -> Iterator[Finding]:
    """Say which active columns are copies, follow from others, or are parts of a whole."""
    table = active.iloc[:, :_COLUMNS].dropna().iloc[:_ROWS]
    if len(table) < 5 or table.shape[1] < 2:
        return
    X = table.to_numpy(dtype=float)
    if not np.isfinite(X).all():
        return
    for tie in combinations(X):
        column, others = table.columns[tie.column], table.columns[list(tie.others)]
        whole = _whole(X, tie)
        if whole is not None:
            parts = [*sorted(tie.others), tie.column]
            yield finding(
                "composition",
                setting=Setting("method", ("ca",)),
                names=names(table.columns[parts], _NAMED),
                total=Number(whole, 4),
            )
            continue
        one = len(others) == 1 and tie.r2 >= _COPY**2
        kind = "copied-column" if one else "collinear"
        yield finding(
            kind, column=column, setting=named("ignore", column), others=names(others, _NAMED),
            r2=Fixed(min(tie.r2, 0.999999) if not one else 1.0, 6 if tie.r2 > 0.99995 else 4),
        )  # fmt: skip


def _whole(X: np.ndarray, tie: Combination) -> float | None:
    """Return what columns sum to in every row, where they are parts of a whole."""
    if len(tie.others) < 2 or not np.allclose(tie.weights, -1.0, atol=0.05):
        return None
    parts = X[:, [*tie.others, tie.column]]
    totals = parts.sum(axis=1)
    constant = np.std(totals) <= 0.01 * abs(totals.mean())
    return float(totals.mean()) if (parts >= 0).all() and constant else None
