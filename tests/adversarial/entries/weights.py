"""What takes weights."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Entry
from ..inputs.base import P, X, changed
from ..truth import Real, Rows
from .common import padded, spectrum
from .factors import correspondence, inertias
from .models import classes, targets

HOLE = changed(np.nan, (0, 0))


def rows(w: Any) -> Rows:
    return Rows(X, w)


def usable(w: Any) -> bool:
    """Whether more than two rows count."""
    return (np.asarray(w) > 0).sum() > 2


def weighted(method: Any) -> Any:
    return lambda w, v: method(sample_weight=w)


def variances(f: Any, w: Any) -> Any:
    return spectrum(f, rows(w).variances)


def distances(f: Any, w: Any) -> Any:
    """Squared distances to the barycentre of the rows that count: the others have more axes."""
    live = np.asarray(w) > 0
    yield (np.asarray(f, Real) ** 2).sum(axis=1)[live], (rows(w).C ** 2).sum(axis=1)[live]


def of_gaussian(f: Any, w: Any) -> Any:
    t = rows(w)
    scale = f.kernel_.scale  # the weighted median is compared where it is the question
    want = np.maximum(t.kernel_inertias(np.exp(-t.d2 / (2 * Real(scale) ** 2))), 0)
    return spectrum(f, want)


def weighted_stationary(P: Any, w: Any) -> Any:
    """Weights multiply each row's part of the likelihood."""
    P, w = np.asarray(P, Real)[:, 1], np.asarray(w, Real)
    logit, pull = np.log(P / (1 - P)), w * (classes(len(P)) - P)
    want = Rows(X).gram @ pull
    want = want - want.mean()
    size = 1 + np.abs(Rows(X).gram).max() * w.max()
    return [(1 + (logit - logit.mean()) / size, 1 + want / size), (pull.sum() / w.sum() + 1, 1)]


def weighted_lines(f: Any, w: Any) -> Any:
    """The fitted values of weighted least squares, by repeating what the weights say."""
    root = np.sqrt(rows(w).weights)
    Z = np.c_[np.ones(len(X)), X].astype(Real)
    y = targets(len(X)).astype(Real)
    residual = (y - np.asarray(f, Real)) * root
    yield 1 + Z.T @ (residual * root) / np.abs(Z).max(), np.ones(P + 1)


def barycentre(f: Any, w: Any) -> Any:
    t = rows(w)
    yield f, np.sqrt((t.C**2).sum(axis=1))


def norm(f: Any, w: Any) -> Any:
    p = rows(w).weights
    yield f, np.sqrt(p @ np.exp(-Rows(X).d2 / 512) @ p)


def column_variances(f: Any, w: Any) -> Any:
    t = Rows(WIDE)
    yield from spectrum(f, t.inertias(t.C * np.sqrt(np.asarray(w, Real))))


def median(f: Any, w: Any) -> Any:
    yield 0 < f < 100, True


