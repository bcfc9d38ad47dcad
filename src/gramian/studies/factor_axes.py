"""Axes of questions, of mixed tables and of contingency tables, held against noise of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from gramian.dimension import parallel_analysis
from gramian.evidence import AxesEvidence
from gramian.reading.null import count_axes
from gramian.studies.subject import Subject

__all__ = ["factor_axes"]

_ALPHA = 0.05
_DRAWS, _FEWER = 399, 199
_LARGE = 20_000  # cells of a table of questions, above which fewer draws are made
_CONTINGENCY = "contingency"
_ENOUGH = 4  # axes, of which the last half tells whether individuals were counted independently


def factor_axes(subject: Subject, rng: np.random.Generator) -> AxesEvidence | None:
    """Return the axes above noise; None where no null is known that holds.

    Answers to each question (and numbers) are permuted, and the rows of each group of columns as a
    whole: a common axis is one that groups share. A contingency table is held against tables
    of the same margins whose rows and columns are independent; other counts, of species that come
    in flocks, follow no such law, and those that vary more than it does are not held against it.
    """
    if subject.method in ("mca", "famd"):
        return _drawn(subject, rng, "questions")
    if subject.method == "mfa":
        return _drawn(subject, rng, "grouped")
    if subject.method == "ca" and any(f.kind == _CONTINGENCY for f in subject.findings):
        whole = not (subject.X.to_numpy() % 1).any()
        return _drawn(subject, rng, "margins") if whole else None
    return None


def _drawn(subject: Subject, rng: np.random.Generator, scheme: str) -> AxesEvidence | None:
    estimator = clone(subject.estimator).set_params(n_components=None)
    draws = _DRAWS if subject.X.size <= _LARGE else _FEWER
    result = parallel_analysis(
        subject.X, estimator=estimator, n_permutations=draws, random_state=rng
    )
    level = result.reference["quantile"].to_numpy()
    if scheme == "margins" and _overdispersed(result.eigenvalues, level):
        return None
    return _evidence(result.p_values, level, result.eigenvalues, draws, scheme)


def _overdispersed(seen: np.ndarray, level: np.ndarray) -> bool:
    """Whether the last half of the axes is above noise too, as it is in no table of few axes.

    Structure leaves the last axes where independent counts have them; counts that come in flocks
    raise all. The sum of the levels of 5 % is one that noise reaches less than once in twenty.
    """
    m = np.count_nonzero(level)  # axes beyond the rank of the table are 0 in every draw
    last = slice(m // 2, m)
    return bool(m >= _ENOUGH and seen[last].sum() > level[last].sum())


def _evidence(p: Any, level: Any, seen: Any, draws: int, scheme: str) -> AxesEvidence:
    """Return the axes up to the first that noise reaches, each p-value the largest so far."""
    p = np.maximum.accumulate(np.asarray(p, dtype=float))
    count = count_axes(p, _ALPHA)
    shown = min(count + 1, len(p))
    return AxesEvidence(
        count, p[:shown], 1 / (draws + 1), scheme, level[:shown], seen[:shown], (), _ALPHA
    )
