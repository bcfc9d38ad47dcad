"""scikit-learn's own contract, for every estimator, with no expected failures."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import gramian as gm
from gramian._estimators.rotated import Rotated

# Some of the checks' own data have equal eigenvalues, fewer axes than the default asks for, L1
# distances that are not Euclidean, classes that are separated, or rows without counts.
pytestmark = [
    pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.RankWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.SeparationWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.EmptyProfileWarning"),
]


@pytest.fixture(autouse=True)
def array_api(monkeypatch):
    """Without this scikit-learn skips its check of arrays of another library."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")


@pytest.mark.slow
@parametrize_with_checks([gm.PCA(), gm.KernelPCA(), gm.ClassicalMDS()])
def test_estimator_contract(estimator, check):
    check(estimator)


# One check gives every estimator random numbers, which are no categories.
NOT_CODES = {"check_sample_weight_equivalence_on_dense_data": "the numbers are no codes"}


@pytest.mark.slow
@parametrize_with_checks(
    [gm.CA(), gm.MCA(), gm.FAMD(), gm.MFA()],
    expected_failed_checks=lambda est: NOT_CODES if isinstance(est, gm.MCA) else {},
)
def test_factor_methods(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [
        gm.PCA(scale=True),
        Rotated(gm.PCA()),
        gm.Design(),
        gm.SparsePCA(),
        gm.SparsePCA(2, n_nonzero=1, scale=True),
        gm.RobustPCA(),
        gm.RobustPCA(method="spherical"),
        gm.RobustPCA(method="pursuit"),
        gm.KernelPCA(kernel="linear"),
        gm.KernelPCA(formulation="span"),
        gm.KernelPCA(approximation=gm.Nystrom()),
        gm.Nystrom(5),
        gm.RandomFourier(6),
        gm.MultiKernelPCA(),
        gm.MultiKernelPCA(kernels={"line": "linear", "bell": "gaussian"}),
        gm.MultiKernelPCA(kernels={"line": "linear", "bell": "gaussian"}, combine="sparse-umkl"),
        gm.KernelLogisticRegression(),
        gm.KernelLogisticRegression(0.1, kernel="linear", approximation=gm.Nystrom()),
        gm.PrincipalComponentRegression(),
        gm.PrincipalComponentRegression("cv", n_folds=3),
        gm.PrincipalComponentClassifier(),
        gm.PrincipalComponentClassifier("cv", penalty=1.0, n_folds=3),
    ]
)
def test_estimators_with_options(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [
        gm.ClassicalMDS(solver="dense"),
        gm.ClassicalMDS(metric="cityblock"),
        gm.MDS(),
        gm.MDS(1, n_init=1),
        gm.MDS(scaling="interval", n_init=1),
        gm.MDS(scaling="ordinal", n_init=1),
        gm.MDS(loss="sstress", n_init=1),
    ]
)
def test_estimators_of_distances(estimator, check):
    check(estimator)
