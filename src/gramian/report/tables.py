"""The tables of a report: titles, columns and rows, short enough for a page to carry."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

import gramian as gm
from gramian._reading.rules import RULES, TABLE
from gramian._study.record import Study
from gramian.evidence import Directions
from gramian.plots.style import clean
from gramian.report.say import Markup, Say

_MAX_CELLS = 300_000  # numbers of a table that the page holds
Column = tuple[str, bool, int | None]
_DECIMALS = {"correlation": 3, "cos2": 3, "contribution": 2, "eta2": 3, "v_test": 2, "share": 2}
_DECIMALS |= {"link": 3, "benzecri": 2, "greenacre": 2}
_DECIMALS |= {"cumulated": 2, "angle": 1, "subspace": 1, "limit": 2}
_MAX_ROUNDED = 500  # rows; the contributions of more are too small for two decimals
_TEXT_COLUMNS = ("rule", "asks", "label", "variable", "category", "identified")


@dataclass(frozen=True)
class Table:
    """A table for the page; a column is (title, is a number, decimals or None)."""

    name: str
    title: Markup
    columns: list[Column]
    rows: list[list[Any]]
    few: int = 12  # rows shown at first
    notes: list[Markup] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return what the page's script needs."""
        return {
            "title": str(self.title.striptags()),
            "columns": [
                {"title": title, "number": number, "places": places}
                for title, number, places in self.columns
            ],
            "rows": self.rows,
            "few": self.few,
        }


def design(s: Study, say: Say) -> Table | None:
    """Return the share of the inertia of each term of the design."""
    if s.designed is None:
        return None
    names = ["label", "df", "inertia", "share", "F", "p_value"]
    lines = s.designed.lines.assign(share=100.0 * s.designed.lines["share"])[names[1:]]
    rows = [[str(name), *map(_short, row)] for name, *row in lines.itertuples(name=None)]
    return Table("design", say("tab.design"), [_column(say, k) for k in names], rows, few=20)


def rules(s: Study, say: Say) -> Table | None:
    """Return the rules for the number of axes, each with its evidence."""
    if s.choices is None:
        return None
    columns = [_column(say, k) for k in ("rule", "asks", "q", "value", "threshold", "p_value")]
    rows = []
    for name, q, *row in s.choices.itertuples(name=None):
        cells: list[Any] = [None] * 5
        if q is pd.NA:
            cells[0] = say.plain("rule.failed", text=row.pop())
        else:
            cells = [_question(str(name), q, say), *map(_short, (q, *row[:3]))]
        rows.append([_rule(str(name), say), *cells])
    return Table("rules", say("tab.rules"), columns, rows, few=20)


def _rule(name: str, say: Say) -> str:
    """Return the name of a rule, that of the option for a custom one."""
    return say.plain(f"rule.{name}.name") if RULES.get(name) in TABLE else name.replace("_", " ")


def _question(name: str, q: int, say: Say) -> str:
    """Return what a rule asks, in its own words or in neutral ones."""
    own = say.by_language(RULES[name].sentence) if name in RULES else None
    if own is None and RULES.get(name) in TABLE:
        own = say.plain(f"rule.{name}")
    return own or say.plain("rule.other", name=name.replace("_", " "), count=q)


def tables(s: Study, say: Say) -> list[Table]:
    """Return eigenvalues, rows, variables, groups and what else was measured."""
    axes = list(range(1, s.shown + 1))
    out = [_eigenvalues(s, say), _individuals(s, say, axes)]

    def add(readings: pd.DataFrame, name: str, *measures: str) -> None:
        out.append(_measures(readings, name, say, axes, measures))

    if s.has_columns:
        add(s.fit.variables(), "variables", "correlation", "cos2", "contribution")
    elements = s.fit.axis_elements()
    if elements is not None:
        name = "columns" if s.subject.method == "ca" else "levels"
        add(elements, name, "coordinate", "cos2", "contribution")
    if s.subject.placed is not None and s.subject.method != "mds":
        add(s.fit.individuals(s.subject.placed), "placed", "coordinate", "cos2")
    if s.subject.method in ("mca", "famd", "mfa"):
        add(s.fit.variables(), "links", "link", "contribution")
    if s.subject.supplementary is not None:  # for a CA these are not counts
        kind = {"kind": "numbers"} if s.subject.method == "ca" else {}
        readings = s.fit.variables(s.subject.supplementary, **kind)
        add(readings, "supplementary", "correlation", "cos2")
    if s.subject.groups is not None:
        out.append(_categories(s, say, axes))
    if s.of("row"):
        heads = [_column(say, k) for k in ("label", "limit")]
        rows = [[clean(c.subject), _short(c.effect)] for c in s.of("row")]
        out.append(Table("outliers", say("tab.outliers"), heads, rows))
    return out


