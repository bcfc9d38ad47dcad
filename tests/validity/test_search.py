"""Kernels and distances given as functions: violations that are known to exist are found."""

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from tests.contracts.kernel import cloud
from tests.kernels.rows import NUMPY, VECTOR

import gramian as gm
from gramian.kernels import (
    FromDistance,
    Gaussian,
    Polynomial,
    Precomputed,
    Radial,
    Sigmoid,
)
from gramian.kernels.graph import VertexHistogram
from gramian.kernels.sequence import Spectrum
from gramian.validity import is_cnd, is_euclidean, is_psd

pytestmark = pytest.mark.slow


class PrintedMatern32(Radial):
    """Matérn 3/2 as misprinted: e^{−d} in place of e^{−√3·d}."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def profile(self, t):
        d = np.sqrt(t)
        return (1 + math.sqrt(3) * d) * np.exp(-d)


class PrintedMatern52(PrintedMatern32):
    """Matérn 5/2 as misprinted."""

    def profile(self, t):
        d = np.sqrt(t)
        return (1 + math.sqrt(5) * d + 5 * d**2 / 3) * np.exp(-math.sqrt(3) * d)


# The exponential of an inner product leaves the range of the numbers among points far apart.
ROWS = [row for row in [*VECTOR, *NUMPY] if row.kernel.psd and row.name != "exp"]


@pytest.mark.parametrize("kernel", [row.kernel for row in ROWS], ids=[row.name for row in ROWS])
def test_kernels_that_are_psd_pass_and_say_that_it_is_known(kernel):
    found = is_psd(kernel, dimension=3)
    assert found and found.certain and "known" in found.reason


BAD = {
    "sigmoid": Sigmoid(1.0, -0.5),
    "printed matern 3/2": PrintedMatern32(),
    "printed matern 5/2": PrintedMatern52(),
    "negative offset": Polynomial(2, -1.0),
    "distance": lambda X, Y: cdist(X, Y),
    "squared manhattan": FromDistance("cityblock", 1.0),
    "chebyshev": FromDistance("chebyshev", 1.0),
    "box": lambda X, Y: (cdist(X, Y) < 1.0).astype(float),
    "quartic": lambda X, Y: np.exp(-(cdist(X, Y) ** 4)),
    "epanechnikov": lambda X, Y: np.maximum(1 - cdist(X, Y) ** 2, 0.0),
    "cosine of distance": lambda X, Y: np.cos(cdist(X, Y)),
}


@pytest.mark.parametrize("name", BAD)
def test_functions_that_are_not_psd_are_caught_with_a_witness(name):
    kernel = BAD[name]
    found = is_psd(kernel, dimension=2)
    assert not found and found.certain and "violated" in found.reason
    K = np.asarray(kernel(found.points, found.points))
    c = found.witness
    assert c @ K @ c < 0
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(found.margin, rel=1e-6)


def test_the_same_seed_finds_the_same_points():
    one, two = (is_psd(Sigmoid(1.0, -0.5), random_state=4) for _ in range(2))
    assert np.array_equal(one.points, two.points) and one.margin == two.margin


def test_a_search_that_finds_nothing_does_not_claim_a_proof():
    found = is_psd(lambda X, Y: X @ Y.T)
    assert found and not found.certain and "no proof" in found.reason


def test_a_search_among_given_points():
    """A distance of words has no points of its own."""
    words = ["a", "ab", "abc", "b", "bc", "c", "ca"]

    def discrete(A, B):
        return np.array([[1.0 if a != b else 0.0 for b in B] for a in A])

    def by_length(A, B):
        return np.array([[abs(len(a) - len(b)) for b in B] for a in A])

    kernel = FromDistance(by_length, 1.0)
    assert is_psd(kernel, words)
    assert is_psd(Spectrum(k=1), words)
    X = cloud(30, 2)
    assert not is_psd(Sigmoid(1.0, -0.5), X)
    found = is_psd(lambda A, B: -(A @ B.T), X)
    assert not found and found.points.shape[1] == 2
    assert is_euclidean("cityblock", X[:, :1]) and not is_euclidean("cityblock", X)
    assert is_euclidean(discrete, words)  # all distances 1: a regular simplex


METRICS = [
    ("euclidean", True),
    ("seuclidean", True),
    ("minkowski", True),
    ("cityblock", False),
    ("chebyshev", False),
    ("sqeuclidean", False),
    ("cosine", False),
    ("hamming", False),
    ("braycurtis", False),
]


@pytest.mark.parametrize(("metric", "euclidean"), METRICS)
def test_metrics_and_what_their_kernels_say(metric, euclidean):
    """The search agrees with what FromDistance says of itself."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (12, 4)).astype(float) if metric == "hamming" else rng.random((40, 3))
    found = is_euclidean(metric, X)
    assert bool(found) == euclidean
    assert FromDistance(metric).psd is euclidean
    if not found:
        D = np.asarray(gm.distances.pairwise(found.points, metric=metric))
        c = found.witness
        assert abs(c.sum()) < 1e-12 and c @ D**2 @ c > 0
        # Schoenberg: then exp(−λd²) is indefinite for some small λ.
        assert c @ np.exp(-1e-3 / D.max() ** 2 * D**2) @ c < 0


