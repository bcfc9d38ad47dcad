"""What takes kernel matrices and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..cell import Pair
from ..truth import Real, Square, centred, eigenvalues
from .common import padded
from .exceptions import DIAGONAL, SHAPES
from .factors import design, left_out  # noqa: F401
from .models import classes, stationary, targets  # noqa: F401
from .text import read


def bounded(M: Any) -> bool:
    """Whether a matrix is square, of more than two rows, near the unit."""
    return M.ndim == 2 and len(M) > 2


def definite(M: Any) -> bool:
    return bounded(M) and eigenvalues(centred(M.astype(Real)))[-1] >= 0


def truthful(v: Any, s: Square) -> Any:
    """A verdict, where it does not hang on rounding."""
    values = s.values / np.abs(s.values).max() if s.values.any() else s.values
    if values[-1] > 1e-9 or values[-1] < -1e-9:
        yield bool(v), bool(values[-1] > 0)


def euclidean(v: Any, s: Square) -> Any:
    values = s.scaling / np.abs(s.scaling).max() if s.scaling.any() else s.scaling
    if values[-1] < -1e-2 or values[-1] > -1e-13:
        yield bool(v), bool(values[-1] > -1e-2)


def alone(s: Square) -> Any:
    G = centred(s.M)
    size = np.abs(G).max()
    return 1 if size else np.nan


def upper(M: np.ndarray) -> np.ndarray:
    return M[np.triu_indices(len(M), 1)]


def correlation(r: Any, s: Square) -> Any:
    a, b = upper(s.M) / s.M.max(), np.arange(len(upper(s.M)), dtype=Real)
    a, b = a - a.mean(), b - b.mean()
    yield r.statistic, (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())


def ladder(n: int) -> np.ndarray:
    """Distances 0, 1, 2 … over the pairs."""
    D = np.zeros((n, n))
    D[np.triu_indices(n, 1)] = np.arange(n * (n - 1) // 2)
    return D + D.T


def apart(M: Any) -> bool:
    """Whether distances are whole: pairs that differ, and more than two points."""
    return bounded(M) and np.ptp(upper(M)) > 0


def flat(M: np.ndarray) -> bool:
    """Whether points of a Euclidean space have these distances."""
    if not bounded(M) or not M.any():
        return False
    values = Square(M).scaling
    return bool(values[-1] >= -1e-12 * values[0])


def shares(ratios: Any, s: Square) -> list[Pair]:
    """Two equal matrices have the axes of one."""
    want = np.maximum(s.scaling, 0)
    return [(padded(ratios, s.n), want / want.sum())]


def clipped(f: Any, s: Square) -> Any:
    want = np.maximum(s.inertias, 0)
    yield padded(f.eigenvalues_, s.n), want
    yield f.inertia_, want.sum()


def beside(r: Any, s: Square, want: np.ndarray) -> list[Pair]:
    """Eigenvalues of a repaired matrix, to the digits of the largest of the matrix."""
    size = np.abs(s.values).max()
    return [(eigenvalues(np.asarray(r.matrix, Real)) + size, want + size)]


def euclidean_again(r: Any) -> bool:
    least = eigenvalues(Square(r.matrix).squares)[-1]
    return bool(least >= -1e-7 * (np.asarray(r.matrix, Real) ** 2).max())


def held(M: Any) -> bool:
    return bounded(M) and len(M) > 4 and bool(M.any())


def tame(M: Any) -> bool:
    return definite(M) and 1e-3 < np.abs(M).max() < 1e3


ANY = f"{SHAPES},{DIAGONAL},a frame of other columns"
HOLES = "missing distances,NaN on the diagonal"
KERNELS = """
KernelPCA(kernel="precomputed").fit(x) | spectrum(r, t.inertias) | definite
KernelPCA(kernel="precomputed", indefinite="clip").fit(x) | clipped(r, t) | definite
KernelPCA(kernel="precomputed", indefinite="flip").fit(x) | padded(r.eigenvalues_, t.n) ~
    np.sort(np.abs(t.inertias))[::-1] | definite
KernelPCA(kernel="precomputed", indefinite="krein").fit(x) | r.inertia_ ~ t.inertias.sum() |
    definite
KernelPCA(kernel="precomputed").fit_transform(x) | gram_of(r) ~ centred(t.M) | definite
KernelPCA(kernel="precomputed").fit(v).transform(x) | gram_of(r) ~ centred(t.M) | definite |
    takes=NEW, skips=ORDER
KernelPCA(kernel="precomputed").fit(x).individuals() | np.ravel(r["distance2"]) ~
    centred(t.M).diagonal() | definite
KernelPCA(kernel=kernels.Precomputed(x)).fit(np.arange(len(v))[:, None]) | spectrum(r, t.inertias) |
    False
KLR(kernel="precomputed").fit(x, classes(len(v))).predict_proba(v) | stationary(r, t.M,
    classes(t.n)) | tame | loose=100
