"""Numbers of R's vegan: decostand, vegdist, adonis2, betadisper, rda, cca, dbrda."""

import numpy as np
import pytest
from scipy.spatial.distance import squareform
from tests.outside._reference import array, load, table

import gramian as gm

FOLDER = "factor_methods/"
DUNE = table(f"{FOLDER}data/dune_tests.csv")
SPECIES, SITES = DUNE.iloc[:, :30], DUNE.iloc[:, 30:]
TWELVE = table(f"{FOLDER}data/dune_12.csv").astype(float)
STANDARDS = {
    "hellinger": "hellinger",
    "chi.square": "chi2",
    "normalize": "chord",
    "rclr": "rclr",
    "total": "profiles",
    "max": "max",
    "frequency": "frequency",
    "range": "range",
    "standardize": "standardize",
    "pa": "presence",
    "log_base2": "log",
    "rank": "rank",
    "wisconsin": "wisconsin",
}
N = len(DUNE)
vegan = load("vegan/constrained_dune.json")


@pytest.mark.parametrize("name", STANDARDS)
def test_decostand(name):
    expected = array(load(f"{FOLDER}decostand_dune12.json")["result"][name])
    ours = gm.ecology.transform(TWELVE, STANDARDS[name])
    assert ours.columns.equals(TWELVE.columns) and ours.index.equals(TWELVE.index)
    known = ~np.isnan(expected)  # a constant column: 0 here, NaN there
    np.testing.assert_allclose(ours.to_numpy()[known], expected[known], atol=1e-9)
    assert not ours.to_numpy()[~known].any()


@pytest.mark.parametrize("pseudocount", [1, 0.5])
def test_clr(pseudocount):
    expected = load(f"{FOLDER}decostand_dune12.json")["result"][f"clr_pseudocount{pseudocount}"]
    ours = gm.ecology.transform(TWELVE, "clr", pseudocount=pseudocount)
    np.testing.assert_allclose(ours, array(expected), atol=1e-9)


def test_alr():
    # vegan 2.6-4 takes a row for the reference: its table turned round.
    expected = load(f"{FOLDER}decostand_dune12.json")["result"]["alr_ref1_pseudocount1"]
    ours = gm.ecology.transform(TWELVE.T, "alr", pseudocount=1)
    np.testing.assert_allclose(ours.T, array(expected), atol=1e-9)


DISTANCES = {
    "manhattan": "cityblock",
    "euclidean": "euclidean",
    "bray": "braycurtis",
    "chisq": "chi2",
    "chord": "chord",
    "hellinger": "hellinger",
    "robust.aitchison": "robust-aitchison",
    "gower": "gower",
    "altGower": "alternative-gower",
    "binomial": "binomial",
    "cao": "cao",
    "clark": "clark",
    "horn": "horn",
    "jaccard": "ruzicka",
    "kulczynski": "kulczynski",
    "morisita": "morisita",
}


@pytest.mark.parametrize("name", DISTANCES)
def test_vegdist(name):
    expected = array(load(f"{FOLDER}vegdist_dune12.json")["result"][name])
    ours = gm.distances.pairwise(TWELVE, metric=DISTANCES[name])
    np.testing.assert_allclose(ours, squareform(expected), atol=1e-9)


@pytest.mark.parametrize("name", ["bray", "jaccard", "kulczynski", "manhattan", "euclidean"])
def test_vegdist_of_presences(name):
    expected = array(load(f"{FOLDER}vegdist_dune12.json")["result"][f"{name}_binary"])
    ours = gm.distances.pairwise((TWELVE > 0).astype(float), metric=DISTANCES[name])
    np.testing.assert_allclose(ours, squareform(expected), atol=1e-9)


def test_canberra_is_a_sum_here_and_a_mean_there():
    expected = array(load(f"{FOLDER}vegdist_dune12.json")["result"]["canberra"])
    Z = TWELVE.to_numpy()
    species = ((Z[:, None] + Z[None]) > 0).sum(axis=2)
    ours = gm.distances.pairwise(TWELVE, metric="canberra") / species
    np.testing.assert_allclose(ours, squareform(expected), atol=1e-9)


