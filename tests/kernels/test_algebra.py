"""Kernels made of kernels: what is closed, what psd becomes, what is refused."""

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from tests.contracts.kernel import cloud

import gramian as gm
from gramian import kernels as k
from gramian._core.pairs import Points
from gramian.errors import ZeroRowWarning

X, Y = cloud(), cloud(7, seed=9)
G, L = k.Gaussian(1.3), k.Polynomial(2, 1.0)


def matrices(kernel):
    return kernel.pairwise(X, Y)


LAWS = {
    "a + b = b + a": (G + L, L + G),
    "a b = b a": (G * L, L * G),
    "(a + b) c = a c + b c": ((G + L) * k.Cosine(), G * k.Cosine() + L * k.Cosine()),
    "2 a = a + a": (2 * G, G + G),
    "a 2 = 2 a": (G * 2, 2 * G),
    "a + 1 = 1 + a": (G + 1, 1 + G),
    "a^2 = a a": (L**2, L * L),
    "a^1 = a": (L**1, L),
    "exp(a + b) = exp(a) exp(b)": ((G + k.Cosine()).exp(), G.exp() * k.Cosine().exp()),
    "exp(0) = 1": ((0 * G).exp(), k.Constant(1.0)),
    "1 + 2a + 3a^2": (G.polynomial([1, 2, 3]), 1 + 2 * G + 3 * G**2),
    "polynomial is a polynomial of linear": (
        k.Polynomial(2, 1.0),
        k.Linear().polynomial([1, 2, 1]),
    ),
    "cosine is linear, normalized": (k.Cosine(), k.Linear().normalized()),
    "normalizing twice": (L.normalized().normalized(), L.normalized()),
    "a factor does not outlive normalization": ((5 * L).normalized(), L.normalized()),
    "gaussian of a product of scales": (k.Gaussian(1.3).on(lambda X: X / 2), k.Gaussian(2.6)),
    "gaussian from linear": (
        (k.Linear() * (1 / 1.3**2)).exp().normalized(),
        k.Gaussian(1.3),
    ),
    "matern 1/2 is exponential": (k.Matern(nu=0.5, scale=2.0), k.Exponential(scale=2.0)),
    "matern inf is gaussian": (k.Matern(nu=np.inf, scale=2.0), k.Gaussian(scale=2.0)),
    "laplacian of one column is exponential": (
        k.Laplacian(2.0).on(lambda X: X[:, :1]),
        k.Exponential(2.0).on(lambda X: X[:, :1]),
    ),
    "a sum from Python's sum": (sum([G, L, k.Cosine()]), G + L + k.Cosine()),
}


@pytest.mark.parametrize("law", LAWS)
def test_laws(law):
    left, right = LAWS[law]
    np.testing.assert_allclose(matrices(left), matrices(right), rtol=1e-12)
    np.testing.assert_allclose(left.diag(X), right.diag(X), rtol=1e-12)
    np.testing.assert_allclose(left.pairwise(X), right.pairwise(X), rtol=1e-12)


def test_numpy_numbers_multiply_from_both_sides():
    np.testing.assert_allclose(matrices(np.float64(2) * G), 2 * matrices(G), rtol=1e-15)
    np.testing.assert_allclose(matrices(G * np.int64(2)), 2 * matrices(G), rtol=1e-15)


@pytest.mark.slow
def test_a_numpy_integer_is_a_whole_exponent():
    np.testing.assert_allclose(matrices(L ** np.int64(2)), matrices(L) ** 2, rtol=1e-14)


@pytest.mark.parametrize(
    "kernel",
    [
        k.Polynomial(2, np.float64(1.0)),
        k.Sigmoid(np.float64(0.5)),
        k.Linear().polynomial(np.array([1.0, 2.0])),
        np.float64(2.0) * k.Linear(),
    ],
    ids=repr,
)
def test_double_parameters_leave_float32_points_alone(kernel):
    """Grid search sets parameters from NumPy arrays of doubles."""
    assert kernel.pairwise(X.astype("f4")).dtype == np.float32


unknown, indefinite = k.Callback(lambda X, Y: X @ Y.T), k.Sigmoid()
PSD = [
    (G + L, True),
    (G + indefinite, None),
    (G + unknown, None),
    (G * L, True),
    (2 * G, True),
    (G * indefinite, None),
    (indefinite * indefinite, None),
    (G**3, True),
    (unknown**3, None),
    (G.exp(), True),
    (indefinite.exp(), None),
    (G.polynomial([0, 1]), True),
    (unknown.polynomial([0, 1]), None),
    (G.on(abs), True),
    (indefinite.on(abs), None),
    (G.normalized(), True),
    (unknown.normalized(), None),
    (k.Callback(lambda X, Y: X @ Y.T, psd=True) + G, True),
    (gm.kernels.Columns(G, [0]), True),
    (gm.kernels.Columns(indefinite, [0]), None),
    (k.Polynomial(3, 0.0), True),
    (k.Polynomial(3, -1.0), None),
    (k.Precomputed(np.eye(3)), None),
    (gm.kernels.FromDistance("euclidean"), True),
    (gm.kernels.FromDistance("cityblock"), False),  # its square is not of negative type
    (indefinite, False),
]


