"""Iterated PCA: the plain loop, fixed points, offsets, stacks, rows without a weight."""

import numpy as np
import pytest
from tests.imputation.naive import plain

from gramian._estimators.imputation.iterate import Filler, Metric, Recipe, complete, filler_of


def holed(seed=0, n=30, p=6, q=2, share=0.15, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, q)) @ rng.standard_normal((q, p))
    X = (X + noise * rng.standard_normal(X.shape)) * np.geomspace(1.0, 20.0, p) + 3.0
    X[rng.random(X.shape) < share] = np.nan
    X[np.isnan(X).all(axis=1), 0] = 0.0
    return X


def numbers(p, scale=True):
    return Metric(np.full(p, -1), scale)


def even(*shape):
    return np.full(shape, 1.0 / shape[-1])


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(30, 6), (9, 20), (12, 11)])
@pytest.mark.parametrize("scale", [True, False])
def test_the_plain_loop(shape, scale):
    X = holed(n=shape[0], p=shape[1])
    done = complete(X[None], even(1, len(X)), Recipe(2, numbers(shape[1], scale)))
    table, fitted = plain(X, 2, scale=scale, stop=1e-16)
    sd = np.nanstd(X, axis=0)
    np.testing.assert_allclose((done.values[0] - table) / sd, 0.0, atol=2e-6)
    ours = done.filler.reconstruct(done.values)[0]
    np.testing.assert_allclose((ours - fitted) / sd, 0.0, atol=2e-6)


@pytest.mark.parametrize("method", ["regularized", "em"])
def test_what_is_filled_in_is_what_the_axes_say(method):
    X = holed()
    done = complete(X[None], even(1, 30), Recipe(2, numbers(6), method))
    whole, sd = done.values[0], np.nanstd(X, axis=0)
    again = done.filler.single().fill(X)
    np.testing.assert_allclose((again - whole) / sd, 0.0, atol=1e-6)
    one_by_one = np.vstack([done.filler.single().fill(row[None]) for row in X])
    np.testing.assert_allclose(one_by_one, again, rtol=1e-12)


@pytest.mark.slow
def test_filling_rows_is_the_end_of_iterating_with_the_same_axes():
    X = holed(3)
    filler = complete(X[None], even(1, 30), Recipe(2, numbers(6))).filler.single()
    new = holed(9)[:5]
    by_steps = np.where(np.isnan(new), filler.mean, new)
    for _ in range(2000):
        by_steps = np.where(np.isnan(new), filler.reconstruct(by_steps), new)
    np.testing.assert_allclose(filler.fill(new), by_steps, rtol=1e-9)


def test_an_offset_costs_no_digits():
    X = holed()
    near = complete(X[None], even(1, 30), Recipe(2, numbers(6))).values
    far = complete(X[None] + 2.0**26, even(1, 30), Recipe(2, numbers(6))).values - 2.0**26
    np.testing.assert_allclose(far, near, atol=1e-5)


@pytest.mark.slow
def test_a_stack_is_its_tables_one_by_one():
    tables = np.array([holed(seed) for seed in range(5)])
    w = even(5, 30)
    together = complete(tables, w, Recipe(1, numbers(6), tol=1e-10))
    for k in range(5):
        alone = complete(tables[k : k + 1], w[:1], Recipe(1, numbers(6), tol=1e-10))
        np.testing.assert_allclose(together.values[k], alone.values[0], atol=1e-7)
        assert together.converged[k]


def test_whole_weights_are_repeated_rows_up_to_the_count_in_the_noise():
    X = holed()
    counts = np.arange(30) % 3 + 1
    weighted = complete(X[None], (counts / counts.sum())[None], Recipe(2, numbers(6), "em"))
    rows = np.repeat(np.arange(30), counts)
    many = complete(X[rows][None], even(1, len(rows)), Recipe(2, numbers(6), "em"))
    np.testing.assert_allclose(many.values[0], weighted.values[0][rows], atol=1e-4)


def test_a_row_of_weight_0_is_filled_in_and_moves_nothing():
    X = holed()
    w = np.r_[np.zeros(1), np.full(29, 1.0 / 29)]
    done = complete(X[None], w[None], Recipe(2, numbers(6)))
    alone = complete(X[None, 1:], even(1, 29), Recipe(2, numbers(6)))
    np.testing.assert_allclose(done.values[0, 1:], alone.values[0], atol=1e-5)
    placed = alone.filler.single().fill(X[:1])
    np.testing.assert_allclose(done.values[0, :1], placed, atol=1e-4)


def test_a_constant_column_gets_its_constant():
    X = holed()
    X[:, 2] = 0.1
    X[4, 2] = np.nan
    done = complete(X[None], even(1, 30), Recipe(2, numbers(6)))
    assert done.values[0, 4, 2] == pytest.approx(0.1, abs=1e-15)
    assert np.isfinite(done.values).all()


@pytest.mark.slow
def test_low_rank_without_noise_is_found_again():
    rng = np.random.default_rng(0)
    whole = rng.standard_normal((40, 2)) @ rng.standard_normal((2, 8)) + 5.0
    X = np.where(rng.random(whole.shape) < 0.2, np.nan, whole)
    done = complete(X[None], even(1, 40), Recipe(2, numbers(8, scale=False), tol=1e-10))
    np.testing.assert_allclose(done.values[0], whole, atol=1e-6)


def test_shares_of_a_question_sum_to_1():
    rng = np.random.default_rng(1)
    question = np.array([0, 0, 0, 1, 1, 2, 2])
    blocks = [np.eye(3)[rng.integers(3, size=50)], *(np.eye(2)[rng.integers(2, size=(2, 50))])]
    X = np.concatenate(blocks, axis=1)
    for k in range(3):
        X[np.ix_(rng.random(50) < 0.2, question == k)] = np.nan
    done = complete(X[None], even(1, 50), Recipe(2, Metric(question))).values[0]
    for k in range(3):
        np.testing.assert_allclose(done[:, question == k].sum(axis=1), 1.0, atol=1e-10)


def test_a_mixture_without_holes_is_the_analysis_of_mixed_data():
    import pandas as pd

    import gramian as gm

    rng = np.random.default_rng(2)
    number, level = rng.standard_normal((40, 2)), rng.integers(3, size=40)
    X = np.column_stack([number, np.eye(3)[level]])
    mixed = Recipe(2, Metric(np.array([-1, -1, 0, 0, 0])), "em")
    scores = filler_of(X[None], even(1, 40), mixed).single().scores(X)
    frame = pd.DataFrame(number, columns=["a", "b"]).assign(c=pd.Categorical(level).astype(str))
    theirs = gm.FAMD(2).fit(frame).coordinates_
    np.testing.assert_allclose(np.abs(scores), np.abs(theirs), atol=1e-10)


def test_without_shrinkage_a_row_that_leaves_an_axis_open_has_no_score_on_it():
    filler = Filler(np.zeros(3), np.ones(3), np.eye(3)[:, :2], np.ones(2))
    filled = filler.fill(np.array([[np.nan, 2.0, np.nan]]))
    np.testing.assert_allclose(filled, [[0.0, 2.0, 0.0]])


def test_without_axes_rows_get_means():
    filler = Filler(np.array([1.0, 2.0]), np.ones(2), np.zeros((2, 0)), np.zeros(0))
    assert filler.fill(np.array([[np.nan, 5.0]])).tolist() == [[1.0, 5.0]]
