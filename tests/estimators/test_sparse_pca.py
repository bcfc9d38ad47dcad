"""SparsePCA: PCA with all variables, brute force with few, adjusted inertias, short lists."""

from itertools import combinations

import numpy as np
import pytest
from benchmarks.sparse_lists import counts

import gramian as gm
from gramian.errors import InputError


@pytest.fixture
def X():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 7)) * [3, 2, 2, 1, 1, 1, 1]
    X[:, 3:5] += 2.0 * rng.standard_normal((40, 1))
    return X


@pytest.mark.parametrize("scale", [False, True])
def test_with_all_variables_it_is_pca(X, scale):
    sparse, dense = gm.SparsePCA(3, n_nonzero=7, scale=scale).fit(X), gm.PCA(3, scale=scale).fit(X)
    assert np.allclose(sparse.eigenvalues_, dense.eigenvalues_)
    assert np.allclose(np.abs(sparse.components_), np.abs(dense.components_), atol=1e-6)
    assert np.allclose(np.abs(sparse.coordinates_), np.abs(dense.coordinates_), atol=1e-5)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_first_axis_is_the_best_of_k_variables(X, k):
    C = np.cov(X.T, bias=True)
    best = max(np.linalg.eigvalsh(C[np.ix_(s, s)])[-1] for s in combinations(range(7), k))
    assert np.isclose(gm.SparsePCA(1, n_nonzero=k).fit(X).eigenvalues_[0], best, rtol=1e-9)


def test_inertias_are_what_regression_on_the_scores_explains(X):
    fit = gm.SparsePCA(3, n_nonzero=3).fit(X)
    F = X - X.mean(axis=0)
    S = np.asarray(fit.coordinates_)
    for k in (1, 2, 3):
        rest = S[:, k - 1] - S[:, : k - 1] @ np.linalg.lstsq(S[:, : k - 1], S[:, k - 1])[0]
        assert np.isclose(fit.eigenvalues_[k - 1], (rest**2).mean())
    assert np.allclose(S, F @ np.asarray(fit.components_).T)
    assert (fit.n_nonzero_ == 3).all() and fit.inertia_ratio_.sum() < 1


def test_a_share_takes_as_few_variables_as_it_needs(X):
    fit = gm.SparsePCA(1, n_nonzero=0.8).fit(X)
    k, most = int(fit.n_nonzero_[0]), gm.PCA(1).fit(X).eigenvalues_[0]
    assert fit.eigenvalues_[0] >= 0.8 * most
    assert k == 1 or gm.SparsePCA(1, n_nonzero=k - 1).fit(X).eigenvalues_[0] < 0.8 * most


def test_readings_are_those_of_the_span(X):
    fit = gm.SparsePCA(3, n_nonzero=4).fit(X)
    V = np.linalg.qr(np.asarray(fit.components_).T)[0]
    F = X - X.mean(axis=0)
    expected = ((F @ V) ** 2).sum(axis=1) / (F**2).sum(axis=1)
    assert np.allclose(fit.individuals()["quality", 3], expected)
    assert np.allclose(fit.individuals(X[:2])["quality", 3], expected[:2])
    assert np.allclose(fit.inverse_transform(fit.coordinates_), F @ V @ V.T + X.mean(axis=0))
    assert np.isclose(
        fit.reconstruction_error().total.iloc[3],
        (F**2).sum(axis=1).mean() * (1 - (F @ V @ V.T**1 * F).sum() / (F**2).sum()),
    )
    assert np.allclose(fit.individuals()["contribution"].drop(columns="total").sum(), 1.0)


def test_weights_new_rows_and_saving(X, tmp_path):
    w = np.arange(40) % 3
    one = gm.SparsePCA(2, n_nonzero=3).fit(X, sample_weight=w)
    two = gm.SparsePCA(2, n_nonzero=3).fit(np.repeat(X, w, axis=0))
    assert np.allclose(one.components_, two.components_, atol=1e-8)
    assert np.allclose(one.transform(X), one.coordinates_)
    gm.save(one, tmp_path / "s.gramian")
    assert np.array_equal(gm.load(tmp_path / "s.gramian").transform(X), one.transform(X))


def test_errors(X):
    for wrong, match in (
        ({"n_nonzero": 8}, "n_nonzero"),
        ({"n_nonzero": 1.5}, "n_nonzero"),
        ({"n_components": 9}, "n_components"),
    ):
        with pytest.raises(InputError, match=match):
            gm.SparsePCA(**wrong).fit(X)
    with pytest.raises(InputError, match="constant"):
        gm.SparsePCA().fit(np.ones((4, 3)))
    with pytest.raises(InputError, match="limits"):
        gm.SparsePCA().fit(X).limits()
    with pytest.raises(InputError, match="false_names"):
        gm.SparsePCA().fit(X).select(false_names=0.0)
    with pytest.raises(InputError, match="sample_weight"):
        gm.SparsePCA().fit(X, sample_weight=np.arange(40)).select()


@pytest.mark.slow
def test_a_slice_of_the_simulation():
    out = np.array([counts("100 × 50, two axes of 5", 1.0, seed) for seed in range(6)])
    assert out[:, 0].mean() <= 1.5 and out[:, 1].mean() > 0.8


def test_the_bound_is_that_of_shah_and_samworth():
    X = np.random.default_rng(0).standard_normal((30, 40))
    table = gm.SparsePCA(1).fit(X).select(false_names=1.0, n_resamples=100, random_state=0)
    factor = 4 * (1 - 0.9 + 1 / 100) / (1 + 1 / 50)  # of k² / p, B = 50 pairs
    k = int(np.sqrt(40 / factor))
    assert np.isclose(table.attrs["expected_false"], factor * k**2 / 40)
    assert np.isclose(table["frequency"].sum(), k)  # every half names k variables
