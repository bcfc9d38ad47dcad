"""From data to what a study is about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from gramian._core.array import to_dense, to_numpy
from gramian._estimators.analysis import rows_and_weights
from gramian._estimators.foreign import outside
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.pca import PCA
from gramian._estimators.scaling.mds import ClassicalMDS
from gramian._study.methods import Settings, method_of
from gramian._study.subject import AXES, Subject
from gramian._study.tables import table_subject
from gramian.errors import InputError
from gramian.io import Source, as_source, examine
from gramian.kernels.registry import usual_kernel

_ALIKE = 1e-6  # of the largest coordinate: what two solvers may differ by


def subject_of(
    data: Any, settings: Settings, *, title: str | None = None, **read_options: Any
) -> Subject:
    """Return what to analyse from a path, a data frame, a source or a fitted estimator."""
    if hasattr(data, "get_params") and hasattr(data, "fit"):
        subject = _of_fit(data, read_options)
    else:
        source = as_source(data, **read_options)
        _check_rows(len(source))
        if settings.kernel is not None and source.kind == "distances":
            raise InputError("kernel= is for tables, graphs and sequences: distances need none")
        subject = _of_source(source, settings)
        options = dict(data.options if isinstance(data, Source) else read_options)
        code = str(getattr(data, "code", ""))
        subject = replace(subject, path=source.path, read_options=options, code=code)
    _check_rows(subject.n)
    return subject if title is None else replace(subject, title=str(title))


def _check_rows(n: int) -> None:
    if n < 3:
        left = "row is left" if n == 1 else "rows are left"
        raise InputError(f"data: {n} {left}: a report needs at least 3")


def _of_source(source: Source, settings: Settings) -> Subject:
    findings = examine(source)
    method = method_of(source, settings, findings)
    if source.kind == "table":
        return table_subject(source, method, settings, findings)
    if source.kind == "distances":
        estimator = method.estimator(replace(settings, metric="precomputed"))
        return replace(_of_distances(source, estimator), findings=findings, method=method.name)
    return _of_kernel(source, settings.kernel)


def _of_distances(source: Source, estimator: Any) -> Subject:
    D = source.distances
    assert D is not None
    if isinstance(estimator, ClassicalMDS):
        estimator.set_params(n_components=max(1, min(len(D) - 1, AXES)))
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


def _of_fit(fitted: Any, read_options: dict[str, Any]) -> Subject:
    """Return the subject of an estimator that was fitted elsewhere."""
    if read_options:
        raise InputError(f"{min(read_options)}= is for files: a fitted estimator has read its data")
    fitted = outside.drawable(fitted)
    if getattr(fitted, "eigenvalues_", None) is None or not hasattr(fitted, "individuals"):
        raise InputError(
            f"data: {type(fitted).__name__} has no axes to report: give a fitted PCA, KernelPCA "
            "or ClassicalMDS, or gm.read(coordinates, X)"
        )
    name = fitted.method_name
    fitted = _counterpart(fitted)
    index = fitted.individuals().index
    rows = rows_and_weights(fitted)[0]
    rows = getattr(rows, "values", rows)
    if isinstance(fitted, PCA) and isinstance(rows, np.ndarray) and len(rows) == len(index):
        X = pd.DataFrame(rows, index=index, columns=fitted.variables().index)
        return Subject("fit", name, index, X, clone(fitted), table=X, fitted=fitted)
    return Subject("fit", name, index, rows, clone(fitted), fitted=fitted)


def _counterpart(fitted: Any) -> Any:
    """Return the PCA whose axes were read from another library's, so that all tests are of them.

    What is no PCA of its table, or has other axes than the first or other signs, stays as it is.
    """
    if not fitted.is_external or not fitted.has_variables:
        return fitted
    training = fitted.training_
    names = training.columns
    X = pd.DataFrame(to_numpy(to_dense(training.rows)), index=training.index, columns=names)
    if X.to_numpy().std(axis=0).min() == 0:
        return fitted
    own = PCA(fitted.n_components_, scale=fitted.is_scaled).fit(X)
    Z, ours = (np.asarray(fit.coordinates_, dtype=float) for fit in (fitted, own))
    alike = np.abs(Z - ours).max() <= _ALIKE * np.abs(ours).max()
    return own if alike else fitted
