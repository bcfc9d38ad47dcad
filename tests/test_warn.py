"""Warnings point at the line of the caller."""

import warnings

import numpy as np
import pytest

import gramian as gm

LINE = np.arange(12.0)[:, None]
HALVES = np.repeat([0, 1], 6)
CIRCLE = np.column_stack([np.cos(LINE), np.sin(LINE)])


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


@pytest.mark.parametrize(
    ("call", "category"),
    [
        (lambda: gm.KernelLogisticRegression(penalty=0.0).fit(LINE, HALVES), "SeparationWarning"),
        (lambda: gm.networks.infer(np.c_[LINE, LINE**2, np.ones(12)]), "ConstantColumnWarning"),
        (lambda: gm.stability.bootstrap(gm.PCA(2), CIRCLE, n_resamples=20), "TiedAxesWarning"),
    ],
    ids=["logistic", "networks", "stability"],
)
def test_a_study_warns_at_the_line_of_its_caller(call, category):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    own = [w for w in caught if w.category.__name__ == category]
    assert own and all(w.filename == __file__ for w in own)
