"""Places: neighbours lost and invented, trust, misplaced rows."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.places import shares
from sklearn.manifold import trustworthiness

import gramian as gm
from gramian.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 2)) @ RNG.standard_normal((2, 6)) + 0.2 * RNG.standard_normal((60, 6))
FRAME = pd.DataFrame(X, columns=list("abcdef"), index=[f"r{i}" for i in range(60)])
FIT = gm.PCA(2).fit(FRAME)
K = X @ X.T
D = gm.distances.euclidean(X, X)
FITS = {
    "PCA": FIT,
    "scaled": gm.PCA(2, scale=True).fit(X),
    "gaussian": gm.KernelPCA(2).fit(X),
    "polynomial": gm.KernelPCA(2, kernel="polynomial").fit(X),
    "landmarks": gm.KernelPCA(2, approximation=gm.Nystrom(30, random_state=0)).fit(X),
    "precomputed": gm.KernelPCA(2, kernel="precomputed").fit(K),
    "classical": gm.ClassicalMDS(2).fit(X),
    "distances": gm.ClassicalMDS(2, metric="precomputed").fit(D),
    "stress": gm.MDS(2, n_init=1, random_state=0).fit(X),
    "stress of distances": gm.MDS(2, metric="precomputed", n_init=1, random_state=0).fit(D),
    "robust": gm.RobustPCA(2).fit(X),
    "rotated": FIT.rotate("varimax"),
    "read": gm.read_map(FIT.coordinates_, FRAME),
    "counts": gm.CA(2).fit(np.abs(X)),
    "mixed": gm.FAMD(2).fit(FRAME.assign(g=np.where(X[:, 0] > 0, "u", "v"))),
}


def naive(X, Z, i, k):
    """Lost and invented of one row, by sorting."""
    there = [int(j) for j in np.argsort(((X - X[i]) ** 2).sum(1)) if j != i]
    here = [int(j) for j in np.argsort(((Z - Z[i]) ** 2).sum(1)) if j != i]
    most = k * (2 * len(X) - 3 * k - 1) / 2
    lost = sum(max(here.index(j) + 1 - k, 0) for j in there[:k]) / most
    invented = sum(max(there.index(j) + 1 - k, 0) for j in here[:k]) / most
    return lost, invented


@pytest.mark.parametrize("k", [1, 7, 20])
def test_lost_and_invented_are_sums_of_ranks(k):
    table, Z = FIT.places(n_neighbors=k), FIT.coordinates_
    for i in (0, 17, 59):
        np.testing.assert_allclose(table[["lost", "invented"]].iloc[i], naive(X, Z, i, k))
    np.testing.assert_allclose(1 - table["invented"].mean(), trustworthiness(X, Z, n_neighbors=k))
    np.testing.assert_allclose(1 - table["lost"].mean(), trustworthiness(Z, X, n_neighbors=k))
    assert table.index.equals(FRAME.index)
    cos2 = FIT.individuals()["quality", 2]
    np.testing.assert_allclose(table["cos2"], cos2)


@pytest.mark.slow
def test_a_place_at_random_has_no_trust_and_a_copy_all_of_it():
    drawn = [gm.read_map(RNG.permuted(X, axis=0), X).places() for _ in range(5)]
    loss = [np.maximum(t["lost"], t["invented"]).mean() for t in drawn]
    assert all(t["misplaced"].all() for t in drawn), "such a map keeps nothing"
    assert max(t["trust"].mean() for t in drawn) < 0.15 and 0.4 < np.mean(loss) < 0.75
    same = gm.read_map(X, X).places()
    assert (same[["lost", "invented"]] == 0).all(axis=None) and (same["trust"] == 1).all()
    assert not same["misplaced"].any()


@pytest.mark.parametrize("name", FITS)
def test_every_fit_has_places(name):
    table = FITS[name].places()
    assert list(table) == ["lost", "invented", "trust", "p_value", "misplaced", "cos2"]
    assert table.drop(columns="cos2").notna().all(axis=None)
    assert table["misplaced"].mean() < 0.1 and table["trust"].mean() > 0.5


@pytest.mark.parametrize("name", ["PCA", "gaussian", "polynomial", "classical", "stress", "mixed"])
def test_new_rows_are_compared_with_those_of_the_fit(name):
    fit = FITS[name]
    new = FRAME.iloc[:3].rename("new {}".format)
    if name == "mixed":
        new = new.assign(g=np.where(X[:3, 0] > 0, "u", "v"))
    table = fit.places(new if name in ("PCA", "mixed") else new.to_numpy())
    assert len(table) == 3 and not table["misplaced"].any()
    if name == "PCA":
        assert table.index.equals(new.index)
        np.testing.assert_allclose(table["cos2"], FIT.places()["cos2"].iloc[:3])


def test_precomputed_values_of_new_rows():
    plain = gm.KernelPCA(2, kernel="linear").fit(X).places(X[:5] + 0.01)
    given = FITS["precomputed"].places((X[:5] + 0.01) @ X.T)
    columns = ["lost", "invented", "trust"]
    np.testing.assert_allclose(given[columns], plain[columns])
    assert given["cos2"].isna().all()  # k(x, x) is not known


@pytest.mark.slow
def test_kernels_and_distances_of_the_same_points_agree():
    columns = ["lost", "invented", "trust", "p_value"]
    for name in ("precomputed", "classical", "distances"):
        np.testing.assert_allclose(FITS[name].places()[columns], FIT.places()[columns], atol=1e-9)


def test_axes_that_make_the_map():
    fit = gm.PCA(3).fit(X)
    one = fit.places(axes=(1, 2))
    np.testing.assert_allclose(one["lost"], FIT.places()["lost"])
    np.testing.assert_allclose(one["cos2"], fit.individuals()["quality", 2])
    assert fit.places(axes=[3])["trust"].mean() < fit.places()["trust"].mean()


def test_one_row_that_was_moved_is_found_wherever_its_data_lie():
    """Also an outlier of the data, which is far from everybody and rightly so."""
    wild = np.vstack([X, X[:1] + 40.0])
    Z = gm.PCA(2).fit_transform(wild)
    assert not gm.read_map(Z, wild).places()["misplaced"].iloc[-1]
    order = np.argsort(Z[:-1, 0])
    Z[order[5]] = Z[order[50]]
    assert np.flatnonzero(gm.read_map(Z, wild).places()["misplaced"]).tolist() == [order[5]]


@pytest.mark.slow
@pytest.mark.parametrize("design", ["plane, 100 rows", "five groups, 300 rows"])
def test_a_slice_of_the_simulation(design):
    correct, found, others = shares(design, 4).mean(axis=0)
    assert correct <= 0.05 and found >= 0.9 and others <= 0.05


@pytest.mark.slow
def test_rows_without_a_weight_are_nobodys_neighbours():
    w = np.ones(60)
    w[50:] = 0.0
    fit = gm.PCA(2).fit(X, sample_weight=w)
    part = gm.PCA(2).fit(X[:50])
    columns = ["lost", "invented", "trust"]
    np.testing.assert_allclose(fit.places()[columns].iloc[:50], part.places()[columns])
    np.testing.assert_allclose(fit.places()[columns].iloc[50:], part.places(X[50:])[columns])
    polynomial = gm.KernelPCA(2, kernel="polynomial").fit(X, sample_weight=w)
    assert len(polynomial.places()) == 60


def test_weights_of_rows_move_the_map_and_nothing_else():
    w = RNG.random(60) + 0.1
    fit = gm.PCA(2).fit(X, sample_weight=w)
    given = gm.read_map(np.asarray(fit.coordinates_), X).places()
    columns = ["lost", "invented", "trust", "p_value"]
    np.testing.assert_allclose(fit.places()[columns], given[columns], atol=1e-12)


@pytest.mark.slow
def test_new_rows_like_those_of_the_fit_are_rarely_flagged():
    rng = np.random.default_rng(5)
    rates = []
    for _ in range(12):
        A = rng.standard_normal((2, 6))
        rows = rng.standard_normal((120, 2)) @ A + 0.2 * rng.standard_normal((120, 6))
        rates.append(gm.PCA(2).fit(rows[:60]).places(rows[60:])["misplaced"].mean())
    assert np.mean(rates) < 0.05


@pytest.mark.slow
def test_the_radius_is_that_of_resampled_maps():
    rows = np.random.default_rng(1).standard_normal((200, 3)) * [5.0, 2.0, 0.5]
    fit = gm.PCA(2).fit(rows)
    table = fit.places(n_resamples=40)
    assert (table["radius"] > 0).all()
    small = gm.PCA(2).fit(np.tile(rows, (4, 1))).places(n_resamples=40)["radius"]
    assert 1.4 < table["radius"].mean() / small.mean() < 3.0, "the root of four times the rows"
    new = fit.places(rows[:3], n_resamples=40)
    np.testing.assert_allclose(new["radius"], table["radius"].iloc[:3])


@pytest.mark.slow
def test_many_rows_are_compared_with_a_sample(monkeypatch):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, 2)) @ rng.standard_normal((2, 4))
    rows += 0.1 * rng.standard_normal(rows.shape)
    fit = gm.PCA(2).fit(rows)
    every = fit.places(n_neighbors=60)
    monkeypatch.setattr("gramian._reading.positions._MAX_REFERENCE", 100)
    monkeypatch.setattr("gramian._reading.positions._MIN_REFERENCE", 100)
    some = fit.places()
    np.testing.assert_allclose(some["lost"].mean(), every["lost"].mean(), atol=0.01)
    assert some["misplaced"].mean() < 0.01 and len(some) == 400


def test_a_map_read_without_its_rows_takes_them():
    bare = gm.read_map(FIT.coordinates_)
    np.testing.assert_allclose(bare.places(X)["lost"], FIT.places()["lost"])
    with pytest.raises(InputError, match="X is missing: the map was read without its rows"):
        bare.places()
    with pytest.raises(InputError, match="X has 5 rows but the map has 60"):
        bare.places(X[:5])


def test_saved_fits_have_the_same_places(tmp_path):
    gm.save(FIT, tmp_path / "fit.gramian")
    pd.testing.assert_frame_equal(gm.load(tmp_path / "fit.gramian").places(), FIT.places())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_neighbors": 40}, "n_neighbors=40"),
        ({"axes": (1, 3)}, "axes=3"),
        ({"axes": 1}, "axes=1 must be a list"),
        ({"n_resamples": -1}, "n_resamples=-1"),
    ],
)
def test_options_that_do_not_fit(options, words):
    with pytest.raises(InputError, match=words):
        FIT.places(**options)


def test_what_cannot_be_resampled_says_so():
    with pytest.raises(InputError, match="n_resamples"):
        FITS["stress"].places(n_resamples=5)
    with pytest.raises(InputError, match="n_resamples: resampling needs a table"):
        FITS["precomputed"].places(n_resamples=5)
    with pytest.raises(InputError, match="at least 6"):
        gm.PCA(1).fit(X[:4]).places()


@pytest.mark.slow
def test_the_map_shows_trust_and_lines_to_lost_neighbours():
    Z = FIT.coordinates_.copy()
    order = np.argsort(Z[:, 0])
    Z[order[3]] = Z[order[55]]
    fit = gm.read_map(Z, FRAME)
    record = gm.plots.individuals(fit, color="trust", lost=True, backend="none")
    shown = record.numbers["individuals"].trust
    np.testing.assert_allclose(shown, fit.places()["trust"])
    curves = [layer for layer in record.panels[0].layers if type(layer).__name__ == "Curve"]
    assert len(curves) == 1
    start = np.column_stack([curves[0].x[::2], curves[0].y[::2]])
    np.testing.assert_allclose(start, np.broadcast_to(Z[order[3]], start.shape))
    ends = np.column_stack([curves[0].x[1::2], curves[0].y[1::2]])
    near = set(np.argsort(((X - X[order[3]]) ** 2).sum(1))[1:16])
    assert {int(np.argmin(((Z - e) ** 2).sum(1))) for e in ends} <= near
    every = gm.plots.individuals(fit, lost=True, select=["r1", "r2"], backend="none")
    assert len(every.panels[0].layers) > 3
