"""A fitted object as a tree of plain values and a set of arrays."""

import math
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from sklearn.base import BaseEstimator

from gramian import __version__
from gramian._core.array import is_sparse, to_numpy
from gramian._core.operators import Gram
from gramian.errors import InputError
from gramian.kernels import Callback, Function, Kernel
from gramian.saving.classes import base_name, is_ours, name_of
from gramian.saving.generators import GENERATORS
from gramian.saving.objects import check_object, check_parts, parts_of

_MAX_BITS = 4096  # of a whole number
# Functions that a kernel may be pulled back by: they are NumPy's, so a name is enough.
UFUNCS = frozenset(
    (
        *("abs", "absolute", "arcsinh", "arctan", "cbrt", "cos", "exp", "expm1", "log", "log10"),
        *("log1p", "log2", "negative", "reciprocal", "sign", "sin", "sinh", "sqrt", "square"),
        "tanh",
    )
)
Node = dict[str, Any]


class Encoder:
    """Turns values into JSON; arrays go to `tensors`, objects seen before become references."""

    def __init__(self) -> None:
        self.tensors: dict[str, np.ndarray] = {}
        self.versions = {"version": __version__}
        self._arrays: dict[Any, str] = {}
        self._objects: dict[int, int] = {}
        self._alive: list[Any] = []  # so that no identity is used twice

    def encode(self, value: Any, path: str) -> Any:
        """Return a value as JSON, or say what cannot be saved; `path` says where it stands."""
        if value is None or isinstance(value, bool | str):
            return value
        if type(value) is int:
            if value.bit_length() > _MAX_BITS:
                raise InputError(f"{path} is a whole number of {value.bit_length()} bits")
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"is": "float", "value": repr(value)}
        if type(value) is list:
            return [self.encode(v, f"{path}[{k}]") for k, v in enumerate(value)]
        for kind, write in _WRITERS:
            if isinstance(value, kind):
                return write(self, value, path)
        if is_sparse(value):
            return self._sparse(value, path)
        if type(value).__module__.split(".")[0] == "torch":
            return self._torch(value, path)
        if isinstance(value, np.ufunc) and value.__name__ in UFUNCS:
            return {"is": "ufunc", "name": value.__name__}
        if isinstance(value, type) and issubclass(value, np.generic):
            return {"is": "dtype", "name": np.dtype(value).str, "type": True}
        return self._object(value, path)

    def array(self, a: np.ndarray, path: str) -> Node:
        """Keep an array once, and return how to find it and lay it out."""
        a = np.asarray(a)
        if a.dtype.kind in "OUS":
            items = [self.encode(_plain(v), path) for v in a.ravel().tolist()]
            return {"is": "items", "dtype": a.dtype.str, "shape": list(a.shape), "items": items}
        if a.dtype.kind in "mM":
            inner = self.array(a.view(np.int64), path)
            return {"is": "time", "dtype": a.dtype.str, "values": inner}
        if a.dtype.kind not in "fiub" or a.dtype.itemsize > 8:
            raise InputError(f"{path} holds {a.dtype}, which cannot be saved: fit on float64")
        key = (a.__array_interface__["data"][0], a.shape, a.strides, a.dtype.str)
        by_columns = a.ndim > 1 and a.flags.f_contiguous and not a.flags.c_contiguous
        if key not in self._arrays:
            self._arrays[key] = name = f"a{len(self.tensors)}"
            kind = a.dtype.newbyteorder("<")
            self.tensors[name] = np.asarray(a.T if by_columns else a, dtype=kind, order="C")
            self._alive.append(a)
        return {"is": "array", "name": self._arrays[key], "by": "columns" if by_columns else "rows"}

    def _sparse(self, M: Any, path: str) -> Node:
        M = M.tocsr()
        parts = {k: self.array(getattr(M, k), path) for k in ("data", "indices", "indptr")}
        return {"is": "sparse", "shape": list(M.shape), **parts}

    def _torch(self, tensor: Any, path: str) -> Node:
        if not hasattr(tensor, "detach"):
            raise InputError(f"{path} is a {type(tensor).__name__} of torch: it cannot be saved")
        values = self.array(to_numpy(tensor), path)
        return {"is": "torch", "device": str(tensor.device), "values": values}

    def _tuple(self, value: tuple[Any, ...], path: str) -> Node:
        if type(value) is not tuple:
            return self._object(value, path)
        return {"is": "tuple", "items": self.encode(list(value), path)}

    def _dict(self, value: dict[Any, Any], path: str) -> Node:
        pairs = [[self.encode(k, path), self.encode(v, f"{path}[{k!r}]")] for k, v in value.items()]
        return {"is": "dict", "pairs": pairs}

    def _slice(self, value: slice, path: str) -> Node:
        parts = [self.encode(v, path) for v in (value.start, value.stop, value.step)]
        return {"is": "slice", "parts": parts}

    def _rng(self, value: np.random.Generator | np.random.RandomState, path: str) -> Node:
        if isinstance(value, np.random.RandomState):
            tag, state = "random_state", value.get_state(legacy=False)
        else:
            tag, state = "rng", dict(value.bit_generator.state)
        if state["bit_generator"] not in GENERATORS:
            raise InputError(f"{path} is a generator that cannot be saved: give a seed")
        return {"is": tag, "state": self.encode(state, path)}

    def _index(self, value: Any, path: str) -> Node:
        names = [self.encode(_plain(name), path) for name in value.names]
        if isinstance(value, pd.RangeIndex):
            parts = [value.start, value.stop, value.step]
            return {"is": "range", "parts": parts, "names": names}
        if isinstance(value, pd.MultiIndex):
            rows = [self.encode(tuple(map(_plain, row)), path) for row in value.tolist()]
            return {"is": "levels", "rows": rows, "names": names}
        if isinstance(value, pd.CategoricalIndex):
            levels, codes = self._index(value.categories, path), self.array(value.codes, path)
            ordered = bool(value.ordered)
            node = {"is": "categories", "codes": codes, "levels": levels, "ordered": ordered}
            return node | {"names": names}
        kind = value.dtype
        if isinstance(kind, pd.DatetimeTZDtype):
            inner = self.array(value.tz_convert("UTC").tz_localize(None).to_numpy(), path)
            return {"is": "index", "values": inner, "zone": str(kind.tz), "names": names}
        plain = value.to_numpy(dtype=object) if kind == "str" else value.to_numpy()
        text = str(kind) if kind == "str" else None
        return {"is": "index", "values": self.array(plain, path), "dtype": text, "names": names}

    def _frame(self, value: pd.DataFrame, path: str) -> Node:
        columns = [
            self.array(value.iloc[:, k].to_numpy(), f"{path}, column {k}")
            for k in range(value.shape[1])
        ]
        labels, index = self._index(value.columns, path), self._index(value.index, path)
        return {"is": "frame", "columns": columns, "labels": labels, "index": index}

    def _series(self, value: pd.Series, path: str) -> Node:
        values, index = self.array(value.to_numpy(), path), self._index(value.index, path)
        name = self.encode(_plain(value.name), path)
        return {"is": "series", "values": values, "index": index, "name": name}

    def _object(self, value: Any, path: str) -> Node:
        if id(value) in self._objects:
            return {"is": "same", "as": self._objects[id(value)]}
        cls = type(value)
        node: Node = {"is": "object", "class": name_of(cls) or _refuse(value, path)}
        if node["class"].startswith("registered.class."):
            node["base"] = base_name(cls)
        elif node["class"].startswith("sklearn."):
            self.versions["sklearn"] = sklearn.__version__
        parts = parts_of(value)
        check_parts(cls, parts, path)  # a file that could not be loaded is not written
        check_object(value, path)
        node["number"] = self._objects[id(value)] = len(self._objects)
        self._alive.append(value)
        node["parts"] = {k: self.encode(v, f"{path}.{k}") for k, v in parts.items()}
        return node


