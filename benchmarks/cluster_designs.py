"""Clouds with a known number of clusters: unequal, small, long and unequally wide ones, and none.

Clusters are normal of variance 1 unless a design says otherwise; their centres are `gap` apart
(nearest ones). Shapes without clusters are connected clouds: bent, coiled, hollow, skewed, with
long tails, on a grid, or in few rows.
"""

import numpy as np


def simplex(rng, sizes, gap, p, sd=None):
    """Return clusters at the corners of a regular simplex turned at random in p columns."""
    k = len(sizes)
    corners = np.eye(k) * gap / np.sqrt(2.0)
    turn = np.linalg.qr(rng.standard_normal((max(p, k), max(p, k))))[0][:k, :p]
    truth = np.repeat(np.arange(k), sizes)
    spread = np.ones(k) if sd is None else np.asarray(sd, dtype=float)
    return corners[truth] @ turn + spread[truth][:, None] * rng.standard_normal((len(truth), p))


def spherical(sizes, gap, p, sd=None):
    """Return a maker of spherical clusters."""
    return lambda rng: simplex(rng, sizes, gap, p, sd)


def parallel(sizes, gap, length, p):
    """Return a maker of long clusters side by side."""

    def make(rng):
        X = rng.standard_normal((sum(sizes), p))
        X[:, 0] *= length
        X[:, 1] += gap * np.repeat(np.arange(len(sizes)), sizes)
        return X

    return make


def crossed(rng):
    """Return two long clusters that form an L with a gap."""
    X = rng.standard_normal((80, 4))
    X[:40, 0] *= 4.0
    X[40:, 1] *= 4.0
    X[40:, 0] += 14.0
    X[40:, 1] += 10.0
    return X


CLUSTERS = {
    "40/10, gap 6": (spherical([40, 10], 6, 6), 2),
    "40/10, gap 7": (spherical([40, 10], 7, 6), 2),
    "8/8, gap 6": (spherical([8, 8], 6, 4), 2),
    "8/8, gap 8": (spherical([8, 8], 8, 4), 2),
    "30/30, gap 6": (spherical([30, 30], 6, 4), 2),
    "100/8, gap 7": (spherical([100, 8], 7, 5), 2),
    "60/30/10, gap 6": (spherical([60, 30, 10], 6, 6), 3),
    "20/20/20, gap 6": (spherical([20, 20, 20], 6, 6), 3),
    "8/8/8, gap 7": (spherical([8, 8, 8], 7, 5), 3),
    "8/8/8, gap 6": (spherical([8, 8, 8], 6, 5), 3),
    "12/10/8, gap 6": (spherical([12, 10, 8], 6, 6), 3),
    "40/20/10/10, gap 7": (spherical([40, 20, 10, 10], 7, 6), 4),
    "30/25/20/15/10, gap 7": (spherical([30, 25, 20, 15, 10], 7, 8), 5),
    "sd 1 and 2.5, gap 8": (spherical([30, 30], 8, 4, [1.0, 2.5]), 2),
    "sd 1 and 3, gap 12": (spherical([30, 30], 12, 4, [1.0, 3.0]), 2),
    "sd 1, 1 and 2, gap 8": (spherical([25, 25, 25], 8, 5, [1.0, 1.0, 2.0]), 3),
    "sd 0.5 and 1.5, 15/45, gap 7": (spherical([15, 45], 7, 5, [0.5, 1.5]), 2),
    "2 long (sd 5), gap 6": (parallel([30, 30], 6, 5.0, 4), 2),
    "2 long (sd 5), 40/15, gap 6": (parallel([40, 15], 6, 5.0, 4), 2),
    "3 long (sd 4), gap 6": (parallel([30, 30, 30], 6, 4.0, 4), 3),
    "2 long in an L": (crossed, 2),
}


def along(rng, t, curve, noise=0.08, p=4):
    """Return rows along a curve, with noise on p columns."""
    points = np.column_stack(curve(t))
    X = noise * rng.standard_normal((len(t), p))
    X[:, : points.shape[1]] += points
    return X


