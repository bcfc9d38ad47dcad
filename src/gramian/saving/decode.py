"""From a tree of plain values and a set of arrays back to a fitted object."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import on_device
from gramian.errors import InputError
from gramian.saving.check import FieldError, describe
from gramian.saving.classes import class_named
from gramian.saving.encode import UFUNCS, Node
from gramian.saving.generators import generator_of, random_state_of
from gramian.saving.objects import build

_MAX_SIDE = 2**62  # a side of a matrix, and a number of a row
_DEVICE = re.compile(r"(cpu|cuda|mps|xpu)(:\d{1,3})?")  # of torch
# A name of the time zone data base, or a fixed offset. pandas would open a file for "dateutil/…".
_ZONE = re.compile(r"(?!dateutil)[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*|UTC[+-]\d\d:\d\d")


class Decoder:
    """Rebuilds values; a name outside the closed list, or a tag that is not known, is refused.

    What is made is counted, and no more than `allowance` bytes of it: a file may name one array
    many times, or a type that is far wider than what it holds. With `as_base`, an object whose
    class is not registered becomes one of the class of the library that it was derived from.
    """

    def __init__(
        self,
        tensors: dict[str, np.ndarray],
        device: str | None = None,
        allowance: float = math.inf,
        as_base: bool = False,
    ) -> None:
        self.tensors = tensors
        self.device = device
        self.allowance = allowance
        self.as_base = as_base
        self._arrays: dict[tuple[str, str], np.ndarray] = {}
        self._objects: dict[int, Any] = {}

    def decode(self, node: Any, path: str) -> Any:
        """Return the value that a node of the tree stands for; `path` says where it stands."""
        if isinstance(node, list):
            return [self.decode(item, f"{path}[{k}]") for k, item in enumerate(node)]
        if not isinstance(node, dict):
            return node
        tag = node.get("is")
        reader = _READERS.get(tag) if isinstance(tag, str) else None
        if reader is None:
            raise FieldError(path, "a value of a kind that is known", repr(str(tag)[:40]))
        return reader(self, node, path)

    def part(self, node: Node, key: str, kind: type, path: str) -> Any:
        """Return a part of a node that is of a type of JSON."""
        value = node.get(key)
        if type(value) is not kind:
            raise FieldError(f"{path}/{key}", f"a {kind.__name__}", describe(value))
        return value

    def items(self, node: Node, key: str, path: str) -> list[Any]:
        """Return the values of a part of a node that is a list."""
        return self.decode(self.part(node, key, list, path), path)

    def whole(self, value: Any, path: str, least: int = 0, most: int = _MAX_SIDE) -> int:
        """Return a whole number in a range, which True and 1.0 are not."""
        if type(value) is not int or not least <= value <= most:
            shown = "a huge number" if type(value) is int else describe(value)
            raise FieldError(path, f"a whole number from {least} to {most}", shown)
        return value

    def spend(self, size: float, path: str) -> None:
        """Count bytes that are about to be made, and refuse those that are too many."""
        self.allowance -= size
        if self.allowance < 0:
            raise FieldError(path, "memory in proportion to the size of the file", "far more")

    def array(self, node: Any, path: str, ndim: int | None = None, kinds: str = "fiub") -> Any:
        """Return the array that a node stands for, of some kinds of numbers."""
        a = self.decode(node, path)
        if not isinstance(a, np.ndarray) or a.dtype.kind not in kinds:
            raise FieldError(path, "an array", describe(a))
        if ndim is not None and a.ndim != ndim:
            raise FieldError(path, f"an array of {ndim} dimension(s)", describe(a))
        return a

    def _array(self, node: Node, path: str) -> np.ndarray:
        name, by = self.part(node, "name", str, path), self.part(node, "by", str, path)
        if name not in self.tensors or by not in ("rows", "columns"):
            raise FieldError(path, "an array of the file", repr(name[:20]))
        if (name, by) not in self._arrays:
            self.spend(self.tensors[name].nbytes, path)
            # A copy: aligned as NumPy does, so that sums round as they did, and free of the file.
            a = np.array(self.tensors[name], copy=True, order="C")
            self._arrays[name, by] = a.T if by == "columns" else a
        return self._arrays[name, by]

    def _items(self, node: Node, path: str) -> np.ndarray:
        items, kind = self.part(node, "items", list, path), self._dtype_of(node, "OUS", path)
        shape = [self.whole(side, path) for side in self.part(node, "shape", list, path)]
        if math.prod(shape) != len(items):
            raise FieldError(path, f"items of shape {shape}", f"{len(items)} of them")
        self.spend(8 * len(items) + kind.itemsize * len(items), path)
        values = (self.decode(item, path) for item in items)
        flat = np.fromiter(values, dtype=object, count=len(items))  # tuples make no table
        if kind.kind != "O":
            own, width = (str, kind.itemsize // 4) if kind.kind == "U" else (bytes, kind.itemsize)
            if not all(type(item) is own and len(item) <= width for item in flat):
                raise FieldError(path, f"items of type {kind}", "others")
        return flat.astype(kind).reshape(shape)

    def _dtype_of(self, node: Node, kinds: str, path: str, key: str = "dtype") -> np.dtype[Any]:
        word = self.part(node, key, str, path)
        if len(word) > 20 or "," in word or word.lstrip("<>|=")[:1] not in kinds:
            raise FieldError(path, "a type that is saved", repr(word[:40]))
        return np.dtype(word)

    def _dtype(self, node: Node, path: str) -> Any:
        kind = self._dtype_of(node, "fiubOUSmM", path, "name")
        return kind.type if self.part(node, "type", bool, path) else kind

    def _time(self, node: Node, path: str) -> np.ndarray:
        values = self.array(node.get("values"), path, kinds="i")
        kind = self._dtype_of(node, "mM", path)
        if values.dtype != np.int64 or kind.kind not in "mM" or "[" not in kind.str:
            raise FieldError(path, "times", str(kind))
        return values.view(kind)

    def _scalar(self, node: Node, path: str) -> Any:
        values = self.array(node.get("value"), path, 1, "fiubOUSmM")
        if values.size != 1:
            raise FieldError(path, "one number", f"{values.size}")
        return values[0]

    def _sparse(self, node: Node, path: str) -> sparse.csr_array:
        sides = [self.whole(side, path) for side in self.part(node, "shape", list, path)]
        data = self.array(node.get("data"), path, 1)
        indices, indptr = (self.array(node.get(k), path, 1, "i") for k in ("indices", "indptr"))
        if len(sides) != 2 or indices.shape != data.shape or len(indptr) != sides[0] + 1:
            raise FieldError(path, f"a sparse matrix of shape {sides}", "parts of another")
        M = sparse.csr_array((data, indices, indptr), shape=tuple(sides))
        M.check_format(full_check=True)
        return M

    def _torch(self, node: Node, path: str) -> Any:
        values = self.array(node.get("values"), path)
        word = self.part(node, "device", str, path)
        if not self.device and not _DEVICE.fullmatch(word):
            raise FieldError(path, "a device", repr(word[:20]))
        return on_device(values, self.device or word)

    def _dict(self, node: Node, path: str) -> dict[Any, Any]:
        pairs = self.part(node, "pairs", list, path)
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise FieldError(path, "pairs of a dict", "others")
        keys = [self.decode(key, path) for key, _ in pairs]
        shown = [str(key)[:40] for key in keys]
        values = [self.decode(v, f"{path}[{k}]") for k, (_, v) in zip(shown, pairs, strict=True)]
        found = dict(zip(keys, values, strict=True))
        if len(found) < len(pairs):
            raise FieldError(path, "a dict", "one key twice")
        return found

    def _slice(self, node: Node, path: str) -> slice:
        parts = self.items(node, "parts", path)
        if len(parts) != 3 or not all(part is None or type(part) is int for part in parts):
            raise FieldError(path, "a slice of whole numbers", describe(parts))
        return slice(*parts)

    def _ufunc(self, node: Node, path: str) -> Any:
        if (name := self.part(node, "name", str, path)) not in UFUNCS:
            raise FieldError(path, "a function of NumPy that is known", repr(name[:40]))
        return getattr(np, name)

    def _float(self, node: Node, path: str) -> float:
        if (word := self.part(node, "value", str, path)) not in ("nan", "inf", "-inf"):
            raise FieldError(path, "nan, inf or -inf", repr(word[:20]))
        return float(word)

    def _object(self, node: Node, path: str) -> Any:
        cls = self._class(node, path)
        number = self.whole(node.get("number"), path)
        if number in self._objects:
            raise FieldError(path, "an object of its own number", f"number {number} again")
        tree = self.part(node, "parts", dict, path)
        parts = {key: self.decode(value, f"{path}.{key}") for key, value in tree.items()}
        instance = self._objects[number] = build(cls, parts, path)
        return instance

    def _same(self, node: Node, path: str) -> Any:
        number = self.whole(node.get("as"), path)
        if number not in self._objects:
            raise FieldError(path, "an object that came before", f"number {number}")
        return self._objects[number]

    def _class(self, node: Node, path: str) -> type:
        name = self.part(node, "class", str, path)
        cls = class_named(name)
        if cls is None and name.startswith("registered."):
            cls = self._base(node, name, path)
        if cls is None:
            raise InputError(
                f"the model file names {name[:60]!r}, which is not in the list of what may be "
                "rebuilt: it is refused"
            )
        return cls

    def _base(self, node: Node, name: str, path: str) -> type | None:
        """Return the class that stands for one which is not registered here."""
        word, base = name.rpartition(".")[2][:60], node.get("base")
        if not name.startswith("registered.class."):
            raise InputError(
                f"the model file uses the kernel {word!r}, which is not registered here: import "
                "the module that registers it (gm.kernels.register), or name it with --plugin"
            )
        if self.as_base and isinstance(base, str) and "." not in base:
            return class_named(base)
        raise InputError(
            f"the model file uses the class {word!r}, which is not registered here: import the "
            f"module that defines it and call gramian.saving.register({word}), or name the module "
            f"with --plugin; gm.load_model(path, unregistered='base') gives a {str(base)[:40]}"
        )


def _column(d: Decoder, node: object, path: str) -> np.ndarray:
    """Return a vector of any type, counted: pandas makes a copy of it."""
    values = d.array(node, path, 1, "fiubOUSmM")
    d.spend(values.nbytes, path)
    return values


def _index(d: Decoder, node: Node, path: str) -> pd.Index:
    values = _column(d, node.get("values"), path)
    if values.dtype == object:
        hash(tuple(values))  # a TypeError where a label could not be looked up
    kind = node.get("dtype")
    if node.get("zone") is not None:
        zone = d.part(node, "zone", str, path)
        if not _ZONE.fullmatch(zone):
            raise FieldError(path, "a time zone", repr(zone[:30]))
        index: Any = pd.DatetimeIndex(values).tz_localize("UTC").tz_convert(zone)
    elif kind in (None, "str"):
        index = pd.Index(values, dtype="str" if kind == "str" else values.dtype)
    else:
        raise FieldError(path, "labels of a type that is known", describe(kind))
    return index.set_names(d.items(node, "names", path))


def _labels(d: Decoder, node: object, path: str) -> pd.Index:
    index = d.decode(node, path)
    if not isinstance(index, pd.Index):
        raise FieldError(path, "labels", describe(index))
    return index


def _categories(d: Decoder, node: Node, path: str) -> pd.Index:
    codes = d.array(node.get("codes"), path, 1, "i")
    d.spend(codes.nbytes, path)
    levels, ordered = _labels(d, node.get("levels"), path), d.part(node, "ordered", bool, path)
    index = pd.CategoricalIndex(pd.Categorical.from_codes(codes, levels, ordered))
    return index.set_names(d.items(node, "names", path))


def _levels(d: Decoder, node: Node, path: str) -> pd.MultiIndex:
    rows, names = d.items(node, "rows", path), d.items(node, "names", path)
    if not all(isinstance(row, tuple) and len(row) == len(names) for row in rows):
        raise FieldError(path, f"labels of {len(names)} levels", "others")
    d.spend(64 * len(rows) * len(names), path)
    return pd.MultiIndex.from_tuples(rows, names=names)


def _range(d: Decoder, node: Node, path: str) -> pd.RangeIndex:
    parts = d.part(node, "parts", list, path)
    parts = [d.whole(part, path, -_MAX_SIDE) for part in parts]
    if len(parts) != 3 or parts[2] == 0:
        raise FieldError(path, "a range of row numbers", describe(parts))
    # Two numbers that anything which shows the labels will write out.
    d.spend(8 * len(range(*parts)), path)
    return pd.RangeIndex(*parts).set_names(d.items(node, "names", path))


def _frame(d: Decoder, node: Node, path: str) -> pd.DataFrame:
    nodes = d.part(node, "columns", list, path)
    columns = {k: _column(d, column, path) for k, column in enumerate(nodes)}
    index, names = _labels(d, node.get("index"), path), _labels(d, node.get("labels"), path)
    if any(len(column) != len(index) for column in columns.values()):
        raise FieldError(path, f"columns of {len(index)} rows", "others")
    return pd.DataFrame(columns, index=index).set_axis(names, axis=1)


def _series(d: Decoder, node: Node, path: str) -> pd.Series:
    values, index = _column(d, node.get("values"), path), _labels(d, node.get("index"), path)
    return pd.Series(values, index=index, name=d.decode(node.get("name"), path))


# Methods that are called as the tag that they read, and what reads the other tags.
_OWN: tuple[str, ...] = ("array", "dict", "dtype", "float", "items", "object", "same")
_OWN += ("scalar", "slice", "sparse", "time", "torch", "ufunc")
_READERS: dict[str, Callable[[Any, Node, str], Any]] = {
    **{tag: getattr(Decoder, f"_{tag}") for tag in _OWN},
    "tuple": lambda d, node, path: tuple(d.items(node, "items", path)),
    "bytes": lambda d, node, path: bytes.fromhex(d.part(node, "hex", str, path)),
    "rng": lambda d, node, path: generator_of(d.decode(node.get("state"), path), path),
    "random_state": lambda d, node, path: random_state_of(d.decode(node.get("state"), path), path),
    "index": _index,
    "categories": _categories,
    "levels": _levels,
    "range": _range,
    "frame": _frame,
    "series": _series,
}
