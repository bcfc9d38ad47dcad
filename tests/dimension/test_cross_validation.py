"""Cross-validation: FactoMineR's numbers, naive twins, and tables of known rank."""

import numpy as np
import pytest
from tests.outside._reference import array, load

from gramian import dimension

from .designs import DATA, planted

ESTIM = load("factominer/estim_ncp.json")["results"]


@pytest.mark.parametrize("data", list(DATA))
@pytest.mark.parametrize("method", ["GCV", "Smooth"])
@pytest.mark.parametrize("scaling", ["std", "cov"])
def test_is_that_of_estim_ncp(data, method, scaling):
    expected = ESTIM[f"{data}_{method}_{scaling}"]
    found = dimension.cross_validation(DATA[data](), method=method.lower(), scale=scaling == "std")
    np.testing.assert_allclose(found.criterion, array(expected["criterion"]), rtol=1e-8)
    assert found.n_components == expected["ncp"]


def test_bi_cross_validation_is_the_naive_one():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 7))
    X -= X.mean(axis=0)
    found = dimension.bi_cross_validation(X, n_repeats=1, random_state=4)
    again = np.random.default_rng(4)
    rows, columns = again.permutation(12) % 2, again.permutation(7) % 2
    expected = np.zeros(3)
    for i in range(2):
        for j in range(2):
            r, c = rows == i, columns == j
            U, s, Vt = np.linalg.svd(X[~r][:, ~c], full_matrices=False)
            for q in range(3):
                inverse = (Vt[:q].T / s[:q]) @ U[:, :q].T
                guess = X[r][:, ~c] @ inverse @ X[~r][:, c]
                expected[q] += np.sum((X[r][:, c] - guess) ** 2) / X.size
    np.testing.assert_allclose(found.criterion, expected, rtol=1e-10)
    assert found.n_components == np.argmin(expected)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["gcv", "smooth", "em", "bcv"])
@pytest.mark.parametrize("shape", [(60, 15), (50, 80)])
def test_finds_two_strong_axes(method, shape):
    rng = np.random.default_rng(2)
    X = planted(rng, *shape, [40.0, 30.0], rng.standard_normal(shape))
    if method == "bcv":
        assert dimension.bi_cross_validation(X).n_components == 2
    else:
        assert dimension.cross_validation(X, method=method).n_components == 2


def test_em_predicts_the_cells_it_did_not_see():
    """With a table of rank 1 and no noise, one axis predicts every cell."""
    rng = np.random.default_rng(1)
    X = np.outer(rng.standard_normal(30), rng.uniform(1, 2, 8))
    criterion = dimension.cross_validation(X, method="em", max_components=1).criterion
    assert criterion[1] < 1e-6 * criterion[0]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda X: dimension.cross_validation(X, method="loo"), "method"),
        (lambda X: dimension.cross_validation(X, max_components=0), "max_components"),
        (lambda X: dimension.cross_validation(X, method="em", n_folds=1), "n_folds"),
        (lambda X: dimension.cross_validation(X[:2]), "3 rows"),
        (lambda X: dimension.cross_validation(np.ones((5, 3))), "constant"),
        (lambda X: dimension.bi_cross_validation(X, n_folds=1), "n_folds"),
        (lambda X: dimension.bi_cross_validation(X, n_repeats=0), "n_repeats"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(ValueError, match=words):
        call(np.random.default_rng(0).standard_normal((10, 4)))
