"""An orthonormal basis that grows block by block, without being copied when it does."""

from __future__ import annotations

import numpy as np

from gramian._array import Array, as_kind, gram64, namespace

__all__ = ["Basis"]


class Basis:
    """Blocks of columns, side by side, and what was found by multiplying each by an operator."""

    def __init__(self) -> None:
        self.blocks: list[Array] = []
        self.images: list[Array] = []

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return sum(block.shape[1] for block in self.blocks)

    def append(self, W: Array, AW: Array) -> None:
        """Add a block and its image."""
        self.blocks.append(W)
        self.images.append(AW)

    def inner(self, W: Array) -> np.ndarray:
        """Return VᵀW in double precision."""
        return np.concatenate([gram64(block, W) for block in self.blocks])

    def vectors(self, S: np.ndarray) -> Array:
        """Return V·S."""
        return _combined(self.blocks, S)

    def combine(self, S: np.ndarray) -> tuple[Array, Array]:
        """Return V·S and A·V·S."""
        return self.vectors(S), _combined(self.images, S)

    def project_out(self, W: Array, times: int = 1) -> Array:
        """Return the part of W outside the span, one block after the other."""
        W = namespace(W).asarray(W, copy=True)
        for block in times * self.blocks:
            W -= block @ (block.T @ W)
        return W

    def restart(self, S: np.ndarray) -> None:
        """Keep only the combinations S of the columns."""
        V, AV = self.combine(S)
        self.blocks, self.images = [V], [AV]


def _combined(blocks: list[Array], S: np.ndarray) -> Array:
    start, total = 0, None
    for block in blocks:
        part = block @ as_kind(S[start : start + block.shape[1]], block)
        start += block.shape[1]
        total = part if total is None else total + part
    return total
