"""A share of importance means something beside what noise has."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError


def ring(rng, n, p):
    X = rng.standard_normal((n, p))
    angle = 2.0 * np.pi * rng.random(n)
    X[:, :2] = 1.4 * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + 0.1 * rng.standard_normal((n, p))


def p_values(X, q, rng, **options):
    fit = gm.KernelPCA(q, kernel=gm.kernels.Gaussian(scale=2.5)).fit(X)
    return gm.importance.gradient(fit, n_noise=19, random_state=rng, **options)["p_value", ""]


@pytest.mark.slow
def test_columns_of_noise_go_with_nothing():
    # 12 tables of 4 columns at 5 %: of 48, more than 8 has a chance of 1 in 1,000.
    rng, claims = np.random.default_rng(0), 0
    for _ in range(12):
        X = rng.standard_normal((24, 4))
        X[:, 0] = rng.lognormal(size=24)
        claims += (p_values(X, 2, rng) <= 0.05).sum()
    assert claims <= 8


@pytest.mark.slow
def test_the_columns_of_clusters_go_together():
    rng, others = np.random.default_rng(1), 0
    for _ in range(4):
        X = rng.standard_normal((50, 6))
        X[:, :2] += 5.0 * (np.arange(50) % 2)[:, None]
        p = p_values((X - X.mean(axis=0)) / X.std(axis=0), 1, rng)
        assert (p[:2] == 0.05).all()
        others += (p[2:] <= 0.05).sum()
    assert others <= 4


@pytest.mark.slow
def test_the_level_is_that_of_shuffled_tables():
    # Of columns that are alike each has the same share of noise.
    X = np.random.default_rng(2).standard_normal((60, 5))
    table = gm.importance.gradient(gm.PCA(1, scale=True).fit(X), n_noise=200, random_state=0)
    assert np.allclose(table["noise", "mean"], 0.2, atol=0.05)
    assert (table["noise", "largest"] > 0.5).all()


@pytest.mark.slow
def test_the_table_is_the_same_beside_what_noise_adds():
    frame = pd.DataFrame(ring(np.random.default_rng(2), 40, 4), columns=list("abcd"))
    fit = gm.KernelPCA(2).fit(frame)
    plain = gm.importance.gradient(fit)
    table = gm.importance.gradient(fit, n_noise=5, random_state=0)
    pd.testing.assert_frame_equal(table[plain.columns], plain)
    noise = table["noise"]
    assert (noise["largest"] >= noise["mean"]).all() and np.isclose(noise["mean"].sum(), 1.0)
    assert table["p_value", ""].between(1 / 6 - 1e-12, 1.0).all()
    again = gm.importance.gradient(fit, n_noise=5, random_state=0)
    pd.testing.assert_frame_equal(table, again)


@pytest.mark.slow
def test_turning_axes_and_principal_axes_have_noise_too():
    X = ring(np.random.default_rng(3), 30, 4)
    for fit in (gm.PCA(2, scale=True).fit(X), gm.KernelPCA(2).fit(X)):
        table = gm.importance.permutation(fit, n_permutations=2, n_noise=3, random_state=0)
        assert np.isclose(table["noise", "mean"].sum(), 1.0)
    with pytest.raises(InputError, match="n_noise"):
        gm.importance.gradient(fit, n_noise=-1)
