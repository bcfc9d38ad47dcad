"""scikit-learn's own contract, for the methods that start from distances."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import gramian as gm

# The checks' own data have few columns, equal eigenvalues, and L1 distances that are not Euclidean.
pytestmark = [
    pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.RankWarning"),
    pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning"),
]


@parametrize_with_checks(
    [
        gm.ClassicalMDS(solver="dense"),
        gm.ClassicalMDS(metric="cityblock"),
        gm.MDS(),
        gm.MDS(1),
        gm.MDS(scaling="interval"),
        gm.MDS(scaling="ordinal"),
        gm.MDS(loss="sstress"),
    ]
)
def test_estimator_contract(estimator, check):
    check(estimator)
