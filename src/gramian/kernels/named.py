"""From whatever a user calls a kernel to a Kernel."""

from __future__ import annotations

from typing import Any

from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel
from gramian.kernels.functions import Callback
from gramian.kernels.radial import Gaussian
from gramian.kernels.registry import kernel_class, short_names

__all__ = ["as_kernel", "usual_kernel"]


def as_kernel(kernel: Any) -> Kernel:
    """Return the Kernel meant by an object, a name, a callable or a scikit-learn kernel.

    >>> as_kernel("gaussian")
    Gaussian(scale='median')
    """
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        return _by_name(kernel)
    if isinstance(kernel, type):
        raise InputTypeError(f"kernel={kernel.__name__} is a class: write {kernel.__name__}()")
    if callable(kernel):
        return Callback(kernel)
    raise InputTypeError(
        f"kernel={kernel!r} must be a Kernel, a name, 'precomputed' or a callable of two tables"
    )


def _by_name(name: str) -> Kernel:
    cls = kernel_class(name)
    if cls is None:
        known = ", ".join([*short_names(), "precomputed"])
        raise InputError(f"kernel={name[:40]!r} is not a known name: use one of {known[:300]}")
    try:
        return cls()
    except TypeError as error:
        raise InputTypeError(
            f"kernel={name!r} needs arguments: write {cls.__name__}(…) ({str(error)[:100]})"
        ) from error


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
