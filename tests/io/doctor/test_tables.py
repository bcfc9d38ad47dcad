"""Whole tables: titles, names, profiles, copies, combinations, distances."""

import io

import numpy as np
import pandas as pd
import pytest
from tests.io.files import xlsx

import gramian as gm
from gramian.errors import InputError
from gramian.io.doctor.examine import combinations
from gramian.io.doctor.texts import titles_above

BODY = "name,x,y\n" + "".join(f"n{k},{k}.5,{(k * 7) % 11}\n" for k in range(20))


def read(text, **options):
    return gm.io.read(io.StringIO(text), **options)


def kinds(data, **options):
    return [found.kind for found in gm.io.examine(data, **options)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "top",
    [
        "Table 1. All that was found\n",
        "A title\nSource: the office\n\n",
        "A title,,\n,,\n",
        "\nA title\n",
    ],
)
@pytest.mark.parametrize("sep", [",", ";", "\t"])
def test_lines_above_the_header_are_skipped(top, sep):
    text = top.replace(",", sep) + BODY.replace(",", sep)
    source = read(text)
    assert source.names[:2] == ["n0", "n1"] and list(source.active()) == ["x", "y"]
    assert kinds(io.StringIO(text)) == ["title-rows"]
    assert source.active().equals(read(BODY).active())


@pytest.mark.slow
def test_lines_to_skip_can_be_told():
    assert read("a,b\nc,d\n" + BODY, skip=2).active().equals(read(BODY).active())
    assert read(BODY, skip=0).active().equals(read(BODY).active())
    with pytest.raises(InputError, match="skip=-1"):
        read(BODY, skip=-1)
    with pytest.raises(InputError, match="skip=99"):
        read(BODY, skip=99)


def test_the_header_of_r_is_no_title():
    assert titles_above([["x"], ["a", "1"], ["b", "2"]]) == 0
    assert read("x\na,1\nb,2\nc,4\n").active()["x"].tolist() == [1.0, 2.0, 4.0]


@pytest.mark.slow
def test_titles_of_a_sheet_are_skipped():
    rows = [
        ["Title", None, None],
        ["name", "x", "y"],
        *([f"n{k}", k + 0.5, k % 7] for k in range(9)),
    ]
    source = gm.io.read(io.BytesIO(xlsx(rows)))
    assert source.names[0] == "n0" and list(source.active()) == ["x", "y"]
    assert "title_rows" in [w.key for w in source.warnings]


@pytest.mark.slow
def test_names_are_found_in_another_column():
    frame = pd.DataFrame({"": range(1, 13), "x": np.arange(12) ** 2 + 0.5, "y": np.arange(12) % 5})
    frame["Make"] = [f"Car {chr(65 + k)}" for k in range(12)]
    text = frame.to_csv(index=False)
    source = read(text)
    assert source.names[0] == "Car A" and list(source.active()) == ["x", "y"]
    assert kinds(io.StringIO(text)) == ["row-names"]
    assert read(text, row_names=False).names[0] == "1"


@pytest.mark.slow
def test_empty_rows_are_left_out():
    text = BODY + "n20,,\n,,\n"
    source = read(text)
    assert len(source) == 20 and kinds(io.StringIO(text)) == ["empty-rows"]


RNG = np.random.default_rng(1)
Z = RNG.standard_normal((40, 3))


def frame(X, prefix="x"):
    return pd.DataFrame(X).add_prefix(prefix)


@pytest.mark.slow
def test_a_combination_is_named():
    table = frame(Z).assign(total=Z @ [1.0, 2.0, 3.0] + 5)
    (found,) = gm.io.examine(table)
    assert (found.kind, found.column) == ("collinear", "total")
    assert all(name in found.text for name in ("x0", "x1", "x2"))
    noisy = table.assign(total=table["total"] + 0.2 * RNG.standard_normal(40))
    assert gm.io.examine(noisy) == ()


