"""Approximate features of a kernel, as transformers and as approximations for KernelPCA."""

from typing import TYPE_CHECKING, Annotated, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array
from gramian._core.check import generator, invalid, is_number, is_whole, short, whole
from gramian._core.embedding import copy_values, like_of, to_user_library
from gramian._core.features.lowrank import KernelMap, LowRank, fourier
from gramian._core.features.nystrom import nystrom
from gramian._core.pairs import Points
from gramian._core.types import DataLike, SeedLike, VectorLike
from gramian._estimators.base import (
    FromSklearn,
    KernelLike,
    Published,
    column_record,
    kernel_rows,
)
from gramian._estimators.remote import LazyOutput, remote_rows
from gramian.errors import InputError
from gramian.kernels import Kernel, as_kernel


class KernelFeatures(
    LazyOutput, ClassNamePrefixFeaturesOutMixin, TransformerMixin, Published, BaseEstimator
):
    """Features whose inner products approximate a kernel; a subclass writes `lowrank`."""

    kernel_: Kernel
    approximation_error_: Annotated[float, ">= 0", "nan"]
    landmarks_: Annotated[np.ndarray, "(l,)", "whole", ">= 0"] | None
    rank_: Annotated[int, "r", ">= 1"]
    _map: KernelMap
    _F: Annotated[Array, "(n, r)"]
    _takes_sparse = True

    if TYPE_CHECKING:  # parameters: annotations of a class are its fitted attributes
        rank: int | float
        kernel: KernelLike
        refine: bool
        random_state: SeedLike

    def lowrank(self, kernel: Kernel, points: Points, p: np.ndarray | None) -> LowRank:
        """Return the approximation of a kernel on points with weights p."""
        raise NotImplementedError

    def fit(self, X: DataLike, y: object = None) -> Self:
        """Choose the features from the rows of X."""
        rows = kernel_rows(X, as_kernel(self.kernel), min_rows=2)
        points = Points(copy_values(rows.values, X))
        kernel = rows.reader.resolve(points, None, rows.columns)
        low = self.lowrank(kernel, points, None)
        state = {
            "kernel_": kernel,
            "approximation_error_": low.error,
            "landmarks_": low.landmarks,
            "rank_": low.F.shape[1],
            "_map": low.map,
            "_F": low.F,
        }
        self._publish(state | column_record(rows))
        return self

    def fit_transform(self, X: DataLike, y: object = None) -> Array:
        """Fit, and return the features of the rows of X, (n, rank)."""
        return copy_values(self.fit(X, y)._F)

    def transform(self, X: DataLike) -> Array:
        """Return the features of the rows of X, (m, rank), as a scan or dask array if X is one.

        Parameters
        ----------
        X : array, sparse matrix, data frame, scan or dask (m, p), or objects
            Rows with the columns of the fit.
        """
        check_is_fitted(self)
        if (remote := remote_rows(X)) is not None:
            return remote.transform(self, "features")
        rows = self._like_fit(X, kernel_rows(X, self.kernel_, min_rows=1))
        return to_user_library(self._map(rows.values), like_of(rows.values))

    @property
    def _n_features_out(self) -> int:
        return self.rank_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class Nystrom(FromSklearn, KernelFeatures):
    """Nyström features: k(x, y) ≈ k(x, Z) k(Z, Z)⁺ k(Z, y) for landmarks Z.

    Parameters
    ----------
    rank : int, or float in (0, 1)
        Number of landmarks; a float is the share of the trace that may be left out, for
        `landmarks="rpcholesky"`.
    kernel : Kernel, name or callable
        The kernel to approximate; inside KernelPCA, the kernel of KernelPCA is used instead.
    landmarks : "rpcholesky", "uniform", "leverage", "kmeans", row numbers or points
        How landmarks are chosen. Randomly pivoted Cholesky ("rpcholesky") evaluates (rank + 1)·n
        kernel values and finds rare groups that uniform sampling misses.
    refine : bool
        Inside KernelPCA: improve the axes by exact products until they are certified.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Attributes
    ----------
    approximation_error_ : float
        The share of the trace of the kernel matrix that is left out.
    landmarks_ : array (rank,) of int, or None
        The row numbers of the landmarks; None where they are not rows.
    kernel_, rank_ : Kernel, int
        The kernel with its scale set from the data, and the number of features.

    See Also
    --------
    KernelPCA : takes it as `approximation`.
    RandomFourier : features without landmarks.

    References
    ----------
    - Williams and Seeger (2001), Using the Nyström method to speed up kernel machines.
    - Chen, Epperly, Tropp and Webber (2025), Randomly pivoted Cholesky.

    Examples
    --------
    >>> X = np.linspace(0.0, 1.0, 50)[:, None]
    >>> features = Nystrom(rank=20, kernel="gaussian").fit(X)
    >>> F = features.transform(X)
    >>> bool(abs(F @ F.T - features.kernel_(X)).max() < 1e-6)
    True
    """

    def __init__(
        self,
        rank: int | float = 100,
        *,
        kernel: KernelLike = "gaussian",
        landmarks: str | VectorLike = "rpcholesky",
        refine: bool = False,
        random_state: SeedLike = None,
    ) -> None:
        self.rank = rank
        self.kernel = kernel
        self.landmarks = landmarks
        self.refine = refine
        self.random_state = random_state

    def lowrank(self, kernel: Kernel, points: Points, p: np.ndarray | None) -> LowRank:
        """Return the landmarks' features."""
        rng = generator(self.random_state)
        return nystrom(kernel, points, _rank(self.rank), self.landmarks, rng, p)


class RandomFourier(KernelFeatures):
    """Random Fourier features of a stationary kernel: cheap, with an error of order 1/√rank.

    Parameters
    ----------
    rank : int
        Number of features, half cosines and half sines.
    kernel : Gaussian, Laplacian, Exponential, Matern or RationalQuadratic, or a name
        The kernel that the features approximate.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Attributes
    ----------
    kernel_, rank_ : Kernel, int
        As for `Nystrom`.

    See Also
    --------
    Nystrom : features from landmarks, more exact at the same rank.

    References
    ----------
    Rahimi and Recht (2007), Random features for large-scale kernel machines.

    Examples
    --------
    >>> X = np.linspace(0.0, 1.0, 50)[:, None]
    >>> F = RandomFourier(rank=200).fit_transform(X)
    >>> float((F[0] ** 2).sum().round(12))
    1.0
    """

    refine = False
    _takes_sparse = False

    def __init__(
        self, rank: int = 100, *, kernel: KernelLike = "gaussian", random_state: SeedLike = None
    ) -> None:
        self.rank = rank
        self.kernel = kernel
        self.random_state = random_state

    def lowrank(self, kernel: Kernel, points: Points, p: np.ndarray | None) -> LowRank:
        """Return the random features."""
        rank = _rank(self.rank)
        if isinstance(rank, float):
            raise InputError(f"rank={short(self.rank)} must be a whole number of features")
        return fourier(kernel, points, rank, generator(self.random_state))


def _rank(rank: float) -> int | float:
    if not is_number(rank):
        raise invalid("rank", rank, "must be a number of landmarks or a share in (0, 1)")
    if is_whole(rank):
        return whole(rank, "rank")
    if not 0.0 < float(rank) < 1.0:
        raise invalid("rank", rank, "must be a whole number, or a share in (0, 1)")
    return float(rank)
