"""Nyström features: exact on every point, honest about their error, the same for new points."""

import tracemalloc

import numpy as np
import pytest

import gramian as gm
from gramian.kernels import Exponential, Gaussian, Matern, Polynomial

RANDOM = np.random.default_rng(5)
X = RANDOM.standard_normal((120, 4)) * [3.0, 2.0, 1.0, 0.5]
NEW = RANDOM.standard_normal((15, 4))
KERNELS = [Gaussian(2.0), Exponential(2.0), Matern(2.5, 1.5), Polynomial(2)]
CHOICES = ["rpcholesky", "uniform", "leverage", "kmeans"]


def aligned(Z, reference):
    return Z * np.sign((Z * reference).sum(axis=0))


def textbook(kernel, A, B, Z):
    """k(A, Z) k(Z, Z)⁺ k(Z, B)."""
    inverse = np.linalg.pinv(kernel(Z, Z.copy()), rcond=1e-13, hermitian=True)
    return kernel(A, Z) @ inverse @ kernel(Z, B)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("landmarks", ["rpcholesky", "uniform", "leverage"])
def test_inner_products_of_features_are_nystroms_formula(kernel, landmarks):
    est = gm.Nystrom(rank=10, kernel=kernel, landmarks=landmarks).fit(X)
    Z = X[est.landmarks_]
    np.testing.assert_allclose(
        est.transform(NEW) @ est.transform(X).T, textbook(kernel, NEW, X, Z), rtol=1e-6, atol=1e-8
    )


@pytest.mark.parametrize("landmarks", CHOICES)
def test_the_reported_error_is_the_trace_left_out(landmarks):
    est = gm.Nystrom(rank=12, kernel=Gaussian(2.0), landmarks=landmarks).fit(X)
    F = est.transform(X)
    left = (len(X) - (F**2).sum()) / len(X)
    assert est.approximation_error_ == pytest.approx(left, rel=1e-6)
    assert 0 < left < 0.6


@pytest.mark.parametrize("landmarks", CHOICES)
def test_transform_of_the_training_rows_is_fit_transform(landmarks):
    est = gm.Nystrom(rank=12, kernel=Gaussian(2.0), landmarks=landmarks)
    np.testing.assert_allclose(est.fit_transform(X), est.transform(X), atol=1e-10)
    one_by_one = np.vstack([est.transform(X[i : i + 1]) for i in range(5)])
    np.testing.assert_allclose(one_by_one, est.transform(X)[:5], atol=1e-12)


