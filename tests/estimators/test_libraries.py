"""Every estimator on every array library: NumPy's numbers, in the library of the rows."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tests.libraries import tables_agree

import gramian as gm

RNG = np.random.default_rng(0)
X = RNG.standard_normal((30, 4)) * [1.0, 2.0, 3.0, 4.0] + 1.0
NEW = RNG.standard_normal((5, 4))
HEIGHT = X[:, 0] + RNG.standard_normal(30)
SIDE = np.where(HEIGHT > 1.0, "high", "low")
NUMBERS = pd.DataFrame({"height": HEIGHT})
GROUPS = pd.DataFrame({"side": SIDE})

BELL = gm.kernels.Gaussian(3.0)
K, K_NEW = BELL.pairwise(X), BELL.pairwise(NEW, X)
D, D_NEW = gm.distances.euclidean(X), gm.distances.euclidean(NEW, X)


class Case(NamedTuple):
    """An estimator, the rows it is fitted to and rows it has not seen."""

    estimator: Any
    rows: np.ndarray = X
    new: np.ndarray = NEW
    target: np.ndarray | None = None


NYSTROM, FOURIER = gm.Nystrom(10, random_state=0), gm.RandomFourier(10, random_state=0)
READABLE = {
    "PCA": Case(gm.PCA(2)),
    "PCA, scaled": Case(gm.PCA(2, scale=True)),
    "PCA, dense": Case(gm.PCA(2, solver="dense")),
    "PCA, krylov": Case(gm.PCA(2, solver="krylov")),
    "KernelPCA": Case(gm.KernelPCA(2)),
    "KernelPCA, krylov": Case(gm.KernelPCA(2, solver="krylov")),
    "KernelPCA, linear": Case(gm.KernelPCA(2, kernel="linear")),
    "KernelPCA, span": Case(gm.KernelPCA(2, formulation="span")),
    "KernelPCA, Nystrom": Case(gm.KernelPCA(2, approximation=NYSTROM)),
    "KernelPCA, RandomFourier": Case(gm.KernelPCA(2, approximation=FOURIER)),
    "KernelPCA, precomputed": Case(gm.KernelPCA(2, kernel="precomputed"), K, K_NEW),
    "ClassicalMDS": Case(gm.ClassicalMDS(2)),
    "ClassicalMDS, precomputed": Case(gm.ClassicalMDS(2, metric="precomputed"), D, D_NEW),
    "MDS": Case(gm.MDS(2, random_state=0)),
    "MDS, precomputed": Case(gm.MDS(2, metric="precomputed", random_state=0), D, D_NEW),
    "MultiKernelPCA": Case(gm.MultiKernelPCA(2, kernels={"line": "linear", "bell": "gaussian"})),
}
TRANSFORMERS = READABLE | {"Nystrom": Case(NYSTROM), "RandomFourier": Case(FOURIER)}
PREDICTORS = {
    "KernelLogisticRegression": Case(gm.KernelLogisticRegression(), target=SIDE),
    "PrincipalComponentRegression": Case(gm.PrincipalComponentRegression(2), target=HEIGHT),
    "PrincipalComponentClassifier": Case(gm.PrincipalComponentClassifier(2), target=SIDE),
}
CASES = TRANSFORMERS | PREDICTORS


@cache
def by_numpy(name):
    """The fit that the others are compared with."""
    case = CASES[name]
    return clone(case.estimator).fit(case.rows, case.target)


def summaries_agree(actual, expected):
    """Not their texts: a resolved scale stands there with all its digits, the last one rounded."""
    assert (actual.title, set(actual.facts)) == (expected.title, set(expected.facts))
    tables_agree(actual.eigenvalues, expected.eigenvalues)
    for name, table in expected.tables.items():
        tables_agree(actual.tables[name], table)


@cache
def fit(name, library):
    case = CASES[name]
    return clone(case.estimator).fit(library.array(case.rows), case.target)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRANSFORMERS)
def test_new_rows_are_placed_in_their_own_library(name, library):
    new = CASES[name].new
    placed = fit(name, library).transform(library.array(new))
    library.agree(placed, by_numpy(name).transform(new))


@pytest.mark.slow
@pytest.mark.parametrize("name", TRANSFORMERS)
def test_fit_transform(name, library):
    case = CASES[name]
    placed = clone(case.estimator).fit_transform(library.array(case.rows))
    library.agree(placed, clone(case.estimator).fit_transform(case.rows))


@pytest.mark.slow
@pytest.mark.parametrize("name", READABLE)
def test_the_fit_itself(name, library):
    """Coordinates stay in the library; what is small and read by people is NumPy's."""
    actual, expected = fit(name, library), by_numpy(name)
    library.agree(actual.coordinates_, expected.coordinates_)
    for attribute in ("eigenvalues_", "inertia_ratio_"):
        value = getattr(actual, attribute)
        assert isinstance(value, np.ndarray)
        np.testing.assert_allclose(value, getattr(expected, attribute), rtol=1e-9)
    assert isinstance(actual.inertia_, float)
    assert actual.inertia_ == pytest.approx(expected.inertia_, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", READABLE)
def test_the_tables_of_a_fit(name, library):
    actual, expected = fit(name, library), by_numpy(name)
    tables_agree(actual.individuals(), expected.individuals())
    tables_agree(actual.categories(GROUPS), expected.categories(GROUPS))
    tables_agree(actual.variables(NUMBERS), expected.variables(NUMBERS))
    summaries_agree(actual.summary(), expected.summary())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in READABLE if "KernelPCA, pre" not in name])
def test_the_table_of_new_rows(name, library):
    new = CASES[name].new
    actual = fit(name, library).individuals(library.array(new))
    tables_agree(actual, by_numpy(name).individuals(new))


@pytest.mark.parametrize("name", ["PCA", "PCA, scaled", "KernelPCA", "MultiKernelPCA"])
def test_the_way_back(name, library):
    actual, expected = fit(name, library), by_numpy(name)
    # A pre-image is an optimum, exact to the tolerance of its iteration.
    rtol = 1e-9 if name.startswith("PCA") else 1e-6
    back = actual.inverse_transform(actual.transform(library.array(NEW)))
    library.agree(back, expected.inverse_transform(expected.transform(NEW)), rtol=rtol)


@pytest.mark.parametrize("name", PREDICTORS)
def test_predictions_are_numpy_for_any_library(name, library):
    """Classes are words, which only NumPy holds; so are numbers, for the sake of one answer."""
    actual, expected = fit(name, library), by_numpy(name)
    new, target = library.array(NEW), CASES[name].target
    for method in ("predict", "predict_proba", "decision_function"):
        if hasattr(expected, method):
            value, theirs = getattr(actual, method)(new), getattr(expected, method)(NEW)
            assert isinstance(value, np.ndarray)
            if value.dtype.kind == "f":
                np.testing.assert_allclose(value, theirs, rtol=1e-6, atol=1e-9)
            else:
                assert np.array_equal(value, theirs)
    assert actual.score(library.array(X), target) == pytest.approx(expected.score(X, target))


def test_metrics_that_only_scipy_knows_are_refused_in_words(library):
    estimator = gm.ClassicalMDS(2, metric="cityblock", correction="lingoes")
    if library.kind is np.ndarray:
        library.agree(estimator.fit_transform(library.array(X)), estimator.fit_transform(X))
        return
    with pytest.raises(gm.errors.InputError, match="metric='cityblock' needs NumPy data"):
        estimator.fit(library.array(X))
