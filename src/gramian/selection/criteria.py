"""How good a kernel is, as one number: the larger the better.

Without a target a kernel is held against the same table with its columns shuffled one by one: what
its spectrum shows beyond that is structure. With a target, against the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from gramian._estimators.logistic import fit_logistic, linear_predictor
from gramian.selection._grams import centred

AXES = 10  # over which held-out shares of the inertia are averaged
FEATURES = 100  # axes that a held-out score may use
PENALTIES = 10.0 ** np.arange(-3.0, 3.0)  # of kernels of inertia 1


def above_noise(values: np.ndarray, null: np.ndarray) -> float:
    """Return Σ_{k ≤ q} (λ_k − c_k) over the inertia, c_k the largest λ_k of the null tables.

    The first q axes are those with λ_k > c_k: parallel analysis, at level 1/(tables + 1).
    """
    limit = null.max(axis=0)[: len(values)]
    below = np.flatnonzero(values <= limit)
    q = int(below[0]) if below.size else len(values)
    return float((values[:q] - limit[:q]).sum() / values.sum())


@dataclass(frozen=True)
class Fold:
    """Coordinates on the axes of one part of the rows, for that part and for the others."""

    Z: np.ndarray  # (training rows, r)
    Z_new: np.ndarray  # (held-out rows, r)
    distance2: np.ndarray  # of the held-out rows to the barycentre of the training rows

    @classmethod
    def of(cls, K: np.ndarray, train: np.ndarray, test: np.ndarray, most: int) -> Fold:
        """Return the coordinates from a Gram matrix of all rows."""
        T = K[np.ix_(train, train)]
        means, grand = T.mean(axis=0), T.mean()
        values, U = np.linalg.eigh(centred(T))
        values, U = values[::-1][:most], U[:, ::-1][:, :most]
        live = values > 1e-12 * values[0]
        values, U = values[live], U[:, live]
        n = len(train)
        C = K[np.ix_(test, train)]
        rows = C.mean(axis=1)
        C = C - rows[:, None] - means[None, :] + grand
        distance2 = np.diag(K)[test] - 2.0 * rows + grand
        return cls(U * np.sqrt(n * values), C @ (U / np.sqrt(n * values)), distance2)


def explained(K: np.ndarray, folds: np.ndarray) -> float:
    """Return the share of held-out inertia on the first q axes, averaged over q = 1 … 10."""
    inertia, total = np.zeros(AXES), 0.0
    for train, test in splits(folds):
        fold = Fold.of(K, train, test, AXES)
        squares = np.cumsum((fold.Z_new**2).sum(axis=0))
        most = squares[-1] if len(squares) else 0.0  # rows that are all alike have no axis
        inertia += np.append(squares, np.full(AXES - len(squares), most))
        total += fold.distance2.sum()
    return float(inertia.mean() / total) if total > 0 else 0.0


def splits(folds: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Return training and held-out rows of each fold."""
    for k in np.unique(folds):
        yield np.flatnonzero(folds != k), np.flatnonzero(folds == k)


@dataclass(frozen=True)
class Target:
    """What is to be predicted: codes of classes, or numbers."""

    values: np.ndarray  # (n,)
    n_classes: int = 0  # 0 for numbers

    def gram(self) -> np.ndarray:
        """Return the kernel of the target itself: equal classes, or products of numbers."""
        y = self.values
        if self.n_classes:
            return (y[:, None] == y[None, :]).astype(float)
        y = (y - y.mean()) / y.std()
        return np.outer(y, y)


def alignment(K: np.ndarray, target: Target) -> float:
    """Return the cosine of the centred kernel and the centred kernel of the target."""
    A, B = centred(K), centred(target.gram())
    return float((A * B).sum() / np.sqrt((A * A).sum() * (B * B).sum()))


def held_out(K: np.ndarray, target: Target, folds: np.ndarray) -> tuple[float, float]:
    """Return the share of held-out deviance explained and the penalty that explains most.

    Deviance is the log-loss of logistic regression for classes and the squared error of ridge
    regression for numbers, on the kernel scaled to inertia 1.
    """
    K = K / np.trace(centred(K))
    loss: Callable[..., np.ndarray] = _class_losses if target.n_classes else _square_losses
    total, nothing = np.zeros(len(PENALTIES)), 0.0
    for train, test in splits(folds):
        if target.n_classes:  # what was never seen cannot be predicted
            test = test[np.isin(target.values[test], target.values[train])]
        fold = Fold.of(K, train, test, FEATURES)
        y, y_new = target.values[train], target.values[test]
        total += loss(fold, y, y_new, target.n_classes)
        nothing += _baseline(y, y_new, target.n_classes)
    best = int(total.argmin())
    return 1.0 - float(total[best]) / nothing, float(PENALTIES[best])


def _class_losses(fold: Fold, y: np.ndarray, y_new: np.ndarray, c: int) -> np.ndarray:
    losses, start = [], None
    for penalty in PENALTIES[::-1]:
        model = fit_logistic(fold.Z, y, c, penalty=penalty, start=start)
        start = (model.intercept, model.coef)
        eta = linear_predictor(fold.Z_new, model.intercept, model.coef)
        top = eta.max(axis=1)
        logs = np.log(np.exp(eta - top[:, None]).sum(axis=1)) + top
        losses.append((logs - eta[np.arange(len(y_new)), y_new]).sum())
    return np.array(losses[::-1])


def _square_losses(fold: Fold, y: np.ndarray, y_new: np.ndarray, _: int) -> np.ndarray:
    mean = y.mean()
    projected, squares = fold.Z.T @ (y - mean), (fold.Z**2).sum(axis=0)
    return np.array(
        [
            ((fold.Z_new @ (projected / (squares + penalty)) + mean - y_new) ** 2).sum()
            for penalty in PENALTIES
        ]
    )


def _baseline(y: np.ndarray, y_new: np.ndarray, c: int) -> float:
    """Return the loss of a prediction that does not look at the points."""
    if c == 0:
        return float(((y_new - y.mean()) ** 2).sum())
    share = (np.bincount(y, minlength=c) + 1e-3) / (len(y) + 1e-3 * c)
    return float(-np.log(share[y_new]).sum())
