"""Models of a hostile table: fits, and predictions for hostile rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Entry, Pair
from ..truth import Real, Rows, centred
from .common import least_squares, three_rows
from .fits import clean


def classes(n: int) -> np.ndarray:
    """Two classes that no plane parts."""
    return np.resize([0, 1, 1, 0, 1, 0, 0], n)


def targets(n: int) -> np.ndarray:
    return np.resize([3.0, 1.0, 4.0, 1.5, 9.0, 2.5, 6.0], n)


def stationary(P: Any, G: np.ndarray, y: np.ndarray, penalty: float = 1.0) -> list[Pair]:
    """What a minimum of the penalised likelihood satisfies: logit = b + G̃(y − P)/penalty."""
    P = np.asarray(P, Real)[:, 1]
    if np.isinf(penalty):  # out of the range of the numbers
        return [(np.isfinite(P).all(), True)]
    sure = (P < 1e-15) | (P > 1 - 1e-15)  # doubles have no room for more
    if sure.any():
        return [((P > 0.5)[sure], (y > 0.5)[sure]), (1 + (y - P).sum(), 1)]
    logit, pull = np.log(P / (1 - P)), y - P
    want = centred(G) @ pull / penalty
    # The last digit of a probability counts as much as the kernel is large.
    size = 1 + np.abs(G).max() / penalty
    return [(1 + (logit - logit.mean()) / size, 1 + want / size), (1 + pull.sum(), 1)]


def logistic(x: Any, v: Any, **options: Any) -> Any:
    return gm.KernelLogisticRegression(**options).fit(x, classes(len(v)))


def components(x: Any, v: Any) -> Any:
    """Probabilities, and the penalty that was used: another where the classes are separated."""
    model = gm.PrincipalComponentClassifier(None, kernel="linear", penalty=1.0)
    fit = model.fit(x, classes(len(v)))
    return fit.predict_proba(v), Real(getattr(fit, "penalty_", 1.0))


def many(X: np.ndarray) -> bool:
    return three_rows(X) and len(X) > X.shape[1] + 2 and len(X) >= 7


def full_rank(X: np.ndarray) -> bool:
    """Whether the normal equations can be solved."""
    t = Rows(X)
    return many(X) and t.variances[t.p - 1] > 1e-9 * t.variances[0]


def regression(fit: Any, x: Any) -> Any:
    return fit.predict(x)


def by_least_squares(result: Any, t: Rows) -> list[Pair]:
    if not full_rank(t.X):
        return [(np.isfinite(np.asarray(result, float)).all(), True)]
    return [(result, least_squares(t.X, targets(t.n).astype(Real), t.X))]


LINEAR = {"kernel": "linear"}
ENTRIES = [
    Entry(
        "KLR(linear).fit",
        lambda x, v: logistic(x, v, kernel="linear").predict_proba(v),
        lambda P, t: stationary(P, t.gram, classes(t.n)),
        fits=many,
        loose=100,
    ),
    Entry(
        "KLR.fit",
        lambda x, v: logistic(x, v).predict_proba(v),
        lambda P, t: stationary(P, t.gaussian, classes(t.n)),
        fits=many,
        loose=100,
    ),
    Entry(
        "KLR.predict_proba",
        lambda x, v: logistic(v, v).predict_proba(x),
        lambda P, t: stationary(P, t.gaussian, classes(t.n)),
        fits=many,
        loose=100,
    ),
    Entry(
        "KLR.decision_function",
        lambda x, v: logistic(v, v).decision_function(x),
        lambda f, t: stationary(
            np.c_[f, 1 / (1 + np.exp(-np.asarray(f, Real)))], t.gaussian, classes(t.n)
        ),
        fits=many,
        loose=100,
    ),
    Entry(
        "KLR.predict",
        lambda x, v: (
            gm.KernelLogisticRegression(kernel="linear")
            .fit(clean(v.shape[1]), classes(len(clean(v.shape[1]))))
            .predict(x)
        ),
        lambda y, t: [(np.isin(y, [0, 1]).all(), True), (len(y), t.n)],
    ),
    Entry(
        "KLR.score",
        lambda x, v: logistic(v, v).score(x, classes(len(v))),
        lambda s, t: [(0 <= s <= 1, True)],
        fits=many,
    ),
    Entry(
        "PCR(linear).fit",
        lambda x, v: (
            gm.PrincipalComponentRegression(None, kernel="linear")
            .fit(x, targets(len(v)))
            .predict(v)
        ),
        by_least_squares,
        fits=full_rank,
        loose=1000,
    ),
    Entry(
        "PCR(linear).predict",
        lambda x, v: (
            gm.PrincipalComponentRegression(None, kernel="linear")
            .fit(v, targets(len(v)))
            .predict(x)
        ),
        by_least_squares,
        fits=full_rank,
        loose=1000,
    ),
    Entry(
        "PCR.fit",
        lambda x, v: gm.PrincipalComponentRegression(1).fit(x, targets(len(v))).predict(x),
        lambda f, t: [(np.asarray(f, Real).mean(), targets(t.n).mean())],
        fits=many,
        loose=100,
    ),
    Entry(
        "PCC(linear).fit",
        components,
        lambda f, t: stationary(f[0], t.gram, classes(t.n), f[1]),
        fits=many,
        loose=100,
    ),
    Entry(
        "PCC.predict_proba",
        lambda x, v: (
            gm.PrincipalComponentClassifier(None, penalty=1.0)
            .fit(v, classes(len(v)))
            .predict_proba(x)
        ),
        lambda P, t: stationary(P, t.gaussian, classes(t.n)),
        fits=many,
        loose=100,
    ),
    Entry(
        "PCC.predict",
        lambda x, v: (
            gm.PrincipalComponentClassifier(1, penalty=1.0).fit(v, classes(len(v))).predict(x)
        ),
        lambda y, t: [(np.isin(y, [0, 1]).all(), True), (len(y), t.n)],
        fits=many,
    ),
    Entry(
        "PCC.score",
        lambda x, v: (
            gm.PrincipalComponentClassifier(1, penalty=1.0)
            .fit(v, classes(len(v)))
            .score(x, classes(len(v)))
        ),
        lambda s, t: [(0 <= s <= 1, True)],
        fits=many,
    ),
    Entry(
        "PCC.decision_function",
        lambda x, v: (
            gm.PrincipalComponentClassifier(None, penalty=1.0)
            .fit(v, classes(len(v)))
            .decision_function(x)
        ),
        lambda f, t: stationary(
            np.c_[f, 1 / (1 + np.exp(-np.asarray(f, Real)))], t.gaussian, classes(t.n)
        ),
        fits=many,
        loose=100,
    ),
    Entry(
        "PCR.score",
        lambda x, v: (
            gm.PrincipalComponentRegression(1).fit(v, targets(len(v))).score(x, targets(len(v)))
        ),
        lambda s, t: [(0 <= s <= 1, True)],
        fits=many,
    ),
]