@pytest.mark.parametrize(("kernel", "expected"), PSD)
def test_psd_is_carried_along(kernel, expected):
    assert kernel.psd is expected


def test_the_sigmoid_is_indeed_indefinite():
    values = np.linalg.eigvalsh(k.Sigmoid(offset=-1.0).pairwise(X))
    assert values[0] < -0.01 * values[-1]


def test_a_negative_offset_is_indeed_indefinite():
    assert np.linalg.eigvalsh(k.Polynomial(3, -1.0).pairwise(X / 10))[0] < -0.1


REFUSED = {
    "a negative factor": lambda: -1 * G,
    "a negative factor on the right": lambda: G * -0.5,
    "a negative shift": lambda: G + -1.0,
    "a factor that is no number": lambda: G * float("nan"),
    "an infinite factor": lambda: float("inf") * G,
    "True as a factor": lambda: True * G,
    "the power zero": lambda: G**0,
    "a negative power": lambda: G**-1,
    "a fractional power": lambda: G**0.5,
    "True as a power": lambda: G**True,
    "no coefficient": lambda: G.polynomial([]),
    "a negative coefficient": lambda: G.polynomial([1, -1]),
    "a coefficient that is no number": lambda: G.polynomial([float("nan")]),
    "an infinite coefficient": lambda: G.polynomial([float("inf")]),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_would_leave_the_cone_is_refused(what):
    with pytest.raises(gm.errors.InputError) as caught:
        REFUSED[what]()
    assert len(str(caught.value)) <= 400


@pytest.mark.parametrize(
    "what",
    [lambda: G - G, lambda: -G, lambda: G / 2, lambda: G @ G],
    ids=["difference", "negation", "division", "matmul"],
)
def test_operations_that_do_not_exist(what):
    with pytest.raises(TypeError):
        what()


INDEFINITE_IN_ALL_BUT_NAME = {
    "constant": (0.5 * G, {"left__value": -1.0}),
    "power": (G**2, {"exponent": -1}),
    "coefficients": (G.polynomial([1, 2]), {"coefs": (-1.0,)}),
}


@pytest.mark.parametrize("case", INDEFINITE_IN_ALL_BUT_NAME)
def test_set_params_is_no_way_around_a_refusal(case):
    kernel, params = INDEFINITE_IN_ALL_BUT_NAME[case]
    changed = clone(kernel).set_params(**params)
    for use in (changed.pairwise, gm.KernelPCA(2, kernel=changed).fit):
        with pytest.raises(gm.errors.InputError):
            use(X)


PARAMETERS = {
    "Gaussian scale": lambda value: k.Gaussian(scale=value),
    "Exponential scale": lambda value: k.Exponential(scale=value),
    "Laplacian scale": lambda value: k.Laplacian(scale=value),
    "Matern nu": lambda value: k.Matern(nu=value, scale=1.0),
    "RationalQuadratic alpha": lambda value: gm.kernels.RationalQuadratic(scale=1.0, alpha=value),
    "Polynomial scale": lambda value: k.Polynomial(scale=value),
    "Polynomial degree": lambda value: k.Polynomial(degree=value),
    "FromDistance scale": lambda value: gm.kernels.FromDistance(scale=value),
}


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), True, "wide", None], ids=repr)
@pytest.mark.parametrize("parameter", PARAMETERS)
def test_parameters_out_of_range_are_refused_when_used(parameter, value):
    with pytest.raises((gm.errors.InputError, gm.errors.InputTypeError)):
        PARAMETERS[parameter](value).pairwise(X)


@pytest.mark.parametrize(
    "kernel",
    [
        k.Polynomial(offset=float("nan")),
        k.Polynomial(offset=float("inf")),
        k.Sigmoid(scale=float("nan")),
        k.Sigmoid(offset=float("nan")),
        k.Sigmoid(scale="median"),
    ],
    ids=repr,
)
def test_parameters_that_are_no_numbers_are_refused_when_used(kernel):
    with pytest.raises((gm.errors.InputError, gm.errors.InputTypeError)):
        kernel.pairwise(X)


def test_nested_parameters_have_double_names():
    kernel = 0.5 * k.Gaussian(1.0) + k.Matern(nu=1.5, scale=2.0) ** 2
    params = kernel.get_params()
    assert params["left__left__value"] == 0.5
    assert params["left__right__scale"] == 1.0
    assert params["right__kernel__nu"] == 1.5
    kernel.set_params(left__right__scale=3.0, right__exponent=1)
    again = 0.5 * k.Gaussian(3.0) + k.Matern(nu=1.5, scale=2.0) ** 1
    assert kernel == again


