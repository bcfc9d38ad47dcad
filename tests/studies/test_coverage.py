"""A small count of what intervals and ellipses cover; benchmarks/covered.py makes a large one."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.covered import one
from scipy.spatial.distance import pdist, squareform
from tests.report.made import normal

import gramian as gm

pytestmark = pytest.mark.slow


def covered(name, tables):
    return [one(name, seed)["held"] for seed in range(tables)]


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("normal 20 × 10", 8),
        ("two axes nearly alike 100 × 7", 8),
        ("distances of 40 points in 6", 5),
    ],
)
def test_ellipses_hold_the_places_of_their_rows(name, tables):
    """The share of a table varies by about 0.1 around 0.95."""
    held = [shares[2] for shares in covered(name, tables) if shares[2] is not None]
    assert len(held) >= 0.6 * tables and np.mean(held) >= 0.95 - 0.4 / np.sqrt(tables)


def test_intervals_hold_the_eigenvalues_of_the_population():
    """20 of 95 %: fewer than 17 have a chance of 1.6 %, fewer than 15 one of 0.03 %."""
    results = covered("normal 300 × 10", 12)
    held = [each for spans in results for each in spans[:2] if each is not None]
    assert len(held) >= 12 and sum(held) >= 0.84 * len(held)


def test_ellipses_that_would_not_cover_are_not_drawn():
    X = normal(60, 5, seed=2)
    assert gm.study(X).places is not None
    assert gm.study(np.exp(1.5 * X)).places is None
    names = [f"r{i}" for i in range(60)]
    for points, drawn in ((X, True), (np.exp(1.5 * X), False)):
        D = pd.DataFrame(squareform(pdist(points)), index=names, columns=names)
        s = gm.study(gm.io.Source("distances", names, distances=D))
        assert (s.places is not None) is drawn
