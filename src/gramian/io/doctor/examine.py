"""All findings of a table: those of its reading, and those of its columns taken together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gramian._core.types import TableLike
from gramian._study.language import Fixed, Number, Setting, as_written, names
from gramian.io.doctor.kinds import perhaps_counts
from gramian.io.doctor.vocabulary import is_ordinal
from gramian.io.notes import Finding, column_setting, finding
from gramian.io.reader import as_source
from gramian.io.source import Source

if TYPE_CHECKING:
    from gramian.datasets import Dataset

_MIN_CODE_ROWS = 30  # from which on three values are a sign of codes
_MAX_CODE_COLUMNS = 1_000
_MIN_TYPED_ROWS = 15
_TYPED_DEVIATIONS = 5.0  # of the logarithms of the others
_MIN_GROUP = 5  # rows of a group, of which one has a typing error
_TYPED_GAP = 2.0  # times that a value with a lost point is larger than the next
_MIN_R2 = 0.9999
_COPY_CORRELATION = 1 - 1e-10  # which only rounding keeps from 1
_MAX_COLUMNS, _MAX_ROWS = 300, 3_000  # in which collinear columns are sought
_MAX_NAMES = 6
_MIN_WEIGHT = 0.05  # in deviations: less of a column is not named


def examine(
    data: str | Path | IO[Any] | TableLike | Dataset | Source, **read_options: Any
) -> tuple[Finding, ...]:
    """Return possible faults of a table, each with what was done and the option that changes it.

    Parameters
    ----------
    data : path, open file, data frame, array, Dataset or Source
        The table to examine.
    **read_options
        Options of `read`; what they specify is not reported.

    Returns
    -------
    tuple of Finding
        Each with `kind`, `column`, `text`, `remedy` and `default`; empty for a clean table.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"x": [1.5, 2.0, 4.5, 3.0, 2.5], "y": [3.5, 1.0, 2.5, 4.0, 6.5]})
    >>> frame["dose"] = ["5 mg", "7 mg", "ND", "2 mg", "9 mg"]
    >>> for found in examine(frame):
    ...     print(found.kind, found.column, found.default)
    units dose number
    missing-code dose missing
    missing None kept
    """
    source = as_source(data, **read_options)
    found = [note for note in source.warnings if isinstance(note, Finding)]
    if source.table is not None:
        found += _table_findings(source)
    return tuple(found)


def _table_findings(source: Source) -> Iterator[Finding]:
    """Return the findings that take several columns to see."""
    active = source.active()
    if not active.shape[1]:
        return
    is_whole = source.content == "composition"
    for found in _collinear_findings(active):
        if not (is_whole and found.kind in ("composition", "collinear")):
            yield found
    known = source.content in ("measurements", "scores", "composition", "codes")
    if known and source.table is not None:
        yield from _typing_findings(active, source.groups(), source.table)
    if source.content == "measurements":
        yield from _code_findings(active)
        if not source.columns("group"):  # whose rows are individuals
            yield from perhaps_counts(active)


def _code_findings(active: pd.DataFrame) -> Iterator[Finding]:
    """Ask about a single column of 1 to 3 or 4 beside others that are no scales."""
    X = active.to_numpy(dtype=float)
    if len(X) < _MIN_CODE_ROWS or not 2 <= X.shape[1] <= _MAX_CODE_COLUMNS:
        return
    levels = [np.unique(x[np.isfinite(x)]) for x in X.T]
    few = [j for j, values in enumerate(levels) if len(values) <= 7]
    if len(few) != 1:
        return
    codes, column = levels[few[0]].tolist(), active.columns[few[0]]
    if codes in ([1, 2, 3], [1, 2, 3, 4]) and not is_ordinal(str(column)):
        cells, setting = ", ".join(f"{c:g}" for c in codes), column_setting("as_category", column)
        yield finding("category", "category.perhaps", column=column, cells=cells, setting=setting)


def _typing_findings(
    active: pd.DataFrame, groups: pd.DataFrame, everything: pd.DataFrame
) -> Iterator[Finding]:
    """Ask about a value that is ten or a hundred times too large: a lost decimal point."""
    if len(active) < _MIN_TYPED_ROWS or active.shape[1] > _MAX_CODE_COLUMNS:
        return
    groups = groups.loc[:, 2 * _MIN_GROUP * groups.nunique() <= len(groups)]
    for column in active.columns:
        x = active[column].dropna()
        if len(x) < _MIN_TYPED_ROWS or not np.isfinite(x).all() or (x <= 0).any():
            continue
        *_, second, last = np.sort(x.to_numpy())
        row, rest = x.index[int(x.argmax())], x[x < last]
        if len(rest) != len(x) - 1 or last < _TYPED_GAP * second:
            continue
        # Beside all others, or beside those of its group, which vary less than all.
        near = [rest, *(rest[(groups[g] == groups[g][row])[rest.index]] for g in groups)]
        factor = next(filter(None, (_lost_factor(last, each) for each in near)), None)
        if factor is not None:
            others = everything.drop(columns=column).apply(pd.to_numeric, errors="coerce")
            elsewhere = (others == last).any(axis=None)
            code = f"{column}={last:.10g}" if elsewhere else f"{last:.10g}"
            sizes = {"value": last, "second": second, "other": last / factor}
            values: dict[str, Any] = {key: as_written(x) for key, x in sizes.items()}
            values |= {"row": str(row), "setting": Setting("na_values", ([code],))}
            yield finding("typing-error", "typing_error", column=column, **values)


def _lost_factor(last: float, rest: pd.Series) -> int | None:
    """Return how many times too large a value is, if the others show that it is."""
    low, middle, high = np.quantile(rest, (0.02, 0.5, 0.98)) if len(rest) else (0.0, 0.0, 0.0)
    if len(rest) < _MIN_GROUP or rest.max() > _TYPED_GAP * high:
        return None
    logs = np.log(rest)
    # The others have no long tail, in logarithms neither, and the value belongs to none.
    mean, sd = logs.mean(), logs.std(ddof=0)
    clear = np.log(last) - mean >= _TYPED_DEVIATIONS * sd
    scale = max(high / middle, middle / low)
    low, high = min(low, np.exp(mean - 2 * sd)), max(high, np.exp(mean + 2 * sd))
    factor = next((f for f in (10, 100, 1000) if low <= last / f <= high), None)
    return factor if clear and factor is not None and scale**2 < factor else None


@dataclass(frozen=True)
class Combination:
    """A column that follows from others: c ≈ Σ b_j x_j + a."""

    column: int
    others: tuple[int, ...]
    weights: tuple[float, ...]
    r2: float


def combinations(X: np.ndarray) -> list[Combination]:
    """Return the columns that those before them explain (R² of 0.9999 or more)."""
    n, p = X.shape
    Z = X - X.mean(axis=0)
    sd = Z.std(axis=0)
    free: list[int] = []
    out = []
    for j in range(p):
        if sd[j] <= 1e-12 * max(np.abs(X[:, j]).max(), 1e-300):
            continue
        # With nearly as many columns as rows, anything follows from anything.
        collinear = _combination(Z, sd, free, j) if free and 2 * len(free) < n else None
        if collinear is not None:
            out.append(collinear)
        else:
            free.append(j)
    return out


def _combination(Z: np.ndarray, sd: np.ndarray, free: list[int], j: int) -> Combination | None:
    """Return column j as a combination of others, if they explain it."""
    S, t = Z[:, free] / sd[free], Z[:, j] / sd[j]
    weights = np.linalg.lstsq(S, t, rcond=None)[0]
    r2 = 1 - float(((t - S @ weights) ** 2).mean())
    if r2 < _MIN_R2:
        return None
    few = [i for i in np.argsort(-np.abs(weights)) if abs(weights[i]) >= _MIN_WEIGHT]
    one = np.abs(S.T @ t) / len(t)
    if one.max() >= _COPY_CORRELATION:
        few = [int(one.argmax())]
    raw = [float(weights[i] * sd[j] / sd[free[i]]) for i in few]
    return Combination(j, tuple(free[i] for i in few), tuple(raw), r2)


def _collinear_findings(active: pd.DataFrame) -> Iterator[Finding]:
    """Report active columns that are copies, follow from others, or are parts of a whole."""
    table = active.iloc[:, :_MAX_COLUMNS].dropna().iloc[:_MAX_ROWS]
    X = table.to_numpy(dtype=float)
    if len(table) < 5 or table.shape[1] < 2 or not np.isfinite(X).all():
        return
    for found in combinations(X):
        column, others = table.columns[found.column], table.columns[list(found.others)]
        total = _constant_total(X, found)
        if total is not None:
            parts = names(table.columns[[*sorted(found.others), found.column]], _MAX_NAMES)
            method = Setting("method", ("ca",))
            yield finding("composition", setting=method, names=parts, total=Number(total, 4))
            continue
        is_copy = len(others) == 1 and found.r2 >= _COPY_CORRELATION**2
        r2 = 1.0 if is_copy else min(found.r2, 0.999999)
        yield finding(
            "copied-column" if is_copy else "collinear",
            column=column,
            setting=column_setting("ignore", column),
            others=names(others, _MAX_NAMES),
            r2=Fixed(r2, 6 if found.r2 > 0.99995 else 4),
        )


def _constant_total(X: np.ndarray, found: Combination) -> float | None:
    """Return what columns sum to in every row, where they are parts of a whole."""
    if len(found.others) < 2 or not np.allclose(found.weights, -1.0, atol=0.05):
        return None
    parts = X[:, [*found.others, found.column]]
    totals = parts.sum(axis=1)
    constant = np.std(totals) <= 0.01 * abs(totals.mean())
    return float(totals.mean()) if (parts >= 0).all() and constant else None
