"""Cells that are no plain numbers or names, and the remedies that the findings offer."""

import io

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from tests.io.files import xlsx
from tests.io.test_messy import DIALECTS, SPECIES, X, cells, table

import gramian as gm
from gramian._study.language import Number, Voice
from gramian.cli import main
from gramian.errors import InputError
from gramian.io.expression import sample_name


def kinds(data, **options):
    return [f.kind for f in gm.io.examine(data, **options)]


@pytest.mark.parametrize("sizes", [["x=12"], {"x": "12"}, {"x": [12]}])
def test_a_code_for_missing_may_be_that_of_one_column(sizes):
    frame = pd.DataFrame({"x": [12.0, *np.linspace(1, 3, 29)], "n": [12.0, 10.0, 11.0] * 10})
    source = gm.io.as_source(frame, na_values=sizes)
    assert source.missing().to_dict() == {"x": 1}
    text = frame.assign(x=frame["x"].astype(str).replace("12.0", "~12")).to_csv(index=False)
    assert gm.io.read(io.StringIO(text), na_values=["x=~12"]).missing().to_dict() == {"x": 1}
    with pytest.raises(InputError, match="no column 'y'"):
        gm.io.as_source(frame, na_values={"y": "12"})


def test_the_remedy_of_a_lost_point_spares_the_other_columns(tmp_path):
    x = np.round(np.random.default_rng(2).uniform(1.1, 2.9, 30), 2)
    x[6] = 12.0
    frame = pd.DataFrame({"x": x, "n": [12.0, 10.0, 11.0] * 10, "z": np.sin(np.arange(30.0))})
    (found,) = (f for f in gm.io.examine(frame) if f.kind == "typing-error")
    assert found.remedy == "na_values=['x=12']"
    path = tmp_path / "x.csv"
    frame.to_csv(path, index=False)
    said = CliRunner().invoke(main, ["examine", str(path), "--na", "x=12"]).output
    assert "typing-error" not in said and "One value is missing" in said
    french = CliRunner().invoke(main, ["examine", str(path), "--language", "fr"]).output
    assert "--na x=12" in french and "typing-error" not in french
    assert f"la valeur suivante est {np.sort(x)[-2]:.2f}".replace(".", ",") in french


@pytest.mark.parametrize("column", ["Conductivity", "pH"])
def test_a_lost_point_is_found_among_groups_of_other_sizes(column):
    frame = table()
    scale = pd.Series(SPECIES).map({"Apis mellifera": 3.0}).fillna(1.0).to_numpy()
    frame[column] = (frame[column] * scale).round(2)
    assert "typing-error" not in kinds(frame)
    frame.loc[0, column] = frame.loc[0, column] * 10
    (found,) = (f for f in gm.io.examine(frame) if f.kind == "typing-error")
    assert found.column == column and "row ST01" in found.text


@pytest.mark.parametrize(("rows", "asked"), [(8, False), (12, True)])
def test_groups_of_a_few_rows_show_no_lost_point(rows, asked):
    sizes = np.repeat([10.0, 12.0, 20.0, 30.0, 40.0], rows)
    x = sizes * np.random.default_rng(6).uniform(0.98, 1.02, len(sizes))
    x[0] = 100.0
    frame = pd.DataFrame(
        {"x": x, "y": np.sin(np.arange(len(x))), "lake": np.repeat(list("abcde"), rows)}
    )
    assert ("typing-error" in kinds(frame)) == asked


@pytest.mark.parametrize("mark", [" ± ", "±", " +/- ", " (", " (±"])
@pytest.mark.parametrize("dialect", ["comma", "semicolon", "excel"])
def test_a_number_with_its_error_is_the_number(dialect, mark):
    end = ")" if "(" in mark else ""
    decimal = "," if dialect == "semicolon" else "."
    written = [f"{v}{mark}0.2{end}".replace(".", decimal) for v in X["pH"]]
    source = gm.io.read(io.BytesIO(DIALECTS[dialect](cells(table().assign(pH=written)))))
    np.testing.assert_array_equal(source.active()["pH"], X["pH"])
    assert [f.kind for f in gm.io.examine(source)] == ["units"]


@pytest.mark.parametrize("words", [["< LOD", "BDL", "tr"], ["<LOQ", "traces", "n.d."], ["<DL"] * 2])
def test_words_for_too_little_are_missing(words):
    lead = X["pH"].astype(str)
    lead[: len(words)] = words
    source = gm.io.as_source(table().assign(lead=lead))
    assert source.missing().to_dict() == {"lead": len(words)}


