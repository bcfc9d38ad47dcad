"""PCA, kernel PCA, scaling, kernels, distances, feature space, studies: of a hostile table."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Pair
from ..truth import Real, Rows
from .common import clean, leading, manhattan, padded, two_axes
from .text import read


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


def gower(fit: Any, t: Rows) -> Any:
    """The axes of 1 − the mean of |x − y|/range, where every column has a range."""
    if not t.varies.all():
        return []
    U = (t.X - t.X[0]) / np.ptp(t.X, axis=0)
    return leading(fit, np.maximum(t.kernel_inertias(-manhattan(U) / t.p), 0))


def within_bound(fit: Any, t: Rows) -> list[Pair]:
    """What was left out is as much as is said: Σ(√λ − √μ)² ≤ ε·mean k(x, x), k(x, x) = 1."""
    scale = Real(fit.kernel_.scale)
    want = np.maximum(t.kernel_inertias(np.exp(-t.d2 / (2 * scale * scale))), 0)
    got = np.zeros(len(want))
    got[: len(fit.eigenvalues_)] = np.maximum(fit.eigenvalues_, 0)
    gap = ((np.sqrt(want) - np.sqrt(got)) ** 2).sum()
    return [(gap <= fit.approximation_error_ + 1e-9, True)]


LINEAR = {"kernels": {"a": "linear"}, "balance": None, "combine": "mean"}
S = 16.0  # a scale beside numbers up to 40


def matern(t: Rows, nu: float) -> np.ndarray:
    r = np.sqrt(2 * nu * t.d2) / S
    return (1 + r + (r**2 / 3 if nu == 2.5 else 0)) * np.exp(-r)


GAUSS = gm.kernels.Gaussian(S)


def gauss(t: Rows) -> np.ndarray:
    return np.exp(-t.d2 / 512)


def unbiased(t: Rows) -> Any:
    """MMD² of the table and its rows shifted by one place, leaving out k(x, x)."""
    K, n = gauss(t), t.n
    off = K[~np.eye(n, dtype=bool)].sum() / (n * (n - 1))
    return 2 * off - 2 * K.mean()


def cosine(G: np.ndarray, H: np.ndarray) -> Any:
    g, h = np.abs(G).max(), np.abs(H).max()
    G, H = G / g, H / h
    return (G * H).sum() / np.sqrt((G * G).sum() * (H * H).sum())


def turned(v: np.ndarray) -> np.ndarray:
    """The columns in another order, one of them mirrored: the same configuration."""
    return np.asarray(v, float)[:, ::-1] * np.where(np.arange(v.shape[1]) == 0, -1, 1)


def sticks(values: np.ndarray, m: int) -> int:
    """The axes before the first that is shorter than the piece of a broken stick."""
    pieces = np.cumsum(1 / np.arange(m, 0, -1.0))[::-1] / m
    longer = padded(values, m) / values.sum() > pieces
    return int(np.argmin(longer)) if not longer.all() else m


def threshold(q: Any, values: np.ndarray) -> list[Pair]:
    """The axes that reach a share of 0.8, where that does not hang on the last digit."""
    shares = np.cumsum(values) / values.sum()
    return [(int(q), (shares < 0.8).sum() + 1)] if (np.abs(shares - 0.8) > 1e-9).all() else []


def kaiser(q: Any, values: np.ndarray, m: int) -> list[Pair]:
    """The axes above the mean of m, where none is at it."""
    shares = values / values.sum() * m
    return [(int(q), max(int((shares > 1).sum()), 1))] if (np.abs(shares - 1) > 1e-9).all() else []


def descending(values: Any) -> np.ndarray:
    return np.sort(np.asarray(values, np.longdouble))[::-1]


def several(v: Any) -> bool:
    return len(v) > 3 and np.ptp(v) > 0


def at_unit(v: Any) -> np.ndarray:
    """The numbers around zero and near one, in doubles."""
    t = Rows(v)
    size = np.abs(t.C).max()
    return (t.C / (2.0 ** np.round(np.log2(size)) if size else 1)).astype(float)


def long(X: np.ndarray) -> bool:
    return two_axes(X) and len(X) > X.shape[1] + 3 and len(X) < 100


def angles(r: Any) -> np.ndarray:
    """Return the angles of axes in degrees; the tenth digit of one that is none is rounding."""
    return r.axes[["angle", "subspace"]].to_numpy(dtype=float).round(9)


# The numbers are moved and scaled to the unit, which changes none of the answers of a study.
def same(both: Any, t: Rows, *read: Any, axes: bool = False) -> list[Pair]:
    """Pairs of readings, where no axis is rounding; of `axes`, where none is tied to another."""
    m = min(t.n - 1, t.p)
    clear = m > 1 and t.variances[m - 1] > 1e-8 * t.variances[0]
    gaps = -np.diff(t.variances[:m])
    clear = clear and not (axes and (gaps < 1e-8 * t.variances[0]).any())
    return [(r(both[0]), r(both[1])) for r in read] if clear else []


TRUTHS = """
PCA().fit(x) | spectrum(r, t.variances) | vary
PCA(2).fit(x) | leading(r, t.variances) | two_axes | X n_components
PCA(0.9).fit(x) | leading(r, t.variances) | vary
PCA("kaiser").fit(x) | leading(r, t.variances) | vary
PCA(scale=True).fit(x) | spectrum(r, t.scaled_variances) | vary
PCA(solver="krylov").fit(x) | spectrum(r, t.variances) | vary
PCA(solver="dense").fit(x) | spectrum(r, t.variances) | vary
PCA().fit(x, sample_weight=weights(len(v))) | spectrum(r, Rows(t.X, weights(t.n)).variances) | vary
    | X sample_weight
