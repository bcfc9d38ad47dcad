"""PCA of a hostile table: fits, new rows, readings."""

from __future__ import annotations

import numpy as np

import gramian as gm

from ..cell import Entry, Pair
from ..truth import Real, Rows
from .common import cross_gram, gram_of, leading, spectrum, three_rows, two_axes, vary
from .fits import (
    clean,
    column_weighted,
    distance2,
    halves,
    inverse,
    reconstruction,
    squared_cosines,
    undo,
    weighted,
    weights,
)


def likelihood(score: float, t: Rows) -> list[Pair]:
    """The mean log-likelihood of rows under one axis and equal noise, by their variances alone.

    The rows made the law, so that tr(C⁻¹S) counts its directions; without noise it lives on a line.
    """
    lam, m = t.variances * t.n / (t.n - 1), min(t.n, t.p)
    noise = lam[1:].sum() / (m - 1) if m > 1 else Real(0)
    if noise > 1e-9 * lam[0]:
        rest, free = (t.p - 1) * np.log(2 * np.pi * noise), m
    elif noise < 1e-25 * lam[0]:
        rest, free = Real(0), 1
    else:
        return []  # rounding, or noise: nobody can tell
    want = -(np.log(2 * np.pi * lam[0]) + rest + free * Real(t.n - 1) / t.n) / 2
    return [(score / t.p + 100, want / t.p + 100)]


def clean_likelihood(score: float, t: Rows) -> list[Pair]:
    """That of other rows under the covariance of a tame table."""
    A = Rows(clean(t.p))
    C = (A.C.T @ A.C / (A.n - 1)).astype(float)
    Z = (t.X - A.mean).T
    unit = np.abs(Z).max()
    far = (Z / unit * np.linalg.solve(C, (Z / unit).astype(float))).sum(axis=0).mean() * unit * unit
    return [(score, -(t.p * np.log(2 * np.pi) + np.linalg.slogdet(C)[1] + far) / 2)]


ENTRIES = [
    Entry(
        "PCA.fit", lambda x, v: gm.PCA().fit(x), lambda f, t: spectrum(f, t.variances), fits=vary
    ),
    Entry(
        "PCA(2).fit",
        lambda x, v: gm.PCA(2).fit(x),
        lambda f, t: leading(f, t.variances),
        arguments="X n_components",
        fits=two_axes,
    ),
    Entry(
        "PCA(0.9).fit",
        lambda x, v: gm.PCA(0.9).fit(x),
        lambda f, t: leading(f, t.variances),
        fits=vary,
    ),
    Entry(
        "PCA(kaiser).fit",
        lambda x, v: gm.PCA("kaiser").fit(x),
        lambda f, t: leading(f, t.variances),
        fits=vary,
    ),
    Entry(
        "PCA(scale).fit",
        lambda x, v: gm.PCA(scale=True).fit(x),
        lambda f, t: spectrum(f, t.scaled_variances),
        fits=vary,
    ),
    Entry(
        "PCA(krylov).fit",
        lambda x, v: gm.PCA(solver="krylov").fit(x),
        lambda f, t: spectrum(f, t.variances),
        fits=vary,
    ),
    Entry(
        "PCA(dense).fit",
        lambda x, v: gm.PCA(solver="dense").fit(x),
        lambda f, t: spectrum(f, t.variances),
        fits=vary,
    ),
    Entry(
        "PCA.fit weighted",
        lambda x, v: gm.PCA().fit(x, sample_weight=weights(len(v))),
        lambda f, t: spectrum(f, weighted(t).variances),
        "X sample_weight",
        vary,
    ),
    Entry(
        "PCA(column_weight).fit",
        lambda x, v: gm.PCA(column_weight=weights(v.shape[1])).fit(x),
        lambda f, t: spectrum(f, column_weighted(t)),
        "X column_weight",
        vary,
    ),
    Entry(
        "PCA.partial_fit",
        lambda x, v: halves(gm.PCA(), x),
        lambda f, t: spectrum(f, t.variances),
        fits=vary,
    ),
    Entry(
        "PCA.fit blocks",
        lambda x, v: gm.PCA().fit(iter([x, x])),
        lambda f, t: spectrum(f, t.variances),
        fits=vary,
    ),
    Entry(
        "PCA.fit_transform",
        lambda x, v: gm.PCA().fit_transform(x),
        lambda f, t: [(gram_of(f), t.gram)],
        fits=vary,
    ),
    Entry(
        "PCA.transform",
        lambda x, v: gm.PCA().fit(clean(v.shape[1])).transform(x),
        lambda f, t: [(gram_of(f), cross_gram(Rows(clean(t.p)), t.X))],
    ),
    Entry(
        "PCA.transform of the fit",
        lambda x, v: gm.PCA().fit(v).transform(x),
        lambda f, t: [(gram_of(f), t.gram)],
        fits=vary,
    ),
    Entry("PCA.individuals", lambda x, v: gm.PCA().fit(x).individuals(), distance2, fits=vary),
    Entry(
        "PCA.individuals(X)",
        lambda x, v: gm.PCA().fit(v).individuals(x),
        distance2,
        fits=vary,
        skips="None",
    ),
    Entry(
        "PCA.variables",
        lambda x, v: (f := gm.PCA().fit(x), f.variables())[1],
        squared_cosines,
        fits=vary,
        skips="None",
    ),
    Entry(
        "PCA.reconstruction_error",
        lambda x, v: gm.PCA().fit(x).reconstruction_error(),
        reconstruction,
        fits=vary,
    ),
    Entry(
        "PCA.reconstruction_error(X)",
        lambda x, v: gm.PCA().fit(v).reconstruction_error(x),
        reconstruction,
        fits=vary,
        skips="None",
    ),
    Entry("PCA.inverse_transform", undo, inverse, "Z X"),
    Entry(
        "PCA(1).score",
        lambda x, v: gm.PCA(1).fit(x).score(x),
        likelihood,
        "X n_components",
        three_rows,
    ),
    Entry(
        "PCA.score(X)",
        lambda x, v: gm.PCA().fit(clean(v.shape[1])).score(x),
        clean_likelihood,
        "X n_components",
        loose=100,
    ),
    Entry(
        "PCA.summary",
        lambda x, v: str(gm.PCA().fit(x).summary()),
        lambda s, t: [(len(s) > 0, True)],
        fits=vary,
    ),
    Entry(
        "PCA.describe",
        lambda x, v: gm.PCA().fit(x).describe(),
        lambda s, t: [(np.isfinite(s["correlation"]).all() if "correlation" in s else True, True)],
        fits=three_rows,
    ),
]
