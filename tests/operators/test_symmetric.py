"""What is diagonalised: the centred Gram matrix and the covariance, on either side."""

import array_api_strict
import numpy as np
import pytest
import torch
from scipy import sparse
from tests import naive
from tests.contracts.kernel import cloud
from tests.contracts.operator import SymmetricContract

import gramian as gm
from gramian._core.array import to_numpy
from gramian._core.operators.feature import CovarianceOperator, FeatureMap
from gramian._core.operators.gram import CenteredGram, DenseGram
from gramian._core.operators.moments import moments
from gramian._core.operators.rows import CentredRows, DeviceRows, RowsInPlace, SparseRows, rows_for
from gramian._core.operators.tiled import TiledGram
from gramian._core.pairs import Points
from gramian.kernels import Gaussian, Linear

pytestmark = pytest.mark.slow


N, P = 17, 5
X = cloud(N, P) * [3.0, 1.0, 1.0, 0.1, 2.0] + [0.0, 5.0, -100.0, 0.0, 1.0]
SPARSE = np.where(cloud(N, P, seed=4) > 0, X, 0.0)
SPARSE[:, 2] = X[:, 2]  # a column without zeros, far from the origin
WEIGHTS = {"equal": None, "weighted": naive.weights(N, np.arange(1, N + 1))}
weighted = pytest.mark.parametrize("weight", WEIGHTS)
gaussian = naive.pairwise(naive.gaussian(4.0), X)


@weighted
@pytest.mark.parametrize(
    "gram", ["dense", "tiled", "torch", "torch tiled", "strict", "strict tiled"]
)
class TestCenteredGram(SymmetricContract):
    @pytest.fixture
    def case(self, gram, weight):
        made = {
            "dense": lambda: DenseGram(gaussian),
            "tiled": lambda: TiledGram(Gaussian(4.0), Points(X)),
            "torch": lambda: DenseGram(torch.asarray(gaussian)),
            "torch tiled": lambda: TiledGram(Gaussian(4.0), Points(torch.asarray(X))),
            "strict": lambda: DenseGram(array_api_strict.asarray(gaussian)),
            "strict tiled": lambda: TiledGram(Gaussian(4.0), Points(array_api_strict.asarray(X))),
        }[gram]()
        p = WEIGHTS[weight]
        return CenteredGram(made, p), naive.inertia_matrix(gaussian, p)


@weighted
@pytest.mark.parametrize("side", ["primal", "dual"])
@pytest.mark.parametrize("rows", ["dense", "sparse", "torch", "strict", "wide", "near"])
class TestCovarianceOperator(SymmetricContract):
    @pytest.fixture
    def case(self, rows, side, weight):
        p = WEIGHTS[weight]
        values = {"sparse": SPARSE, "wide": np.hstack([X] * 5), "near": cloud(N, P)}.get(rows, X)
        factor = np.linspace(0.5, 2.0, values.shape[1])
        convert = {"torch": torch.asarray, "strict": array_api_strict.asarray}.get(rows, np.asarray)
        table = sparse.csr_array(values) if rows == "sparse" else convert(values)
        w = None if p is None else convert(p)
        A = CovarianceOperator(table, moments(table, w, cross=False), convert(factor), p, side)
        F = naive.features(values, p) * factor
        root = np.sqrt(naive.weights(N, p))[:, None] * F
        return A, root.T @ root if side == "primal" else root @ root.T


def test_the_two_sides_have_one_spectrum():
    m, factor = moments(X, cross=False), np.ones(P)
    primal = CovarianceOperator(X, m, factor, None, "primal").dense()
    dual = CovarianceOperator(X, m, factor, None, "dual").dense()
    values = np.linalg.eigvalsh(primal)
    np.testing.assert_allclose(np.linalg.eigvalsh(dual)[-P:], values, rtol=1e-10)


@pytest.mark.parametrize(
    ("table", "side", "kind"),
    [
        (sparse.csr_array(SPARSE), "primal", SparseRows),
        (sparse.csr_array(SPARSE), "dual", SparseRows),
        (cloud(N, P), "primal", RowsInPlace),
        (cloud(N, P).astype("f4"), "primal", CentredRows),
        (cloud(N, P) + 1e3, "primal", CentredRows),
        (cloud(N, P), "dual", CentredRows),
        (torch.asarray(cloud(N, P)), "primal", DeviceRows),
        (array_api_strict.asarray(cloud(N, P)), "dual", DeviceRows),
    ],
    ids=lambda x: getattr(x, "__name__", None) or (x if isinstance(x, str) else type(x).__name__),
)
def test_the_form_that_costs_least_is_chosen(table, side, kind):
    m = moments(table, cross=False)
    assert type(rows_for(table, m, m.unit, None, side)) is kind