def test_equality_sees_nested_parameters_and_arrays():
    assert k.Gaussian(1.3) + k.Polynomial(2, 1.0) == G + L
    assert k.Gaussian(1.4) + k.Polynomial(2, 1.0) != G + L
    assert k.Precomputed(np.eye(2)) == k.Precomputed(np.eye(2))
    assert k.Precomputed(np.eye(2)) != k.Precomputed(np.ones((2, 2)))


def test_every_part_resolves_its_own_median():
    kernel = (k.Gaussian() + k.Gaussian().on(lambda X: 10 * X)).resolve(Points(X))
    scale = kernel.get_params()["left__scale"]
    assert scale == pytest.approx(gm.kernels.median_scale(X), rel=1e-14)
    assert kernel.get_params()["right__kernel__scale"] == pytest.approx(10 * scale, rel=1e-12)


def test_normalizing_a_point_of_length_zero():
    points = np.array([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0]])
    K = k.Linear().normalized().pairwise(points)
    np.testing.assert_allclose(K, [[0, 0, 0], [0, 1, 0.6], [0, 0.6, 1]], rtol=1e-15)
    with pytest.warns(ZeroRowWarning):
        assert np.array_equal(K, k.Cosine().pairwise(points))


def test_two_normalized_kernels_with_matrices_that_print_alike():
    """The lengths of one kernel are not taken for those of another."""
    A, B = np.eye(60), np.eye(60)
    B[30:32, 30:32] = [[4.0, 1.0], [1.0, 1.0]]
    points = np.arange(60)[:, None]
    assert repr(A) == repr(B)
    both = (k.Precomputed(A).normalized() + k.Precomputed(B).normalized()).pairwise(points)
    assert both[30, 31] == 0.5


def test_a_sum_of_two_maps_keeps_them_apart():
    kernel = k.Linear().on(lambda X: X[:, :1]) + k.Linear().on(lambda X: X[:, 1:])
    np.testing.assert_allclose(kernel.pairwise(X), X @ X.T, rtol=1e-12, atol=1e-14)


def test_a_map_may_change_the_number_of_columns():
    def squares(X):
        return X**2 @ np.ones((4, 1))

    np.testing.assert_allclose(
        k.Linear().on(squares).pairwise(X, Y),
        np.outer((X**2).sum(axis=1), (Y**2).sum(axis=1)),
        rtol=1e-12,
    )


@pytest.mark.slow
def test_grid_search_sets_the_scale_of_the_kernel():
    rng = np.random.default_rng(0)
    angle, label = rng.uniform(0, 2 * np.pi, 90), np.arange(90) % 2
    points = (1.0 + 2.0 * label)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    model = make_pipeline(gm.KernelPCA(1, kernel=k.Gaussian(1.0)), KNeighborsClassifier(3))
    search = GridSearchCV(model, {"kernelpca__kernel__scale": [0.02, 1.0, 1e3]}, cv=3)
    search.fit(points, label)
    assert search.best_params_ == {"kernelpca__kernel__scale": 1.0}
    assert search.best_estimator_[0].kernel_ == k.Gaussian(1.0)
    assert search.cv_results_["mean_test_score"][1] > 0.95


def test_grid_search_over_whole_kernels_and_inside_a_sum():
    model = gm.KernelPCA(2, kernel=0.5 * k.Gaussian(1.0) + k.Linear())
    assert clone(model).set_params(kernel__left__right__scale=2.0).kernel.left.right.scale == 2.0
    assert model.kernel.left.right.scale == 1.0
    assert isinstance(model.set_params(kernel="matern").fit(X).kernel_, k.Matern)


def test_the_estimators_own_kernel_is_not_changed_by_fit():
    model = gm.KernelPCA(2, kernel=k.Gaussian())
    model.fit(X)
    assert model.kernel.scale == "median"
    assert model.kernel_.scale == pytest.approx(gm.kernels.median_scale(X), rel=1e-14)


def test_kernel_pca_of_a_composite_follows_torch():
    kernel = 0.5 * k.Gaussian(1.0) + k.Linear() ** 2
    expected = gm.KernelPCA(3, kernel=kernel).fit(X)
    fitted = gm.KernelPCA(3, kernel=kernel).fit(torch.asarray(X))
    assert isinstance(fitted.coordinates_, torch.Tensor)
    np.testing.assert_allclose(fitted.coordinates_.numpy(), expected.coordinates_, atol=1e-11)
    moved = fitted.transform(torch.asarray(Y)).numpy()
    np.testing.assert_allclose(moved, expected.transform(Y), atol=1e-11)
