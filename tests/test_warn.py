"""Warnings point at the line of the caller."""

import warnings

import numpy as np
import pytest

import gramian as gm


@pytest.mark.parametrize(
    ("estimator", "category"),
    [
        (gm.PCA(scale=True), gm.errors.ConstantColumnWarning),
        (gm.PCA(3), gm.errors.RankWarning),
        (gm.KernelPCA(6, kernel="linear"), gm.errors.RankWarning),
    ],
    ids=repr,
)
def test_a_warning_stands_at_the_line_that_called_fit(estimator, category):
    X = np.column_stack([np.arange(6.0), np.arange(6.0) ** 2, np.ones(6)])
    X = np.column_stack([X, np.ones((6, 3))])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X)
    own = [w for w in caught if issubclass(w.category, category)]
    assert own and all(w.filename == __file__ for w in own)
