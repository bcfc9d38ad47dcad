"""A kernel as one of scikit-learn's own (its Gaussian processes are imported here only)."""

import numpy as np
from sklearn.gaussian_process.kernels import Kernel as GaussianProcessKernel

from gramian._core.array import Array
from gramian._core.types import RowsLike
from gramian.kernels.base import Kernel
from gramian.kernels.radial import Radial


class SklearnKernel(GaussianProcessKernel):
    """A kernel that scikit-learn calls on whole tables; it has no parameter to be tuned."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def __call__(
        self, X: RowsLike, Y: RowsLike | None = None, eval_gradient: bool = False
    ) -> Array:
        """Return the kernel matrix, and with `eval_gradient` its derivatives by no parameter."""
        K = self.kernel.pairwise(X, Y)
        return (K, np.empty((*K.shape, 0))) if eval_gradient else K

    def diag(self, X: RowsLike) -> np.ndarray:
        """Return k(x, x) for every row."""
        return np.asarray(self.kernel.diag(X), dtype=float)

    def is_stationary(self) -> bool:
        """Whether the kernel depends on differences only."""
        return isinstance(self.kernel, Radial)

    @property
    def requires_vector_input(self) -> bool:
        """Whether rows are vectors: no for graphs and texts."""
        return self.kernel.takes_vectors

    def __repr__(self) -> str:
        return f"{self.kernel!r}.for_sklearn()"
