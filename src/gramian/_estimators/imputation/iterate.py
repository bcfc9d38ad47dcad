"""Iterated PCA: missing values filled in such that the axes of the table reproduce them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from gramian._core.check import expect
from gramian._reading.coding import Coding

_PLAIN_STEPS = 5  # plain steps before the past is trusted
_MEMORY = 6  # steps that are remembered
_MAX_GROWTH = 1.5  # how much longer a step may be than the one before
_BATCH_ENTRIES = 1 << 18  # numbers of the tables that are completed together


@dataclass(frozen=True, eq=False)
class Filler:
    """Axes that complete rows: with z = (x − mean)·factor, ẑ = V·shrink·Vᵀ·z.

    In a stack of several every array has one more dimension, the first.

    >>> line = Filler(np.zeros(2), np.ones(2), np.full((2, 1), 0.5**0.5), np.ones(1))
    >>> line.fill(np.array([[3.0, np.nan]])).round(9).tolist()
    [[3.0, 3.0]]
    """

    mean: Annotated[np.ndarray, "(p,)"]
    factor: Annotated[np.ndarray, "(p,)", ">= 0"]  # 0 for a constant column
    vectors: Annotated[np.ndarray, "(p, q)"]
    shrink: Annotated[np.ndarray, "(q,)", ">= 0"]  # 1 − σ²/λ
    coding: Coding | None = None  # of a table that holds categories

    def check(self) -> None:
        """Refuse axes that are not orthonormal, and levels of other columns."""
        p, q = self.vectors.shape
        gap = np.abs(self.vectors.T @ self.vectors - np.eye(q)).max(initial=0.0)
        expect(bool(gap <= 1e-6), "orthonormal axes to fill missing values with")
        expect(self.coding is None or self.coding.starts[-1] == p, f"levels of {p} columns")

    @property
    def n_components(self) -> int:
        """How many axes complete a row."""
        return self.vectors.shape[-1]

    @classmethod
    def concatenate(cls, stacks: Sequence[Filler]) -> Filler:
        """Return several stacks as one."""
        fields = zip(*((f.mean, f.factor, f.vectors, f.shrink) for f in stacks), strict=True)
        mean, factor, vectors, shrink = map(np.concatenate, fields)
        return cls(mean, factor, vectors, shrink)

    def single(self, k: int = 0) -> Filler:
        """Return one of a stack."""
        return Filler(self.mean[k], self.factor[k], self.vectors[k], self.shrink[k])

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Return where whole rows lie on the axes, (n, q)."""
        return ((X - self.mean[..., None, :]) * self.factor[..., None, :]) @ self.vectors

    def reconstruct(self, X: np.ndarray) -> np.ndarray:
        """Return what the axes say of whole rows."""
        mean, factor = self.mean[..., None, :], self.factor[..., None, :]
        scores = self.scores(X) * self.shrink[..., None, :]
        return mean + scores @ np.swapaxes(self.vectors, -1, -2) * inverse(factor)

    def fill(self, X: np.ndarray) -> np.ndarray:
        """Return rows, (m, p), whose missing values (NaN) are predicted by what is known of them.

        The scores c = Vᵀz of the whole row solve (I − V_mᵀV_m·shrink)c = V_oᵀz_o, o being what is
        known of the row and m what is not: where iterating with these axes would end, at once.
        """
        missing = np.isnan(X)
        open_rows = missing.any(axis=1)
        out = X.copy()
        out[open_rows] = self._fill_rows(X[open_rows], missing[open_rows])
        return out

    def _fill_rows(self, X: np.ndarray, missing: np.ndarray) -> np.ndarray:
        V, S = self.vectors, self.shrink
        if not len(S):
            return np.where(missing, self.mean, X)
        Z = np.where(missing, 0.0, X - self.mean) * self.factor
        # Sums row by row, not products of matrices: a row is then the same to the last digit
        # whatever rows come with it.
        pairs = (V[:, :, None] * V[:, None, :]).reshape(len(V), -1)
        own = np.einsum("np,pk->nk", missing.astype(float), pairs).reshape(-1, len(S), len(S))
        known = np.einsum("np,pk->nk", Z, V)
        # Without shrinkage an axis that no known column speaks of is open: no score on it.
        inner = np.linalg.pinv(np.eye(len(S)) - own * S, rcond=1e-10)
        scores = np.einsum("nkl,nl->nk", inner, known) * S
        fitted = self.mean + np.einsum("nk,pk->np", scores, V) * inverse(self.factor)
        return np.where(missing, fitted, X)