@pytest.mark.parametrize("metric", ["kulczynski", "horn", "binomial", "cao", "clark"])
def test_new_rows_are_measured_as_the_old(metric):
    D = gm.distances.pairwise(TWELVE, metric=metric)
    new = gm.distances.pairwise(TWELVE.iloc[:3], TWELVE, metric)
    np.testing.assert_allclose(new, D[:3], atol=1e-12)
    assert gm.ClassicalMDS(2, metric=metric, correction="lingoes").fit(TWELVE).inertia_ > 0


def test_aitchison():
    expected = array(load(f"{FOLDER}vegdist_dune12.json")["result"]["aitchison"])
    ours = gm.distances.pairwise(TWELVE + 1.0, metric="aitchison")
    np.testing.assert_allclose(ours, squareform(expected), atol=1e-9)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("hellinger", "hellinger"),
        ("chord", "chord"),
        ("logchord", "log-chord"),
        ("profiles", "profiles"),
        ("bray", "braycurtis"),
    ],
)
def test_distances_of_varespec(name, metric):
    ours = gm.distances.pairwise(table("vegan/varespec_10.csv"), metric=metric)
    np.testing.assert_allclose(ours, squareform(array(vegan["varespec10"][name])), atol=1e-9)


ADONIS = {
    "adonis_terms": {},
    "adonis_margin": {"by": "margin"},
    "adonis_model": {"by": "model"},
    "adonis_interaction_terms": {"terms": "Management*A1"},
    "adonis_hellinger_euclid": {"metric": "hellinger"},
}


@pytest.mark.parametrize("name", ADONIS)
def test_adonis2(name):
    expected = array(load(f"{FOLDER}adonis_betadisper_dune.json")["result"][name])
    options = {"metric": "braycurtis", "terms": "Management + A1"} | ADONIS[name]
    ours = gm.ecology.permanova(SPECIES, SITES, n_permutations=1, **options).table
    got = ours[["df", "sum_of_squares", "r2", "F"]].to_numpy(float)
    np.testing.assert_allclose(got, expected, atol=1e-9)


# vegan's p-values are of 9,999 permutations; 4 standard errors of ours of 1,999.
@pytest.mark.slow
def test_p_values_are_those_of_vegan():
    options = {"metric": "braycurtis", "n_permutations": 1999, "random_state": 0}
    ask = gm.ecology.permanova
    close(ask(SPECIES, SITES, "Management + A1", **options).table, vegan["adonis_p"])
    margin = ask(SPECIES, SITES, "Management + A1", by="margin", **options).table
    close(margin, vegan["adonis_margin_p"])
    strata = ask(SPECIES, SITES, "A1", strata=SITES["Management"], **options).table
    close(strata, vegan["adonis_strata_p"])
    spread = gm.ecology.dispersion(SPECIES, SITES["Management"], **options)
    assert abs(spread.p_value - vegan["betadisper_p"][0]) < 0.04
    axes = gm.ecology.rda(SPECIES, SITES, "Management + A1").test("axes", n_permutations=999)
    close(axes, vegan["anova_rda_axis_p"])


def close(ours, expected):
    p = np.array(expected)
    got = ours["p_value"].dropna().to_numpy()
    assert np.all(np.abs(got - p) < 4.0 * np.sqrt(p * (1 - p) / 999) + 2e-3)


BETADISPER = {
    "betadisper_median": {},
    "betadisper_centroid": {"centre": "centroid"},
    "betadisper_median_bias": {"bias_adjust": True},
    "betadisper_sqrt": {"metric": "precomputed"},
    "betadisper_hellinger_centroid": {"metric": "hellinger", "centre": "centroid"},
}