PCR(1, kernel="precomputed").fit(x, targets(len(v))).predict(v) | np.asarray(r, Real).mean() ~
    targets(t.n).mean() | definite | loose=100
PCC(None, kernel="precomputed", penalty=1.0).fit(x, classes(len(v))).predict_proba(v) |
    stationary(r, t.M, classes(t.n)) | tame | loose=100
MultiKernelPCA(kernels={"a": "precomputed"}, balance=None, combine="mean").fit({"a": x}) |
    spectrum(r, t.inertias) | definite
validity.is_psd(x) | truthful(r, t) | bounded | K
validity.clip(x) | beside(r, t, np.maximum(t.values, 0)) | bounded | K
validity.flip(x) | beside(r, t, np.sort(np.abs(t.values))[::-1]) | bounded | K
validity.shift(x) | beside(r, t, t.values - min(t.values[-1], 0)) | bounded | K
validity.nearest_psd(x) | beside(r, t, np.maximum(t.values, 0)) | bounded | K
rkhs.alignment(x, v) | r ~ alone(t) | bounded
rkhs.alignment(v, x) | r ~ alone(t) | bounded
rkhs.hsic(x, v, n_permutations=0).statistic | r + (size := (t.M ** 2).mean()) ~ (centred(t.M) **
    2).sum() / t.n ** 2 + size | bounded
rkhs.rv(x, v, n_permutations=0).statistic | r ~ alone(t) | bounded
networks.Network(x) | r.adjacency.toarray() ~ t.M | False | adjacency X node weight graph
"""
DISTANCES = """
DISTATIS().fit({"a": v, "b": x}).inertia_ratio_ | shares(r, t) | flat | X b a
DISTATIS().fit_transform({"a": v, "b": x}) | shares(np.asarray((V := eigenvalues(gram_of(r))) /
    V.sum()), t) | flat | X b a
DISTATIS().fit({"a": v, "b": x}).individuals()["distance2"] | np.ravel(r) / np.sum(r) ~
    t.squares.diagonal() / t.squares.trace() | flat | X b a
ecology.permanova(x, design(v), metric="precomputed", n_permutations=9,
    random_state=0).table["r2"]["g"] | 1 + Real(r) ~ 2 - left_out(t.M ** 2) | held | X D A distances
    metric terms
ecology.dbrda(x, design(v), metric="precomputed").r2 | 1 + Real(r) ~ 2 - left_out(t.M ** 2) | held |
    X D A distances metric terms
ClassicalMDS(None, metric="precomputed").fit(x) | padded(r.eigenvalues_, t.n) ~
    np.maximum(t.scaling, 0); r.inertia_ ~ t.scaling.sum() | bounded
ClassicalMDS(None, metric="precomputed").fit_transform(x) | eigenvalues(gram_of(r)) / t.n ~
    np.maximum(t.scaling, 0) | bounded
ClassicalMDS(1, metric="precomputed").fit(v).transform(x) | (np.asarray(r, Real)[:, 0] ** 2).sum() ~
    t.scaling[0] * t.n | bounded | takes=NEW, skips=ORDER, loose=10
ClassicalMDS(None, metric="precomputed", correction="lingoes").fit(x) | np.min(r.eigenvalues_) >= 0
    ~ True | bounded
ClassicalMDS(None, metric="precomputed", correction="cailliez").fit(x) | np.min(r.eigenvalues_) >= 0
    ~ True | bounded
mds(x, metric="precomputed") | stress(r, t.M) | apart | takes=HOLES, loose=10
mds(x, metric="precomputed", scaling="ordinal") | mapped(r) | apart | takes=HOLES
mds(x, metric="precomputed", scaling="interval") | mapped(r) | apart | takes=HOLES
validity.is_euclidean(x) | euclidean(r, t) | bounded
validity.lingoes(x) | euclidean_again(r) ~ True | bounded
validity.cailliez(x) | euclidean_again(r) ~ True | bounded
stability.mantel(x, ladder(len(v)), n_permutations=9, random_state=0) | correlation(r, t) | apart |
    A B
stability.mantel(ladder(len(v)), x, n_permutations=9, random_state=0) | correlation(r, t) | apart |
    A B
schoenberg.power(x, 0.5) | r ~ t.M ** Real(0.5) | | D2, takes=ANY, skips=ORDER
schoenberg.log(x, 2.0) | r ~ np.log1p(t.M / 2) | | D2, takes=ANY, skips=ORDER
schoenberg.rational(x, 2.0) | r ~ t.M / (2 * (2 + t.M)) | | D2, takes=ANY, skips=ORDER
schoenberg.exponential(x, 2.0) | r ~ -np.expm1(-2 * t.M) / 2 | | D2, takes=ANY, skips=ORDER
schoenberg.identity(x) | r ~ t.M | | D2, takes=ANY, skips=ORDER
"""
KERNEL = read(KERNELS, globals(), "X K L matrix kernel first second a kernels")
DISTANCE = read(DISTANCES, globals(), "X D A distances metric")
