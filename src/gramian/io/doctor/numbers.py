"""Numbers that measure nothing: identifiers, counters, codes of categories, codes for missing."""

from collections import Counter
from collections.abc import Hashable, Iterable

import numpy as np
import pandas as pd

from gramian.io.doctor import vocabulary
from gramian.io.doctor.profiles import is_wide_counts
from gramian.io.notes import Finding, column_setting, finding

_KIND_ROLES = {
    "identifier": "ignored",
    "index": "ignored",
    "category": "group",
    "date": "supplementary",
}
_MIN_ROWS = 10  # under which no column is suspected, and no odd value taken for a code
_MAX_CATEGORIES = 12  # codes of one column
_MAX_ZERO_SHARE = 0.2  # beyond it a table holds counts, whose rarest columns are 0 and 1 only
_MAX_SHOWN = 6
_MIN_SERIES = 4  # columns
# Codes for missing: nines, eights and sevens, and what libraries of the climate write.
_NEGATIVE_CODES = {-9.0, -77.0, -88.0, -99.0, -777.0, -888.0, -999.0, -7777.0, -8888.0, -9999.0}
_NEGATIVE_CODES |= {-99999.0, -999999.0, -99.9, -999.9, -999.99, -9999.9}
_POSITIVE_CODES = {99.0, 999.0, 9999.0, 99999.0, 999999.0, 99.9, 999.9, 9999.9}
_POSITIVE_CODES |= {1e20, 1e30, 9.969209968386869e36}
_ANSWER_CODES = {8.0, 9.0}  # of questionnaires, beside answers from 1 on
_CODES = np.array([*_NEGATIVE_CODES, *_POSITIVE_CODES, *_ANSWER_CODES])
_MIN_HUGE = 1e20  # beyond all measure; an infinite value may hide a code below it


def number_kind(name: str, values: np.ndarray) -> str | None:
    """Return "identifier", "index", "category" or "date" for numbers that measure nothing.

    Values that are not missing come in the order of the rows.
    """
    if len(values) < _MIN_ROWS or not _are_whole(values):
        return None
    distinct = len(np.unique(values))
    called = vocabulary.is_identifier(name) or vocabulary.is_counter(name)
    if distinct < 2:
        return None
    if vocabulary.is_postal(name):
        return "identifier"
    if called and (distinct > _MAX_CATEGORIES or distinct > 0.5 * len(values)):
        # Values go up by one from row to row, but for a few fresh starts.
        return "index" if (np.diff(values) == 1).mean() >= 0.8 else "identifier"
    if _counts_rows(name, values):
        return "index"
    if is_date_part(name, values):
        return "date"
    return "category" if called or is_category_code(name, values) else None


