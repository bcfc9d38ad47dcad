"""Kernel PCA of a hostile table, exact and approximate."""

from __future__ import annotations

import numpy as np

import gramian as gm
from gramian import kernels as k

from ..cell import Entry
from ..truth import Real, Rows, centred
from .common import cross_gram, gram_of, spectrum, three_rows, vary
from .fits import (
    angle,
    both,
    chebyshev,
    city,
    clean,
    feature_distance2,
    first_axes,
    kernel_fit,
    of_kernel,
    parabola,
    returned,
    squared_cosines,
    weighted,
    weights,
)
from .functions import BOOLS, MISSING

ENTRIES = [
    Entry(
        "KernelPCA(linear).fit",
        kernel_fit("linear"),
        lambda f, t: spectrum(f, t.variances),
        fits=vary,
    ),
    Entry("KernelPCA.fit", kernel_fit("gaussian"), of_kernel(lambda t: t.gaussian), fits=vary),
    Entry(
        "KernelPCA(2).fit",
        lambda x, v: gm.KernelPCA(2).fit(x),
        first_axes(lambda t: t.gaussian),
        fits=three_rows,
    ),
    Entry(
        "KernelPCA.fit weighted",
        lambda x, v: gm.KernelPCA(kernel="linear").fit(x, sample_weight=weights(len(v))),
        lambda f, t: spectrum(f, weighted(t).variances),
        "X sample_weight",
        vary,
    ),
    Entry(
        "KernelPCA(krylov).fit",
        lambda x, v: gm.KernelPCA(1, solver="krylov").fit(x),
        first_axes(lambda t: t.gaussian),
        fits=vary,
    ),
    Entry(
        "KernelPCA(memory).fit",
        kernel_fit("gaussian", memory="20MB"),
        of_kernel(lambda t: t.gaussian),
        "X memory",
        vary,
    ),
    Entry(
        "KernelPCA(2 Linear).fit",
        kernel_fit(2 * k.Linear()),
        lambda f, t: spectrum(f, 2 * t.variances),
        fits=vary,
    ),
    Entry(
        "KernelPCA(Linear + Gaussian).fit",
        kernel_fit(k.Linear() + k.Gaussian()),
        of_kernel(both),
        fits=vary,
    ),
    Entry(
        "KernelPCA(Polynomial 1).fit",
        kernel_fit(k.Polynomial(1)),
        lambda f, t: spectrum(f, t.variances),
        fits=vary,
    ),
    Entry(
        "KernelPCA(Polynomial 2).fit",
        kernel_fit(k.Polynomial(2)),
        of_kernel(parabola),
        fits=lambda X: vary(X) and np.abs(X).max() < 1e3,
    ),
    Entry(
        "KernelPCA(Cosine).fit",
        kernel_fit(k.Cosine()),
        of_kernel(angle),
        # Of one column only the sign has a direction.
        fits=lambda X: (
            vary(X)
            and X.shape[1] > 1
            and np.abs(X).max(axis=1).min() > 1e-3
            and np.abs(X).max() < 1e3
        ),
    ),
    Entry(
        "KernelPCA(Laplacian).fit",
        kernel_fit(k.Laplacian()),
        of_kernel(lambda t: np.exp(-city(t) / t.scale)),
        fits=vary,
    ),
    Entry(
        "KernelPCA(Matern).fit",
        kernel_fit(k.Matern(1.5)),
        of_kernel(lambda t: (1 + (r := np.sqrt(3 * t.d2) / t.scale)) * np.exp(-r)),
        fits=vary,
    ),
    Entry(
        "KernelPCA(RationalQuadratic).fit",
        kernel_fit(k.RationalQuadratic()),
        of_kernel(lambda t: 1 / (1 + t.d2 / (2 * t.scale**2))),
        fits=vary,
    ),
    Entry(
        "KernelPCA(Columns).fit",
        kernel_fit(k.Columns(k.Linear(), [0])),
        lambda f, t: spectrum(f, t.inertias(t.C[:, :1])),
        fits=lambda X: vary(X[:, :1]),
    ),
    Entry(
        "KernelPCA(callable).fit",
        kernel_fit(chebyshev),
        lambda f, t: [
            (
                f.inertia_,
                centred(np.exp(-np.abs(t.X[:, None] - t.X[None]).max(axis=2) / 64)).trace() / t.n,
            )
        ],
        "X kernel",
        lambda X: False,
    ),
    Entry(
        "KernelPCA(FromDistance).fit",
        kernel_fit(k.FromDistance("cityblock", 40.0), indefinite="krein"),
        lambda f, t: [(f.inertia_, centred(np.exp(-((city(t) / 40) ** 2) / 2)).trace() / t.n)],
        fits=lambda X: vary(X) and 1 < np.abs(X).max() < 1e3,
    ),
    Entry(
        "KernelPCA(span).fit_transform",
        lambda x, v: gm.KernelPCA(formulation="span").fit_transform(x),
        lambda f, t: [
            (gram_of(np.asarray(f, Real) - np.asarray(f, Real).mean(axis=0)), centred(t.gaussian))
        ],
        fits=vary,
    ),
    Entry(
        "KernelPCA.fit_transform",
        lambda x, v: gm.KernelPCA().fit_transform(x),
        lambda f, t: [(gram_of(f), centred(t.gaussian))],
        fits=vary,
    ),
    Entry(
        "KernelPCA.transform",
        lambda x, v: gm.KernelPCA().fit(v).transform(x),
        lambda f, t: [(gram_of(f), centred(t.gaussian))],
        fits=vary,
    ),
    Entry(
        "KernelPCA(linear).transform",
        lambda x, v: gm.KernelPCA(kernel="linear").fit(clean(v.shape[1])).transform(x),
        lambda f, t: [(gram_of(f), cross_gram(Rows(clean(t.p)), t.X))],
    ),
    Entry(
        "KernelPCA.individuals",
        lambda x, v: gm.KernelPCA().fit(x).individuals(),
        lambda T, t: feature_distance2(T, t, t.gaussian),
        fits=vary,
    ),
    Entry(
        "KernelPCA.individuals(X)",
        lambda x, v: gm.KernelPCA().fit(v).individuals(x),
        lambda T, t: feature_distance2(T, t, t.gaussian),
        fits=vary,
        skips="None",
    ),
    Entry(
        "KernelPCA.reconstruction_error(X)",
        lambda x, v: gm.KernelPCA().fit(v).reconstruction_error(x),
        lambda e, t: [(e.total.iloc[0], centred(t.gaussian).trace() / t.n)],
        fits=vary,
        skips="None",
    ),
    Entry(
        "KernelPCA.axes",
        lambda x, v: gm.KernelPCA(1).fit(x).axes()[0].norm(),
        lambda norm, t: [(norm, 1)],
        fits=vary,
    ),
    Entry(
        "KernelPCA(Nystrom).fit",
        lambda x, v: gm.KernelPCA(approximation=gm.Nystrom(len(v))).fit(x),
        of_kernel(lambda t: t.gaussian),
        "X rank landmarks",
        lambda X: three_rows(X) and len(X) < 100,
    ),
    Entry(
        "KernelPCA(refine).fit",
        lambda x, v: gm.KernelPCA(1, approximation=gm.Nystrom(3, refine=True)).fit(x),
        first_axes(lambda t: t.gaussian),
        "X rank landmarks",
        lambda X: len(X) > 5 and vary(X),
    ),
    Entry(
        "KernelPCA(landmarks=X).fit",
        lambda x, v: gm.KernelPCA(approximation=gm.Nystrom(len(v), landmarks=x)).fit(v),
        of_kernel(lambda t: t.gaussian),
        "landmarks X rank",
        lambda X: False,
        takes="a range,an Index",  # row numbers
    ),
    Entry(
        "KernelPCA.inverse_transform",
        lambda x, v: gm.KernelPCA(kernel="linear").fit(clean(v.shape[1])).inverse_transform(x),
        returned,
        "Z X",
    ),
    Entry(
        "Nystrom.fit_transform",
        lambda x, v: gm.Nystrom(len(v)).fit_transform(x),
        lambda f, t: [(gram_of(f), t.gaussian)],
        "X rank landmarks",
        vary,
    ),
    Entry(
        "Nystrom.transform",
        lambda x, v: gm.Nystrom(len(v)).fit(v).transform(x),
        lambda f, t: [(gram_of(f), t.gaussian)],
        "X rank landmarks",
        vary,
    ),
    Entry(
        "RandomFourier.transform",
        lambda x, v: (
            (g := gm.RandomFourier(50, random_state=0).fit(v)).transform(x),
            g.transform(v),
        ),
        lambda f, t: [
            (f[0], f[1]),
            ((np.asarray(f[0], Real) ** 2).sum(axis=1) < 2.5, np.full(t.n, True)),
        ],
        fits=vary,
    ),
    Entry(
        "Nystrom.fit",
        lambda x, v: gm.Nystrom(len(v)).fit(x).transform(v),
        lambda f, t: [(gram_of(f), t.gaussian)],
        "X rank landmarks",
        vary,
    ),
    Entry(
        "RandomFourier.fit",
        lambda x, v: (
            gm.RandomFourier(9, random_state=0).fit(x).transform(v),
            gm.RandomFourier(9, random_state=0).fit(v).transform(v),
        ),
        lambda f, t: [f],
        fits=vary,
    ),
    Entry(
        "RandomFourier.fit_transform",
        lambda x, v: (
            gm.RandomFourier(9, random_state=0).fit_transform(x),
            gm.RandomFourier(9, random_state=0).fit_transform(v),
        ),
        lambda f, t: [f],
        fits=vary,
    ),
    Entry(
        "KernelPCA.summary",
        lambda x, v: str(gm.KernelPCA().fit(x).summary()),
        lambda s, t: [(len(s) > 0, True)],
        fits=vary,
        share=0.3,
    ),
    Entry(
        "KernelPCA.variables(table)",
        lambda x, v: gm.KernelPCA(kernel="linear").fit(v).variables(x),
        squared_cosines,
        "table X",
        three_rows,
        takes=f"pandas,polars,pyarrow,{MISSING}",
        skips=f"None,{BOOLS}",
    ),
]
