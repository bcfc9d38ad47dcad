"""The partial test: independent given a third table."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from gramian.stability import mantel


def distances(points):
    return squareform(pdist(points))


def copies(rng, n, d, noise, shared=0.0, far=0.0):
    """Return two noisy copies of points, which may share something else, and the points."""
    z = rng.standard_normal((n, d))
    z[0] += far
    own = np.column_stack([z, shared * rng.standard_normal((n, 2))])
    a, b = (own + noise * rng.standard_normal(own.shape) for _ in range(2))
    return (distances(M if shared else M[:, :d]) for M in (a, b, z))


def groups(rng, n):
    centre = np.eye(3)[np.arange(n) % 3]
    a, b = (2.0 * centre + 0.7 * rng.standard_normal((n, 3)) for _ in range(2))
    return map(distances, (a, b, centre))


def rate(draw, count, **options):
    rng = np.random.default_rng(0)
    p = []
    for _ in range(count):
        A, B, Z = draw(rng)
        p.append(mantel(A, B, given=Z, n_permutations=79, random_state=rng, **options).p_value)
    return np.mean(np.array(p) <= 0.05)


# 6 % at most: of 60 tables, more than 9 has a chance below 1 in 1,000. Free permutations: 10–25 %.
@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: copies(rng, 20, 1, 0.5),
        lambda rng: copies(rng, 30, 2, 1.0),
        lambda rng: copies(rng, 15, 1, 0.2),
        lambda rng: copies(rng, 20, 2, 0.5, far=6.0),
        lambda rng: groups(rng, 21),
    ],
    ids=["line", "plane", "close", "one far point", "groups"],
)
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_two_noisy_copies_of_a_third_table_are_not_related_given_it(draw, alternative):
    assert rate(draw, 60, alternative=alternative) <= 9 / 60


@pytest.mark.slow
def test_what_they_share_beside_it_is_found():
    assert rate(lambda rng: copies(rng, 20, 1, 0.3, shared=1.0), 20) >= 0.95


@pytest.mark.parametrize("n", [3, 4, 6])
def test_few_points(n):
    rng = np.random.default_rng(0)
    A, B, Z = copies(rng, n, 2, 0.5)
    test = mantel(A, B, given=Z, n_permutations=19, random_state=0)
    assert 0.0 < test.p_value <= 1.0 and np.isfinite(test.reference).all()
