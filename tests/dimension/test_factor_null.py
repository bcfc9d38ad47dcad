"""Parallel analysis of counts and of groups of columns: what stays, what is drawn, its level."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian._reading.correspondence import Counts, counts_null
from gramian.errors import InputError

GROUPS = {"u": ["u0", "u1", "u2"], "v": ["v0", "v1", "v2"]}


def independent(rng, n=200):
    return rng.multinomial(n, np.outer([0.4, 0.3, 0.2, 0.1], [0.35, 0.3, 0.2, 0.15]).ravel())


def two_groups(rng, shared):
    """Groups of three columns, each along an axis of its own, or along a common one."""
    u, v = rng.standard_normal((2, 40))
    v = u if shared else v
    X = np.column_stack([u, u, u, v, v, v]) + 0.5 * rng.standard_normal((40, 6))
    return pd.DataFrame(X, columns=GROUPS["u"] + GROUPS["v"])


def axes(estimator, X, seed):
    test = gm.dimension.parallel_analysis(
        X, estimator=estimator, n_permutations=39, random_state=seed
    )
    return test.n_components


def test_drawn_tables_have_the_margins_of_the_counts():
    N = np.array([[5, 0, 3], [1, 7, 2], [0, 4, 9], [2, 2, 2]])
    rows, p = gm.CA()._rows_and_weights(N, None)
    assert rows.reader == Counts(37.0)
    null = counts_null(rows, p)
    np.testing.assert_array_equal(null.values, N.T)
    np.testing.assert_allclose(null.observed[:2], gm.CA().fit(N).eigenvalues_, rtol=1e-10)
    drawn = np.array([null.draw(null.values, seed) for seed in range(400)])
    assert (drawn.sum(axis=1) == N.sum(axis=1)).all() and (drawn.sum(axis=2) == N.sum(axis=0)).all()
    expected = np.outer(N.sum(axis=0), N.sum(axis=1)) / N.sum()
    assert np.abs(drawn.mean(axis=0) - expected).max() < 0.3


# Of 100 tests at 5 %, more than 11 are rejected with a chance below 1 in 200.
@pytest.mark.slow
def test_independent_counts_have_no_axis_above_noise():
    rng = np.random.default_rng(0)
    tables = [independent(rng).reshape(4, 4) for _ in range(100)]
    assert sum(axes(gm.CA(), N, k) > 0 for k, N in enumerate(tables)) <= 11


@pytest.mark.slow
def test_one_tie_of_counts_is_one_axis():
    rng = np.random.default_rng(1)
    r = np.array([0.4, 0.3, 0.2, 0.1])
    a = np.array([1.0, 0.0, 0.0, 1.0]) - 0.5  # of mean 0 with these weights
    tie = np.outer(r, r) * (1.0 + np.outer(a, a))
    tables = [rng.multinomial(900, tie.ravel()).reshape(4, 4) for _ in range(20)]
    found = [axes(gm.CA(), N, k) for k, N in enumerate(tables)]
    assert min(found) >= 1 and np.mean(np.array(found) == 1) >= 0.8


@pytest.mark.slow
def test_groups_that_have_nothing_to_do_with_each_other_share_no_axis():
    rng = np.random.default_rng(2)
    tables = [two_groups(rng, shared=False) for _ in range(40)]
    found = [axes(gm.MFA(groups=GROUPS), X, k) for k, X in enumerate(tables)]
    assert np.count_nonzero(found) <= 6  # 2 expected; more has a chance below 1 in 300


def test_groups_share_the_axis_that_they_have_in_common():
    rng = np.random.default_rng(3)
    assert [axes(gm.MFA(groups=GROUPS), two_groups(rng, shared=True), k) for k in range(5)] == [
        1
    ] * 5


@pytest.mark.slow
def test_one_group_is_drawn_by_columns():
    X = two_groups(np.random.default_rng(4), shared=True)
    one = gm.dimension.parallel_analysis(gm.MFA().fit(X), n_permutations=39, random_state=0)
    pca = gm.dimension.parallel_analysis(X, scale=True, n_permutations=39, random_state=0)
    first = pca.eigenvalues[0]  # by which the one group is divided
    np.testing.assert_allclose(one.eigenvalues[:6], pca.eigenvalues[:6] / first, rtol=1e-9)
    assert one.n_components == pca.n_components == 1


@pytest.mark.parametrize("null", ["normal", "signflip"])
def test_categories_and_counts_have_no_signs(null):
    with pytest.raises(InputError, match="must be 'permutation' here"):
        gm.dimension.parallel_analysis(gm.CA().fit([[5, 1], [2, 7], [3, 3]]), null=null)


@pytest.mark.slow
def test_amounts_that_count_nothing_are_not_drawn():
    amounts = np.random.default_rng(5).random((8, 4))
    with pytest.raises(InputError, match="does not hold whole numbers"):
        gm.CA("parallel").fit(amounts)
    assert "parallel" not in gm.dimension.choose(gm.CA().fit(amounts)).index
    assert "parallel" in gm.dimension.choose(gm.CA().fit(np.rint(100 * amounts))).index


def test_weights_are_repeated_rows():
    N = np.array([[5, 0, 3], [1, 7, 2], [0, 4, 9], [2, 2, 2]])
    rows, p = gm.CA()._rows_and_weights(N, [2.0, 1.0, 1.0, 3.0])
    np.testing.assert_array_equal(counts_null(rows, p).values.sum(), N.sum(axis=1) @ [2, 1, 1, 3])
    with pytest.raises(InputError, match="whole numbers"):
        counts_null(*gm.CA()._rows_and_weights(N, [0.5, 0.3, 0.1, 0.7]))


def test_a_saved_fit_is_drawn_as_before(tmp_path):
    fit = gm.CA(1).fit([[5, 1, 4], [2, 7, 1], [3, 3, 9]])
    gm.save(fit, tmp_path / "ca.gramian")
    again = gm.load(tmp_path / "ca.gramian")
    p = [
        gm.dimension.parallel_analysis(f, n_permutations=39, random_state=0).p_values
        for f in (fit, again)
    ]
    np.testing.assert_array_equal(*p)
