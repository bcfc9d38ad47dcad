"""Parallel analysis of a table, of a kernel on its rows, or of distances between them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from gramian._array import Array, is_sparse, to_numpy
from gramian._blocks import budget_bytes, require
from gramian._pairs import Pairs, Points
from gramian._warn import warn
from gramian.embedding.principal import standard
from gramian.errors import ConstantColumnWarning, RankWarning
from gramian.kernels.base import Kernel
from gramian.operators.base import Gram
from gramian.operators.centering import CenteredGram
from gramian.operators.dense import DenseGram
from gramian.operators.feature import FeatureMap
from gramian.operators.moments import moments
from gramian.reading.null import Reference, Spectra, compare, count_axes, p_values, table_spectrum
from gramian.reading.shuffle import permute_columns

__all__ = [
    "Columns",
    "axes_above_noise",
    "by_columns",
    "features_by_columns",
    "kernel_spectrum",
    "null_spectrum",
]


@dataclass(frozen=True)
class Columns:
    """A table by columns, (p, n), ready to be drawn anew, and what its spectrum is."""

    values: np.ndarray
    spectra: Spectra
    unit: float = 1.0  # lengths are multiples of it
    weights: np.ndarray | None = None

    @cached_property
    def observed(self) -> np.ndarray:
        """The eigenvalues of the data, in units."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the fit itself says it
            return self.spectra(self.values)


def by_columns(X: Array) -> np.ndarray:
    """Return a table as contiguous columns, (p, n), of double precision."""
    if is_sparse(X):
        require(
            8 * X.shape[0] * X.shape[1], budget_bytes(None), "X as dense columns", "drop columns"
        )
        X = sparse.csr_array(X).toarray()
    return np.array(to_numpy(X).T, dtype=np.float64, order="C")


def features_by_columns(
    X: Array,
    p: np.ndarray | None = None,
    *,
    scale: bool = False,
    column_weight: np.ndarray | None = None,
) -> Columns:
    """Return the centred (and scaled) columns of a table that are not constant."""
    X = by_columns(X).T
    m = moments(X, p, cross=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantColumnWarning)  # the fit itself says it
        s = standard(m, X, scale=scale, column_weight=column_weight)
    live = (s.deviation > 0) & (s.factor > 0)
    F = np.ascontiguousarray(FeatureMap(m, s.factor, X)(X).T[live])
    return Columns(F, table_spectrum(p), s.unit, p)


def null_spectrum(table: Columns, null: str, *, scale: bool) -> Spectra:
    """Return the spectrum function for tables drawn from a null model of PCA."""
    w = table.weights
    size = table.values if w is None else table.values * np.sqrt(w)
    redraws = null == "normal" or w is not None
    norms = np.sqrt(np.einsum("ij,ij->i", size, size)) if scale and redraws else None
    return table_spectrum(w, centre=null == "normal", norms=norms)


def kernel_spectrum(kernel: Kernel, p: np.ndarray | None = None) -> Spectra:
    """Return the function from a table by columns to the eigenvalues of its centred Gram matrix."""

    def gram(X: np.ndarray) -> Gram:
        points = Points(X)  # one block: the cores are busy with a table each
        return DenseGram(kernel.block(Pairs(points, points)))

    return _gram_spectrum(gram, p)


def _gram_spectrum(gram: Callable[[np.ndarray], Gram], p: np.ndarray | None) -> Spectra:
    def eigenvalues(columns: np.ndarray) -> np.ndarray:
        A = CenteredGram(gram(np.ascontiguousarray(columns.T)), p)
        # The last eigenvalue of a centred matrix is 0.
        return np.maximum(np.linalg.eigvalsh(A.dense())[::-1][:-1], 0.0)

    return eigenvalues


def axes_above_noise(table: Columns, rng: np.random.Generator, alpha: float = 0.05) -> int:
    """Return the number of axes that stand out of permuted columns, at least 1, with a warning."""
    found: Reference = compare(
        table.observed, table.values, table.spectra, permute_columns, rng, alpha=alpha
    )
    q = count_axes(p_values(found), alpha)
    if q == 0:
        warn(
            f"parallel analysis finds no axis above noise (p = {p_values(found)[0]:.2g} for the "
            "first): one axis is kept",
            RankWarning,
        )
    return max(q, 1)
