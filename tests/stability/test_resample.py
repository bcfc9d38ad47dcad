"""Bootstrap and jackknife: naive twins, theory, alignment, identifiability, every estimator."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris
from tests.dimension.designs import surely_at_least

import gramian as gm
from gramian import stability
from gramian.stability.replicate import Replicate
from gramian.stability.resample import _tie_groups

IRIS = load_iris().data
pytestmark = pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning")


def test_bootstrap_is_a_loop_over_repeated_rows():
    """Weights that count are rows that repeat: a twin that stacks the rows and projects all."""
    X = IRIS[::5]
    n = len(X)
    found = stability.bootstrap(gm.PCA(2), X, n_resamples=12, random_state=4)
    rng = np.random.default_rng(4)
    values, clouds = [], []
    Z = gm.PCA(2).fit_transform(X)
    for _ in range(12):
        rows = np.repeat(np.arange(n), rng.multinomial(n, np.full(n, 1 / n)))
        mean = X[rows].mean(axis=0)
        s, V = np.linalg.eigh(np.cov(X[rows].T, ddof=0))
        values.append(s[::-1][:2])
        Y = (X - mean) @ V[:, ::-1][:, :2]
        Y0, Z0 = Y - Y.mean(axis=0), Z - Z.mean(axis=0)
        U, _, Wt = np.linalg.svd(Y0.T @ Z0)
        clouds.append(Y0 @ U @ Wt + Z.mean(axis=0))
    np.testing.assert_allclose(found.eigenvalues["mean"], np.mean(values, axis=0), rtol=1e-10)
    np.testing.assert_allclose(found.eigenvalues["sd"], np.std(values, axis=0, ddof=1), rtol=1e-9)
    np.testing.assert_allclose(found.coordinates, clouds, atol=1e-10)
    np.testing.assert_allclose(found.points["mean"], np.mean(clouds, axis=0), atol=1e-10)
    np.testing.assert_allclose(found.covariances[3], np.cov(np.array(clouds)[:, 3].T), atol=1e-12)


def test_jackknife_of_a_variance_has_a_closed_form():
    """With one column the eigenvalue is the variance, whose jackknife bias is −s²/n exactly."""
    x = np.random.default_rng(0).standard_normal((25, 1))
    table = stability.jackknife(gm.PCA(1), x).eigenvalues
    np.testing.assert_allclose(table["bias"], -np.var(x, ddof=1) / 25, rtol=1e-9)
    left = np.array([np.var(np.delete(x, i)) for i in range(25)])
    expected = np.sqrt(24 / 25 * np.sum((left - left.mean()) ** 2))
    np.testing.assert_allclose(table["sd"], expected, rtol=1e-9)
    np.testing.assert_allclose(table["high"] - table["estimate"], 1.959964 * expected, rtol=1e-6)


@pytest.mark.slow
def test_standard_errors_are_those_of_theory():
    """The sampling error of an eigenvalue of normal data is λ√(2/n) (Anderson 1963)."""
    X = np.random.default_rng(1).standard_normal((300, 3)) * [5.0, 2.0, 0.5]
    expected = gm.PCA().fit(X).eigenvalues_ * np.sqrt(2 / 300)
    boot = stability.bootstrap(gm.PCA(), X, n_resamples=150).eigenvalues["sd"]
    jack = stability.jackknife(gm.PCA(), X, n_groups=60).eigenvalues["sd"]
    np.testing.assert_allclose(boot, expected, rtol=0.3)
    np.testing.assert_allclose(jack, expected, rtol=0.4)


@pytest.mark.slow
def test_intervals_cover():
    """The true eigenvalue lies in about 95 % of the intervals of well separated axes."""
    inside = 0
    for seed in range(20):
        X = np.random.default_rng(seed).standard_normal((120, 3)) * [6.0, 2.0, 0.5]
        table = stability.bootstrap(gm.PCA(1), X, n_resamples=40, random_state=seed).eigenvalues
        inside += table.loc[1, "low"] < 36.0 < table.loc[1, "high"]
    assert surely_at_least(inside, 20, 0.88)  # 95 % in theory, less with 40 resamples of 120 rows


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p"), [(20, 10), (30, 60)])
def test_angles_are_those_of_directions(n, p):
    """In the space of the variables the angle said is that of the truth, not half of it."""
    said, true = [], []
    for seed in range(12):
        X = np.random.default_rng(seed).standard_normal((n, p))
        X[:, 0] *= np.sqrt(8.0 if p == 10 else 20.0)
        fit = gm.PCA(1).fit(X)
        true.append(np.degrees(np.arccos(abs(fit.components_[0, 0]))))
        study = stability.bootstrap(gm.PCA(1), X, n_resamples=15, random_state=seed)
        said.append(study.axes.loc[1, "angle"])
    assert 0.7 < np.median(said) / np.median(true) < 1.4


def test_intervals_that_would_not_cover_are_not_shown():
    rng = np.random.default_rng(0)
    wide = stability.bootstrap(gm.PCA(2), rng.standard_normal((20, 30)), n_resamples=5)
    assert wide.eigenvalues[["low", "high"]].isna().all(axis=None)
    long = rng.standard_normal((80, 3)) * [9.0, 3.0, 1.0]
    long[:, 0] = 9 * rng.standard_cauchy(80)
    table = stability.bootstrap(gm.PCA(2), long, n_resamples=5).eigenvalues
    assert np.isnan(table.loc[1, "low"]) and table.loc[2, "low"] < table.loc[2, "high"]


@pytest.mark.slow
def test_equal_eigenvalues_are_seldom_told_apart():
    """Those of 100 normal rows differ by more than one sampling error most of the time."""
    told = 0
    for seed in range(16):
        X = np.random.default_rng(seed).standard_normal((100, 4)) * [3.0, 3.0, 1.0, 0.5]
        told += stability.bootstrap(gm.PCA(2), X, n_resamples=15).unidentified == []
    assert surely_at_least(16 - told, 16, 0.85)


@pytest.mark.slow
def test_axes_that_rotate_are_named_and_their_plane_is_stable():
    X = np.random.default_rng(3).standard_normal((200, 4)) * [6.0, 2.0, 2.0, 0.3]
    with pytest.warns(gm.errors.TiedAxesWarning, match="axes 2, 3"):
        found = stability.bootstrap(gm.PCA(3), X, n_resamples=60)
    assert found.unidentified == [(2, 3)]
    assert found.axes["identified"].tolist() == [True, False, False]
    assert found.axes.loc[2, "angle"] > 10
    assert found.axes.loc[1, "angle"] < 3 and found.axes.loc[3, "subspace"] < 5
    assert (found.axes["subspace_high"] >= found.axes["subspace"]).all()


def test_stable_axes_bring_no_warning(recwarn):
    X = np.random.default_rng(3).standard_normal((200, 3)) * [9.0, 3.0, 1.0]
    found = stability.bootstrap(gm.PCA(2), X, n_resamples=40)
    assert not [w for w in recwarn if issubclass(w.category, UserWarning)]
    assert found.unidentified == [] and found.axes["identified"].all()


D = squareform(pdist(IRIS[::3]))
K = np.exp(-(D**2) / 4)
CASES = {
    "PCA scaled": (gm.PCA(2, scale=True), IRIS[::3]),
    "kernel": (gm.KernelPCA(2), IRIS[::3]),
    "kernel precomputed": (gm.KernelPCA(2, kernel="precomputed"), K),
    "classical": (gm.ClassicalMDS(2), IRIS[::3]),
    "classical precomputed": (gm.ClassicalMDS(2, metric="precomputed"), D),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", list(CASES))
def test_every_spectral_estimator(case):
    estimator, X = CASES[case]
    boot = stability.bootstrap(estimator, X, n_resamples=25)
    jack = stability.jackknife(estimator, X, n_groups=10)
    for found in (boot, jack):
        assert found.coordinates.shape[1:] == (50, 2)
        assert np.isfinite(found.coordinates).all()
        assert (found.eigenvalues["low"] < found.eigenvalues["high"]).all()
        assert found.axes.loc[1, "angle"] < 15
        spread = found.points["sd"].to_numpy().mean()
        assert 0 < spread < found.points["coordinate"].to_numpy().std()
    assert not hasattr(estimator, "coordinates_")


def test_precomputed_and_table_agree():
    a = stability.bootstrap(gm.ClassicalMDS(2), IRIS[::3], n_resamples=10)
    b = stability.bootstrap(gm.ClassicalMDS(2, metric="precomputed"), D, n_resamples=10)
    np.testing.assert_allclose(a.eigenvalues, b.eigenvalues, rtol=1e-8)
    np.testing.assert_allclose(a.covariances, b.covariances, atol=1e-9)


@pytest.mark.slow
def test_stress_scaling():
    found = stability.jackknife(gm.MDS(2, n_init=1, random_state=0), IRIS[::5], n_groups=5)
    assert np.isfinite(found.points.to_numpy()).all()
    assert found.points["sd"].to_numpy().mean() < 0.3


class Plain(BaseEstimator):
    """A map without weights and eigenvalues."""

    def __init__(self, n_components=2):
        self.n_components = n_components

    def fit(self, X):
        fit = gm.PCA(self.n_components).fit(X)
        self.coordinates_, self.components_ = fit.coordinates_, fit.components_
        return self


def test_an_estimator_without_weights_is_fitted_to_the_rows_that_were_drawn():
    X = IRIS[::5]
    found = stability.jackknife(Plain(), X, n_groups=5)
    assert np.isnan(found.eigenvalues["estimate"]).all() and found.unidentified == []
    missing = np.isnan(found.coordinates).any(axis=2)
    np.testing.assert_array_equal(missing.sum(axis=0), 1)  # each point is left out once
    with_weights = stability.jackknife(gm.PCA(2), X, n_groups=5)
    np.testing.assert_allclose(found.axes["angle"], with_weights.axes["angle"], atol=1.0)


@pytest.mark.slow
def test_ellipses_hold_their_share_of_the_replicates():
    found = stability.bootstrap(gm.PCA(3), IRIS, n_resamples=150)
    table = found.ellipses(axes=(1, 3), level=0.9)
    pair = [0, 2]
    inside = []
    for i in range(0, 150, 10):
        d = found.coordinates[:, i, pair] - table[["x", "y"]].to_numpy()[i]
        t = np.radians(table["angle"].iloc[i])
        along, across = d @ [np.cos(t), np.sin(t)], d @ [-np.sin(t), np.cos(t)]
        r2 = (along / table["major"].iloc[i]) ** 2 + (across / table["minor"].iloc[i]) ** 2
        inside.append(np.mean(r2 <= 1))
    assert 0.85 < np.mean(inside) < 0.95
    assert (table["major"] >= table["minor"]).all()


def test_labels_are_kept():
    X = pd.DataFrame(IRIS[:20], index=[f"flower {i}" for i in range(20)])
    found = stability.bootstrap(gm.PCA(2), X, n_resamples=5)
    assert found.points.index.tolist() == X.index.tolist()
    assert found.ellipses().index.tolist() == X.index.tolist()
    assert found.points.columns.names == ["measure", "axis"]
    assert list(found.points["mean"].columns) == [1, 2]


def test_same_seed_same_numbers(monkeypatch):
    a = stability.bootstrap(gm.PCA(2), IRIS[:30], n_resamples=6, random_state=1)
    monkeypatch.setattr("gramian._core.parallel.n_threads", lambda: 1)
    b = stability.bootstrap(gm.PCA(2), IRIS[:30], n_resamples=6, random_state=1)
    np.testing.assert_allclose(a.coordinates, b.coordinates, atol=1e-12)
    c = stability.bootstrap(gm.PCA(2), IRIS[:30], n_resamples=6, random_state=2)
    assert np.abs(a.coordinates - c.coordinates).max() > 1e-3


def test_procrustes_is_the_one_of_the_library():
    from gramian.stability.procrustes import procrustes

    assert stability.procrustes is procrustes


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: stability.bootstrap(gm.PCA(2), IRIS, n_resamples=1), "n_resamples"),
        (lambda: stability.bootstrap(gm.PCA(2), IRIS, n_resamples=2.5), "n_resamples"),
        (lambda: stability.bootstrap(gm.PCA(2), IRIS, level=1.0), "level"),
        (lambda: stability.bootstrap("PCA", IRIS), "estimator"),
        (lambda: stability.jackknife(gm.PCA(2), IRIS, n_groups=151), "n_groups"),
        (
            lambda: stability.bootstrap(gm.PCA(2), IRIS, n_resamples=3).ellipses((1, 3)),
            "two different axes",
        ),
    ],
)
def test_refusals(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.slow
def test_eigenvalues_are_apart_from_three_and_a_half_errors_on():
    """√(2·5.99) = 3.46 errors of their mean, with 5.99 the limit of χ² of two degrees."""
    sd = 0.1
    for gap, groups in ((0.99, [(1, 2)]), (1.01, [])):
        low = 1.0
        high = low
        for _ in range(50):  # the error is that of the mean of both
            high = low + gap * np.sqrt(2 * stats.chi2.ppf(0.95, 2)) * 0.5 * (1 + low / high) * sd
        full = Replicate(np.array([high]), np.zeros((5, 1)), beyond=low)
        assert _tie_groups(full, np.array([sd])) == groups
    full = Replicate(np.array([3.0, 2.99, 2.98, 1.0]), np.zeros((5, 4)), beyond=0.999)
    assert _tie_groups(full, np.full(4, sd)) == [(1, 2, 3), (4, 5)]
