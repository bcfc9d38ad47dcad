"""All findings of a table: those of its reading, and those of its columns taken together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from gramian.io.doctor.finding import Finding, finding, named
from gramian.io.doctor.profiles import perhaps_counts, profile_findings
from gramian.io.doctor.ties import tie_findings
from gramian.io.doctor.vocabulary import is_ordinal
from gramian.io.reader import as_source
from gramian.io.source import Source

_LEAST = 30  # rows from which on three values are a sign of codes


def examine(data: Any, **read_options: Any) -> tuple[Finding, ...]:
    """Return what may be wrong with a table, each finding with what was done and what mends it.

    Parameters
    ----------
    data : path, open file, data frame, array, Dataset or Source
    **read_options
        Those of `read`; what they settle is not found again.

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
    found = [told for told in source.warnings if isinstance(told, Finding)]
    if source.table is not None:
        found += _together(source)
    return tuple(found)


def _together(source: Source) -> Iterator[Finding]:
    """Return the findings that take several columns to see."""
    active = source.active()
    if not active.shape[1]:
        return
    names_given = source.names != [str(k + 1) for k in range(len(source))]
    profiles = list(profile_findings(active, names_given and not source.columns("group")))
    yield from profiles
    whole = any(told.kind == "composition" for told in profiles)
    for told in tie_findings(active):
        if not (whole and told.kind in ("composition", "collinear")):
            yield told
    if not profiles:
        yield from _codes(active)
        if not source.columns("group"):  # whose rows are individuals
            yield from perhaps_counts(active)


def _codes(active: pd.DataFrame) -> Iterator[Finding]:
    """Ask about a single column of 1 to 3 or 4 beside others that are no scales."""
    X = active.to_numpy(dtype=float)
    if len(X) < _LEAST or X.shape[1] < 2 or X.shape[1] > 1_000:
        return
    levels = [np.unique(x[np.isfinite(x)]) for x in X.T]
    few = [j for j, values in enumerate(levels) if len(values) <= 7]
    for j in few:
        codes, column = levels[j].tolist(), active.columns[j]
        if len(few) == 1 and codes in ([1, 2, 3], [1, 2, 3, 4]) and not is_ordinal(str(column)):
            cells = ", ".join(f"{code:g}" for code in codes)
            setting = named("as_category", column)
            yield finding(
                "category", "category.perhaps", column=column, setting=setting, cells=cells
            )
