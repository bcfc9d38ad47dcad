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


@pytest.mark.parametrize("kind", TABLES)
def test_a_kind_is_known_in_any_order_of_rows_and_columns(kind):
    frame = TABLES[kind]()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        some = frame.iloc[rng.permutation(len(frame)), rng.permutation(frame.shape[1])]
        text = some.to_csv(sep=";", decimal=",", index=not isinstance(frame.index, pd.RangeIndex))
        assert gm.io.read(io.StringIO(text)).content == kind


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