class Accelerator:
    """A stack of fixed-point iterations, each with its own past.

    From x and its step f(x) − x the next point is f(x) minus the combination of past changes of f
    that would have made the past steps cancel this one. Where a step is longer than the one before,
    the past is forgotten and the plain image taken: the iteration is then what it was without.
    """

    def __init__(self) -> None:
        self._n_steps = 0
        self._past: list[np.ndarray] = []  # the last images and steps, (2, b, m) each

    def keep(self, rows: np.ndarray) -> None:
        """Keep some of the iterations: those that have not converged."""
        self._past = [pair[:, rows] for pair in self._past]

    def next(self, x: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return where to look next, from points (b, …) and what the map adds to them."""
        flat = step.reshape(len(x), -1)
        new = np.stack([x.reshape(flat.shape) + flat, flat])
        self._n_steps += 1
        self._past = [*self._past[-_MEMORY:], new]
        if len(self._past) == 1:
            return new[0].reshape(x.shape)
        before = self._past[-2]
        length, length_before = (np.linalg.norm(pair[1], axis=1) for pair in (new, before))
        astray = length > _MAX_GROWTH * length_before
        back = np.where(astray[:, None], before[0], new[0])
        for pair in self._past[:-1]:
            pair[:, astray] = new[:, astray]
        if self._n_steps <= _PLAIN_STEPS:
            return new[0].reshape(x.shape)
        images, steps = np.diff(np.stack(self._past, axis=2), axis=2)  # (b, k, m) each
        normal = steps @ steps.transpose(0, 2, 1)
        size = np.einsum("bii->b", normal)
        ridge = np.where(size > 0, 1e-12 * size, 1.0)[:, None, None] * np.eye(steps.shape[1])
        share = np.linalg.solve(normal + ridge, steps @ flat[:, :, None])
        return (back - (share.transpose(0, 2, 1) @ images)[:, 0]).reshape(x.shape)


@dataclass(frozen=True, eq=False)
class Metric:
    """A factor for each column, and the noise that is taken off the inertia of an axis.

    Of answers alone it is that of multiple correspondence, 1/√(K·p_j) for K questions. Otherwise
    every variable, or every group of columns (multiple factor analysis), has a first inertia of 1.
    Tables come in stacks: (b, n, p), with their means (b, p) and weights (b, n) whose sums are 1.
    """

    question: np.ndarray  # which question each column belongs to, −1 for a number, (p,)
    scale: np.ndarray | bool = True  # which numbers are divided by their deviations
    group: np.ndarray | None = None  # the group of each column, −1 for one that has no part, (p,)

    @cached_property
    def _only_answers(self) -> bool:
        return self.group is None and bool((self.question >= 0).all())

    @cached_property
    def n_free(self) -> int:
        """How many columns are free: the answers of a question sum to 1."""
        own = self.question if self.group is None else self.question[self.group >= 0]
        return len(own) - len(np.unique(own[own >= 0]))

    def factors(self, Y: np.ndarray, mean: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return what multiplies each centred column, (b, p): 1/deviation, 1/√p_j, or 1."""
        # A block (a question beside numbers, or a group) is divided by its first singular value.
        # For a question that is 1 as long as its answers are known, less where they are filled in.
        of_numbers = np.where(self.scale, inverse(np.sqrt(np.einsum("bn,bnp,bnp->bp", w, Y, Y))), 1)
        of_levels = inverse(np.sqrt(np.maximum(mean, 0.0)))
        out = np.where(self.question >= 0, of_levels, of_numbers)
        if self._only_answers:
            return out / np.sqrt(self.question.max() + 1)
        block = self.question if self.group is None else self.group
        if self.group is not None:
            out *= self.group >= 0
        for g in range(int(block.max()) + 1):
            own = block == g
            part = Y[:, :, own] * out[:, None, own] * np.sqrt(w)[:, :, None]
            first = np.linalg.eigvalsh(part.transpose(0, 2, 1) @ part)[:, -1]
            out[:, own] *= inverse(np.sqrt(np.maximum(first, 0.0)))[:, None]
        return out

    def noise(self, values: np.ndarray, q: int, n: int) -> np.ndarray:
        """Return σ², (b,), from all eigenvalues, (b, r), of n rows, p columns being free."""
        # σ² = n·p/min(p, n − 1)·Σ_{k>q} λ_k/((n − 1 − q)(p − q)); of answers alone it is the mean
        # eigenvalue after the first q, of those that are not always 0.
        p = self.n_free
        if self._only_answers:
            return values[:, q : min(p, n - 1)].mean(axis=1)
        rest = values[:, q:].sum(axis=1)
        return n * p / min(p, n - 1) * rest / ((n - 1 - q) * (p - q))


def inverse(x: np.ndarray) -> np.ndarray:
    """Return 1/x, and 0 where x is 0: a constant column makes no axis."""
    return np.divide(1.0, x, out=np.zeros_like(x), where=x > 0)


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


def complete(X: np.ndarray, w: np.ndarray, recipe: Recipe) -> Completed:
    """Return tables, (b, n, p), with their missing values (NaN) filled in by iterated PCA."""
    # From the means of the columns, in turn: mean, factors and axes of the completed table; its
    # reconstruction by q axes whose singular values √λ are shrunk to (λ − σ²)/√λ; missing values
    # filled from it. Rows of weight 0 have no part in the axes. Weights, (b, n), have sum 1.
    size = max(1, _BATCH_ENTRIES // (X.shape[1] * X.shape[2]))
    parts = [_complete(X[k : k + size], w[k : k + size], recipe) for k in range(0, len(X), size)]
    return Completed(
        np.concatenate([part.values for part in parts]),
        Filler.concatenate([part.filler for part in parts]),
        max(part.n_iter for part in parts),
        np.concatenate([part.converged for part in parts]),
    )


def filler_of(X: np.ndarray, w: np.ndarray, recipe: Recipe) -> Filler:
    """Return the axes of whole tables, and how much of each is kept."""
    U, units = _in_units(X, np.zeros(X.shape, dtype=bool), w)
    return _filler(U, units, w, recipe)


def _complete(X: np.ndarray, w: np.ndarray, recipe: Recipe) -> Completed:
    missing = np.isnan(X)
    U, units = _in_units(X, missing, w)
    n_iter, done = 0, np.ones(len(X), dtype=bool)
    if recipe.q > 0 and missing.any():
        U, n_iter, done = _iterate(U, missing, units, w, recipe)
    table = np.where(missing, U * units[1][:, None] + units[0][:, None], X)
    return Completed(table, _filler(U, units, w, recipe), n_iter, done)


def _in_units(X: np.ndarray, missing: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return tables as (x − shift)/unit, 0 where missing, and shift and unit, (2, b, p)."""
    # They are the means and deviations of known values: an offset costs no digits.
    share = np.where(missing, 0.0, w[:, :, None])
    share = share * inverse(share.sum(axis=1))[:, None]
    shift = np.where(missing, 0.0, X * share).sum(axis=1)
    Y = np.where(missing, 0.0, X - shift[:, None])
    late = (Y * share).sum(axis=1)  # the mean of large numbers is off by their rounding
    shift, Y = shift + late, np.where(missing, 0.0, Y - late[:, None])
    unit = np.sqrt((Y * Y * share).sum(axis=1))
    flat = unit <= 8.0 * np.finfo(float).eps * np.abs(shift)
    unit = np.where(flat, 1.0, unit)
    return np.where(flat[:, None], 0.0, Y / unit[:, None]), np.stack([shift, unit])


def _iterate(
    U: np.ndarray, missing: np.ndarray, units: np.ndarray, w: np.ndarray, recipe: Recipe
) -> tuple[np.ndarray, int, np.ndarray]:
    """Iterate to convergence; return tables, number of iterations and converged flags."""
    out, converged = U, np.zeros(len(U), dtype=bool)
    U = U.copy()
    live, cells = np.arange(len(U)), missing.any(axis=0)
    path = Accelerator()
    for k in range(1, recipe.max_iter + 1):
        fitted = _reconstruct(U, units, w, recipe)
        moves = np.where(missing[:, cells], fitted[:, cells] - U[:, cells], 0.0)
        still = np.abs(moves).max(axis=1) <= recipe.tol
        if still.any():
            converged[live[still]] = True
            U[:, cells] += np.where(still[:, None], moves, 0.0)
            out[live[still]] = U[still]
            if still.all():
                return out, k, converged
            go = ~still
            U, missing, moves, w, live = U[go], missing[go], moves[go], w[go], live[go]
            units = units[:, go]
            path.keep(go)
        U[:, cells] = path.next(U[:, cells], moves)
    out[live] = U
    return out, recipe.max_iter, converged


def _reconstruct(U: np.ndarray, units: np.ndarray, w: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Return the reconstruction of whole tables, in units."""
    f, (shift, unit) = _filler(U, units, w, recipe), units
    own = Filler((f.mean - shift) / unit, f.factor * unit, f.vectors, f.shrink)
    return own.reconstruct(U)


def _filler(U: np.ndarray, units: np.ndarray, w: np.ndarray, recipe: Recipe) -> Filler:
    """Return the axes of whole tables in units."""
    q, (shift, unit) = recipe.q, units
    centre = np.einsum("bn,bnp->bp", w, U)
    mean = centre * unit + shift
    Y = (U - centre[:, None]) * unit[:, None]
    factor = recipe.metric.factors(Y, mean, w)
    values, V = _spectrum(Y * (factor[:, None] * np.sqrt(w)[:, :, None]), q)
    if recipe.method == "em" or q == 0:
        return Filler(mean, factor, V, np.ones((len(U), q)))
    noise = recipe.ridge * recipe.metric.noise(values, q, int(np.count_nonzero(w[0])))
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
