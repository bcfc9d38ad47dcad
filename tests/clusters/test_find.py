"""Trees and classes by brute force, and the number of classes where it is known."""

import itertools

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.clusters.tree import centres_of, consolidate_classes, ward
from gramian.errors import InputError, InputTypeError


def within(F, w, codes):
    return float(w @ ((F - centres_of(F, w, codes)[codes]) ** 2).sum(axis=1))


def blobs(rng, k, n=90, p=4, gap=7.0):
    centres = np.zeros((k, p))
    centres[np.arange(k), np.arange(k) % p] = gap * (1.0 + np.arange(k) // p)
    truth = np.arange(n) % k
    return centres[truth] + rng.standard_normal((n, p)), truth


def same(a, b):
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(0)
    F, w = rng.standard_normal((25, 3)), rng.integers(1, 4, 25)
    many = np.repeat(np.arange(25), w)
    once = ward(F, w / w.sum())
    repeated = ward(F[many], np.full(len(many), 1.0 / len(many)))
    np.testing.assert_allclose(once.gains, repeated.gains[:24], rtol=1e-9)
    for k in (2, 5, 9):
        assert same(once.cut(k)[many], repeated.cut(k))


def test_every_union_costs_the_inertia_that_it_says():
    rng = np.random.default_rng(1)
    F, w = rng.standard_normal((20, 2)), rng.dirichlet(np.ones(20))
    tree = ward(F, w)
    costs = [within(F, w, tree.cut(k)) for k in range(1, 20)]
    np.testing.assert_allclose(tree.within, costs, atol=1e-12)
    # The first union is the cheapest of all pairs.
    pairs = itertools.combinations(range(20), 2)
    cheapest = min(w[i] * w[j] / (w[i] + w[j]) * ((F[i] - F[j]) ** 2).sum() for i, j in pairs)
    assert tree.gains[-1] == pytest.approx(cheapest)


def test_no_row_can_change_its_class_for_less_inertia():
    rng = np.random.default_rng(2)
    F, w = rng.standard_normal((40, 2)), rng.dirichlet(np.ones(40))
    before = ward(F, w).cut(5)
    codes = consolidate_classes(F, w, before)
    best = within(F, w, codes)
    assert best < within(F, w, before)
    for i in range(40):
        for c in range(5):
            other = codes.copy()
            other[i] = c
            if len(np.unique(other)) == 5:
                assert within(F, w, other) >= best - 1e-12


@pytest.mark.slow
def test_many_rows_hang_on_prototypes():
    X, truth = blobs(np.random.default_rng(3), 3, n=12_000)
    found = gm.clusters.find(gm.PCA(2).fit(X), random_state=0)
    assert len(found.tree.merges) < 500 and found.n_clusters == 3
    assert same(found.labels, truth) or (pd.crosstab(found.labels, truth).max() > 3990).all()


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 5])
def test_clear_clusters_are_counted(k):
    for seed in range(3):
        X, truth = blobs(np.random.default_rng(seed), k, n=30 * k)
        found = gm.clusters.find(gm.PCA(4).fit(X), random_state=seed)
        assert found.n_clusters == k and same(found.labels, truth)
        assert found.p_value < 0.001 and found.tests["found"].sum() == k - 1


# 5 % at most: of 20 clouds, more than 4 has a chance below 1 in 1,000.
@pytest.mark.slow
@pytest.mark.parametrize("law", ["standard_normal", "random", "standard_exponential"])
def test_one_cloud_is_one_class(law):
    rng = np.random.default_rng(4)
    counts = [
        gm.clusters.find(gm.PCA(2).fit(getattr(rng, law)((50, 4))), random_state=k).n_clusters
        for k in range(20)
    ]
    assert np.mean(np.array(counts) == 1) >= 0.8


@pytest.mark.slow
def test_counts_of_few_values_are_no_classes():
    rng = np.random.default_rng(5)
    found = [
        gm.clusters.find(gm.PCA(2).fit(rng.poisson(0.7, (80, 3)).astype(float)), random_state=k)
        for k in range(5)
    ]
    assert sum(each.n_clusters > 1 for each in found) <= 1


