"""The printed overview of a fit."""

import html
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.views import facts_html as facts_html
from gramian._reading.describe import Associations

_LABEL_WIDTH = 14  # characters of a row label that are printed
_AS_IN_PYTHON = ("estimator", "kernel", "solver", "certificate")  # facts that are attributes
_STATISTICS = {
    "Groups": "η²: the share of an axis that lies between them",
    "Supplementary variables": "r: correlation with an axis",
}
_MAX_BARS = 10  # axes


@dataclass(frozen=True, repr=False)
class Summary:
    """An overview of a fit: print it, or look at its tables.

    Attributes
    ----------
    title : str
    facts : dict of str
        What was analysed and how, and the numbers of the whole fit.
    eigenvalues : DataFrame, indexed by axis
        Columns eigenvalue, inertia % and cumulated %.
    tables : dict of DataFrames
        The individuals (and the variables, where there are) that contribute most to the first
        axes: for each of these axes coordinate, contribution % and cos².
    outside : dict of DataFrames
        Supplementary columns: η² of groups and correlations of numbers with the axes, and p-values.
    """

    title: str
    facts: dict[str, str]
    eigenvalues: pd.DataFrame
    tables: dict[str, pd.DataFrame]
    n_rows: int = 10
    outside: dict[str, pd.DataFrame] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text()

    def text(self, translate: Callable[[str], str] = str) -> str:
        """Return the printed text; `translate` is a function of its words and numbers."""
        parts = [translate(self.title), "", *self._fact_lines(translate)]
        for name, table in self._headings().items():
            parts += ["", translate(name), _text(table, translate)]
        return "\n".join(parts)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        tables = {name: _words(table) for name, table in self._headings().items()}
        return "\n".join([facts_html(self.title, self.facts), *sections(tables)])

    def _headings(self) -> dict[str, pd.DataFrame]:
        q = len(self.eigenvalues)
        more = f" (the first {self.n_rows} of {q} axes)" if q > self.n_rows else ""
        shown = {f"Eigenvalues{more}": self.eigenvalues.iloc[: self.n_rows]}
        shown |= {f"{name}, by contribution": table for name, table in self.tables.items()}
        return shown | {
            f"{name} ({_STATISTICS[name]})": table for name, table in self.outside.items()
        }

    def _fact_lines(self, translate: Callable[[str], str]) -> list[str]:
        facts = {
            translate(name): value if name in _AS_IN_PYTHON else translate(value)
            for name, value in self.facts.items()
        }
        width = max(len(name) for name in facts)
        indent = " " * (width + 4)
        return [
            textwrap.fill(
                text, 100, initial_indent=f"  {name:<{width}}  ", subsequent_indent=indent
            )
            for name, text in facts.items()
        ]


def eigenvalue_table(values: np.ndarray, ratios: np.ndarray) -> pd.DataFrame:
    axes = pd.RangeIndex(1, len(values) + 1, name="axis")
    shares = 100.0 * np.asarray(ratios)
    columns = {"eigenvalue": values, "inertia %": shares, "cumulated %": np.cumsum(shares)}
    return pd.DataFrame(columns, index=axes)


def leading(
    table: pd.DataFrame, values: np.ndarray, n_rows: int, single: Sequence[Any] = ()
) -> pd.DataFrame:
    """Return the rows that contribute most to the axes of the eigenvalues given, for printing."""
    axes = range(1, len(values) + 1)
    share = table["contribution"][list(axes)].to_numpy() @ np.abs(values)
    rows = table.iloc[np.argsort(-share, kind="stable")[:n_rows]]
    columns: dict[str, Any] = {str(key[0]): rows[key].to_numpy() for key in single}
    for k in axes:
        columns[f"axis {k}"] = rows["coordinate", k].to_numpy()
        columns[f"ctr% {k}"] = 100.0 * rows["contribution", k].to_numpy()
        columns[f"cos² {k}"] = rows["cos2", k].to_numpy()
    return pd.DataFrame(columns, index=rows.index)


def association_table(
    associations: Associations, kind: str, statistic: str, n_axes: int
) -> pd.DataFrame:
    """Return the associations of one kind with the first axes: statistics and p-values."""
    own = [a for a in associations if a.kind == kind]
    columns: dict[str, Any] = {}
    for k in range(min([n_axes, *(len(a.statistic) for a in own)])):
        columns[f"{statistic} {k + 1}"] = [a.statistic[k] for a in own]
        columns[f"p {k + 1}"] = [a.p_value[k] for a in own]
    return pd.DataFrame(columns, index=pd.Index([a.name for a in own]))


def _words(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table as it is written: shares with fixed decimals, other numbers as they need."""
    words = {name: [_word(name, x) for x in table[name]] for name in table.columns}
    shown = pd.DataFrame(words, table.index).set_axis([_short(label) for label in table.index])
    return shown.rename_axis(str(table.index.name or ""))


def _text(table: pd.DataFrame, translate: Callable[[str], str]) -> str:
    """Write a table in columns that line up."""
    words = _words(table)
    columns = [[translate(word) for word in (name, *words[name])] for name in words.columns]
    names = [translate(str(words.index.name)), *words.index]
    labels = [f"{name:<{_LABEL_WIDTH}}" for name in names]
    widths = [max(6, *map(len, column)) for column in columns]
    right = [[f"{x:>{w}}" for x in column] for column, w in zip(columns, widths, strict=True)]
    return "\n".join("  " + " ".join(line) for line in zip(labels, *right, strict=True))


def _short(label: object) -> str:
    text = " ".join(str(label).split())
    return text if len(text) <= _LABEL_WIDTH else text[: _LABEL_WIDTH - 1] + "…"


def _word(name: str, x: float) -> str:
    """Write a share with fixed decimals, another number in at most eight characters."""
    if "²" in name or "%" in name:
        return f"{x:.3f}" if "²" in name else f"{x:.2f}"
    size = abs(x)
    if size >= 1e5 or 0 < size < 0.0005:
        return f"{x:.1e}"
    return f"{x:.3f}" if size < 1e3 else f"{x:.1f}"


def few_numbers(values: Iterable[float], most: int = 6) -> str:
    """Write the first numbers, and a sign that there are more: [1, 0.25, …]."""
    first = [f"{x:.4g}" for x in islice(values, most + 1)]
    return f"[{', '.join(first[:most])}{', …' if len(first) > most else ''}]"


def sections(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    return [
        f"<h4>{html.escape(name)}</h4>{table.to_html(border=0)}" for name, table in tables.items()
    ]


def bars(ratios: np.ndarray) -> str:
    """Return a bar for the share of each of the first axes, with its number beside it."""
    top = max(float(np.abs(ratios).max(initial=0.0)), 1e-300)
    rows = []
    for k, ratio in enumerate(np.asarray(ratios, dtype=float)[:_MAX_BARS], start=1):
        width = 100.0 * abs(ratio) / top
        bar = f'<div style="background:#4477aa;height:0.8em;width:{width:.1f}%"></div>'
        cells = f'<th>axis {k}</th><td style="width:12em">{bar}</td><td>{100.0 * ratio:.1f} %</td>'
        rows.append(f"<tr>{cells}</tr>")
    more = len(ratios) - _MAX_BARS
    rest = f"<p>and {more} more axes</p>" if more > 0 else ""
    return f"<table>{''.join(rows)}</table>{rest}"
