"""From a tree of plain values and a set of arrays back to a fitted object."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from gramian._array import on_device
from gramian._pairs import Points
from gramian.errors import InputError
from gramian.kernels import Kernel
from gramian.kernels.graph import Graph
from gramian.kernels.objects import Objects
from gramian.operators import TiledGram
from gramian.saving import labels
from gramian.saving.names import UFUNCS, class_named
from gramian.saving.nodes import Node, listed, one_word, refusal, text, whole
from gramian.saving.randoms import generator_of, random_state_of
from gramian.saving.upgrade import upgraded

__all__ = ["Decoder"]

_LONGEST = 2**62  # a side of a matrix


class Decoder:
    """Rebuilds values; a name outside the closed list, or a tag that is not known, is refused.

    What is made is counted, and no more than `allowance` bytes of it: a file may name one array
    many times, or a type that is far wider than what it holds.
    """

    def __init__(
        self,
        tensors: dict[str, np.ndarray],
        device: str | None = None,
        allowance: float = math.inf,
    ) -> None:
        self.tensors = tensors
        self.device = device
        self.allowance = allowance
        self._arrays: dict[tuple[str, str], np.ndarray] = {}
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

    def spend(self, size: float) -> None:
        """Count bytes that are about to be made, and refuse those that are too many."""
        self.allowance -= size
        if self.allowance < 0:
            raise refusal("would take far more memory than its size")

    def array(self, node: Any, *, ndim: int | None = None, kinds: str = "fiub") -> np.ndarray:
        """Return the array that a node stands for, of some kinds of numbers."""
        a = self.decode(node)
        if not isinstance(a, np.ndarray) or a.dtype.kind not in kinds:
            raise refusal(f"has a {type(a).__name__} where an array belongs")
        if ndim is not None and a.ndim != ndim:
            raise refusal(f"has an array of shape {a.shape} where {ndim} dimension(s) belong")
        return a

    def _array(self, node: Node) -> np.ndarray:
        key = text(node, "name"), one_word(node, "by", "rows", "columns")
        if key not in self._arrays:
            if key[0] not in self.tensors:
                raise refusal(f"has no array {key[0][:20]!r}")
            self.spend(self.tensors[key[0]].nbytes)
            # A copy: aligned as NumPy does, so that sums round as they did, and free of the file.
            a = np.array(self.tensors[key[0]], copy=True, order="C")
            self._arrays[key] = a.T if key[1] == "columns" else a
        return self._arrays[key]

    def _items(self, node: Node) -> np.ndarray:
        items, kind = listed(node, "items"), self._dtype(node, "OUS")
        shape = [whole(side, "shape", 0, _LONGEST) for side in listed(node, "shape")]
        if math.prod(shape) != len(items):
            raise refusal(f"has {len(items)} items for the shape {shape}")
        self.spend(8 * len(items) + kind.itemsize * len(items))
        flat = np.empty(len(items), dtype=object)
        for k, item in enumerate(items):  # one by one: tuples of one length would make a table
            flat[k] = self.decode(item)
        if kind.kind != "O":
            own, width = (str, kind.itemsize // 4) if kind.kind == "U" else (bytes, kind.itemsize)
            if not all(type(item) is own and len(item) <= width for item in flat):
                raise refusal(f"has items that are not of type {kind}")
        return flat.astype(kind).reshape(shape)

    def _dtype(self, node: Node, kinds: str) -> np.dtype[Any]:
        word = text(node, "dtype")
        if len(word) > 20 or "," in word or word.lstrip("<>|=")[:1] not in kinds:
            raise refusal(f"has items of type {word[:40]!r}, which are not saved")
        return np.dtype(word)

    def _time(self, node: Node) -> np.ndarray:
        values = self.array(node.get("values"), kinds="i")
        kind = self._dtype(node, "mM")
        if values.dtype != np.int64 or kind.kind not in "mM" or "[" not in kind.str:
            raise refusal(f"has times of type {kind}")
        return values.view(kind)

    def _scalar(self, node: Node) -> np.generic:
        values = self.array(node.get("value"), ndim=1, kinds="fiubOUSmM")
        if values.size != 1:
            raise refusal(f"has {values.size} numbers where one belongs")
        return values[0]

    def _sparse(self, node: Node) -> sparse.csr_array:
        sides = [whole(side, "shape", 0, _LONGEST) for side in listed(node, "shape")]
        data = self.array(node.get("data"), ndim=1)
        places = [self.array(node.get(k), ndim=1, kinds="i") for k in ("indices", "indptr")]
        if len(sides) != 2 or places[0].shape != data.shape or len(places[1]) != sides[0] + 1:
            raise refusal("has a sparse matrix whose parts do not go together")
        M = sparse.csr_array((data, *places), shape=tuple(sides))
        M.check_format(full_check=True)
        return M

    def _torch(self, node: Node) -> Any:
        values = self.array(node.get("values"))
        return on_device(values, self.device or labels.device(text(node, "device")))

    def _record(self, node: Node) -> Any:
        cls = self._class(node)
        if not issubclass(cls, tuple):
            raise InputError(f"{node['class']} is no record: the model file is not ours")
        return cls(*(self.decode(item) for item in listed(node, "items")))

    def _dict(self, node: Node) -> dict[Any, Any]:
        pairs = listed(node, "pairs")
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise refusal("has a dict whose pairs are none")
        values = {self.decode(key): self.decode(value) for key, value in pairs}
        if len(values) < len(pairs):
            raise refusal("has a dict with one key twice")
        return values

    def _slice(self, node: Node) -> slice:
        parts = [self.decode(part) for part in listed(node, "parts")]
        if len(parts) != 3 or not all(part is None or type(part) is int for part in parts):
            raise refusal("has a slice whose parts are no whole numbers")
        return slice(*parts)

    def _ufunc(self, node: Node) -> Any:
        if (name := text(node, "name")) not in UFUNCS:
            raise InputError(f"the model file names the function {name[:40]!r}")
        return getattr(np, name)

    def _object(self, node: Node) -> Any:
        cls = self._class(node)
        number = whole(node.get("number"), "number", 0, _LONGEST)
        if number in self._objects or not isinstance(node.get("parts"), dict):
            raise refusal("has an object without parts, or two of one number")
        parts = {key: self.decode(value) for key, value in node["parts"].items()}
        instance = self._objects[number] = _rebuilt(cls, parts)
        return instance

    def _same(self, node: Node) -> Any:
        number = whole(node.get("as"), "number", 0, _LONGEST)
        if number not in self._objects:
            raise refusal(f"has no object {number} before it is used")
        return self._objects[number]

    def _class(self, node: Node) -> type:
        cls = class_named(node.get("class"))
        if cls is None:
            raise InputError(
                f"the model file names {str(node.get('class'))[:60]!r}, which is not in the list "
                "of what may be rebuilt: it is refused"
            )
        return cls


def _float(node: Node) -> float:
    return float(one_word(node, "value", "nan", "inf", "-inf"))


def _rebuilt(cls: type, parts: dict[str, Any]) -> Any:
    """Return an object from its parts; attributes are set, nothing of the file is called."""
    if issubclass(cls, Kernel):
        return cls(**parts)
    if issubclass(cls, Points):
        return _points(**parts)
    if issubclass(cls, TiledGram):
        return TiledGram(**parts)
    if issubclass(cls, Objects):
        return Objects(**parts)
    instance: Any = cls.__new__(cls)
    if issubclass(cls, Graph):
        for name in Graph.__slots__:
            setattr(instance, name, parts[name])
    elif any(name.startswith("__") for name in parts):
        raise InputError("the model file sets an attribute that is Python's own: it is refused")
    else:
        vars(instance).update(upgraded(cls.__name__, parts))
    return instance


def _points(X: Any, origin: Any, rough: Any) -> Points:
    if not (origin is None or isinstance(origin, Points)) or not isinstance(rough, bool):
        raise refusal("has points whose origin is none")
    points = Points(X, origin)
    points.rough = rough
    return points


_READERS: dict[str, Callable[[Decoder, Node], Any]] = {
    "float": lambda d, node: _float(node),
    "tuple": lambda d, node: tuple(d.decode(item) for item in listed(node, "items")),
    "bytes": lambda d, node: bytes.fromhex(text(node, "hex")),
    "rng": lambda d, node: generator_of(d.decode(node.get("state"))),
    "random_state": lambda d, node: random_state_of(d.decode(node.get("state"))),
    "scalar": Decoder._scalar,
    "slice": Decoder._slice,
    "array": Decoder._array,
    "items": Decoder._items,
    "time": Decoder._time,
    "sparse": Decoder._sparse,
    "torch": Decoder._torch,
    "record": Decoder._record,
    "dict": Decoder._dict,
    "ufunc": Decoder._ufunc,
    "object": Decoder._object,
    "same": Decoder._same,
    **labels.READERS,
}
