"""From data to the subject of a study: rows, columns by role, and the estimator."""

import re
from collections.abc import Callable, Iterable, Sequence
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
from gramian._study.language import Sentence, Share, names
from gramian._study.methods import MAPS, Method, Settings, method_of, no_groups, questions_of
from gramian._study.record import Subject
from gramian.errors import InputError
from gramian.io import Finding, Source, as_source, examine
from gramian.io.expression import log_counts
from gramian.io.notes import note
from gramian.kernels.registry import usual_kernel

MAX_AXES = 12  # computed; fewer are described
_TOLERANCE = 1e-6  # of the largest coordinate: what two solvers may differ by
_PLACED = ("kernel-pca", *MAPS)  # by similarities or distances between rows
_UNSCALED = ("expression", "genotypes")  # in one unit: those that vary more say more
LIBRARY_SIZE = "library size"  # of samples, in reads
_MAX_LOST_SHARE = 0.1  # of the rows, beyond which missing values are filled in
_MAX_GROUP_LEVELS = 50
_ROLE_NOTES = ("roles", "group", "groups")  # that categories have before a method takes them
_FLAT_METRICS = (None, "euclidean")  # to which constant columns contribute nothing
RESTATED = ("constant", "duplicate_rows")  # warnings that a study states in its own words
_NO_NUMBERS = "data: no numeric column is left to analyse: name some with active=, or check the "
_NO_NUMBERS += "separator and the decimal mark (sep=, decimal=)"


def subject_of(
    data: Any,
    settings: Settings,
    *,
    title: str | None = None,
    prepare: Callable[[Source], Source] | None = None,
    **read_options: Any,
) -> Subject:
    """Return what to analyse from a path, a data frame, a source or a fitted estimator."""
    if hasattr(data, "get_params") and hasattr(data, "fit"):
        if prepare is not None:
            raise InputError("design= needs the table: give it instead of a fitted estimator")
        subject = _of_fit(data, read_options)
    else:
        source = as_source(data, **read_options)
        source = source if prepare is None else prepare(source)
        _check_rows(len(source))
        if settings.kernel is not None and source.kind == "distances":
            raise InputError("kernel= is for tables, graphs and sequences: distances need none")
        subject = _of_source(source, settings)
        options = dict(data.options if isinstance(data, Source) else read_options)
        subject = replace(
            subject,
            path=source.path,
            read_options=options,
            code=source.code,
            steps=source.steps,
        )
    _check_rows(subject.n)
    return subject if title is None else replace(subject, title=str(title))


def _check_rows(n: int) -> None:
    if n < 3:
        left = "row is left" if n == 1 else "rows are left"
        raise InputError(f"data: {n} {left}: a report needs at least 3")


