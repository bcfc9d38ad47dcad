"""What completes a row: axes, and how much of each is believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from gramian._core.check import expect
from gramian._estimators.imputation.metrics import inverse
from gramian._reading.coding import Coding


@dataclass(frozen=True, eq=False)
class Filler:
    """Axes that complete rows: with z = (x − mean)·factor, ẑ = V·shrink·Vᵀ·z.

    In a stack of several every array has one more dimension, the first.

    >>> import numpy as np
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
        expect(bool(gap <= 1e-6), "orthonormal axes to fill holes with")
        expect(self.coding is None or self.coding.starts[-1] == p, f"levels of {p} columns")

    @property
    def n_components(self) -> int:
        """How many axes complete a row."""
        return self.vectors.shape[-1]

    @classmethod
    def stacked(cls, stacks: Sequence[Filler]) -> Filler:
        """Return several stacks as one."""
        names = ("mean", "factor", "vectors", "shrink")
        mean, factor, vectors, shrink = (
            np.concatenate([getattr(f, name) for f in stacks]) for name in names
        )
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
        """Return rows, (m, p), whose holes (NaN) are what the axes say of what is known of them.

        The scores c = Vᵀz of the whole row solve (I − V_mᵀV_m·shrink)c = V_oᵀz_o, o being what is
        known of the row and m what is not: where iterating with these axes would end, at once.
        """
        holes = np.isnan(X)
        open_rows = holes.any(axis=1)
        out = X.copy()
        out[open_rows] = self._filled(X[open_rows], holes[open_rows])
        return out

    def _filled(self, X: np.ndarray, holes: np.ndarray) -> np.ndarray:
        V, S = self.vectors, self.shrink
        if not len(S):
            return np.where(holes, self.mean, X)
        Z = np.where(holes, 0.0, X - self.mean) * self.factor
        # Sums row by row, not products of matrices: a row is then the same to the last digit
        # whatever rows come with it.
        pairs = (V[:, :, None] * V[:, None, :]).reshape(len(V), -1)
        own = np.einsum("np,pk->nk", holes.astype(float), pairs).reshape(-1, len(S), len(S))
        known = np.einsum("np,pk->nk", Z, V)
        # Without shrinkage an axis that no known column speaks of is open: no score on it.
        inner = np.linalg.pinv(np.eye(len(S)) - own * S, rcond=1e-10)
        scores = np.einsum("nkl,nl->nk", inner, known) * S
        fitted = self.mean + np.einsum("nk,pk->np", scores, V) * inverse(self.factor)
        return np.where(holes, fitted, X)
