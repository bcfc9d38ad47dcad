"""Whether numbers that should be the same are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._array import is_array, is_sparse, namespace, to_numpy
from gramian.kernels.blocks import Blocks, GivenRows
from gramian.kernels.graph import Graph
from gramian.kernels.objects import Objects
from gramian.saving.nodes import refusal

__all__ = ["are_close", "equal", "require"]


def require(holds: bool, words: str) -> None:
    """Refuse a model file where a condition does not hold; `words` say what it then has.

    >>> require(1 + 1 == 2, "numbers that nobody knows")
    """
    if not holds:
        raise refusal(f"has {words}")


def equal(a: Any, b: Any) -> bool:
    """Whether two values are the same, to the last bit; NaN is NaN.

    >>> equal(np.array([1.0, np.nan]), np.array([1.0, np.nan])), equal([1], (1,))
    (True, False)
    """
    if a is b:
        return True
    if is_sparse(a) and is_sparse(b):
        same = all(np.array_equal(getattr(a, k), getattr(b, k)) for k in ("indices", "indptr"))
        return same and a.shape == b.shape and np.array_equal(a.data, b.data)
    if is_array(a) or is_array(b):
        return _equal_arrays(a, b)
    if isinstance(a, pd.DataFrame | pd.Series | pd.Index):
        other: Any = b
        return type(a) is type(b) and bool(a.equals(other))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b)
    if isinstance(a, Blocks | GivenRows | Objects) and type(a) is type(b):
        return all(equal(value, vars(b)[key]) for key, value in _inside(a).items())
    if isinstance(a, Graph) and isinstance(b, Graph):
        return all(equal(getattr(a, k, None), getattr(b, k, None)) for k in Graph.__slots__)
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and type(a) is type(b):
        return len(a) == len(b) and all(map(equal, a, b))
    return type(a) is type(b) and bool(a == b)


def _inside(value: Any) -> dict[str, Any]:
    return {"items": value.items} if isinstance(value, Objects) else vars(value)


def _equal_arrays(a: Any, b: Any) -> bool:
    if not (is_array(a) and is_array(b)) or namespace(a) is not namespace(b):
        return False
    x, y = to_numpy(a), to_numpy(b)
    return x.dtype == y.dtype and np.array_equal(x, y, equal_nan=x.dtype.kind == "f")


def are_close(a: Any, b: Any, *beside: Any) -> bool:
    """Whether arrays of numbers agree to half the digits they have.

    `beside` are other arrays that they may be small beside.

    >>> are_close(np.ones(2), np.ones(2) + 1e-9), are_close(np.ones(2), np.zeros(2))
    (True, False)
    """
    if tuple(a.shape) != tuple(b.shape):
        return False
    x, y = (to_numpy(value).astype(np.float64) for value in (a, b))
    size = max(_size(v) for v in (a, b, *beside))
    return bool((np.abs(x - y) <= np.sqrt(_coarser(a, b)) * size).all())


def _size(a: Any) -> float:
    return float(np.abs(to_numpy(a)).max(initial=0.0))


def _coarser(a: Any, b: Any) -> float:
    return max(float(namespace(v).finfo(v.dtype).eps) for v in (a, b))
