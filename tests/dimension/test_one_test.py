"""`evidence.axes` and deflated parallel analysis are one test, and hold their level."""

import numpy as np
import pytest
from tests.evidence.designs import surely_at_most

import gramian as gm
from gramian._nulls.deflation import axis_tests

SHAPES = [(40, 8), (12, 6), (30, 50), (80, 5), (8, 4)]


def weak_axes(seed, n=40, p=8):
    """Two weak axes, columns of mean 0 and variance 1."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    for size in (1.4, 1.0):
        w = rng.standard_normal(p)
        X += size * np.outer(rng.standard_normal(n), w / np.linalg.norm(w))
    return (X - X.mean(axis=0)) / X.std(axis=0)


def counts(Z, seed, **options):
    analysis = gm.dimension.parallel_analysis(Z, method="deflated", random_state=seed, **options)
    return analysis.n_components


def disagreements(seeds):
    """Return the tables on which the two differ, with a number of draws and without."""
    out = []
    for seed in seeds:
        Z = weak_axes(seed, *SHAPES[seed % len(SHAPES)])
        axes = gm.evidence.axes(Z, rng=seed).n_axes
        if not axes == counts(Z, seed) == counts(Z, seed, n_permutations=199):
            out.append(seed)
    return out


@pytest.mark.slow
def test_both_count_the_same_axes():
    assert disagreements(range(10)) == []


@pytest.mark.slow
def test_both_count_the_same_axes_on_forty_tables():
    assert disagreements(range(10, 50)) == []


@pytest.mark.slow
def test_units_and_offsets_change_nothing():
    for seed in range(6):
        rng = np.random.default_rng(seed)
        Z = weak_axes(seed)
        X = Z * rng.uniform(0.2, 5.0, 8) + rng.normal(size=8)
        by_columns = gm.evidence.axes(X, rng=seed)
        assert by_columns.n_axes == counts(X, seed)
        analysis = gm.dimension.parallel_analysis(
            X, scale=True, method="deflated", random_state=seed
        )
        scaled = gm.evidence.axes(Z, rng=seed)
        np.testing.assert_allclose(analysis.p_values, scaled.p_values)
        np.testing.assert_allclose(analysis.eigenvalues, scaled.eigenvalues)
        np.testing.assert_allclose(analysis.reference["quantile"], scaled.reference)


@pytest.mark.slow
def test_the_null_of_signs_is_that_of_the_scheme_of_signs():
    for seed in range(4):
        Z = weak_axes(seed)
        flips = gm.evidence.axes(Z, scheme="sign flips", rng=seed)
        assert flips.n_axes == counts(Z, seed, null="signflip")


@pytest.mark.slow
@pytest.mark.parametrize("side", ["rows", "columns"])
def test_noise_of_unequal_variances_has_no_axis(side):
    """Permuted columns alone see one in nearly every table of unequal rows."""
    hits = alone = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        size = np.exp(rng.uniform(-1.2, 1.2, (40, 1) if side == "rows" else (1, 12)))
        X = rng.standard_normal((40, 12)) * size
        hits += counts(X, seed, n_permutations=39) > 0
        columns = np.ascontiguousarray((X - X.mean(axis=0)).T)
        test = axis_tests(columns, ("permutation",), rng, n_draws=39, exactly=True)[0]
        alone += test.p_value <= 0.05
    assert surely_at_most(hits, 40, 0.05)
    assert alone > 20 if side == "rows" else surely_at_most(alone, 40, 0.05)


def test_the_last_axis_has_nothing_beside_it():
    X = np.random.default_rng(0).standard_normal((30, 3)) @ np.diag([9.0, 3.0, 1.0])
    assert len(gm.evidence.axes(X, rng=0).p_values) <= 2
    assert gm.dimension.parallel_analysis(X[:, :1], method="deflated").n_components == 0
