"""Majorisation: fit disparities, take a step that cannot be worse, repeat it until it stands still.

Majorisation converges linearly, and often slowly. Anderson's extrapolation from the last few steps
is tried at each turn; where it does not lower the loss, the plain step, which always does, is
taken instead, so that the loss never rises.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from gramian._core.compiled import has_numba
from gramian._estimators.stress import numpy_loops
from gramian._estimators.stress.numpy_loops import ChunkMap
from gramian._estimators.stress.problem import PairList, Problem

_MIN_COMPILED_POINTS = 120  # points from which compiled loops repay the time it takes to load them
MEMORY = 6  # steps that an extrapolation looks back on
RIDGE = 1e-10  # of nearly parallel differences: they are not to be weighed against each other
TINY = float(np.finfo(float).tiny)  # the ridge where there is no difference
FLAT = 1e-30  # a loss this small is zero to rounding


def loops_for(n: int) -> ModuleType:
    """Return the module whose inner loops to use for n points: compiled ones where they pay."""
    if n < _MIN_COMPILED_POINTS or not has_numba():
        return numpy_loops
    from gramian._estimators.stress import numba_loops

    return numba_loops


def disparities(
    scaling: str, ties: str, pairs: PairList, d: np.ndarray, loops: ModuleType
) -> np.ndarray:
    """Return the least squares fit d̂ to the distances d of the pairs, (m,) in their order."""
    # "interval" is a + b(δ − δ_min) with a, b ≥ 0; "ordinal" increases with δ: "primary" lets the
    # disparities of ties differ, "secondary" keeps them equal.
    if scaling == "interval":
        line, d_mean = pairs.line, pairs.mean(d)
        slope = float(line.slopes @ d)
        level = d_mean - slope * line.mean
        if slope < 0:
            slope, level = 0.0, d_mean
        elif level < 0:
            slope, level = pairs.mean(line.x * d) / line.mean_square, 0.0
        return level + slope * line.x
    if not pairs.has_ties:
        return loops.isotonic(d, pairs.weight)
    if ties == "primary":
        order = loops.sort_within(d, pairs.starts)
        w = pairs.weight[order] if pairs.weight.size else pairs.weight
        out = np.empty_like(d)
        out[order] = loops.isotonic(d[order], w)
        return out
    w = pairs.weight if pairs.weight.size else np.ones_like(d)
    size = np.add.reduceat(w, pairs.starts)
    level = loops.isotonic(np.add.reduceat(w * d, pairs.starts) / size, size)
    return np.repeat(level, np.diff(np.append(pairs.starts, len(d))))


class Step:
    """X ↦ (σ(X), X⁺) with σ(X⁺) ≤ σ(X), σ = Σ w(d̂ − d)² / Σ w·t².

    For loss "stress" X⁺ is the Guttman transform V⁺B(X)X; for "sstress" each coordinate in turn
    goes to the minimum of its quartic. Disparities are fitted to the distances and brought to the
    size of the targets before, except under ratio scaling, where they are the targets.
    Chunks of compiled work go through the `map` that is `run`, a thread pool's for instance.
    """

    def __init__(self, problem: Problem, loops: ModuleType, run: ChunkMap = map) -> None:
        self.problem, self.loops, self.run = problem, loops, run

    def __call__(self, X: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss at X and the next configuration."""
        p = self.problem
        if p.loss == "sstress" or X.shape[1] == 1:
            return self._sweep(X)
        if p.scaling == "ratio":
            numerator, raw = self.loops.ratio_pass(p.square_target, p.square_weight, X, self.run)
        else:
            d = self.loops.pair_distances(p.pairs, X, self.run)
            target = self._disparities(d)
            numerator, raw = self.loops.pair_pass(p.pairs, X, d, target, self.run)
        return raw / p.total, p.guttman_transform(numerator)

    def _sweep(self, X: np.ndarray) -> tuple[float, np.ndarray]:
        p = self.problem
        if p.scaling == "ratio":
            rest, square = p.measure(X) - p.target, p.square_target
            raw = float(rest @ rest if p.weight is None else (p.weight * rest) @ rest)
        else:
            d = p.measure(X)[p.pairs.position]
            target = self._disparities(d)
            raw, square = p.pairs.square_sum(target - d), p.pairs.square(target)
        sweep = self.loops.sweep if p.loss == "sstress" else numpy_loops.line_sweep
        return raw / p.total, sweep(square, p.square_weight, X)

    def _disparities(self, d: np.ndarray) -> np.ndarray:
        """Return disparities of the size of the targets: Σ w·d̂² = Σ w·t²."""
        p = self.problem
        fit = disparities(p.scaling, p.ties, p.pairs, d, self.loops)
        size = p.pairs.square_sum(fit)
        return fit * np.sqrt(p.total / size) if size > 0 else fit


@dataclass(frozen=True)
class Run:
    """Where a start led to."""

    X: np.ndarray  # (n, q)
    loss: float
    history: np.ndarray  # the loss at each accepted configuration
    n_iter: int  # steps computed
    converged: bool


def majorise(
    step: Callable[[np.ndarray], tuple[float, np.ndarray]],
    X: np.ndarray,
    *,
    max_iter: int,
    tol: float,
    report: Callable[[int, float], None] | None = None,
) -> Run:
    """Return the fixed point of `step` that the start X leads to."""
    # It has converged when a step moves the points by at most `tol`, relative to their size.
    loss, Z = step(X)
    history, n_iter = [loss], 1
    mixer = _Mixer()
    while True:
        moved = float(np.linalg.norm(Z - X))
        converged = moved <= tol * float(np.linalg.norm(X)) or loss <= FLAT
        if report is not None:
            report(n_iter, loss)
        if converged or n_iter >= max_iter:
            return Run(X, loss, np.array(history), n_iter, converged)
        guess = mixer(X, Z)
        new_loss, new_Z = step(guess)
        n_iter += 1
        if not new_loss <= loss and guess is not Z:
            mixer = _Mixer()
            guess = Z
            new_loss, new_Z = step(guess)
            n_iter += 1
        X, Z, loss = guess, new_Z, new_loss
        history.append(loss)


class _Mixer:
    """Anderson's extrapolation: the combination of past steps that would stand still if linear."""

    def __init__(self) -> None:
        self.last: tuple[np.ndarray, np.ndarray] | None = None  # Z and how far it is from X
        self.count = 0  # of differences seen
        self.dZ = self.dF = np.empty(0)  # the last few of them, (MEMORY, n·q), zero where none

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Return the extrapolated configuration, Z itself as long as there is no past."""
        before, F = self.last, Z - X
        self.last = Z, F
        if before is None:
            return Z
        if self.count == 0:
            self.dZ, self.dF = np.zeros((2, MEMORY, Z.size))
        row = self.count % MEMORY
        self.count += 1
        self.dZ[row] = (Z - before[0]).ravel()
        self.dF[row] = (F - before[1]).ravel()
        M = self.dF @ self.dF.T
        M.flat[:: MEMORY + 1] += RIDGE * M.trace() + TINY
        weights = np.linalg.solve(M, self.dF @ F.ravel())
        return Z - (weights @ self.dZ).reshape(Z.shape)
