"""The tests of a study, run one after the other: each takes arrays and gives a record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian import evidence
from gramian.embedding import count
from gramian.estimators import protocol
from gramian.estimators.pca import PCA
from gramian.evidence.corrections import holm
from gramian.studies.evidence import Evidence, Parts
from gramian.studies.factor_axes import factor_axes
from gramian.studies.family import Family, family
from gramian.studies.outside import groups_of, numbers_of, over_groupings, p_value, tied_axes
from gramian.studies.subject import FILLED, Subject

__all__ = ["analysed", "gather", "resamples"]

_ROWS = 3_000  # that tests look at
_OBJECTS = 150  # without columns, whose axes are tested
_MIDDLE = 40_000  # numbers, up to which curves take all their draws
_LARGE = 100_000  # numbers, above which fewer tables are drawn
_AXES = 6  # that groups and supplementary columns are held against


def gather(subject: Subject, fit: Any, parts: Parts) -> Evidence:
    """Return the evidence of a table, or what can be had of objects without columns."""
    F = np.asarray(fit.coordinates_, dtype=float)[:, :_AXES]
    if subject.weighted:
        return Evidence(np.arange(subject.n), failures=parts.failures)
    if subject.table is None or not isinstance(fit, PCA):
        return _of_objects(subject, fit, F, parts)
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


def _sample(n: int, seed: int, most: int = _ROWS) -> np.ndarray:
    """Return the rows to test, in their order."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def _of_table(
    subject: Subject, X: np.ndarray, F: np.ndarray, kept: np.ndarray, parts: Parts
) -> Evidence:
    state = parts.take("assumptions", lambda rng: _assumptions(subject, kept, rng))
    rows: dict[str, Any] = {"scheme": "permutation" if state is None else state.scheme}
    if state is not None and state.copies is not None:
        rows["groups_of_copies"] = state.copies.labels
    n_draws = 399 if X.size <= _LARGE else 199
    axes = parts.take("axes", lambda rng: evidence.axes(X, rng=rng, n_draws=n_draws, **rows))
    q = 0 if axes is None else int(axes.n_axes or 0)
    groups = groups_of(subject, X, F, kept, rows, parts)
    # Corrected for other findings, a p-value needs draws enough to be small.
    bends = 199 if X.size <= _MIDDLE else None
    # Rows with many values filled in lie in the middle of all columns: a bend of our making.
    curves = None
    if subject.missing not in FILLED:
        curves = parts.take(
            "curves", lambda rng: evidence.curves(X, F, q, rng=rng, n_draws=bends, **rows)
        )
    found = _family(axes, groups, curves)
    q, p_values = found.n_axes, over_groupings(groups, found)
    numbers = numbers_of(subject, F, kept, rows, parts)
    # Axis 2 stands on the map: what goes with it is told beside the first.
    read = max([q, 2 * (q > 0), *tied_axes(groups, p_values, numbers)])
    return Evidence(
        kept,
        state,
        axes,
        parts.take("rows", lambda rng: evidence.rows(X, max(1, q), rng=rng)),
        _carried(X, max(q, min(2, F.shape[1])), parts),
        parts.take("directions", lambda rng: _directions(subject, X, q, rows["scheme"], rng)),
        parts.take("loadings", lambda rng: evidence.loadings(X, read, rng=rng, **rows))
        if read
        else None,
        groups,
        p_values,
        numbers,
        curves,
        found,
        parts.failures,
    )


def _family(axes: Any, groups: dict[Any, Any], curves: Any) -> Family:
    """Correct what was found for all kinds of findings together."""
    others = {}
    if groups:
        others["groups"] = float(np.min(holm([p_value(g) for g in groups.values()])))
    if curves is not None:
        shapes = {"curves": curves.p_value, "clusters": curves.clusters.p_value}
        others |= {name: float(p) for name, p in shapes.items() if p is not None}
    return family([] if axes is None or axes.n_axes is None else axes.p_values, others)


def _assumptions(subject: Subject, kept: np.ndarray, rng: np.random.Generator) -> Any:
    """Look at the columns as they are: counts are no whole numbers any more when standardised."""
    assert subject.table is not None
    everything = None if subject.everything is None else subject.everything.iloc[kept]
    X = subject.table.to_numpy(dtype=float)[kept]
    return evidence.assumptions(X, everything=everything, rng=rng)


def _directions(
    subject: Subject, X: np.ndarray, q: int, scheme: str, rng: np.random.Generator
) -> Any:
    """Return how axes turn; rows that are no independent draws of one law have no intervals."""
    above = q if scheme == "permutation" else 0
    draws = resamples(subject)
    return evidence.directions(X, max(2, q), above=above, rng=rng, n_resamples=draws)


def _carried(X: np.ndarray, q: int, parts: Parts) -> dict[int, Any]:
    """Return, for each axis above noise or on the map, what one row or two do to it."""

    def all_axes(rng: np.random.Generator) -> dict[int, Any]:
        records = {k: evidence.carried(X, k) for k in range(1, q + 1)}
        return {k: record for k, record in records.items() if record is not None}

    return parts.take("carried", all_axes) or {}


def _of_objects(subject: Subject, fit: Any, F: np.ndarray, parts: Parts) -> Evidence:
    """Return what can be told of distances, graphs, sequences and fits made elsewhere."""
    kept = _sample(subject.n, parts.seed)
    rows = {"scheme": "permutation"}
    axes = parts.take("axes", lambda rng: _axes(subject, fit, parts.seed, rng))
    groups = groups_of(subject, F[kept], F[kept], kept, rows, parts)
    found = _family(axes, groups, None)
    return Evidence(
        kept,
        axes=axes,
        groups=groups,
        group_p_values=over_groupings(groups, found),
        numbers=numbers_of(subject, F[kept], kept, rows, parts),
        family=found,
        failures=parts.failures,
    )


def _axes(subject: Subject, fit: Any, seed: int, rng: np.random.Generator) -> Any:
    """Return the evidence of axes that are not those of PCA."""
    if subject.method in ("ca", "mca", "famd", "mfa"):
        return factor_axes(subject, rng)
    return _kernel_axes(fit, seed, rng)


def _kernel_axes(fit: Any, seed: int, rng: np.random.Generator) -> Any:
    """Return the evidence of the axes of similarities or distances, None where there is none.

    A kernel on the columns of a table asks for another null, in which columns are shuffled.
    """
    if not protocol.takes_square(fit):
        return None
    rows = protocol.rows_and_weights(fit)[0].values
    pick = _sample(count(rows), seed, _OBJECTS)
    some = protocol.between(fit, rows, pick)
    G = some.values if some.kind == "similarity" else -0.5 * some.values**2
    return evidence.kernel_axes(G, n_draws=99, rng=rng)
