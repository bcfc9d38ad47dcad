"""Tables of known rank, and bounds for counts that keep their promise."""

import numpy as np
from scipy import stats
from sklearn.datasets import load_iris
from tests.outside._reference import table

DATA = {
    "decathlon": lambda: table("data/decathlon.csv").iloc[:, :10],
    "USArrests": lambda: table("data/USArrests.csv"),
    "mtcars": lambda: table("data/mtcars.csv"),
    "iris": lambda: load_iris().data,
}


def planted(rng, n, p, sizes, noise):
    """Axes of these sizes, in units of the edge √(p/n) under which noise hides them, and noise."""
    spikes = np.asarray(sizes, dtype=float) * np.sqrt(p / n)
    axes = np.linalg.qr(rng.standard_normal((p, len(spikes))))[0]
    return (rng.standard_normal((n, len(spikes))) * np.sqrt(spikes)) @ axes.T + noise


def surely_at_least(hits, draws, rate, risk=1e-4):
    """Whether so many hits are compatible with a true rate of at least `rate`."""
    return stats.binom.cdf(hits, draws, rate) > risk


def surely_at_most(hits, draws, rate, risk=1e-4):
    """Whether so many hits are compatible with a true rate of at most `rate`."""
    return stats.binom.sf(hits - 1, draws, rate) > risk
