"""How many rows axes, loadings, classes and maps need."""

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError


def spiked(n, variances, p, seed=0):
    sd = np.sqrt(np.concatenate([variances, np.ones(p - len(variances))]))
    return np.random.default_rng(seed).standard_normal((n, p)) * sd


def agreement(r, variances, p, q, pairs=150):
    """Return the mean cos² of the last of q axes of independent samples, by NumPy alone."""
    out = []
    for k in range(pairs):
        V = []
        for seed in (2 * k, 2 * k + 1):
            X = spiked(r, variances, p, 1000 + seed)
            V.append(np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][q - 1])
        out.append((V[0] @ V[1]) ** 2)
    return np.mean(out)


@pytest.fixture(scope="module")
def needed():
    X = spiked(60, (15.0,), 6)
    return gm.stability.samples_needed(gm.PCA(1), X, n_resamples=4, random_state=0)


@pytest.mark.slow
def test_the_interval_holds_the_truth_from_independent_samples(needed):
    low, high = needed.interval
    # Two rows are the fewest that have an axis.
    assert low == 2 or agreement(low - 1, (15.0,), 6, 1) < 0.8
    assert np.isinf(high) or agreement(int(high), (15.0,), 6, 1) > 0.8
    assert low <= needed.recommended <= high


@pytest.mark.slow
def test_what_is_observed_is_the_agreement_of_independent_samples(needed):
    seen = needed.curve[needed.curve["seen"]]
    r = int(seen.index[-1])
    assert r == 27
    assert seen["observed"].iloc[-1] == pytest.approx(agreement(r, (15.0,), 6, 1), abs=0.1)
    assert seen["observed"].notna().all()


@pytest.mark.slow
def test_noise_has_no_answer():
    found = gm.stability.samples_needed(gm.PCA(1), spiked(40, (), 8), n_resamples=4, random_state=0)
    assert found.recommended is None
    assert found.reason == "chance"
    assert np.isinf(found.interval[1])


@pytest.mark.slow
def test_tied_axes_need_more_rows_than_their_loadings_as_a_whole():
    X = spiked(60, (8.0, 7.5), 8)
    axes, loadings = (
        gm.stability.samples_needed(gm.PCA(2), X, what, n_resamples=3, random_state=0)
        for what in ("axes", "loadings")
    )
    assert axes.recommended is None or axes.recommended > loadings.recommended
    assert loadings.recommended <= 40
    assert list(axes.axes.index) == [1, 2]
    assert loadings.axes.empty


@pytest.mark.slow
def test_a_map_and_its_classes_of_clear_groups_need_few_rows():
    X = spiked(60, (), 4)
    X[:30, 0] += 12
    for what, options in (("map", {}), ("clusters", {"n_clusters": 2})):
        found = gm.stability.samples_needed(
            gm.PCA(1), X, what, n_resamples=2, random_state=0, **options
        )
        assert found.recommended <= 20
        assert found.what in repr(found)


@pytest.mark.slow
def test_a_kernel_map_is_compared_on_other_rows():
    found = gm.stability.samples_needed(
        gm.KernelPCA(1), spiked(40, (9.0,), 4), n_resamples=2, random_state=0
    )
    assert int(found.curve.index[found.curve["seen"]][-1]) == 14  # 36 % of 40


@pytest.mark.slow
def test_the_same_seed_gives_the_same_answer():
    X = spiked(40, (6.0,), 6)
    a, b = (
        gm.stability.samples_needed(gm.PCA(1), X, n_resamples=2, random_state=3) for _ in range(2)
    )
    assert a.interval == b.interval
    assert a.curve.equals(b.curve)


@pytest.mark.parametrize(
    ("estimator", "rows", "options", "text"),
    [
        (gm.PCA(1), 12, {}, "give more rows"),
        (gm.PCA(1), 60, {"what": "points"}, "what"),
        (gm.PCA(1), 60, {"target": 1.5}, "target"),
        (gm.KernelPCA(1), 60, {"what": "loadings"}, "components_"),
        (gm.PCA(1), 60, {"what": "clusters"}, "no classes"),
    ],
)
def test_refusals(estimator, rows, options, text):
    with pytest.raises(InputError, match=text):
        gm.stability.samples_needed(estimator, spiked(rows, (6.0,), 5), **options)


def test_samples_that_all_agree_leave_an_error():
    """Three clear classes: 300 pairs of fresh samples agree by 0.74 at 7 rows and by 0.79 at 8.

    Here all samples of 19 and 32 rows agree by 1, which says little about smaller ones.
    """
    rng = np.random.default_rng([1004, 53])
    X = rng.standard_normal((90, 5))
    X[np.arange(90), rng.integers(3, size=90)] += 6.0 / np.sqrt(2.0)
    found = gm.stability.samples_needed(gm.PCA(2), X, "clusters", n_clusters=3, random_state=1004)
    assert found.curve["observed"].max() == 1.0
    assert found.interval[0] <= 8 <= found.interval[1]
