"""Twins in a few lines, with loops."""

import numpy as np


def distances(X):
    n = len(X)
    return np.array([np.linalg.norm(X[i] - X[j]) for i in range(n) for j in range(i + 1, n)])


def guttman(X, target, weight):
    """V⁺B(X)X from matrices that are written down entry by entry; target and weight (n, n)."""
    n = len(X)
    V, B = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            d = np.linalg.norm(X[i] - X[j])
            if i != j:
                V[i, j] = -weight[i, j]
                B[i, j] = -weight[i, j] * target[i, j] / d if d > 0 else 0.0
    V -= np.diag(V.sum(axis=1))
    B -= np.diag(B.sum(axis=1))
    return np.linalg.pinv(V) @ B @ X


def isotonic(y, w):
    """max over starts of the min over ends of the means of y between them."""
    m = len(y)
    out = np.empty(m)
    for k in range(m):
        out[k] = max(
            min(np.average(y[a : b + 1], weights=w[a : b + 1]) for b in range(k, m))
            for a in range(k + 1)
        )
    return out