PCA(column_weight=weights(v.shape[1])).fit(x) | spectrum(r, t.inertias(t.C * np.sqrt(weights(t.p))))
    | vary | X column_weight
PCA().partial_fit(x).partial_fit(x) | spectrum(r, t.variances) | vary
PCA().fit(iter([x, x])) | spectrum(r, t.variances) | vary
PCA().fit_transform(x) | gram_of(r) ~ t.gram | vary
PCA().fit(clean(v.shape[1])).transform(x) | gram_of(r) ~ gram_of(t.X - Rows(clean(t.p)).mean)
PCA().fit(v).transform(x) | gram_of(r) ~ t.gram | vary
PCA().fit(x).individuals() | distance2(r, t) | vary
PCA().fit(v).individuals(x) | distance2(r, t) | vary | skips="None"
PCA().fit(x).variables() | squared_cosines(r, t) | vary | skips="None"
PCA().fit(x).reconstruction_error() | reconstruction(r, t) | vary
PCA().fit(v).reconstruction_error(x) | reconstruction(r, t) | vary | skips="None"
((f := PCA().fit(clean(v.shape[1]))), f.inverse_transform(x)) | r[1] ~ t.X @ r[0].components_ +
    r[0].mean_ | | Z X
PCA(1).fit(x).score(x) | likelihood(r, t) | three_rows | X n_components
PCA().fit(clean(v.shape[1])).score(x) | clean_likelihood(r, t) | | X n_components, loose=100
KernelPCA(kernel="linear").fit(x) | spectrum(r, t.variances) | vary
KernelPCA().fit(x) | of_gram(r, t, t.gaussian) | vary
KernelPCA(2).fit(x) | leading(r, t.kernel_inertias(t.gaussian)) | three_rows
KernelPCA(kernel="linear").fit(x, sample_weight=weights(len(v))) | spectrum(r, Rows(t.X,
    weights(t.n)).variances) | vary | X sample_weight
