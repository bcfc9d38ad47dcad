"""Which columns are active: responses and factors, species of any name, indices, codes, loci."""

import io
import itertools

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian._study.methods import method_of, settings_of
from gramian.io.doctor.vocabulary import is_counter, is_frequency


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def read(frame, **options):
    return gm.io.read(io.StringIO(frame.to_csv(index=frame.index.name is not None)), **options)


def trial(sizes, names=("site", "cultivar", "dung", "irrigation")):
    levels = [[f"{name[0]}{k}" for k in range(m)] for name, m in zip(names, sizes, strict=False)]
    rows = list(itertools.product(*levels))
    return pd.DataFrame(rows, columns=list(names[: len(sizes)]))


def community(rng, n=40, p=14):
    best, places = np.linspace(0, 1, p), np.linspace(0, 1, n)[:, None]
    means = 8 * np.exp(-9 * (places - best) ** 2)
    N = pd.DataFrame(rng.negative_binomial(2, 2 / (2 + means)))
    names = ["".join(letters) for letters in itertools.product("QRSTUVW", "ae", "l")]
    return N.set_axis(names, axis=1).rename_axis("plot").rename(index="plot {}".format)


@pytest.mark.parametrize("sizes", [(5, 4, 3), (3, 2, 2, 3)])
@pytest.mark.parametrize("decimals", [0, 1])
def test_the_response_of_a_crossed_trial_is_active_and_its_factors_are_groups(rng, sizes, decimals):
    frame = trial(sizes)
    frame["seeds"] = rng.normal(60, 9, len(frame)).round(decimals)
    frame["seeds"] = frame["seeds"].astype(int) if decimals == 0 else frame["seeds"]
    source = read(frame.sample(frac=1, random_state=0))
    assert source.content == "measurements" and source.columns("active") == ["seeds"]
    assert source.columns("group") == list(frame)[:-1]
    assert method_of(source, settings_of()).name == "pca"
    if decimals == 0:
        assert len(read(frame, content="cells")) == frame["seeds"].sum()


def test_small_whole_numbers_that_vary_less_than_counts_are_a_response(rng):
    frame = trial((4, 4, 3), ("origin", "colour", "grade"))
    counts = frame.assign(y=rng.poisson(6, len(frame)))
    marks = frame.assign(y=rng.binomial(9, 0.7, len(frame)))  # a variance of 0.3 means
    assert read(counts).content == "cells" and read(marks).content != "cells"
    block = counts.rename(columns={"origin": "block"})
    assert read(block).content != "cells"


def test_a_weight_is_a_response_and_a_name_of_frequencies_is_not(rng):
    frame = trial((4, 5)).assign(weight=rng.poisson(30, 20) + 200)
    assert not is_frequency("weight") and is_frequency("effectif")
    assert read(frame).content == "measurements"
    assert read(frame.rename(columns={"weight": "effectif"})).content == "contingency"


def test_units_within_factors_are_no_questions(rng):
    frame = trial((3, 2), ("diet", "sex"))
    frame = frame.loc[frame.index.repeat(12)].reset_index(drop=True)
    frame["litter"] = [f"l{k // 4}" for k in range(len(frame))]
    frame["mass"] = rng.normal(20, 3, len(frame)).round(1)
    assert method_of(read(frame.iloc[:-1]), settings_of()).name == "pca"


def test_linked_questions_with_a_number_remain_questions(rng):
    trait = rng.normal(0, 1, 200)
    frame = pd.DataFrame(
        {c: np.where(trait + rng.normal(0, 0.7, 200) > 0, "yes", "no") for c in "abc"}
    ).assign(height=rng.normal(170, 9, 200))
    assert method_of(read(frame), settings_of()).name == "mca"


@pytest.mark.parametrize("name", ["Lat", "day", "slope", "time", "batch", "No", "sex", "type"])
@pytest.mark.parametrize("present", [False, True])
def test_a_species_inside_the_others_is_one_by_any_name(rng, name, present):
    frame = community(rng)
    frame = (frame > 0).astype(int) if present else frame
    source = read(frame.rename(columns={frame.columns[6]: name}))
    assert source.content in ("presence", "abundances", "contingency")
    assert len(source.columns("active")) == frame.shape[1] and name in source.columns("active")