WIDE = np.random.default_rng(4).integers(0, 9, (9, 12)).astype(float)
S = "sample_weight weights weight X y"
ENTRIES = [
    Entry(
        "PCA.fit(sample_weight)",
        lambda w, v: gm.PCA().fit(X, sample_weight=w),
        variances,
        S,
        usable,
    ),
    Entry(
        "PCA.fit_transform(sample_weight)",
        lambda w, v: gm.PCA().fit_transform(X, sample_weight=w),
        lambda f, w: distances(f, w),
        S,
        usable,
    ),
    Entry(
        "PCA.partial_fit(sample_weight)",
        lambda w, v: gm.PCA().partial_fit(X, sample_weight=w),
        variances,
        S,
        usable,
    ),
    Entry(
        "PCA(column_weight)",
        lambda w, v: gm.PCA(column_weight=w).fit(WIDE),
        column_variances,
        "column_weight",
        usable,
    ),
    Entry(
        "CA.fit(sample_weight)",
        lambda w, v: gm.CA().fit(X, sample_weight=w),
        lambda f, w: inertias(f, correspondence((np.asarray(w, Real) / max(w))[:, None] * X)),
        S,
        usable,
    ),
    Entry(
        "FAMD.fit(sample_weight)",
        lambda w, v: gm.FAMD().fit(X, sample_weight=w),
        lambda f, w: inertias(f, rows(w).scaled_variances),
        S,
        usable,
    ),
    Entry(
        "missing.impute(sample_weight)",
        lambda w, v: gm.missing.impute(HOLE, 0, sample_weight=w).table[0, 0],
        lambda x, w: [(x, (u := np.asarray(w, Real)[1:] / max(w)) @ X[1:, 0] / u.sum())],
        S,
        usable,
    ),
    Entry(
        "KernelPCA.fit(sample_weight)",
        lambda w, v: gm.KernelPCA().fit(X, sample_weight=w),
        of_gaussian,
        S,
        usable,
    ),
    Entry(
        "KernelPCA(linear).fit(sample_weight)",
        lambda w, v: gm.KernelPCA(kernel="linear").fit(X, sample_weight=w),
        variances,
        S,
        usable,
    ),
    Entry(
        "ClassicalMDS.fit(sample_weight)",
        lambda w, v: gm.ClassicalMDS(None).fit(X, sample_weight=w),
        variances,
        S,
        usable,
    ),
    Entry(
        "MDS.fit(sample_weight)",
        lambda w, v: gm.MDS(n_init=1, max_iter=50, random_state=0).fit(X, sample_weight=w),
        lambda f, w: [(0 <= f.stress_ < 1, True)],
        S,
        usable,
    ),
    Entry(
        "MultiKernelPCA.fit(sample_weight)",
        lambda w, v: gm.MultiKernelPCA(kernels={"a": "linear"}, balance=None, combine="mean").fit(
            {"a": X}, sample_weight=w
        ),
        variances,
        S,
        usable,
    ),
    Entry(
        "KLR.fit(sample_weight)",
        lambda w, v: (
            gm.KernelLogisticRegression(kernel="linear")
            .fit(X, classes(len(X)), sample_weight=w)
            .predict_proba(X)
        ),
        weighted_stationary,
        S,
        lambda w: usable(w) and np.max(w) < 1e3,
        loose=1000,
    ),
    Entry(
        "PCR.fit(sample_weight)",
        lambda w, v: (
            gm.PrincipalComponentRegression(None, kernel="linear")
            .fit(X, targets(len(X)), sample_weight=w)
            .predict(X)
        ),
        weighted_lines,
        S,
        usable,
        loose=1000,
    ),
    Entry(
        "PCC.fit(sample_weight)",
        lambda w, v: (
            gm.PrincipalComponentClassifier(None, kernel="linear", penalty=1.0)
            .fit(X, classes(len(X)), sample_weight=w)
            .predict_proba(X)
        ),
        weighted_stationary,
        S,
        lambda w: usable(w) and np.max(w) < 1e3,
        loose=1000,
    ),
    Entry(
        "KLR.score(sample_weight)",
        lambda w, v: (
            gm.KernelLogisticRegression()
            .fit(X, classes(len(X)))
            .score(X, classes(len(X)), sample_weight=w)
        ),
        lambda s, w: [(0 <= s <= 1, True)],
        S,
        usable,
    ),
    Entry(
        "rkhs.mean_embedding(weights)",
        lambda w, v: gm.rkhs.mean_embedding(gm.kernels.Gaussian(16.0), X, w).norm(),
        norm,
        S,
        usable,
    ),
    Entry(
        "rkhs.distance_to_set(weights)",
        lambda w, v: gm.rkhs.distance_to_set("linear", X, X, w),
        barycentre,
        S,
        usable,
    ),
    Entry(
        "rkhs.mercer(weights)",
        lambda w, v: gm.rkhs.mercer(gm.kernels.Gaussian(16.0), X, 1, weights=w),
        lambda m, w: [(np.asarray(m.eigenvalues).sum() <= 1 + 1e-9, True)],
        S,
        usable,
    ),
    Entry(
        "kernels.median_scale(sample_weight)",
        lambda w, v: gm.kernels.median_scale(X, w),
        median,
        S,
        usable,
    ),
    Entry(
        "dimension.parallel_analysis(sample_weight)",
        lambda w, v: (
            gm.dimension.parallel_analysis(
                X, n_permutations=19, sample_weight=w, random_state=0
            ).eigenvalues
        ),
        lambda e, w: [(padded(e, 1), rows(w).variances[:1])],
        S,
        usable,
    ),
    Entry(
        "dimension.choose(sample_weight)",
        lambda w, v: gm.dimension.choose(X, rules=["kaiser"], sample_weight=w),
        lambda c, w: [(len(c) > 0, True)],
        S,
        usable,
    ),
    Entry(
        "rkhs.Function(coefficients)",
        lambda w, v: gm.rkhs.Function("linear", X, w).norm(),
        lambda f, w: [(f, np.sqrt(((np.asarray(w, Real) @ X) ** 2).sum()))],
        "coefficients weights",
        usable,
        takes="negative,all negative,add up to zero,all zero,negative zeros,a column of them,"
        "two axes",
    ),
]
