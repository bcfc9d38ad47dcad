"""The kind of a table: decided by its values, stated with the option that changes it."""

import io

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.io.doctor.vocabulary import is_environment, is_frequency, is_taxon, is_value

RNG = np.random.default_rng(310)


def species(n=30, p=12, prefix="sp"):
    peaks = np.linspace(0, 1, p)
    places = np.linspace(0, 1, n)[:, None]
    means = RNG.lognormal(1.5, 0.8, p) * np.exp(-((places - peaks) ** 2) / 0.03)
    return pd.DataFrame(RNG.poisson(means), columns=[f"{prefix}{k}" for k in range(p)])


def codes(n=80):
    levels = [2, 2, 3, 4, 2, 3, 5, 4]
    return pd.DataFrame({f"trait{k}x": RNG.integers(0, m, n) for k, m in enumerate(levels)})


def marks(n=50):
    f = RNG.normal(11, 2, (n, 1))
    X = (f + RNG.normal(0, 2, (n, 5))).round().clip(1, 20)
    return pd.DataFrame(X, columns=["maths", "physics", "french", "history", "sport"])


def presence(n=20, p=15):
    rows, columns = np.linspace(0, 1, n)[:, None], np.linspace(0, 1, p)
    return pd.DataFrame((np.abs(rows - columns) < 0.3).astype(int)).add_prefix("bird")


def contingency():
    rows = ["farmers", "workers", "clerks", "managers", "retired"]
    return pd.DataFrame(
        RNG.multinomial(400, [0.1, 0.2, 0.3, 0.4], 5) * [[1], [2], [3], [1], [5]],
        index=rows,
        columns=list("ABCD"),
    )