def test_a_measure_of_the_place_is_set_aside_by_its_values(rng):
    frame = community(rng)
    frame.insert(0, "slope", rng.integers(0, 45, len(frame)) * (rng.random(len(frame)) > 0.4))
    frame.insert(7, "alt", rng.integers(300, 900, len(frame)))
    frame.insert(3, "sex", rng.integers(1, 3, len(frame)))
    source = read(frame)
    assert {"slope", "alt", "sex"}.isdisjoint(source.columns("active"))
    assert len(source.columns("active")) == 14


def test_columns_before_the_last_measure_of_a_place_are_no_species(rng):
    cover = (community(rng) * rng.choice([0.5, 1.2, 3.4], (40, 14))).round(1)
    cover.insert(0, "pH", rng.normal(6, 0.5, 40).round(2))
    cover.insert(0, "fine_soil", rng.normal(30, 8, 40).round(1))
    cover.insert(2, "conductivity", rng.normal(200, 60, 40).round(1))
    source = read(cover)
    assert source.content == "abundances"
    assert source.columns("supplementary") == ["fine_soil", "pH", "conductivity"]


def indices(N):
    shares = N.div(N.sum(axis=1), axis=0)
    entropy = -(shares * np.log(shares.where(shares > 0, 1))).sum(axis=1)
    return {
        "effort": N.sum(axis=1),
        "kinds": (N > 0).sum(axis=1),
        "H": entropy.round(3),
        "H2": (entropy / np.log(2)).round(2),
        "even": (entropy / np.log((N > 0).sum(axis=1))).round(3),
        "D": (1 - (shares**2).sum(axis=1)).round(3),
        "inverse": (1 / (shares**2).sum(axis=1)).round(2),
    }


@pytest.mark.parametrize("some", [[k] for k in range(7)] + [[1, 0, 2], [3, 4, 5, 6]])
@pytest.mark.parametrize("before", [False, True])
def test_indices_of_the_species_are_set_aside_by_their_values(rng, some, before):
    N = community(rng)
    N = N[(N > 0).sum(axis=1) > 1]
    columns = {name: x for k, (name, x) in enumerate(indices(N).items()) if k in some}
    frame = N.copy()
    for name, x in columns.items():
        frame.insert(0 if before else frame.shape[1], name, x)
    source = read(frame)
    assert source.content in ("abundances", "contingency")
    assert set(source.columns("active")) == set(N) and set(columns) <= set(source.table)
    assert set(columns) == set(source.columns("supplementary"))
    (found,) = [f for f in source.warnings if f.key in ("content.totals", "content.aside")]
    assert all(name in found.text for name in columns)


def test_a_common_species_is_no_index(rng):
    frame = community(rng)
    frame["Common"] = rng.poisson(40, len(frame))
    assert "Common" in read(frame).columns("active")


def test_votes_of_parties_of_any_size_with_their_total_are_a_contingency_table(rng):
    voters = rng.lognormal(9, 1.2, 50)[:, None]
    shares = np.array([0.52, 0.44, 0.03, 0.008, 0.0004])
    N = pd.DataFrame(rng.poisson(voters * shares), columns=list("ABCDE"))
    N = N[N["E"] > 0].rename_axis("county").rename(index="county {}".format)
    N["all"] = N.sum(axis=1)
    source = read(N)
    assert source.content == "contingency" and source.columns("supplementary") == ["all"]


def test_a_locus_with_a_slip_or_other_alleles_is_one_beside_loci(rng):
    alleles = np.sort(rng.choice([150, 154, 158, 162], (50, 4, 2)), axis=2)
    frame = pd.DataFrame(alleles[..., 0] * 1000 + alleles[..., 1]).add_prefix("M")
    frame["M4"] = rng.choice([120, 122], 50) * 1000 + rng.choice([130, 134], 50)
    frame.loc[8, "M2"] = 154
    source = read(frame)
    assert source.content == "genotypes" and not set(frame) & set(source.columns("active"))
    assert {"M4.120", "M4.134"} <= set(source.columns("active"))
    share = (alleles[:, 2] == 150).mean(axis=1)
    np.testing.assert_allclose(np.delete(source.active()["M2.150"], 8), np.delete(share, 8))