@pytest.mark.parametrize("words", [["~12", "12-13", ">15"], ["7.1*", "6.9 [1]"], ["low", "high"]])
def test_all_texts_that_spoil_a_column_have_one_remedy(words):
    frame = table().assign(lead=X["pH"].astype(str))
    frame.loc[4 : 3 + len(words), "lead"] = words
    (found,) = gm.io.examine(frame)
    assert found.kind == "spoiled-numbers" and found.remedy == "as_number=['lead']"
    assert all(word in found.text and word in found.in_language("fr") for word in words)
    assert gm.io.as_source(frame, as_number="lead").missing().to_dict() == {"lead": len(words)}


@pytest.mark.parametrize(
    ("levels", "left"),
    [
        (["f", "F", "m", "M", "male", "female"], 2),
        (["Homme", "femme", "H", "F"], 2),
        (["yes", "Y", "no", "N"], 2),
        (["oui", "Oui", "non"], 2),
        (["A", "a", "b"], 3),  # alleles
        (["M", "F", "J"], 3),  # juveniles
        (["M", "F", "H"], 3),  # hermaphrodites
    ],
)
def test_words_for_the_same_are_one_category(levels, left):
    frame = X.assign(kind=[levels[k % len(levels)] for k in range(len(X))])
    source = gm.io.as_source(frame)
    assert source.groups()["kind"].nunique() == left
    assert ("spelling" in kinds(source)) == (left < len(levels) or "a" in levels)


def test_record_numbers_with_gaps_are_no_measure():
    steps = np.random.default_rng(4).integers(1, 12, len(X))
    for tubes in (1200 + np.cumsum(steps), 1400 - np.cumsum(steps)):
        assert "tube" not in gm.io.as_source(X.assign(tube=tubes)).active()
        assert "altitude" in gm.io.as_source(X.assign(altitude=tubes)).active()
    series = X.assign(cm=np.arange(10, 10 + 5 * len(X), 5))  # even steps are chosen
    assert "cm" in gm.io.as_source(series).active()


@pytest.mark.parametrize("title", ["Gene ID", "gene_id", "Probe"])
@pytest.mark.parametrize("about", ["Description", "Function", "Product"])
def test_genes_in_rows_with_a_text(title, about):
    genes = pd.DataFrame({title: [f"AT1G{10000 + k}" for k in range(40)]})
    genes[about] = [f"putative protein, family {k % 9}" for k in range(40)]
    values = np.random.default_rng(5).normal(8, 1, (40, 6)).round(3)
    genes = genes.join(pd.DataFrame(values, columns=[f"ctrl_{k}" for k in range(6)]))
    assert [f.remedy for f in gm.io.examine(genes) if f.kind == "genes-in-rows"] == [
        "transpose=True"
    ]
    source = gm.io.as_source(genes, transpose=True)
    assert source.names == [f"ctrl_{k}" for k in range(6)]
    np.testing.assert_array_equal(source.active().to_numpy(), values.T)
    assert any(about in text for text in source.notes)
    for options in ({"ignore": about}, {"row_names": title}):
        assert gm.io.as_source(genes, transpose=True, **options).table.equals(source.table)
    by_text = gm.io.as_source(genes.assign(**{about: genes[title] + "a"}), transpose=True,
                              row_names=about)  # fmt: skip
    assert list(by_text.table)[:2] == ["AT1G10000a", "AT1G10001a"]


def test_sheets_are_named_where_the_first_holds_no_table():
    with pytest.raises(InputError, match=r"sheet=.*README, Data"):
        gm.io.read(io.BytesIO(xlsx([["About"], ["see"], ["Data"]], ("README", "Data"))))
    with pytest.raises(InputError, match=r"is empty.*sheet=.*Data"):
        gm.io.read(io.BytesIO(xlsx([["About"]], ("README", "Data"))))


@pytest.mark.parametrize(
    "path", ["/data/x/{}_sorted.bam", "run2/{}.sorted.dedup.bam", "{}_dedup.bam"]
)
def test_names_of_samples_are_those_of_the_sheet(path):
    assert sample_name(path.format("SRR8000")) == "SRR8000"


def test_large_numbers_are_written_in_full():
    said = [Voice(lang).write(Number(1_751_234.0, 4)) for lang in ("en", "fr")]
    assert said == ["1,751,000", "1\u202f751\u202f000"]