def test_combinations_against_a_regression_of_each_column():
    X = np.column_stack([Z, Z[:, 0] - Z[:, 2], 3 * Z[:, 1] + 2])
    tied = {c.column: set(c.others) for c in combinations(X)}
    assert tied == {3: {0, 2}, 4: {1}}
    for column, others in tied.items():
        A = np.column_stack([np.ones(40), X[:, sorted(others)]])
        rest = X[:, column] - A @ np.linalg.lstsq(A, X[:, column], rcond=None)[0]
        assert np.abs(rest).max() < 1e-9


def test_as_many_columns_as_rows_are_no_combination():
    assert combinations(RNG.standard_normal((10, 30))) == []


@pytest.mark.parametrize("factor", [1.0, 2.54, -3.0])
def test_a_copy_in_another_unit_is_named(factor):
    (found,) = gm.io.examine(frame(Z).assign(again=factor * Z[:, 1] + 1))
    assert found.kind == "copied-column" and "x1" in found.text


@pytest.mark.slow
@pytest.mark.parametrize("total", [1.0, 100.0])
def test_parts_of_a_whole(total):
    parts = total * RNG.dirichlet([2, 3, 4, 5], 30)
    assert kinds(frame(parts)) == ["composition"]
    assert kinds(frame(parts).assign(depth=RNG.gamma(2, 3, 30))) == ["composition"]
    assert kinds(frame(parts.round(3) * 1.0)) in (["composition"], ["composition", "copied-rows"])


@pytest.mark.slow
def test_contingency_tables_and_abundances_are_compared_as_profiles():
    counts = RNG.poisson(np.outer(RNG.lognormal(3, 1, 12), [1, 2, 3, 2]))
    table = pd.DataFrame(counts, index=[f"word {k}" for k in range(12)])
    assert [(f.kind, f.default) for f in gm.io.examine(table)] == [("contingency", "ca")]
    species = RNG.poisson(RNG.lognormal(0, 1, 20), (30, 20))
    species[4] = 0
    found = [(f.kind, f.default) for f in gm.io.examine(frame(species, "sp"))]
    assert found == [("counts", "ca"), ("empty-rows", "kept")]


def test_measures_in_whole_numbers_are_no_counts():
    table = pd.DataFrame(
        {
            "hp": RNG.normal(140, 30, 30).round(),
            "weight": RNG.normal(1500, 200, 30).round(),
            "price": RNG.normal(20_000, 4_000, 30).round(),
        },
        index=[f"car {k}" for k in range(30)],
    )
    assert gm.io.examine(table) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("low", "high", "alpha"), [(1_000, 3_000, 10), (80, 400, 30)])
def test_whole_numbers_that_may_be_counts_are_asked_about(low, high, alpha):
    """Multinomial rows around equal shares vary too little to be known as counts."""
    asked = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        shares = rng.dirichlet([alpha] * 6, 12)
        N = rng.multinomial(rng.integers(low, high, 12), shares)
        found = gm.io.examine(pd.DataFrame(N, [f"d{k}" for k in range(12)], list("abcdef")))
        assert [f.kind for f in found] in (["counts"], ["contingency"])
        asked += found[0].key == "counts.perhaps" and found[0].remedy == "method='ca'"
    assert asked >= 15


