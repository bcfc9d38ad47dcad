from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import linprog

from gramian.evidence import clusters
from gramian.evidence.clusters import FLOOR, dip, dip_p_values, outline_of


def nearest_unimodal(x):
    """Return the least distance of a distribution to a unimodal one, by linear programmes."""
    x = np.sort(x)
    return min(_with_mode(x, m) for m in range(len(x)))


def _with_mode(x, m):
    # Values on the left up to the mode x_m, values on the right from it, and the distance.
    n, left = len(x), m + 1
    size = left + n - m + 1
    place = [*range(left), *range(left, size - 1)]
    points = [*range(left), *range(m, n)]
    A, b = [], []

    def add(terms, bound):
        row = np.zeros(size)
        for at, value in terms:
            row[at] += value
        A.append(row)
        b.append(bound)

    for at, i in zip(place, points, strict=True):
        if at != left:
            add([(at, 1.0), (size - 1, -1.0)], i / n)
        if at != left - 1:
            add([(at, -1.0), (size - 1, -1.0)], -(i + 1) / n)
    for a, c in pairwise(place):
        add([(a, 1.0), (c, -1.0)], 0.0)
    for side, sign, start in ((range(1, left - 1), 1.0, 0), (range(1, n - m - 1), -1.0, m)):
        for k in side:
            at, i = (k, k) if start == 0 and sign > 0 else (left + k, m + k)
            before, after = x[i] - x[i - 1], x[i + 1] - x[i]
            terms = [(at - 1, -1 / before), (at, 1 / before + 1 / after), (at + 1, -1 / after)]
            add([(place_, sign * value) for place_, value in terms], 0.0)
    cost = np.zeros(size)
    cost[-1] = 1.0
    free = [(None, None)] * size
    return linprog(cost, A_ub=np.array(A), b_ub=np.array(b), bounds=free).fun


@pytest.mark.parametrize("n", [4, 7, 12, 20])
@pytest.mark.parametrize("gap", [0.0, 4.0])
def test_the_dip_is_the_distance_to_the_nearest_unimodal_distribution(n, gap):
    rng = np.random.default_rng(n)
    x = rng.standard_normal(n) + gap * (np.arange(n) % 2)
    assert np.isclose(dip(x), nearest_unimodal(x), atol=1e-9)


def test_the_dip_has_no_unit_and_no_side():
    x = np.random.default_rng(0).lognormal(size=80)
    assert np.isclose(dip(x), dip(-3.0 * x + 5.0))
    assert np.isclose(dip(np.arange(10.0)), 0.05)  # 1/(2n), the least there is
    assert dip(np.repeat([0.0, 1.0], 50)) == 0.25  # one mode, with half of the rows astray


NOISE = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "lognormal": lambda rng, shape: rng.lognormal(0.0, 1.5, shape),
    "cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "uniform": lambda rng, shape: rng.random(shape),
    "bernoulli": lambda rng, shape: (rng.random(shape) < 0.05).astype(float),
    "counts": lambda rng, shape: rng.poisson(0.3, shape).astype(float),
}


@pytest.mark.slow
@pytest.mark.parametrize("q", [0, 2])
@pytest.mark.parametrize("law", list(NOISE))
def test_independent_columns_are_no_clusters(law, q):
    rng = np.random.default_rng(1)
    tables = [NOISE[law](rng, (60, 6)) for _ in range(30)]
    assert sum(clusters(X, None, q, rng=rng).found() for X in tables) <= 5


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 45, 250])
def test_p_values_of_uniform_samples_are_uniform(n):
    """300 samples: 15 at 5 %, six deviations of 3.8 at most; none is under the floor."""
    rng = np.random.default_rng(n)
    p = dip_p_values(np.array([dip(x) for x in rng.random((300, n))]), n)
    assert abs((p <= 0.05).sum() - 15) <= 15 and abs((p <= 0.2).sum() - 60) <= 28
    assert p.min() >= FLOOR


