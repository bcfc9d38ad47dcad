"""What a study is about: the rows, their columns by role, and the method that suits them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from gramian.errors import InputError
from gramian.estimators import protocol
from gramian.estimators.kernel_pca import KernelPCA
from gramian.estimators.mds import ClassicalMDS
from gramian.estimators.pca import PCA
from gramian.io import Source, as_source
from gramian.kernels.registry import usual_kernel
from gramian.language import refused

__all__ = ["Subject", "subject_of"]

AXES = 12  # computed, at most; fewer are described
_RETOLD = ("constant", "duplicate_rows")  # what a study says in its own words


@dataclass(frozen=True, eq=False)
class Subject:
    """What is analysed and how.

    `X` is what the estimator is fitted to; `table` the same rows as a table of variables, where
    there is one.
    """

    kind: str  # "table", "distances", "graphs", "sequences" or "fit"
    title: str
    index: pd.Index
    X: Any
    estimator: Any
    table: pd.DataFrame | None = None
    supplementary: pd.DataFrame | None = None
    groups: pd.DataFrame | None = None
    notes: tuple[Any, ...] = ()
    warnings: tuple[Any, ...] = ()
    everything: pd.DataFrame | None = None  # all columns of the rows, whatever their role
    roles: dict[Any, str] = field(default_factory=dict)
    path: str | None = None
    read_options: dict[str, Any] | None = None  # None where they are not known
    code: str = ""  # that makes the data, where it is known
    missing: str | None = None  # how missing values were dealt with
    dropped: tuple[Any, ...] = ()  # constant columns
    kernel: Any = None  # on graphs or sequences
    fitted: Any = None  # what was fitted elsewhere

    @property
    def weighted(self) -> bool:
        """Whether rows were given weights, by a fit made elsewhere."""
        return getattr(self.fitted, "weights_", None) is not None

    @property
    def n(self) -> int:
        """How many rows or objects."""
        return len(self.index)

    @property
    def illustrative(self) -> pd.DataFrame | None:
        """All columns that are read on the axes without having made them."""
        parts = [part for part in (self.supplementary, self.groups) if part is not None]
        return pd.concat(parts, axis=1) if parts else None


def subject_of(
    data: Any, *, title: str | None = None, kernel: Any = None, **read_options: Any
) -> Subject:
    """Return what to analyse from a path, a data frame, a source or a fitted estimator."""
    if hasattr(data, "get_params") and hasattr(data, "fit"):
        subject = _of_fit(data, read_options)
    else:
        source = as_source(data, **read_options)
        _check_rows(len(source))
        if kernel is not None and source.kind == "distances":
            raise refused("distances_kernel")
        of_objects = source.kind in ("graphs", "sequences")
        subject = _of_kernel(source, kernel) if of_objects else _OPEN[source.kind](source)
        options = dict(data.options if isinstance(data, Source) else read_options)
        code = str(getattr(data, "code", ""))
        subject = replace(subject, path=source.path, read_options=options, code=code)
    _check_rows(subject.n)
    return subject if title is None else replace(subject, title=str(title))


def _check_rows(n: int) -> None:
    if n < 3:
        raise refused("few_rows", n=n)


def _of_table(source: Source) -> Subject:
    source, how = _completed(source)
    active = source.active()
    if active.shape[1] == 0:
        raise refused("no_active")
    X = active.to_numpy()
    if np.isinf(X).any():
        row, column = np.argwhere(np.isinf(X))[0]
        raise refused("infinite", row=row + 1, name=f"{str(active.columns[column])!r:.60}")
    size = np.abs(X).max(axis=0)
    idle = np.ptp(X / np.where(size > 0, size, 1.0), axis=0) <= 1e-13
    if idle.all():
        raise refused("all_constant")
    dropped = tuple(active.columns[idle])
    varying = active.loc[:, ~idle]
    extra, groups = source.supplementary(), source.groups()
    groups = groups.loc[:, [_is_grouping(groups.iloc[:, j]) for j in range(groups.shape[1])]]
    return Subject(
        "table",
        source.title,
        varying.index,
        varying,
        PCA(n_components=_axes(*varying.shape), scale=True),
        table=varying,
        supplementary=extra if extra.shape[1] else None,
        groups=groups if groups.shape[1] else None,
        notes=tuple(source.notes),
        warnings=tuple(w for w in source.warnings if getattr(w, "key", "") not in _RETOLD),
        everything=source.table,
        roles=dict(source.roles),
        missing=how,
        dropped=dropped,
    )


def _completed(source: Source) -> tuple[Source, str | None]:
    """Leave out rows with missing values; where that would cost half of them, fill in by axes."""
    gaps = source.missing()
    if gaps.empty:
        return source, None
    whole = source.active().notna().all(axis=1).sum()
    how = "drop-rows" if 2 * whole >= len(source) and whole >= 3 else "iterative"
    return source.complete(how), how


def _is_grouping(column: pd.Series) -> bool:
    """Whether a column puts rows together: a name for each row does not."""
    count = column.nunique()
    return bool(1 < count <= max(2, column.notna().sum() // 2))


def _axes(n: int, p: int) -> int:
    return max(1, min(n - 1, p, AXES))


def _of_distances(source: Source) -> Subject:
    D = source.distances
    assert D is not None
    n = len(D)
    estimator = ClassicalMDS(n_components=max(1, min(n - 1, AXES)), metric="precomputed")
    return _of_objects(source, D, estimator, D.index)


def _of_kernel(source: Source, kernel: Any) -> Subject:
    """Compute the kernel once: the fit and its resamples share it, and it carries the names."""
    kernel = usual_kernel(source.kind) if kernel is None else kernel
    objects, names = source.data, pd.Index(source.names)
    K = pd.DataFrame(np.asarray(kernel.pairwise(objects, objects)), index=names, columns=names)
    estimator = KernelPCA(n_components=max(1, min(len(K) - 1, AXES)), kernel="precomputed")
    return replace(_of_objects(source, K, estimator, names), kernel=kernel)


def _of_objects(source: Source, X: Any, estimator: Any, index: pd.Index) -> Subject:
    groups = source.groups() if source.table is not None else None
    extra = source.supplementary() if source.table is not None else None
    return Subject(
        source.kind,
        source.title,
        index,
        X,
        estimator,
        groups=groups if groups is not None and groups.shape[1] else None,
        supplementary=extra if extra is not None and extra.shape[1] else None,
        notes=tuple(source.notes),
        warnings=tuple(source.warnings),
    )


_OPEN = {"table": _of_table, "distances": _of_distances}


def _of_fit(fitted: Any, read_options: dict[str, Any]) -> Subject:
    """Return the subject of an estimator that was fitted elsewhere."""
    if read_options:
        raise InputError(f"{min(read_options)}= is for files: a fitted estimator has read its data")
    if getattr(fitted, "eigenvalues_", None) is None or not hasattr(fitted, "individuals"):
        raise InputError(
            f"data: {type(fitted).__name__} has no axes to report: give a fitted PCA, KernelPCA "
            "or ClassicalMDS"
        )
    index = fitted.individuals().index
    rows = protocol.rows_and_weights(fitted)[0]
    rows = getattr(rows, "values", rows)
    name = type(fitted).__name__
    if isinstance(fitted, PCA) and isinstance(rows, np.ndarray) and len(rows) == len(index):
        X = pd.DataFrame(rows, index=index, columns=fitted.variables().index)
        return Subject("fit", name, index, X, clone(fitted), table=X, fitted=fitted)
    return Subject("fit", name, index, rows, clone(fitted), fitted=fitted)
