"""Tables of distances: Euclidean, not Euclidean, and no distances at all."""

import numpy as np
import pandas as pd
from scipy import sparse
from tests.optional import library

from ..cell import either, refused, right
from .arrays import Subclass
from .base import WHOLE, X, changed

pl = library("polars")
torch = library("torch")
N = len(X)
D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
CITY = np.abs(WHOLE[:, None] - WHOLE[None]).sum(axis=2).astype(float)
D.setflags(write=False)
ROWS = [f"r{i}" for i in range(N)]


def at(value, place=(7, 2), both=True, dtype=float, source=D):
    A = changed(value, place, dtype, source)
    if both:
        A[place[::-1]] = value
    return A


def frame(index=ROWS, columns=ROWS):
    return pd.DataFrame(np.array(D), index=index, columns=columns)


def graph(n=N):
    """Steps between the nodes of a ring: far from Euclidean."""
    i = np.arange(n)
    return np.minimum((i[:, None] - i) % n, (i - i[:, None]) % n).astype(float)


FAMILIES = {
    "distances": [
        right("Euclidean", lambda: D.copy()),
        right("f4", lambda: D.astype("f4"), single=True),
        right("f2", lambda: D.astype("f2"), single=True),
        right("ints", lambda: CITY.astype("i4")),
        right("u1", lambda: (CITY // 2).astype("u1")),
        right("Fortran order", lambda: np.asfortranarray(D)),
        right("read-only", lambda: D),
        right("bytes swapped", lambda: D.astype(">f8")),
        right("backwards", lambda: D[::-1, ::-1].copy()[::-1, ::-1]),
        right("strided", lambda: np.kron(D, np.ones((2, 2)))[::2, ::2]),
        right("a subclass", lambda: D.copy().view(Subclass)),
        either("np.matrix", lambda: np.asmatrix(D.copy())),
        right("lists", lambda: D.tolist()),
        right("objects", lambda: D.astype(object), lambda: D),
        right("torch", lambda: torch.tensor(np.array(D)), lambda: D),
        right("a frame", frame, lambda: D),
        either("a frame in another order", lambda: frame().iloc[:, ::-1], lambda: D),
        either("polars", lambda: pl.DataFrame(np.array(D), schema=ROWS), lambda: D),
        either("csr", lambda: sparse.csr_matrix(D), lambda: D),
        refused("a frame of other columns", lambda: frame(columns=[f"s{i}" for i in range(N)])),
        either("asymmetric by rounding", lambda: at(D[7, 2] * (1 + 2e-16), both=False), lambda: D),
        either("equal points", lambda: np.kron(D[:6, :6], np.ones((2, 2)))),
        either("all equal", lambda: 1.0 - np.eye(N)),
        either("all zero", lambda: np.zeros((N, N))),
        either("2 by 2", lambda: np.array([[0.0, 3.0], [3.0, 0.0]])),
        either("1 by 1", lambda: np.zeros((1, 1))),
        either("a zero off the diagonal", lambda: at(0.0)),
        either("on a line", lambda: np.abs(np.subtract.outer(X[:, 0], X[:, 0]))),
        either("times 1e300", lambda: D * 1e300),
        either("times 1e-300", lambda: D * 1e-300),
        either(
            "from 1e-8 to 1e8", lambda: np.abs(np.subtract.outer(a := np.logspace(-8, 8, N), a))
        ),
        refused("asymmetric", lambda: at(D[7, 2] + 1.0, both=False)),
        refused("asymmetric by 1e-4", lambda: at(D[7, 2] * 1.0001, both=False)),
        refused("upper triangle", lambda: np.triu(D)),
        refused("negative", lambda: at(-1.0)),
        refused("all negative", lambda: -D),
        refused("a diagonal of ones", lambda: D + np.eye(N)),
        refused("one entry on the diagonal", lambda: at(0.5, (3, 3))),
        refused("a correlation matrix", lambda: np.corrcoef(X)),
        refused("inf", lambda: at(np.inf)),
        refused("NaN on the diagonal", lambda: at(np.nan, (3, 3))),
        refused("complex", lambda: D + 0j),
        refused("words", lambda: D.astype(str)),
        refused("durations", lambda: CITY.astype("i8").astype("m8[s]")),
        refused("not square", lambda: D[:, :5]),
        refused("three axes", lambda: np.ones((3, 3, 3))),
        refused("nothing", lambda: np.empty((0, 0))),
        refused("None", lambda: None),
        refused("a number", lambda: 3.0),
        refused("ragged", lambda: [[0.0, 2.0], [2.0]]),
        refused("integers beyond 2^53", lambda: CITY.astype("i8") * 2**55),
    ],
    "missing distances": [
        refused("NaN", lambda: at(np.nan)),
        refused("a row of NaN", lambda: at(np.nan, (3, slice(None)))),
        refused("masked", lambda: np.ma.array(D, mask=np.eye(N)[::-1] > 0)),
    ],
    "not Euclidean": [
        either("city block", CITY.copy),
        either("steps on a ring", graph),
        either("no triangle inequality", lambda: at(500.0)),
        either(
            "random",
            lambda: (
                (A := np.random.default_rng(5).random((N, N))) * 0 + (A + A.T) * (1 - np.eye(N))
            ),
        ),
        either("squared distances", lambda: D**2),
        either("powers", lambda: D**5),
    ],
}