KernelPCA(1, solver="krylov").fit(x) | leading(r, t.kernel_inertias(t.gaussian)) | vary
KernelPCA(memory="20MB").fit(x) | of_gram(r, t, t.gaussian) | vary | X memory
KernelPCA(kernel=2 * k.Linear()).fit(x) | spectrum(r, 2 * t.variances) | vary
KernelPCA(kernel=k.Linear() + k.Gaussian()).fit(x) | of_gram(r, t, t.gram + t.gaussian) | vary
KernelPCA(kernel=k.Polynomial(1)).fit(x) | spectrum(r, t.variances) | vary
KernelPCA(kernel=k.Polynomial(2)).fit(x) | of_gram(r, t, parabola(t)) | vary(v) and np.abs(v).max()
    < 1e3
KernelPCA(kernel=k.Cosine()).fit(x) | of_gram(r, t, -squared_distances(d := directions(t), d) / 2) |
    steady(v) and v.shape[1] > 1 and np.abs(v).max(axis=1).min() > 1e-3
KernelPCA(kernel=k.Laplacian()).fit(x) | of_gram(r, t, np.exp(-manhattan(t.X) / t.scale)) | vary
KernelPCA(kernel=k.Matern(1.5)).fit(x) | of_gram(r, t, (1 + (u := np.sqrt(3 * t.d2) / t.scale)) *
    np.exp(-u)) | vary
KernelPCA(kernel=k.RationalQuadratic()).fit(x) | of_gram(r, t, 1 / (1 + t.d2 / (2 * t.scale ** 2)))
    | vary
KernelPCA(kernel=k.Columns(k.Linear(), [0])).fit(x) | spectrum(r, t.inertias(t.C[:, :1])) |
    vary(v[:, :1])
KernelPCA(kernel=chebyshev).fit(x) | r.inertia_ ~ centred(chebyshev(t.X, t.X)).trace() / t.n | False
    | X kernel
KernelPCA(kernel=k.FromDistance("cityblock", 40.0), indefinite="krein").fit(x) | r.inertia_ ~
    centred(np.exp(-(manhattan(t.X) / 40) ** 2 / 2)).trace() / t.n | vary(v) and 1 < np.abs(v).max()
    < 1e3
KernelPCA(formulation="span").fit_transform(x) | centred(gram_of(r)) ~ centred(t.gaussian) | vary
KernelPCA().fit_transform(x) | gram_of(r) ~ centred(t.gaussian) | vary
KernelPCA().fit(v).transform(x) | gram_of(r) ~ centred(t.gaussian) | vary
KernelPCA(kernel="linear").fit(clean(v.shape[1])).transform(x) | gram_of(r) ~ gram_of(t.X -
    Rows(clean(t.p)).mean)
KernelPCA().fit(x).individuals() | np.ravel(r["distance2"]) ~ centred(t.gaussian).diagonal() | vary
KernelPCA().fit(v).individuals(x) | np.ravel(r["distance2"]) ~ centred(t.gaussian).diagonal() | vary
    | skips="None"
KernelPCA().fit(v).reconstruction_error(x) | r.total.iloc[0] ~ centred(t.gaussian).trace() / t.n |
    vary | skips="None"
KernelPCA(1).fit(x).axes()[0].norm() | r ~ 1 | vary
KernelPCA(approximation=Nystrom(len(v))).fit(x) | of_gram(r, t, t.gaussian) | three_rows(v) and
    len(v) < 100 | X rank landmarks
KernelPCA(1, approximation=Nystrom(3, refine=True)).fit(x) | leading(r,
    t.kernel_inertias(t.gaussian)) | len(v) > 5 and vary(v) | X rank landmarks
KernelPCA(approximation=Nystrom(len(v), landmarks=x)).fit(v) | of_gram(r, t, t.gaussian) | False |
    landmarks X rank, takes="a range,an Index"
KernelPCA(kernel="linear").fit(clean(v.shape[1])).inverse_transform(x) | returned(r, t) | | Z X
Nystrom(len(v)).fit_transform(x) | gram_of(r) ~ t.gaussian | vary | X rank landmarks
Nystrom(len(v)).fit(v).transform(x) | gram_of(r) ~ t.gaussian | vary | X rank landmarks
((g := RandomFourier(50, random_state=0).fit(v)).transform(x), g.transform(v)) | r[0] ~ r[1];
    (np.asarray(r[0], Real) ** 2).sum(axis=1) < 2.5 ~ np.full(t.n, True) | vary
