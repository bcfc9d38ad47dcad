"""Parallel analysis: R's and first principles' numbers, exact level, planted ranks, same seeds."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from tests.outside._reference import array, load, table

import gramian as gm
from gramian import dimension
from gramian._nulls import draws
from gramian._nulls.spectra import TableSpectrum

from .designs import DATA, planted, surely_at_least, surely_at_most

pytestmark = pytest.mark.slow


PSYCH = load("number_of_components/fa_parallel.json")["results"]
NAMES = {"decathlon": "decathlon10", "iris": "iris4"}  # of the tables in that file
TABLES = {NAMES.get(name, name): make for name, make in DATA.items()}
DIGITS = load("documents/documents.json")["results"]["doc004_digits_parallel"]


@pytest.mark.parametrize("data", list(TABLES))
def test_normal_null_is_that_of_psych(data):
    """Means and quantiles of the eigenvalues of correlation matrices of normal tables."""
    expected = PSYCH[data]
    found = dimension.parallel_analysis(
        TABLES[data](), scale=True, null="normal", n_permutations=999
    )
    np.testing.assert_allclose(found.eigenvalues, array(expected["pc_values"]), rtol=1e-9)
    deviation = array(expected["pc_sim_sd_200"])
    error = 4.5 * deviation * np.sqrt(1 / 200 + 1 / 999)
    mean = found.reference["mean"].to_numpy()
    assert (np.abs(mean - array(expected["pc_sim_mean_200"])) < error).all()
    # The error of a 95 % quantile is 2.1 times that of a mean, for normal numbers.
    quantile = found.reference["quantile"].to_numpy()
    assert (np.abs(quantile - array(expected["pc_sim_q95_200"])) < 2.1 * error).all()
    assert found.n_components in set(expected["ncomp_20seeds_50iter"]["values"])


@pytest.mark.parametrize(("scale", "key"), [(False, "cov"), (True, "cor")])
def test_permutations_of_digits(scale, key):
    X = np.loadtxt("tests/data/documents/doc004_digits3.csv", delimiter=",", skiprows=1)[:, -64:]
    found = dimension.parallel_analysis(X, scale=scale, n_permutations=299)
    assert abs(found.n_components - DIGITS[f"retained_sequential_{key}"]) <= 1
    if not scale:
        m = len(found.eigenvalues)  # the other columns never vary
        values = array(DIGITS["eigenvalues_cov_divisor_n"])
        np.testing.assert_allclose(found.eigenvalues[:m], values[:m], atol=1e-9)
        error = 4.5 * array(DIGITS["perm_sd"]) * np.sqrt(1 / 500 + 1 / 299)
        mean = found.reference["mean"].to_numpy()[:m]
        assert (np.abs(mean - array(DIGITS["perm_mean"])[:m]) < error[:m] + 1e-9).all()


def test_p_values_are_counts_of_a_plain_loop():
    rng = np.random.default_rng(0)
    X = planted(rng, 30, 6, [20.0], rng.standard_normal((30, 6)))
    found = dimension.parallel_analysis(X, n_permutations=49, random_state=3)
    seeds = np.random.default_rng(3).integers(0, 2**63, size=49)
    C = (X - X.mean(axis=0)).T
    observed = np.linalg.svd(C, compute_uv=False) ** 2 / 30
    drawn = [
        np.linalg.svd(np.random.default_rng(s).permuted(C, axis=1), compute_uv=False) ** 2 / 30
        for s in seeds
    ]
    expected = (1 + np.sum(np.array(drawn) >= observed, axis=0)) / 50
    np.testing.assert_allclose(found.p_values, expected)
    np.testing.assert_allclose(found.reference["mean"], np.mean(drawn, axis=0))
    np.testing.assert_allclose(found.reference["quantile"], np.quantile(drawn, 0.95, axis=0))
    assert found.n_components == 1 and found.n_permutations == 49


def test_correlation_is_the_covariance_of_scaled_columns():
    X = table("data/mtcars.csv").to_numpy()
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    a = dimension.parallel_analysis(X, scale=True, n_permutations=50)
    b = dimension.parallel_analysis(Z, n_permutations=50)
    np.testing.assert_allclose(a.reference, b.reference)
    np.testing.assert_allclose(a.p_values, b.p_values)


@pytest.mark.parametrize("offset", [1e8, -1e6])
@pytest.mark.parametrize("unit", [1e-100, 1.0, 1e140])
def test_offset_and_unit_do_not_matter(offset, unit):
    X = np.round(table("data/USArrests.csv").to_numpy())
    a = dimension.parallel_analysis(X, n_permutations=50)
    b = dimension.parallel_analysis((X + offset) * unit, n_permutations=50)
    np.testing.assert_allclose(a.p_values, b.p_values)
    np.testing.assert_allclose(b.eigenvalues / unit / unit, a.eigenvalues, rtol=1e-6)


def test_one_column_is_never_above_its_own_permutations():
    X = np.random.default_rng(0).standard_normal((30, 1))
    assert dimension.parallel_analysis(X, n_permutations=19).p_values == [1.0]


NOISE = {
    "n > p": lambda rng: rng.standard_normal((60, 12)),
    "n < p": lambda rng: rng.standard_normal((20, 50)),
    "skewed": lambda rng: rng.exponential(size=(50, 10)),
    "unequal columns": lambda rng: rng.standard_normal((50, 10)) * np.geomspace(0.1, 10, 10),
}


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("design", list(NOISE))
def test_false_positives_on_noise(design, scale):
    draws = 80
    found = [
        dimension.parallel_analysis(
            NOISE[design](np.random.default_rng(s)), scale=scale, n_permutations=39, random_state=s
        ).n_components
        for s in range(draws)
    ]
    assert surely_at_most(np.count_nonzero(found), draws, 0.05)


def hits_of(draws, rank, make, **options):
    found = 0
    for s in range(draws):
        X = make(np.random.default_rng(s))
        options |= {"n_permutations": 39, "random_state": s}
        found += dimension.parallel_analysis(X, **options).n_components == rank
    return found


def rank3(n, p):
    return lambda rng: planted(rng, n, p, [14.0, 10.0, 7.0], rng.standard_normal((n, p)))


@pytest.mark.parametrize("null", ["permutation", "normal", "signflip"])
@pytest.mark.parametrize("shape", [(150, 15), (40, 100)])
def test_planted_rank(null, shape):
    hits = hits_of(60, 3, rank3(*shape), null=null)
    assert surely_at_least(hits, 60, 0.95)


def unequal_rows(rng):
    return rng.standard_normal((100, 25)) * np.geomspace(0.2, 4.0, 100)[:, None]


def test_sign_flips_are_right_where_noise_differs_from_row_to_row():
    assert surely_at_least(hits_of(60, 0, unequal_rows, null="signflip"), 60, 0.94)
    assert hits_of(30, 0, unequal_rows) == 0  # permutations take it for structure


def hidden(rng):
    return planted(rng, 150, 30, [400.0, 5.0], rng.standard_normal((150, 30)))


def test_deflation_finds_what_a_giant_axis_hides():
    assert hits_of(10, 1, hidden) == 10  # the giant's inertia, spread by permuting, hides the other
    hits = hits_of(60, 2, hidden, method="deflated", alpha=0.025)
    assert surely_at_least(hits, 60, 0.95)
    hits = hits_of(60, 2, hidden, method="deterministic", alpha=0.025)
    assert surely_at_least(hits, 60, 0.95)


@pytest.mark.parametrize("method", ["deflated", "deterministic"])
@pytest.mark.parametrize("shape", [(100, 30), (30, 100)])
def test_false_positives_after_deflation(method, shape):
    """Once the planted axis is off, the rest must be taken for the noise it is."""

    def make(rng):
        return planted(rng, *shape, [30.0], rng.standard_normal(shape))

    assert surely_at_least(hits_of(60, 1, make, method=method), 60, 0.93)


def test_edge_of_noise_is_marchenko_pasturs_for_equal_variances():
    from gramian._nulls.deflation import noise_law

    edge, deviation = noise_law(np.full(40, 2.0), 100)
    a, b = np.sqrt(100), np.sqrt(40)
    assert edge == pytest.approx(2.0 * (a + b) ** 2 / 100, rel=1e-9)
    assert deviation == pytest.approx(2.0 * (a + b) * (1 / a + 1 / b) ** (1 / 3) / 100, rel=1e-9)


def test_automatic_draws_stop_early_and_decide_like_many():
    rng = np.random.default_rng(8)
    X = planted(rng, 200, 20, [20.0, 15.0], rng.standard_normal((200, 20)))
    clear = dimension.parallel_analysis(X)
    assert clear.n_permutations <= 400
    assert clear.n_components == 2
    assert clear.n_components == dimension.parallel_analysis(X, n_permutations=999).n_components


def test_same_seed_same_numbers_whatever_the_threads(monkeypatch):
    X = table("data/mtcars.csv")
    a = dimension.parallel_analysis(X, n_permutations=60, random_state=7)
    monkeypatch.setattr("gramian._core.parallel.n_threads", lambda: 1)
    b = dimension.parallel_analysis(X, n_permutations=60, random_state=7)
    np.testing.assert_array_equal(a.p_values, b.p_values)
    np.testing.assert_allclose(a.reference, b.reference, rtol=1e-12)
    c = dimension.parallel_analysis(X, n_permutations=60, random_state=8)
    assert not np.array_equal(a.reference, c.reference)


def test_weights_equal_to_repeated_rows_in_the_data_part():
    X = table("data/USArrests.csv").to_numpy()
    w = np.arange(50) % 3
    a = dimension.parallel_analysis(X, sample_weight=w, scale=True, n_permutations=99)
    b = gm.PCA(scale=True).fit(X, sample_weight=w)
    np.testing.assert_allclose(a.eigenvalues, b.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(a.reference["mean"].sum(), 4.0, rtol=1e-10)
    assert a.n_components == dimension.parallel_analysis(b, n_permutations=99).n_components == 1


def test_kernel_pca_and_mds():
    X = load_iris().data
    linear = dimension.parallel_analysis(X, n_permutations=40)
    for estimator in (gm.KernelPCA(kernel="linear"), gm.ClassicalMDS()):
        same = dimension.parallel_analysis(X, n_permutations=40, estimator=estimator)
        np.testing.assert_allclose(same.reference, linear.reference, rtol=1e-9)
    blobs = np.concatenate(
        [np.random.default_rng(0).standard_normal((25, 4)) * 0.2 + c for c in np.eye(4)[:3] * 3]
    )
    gauss = dimension.parallel_analysis(blobs, n_permutations=39, estimator=gm.KernelPCA())
    assert gauss.n_components == 2
    fit = gm.KernelPCA().fit(blobs)
    np.testing.assert_allclose(gauss.eigenvalues[:5], fit.eigenvalues_[:5], rtol=1e-8)
    line = np.random.default_rng(2).standard_normal((40, 1)) + 0.4 * blobs[:40]
    for correction in ("lingoes", "cailliez"):
        city = gm.ClassicalMDS(metric="cityblock", correction=correction)
        found = dimension.parallel_analysis(line, n_permutations=19, estimator=city)
        assert found.n_components == 1
    noise = np.random.default_rng(1).standard_normal((40, 4))
    assert dimension.parallel_analysis(noise, estimator=gm.KernelPCA()).n_components == 0


def test_kernel_scale_and_axes_together():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.standard_normal((25, 5)) * 0.3 + c for c in np.eye(5)[:3] * 4])
    found = dimension.kernel_parallel_analysis(
        X, scales=[0.05, 1.5, 100.0], n_permutations=19, random_state=0
    )
    assert (found.scale, found.n_components) == (1.5, 2)
    assert found.kernel == gm.kernels.Gaussian(scale=1.5)
    assert list(found.table.columns) == ["q", "energy"]
    assert found.p_value == 0.05
    best = found.analyses[1.5]
    assert 0 < found.table.loc[1.5, "energy"] < best.eigenvalues[:2].sum()


def test_one_scale_needs_no_correction():
    """The p-values are those of the only analysis, whatever the number of axes."""
    X = np.random.default_rng(1).standard_normal((30, 4)) + 2 * np.eye(4)[np.arange(30) % 3]
    found = dimension.kernel_parallel_analysis(X, scales=[1.5], n_permutations=39)
    alone = found.analyses[1.5]
    assert found.n_components == alone.n_components
    assert found.p_value == pytest.approx(alone.p_values[0], abs=0.05)


def test_many_scales_find_no_more_in_noise_than_one():
    hits = 0
    for seed in range(40):
        X = np.random.default_rng(seed).standard_normal((20, 3))
        found = dimension.kernel_parallel_analysis(X, n_permutations=19, random_state=seed)
        hits += found.n_components > 0
    assert surely_at_most(hits, 40, 0.06)


def test_groups_are_found_among_many_scales():
    rng = np.random.default_rng(0)
    X = 0.5 * rng.standard_normal((60, 5)) + 3 * np.eye(5)[rng.integers(0, 3, 60)]
    found = dimension.kernel_parallel_analysis(X, n_permutations=39, random_state=0)
    assert found.p_value == 1 / 40 and found.n_components >= 2


@pytest.mark.parametrize("size", [(8, 20), (12, 6), (20, 40)])
def test_flipped_signs_hold_their_level_in_small_tables(size):
    """13 % of 8 × 20 tables, while the noise of n rows was spread over n dimensions, not n − 1."""
    rng = np.random.default_rng(0)
    tables = [rng.standard_normal(size) * rng.uniform(0.5, 2, (size[0], 1)) for _ in range(60)]
    hits = sum(
        dimension.parallel_analysis(
            X, null="signflip", n_permutations=39, scale=True, random_state=k
        ).n_components
        > 0
        for k, X in enumerate(tables)
    )
    assert surely_at_most(hits, 60, 0.06)


@pytest.mark.parametrize("null", ["permutation", "signflip"])
def test_deflation_bears_heavy_tails(null):
    """An axis too many in 16 to 49 % of tables, before cells kept their weight in the draws."""
    rng = np.random.default_rng(1)
    extra = 0
    for seed in range(40):
        noise = rng.standard_t(3, (100, 30)) / np.sqrt(3)
        X = planted(rng, 100, 30, [8.0], noise)
        extra += (
            dimension.parallel_analysis(
                X, null=null, method="deflated", n_permutations=39, random_state=seed
            ).n_components
            > 1
        )
    assert surely_at_most(extra, 40, 0.09)


def test_progress_is_told():
    told = []
    X = np.random.default_rng(0).standard_normal((20, 4))
    dimension.parallel_analysis(X, n_permutations=40, progress=lambda *t: told.append(t))
    assert told[-1] == (40, 40) and len(told) == 20


@pytest.mark.parametrize("null", list(draws.DRAWS))
def test_draws_keep_what_they_promise(null):
    columns = np.random.default_rng(0).standard_normal((3, 400))
    columns -= columns.mean(axis=1, keepdims=True)
    drawn = draws.DRAWS[null](columns, 5)
    np.testing.assert_array_equal(drawn, draws.DRAWS[null](columns, 5))
    assert not np.array_equal(drawn, draws.DRAWS[null](columns, 6))
    np.testing.assert_allclose(drawn.var(axis=1), columns.var(axis=1), rtol=0.3)
    assert np.abs(np.corrcoef(drawn, columns)[:3, 3:]).max() < 0.25
    if null == "permutation":
        np.testing.assert_array_equal(np.sort(drawn), np.sort(columns))
    if null == "signflip":
        np.testing.assert_allclose(np.abs(drawn), np.abs(columns), atol=1e-15)


def test_compiled_shuffle_is_uniform():
    """All 24 orders of 4 values, equally often; each column on its own."""
    if not draws.has_numba():
        assert draws.fastest_draw(draws.permute_columns, np.ones((9, 9)), 10**9) is not None
        return
    columns = np.tile(np.arange(4.0), (6000, 1))
    drawn = draws._permute_compiled(columns, 11)
    orders, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(orders) == 24
    assert ((counts - 250.0) ** 2 / 250.0).sum() < 56  # the 1e-4 quantile of chi2, 23 degrees
    odd = draws._permute_compiled(np.tile(np.arange(5.0), (6000, 1)), 3)
    places = np.array([(odd == v).mean(axis=0) for v in range(5)])
    np.testing.assert_allclose(places, 0.2, atol=0.025)


def test_turns_are_independent_permutations_of_the_columns():
    """Each value in each row equally often, and each pair of rows of two columns as well."""
    n, B = 512, 4_000
    columns = np.tile(np.arange(float(n)), (2, 1))
    draw = draws.choose_rotations(draws.permute_columns, columns, 5, 10**6)
    drawn = np.array([draw(columns, seed) for seed in range(B)], dtype=int)
    np.testing.assert_array_equal(np.sort(drawn[:50]), np.tile(np.arange(n), (50, 2, 1)))
    np.testing.assert_array_equal(drawn[7], draw(columns, 7))
    limit = stats.chi2.ppf(1 - 1e-4, 63)
    where = np.argmax(drawn[:, 1, :] == drawn[:, 0, :1], axis=1)  # of the first value of the other
    for place in (drawn[:, 0, 0], drawn[:, 1, 300], where):
        counts = np.bincount(place // 8, minlength=64)
        assert ((counts - B / 64) ** 2 / (B / 64)).sum() < limit


def test_turns_give_the_law_of_permutations():
    """The largest eigenvalue of correlated columns, permuted or rotated: one law (two samples)."""
    rng = np.random.default_rng(3)
    F = rng.standard_normal((5, 600)) + rng.standard_normal(600)
    F -= F.mean(axis=1, keepdims=True)
    spectra = TableSpectrum()
    turn = draws.choose_rotations(draws.permute_columns, F, 1, 10**6)
    samples = [[spectra(f(F, k))[0] for k in range(600)] for f in (draws.permute_columns, turn)]
    assert stats.ks_2samp(*samples).pvalue > 1e-3


@pytest.mark.parametrize("n", [512, 599, 600, 1797], ids=str)  # powers, a prime, fast and slow
@pytest.mark.parametrize("p", [2, 7])
def test_gram_matrices_of_turns_need_no_product(n, p):
    """Sizes of columns differ by 1e6: each entry is right beside the sizes of its two columns."""
    F = np.random.default_rng(n).standard_normal((p, n)) * np.logspace(-3, 3, p)[:, None]
    draw = draws.Turns(F)
    grams = draws.Grams(draw, range(20))
    sizes = np.sqrt(np.einsum("ij,ij->i", F, F))
    for seed in range(20):
        table = draw(F, seed)
        expected = np.tril(table @ table.T) / np.outer(sizes, sizes)
        np.testing.assert_allclose(grams[seed] / np.outer(sizes, sizes), expected, atol=2e-15)


def test_many_draws_by_correlations_are_those_by_products(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((700, 20)) + rng.standard_normal((700, 1))
    asked = {"n_permutations": 160, "random_state": 3}
    quick = dimension.parallel_analysis(X, **asked)
    monkeypatch.setattr("gramian._nulls.spectra.grams_pay", lambda draw, n_draws: False)
    slow = dimension.parallel_analysis(X, **asked)
    np.testing.assert_array_equal(quick.p_values, slow.p_values)
    np.testing.assert_allclose(quick.reference, slow.reference, rtol=1e-13)


def test_correlations_are_taken_where_they_fit_and_pay():
    draw = draws.Turns(np.ones((61, 1797)))
    assert draws.grams_pay(draw, 200) and not draws.grams_pay(draw, 100)
    assert not draws.grams_pay(draws.Turns(np.ones((300, 1797))), 2000)  # 700 MB of them
    assert not draws.grams_pay(draws.Turns(np.ones((1, 1797))), 2000)


def test_turns_are_taken_for_long_columns_and_much_work_only():
    columns = np.ones((64, 1797))
    assert draws.choose_rotations(draws.permute_columns, columns, 0, 10) is draws.permute_columns
    assert (
        draws.choose_rotations(draws.permute_columns, columns, 0, 200) is not draws.permute_columns
    )
    assert draws.choose_rotations(draws.flip_signs, columns, 0, 200) is draws.flip_signs
    few = np.ones((5_000, 100))
    assert draws.choose_rotations(draws.permute_columns, few, 0, 200) is draws.permute_columns


def test_the_compiled_shuffle_is_taken_for_large_work_only():
    columns = np.ones((640, 180))
    assert draws.fastest_draw(draws.permute_columns, columns, 10) is draws.permute_columns
    large = draws.fastest_draw(draws.permute_columns, columns, 10_000)
    assert (large is not draws.permute_columns) == draws.has_numba()
    assert draws.fastest_draw(draws.flip_signs, columns, 10_000) is draws.flip_signs


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_permutations": 0}, "n_permutations"),
        ({"n_permutations": True}, "n_permutations"),
        ({"n_permutations": 18}, "use at least 19"),
        ({"n_permutations": 30, "alpha": 0.01}, "use at least 99"),
        ({"alpha": 0.0}, "alpha"),
        ({"null": "bootstrap"}, "null"),
        ({"method": "horn"}, "method"),
        ({"estimator": gm.KernelPCA(), "method": "deflated"}, "for PCA"),
        ({"estimator": gm.KernelPCA(kernel="precomputed")}, "square"),
        ({"random_state": "x"}, "random_state"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(ValueError, match=words):
        dimension.parallel_analysis(np.random.default_rng(0).standard_normal((10, 3)), **options)


def test_precomputed_values_have_no_columns_to_permute():
    with pytest.raises(ValueError, match="permutes the columns"):
        dimension.parallel_analysis(np.eye(5), estimator=gm.KernelPCA(kernel="precomputed"))
    with pytest.raises(ValueError, match="needs the data"):
        dimension.parallel_analysis([3.0, 2.0, 1.0])


BLOBS = np.concatenate(
    [np.random.default_rng(0).standard_normal((25, 4)) * 0.2 + c for c in np.eye(4)[:3] * 3]
)


@pytest.mark.parametrize(
    "estimator",
    [
        gm.PCA("parallel"),
        gm.PCA("parallel", scale=True),
        gm.KernelPCA("parallel"),
        gm.KernelPCA("parallel", kernel="linear"),
        gm.ClassicalMDS("parallel"),
    ],
    ids=str,
)
def test_parallel_is_a_name_for_n_components(estimator):
    fit = estimator.fit(BLOBS)
    assert fit.n_components_ == 2 == fit.transform(BLOBS).shape[1]
    assert fit.n_components == "parallel"
    weight = np.r_[np.zeros(3), np.ones(72)]
    assert estimator.fit(BLOBS, sample_weight=weight).n_components_ == 2


def test_parallel_with_approximate_features():
    fit = gm.KernelPCA("parallel", approximation=gm.Nystrom(10)).fit(BLOBS[::3])
    assert fit.n_components_ == 2


def test_one_axis_is_kept_of_noise_with_a_warning():
    X = np.random.default_rng(1).standard_normal((30, 4))
    with pytest.warns(gm.errors.RankWarning, match="no axis above noise"):
        assert gm.PCA("parallel").fit(X).n_components_ == 1


@pytest.mark.parametrize("name", ["karlis", "gavish_donoho", "marchenko_pastur", "minka"])
def test_rules_under_noise_are_names_for_pca(name):
    X = planted(
        np.random.default_rng(0),
        80,
        10,
        [60.0, 40.0],
        np.random.default_rng(1).standard_normal((80, 10)),
    )
    fit = gm.PCA(name).fit(X)
    assert fit.n_components_ == 2
    assert gm.PCA(name).fit([X[:30], X[30:]]).n_components_ == 2


def test_blocks_of_rows_have_no_table_to_permute():
    with pytest.raises(gm.errors.InputError, match="needs a table"):
        gm.PCA("parallel").fit(iter([BLOBS[:40], BLOBS[40:]]))
