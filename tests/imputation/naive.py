"""Iterated PCA as a plain loop, one step after the other, with missMDA's rule to stop."""

import numpy as np


def plain(X, q, *, scale=True, em=False, ridge=1.0, w=None, stop=1e-12, steps=20000):
    """Return the completed table and its reconstruction."""
    n, p = X.shape
    w = np.full(n, 1.0 / n) if w is None else w / w.sum()
    holes = np.isnan(X)
    mean = np.nansum(X * w[:, None], axis=0) / (~holes * w[:, None]).sum(axis=0)
    table, old = np.where(holes, mean, X), np.inf
    for k in range(steps):
        mean = w @ table
        sd = np.sqrt(w @ (table - mean) ** 2) if scale else np.ones(p)
        Z = (table - mean) / sd
        U, s, Vt = np.linalg.svd(Z * np.sqrt(w)[:, None], full_matrices=False)
        lam = s[: min(p, n - 1)] ** 2
        noise = n * p / min(p, n - 1) * lam[q:].sum() / ((n - 1 - q) * (p - q))
        noise = 0.0 if em else min(ridge * noise, lam[q])
        fit = (U[:, :q] * (lam[:q] - noise) / s[:q]) @ Vt[:q] / np.sqrt(w)[:, None]
        left = (w[:, None] * np.where(holes, 0.0, Z - fit) ** 2).sum()
        fitted = fit * sd + mean
        if k > 4 and abs(1.0 - left / old) < stop:
            return table, fitted
        table, old = np.where(holes, fitted, X), left
    return table, fitted