@pytest.mark.slow
def test_a_ring_is_no_class():
    rng = np.random.default_rng(6)
    t = 2.0 * np.pi * rng.random(200)
    X = np.column_stack([np.cos(t), np.sin(t)]) + 0.05 * rng.standard_normal((200, 2))
    found = gm.clusters.find(gm.PCA(2).fit(X), random_state=0)
    assert found.n_clusters == 1 and found.hollow and "ring" in repr(found)


def bow(rng, angle):
    """Rows at these angles of a circle, in four columns."""
    X = 0.08 * rng.standard_normal((len(angle), 4))
    X[:, :2] += np.column_stack([np.cos(angle), np.sin(angle)])
    return X


@pytest.mark.slow
def test_a_horseshoe_is_no_class():
    """Its projection on the first axis is dense at both ends."""
    rng = np.random.default_rng(13)
    fits = [gm.PCA(3).fit(bow(rng, 3.9 * rng.random(80))) for _ in range(6)]
    found = [gm.clusters.find(fit, random_state=0) for fit in fits]
    assert sum(each.n_clusters > 1 for each in found) <= 1
    assert all(each.p_value > each.alpha for each in found if each.n_clusters == 1)


@pytest.mark.slow
def test_a_horseshoe_with_a_gap_is_two_classes():
    rng = np.random.default_rng(14)
    angle = np.concatenate([1.2 * rng.random(40), 2.6 + 1.2 * rng.random(40)])
    found = gm.clusters.find(gm.PCA(3).fit(bow(rng, angle)), random_state=0)
    assert same(found.labels, angle > 2.0)


def test_supplementary_rows_go_to_the_nearest_class():
    X, truth = blobs(np.random.default_rng(7), 3)
    w = np.ones(len(X))
    w[:5] = 0.0
    found = gm.clusters.find(gm.PCA(2).fit(X, sample_weight=w), 3)
    assert same(found.labels, truth)
    assert (found.predict(X) == found.labels).all()
    assert not set(found.paragons(100)["row"]) & set(range(5))


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        gm.PCA(2),
        gm.KernelPCA(3),
        gm.ClassicalMDS(2, metric="cityblock", correction="lingoes"),
        gm.MDS(2, random_state=0),
        gm.Nystrom(20, random_state=0),
    ],
    ids=lambda e: type(e).__name__,
)
def test_from_every_map(estimator):
    X, truth = blobs(np.random.default_rng(8), 2, n=40)
    names = [f"row {i}" for i in range(40)]
    frame = pd.DataFrame(X, names, columns=list("abcd"))
    try:
        found = gm.clusters.find(estimator.fit(frame), 2)
    except InputTypeError:
        assert isinstance(estimator, gm.Nystrom)  # features, no axes
        return
    assert same(found.labels, truth) and found.labels.index.tolist() == names
    assert found.describe().variables["variable"].isin(list("abcd")).all()
    assert found.stability(10, random_state=0)["jaccard"].min() > 0.95


@pytest.mark.slow
def test_classes_that_are_cuts_are_not_stable():
    X = np.random.default_rng(9).standard_normal((100, 2))
    found = gm.clusters.find(gm.PCA(2).fit(X), 6)
    assert found.stability(20, random_state=0)["jaccard"].mean() < 0.75


@pytest.mark.slow
def test_one_class_is_described_by_nothing():
    found = gm.clusters.find(gm.PCA(2).fit(np.random.default_rng(0).random((30, 3))), 1)
    assert found.describe().classes.empty and found.extremes(2).shape == (2, 3)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"n_clusters": 0}, "n_clusters=0"),
        ({"n_clusters": 200}, "from 1 to 150"),
        ({"n_clusters": "many"}, "n_clusters='many'"),
        ({"n_axes": 3}, "n_axes=3"),
        ({"alpha": 2}, "alpha=2"),
        ({"consolidate": 1}, "consolidate=1"),
    ],
)
def test_what_is_refused(options, text):
    fit = gm.PCA(2).fit(gm.datasets.iris().data)
    with pytest.raises(InputError, match=text):
        gm.clusters.find(fit, **options)