def test_products_with_rows_in_place_on_either_side():
    """The operator never asks for the other side of them; whoever does gets the same numbers."""
    Y, V = cloud(N, P), cloud(N, 2, seed=1)
    m = moments(Y, cross=False)
    rows = rows_for(Y, m, np.ones(P), None, "primal")
    F = naive.features(Y) / np.sqrt(N)
    np.testing.assert_allclose(rows.product(V, "dual"), F @ (F.T @ V), atol=1e-13)
    np.testing.assert_allclose(rows.rmatmul(V), F.T @ V, atol=1e-13)


def test_sparse_rows_stay_sparse_in_the_operator():
    rows = sparse.csr_array(SPARSE)
    A = CovarianceOperator(rows, moments(rows, cross=False), np.ones(P), None, "primal")
    assert sparse.issparse(A.rows.Y) and A.rows.Y.nnz <= rows.nnz


def centre(c, cross):
    """The centred kernel from a block k(new, training), (m, n)."""
    return cross - (cross @ c.p)[:, None] - c.means[None, :] + c.grand


def test_centering_of_new_points_uses_the_training_means():
    p, Y = WEIGHTS["weighted"], cloud(4, P, seed=3)
    A = CenteredGram(TiledGram(Linear(), Points(X)), p)
    mean = p @ X
    expected = (Y - mean) @ (X - mean).T
    np.testing.assert_allclose(centre(A.centering, Y @ X.T), expected, rtol=1e-8, atol=1e-8)
    far = A.centering.distance2((Y @ X.T) @ p, (Y**2).sum(axis=1))
    np.testing.assert_allclose(far, ((Y - mean) ** 2).sum(axis=1), rtol=1e-8)


def test_the_centred_gram_of_the_training_points_is_the_twin():
    p = WEIGHTS["weighted"]
    A = CenteredGram(DenseGram(gaussian), p)
    np.testing.assert_allclose(
        centre(A.centering, gaussian), naive.centred(gaussian, p), atol=1e-14
    )
    np.testing.assert_allclose(A.diag(), np.diag(naive.centred(gaussian, p)), atol=1e-14)


def test_a_point_at_the_barycentre_has_no_negative_squared_distance():
    K = np.ones((4, 4))
    A = CenteredGram(DenseGram(K * (1 - 1e-16)))
    assert (A.diag() >= 0).all()


@weighted
def test_scores_and_coefficients(weight):
    p = WEIGHTS[weight]
    A = CenteredGram(DenseGram(gaussian), p)
    values, U = naive.eigh(naive.inertia_matrix(gaussian, p))
    values, U = values[:3], U[:, :3]
    expected = naive.kernel_pca(gaussian, 3, p)[1]
    scores = A.scores(A.matmul(U), values)
    np.testing.assert_allclose(scores, expected, atol=1e-12)
    projected = naive.centred(gaussian, p) @ A.coefficients(U, values)
    np.testing.assert_allclose(projected, expected, atol=1e-12)


def test_null_axes_have_null_coefficients():
    A = CenteredGram(DenseGram(gaussian))
    U = np.linalg.qr(cloud(N, 2))[0]
    assert np.array_equal(A.coefficients(U, np.zeros(2)), np.zeros((N, 2)))


def test_feature_map_takes_the_mean_off_in_two_steps():
    """At an offset of 1e8 the mean, rounded to a double, is wrong by 1e-8."""
    Z = np.round(cloud(41, 2) * 2**20) / 2**20
    m = moments(Z + 2.0**27)
    features = FeatureMap(m, np.ones(2), Z)(Z + 2.0**27)
    np.testing.assert_allclose(features, Z - Z.mean(axis=0), rtol=0, atol=1e-15)
    assert np.abs((Z + 2.0**27) - (Z + 2.0**27).mean(axis=0) - features).max() > 1e-10


@pytest.mark.parametrize("kind", ["dense", "sparse", "torch"])
def test_feature_map_projects_blocks_of_rows(kind, monkeypatch):
    from gramian._core.operators import feature

    monkeypatch.setattr(feature, "_BLOCK_ENTRIES", 3 * P)
    convert = {"dense": np.asarray, "sparse": sparse.csr_array, "torch": torch.asarray}[kind]
    rows = convert(SPARSE)
    factor, V = np.linspace(0.5, 2.0, P), cloud(P, 2)
    if kind == "torch":
        factor, V = torch.asarray(factor), torch.asarray(V)
    data = rows.data if kind == "sparse" else rows
    Z, far = FeatureMap(moments(rows), factor, data).project(rows, V)
    F = naive.features(SPARSE) * to_numpy(factor)
    np.testing.assert_allclose(to_numpy(Z), F @ to_numpy(V), atol=1e-12)
    np.testing.assert_allclose(to_numpy(far), (F**2).sum(axis=1), rtol=1e-12)


def test_the_inertia_of_single_precision_is_summed_in_double_precision():
    """2²⁴ on the diagonal and 511 ones, which a sum in single precision would drop."""
    K = np.diag(np.r_[2.0**24, np.ones(511)]).astype("f4")
    total = 2.0**24 + 511
    inertia = gm.KernelPCA(1, kernel="precomputed").fit(K).inertia_
    assert inertia == pytest.approx(total / 512 - total / 512**2, rel=1e-9)