def test_jensen_shannon_is_euclidean():
    X = np.random.default_rng(0).dirichlet(np.ones(4), 60)
    assert is_euclidean("jensenshannon", X) and FromDistance("jensenshannon").psd is True


def test_unknown_metrics_stay_unknown():
    assert FromDistance("canberra").psd is None
    assert FromDistance(lambda A, B: cdist(A, B)).psd is None


def test_conditionally_negative_functions():
    assert is_cnd(lambda X, Y: cdist(X, Y, "sqeuclidean"))
    assert is_cnd(lambda X, Y: cdist(X, Y, "cityblock"))  # the square root of a Euclidean one
    assert is_cnd(lambda X, Y: cdist(X, Y))
    assert not is_cnd(lambda X, Y: cdist(X, Y, "cityblock") ** 2)
    assert not is_cnd(lambda X, Y: cdist(X, Y) ** 3)


@pytest.mark.parametrize(
    "options", [{"n_sets": 0}, {"dimension": 0}, {"dimension": 1.5}, {"X": [[1.0]]}], ids=str
)
def test_refusals(options):
    with pytest.raises(gm.errors.InputError):
        is_psd(Gaussian(1.0), **options)


def test_names_matrices_and_median_scales():
    assert is_psd("gaussian") and is_psd(Gaussian()) and is_psd(Gaussian(), dimension=1)
    assert not is_psd(Precomputed(np.array([[1.0, 2.0], [2.0, 1.0]])))
    assert is_psd(Precomputed(np.eye(3))).certain


def test_graphs_in_any_form():
    """A graph as a pair (adjacency, labels) is an object, not a row of numbers."""
    path = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    pairs = [(path, ["a", "b", "a"]), (path, ["a", "a", "a"]), (path, ["b", "b", "a"])]
    assert is_psd(VertexHistogram(), pairs)


def test_what_no_set_allows_is_refused_with_the_functions_own_words():
    def refuses(A, B):
        raise gm.errors.InputError("this function takes nothing")

    with pytest.raises(gm.errors.InputError, match="takes nothing"):
        is_psd(refuses)


def test_mahalanobis_of_a_singular_covariance_is_refused_and_not_called_a_violation():
    flat = np.column_stack([np.arange(6.0), 2 * np.arange(6.0)])
    with pytest.raises(gm.errors.InputError, match="singular"):
        gm.distances.pairwise(flat, metric="mahalanobis")
    assert is_euclidean("mahalanobis") and FromDistance("mahalanobis").psd is True