def test_distances_need_a_table_to_describe_them():
    X = gm.datasets.iris().data
    fit = gm.ClassicalMDS(2, metric="precomputed").fit(gm.distances.euclidean(X))
    found = gm.clusters.find(fit, 2)
    with pytest.raises(InputError, match="table is missing"):
        found.describe()
    assert found.describe(X.to_numpy()).variables.shape[0] == 4
    assert found.axes().variables["variable"].iloc[0] == "axis 1"
    with pytest.raises(InputTypeError, match="fitted="):
        gm.clusters.find("fit")


@pytest.mark.slow
def test_mixed_tables_are_described_by_their_own_columns():
    rng = np.random.default_rng(10)
    truth = np.arange(60) % 2
    frame = pd.DataFrame({"size": 6.0 * truth + rng.standard_normal(60)})
    frame["colour"] = np.where(rng.random(60) < 0.9, np.array(["red", "blue"])[truth], "green")
    frame["noise"] = rng.standard_normal(60)
    groups = {"numbers": ["size", "noise"], "words": ["colour"]}
    for fit in (gm.FAMD(2).fit(frame), gm.MFA(2, groups=groups).fit(frame)):
        found = gm.clusters.find(fit, 2)
        assert same(found.labels, truth)
        what = found.describe().classes
        assert set(what.loc[what["kind"] == "category", "category"]) <= {"red", "blue", "green"}
        assert {"size", "colour"} <= set(what["variable"])
        assert (found.predict(frame) == found.labels).all()


@pytest.mark.slow
def test_columns_of_the_fit_that_are_given_again_are_listed_once():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((30, 2)), columns=["a", "b"])
    frame["word"] = np.where(frame["a"] > 0, "high", "low")
    for fit in (gm.FAMD(2).fit(frame), gm.KernelPCA(2, kernel="gower").fit(frame)):
        found = gm.clusters.find(fit, 2)
        again = found.describe(frame.assign(other=frame["b"] ** 2), alpha=1)
        assert sorted(again.variables["variable"]) == ["a", "b", "other", "word"]
    found = gm.clusters.find(gm.PCA(2).fit(frame[["a", "b"]]), 2)
    other = found.describe(frame[["a"]] ** 2, alpha=1)  # another column that has this name
    assert sorted(other.variables["variable"]) == ["a", "a", "b"]


UNEQUAL = {  # sizes, gap in standard deviations, standard deviations
    "60/30/10": ((60, 30, 10), 6.0, (1, 1, 1)),
    "8/8/8": ((8, 8, 8), 9.0, (1, 1, 1)),
    "40/20/10/10": ((40, 20, 10, 10), 7.0, (1, 1, 1, 1)),
    "unequally wide": ((40, 40), 12.0, (1, 2.5)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", UNEQUAL)
def test_unequal_and_small_classes_are_counted(name):
    sizes, gap, deviations = UNEQUAL[name]
    truth = np.repeat(np.arange(len(sizes)), sizes)
    X = (
        np.random.default_rng(0).standard_normal((len(truth), 5))
        * np.array(deviations)[truth, None]
    )
    X[np.arange(len(X)), truth] += gap
    found = gm.clusters.find(gm.PCA(5).fit(X), random_state=0)
    assert found.n_clusters == len(sizes) and same(found.labels, truth)
    assert (found.predict(X) == found.labels).all()


@pytest.mark.slow
def test_long_classes_side_by_side_are_two():
    """Ward's tree cuts them across."""
    X = np.random.default_rng(1).standard_normal((60, 4)) * [5.0, 1.0, 1.0, 1.0]
    X[30:, 1] += 8.0
    fit = gm.PCA(4).fit(X)
    truth = np.arange(60) >= 30
    assert same(gm.clusters.find(fit, random_state=0).labels, truth)
    assert not same(gm.clusters.find(fit, 2).labels, truth)


@pytest.mark.slow
def test_the_order_of_the_rows_does_not_matter():
    X, _ = blobs(np.random.default_rng(2), 3, n=60, gap=5.0)
    order = np.random.default_rng(3).permutation(60)
    fits = [gm.PCA(3).fit(rows) for rows in (X, X[order])]
    first, second = (gm.clusters.find(fit, random_state=0) for fit in fits)
    assert same(first.labels.to_numpy()[order], second.labels)
    np.testing.assert_allclose(first.tests["p_value"][0], second.tests["p_value"][0])