Nystrom(len(v)).fit(x).transform(v) | gram_of(r) ~ t.gaussian | vary | X rank landmarks
[RandomFourier(9, random_state=0).fit(a).transform(v) for a in (x, v)] | r[0] ~ r[1] | vary
[RandomFourier(9, random_state=0).fit_transform(a) for a in (x, v)] | r[0] ~ r[1] | vary
KernelPCA(kernel="linear").fit(v).variables(x) | squared_cosines(r, t) | three_rows | table X,
    takes=f"{FRAMES},{MISSING}", skips=f"None,{BOOLS}"
KernelPCA(approximation=Nystrom(len(v))).partial_fit(x) | within_bound(r, t) | False | X
    approximation rank
KernelPCA(kernel=kernels.Gower()).fit(x) | gower(r, t) | vary | takes=LEVELS
ClassicalMDS(None).fit(x) | spectrum(r, t.variances) | vary
ClassicalMDS(None).fit_transform(x) | gram_of(r) ~ t.gram | vary
ClassicalMDS(None).fit(v).transform(x) | gram_of(r) ~ t.gram | vary
ClassicalMDS(None).fit(x).individuals() | distance2(r, t) | vary
ClassicalMDS(1, metric="cityblock").fit(x) | r.eigenvalues_ ~ t.kernel_inertias(-manhattan(t.X) ** 2
    / 2)[:1] | vary
ClassicalMDS(1, landmarks=len(v)).fit(x) | r.eigenvalues_ ~ t.variances[:1] | False | X landmarks
mds(x) | stress(r, np.sqrt(t.d2)) | two_axes | loose=10
mds(x, scaling="ordinal") | mapped(r) | two_axes | share=0.3
mds(x, loss="sstress") | mapped(r) | two_axes | share=0.3
MultiKernelPCA(**LINEAR).fit({"a": x}) | spectrum(r, t.variances) | vary | X a kernels
MultiKernelPCA(kernels={"a": "linear", "b": "gaussian"}, combine="mean").fit({"a": x, "b": v}) |
    of_gram(r, t, (unit(t.gram) + unit(centred(t.gaussian))) * t.n / 2) | vary | X a kernels
MultiKernelPCA(**LINEAR).fit({"a": v}).transform({"a": x}) | gram_of(r) ~ t.gram | vary | X a
    kernels
MultiKernelPCA(kernels={"a": "linear", "b": "linear"}).fit({"a": v, "b": x}) | ratios(r, t) | vary |
    X b kernels
ClassicalMDS(None).fit(v).individuals(x) | distance2(r, t) | vary | skips="None"
ClassicalMDS(None).fit(v).reconstruction_error(x) | reconstruction(r, t) | vary | skips="None"
MultiKernelPCA(**LINEAR).fit_transform({"a": x}) | gram_of(r) ~ t.gram | vary | X a kernels
MultiKernelPCA(**LINEAR).fit({"a": x}).individuals() | distance2(r, t) | vary | X a kernels
k.median_scale(x) | r ~ t.scale | vary
distances.squared_euclidean(x) | r ~ t.d2
distances.squared_euclidean(v, x) | r ~ t.d2 | | X Y, skips="None"
distances.euclidean(x) | r ~ np.sqrt(t.d2)
distances.euclidean(x, v[:1]) | r ~ np.sqrt(squared_distances(t.X, t.X[:1])) | | X Y
distances.pairwise(x, metric="cityblock") | r ~ manhattan(t.X) | | X metric
distances.pairwise(v, x, metric="chebyshev") | r ~ np.abs(t.X[:, None] - t.X[None]).max(axis=2) | |
    X Y, skips="None"
distances.bray_curtis(x) | r ~ np.nan_to_num(manhattan(t.X) / (t.X[:, None] +
    t.X[None]).sum(axis=2)) | (v >= 0).all() and (v.sum(axis=1) > 0).all()
