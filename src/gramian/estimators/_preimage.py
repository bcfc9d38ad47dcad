"""From coordinates of kernel PCA back to the data's space."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._array import Array, as_kind, is_sparse, to_numpy
from gramian._pairs import Points
from gramian._validate import table
from gramian.errors import InputError
from gramian.features.lowrank import LandmarkMap
from gramian.kernels.base import Kernel, Radial
from gramian.kernels.dot import Linear
from gramian.preimage import fixed_point, learned

__all__ = ["PreImages"]


class PreImages:
    """`inverse_transform` for kernel PCA."""

    def inverse_transform(self, Z: Any, method: str = "auto") -> Array:
        """Return rows whose images are near the points with coordinates Z on the axes.

        Parameters
        ----------
        Z : array (m, q)
        method : "auto", "fixed_point" or "learned"
            "fixed_point" finds the row whose image is nearest, for radial kernels; "learned"
            applies a ridge regression of rows on coordinates, for any kernel on vectors. "auto"
            is the first where it can be used. The linear kernel has an exact answer.

        Examples
        --------
        >>> import numpy as np
        >>> import gramian as gm
        >>> X = np.array([[0.0, 1.0], [1.0, 3.0], [4.0, 2.0]])
        >>> fit = gm.KernelPCA(2).fit(X)
        >>> bool(np.allclose(fit.inverse_transform(fit.coordinates_), X))
        True
        """
        check_is_fitted(self)
        values = to_numpy(table(Z, "Z", min_rows=1, allow_sparse=False).values).astype(np.float64)
        q = self.n_components_  # type: ignore[attr-defined]
        if values.shape[1] != q:
            raise InputError(f"Z has {values.shape[1]} columns but there are {q} axes")
        if method not in ("auto", "fixed_point", "learned"):
            raise InputError(f'method={method!r} must be "auto", "fixed_point" or "learned"')
        X, live = _rows(self)
        if not hasattr(X, "shape") or self._is_precomputed:  # type: ignore[attr-defined]
            raise InputError("Z: objects and precomputed kernels have no rows to go back to")
        like = X.data if is_sparse(X) else X
        return as_kind(_found(self, values, X, live, method), like)


def _found(fitted: Any, Z: np.ndarray, X: Any, live: np.ndarray | None, method: str) -> np.ndarray:
    shift = getattr(fitted, "_shift", None)
    centred = Z if shift is None else Z - to_numpy(shift)
    kernel = fitted.kernel_
    if isinstance(kernel, Linear) and fitted.approximation is None and method == "auto":
        f = fitted._features
        mean = to_numpy(f.shift).astype(np.float64) + to_numpy(f.rest)
        return mean + _features(fitted, centred) / to_numpy(f.factor)
    if method != "learned" and _able(fitted, kernel):
        points, gamma = _combination(fitted, centred)
        return fixed_point(kernel, points, gamma, random_state=fitted.random_state)
    if method == "fixed_point":
        raise InputError(
            f"method='fixed_point' needs a radial kernel on dense rows, not {kernel!r} with "
            f"approximation={fitted.approximation!r}: use 'learned'"
        )
    dense = (X.toarray() if is_sparse(X) else to_numpy(X)).astype(np.float64)
    known = to_numpy(fitted.coordinates_).astype(np.float64)
    if live is not None:
        known = known[live]
    return learned(known, dense, Z, fitted.random_state)


def _rows(fitted: Any) -> tuple[Any, np.ndarray | None]:
    """Return the rows of the fit and which of the coordinates are theirs, None for all."""
    points = getattr(fitted, "_points", None)
    return (fitted._rows, None) if points is None else (points.X, fitted._live)


def _able(fitted: Any, kernel: Kernel) -> bool:
    """Whether the nearest image can be looked for."""
    if not isinstance(kernel, Radial) or not kernel.differentiable:
        return False
    if hasattr(fitted, "_features"):
        map_ = getattr(fitted._features, "kernel_map", None)
        return isinstance(map_, LandmarkMap) and map_.landmarks.is_dense
    return fitted._points is not None and fitted._points.is_dense


def _features(fitted: Any, Z: np.ndarray) -> np.ndarray:
    """Return centred features, still multiplied by the factors of their columns."""
    e = fitted.embedding_
    return (Z / e.unit) @ to_numpy(e.coefficients).astype(np.float64).T


def _combination(fitted: Any, Z: np.ndarray) -> tuple[Points, np.ndarray]:
    """Return points x_i and γ with Σ_i γ_i φ(x_i) the point that has coordinates Z, (m, n)."""
    if hasattr(fitted, "_features"):
        f = fitted._features
        mean = to_numpy(f.shift).astype(np.float64) + to_numpy(f.rest)
        F = mean + _features(fitted, Z) / to_numpy(f.factor)
        return f.kernel_map.landmarks, F @ to_numpy(f.kernel_map.W).astype(np.float64).T
    e = fitted.embedding_
    C, p = (to_numpy(a).astype(np.float64) for a in (e.coefficients, e.centering.p))
    A = C - p[:, None] * C.sum(axis=0)
    return fitted._points, p + Z @ A.T
