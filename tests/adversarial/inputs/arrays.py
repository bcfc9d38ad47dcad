"""The clean numbers in arrays of every type and layout, and in Python's own containers."""

import array
import tempfile
from collections import UserList, deque
from decimal import Decimal
from fractions import Fraction

import numpy as np

from ..cell import either, refused, right
from .base import MASK, WHOLE, X, changed, objects


class Subclass(np.ndarray):
    """An array of a class of one's own, that means nothing else."""


class HasArray:
    """Something that only says what array it is."""

    def __array__(self, dtype=None, copy=None):
        return np.array(X, dtype=dtype)


class HasInterface:
    """Something that only shows its memory."""

    def __init__(self):
        self.held = np.array(X)
        self.__array_interface__ = self.held.__array_interface__


def memmap(mode):
    """The numbers in a file, mapped; the file goes when the array does."""
    file = tempfile.NamedTemporaryFile()  # noqa: SIM115
    file.write(np.ascontiguousarray(X).tobytes())
    file.flush()
    A = np.memmap(file.name, dtype=float, mode=mode, shape=X.shape)
    return A


def unaligned():
    raw = np.zeros(X.nbytes + 1, dtype=np.uint8)
    A = raw[1:].view(float).reshape(X.shape)
    A[...] = X
    return A


def inside(step, axis):
    """Every second row or column (or backwards) of a larger array."""
    A = np.full((2 * X.shape[0], 2 * X.shape[1]), 777.0)
    view = A[:: 2 * step, : X.shape[1]] if axis == 0 else A[: X.shape[0], :: 2 * step]
    view[...] = X
    return view


def itself():
    A = []
    A.append(A)
    return A


