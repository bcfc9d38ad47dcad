"""Tables resampled column by column under a null model, and their spectrum by PCA or a kernel."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from gramian._core.array import Array, is_sparse, to_numpy
from gramian._core.check import short
from gramian._core.embedding.principal import standard
from gramian._core.numbers import require_square
from gramian._core.operators.feature import FeatureMap
from gramian._core.operators.gram import CenteredGram, DenseGram
from gramian._core.operators.moments import moments
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import budget_bytes, require_memory
from gramian._nulls.deflation import noise_ratio, null_spectrum
from gramian._nulls.draws import Draw, draw_named
from gramian._nulls.spectra import Spectra, TableSpectrum
from gramian.errors import ConstantColumnWarning, InputError
from gramian.kernels.base import Kernel


def square_unit(unit: float) -> float:
    """Return the unit of variances, where they can be written as numbers."""
    require_square(unit, "X: the unit of its variances")
    return unit**2


@dataclass(frozen=True)
class NullTable:
    """A table by columns, (p, n), ready to be resampled, and what its spectrum is."""

    values: np.ndarray
    spectra: Spectra
    unit: float = 1.0  # lengths are multiples of it
    weights: np.ndarray | None = None
    is_linear: bool = False  # whether the axes are principal components of these columns
    scaled: bool = False
    uneven: bool = False  # whether columns have weights of their own
    has_signs: bool = True  # amounts and categories are no deviations
    draw: Draw | None = None  # where a table is not resampled column by column

    @property
    def square_unit(self) -> float:
        return square_unit(self.unit)

    @property
    def shape(self) -> tuple[int, int] | None:
        """(n, p) of a table whose principal components are the axes."""
        return self.values.shape[::-1] if self.is_linear else None

    @property
    def axes(self) -> int:
        """How many eigenvalues can differ from zero."""
        p, n = self.values.shape
        return min(p, n - 1) if self.is_linear else n - 1

    def under(self, null: str) -> tuple[np.ndarray, Spectra, Draw]:
        """Return the columns that a null model draws from, the spectrum of draws, and the draw."""
        draw = self.draw or draw_named(null)
        if null != "permutation" and not self.has_signs:
            raise InputError(
                f"null={short(null)} must be 'permutation' here: amounts, distances and categories "
                "are no deviations of which signs or variances could be drawn"
            )
        if not self.is_linear:
            return self.values, self.spectra, draw
        spectra = null_spectrum(self.values, self.weights, null, self.scaled)
        if null != "signflip":
            return self.values, spectra, draw
        # Their means took a part of each entry, its own part where rows have their own variances.
        n = self.values.shape[1]
        root = np.full(n, n**-0.5) if self.weights is None else np.sqrt(self.weights)
        return self.values * noise_ratio(self.values * root, root[:, None]), spectra, draw

    @cached_property
    def observed(self) -> np.ndarray:
        """The eigenvalues of the data, in units."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the fit itself says it
            return self.spectra(self.values)


def by_columns(X: Array) -> np.ndarray:
    """Return a table as contiguous columns, (p, n), of double precision."""
    if is_sparse(X):
        require_memory(
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
) -> NullTable:
    """Return the centred (and scaled) columns of a table that are not constant."""
    X = by_columns(X).T
    m = moments(X, p, cross=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConstantColumnWarning)  # the fit itself says it
        s = standard(m, X, scale=scale, column_weight=column_weight)
    live = (s.deviation > 0) & (s.factor > 0)
    F = np.ascontiguousarray(FeatureMap(m, s.factor, X)(X).T[live])
    uneven = column_weight is not None
    return NullTable(F, TableSpectrum(p), s.unit, p, is_linear=True, scaled=scale, uneven=uneven)


def kernel_spectrum(kernel: Kernel, p: np.ndarray | None = None) -> Spectra:
    """Return the function from a table by columns to the eigenvalues of its centred Gram matrix."""

    def eigenvalues(columns: np.ndarray) -> np.ndarray:
        points = Points(np.ascontiguousarray(columns.T))
        # One block: the cores are busy with a table each.
        A = CenteredGram(DenseGram(kernel.about(points).block(Pairs(points, points))), p)
        # The last eigenvalue of a centred matrix is 0.
        return np.maximum(np.linalg.eigvalsh(A.dense())[::-1][:-1], 0.0)

    return eigenvalues