def standardise(X: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and variance 1, whatever their unit."""
    X = X / np.abs(X).max(axis=0)  # squares of 1e-200 are 0
    X = X - X.mean(axis=0)
    return np.asarray(X / X.std(axis=0))


def _of_source(source: Source, settings: Settings) -> Subject:
    findings = examine(source)
    method = method_of(source, settings)
    if source.kind == "table":
        return table_subject(source, method, settings, findings)
    if source.kind == "distances":
        D, estimator = source.distances, method.estimator(replace(settings, metric="precomputed"))
        assert D is not None
        if method.name == "classical-mds":
            estimator.set_params(n_components=_count_axes(len(D), len(D)))
        subject = _of_objects(source, D, estimator)
        return replace(subject, findings=findings, method=method.name)
    # The kernel is computed once: the fit and its resamples share it, and it carries the names.
    kernel = usual_kernel(source.kind) if settings.kernel is None else settings.kernel
    objects, names = source.data, pd.Index(source.names)
    K = pd.DataFrame(np.asarray(kernel.pairwise(objects, objects)), index=names, columns=names)
    estimator = KernelPCA(n_components=_count_axes(len(K), len(K)), kernel="precomputed")
    return replace(_of_objects(source, K, estimator), kernel=kernel)


def _of_objects(source: Source, X: pd.DataFrame, estimator: Any) -> Subject:
    """Return the subject of a square table of similarities or distances."""
    roles: dict[str, Any] = {"notes": tuple(source.notes), "warnings": tuple(source.warnings)}
    if source.table is not None:
        roles["groups"] = _or_none(source.groups())
        roles["supplementary"] = _or_none(source.supplementary())
        roles["everything"] = source.table
    return Subject(source.kind, source.title, X.index, X, estimator, **roles)


def _or_none(columns: pd.DataFrame) -> pd.DataFrame | None:
    """Return columns, None where there are none."""
    return columns if columns.shape[1] else None


def _count_axes(n: int, p: int) -> int:
    """Return how many axes to compute of a table (n, p)."""
    return max(1, min(n - 1, p, MAX_AXES))


def _of_fit(fitted: Any, read_options: dict[str, Any]) -> Subject:
    """Return the subject of an estimator that the caller fitted."""
    if read_options:
        raise InputError(f"{min(read_options)}= is for files: a fitted estimator has read its data")
    fitted = outside.drawable(fitted)
    if getattr(fitted, "eigenvalues_", None) is None or not hasattr(fitted, "individuals"):
        text = "give a fitted PCA, KernelPCA or ClassicalMDS, or gm.read_map(coordinates, X)"
        raise InputError(f"data: {type(fitted).__name__} has no axes to report: {text}")
    name = fitted.method_name
    fitted = _counterpart(fitted)
    index = fitted.individuals().index
    source = rows_and_weights(fitted)[0]
    rows = getattr(source, "values", source)
    from gramian._estimators.factors.base import MixedEstimator
    from gramian._estimators.several.multi_kernel import MultiKernelPCA

    made = vars(fitted).get("fit_", fitted)  # of rotated axes
    if isinstance(made, MixedEstimator):
        rows = made.decoded_rows()
    elif isinstance(made, MultiKernelPCA):
        rows = None  # blocks, which are not resampled
    table = None
    if isinstance(fitted, PCA) and isinstance(rows, np.ndarray) and len(rows) == len(index):
        rows = table = pd.DataFrame(rows, index=index, columns=fitted.variables().index)
    return Subject("fit", name, index, rows, clone(fitted), table=table, fitted=fitted)


def _counterpart(fitted: Any) -> Any:
    """Return the PCA whose axes were read from another library's, so that all tests are of them."""
    # What is no PCA of its table, or has other axes than the first or other signs, stays as it is.
    if not fitted.is_external or not fitted.has_variables:
        return fitted
    training = fitted.training_
    names = training.columns
    X = pd.DataFrame(to_numpy(to_dense(training.rows)), index=training.index, columns=names)
    if X.to_numpy().std(axis=0).min() == 0:
        return fitted
    own = PCA(fitted.n_components_, scale=fitted.is_scaled).fit(X)
    Z, ours = (np.asarray(fit.coordinates_, dtype=float) for fit in (fitted, own))
    alike = np.abs(Z - ours).max() <= _TOLERANCE * np.abs(ours).max()
    return own if alike else fitted


def table_subject(
    source: Source, method: Method, settings: Settings, findings: Sequence[Finding]
) -> Subject:
    """Return the subject of a table."""
    whole, (source, how, lost) = source, _complete(_active_rows(source, settings), method)
    # A column that is the same in all rows is a part of every profile, and of the sums by which
    # Bray-Curtis divides.
    by_distance = method.name in MAPS and settings.metric not in _FLAT_METRICS
    massive = method.columns == "counts" or by_distance
    numbers, dropped = _varying(source, method.columns in ("numbers", "counts"), massive)
    if massive:  # they tell something here
        findings = [found for found in findings if found.kind != "constant"]
    groups, extra = source.groups(), source.supplementary()
    groups = groups.loc[:, [_is_grouping(groups.iloc[:, j]) for j in range(groups.shape[1])]]
    questions = [c for c in questions_of(source) if c in groups]
    X: Any = numbers
    if method.columns in ("categories", "both"):
        if not questions and method.name != "mfa":
            text = "needs columns of categories: name numbers that are codes with as_category="
            raise InputError(f"data: {method.name} {text}")
        if method.columns == "both" and not numbers.shape[1]:
            raise InputError(_NO_NUMBERS)
        X = groups[questions]
        groups = groups.drop(columns=questions)
        if method.columns == "categories":
            extra = pd.concat([extra, numbers], axis=1)
        else:
            X = pd.concat([numbers, X], axis=1)
    if method.columns == "counts":
        X, groups, extra = _with_counts(X, groups, extra)
    if source.content in _UNSCALED and method.name == "pca":
        settings = replace(settings, scale=False)
    if source.content == "expression" and method.columns == "numbers":
        extra = pd.concat([extra, X.sum(axis=1).rename(LIBRARY_SIZE)], axis=1)
        X = log_counts(X)
        X, dropped = X.loc[:, np.ptp(X.to_numpy(), axis=0) > 0], ()
    estimator = method.estimator(settings)
    if method.name == "mfa":
        shared = _groups_by_name(X.columns)
        estimator.set_params(groups=shared)
        alone = X.drop(columns=[c for group in shared.values() for c in group])
        X = X.drop(columns=alone.columns)
        extra = pd.concat([extra, alone.select_dtypes("number")], axis=1)
        groups = pd.concat([groups, alone.select_dtypes(exclude="number")], axis=1)
    kind = source.content
    if method.name == "mca" and kind == "measurements":  # few numbers stand beside questions
        kind = "categories"
    subject = Subject(
        "table",
        source.title,
        X.index,
        X,
        estimator.set_params(n_components=_count_axes(len(X), _rank(X, method))),
        table=X if method.name == "pca" else None,
        supplementary=_or_none(extra),
        groups=_or_none(groups),
        notes=_notes(source, method, dropped),
        warnings=tuple(w for w in source.warnings if getattr(w, "key", "") not in RESTATED),
        everything=source.table,
        missing=how,
        lost=lost,
        dropped=dropped,
        method=method.name,
        content=kind,
        settings=settings,
        findings=tuple(findings),
        kernel=settings.kernel if method.name == "kernel-pca" else None,
    )
    subject = replace(subject, placed=_supplementary_rows(whole, subject, settings))
    return _standardise_rows(subject, settings) if method.name in _PLACED else subject


def _notes(source: Source, method: Method, dropped: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return how the table was read, the roles of columns as they are now."""
    if method.name != "pca":
        return tuple(n for n in source.notes if n.key not in _ROLE_NOTES)
    notes, count = list(source.notes), len(dropped)
    for i, text in enumerate(notes):
        if count and text.key == "roles":  # constant columns are among the ignored ones
            roles = dict(text.sentence.values)
            roles |= {"active": roles["active"] - count, "ignored": roles["ignored"] + count}
            notes[i] = note("roles", **roles)
    return tuple(notes)


def _active_rows(source: Source, settings: Settings) -> Source:
    """Return the table without its supplementary rows."""
    names = settings.supplementary_rows
    if not names:
        return source
    unknown = [name for name in names if name not in source.names]
    if unknown:
        raise InputError(f"supplementary_rows: there is no row {repr(unknown[0])[:60]}")
    assert source.table is not None
    kept = [name for name in source.names if name not in names]
    return replace(source, table=source.table.loc[kept], names=kept)


def _supplementary_rows(whole: Source, subject: Subject, settings: Settings) -> pd.DataFrame | None:
    """Return the supplementary rows as the fit takes rows, without those with missing values."""
    if not settings.supplementary_rows:
        return None
    columns = pd.concat([whole.active(), whole.groups().astype(object)], axis=1)
    new = columns.loc[list(settings.supplementary_rows), list(subject.X.columns)]
    new = new.dropna() if subject.method != "mca" else new
    return new if len(new) else None


def _groups_by_name(columns: Iterable[Any]) -> dict[str, list[Any]]:
    """Return columns in groups by what their names start with, before a point, dash or space."""
    # Names that start as no other does are left out.
    out: dict[str, list[Any]] = {}
    for column in columns:
        out.setdefault(re.split(r"[._\- :/]", str(column))[0], []).append(column)
    out = {name: group for name, group in out.items() if len(group) > 1}
    if len(out) < 2:
        raise no_groups()
    return out


def _rank(X: pd.DataFrame, method: Method) -> int:
    """Return how many axes the columns can make."""
    if method.name == "mds":
        return 2  # those of stress do not stand inside each other
    if method.name in _PLACED:
        return MAX_AXES
    if method.name == "ca":
        return min(X.shape) - 1
    numbers = np.array([pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes], dtype=bool)
    categories = (X.iloc[:, int(j)].nunique(dropna=False) - 1 for j in np.flatnonzero(~numbers))
    return int(numbers.sum()) + sum(categories)


def _standardise_rows(subject: Subject, settings: Settings) -> Subject:
    """Return the subject with columns of unit variance, so that no unit makes a distance."""
    X = subject.X
    if not settings.scale or settings.metric not in _FLAT_METRICS:
        return subject
    mean, sd = X.mean(), X.std(ddof=0)
    placed = None if subject.placed is None else (subject.placed.astype(float) - mean) / sd
    return replace(subject, X=(X - mean) / sd, placed=placed)


def _with_counts(
    X: pd.DataFrame, groups: pd.DataFrame, extra: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Leave out the rows without counts, which have no profile."""
    if (X < 0).to_numpy().any():
        raise InputError("data: counts cannot be negative: method='pca' takes such numbers")
    live = (X > 0).any(axis=1).to_numpy()
    _check_rows(int(live.sum()))
    return X[live], groups[live], extra[live]


def _varying(source: Source, needed: bool, massive: bool) -> tuple[pd.DataFrame, tuple[Any, ...]]:
    """Return the active numbers that vary or have mass, and the names of the others."""
    active = source.active()
    if active.shape[1] == 0:
        if needed:
            raise InputError(_NO_NUMBERS)
        return active, ()
    X = active.to_numpy()
    if np.isinf(X).any():
        row, column = np.argwhere(np.isinf(X))[0]
        where = f"row {row + 1}, column {str(active.columns[column])!r:.60}"
        raise InputError(f"data: infinite value in {where}: correct it or leave the cell empty")
    size = np.abs(X).max(axis=0)
    idle = np.ptp(X / np.where(size > 0, size, 1.0), axis=0) <= 1e-13
    if needed and idle.all():
        raise InputError("data: every active column is constant: give columns whose values differ")
    if massive:
        idle = size == 0
    return active.loc[:, ~idle], tuple(active.columns[idle])


def _complete(source: Source, method: Method) -> tuple[Source, str | None, Sentence | None]:
    """Leave out the rows with missing values, or fill them in where too much would be lost."""
    # Too much is a tenth of the rows, or all rows of a group; counts are never filled in.
    gaps = source.missing()
    if gaps.empty or method.columns == "categories":
        return source, None, None
    whole = source.active().notna().all(axis=1)
    n, left = len(source), int(whole.sum())
    if method.columns == "counts" or n < 5:
        how = "drop-rows" if 2 * left >= n and left >= 3 else "iterative"
        return source.complete(how), how, None
    gone = _groups_lost(source.groups(), whole.to_numpy())
    enough = n - left <= max(_MAX_LOST_SHARE * n, 1) and left >= 3
    how = "drop-rows" if enough and not gone else "iterative"
    lost = None
    if how == "iterative":
        share = {"share": Share((n - left) / n), "names": names(gone, 3)}
        key = "groups" if gone else "rows"
        lost = Sentence(f"claim.data.imputed.{key}", {"n": n - left, "of": n, **share})
    return source.complete(how), how, lost


def _groups_lost(groups: pd.DataFrame, kept: np.ndarray) -> list[str]:
    """Return the groups that have rows, two or more, and none among those that are kept."""
    out = []
    for name in groups.columns if groups.columns.is_unique else ():
        before, after = groups[name].value_counts(), groups[name][kept].value_counts()
        usual = groups[name].notna().mean() >= 0.8  # comments stand in a few rows only
        if len(before) <= _MAX_GROUP_LEVELS and usual:
            out += [str(g) for g in before.index[before > 1] if not after.get(g, 0)]
    return list(dict.fromkeys(out))


def _is_grouping(column: pd.Series) -> bool:
    """Whether a column puts rows together: a name for each row does not."""
    count = column.nunique()
    return bool(1 < count <= max(2, column.notna().sum() // 2))
