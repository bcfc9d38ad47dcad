"""Several kernels: RV, neighbours, roughness and weights against plain loops."""

import itertools

import numpy as np
import pytest

from gramian._core.operators.gram import CenteredGram, DenseGram
from gramian._core.operators.several import (
    inner_products,
    neighbour_graph,
    ridge_weights,
    roughness,
    rv_matrix,
    sparse_weights,
    statis_weights,
)
from gramian.errors import InputError


def grams(n, B, seed, rank=4):
    rng = np.random.default_rng(seed)
    return [F @ F.T for F in rng.standard_normal((B, n, rank))]


def weights_of(n, seed):
    p = np.random.default_rng(seed).uniform(0.5, 2.0, n)
    return p / p.sum()


def centred(K, p):
    """K̃ by its definition, one entry at a time."""
    n = len(K)
    m = [sum(p[j] * K[i, j] for j in range(n)) for i in range(n)]
    g = sum(p[i] * m[i] for i in range(n))
    return np.array([[K[i, j] - m[i] - m[j] + g for j in range(n)] for i in range(n)])


@pytest.mark.parametrize("weighted", [False, True])
def test_inner_products_are_traces(weighted):
    n = 17
    Ks = grams(n, 3, 0)
    p = weights_of(n, 1) if weighted else np.full(n, 1 / n)
    found = inner_products([CenteredGram(DenseGram(K), p if weighted else None) for K in Ks])
    A = [np.sqrt(np.outer(p, p)) * centred(K, p) for K in Ks]
    truth = [[np.trace(a @ b) / np.trace(a) / np.trace(b) for b in A] for a in A]
    np.testing.assert_allclose(found, truth, rtol=1e-12)


def test_rv_of_linear_kernels_is_the_rv_of_tables():
    """Escoufier's coefficient, from cross-covariances."""
    rng = np.random.default_rng(3)
    X, Y = rng.standard_normal((20, 3)), rng.standard_normal((20, 2))
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    truth = np.sum((X.T @ Y) ** 2) / np.sqrt(np.sum((X.T @ X) ** 2) * np.sum((Y.T @ Y) ** 2))
    found = rv_matrix(inner_products([CenteredGram(DenseGram(Z @ Z.T)) for Z in (X, Y)]))
    np.testing.assert_allclose(found, [[1, truth], [truth, 1]], rtol=1e-12)


def naive_graph(Ks, k):
    n = len(Ks[0])
    W = np.zeros((n, n))
    for K in Ks:
        near = np.zeros((n, n), dtype=bool)
        for i in range(n):
            d = [K[i, i] + K[j, j] - 2 * K[i, j] if j != i else np.inf for j in range(n)]
            near[i, np.argsort(d)[:k]] = True
        W += near | near.T
    return W


def test_the_graph_of_neighbours():
    Ks = grams(23, 3, 5)
    found = neighbour_graph([CenteredGram(DenseGram(K)) for K in Ks], 4)
    np.testing.assert_array_equal(found.toarray(), naive_graph(Ks, 4))


def test_ties_do_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(2)
    n = 30
    groups = np.eye(3)[rng.integers(0, 3, n)]
    Z = rng.standard_normal((n, 2))
    Ks = [groups @ groups.T, Z @ Z.T]
    order = rng.permutation(n)
    W = neighbour_graph([CenteredGram(DenseGram(K)) for K in Ks], 3).toarray()
    moved = [CenteredGram(DenseGram(K[np.ix_(order, order)])) for K in Ks]
    np.testing.assert_array_equal(neighbour_graph(moved, 3).toarray(), W[np.ix_(order, order)])


@pytest.mark.parametrize("weighted", [False, True])
def test_roughness_is_the_sum_over_neighbours(weighted):
    n = 15
    Ks = grams(n, 3, 7)
    p = weights_of(n, 8) if weighted else np.full(n, 1 / n)
    W = naive_graph(Ks, 3)
    parts = [CenteredGram(DenseGram(K), p if weighted else None) for K in Ks]
    found = roughness(parts, neighbour_graph(parts, 3))
    C = [centred(K, p) for K in Ks]
    S = np.zeros((3, 3))
    for a, b in itertools.product(range(3), repeat=2):
        for i, j in itertools.product(range(n), repeat=2):
            da, db = C[a][i] - C[a][j], C[b][i] - C[b][j]
            S[a, b] += W[i, j] * p[i] * p[j] * np.sum(p * da * db)
    d = np.sqrt(np.diag(S))
    np.testing.assert_allclose(found, S / np.outer(d, d), rtol=1e-11)


def simplex(B, steps):
    """All points of the simplex on a grid."""
    for cut in itertools.product(range(steps + 1), repeat=B - 1):
        if sum(cut) <= steps:
            yield np.array([*cut, steps - sum(cut)]) / steps


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_no_other_weights_are_better(seed, ridge):
    F = np.random.default_rng(seed).standard_normal((3, 4)) + 0.7
    S = rv_matrix(F @ F.T)
    w = ridge_weights(S, ridge)
    assert w.min() >= 0
    assert w.sum() == pytest.approx(1.0, abs=1e-14)

    def cost(v):
        return v @ S @ v + ridge * v @ v

    assert cost(w) <= min(cost(v) for v in simplex(3, 60)) + 1e-12


def test_sparse_weights_leave_kernels_out_and_the_ridge_brings_them_back():
    S = np.array([[1.0, 0.9, 0.2], [0.9, 1.0, 0.1], [0.2, 0.1, 1.0]])
    assert sparse_weights(S)[0] == 0.0
    assert ridge_weights(S, 1.0).min() > 0.1
    np.testing.assert_allclose(ridge_weights(S, 1e6), np.full(3, 1 / 3), atol=1e-6)


def test_weights_on_a_sphere_would_choose_one_kernel():
    """Why the penalty: with |β| = 1 in place of Σβ = 1, the least βᵀSβ is at a corner."""
    S = rv_matrix(inner_products([CenteredGram(DenseGram(K)) for K in grams(30, 3, 1)]))
    assert S.min() > 0
    on_sphere = [v / np.linalg.norm(v) for v in simplex(3, 40)]
    best = min(on_sphere, key=lambda v: v @ S @ v)
    assert np.count_nonzero(best) == 1


def test_statis_weights_are_the_first_eigenvector():
    rv = np.array([[1.0, 0.8, 0.1], [0.8, 1.0, 0.2], [0.1, 0.2, 1.0]])
    w = statis_weights(rv)
    v = np.ones(3)
    for _ in range(2000):
        v = rv @ v / np.linalg.norm(rv @ v)
    np.testing.assert_allclose(w, v / v.sum(), rtol=1e-12)


def test_kernels_that_have_nothing_in_common_weigh_the_same():
    np.testing.assert_allclose(statis_weights(np.eye(4)), np.full(4, 0.25), atol=1e-15)


def test_statis_refuses_negative_weights():
    with pytest.raises(InputError, match="indefinite"):
        statis_weights(np.array([[1.0, -0.5], [-0.5, 1.0]]))
