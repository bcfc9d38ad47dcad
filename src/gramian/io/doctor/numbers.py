"""Numbers that measure nothing: identifiers, counters, codes of categories, codes for missing."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._study.language import names
from gramian.io.doctor import vocabulary
from gramian.io.doctor.kinds import PROFILES, Content, content_of
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
_MAX_SEPARATE = 3  # columns of codes with a sentence each
_MIN_SERIES = 4  # columns
_MIN_CODE_ROWS = 20  # from which on 1, 2, 3 are a sign of codes
_MAX_CODE_COLUMNS = 1_000
_MAX_DESIGN_LEVELS = 8
_MIN_DECIMAL_SHARE = 0.5  # of the columns, beside which whole numbers stand out
_MIN_RECORDS = 20  # rows, from which on whole numbers without gaps number them in any order
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
    if _counts_rows(name, values):  # 1, 2, 3, 1, 2, 3, … number the levels of a design
        turns = distinct <= _MAX_CATEGORIES and distinct <= len(values) // 2
        return "category" if turns else "index"
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
    """Whether values number the rows, in a column that is not called time or rank."""
    # 1, 2, 3, … n; any run of whole numbers without a gap, in any order; 1, 2, … again and again.
    words = set(vocabulary.words_of(name))
    if name == "x" or words & vocabulary.MEASURE_WORDS:
        return False
    steps = np.diff(values)
    if values[0] in (0.0, 1.0) and (steps == 1).all():
        return True
    if len(values) < _MIN_RECORDS:
        return False
    low, high = values.min(), values.max()
    if high - low == len(values) - 1 and len(np.unique(values)) == len(values):
        return True
    scales = (vocabulary.is_environment, vocabulary.is_ordinal, vocabulary.is_value)
    if (np.sign(steps) == np.sign(steps[0])).all() and not any(is_it(name) for is_it in scales):
        # Up or down without a repeat, in small and irregular steps, as tubes are numbered.
        return bool(values.min() > 0 and 1 < np.abs(steps).mean() <= 10 and np.ptp(steps) > 0)
    again = values[1:][steps != 1]
    return bool((steps == 1).mean() >= 0.9 and (again == values[0]).all() and values[0] <= 1)


@dataclass(frozen=True)
class Roles:
    """What columns of numbers are for, why, and the kind of table that they make."""

    roles: dict[Hashable, str] = field(default_factory=dict)  # of columns that are not active
    findings: list[Finding] = field(default_factory=list)
    content: Content = field(default_factory=Content)


def number_roles(
    numbers: pd.DataFrame,
    *,
    row_names: Sequence[str] | None = None,
    grouped: int = 0,
    genes: bool = False,
    asked: str = "",
) -> Roles:
    """Return the columns that should not make axes, each with its role and a finding."""
    X = numbers.to_numpy(dtype=float, na_value=np.nan)
    if not X.size:
        return Roles(content=Content(asked or "measurements"))
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
        if kind in ("category", "identifier") and sizes[stems[j]] >= _MIN_SERIES:
            continue
        if kind is not None:
            kinds[column] = kind
    numbering = [c for c, kind in kinds.items() if kind == "index"]
    if len(numbering) > max(2, numbers.shape[1] // 2):  # rows are ranked, column by column
        kinds = {c: kind for c, kind in kinds.items() if kind != "index"}
    rest = numbers.loc[:, [c not in kinds for c in numbers.columns]]
    content = content_of(rest, row_names=row_names, grouped=grouped, genes=genes, asked=asked)
    if content.kind in ("measurements", "codes"):
        binary = [] if content.categories else _binary_columns(numbers, X, kinds)
        codes = [] if content.categories else _design_codes(rest)
        codes = [c for c in codes if sizes[str(c).rstrip("0123456789")] < _MIN_SERIES]
        kinds |= dict.fromkeys([*binary, *codes], "category")
    if content.kind in PROFILES:  # in a table of species every column is one
        kinds = {
            c: k for c, k in kinds.items() if k != "category" or vocabulary.is_category(str(c))
        }
    findings = _role_findings(kinds, numbers)
    roles = {c: _KIND_ROLES[kind] for c, kind in kinds.items()}
    roles |= dict.fromkeys([*content.aside, *content.totals], "supplementary")
    roles |= dict.fromkeys(content.categories, "group")
    return Roles(roles, findings, content)


def _binary_columns(
    numbers: pd.DataFrame, X: np.ndarray, kinds: dict[Hashable, str]
) -> list[Hashable]:
    """Return the columns of two whole numbers beside others that are quantities."""
    if len(X) < _MIN_ROWS:
        return []
    with np.errstate(all="ignore"):
        low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
        two = np.isfinite(high - low) & (low < high) & (low % 1 == 0) & (high % 1 == 0)
        two &= (np.isnan(X) | (low == X) | (high == X)).all(axis=0)
    rest = [j for j, c in enumerate(numbers.columns) if not two[j] and c not in kinds]
    if len(rest) < 2 or np.median((X[:, rest] == 0).mean(axis=0)) > _MAX_ZERO_SHARE:
        return []
    return [c for j, c in enumerate(numbers.columns) if two[j] and c not in kinds]


def _design_codes(numbers: pd.DataFrame) -> list[Hashable]:
    """Return the columns of 1, 2, … k, or of few values that as many rows have, beside decimals."""
    # Counts begin at 0 and scales are called so: what is numbered from 1 on is a design, or names.
    # Nothing that was measured takes each of its values equally often.
    if len(numbers) < _MIN_CODE_ROWS or not 3 <= numbers.shape[1] <= _MAX_CODE_COLUMNS:
        return []
    X = numbers.to_numpy(dtype=float, na_value=np.nan)
    with np.errstate(invalid="ignore"):
        decimals = ((np.isfinite(X)) & (np.floor(X) != X)).any(axis=0)
    if decimals.mean() < _MIN_DECIMAL_SHARE:
        return []
    out: list[Hashable] = []
    for j in np.flatnonzero(~decimals).tolist():
        column = numbers.columns[j]
        values, counts = np.unique(X[:, j][np.isfinite(X[:, j])], return_counts=True)
        steps = np.array_equal(values, np.arange(1.0, len(values) + 1)) or np.ptp(counts) == 0
        few = 3 <= len(values) <= _MAX_DESIGN_LEVELS and len(numbers) >= 4 * len(values)
        words = set(vocabulary.words_of(str(column)))
        scale = vocabulary.is_ordinal(str(column)) or words & (vocabulary.MEASURE_WORDS - {"dose"})
        if steps and few and not scale:
            out.append(column)
    return out


def _role_findings(kinds: dict[Hashable, str], numbers: pd.DataFrame) -> list[Finding]:
    """Return one finding a column; many columns of codes share one."""
    codes = [c for c, kind in kinds.items() if kind == "category"]
    out, single = [], kinds
    if len(codes) > _MAX_SEPARATE:
        single = {c: kind for c, kind in kinds.items() if kind != "category"}
        setting, listed = column_setting("as_number", *codes[:1]), names(codes, 5)
        out.append(
            finding("category", "category.several", setting=setting, default="group",
                    count=len(codes), names=listed)
        )  # fmt: skip
    return out + [
        _role_finding(c, kind, numbers[c].dropna().to_numpy(dtype=float))
        for c, kind in single.items()
    ]


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
    if all(isinstance(kind, np.dtype) for kind in numbers.dtypes):
        ends = numbers.min(), numbers.max()
    else:  # columns of Arrow one by one: pandas has no row of long integers and doubles of them
        ends = numbers.apply(pd.Series.min), numbers.apply(pd.Series.max)
    low, high = (end.to_numpy(dtype=float, na_value=np.nan) for end in ends)
    suspect = np.isin(low, _CODES) | np.isin(high, _CODES) | (high >= _MIN_HUGE)
    return [c for c, is_suspect in zip(numbers.columns, suspect, strict=True) if is_suspect]


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
        said: dict[str, Any] = {"column": column.name, "n": count, "code": f"{code:.10g}"}
        findings.append(finding("missing-code", setting=setting, default="missing", **said))
    return column, findings


def mend_new_rows(
    frame: pd.DataFrame, known: pd.DataFrame, as_number: Iterable[object] = ()
) -> tuple[pd.DataFrame, list[Finding]]:
    """Return new rows without codes for missing, which those of a fit tell from true values."""
    findings: list[Finding] = []
    frame, quantities = frame.copy(deep=False), set(map(str, as_number))
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
