"""Plain arrays of doubles whose numbers are hard: offsets, scales, ranks, ties, matrix types."""

import numpy as np
from scipy import linalg

from ..cell import either, right
from .base import WHOLE, N, P, X, changed


def spread(values, seed=0, n=N):
    """n rows with these singular values, in directions at random."""
    rng = np.random.default_rng(seed)
    U = np.linalg.qr(rng.standard_normal((n, len(values))))[0]
    V = np.linalg.qr(rng.standard_normal((len(values), len(values))))[0]
    return U * np.asarray(values) @ V.T


def normal(n=N, p=P, seed=1):
    return np.random.default_rng(seed).standard_normal((n, p))


def offset(c):
    return X * 16.0 + c  # whole numbers: the sum is exact up to 2⁵³


def clusters(width, *centres):
    """Rows around centres, width apart, exact."""
    return np.array([np.full(P, c) for c in centres]).repeat(N // len(centres), axis=0) + width * X


def wilkinson(n=13):
    return np.diag(np.abs(np.arange(n) - n // 2.0)) + np.eye(n, k=1) + np.eye(n, k=-1)


EPS = np.finfo(float).eps
HUGE, TINY = np.finfo(float).max, np.finfo(float).tiny

FAMILIES = {
    "offsets": [
        right("offset 1e3", lambda: offset(1e3)),
        right("offset 1e5", lambda: offset(1e5)),
        right("offset 1e6", lambda: offset(1e6)),
        right("offset 1e7", lambda: offset(1e7)),
        right("offset 1e8", lambda: offset(1e8)),
        either("offset 1e10", lambda: offset(1e10)),
        either("offset 1e12", lambda: offset(1e12)),
        either("offset 1e15", lambda: offset(1e15)),
        right("offset -1e8", lambda: offset(-1e8)),
        right("offset in one column", lambda: X * 16 + [0.0, 0.0, 1e8, 0.0]),
        right("offsets of both signs", lambda: X * 16 + [1e8, -1e8, 1e8, -1e8]),
        either("offsets of many sizes", lambda: X * 16 + [1.0, 1e5, 1e10, 1e15]),
        right("offset 2^20, f32", lambda: (X + 2.0**11).astype("f4"), single=True),
        right("offset 1e4, f32", lambda: offset(1e4).astype("f4"), single=True),
        either("offset 2^23, f32", lambda: (WHOLE + 2.0**23).astype("f4"), single=True),
        right("two clusters at +-1e8", lambda: clusters(16.0, -1e8, 1e8)),
        right("three clusters at 1e6", lambda: clusters(16.0, 0.0, 1e6, -3e6)),
        either("an outlier at 1e12", lambda: changed(1e12, 3)),
        either("an outlier at 1e12 in one cell", lambda: changed(1e12)),
        right("an outlier at 1e6", lambda: changed(1e6)),
        right("near duplicates, 2^-30 apart", lambda: np.vstack([X, X + 2.0**-30])),
        either("rows 1 + k eps", lambda: 1 + WHOLE * EPS),
        either("whole numbers at 2^53 - 1", lambda: 2.0**53 - 1 - WHOLE),
    ],
    "scales": [
        either("times 1e300", lambda: X * 1e300),
        either("times 1e200", lambda: X * 1e200),
        either("times 1e155", lambda: X * 1e155),
        either("times 1e150", lambda: X * 1e150),
        either("times 1e100", lambda: X * 1e100),
        right("times 1e20", lambda: X * 1e20),
        right("times 1e-20", lambda: X * 1e-20),
        either("times 1e-100", lambda: X * 1e-100),
        either("times 1e-150", lambda: X * 1e-150),
        either("times 1e-155", lambda: X * 1e-155),
        either("times 1e-200", lambda: X * 1e-200),
        either("times 1e-300", lambda: X * 1e-300),
        either("subnormal", lambda: WHOLE * 5e-324 * 1000),
        either("a few subnormals", lambda: changed(5e-324)),
        either("the smallest normal numbers", lambda: (WHOLE + 1.0) * TINY),
        either("near the largest number", lambda: X / X.max() * HUGE),
        either("largest numbers of both signs", lambda: (X / X.max() - 0.5) * 2 * HUGE),
        either("one cell at the largest number", lambda: changed(HUGE)),
        either("columns from 1e-300 to 1e300", lambda: X * [1e-300, 1e-100, 1e100, 1e300]),
        either("columns from 1e-150 to 1e150", lambda: X * [1e-150, 1e-50, 1e50, 1e150]),
        right("columns from 1e-6 to 1e6", lambda: X * [1e-6, 1e-2, 1e2, 1e6]),
        either("rows from 1e-12 to 1e12", lambda: X * np.logspace(-12, 12, N)[:, None]),
        either("f32 times 1e20", lambda: (X * 1e20).astype("f4"), single=True),
        either("f32 times 1e37", lambda: (X * 2e36).astype("f4"), single=True),
        either("f32 times 1e-25", lambda: (X * 1e-25).astype("f4"), single=True),
        either("f32 subnormal", lambda: (WHOLE * 1e-42).astype("f4"), single=True),
        either("f16 near its largest", lambda: (X * 1600).astype("f2"), single=True),
        either("f16 subnormal", lambda: (WHOLE * 6e-8).astype("f2"), single=True),
        either("long double of 1e300", lambda: X.astype("g") * 1e300),
    ],
    "shapes": [
        either("one row", lambda: X[:1]),
        either("two rows", lambda: X[:2]),
        either("three rows", lambda: X[:3]),
        right("four rows", lambda: X[:5]),
        right("one column", lambda: X[:, :1]),
        right("two columns", lambda: X[:, :2]),
        right("300 columns", lambda: normal(N, 300)),
        right("1,000 columns", lambda: normal(6, 1000)),
        right("300 rows", lambda: normal(300, 3)),
        either("one cell", lambda: X[:1, :1]),
        either("two rows of one column", lambda: X[:2, :1]),
        right("square", lambda: normal(8, 8)),
    ],
    "ranks": [
        either("all zero", lambda: np.zeros((N, P))),
        either("all one", lambda: np.ones((N, P))),
        either("all 0.1 (its mean is inexact)", lambda: np.full((11, 3), 0.1)),
        either("all 1e10 + 0.3", lambda: np.full((N, P), 1e10 + 0.3)),
        either("negative zeros", lambda: np.full((N, P), -0.0)),
        right("negative zeros here and there", lambda: changed(-0.0)),
        either("a constant column", lambda: changed(3.7, (slice(None), 1))),
        either("a zero column", lambda: changed(0.0, (slice(None), 1))),
        either("one column that varies", lambda: np.where(np.arange(P) == 2, X, 1.5)),
        either("one cell that differs", lambda: changed(2.0, source=np.ones((N, P)))),
        either("one cell that is not zero", lambda: changed(2.0, source=np.zeros((N, P)))),
        either("zero rows", lambda: changed(0.0, slice(0, 3))),
        right("every row twice", lambda: X.repeat(2, axis=0)),
        either(
            "one row apart from equal ones", lambda: changed(1.0, 0, source=np.ones((N, P)) * 3)
        ),
        right("every column twice", lambda: np.hstack([X, X])),
        either("rank one", lambda: np.outer(np.arange(N) + 1.0, [1.0, 2.0, 4.0, 8.0])),
        either("rank two", lambda: WHOLE[:, :2] @ np.array([[1.0, 2.0, 3.0, 5.0], [1, 0, 1, 0]])),
        either("rank one and rounding", lambda: np.outer(normal(N, 1)[:, 0], [1, np.pi, 0.1, 7])),
        either("collinear columns", lambda: np.c_[X, X @ [1.0, 2.0, -1.0, 0.5]]),
        either("columns that add up to one", lambda: (X + 1) / (X + 1).sum(axis=1)[:, None]),
        either("binary", lambda: (WHOLE > 50).astype(float)),
        either("identity", lambda: np.eye(8)),
        either("a permutation", lambda: np.eye(8)[np.random.default_rng(3).permutation(8)]),
        either("one-hot rows of three kinds", lambda: np.eye(3)[np.arange(N) % 3]),
        either("checkerboard", lambda: np.indices((N, P)).sum(axis=0) % 2 * 1.0),
        either("arithmetic progression", lambda: np.arange(N * P, dtype=float).reshape(N, P)),
    ],
    "ties": [
        either("corners of a simplex", lambda: np.eye(5) * 3),
        either("corners of a square", lambda: np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])),
        either("corners of a cube", lambda: np.array(list(np.ndindex(2, 2, 2)), float)),
        either("a circle", lambda: np.c_[np.cos(k := np.arange(N) * np.pi / 6), np.sin(k)]),
        either("an orthogonal design", lambda: linalg.hadamard(8)[:, 1:4].astype(float)),
        either("two equal axes", lambda: spread([2.0, 1.0, 1.0, 0.5])),
        either("a gap of 1e-9", lambda: spread([2.0, 1 + 1e-9, 1.0, 0.5])),
        either("a gap of 1e-12", lambda: spread([2.0, 1 + 1e-12, 1.0, 0.5])),
        right("a gap of 1e-5", lambda: spread([2.0, 1 + 1e-5, 1.0, 0.5])),
        either("all axes equal", lambda: spread([1.0, 1.0, 1.0, 1.0])),
    ],
    "matrix types": [
        either("Hilbert", lambda: linalg.hilbert(8)),
        either("inverse Hilbert", lambda: linalg.invhilbert(6)),
        either("Vandermonde", lambda: np.vander(np.linspace(0.1, 1, N), 6)),
        either(
            "Kahan", lambda: np.triu(np.full((8, 8), -0.6), 1) * 0.8 + np.diag(0.8 ** np.arange(8))
        ),
        either("graded rows", lambda: normal() * np.logspace(0, -12, N)[:, None]),
        either("graded columns", lambda: normal(N, 8) * np.logspace(0, -12, 8)),
        either(
            "graded both ways",
            lambda: np.fromfunction(lambda i, j: 2.0 ** -(i * 2 + j * 3), (N, P)),
        ),
        either("Wilkinson", wilkinson),
        either("Toeplitz", lambda: linalg.toeplitz(0.9 ** np.arange(8.0))),
        either("Pascal", lambda: linalg.pascal(8).astype(float)),
        either("Frank", lambda: np.minimum.outer(np.arange(8.0), np.arange(8.0)) + 1),
        either(
            "Lehmer",
            lambda: (
                (g := np.minimum.outer(a := np.arange(1.0, 9), a)) / np.maximum.outer(a, a) + 0 * g
            ),
        ),
        either("bidiagonal", lambda: np.eye(8) * 1e-3 + np.eye(8, k=1)),
        either("arithmetic spectrum", lambda: spread(np.linspace(1, 1e-8, 6))),
        either("geometric spectrum", lambda: spread(np.logspace(0, -15, 6))),
        either("clustered at one", lambda: spread([1, 1, 1, 1, 1, 1e-10])),
        either("clustered at eps", lambda: spread([1, EPS, EPS, EPS, EPS, EPS])),
        either("spectrum of random logarithm", lambda: spread(np.exp(normal(6, 1, 5)[:, 0] * 6))),
        either("graded and huge", lambda: spread(np.logspace(0, -15, 6)) * 1e150),
        either("graded and tiny", lambda: spread(np.logspace(0, -15, 6)) * 1e-150),
        either(
            "Cauchy, heavy tails",
            lambda: np.tan(np.pi * (np.random.default_rng(6).random((N, P)) - 0.5)),
        ),
        right("normal", normal),
        right("signs", lambda: np.c_[np.sign(normal(N, 5)), X]),
        right("counts", lambda: np.random.default_rng(7).poisson(3.0, (N, P)).astype(float)),
        right("skewed", lambda: np.exp(2 * normal())),
    ],
}
