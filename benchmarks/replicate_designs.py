"""Planted designs for the study of replicates, and the true number of replicates of each.

The truth comes from thousands of pairs of independent experiments, by a few lines of NumPy of
their own: nothing of the study is used.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression

TARGET = 0.8


@dataclass(frozen=True)
class Scene:
    """A planted network, the replicates of each condition and how networks are found."""

    genes: int
    modules: int
    size: int
    correlation: float  # of a gene with the hub of its module
    counts: tuple[int, ...]
    law: str = "normal"
    spread: float = 0.0  # by how much the last gene of a module follows less
    design: str = "per-condition"
    moved: bool = False  # the second condition has its modules elsewhere

    @property
    def edges(self):
        return max(self.modules * self.size * (self.size - 1) // 2, self.genes // 2)

    @property
    def density(self):
        return self.edges / (self.genes * (self.genes - 1) // 2)


SCENES = {
    "30 genes": Scene(30, 3, 6, 0.97, (12, 12)),
    "60 genes, strong": Scene(60, 3, 10, 0.95, (14, 14)),
    "60 genes": Scene(60, 3, 10, 0.9, (21, 21)),
    "60 genes, weak": Scene(60, 3, 10, 0.81, (38, 38)),
    "60 genes, n < r*": Scene(60, 3, 10, 0.9, (12, 12)),
    "spread links": Scene(60, 4, 8, 0.96, (24, 24), spread=0.12),
    "lognormal": Scene(60, 3, 10, 0.93, (20, 20), "lognormal"),
    "multivariate t3": Scene(60, 3, 10, 0.97, (24, 24), "t3"),
    "t3 genes": Scene(60, 3, 10, 0.93, (24, 24), "t3 genes"),
    "unbalanced": Scene(60, 3, 10, 0.93, (16, 32)),
    "three conditions": Scene(100, 4, 12, 0.93, (15, 15, 15)),
    "300 genes": Scene(300, 8, 12, 0.95, (15, 15)),
    "other networks": Scene(60, 3, 10, 0.95, (14, 14), moved=True),
    "4 x 6, pooled": Scene(60, 3, 10, 0.9, (6,) * 4, design="pooled"),
    "4 x 6": Scene(60, 3, 10, 0.95, (6,) * 4),
    "4 x 6, multivariate t3": Scene(60, 3, 10, 0.98, (6,) * 4, "t3"),
    "4 x 4": Scene(60, 3, 10, 0.95, (4,) * 4),
    "4 x 3": Scene(60, 3, 10, 0.97, (3,) * 4),
    "2 x 4": Scene(60, 3, 10, 0.97, (4, 4)),
    "2 x 3": Scene(60, 3, 10, 0.97, (3, 3)),
}
NOISE = {
    "noise, 2 x 12": Scene(60, 0, 0, 0.0, (12, 12)),
    "noise, 2 x 24, t3": Scene(30, 0, 0, 0.0, (24, 24), "t3"),
    "noise, 4 x 6": Scene(60, 0, 0, 0.0, (6,) * 4),
    "noise, 4 x 6, pooled": Scene(60, 0, 0, 0.0, (6,) * 4, design="pooled"),
    "noise, 2 x 4": Scene(60, 0, 0, 0.0, (4, 4)),
    "noise, 2 x 3": Scene(60, 0, 0, 0.0, (3, 3)),
}


def expression(scene, rng, n, moved=False):
    """Return n samples; members of a module follow its first gene."""
    noise = (lambda k: rng.standard_t(3, k)) if scene.law == "t3 genes" else rng.standard_normal
    z = noise((n, scene.genes))
    for m in range(scene.modules):
        for k in range(1, scene.size):
            rho = scene.correlation - scene.spread * (k - 1) / (scene.size - 2)
            j = scene.size * m
            z[:, j + k] = rho * z[:, j] + np.sqrt(1 - rho**2) * z[:, j + k]
    if scene.law == "t3":
        z /= np.sqrt(rng.chisquare(3, (n, 1)) / 3)
    if scene.law == "lognormal":
        z = np.exp(0.6 * z)
    return z[:, ::-1] if moved else z


def strongest(X, count):
    """Return the signs of the strongest correlations of tables (m, r, p), other pairs being 0."""
    X = X - X.mean(axis=1, keepdims=True)
    X = X / np.sqrt((X**2).sum(axis=1, keepdims=True))
    i, j = np.triu_indices(X.shape[2], 1)
    R = np.matmul(X.transpose(0, 2, 1), X)[:, i, j]
    least = np.partition(np.abs(R), R.shape[1] - count, axis=1)[:, [R.shape[1] - count]]
    return np.where(np.abs(R) >= least, np.sign(R), 0.0).astype(np.float32)


def tables(scene, rng, r, m):
    """Return the tables of m experiments of r replicates."""
    if scene.design == "per-condition":
        return expression(scene, rng, m * r).reshape(m, r, -1)
    X = expression(scene, rng, m * r * len(scene.counts)).reshape(m, len(scene.counts), r, -1)
    return (X - X.mean(axis=2, keepdims=True)).reshape(m, -1, scene.genes)


def agreements(scene, rng, r, pairs):
    """Return what pairs of experiments of r replicates have in common."""
    T = strongest(tables(scene, rng, r, 2 * pairs), scene.edges)
    return (T[:pairs] * T[pairs:]).sum(axis=1) / scene.edges


def truth(scene, last=60, coarse=4, fine=40, batch=50):
    """Return the least r at which two experiments agree by the target.

    200 pairs of experiments of every size, and 2,000 more of those near the target.
    """
    rng, found = np.random.default_rng(99), {}
    for r in range(2 if scene.design == "pooled" else 3, last + 1):
        found[r] = [agreements(scene, rng, r, batch).mean() for _ in range(coarse)]
        if len(found) > 2 and min(np.mean(found[k]) for k in (r, r - 1, r - 2)) > TARGET + 0.02:
            break
    for r, means in found.items():
        if abs(np.mean(means) - TARGET) < 0.03:
            means += [agreements(scene, rng, r, batch).mean() for _ in range(fine)]
    curve = isotonic_regression(
        [np.mean(m) for m in found.values()], weights=list(map(len, found.values()))
    )
    good = np.flatnonzero(curve.x >= TARGET)
    return list(found)[good[0]] if good.size else None


# one network, other means: conditions that the test must not tell apart
LEVELS = {
    "normal, 6 + 6": Scene(60, 3, 10, 0.9, (6, 6)),
    "normal, 12 + 12": Scene(60, 3, 10, 0.9, (12, 12)),
    "unbalanced, 8 + 24": Scene(60, 3, 10, 0.9, (8, 24)),
    "three conditions of 6": Scene(60, 3, 10, 0.9, (6, 6, 6)),
    "t3 samples, 8 + 8": Scene(60, 3, 10, 0.9, (8, 8), "t3"),
    "lognormal, 8 + 8": Scene(60, 3, 10, 0.9, (8, 8), "lognormal"),
    "sd of the second x 3, 8 + 8": Scene(60, 3, 10, 0.9, (8, 8), "scaled"),
}
# other networks, or the same, and the sizes of the smaller experiments that a study draws
POWERS = {
    "other modules, 16 + 16": (Scene(60, 3, 10, 0.9, (16, 16), moved=True), (4, 8)),
    "other modules, strong, 12 + 12": (Scene(60, 3, 10, 0.97, (12, 12), moved=True), (3, 6)),
    "same network, 12 + 12": (Scene(60, 3, 10, 0.9, (12, 12)), (3, 6)),
}