@pytest.mark.parametrize("unit", [1, 100])
@pytest.mark.parametrize("lower", [False, True])
def test_correlations_and_similarities_are_distances(rng, unit, lower):
    names = ["arm", "leg", "head", "hand", "foot"]
    R = np.corrcoef(rng.normal(size=(30, 5)), rowvar=False).round(3) if unit == 1 else None
    if R is None:
        seen = rng.random((5, 30)) > 0.5
        both = (seen[:, None] & seen).sum(axis=2)
        R = (100 * both / (seen[:, None] | seen).sum(axis=2)).round(1)
    S = pd.DataFrame(R, pd.Index(names, name="x"), names)
    written = S.where(np.tri(5, dtype=bool)) if lower else S
    source = read(written)
    assert source.kind == "distances"
    np.testing.assert_allclose(source.distances, np.sqrt(2 * (1 - S / unit)), atol=1e-12)
    assert "similarities" in [note.key for note in source.notes]
    assert read(S, kind="table").kind == "table"


def test_a_square_table_of_ones_and_zeros_or_of_other_things_is_no_similarity(rng):
    A = np.triu(rng.random((8, 8)) > 0.5, 1)
    links = pd.DataFrame((A | A.T | np.eye(8, dtype=bool)).astype(int)).rename_axis("x")
    assert read(links.rename(index="a{}".format)).kind == "table"
    R = rng.random((8, 8))
    np.fill_diagonal(R, 1)
    assert read(pd.DataFrame(R).rename_axis("x").rename(index="a{}".format)).kind == "table"


@pytest.mark.parametrize(
    "values", [[1, 2, 3], range(1, 13), range(1, 21), [0, 10, 50], [3, 7, 9, 20]]
)
@pytest.mark.parametrize("name", ["oven", "firm", "depth", "year", "level", "conc"])
def test_values_that_are_equally_frequent_were_set(rng, values, name):
    frame = pd.DataFrame(rng.normal(10, 2, (60, 3)).round(2), columns=list("PQR"))
    frame.insert(0, name, np.repeat(values, 60 // len(values)))
    source = read(frame.sample(frac=1, random_state=0))
    role = "supplementary" if name in ("depth", "year") else "group"
    assert source.roles[name] == role and source.columns("active") == list("PQR")
    assert read(frame, as_number=name).roles[name] == "active"


def test_doses_that_are_no_whole_numbers_are_supplementary(rng):
    frame = pd.DataFrame({"length": rng.normal(18, 7, 60).round(1), "x": np.tile([0.5, 1, 2], 20)})
    source = read(frame)
    assert source.roles["x"] == "supplementary"
    (found,) = [f for f in source.warnings if f.key == "design"]
    assert "3 values" in found.text and found.in_language("fr") != found.text


def test_measures_that_repeat_by_chance_are_active(rng):
    frame = pd.DataFrame({f"m {k}": rng.poisson(9, 80) for k in range(6)}).add_suffix(" x")
    assert read(frame).columns("active") == list(frame)


def test_units_with_many_numbers_are_left_out_and_with_few_are_groups(rng):
    assert is_counter("Herd") and not is_counter("herd size")
    frame = pd.DataFrame(rng.normal(10, 2, (90, 3)).round(2), columns=list("PQR"))
    frame["herd"] = rng.integers(1, 18, 90)
    frame["LOCATION"] = rng.integers(500, 542, 90)
    source = read(frame)
    assert source.roles["herd"] == "group" and source.roles["LOCATION"] == "ignored"


@pytest.mark.parametrize("name", ["item{}", "Q{}", "right {}"])
def test_answers_of_0_and_1_are_codes(rng, name):
    ability = rng.normal(0, 1, (300, 1))
    X = (ability + rng.normal(0, 1, (300, 5)) > [-1.5, -1, -0.5, 0, 0.5]).astype(int)
    source = read(pd.DataFrame(X, columns=[name.format(k + 1) for k in range(5)]))
    assert source.content == "codes" and method_of(source, settings_of()).name == "mca"


def test_classes_of_abundance_beside_classes_of_places(rng):
    places = np.linspace(0, 1, 90)[:, None]
    means = 5 * np.exp(-40 * (places - np.linspace(-0.2, 1.2, 18)) ** 2)
    fish = np.clip(rng.poisson(means), 0, 5)
    frame = pd.DataFrame(fish, columns=[f"{a}{b}r" for a in "KLM" for b in "aeiouy"])
    frame.insert(0, "alt", rng.integers(1, 9, 90))
    source = read(frame)
    assert source.content == "abundances" and source.columns("supplementary") == ["alt"]
