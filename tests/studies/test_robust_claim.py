"""A study says when a few rows have turned the first axes."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm


def table(wild):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((90, 6))
    X[:, :2] += 2.0 * rng.standard_normal((90, 1))
    X[:wild, 2:] += 30.0 * np.array([1.0, -1.0, 1.0, -1.0])
    return pd.DataFrame(X).add_prefix("c")


@pytest.mark.slow
@pytest.mark.parametrize("wild", [0, 9])
def test_robust_axes_that_differ_are_stated(wild):
    claims = [c for c in gm.study(table(wild)).claims if c.subject == "robust"]
    assert len(claims) == (wild > 0)
    for each in claims:
        assert not each.tested and each.effect < 0.8 and "robuste" in each.say("fr")


@pytest.mark.slow
def test_robust_kernel_pca_is_a_pipeline():
    from sklearn.pipeline import make_pipeline

    rng = np.random.default_rng(0)
    Z = rng.standard_normal((80, 3)) * [4.0, 2.0, 0.3]
    Z[:8, 2] += 30.0
    kernel = gm.kernels.Polynomial(degree=2, offset=1.0, scale=1.0)
    robust = make_pipeline(gm.KernelPCA(kernel=kernel), gm.RobustPCA(1)).fit(Z)
    classical = gm.KernelPCA(1, kernel=kernel).fit(Z)
    truth = Z[8:, 0] ** 2  # the largest feature of the rows that are not wild
    r = [abs(np.corrcoef(f.transform(Z)[8:, 0], truth)[0, 1]) for f in (robust, classical)]
    assert r[0] > 0.95 > 0.8 > r[1]
