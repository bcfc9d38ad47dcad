"""A fitted object as a tree of plain values and a set of arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from gramian._array import is_sparse, to_numpy
from gramian._pairs import Points
from gramian.chunked.gram import ChunkedGram
from gramian.embedding import Training
from gramian.errors import InputError
from gramian.kernels import Callback, Function, Kernel
from gramian.kernels.graph import Graph
from gramian.kernels.objects import Objects
from gramian.operators import TiledGram
from gramian.operators.feature import FeatureMap
from gramian.saving.names import UFUNCS, name_of
from gramian.saving.randoms import GENERATORS

__all__ = ["Encoder"]

_BITS = 4096  # of a whole number


class Encoder:
    """Turns values into JSON; arrays go to `tensors`, objects seen before become references."""

    def __init__(self) -> None:
        self.tensors: dict[str, np.ndarray] = {}
        self._arrays: dict[Any, str] = {}
        self._objects: dict[int, int] = {}
        self._alive: list[Any] = []  # so that no identity is used twice

    def encode(self, value: Any, path: str) -> Any:
        """Return a value as JSON, or say what cannot be saved; `path` says where it stands."""
        if value is None or isinstance(value, bool | str):
            return value
        if type(value) is int:
            return _short(value, path)
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
        if isinstance(value, Kernel) or name_of(type(value)) or not callable(value):
            return self._object(value, path)
        name = getattr(value, "__name__", type(value).__name__)
        raise InputError(
            f"{path} is a function ({name}), and a model file holds no code: use a kernel of "
            'gm.kernels or a metric by name, or compute the matrix and fit with "precomputed"'
        )

    def array(self, a: np.ndarray, path: str) -> dict[str, Any]:
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
            name = f"a{len(self.tensors)}"
            self.tensors[name] = np.ascontiguousarray(a.T if by_columns else a).reshape(
                a.shape[::-1] if by_columns else a.shape
            )
            self._arrays[key] = name
            self._alive.append(a)
        return {"is": "array", "name": self._arrays[key], "by": "columns" if by_columns else "rows"}

    def _sparse(self, M: Any, path: str) -> dict[str, Any]:
        M = M.tocsr()
        parts = {k: self.array(getattr(M, k), path) for k in ("data", "indices", "indptr")}
        return {"is": "sparse", "shape": list(M.shape), **parts}

    def _torch(self, tensor: Any, path: str) -> dict[str, Any]:
        if not hasattr(tensor, "detach"):
            raise InputError(f"{path} is a {type(tensor).__name__} of torch: it cannot be saved")
        return {
            "is": "torch",
            "device": str(tensor.device),
            "values": self.array(to_numpy(tensor), path),
        }

    def _tuple(self, value: tuple[Any, ...], path: str) -> dict[str, Any]:
        items = [self.encode(v, f"{path}[{k}]") for k, v in enumerate(value)]
        if type(value) is tuple:
            return {"is": "tuple", "items": items}
        return {"is": "record", "class": self._name(value, path), "items": items}

    def _dict(self, value: dict[Any, Any], path: str) -> dict[str, Any]:
        pairs = [[self.encode(k, path), self.encode(v, f"{path}[{k!r}]")] for k, v in value.items()]
        return {"is": "dict", "pairs": pairs}

    def _scalar(self, value: np.generic, path: str) -> dict[str, Any]:
        return {"is": "scalar", "value": self.array(np.asarray(value)[None], path)}

    def _slice(self, value: slice, path: str) -> dict[str, Any]:
        parts = [self.encode(v, path) for v in (value.start, value.stop, value.step)]
        return {"is": "slice", "parts": parts}

    def _bytes(self, value: bytes, path: str) -> dict[str, Any]:
        return {"is": "bytes", "hex": value.hex()}

    def _rng(self, value: np.random.Generator, path: str) -> dict[str, Any]:
        state = value.bit_generator.state
        if state["bit_generator"] not in GENERATORS:
            raise InputError(f"{path} is a generator that cannot be saved: give a seed")
        return {"is": "rng", "state": self.encode(state, path)}

    def _random_state(self, value: np.random.RandomState, path: str) -> dict[str, Any]:
        state = value.get_state(legacy=False)
        if state["bit_generator"] not in GENERATORS:
            raise InputError(f"{path} is a generator that cannot be saved: give a seed")
        if state["bit_generator"] == "MT19937":  # as 0.1.0 wrote it
            state = value.get_state()
        return {"is": "random_state", "state": self.encode(state, path)}

    def _index(self, value: Any, path: str) -> dict[str, Any]:
        names = [self.encode(_plain(name), path) for name in value.names]
        if isinstance(value, pd.RangeIndex):
            parts = [value.start, value.stop, value.step]
            return {"is": "range", "parts": parts, "names": names}
        if isinstance(value, pd.MultiIndex):
            rows = [self.encode(tuple(map(_plain, row)), path) for row in value.tolist()]
            return {"is": "levels", "rows": rows, "names": names}
        if isinstance(value, pd.CategoricalIndex):
            return {
                "is": "categories",
                "codes": self.array(value.codes, path),
                "levels": self._index(value.categories, path),
                "ordered": bool(value.ordered),
                "names": names,
            }
        kind = value.dtype
        if isinstance(kind, pd.DatetimeTZDtype):
            inner = self.array(value.tz_convert("UTC").tz_localize(None).to_numpy(), path)
            return {"is": "index", "values": inner, "zone": str(kind.tz), "names": names}
        plain = value.to_numpy(dtype=object) if kind == "str" else value.to_numpy()
        text = str(kind) if kind == "str" else None
        return {"is": "index", "values": self.array(plain, path), "dtype": text, "names": names}

    def _frame(self, value: pd.DataFrame, path: str) -> dict[str, Any]:
        columns = [
            self.array(value.iloc[:, k].to_numpy(), f"{path}, column {k}")
            for k in range(value.shape[1])
        ]
        return {
            "is": "frame",
            "columns": columns,
            "labels": self._index(value.columns, path),
            "index": self._index(value.index, path),
        }

    def _series(self, value: pd.Series, path: str) -> dict[str, Any]:
        return {
            "is": "series",
            "values": self.array(value.to_numpy(), path),
            "index": self._index(value.index, path),
            "name": self.encode(_plain(value.name), path),
        }

    def _object(self, value: Any, path: str) -> dict[str, Any]:
        if id(value) in self._objects:
            return {"is": "same", "as": self._objects[id(value)]}
        name = self._name(value, path)
        number = self._objects[id(value)] = len(self._objects)
        self._alive.append(value)
        parts = {k: self.encode(v, f"{path}.{k}") for k, v in _parts(value).items()}
        return {"is": "object", "class": name, "number": number, "parts": parts}

    def _name(self, value: Any, path: str) -> str:
        name = name_of(type(value))
        what = type(value).__name__
        code = isinstance(value, Callback | Function)
        if name is None and isinstance(value, Kernel) and not code:
            raise InputError(
                f"{path} is a {what}, a kernel that is not registered: write "
                f"gm.kernels.register({what}) here and where the model is loaded"
            )
        if isinstance(value, ChunkedGram):
            raise InputError(
                "the fit reads its rows from blocks that are not in it: save one on landmarks, "
                "KernelPCA(approximation=gm.Nystrom(…)), or its coordinates_"
            )
        if name is None:
            raise InputError(
                f"{path} is a {what}, which model files do not know: use what gm and gm.kernels "
                'offer, or compute the matrix yourself and fit with "precomputed"'
            )
        return name


def _parts(value: Any) -> dict[str, Any]:
    """Return what an object is rebuilt from; what can be computed again is left out."""
    if isinstance(value, Kernel):
        return value.get_params(deep=False)
    if isinstance(value, Points):
        origin = None if value.origin is value else value.origin
        return {"X": value.X, "origin": origin, "rough": value.rough}
    if isinstance(value, Training):
        _ = value.kind == "gone" or value.rows  # lent rows that have changed are refused now
        return vars(value) | {"mark": None}  # rows in a file are nobody else's
    if isinstance(
        value, FeatureMap
    ):  # of an array whose library and precision matter, nothing else
        return vars(value) | {"like": value.like[:0]}
    if isinstance(value, TiledGram):  # what it makes for a device is made again
        return {"kernel": value.kernel, "points": value.points}
    if isinstance(value, Objects):
        return {"items": value.items}
    if isinstance(value, Graph):
        return {name: getattr(value, name) for name in Graph.__slots__}
    return {k: v for k, v in vars(value).items() if k != "_sklearn_version"}


def _short(value: int, path: str) -> int:
    """Return a whole number that JSON readers take."""
    if value.bit_length() > _BITS:
        raise InputError(f"{path} is a whole number of {value.bit_length()} bits: give less")
    return value


def _plain(value: Any) -> Any:
    """Return a NumPy scalar inside a container of objects as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


_WRITERS: list[tuple[type, Any]] = [
    (np.ndarray, Encoder.array),
    (np.generic, Encoder._scalar),
    (tuple, Encoder._tuple),
    (dict, Encoder._dict),
    (slice, Encoder._slice),
    (bytes, Encoder._bytes),
    (np.random.Generator, Encoder._rng),
    (np.random.RandomState, Encoder._random_state),
    (pd.Index, Encoder._index),
    (pd.DataFrame, Encoder._frame),
    (pd.Series, Encoder._series),
]