WHOLE = {
    "age": ([45, 120, 72], [12, 15, 9], ["age", "systolic", "pulse"]),
    "year": ([2000, 300, 400], [40, 90, 90], ["built", "area", "rent"]),
    "heights": ([170, 95, 80], [6, 5, 4], ["height", "waist", "arm"]),
    "units": ([8, 1500, 90], [4, 200, 30], ["rooms", "weight", "power"]),
    "grades": ([12, 11, 13], [4, 4, 4], ["maths", "french", "latin"]),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_that_are_measures_are_not_asked_about(name):
    mean, sd, columns = WHOLE[name]
    X = np.random.default_rng(5).normal(mean, sd, (40, 3)).round()
    X = X.clip(0, 20 if name == "grades" else None)
    assert "counts" not in kinds(pd.DataFrame(X, [f"r{k}" for k in range(40)], columns))


def test_flowers_in_tenths_are_not_asked_about():
    flowers = gm.datasets.iris()
    tenths = (10 * flowers.data).round().assign(species=flowers.target.to_numpy().ravel())
    assert "counts" not in kinds(tenths)


def distances(noise):
    D = np.linalg.norm(Z[:12, None] - Z[:12], axis=2) * (1 + noise * RNG.uniform(-1, 1, (12, 12)))
    names = [f"t{k}" for k in range(12)]
    return pd.DataFrame(D, index=names, columns=names)


@pytest.mark.slow
def test_distances_that_are_nearly_symmetric_are_averaged():
    D = distances(0.03)
    text = D.to_csv()
    source = read(text)
    assert source.kind == "distances" and kinds(io.StringIO(text)) == ["asymmetric"]
    assert np.allclose(source.distances, (D + D.T) / 2)
    assert read(distances(0.0).to_csv()).warnings == []
    assert read(text, kind="table").kind == "table"


@pytest.mark.slow
def test_genes_in_rows_are_asked_about():
    table = pd.DataFrame(RNG.lognormal(3, 1, (60, 6))).add_prefix("ctrl_")
    table.insert(0, "", [f"GENE{k}" for k in range(60)])
    (found,) = gm.io.examine(io.StringIO(table.to_csv(index=False)))
    assert (found.kind, found.remedy) == ("genes-in-rows", "transpose=True")


@pytest.mark.slow
def test_every_finding_is_a_sentence_in_both_languages():
    table = frame(Z).assign(id=range(40), sex=[1, 2] * 20, dose="5 mg", again=Z[:, 0])
    table.loc[3, "x1"] = -999.0
    for found in gm.io.examine(table):
        assert found.text.endswith(".") and found.in_language("fr").endswith(".")
        assert found.in_language("fr") != found.text


def reads(rng, n=12, p=600):
    """Reads of genes, samples in rows, which differ in their totals."""
    means = np.outer(rng.uniform(0.5, 2, n), rng.lognormal(3, 1.8, p))
    names = [f"sample{k}" for k in range(n)]
    genes = [f"ENSG{k:011d}" for k in range(p)]
    X = rng.poisson(means * rng.gamma(5, 1 / 5, means.shape))
    return pd.DataFrame(X, index=names, columns=genes)


@pytest.mark.slow
def test_reads_with_samples_in_rows_are_told_to_differ_in_their_totals():
    table = reads(np.random.default_rng(0))
    found = [f for f in gm.io.examine(table) if f.kind != "constant"]
    assert [f.kind for f in found] == ["counts"]
    assert found[0].remedy == "content='measurements'"
    totals = table.sum(axis=1)
    assert f"{totals.min():,} to {totals.max():,}" in found[0].text
    assert "comptages d’expression" in found[0].in_language("fr")


@pytest.mark.slow
@pytest.mark.parametrize("names", ["ensembl", "symbols"])
def test_reads_with_samples_in_columns_are_told_to_lie_the_other_way(names):
    """Columns sample0, sample1, … are no identifiers, though they hold different whole numbers."""
    rng = np.random.default_rng(1)
    table = reads(rng).T
    if names == "symbols":
        letters = ["".join(rng.choice(list("ABCDEFGHKLMNPRST"), 3)) for _ in range(len(table))]
        table.index = [f"{text}{k % 20}" for k, text in enumerate(letters)]
    found = gm.io.examine(table)
    assert found[0].kind == "genes-in-rows" and found[0].remedy == "transpose=True"
    assert "counts" in [f.kind for f in found]
    assert len(gm.io.as_source(table).columns("active")) == 12


def test_codes_of_patients_and_countries_are_no_genes():
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(700, 4)), columns=list("abcd"))
    for name in ("P{:04d}", "Site-{}"):
        named = X.set_axis([name.format(k) for k in range(700)])
        assert not [f for f in gm.io.examine(named) if f.kind == "genes-in-rows"]
