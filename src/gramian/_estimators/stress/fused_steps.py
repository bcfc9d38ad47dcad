"""Steps of several starts on a GPU in two launches each, whatever is decided."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.array import Array, to_numpy, torch_module
from gramian._core.operators.fused import as_torch
from gramian._estimators.stress.majorise import FLAT, MEMORY, RIDGE, TINY
from gramian._estimators.stress.together import EVERY, Batch

ROWS, COLS, WARPS = 16, 32, 2  # of a block of the pass over pairs
SIZE = 8  # MEMORY as a power of two
BLOCK = 512  # coordinates at a time


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
        self.turns = X.new_empty(EVERY, S, 3)
        self.turn = 0

    def step(self, X: Any) -> tuple[Any, Any]:
        """Return σ(X), (S,), and Guttman's transforms of X, (S, n, q)."""
        new = torch_module().empty_like(X)
        self._pass(X, new)
        return self.raw.sum(dim=1) / self.total, new

    def _pass(self, X: Any, new: Any) -> None:
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
