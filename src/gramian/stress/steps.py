"""One step of majorisation: from a configuration to one that cannot be worse."""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType

import numpy as np

from gramian.stress import loops as numpy_loops
from gramian.stress.loops import Run
from gramian.stress.problem import Problem
from gramian.stress.scaling import disparities

__all__ = ["Step", "loops_for"]

_WORTH = 200  # points from which compiled loops repay the time it takes to load them


def loops_for(n: int) -> ModuleType:
    """Return the module whose inner loops to use for n points: compiled ones where they pay."""
    if n < _WORTH or not _has_numba():
        return numpy_loops
    from gramian.stress import compiled

    return compiled


@cache
def _has_numba() -> bool:
    return importlib.util.find_spec("numba") is not None


class Step:
    """X ↦ (σ(X), X⁺) with σ(X⁺) ≤ σ(X), σ = Σ w(d̂ − d)² / Σ w·t².

    For loss "stress" X⁺ is the Guttman transform V⁺B(X)X; for "sstress" each coordinate in turn
    goes to the minimum of its quartic. Disparities are fitted to the distances and brought to the
    size of the targets before, except under ratio scaling, where they are the targets.

    Parameters
    ----------
    problem : Problem
    loops : module
        `gramian.stress.loops` or its compiled twin.
    run : callable
        The `map` that chunks of compiled work go through, a thread pool's for instance.
    """

    def __init__(self, problem: Problem, loops: ModuleType, run: Run = map) -> None:
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
            target = self._fitted(d)
            numerator, raw = self.loops.pair_pass(p.pairs, X, d, target, self.run)
        return raw / p.total, p.unweighted(numerator)

    def _sweep(self, X: np.ndarray) -> tuple[float, np.ndarray]:
        p = self.problem
        if p.scaling == "ratio":
            rest, square = p.measure(X) - p.target, p.square_target
            raw = float(rest @ rest if p.weight is None else (p.weight * rest) @ rest)
        else:
            d = p.measure(X)[p.pairs.position]
            target = self._fitted(d)
            raw, square = p.pairs.square_sum(target - d), p.pairs.square(target)
        sweep = self.loops.sweep if p.loss == "sstress" else numpy_loops.line_sweep
        return raw / p.total, sweep(square, p.square_weight, X)

    def _fitted(self, d: np.ndarray) -> np.ndarray:
        """Return disparities of the size of the targets: Σ w·d̂² = Σ w·t²."""
        p = self.problem
        fit = disparities(p.scaling, p.ties, p.pairs, d, self.loops)
        size = p.pairs.square_sum(fit)
        return fit * np.sqrt(p.total / size) if size > 0 else fit
