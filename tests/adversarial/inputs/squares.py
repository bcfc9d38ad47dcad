"""Kernel matrices: positive, indefinite, not symmetric, not square, and in every dress."""

import numpy as np
import pandas as pd
from scipy import sparse
from tests.optional import library

from ..cell import either, refused, right
from .arrays import Subclass, memmap
from .base import X, changed

pl = library("polars")
torch = library("torch")
K = X @ X.T  # multiples of 1/256: exact
N = len(K)
K.setflags(write=False)
ROWS = [f"r{i}" for i in range(N)]
ORDER = [*range(1, N), 0]


def at(value, place=(7, 2), both=True, dtype=float):
    A = changed(value, place, dtype, K)
    if both:
        A[place[::-1]] = value
    return A


def frame(index=ROWS, columns=ROWS, values=K):
    return pd.DataFrame(np.array(values), index=index, columns=columns)


FAMILIES = {
    "kernel matrices": [
        right("positive", lambda: K.copy()),
        right("a correlation matrix", lambda: K / np.sqrt(np.outer(K.diagonal(), K.diagonal()))),
        right("f4", lambda: K.astype("f4"), single=True),
        right("ints", lambda: (K * 256).astype("i8"), lambda: K * 256),
        right("Fortran order", lambda: np.asfortranarray(K)),
        right("read-only", lambda: K),
        right("bytes swapped", lambda: K.astype(">f8")),
        right("backwards", lambda: K[::-1, ::-1].copy()[::-1, ::-1]),
        right("strided", lambda: np.kron(K, np.ones((2, 2)))[::2, ::2]),
        right("a subclass", lambda: K.copy().view(Subclass)),
        either("np.matrix", lambda: np.asmatrix(K.copy())),
        right("long double", lambda: K.astype("g")),
        right("lists", lambda: K.tolist()),
        right("objects", lambda: K.astype(object), lambda: K),
        right("torch", lambda: torch.tensor(np.array(K)), lambda: K),
        right("a frame", frame, lambda: K),
        either("a frame in another order", lambda: frame().iloc[:, ORDER], lambda: K),
        either("a frame without names of rows", lambda: frame(index=range(N)), lambda: K),
        either("polars", lambda: pl.DataFrame(np.array(K), schema=ROWS), lambda: K),
        either("csr", lambda: sparse.csr_matrix(K), lambda: K),
        refused("a frame of other columns", lambda: frame(columns=[f"s{i}" for i in range(N)])),
        refused(
            "csr index out of range",
            lambda: (A := sparse.csr_matrix(K), A.indices.__setitem__(0, 10**6))[0],
        ),
        either("times 1e300", lambda: K * 1e300),
        either("times 1e-300", lambda: K * 1e-300),
        either("subnormal", lambda: K * 5e-324),
        either("plus 1e8", lambda: K * 256 + 1e8),
        either("plus 1e10", lambda: K * 256 + 1e10),
        either("all one", lambda: np.ones((N, N))),
        either("all zero", lambda: np.zeros((N, N))),
        either("identity", lambda: np.eye(N)),
        either("nearly the identity", lambda: np.eye(N) + 1e-9),
        either("1 by 1", lambda: np.ones((1, 1))),
        either("2 by 2", lambda: np.array([[2.0, 1.0], [1.0, 3.0]])),
        either("rank one", lambda: np.outer(X[:, 0], X[:, 0])),
        either("asymmetric by rounding", lambda: at(K[7, 2] * (1 + 4e-16), both=False), lambda: K),
        refused("asymmetric", lambda: at(K[7, 2] + 1.0, both=False)),
        refused("asymmetric by 1e-4", lambda: at(K[7, 2] * 1.0001, both=False)),
        refused("antisymmetric", lambda: np.triu(K, 1) - np.tril(K, -1)),
        refused("NaN", lambda: at(np.nan)),
        refused("NaN on the diagonal", lambda: at(np.nan, (3, 3))),
        refused("inf", lambda: at(np.inf)),
        refused("-inf", lambda: at(-np.inf)),
        refused("complex", lambda: K + 0j),
        refused("masked", lambda: np.ma.array(K, mask=np.eye(N, dtype=bool))),
        refused("words", lambda: K.astype(str)),
        refused("dates", lambda: K.astype("i8").astype("M8[D]")),
        refused("not square", lambda: K[:, :5]),
        refused("one axis", lambda: K[0]),
        refused("three axes", lambda: np.ones((3, 3, 3))),
        refused("nothing", lambda: np.empty((0, 0))),
        refused("None", lambda: None),
        refused("a number", lambda: 3.0),
        refused("an object", object),
        refused("ragged", lambda: [[1.0, 2.0], [2.0]]),
        refused("integers beyond 2^53", lambda: K.astype("i8") + 2**60),
        either("memmap of another shape", lambda: memmap("r")[:4], lambda: X[:4]),
    ],
    "indefinite": [
        either("one negative eigenvalue", lambda: K - 100 * np.outer(X[:, 0], X[:, 0])),
        either("negative definite", lambda: -K),
        either("a negative diagonal entry", lambda: at(-50.0, (3, 3))),
        either("zero diagonal", lambda: K - np.diag(K.diagonal())),
        either("a sigmoid's", lambda: np.tanh(K / 50 - 1)),
        either("indefinite by rounding", lambda: K - 1e-13 * np.eye(N)),
        either("indefinite by 1e-6", lambda: K - 1e-6 * np.eye(N)),
        either("indefinite and huge", lambda: -K * 1e300),
    ],
}
