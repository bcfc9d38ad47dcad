"""Iterated PCA: a table whose holes are filled so that its own axes give them back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gramian._estimators.imputation.accelerate import Accelerator
from gramian._estimators.imputation.filler import Filler
from gramian._estimators.imputation.metrics import Metric, inverse

_AT_ONCE = 1 << 18  # numbers of the tables that are completed together


@dataclass(frozen=True, eq=False)
class Recipe:
    """How a table is completed."""

    q: int
    metric: Metric
    method: str = "regularized"  # or "em", which takes no noise off
    ridge: float = 1.0  # how much of the noise is taken off
    tol: float = 1e-8  # the largest change of a value, in deviations of its column
    max_iter: int = 1000


@dataclass(frozen=True, eq=False)
class Completed:
    """A stack of completed tables, and what completed them."""

    values: np.ndarray  # (b, n, p)
    filler: Filler
    n_iter: int
    converged: np.ndarray  # (b,) bool


@dataclass(frozen=True, eq=False)
class _Units:
    """Tables as (x − shift)/unit: an offset costs no digits, and a step is in deviations."""

    shift: np.ndarray  # (b, p)
    unit: np.ndarray  # (b, p)

    def take(self, rows: np.ndarray) -> _Units:
        return _Units(self.shift[rows], self.unit[rows])


def complete(X: np.ndarray, w: np.ndarray, recipe: Recipe) -> Completed:
    """Return tables, (b, n, p), with their holes (NaN) filled in by iterated PCA.

    From the means of the columns, in turn: mean, factors and axes of the completed table; its
    reconstruction by q axes whose singular values √λ are shrunk to (λ − σ²)/√λ; holes filled from
    it. Rows of weight 0 have no part in the axes. Weights, (b, n), have sum 1.
    """
    size = max(1, _AT_ONCE // (X.shape[1] * X.shape[2]))
    parts = [_complete(X[k : k + size], w[k : k + size], recipe) for k in range(0, len(X), size)]
    return Completed(
        np.concatenate([part.values for part in parts]),
        Filler.stacked([part.filler for part in parts]),
        max(part.n_iter for part in parts),
        np.concatenate([part.converged for part in parts]),
    )


def filler_of(X: np.ndarray, w: np.ndarray, recipe: Recipe) -> Filler:
    """Return the axes of whole tables, and how much of each is kept."""
    U, units = _in_units(X, np.zeros(X.shape, dtype=bool), w)
    return _filler(U, units, w, recipe)


def _complete(X: np.ndarray, w: np.ndarray, recipe: Recipe) -> Completed:
    holes = np.isnan(X)
    U, units = _in_units(X, holes, w)
    n_iter, done = 0, np.ones(len(X), dtype=bool)
    if recipe.q > 0 and holes.any():
        U, n_iter, done = _iterated(U, holes, units, w, recipe)
    table = np.where(holes, U * units.unit[:, None] + units.shift[:, None], X)
    return Completed(table, _filler(U, units, w, recipe), n_iter, done)


def _in_units(X: np.ndarray, holes: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, _Units]:
    """Return tables around the means of what is known, in deviations; holes at the means."""
    share = np.where(holes, 0.0, w[:, :, None])
    share = share * inverse(share.sum(axis=1))[:, None]
    shift = np.where(holes, 0.0, X * share).sum(axis=1)
    Y = np.where(holes, 0.0, X - shift[:, None])
    late = (Y * share).sum(axis=1)  # the mean of large numbers is off by their rounding
    shift, Y = shift + late, np.where(holes, 0.0, Y - late[:, None])
    unit = np.sqrt((Y * Y * share).sum(axis=1))
    flat = unit <= 8.0 * np.finfo(float).eps * np.abs(shift)
    unit = np.where(flat, 1.0, unit)
    return np.where(flat[:, None], 0.0, Y / unit[:, None]), _Units(shift, unit)


def _iterated(
    U: np.ndarray, holes: np.ndarray, units: _Units, w: np.ndarray, recipe: Recipe
) -> tuple[np.ndarray, int, np.ndarray]:
    """Return the tables where nothing moves any more, how long it took, and which do rest."""
    out, rests = U, np.zeros(len(U), dtype=bool)
    U = U.copy()
    live, cells = np.arange(len(U)), holes.any(axis=0)
    path = Accelerator(len(U))
    for k in range(1, recipe.max_iter + 1):
        fitted = _fitted(U, units, w, recipe)
        moves = np.where(holes[:, cells], fitted[:, cells] - U[:, cells], 0.0)
        still = np.abs(moves).max(axis=1) <= recipe.tol
        if still.any():
            rests[live[still]] = True
            U[:, cells] += np.where(still[:, None], moves, 0.0)
            out[live[still]] = U[still]
            if still.all():
                return out, k, rests
            go = ~still
            U, holes, moves, w, live = U[go], holes[go], moves[go], w[go], live[go]
            units = units.take(go)
            path.keep(go)
        U[:, cells] = path.next(U[:, cells], moves)
    out[live] = U
    return out, recipe.max_iter, rests


def _fitted(U: np.ndarray, units: _Units, w: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Return the reconstruction of whole tables, in units."""
    f = _filler(U, units, w, recipe)
    shift, unit = units.shift, units.unit
    own = Filler((f.mean - shift) / unit, f.factor * unit, f.vectors, f.shrink)
    return own.reconstruct(U)


def _filler(U: np.ndarray, units: _Units, w: np.ndarray, recipe: Recipe) -> Filler:
    """Return the axes of whole tables in units."""
    q, p = recipe.q, U.shape[2]
    centre = np.einsum("bn,bnp->bp", w, U)
    mean = centre * units.unit + units.shift
    Y = (U - centre[:, None]) * units.unit[:, None]
    factor = recipe.metric.factors(Y, mean, w)
    values, V = _spectrum(Y * (factor[:, None] * np.sqrt(w)[:, :, None]), q)
    if recipe.method == "em" or q == 0:
        return Filler(mean, factor, V, np.ones((len(U), q)))
    noise = recipe.ridge * recipe.metric.noise(values, q, int(np.count_nonzero(w[0])), p)
    noise = np.minimum(noise, values[:, q])
    return Filler(mean, factor, V, 1.0 - noise[:, None] * inverse(values[:, :q]))


def _spectrum(F: np.ndarray, q: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all eigenvalues of FᵀF, descending, and the first q axes, by the smaller side."""
    n, p = F.shape[1:]
    Ft = F.transpose(0, 2, 1)
    values, vectors = np.linalg.eigh(Ft @ F if p <= n else F @ Ft)
    values, V = np.maximum(values[:, ::-1], 0.0), vectors[:, :, ::-1][:, :, :q]
    if p > n:
        V = Ft @ V * inverse(np.sqrt(values[:, None, :q]))
    return values, V