TABLES = {
    "measurements": lambda: pd.DataFrame(RNG.normal(50, 8, (40, 5)), columns=list("abcde")),
    "abundances": species,
    "codes": codes,
    "scores": marks,
    "presence": presence,
    "contingency": contingency,
    "composition": lambda: pd.DataFrame(RNG.dirichlet([2, 3, 4, 5], 30)).add_prefix("p"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", TABLES)
def test_a_kind_is_known_in_any_order_of_rows_and_columns(kind):
    frame = TABLES[kind]()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        some = frame.iloc[rng.permutation(len(frame)), rng.permutation(frame.shape[1])]
        text = some.to_csv(sep=";", decimal=",", index=not isinstance(frame.index, pd.RangeIndex))
        assert gm.io.read(io.StringIO(text)).content == kind


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["codes", "scores", "presence", "abundances", "contingency"])
def test_a_kind_is_stated_once_with_an_option_that_changes_it(kind):
    frame = TABLES[kind]()
    stated = [f for f in gm.io.examine(frame) if f.key == f"content.{kind}"]
    assert len(stated) == 1 and stated[0].in_language("fr") != stated[0].text
    other = gm.io.as_source(frame, **eval(f"dict({stated[0].remedy})"))
    assert other.content != kind
    assert gm.io.as_source(TABLES["measurements"](), content=kind).content == kind


def test_an_unknown_kind_is_refused():
    with pytest.raises(InputError, match="content='species'"):
        gm.io.as_source(species(), content="species")


def test_columns_that_are_no_species_are_set_aside():
    frame = species()
    frame.insert(0, "WatrCont", RNG.normal(400, 90, len(frame)).round(2))
    frame.insert(0, "alt", RNG.integers(200, 900, len(frame)))
    frame["pH"] = RNG.normal(7, 0.4, len(frame)).round(1)
    source = gm.io.as_source(frame)
    assert source.content == "abundances"
    assert source.columns("supplementary") == ["alt", "WatrCont", "pH"]
    (found,) = [f for f in gm.io.examine(source) if f.key == "content.aside"]
    assert all(name in found.text for name in ("alt", "WatrCont", "pH"))


def test_totals_of_a_contingency_table_are_set_aside():
    frame = contingency()
    frame.insert(0, "voters", frame.sum(axis=1))
    frame.insert(0, "absent", [31, 45, 12, 80, 7])
    frame.insert(0, "registered", frame["absent"] + frame["voters"])
    source = gm.io.as_source(frame)
    assert source.content == "contingency" and source.columns("active") == list("ABCD")
    assert set(source.columns("supplementary")) == {"registered", "absent", "voters"}


@pytest.mark.slow
def test_cells_with_frequencies_are_the_individuals_they_count():
    people = pd.DataFrame({c: RNG.choice(["yes", "no"], 300) for c in ("rich", "old", "ill")})
    cells = people.value_counts().rename("Freq").reset_index()
    source = gm.io.as_source(cells)
    assert source.content == "cells" and len(source) == 300
    pd.testing.assert_series_equal(
        source.table.value_counts(), people.value_counts(), check_index_type=False
    )
    kept = gm.io.as_source(cells, content="measurements")
    assert len(kept) == len(cells) and "Freq" in kept.columns("active")


def test_two_columns_of_categories_with_frequencies_are_a_contingency_table():
    N = contingency()
    cells = N.rename_axis("job").reset_index().melt("job", var_name="vote", value_name="Freq")
    source = gm.io.as_source(cells.sample(frac=1, random_state=0))
    assert source.content == "contingency"
    pd.testing.assert_frame_equal(
        source.active().loc[N.index, list(N)].astype(int), N, check_names=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("names", [("site", "taxon", "n"), ("Station", "Species", "abundance")])
def test_a_long_table_is_rearranged(names):
    wide = species(12, 8).set_axis([f"place {k}" for k in range(12)])
    long = wide.stack()
    long = long[long > 0].reset_index().set_axis(list(names), axis=1)
    long["region"] = ["north" if int(str(s).split()[1]) < 6 else "south" for s in long[names[0]]]
    source = gm.io.as_source(long)
    assert source.content == "abundances" and source.columns("group") == ["region"]
    pd.testing.assert_frame_equal(
        source.active().loc[wide.index, list(wide)], wide.astype(float), check_names=False
    )
    assert next(f.key for f in gm.io.examine(source)) == "content.long"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["{}{}", "{}/{}", "{}:{}"])
def test_genotypes_become_frequencies_of_alleles(form):
    alleles = RNG.choice([136, 140, 146], (40, 4, 2))
    alleles.sort(axis=2)
    cells = [[form.format(*pair) for pair in row] for row in alleles]
    frame = pd.DataFrame(cells, columns=[f"fca{k}" for k in range(4)])
    frame["pop"] = RNG.choice(["P1", "P2"], 40)
    frame.loc[3, "fca2"] = None
    source = gm.io.read(io.StringIO(frame.to_csv(index=False)))
    assert source.content == "genotypes" and source.columns("group") == ["pop"]
    X = source.active()
    for j, a in ((0, 136), (1, 146)):
        share = (alleles[:, j] == a).mean(axis=1)
        np.testing.assert_allclose(X[f"fca{j}.{a}"], share)
    assert not X.isna().any().any()


def test_prices_of_six_digits_are_no_genotypes():
    frame = pd.DataFrame(RNG.integers(100_000, 999_999, (60, 4)), columns=list("abcd"))
    assert gm.io.as_source(frame).content == "measurements"


def test_names_that_tell_of_columns():
    assert is_environment("water pH") and not is_environment("Bombus")
    assert is_frequency("Freq") and not is_frequency("weight of eggs")
    assert is_taxon("Species") and is_value("valeur") and not is_value("site")


def shuffled_csv(frame):
    return io.StringIO(frame.sample(frac=1, random_state=0).to_csv())


def test_books_by_letters_are_counts_though_totals_are_alike():
    shares = np.exp(RNG.normal(0, 1.2, 26))
    rates = shares * np.exp(RNG.normal(0, 0.1, (12, 26)))
    N = RNG.poisson(7_000 * rates / rates.sum(axis=1, keepdims=True))
    books = pd.DataFrame(N, [f"book {k}" for k in "abcdefghijkl"], list(map(chr, range(97, 123))))
    assert gm.io.read(shuffled_csv(books)).content == "contingency"
    # Measures of the same sizes vary less, or more, than counts do.
    measures = (N.mean(axis=0) * RNG.normal(1, 0.3, N.shape)).round().clip(1)
    frame = pd.DataFrame(measures, books.index, books.columns)
    assert gm.io.read(shuffled_csv(frame)).content == "measurements"


def test_two_measures_in_classes_are_a_contingency_table():
    x = RNG.normal(0, 1, 800)
    y = 0.7 * x + 0.7 * RNG.normal(0, 1, 800)
    rows, columns = (np.clip(v / 0.2 + 15, 0, 29).astype(int) for v in (x, y))
    N = pd.crosstab(9.4 + 0.1 * rows, 142.0 + 2.5 * columns).rename_axis(index=None)
    assert (N == 0).to_numpy().mean() > 0.5
    assert gm.io.read(shuffled_csv(N)).content == "contingency"


@pytest.mark.parametrize("order", [0, 1])
def test_a_square_table_of_numbered_classes_has_names(order):
    N = RNG.poisson(np.exp(4 - 0.8 * np.abs(np.subtract.outer(np.arange(8), np.arange(8)))))
    frame = pd.DataFrame(N, range(1, 9), [str(k) for k in range(1, 9)])
    frame = frame.sample(frac=1, random_state=1) if order else frame
    assert gm.io.read(io.StringIO(frame.to_csv())).content == "contingency"


def test_numbers_of_rows_are_no_names_in_any_order():
    flags = pd.DataFrame(RNG.integers(0, 2, (53, 6)), range(1, 54), list("abcdef"))
    kinds = {gm.io.read(io.StringIO(f.to_csv())).content for f in (flags, flags.sample(frac=1))}
    assert kinds == {"codes"}


def test_means_of_marks_are_known_by_the_names_of_subjects():
    frame = pd.DataFrame(RNG.normal(11, 2, (25, 5)).round(1), columns=list("abcde"))
    assert gm.io.as_source(frame).content == "measurements"
    frame.columns = ["MATH", "Physique", "HGEO", "English", "bio"]
    assert gm.io.as_source(frame).content == "scores"


def test_cells_with_an_age_and_coarser_factors():
    cells = pd.MultiIndex.from_product([["m", "f"], range(10, 95, 5), ["gas", "gun", "fall"]])
    frame = cells.to_frame(index=False, name=["sex", "age", "method"])
    frame.insert(0, "Freq", RNG.poisson(8, len(frame)))
    frame["old"] = np.where(frame["age"] > 60, "yes", "no")
    source = gm.io.as_source(frame)
    assert source.content == "cells" and len(source) == frame["Freq"].sum()
    frame["age"] = RNG.permutation(np.arange(len(frame)) % 20)  # a measure: not with all others
    assert gm.io.as_source(frame).content != "cells"


def test_the_factor_with_more_categories_has_the_rows_of_a_small_table():
    frame = pd.DataFrame({"sex": list("mf") * 3, "party": list("aabbcc"), "n": [9, 4, 7, 8, 2, 9]})
    source = gm.io.as_source(frame)
    assert source.names == list("abc") and list(source.active()) == ["m", "f"]


def test_species_beside_many_measures_of_places():
    frame = species(24, 20)
    soil = pd.DataFrame(RNG.lognormal(3, 1, (24, 18)).round(2)).add_prefix("soil")
    frame = pd.concat([soil * 40, frame], axis=1)
    source = gm.io.as_source(frame)
    assert source.content == "abundances"
    assert source.columns("supplementary") == list(soil)


def test_a_negative_measure_beside_species_is_a_supplementary_column():
    frame = species().assign(wind=RNG.normal(0, 3, 30).round(1))
    study = gm.study(frame)
    assert study.subject.content == "abundances" and list(study.subject.supplementary) == ["wind"]


def test_questions_with_a_few_numbers_are_categories():
    frame = pd.DataFrame({c: RNG.choice(["yes", "no", "well"], 60) for c in ("p", "q", "r", "s")})
    study = gm.study(frame.assign(height=RNG.normal(170, 9, 60)))
    assert study.subject.content == "categories"
    assert "numbers as supplementary columns" in " ".join(c.text for c in study.short)


def test_the_ends_of_a_map_of_distances_are_named_whatever_a_test_finds():
    places = pd.DataFrame(
        RNG.normal(0, 1, (13, 3)) * [4, 2, 1], [f"town {c}" for c in "abcdefghijklm"]
    )
    D = np.sqrt(((places.to_numpy()[:, None] - places.to_numpy()) ** 2).sum(axis=2))
    study = gm.study(pd.DataFrame(D, places.index, places.index))
    first = study.fit.individuals()["coordinate", 1]
    text = " ".join(c.text for c in study.short)
    assert study.subject.kind == "distances"
    assert first.idxmin() in text and first.idxmax() in text


def test_answers_with_gaps_are_no_presence():
    flags = pd.DataFrame(RNG.integers(0, 2, (200, 14)).astype(float)).add_prefix("felt")
    assert gm.io.as_source(flags).content == "presence"
    flags.iloc[3:9, 2] = np.nan
    assert gm.io.as_source(flags).content == "codes"


def test_percentages_of_questions_are_measurements():
    shares = (100 * RNG.beta(0.7, 1.2, (16, 12))).round().clip(1, 97)
    shares[0, :4] = 95
    countries = [f"country {c}" for c in "abcdefghijklmnop"]
    frame = pd.DataFrame(shares, countries).add_prefix("has ")
    assert gm.io.as_source(frame).content == "measurements"
    assert gm.io.as_source(frame * 3).content == "contingency"


@pytest.mark.parametrize("numbered", [False, True])
def test_crossed_factors_are_cells(numbered):
    cells = pd.MultiIndex.from_product([["a", "b", "c"], ["u", "v", "w", "x"], ["no", "yes"]])
    frame = cells.to_frame(index=False, name=["origin", "destination", "ill"])
    name = "Freq" if numbered else "y"
    if numbered:
        frame = frame.apply(lambda c: pd.factorize(c)[0] + 1)
    frame[name] = RNG.poisson(12, len(frame))
    source = gm.io.as_source(frame.sample(frac=1, random_state=0))
    assert source.content == "cells" and len(source) == frame[name].sum()
    measured = frame.assign(**{name: RNG.normal(10, 2, len(frame))})
    assert gm.io.as_source(measured).content != "cells"


def test_acids_that_sum_to_a_hundred_but_for_what_was_not_listed():
    parts = 100 * RNG.dirichlet([8, 4, 20, 40, 3, 1, 2], 60) * RNG.normal(0.995, 0.01, (60, 1))
    assert (
        gm.io.as_source(pd.DataFrame(parts.round(1)).add_prefix("acid ")).content == "composition"
    )