distances.gower(x) | [(r, manhattan((t.X - t.X[0]) / np.ptp(t.X, axis=0)) / t.p)] if t.varies.all()
    else [] | vary | takes=MIXED
"""


# kernel | values | which plain inputs fit: what a function of the user does is its own business
FORMULAS = """
k.Linear() | t.X @ t.X.T
k.Polynomial(2, 1.0, 0.5) | (t.X @ t.X.T / 2 + 1) ** 2
k.Gaussian(S) | np.exp(-t.d2 / (2 * S**2))
k.Exponential(S) | np.exp(-np.sqrt(t.d2) / S)
k.Laplacian(S) | np.exp(-manhattan(t.X) / S)
k.Matern(1.5, S) | matern(t, 1.5)
k.Matern(2.5, S) | matern(t, 2.5)
k.RationalQuadratic(S, 2.0) | (1 + t.d2 / (4 * S**2)) ** -2
k.Cosine() | gram_of(directions(t))
k.Sigmoid(0.01) | np.tanh(t.X @ t.X.T * Real(0.01))
(k.Gaussian(S) + 2 * k.Linear()) | np.exp(-t.d2 / (2 * S**2)) + 2 * t.X @ t.X.T
(k.Gaussian(S) * k.Linear()) | np.exp(-t.d2 / (2 * S**2)) * (t.X @ t.X.T)
(k.Linear() ** 2) | (t.X @ t.X.T) ** 2
k.Polynomial(2).normalized() | (K := (t.X @ t.X.T + 1) ** 2) / np.outer(d := K.diagonal() ** 0.5, d)
k.FromDistance("cityblock", S) | np.exp(-(manhattan(t.X) ** 2) / (2 * S**2))
k.Columns(k.Linear(), [0]) | np.outer(t.X[:, 0], t.X[:, 0])
k.Callback(lambda A, B: np.asarray(A) @ np.asarray(B).T) | t.X @ t.X.T | False
k.Linear().on(lambda X: X[:, :1]) | np.outer(t.X[:, 0], t.X[:, 0]) | False
"""
VALUES = """
{0}.pairwise(x) | r ~ {1} | {2}
{0}.pairwise(v, x) | r ~ {1} | {2} | skips="None"
{0}.diag(x) | r ~ ({1}).diagonal() | {2}
"""
KERNELS = "".join(
    VALUES.format(*f"{row} | steady".split(" | ")) for row in FORMULAS.split("\n") if row
)
ENTRIES = read(TRUTHS, globals()) + read(
    KERNELS, globals(), "X Y kernel function mapping metric scale"
)
STUDIES = """
rkhs.distance(GAUSS, x) | r ~ np.sqrt(np.maximum(-2 * np.expm1(-t.d2 / 512), 0)) | steady
rkhs.distance("linear", v, x) | r ~ np.sqrt(t.d2) | | X Y, skips="None"
rkhs.distance_to_set("linear", x, v) | r ~ np.sqrt(t.gram.diagonal()) | vary | X S
rkhs.distance_to_set("linear", v, x) | r ~ np.sqrt(t.gram.diagonal()) | vary | X S
rkhs.mean_embedding(GAUSS, x).norm() | r ~ np.sqrt(gauss(t).mean()) | steady | X points
rkhs.Function(GAUSS, x, np.ones(len(v))).norm() | r ~ np.sqrt(gauss(t).sum()) | steady | X points
rkhs.Function(GAUSS, v, np.ones(len(v)))(x) | r ~ gauss(t).sum(axis=1) | steady | X points
rkhs.mercer(GAUSS, x, 1) | r.eigenvalues ~ padded(eigenvalues(gauss(t)) / t.n, len(r.eigenvalues)) |
    steady
rkhs.mmd(GAUSS, x, v, n_permutations=0).statistic | r + 1 ~ unbiased(t) + 1 | steady(v) and len(v) >
    2 | X Y
