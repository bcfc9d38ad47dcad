"""Means of conditions taken off: the correlations of deviations, with the freedom they have."""

import numpy as np
import pytest
from scipy import stats

import gramian as gm
from gramian.errors import InputError
from gramian.networks.contrasts import contrasts, rows_of, without_means
from gramian.networks.resampling import Unit, trim_contrasts

CODES = np.array([0, 1, 0, 2, 1, 0, 2, 1, 0])


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(9, 4)) + 1e6 * CODES[:, None]


def deviations(X):
    means = np.array([X[c == CODES].mean(axis=0) for c in range(3)])
    return X - means[CODES]


def test_the_correlations_are_those_of_the_deviations(X):
    table = without_means(X, CODES)
    assert table.shape == (7, 4)
    np.testing.assert_allclose(table.mean(axis=0), 0.0, atol=1e-9)
    D = deviations(X)
    np.testing.assert_allclose(table.T @ table, D.T @ D, rtol=1e-8)


def test_contrasts_are_independent_and_of_the_same_variance():
    n = 6
    H, _ = contrasts(np.eye(n), np.zeros(n))
    np.testing.assert_allclose(H @ H.T, np.eye(n - 1), atol=1e-12)
    np.testing.assert_allclose(H.sum(axis=1), 0.0, atol=1e-12)
    Z = np.random.default_rng(1).normal(size=(4, 3))
    np.testing.assert_allclose(contrasts(rows_of(Z), np.zeros(5))[0], Z, atol=1e-12)
    pair, owner = contrasts(np.array([[1.0], [3.0], [10.0]]), np.array([0, 0, 1]))
    assert pair.round(3).tolist() == [[-1.414]] and owner.tolist() == [0]


def test_samples_that_are_far_out_come_nearer():
    X = np.array([[1.0], [2.0], [3.0], [50.0], [4.0]])
    near = np.array([[2.0], [2.0], [3.0], [4.0], [4.0]])
    Z, owner = trim_contrasts(X, np.zeros(5))
    np.testing.assert_allclose(Z, contrasts(near, np.zeros(5))[0])
    assert len(owner) == 4


def test_units_make_the_tables_they_promise(X):
    rows = np.array([0, 1, 2, 4])
    D = X[rows] - np.array([X[[0, 2]].mean(axis=0), X[[1, 4]].mean(axis=0)])[[0, 1, 0, 1]]
    table = Unit("all", X, CODES).table(rows)
    np.testing.assert_allclose(table.T @ table, D.T @ D, rtol=1e-8)
    Z, _ = contrasts(X, CODES)
    unit = Unit("all", Z, np.zeros(len(Z), dtype=int), lost=1)
    assert unit.table(np.array([0, 3])).shape == (3, 4)


def test_p_values_are_those_of_the_freedom_that_is_left(X):
    net = gm.networks.infer(X, condition=CODES, threshold=0.0, shrinkage=0.0)
    r = np.corrcoef(deviations(X).T)[np.triu_indices(4, 1)]
    np.testing.assert_allclose(net.weights, r, rtol=1e-7)
    df = 9 - 3 - 1
    t = np.abs(r) * np.sqrt(df / (1 - r**2))
    np.testing.assert_allclose(net.edges["p_value"], 2 * stats.t.sf(t, df), rtol=1e-6)


@pytest.mark.slow
def test_different_levels_are_no_links():
    """p-values of independent genes stay uniform, however far apart the conditions are."""
    rng = np.random.default_rng(2)
    small = 0
    for _ in range(20):
        X = rng.normal(size=(8, 20)) + 5 * np.repeat(rng.normal(size=(2, 20)), 4, axis=0)
        net = gm.networks.infer(X, condition=np.repeat([0, 1], 4), threshold=0.0)
        small += int((net.edges["p_value"] <= 0.05).sum())
    assert abs(small - 0.05 * 20 * 190) < 4 * np.sqrt(0.05 * 0.95 * 20 * 190)


@pytest.mark.slow
def test_the_first_example_finds_what_was_planted():
    plants = gm.datasets.gene_expression(600)
    condition = plants.groups["temperature"].astype(str) + plants.groups["co2"].astype(str)
    true = {frozenset(pair) for pair in plants.truth["edges"][["source", "target"]].to_numpy()}

    def share(network):
        pairs = [frozenset(pair) for pair in network.edges[["source", "target"]].to_numpy()]
        return np.mean([pair in true for pair in pairs]), len(pairs)

    found, count = share(gm.networks.infer(plants.data, condition=condition))
    assert found >= 0.9 and count >= 300
    assert share(gm.networks.infer(plants.data))[0] < 0.1


def test_too_few_samples_for_so_many_conditions_are_refused(X):
    with pytest.raises(InputError, match="3 conditions for 4 rows"):
        gm.networks.infer(X[:4], condition=[0, 1, 2, 2])
    with pytest.raises(InputError, match="8 labels for 9 rows"):
        gm.networks.infer(X, condition=CODES[:8])