def gradient(rng):
    """Return profiles of species that come and go along a gradient."""
    place = rng.random(80)
    X = rng.poisson(20.0 * np.exp(-8.0 * (place[:, None] - np.linspace(0.0, 1.0, 12)) ** 2))
    X = X[X.sum(axis=1) > 0].astype(float)
    return np.sqrt(X / X.sum(axis=1, keepdims=True))


def triangle(rng):
    """Return rows spread evenly over a triangle."""
    return rng.dirichlet(np.ones(3), 100) @ (8.0 * np.eye(3, 4)) + 0.3 * rng.standard_normal(
        (100, 4)
    )


def scale_mixture(rng):
    """Return rows of sd 0.3 to 3."""
    return rng.uniform(0.3, 3.0, (80, 1)) * rng.standard_normal((80, 5))


def factor(rng):
    """Return one skewed factor and noise."""
    return rng.exponential(size=(80, 1)) * rng.uniform(1, 3, 6) + rng.standard_normal((80, 6))


SHAPES = {
    "normal 100 × 8": lambda rng: rng.standard_normal((100, 8)),
    "normal, long axes": lambda rng: rng.standard_normal((150, 8)) * np.geomspace(4, 0.5, 8),
    "normal 16 × 4": lambda rng: rng.standard_normal((16, 4)),
    "normal 30 × 5": lambda rng: rng.standard_normal((30, 5)),
    "square": lambda rng: rng.random((100, 2)),
    "cube": lambda rng: rng.random((100, 4)),
    "uniform axis of 20": lambda rng: (
        rng.standard_normal((100, 5)) + np.eye(1, 5) * 20.0 * rng.random((100, 1))
    ),
    "triangle": triangle,
    "t2": lambda rng: rng.standard_t(2, (100, 5)),
    "t3": lambda rng: rng.standard_t(3, (100, 6)),
    "exponential": lambda rng: rng.exponential(size=(100, 6)),
    "lognormal": lambda rng: rng.lognormal(size=(80, 4)),
    "skewed factor": factor,
    "rows of unequal sd": scale_mixture,
    "counts": lambda rng: rng.poisson(1.0, (100, 8)).astype(float),
    "Likert": lambda rng: rng.integers(1, 6, (100, 6)).astype(float),
    "gradient": gradient,
    "arc": lambda rng: along(
        rng, np.pi * 0.8 * (rng.random(100) - 0.5), lambda t: (np.sin(t), np.cos(t))
    ),
    "horseshoe": lambda rng: along(
        rng, np.pi * 1.25 * (rng.random(100) - 0.5), lambda t: (np.sin(t), np.cos(t))
    ),
    "ring": lambda rng: along(rng, 2 * np.pi * rng.random(100), lambda t: (np.sin(t), np.cos(t))),
    "parabola": lambda rng: along(rng, 2 * rng.random(100) - 1, lambda t: (t, t**2)),
    "steep parabola": lambda rng: along(rng, 2 * rng.random(100) - 1, lambda t: (t, 2 * t**2)),
    "cubic": lambda rng: along(rng, 2 * rng.random(100) - 1, lambda t: (t, t**3 - 0.6 * t)),
    "helix, 2 turns": lambda rng: along(
        rng, 4 * np.pi * rng.random(120), lambda t: (np.cos(t), np.sin(t), 0.3 * t)
    ),
    "helix, 3 turns": lambda rng: along(
        rng, 6 * np.pi * rng.random(150), lambda t: (np.cos(t), np.sin(t), 0.2 * t)
    ),
    "wave": lambda rng: along(rng, 3 * np.pi * rng.random(120), lambda t: (0.5 * t, np.sin(t))),
    "spiral": lambda rng: along(
        rng, 3 * np.pi * np.sqrt(rng.random(150)), lambda t: (t * np.cos(t) / 5, t * np.sin(t) / 5)
    ),
    "V": lambda rng: along(rng, 2 * rng.random(100) - 1, lambda t: (t, 1.5 * np.abs(t))),
    "S": lambda rng: along(
        rng,
        3 * np.pi * (rng.random(150) - 0.5),
        lambda t: (np.sin(t), np.sign(t) * (np.cos(t) - 1)),
    ),
}
