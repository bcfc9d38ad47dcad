"""Models of a hostile table, and what takes weights, classes and targets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import gramian as gm

from ..cell import Pair
from ..inputs.base import P, X, changed
from ..truth import Real, Rows, centred
from .common import least_squares, spectrum, three_rows
from .factors import correspondence, inertias  # noqa: F401
from .tables import LINEAR  # noqa: F401
from .text import read


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


def by_least_squares(result: Any, t: Rows) -> list[Pair]:
    if not full_rank(t.X):
        return [(np.isfinite(np.asarray(result, float)).all(), True)]
    return [(result, least_squares(t.X, targets(t.n).astype(Real), t.X))]


def within(y: Any) -> Any:
    """The sum of squares around the means of two classes."""
    return sum((Rows(X[np.asarray(y) == c]).C ** 2).sum() for c in (0, 1))


def between(y: Any) -> Any:
    """The share of the sum of squares that two classes explain."""
    return 1 - within(y) / (Rows(X).C ** 2).sum()


HOLE = changed(np.nan, (0, 0))


def usable(w: Any) -> bool:
    """Whether more than two rows count."""
    return (np.asarray(w) > 0).sum() > 2


def of_gaussian(f: Any, w: Any) -> Any:
    t = Rows(X, w)
    scale = f.kernel_.scale  # the weighted median is compared where it is the question
    want = np.maximum(t.kernel_inertias(np.exp(-t.d2 / (2 * Real(scale) ** 2))), 0)
    return spectrum(f, want)


def weighted_stationary(P: Any, w: Any) -> Any:
    """Weights multiply each row's part of the likelihood."""
    P, w = np.asarray(P, Real)[:, 1], np.asarray(w, Real)
    logit, pull = np.log(P / (1 - P)), w * (classes(len(P)) - P)
    want = Rows(X).gram @ pull
    want = want - want.mean()
    size = 1 + np.abs(Rows(X).gram).max() * w.max()
    return [(1 + (logit - logit.mean()) / size, 1 + want / size), (pull.sum() / w.sum() + 1, 1)]


def weighted_lines(f: Any, w: Any) -> Any:
    """The fitted values of weighted least squares, by repeating what the weights say."""
    root = np.sqrt(Rows(X, w).weights)
    Z = np.c_[np.ones(len(X)), X].astype(Real)
    y = targets(len(X)).astype(Real)
    residual = (y - np.asarray(f, Real)) * root
    yield 1 + Z.T @ (residual * root) / np.abs(Z).max(), np.ones(P + 1)


WIDE = np.random.default_rng(4).integers(0, 9, (9, 12)).astype(float)


def table(y: Any) -> Any:
    """A frame of one column, where pandas makes one."""
    try:
        return pd.DataFrame({"y": list(y) if isinstance(y, np.ndarray) and y.ndim > 1 else y})
    except (TypeError, ValueError):
        return y


def barycentres(T: Any, y: Any) -> list[Pair]:
    """Coordinates of the categories are means of those of their rows, in the order of codes."""
    F = np.asarray(gm.PCA(1).fit(X).coordinates_, Real)[:, 0]
    want = [F[np.asarray(y) == c].mean() for c in (0, 1)]
    return [(np.sort(np.asarray(np.ravel(T["coordinate"]), Real)), np.sort(want))]


def squared_lengths(f: Any, w: Any) -> Any:
    """Squared distances to the barycentre of the rows that count: the others have more axes."""
    live = np.asarray(w) > 0
    yield (np.asarray(f, Real) ** 2).sum(axis=1)[live], (Rows(X, w).C ** 2).sum(axis=1)[live]


def sure(f: Any) -> np.ndarray:
    """Probabilities of two classes, from the logit."""
    return np.c_[f, 1 / (1 + np.exp(-np.asarray(f, Real)))]


