"""Tables and facts as HTML, for notebooks."""

from __future__ import annotations

import html
from collections.abc import Mapping

import numpy as np
import pandas as pd

_SHOWN = 10  # axes


def facts_html(title: str, facts: Mapping[str, str]) -> str:
    """Return a heading and a table of names and texts.

    >>> facts_html("PCA", {"rows": "3 < 4"})
    '<h3>PCA</h3><table><tr><th>rows</th><td>3 &lt; 4</td></tr></table>'
    """
    rows = "".join(
        f"<tr><th>{html.escape(name)}</th><td>{html.escape(text)}</td></tr>"
        for name, text in facts.items()
    )
    return f"<h3>{html.escape(title)}</h3><table>{rows}</table>"


def sections(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return a heading and a table for each."""
    return [
        f"<h4>{html.escape(name)}</h4>{table.to_html(border=0)}" for name, table in tables.items()
    ]


def bars(ratios: np.ndarray) -> str:
    """Return a bar for the share of each of the first axes, with its number beside it.

    >>> bars(np.array([0.75, 0.25])).count("<tr>")
    2
    """
    top = max(float(np.abs(ratios).max(initial=0.0)), 1e-300)
    rows = []
    for k, ratio in enumerate(np.asarray(ratios, dtype=float)[:_SHOWN], start=1):
        width = 100.0 * abs(ratio) / top
        bar = f'<div style="background:#4477aa;height:0.8em;width:{width:.1f}%"></div>'
        cells = f'<th>axis {k}</th><td style="width:12em">{bar}</td><td>{100.0 * ratio:.1f} %</td>'
        rows.append(f"<tr>{cells}</tr>")
    more = len(ratios) - _SHOWN
    rest = f"<p>and {more} more axes</p>" if more > 0 else ""
    return f"<table>{''.join(rows)}</table>{rest}"