rkhs.mmd("linear", v, x, n_permutations=9, random_state=0) | 0 < r.p_value <= 1 ~ True | three_rows
    | X Y
rkhs.hsic("gaussian", "gaussian", x, v, n_permutations=0).statistic | r ~ (centred(t.gaussian) **
    2).sum() / t.n ** 2 | three_rows | X Y
rkhs.rv("linear", "gaussian", x, n_permutations=0).statistic | r ~ cosine(t.gram,
    centred(t.gaussian)) | three_rows | X Y
rkhs.alignment("linear", "linear", x, v) | r ~ 1 | three_rows | X Y
stability.procrustes(x, turned(v)) | r.fitted ~ t.X; r.statistic + t.gram.trace() ~ t.gram.trace() |
    vary | X Y, loose=100
stability.procrustes(turned(v), x, symmetric=True).statistic | 1 + r ~ 1 | vary | X Y
stability.protest(x, turned(v), n_permutations=9, random_state=0).statistic | r ~ 1 | three_rows | X
    Y
dimension.threshold(x, 0.8) | threshold(r, t.variances) | vary | X source, skips=AXIS
dimension.kaiser(x) | kaiser(r, t.variances, int(t.varies.sum())) | vary | X source, skips=AXIS
networks.infer(x, shrinkage=0.0, threshold=1e-9) | r.adjacency.toarray() + np.diag(t.varies) ~ t.Z.T
    @ t.Z / t.n | two_axes(v) and (np.ptp(v, axis=0) > 0).all() and len(v) > 4 and v.shape[1] > 2
[dimension.parallel_analysis(a, n_permutations=19, random_state=0) for a in (x, at_unit(v))] |
    same(r, t, lambda r: r.n_components, lambda r: r.p_values) | long | X source, skips=AXIS,
    share=0.5
[dimension.kernel_parallel_analysis(a, n_permutations=19, random_state=0) for a in (x, at_unit(v))]
    | same(r, t, lambda r: r.n_components) | long | share=0.2
[dimension.cross_validation(a) for a in (x, at_unit(v))] | same(r, t, lambda r: r.n_components) |
    long | share=0.5
[dimension.bi_cross_validation(a, n_repeats=2, random_state=0) for a in (x, at_unit(v))] | same(r,
    t, lambda r: r.n_components) | False | X n_folds, share=0.3
[dimension.choose(a, quick=True, n_permutations=19, random_state=0) for a in (x, at_unit(v))] |
    same(r, t, lambda r: r.iloc[:, 0].to_numpy(dtype=float)) | long | X source, skips=AXIS,
    share=0.2
[stability.bootstrap(PCA(2), a, n_resamples=5, random_state=0) for a in (x, at_unit(v))] | same(r,
    t, angles, axes=True) | long | X n_components, share=0.3, loose=1e3
[stability.jackknife(PCA(2), a) for a in (x, at_unit(v))] | same(r, t, angles, axes=True) | long | X
    n_components, share=0.3, loose=1e3
[kernels.select(a, ["linear", "gaussian"], n_permutations=3, random_state=0) for a in (x,
    at_unit(v))] | same(r, t, lambda r: r.table["effective_rank"].to_numpy(dtype=float)) | long |
    share=0.3
PCA().fit(v).variables(x) | squared_cosines(r, t) | three_rows | table X,
    takes=f"{FRAMES},{MISSING}", skips=f"None,{BOOLS}"
"""
SPECTRA = """
dimension.threshold(x, 0.8) | threshold(r, descending(t)) | several
dimension.kaiser(x) | kaiser(r, descending(t), len(t)) | several
dimension.kaiser(x, variant="karlis", n_samples=50) | 0 <= int(r) <= len(t) ~ True | several
dimension.broken_stick(x) | int(r) ~ sticks(descending(t), len(t)) | several
"""
ENTRIES += read(STUDIES, globals())
EIGENVALUES = read(SPECTRA, globals(), "source eigenvalues X values")
