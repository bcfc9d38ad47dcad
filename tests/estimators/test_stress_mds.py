"""gm.MDS: maps that are known, weights, missing pairs, new points, readings, options."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

import gramian as gm
from gramian.errors import ConvergenceWarning, InputError, RankWarning

pytestmark = pytest.mark.slow


RNG = np.random.default_rng(0)
PLANE = RNG.standard_normal((24, 2)) * [3.0, 1.0]
CLOUD = RNG.standard_normal((30, 4)) * [3.0, 2.0, 1.0, 0.5]
D = squareform(pdist(CLOUD))
FIVE = pytest.mark.parametrize(
    "options",
    [
        {},
        {"scaling": "interval"},
        {"scaling": "ordinal"},
        {"scaling": "ordinal", "ties": "secondary"},
        {"loss": "sstress"},
        {"loss": "sstress", "scaling": "ordinal"},
        {"pair_weight": "sammon"},
    ],
    ids=lambda o: " ".join(o.values()) or "ratio",
)


def mds(X=D, q=2, n_init=2, **options):
    return gm.MDS(q, metric="precomputed", n_init=n_init, **options).fit(X)


def apart(A, B):
    return gm.stability.procrustes(A, B).statistic / np.sum((A - A.mean(axis=0)) ** 2)


@pytest.mark.parametrize("scaling", ["ratio", "interval", "ordinal"])
@pytest.mark.parametrize("loss", ["stress", "sstress"])
@pytest.mark.parametrize("start", ["classical", "random"])
def test_points_of_a_plane_come_back(scaling, loss, start):
    found = gm.MDS(scaling=scaling, loss=loss, start=start, n_init=6, tol=1e-8).fit(PLANE)
    assert found.stress_ < 1e-4
    assert apart(PLANE, found.coordinates_) < (1e-8 if scaling == "ratio" else 5e-3)


def test_nine_cities_are_the_map_of_the_united_states():
    cities = gm.datasets.cities()
    truth = np.asarray(cities.truth["coordinates"], dtype=float)
    for options in ({}, {"scaling": "ordinal"}, {"loss": "sstress"}):
        found = mds(cities.distances, n_init=4, **options)
        fit = gm.stability.procrustes(truth, found.coordinates_)
        r = np.corrcoef(fit.fitted.ravel(), fit.target.ravel())[0, 1]
        assert r >= 0.99
        assert list(found.individuals().index) == list(cities.distances.columns)


@FIVE
def test_stress_is_what_the_formula_says(options):
    """From the map and the Shepard table alone."""
    found = mds(**options)
    pairs = found.shepard()
    Z = found.coordinates_
    i, j = (pairs.index.get_level_values(k).to_numpy() for k in ("i", "j"))
    d = np.sqrt(((Z[i] - Z[j]) ** 2).sum(axis=1))
    np.testing.assert_allclose(pairs["distance"], d, rtol=1e-9)
    np.testing.assert_allclose(pairs["dissimilarity"], D[i, j], rtol=1e-12)
    power = 2 if options.get("loss") == "sstress" else 1
    a, b, w = pairs["disparity"] ** power, d**power, pairs["weight"]
    raw = float(np.sum(w * (a - b) ** 2))
    assert found.raw_stress_ == pytest.approx(raw, rel=1e-8)
    assert found.stress_ == pytest.approx(np.sqrt(raw / np.sum(w * b**2)), rel=1e-8)
    share = np.bincount(i, pairs["stress"], 30) + np.bincount(j, pairs["stress"], 30)
    np.testing.assert_allclose(found.stress_per_point_, share / 2, atol=1e-9)
    assert found.stress_per_point_.sum() == pytest.approx(1.0)
    assert pairs["dissimilarity"].is_monotonic_increasing
    if "ordinal" in options.values():
        means = pairs.groupby("dissimilarity")["disparity"].mean()
        assert (np.diff(means) >= -1e-9).all()


@FIVE
def test_the_history_never_rises(options):
    found = mds(start="random", n_init=1, random_state=3, **options)
    assert (np.diff(found.history_) <= 1e-12).all()
    assert found.converged_ and found.history_[-1] == found.start_stresses_.min()


@FIVE
def test_a_minimum_is_a_minimum(options):
    """No small move of the points lowers the loss, the disparities being fitted anew."""
    found = mds(n_init=1, tol=1e-9, **options)
    size = np.abs(found.coordinates_).max()
    with pytest.warns(ConvergenceWarning):
        for seed in range(5):
            move = np.random.default_rng(seed).standard_normal((30, 2)) * 1e-3 * size
            other = mds(n_init=1, start=found.coordinates_ + move, max_iter=1, **options)
            assert other.start_stresses_[0] >= found.start_stresses_[0] * (1 - 1e-9)


@FIVE
def test_order_and_unit_of_the_rows_do_not_matter(options):
    order = np.random.default_rng(4).permutation(30)
    a, b = mds(**options), mds(1000.0 * D[np.ix_(order, order)], **options)
    assert b.stress_ == pytest.approx(a.stress_, rel=1e-7)
    np.testing.assert_allclose(
        np.abs(b.coordinates_), 1000.0 * np.abs(a.coordinates_[order]), atol=1.0
    )
    for scale in (1e-290, 1e290):
        c = mds(scale * D, **options)
        np.testing.assert_allclose(c.coordinates_ / scale, a.coordinates_, atol=1e-6)


@FIVE
def test_whole_weights_are_repeated_rows(options):
    weight = np.ones(30)
    weight[[0, 7, 8]] = [2, 3, 2]
    rows = np.repeat(np.arange(30), weight.astype(int))
    a = gm.MDS(n_init=2, metric="precomputed", **options).fit(D, sample_weight=weight)
    b = mds(D[np.ix_(rows, rows)], **options)
    assert a.stress_ == pytest.approx(b.stress_, rel=1e-10)
    np.testing.assert_allclose(a.coordinates_[rows], b.coordinates_, atol=1e-9)
    np.testing.assert_allclose(
        np.bincount(rows, b.stress_per_point_), a.stress_per_point_, atol=1e-9
    )


@FIVE
def test_rows_of_weight_zero_are_placed_as_new_ones(options):
    weight = np.ones(30)
    weight[[4, 11]] = 0
    a = gm.MDS(n_init=2, metric="precomputed", **options).fit(D, sample_weight=weight)
    live = weight > 0
    b = mds(D[np.ix_(live, live)], **options)
    np.testing.assert_allclose(a.coordinates_[live], b.coordinates_, atol=1e-10)
    np.testing.assert_allclose(a.coordinates_[~live], b.transform(D[~live][:, live]), atol=1e-7)
    assert (a.stress_per_point_[~live] == 0).all()


@FIVE
def test_training_rows_go_where_they_are(options):
    for fit, X in ((mds(**options), D), (gm.MDS(n_init=1, **options).fit(CLOUD), CLOUD)):
        np.testing.assert_array_equal(fit.transform(X), fit.coordinates_)
        np.testing.assert_array_equal(fit.transform(X[3:4]), fit.coordinates_[3:4])


@pytest.mark.parametrize("scaling", ["ratio", "interval", "ordinal"])
@pytest.mark.parametrize("loss", ["stress", "sstress"])
def test_new_points_of_the_plane_find_their_place(scaling, loss):
    new = np.random.default_rng(7).standard_normal((6, 2))
    fit = gm.MDS(scaling=scaling, loss=loss, n_init=4, tol=1e-8).fit(PLANE)
    together = gm.stability.procrustes(PLANE, fit.coordinates_)
    there = together.scale * fit.transform(new) @ together.rotation + together.translation
    assert np.abs(there - new).max() < (1e-5 if scaling == "ratio" else 0.3)


def test_each_new_point_is_at_its_own_minimum():
    fit = mds()
    new = RNG.standard_normal((5, 4))
    delta = cdist(new, CLOUD)
    Z = fit.transform(delta)

    def loss(Z):
        return np.sum((delta - cdist(Z, fit.coordinates_)) ** 2, axis=1)

    for step in np.vstack([np.eye(2), -np.eye(2), [[0.7, 0.7]]]):
        for size in (1e-3, 0.5, 3.0):
            assert (loss(Z + size * step) >= loss(Z) - 1e-9).all()
    alone = np.vstack([fit.transform(row[None]) for row in delta])
    np.testing.assert_allclose(alone, Z, atol=1e-9)


def test_missing_pairs_are_pairs_of_weight_zero():
    gaps = np.triu(RNG.random((30, 30)) < 0.2, 1)
    gaps = gaps | gaps.T
    holes = np.where(gaps, np.nan, D)
    a = mds(holes)
    b = mds(D, pair_weight=1.0 - gaps)
    assert a.stress_ == pytest.approx(b.stress_, rel=1e-6)
    assert len(a.shepard()) == len(b.shepard()) == (~gaps).sum() // 2 - 15
    c = mds(np.ma.masked_where(gaps, D))
    np.testing.assert_array_equal(a.coordinates_, c.coordinates_)
    half = np.where(np.triu(gaps), np.nan, D)  # one entry of two mirrored ones is enough
    np.testing.assert_allclose(mds(half).coordinates_, mds().coordinates_, atol=1e-9)
    frame = pd.DataFrame(holes)
    np.testing.assert_array_equal(mds(frame).coordinates_, a.coordinates_)


def test_a_plane_comes_back_from_part_of_its_distances():
    gaps = np.triu(np.random.default_rng(1).random((24, 24)) < 0.3, 1)
    holes = np.where(gaps | gaps.T, np.nan, squareform(pdist(PLANE)))
    found = mds(holes, n_init=6, tol=1e-8)
    assert apart(PLANE, found.coordinates_) < 1e-8
    with_gaps = np.where(np.arange(24) % 3 == 0, np.nan, cdist(PLANE[:2] + 0.1, PLANE))
    assert np.isfinite(found.transform(with_gaps)).all()


def test_pair_weights_condensed_or_square_and_their_scale():
    W = squareform(RNG.random(435))
    a, b, c = (mds(pair_weight=w) for w in (W, squareform(W), 7.0 * W))
    np.testing.assert_array_equal(a.coordinates_, b.coordinates_)
    np.testing.assert_allclose(a.coordinates_, c.coordinates_, atol=1e-9)
    assert c.raw_stress_ == pytest.approx(7.0 * a.raw_stress_)


@pytest.mark.parametrize("q", [1, 3, 5])
def test_dimensions(q):
    found = mds(q=q, n_init=1)
    assert found.coordinates_.shape == (30, q)
    assert q < 5 or found.stress_ < 1e-4  # four columns need four axes


def test_a_line_of_points_in_any_order():
    x = np.random.default_rng(2).permutation(12.0 * np.arange(9))[:, None]
    found = gm.MDS(1, start="random", n_init=8).fit(x)
    assert found.stress_ < 1e-6
    np.testing.assert_allclose(pdist(found.coordinates_), pdist(x), atol=1e-3)


@pytest.mark.parametrize("rule", ["kaiser", "elbow", "cattell", "broken_stick", 0.9, None])
def test_rules_are_those_of_classical_scaling(rule):
    assert (
        gm.MDS(rule, n_init=1).fit(CLOUD).n_components_
        == gm.ClassicalMDS(rule).fit(CLOUD).n_components_
    )


def test_parallel_analysis_finds_the_dimension():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((60, 2)) @ rng.standard_normal((2, 12)) * 3
    X += rng.standard_normal((60, 12))
    assert gm.MDS("parallel", n_init=1).fit(X).n_components_ == 2
    with pytest.warns(RankWarning, match="no axis above noise"):
        assert gm.MDS("parallel", n_init=1).fit(X[:, 4:] * 0 + CLOUD[:1, :1] + RNG.random((60, 8)))


def test_starts():
    one = mds(n_init=1, start=PLANE[:24].repeat(2, axis=0)[:30], random_state=0)
    assert one.start_stresses_.shape == (1,)
    many = mds(n_init=6, start="random", random_state=0)
    assert many.start_stresses_.shape == (6,)
    assert many.history_[-1] == many.start_stresses_.min()
    assert mds(n_init=8).stress_ <= mds(n_init=1).stress_ * (1 + 1e-8)


@pytest.mark.parametrize("scaling", ["ratio", "ordinal"])
def test_same_seed_same_numbers(scaling, monkeypatch):
    X = np.random.default_rng(0).standard_normal((230, 5))  # compiled, where numba is installed
    options = {"scaling": scaling, "n_init": 3, "random_state": 1, "max_iter": 2000}
    a = gm.MDS(**options, tol=1e-3).fit(X)
    monkeypatch.setattr("gramian._core.parallel.n_threads", lambda: 1)
    monkeypatch.setattr("gramian._estimators.stress.best_of_starts.n_threads", lambda: 1)
    b = gm.MDS(**options, tol=1e-3).fit(X)
    np.testing.assert_array_equal(a.coordinates_, b.coordinates_)


def test_numpy_and_compiled_loops_lead_to_the_same_map(monkeypatch):
    X = np.random.default_rng(0).standard_normal((210, 3)) * [4.0, 2.0, 0.3]
    a = gm.MDS(scaling="ordinal", n_init=1).fit(X)
    monkeypatch.setattr("gramian._estimators.stress.majorise.has_numba", lambda: False)
    b = gm.MDS(scaling="ordinal", n_init=1).fit(X)
    assert a.stress_ == pytest.approx(b.stress_, rel=1e-6)
    np.testing.assert_allclose(a.coordinates_, b.coordinates_, atol=1e-3)


def test_stress_test_tells_structure_from_noise():
    fit = gm.MDS(n_init=1).fit(PLANE)
    found = fit.stress_test(n_permutations=19)
    assert found.p_value == 0.05 and found.statistic == fit.stress_
    assert found.reference.shape == (19,) and (found.reference > 0.2).all()
    p = []
    for seed in range(12):
        noise = 1.0 + np.random.default_rng(seed).random(66)
        fit = gm.MDS(metric="precomputed", n_init=1, tol=1e-4).fit(noise)
        p.append(fit.stress_test(n_permutations=9, random_state=seed).p_value)
    assert 0.25 < np.mean(p) < 0.85


def test_not_converged_says_so():
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        found = mds(max_iter=3, n_init=1)
    assert not found.converged_ and found.n_iter_ <= 4


def test_progress_is_one_line_on_standard_error(capsys):
    mds(progress=True)
    seen = capsys.readouterr()
    assert seen.out == "" and "\n" not in seen.err
    assert "start" in seen.err and "stress" in seen.err and seen.err.endswith("\r")


def test_equal_points_stay_equal():
    X = np.vstack([CLOUD, CLOUD[:4]])
    for scaling in ("ratio", "ordinal"):
        found = gm.MDS(scaling=scaling, n_init=2).fit(X)
        np.testing.assert_array_equal(found.coordinates_[:4], found.coordinates_[30:])


def test_the_callers_arrays_are_not_touched():
    X, W = D.copy(), np.ones((30, 30))
    X.flags.writeable = W.flags.writeable = False
    mds(X, pair_weight=W)
    np.testing.assert_array_equal(X, D)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scaling": "nominal"}, "scaling"),
        ({"loss": "strain"}, "loss"),
        ({"ties": "tertiary"}, "ties"),
        ({"n_init": 0}, "n_init"),
        ({"max_iter": 2.5}, "max_iter"),
        ({"tol": 0.0}, "tol"),
        ({"tol": True}, "tol"),
        ({"start": "warm"}, "start"),
        ({"start": np.zeros((30, 3))}, "shape"),
        ({"start": np.ones((30, 2))}, "all its points are the same"),
        ({"pair_weight": "kruskal"}, "pair_weight"),
        ({"pair_weight": np.ones((3, 3))}, "3 points"),
        ({"pair_weight": -np.ones((30, 30))}, "pair_weight has a negative"),
        ({"q": 31}, "n_components"),
        ({"q": True}, "n_components"),
        ({"q": "scree"}, "not a known rule"),
    ],
)
def test_refused_options(options, words):
    with pytest.raises(InputError, match=words) as caught:
        mds(**options)
    assert len(str(caught.value)) <= 400
