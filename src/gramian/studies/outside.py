"""Columns that did not make the axes, held against them: groups and supplementary numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian import evidence
from gramian.evidence.corrections import holm
from gramian.studies.evidence import Evidence, Parts
from gramian.studies.family import ALPHA, Family
from gramian.studies.subject import Subject

__all__ = ["groups_of", "kernel_groups", "numbers_of", "over_groupings", "p_value", "tied_axes"]


def kernel_groups(
    subject: Subject, gathered: Evidence, F: np.ndarray, parts: Parts
) -> dict[Any, Any]:
    """Return groupings on kernel axes, asked only where the cloud is more than straight axes."""
    if gathered.curves is None or gathered.curves.kind is None:
        return {}
    kept = gathered.rows_tested
    rows: dict[str, Any] = {"scheme": gathered.scheme}
    if gathered.assumptions is not None and gathered.assumptions.copies is not None:
        rows["groups_of_copies"] = gathered.assumptions.copies.labels
    return groups_of(subject, F[kept], np.empty((len(kept), 0)), kept, rows, parts)


def groups_of(
    subject: Subject,
    X: np.ndarray,
    F: np.ndarray,
    kept: np.ndarray,
    rows: dict[str, Any],
    parts: Parts,
) -> dict[Any, Any]:
    """Return what is known of each grouping."""
    if subject.groups is None:
        return {}
    groups = subject.groups

    def all_groups(rng: np.random.Generator) -> dict[Any, Any]:
        return {
            name: evidence.groups(X, F, _labels(groups.iloc[kept, j]), rng=rng, **rows)
            for j, name in enumerate(groups.columns)
        }

    return parts.take("groups", all_groups) or {}


def _labels(column: pd.Series) -> pd.Series:
    """Return labels, None where there is none."""
    labels = column.astype(object)
    return labels.where(labels.notna(), None)


def over_groupings(groups: dict[Any, Any], found: Family) -> dict[Any, float]:
    """Return the p-value of each grouping, corrected for their number and all findings."""
    p = np.maximum(holm([p_value(g) for g in groups.values()]), found.others.get("groups", 0.0))
    return dict(zip(groups, p.tolist(), strict=True))


def p_value(record: Any) -> float:
    """Return the p-value of a grouping, NaN where it was not tested."""
    return np.nan if record.p_value is None else float(record.p_value)


def numbers_of(
    subject: Subject, F: np.ndarray, kept: np.ndarray, rows: dict[str, Any], parts: Parts
) -> Any:
    """Return how supplementary columns go with the axes."""
    extra = subject.supplementary
    if extra is None:
        return None
    Z = extra.iloc[kept].to_numpy(dtype=float)
    return parts.take("numbers", lambda rng: evidence.numbers(F, Z, rng=rng, **rows))


def tied_axes(groups: dict[Any, Any], p_values: dict[Any, float], numbers: Any) -> list[int]:
    """Return the axes that go with a grouping or a supplementary column."""
    out = set()
    for name, record in groups.items():
        if p_values[name] < ALPHA and record.axes is not None:
            p = np.maximum(record.axes["p_value"], p_values[name])
            out |= set(record.axes.index[p < ALPHA])
    if numbers is not None and numbers.table is not None:
        out |= set(numbers.table.index.get_level_values(1)[numbers.table["p_value"] < ALPHA])
    return sorted(int(k) for k in out)
