"""Constructor arguments as parameters, and the checks of numbers among them."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from gramian._core.array import is_array
from gramian.errors import InputError


class Parameters:
    """Constructor arguments as parameters, in scikit-learn's manner (grid search, clone, repr)."""

    @classmethod
    def _names(cls) -> list[str]:
        if cls.__init__ is object.__init__:
            return []
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep`, those of nested kernels as outer__inner too."""
        own = {name: getattr(self, name) for name in self._names()}
        inner = {
            f"{name}__{key}": value
            for name, nested in own.items()
            if deep and isinstance(nested, Parameters)
            for key, value in nested.get_params().items()
        }
        return own | inner

    def set_params(self, **params: Any) -> Parameters:
        """Set parameters, nested ones as outer__inner."""
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            if outer not in self._names():
                raise InputError(
                    f"{type(self).__name__} has no parameter {outer!r}: {self._names()}"
                )
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self) -> str:
        arguments = ", ".join(
            f"{name}={value!r}" for name, value in self.get_params(deep=False).items()
        )
        return f"{type(self).__name__}({arguments})"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        mine, theirs = self.get_params(deep=False), other.get_params(deep=False)
        return all(_equal(value, theirs[name]) for name, value in mine.items())

    def __hash__(self) -> int:
        # Of the class alone: parameters may be set anew, and equal ones must hash alike.
        return hash(type(self))


def _equal(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b)) if is_array(a) or is_array(b) else bool(a == b)
