"""The methods of kernel PCA for rows that come in blocks."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any

from gramian._blocks import one_blas_thread
from gramian.estimators._kernel_options import check_kernel_options
from gramian.estimators.blocks.arriving import arrived
from gramian.estimators.blocks.scan_kernel import Scan, has_room, kernel_state
from gramian.estimators.blocks.stream import Stream, refuse_filling

__all__ = ["ByBlocks"]


class _WithLandmarks:
    """A method that is there only where rows that are gone leave something behind: landmarks."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        update_wrapper(self, method)  # type: ignore[arg-type]

    def __get__(self, estimator: Any, owner: type) -> Any:
        if estimator is None:
            return self.method
        if estimator.approximation is None or not estimator._takes_blocks:
            raise AttributeError(
                f"this {owner.__name__} has no attribute 'partial_fit', which keeps landmarks in "
                "place of the rows: use KernelPCA(approximation=gm.Nystrom(rank=200))"
            )
        return MethodType(self.method, estimator)


class ByBlocks:
    """Kernel PCA of rows that come in blocks: from a scan, or as they arrive."""

    approximation: Any
    fit: Callable[..., Any]
    _is_precomputed: Any
    _takes_blocks = True
    _publish: Callable[..., None]
    n_samples_seen_: int | None
    stream_: Stream | None

    def _fit_scan(self, X: Scan, sample_weight: Any) -> Any:
        if not self._takes_blocks:
            return super()._fit_scan(X, sample_weight)  # type: ignore[misc]
        check_kernel_options(self)
        refuse_filling(self, "a scan")
        if self.approximation is None and not self._is_precomputed and has_room(X):
            return self.fit(X.collect(), None, sample_weight)
        self._publish(kernel_state(self, X, sample_weight))
        return self

    @_WithLandmarks
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Take one more block of rows into account, on a budget of landmarks.

        For `approximation=gm.Nystrom(rank)`: no more than `rank` landmarks are kept of all rows,
        those that keep most of the kernel's trace. `approximation_error_` is the share of it that
        was left out, ε, whenever and why: the eigenvalues λ of all rows together and those that
        were found, μ, then obey Σ(√λ − √μ)² ≤ ε·mean k(x, x). The kernel takes its scale from the
        first block; weights are used as they are. It goes on from any rows that were seen before,
        those of a `fit` too; `fit` starts anew.

        Parameters
        ----------
        X : array, sparse matrix or data frame (n, p)
        y : ignored
        sample_weight : array (n,), optional

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((600, 2))
        >>> from gramian import KernelPCA, Nystrom
        >>> fit = KernelPCA(2, approximation=Nystrom(40))
        >>> for start in range(0, 600, 100):
        ...     _ = fit.partial_fit(X[start : start + 100])
        >>> fit.n_samples_seen_, bool(fit.approximation_error_ < 0.01)
        (600, True)
        """
        check_kernel_options(self)
        refuse_filling(self, "partial_fit")
        with one_blas_thread():  # small matrices, for which threads would wake too slowly
            state = arrived(self, X, sample_weight)
        self._publish(state)
        return self
