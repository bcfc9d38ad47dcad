"""scikit-learn's own contract, for every estimator, with no expected failures."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import gramian as gm

# Some of the checks' own data have equal eigenvalues, or fewer axes than the default asks for.
pytestmark = [
    pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.RankWarning"),
]


@parametrize_with_checks(
    [
        gm.PCA(),
        gm.PCA(scale=True),
        gm.KernelPCA(),
        gm.KernelPCA(kernel="linear"),
        gm.KernelPCA(formulation="span"),
        gm.KernelPCA(approximation=gm.Nystrom()),
        gm.Nystrom(5),
        gm.RandomFourier(6),
        gm.ClassicalMDS(),
    ]
)
def test_estimator_contract(estimator, check):
    check(estimator)
