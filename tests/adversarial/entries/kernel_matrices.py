"""What takes kernel matrices."""

from __future__ import annotations

import numpy as np

import gramian as gm

from ..cell import Entry
from ..truth import Real, centred
from .common import gram_of, spectrum
from .models import classes, stationary, targets
from .squares import (
    ALL,
    ARGUMENTS,
    NEW,
    ORDER,
    alone,
    beside,
    bounded,
    clipped,
    definite,
    flipped,
    nearest,
    never,
    pre,
    truthful,
)

ENTRIES = [
    Entry(
        "KernelPCA(precomputed).fit",
        lambda x, v: pre().fit(x),
        lambda f, s: spectrum(f, s.inertias),
        ARGUMENTS,
        definite,
    ),
    Entry(
        "KernelPCA(clip).fit",
        lambda x, v: pre(indefinite="clip").fit(x),
        clipped,
        ARGUMENTS,
        definite,
    ),
    Entry(
        "KernelPCA(flip).fit",
        lambda x, v: pre(indefinite="flip").fit(x),
        flipped,
        ARGUMENTS,
        definite,
    ),
    Entry(
        "KernelPCA(krein).fit",
        lambda x, v: pre(indefinite="krein").fit(x),
        lambda f, s: [(f.inertia_, s.inertias.sum())],
        ARGUMENTS,
        definite,
    ),
    Entry(
        "KernelPCA(precomputed).fit_transform",
        lambda x, v: pre().fit_transform(x),
        lambda f, s: [(gram_of(f), centred(s.M))],
        ARGUMENTS,
        definite,
    ),
    Entry(
        "KernelPCA(precomputed).transform",
        lambda x, v: pre().fit(v).transform(x),
        lambda f, s: [(gram_of(f), centred(s.M))],
        ARGUMENTS,
        definite,
        takes=NEW,
        skips=ORDER,
    ),
    Entry(
        "KernelPCA(precomputed).individuals",
        lambda x, v: pre().fit(x).individuals(),
        lambda T, s: [(T["distance2"].to_numpy().ravel(), centred(s.M).diagonal())],
        ARGUMENTS,
        definite,
    ),
    Entry(
        "KernelPCA(Precomputed object).fit",
        lambda x, v: gm.KernelPCA(kernel=gm.kernels.Precomputed(x)).fit(np.arange(len(v))[:, None]),
        lambda f, s: spectrum(f, s.inertias),
        ARGUMENTS,
        never,
    ),
    Entry(
        "KLR(precomputed).fit",
        lambda x, v: (
            gm.KernelLogisticRegression(kernel="precomputed")
            .fit(x, classes(len(v)))
            .predict_proba(v)
        ),
        lambda P, s: stationary(P, s.M, classes(s.n)),
        ARGUMENTS,
        lambda M: definite(M) and 1e-3 < np.abs(M).max() < 1e3,
        loose=100,
    ),
    Entry(
        "PCR(precomputed).fit",
        lambda x, v: (
            gm.PrincipalComponentRegression(1, kernel="precomputed")
            .fit(x, targets(len(v)))
            .predict(v)
        ),
        lambda f, s: [(np.asarray(f, Real).mean(), targets(s.n).mean())],
        ARGUMENTS,
        definite,
        loose=100,
    ),
    Entry(
        "PCC(precomputed).fit",
        lambda x, v: (
            gm.PrincipalComponentClassifier(None, kernel="precomputed", penalty=1.0)
            .fit(x, classes(len(v)))
            .predict_proba(v)
        ),
        lambda P, s: stationary(P, s.M, classes(s.n)),
        ARGUMENTS,
        lambda M: definite(M) and 1e-3 < np.abs(M).max() < 1e3,
        loose=100,
    ),
    Entry(
        "MultiKernelPCA(precomputed).fit",
        lambda x, v: gm.MultiKernelPCA(
            kernels={"a": "precomputed"}, balance=None, combine="mean"
        ).fit({"a": x}),
        lambda f, s: spectrum(f, s.inertias),
        ARGUMENTS + " a kernels",
        definite,
    ),
    Entry("validity.is_psd", lambda x, v: gm.validity.is_psd(x), truthful, "K", bounded),
    Entry("validity.clip", lambda x, v: gm.validity.clip(x), nearest, "K", bounded),
    Entry(
        "validity.flip",
        lambda x, v: gm.validity.flip(x),
        lambda r, s: [beside(r, s, np.sort(np.abs(s.values))[::-1])],
        "K",
        bounded,
    ),
    Entry(
        "validity.shift",
        lambda x, v: gm.validity.shift(x),
        lambda r, s: [beside(r, s, s.values - min(s.values[-1], 0))],
        "K",
        bounded,
    ),
    Entry("validity.nearest_psd", lambda x, v: gm.validity.nearest_psd(x), nearest, "K", bounded),
    Entry(
        "rkhs.alignment(K)",
        lambda x, v: gm.rkhs.alignment(x, v),
        lambda a, s: [(a, alone(s))],
        ALL,
        bounded,
    ),
    Entry(
        "rkhs.alignment(K), second",
        lambda x, v: gm.rkhs.alignment(v, x),
        lambda a, s: [(a, alone(s))],
        ALL,
        bounded,
    ),
    Entry(
        "rkhs.hsic(K)",
        lambda x, v: gm.rkhs.hsic(x, v, n_permutations=0).statistic,
        lambda h, s: [(h + (size := (s.M**2).mean()), (centred(s.M) ** 2).sum() / s.n**2 + size)],
        ALL,
        bounded,
    ),
    Entry(
        "rkhs.rv(K)",
        lambda x, v: gm.rkhs.rv(x, v, n_permutations=0).statistic,
        lambda a, s: [(a, alone(s))],
        ALL,
        bounded,
    ),
    Entry(
        "kernels.graph.Graph",
        lambda x, v: gm.kernels.graph.Graph(x),
        lambda g, s: [(g.n_nodes, s.n)],
        "adjacency X node weight graph",
        never,
    ),
    Entry(
        "networks.Network",
        lambda x, v: gm.networks.Network(x),
        lambda g, s: [(g.adjacency.toarray(), s.M)],
        "adjacency X node weight graph",
        never,
    ),
]
