"""Scaling, and several kernels, of a hostile table."""

from __future__ import annotations

import numpy as np

import gramian as gm

from ..cell import Entry
from ..truth import centred
from .common import gram_of, padded, spectrum, two_axes, vary
from .fits import city, clean, distance2, mapped, of_kernel, reconstruction, stress

ENTRIES = [
    Entry(
        "ClassicalMDS.fit",
        lambda x, v: gm.ClassicalMDS(None).fit(x),
        lambda f, t: spectrum(f, t.variances),
        fits=vary,
    ),
    Entry(
        "ClassicalMDS.fit_transform",
        lambda x, v: gm.ClassicalMDS(None).fit_transform(x),
        lambda f, t: [(gram_of(f), t.gram)],
        fits=vary,
    ),
    Entry(
        "ClassicalMDS.transform",
        lambda x, v: gm.ClassicalMDS(None).fit(v).transform(x),
        lambda f, t: [(gram_of(f), t.gram)],
        fits=vary,
    ),
    Entry(
        "ClassicalMDS.individuals",
        lambda x, v: gm.ClassicalMDS(None).fit(x).individuals(),
        distance2,
        fits=vary,
    ),
    Entry(
        "ClassicalMDS(cityblock).fit",
        lambda x, v: gm.ClassicalMDS(1, metric="cityblock").fit(x),
        lambda f, t: [(f.eigenvalues_, t.kernel_inertias(-(city(t) ** 2) / 2)[:1])],
        fits=vary,
    ),
    Entry(
        "ClassicalMDS(landmarks).fit",
        lambda x, v: gm.ClassicalMDS(1, landmarks=len(v)).fit(x),
        lambda f, t: [(f.eigenvalues_, t.variances[:1])],
        "X landmarks",
        lambda X: False,
    ),
    Entry("MDS.fit", mapped, stress, fits=two_axes, loose=10),
    Entry(
        "MDS(ordinal).fit",
        lambda x, v: mapped(x, v, scaling="ordinal"),
        lambda f, t: [(0 <= f.stress_ < 1, True), (np.isfinite(f.coordinates_).all(), True)],
        fits=two_axes,
        share=0.3,
    ),
    Entry(
        "MDS(sstress).fit",
        lambda x, v: mapped(x, v, loss="sstress"),
        lambda f, t: [(np.isfinite(f.coordinates_).all(), True), (0 <= f.stress_ < 1, True)],
        fits=two_axes,
        share=0.3,
    ),
    Entry(
        "MDS.transform",
        lambda x, v: mapped(v, v).transform(x),
        lambda f, t: [(np.isfinite(np.asarray(f, float)).all(), True), (f.shape[0], t.n)],
        fits=two_axes,
        share=0.3,
    ),
    Entry(
        "MultiKernelPCA.fit",
        lambda x, v: gm.MultiKernelPCA(kernels={"a": "linear"}, balance=None, combine="mean").fit(
            {"a": x}
        ),
        lambda f, t: spectrum(f, t.variances),
        "X a kernels",
        vary,
    ),
    Entry(
        "MultiKernelPCA(two).fit",
        lambda x, v: gm.MultiKernelPCA(
            kernels={"a": "linear", "b": "gaussian"}, combine="mean"
        ).fit({"a": x, "b": v}),
        of_kernel(
            lambda t: (
                t.gram / t.gram.trace() * t.n / 2
                + centred(t.gaussian) / centred(t.gaussian).trace() * t.n / 2
            )
        ),
        "X a kernels",
        vary,
    ),
    Entry(
        "MultiKernelPCA.transform",
        lambda x, v: (
            gm.MultiKernelPCA(kernels={"a": "linear"}, balance=None, combine="mean")
            .fit({"a": v})
            .transform({"a": x})
        ),
        lambda f, t: [(gram_of(f), t.gram)],
        "X a kernels",
        vary,
    ),
    Entry(
        "MultiKernelPCA(statis).fit",
        lambda x, v: gm.MultiKernelPCA(kernels={"a": "linear", "b": "linear"}).fit(
            {"a": v, "b": x}
        ),
        lambda f, t: [
            (f.inertia_ratio_, padded(t.variances, len(f.inertia_ratio_)) / t.variances.sum())
        ],
        "X b kernels",
        vary,
    ),
    Entry(
        "MDS.fit_transform",
        lambda x, v: gm.MDS(2, n_init=1, max_iter=60, random_state=0).fit_transform(x),
        lambda F, t: [(np.isfinite(np.asarray(F, float)).all(), True), (F.shape[0], t.n)],
        fits=two_axes,
        share=0.3,
    ),
    Entry(
        "MDS.individuals",
        lambda x, v: mapped(x, v).individuals(),
        lambda T, t: [(len(T), t.n)],
        fits=two_axes,
        share=0.3,
    ),
    Entry(
        "MDS.individuals(X)",
        lambda x, v: mapped(v, v).individuals(x),
        lambda T, t: [(len(T), t.n)],
        fits=two_axes,
        share=0.3,
        skips="None",
    ),
    Entry(
        "MDS.shepard",
        lambda x, v: mapped(x, v).shepard(),
        lambda T, t: [(len(T), t.n * (t.n - 1) // 2)],
        fits=two_axes,
        share=0.3,
    ),
    Entry(
        "ClassicalMDS.individuals(X)",
        lambda x, v: gm.ClassicalMDS(None).fit(v).individuals(x),
        distance2,
        fits=vary,
        skips="None",
    ),
    Entry(
        "ClassicalMDS.reconstruction_error(X)",
        lambda x, v: gm.ClassicalMDS(None).fit(v).reconstruction_error(x),
        reconstruction,
        fits=vary,
        skips="None",
    ),
    Entry(
        "MultiKernelPCA.fit_transform",
        lambda x, v: gm.MultiKernelPCA(
            kernels={"a": "linear"}, balance=None, combine="mean"
        ).fit_transform({"a": x}),
        lambda f, t: [(gram_of(f), t.gram)],
        "X a kernels",
        vary,
    ),
    Entry(
        "MultiKernelPCA.individuals",
        lambda x, v: (
            gm.MultiKernelPCA(kernels={"a": "linear"}, balance=None, combine="mean")
            .fit({"a": x})
            .individuals()
        ),
        distance2,
        "X a kernels",
        vary,
    ),
    Entry(
        "MultiKernelPCA.partial",
        lambda x, v: (
            gm.MultiKernelPCA(kernels={"a": "linear", "b": "linear"})
            .fit({"a": x, "b": v})
            .partial()
        ),
        lambda T, t: [(np.isfinite(T.to_numpy(dtype=float)).all(), True)],
        "X a kernels",
        vary,
        share=0.5,
    ),
    Entry(
        "MultiKernelPCA.inverse_transform",
        lambda x, v: (
            gm.MultiKernelPCA(kernels={"a": "linear"}, balance=None, combine="mean")
            .fit({"a": clean(v.shape[1])})
            .inverse_transform(x)
        ),
        lambda f, t: [(len(f) > 0, True)],
        "X Z a kernels method kernel",
        lambda X: False,
    ),
]