TYPES = "i1 i2 i4 i8 u1 u2 u4 u8"
S = np.lib.stride_tricks
FAMILIES = {
    "number types": [
        *(right(f"type {t}", lambda t=t: WHOLE.astype(t), lambda: WHOLE) for t in TYPES.split()),
        right("bool", lambda: WHOLE > 50, lambda: WHOLE > 50),
        right("f2", lambda: X.astype("f2"), single=True),
        right("f4", lambda: X.astype("f4"), single=True),
        right("f8", lambda: X.copy()),
        right("long double", lambda: X.astype("g")),
        right("int8 at its ends", lambda: (WHOLE * 2.55 - 128).astype("i1")),
        right("uint8 at its ends", lambda: (WHOLE * 2.55).astype("u1")),
        right("int32 at its ends", lambda: (WHOLE * 4e7 - 2**31).astype("i4")),
        right("int64 below 2^53", lambda: WHOLE.astype("i8") * 2**46),
        right("objects: floats", lambda: objects(float)),
        right("objects: ints", lambda: objects(int, WHOLE), lambda: WHOLE),
        right("objects: float32", lambda: objects(np.float32), lambda: X),
        right("objects: bools", lambda: objects(bool, WHOLE > 50), lambda: WHOLE > 50),
        either("objects: Decimal", lambda: objects(Decimal), lambda: X),
        either("objects: Fraction", lambda: objects(Fraction), lambda: X),
        right("objects: ints and floats", lambda: changed(3, dtype=object), lambda: changed(3.0)),
        refused("int64 beyond 2^53", lambda: WHOLE.astype("i8") + 2**60),
        refused("uint64 beyond 2^63", lambda: WHOLE.astype("u8") + 2**63),
        refused("objects: ints beyond 2^53", lambda: objects(lambda v: v + 2**60, WHOLE)),
        refused("lists: ints beyond 2^53", lambda: (WHOLE.astype("i8") + 2**60).tolist()),
        refused("lists: ints beyond 2^64", lambda: [[2**70 + i, i, 0, 1] for i in range(9)]),
        refused("objects: 10**400", lambda: changed(10**400, dtype=object)),
        refused("objects: None", lambda: changed(None, dtype=object)),
        refused("objects: a word", lambda: changed("seven", dtype=object)),
        refused("objects: a number as text", lambda: changed("7.5", dtype=object)),
        refused("objects: a list", lambda: objects(lambda v: [v])),
        refused("objects: complex", lambda: changed(1j, dtype=object)),
        refused("objects: np.complex64", lambda: objects(np.complex64)),
        refused("objects: np.timedelta64", lambda: objects(lambda v: np.timedelta64(int(v), "D"))),
        refused("objects: np.datetime64", lambda: objects(lambda v: np.datetime64(int(v), "D"))),
        refused("objects: Decimal NaN", lambda: changed(Decimal("NaN"), dtype=object)),
        refused("objects: NaN", lambda: changed(np.nan, dtype=object)),
        refused("objects: arrays of one", lambda: objects(lambda v: np.array([v]))),
        refused("complex", lambda: X + 1j),
        refused("complex without imaginary part", lambda: X + 0j),
        refused("complex64", lambda: X.astype("c8")),
        refused("dates", lambda: WHOLE.astype("M8[D]")),
        refused("durations", lambda: WHOLE.astype("m8[s]")),
        refused("NaT", lambda: np.full(X.shape, np.datetime64("NaT"))),
        refused("words", lambda: X.astype(str)),
        refused("bytes", lambda: X.astype("S8")),
        refused("void", lambda: np.zeros((9, 2), "V8")),
        refused("records", lambda: np.zeros(9, dtype=[("a", float), ("b", float)])),
        refused("a recarray", lambda: np.rec.fromarrays(X.T, names="a,b,c,d")),
        refused(
            "a recarray of two axes",
            lambda: np.zeros((9, 3), dtype=[("a", float)]).view(np.recarray),
        ),
    ],
    "not finite": [
        refused("NaN inside", lambda: changed(np.nan)),
        refused("NaN first", lambda: changed(np.nan, (0, 0))),
        refused("NaN last", lambda: changed(np.nan, (-1, -1))),
        refused("a row of NaN", lambda: changed(np.nan, 5)),
        refused("a column of NaN", lambda: changed(np.nan, (slice(None), 1))),
        refused("all NaN", lambda: np.full(X.shape, np.nan)),
        refused("NaN with a sign", lambda: changed(-np.nan)),
        refused("NaN that signals", lambda: changed(np.array(0x7FF0000000000001, "u8").view("f8"))),
        refused("NaN in f2", lambda: changed(np.nan, dtype="f2")),
        refused("NaN in f4", lambda: changed(np.nan, dtype="f4")),
        refused("NaN in long double", lambda: changed(np.nan, dtype="g")),
        refused("NaN in a list", lambda: changed(np.nan).tolist()),
        refused("NaN in Fortran order", lambda: np.asfortranarray(changed(np.nan))),
        refused("NaN in a view", lambda: np.repeat(changed(np.nan), 2, axis=1)[:, ::2]),
        refused(
            "NaN late in a long table",
            lambda: changed(np.nan, (-1, 0), source=np.tile(X, (400, 1))),
        ),
        refused("inf", lambda: changed(np.inf)),
        refused("-inf", lambda: changed(-np.inf)),
        refused("inf and -inf in a column", lambda: changed([np.inf, -np.inf], ([2, 3], 1))),
        refused("inf and -inf in a row", lambda: changed([np.inf, -np.inf], (3, [0, 1]))),
        refused("all inf", lambda: np.full(X.shape, np.inf)),
        refused("inf in f2", lambda: changed(np.inf, dtype="f2")),
        refused("long double beyond doubles", lambda: changed(np.longdouble("1e400"), dtype="g")),
        refused("masked inside", lambda: np.ma.array(X, mask=MASK)),
        refused("masked NaN", lambda: np.ma.array(changed(np.nan), mask=MASK)),
        refused("all masked", lambda: np.ma.masked_all((9, 3))),
        refused("a list of masked rows", lambda: list(np.ma.array(X, mask=MASK))),
        refused("a list with a masked cell", lambda: [[1.0, 2.0], [np.ma.masked, 3.0], [4.0, 7.0]]),
        either("a mask that hides nothing", lambda: np.ma.array(X, mask=False), lambda: X),
    ],
    "layouts": [
        right("Fortran order", lambda: np.asfortranarray(X)),
        right("a transposed view", lambda: np.ascontiguousarray(X.T).T),
        right("every second row", lambda: inside(1, 0)),
        right("every second column", lambda: inside(1, 1)),
        right("rows backwards", lambda: X[::-1].copy()[::-1]),
        right("columns backwards", lambda: X[:, ::-1].copy()[:, ::-1]),
        right("both backwards", lambda: X[::-1, ::-1].copy()[::-1, ::-1]),
        right("every second backwards", lambda: np.repeat(X, 2, axis=0)[::-1][::2][::-1]),
        right("read-only", lambda: X),
        right("read-only buffer", lambda: np.frombuffer(X.tobytes()).reshape(X.shape)),
        right("unaligned", unaligned),
        right("bytes swapped f8", lambda: X.astype(">f8")),
        right("bytes swapped f4", lambda: X.astype(">f4"), single=True),
        right("bytes swapped i4", lambda: WHOLE.astype(">i4")),
        either("rows of stride 0", lambda: np.broadcast_to(X[0], X.shape)),
        either("columns of stride 0", lambda: np.broadcast_to(X[:, :1], X.shape)),
        either("all of stride 0", lambda: np.broadcast_to(3.5, X.shape)),
        right("overlapping windows", lambda: S.sliding_window_view(X.ravel().copy(), 5)[:20]),
        right("overlapping rows", lambda: S.as_strided(X.ravel().copy(), (20, 4), (16, 8))),
        right("memmap r", lambda: memmap("r")),
        right("memmap r+", lambda: memmap("r+")),
        right("memmap c", lambda: memmap("c")),
        right("a subclass", lambda: X.copy().view(Subclass)),
        either("np.matrix", lambda: np.asmatrix(X.copy())),
        right(
            "read-only, Fortran order",
            lambda: np.asarray(memoryview(np.asfortranarray(X)).toreadonly()),
        ),
        right(
            "a view of records",
            lambda: np.array([*map(tuple, X)], "f8,f8,f8,f8").view("f8").reshape(X.shape),
        ),
        right("the real part of a complex array", lambda: (X + 2j).real),
        right("a slice of three axes", lambda: np.stack([X, -X], axis=2)[:, :, 0]),
    ],
    "containers": [
        right("list of lists", lambda: X.tolist()),
        right("tuple of tuples", lambda: tuple(map(tuple, X.tolist()))),
        right("list of tuples", lambda: list(map(tuple, X.tolist()))),
        right("list of arrays", lambda: list(X)),
        right("list of lists of NumPy numbers", lambda: [list(row) for row in X]),
        right("list of lists of ints", lambda: WHOLE.tolist()),
        either(
            "list of ranges", lambda: [range(i, i * i + 3 * i + 4, i + 1)[:4] for i in range(9)]
        ),
        either("list of array.array", lambda: [array.array("d", row) for row in X]),
        either(
            "list with bools",
            lambda: [[True, 2.0], [False, 3.0], [True, 7.0]],
            lambda: [[1, 2], [0, 3], [1, 7]],
        ),
        either("UserList", lambda: UserList(X.tolist()), lambda: X),
        either("deque", lambda: deque(X.tolist()), lambda: X),
        either("__array__ only", HasArray, lambda: X),
        either("__array_interface__ only", HasInterface, lambda: X),
        either("memoryview", lambda: memoryview(X.copy()), lambda: X),
        refused("ragged", lambda: [[1.0, 2.0], [3.0], [4.0, 5.0]]),
        refused("ragged in depth", lambda: [[1.0, [2.0]], [3.0, [4.0]], [5.0, [6.0]]]),
        refused("ragged objects", lambda: np.array([[1.0], [2.0, 3.0]], dtype=object)),
        refused("a list in itself", itself),
        refused("list of words", lambda: [["a", "b"], ["c", "d"], ["e", "f"]]),
        refused("list of None", lambda: [[None, 1.0], [2.0, None]]),
        refused("list of dictionaries", lambda: [{"a": 1.0}, {"a": 2.0}]),
        refused("list of sets", lambda: [{1.0, 2.0}, {3.0, 4.0}]),
        refused("empty list", list),
        refused("list of empty lists", lambda: [[], [], []]),
        refused("None", lambda: None),
        refused("a number", lambda: 3.0),
        refused("a NumPy number", lambda: np.float64(3.0)),
        refused("an array without axes", lambda: np.array(3.0)),
        refused("one axis", lambda: X[0].copy()),
        refused("a list of numbers", lambda: [1.0, 2.0, 3.0]),
        refused("three axes", lambda: np.ones((3, 4, 5))),
        refused("no rows", lambda: X[:0]),
        refused("no columns", lambda: X[:, :0]),
        refused("nothing at all", lambda: np.empty((0, 0))),
        refused("text", lambda: "1,2\n3,4"),
        refused("bytes object", lambda: b"1,2\n3,4"),
        refused("a dictionary", lambda: {"a": [1.0, 2.0, 5.0], "b": [2.0, 3.0, 4.0]}),
        refused("a set", lambda: {1.0, 2.0}),
        refused("a function", lambda: len),
        refused("a class", lambda: dict),
        refused("a module", lambda: array),
        refused("an object", object),
        refused("a range", lambda: range(9)),
        refused("True", lambda: True),
        refused("NotImplemented", lambda: NotImplemented),
        refused("Ellipsis", lambda: ...),
        either("generator of rows", lambda: (row for row in X), lambda: X),
        either("map of rows", lambda: map(list, X.tolist()), lambda: X),
        refused("generator of nothing", lambda: iter(())),
        refused("generator of words", lambda: (w for w in ("a", "b"))),
    ],
}
