"""Axes of distances and similarities: none in noise, those of maps, families and groups."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from tests.evidence.designs import NOISE, surely_at_most
from tests.outside._reference import table

import gramian as gm

kernel_axes = gm.evidence.kernel_axes


def gram(X, metric="euclidean"):
    return -0.5 * squareform(pdist(X, metric)) ** 2


def proteins(rng, families, members, length=60, change=0.3):
    letters = np.array(list("ACDEFGHIKLMNPQRSTVWY"))
    first = rng.choice(letters, (families, 1, length))
    new = rng.choice(letters, (families, members, length))
    rows = np.where(rng.random(new.shape) < change, new, first).reshape(-1, length)
    return ["".join(row) for row in rows]


def spectrum(sequences):
    kernel = gm.kernels.sequence.Spectrum(k=3).normalized()
    return np.asarray(kernel.pairwise(sequences, sequences))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "t3", "lognormal", "Cauchy"])
@pytest.mark.parametrize(("n", "p"), [(40, 20), (20, 8)])
def test_distances_of_noise_have_no_axis(kind, n, p):
    rng = np.random.default_rng(0)
    tables = [gram(NOISE[kind](rng, n, p)) for _ in range(10)]
    hits = sum(kernel_axes(G, n_draws=39, rng=rng).n_axes > 0 for G in tables)
    assert surely_at_most(hits, 10, 0.06)


@pytest.mark.slow
def test_random_numbers_and_sequences_have_no_axis():
    rng = np.random.default_rng(1)
    noise = [-0.5 * squareform(rng.uniform(1, 2, 435)) ** 2 for _ in range(5)]
    noise += [gram(rng.standard_normal((40, 12)), "cityblock") for _ in range(5)]
    noise += [spectrum(proteins(rng, 40, 1)) for _ in range(3)]
    assert sum(kernel_axes(G, n_draws=39, rng=rng).n_axes > 0 for G in noise) <= 1


@pytest.mark.slow
def test_european_cities_lie_in_a_plane():
    D = table("data/eurodist.csv").to_numpy(dtype=float)
    evidence = kernel_axes(-0.5 * D**2, rng=0)
    assert evidence.n_axes == 2 and evidence.p_values[1] == evidence.floor
    assert evidence.eigenvalues[1] > evidence.reference[1]


@pytest.mark.slow
def test_families_of_proteins_span_one_axis_less():
    rng = np.random.default_rng(2)
    for families in (3, 4):
        assert kernel_axes(spectrum(proteins(rng, families, 12)), rng=rng).n_axes == families - 1


@pytest.mark.slow
def test_groups_of_points():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 20)) + 3 * rng.standard_normal((3, 20))[np.arange(40) % 3]
    assert kernel_axes(gram(X), rng=rng).n_axes == 2


@pytest.mark.slow
def test_two_wild_points_are_no_axis():
    X = np.random.default_rng(4).standard_normal((40, 20))
    X[:2, 0] += 30
    assert kernel_axes(gram(X), rng=0).n_axes == 0


@pytest.mark.slow
def test_the_answer_is_that_of_the_centred_matrix():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((30, 10)) + 4 * rng.standard_normal((30, 1))
    a, b = kernel_axes(X @ X.T, rng=0), kernel_axes(gram(X + 7), rng=0)
    np.testing.assert_allclose(a.eigenvalues, b.eigenvalues)
    assert a.n_axes == b.n_axes == 1


def test_what_cannot_be_told():
    X = np.random.default_rng(6).standard_normal((30, 2))
    assert kernel_axes(X @ X.T) is None
    assert kernel_axes(np.eye(6)) is None
    with pytest.raises(gm.errors.InputError, match="square"):
        kernel_axes(X)
