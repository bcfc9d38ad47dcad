"""Starts majorised on an accelerator: by two CUDA kernels a step, all of them together.

What `majorise` decides for one start the kernels decide for all of them, and nothing leaves the
device: it would wait for the host longer than a step takes. Only every few steps does the host ask
which starts have come to their end. Where the kernels cannot run, `majorise` does, with the pass
over pairs on the device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from gramian._core.array import Array, as_doubles, namespace, to_numpy, torch_module
from gramian._core.operators.fused import Unfused, as_torch, gpu_array, log
from gramian._core.parallel import row_blocks
from gramian._estimators.stress.majorise import FLAT, MEMORY, RIDGE, TINY, Run, majorise
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
    """Return where each start (n, q) leads to, for metric stress, on the device of `like`."""
    target = as_doubles(problem.square_target, like)
    try:
        gpu_array(like)
    except Unfused as reason:
        log.info("gramian: steps by operations of arrays, not fused: %s", reason)
        step = partial(step_by_tiles, target, problem.total)
        shows = [None if report is None else partial(report, k) for k in range(len(starts))]
        return [
            majorise(step, X, max_iter=max_iter, tol=tol, report=show)
            for X, show in zip(starts, shows, strict=True)
        ]
    batch = Batch(target, as_doubles(np.stack(starts), like), problem.total, max_iter, tol)
    histories = [[loss] for loss in to_numpy(batch.state)[:, 0].tolist()]
    steps = np.ones(len(starts), dtype=int)
    while True:
        places, moving, converged = batch.ends()
        if not moving.any():
            ends = zip(places, histories, steps.tolist(), converged.tolist(), strict=True)
            return [Run(x, h[-1], np.array(h), count, end) for x, h, count, end in ends]
        losses, new, moved = batch.advance()
        steps += moved.sum(axis=0)
        for k in np.flatnonzero(moving).tolist():
            histories[k] += losses[new[:, k], k].tolist()
            if report is not None:
                report(k, int(steps[k]), histories[k][-1])


def step_by_tiles(target: Array, total: float, X: np.ndarray) -> tuple[float, np.ndarray]:
    """Return σ(X) and Guttman's transform of X (n, q), targets (n, n) being on a device."""
    xp, A = namespace(target), as_doubles(X, target)
    parts, raw = [], 0.0
    for rows in row_blocks(len(X), max(1, _TILE_ENTRIES // len(X))):
        square = 0.0
        for k in range(X.shape[1]):
            square = square + (A[rows, k, None] - A[None, :, k]) ** 2
        d, t = xp.sqrt(square), target[rows, :]
        raw = raw + xp.sum((t - d) ** 2)
        ratio = xp.where(d > 0, t / xp.where(d > 0, d, xp.ones_like(d)), xp.zeros_like(d))
        parts.append(xp.sum(ratio, axis=1)[:, None] * A[rows, :] - ratio @ A)
    return 0.5 * float(raw) / total, to_numpy(xp.concat(parts, axis=0)) / len(X)


class Batch:
    """All starts X (S, n, q) in memory that the CUDA kernels write to; `total` is Σ δ² of pairs."""

    def __init__(self, target: Array, X: Array, total: float, max_iter: int, tol: float) -> None:
        torch = torch_module()
        self.target, self.X, self.max_iter = as_torch(target), as_torch(X), max_iter
        S, n, q = self.X.shape
        self.raw = self.X.new_empty(S, -(-n // ROWS))
        self.state = self.X.new_ones(S, 6)  # all move
        self.Z, self.new = torch.empty_like(self.X), torch.empty_like(self.X)
        self._pass(self.X, self.Z)
        self.F, self.guess = self.Z - self.X, self.Z.clone()
        loss = self.raw.sum(dim=1) / total
        moved, size = ((A * A).sum(dim=(1, 2)) for A in (self.F, self.X))
        converged = ((moved <= tol**2 * size) | (loss <= FLAT)).double()
        moving = (1.0 - converged) * float(max_iter > 1)
        yes, none = torch.ones_like(loss), torch.zeros_like(loss)
        # As `_triton` names them; the last are the differences remembered.
        self.state = torch.stack([loss, moving, yes, yes, converged, none], dim=1)
        self.dZ, self.dF = self.X.new_empty(2, S, MEMORY, n * q)
        self.gram = self.X.new_empty(S, SIZE, SIZE)
        self.limits = self.X.new_tensor([total, tol**2, FLAT, RIDGE, TINY])
        self.turns = self.X.new_empty(STEPS_BETWEEN_LOOKS, S, 3)
        self.n_steps = 1

    def _pass(self, X: Array, new: Array) -> None:
        """Write Guttman's transforms of X."""
        from gramian._estimators.stress._triton import pass_kernel

        S, n, q = X.shape
        shape = {"Q": q, "WIDTH": 1 << (q - 1).bit_length(), "ROWS": ROWS, "COLS": COLS}
        grid = (self.raw.shape[1], S)
        arrays = (self.target, X, self.state, new, self.raw)
        pass_kernel[grid](*arrays, n, **shape, num_warps=WARPS)

    def advance(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take some steps with the starts that move: losses, where they are new, and who moved."""
        # One row a step and one column a start.
        from gramian._estimators.stress._triton import advance_kernel

        S, n, q = self.X.shape
        arrays = (self.new, self.raw, self.X, self.Z, self.F, self.guess, self.dZ, self.dF)
        records = (self.gram, self.state, self.turns, self.limits)
        shape = {"MEMORY": MEMORY, "SIZE": SIZE, "BLOCK": BLOCK, "num_warps": 8}
        for turn in range(STEPS_BETWEEN_LOOKS):
            self.n_steps += 1
            self._pass(self.guess, self.new)
            numbers = (n * q, self.raw.shape[1], turn, int(self.n_steps >= self.max_iter))
            advance_kernel[(S,)](*arrays, *records, *numbers, **shape)
        turns = to_numpy(self.turns)
        return turns[..., 0], turns[..., 1] > 0, turns[..., 2] > 0

    def ends(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return where the starts are, (S, n, q), which still move and which have converged."""
        state = to_numpy(self.state)
        return to_numpy(self.X), state[:, 1] > 0, state[:, 4] > 0