TRUTHS = """
KLR(kernel="linear").fit(x, classes(len(v))).predict_proba(v) | stationary(r, t.gram, classes(t.n))
    | many | loose=100
KLR().fit(x, classes(len(v))).predict_proba(v) | stationary(r, t.gaussian, classes(t.n)) | many |
    loose=100
KLR().fit(v, classes(len(v))).predict_proba(x) | stationary(r, t.gaussian, classes(t.n)) | many |
    loose=100
KLR().fit(v, classes(len(v))).decision_function(x) | stationary(sure(r), t.gaussian, classes(t.n)) |
    many | loose=100
PCR(None, kernel="linear").fit(x, targets(len(v))).predict(v) | by_least_squares(r, t) | full_rank |
    loose=1000
PCR(None, kernel="linear").fit(v, targets(len(v))).predict(x) | by_least_squares(r, t) | full_rank |
    loose=1000
PCR(1).fit(x, targets(len(v))).predict(x) | np.asarray(r, Real).mean() ~ targets(t.n).mean() | many
    | loose=100
components(x, v) | stationary(r[0], t.gram, classes(t.n), r[1]) | many | loose=100
PCC(None, penalty=1.0).fit(v, classes(len(v))).predict_proba(x) | stationary(r, t.gaussian,
    classes(t.n)) | many | loose=100
PCC(None, penalty=1.0).fit(v, classes(len(v))).decision_function(x) | stationary(sure(r),
    t.gaussian, classes(t.n)) | many | loose=100
"""
WEIGHTED = """
PCA().fit(X, sample_weight=x) | spectrum(r, Rows(X, t).variances) | usable
PCA().fit_transform(X, sample_weight=x) | squared_lengths(r, t) | usable
PCA().partial_fit(X, sample_weight=x) | spectrum(r, Rows(X, t).variances) | usable
PCA(column_weight=x).fit(WIDE) | spectrum(r, (w := Rows(WIDE)).inertias(w.C * np.sqrt(np.asarray(t,
    Real)))) | usable | column_weight
CA().fit(X, sample_weight=x) | inertias(r, correspondence((np.asarray(t, Real) / max(t))[:, None] *
    X)) | usable
FAMD().fit(X, sample_weight=x) | inertias(r, Rows(X, t).scaled_variances) | usable
missing.impute(HOLE, 0, sample_weight=x).table[0, 0] | r ~ (u := (np.asarray(t, Real)[1:] / max(t)))
    @ X[1:, 0] / u.sum() | usable
KernelPCA().fit(X, sample_weight=x) | of_gaussian(r, t) | usable
KernelPCA(kernel="linear").fit(X, sample_weight=x) | spectrum(r, Rows(X, t).variances) | usable
ClassicalMDS(None).fit(X, sample_weight=x) | spectrum(r, Rows(X, t).variances) | usable
MultiKernelPCA(**LINEAR).fit({"a": X}, sample_weight=x) | spectrum(r, Rows(X, t).variances) | usable
KLR(kernel="linear").fit(X, classes(len(X)), sample_weight=x).predict_proba(X) |
    weighted_stationary(r, t) | usable(v) and np.max(v) < 1e3 | loose=1000
PCR(None, kernel="linear").fit(X, targets(len(X)), sample_weight=x).predict(X) | weighted_lines(r,
    t) | usable | loose=1000
PCC(None, kernel="linear", penalty=1.0).fit(X, classes(len(X)), sample_weight=x).predict_proba(X) |
    weighted_stationary(r, t) | usable(v) and np.max(v) < 1e3 | loose=1000
rkhs.mean_embedding(k.Gaussian(16.0), X, x).norm() | r ~ np.sqrt((p := Rows(X, t).weights) @
    np.exp(-Rows(X).d2 / 512) @ p) | usable
rkhs.distance_to_set("linear", X, X, x) | r ~ np.sqrt((Rows(X, t).C ** 2).sum(axis=1)) | usable
dimension.parallel_analysis(X, n_permutations=19, sample_weight=x, random_state=0).eigenvalues |
    padded(r, 1) ~ Rows(X, t).variances[:1] | usable
rkhs.Function("linear", X, x).norm() | r ~ np.sqrt(((np.asarray(t, Real) @ X) ** 2).sum()) | usable
    | coefficients weights, takes=SIGNS
"""
NAMED = """
KLR(kernel="linear").fit(X, x).predict_proba(X) | stationary(r, Rows(X).gram, np.asarray(t, Real)) |
    | loose=100
PCC(None, kernel="linear", penalty=1.0).fit(X, x).predict_proba(X) | stationary(r, Rows(X).gram,
    np.asarray(t, Real)) | | loose=100
PCC("cv", n_folds=2, penalty=1.0).fit(X, x).predict(X) | len(r) ~ len(X)
KLR(kernel="linear").fit(X, x).score(X, x) | 0.5 <= r <= 1 ~ True |
PCA(1).fit(X).categories(table(x)) | barycentres(r, t) | False | takes=ANSWERS, skips="None as a
    class"
MCA().fit(table(x)) | r.eigenvalues_ ~ np.ones(1) | False | y labels table groups X, takes=ANSWERS +
    ",too short,too long,two columns,masked,a dictionary", skips="None as a class"
ecology.permanova(X, table(x), by="model", n_permutations=9, random_state=0).table["r2"].iloc[0] |
    Real(r) ~ between(t) | False | y labels table groups terms, takes="measurements,inf,a
    dictionary"
ecology.rda(X, table(x)).r2 | Real(r) ~ between(t) | False | y labels table groups terms,
    takes="measurements,inf,a dictionary"
ecology.dispersion(X, x, centre="centroid", n_permutations=9, random_state=0).distances.to_numpy() |
    (np.asarray(r, Real) ** 2).sum() ~ within(t) | False
"""
MEASURED = """
PCR(None, kernel="linear").fit(X, x).predict(X) | np.ravel(r) ~ least_squares(X.astype(Real),
    np.asarray(t, Real).ravel(), X.astype(Real)) | | loose=100
PCR(1).fit(X, x).predict(X) | np.asarray(r, Real).mean() ~ np.asarray(t, Real).mean() | | loose=100
PCR("cv", n_folds=3).fit(X, x).predict(X) | np.asarray(r, Real).mean() ~ np.asarray(t, Real).mean()
    | | loose=100
"""
ENTRIES = read(TRUTHS, globals())
WEIGHTS = read(WEIGHTED, globals(), "sample_weight weights weight X y")
CLASSES = read(NAMED, globals(), "y labels condition table color groups")
TARGETS = read(MEASURED, globals(), "y target targets")