def is_category_code(name: str, values: np.ndarray) -> bool:
    """Whether whole numbers are codes, by the name of the column."""
    if not len(values) or not _are_whole(values) or not vocabulary.is_category(name):
        return False
    return 2 <= len(np.unique(values)) <= min(_MAX_CATEGORIES, max(2, len(values) // 2))


def is_date_part(name: str, values: np.ndarray) -> bool:
    """Whether whole numbers are parts of dates, or dates written as 20240131."""
    part = vocabulary.calendar_part(name)
    if part is not None:
        return bool(values.min() >= part[0] and values.max() <= part[1])
    day, month = values % 100, values // 100 % 100
    if not ((values >= 18000101) & (values <= 21001231)).all():
        return "date" in vocabulary.words_of(name)
    return bool(((day >= 1) & (day <= 31) & (month >= 1) & (month <= 12)).all())


def _are_whole(values: np.ndarray) -> bool:
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all())


def _counts_rows(name: str, values: np.ndarray) -> bool:
    """Whether values are 1, 2, 3, … n, in a column that is not called time or rank."""
    words = set(vocabulary.words_of(name))
    if values[0] not in (0.0, 1.0) or name == "x" or words & vocabulary.MEASURE_WORDS:
        return False
    return bool((np.diff(values) == 1).all())


def number_roles(numbers: pd.DataFrame) -> tuple[dict[Hashable, str], list[Finding]]:
    """Return the columns that should not make axes, each with its role and a finding."""
    X = numbers.to_numpy(dtype=float, na_value=np.nan)
    if not X.size:
        return {}, []
    with np.errstate(invalid="ignore"):
        whole = (np.isnan(X) | (np.floor(X) == X)).all(axis=0)
    kinds: dict[Hashable, str] = {}
    # The name of a column of a series such as sp1, sp2, sp3 says nothing of what it holds.
    stems = [str(c).rstrip("0123456789") for c in numbers.columns]
    sizes = Counter(stems)
    for j in np.flatnonzero(whole).tolist():
        column, values = numbers.columns[j], X[:, j][np.isfinite(X[:, j])]
        kind = number_kind(str(column), values)
        if kind is None and is_category_code(str(column), values):
            kind = "category"
        is_series = sizes[stems[j]] >= _MIN_SERIES and kind in ("category", "identifier")
        if kind is not None and not is_series:
            kinds[column] = kind
    kinds |= dict.fromkeys(_binary_columns(numbers, X, whole, kinds), "category")
    findings = [
        _role_finding(c, kind, numbers[c].dropna().to_numpy(dtype=float))
        for c, kind in kinds.items()
    ]
    return {c: _KIND_ROLES[kind] for c, kind in kinds.items()}, findings


def _binary_columns(
    numbers: pd.DataFrame, X: np.ndarray, whole: np.ndarray, kinds: dict[Hashable, str]
) -> list[Hashable]:
    """Return the columns of two whole numbers beside others that are quantities."""
    if len(X) < _MIN_ROWS or is_wide_counts(X):
        return []
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    two = whole & np.isfinite(high - low) & (low < high)
    two &= (np.isnan(X) | (low == X) | (high == X)).all(axis=0)
    rest = [j for j, c in enumerate(numbers.columns) if not two[j] and c not in kinds]
    if len(rest) < 2 or np.median((X[:, rest] == 0).mean(axis=0)) > _MAX_ZERO_SHARE:
        return []
    return [c for j, c in enumerate(numbers.columns) if two[j] and c not in kinds]


def _role_finding(column: Hashable, kind: str, values: np.ndarray) -> Finding:
    levels = np.unique(values)
    shown = {"category": levels[:_MAX_SHOWN], "identifier": values[:3]}
    cells = [f"{v:.10g}" for v in shown.get(kind, values[:_MAX_SHOWN])]
    if kind == "category" and len(levels) > _MAX_SHOWN:
        cells.append("…")
    return finding(
        kind,
        "date.part" if kind == "date" else "",
        column=column,
        setting=column_setting("as_number", column),
        default=_KIND_ROLES[kind],
        cells=", ".join(cells),
        count=len(levels),
    )


def columns_with_codes(frame: pd.DataFrame) -> list[Hashable]:
    """Return the columns whose least or greatest number may be a code, many columns at once."""
    numbers = frame.select_dtypes("number")
    if not len(frame) or not numbers.shape[1]:
        return []
    low, high = _extremes(numbers, "min"), _extremes(numbers, "max")
    suspect = np.isin(low, _CODES) | np.isin(high, _CODES) | (high >= _MIN_HUGE)
    return [c for c, is_suspect in zip(numbers.columns, suspect, strict=True) if is_suspect]


def _extremes(numbers: pd.DataFrame, which: str) -> np.ndarray:
    """Return the least or the greatest number of each column.

    Columns of Arrow one by one: pandas has no row of long integers and doubles of them.
    """
    plain = all(isinstance(kind, np.dtype) for kind in numbers.dtypes)
    ends = getattr(numbers, which)() if plain else numbers.apply(getattr(pd.Series, which))
    return np.asarray(ends.to_numpy(dtype=float, na_value=np.nan))


def without_codes(
    column: pd.Series, known: np.ndarray | None = None
) -> tuple[pd.Series, list[Finding]]:
    """Return a column without codes for missing; what other rows are known to hold is none."""
    known = np.empty(0) if known is None else known
    findings: list[Finding] = []
    for _ in range(2):  # -99 and -88 may stand together
        values = np.asarray(column.to_numpy(dtype=float, na_value=np.nan), dtype=float)
        code = code_for_missing(str(column.name), np.r_[known, values[np.isfinite(values)]])
        if code is None or code in known:
            break
        column = column.astype(float).mask(values == code)
        setting, count = column_setting("as_number", column.name), int((values == code).sum())
        findings.append(
            finding(
                "missing-code", column=column.name, setting=setting, default="missing",
                n=count, code=f"{code:.10g}",
            )
        )  # fmt: skip
    return column, findings


def mend_new_rows(
    frame: pd.DataFrame, known: pd.DataFrame, as_number: Iterable[object] = ()
) -> tuple[pd.DataFrame, list[Finding]]:
    """Return new rows without codes for missing, which those of a fit tell from true values."""
    findings: list[Finding] = []
    frame = frame.copy(deep=False)
    quantities = set(map(str, as_number))
    for column in columns_with_codes(frame[[c for c in known if c in frame]]):
        if str(column) not in quantities:
            frame[column], found = without_codes(frame[column], known[column].to_numpy())
            findings += found
    return frame, findings


def code_for_missing(name: str, values: np.ndarray) -> float | None:
    """Return a number that stands for missing: far from all others, and made of nines or eights."""
    if len(values) < _MIN_ROWS:
        return None
    for code in (float(values.min()), float(values.max())):
        rest = values[values != code]
        if len(rest) and _is_code(code, rest, name, len(values) - len(rest)):
            return code
    return None


def _is_code(code: float, rest: np.ndarray, name: str, count: int) -> bool:
    low, high = float(rest.min()), float(rest.max())
    span = high - low
    if code in _NEGATIVE_CODES:
        clear = count > 1 or low - code > 0.5 * span
        return (low >= 0 and clear) or (code < -50 and low - code > 3 * span)
    if code in _POSITIVE_CODES:
        far = code - high > max(span, 0.5 * abs(high), 1.0)
        return far and (count > 1 or code > 900)  # a count may well be 99 once
    if count < 2 or code not in _ANSWER_CODES or not _are_whole(rest) or low < 0 or high > 4:
        return False
    return len(np.unique(rest)) <= (4 if vocabulary.is_category(name) else 2)
