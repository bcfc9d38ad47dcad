"""Axes of questions, of mixed tables and of contingency tables, held against noise of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from gramian.dimension import parallel_analysis
from gramian.evidence import AxesEvidence, contingency_axes
from gramian.evidence.contingency_axes import tells_dispersion
from gramian.reading.null import count_axes
from gramian.studies.subject import Subject

__all__ = ["CELLS", "factor_axes"]

_ALPHA = 0.05
_DRAWS, _FEWER = 399, 199
_LARGE = 20_000  # cells of a table of questions, above which fewer draws are made
CELLS = 500_000  # of a contingency table, above which none is drawn


def factor_axes(subject: Subject, rng: np.random.Generator) -> AxesEvidence | None:
    """Return the axes above noise; None where no null is known that holds.

    Answers to each question (and numbers) are permuted, and the rows of each group of columns as a
    whole: a common axis is one that groups share. Counts are held against counts that vary as much
    around their means; in a table too small to tell how much that is, against tables of the same
    margins, which hold for individuals that were counted once. Abundances, of species each of which
    varies in its own way, are held against nothing.
    """
    if subject.method in ("mca", "famd"):
        return _drawn(subject, rng, "questions")
    if subject.method == "mfa":
        return _drawn(subject, rng, "grouped")
    return _of_counts(subject, rng) if subject.method == "ca" else None


def _of_counts(subject: Subject, rng: np.random.Generator) -> AxesEvidence | None:
    N = subject.X.to_numpy(dtype=float)
    abundant = any(found.key == "abundances" for found in subject.findings)
    if abundant or (N % 1).any() or N.size > CELLS:
        return None
    if tells_dispersion(*N.shape):
        return contingency_axes(N, rng=rng)
    return _drawn(subject, rng, "margins")


def _drawn(subject: Subject, rng: np.random.Generator, scheme: str) -> AxesEvidence:
    estimator = clone(subject.estimator).set_params(n_components=None)
    draws = _DRAWS if subject.X.size <= _LARGE else _FEWER
    result = parallel_analysis(
        subject.X, estimator=estimator, n_permutations=draws, random_state=rng
    )
    level = result.reference["quantile"].to_numpy()
    return _evidence(result.p_values, level, result.eigenvalues, draws, scheme)


def _evidence(p: Any, level: Any, seen: Any, draws: int, scheme: str) -> AxesEvidence:
    """Return the axes up to the first that noise reaches, each p-value the largest so far."""
    p = np.maximum.accumulate(np.asarray(p, dtype=float))
    count = count_axes(p, _ALPHA)
    shown = min(count + 1, len(p))
    return AxesEvidence(
        count, p[:shown], 1 / (draws + 1), scheme, level[:shown], seen[:shown], (), _ALPHA
    )