def _eigenvalues(s: Study, say: Say) -> Table:
    values = np.asarray(s.fit.eigenvalues_)
    shares = (100 * s.shares, 100 * np.cumsum(s.shares))
    rows = [
        [k, *map(_short, row)] for k, row in enumerate(zip(values, *shares, strict=True), start=1)
    ]
    columns = [_column(say, k) for k in ("axis", "eigenvalue", "share", "cumulated")]
    if s.fit.is_factor_method and isinstance(
        s.fit, gm.MCA
    ):  # the inertia of indicators makes every axis look poor
        columns += [_column(say, k) for k in ("benzecri", "greenacre")]
        corrected = zip(100 * s.fit.benzecri_ratio_, 100 * s.fit.greenacre_ratio_, strict=True)
        for row, pair in zip(rows, corrected, strict=True):
            row += [_short(share) for share in pair]
    return Table("eigenvalues", say("tab.eigenvalues"), columns, rows)


def _individuals(s: Study, say: Say, axes: list[int]) -> Table:
    n, most = s.subject.n, _MAX_CELLS // (1 + 3 * s.shown)
    readings = s.fit.individuals()
    if n > most:  # those that contribute most
        total = readings["contribution", "total"].to_numpy()
        readings = readings.iloc[np.sort(np.argsort(-total, kind="stable")[:most])]
    table = _measures(readings, "individuals", say, axes, ("coordinate", "cos2", "contribution"))
    if n > most:
        table.notes.append(say("tables.cut", held=most, n=n))
    return table


def _measures(
    readings: pd.DataFrame, name: str, say: Say, axes: list[int], measures: tuple[str, ...]
) -> Table:
    """Return a table of measures by axis, the label first."""
    columns, values = _by_axis(readings, say, axes, measures)
    labels = [[clean(label)] for label in readings.index]
    return Table(name, say(f"tab.{name}"), [_column(say, "label"), *columns], _rows(labels, values))


def _categories(s: Study, say: Say, axes: list[int]) -> Table:
    readings = s.fit.categories(s.subject.groups)
    columns, values = _by_axis(readings, say, axes, ("coordinate", "v_test", "eta2"))
    heads = [_column(say, "variable"), _column(say, "category")]
    labels = [[clean(variable), clean(category)] for variable, category in readings.index]
    return Table("categories", say("tab.categories"), heads + columns, _rows(labels, values))


def _by_axis(
    readings: pd.DataFrame, say: Say, axes: list[int], measures: tuple[str, ...]
) -> tuple[list[Column], np.ndarray]:
    """Return columns and values (n, axes × measures), contributions in per cent."""
    columns, parts = [], []
    for k in axes:
        for measure in measures:
            title, number, places = _column(say, measure, k)
            is_share = measure == "contribution"
            small = is_share and len(readings) > _MAX_ROUNDED
            columns.append((title, number, None if small else places))
            parts.append((100.0 if is_share else 1.0) * readings[measure, k].to_numpy())
    return columns, np.column_stack(parts)


def stability(s: Study, say: Say) -> Table | None:
    """Return how far the axes turn, and intervals of eigenvalues where they cover."""
    answers = {True: str(say("yes")), False: str(say("no"))}
    record = s.evidence.directions
    if record is not None:
        return _directions(record, say, answers)
    if s.stability is None:
        return None
    keys = ("axis", "angle", "subspace", "identified")
    rows = [
        [int(k), _short(angle), _short(subspace), answers[bool(identified)]]
        for k, angle, subspace, identified in s.stability.axes[list(keys[1:])].itertuples()
    ]
    return Table("stability", say("tab.stability"), [_column(say, key) for key in keys], rows)


def _directions(record: Directions, say: Say, answers: dict[bool, str]) -> Table:
    columns = [_column(say, key) for key in ("axis", "angle", "identified")]
    notes = []
    rows = [
        [k + 1, _short(angle), answers[bool(alone)]]
        for k, (angle, alone) in enumerate(zip(record.angles, record.identified, strict=True))
    ]
    if record.low_eigenvalue is None or record.high_eigenvalue is None:
        notes.append(say("sta.intervals.none"))
    else:
        columns[1:1] = [_column(say, key) for key in ("eigenvalue", "low", "high")]
        spans = zip(record.eigenvalues, record.low_eigenvalue, record.high_eigenvalue, strict=True)
        for row, span in zip(rows, spans, strict=True):
            row[1:1] = [_short(value) for value in span]
    return Table("stability", say("tab.stability"), columns, rows, notes=notes)


def _column(say: Say, key: str, axis: int | None = None) -> Column:
    title = say(f"col.{key}") if axis is None else say(f"col.{key}", k=axis)
    return str(title), key not in _TEXT_COLUMNS, _DECIMALS.get(key)


def _rows(labels: list[list[str]], values: np.ndarray) -> list[list[Any]]:
    """Return labels and numbers of four digits for each row."""
    with np.errstate(divide="ignore", invalid="ignore"):
        power = 10.0 ** (3 - np.floor(np.log10(np.abs(values))))
        power = np.where(np.isfinite(power), power, 1.0)
    short = (np.round(values * power) / power).astype(object)
    short[~np.isfinite(values)] = None
    return [[*label, *row] for label, row in zip(labels, short.tolist(), strict=True)]


def _short(x: float | None) -> float | None:
    """Return a number of few digits, None where it is none or not finite."""
    if x is None:
        return None
    if isinstance(x, int | np.integer):
        return int(x)
    x = float(x)
    return float(f"{x:.4g}") if np.isfinite(x) else None
