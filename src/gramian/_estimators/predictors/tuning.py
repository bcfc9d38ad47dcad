"""The number of axes by cross-validation: axes are found once a fold, every number is tried."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import is_sparse, to_numpy
from gramian._core.check import generator
from gramian._core.embedding import count, rows_at
from gramian._estimators.kernel_pca import KernelPCA
from gramian.errors import (
    ConvergenceWarning,
    InputError,
    RankWarning,
    SeparationWarning,
    TiedAxesWarning,
)
from gramian.kernels import Linear

MOST = 100  # axes that are tried
TRIED = (TiedAxesWarning, RankWarning, SeparationWarning, ConvergenceWarning)

# (coordinates of training rows, of held-out rows, which rows these are) → losses (held-out rows,)
Trial = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], np.ndarray]


@contextmanager
def quiet(*categories: type[Warning]) -> Iterator[None]:
    """Hold back what is said about axes that nobody reads and models that are only tried."""
    with warnings.catch_warnings():
        for category in categories:
            warnings.simplefilter("ignore", category)
        yield


def cross_validated(
    axes: KernelPCA,
    rows: Any,
    w: np.ndarray | None,
    target: np.ndarray,
    trial: Trial,
    *,
    stratified: bool = False,
    folds: int = 5,
    every: bool = False,
    random_state: Any = None,
) -> pd.DataFrame:
    """Return the held-out loss of each number of axes, one row a number.

    Parameters
    ----------
    axes : KernelPCA
        With its kernel resolved; the number of axes is set here.
    rows : table, kernel matrix or objects, every row having a weight
    target : array (n, ...)
    stratified : bool
        The target holds classes, each to be dealt evenly to the folds.
    every : bool
        Try every number of axes up to 100, or about ten between each and ten times as many.

    Returns
    -------
    DataFrame, index "q", columns "loss" (the mean over rows) and "se" (its standard error)
    """
    n = count(rows)
    weight = np.ones(n) if w is None else w
    groups = _groups(rows, target)
    left = len(groups) - -(-len(groups) // folds)  # in the smallest training set
    if folds > len(groups) or left < 2:
        raise InputError(
            f"n_folds={folds} for {len(groups)} different rows: give more rows or fewer folds"
        )
    fold = _fold_of(groups, target if stratified else None, folds, random_state)
    grid = _grid(min(left - 1, MOST), every)
    losses = np.full((n, len(grid)), np.nan)
    by_features = axes.approximation is not None or isinstance(axes.kernel, Linear)
    most = None if by_features else grid[-1]  # features are few: all their axes are found at once
    n_axes = 0
    square = axes.is_precomputed
    for k in range(folds):
        mask = fold != k
        if mask.all():
            continue
        train, test = np.flatnonzero(mask), np.flatnonzero(~mask)
        A, B = rows_at(rows, mask), rows_at(rows, ~mask)
        if square:
            A, B = rows_at(A.T, mask).T, rows_at(B.T, mask).T
        with quiet(*TRIED):
            whole = KernelPCA(**axes.get_params(deep=False) | {"n_components": most})
            fitted = whole.fit(A, sample_weight=weight[mask])
            Z, Z_new = to_numpy(fitted.coordinates_), to_numpy(fitted.transform(B))
            n_axes = max(n_axes, Z.shape[1])
            for j, q in enumerate(grid):
                if q <= Z.shape[1]:
                    losses[test, j] = trial(Z[:, :q], Z_new[:, :q], train, test)
                else:  # there are no more axes: the last model stays as it is
                    losses[test, j] = losses[test, j - 1]
    tried = ~np.isnan(losses[:, 0])
    losses, p = losses[tried], weight[tried] / weight[tried].sum()
    mean = p @ losses
    spread = np.sqrt((p**2) @ (losses - mean) ** 2)
    curve = pd.DataFrame({"loss": mean, "se": spread}, index=pd.Index(grid, name="q"))
    return curve[curve.index <= max(n_axes, 1)]


def _grid(most: int, every: bool) -> list[int]:
    if every or most <= 10:
        return list(range(1, most + 1))
    steps = range(int(10 * np.log10(most)) + 1)
    return sorted({round(10 ** (k / 10)) for k in steps} | {most})


def _groups(rows: Any, target: np.ndarray) -> list[np.ndarray]:
    """Return the positions of equal rows with equal targets, in an order of their contents.

    They stay together: a row must not predict its own copy, and repeated rows are then the same as
    weights, whatever their order.
    """
    if not hasattr(rows, "shape"):  # objects
        return [np.array([i]) for i in range(len(rows))]
    positions: dict[bytes, list[int]] = {}
    X = rows.tocsr() if is_sparse(rows) else to_numpy(rows) + 0.0  # -0.0 is 0.0
    for i, value in enumerate(np.asarray(target) + 0):
        row: Any = X[[i]]
        key = row.indices.tobytes() + row.data.tobytes() if is_sparse(row) else row.tobytes()
        positions.setdefault(key + value.tobytes(), []).append(i)
    return [np.array(positions[key]) for key in sorted(positions)]


def _fold_of(
    groups: list[np.ndarray], codes: np.ndarray | None, folds: int, random_state: Any
) -> np.ndarray:
    """Return the fold of each row: groups of each class are dealt in turn, in a random order."""
    rng = generator(random_state)
    fold = np.empty(sum(map(len, groups)), dtype=int)
    kind = np.array([0 if codes is None else codes[g[0]] for g in groups])
    dealt = 0
    for k in np.unique(kind):
        own = rng.permutation(np.flatnonzero(kind == k))
        for g in own:
            # The only row of a class is never held out: no other row could predict it.
            fold[groups[g]] = dealt % folds if len(own) > 1 or codes is None else -1
            dealt += 1
    if fold.max() < 1:
        raise InputError("y: too few rows to hold any out: give more rows, or n_components=")
    return fold
