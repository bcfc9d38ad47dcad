"""The preview of kernel PCA: the exact map with all rows as landmarks, and close to it with few."""

import time

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError

K = gm.kernels


def clusters(n=600, p=6, seed=0):
    r = np.random.default_rng(seed)
    return 2.0 * r.normal(size=(4, p))[r.integers(0, 4, n)] + r.normal(size=(n, p))


def distance(exact, preview):
    """The relative distance between two maps after rotation, without scaling."""
    fit = gm.stability.procrustes(exact, preview, scale=False)
    return np.sqrt(fit.statistic / ((exact - exact.mean(axis=0)) ** 2).sum())


KERNELS = [
    K.Gaussian(2.0),
    K.Matern(nu=1.5, scale=3.0),
    K.Exponential(scale=4.0),
    K.RationalQuadratic(scale=3.0),
    K.Polynomial(degree=2, offset=1.0),
    K.Laplacian(scale=9.0),
    K.Linear(),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: type(k).__name__)
def test_all_rows_as_landmarks_give_the_exact_map(kernel):
    X = clusters(150)
    exact = gm.KernelPCA(2, kernel=kernel).fit(X).coordinates_
    assert distance(exact, gm.KernelPCA(2).preview(X, landmarks=150)(kernel)) < 2e-4


@pytest.mark.parametrize("scale", [2.0, 4.0, 8.0])
def test_few_landmarks_are_within_five_per_cent(scale):
    X = clusters()
    exact = gm.KernelPCA(2, kernel=K.Gaussian(scale)).fit(X).coordinates_
    preview = gm.KernelPCA(2, random_state=0).preview(X, landmarks=120)
    assert distance(exact, preview(K.Gaussian(scale))) < 0.05


def test_a_map_is_rotated_onto_the_one_before():
    preview = gm.KernelPCA(2, random_state=0).preview(clusters(), landmarks=100)
    before = preview(K.Gaussian(2.0))
    preview.last = before = before @ np.array([[0.0, 1.0], [-1.0, 0.0]])  # as somebody turned it
    after = preview(K.Gaussian(2.1))
    # No rotation brings it closer: the cross product is symmetric and positive semi-definite.
    cross = after.T @ before
    assert np.allclose(cross, cross.T, atol=1e-5 * np.abs(cross).max())
    assert np.linalg.eigvalsh(cross + cross.T).min() >= 0
    assert np.linalg.norm(after - before) < 0.2 * np.linalg.norm(before)


def test_a_rule_for_the_scale_is_resolved_on_all_rows():
    X = clusters(200)
    preview = gm.KernelPCA(2, random_state=0).preview(X, landmarks=200)
    exact = gm.KernelPCA(2, kernel="gaussian").fit(X).coordinates_
    assert distance(exact, preview("gaussian")) < 1e-4


def test_standardised_columns():
    X = clusters(120) * [1, 10, 100, 1, 1, 1]
    preview = gm.KernelPCA(2, scale=True).preview(X, landmarks=120)
    exact = gm.KernelPCA(2, scale=True, kernel=K.Gaussian(2.0)).fit(X).coordinates_
    assert distance(exact, preview(K.Gaussian(2.0))) < 1e-4


def test_what_is_wrong_is_named():
    X = clusters(30)
    with pytest.raises(InputError, match="landmarks"):
        gm.KernelPCA(2).preview(X, landmarks=1)
    with pytest.raises(InputError, match="NaN"):
        gm.KernelPCA(2).preview(np.where(X > 3, np.nan, X))
    with pytest.raises((InputError, TypeError), match="kernel"):
        gm.KernelPCA(2).preview(X)(K.sequence.Spectrum(k=2))


@pytest.mark.slow
def test_a_move_is_quick():
    """40 ms on a quiet core; CPU time, and a margin for a busy one."""
    X = clusters(5_000, 20)
    preview = gm.KernelPCA(2, random_state=0).preview(X, landmarks=300)
    times = []
    for scale in np.linspace(2.0, 9.0, 12):
        start = time.process_time()
        preview(K.Gaussian(float(scale)))
        times.append(time.process_time() - start)
    assert np.median(times) < 0.12
