"""Starts majorised together on an accelerator: all points in one array, few operations a step.

What `majorise` decides for one start is decided here for all of them by masks that never leave the
device: it would wait for the host longer than a step takes. Only every few steps does the host ask
which starts have come to their end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gramian._array import Array, Namespace, as_doubles, device_of, namespace, take, to_numpy
from gramian.stress.device_pass import step_on
from gramian.stress.majorise import FLAT, MEMORY, RIDGE, TINY, Run
from gramian.stress.problem import Problem

__all__ = ["majorise_together"]

_EVERY = 32  # steps between two looks of the host

BatchStep = Callable[[Array], tuple[Array, Array]]


def majorise_together(
    problem: Problem,
    starts: Sequence[np.ndarray],
    like: Array,
    *,
    max_iter: int,
    tol: float,
    report: Callable[[int, int, float], None] | None = None,
) -> list[Run]:
    """Return where each start (n, q) leads to, computed in the library and on the device of `like`.

    The steps are those of `majorise`, for metric stress with equal weights.
    """
    X = as_doubles(np.stack(starts), like)
    batch = _Batch(step_on(problem, like), X, max_iter, tol)
    paths = [_Path() for _ in starts]
    left = list(range(len(starts)))  # the starts that are still in the batch
    runs: dict[int, Run] = {}
    while left:
        moving = batch.look([paths[k] for k in left])
        for row, k in enumerate(left):
            if report is not None:
                report(k, paths[k].n_iter, paths[k].history[-1])
            if not moving[row]:
                runs[k] = batch.run(row, paths[k])
        if not moving.all():
            left = [k for k in left if k not in runs]
            batch.keep(np.flatnonzero(moving))
        for _ in range(_EVERY if left else 0):
            batch.advance()
    return [runs[k] for k in range(len(starts))]


class _Path:
    """How one start went: the losses at its configurations, and the steps it took."""

    def __init__(self) -> None:
        self.history: list[float] = []
        self.n_iter = 0


class _Batch:
    """Where all starts are: arrays with one row a start."""

    def __init__(self, step: BatchStep, X: Array, max_iter: int, tol: float) -> None:
        self.step, self.max_iter, self.tol = step, max_iter, tol
        self.xp = xp = namespace(X)
        where = {"dtype": X.dtype, "device": device_of(X)}
        self.steps = 1
        self.X = X
        self.loss, self.Z = step(X)
        self.F = self.Z - X
        self.guess = self.Z
        self.converged = self._stands()
        yes = self.converged | ~self.converged
        self.moving = ~self.converged if max_iter > 1 else ~yes
        self.accepted, self.plain = yes, yes
        self.dZ = self.dF = xp.zeros((X.shape[0], MEMORY, X.shape[1] * X.shape[2]), **where)
        self.eye = xp.eye(MEMORY, **where)
        self.seen = [(self.loss, yes, yes)]  # since the last look: losses, where new, who moved

    def advance(self) -> None:
        """Take one step with every start that still moves."""
        xp, moved, Z, F = self.xp, self.moving, self.Z, self.F
        self.steps += 1
        new_loss, new_Z = self.step(self.guess)
        accepted = moved & ((new_loss <= self.loss) | self.plain)
        wide = accepted[:, None, None]
        self.X = xp.where(wide, self.guess, self.X)
        self.Z = xp.where(wide, new_Z, Z)
        self.loss = xp.where(accepted, new_loss, self.loss)
        self.F = self.Z - self.X
        stands = accepted & self._stands()
        self.converged = self.converged | stands
        self.moving = moved & ~(stands if self.steps < self.max_iter else accepted)
        self.seen.append((self.loss, accepted, moved))
        # A refused step, and the plain one after it, leave no past to extrapolate from.
        past = accepted & self.accepted
        self.accepted, self.plain = accepted, ~past
        self.dZ = self._remembered(self.dZ, self.Z - Z, past)
        self.dF = self._remembered(self.dF, self.F - F, past)
        self.guess = self._extrapolated()

    def _stands(self) -> Array:
        """Which starts a step moves no more."""
        moved, size = (self.xp.sum(A * A, axis=(1, 2)) for A in (self.F, self.X))
        return (moved <= self.tol**2 * size) | (self.loss <= FLAT)

    def _remembered(self, memory: Array, new: Array, past: Array) -> Array:
        """Return the last differences, (S, memory, n·q), zeros where there is no past."""
        xp = self.xp
        kept = xp.concat([memory[:, 1:, :], xp.reshape(new, (new.shape[0], 1, -1))], axis=1)
        return xp.where(past[:, None, None], kept, xp.zeros_like(kept))

    def _extrapolated(self) -> Array:
        """Return what `majorise` tries next: Z itself where there is no past."""
        xp, dF = self.xp, self.dF
        M = dF @ xp.matrix_transpose(dF)
        ridge = RIDGE * xp.sum(M * self.eye, axis=(1, 2)) + TINY
        M = M + ridge[:, None, None] * self.eye
        weights = _solved(xp, M, dF @ xp.reshape(self.F, (dF.shape[0], -1, 1)))
        return self.Z - xp.reshape(xp.matrix_transpose(weights) @ self.dZ, self.Z.shape)

    def look(self, paths: Sequence[_Path]) -> np.ndarray:
        """Write down how the starts went since the last look; return which still move."""
        columns = zip(*self.seen, strict=True)
        losses, new, moved = (to_numpy(self.xp.stack(list(column))) for column in columns)
        for row, path in enumerate(paths):
            path.history += losses[new[:, row], row].tolist()
            path.n_iter += int(moved[:, row].sum())
        self.seen = []
        return to_numpy(self.moving)

    def run(self, row: int, path: _Path) -> Run:
        """Return where the start of one row ended."""
        X, converged = to_numpy(self.X[row, ...]), bool(self.converged[row])
        return Run(X, path.history[-1], np.array(path.history), path.n_iter, converged)

    def keep(self, rows: np.ndarray) -> None:
        """Keep the starts of some rows alone."""
        names = ("X", "Z", "F", "loss", "guess", "converged", "moving", "accepted", "plain")
        for name in (*names, "dZ", "dF"):
            setattr(self, name, take(getattr(self, name), rows, 0))


def _solved(xp: Namespace, M: Array, b: Array) -> Array:
    """Return M⁻¹b; torch would wait for its device to look whether M is singular."""
    if hasattr(xp.linalg, "solve_ex"):
        return xp.linalg.solve_ex(M, b)[0]
    return xp.linalg.solve(M, b)
