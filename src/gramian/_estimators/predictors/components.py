"""What models on principal components share: the axes, and their number by cross-validation."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, is_sparse, to_numpy
from gramian._core.check import generator, warn, whole
from gramian._core.embedding import count, rows_at
from gramian._core.table import Table, plain_weights
from gramian._core.types import DataLike, SeedLike, VectorLike, WeightsLike
from gramian._estimators.base import Indefinite, KernelLike, Published, column_record
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.nystrom import KernelFeatures
from gramian._estimators.predictors.targets import Classes
from gramian.errors import (
    ConvergenceWarning,
    InputError,
    RankWarning,
    SeparationWarning,
    TiedAxesWarning,
)
from gramian.kernels import Kernel, Linear


class ComponentModel(Published, BaseEstimator):
    """A model on the coordinates of kernel PCA; a subclass writes the methods that raise here."""

    decomposition_: KernelPCA
    kernel_: Kernel
    n_components_: Annotated[int, "q", ">= 1"]
    cv_results_: pd.DataFrame | None

    def __init__(
        self,
        n_components: int | float | str | None = 0.9,
        *,
        kernel: KernelLike = "gaussian",
        approximation: KernelFeatures | None = None,
        indefinite: Indefinite = "raise",
        n_folds: int = 5,
        memory: int | str | None = None,
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.approximation = approximation
        self.indefinite = indefinite
        self.n_folds = n_folds
        self.memory = memory
        self.random_state = random_state

    def fit(self, X: DataLike, y: VectorLike, sample_weight: WeightsLike = None) -> Self:
        """Find the axes of the rows of X and fit the model on their coordinates.

        X is as for `KernelPCA` and y an array (n,), or (n, t) of several numbers. A row of weight 2
        counts as two rows, a row of weight 0 is ignored.
        """
        axes = self._axes(None if self._is_tuned else self.n_components)
        rows = axes._read(X)
        n = count(rows.values)
        w = plain_weights(sample_weight, n, index=rows.index)
        target = self._target(y, rows, w)
        state: dict[str, Any] = {}
        if self._is_tuned:
            state["cv_results_"] = losses = self._choose_axes(axes, rows, target, w)
            axes = self._axes(int(losses.index[int(losses["loss"].argmin())]))
        with quiet(TiedAxesWarning):
            axes.fit(X, sample_weight=w)
        _say_if_cut(axes)
        live = np.ones(n, dtype=bool) if w is None else w > 0
        Z = to_numpy(axes.coordinates_).astype(np.float64)[live]
        with np.errstate(over="ignore", invalid="ignore"):  # looked at here
            state |= self._fit_on(Z, target[live], None if w is None else w[live])
        if not np.isfinite(state["coef_"]).all():
            raise InputError(
                f"X: coordinates of at most {np.abs(Z).max():.3g} need coefficients that overflow: "
                "multiply the data by a power of two"
            )
        state |= {"decomposition_": axes, "kernel_": axes.kernel_}
        self._publish(state | {"n_components_": axes.n_components_} | column_record(rows))
        return self

    def _axes(self, n_components: int | float | str | None) -> KernelPCA:
        return KernelPCA(
            n_components,
            kernel=self.kernel,
            approximation=self.approximation,
            indefinite=self.indefinite,
            memory=self.memory,
            random_state=self.random_state,
        )

    @property
    def _is_tuned(self) -> bool:
        return isinstance(self.n_components, str) and self.n_components == "cv"

    def _choose_axes(
        self, axes: KernelPCA, rows: Table, target: Any, w: np.ndarray | None
    ) -> pd.DataFrame:
        """Return the table of held-out losses; the kernel's scale is that of all rows."""
        X = rows.values
        live = np.ones(count(X), dtype=bool) if w is None else w > 0
        if not live.all():
            X = rows_at(X, live)
            X = rows_at(X.T, live).T if axes.is_precomputed else X
        w_live = None if w is None else w[live]
        if not axes.is_precomputed:
            with quiet(TiedAxesWarning):
                kernel = KernelPCA(1, kernel=self.kernel, approximation=self.approximation)
                axes = axes.set_params(kernel=kernel.fit(X, sample_weight=w_live).kernel_)
        y = target[live]

        def trial(
            Z: np.ndarray, Z_new: np.ndarray, train: np.ndarray, test: np.ndarray
        ) -> np.ndarray:
            own = None if w_live is None else w_live[train]
            return self._losses(Z, y[train], own, Z_new, y[test])

        folds = whole(self.n_folds, "n_folds", 2)
        return cross_validated(
            axes, X, w_live, y, trial, folds=folds, random_state=self.random_state
        )

    def _coordinates(self, X: DataLike) -> np.ndarray:
        check_is_fitted(self)
        return to_numpy(self.decomposition_.transform(X)).astype(np.float64)

    def _target(self, y: VectorLike, rows: Table, w: np.ndarray | None) -> Any:
        """Return what is predicted, after a look at it."""
        raise NotImplementedError

    def _fit_on(self, Z: np.ndarray, y: Any, w: np.ndarray | None) -> dict[str, Any]:
        """Return the fitted attributes of the model on coordinates Z."""
        raise NotImplementedError

    def _losses(
        self, Z: np.ndarray, y: Any, w: np.ndarray | None, Z_new: np.ndarray, y_new: Any
    ) -> np.ndarray:
        """Return the loss of each held-out row, (m,), of a model on coordinates Z."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        square = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.sparse = not square
        tags.input_tags.pairwise = square
        return tags


def _say_if_cut(axes: KernelPCA) -> None:
    """Warn where the last axis kept and the first left out have one eigenvalue."""
    q = axes.n_components_
    for group in axes.tied_axes_:
        if group[-1] > q:
            warn(
                f"axes {group[0]} to {group[-1]} have equal eigenvalues and only {q} axes are "
                "kept: which ones is arbitrary, and predictions depend on it; keep all of them",
                TiedAxesWarning,
            )


_MAX_AXES = 100  # axes that are tried
_TRIAL_WARNINGS = (TiedAxesWarning, RankWarning, SeparationWarning, ConvergenceWarning)

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
    rows: Array,
    w: np.ndarray | None,
    target: np.ndarray | Classes,
    trial: Trial,
    *,
    folds: int = 5,
    random_state: SeedLike = None,
) -> pd.DataFrame:
    """Return the held-out "loss", and its standard error "se", by number of axes q."""
    # Of numbers every number of axes up to 100 is tried, of classes (each dealt evenly to the
    # folds) about ten between each and ten times as many.
    codes = target.codes if isinstance(target, Classes) else None
    n = count(rows)
    weight = np.ones(n) if w is None else w
    groups = _groups(rows, target.codes if isinstance(target, Classes) else target)
    left = len(groups) - -(-len(groups) // folds)  # in the smallest training set
    if folds > len(groups) or left < 2:
        raise InputError(
            f"n_folds={folds} for {len(groups)} different rows: give more rows or fewer folds"
        )
    fold = _fold_of(groups, codes, folds, random_state)
    most = min(left - 1, _MAX_AXES)
    grid = list(range(1, most + 1))
    if codes is not None and most > 10:
        steps = range(int(10 * np.log10(most)) + 1)
        grid = sorted({round(10 ** (k / 10)) for k in steps} | {most})
    losses = np.full((n, len(grid)), np.nan)
    by_features = axes.approximation is not None or isinstance(axes.kernel, Linear)
    found = None if by_features else most  # features are few: all their axes are found at once
    n_axes = 0
    for k in range(folds):
        mask = fold != k
        if mask.all():
            continue
        train, test = np.flatnonzero(mask), np.flatnonzero(~mask)
        A, B = rows_at(rows, mask), rows_at(rows, ~mask)
        if axes.is_precomputed:
            A, B = rows_at(A.T, mask).T, rows_at(B.T, mask).T
        with quiet(*_TRIAL_WARNINGS):
            whole = KernelPCA(**axes.get_params(deep=False) | {"n_components": found})
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


def _groups(rows: Array, target: np.ndarray) -> list[np.ndarray]:
    """Return the positions of equal rows with equal targets, in an order of their contents."""
    # They stay together: a row must not predict its own copy, and repeated rows are then the same
    # as weights, whatever their order.
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
    groups: list[np.ndarray], codes: np.ndarray | None, folds: int, random_state: SeedLike
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
