"""What takes classes and targets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import gramian as gm

from ..cell import Entry
from ..inputs.base import X
from ..truth import Real, Rows
from .common import least_squares
from .models import classes, stationary, targets


def coded(P: Any, y: Any) -> Any:
    """Whatever the names of the classes: the model is that of their codes."""
    return stationary(P, Rows(X).gram, np.asarray(y, Real))


def logistic(y: Any, **options: Any) -> Any:
    return gm.KernelLogisticRegression(kernel="linear", **options).fit(X, y).predict_proba(X)


def barycentres(T: Any, y: Any) -> Any:
    """Coordinates of the categories are means of those of their rows, in the order of codes."""
    F = np.asarray(gm.PCA(1).fit(X).coordinates_, Real)[:, 0]
    want = [F[np.asarray(y) == c].mean() for c in (0, 1)]
    yield np.sort(np.asarray(T["coordinate"].to_numpy(dtype=float).ravel(), Real)), np.sort(want)


def within(y: Any) -> Any:
    """The sum of squares around the means of two classes."""
    return sum((Rows(X[np.asarray(y) == c]).C ** 2).sum() for c in (0, 1))


def between(y: Any) -> Any:
    """The share of the sum of squares that two classes explain."""
    return 1 - within(y) / (Rows(X).C ** 2).sum()


def frame(y: Any) -> Any:
    return pd.DataFrame({"y": list(y) if isinstance(y, np.ndarray) and y.ndim > 1 else y})


def table(y: Any) -> Any:
    """A frame of one column, where pandas makes one."""
    try:
        return frame(y)
    except (TypeError, ValueError):
        return y


Y = "y labels condition table color groups"
CLASSES = [
    Entry("KLR.fit(y)", lambda y, v: logistic(y), coded, Y, loose=100),
    Entry(
        "PCC.fit(y)",
        lambda y, v: (
            gm.PrincipalComponentClassifier(None, kernel="linear", penalty=1.0)
            .fit(X, y)
            .predict_proba(X)
        ),
        coded,
        Y,
        loose=100,
    ),
    Entry(
        "PCC(cv).fit(y)",
        lambda y, v: (
            gm.PrincipalComponentClassifier("cv", n_folds=2, penalty=1.0).fit(X, y).predict(X)
        ),
        lambda f, y: [(len(f), len(X))],
        Y,
    ),
    Entry(
        "KLR.score(y)",
        lambda y, v: gm.KernelLogisticRegression(kernel="linear").fit(X, y).score(X, y),
        lambda s, y: [(0.5 <= s <= 1, True)],
        Y,
    ),
    Entry(
        "PCA.categories(table)",
        lambda y, v: gm.PCA(1).fit(X).categories(table(y)),
        barycentres,
        Y,
        lambda y: False,
        takes="one class,NaN,inf,None among words,NA,NaN category,measurements",
        skips="None as a class",
    ),
    Entry(
        "KernelPCA.categories(table)",
        lambda y, v: gm.KernelPCA(1).fit(X).categories(table(y)),
        lambda T, y: [(len(T), 2)],
        Y,
        lambda y: False,
        takes="one class,NaN,inf,None among words,NA,NaN category,measurements",
        skips="None as a class",
    ),
    Entry(
        "PCA.describe(table)",
        lambda y, v: gm.PCA(1).fit(X).describe(table(y)),
        lambda T, y: [(True, True)],
        Y,
        lambda y: False,
        takes="classes",
    ),
    Entry(
        "MCA.fit(y)",
        lambda y, v: gm.MCA().fit(table(y)),
        lambda f, y: [(f.eigenvalues_, np.ones(1))],  # two levels of one question
        f"{Y} X",
        lambda y: False,
        takes="one class,NaN,inf,None among words,NA,NaN category,measurements,too short,too long,"
        "two columns,masked,a dictionary",
        skips="None as a class",
    ),
    Entry(
        "ecology.permanova(table)",
        lambda y, v: (
            gm.ecology.permanova(X, table(y), by="model", n_permutations=9, random_state=0)
            .table["r2"]
            .iloc[0]
        ),
        lambda r2, y: [(Real(r2), between(y))],
        f"{Y} terms",
        lambda y: False,
        takes="measurements,inf,a dictionary",
    ),
    Entry(
        "ecology.rda(table)",
        lambda y, v: gm.ecology.rda(X, table(y)).r2,
        lambda r2, y: [(Real(r2), between(y))],
        f"{Y} terms",
        lambda y: False,
        takes="measurements,inf,a dictionary",
    ),
    Entry(
        "ecology.dispersion(groups)",
        lambda y, v: gm.ecology.dispersion(
            X, y, centre="centroid", n_permutations=9, random_state=0
        ).distances.to_numpy(),
        lambda far, y: [((np.asarray(far, Real) ** 2).sum(), within(y))],
        Y,
        lambda y: False,
    ),
    Entry(
        "networks.differential(condition)",
        lambda y, v: gm.networks.differential(X, y, n_permutations=3, random_state=0),
        lambda links, y: [(len(links) <= 6, True)],
        Y,
        lambda y: False,
    ),
    Entry(
        "kernels.select(y)",
        lambda y, v: gm.kernels.select(X, ["linear"], y, n_folds=2, random_state=0),
        lambda s, y: [(len(s.table), 1)],
        Y,
        takes="one class,measurements,complex,None",
    ),
    Entry(
        "plots.individuals(color)",
        lambda y, v: gm.plots.individuals(gm.PCA(2).fit(X), color=y, backend="none"),
        lambda f, y: [(True, True)],
        Y,
        takes="one class,NaN,inf,None among words,NA,NaN category,masked,measurements,None,a word",
    ),
    Entry(
        "plots.regions(y)",
        lambda y, v: gm.plots.regions(
            gm.KernelLogisticRegression().fit(X[:, :2], classes(len(X))),
            X[:, :2],
            y,
            resolution=5,
            backend="none",
        ),
        lambda f, y: [(True, True)],
        Y,
        lambda y: False,
        takes="one class,None,measurements",
    ),
]
Z = "y target targets"
TARGETS = [
    Entry(
        "PCR(linear).fit(y)",
        lambda y, v: gm.PrincipalComponentRegression(None, kernel="linear").fit(X, y).predict(X),
        lambda f, y: [
            (
                np.ravel(f),
                least_squares(X.astype(Real), np.asarray(y, Real).ravel(), X.astype(Real)),
            )
        ],
        Z,
        loose=100,
    ),
    Entry(
        "PCR.fit(y)",
        lambda y, v: gm.PrincipalComponentRegression(1).fit(X, y).predict(X),
        lambda f, y: [(np.asarray(f, Real).mean(), np.asarray(y, Real).mean())],
        Z,
        loose=100,
    ),
    Entry(
        "PCR(cv).fit(y)",
        lambda y, v: gm.PrincipalComponentRegression("cv", n_folds=3).fit(X, y).predict(X),
        lambda f, y: [(np.asarray(f, Real).mean(), np.asarray(y, Real).mean())],
        Z,
        loose=100,
    ),
    Entry(
        "PCR.score(y)",
        lambda y, v: gm.PrincipalComponentRegression(1).fit(X, targets(len(X))).score(X, y),
        lambda s, y: [(s <= 1, True)],
        Z,
        lambda y: np.ptp(np.asarray(y, float)) > 0,
    ),
    Entry(
        "kernels.select(y), numbers",
        lambda y, v: gm.kernels.select(X, ["linear"], y, n_folds=2, random_state=0),
        lambda s, y: [(len(s.table), 1)],
        Z,
        lambda y: np.ptp(np.asarray(y, float)) > 0,
        takes="words,numbers as text,categories,None,a Series of dates,dates,durations,"
        "integers beyond 2^53,objects beyond 2^53",
    ),
]
