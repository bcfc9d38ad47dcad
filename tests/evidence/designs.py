"""Tables without structure, and tables with a known one."""

import numpy as np
from tests.dimension.designs import surely_at_least, surely_at_most

__all__ = ["NOISE", "ROWS", "factor", "standard", "surely_at_least", "surely_at_most"]


def standard(X):
    """Columns that vary, standardised."""
    size = X.std(axis=0)
    return (X - X.mean(axis=0))[:, size > 0] / size[size > 0]


def series(rng, n, p, past):
    """Independent autoregressions; past = 1 is a random walk."""
    e = rng.standard_normal((n + 50, p))
    for t in range(1, len(e)):
        e[t] += past * e[t - 1]
    return e[50:]


# Independent columns of independent rows.
NOISE = {
    "normal": lambda rng, n, p: rng.standard_normal((n, p)),
    "t3": lambda rng, n, p: rng.standard_t(3, (n, p)),
    "Cauchy": lambda rng, n, p: rng.standard_cauchy((n, p)),
    "lognormal": lambda rng, n, p: rng.lognormal(0.0, 1.5, (n, p)),
    "Bernoulli": lambda rng, n, p: (rng.random((n, p)) < 0.05) * 1.0,
    "Poisson": lambda rng, n, p: rng.poisson(0.3, (n, p)) * 1.0,
    "zero-inflated": lambda rng, n, p: rng.poisson(3.0, (n, p)) * (rng.random((n, p)) < 0.4),
    "uniform": lambda rng, n, p: rng.random((n, p)),
}

# Independent columns of rows that are not alike or not independent.
ROWS = {
    "autoregression": lambda rng, n, p: series(rng, n, p, 0.8),
    "random walk": lambda rng, n, p: series(rng, n, p, 1.0),
    "copies": lambda rng, n, p: rng.standard_normal((n // 2, p)).repeat(2, axis=0),
    "unequal": lambda rng, n, p: rng.standard_normal((n, p)) * np.geomspace(0.3, 3, n)[:, None],
    "elliptic": lambda rng, n, p: (
        rng.standard_normal((n, p)) / np.sqrt(rng.chisquare(5, (n, 1)) / 5)
    ),
}


def factor(rng, n, p, rank=1, size=2.0):
    """Axes of this size in every column, and normal noise of variance 1."""
    signs = rng.choice([-1.0, 1.0], (rank, p))
    return size * rng.standard_normal((n, rank)) @ signs + rng.standard_normal((n, p))
