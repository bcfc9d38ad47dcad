"""Starts majorised together on an accelerator: all points in one array, few operations a step.

What `majorise` decides for one start is decided here for all of them by masks that never leave the
device: it would wait for the host longer than a step takes. Only every few steps does the host ask
which starts have come to their end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from array_api_compat import device as device_of

from gramian._core.array import Array, as_doubles, namespace, to_numpy, torch_module
from gramian._core.operators.fused import Unfused, as_torch, gpu_array, log
from gramian._core.parallel import row_blocks
from gramian._estimators.stress.majorise import FLAT, MEMORY, RIDGE, TINY, Run
from gramian._estimators.stress.problem import Problem

STEPS_BETWEEN_LOOKS = 32  # steps between two looks of the host
_TILE_ENTRIES = 1 << 24  # of a tile: 134 MB
ROWS, COLS, WARPS = 16, 32, 2  # of a block of the pass over pairs
SIZE = 8  # MEMORY as a power of two
BLOCK = 512  # coordinates at a time


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
    target, X = as_doubles(problem.square_target, like), as_doubles(np.stack(starts), like)
    batch = _batch_for(like)(target, X, problem.total, max_iter, tol)
    histories: list[list[float]] = [[] for _ in starts]
    steps = np.zeros(len(starts), dtype=int)
    moving = np.ones(len(starts), dtype=bool)
    while True:
        losses, new, moved = batch.new_losses()
        steps += moved.sum(axis=0)
        for k in np.flatnonzero(moving).tolist():
            histories[k] += losses[new[:, k], k].tolist()
            if report is not None:
                report(k, int(steps[k]), histories[k][-1])
        places, moving, converged = batch.ends()
        if not moving.any():
            ends = zip(places, histories, steps.tolist(), converged.tolist(), strict=True)
            return [Run(x, h[-1], np.array(h), count, end) for x, h, count, end in ends]
        for _ in range(STEPS_BETWEEN_LOOKS):
            batch.advance()


def _batch_for(like: Array) -> type[Batch]:
    """Return how steps are taken: by fused CUDA kernels where they can be."""
    try:
        gpu_array(like)
    except Unfused as reason:
        log.info("gramian: steps by operations of arrays, not fused: %s", reason)
        return Batch
    return FusedBatch


class Batch:
    """Where all starts are, arrays with one row a start, and how they take a step.

    Parameters
    ----------
    target : array (n, n)
        The dissimilarities.
    X : array (S, n, q)
        The starts.
    total : float
        Σ δ² over the pairs.
    """

    def __init__(self, target: Array, X: Array, total: float, max_iter: int, tol: float) -> None:
        self.target, self.X, self.total, self.max_iter, self.tol = target, X, total, max_iter, tol
        self.xp = xp = namespace(X)
        where = {"dtype": X.dtype, "device": device_of(X)}
        self.steps = 1
        self.loss, self.Z = self.step(X)
        self.F = self.Z - X
        self.guess = self.Z
        self.converged = self._stands()
        yes = self.converged | ~self.converged
        self.moving = ~self.converged if max_iter > 1 else ~yes
        self.accepted, self.plain = yes, yes
        self.dZ = self.dF = xp.zeros((X.shape[0], MEMORY, X.shape[1] * X.shape[2]), **where)
        self.eye = xp.eye(MEMORY, **where)
        self.path = [(self.loss, yes, yes)]  # since it was last asked for

    def step(self, X: Array) -> tuple[Array, Array]:
        """Return σ(X), (S,), and Guttman's transforms of X, (S, n, q)."""
        numerator, raw = pass_by_tiles(self.target, X)
        return raw / self.total, numerator / X.shape[1]

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
        self.path.append((self.loss, accepted, moved))
        # A refused step, and the plain one after it, leave no past to extrapolate from.
        past = accepted & self.accepted
        self.accepted, self.plain = accepted, ~past
        self.dZ = self._append(self.dZ, self.Z - Z, past)
        self.dF = self._append(self.dF, self.F - F, past)
        self.guess = self._extrapolate()

    def new_losses(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the losses since they were last asked for, where they are new, and who moved.

        One row a step and one column a start.
        """
        columns = zip(*self.path, strict=True)
        losses, new, moved = (to_numpy(self.xp.stack(list(column))) for column in columns)
        self.path = []
        return losses, new, moved

    def ends(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return where the starts are, (S, n, q), which still move and which have converged."""
        return to_numpy(self.X), to_numpy(self.moving), to_numpy(self.converged)

    def _stands(self) -> Array:
        """Which starts a step moves no more."""
        moved, size = (self.xp.sum(A * A, axis=(1, 2)) for A in (self.F, self.X))
        return (moved <= self.tol**2 * size) | (self.loss <= FLAT)

    def _append(self, memory: Array, new: Array, past: Array) -> Array:
        """Return the last differences, (S, MEMORY, n·q), zeros where there is no past."""
        xp = self.xp
        kept = xp.concat([memory[:, 1:, :], xp.reshape(new, (new.shape[0], 1, -1))], axis=1)
        return xp.where(past[:, None, None], kept, xp.zeros_like(kept))

    def _extrapolate(self) -> Array:
        """Return what `majorise` tries next: Z itself where there is no past."""
        xp, dF = self.xp, self.dF
        M = dF @ xp.matrix_transpose(dF)
        ridge = RIDGE * xp.sum(M * self.eye, axis=(1, 2)) + TINY
        M = M + ridge[:, None, None] * self.eye
        weights = xp.linalg.solve(M, dF @ xp.reshape(self.F, (dF.shape[0], -1, 1)))
        return self.Z - xp.reshape(xp.matrix_transpose(weights) @ self.dZ, self.Z.shape)


def pass_by_tiles(target: Array, X: Array) -> tuple[Array, Array]:
    """Return Σ_j δ/d·(x_i − x_j), (S, n, q), and Σ_{i<j} (δ − d)², (S,).

    Parameters
    ----------
    target : array (n, n)
    X : array (S, n, q)
    """
    xp = namespace(X)
    S, n, q = X.shape
    parts, raw = [], 0.0
    for rows in row_blocks(n, max(1, _TILE_ENTRIES // (S * n))):
        A = X[:, rows, :]
        square = 0.0
        for k in range(q):
            square = square + (A[:, :, k, None] - X[:, None, :, k]) ** 2
        d = xp.sqrt(square)
        t = target[rows, :][None, ...]
        raw = raw + xp.sum((t - d) ** 2, axis=(1, 2))
        ratio = xp.where(d > 0, t / xp.where(d > 0, d, xp.ones_like(d)), xp.zeros_like(d))
        parts.append(xp.sum(ratio, axis=2)[..., None] * A - ratio @ X)
    return xp.concat(parts, axis=1), 0.5 * raw


class FusedBatch(Batch):
    """The batch in memory that the CUDA kernels write to."""

    def __init__(self, target: Array, X: Array, total: float, max_iter: int, tol: float) -> None:
        torch = torch_module()
        target, X = as_torch(target), as_torch(X)
        S, n, q = X.shape
        self.raw = X.new_empty(S, -(-n // ROWS))
        self.state = X.new_ones(S, 6)  # all move
        super().__init__(target, X, total, max_iter, tol)
        self.state = torch.stack(
            [
                self.loss,
                self.moving.double(),
                self.accepted.double(),
                self.plain.double(),
                self.converged.double(),
                torch.zeros_like(self.loss),  # differences remembered
            ],
            dim=1,
        )
        self.dZ, self.dF = X.new_empty(2, S, MEMORY, n * q)
        self.gram = X.new_empty(S, SIZE, SIZE)
        self.new, self.guess = torch.empty_like(X), self.Z.clone()
        self.limits = X.new_tensor([total, tol**2, FLAT, RIDGE, TINY])
        self.turns = X.new_empty(STEPS_BETWEEN_LOOKS, S, 3)
        self.turn = 0

    def step(self, X: Array) -> tuple[Array, Array]:
        """Return σ(X), (S,), and Guttman's transforms of X, (S, n, q)."""
        new = torch_module().empty_like(X)
        self._pass(X, new)
        return self.raw.sum(dim=1) / self.total, new

    def _pass(self, X: Array, new: Array) -> None:
        from gramian._estimators.stress._triton import pass_kernel

        S, n, q = X.shape
        shape = {"Q": q, "WIDTH": 1 << (q - 1).bit_length(), "ROWS": ROWS, "COLS": COLS}
        grid = (self.raw.shape[1], S)
        arrays = (self.target, X, self.state, new, self.raw)
        pass_kernel[grid](*arrays, n, **shape, num_warps=WARPS)

    def advance(self) -> None:
        """Take one step with every start that still moves."""
        from gramian._estimators.stress._triton import advance_kernel

        self.steps += 1
        self._pass(self.guess, self.new)
        arrays = (self.new, self.raw, self.X, self.Z, self.F, self.guess, self.dZ, self.dF)
        records = (self.gram, self.state, self.turns, self.limits)
        S, n, q = self.X.shape
        numbers = (n * q, self.raw.shape[1], self.turn, int(self.steps >= self.max_iter))
        shape = {"MEMORY": MEMORY, "SIZE": SIZE, "BLOCK": BLOCK, "num_warps": 8}
        advance_kernel[(S,)](*arrays, *records, *numbers, **shape)
        self.turn += 1

    def new_losses(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the losses since they were last asked for, where they are new, and who moved."""
        if self.path:
            return super().new_losses()
        turns = to_numpy(self.turns[: self.turn])
        self.turn = 0
        return turns[..., 0], turns[..., 1] > 0, turns[..., 2] > 0

    def ends(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return where the starts are, (S, n, q), which still move and which have converged."""
        state = to_numpy(self.state)
        return to_numpy(self.X), state[:, 1] > 0, state[:, 4] > 0
