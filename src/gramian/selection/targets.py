"""How well the best of all candidates predicts a target that has nothing to do with the rows."""

from __future__ import annotations

import numpy as np

from gramian.selection._grams import centred
from gramian.selection.criteria import PENALTIES, Fold, Target, splits

_ROWS = 200  # that the test looks at
_FEATURES = 60  # axes that a prediction may use
_LEAST = 99  # shuffled targets


def target_p_values(
    matrices: list[np.ndarray],
    target: Target,
    n_folds: int,
    n_permutations: int,
    rng: np.random.Generator,
) -> list[float]:
    """Return one p-value a candidate: how often some candidate predicts a shuffled target as well.

    Ridge regression, for classes of their indicators: it is linear in the target, so that all
    shuffled ones are predicted at once. The folds do not look at the target: exact, if rows are
    exchangeable.
    """
    n = len(matrices[0])
    rows = np.sort(rng.choice(n, _ROWS, replace=False)) if n > _ROWS else np.arange(n)
    count = max(_LEAST, n_permutations)
    orders = np.vstack([np.arange(len(rows)), np.argsort(rng.random((count, len(rows))), axis=1)])
    Y = _indicators(target)[rows][orders]  # (1 + B, n, c)
    Y = Y.transpose(1, 0, 2)
    folds = rng.permutation(np.arange(len(rows)) % n_folds)
    shares = np.stack([_shares(K[np.ix_(rows, rows)], Y, folds) for K in matrices])
    best = shares.max(axis=0)
    # A permutation that gives the same target back must count, whatever its rounding.
    return [float((best >= own[0] - 1e-9).mean()) for own in shares]


def _indicators(target: Target) -> np.ndarray:
    """Return the target as numbers, (n, c)."""
    if target.n_classes:
        return np.eye(target.n_classes)[target.values]
    y = target.values - target.values.mean()
    return np.asarray((y / y.std())[:, None])


def _shares(K: np.ndarray, Y: np.ndarray, folds: np.ndarray) -> np.ndarray:
    """Return the held-out share of squares of each target, with the penalty that suits it best."""
    inertia = float(np.trace(centred(K)))
    K = K / (inertia if inertia > 0 else 1.0)
    B, c = Y.shape[1:]
    errors, nothing = np.zeros((len(PENALTIES), B)), np.zeros(B)
    for train, test in splits(folds):
        fold = Fold.of(K, train, test, _FEATURES)
        mean = Y[train].mean(axis=0)
        rest = (Y[test] - mean).reshape(len(test), -1)
        projected = fold.Z.T @ (Y[train] - mean).reshape(len(train), -1)
        squares = (fold.Z**2).sum(axis=0)[:, None]
        nothing += _by_target(rest, B, c)
        for k, penalty in enumerate(PENALTIES):
            errors[k] += _by_target(rest - fold.Z_new @ (projected / (squares + penalty)), B, c)
    return np.asarray(1.0 - errors.min(axis=0) / np.maximum(nothing, 1e-300))


def _by_target(E: np.ndarray, B: int, c: int) -> np.ndarray:
    return np.asarray((E**2).sum(axis=0).reshape(B, c).sum(axis=1))