def _plain(value: Any) -> Any:
    """Return a NumPy scalar inside a container of objects as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def _refuse(value: Any, path: str) -> str:
    """Say why a value cannot be saved, and what to do."""
    what = type(value).__name__
    if isinstance(value, Kernel) and not isinstance(value, Callback | Function):
        remedy = f"a kernel that is not registered: write gm.kernels.register({what}) here and"
        raise InputError(f"{path} is a {what}, {remedy} where the model is loaded")
    if isinstance(value, BaseEstimator):
        raise InputError(
            f"{path} is a {what}, which model files do not know: write "
            f"gramian.saving.register({what}) here and where the model is loaded"
        )
    if isinstance(value, Gram) and is_ours(type(value)):
        raise InputError(
            "the fit reads its rows from blocks that are not in it: save one on landmarks, "
            "KernelPCA(approximation=gm.Nystrom(…)), or its coordinates_"
        )
    if callable(value) and not isinstance(value, Kernel):
        name = getattr(value, "__name__", what)
        raise InputError(
            f"{path} is a function ({name}), and a model file holds no code: use a kernel of "
            'gm.kernels or a metric by name, or compute the matrix and fit with "precomputed"'
        )
    raise InputError(
        f"{path} is a {what}, which model files do not know: use what gm and gm.kernels offer, or "
        'compute the matrix yourself and fit with "precomputed"'
    )


_WRITERS: list[tuple[Any, Any]] = [
    (np.ndarray, Encoder.array),
    (np.generic, lambda e, v, path: {"is": "scalar", "value": e.array(np.asarray(v)[None], path)}),
    (tuple, Encoder._tuple),
    (dict, Encoder._dict),
    (slice, Encoder._slice),
    (bytes, lambda _, value, path: {"is": "bytes", "hex": value.hex()}),
    (np.dtype, lambda _, value, path: {"is": "dtype", "name": value.str, "type": False}),
    ((np.random.Generator, np.random.RandomState), Encoder._rng),
    (pd.Index, Encoder._index),
    (pd.DataFrame, Encoder._frame),
    (pd.Series, Encoder._series),
]