def test_every_point_a_landmark_is_exact():
    exact = gm.KernelPCA(5, kernel=Gaussian(2.0)).fit(X)
    every = gm.Nystrom(landmarks=np.arange(len(X)))
    est = gm.KernelPCA(5, kernel=Gaussian(2.0), approximation=every).fit(X)
    np.testing.assert_allclose(est.eigenvalues_, exact.eigenvalues_, rtol=1e-11)
    np.testing.assert_allclose(est.inertia_, exact.inertia_, rtol=1e-11)
    Z = aligned(est.coordinates_, exact.coordinates_)
    np.testing.assert_allclose(Z, exact.coordinates_, atol=1e-10)
    np.testing.assert_allclose(
        aligned(est.transform(NEW), exact.transform(NEW)), exact.transform(NEW), atol=1e-9
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_kernel_pca_of_the_features_is_pca_of_them(weighted):
    w = RANDOM.random(len(X)) if weighted else None
    est = gm.KernelPCA(4, kernel=Gaussian(2.0), approximation=gm.Nystrom(rank=15, random_state=3))
    est.fit(X, sample_weight=w)
    F = gm.Nystrom(kernel=Gaussian(2.0), landmarks=est.landmarks_).fit_transform(X)
    pca = gm.PCA(4).fit(F, sample_weight=w)
    np.testing.assert_allclose(est.eigenvalues_, pca.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(
        aligned(est.coordinates_, pca.coordinates_), pca.coordinates_, atol=1e-8
    )


def test_a_target_error_chooses_the_rank():
    est = gm.Nystrom(rank=0.05, kernel=Gaussian(2.0)).fit(X)
    fewer = gm.Nystrom(rank=est.rank_ // 2, kernel=Gaussian(2.0)).fit(X)
    assert est.approximation_error_ <= 0.05 < fewer.approximation_error_


def test_refining_gives_the_exact_axes():
    exact = gm.KernelPCA(4, kernel=Gaussian(2.0), solver="krylov").fit(X)
    approximation = gm.Nystrom(rank=40, refine=True)
    est = gm.KernelPCA(4, kernel=Gaussian(2.0), approximation=approximation, solver="krylov")
    est.fit(X)
    np.testing.assert_allclose(est.eigenvalues_, exact.eigenvalues_, rtol=1e-12)
    assert est.residuals_.max() <= 1e-8 * est.eigenvalues_[0]


def test_landmarks_may_be_points():
    Z = X[:7] + 0.1
    est = gm.Nystrom(landmarks=Z, kernel=Gaussian(2.0)).fit(X)
    expected = textbook(Gaussian(2.0), NEW, X, Z)
    np.testing.assert_allclose(est.transform(NEW) @ est.transform(X).T, expected, atol=1e-9)
    assert est.landmarks_ is None


def test_pivots_stop_where_nothing_is_left():
    line = np.linspace(0.0, 1.0, 200)[:, None]
    est = gm.Nystrom(rank=150, kernel=Gaussian(2.0)).fit(line)
    assert est.rank_ < 30
    assert est.approximation_error_ < 1e-12


def test_rare_groups_are_found():
    rare = np.vstack([RANDOM.standard_normal((2000, 3)), 50 + RANDOM.standard_normal((5, 3))])
    est = gm.Nystrom(rank=40, kernel=Gaussian(2.0), random_state=0).fit(rare)
    assert (est.landmarks_ >= 2000).any()


def test_single_precision_stays_single():
    est = gm.Nystrom(rank=10, kernel=Gaussian(2.0)).fit(X.astype(np.float32))
    assert est.transform(NEW.astype(np.float32)).dtype == np.float32
    assert est.approximation_error_ < 0.6


@pytest.mark.parametrize(
    "options",
    [
        {"rank": 0},
        {"rank": -3},
        {"rank": 1.5},
        {"rank": True},
        {"rank": "all"},
        {"landmarks": "best"},
        {"landmarks": np.array([0, 500])},
        {"landmarks": np.ones((3, 9))},
        {"rank": 0.1, "landmarks": "uniform"},
    ],
    ids=str,
)
def test_refusals_name_the_argument(options):
    with pytest.raises(ValueError, match=r"rank|landmarks"):
        gm.Nystrom(**options).fit(X)


@pytest.mark.slow
def test_random_pivots_follow_the_law_of_one_by_one():
    """The first two pivots of the block version have the probabilities of the sequential one."""
    points = np.array([[0.0], [0.3], [4.0]])
    kernel = Gaussian(1.0)
    K = kernel(points)
    expected = np.zeros((3, 3))
    for i in range(3):
        left = np.diag(K) - K[:, i] ** 2
        expected[i] = left / left.sum() / 3
    counts = np.zeros((3, 3))
    for seed in range(4000):
        rows = gm.Nystrom(rank=2, kernel=kernel, random_state=seed).fit(points).landmarks_
        counts[rows[0], rows[1]] += 1
    np.testing.assert_allclose(counts / counts.sum(), expected, atol=0.03)


def direct(kernel, X, Z, p):
    """Return eigenvalues, coordinates, |f|² and the share left out, from features by the SVD."""
    values, U = np.linalg.eigh(kernel(Z, Z.copy()))
    live = values > len(Z) * 2.0**-52 * values.max()
    F = kernel(X, Z) @ (U[:, live] / np.sqrt(values[live]))
    left = 1.0 - (F**2).sum() / len(X)
    F = F - p @ F
    _, s, Vt = np.linalg.svd(np.sqrt(p)[:, None] * F, full_matrices=False)
    return s**2, F @ Vt.T, (F**2).sum(axis=1), left


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("scale", [2.0, 8.0, 60.0])
def test_kernel_pca_on_uniform_landmarks_is_the_direct_formula(scale, weighted):
    """Of kernel values with condition numbers of 10³, 10⁹ and more than doubles hold."""
    rows = np.random.default_rng(3).standard_normal((900, 4))
    w = np.random.default_rng(4).random(900) + 0.1 if weighted else np.ones(900)
    by = gm.Nystrom(60, landmarks="uniform", random_state=0)
    est = gm.KernelPCA(4, kernel=Gaussian(scale), approximation=by)
    Z = est.fit_transform(rows, sample_weight=w if weighted else None)
    values, Y, norms, left = direct(Gaussian(scale), rows, rows[est.landmarks_], w / w.sum())
    np.testing.assert_allclose(est.eigenvalues_, values[:4], rtol=1e-9)
    np.testing.assert_allclose(est.inertia_, values.sum(), rtol=1e-10)
    np.testing.assert_allclose(est.approximation_error_, left, atol=1e-11)
    size = np.abs(Y[:, :4]).max()
    np.testing.assert_allclose(Z, aligned(Y[:, :4], Z), atol=1e-8 * size)
    np.testing.assert_allclose(est.transform(rows), Z, atol=1e-9 * size)
    np.testing.assert_array_equal(est.coordinates_, Z)
    np.testing.assert_allclose(est.individuals()["distance2", ""], norms, atol=1e-9 * norms.max())


def test_landmarks_that_coincide_count_once():
    rows = np.random.default_rng(3).standard_normal((300, 3))
    once = gm.Nystrom(landmarks=np.arange(20), kernel=Gaussian(2.0)).fit_transform(rows)
    twice = gm.Nystrom(landmarks=np.r_[:20, :20], kernel=Gaussian(2.0)).fit_transform(rows)
    np.testing.assert_allclose(twice @ twice.T, once @ once.T, atol=1e-9)


def test_features_of_many_landmarks_are_the_same_by_blocks_of_a_triangle():
    rows = np.random.default_rng(3).standard_normal((500, 6))
    est = gm.Nystrom(300, landmarks="uniform", kernel=Gaussian(2.0), random_state=0).fit(rows)
    expected = textbook(Gaussian(2.0), rows, rows, rows[est.landmarks_])
    F = est.transform(rows)
    np.testing.assert_allclose(F @ F.T, expected, atol=1e-8)
    exact = gm.KernelPCA(3, kernel=Gaussian(2.0), approximation=est).fit(rows)
    values = np.linalg.eigvalsh(np.cov(F.T, bias=True))[::-1][:3]
    np.testing.assert_allclose(exact.eigenvalues_, values, rtol=1e-10)


def test_single_precision_is_as_exact_as_its_kernel_values():
    rows = np.random.default_rng(3).standard_normal((900, 4)).astype(np.float32)
    by = gm.Nystrom(40, landmarks="uniform", random_state=0)
    low, high = (
        gm.KernelPCA(3, kernel=Gaussian(2.0), approximation=by).fit(rows.astype(kind))
        for kind in (np.float32, np.float64)
    )
    assert low.coordinates_.dtype == np.float32
    np.testing.assert_allclose(low.eigenvalues_, high.eigenvalues_, rtol=1e-4)


def test_no_features_of_all_rows_are_held():
    rows = np.random.default_rng(3).standard_normal((12_000, 2))
    by = gm.Nystrom(200, landmarks="uniform", random_state=0)
    est = gm.KernelPCA(2, kernel=Gaussian(1.0), approximation=by)
    est.fit(rows[:5_000])
    tracemalloc.start()
    est.fit(rows)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.8 * 8 * 200 * len(rows)
