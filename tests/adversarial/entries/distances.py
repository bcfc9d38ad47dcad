"""What takes distances."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Entry, Pair
from ..truth import Real, Square, eigenvalues
from .common import gram_of, padded
from .comparisons import design, squares
from .squares import (
    DIAGONAL,
    NEW,
    ORDER,
    SHAPES,
    apart,
    bounded,
    correlation,
    euclidean,
    finite,
    ladder,
    mds,
    of_power,
    scaled,
    stress,
)


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


def explained(r2: float, s: Square) -> list[Pair]:
    """What two groups explain of the distances, by sums of squares over pairs."""
    total, within = squares(s.M**2)
    return [(1 + Real(r2), 2 - within / total)]


D = "X D A distances metric"
ENTRIES = [
    Entry(
        "DISTATIS.fit",
        lambda x, v: gm.DISTATIS().fit({"a": v, "b": x}).inertia_ratio_,
        shares,
        "X b a",
        flat,
    ),
    Entry(
        "DISTATIS.fit_transform",
        lambda x, v: gm.DISTATIS().fit_transform({"a": v, "b": x}),
        lambda F, s: shares(np.asarray((V := eigenvalues(gram_of(F))) / V.sum()), s),
        "X b a",
        flat,
    ),
    Entry(
        "DISTATIS.transform",
        lambda x, v: gm.DISTATIS(1).fit({"a": v, "b": v}).transform({"a": v, "b": x}),
        lambda F, s: [(np.abs((f := np.asarray(F, Real)[:, 0]) @ f) > 0, True)],
        "X b a",
        flat,
        takes=NEW,
        skips=ORDER,
    ),
    Entry(
        "DISTATIS.inverse_transform",
        lambda x, v: gm.DISTATIS().fit({"a": v, "b": v}).inverse_transform(x),
        lambda f, s: [(len(f) > 0, True)],
        "X Z a kernels method kernel",
        lambda M: False,
    ),
    Entry(
        "DISTATIS.individuals",
        lambda x, v: gm.DISTATIS().fit({"a": v, "b": x}).individuals()["distance2"].to_numpy(),
        lambda d, s: [((d := np.ravel(d)) / d.sum(), s.squares.diagonal() / s.squares.trace())],
        "X b a",
        flat,
    ),
    Entry(
        "ecology.permanova(precomputed)",
        lambda x, v: gm.ecology.permanova(
            x, design(len(v)), metric="precomputed", n_permutations=9, random_state=0
        ).table["r2"]["g"],
        explained,
        f"{D} terms",
        lambda M: bounded(M) and len(M) > 4 and bool(M.any()),
    ),
    Entry(
        "ecology.dbrda(precomputed)",
        lambda x, v: gm.ecology.dbrda(x, design(len(v)), metric="precomputed").r2,
        explained,
        f"{D} terms",
        lambda M: bounded(M) and len(M) > 4 and bool(M.any()),
    ),
    Entry(
        "ClassicalMDS(precomputed).fit",
        lambda x, v: gm.ClassicalMDS(None, metric="precomputed").fit(x),
        scaled,
        D,
        bounded,
    ),
    Entry(
        "ClassicalMDS(precomputed).fit_transform",
        lambda x, v: gm.ClassicalMDS(None, metric="precomputed").fit_transform(x),
        lambda f, s: [(eigenvalues(gram_of(f)) / s.n, np.maximum(s.scaling, 0))],
        D,
        bounded,
    ),
    Entry(
        "ClassicalMDS(precomputed).transform",
        lambda x, v: gm.ClassicalMDS(1, metric="precomputed").fit(v).transform(x),
        lambda f, s: [((np.asarray(f, Real)[:, 0] ** 2).sum(), s.scaling[0] * s.n)],
        D,
        bounded,
        takes=NEW,
        skips=ORDER,
        loose=10,
    ),
    Entry(
        "ClassicalMDS(lingoes).fit",
        lambda x, v: gm.ClassicalMDS(None, metric="precomputed", correction="lingoes").fit(x),
        lambda f, s: [(np.min(f.eigenvalues_) >= 0, True)],
        D,
        bounded,
    ),
    Entry(
        "ClassicalMDS(cailliez).fit",
        lambda x, v: gm.ClassicalMDS(None, metric="precomputed", correction="cailliez").fit(x),
        lambda f, s: [(np.min(f.eigenvalues_) >= 0, True)],
        D,
        bounded,
    ),
    Entry(
        "MDS(precomputed).fit",
        mds(),
        stress,
        D,
        apart,
        takes="missing distances,NaN on the diagonal",
        loose=10,
    ),
    Entry(
        "MDS(precomputed, ordinal).fit",
        mds(scaling="ordinal"),
        finite,
        D,
        apart,
        takes="missing distances,NaN on the diagonal",
    ),
    Entry(
        "MDS(precomputed, interval).fit",
        mds(scaling="interval"),
        finite,
        D,
        apart,
        takes="missing distances,NaN on the diagonal",
    ),
    Entry("validity.is_euclidean", lambda x, v: gm.validity.is_euclidean(x), euclidean, D, bounded),
    Entry(
        "validity.is_cnd",
        lambda x, v: gm.validity.is_cnd(x),
        lambda v, s: [(isinstance(bool(v), bool), True)],
        "D2",
        bounded,
        takes=f"{DIAGONAL},negative,all negative",
    ),
    Entry(
        "validity.lingoes",
        lambda x, v: gm.validity.lingoes(x),
        lambda r, s: [
            (
                eigenvalues(Square(r.matrix).squares)[-1]
                >= -1e-7 * (np.asarray(r.matrix, Real) ** 2).max(),
                True,
            )
        ],
        D,
        bounded,
    ),
    Entry(
        "validity.cailliez",
        lambda x, v: gm.validity.cailliez(x),
        lambda r, s: [
            (
                eigenvalues(Square(r.matrix).squares)[-1]
                >= -1e-7 * (np.asarray(r.matrix, Real) ** 2).max(),
                True,
            )
        ],
        D,
        bounded,
    ),
    Entry(
        "stability.mantel(A)",
        lambda x, v: gm.stability.mantel(x, ladder(len(v)), n_permutations=9, random_state=0),
        correlation,
        "A B",
        apart,
    ),
    Entry(
        "stability.mantel(B)",
        lambda x, v: gm.stability.mantel(ladder(len(v)), x, n_permutations=9, random_state=0),
        correlation,
        "A B",
        apart,
    ),
    Entry(
        "schoenberg.power",
        lambda x, v: gm.schoenberg.power(x, 0.5),
        of_power(0.5),
        "D2",
        lambda M: True,
        takes=f"{SHAPES},{DIAGONAL},a frame of other columns",
        skips="a frame in another order",
    ),
    Entry(
        "schoenberg.log",
        lambda x, v: gm.schoenberg.log(x, 2.0),
        lambda E, s: [(E, np.log1p(s.M / 2))],
        "D2",
        lambda M: True,
        takes=f"{SHAPES},{DIAGONAL},a frame of other columns",
        skips="a frame in another order",
    ),
    Entry(
        "schoenberg.rational",
        lambda x, v: gm.schoenberg.rational(x, 2.0),
        lambda E, s: [(E, s.M / (2 * (2 + s.M)))],
        "D2",
        lambda M: True,
        takes=f"{SHAPES},{DIAGONAL},a frame of other columns",
        skips="a frame in another order",
    ),
    Entry(
        "schoenberg.exponential",
        lambda x, v: gm.schoenberg.exponential(x, 2.0),
        lambda E, s: [(E, -np.expm1(-2 * s.M) / 2)],
        "D2",
        lambda M: True,
        takes=f"{SHAPES},{DIAGONAL},a frame of other columns",
        skips="a frame in another order",
    ),
    Entry(
        "schoenberg.identity",
        lambda x, v: gm.schoenberg.identity(x),
        lambda E, s: [(E, s.M)],
        "D2",
        lambda M: True,
        takes=f"{SHAPES},{DIAGONAL},a frame of other columns",
        skips="a frame in another order",
    ),
]
