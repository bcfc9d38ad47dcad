"""Readings of blocks: weights, parts in each axis, the individuals as each block sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._array import to_numpy
from gramian._pairs import Points
from gramian._validate import Table
from gramian.embedding.coordinates import Embedding
from gramian.kernels.base import Kernel
from gramian.operators.centering import CenteredGram
from gramian.operators.tiled import TiledGram, cross_matmul

__all__ = ["BlockReading"]


class BlockReading:
    """Readings of a fit of several kernels."""

    embedding_: Embedding
    eigenvalues_: np.ndarray
    kernels_: dict[str, Kernel]
    kernel_weights_: pd.Series
    weights_: np.ndarray | None
    n_components_: int
    _index: Any
    _live: np.ndarray | None
    _points: Points
    _scales: np.ndarray  # what each kernel is divided by
    _inertias: np.ndarray
    _inner: np.ndarray  # tr(A_a A_b), the inertias made 1

    def partial(self, X: Any = None) -> pd.DataFrame:
        """Return the individuals as each block alone sees them on the common axes.

        The mean of the partial points of an individual, with the weights of the blocks, is the
        point of the individual in `coordinates_`: far apart, its blocks disagree about it.

        Parameters
        ----------
        X : dict of blocks, or a table, optional
            New individuals; those of the fit that have a weight by default.

        Returns
        -------
        DataFrame
            A row for each individual, columns (block, axis).

        Examples
        --------
        >>> import gramian as gm
        >>> X = {"a": [[0.0], [1.0], [3.0]], "b": [[0.0], [2.0], [2.0]]}
        >>> fit = gm.MultiKernelPCA(1, kernels={"a": "linear", "b": "linear"}).fit(X)
        >>> fit.partial().round(3).loc[2].tolist()
        [-1.336, -0.707]
        """
        check_is_fitted(self)
        if X is None:
            new, index = self._points, self._active_index()
        else:
            rows: Table = self._new_rows(X)  # type: ignore[attr-defined]
            new, index = Points(rows.values, self._points), rows.index
        axes = pd.Index(range(1, self.n_components_ + 1), name="axis")
        seen = [pd.DataFrame(F, index=index, columns=axes) for F in self._partial(new)]
        return pd.concat(seen, axis=1, keys=list(self.kernels_), names=["block"])

    def blocks(self) -> pd.DataFrame:
        """Return the table of blocks: weights, and what each block has to do with each axis.

        Returns
        -------
        DataFrame
            A row for each block; columns (measure, axis): ("weight", ""); ("inertia", ""), that of
            the block before it was balanced; ("rv", ""), with the combined kernel; "contribution",
            the block's part of the axis' inertia (they sum to 1 for each axis); "inertia_ratio",
            the part of the block's own inertia that lies along the axis; "cos2", that inertia
            squared over the squared norm of the block: 1 for a block that has this axis only.

        Examples
        --------
        >>> import gramian as gm
        >>> X = {"a": [[0.0], [1.0], [3.0]], "b": [[0.0], [2.0], [2.0]]}
        >>> fit = gm.MultiKernelPCA(1, kernels={"a": "linear", "b": "linear"}).fit(X)
        >>> fit.blocks()["contribution", 1].round(3).tolist()
        [0.5, 0.5]
        """
        check_is_fitted(self)
        f = to_numpy(self.embedding_.coordinates).astype(np.float64)
        p = np.full(len(f), 1.0 / len(f)) if self.weights_ is None else self._active_weights
        w, s, inner = self.kernel_weights_.to_numpy(), self._scales, self._inner
        # u'A_b u/s_b for the eigenvectors u: Σ p·(partial coordinate)·coordinate.
        along = np.stack([p @ (F * f) for F in self._partial(self._points)])
        own = along * (s / self._inertias)[:, None]
        mix = w * (self._inertias / s)
        rv = (inner @ mix) / np.sqrt(np.diag(inner) * (mix @ inner @ mix))
        found: dict[tuple[str, Any], np.ndarray] = {("weight", ""): w}
        found |= {("inertia", ""): self._inertias, ("rv", ""): rv}
        values = np.where(self.eigenvalues_ == 0, np.inf, self.eigenvalues_)
        measures = {
            "contribution": w[:, None] * along / values,
            "inertia_ratio": own,
            "cos2": own**2 / np.diag(inner)[:, None],
        }
        for measure, M in measures.items():
            found |= {(measure, k + 1): M[:, k] for k in range(M.shape[1])}
        columns = pd.MultiIndex.from_tuples(list(found), names=["measure", "axis"])
        numbers = np.column_stack(list(found.values()))
        return pd.DataFrame(numbers, index=list(self.kernels_), columns=columns)

    def _partial(self, new: Points) -> list[np.ndarray]:
        """Return k̃_b(new, training)·C/s_b for each block, (m, q)."""
        e = self.embedding_
        found = []
        for kernel, s in zip(self.kernels_.values(), self._scales, strict=True):
            gram = TiledGram(kernel, self._points)
            own = replace(e, centering=CenteredGram(gram, self._active_weights).centering)
            product = cross_matmul(kernel, new, self._points, e.right)[0]
            found.append(to_numpy(own.from_product(product)[0]).astype(np.float64) / s)
        return found

    @property
    def _active_weights(self) -> Any:
        if self.weights_ is None or self._live is None:
            return self.weights_
        return self.weights_[self._live]

    def _active_index(self) -> Any:
        if self._live is None:
            return self._index
        labels = pd.RangeIndex(self._live.size) if self._index is None else self._index
        return labels[self._live]
