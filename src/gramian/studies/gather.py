"""The tests of a study, run one after the other: each takes arrays and gives a record."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from gramian import evidence
from gramian.estimators.pca import PCA
from gramian.evidence.corrections import holm
from gramian.studies.subject import Subject

__all__ = [
    "ALPHA",
    "Evidence",
    "Parts",
    "analysed",
    "gather",
    "kernel_groups",
    "resamples",
    "tied_axes",
]

ALPHA = 0.05
_ROWS = 3_000  # that tests look at
_AXES = 6  # that groups and supplementary columns are held against
T = TypeVar("T")
# An axis that vanishes in a resample leaves an empty list of angles.
_IMPOSSIBLE = (ValueError, TypeError, ArithmeticError, IndexError, np.linalg.LinAlgError)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The records of the tests of a study; None where one was not possible."""

    rows_tested: np.ndarray  # which rows the tests looked at
    assumptions: Any = None
    axes: Any = None
    rows: Any = None
    carried: dict[int, Any] = field(default_factory=dict)
    directions: Any = None
    loadings: Any = None
    groups: dict[Any, Any] = field(default_factory=dict)
    group_p_values: dict[Any, float] = field(default_factory=dict)  # Holm over the groupings
    numbers: Any = None
    curves: Any = None
    failures: dict[str, str] = field(default_factory=dict)  # part → why it has no record

    @property
    def scheme(self) -> str:
        """The draws that hold for these rows."""
        return "permutation" if self.assumptions is None else str(self.assumptions.scheme)

    @property
    def q(self) -> int:
        """The number of axes above noise, 0 where none was tested."""
        return 0 if self.axes is None else int(self.axes.n_axes or 0)

    @property
    def tested(self) -> bool:
        """Whether axes were tested against noise."""
        return self.axes is not None and self.axes.n_axes is not None


class Parts:
    """Parts that odd data may make impossible, each with draws of its own."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.failures: dict[str, str] = {}

    def take(self, name: str, part: Callable[[np.random.Generator], T]) -> T | None:
        """Return a part, or None, and keep why it failed."""
        rng = np.random.default_rng([self.seed, *name.encode()])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they say is told by the numbers of each part
            try:
                return part(rng)
            except _IMPOSSIBLE as error:
                self.failures[name] = str(error)
                return None


def gather(subject: Subject, fit: Any, parts: Parts) -> Evidence:
    """Return the evidence of a table, or what can be had of objects without columns."""
    F = np.asarray(fit.coordinates_, dtype=float)[:, :_AXES]
    if subject.weighted:
        return Evidence(np.arange(subject.n), failures=parts.failures)
    if subject.table is None or not isinstance(fit, PCA):
        return _of_objects(subject, F, parts)
    kept = _sample(subject.n, parts.seed)
    return _of_table(subject, analysed(fit, subject.table)[kept], F[kept], kept, parts)


def resamples(subject: Subject) -> int:
    """Return a number of resamples that a second allows."""
    size = subject.n * (subject.table.shape[1] if subject.table is not None else subject.n)
    return 100 if size <= 100_000 else 30


def analysed(fit: Any, table: pd.DataFrame) -> np.ndarray:
    """Return the columns as the analysis sees them: centred, standardised where it does."""
    X = table.to_numpy(dtype=float)
    X = X / np.abs(X).max(axis=0)  # squares of 1e-200 are 0
    X = X - X.mean(axis=0)
    X = X / X.std(axis=0)
    return X if fit.scale else X * table.to_numpy(dtype=float).std(axis=0)


def _sample(n: int, seed: int) -> np.ndarray:
    """Return the rows to test, in their order."""
    if n <= _ROWS:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, _ROWS, replace=False))


def _of_table(
    subject: Subject, X: np.ndarray, F: np.ndarray, kept: np.ndarray, parts: Parts
) -> Evidence:
    state = parts.take("assumptions", lambda rng: _assumptions(subject, kept, rng))
    rows: dict[str, Any] = {"scheme": "permutation" if state is None else state.scheme}
    if state is not None and state.copies is not None:
        rows["groups_of_copies"] = state.copies.labels
    axes = parts.take("axes", lambda rng: evidence.axes(X, rng=rng, **rows))
    q = 0 if axes is None else int(axes.n_axes or 0)
    groups = _groups(subject, X, F, kept, rows, parts)
    p_values = _over_groupings(groups)
    numbers = _numbers(subject, F, kept, rows, parts)
    read = max([q, *tied_axes(groups, p_values, numbers)])
    return Evidence(
        kept,
        state,
        axes,
        parts.take("rows", lambda rng: evidence.rows(X, max(1, q), rng=rng)),
        _carried(X, max(q, min(2, F.shape[1])), parts),
        parts.take("directions", lambda rng: _directions(subject, X, q, rng)),
        parts.take("loadings", lambda rng: evidence.loadings(X, read, rng=rng, **rows))
        if read
        else None,
        groups,
        p_values,
        numbers,
        parts.take("curves", lambda rng: _curves(X, F, q, rows, rng)),
        parts.failures,
    )


def _assumptions(subject: Subject, kept: np.ndarray, rng: np.random.Generator) -> Any:
    """Look at the columns as they are: counts are no whole numbers any more when standardised."""
    assert subject.table is not None
    everything = None if subject.everything is None else subject.everything.iloc[kept]
    X = subject.table.to_numpy(dtype=float)[kept]
    return evidence.assumptions(X, everything=everything, rng=rng)


def _directions(subject: Subject, X: np.ndarray, q: int, rng: np.random.Generator) -> Any:
    return evidence.directions(X, max(2, q), rng=rng, n_resamples=resamples(subject))


def _curves(
    X: np.ndarray, F: np.ndarray, q: int, rows: dict[str, Any], rng: np.random.Generator
) -> Any:
    if not hasattr(evidence, "curves"):
        return None
    return evidence.curves(X, F, q, rng=rng, **rows)


def _carried(X: np.ndarray, q: int, parts: Parts) -> dict[int, Any]:
    """Return, for each axis above noise or on the map, what one row or two do to it."""

    def all_axes(rng: np.random.Generator) -> dict[int, Any]:
        records = {k: evidence.carried(X, k) for k in range(1, q + 1)}
        return {k: record for k, record in records.items() if record is not None}

    return parts.take("carried", all_axes) or {}


def _of_objects(subject: Subject, F: np.ndarray, parts: Parts) -> Evidence:
    """Return what can be told of distances, graphs, sequences and fits made elsewhere."""
    kept = _sample(subject.n, parts.seed)
    rows = {"scheme": "permutation"}
    axes = parts.take("axes", lambda rng: _kernel_axes(subject, rng))
    groups = _groups(subject, F[kept], F[kept], kept, rows, parts)
    return Evidence(
        kept,
        axes=axes,
        groups=groups,
        group_p_values=_over_groupings(groups),
        numbers=_numbers(subject, F[kept], kept, rows, parts),
        failures=parts.failures,
    )


def _kernel_axes(subject: Subject, rng: np.random.Generator) -> Any:
    return None


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
    return _groups(subject, F[kept], np.empty((len(kept), 0)), kept, rows, parts)


def _groups(
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


def _over_groupings(groups: dict[Any, Any]) -> dict[Any, float]:
    """Return the p-value of each grouping, corrected for their number."""
    known = {name: np.nan if g.p_value is None else g.p_value for name, g in groups.items()}
    return dict(zip(known, holm(list(known.values())).tolist(), strict=True))


def _numbers(
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
