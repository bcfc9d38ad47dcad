"""The right versions of what is misprinted in the source texts, as listed in docs/errata.md."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.special import gamma
from sklearn.datasets import load_iris
from tests.contracts.kernel import cloud
from tests.outside._reference import array, assert_close, load, table

import gramian as gm
from gramian import rkhs, validity
from gramian.kernels import Gaussian, Linear, Matern, Sigmoid

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errata.md"
RESULTS = load("documents/documents.json")["results"]
X = cloud(30, 4) * [3.0, 2.0, 1.0, 0.5]
H = np.eye(30) - 1 / 30


def test_every_line_of_the_page_names_a_test_and_every_test_is_on_the_page():
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8")))
    there = {name for name in globals() if name.startswith("test_")}
    there.discard("test_every_line_of_the_page_names_a_test_and_every_test_is_on_the_page")
    assert named == there
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if "`test_" in line]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 5 for line in lines)


# text 1


def test_norm_of_a_component():
    fitted = gm.KernelPCA(3, kernel=Gaussian(2.0)).fit(X)
    K = H @ Gaussian(2.0).pairwise(X) @ H
    for k, value in enumerate(30 * fitted.eigenvalues_):
        c = fitted.coordinates_[:, k]
        assert math.sqrt(c @ K @ c) == pytest.approx(value, rel=1e-10)


def test_linear_kernel_pca_is_pca():
    Z = X - X.mean(axis=0)
    values, U = np.linalg.eigh(Z @ Z.T)
    pca, kpca = gm.PCA(2).fit(X), gm.KernelPCA(2, kernel="linear").fit(X)
    size = np.abs(pca.coordinates_)
    assert_close(np.abs(kpca.coordinates_), size, 1e-9)
    assert_close(np.abs(np.sqrt(values[::-1][:2]) * U[:, ::-1][:, :2]), size, 1e-9)
    printed = np.linalg.eigh(Z @ Z.T / 30)
    scores = np.sqrt(printed[0][::-1][:2]) * printed[1][:, ::-1][:, :2]
    assert_close(np.abs(scores) * math.sqrt(30), size, 1e-9)
    assert_close(kpca.inertia_ratio_, values[::-1][:2] / values.sum(), 1e-9)


def test_inertia_is_a_number():
    g = X.mean(axis=0)
    assert gm.PCA().fit(X).inertia_ == pytest.approx(np.mean([(x - g) @ (x - g) for x in X]))


def test_correlation_is_a_cosine_of_centred_columns():
    a, b = X[:, 0] + 5.0, X[:, 1] + 5.0

    def cosine(a, b):
        return a @ b / math.sqrt(a @ a * (b @ b))

    r = np.corrcoef(a, b)[0, 1]
    assert cosine(a - a.mean(), b - b.mean()) == pytest.approx(r, rel=1e-12)
    assert abs(cosine(a, b) - r) > 0.1


def test_scale_is_a_number():
    # one number, or one for each column
    for scale in (np.ones(5), [1.0, 2.0], [1.0, 2.0, 0.0, 1.0], 0.0, -1.0, math.nan):
        with pytest.raises(gm.errors.InputError, match="scale"):
            Gaussian(scale).pairwise(X)


def test_contributions_add_up_to_one():
    """Twenty columns that all follow one factor: correlations above 0.96, contributions of 5 %."""
    factor = cloud(60, 1)
    table_ = factor + 0.1 * cloud(60, 20, seed=3)
    variables = gm.PCA(2, scale=True).fit(table_).variables()
    contribution = variables["contribution"].to_numpy()
    assert_close(contribution.sum(axis=0), np.ones(2), 1e-10)
    assert (np.abs(variables["correlation"].to_numpy()[:, 0]) > 0.96).all()
    assert contribution[:, 0].max() < 0.1


def test_feature_maps_are_unique_up_to_isometry():
    F = rkhs.mercer(Gaussian(2.0), X).features(X)
    Q = np.linalg.qr(cloud(F.shape[1], F.shape[1]))[0]
    turned = F @ Q
    assert np.abs(turned - F).max() > 0.1
    assert_close(turned @ turned.T, Gaussian(2.0).pairwise(X), 0, 1e-10)


def test_the_first_axis_is_an_argmax():
    pca = gm.PCA(1).fit(X)
    directions = cloud(200, 4, seed=7)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    assert (X @ directions.T).var(axis=0).max() <= pca.eigenvalues_[0]
    assert (X @ pca.components_[0]).var() == pytest.approx(pca.eigenvalues_[0], rel=1e-12)


def test_scree_stops_at_the_first_negative_difference():
    stored = RESULTS["doc000"]["scree_test_decathlon"]
    delta = np.array(stored["second_differences"])
    assert delta[0] > 0 > delta[1] and (delta[2:] > 0).any()
    decathlon = table("data/decathlon.csv").iloc[:, :10]
    assert gm.dimension.cattell(decathlon, scale=True).n_components == 2
    assert gm.dimension.kaiser(decathlon, scale=True).n_components == stored["kaiser_gt_mean"] == 4


# text 2

FIVE = RESULTS["doc001_example_2_4"]


def five():
    return table("documents/doc001_A.csv").to_numpy()


def test_scatter_is_not_covariance():
    printed = [66.2114, 6.9941, 2.3299, 0.3645]
    assert_close(gm.PCA(4).fit(five()).explained_variance_, printed, 0, 5e-5)
    centred = five() - five().mean(axis=0)
    scatter = np.linalg.eigvalsh(centred.T @ centred)[::-1]
    assert_close(scatter[:4] / 4, printed, 0, 5e-5)


def test_reconstruction_error():
    pca = gm.PCA(3).fit(five())
    error = np.linalg.norm(five() - (pca.coordinates_ @ pca.components_ + pca.mean_))
    assert error == pytest.approx(1.20742, abs=5e-6)
    values = gm.PCA(4).fit(five()).singular_values_
    assert error == pytest.approx(values[3], rel=1e-10)
    assert values[3] ** 2 == pytest.approx(1.4579, abs=5e-5)
    assert_close(error, FIVE["E_k_for_k_0_to_5"][3], 1e-8)


def test_squared_norm_of_the_projection():
    pca = gm.PCA(3).fit(five())
    A = five() - pca.mean_
    norm = np.linalg.norm(A @ pca.components_.T)
    assert norm**2 == pytest.approx((pca.singular_values_**2).sum(), rel=1e-12)


def test_example_2_5():
    Z = table("documents/doc001_ex25_correlated.csv").to_numpy().copy()
    printed = RESULTS["doc001_example_2_5"]["correlated"]["reconstruction_error"]
    pca = gm.PCA(2).fit(Z)
    error = np.linalg.norm(Z - pca.inverse_transform(pca.coordinates_))
    assert error == pytest.approx(printed, rel=1e-8)
    Z[:, 0] = 4 * Z[:, 1] + 2 * Z[:, 2]
    pca = gm.PCA(2).fit(Z)
    assert np.linalg.norm(Z - pca.inverse_transform(pca.coordinates_)) < 1e-12


def test_signs_never_erase_an_axis():
    t = np.array([-2.0, -1.0, 0.0, 3.0])
    pca = gm.PCA(1).fit(np.column_stack([t, -t]))
    V = pca.components_[0]
    assert np.sign(V.min() + V.max()) == 0 or abs(V.min() + V.max()) < 1e-15
    assert_close(np.abs(V), np.full(2, math.sqrt(0.5)), 1e-12)


def test_new_points_are_centred_with_training_means():
    kernel = Gaussian(2.0)
    fitted = gm.KernelPCA(2, kernel=kernel).fit(X[:20])
    G, k = kernel.pairwise(X[:20]), kernel.pairwise(X[20:], X[:20])
    right = k - k.mean(axis=1, keepdims=True) - G.mean(axis=0) + G.mean()
    wrong = k - k.mean(axis=1, keepdims=True) - k.mean(axis=0) + k.mean()
    C = fitted.coordinates_ / (20 * fitted.eigenvalues_)
    assert_close(fitted.transform(X[20:]), right @ C, 0, 1e-10)
    assert_close(right @ C - wrong @ C, np.tile((right @ C).mean(axis=0), (10, 1)), 0, 1e-10)
    one = k[:1] - k[:1].mean() - k[:1] + k[:1].mean()
    assert np.abs(one).max() < 1e-15 < np.abs(fitted.transform(X[20:21])).max()


def test_negative_eigenvalues_do_not_hide():
    kernel = Sigmoid(scale=0.8, offset=-0.5)
    K = H @ kernel.pairwise(X) @ H
    values = np.linalg.eigvalsh(K)
    assert values[0] < -1e-3
    assert_close(np.sort(np.linalg.svd(K, hermitian=True)[1]), np.sort(np.abs(values)), 0, 1e-12)
    with pytest.raises(gm.errors.IndefiniteError):
        gm.KernelPCA(kernel=kernel).fit(X)
    kept = gm.KernelPCA(kernel=kernel, indefinite="krein").fit(X)
    assert kept.eigenvalues_.min() * 30 == pytest.approx(values[0], rel=1e-9)


def test_a_centred_matrix_has_a_null_axis():
    fitted = gm.KernelPCA(kernel=Gaussian(1.0)).fit(X)
    assert fitted.n_components_ == 29 and np.isfinite(fitted.coordinates_).all()
    K = H @ Gaussian(1.0).pairwise(X) @ H
    assert np.linalg.matrix_rank(K, hermitian=True) == 29


def test_the_circles_have_a_tied_plane():
    points = table("documents/doc001_circles_train.csv")[["x", "y"]].to_numpy()
    with pytest.warns(gm.errors.TiedAxesWarning, match="2, 3"):
        fitted = gm.KernelPCA(3, kernel=Gaussian.from_gamma(4.0)).fit(points)
    assert fitted.tied_axes_ == [(2, 3)]


def test_step_5_needs_the_centred_vector():
    fitted = gm.KernelPCA(2, kernel=Gaussian(2.0)).fit(X)
    C = fitted.coordinates_ / (30 * fitted.eigenvalues_)
    uncentred = Gaussian(2.0).pairwise(X) @ C
    shift = uncentred - fitted.coordinates_
    assert_close(shift, np.tile(shift[0], (30, 1)), 0, 1e-10)
    assert np.abs(shift[0]).max() > 1e-3
    span = gm.KernelPCA(2, kernel=Gaussian(2.0), formulation="span").fit(X)
    assert_close(uncentred, span.coordinates_, 0, 1e-10)


def test_semidefinite_is_not_strict():
    assert validity.is_psd(np.zeros((3, 3))) and validity.is_psd(np.ones((3, 3)))
    c = np.array([1.0, -1.0, 0.0])
    assert c @ np.ones((3, 3)) @ c == 0


def test_cauchy_schwarz():
    f = rkhs.Function(Gaussian(1.0), X, np.full(30, 2.0))
    g = rkhs.Function(Gaussian(1.0), X[:3], np.array([3.0, 1.0, 2.0]))
    square = f.inner(g) ** 2
    assert square <= f.norm() ** 2 * g.norm() ** 2
    assert square > f.norm() * g.norm()


def test_the_feature_map_is_a_sequence():
    expansion = rkhs.mercer(Gaussian(1.0), X)
    F, psi = expansion.features(X), expansion.eigenfunctions(X)
    assert F.shape == (30, len(expansion.eigenvalues))
    assert_close(F, np.sqrt(expansion.eigenvalues) * psi, 1e-12)
    assert_close(F @ F.T, Gaussian(1.0).pairwise(X), 0, 1e-9)


def test_the_exponential_is_entrywise():
    K = Linear().pairwise(0.3 * X)
    entrywise = Linear().exp().pairwise(0.3 * X)
    assert_close(entrywise, np.exp(K), 1e-10)
    assert np.abs(expm(K) - entrywise).max() > 0.1
    assert validity.is_psd(entrywise)
    assert validity.is_psd(expm(-np.eye(3)))  # of any symmetric matrix: it proves nothing


def test_sizes_of_the_means():
    n, d = X.shape
    assert_close(np.full((1, n), 1 / n) @ X, X.mean(axis=0, keepdims=True), 0, 1e-14)
    assert_close(X @ np.full((d, 1), 1 / d), X.mean(axis=1, keepdims=True), 0, 1e-14)


# text 3


def test_matern():
    d = np.linspace(0.0, 3.0, 25)
    apart = np.abs(d[:, None] - d)
    root3, root5 = math.sqrt(3), math.sqrt(5)
    right = {
        1.5: (1 + root3 * apart) * np.exp(-root3 * apart),
        2.5: (1 + root5 * apart + 5 * apart**2 / 3) * np.exp(-root5 * apart),
    }
    printed = {
        1.5: (1 + root3 * apart) * np.exp(-apart),
        2.5: array(RESULTS["doc002_matern"]["nu52_printed"]),
    }
    for nu, K in right.items():
        assert_close(Matern(nu, 1.0).pairwise(d[:, None]), K, 1e-12)
        assert validity.is_psd(K) and K.max() <= 1.0 < printed[nu].max()
    found = validity.is_psd(printed[1.5])
    assert not found and found.margin == pytest.approx(-0.51, abs=0.005)


@pytest.mark.parametrize("c", ["0.1"])
def test_axes_for_ninety_percent(c):
    stored = RESULTS["doc002_logistic_table"]["rows"][c]["seed0"]
    rings = table("documents/doc002_rings_train_seed0.csv")[["x", "y"]].to_numpy()
    fitted = gm.KernelPCA(kernel=Gaussian.from_gamma(1 / float(c))).fit(rings)
    share = np.cumsum(fitted.inertia_ratio_)
    q = int(np.searchsorted(share, 0.9)) + 1
    assert q == stored["q"] and abs(q - 115) <= 9
    first = fitted.eigenvalues_[:100]
    assert abs(int(np.searchsorted(np.cumsum(first) / first.sum(), 0.9)) + 1 - 77) <= 2


def test_angles_are_not_uniform_on_the_sphere():
    rng = np.random.default_rng(0)
    theta, phi = rng.uniform(0, np.pi, 200_000), rng.uniform(0, 2 * np.pi, 200_000)
    x, z = np.sin(theta) * np.cos(phi), np.cos(theta)
    assert z.var() / x.var() == pytest.approx(2.0, rel=0.02)  # 1/2 against 1/4
    stored = RESULTS["doc002_spheres"]["pca_eigenvalues_divisor_n"]
    spheres = table("documents/doc002_spheres.csv")[["x", "y", "z"]].to_numpy()
    values = gm.PCA().fit(spheres).eigenvalues_
    assert_close(values, stored, 1e-8)
    assert values[0] > 1.7 * values[1]


def test_three_gaussians():
    d2, v = 1.3, 0.7
    x = np.array([[0.0], [math.sqrt(d2)]])
    for scale, value in (
        (v / math.sqrt(2), math.exp(-d2 / v**2)),
        (math.sqrt(v / 2), math.exp(-d2 / v)),
        (v, math.exp(-d2 / (2 * v**2))),
    ):
        assert Gaussian(scale).pairwise(x)[0, 1] == pytest.approx(value, rel=1e-12)


def test_the_median_without_the_diagonal():
    stored = RESULTS["doc002_misc"]["median_heuristic_iris"]
    scale = gm.kernels.median_scale(load_iris().data)
    assert scale == pytest.approx(stored["c_offdiagonal"], rel=1e-10)
    assert scale > stored["c_incl_diagonal"]


def test_which_matrix_is_orthogonal():
    fitted = gm.KernelPCA(4, kernel=Gaussian(2.0)).fit(X)
    A = fitted.coordinates_ / (30 * fitted.eigenvalues_)
    assert np.abs(A.T @ A - np.eye(4)).max() > 0.1
    assert_close(A.T @ A, np.diag(1 / (30 * fitted.eigenvalues_)), 0, 1e-9)
    axes = fitted.axes()
    gram = [[f.inner(g) for g in axes] for f in axes]
    assert_close(gram, np.eye(4), 0, 1e-9)


def test_log_likelihood():
    z, eta = np.array([1.0, 0.0, 1.0]), np.array([0.3, -1.2, 2.0])
    p = 1 / (1 + np.exp(-eta))
    bernoulli = np.sum(z * np.log(p) + (1 - z) * np.log(1 - p))
    assert np.sum(z * eta - np.log1p(np.exp(eta))) == pytest.approx(bernoulli, rel=1e-12)
    assert abs(np.sum(eta - np.log1p(np.exp(eta))) - bernoulli) > 0.1


def test_projection_on_q_axes():
    """The squared length of the projection on q axes is what they carry, not what r of them do."""
    fitted = gm.KernelPCA(kernel=Gaussian(2.0)).fit(X)
    two = gm.KernelPCA(2, kernel=Gaussian(2.0)).fit(X)
    assert_close(two.coordinates_, fitted.coordinates_[:, :2], 0, 1e-9)
    left = fitted.inertia_ - (two.coordinates_**2).sum(axis=1).mean()
    assert left == pytest.approx(fitted.eigenvalues_[2:].sum(), rel=1e-9)


def test_nystrom_with_equal_landmarks():
    doubled = np.vstack([X[:5], X[:5], X])
    features = gm.Nystrom(10, kernel=Gaussian(2.0), landmarks=np.arange(10)).fit(doubled)
    K = Gaussian(2.0).pairwise(X[:5])
    assert np.linalg.matrix_rank(Gaussian(2.0).pairwise(doubled[:10])) == 5
    F = features.transform(X)
    C = Gaussian(2.0).pairwise(X, X[:5])
    assert_close(F @ F.T, C @ np.linalg.solve(K, C.T), 0, 1e-9)


# text 4


def test_one_method_two_origins():
    stored = RESULTS["doc003_two_approaches"]
    points = table("documents/doc002_spheres.csv")[["x", "y", "z"]].to_numpy()[:40]
    kernel = Gaussian.from_gamma(1.0)
    span = gm.KernelPCA(5, kernel=kernel, formulation="span").fit(points)
    centred = gm.KernelPCA(5, kernel=kernel).fit(points)
    assert_close(40 * span.eigenvalues_, stored["eig_I"], 1e-8)
    assert_close(40 * centred.eigenvalues_, stored["eig_II"], 1e-8)
    shift = span.coordinates_ - centred.coordinates_
    assert_close(shift, np.tile(shift[0], (40, 1)), 0, 1e-10)


def test_centred_kernel():
    G = Gaussian(2.0).pairwise(X)
    right = G - G.mean(axis=0)[None, :] - G.mean(axis=1)[:, None] + G.sum() / 30**2
    assert_close(right, H @ G @ H, 0, 1e-14)
    printed = G - G.mean(axis=0)[None, :] + G.sum() / 30
    assert np.abs(printed - printed.T).max() > 1e-3
    fitted = gm.KernelPCA(kernel=Gaussian(2.0)).fit(X)
    assert_close(fitted.coordinates_ @ fitted.coordinates_.T, right, 0, 1e-10)


# text 5


def test_road_distances_are_not_euclidean():
    stored = RESULTS["doc004_cities"]
    D = table("documents/doc004_cities9.csv").to_numpy(float)
    assert all(D[i, j] <= D[i, k] + D[k, j] for i in range(9) for j in range(9) for k in range(9))
    found = validity.is_euclidean(D)
    assert not found and found.margin == pytest.approx(-323707, abs=1)
    assert sorted(round(v) for v in stored["eigenvalues"] if v < -1) == [-323707, -62312, -412]


def test_coordinates_are_not_loadings():
    Y = (X - X.mean(axis=0)).T
    U, S, Vt = np.linalg.svd(Y, full_matrices=False)
    pca = gm.PCA(2).fit(X)
    assert_close(np.abs(pca.coordinates_.T), np.abs(U[:, :2].T @ Y), 0, 1e-10)
    assert_close(np.abs(pca.coordinates_.T), np.abs(S[:2, None] * Vt[:2]), 0, 1e-10)
    assert (U[:, :2] * S[:2]).shape == (4, 2)
    V = pca.components_.T
    assert_close(V.T @ V, np.eye(2), 0, 1e-12)
    assert np.abs(V @ V.T - np.eye(4)).max() > 0.1


@pytest.mark.slow
def test_nonmetric_sees_only_the_order():
    points = cloud(12, 2, seed=2)
    D = gm.distances.euclidean(points)
    bent = D**1.7
    options = {"metric": "precomputed", "random_state": 0}
    one, two = (gm.MDS(2, scaling="ordinal", **options).fit(M) for M in (D, bent))
    assert max(one.stress_, two.stress_) < 1e-3
    metric = gm.MDS(2, loss="sstress", **options).fit(bent)
    on_map = gm.distances.euclidean(metric.coordinates_)
    assert np.abs(on_map - bent).max() > 0.1 * bent.max()


def test_p_values_are_never_zero():
    strong = cloud(60, 1) @ np.ones((1, 5)) + 0.05 * cloud(60, 5, seed=1)
    found = gm.dimension.parallel_analysis(strong, n_permutations=99, random_state=0)
    assert found.p_values[0] == 1 / 100
    assert found.n_components == 1


def test_integrability():
    """∫ min(1, 1/λ)·g is finite where ∫ g/λ is not: ln(1 + t/a) and t^p."""
    a, p = 0.8, 0.35
    for g in (lambda x: math.exp(-a * x), lambda x: p / gamma(1 - p) * x**-p):
        low = [quad(lambda x, g=g: g(x) / x, e, 1.0, limit=500)[0] for e in (1e-2, 1e-4, 1e-6)]
        assert low[2] - low[1] > 0.5 * (low[1] - low[0]) > 0.5  # no end to it
        assert quad(g, 0.0, 1.0)[0] < math.inf
        assert quad(lambda x, g=g: g(x) / x, 1.0, math.inf)[0] < math.inf


def test_bernstein():
    with mp.workdps(30):
        functions = [lambda t: t ** mpf("0.35"), lambda t: mp.log(1 + t), lambda t: t / (1 + t)]
        for phi in functions:
            signs = [mp.sign(mp.diff(phi, mpf("1.7"), n)) for n in range(1, 6)]
            assert signs == [1, -1, 1, -1, 1]
            assert phi(mpf(2)) > phi(mpf(1))  # it grows, so that it is not completely monotone


def test_centring_is_a_projection():
    assert_close(H @ H, H, 0, 1e-14)
    assert np.abs(H @ H - np.eye(30)).max() > 0.01
