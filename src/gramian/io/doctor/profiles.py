"""Tables whose rows are profiles: parts of a whole, contingency tables, abundances, counts."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from gramian._study.language import Count, Number, Setting, Share, names
from gramian.io.doctor.vocabulary import is_measure
from gramian.io.notes import Finding, finding

_MIN_PARTS = 3  # columns of a composition, and of a table of counts
_MIN_SPECIES = 5  # columns of a table of abundances
_MIN_ZERO_SHARE = 0.2
_MIN_SPREAD = 0.5  # sd / mean of a column of counts; measures that are whole numbers spread less
_MAX_MEAN_RATIO = 50.0  # times that the largest column may be larger on average than the smallest
_MAX_CONTINGENCY_ROWS = 200  # rows of a contingency table
_MIN_GENES = 100  # columns of a table of reads, more than it has rows
_MAX_ANSWERS = 10  # of answers to a question: a table of them holds no counts
_MAX_GRADE = 20.0  # that a grade or an answer may reach
_MIN_RANGE = 5.0  # of a column of codes
_MAX_SIZE_RATIO = 30.0  # times that a column in the same unit may be larger on average than another
_MIN_DISPERSION = 0.25  # variance / mean of a column; that of counts is 1 or more, but for chance
_YEAR_RANGE = (1800.0, 2100.0)
_PCA = Setting("method", ("pca",))
_CA = Setting("method", ("ca",))


def profile_kind(X: np.ndarray, named: bool) -> str | None:
    """Return "composition", "contingency", "abundances", "reads", "counts", "wide" or None.

    "wide" are counts that are known as such by their rows, of a table wider than it is long. Rows
    may be `named`, as the categories of a contingency table are.
    """
    X = X[~np.isnan(X).any(axis=1)]
    n, p = X.shape
    if n < 3 or p < _MIN_PARTS or not np.isfinite(X).all() or (X < 0).any() or not X.any():
        return None
    if _common_total(X) is not None:
        return "composition"
    zeros, whole = float((X == 0).mean()), bool((np.floor(X) == X).all())
    if zeros < _MIN_ZERO_SHARE and is_wide_counts(X):
        return "reads"
    if p >= _MIN_SPECIES and zeros >= _MIN_ZERO_SHARE and (X == 0).any(axis=0).mean() >= 0.5:
        return None if np.isin(X, (0.0, 1.0)).all() else "abundances"
    if not whole or len(np.unique(X)) <= _MAX_ANSWERS:
        return None
    if not _spread_as_counts(X):
        return "wide" if p > n and p >= _MIN_GENES and _spread_as_counts(X.T) else None
    return "contingency" if named and n <= _MAX_CONTINGENCY_ROWS else "counts"


def is_wide_counts(X: np.ndarray) -> bool:
    """Whether a table counts many more things than it has rows, as reads of genes do.

    Its columns are whole numbers of very different sizes.
    """
    n, p = X.shape
    if p < _MIN_GENES or p <= n or not np.isfinite(X).all() or (X < 0).any() or (X % 1).any():
        return False
    means = np.quantile(X.mean(axis=0), (0.05, 0.95))
    return bool(
        means[1] > _MAX_MEAN_RATIO * means[0]
        or (means[1] > _MAX_ANSWERS and (X == 0).mean() >= _MIN_ZERO_SHARE)
    )


def _common_total(X: np.ndarray) -> float | None:
    """Return what all rows sum to: 1, 100 or another constant."""
    totals = X.sum(axis=1)
    mean = float(totals.mean())
    near = np.abs(totals - mean) <= 0.011 * mean
    known = min(abs(mean - 1), abs(mean - 100) / 100, abs(mean - 1e6) / 1e6) < 0.005
    exact = bool((np.abs(totals - mean) <= 1e-9 * mean).all())
    varies = bool((X.std(axis=0) > 0).sum() >= _MIN_PARTS - 1)
    return mean if varies and (exact or (known and near.mean() >= 0.95)) else None


def _spread_as_counts(X: np.ndarray) -> bool:
    """Whether columns of whole numbers spread as counts of one kind do."""
    means = X.mean(axis=0)
    if means.min() <= 0 or means.max() > _MAX_MEAN_RATIO * means.min():
        return False
    return bool(np.median(X.std(axis=0) / means) >= _MIN_SPREAD and X.min() <= 0.2 * X.mean())


def profile_findings(active: pd.DataFrame, named: bool) -> Iterator[Finding]:
    """Say that rows are profiles, and which of them are empty."""
    X = active.to_numpy(dtype=float)
    kind = profile_kind(X, named)
    if kind is None:
        return
    if kind == "composition":
        total = Number(_common_total(X[~np.isnan(X).any(axis=1)]) or 1.0, 4)
        yield finding("composition", setting=_CA, names=names(active.columns, 5), total=total)
        return
    n, p = active.shape
    size: dict[str, Any] = {"rows": Count("line", n), "columns": Count("column", p)}
    if kind == "counts":
        varying = int((np.nanmin(X, axis=0) < np.nanmax(X, axis=0)).sum())
        yield finding("counts", setting=_CA, columns=Count("active", varying))
        return
    if kind == "wide":
        yield finding("counts", "counts.wide", setting=_CA, **size)
        return
    if kind == "reads":
        totals = np.nansum(X, axis=1)
        least, most = Number(float(totals.min()), 4), Number(float(totals.max()), 4)
        yield finding("counts", "counts.reads", setting=_CA, least=least, most=most, **size)
        return
    if kind == "contingency":
        yield finding("contingency", setting=_PCA, default="ca", **size)
    else:
        share = Share(float((X == 0).mean()))
        yield finding("counts", "abundances", setting=_PCA, default="ca", share=share)
    empty = np.flatnonzero((X == 0).all(axis=1))
    if empty.size:
        labels = names(active.index[empty], 5)
        yield finding("empty-rows", "zero_rows", setting=None, n=empty.size, names=labels)


def perhaps_counts(active: pd.DataFrame) -> Iterator[Finding]:
    """Ask whether a table that was not taken for counts holds counts all the same."""
    if may_count(active.to_numpy(dtype=float)) and not any(map(is_measure, active.columns)):
        yield finding("counts", "counts.perhaps", setting=_CA)


def may_count(X: np.ndarray) -> bool:
    """Whether whole numbers may be counts of one kind, by their sizes and how much they vary.

    Measures in different units differ in size, or vary less than counts would. Counters of rows
    and years are neither.
    """
    n, p = X.shape
    if n < 3 or p < _MIN_PARTS or not np.isfinite(X).all() or (X < 0).any() or (X % 1).any():
        return False
    means, ranges = X.mean(axis=0), np.ptp(X, axis=0)
    if (
        X.max() <= _MAX_GRADE
        or ranges.min() <= _MIN_RANGE
        or means.max() > _MAX_SIZE_RATIO * means.min()
    ):
        return False
    steps = (np.diff(X, axis=0) == 1).all(axis=0)
    first, last = _YEAR_RANGE
    years = (X.min(axis=0) >= first) & (X.max(axis=0) <= last)
    return bool((X.var(axis=0) >= _MIN_DISPERSION * means).all() and not (steps | years).any())
