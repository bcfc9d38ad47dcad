"""The feature space, configurations, numbers of axes: functions of a hostile table."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm
from gramian import kernels as k

from ..cell import Entry
from ..truth import Rows, centred, eigenvalues
from .common import padded, steady, three_rows, two_axes, vary

S = 16.0
GAUSS = k.Gaussian(S)


def gauss(t: Rows) -> np.ndarray:
    return np.exp(-t.d2 / (2 * S**2))


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


def reach(values: np.ndarray, share: float) -> int:
    return int(np.searchsorted(np.cumsum(values) / values.sum(), share - 1e-12)) + 1


def sticks(values: np.ndarray, m: int) -> int:
    """The axes before the first that is shorter than the piece of a broken stick."""
    pieces = np.cumsum(1 / np.arange(m, 0, -1.0))[::-1] / m
    longer = padded(values, m) / values.sum() > pieces
    return int(np.argmin(longer)) if not longer.all() else m


def above_mean(values: np.ndarray, m: int) -> int:
    return max(int((values > values.sum() / m * (1 + 1e-12)).sum()), 1)


def far_from(values: np.ndarray, share: float) -> bool:
    """Whether a rule's number does not hang on the last digit."""
    return bool((np.abs(np.cumsum(values) / values.sum() - share) > 1e-9).all())


def threshold(q: Any, t: Rows) -> Any:
    if far_from(t.variances, 0.8):
        yield int(q), reach(t.variances, 0.8)


def kaiser(q: Any, t: Rows) -> Any:
    m = int(t.varies.sum())
    if (np.abs(t.variances / t.variances.sum() * m - 1) > 1e-9).all():
        yield int(q), above_mean(t.variances, m)


def whole(q: Any, t: Rows) -> Any:
    yield 0 <= int(q) <= min(t.n, t.p), True


def mercer(found: Any, t: Rows) -> Any:
    want = eigenvalues(gauss(t)) / t.n
    got = found.eigenvalues
    yield got, padded(want, len(got))


