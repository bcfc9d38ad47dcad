"""Results of kernel PCA under scikit-learn's names, where they mean the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, as_kind
from gramian._estimators.foreign.from_sklearn import gamma_of
from gramian.kernels import Kernel


class SklearnNames:
    """What scikit-learn's KernelPCA calls its results."""

    kernel_: Kernel

    @property
    def eigenvectors_(self) -> Array:
        """The eigenvectors of the centred Gram matrix, (n, q): scikit-learn's name for them.

        Of the rows that have a weight; scikit-learn's eigenvalues are n times `eigenvalues_`.
        """
        fit = self._record("eigenvectors_")  # type: ignore[attr-defined]
        e, p = fit.embedding, fit.training.active()[1]
        Z = e.coordinates / as_kind(np.sqrt(np.abs(e.spectrum.values)), e.coordinates)[None, :]
        root = np.full(Z.shape[0], Z.shape[0] ** -0.5) if p is None else np.sqrt(p)
        return Z * as_kind(root, Z)[:, None]

    @property
    def X_fit_(self) -> Any:
        """The rows of the fit: scikit-learn's name for them."""
        return self._record("X_fit_").training.rows  # type: ignore[attr-defined]

    @property
    def gamma_(self) -> float:
        """scikit-learn's γ, of a kernel that has one there: 1/(2·scale²) for the Gaussian."""
        check_is_fitted(self)
        return gamma_of(self.kernel_)
