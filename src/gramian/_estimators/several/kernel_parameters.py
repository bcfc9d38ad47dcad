"""The parameters of several kernels, within reach of a grid search."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from sklearn.base import BaseEstimator

from gramian.errors import InputError
from gramian.kernels import Kernel, as_kernel


class KernelParameters(BaseEstimator):
    """An estimator whose parameter `kernels` is a dict of kernels."""

    kernels: Mapping[str, Any] | None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep`, those of the kernels as kernels__name__scale."""
        own = super().get_params(deep=False)
        if deep and isinstance(self.kernels, Mapping):
            for name, kernel in self.kernels.items():
                own[f"kernels__{name}"] = kernel
                if isinstance(kernel, Kernel):
                    inner = kernel.get_params().items()
                    own |= {f"kernels__{name}__{key}": value for key, value in inner}
        return own

    def set_params(self, **params: Any) -> Any:
        """Set parameters; those of the kernels as kernels__name or kernels__name__scale."""
        nested = {key: v for key, v in params.items() if key.startswith("kernels__")}
        super().set_params(**{key: v for key, v in params.items() if key not in nested})
        for key, value in nested.items():
            name, _, inner = key.removeprefix("kernels__").partition("__")
            kernels = dict(self.kernels or {})
            if name not in kernels:
                raise InputError(f"{key}: kernels has no {name!r}, only {list(kernels)}"[:390])
            kernels[name] = _changed(kernels[name], inner, value) if inner else value
            self.kernels = kernels
        return self


def _changed(kernel: Any, name: str, value: Any) -> Kernel:
    """Return a copy of a kernel with one parameter changed."""
    own = copy.deepcopy(as_kernel(kernel))
    own.set_params(**{name: value})
    return own