HSIC = {"n_permutations": 0}
# Columns of booleans may be categories.
BOOLS = (
    "bool,objects: bools,a frame of bools,nullable boolean,arrow bools,polars bools,torch bool,"
    "csr bools"
)
# A missing value of a supplementary column leaves out its row.
MISSING = (
    "NaN inside,NaN first,NaN last,a row of NaN,NaN with a sign,NaN that signals,NaN in f2,"
    "NaN in f4,NaN in long double,NaN in a list,NaN in Fortran order,NaN in a view,"
    "NaN late in a long table,masked NaN,masked inside,a list of masked rows,objects: NaN,"
    "objects: Decimal NaN,objects: None,torch NaN,the strict standard: NaN,csr NaN"
)
# Vectors are eigenvalues here.
AXIS = (
    "one axis,a list of numbers,a range,torch one axis,a Series,polars Series,an Index,arrow array,"
    "a sparse vector"
)
ENTRIES = [
    Entry(
        "rkhs.distance",
        lambda x, v: gm.rkhs.distance(GAUSS, x),
        lambda D, t: [(D, np.sqrt(np.maximum(-2 * np.expm1(-t.d2 / (2 * S**2)), 0)))],
        fits=steady,
    ),
    Entry(
        "rkhs.distance(X, Y)",
        lambda x, v: gm.rkhs.distance("linear", v, x),
        lambda D, t: [(D, np.sqrt(t.d2))],
        "X Y",
        skips="None",
    ),
    Entry(
        "rkhs.distance_to_set",
        lambda x, v: gm.rkhs.distance_to_set("linear", x, v),
        lambda d, t: [(d, np.sqrt(t.gram.diagonal()))],
        "X S",
        fits=vary,
    ),
    Entry(
        "rkhs.distance_to_set(S)",
        lambda x, v: gm.rkhs.distance_to_set("linear", v, x),
        lambda d, t: [(d, np.sqrt(t.gram.diagonal()))],
        "X S",
        fits=vary,
    ),
    Entry(
        "rkhs.mean_embedding",
        lambda x, v: gm.rkhs.mean_embedding(GAUSS, x).norm(),
        lambda r, t: [(r, np.sqrt(gauss(t).mean()))],
        "X points",
        steady,
    ),
    Entry(
        "rkhs.Function",
        lambda x, v: gm.rkhs.Function(GAUSS, x, np.ones(len(v))).norm(),
        lambda r, t: [(r, np.sqrt(gauss(t).sum()))],
        "X points",
        steady,
    ),
    Entry(
        "rkhs.Function(x)",
        lambda x, v: gm.rkhs.Function(GAUSS, v, np.ones(len(v)))(x),
        lambda f, t: [(f, gauss(t).sum(axis=1))],
        "X points",
        steady,
    ),
    Entry("rkhs.mercer", lambda x, v: gm.rkhs.mercer(GAUSS, x, 1), mercer, fits=steady),
    Entry(
        "rkhs.mmd",
        lambda x, v: gm.rkhs.mmd(GAUSS, x, v, n_permutations=0).statistic,
        lambda s, t: [(s + 1, unbiased(t) + 1)],
        "X Y",
        lambda X: steady(X) and len(X) > 2,
    ),
    Entry(
        "rkhs.mmd(Y)",
        lambda x, v: gm.rkhs.mmd("linear", v, x, n_permutations=9, random_state=0),
        lambda r, t: [(0 < r.p_value <= 1, True)],
        "X Y",
        three_rows,
    ),
    Entry(
        "rkhs.hsic",
        lambda x, v: gm.rkhs.hsic("gaussian", "gaussian", x, v, **HSIC).statistic,
        lambda s, t: [(s, (centred(t.gaussian) ** 2).sum() / t.n**2)],
        "X Y",
        three_rows,
    ),
    Entry(
        "rkhs.rv",
        lambda x, v: gm.rkhs.rv("linear", "gaussian", x, **HSIC).statistic,
        lambda s, t: [(s, cosine(t.gram, centred(t.gaussian)))],
        "X Y",
        three_rows,
    ),
    Entry(
        "rkhs.alignment",
        lambda x, v: gm.rkhs.alignment("linear", "linear", x, v),
        lambda s, t: [(s, 1)],
        "X Y",
        three_rows,
    ),
    Entry(
        "stability.procrustes",
        lambda x, v: gm.stability.procrustes(x, turned(v)),
        lambda r, t: [(r.fitted, t.X), (r.statistic + t.gram.trace(), t.gram.trace())],
        "X Y",
        vary,
        loose=100,  # what is squared away has no direction
    ),
    Entry(
        "stability.procrustes(Y)",
        lambda x, v: gm.stability.procrustes(turned(v), x, symmetric=True).statistic,
        lambda s, t: [(1 + s, 1)],
        "X Y",
        vary,
    ),
    Entry(
        "stability.protest",
        lambda x, v: gm.stability.protest(x, turned(v), n_permutations=9, random_state=0).statistic,
        lambda s, t: [(s, 1)],
        "X Y",
        three_rows,
    ),
    Entry(
        "dimension.threshold",
        lambda x, v: gm.dimension.threshold(x, 0.8),
        threshold,
        "X source",
        vary,
        skips=AXIS,
    ),
    Entry(
        "dimension.kaiser",
        lambda x, v: gm.dimension.kaiser(x),
        kaiser,
        "X source",
        vary,
        skips=AXIS,
    ),
    Entry(
        "dimension.broken_stick",
        lambda x, v: gm.dimension.broken_stick(x),
        whole,
        "X source",
        vary,
        skips=AXIS,
    ),
    Entry(
        "dimension.elbow",
        lambda x, v: gm.dimension.elbow(x),
        whole,
        "X source",
        lambda X: False,
        skips=AXIS,
    ),
    Entry(
        "dimension.cattell",
        lambda x, v: gm.dimension.cattell(x),
        whole,
        "X source",
        lambda X: False,
        skips=AXIS,
    ),
    Entry(
        "dimension.minka",
        lambda x, v: gm.dimension.minka(x),
        whole,
        "X source",
        lambda X: False,
        skips=AXIS,
    ),
    Entry(
        "dimension.gavish_donoho",
        lambda x, v: gm.dimension.gavish_donoho(x),
        whole,
        "X source",
        lambda X: False,
        skips=AXIS,
    ),
    Entry(
        "dimension.marchenko_pastur",
        lambda x, v: gm.dimension.marchenko_pastur(x),
        whole,
        "X source",
        lambda X: False,
        skips=AXIS,
    ),
    Entry(
        "preimage.learned",
        lambda x, v: gm.preimage.learned(v, v, x),
        lambda f, t: [(len(f), t.n), (np.isfinite(np.asarray(f, float)).all(), True)],
        "new Z X",
        lambda X: False,
    ),
    Entry(
        "networks.infer",
        lambda x, v: gm.networks.infer(x, shrinkage=0.0, threshold=0.0),
        lambda net, t: [(np.abs(net.adjacency.toarray()) <= 1, np.full((t.p, t.p), True))],
        fits=lambda X: False,
    ),
    Entry(
        "networks.infer values",
        lambda x, v: gm.networks.infer(x, shrinkage=0.0, threshold=1e-9),
        lambda net, t: [(net.adjacency.toarray() + np.diag(t.varies), t.Z.T @ t.Z / t.n)],
        fits=lambda X: (
            two_axes(X) and bool((np.ptp(X, axis=0) > 0).all()) and len(X) > 4 and X.shape[1] > 2
        ),
    ),
]
