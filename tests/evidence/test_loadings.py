import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.evidence import loadings
from gramian.evidence.table import axes_without

NOISE = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "t3": lambda rng, shape: rng.standard_t(3, shape),
    "lognormal": lambda rng, shape: rng.lognormal(0.0, 1.0, shape),
    "bernoulli": lambda rng, shape: (rng.random(shape) < 0.05).astype(float),
    "counts": lambda rng, shape: rng.poisson(0.3, shape).astype(float),
}


def standard(X):
    X = X - X.mean(axis=0)
    return X / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)


def planted(rng, n, p, m, size, noise="normal"):
    X = NOISE[noise](rng, (n, p))
    X[:, :m] += size * X.std() * rng.standard_normal((n, 1))
    return standard(X)


def names(tables, true, **options):
    """Return how many names there are, how many are false, and the share of true ones found."""
    rng, named = np.random.default_rng(0), []
    for X in tables:
        named += [set(loadings(X, 1, rng=rng, **options).named(1).index)]
    false = sum(len(found - set(true)) for found in named)
    hits = [len(found & set(true)) / max(len(true), 1) for found in named]
    return sum(map(len, named)), false, np.mean(hits)


# 5 % of the names are expected to be false at most: 10 % is far beyond chance in all of these.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "p", "m", "size", "count"),
    [
        (15, 600, 30, 3.0, 15),
        (40, 60, 5, 2.0, 40),
        (100, 15, 5, 1.2, 40),
        (40, 2000, 400, 1.0, 3),
        (500, 10, 2, 1.0, 20),
        (60, 10, 10, 1.0, 10),
    ],
)
def test_the_variables_that_make_an_axis_are_named_and_few_others(n, p, m, size, count):
    rng = np.random.default_rng(p)
    tables = [planted(rng, n, p, m, size) for _ in range(count)]
    total, false, hits = names(tables, range(m))
    assert false <= 0.1 * total and hits >= 0.95


@pytest.mark.slow
def test_an_axis_of_one_side_is_given_no_other():
    """30 columns go one way: the 5 % of false names must not be all that is said of the other."""
    rng, opposed = np.random.default_rng(4), 0
    for _ in range(12):
        r = loadings(planted(rng, 15, 600, 30, 2.5), 1, rng=rng).named(1)
        opposed += bool((np.sign(r) != np.sign(r.iloc[0])).any())
    assert opposed <= 3


@pytest.mark.slow
@pytest.mark.parametrize("noise", list(NOISE))
def test_noise_of_any_shape(noise):
    rng = np.random.default_rng(1)
    tables = [planted(rng, 60, 30, 6, 2.0, noise) for _ in range(30)]
    total, false, hits = names(tables, range(6))
    assert false <= 0.1 * total and hits >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(40, 60), (15, 600), (60, 8)])
def test_noise_alone_has_no_names(shape):
    rng = np.random.default_rng(2)
    tables = [standard(rng.standard_normal(shape)) for _ in range(30)]
    rng = np.random.default_rng(0)
    assert sum(len(loadings(X, 1, rng=rng).named(1)) > 0 for X in tables) <= 6


@pytest.mark.slow
def test_rows_of_unequal_variance():
    rng = np.random.default_rng(3)
    scale = np.geomspace(0.3, 3.0, 60)[:, None]
    tables = [planted(rng, 60, 20, 5, 2.0) * rng.permutation(scale) for _ in range(30)]
    total, false, hits = names(tables, range(5), scheme="sign flips")
    assert false <= 0.1 * total and hits >= 0.95


@pytest.mark.parametrize(("n", "p", "q"), [(30, 8, 2), (12, 40, 3), (9, 9, 1), (50, 3, 2)])
def test_the_axes_without_a_column_are_those_of_the_table_without_it(n, p, q):
    rng = np.random.default_rng(n)
    X = planted(rng, n, p, p // 2, 1.5)
    axes = axes_without(X, q)
    whole = np.linalg.svd(X, full_matrices=False)[0][:, :q]
    for j in range(p):
        rest = np.delete(X, j, axis=1)
        U = np.linalg.svd(rest - rest.mean(axis=0), full_matrices=False)[0][:, :q]
        # The sign of an axis of the whole table is free.
        expected = U @ (U.T @ whole)
        assert np.allclose(np.abs((axes[j] * expected.T).sum(axis=1)), (expected**2).sum(axis=0))


def test_equal_axes_and_columns_at_right_angles_do_no_harm():
    X = np.kron(np.eye(4), np.array([[1.0], [-1.0]]))
    X = np.column_stack([X, X[:, 0], np.ones(8)])
    table = loadings(X, 2, rng=np.random.default_rng(0)).table
    assert np.isfinite(table["correlation"]).all() and len(table) == 12
    assert not table.loc[(1, 5), "named"]


def test_the_correlations_are_those_of_the_fit():
    iris = gm.datasets.iris().data
    fit = gm.PCA(2, scale=True).fit(iris)
    table = loadings(standard(iris.to_numpy()), 2, rng=np.random.default_rng(0)).table
    ours = table["correlation"].unstack("axis").to_numpy()
    assert np.allclose(ours, fit.variables()["correlation"].to_numpy())
    assert table.loc[1, "named"].tolist() == [True, False, True, True]


def test_copies_count_once_and_rows_in_an_order_tell_nothing():
    rng = np.random.default_rng(0)
    X = planted(rng, 30, 20, 4, 2.0)
    thrice = np.repeat(np.arange(30), 3)
    one = loadings(X, 2, rng=rng)
    copies = loadings(X[thrice], 2, rng=rng, scheme="copies", groups_of_copies=thrice)
    assert np.allclose(copies.table["p_value"], one.table["p_value"])
    for scheme in ("blocks", "none"):
        silent = loadings(X, 2, rng=rng, scheme=scheme)
        assert silent.table["p_value"].isna().all() and not silent.table["named"].any()


@pytest.mark.slow
def test_a_large_table_is_sampled_and_a_wrong_one_refused():
    rng = np.random.default_rng(0)
    X = planted(rng, 2500, 200, 10, 1.5)
    assert set(loadings(X, 1, rng=rng).named(1).index) >= set(range(10))
    assert len(loadings(X, 0, rng=rng).table) == 0
    with pytest.raises(InputError, match="contains NaN"):
        loadings([[np.nan, 1.0]], 1, rng=rng)
    with pytest.raises(InputError, match="fdr"):
        loadings(X, 1, rng=rng, fdr=2.0)