@pytest.mark.slow
def test_the_corners_of_a_square_are_clusters_of_columns():
    """Columns that are independent, and axes that are no more than noise."""
    rng = np.random.default_rng(5)
    for _ in range(6):
        X = rng.standard_normal((120, 4))
        X[:, 1:3] += 5.0 * rng.choice([-1.0, 1.0], (120, 2))
        evidence = clusters(X, None, 0, rng=rng)
        assert evidence.found() and evidence.column in (1, 2) and evidence.axis == 0
        assert evidence.n_clusters == 4


@pytest.mark.slow
@pytest.mark.parametrize("law", ["normal", "lognormal", "uniform"])
def test_a_factor_is_no_cluster(law):
    rng = np.random.default_rng(2)
    tables = [
        NOISE[law](rng, (60, 2)) @ rng.standard_normal((2, 8)) + 0.3 * rng.standard_normal((60, 8))
        for _ in range(30)
    ]
    assert sum(clusters(X, None, 2, rng=rng).found() for X in tables) <= 5


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n", "q"), [(2, 60, 1), (3, 90, 2), (4, 160, 3)])
def test_clusters_are_found_and_counted(k, n, q):
    rng, counts = np.random.default_rng(3), []
    for _ in range(12):
        centres = 6.0 * np.linalg.qr(rng.standard_normal((6, k)))[0].T
        X = centres[np.arange(n) % k] + rng.standard_normal((n, 6))
        evidence = clusters(X, None, q, rng=rng)
        counts.append(evidence.n_clusters if evidence.found() else 0)
    assert sum(count > 1 for count in counts) >= 11
    if k < 4:  # four in a plane may hide one another
        assert np.median(counts) == k


@pytest.mark.slow
def test_a_ring_is_hollow_and_clusters_are_not():
    rng = np.random.default_rng(4)
    for n in (40, 150):
        angle = 2.0 * np.pi * rng.random(n)
        ring = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.15 * rng.standard_normal((n, 2))
        assert outline_of(ring * [3.0, 1.0], rng).hollow
        three = np.array([[0, 0], [6, 0], [3, 5]])[np.arange(n) % 3] + rng.standard_normal((n, 2))
        outline = outline_of(three, rng)
        assert not outline.hollow and outline.n_clusters == 3
    cloud = outline_of(rng.standard_normal((100, 2)), rng)
    assert not cloud.hollow and cloud.n_clusters == 1


@pytest.mark.parametrize("name", ["square", "disc", "normal", "two of eight", "three of eight"])
def test_only_rings_are_hollow(name):
    rng = np.random.default_rng(7)
    for _ in range(4):
        disc = np.sqrt(rng.random((60, 1))) * (lambda z: z / np.linalg.norm(z, axis=1)[:, None])(
            rng.standard_normal((60, 2))
        )
        plane = {
            "square": rng.random((60, 2)),
            "disc": disc,
            "normal": rng.standard_normal((16, 2)),
            "two of eight": rng.standard_normal((16, 2)) + 6.0 * np.eye(2).repeat(8, 0)[:, :1],
            "three of eight": rng.standard_normal((24, 2))
            + np.array([[0, 0], [6, 0], [3, 5.2]]).repeat(8, 0),
        }[name]
        assert not outline_of(plane, rng).hollow


@pytest.mark.slow
def test_where_nothing_is_tested():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    for options in ({"q": 1, "scheme": "blocks"}, {"q": 0, "scheme": "none"}):
        silent = clusters(X, None, rng=rng, **options)
        assert silent.p_value is None and not silent.found()
    for many_or_codes in (rng.standard_normal((40, 26)), rng.integers(0, 9, (40, 3))):
        assert clusters(many_or_codes, None, 0, rng=rng).p_value is None
    assert clusters(X[:5], None, 1, rng=rng).p_value is None
    thrice = np.repeat(np.arange(40), 3)
    copied = {"scheme": "copies", "groups_of_copies": thrice}
    one = clusters(X, None, 1, rng=np.random.default_rng(1))
    many = clusters(X[thrice], None, 1, rng=np.random.default_rng(1), **copied)
    assert one.p_value == many.p_value