@pytest.mark.parametrize("name", BETADISPER)
def test_betadisper(name):
    expected = load(f"{FOLDER}adonis_betadisper_dune.json")["result"][name]
    options = {"metric": "braycurtis"} | BETADISPER[name]
    roots = np.sqrt(gm.distances.bray_curtis(SPECIES))
    X = roots if name == "betadisper_sqrt" else SPECIES
    ours = gm.ecology.dispersion(X, SITES["Management"], n_permutations=1, **options)
    tol = 1e-9 if "centroid" in name else 1e-5  # vegan searches its median
    np.testing.assert_allclose(ours.distances, array(expected["distances"]), atol=tol)
    np.testing.assert_allclose(ours.groups["mean"], array(expected["group_mean"]), atol=tol)
    assert ours.groups.index.tolist() == expected["group_mean"]["names"]
    assert ours.statistic == pytest.approx(expected["F"], abs=tol)
    np.testing.assert_allclose(ours.sum_of_squares, array(expected["SS"]), atol=tol)
    assert list(ours.df) == expected["df"]["values"]


both = "Management + A1"
# What turns inertias of weights 1/n into vegan's: of rows n − 1, of distances sums of squares.
CONSTRAINED = {
    "rda": (lambda: gm.ecology.rda(SPECIES, SITES, both), N / (N - 1)),
    "rda_scaled": (lambda: gm.ecology.rda(SPECIES, SITES, both, scale=True), 1.0),
    "rda_partial": (
        lambda: gm.ecology.rda(SPECIES, SITES, "A1", condition="Management"),
        N / (N - 1),
    ),
    "cca": (lambda: gm.ecology.cca(SPECIES, SITES, both), 1.0),
    "cca_partial": (lambda: gm.ecology.cca(SPECIES, SITES, ["A1"], condition="Management"), 1.0),
    "dbrda_bray": (lambda: gm.ecology.dbrda(SPECIES, SITES, both), N),
    "dbrda_interaction": (lambda: gm.ecology.dbrda(SPECIES, SITES, "Management*A1"), N),
    "dbrda_hellinger": (
        lambda: gm.ecology.dbrda(SPECIES, SITES, "Moisture", metric="hellinger"),
        N / (N - 1),
    ),
}


@pytest.mark.parametrize("name", CONSTRAINED)
def test_constrained(name):
    make, unit = CONSTRAINED[name]
    ours, expected = make(), {key: array(values) for key, values in vegan[name].items()}
    positive = ours.eigenvalues[ours.eigenvalues > 0] * unit
    np.testing.assert_allclose(positive, expected["eig"][: len(positive)], atol=1e-9)
    names = {"total": "tot", "constrained": "con", "rest": "rest", "condition": "cond"}
    for key, other in names.items():
        assert ours.inertia[key] * unit == pytest.approx(expected[other][0], abs=1e-9)
    assert ours.r2 == pytest.approx(expected["r2"][0], abs=1e-9)
    if not name.startswith("cca"):  # vegan draws random columns there
        assert ours.adjusted_r2 == pytest.approx(expected["r2adj"][0], abs=1e-9)
    for by in ("terms", "margin", "model"):
        F = ours.test(by, n_permutations=1)["F"].dropna()
        np.testing.assert_allclose(F, expected[f"{by}_F"], atol=1e-9)
    if not np.isnan(expected["axis_F"]).any():
        F = ours.test("axes", n_permutations=1)["F"]
        np.testing.assert_allclose(F, expected["axis_F"], atol=1e-9)
    eigenvalues = ours.fit.eigenvalues_ * unit
    np.testing.assert_allclose(eigenvalues, positive[: len(eigenvalues)], atol=1e-9)
    assert ours.fit.individuals().index.equals(DUNE.index)


@pytest.mark.parametrize("name", ["rda", "cca"])
def test_rows_on_constrained_axes(name):
    ours = CONSTRAINED[name][0]()
    scores = array(vegan[name]["lc"]).reshape(N, -1)
    got = ours.fit.coordinates_ / np.sqrt(ours.fit.eigenvalues_)
    got = got / np.linalg.norm(got, axis=0)
    scores = scores / np.linalg.norm(scores, axis=0)
    np.testing.assert_allclose(np.abs(np.sum(got * scores, axis=0)), 1.0, atol=1e-8)
