"""Identities, levels and refusals of the room of ecology."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f_oneway

import gramian as gm
from gramian._nulls.draws import row_orders
from gramian.errors import InputError, ZerosReplacedWarning

RNG = np.random.default_rng(0)
X = RNG.poisson(3.0, (30, 6)) + 1.0
GROUPS = pd.DataFrame({"group": np.repeat(list("abc"), 10), "depth": RNG.standard_normal(30)})
METRICS = ["hellinger", "chord", "log-chord", "chi2", "profiles", "aitchison", "robust-aitchison"]


@pytest.mark.parametrize("metric", METRICS)
def test_scaling_by_name_is_pca_of_the_transform(metric):
    method = {"aitchison": "clr", "robust-aitchison": "rclr"}.get(metric, metric)
    mds = gm.ClassicalMDS(3, metric=metric).fit(X)
    pca = gm.PCA(3).fit(gm.ecology.transform(X, method))
    np.testing.assert_allclose(mds.eigenvalues_, pca.eigenvalues_, rtol=1e-9)
    np.testing.assert_allclose(np.abs(mds.coordinates_), np.abs(pca.coordinates_), atol=1e-8)
    np.testing.assert_allclose(mds.transform(X[:4]), mds.coordinates_[:4], atol=1e-8)


@pytest.mark.parametrize("metric", [m for m in METRICS if m != "chi2"])
def test_kernels_of_these_distances(metric):
    kernel = gm.kernels.FromDistance(metric)
    assert kernel.psd
    fit = gm.KernelPCA(2, kernel=kernel).fit(X)
    np.testing.assert_allclose(fit.transform(X[:3]), fit.coordinates_[:3], atol=1e-8)


def test_a_kernel_of_sums_of_columns_is_refused():
    with pytest.raises(InputError, match="sums of all rows"):
        gm.KernelPCA(2, kernel=gm.kernels.FromDistance("chi2")).fit(X)


def test_new_rows_do_not_depend_on_their_batch():
    for method in ("chi2", "max", "frequency", "range", "standardize", "wisconsin"):
        together = gm.ecology.transform(X[:5], method, reference=X)
        alone = [gm.ecology.transform(X[k : k + 1], method, reference=X)[0] for k in range(5)]
        np.testing.assert_allclose(together, alone)
        np.testing.assert_allclose(together, gm.ecology.transform(X, method)[:5])


def test_zeros_are_replaced_and_said():
    Z = X.copy()
    Z[0, :2] = 0.0
    with pytest.warns(ZerosReplacedWarning, match="2 zeros"):
        logs = gm.ecology.transform(Z, "clr")
    filled = np.where(Z == 0, 0.65 * Z[0, 2:].min(), Z)
    np.testing.assert_allclose(logs, np.log(filled) - np.log(filled).mean(axis=1)[:, None])
    with pytest.warns(ZerosReplacedWarning):  # in any unit
        np.testing.assert_allclose(gm.ecology.transform(Z * 1e-3, "clr"), logs, atol=1e-12)
    with pytest.warns(ZerosReplacedWarning):
        gm.ClassicalMDS(2, metric="aitchison").fit(Z)


def test_aitchison_is_the_distance_of_ratios():
    D = gm.distances.pairwise(X, metric="aitchison")
    logs = np.log(X)
    ratios = (logs[:, :, None] - logs[:, None, :]).reshape(30, -1)
    expected = np.sqrt(((ratios[0] - ratios[1]) ** 2).sum() / (2 * X.shape[1]))
    assert D[0, 1] == pytest.approx(expected)


def test_one_column_is_an_analysis_of_variance():
    y = X[:, :1]
    table = gm.ecology.permanova(y, GROUPS, "group", n_permutations=1).table
    F = f_oneway(*(y[GROUPS["group"] == g, 0] for g in "abc")).statistic
    assert table.loc["group", "F"] == pytest.approx(F)


def test_a_kernel_is_its_own_distance():
    kernel = gm.kernels.Gaussian(2.0)
    options = {"n_permutations": 49, "random_state": 0}
    ours = gm.ecology.permanova(X, GROUPS, metric=kernel, **options).table
    D = gm.rkhs.distance(kernel, X)
    other = gm.ecology.permanova(D, GROUPS, metric="precomputed", **options).table
    pd.testing.assert_frame_equal(ours, other)


def test_orders_stay_within_strata():
    codes = np.array([0, 1, 0, 2, 1, 0])
    moved = row_orders(6, 500, np.random.default_rng(0), codes)
    assert (codes[moved] == codes).all()
    assert (np.sort(moved, axis=1) == np.arange(6)).all()
    seen = {tuple(row) for row in moved}
    assert len(seen) == 6 * 2


def rate(ask, count=100):
    return np.mean([ask(np.random.default_rng(seed)) <= 0.05 for seed in range(count)])


# 5 % at most: of 100 tables, more than 12 has a chance below 1 in 1,000.
@pytest.mark.slow
def test_the_level_of_permanova_and_dispersion():
    def plain(rng):
        Y = rng.lognormal(size=(18, 4))
        table = pd.DataFrame({"g": rng.permutation(np.repeat(list("abc"), 6))})
        test = gm.ecology.permanova(Y, table, metric="braycurtis", n_permutations=59)
        return test.table["p_value"].iloc[0]

    def given(rng):
        z = rng.standard_normal(20)
        table = pd.DataFrame({"z": z, "x": z + 0.5 * rng.standard_normal(20)})
        Y = np.exp(rng.standard_normal((20, 4)) + np.outer(z, [1, 1, 0, 0]))
        test = gm.ecology.permanova(Y, table, by="margin", metric="hellinger", n_permutations=59)
        return test.table.loc["x", "p_value"]

    def spread(rng):
        Y, groups = rng.lognormal(size=(20, 4)), np.repeat(list("ab"), 10)
        return gm.ecology.dispersion(Y, groups, n_permutations=59).p_value

    for ask in (plain, given, spread):
        assert rate(ask) <= 0.12


def test_what_is_there_is_found():
    rng = np.random.default_rng(1)
    Y = rng.lognormal(size=(30, 5))
    Y[:10, 0] *= 8.0
    test = gm.ecology.permanova(Y, GROUPS, metric="braycurtis", random_state=0)
    assert test.table.loc["group", "p_value"] <= 0.005 < test.table.loc["depth", "p_value"]
    wide = np.vstack([rng.standard_normal((15, 3)), 5.0 * rng.standard_normal((15, 3))])
    assert gm.ecology.dispersion(wide, np.repeat(["a", "b"], 15)).p_value <= 0.005


@pytest.mark.slow
def test_maps_of_what_is_explained():
    found = gm.ecology.dbrda(X, GROUPS, metric="hellinger")
    record = gm.plots.individuals(found.fit, color=GROUPS["group"], backend="none")
    assert record.panels
    assert ("group", "a") in found.fit.categories(GROUPS[["group"]]).index
    parts = found.inertia
    assert parts["total"] == pytest.approx(parts[["condition", "constrained", "rest"]].sum())
    assert "constrained" in repr(found)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: gm.ecology.transform(-X, "hellinger"), "not negative"),
        (lambda: gm.ecology.transform(0 * X, "hellinger"), "nothing in row 0"),
        (lambda: gm.ecology.transform(X, "sqrt"), "method='sqrt'"),
        (lambda: gm.ecology.permanova(X, GROUPS, "size"), "'size' is not a column"),
        (lambda: gm.ecology.permanova(X, GROUPS, by="rows"), "by='rows'"),
        (lambda: gm.ecology.permanova(X, GROUPS, strata=[1, 2]), "strata"),
        (lambda: gm.ecology.permanova(X, GROUPS[:5]), "5 rows"),
        (lambda: gm.ecology.permanova(X[:3], GROUPS[["group"]].iloc[[0, 10, 20]]), "degrees"),
        (lambda: gm.ecology.dispersion(X, ["a"] * 30), "groups"),
        (lambda: gm.ecology.dispersion(X, GROUPS["group"], centre="mode"), "centre='mode'"),
        (lambda: gm.distances.pairwise(-X, metric="chi2"), "not negative"),
    ],
)
def test_what_is_refused(call, text):
    with pytest.raises(InputError, match=text):
        call()


@pytest.mark.slow
def test_residuals_are_permuted_and_not_distances():
    """All 126 ways to deal nine values to groups of four and five: p is 0.28, of distances 0.40."""
    X = np.array([1.7, 1.0, 1.1, -1.0, 27.6, 27.0, 23.2, 28.3, 33.5])[:, None]
    codes = np.repeat([0, 1], [4, 5])
    test = gm.ecology.dispersion(X, codes, centre="centroid", n_permutations=9999, random_state=0)
    far = test.distances.to_numpy()
    rest = far - np.array([far[codes == k].mean() for k in (0, 1)])[codes]

    def F(y, first):
        own = np.isin(np.arange(9), first)
        return f_oneway(y[own], y[~own]).statistic

    def exact(y):
        ways = itertools.combinations(range(9), 4)
        return np.mean([F(y, first) >= test.statistic * (1 - 1e-9) for first in ways])

    assert test.statistic == pytest.approx(F(far, range(4)))
    assert exact(far) == pytest.approx(50 / 126) and exact(rest) == pytest.approx(35 / 126)
    assert test.p_value == pytest.approx(35 / 126, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_null_of_dispersion_permutes_residuals(seed):
    """As vegan's permutest: distances less the mean of their group change places."""
    rng = np.random.default_rng(seed)
    X, codes = rng.standard_normal((12, 2)), np.repeat([0, 1], [4, 8])
    X[codes == 1] *= 4.0
    test = gm.ecology.dispersion(X, codes, centre="centroid", n_permutations=199, random_state=seed)
    means = [X[codes == k].mean(axis=0) for k in (0, 1)]
    far = np.array([np.linalg.norm(x - means[k]) for x, k in zip(X, codes, strict=True)])

    def F(y):
        groups = [y[codes == k] for k in (0, 1)]
        between = sum(len(g) * (g.mean() - y.mean()) ** 2 for g in groups)
        return between / (sum(((g - g.mean()) ** 2).sum() for g in groups) / 10)

    rest = far - np.array([far[codes == k].mean() for k in (0, 1)])[codes]
    orders = row_orders(12, 199, np.random.default_rng(seed))
    truth = (1 + sum(F(rest[order]) >= F(far) * (1 - 1e-9) for order in orders)) / 200
    assert test.statistic == pytest.approx(F(far)) and test.p_value == pytest.approx(truth)
    other = (1 + sum(F(far[order]) >= F(far) for order in orders)) / 200
    assert seed or other != truth


def test_the_adjusted_share_is_that_of_ezekiel():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.standard_normal(15), "g": list("abc") * 5})
    X = rng.standard_normal((15, 4)) + table[["a"]].to_numpy()
    found = gm.ecology.rda(X, table)
    assert found.adjusted_r2 == pytest.approx(1 - (1 - found.r2) * 14 / (14 - 3))
