"""From a tree of plain values and a set of arrays back to a fitted object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._array import on_device
from gramian._pairs import Points
from gramian.errors import InputError
from gramian.kernels import Kernel
from gramian.kernels.graph import Graph
from gramian.kernels.objects import Objects
from gramian.operators import TiledGram
from gramian.saving.names import GENERATORS, UFUNCS, class_named
from gramian.saving.upgrade import upgraded

__all__ = ["Decoder"]


class Decoder:
    """Rebuilds values; a name outside the closed list, or a tag that is not known, is refused."""

    def __init__(self, tensors: dict[str, np.ndarray], device: str | None = None) -> None:
        self.tensors = tensors
        self.device = device
        self._arrays: dict[str, np.ndarray] = {}
        self._objects: dict[int, Any] = {}

    def decode(self, node: Any) -> Any:
        """Return the value that a node of the tree stands for."""
        if isinstance(node, list):
            return [self.decode(item) for item in node]
        if not isinstance(node, dict):
            return node
        tag = node.get("is")
        reader = _READERS.get(tag) if isinstance(tag, str) else None
        if reader is None:
            raise InputError(f"the model file holds a {str(tag)[:40]!r}, which is not known")
        return reader(self, node)

    def _array(self, node: dict[str, Any]) -> np.ndarray:
        name = node["name"]
        if name not in self._arrays:
            # A copy: aligned as NumPy does, so that sums round as they did, and free of the file.
            a = np.array(self.tensors[name], copy=True, order="C")
            self._arrays[name] = a.T if node["by"] == "columns" else a
        return self._arrays[name]

    def _items(self, node: dict[str, Any]) -> np.ndarray:
        kind = np.dtype(node["dtype"])
        flat = np.empty(len(node["items"]), dtype=object)
        flat[:] = [self.decode(item) for item in node["items"]]
        return flat.astype(kind).reshape(node["shape"])

    def _time(self, node: dict[str, Any]) -> np.ndarray:
        kind = np.dtype(node["dtype"])
        if kind.kind not in "mM":
            raise InputError(f"the model file holds times of type {kind}")
        return self.decode(node["values"]).view(kind)

    def _sparse(self, node: dict[str, Any]) -> sparse.csr_array:
        parts = tuple(self.decode(node[k]) for k in ("data", "indices", "indptr"))
        M = sparse.csr_array(parts, shape=tuple(node["shape"]))
        M.check_format(full_check=True)
        return M

    def _torch(self, node: dict[str, Any]) -> Any:
        return on_device(self.decode(node["values"]), self.device or node["device"])

    def _record(self, node: dict[str, Any]) -> Any:
        cls = self._class(node)
        if not issubclass(cls, tuple):
            raise InputError(f"{node['class']} is no record: the model file is not ours")
        return cls(*(self.decode(item) for item in node["items"]))

    def _dict(self, node: dict[str, Any]) -> dict[Any, Any]:
        return {self.decode(key): self.decode(value) for key, value in node["pairs"]}

    def _rng(self, node: dict[str, Any]) -> np.random.Generator:
        state = self.decode(node["state"])
        if state["bit_generator"] not in GENERATORS:
            raise InputError("the model file holds a generator that is not known")
        bits = getattr(np.random, state["bit_generator"])()
        bits.state = state
        return np.random.Generator(bits)

    def _random_state(self, node: dict[str, Any]) -> np.random.RandomState:
        state = np.random.RandomState()
        state.set_state(self.decode(node["state"]))
        return state

    def _ufunc(self, node: dict[str, Any]) -> Any:
        if node["name"] not in UFUNCS:
            raise InputError(f"the model file names the function {str(node['name'])[:40]!r}")
        return getattr(np, node["name"])

    def _index(self, node: dict[str, Any]) -> pd.Index:
        values = self.decode(node["values"])
        if node.get("zone"):
            index = pd.DatetimeIndex(values).tz_localize("UTC").tz_convert(node["zone"])
        else:
            index = pd.Index(values, dtype="str" if node.get("dtype") == "str" else values.dtype)
        return index.set_names([self.decode(name) for name in node["names"]])

    def _categories(self, node: dict[str, Any]) -> pd.Index:
        levels = self.decode(node["levels"])
        codes = pd.Categorical.from_codes(self.decode(node["codes"]), levels, bool(node["ordered"]))
        return pd.CategoricalIndex(codes).set_names([self.decode(name) for name in node["names"]])

    def _levels(self, node: dict[str, Any]) -> pd.MultiIndex:
        rows = [self.decode(row) for row in node["rows"]]
        return pd.MultiIndex.from_tuples(rows, names=[self.decode(name) for name in node["names"]])

    def _range(self, node: dict[str, Any]) -> pd.RangeIndex:
        return pd.RangeIndex(*node["parts"]).set_names([self.decode(n) for n in node["names"]])

    def _frame(self, node: dict[str, Any]) -> pd.DataFrame:
        columns = {k: self.decode(column) for k, column in enumerate(node["columns"])}
        frame = pd.DataFrame(columns, index=self.decode(node["index"]))
        return frame.set_axis(self.decode(node["labels"]), axis=1)

    def _series(self, node: dict[str, Any]) -> pd.Series:
        values, index = self.decode(node["values"]), self.decode(node["index"])
        return pd.Series(values, index=index, name=self.decode(node["name"]))

    def _object(self, node: dict[str, Any]) -> Any:
        cls = self._class(node)
        parts = {str(key): self.decode(value) for key, value in node["parts"].items()}
        instance = self._objects[int(node["number"])] = _rebuilt(cls, parts)
        return instance

    def _same(self, node: dict[str, Any]) -> Any:
        return self._objects[int(node["as"])]

    def _class(self, node: dict[str, Any]) -> type:
        cls = class_named(node["class"])
        if cls is None:
            raise InputError(
                f"the model file names {str(node['class'])[:60]!r}, which is not in the list of "
                "what may be rebuilt: it is refused"
            )
        return cls


def _rebuilt(cls: type, parts: dict[str, Any]) -> Any:
    """Return an object from its parts; attributes are set, nothing of the file is called."""
    if issubclass(cls, Kernel):
        return cls(**parts)
    if issubclass(cls, Points):
        points = Points(parts["X"], parts["origin"])
        points.rough = bool(parts["rough"])
        return points
    if issubclass(cls, TiledGram):
        return TiledGram(parts["kernel"], parts["points"])
    if issubclass(cls, Objects):
        return Objects(parts["items"])
    instance: Any = cls.__new__(cls)
    if issubclass(cls, Graph):
        for name in Graph.__slots__:
            setattr(instance, name, parts[name])
    elif any(name.startswith("__") for name in parts):
        raise InputError("the model file sets an attribute that is Python's own: it is refused")
    else:
        vars(instance).update(upgraded(cls.__name__, parts))
    return instance


_READERS: dict[str, Callable[[Decoder, dict[str, Any]], Any]] = {
    "float": lambda d, node: float(node["value"]),
    "tuple": lambda d, node: tuple(d.decode(item) for item in node["items"]),
    "scalar": lambda d, node: d.decode(node["value"])[0],
    "slice": lambda d, node: slice(*(d.decode(part) for part in node["parts"])),
    "bytes": lambda d, node: bytes.fromhex(node["hex"]),
    "array": Decoder._array,
    "items": Decoder._items,
    "time": Decoder._time,
    "sparse": Decoder._sparse,
    "torch": Decoder._torch,
    "record": Decoder._record,
    "dict": Decoder._dict,
    "rng": Decoder._rng,
    "random_state": Decoder._random_state,
    "ufunc": Decoder._ufunc,
    "index": Decoder._index,
    "categories": Decoder._categories,
    "levels": Decoder._levels,
    "range": Decoder._range,
    "frame": Decoder._frame,
    "series": Decoder._series,
    "object": Decoder._object,
    "same": Decoder._same,
}
