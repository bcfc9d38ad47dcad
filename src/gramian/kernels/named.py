"""From whatever a user calls a kernel to a Kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel
from gramian.kernels.dot import Cosine, Linear, Polynomial, Sigmoid
from gramian.kernels.radial import Exponential, Gaussian, Laplacian, Matern, RationalQuadratic
from gramian.kernels.special import Callback

__all__ = ["NAMES", "as_kernel", "usual_kernel"]

NAMES: dict[str, Callable[[], Kernel]] = {
    "linear": Linear,
    "polynomial": Polynomial,
    "poly": Polynomial,
    "gaussian": Gaussian,
    "rbf": Gaussian,
    "exponential": Exponential,
    "laplacian": Laplacian,
    "matern": Matern,
    "rational_quadratic": RationalQuadratic,
    "cosine": Cosine,
    "sigmoid": Sigmoid,
}


def as_kernel(kernel: Any) -> Kernel:
    """Return the Kernel meant by an object, a name, a callable or a scikit-learn kernel.

    >>> as_kernel("gaussian")
    Gaussian(scale='median')
    """
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        if kernel not in NAMES:
            known = ", ".join([*NAMES, "precomputed"])
            raise InputError(f"kernel={kernel!r} is not a known name: use one of {known}")
        return NAMES[kernel]()
    if isinstance(kernel, type):
        raise InputTypeError(f"kernel={kernel.__name__} is a class: write {kernel.__name__}()")
    if callable(kernel):
        return Callback(kernel)
    raise InputTypeError(
        f"kernel={kernel!r} must be a Kernel, a name, 'precomputed' or a callable of two tables"
    )


def usual_kernel(kind: str) -> Kernel:
    """Return the kernel for a kind of data, where none is named.

    >>> usual_kernel("sequences")
    Normalized(kernel=Spectrum(k=3))
    """
    if kind == "table":
        return Gaussian()
    from gramian.kernels.graph import WeisfeilerLehman
    from gramian.kernels.sequence import Spectrum

    return {"graphs": WeisfeilerLehman, "sequences": Spectrum}[kind]().normalized()
