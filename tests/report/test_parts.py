"""The statistics of a study, against known laws and planted answers."""

import numpy as np
import pandas as pd
import pytest
from tests.report.made import normal

import gramian as gm
from gramian.report.correction import holm
from gramian.report.linearity import dependence
from gramian.report.outliers import outliers, reasons


def test_holm_against_p_adjust():
    """R 4: p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")."""
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert holm([0.9, 0.001]) == pytest.approx([0.9, 0.002])


def test_normal_tables_seldom_have_outliers():
    """5 % of tables for each of the two limits: fewer than 20 of 100, but for a chance of 1e-3."""
    count = sum(
        len(outliers(gm.PCA(4, scale=True).fit(normal(40, 5, seed)), 2)) > 0 for seed in range(100)
    )
    assert count < 20


def test_a_row_along_the_axes_and_a_row_across_them():
    X = normal(50, 8, seed=1)
    X["v1"] = X["v0"] + 0.1 * X["v1"]
    X.iloc[3, :2] = 9.0
    X.iloc[5, [6, 7]] = [9.0, -9.0]
    X["v6"] *= 0.2
    found = outliers(gm.PCA(8).fit(X), 1)
    assert found.loc["r3", "along"] > 1
    assert found.loc["r5", "across"] > 1 > found.loc["r5", "along"]
    assert {why.name for why in reasons(X, 3)} >= {"v0", "v1"}
    assert reasons(X, 5)[0].name in ("v6", "v7")


def test_axes_that_are_independent_are_called_so():
    """p-values are those of permutations: rarely small where there is nothing."""
    rng = np.random.default_rng(0)
    p = [dependence(rng.standard_normal((80, 2)), seed)[0]["p_value"].min() for seed in range(40)]
    assert np.mean(np.array(p) < 0.05) < 0.2


@pytest.mark.parametrize("shape", ["arch", "ring", "cross"])
def test_a_bend_is_seen(shape):
    rng = np.random.default_rng(0)
    t = rng.uniform(-1, 1, 200)
    noise = 0.1 * rng.standard_normal((200, 2))
    Z = {
        "arch": np.column_stack([t, t**2]),
        "ring": np.column_stack([np.cos(np.pi * t), np.sin(np.pi * t)]),
        "cross": np.column_stack([t * (t > 0.0), t * (t <= 0.0)]),
    }[shape]
    table, n = dependence(Z + noise, 0)
    assert n == 200 and table["p_value"].iloc[0] <= 0.002


def test_the_sample_of_a_large_table_is_seeded():
    Z = np.random.default_rng(0).standard_normal((3000, 2))
    first, second = dependence(Z, 5), dependence(Z, 5)
    pd.testing.assert_frame_equal(first[0], second[0])
    assert first[1] == 400
