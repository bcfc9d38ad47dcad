"""Numbers that measure nothing: identifiers, counters, codes of categories, codes for missing."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._study.language import names
from gramian.io.doctor import vocabulary
from gramian.io.doctor.kinds import PROFILES, Content, are_inside, content_of
from gramian.io.notes import Finding, column_setting, finding

_KIND_ROLES = {
    "identifier": "ignored",
    "index": "ignored",
    "category": "group",
    "date": "supplementary",
    "design": "supplementary",
}
_MIN_ROWS = 10  # under which no column is suspected, and no odd value taken for a code
_MAX_CATEGORIES = 12  # codes of one column
_MAX_ZERO_SHARE = 0.2  # beyond it a table holds counts, whose rarest columns are 0 and 1 only
_MIN_COUNTS = 5  # columns of a table of counts that has others
_MAX_SHOWN = 6
_MAX_SEPARATE = 3  # columns of codes with a sentence each
_SERIES = re.compile(r"\d+$|(?<=[a-z])[A-Z]$|[_. -][A-Z]$")
_MIN_SERIES = 4  # columns
_MIN_CODE_ROWS = 20  # from which on 1, 2, 3 are a sign of codes
_MAX_CODE_COLUMNS = 1_000
_MAX_DESIGN_LEVELS = 8
_MIN_ROWS_PER_LEVEL = 3
_MAX_GROUPS = 30  # levels of a group
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
    if called and distinct > min(_MAX_GROUPS, 0.5 * len(values)):
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
    years = len(np.unique(values)) if part and part[1] > 60 else 0  # several rows each
    if part is not None and (not years or 2 < years <= len(values) // _MIN_ROWS_PER_LEVEL):
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
    # The name of a column of a series such as sp1, sp2 or SpA, SpB says nothing of what it holds.
    stems = [_SERIES.sub("", str(c)) for c in numbers.columns]
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
    members = _members(numbers.columns, X, kinds)
    kinds = {c: kind for c, kind in kinds.items() if kind == "index" or c not in members}
    numbering = [c for c, kind in kinds.items() if kind == "index"]
    if len(numbering) > max(2, numbers.shape[1] // 2):  # rows are ranked, column by column
        kinds = {c: kind for c, kind in kinds.items() if kind != "index"}
    rest = numbers.loc[:, [c not in kinds for c in numbers.columns]]
    content = content_of(rest, row_names=row_names, grouped=grouped, genes=genes, asked=asked)
    coded = content.kind in ("measurements", "codes") and not content.categories
    if coded and len(X) >= _MIN_ROWS and rest.size:
        kinds |= _coded(numbers, X, kinds, sizes)
    if content.kind in PROFILES:  # in a table of species every column is one
        kinds = {
            c: k for c, k in kinds.items() if k != "category" or vocabulary.is_category(str(c))
        }
    findings = _role_findings(kinds, numbers)
    roles = {c: _KIND_ROLES[kind] for c, kind in kinds.items()}
    roles |= dict.fromkeys([*content.aside, *content.totals], "supplementary")
    roles |= dict.fromkeys(content.categories, "group")
    return Roles(roles, findings, content)


def _members(names: pd.Index, X: np.ndarray, kinds: dict[Hashable, str]) -> set[Hashable]:
    """Return the columns that hold counts, or 0 and 1, as those on both sides do, by any name."""
    some, zeros = np.array([c in kinds for c in names]), (X == 0).mean(axis=0)
    counts = ((X >= 0) & (np.floor(X) == X)).all(axis=0) & (zeros > 0)
    others = counts & ~some
    few = others.sum() < max(_MIN_COUNTS, 0.6 * (~some).sum())
    if few or np.median(zeros[~some]) < _MAX_ZERO_SHARE:
        return set()
    alike = X.max(axis=0) <= X[:, others].max()
    return set(names[some & counts & alike & are_inside(others)])


def _coded(
    numbers: pd.DataFrame, X: np.ndarray, kinds: dict[Hashable, str], series: Counter[str]
) -> dict[Hashable, str]:
    """Return the columns of two whole numbers, of 1, 2, … k, or of values as frequent as others."""
    # Counts begin at 0 and scales are called so: what is numbered from 1 on is a design, or names.
    # Nothing that was measured takes each of its values equally often.
    with np.errstate(all="ignore"):
        low, high = np.fmin.reduce(X), np.fmax.reduce(X)
        whole = (np.isnan(X) | (np.floor(X) == X)).all(axis=0) & np.isfinite(high - low)
        first, last = (low == X).sum(axis=0), (high == X).sum(axis=0)
    two = whole & (low < high) & (first + last == (~np.isnan(X)).sum(axis=0))
    free = np.array([c not in kinds for c in numbers.columns])
    several = (~two).sum() > 1 and np.median((X[:, ~two] == 0).mean(axis=0)) <= _MAX_ZERO_SHARE
    long = len(X) >= _MIN_CODE_ROWS and 2 <= free.sum() <= _MAX_CODE_COLUMNS
    mixed = whole[free].mean() <= 1 - _MIN_DECIMAL_SHARE
    equal = (first == last) & (first >= _MIN_ROWS_PER_LEVEL) & long
    out: dict[Hashable, str] = {}
    for j in np.flatnonzero(free & (two | equal | (whole & mixed & long))).tolist():
        column = numbers.columns[j]
        values, counts = np.unique(X[:, j][np.isfinite(X[:, j])], return_counts=True)
        levels, words = len(values), {*vocabulary.words_of(str(column))} - {"dose"}
        measured = bool(words & vocabulary.MEASURE_WORDS)
        steps = np.array_equal(values, np.arange(1.0, levels + 1)) and len(X) >= 4 * levels
        steps &= 3 <= levels <= _MAX_DESIGN_LEVELS and not measured and free.sum() > 2
        steps &= bool(whole[j]) and mixed and not vocabulary.is_ordinal(str(column))
        balanced = equal[j] and np.ptp(counts) == 0 and (levels > 3 or (mixed and levels > 1))
        alone = not whole[j] or series[_SERIES.sub("", str(column))] < _MIN_SERIES
        if (two[j] and several) or (alone and (steps or balanced)):
            coded = "category" if levels <= _MAX_GROUPS else "identifier"
            out[column] = "design" if not whole[j] or (measured and levels > 2) else coded
    return out if len(out) < free.sum() else {}


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
