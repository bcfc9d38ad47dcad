"""Parameters out of their range are refused by name; so is what does not fit the fitted data."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import gramian as gm

from .refusals import ESTIMATORS, assert_same_fit, refuses

X = np.random.default_rng(46).standard_normal((12, 4))
MAKERS = {
    "PCA": gm.PCA,
    "KernelPCA": gm.KernelPCA,
    "KernelPCA dense": lambda **o: gm.KernelPCA(solver="dense", **o),
    "KernelPCA krylov": lambda **o: gm.KernelPCA(solver="krylov", **o),
    "ClassicalMDS": gm.ClassicalMDS,
}
BAD_COUNTS = {
    **{repr(q): q for q in (0, -1, 100, True, False, 1.0, 1.5, 0.0, -0.1, 2.0)},
    "nan": float("nan"),
    "inf": float("inf"),
    "name": "nonsense",
    "empty name": "",
    "np.True_": np.True_,
    "np.int64(0)": np.int64(0),
    "np.float64(1.5)": np.float64(1.5),
    "list": [2],
    "complex": 2j,
}


@pytest.mark.parametrize("value", BAD_COUNTS)
@pytest.mark.parametrize("method", MAKERS)
def test_n_components_out_of_range(method, value):
    refuses(lambda: MAKERS[method](n_components=BAD_COUNTS[value]).fit(X), "n_components")


@pytest.mark.parametrize("shape", [(12, 4), (4, 12)])
def test_pca_has_at_most_as_many_axes_as_rows_and_columns(shape):
    refuses(lambda: gm.PCA(n_components=5).fit(X.reshape(shape)), "n_components", "5")
    refuses(lambda: gm.PCA(n_components=5).fit([X[:6], X[6:]]), "n_components", "5")


@pytest.mark.parametrize("value", [np.int64(2), np.int8(2)])
@pytest.mark.parametrize("method", MAKERS)
def test_numpy_integers_are_integers(method, value):
    reference = MAKERS[method](n_components=2).fit(X)
    assert_same_fit(MAKERS[method](n_components=value).fit(X), reference)


@pytest.mark.parametrize("value", [0.8, np.float64(0.8), np.float32(0.8)])
@pytest.mark.parametrize("method", ["PCA", "KernelPCA", "KernelPCA dense"])
def test_a_fraction_is_a_threshold_of_inertia(method, value):
    est = MAKERS[method](n_components=value).fit(X)
    ratio = np.cumsum(est.inertia_ratio_)
    assert ratio[-1] >= value - 1e-7
    assert len(ratio) == 1 or ratio[-2] < value
    assert est.n_components_ == len(ratio)


# argument: (call, words)
BAD_PARAMETERS = {
    "PCA scale": (lambda: gm.PCA(scale="yes").fit(X), "scale"),
    "PCA solver": (lambda: gm.PCA(solver="nonsense").fit(X), "solver"),
    "PCA column_weight length": (lambda: gm.PCA(column_weight=[1, 2]).fit(X), "column_weight"),
    "PCA column_weight negative": (lambda: gm.PCA(column_weight=[1, -1, 1, 1]).fit(X), "column_w"),
    "PCA column_weight nan": (lambda: gm.PCA(column_weight=[1, np.nan, 1, 1]).fit(X), "column_w"),
    "PCA column_weight zero": (lambda: gm.PCA(column_weight=[0, 0, 0, 0]).fit(X), "column_w"),
    "kernel name": (lambda: gm.KernelPCA(kernel="nonsense").fit(X), "kernel"),
    "kernel None": (lambda: gm.KernelPCA(kernel=None).fit(X), "kernel"),
    "kernel number": (lambda: gm.KernelPCA(kernel=3).fit(X), "kernel"),
    "kernel class": (lambda: gm.KernelPCA(kernel=gm.kernels.Gaussian).fit(X), "kernel"),
    "indefinite": (lambda: gm.KernelPCA(indefinite="nonsense").fit(X), "indefinite"),
    "formulation": (lambda: gm.KernelPCA(formulation="nonsense").fit(X), "formulation"),
    "approximation": (lambda: gm.KernelPCA(approximation="nonsense").fit(X), "approximation"),
    "solver": (lambda: gm.KernelPCA(solver="nonsense").fit(X), "solver"),
    "tol negative": (lambda: gm.KernelPCA(tol=-1.0, solver="krylov").fit(X), "tol"),
    "tol nan": (lambda: gm.KernelPCA(tol=np.nan, solver="krylov").fit(X), "tol"),
    "memory word": (lambda: gm.KernelPCA(memory="plenty").fit(X), "memory"),
    "memory negative": (lambda: gm.KernelPCA(memory=-1).fit(X), "memory"),
    "memory zero": (lambda: gm.KernelPCA(memory=0).fit(X), "memory"),
    "random_state": (lambda: gm.KernelPCA(random_state="x", solver="krylov").fit(X), "random"),
    "metric": (lambda: gm.ClassicalMDS(metric="nonsense").fit(X), "metric"),
    "correction": (lambda: gm.ClassicalMDS(correction="nonsense").fit(X), "correction"),
    "MDS solver": (lambda: gm.ClassicalMDS(solver="nonsense").fit(X), "solver"),
}


@pytest.mark.parametrize("case", BAD_PARAMETERS)
def test_other_parameters_out_of_range(case):
    refuses(*BAD_PARAMETERS[case])


@pytest.mark.parametrize("scale", [0, 0.0, -1.0, np.inf, np.nan, "nonsense", None, 1j])
@pytest.mark.parametrize("kernel", ["Gaussian", "Exponential", "Matern", "RationalQuadratic"])
def test_the_scale_of_a_kernel(kernel, scale):
    options = {"nu": 1.5} if kernel == "Matern" else {}
    make = lambda: getattr(gm.kernels, kernel)(scale=scale, **options)  # noqa: E731
    refuses(lambda: gm.KernelPCA(n_components=2, kernel=make()).fit(X), "scale")
    refuses(lambda: make().pairwise(X, X), "scale")


@pytest.mark.parametrize("gamma", [0.0, -1.0, np.inf, np.nan])
def test_gamma_of_a_gaussian(gamma):
    refuses(lambda: gm.kernels.Gaussian.from_gamma(gamma).pairwise(X, X))


def test_pairs_of_equal_rows_do_not_make_the_median_zero():
    rows = np.zeros((20, 2))
    rows[0] = 1.0
    est = gm.KernelPCA(n_components=1).fit(rows)
    assert_same_fit(est, gm.KernelPCA(n_components=1, kernel=gm.kernels.Gaussian(1.0)).fit(rows))


@pytest.mark.parametrize("method", ESTIMATORS)
def test_other_column_names_at_transform(method):
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    est = ESTIMATORS[method]().fit(frame)
    refuses(lambda: est.transform(frame.rename(columns={"b": "z"})), "z")
    refuses(lambda: est.transform(frame[["b", "a", "c", "d"]]), "order")


@pytest.mark.parametrize("method", ESTIMATORS)
def test_transform_before_fit(method):
    with pytest.raises(NotFittedError):
        ESTIMATORS[method]().transform(X)


def check_budget(n, n_components, memory):
    """The error comes before the Gram matrix of n rows is computed."""
    pairs = []

    def linear(A, B):
        pairs.append(len(A) * len(B))
        return A @ B.T

    rows = np.random.default_rng(47).standard_normal((n, 3))
    with pytest.raises(gm.errors.MemoryBudgetError) as caught:
        gm.KernelPCA(n_components, kernel=linear, memory=memory).fit(rows)
    assert sum(pairs) <= 64 * n  # blocks along the diagonal
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, MemoryError)
    message = str(caught.value)
    assert len(message) <= 400
    assert "memory" in message
    return message


def test_a_dense_solve_over_budget_is_refused_at_once():
    message = check_budget(20_000, None, "100MB")
    assert "GB" in message or "GiB" in message or "000" in message


@pytest.mark.parametrize("memory", ["1KB", "1 kB", 1000])
def test_a_budget_that_holds_nothing_is_refused(memory):
    check_budget(2000, 2, memory)
