"""The 21 kinds of symmetric matrix of LAPACK's dchkst, written from their description."""

from __future__ import annotations

import numpy as np

EPS = np.finfo(float).eps
TINY = np.finfo(float).tiny
KINDS = range(1, 22)


def orthogonal(n, rng):
    Q, R = np.linalg.qr(rng.standard_normal((n, n)))
    return Q * np.where(np.diag(R) < 0, -1.0, 1.0)


def spectrum(mode, n):
    """Evenly spaced, geometric, or one large and the rest tiny: from 1 down to eps."""
    if mode == "even":
        return np.linspace(1.0, EPS, n)
    if mode == "geometric":
        return np.geomspace(1.0, EPS, n)
    return np.concatenate([[1.0], np.full(n - 1, EPS)])


def scaled(A, n, size):
    """LAPACK's magnitudes: sqrt(overflow) eps / n, or sqrt(underflow) n / eps."""
    factor = {
        "one": 1.0,
        "over": np.sqrt(1 / TINY) * EPS / max(1, n),
        "under": np.sqrt(TINY) * n / EPS,
    }
    return A * factor[size]


# kind: (shape, spectrum, random signs, size)
TABLE = {
    1: ("zero", None, False, "one"),
    2: ("identity", None, False, "one"),
    3: ("diagonal", "even", True, "one"),
    4: ("diagonal", "geometric", True, "one"),
    5: ("diagonal", "clustered", True, "one"),
    6: ("diagonal", "geometric", True, "over"),
    7: ("diagonal", "geometric", True, "under"),
    8: ("dense", "even", True, "one"),
    9: ("dense", "geometric", True, "one"),
    10: ("dense", "clustered", True, "one"),
    11: ("dense", "even", True, "over"),
    12: ("dense", "even", True, "under"),
    13: ("random", None, False, "one"),
    14: ("random", None, False, "over"),
    15: ("random", None, False, "under"),
    16: ("dense", "even", False, "one"),
    17: ("dense", "geometric", False, "one"),
    18: ("dense", "clustered", False, "one"),
    19: ("dense", "even", False, "over"),
    20: ("dense", "even", False, "under"),
    21: ("tridiagonal", "geometric", False, "one"),
}


def tridiagonal(d, rng):
    """Diagonally dominant tridiagonal matrix whose diagonal is d."""
    n = len(d)
    A = np.diag(d)
    for i in range(n - 1):
        limit = 0.5 * np.sqrt(abs(d[i] * d[i + 1]))
        A[i, i + 1] = A[i + 1, i] = limit * rng.uniform(0, 1)
    return A


def matrix(kind, n, seed=0):
    """Return (A, values): the matrix, and its known eigenvalues or None."""
    rng = np.random.default_rng(1000 * kind + n + seed)
    shape, mode, signs, size = TABLE[kind]
    if shape == "zero":
        return np.zeros((n, n)), np.zeros(n)
    if shape == "identity":
        return np.eye(n), np.ones(n)
    if shape == "random":
        A = rng.uniform(-1, 1, (n, n))
        return scaled(np.tril(A) + np.tril(A, -1).T, n, size), None
    d = spectrum(mode, n)
    if signs:
        d = d * rng.choice([-1.0, 1.0], n)
    if shape == "tridiagonal":
        return tridiagonal(d, rng), None
    if shape == "diagonal":
        return np.diag(scaled(d, n, size)), np.sort(scaled(d, n, size))[::-1]
    Q = orthogonal(n, rng)
    A = (Q * d) @ Q.T
    return scaled((A + A.T) / 2, n, size), np.sort(scaled(d, n, size))[::-1]
