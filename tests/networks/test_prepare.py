"""From a file to samples, genes and conditions: what is read, guessed, changed and refused."""

import re

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian._study.language import Voice
from gramian.errors import InputError, InputTypeError
from gramian.networks import prepare
from gramian.networks.prepare import _say_conditions


def told(experiment):
    return " ".join(Voice().say(note) for note in experiment.notes)


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    data = pd.DataFrame(rng.normal(size=(6, 5)), columns=list("vwxyz"))
    data.index = ["a_1", "a_2", "a_3", "b_1", "b_2", "b_3"]
    return data


@pytest.mark.slow
def test_the_condition_is_a_column_or_several(frame):
    frame["dose"], frame["time"] = list("llhhll"), list("ababab")
    one = prepare(frame, "dose")
    assert one.condition.tolist() == list("llhhll") and list(one.table) == [*"vwxyz"]
    two = prepare(frame, ["dose", "time"])
    assert two.condition.iloc[2] == "h a"


def test_names_of_samples_say_conditions_and_it_is_told(frame):
    assert _say_conditions(["a_1", "a_2", "b_1", "b_2"])
    assert not _say_conditions(["AT1", "AT2", "AT3"])
    found = prepare(frame)
    assert found.condition.tolist() == ["a"] * 3 + ["b"] * 3
    assert "its name without the last number: a and b" in told(found)
    with pytest.raises(InputError, match="do not give their conditions"):
        prepare(frame.set_axis(list("abcdef")))


@pytest.mark.slow
def test_genes_in_rows_are_turned(frame, tmp_path):
    genes = [f"AT1G{k:05d}" for k in range(5)]
    turned = frame.set_axis(genes, axis=1).T
    path = tmp_path / "genes.csv"
    turned.to_csv(path)
    for data in (turned, str(path)):
        found = prepare(data)
        np.testing.assert_allclose(found.table, frame)
        assert list(found.table) == genes and found.condition.iloc[-1] == "b"


@pytest.mark.slow
def test_columns_named_as_samples_are_samples(frame, tmp_path):
    """Genes of any name: neither one condition nor one gene a condition is an experiment."""
    samples = pd.DataFrame({"plot": list("uvuvuv")}, index=frame.index)
    for genes in ([f"AT{k:05d}" for k in range(5)], ["BRCA1", "BRCA2", "TP53", "HOXA1", "HOXA2"]):
        turned = frame.set_axis(genes, axis=1).T
        turned.to_csv(tmp_path / "genes.csv", index_label="name")
        for data in (turned, str(tmp_path / "genes.csv")):
            found = prepare(data)
            np.testing.assert_allclose(found.table, frame)
            assert list(found.table) == genes and found.condition.iloc[-1] == "b"
            assert "it was transposed" in told(found)
            again = prepare(data, **found.source.options)  # what the page prints
            pd.testing.assert_frame_equal(again.table, found.table)
            second = prepare(data, "plot", samples=samples)
            assert second.condition.tolist() == list("uvuvuv") and "transposed" in told(second)
    upright = prepare(frame.set_axis(genes, axis=1))
    assert upright.table.shape == (6, 5) and "transposed" not in told(upright)


@pytest.mark.slow
def test_a_title_of_genes_says_what_rows_are(frame, tmp_path):
    turned = frame.iloc[:, :4].set_axis(["A1", "A2", "B1", "B2"], axis=1).T
    turned = pd.concat([turned, 2 * turned.set_axis(["C1", "C2", "D1", "D2"])])
    turned.to_csv(tmp_path / "genes.csv", index_label="gene")
    assert prepare(str(tmp_path / "genes.csv")).condition.tolist() == ["a"] * 3 + ["b"] * 3


def test_one_condition_by_name_is_none(frame):
    one = frame.set_axis([f"s{k}" for k in range(6)])
    with pytest.raises(InputError, match=r"group .* a single condition, 's': .* transpose"):
        prepare(one)
    planted = one.set_axis([f"AT{1 + k % 2}G{k:05d}" for k in range(5)], axis=1)
    with pytest.raises(InputError, match="a single condition"):
        prepare(planted)  # AT1G and AT2G are no conditions


@pytest.mark.slow
def test_a_second_table_has_the_conditions(frame, tmp_path):
    samples = pd.DataFrame({"plot": list("uvuvuv")}, index=frame.index[::-1])
    found = prepare(frame, "plot", samples=samples)
    assert found.condition.tolist() == list("vuvuvu")
    path = tmp_path / "samples.tsv"
    samples.to_csv(path, sep="\t")
    assert prepare(frame, "plot", samples=str(path)).condition.tolist() == list("vuvuvu")
    with pytest.raises(InputError, match="no row for 'a_1'"):
        prepare(frame, "plot", samples=samples.drop("a_1"))


@pytest.mark.slow
def test_counts_become_logs_per_million(frame):
    counts = pd.DataFrame(np.arange(30).reshape(6, 5) * 7, frame.index, frame.columns)
    found = prepare(counts)
    X = counts.to_numpy()
    expected = np.log2((X + 0.5) / (X.sum(axis=1, keepdims=True) + 1) * 1e6)
    np.testing.assert_allclose(found.table, expected)
    assert "counts per million" in told(found)
    np.testing.assert_allclose(prepare(counts, counts=False).table, X)
    with pytest.raises(InputError, match="negative"):
        prepare(frame, counts=True)


@pytest.mark.slow
def test_genes_that_vary_within_conditions_are_kept(frame):
    frame["v"] *= 9
    frame["w"] = [100, 100.1, 100, 0, 0.1, 0]  # varies between conditions only
    frame["x"] *= 5
    found = prepare(frame, genes=2)
    assert list(found.table) == ["v", "x"] and "Of 5 genes, the 2 that vary most" in told(found)
    assert list(prepare(frame, genes=["z", "v", "q"]).table) == ["z", "v"]
    assert prepare(frame, genes=None).table.shape[1] == 5


def in_modules(seed, link):
    """24 samples of 200 genes, of which two modules, of 12 and of 8 genes, follow a hub."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((24, 200))
    for first, size in ((30, 12), (120, 8)):
        rest = slice(first + 1, first + size)
        X[:, rest] = link * X[:, [first]] + np.sqrt(1 - link**2) * X[:, rest]
    X += np.repeat(5 * rng.standard_normal((2, 200)), 12, axis=0)  # levels are no links
    names = [f"{group}_{k}" for group in "ab" for k in range(12)]
    return pd.DataFrame(X, names, [f"g{k}" for k in range(200)])


@pytest.mark.slow
def test_genes_of_modules_are_the_planted_ones():
    planted = {f"g{k}" for k in (*range(30, 42), *range(120, 128))}
    for seed in range(5):
        found = prepare(in_modules(seed, 0.95), genes="modules")
        kept = set(found.table)
        assert len(kept & planted) >= 19 and len(kept - planted) <= 1
        assert f"Of 200 genes, {len(kept)} that belong to 2 modules" in told(found)
    largest = prepare(in_modules(0, 0.95), genes="modules:12")
    assert set(largest.table) <= {f"g{k}" for k in range(30, 42)}
    assert list(largest.table) == sorted(largest.table, key=lambda name: int(name[1:]))


@pytest.mark.slow
def test_noise_has_no_modules():
    for seed in range(5):
        with pytest.raises(InputError, match="no modules were found"):
            prepare(in_modules(seed, 0.0), genes="modules")


def test_genes_that_say_nothing_are_left_out(frame):
    frame.loc["a_1", "v"], frame["w"] = np.nan, 3.0
    found = prepare(frame)
    assert list(found.table) == ["x", "y", "z"]
    assert "One gene with missing values" in told(found) and "constant over all samples" in told(
        found
    )


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"group": "nothing"}, InputError, "group"),
        ({"genes": 1}, InputError, "at least 2"),
        ({"genes": 2.5}, InputTypeError, "genes=2.5"),
        ({"genes": "module"}, InputError, "genes='module'"),
        ({"genes": "modules:few"}, InputError, "genes='modules:few'"),
        ({"genes": "modules:1"}, InputError, "at least 2"),
        ({"genes": ["q"]}, InputError, "0 of 1"),
    ],
)
def test_refusals(frame, options, error, words):
    with pytest.raises(error, match=words):
        prepare(frame, **options)


@pytest.mark.parametrize("lost", [None, np.nan, pd.NA], ids=str)
@pytest.mark.parametrize("sheet", [False, True])
def test_a_missing_group_is_refused(lost, sheet):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(12, 6)), [f"s{k}" for k in range(12)], list("uvwxyz"))
    groups = pd.DataFrame({"cond": ["a"] * 6 + ["b"] * 5 + [lost], "n": np.arange(12)})
    groups.index = table.index
    call = {"data": table, "samples": groups} if sheet else {"data": table.join(groups["cond"])}
    with pytest.raises(InputError, match="group='cond' has missing values"):
        prepare(group="cond", **call)


@pytest.mark.parametrize("genes", [500, 20, None])
def test_negative_counts_are_refused_whether_their_gene_is_kept_or_not(genes):
    rng = np.random.default_rng(0)
    reads = pd.DataFrame(rng.poisson(200, (12, 700))).add_prefix("G")
    reads.iloc[3, 5] = -2
    reads.index = [f"{group}_{k}" for group in "ab" for k in range(6)]
    with pytest.raises(InputError, match="counts cannot be negative"):
        prepare(reads, genes=genes)
    with pytest.raises(InputError, match="give counts=False if"):
        prepare(reads, genes=genes, counts=True)


@pytest.mark.parametrize("prefix", ["GENE", "AT1G"])
def test_texts_beside_genes_in_rows_are_no_samples(tmp_path, prefix):
    rng = np.random.default_rng(0)
    samples = [f"A{k}" for k in range(12)]
    genes = pd.DataFrame(rng.normal(size=(20, 12)), columns=samples)
    genes.insert(0, "description", [f"kinase {k}" for k in range(20)])
    genes.index = pd.Index([f"{prefix}{k:05d}" for k in range(20)], name="id")
    genes.to_csv(tmp_path / "genes.csv")
    sheet = pd.DataFrame({"id": samples[::-1], "cond": ["u", "v"] * 6})
    sheet.to_csv(tmp_path / "sheet.csv", index=False)
    found = prepare(str(tmp_path / "genes.csv"), "cond", samples=str(tmp_path / "sheet.csv"))
    assert found.table.shape == (12, 20)
    known = dict(zip(sheet["id"], sheet["cond"], strict=True))
    assert dict(found.condition) == known


def test_a_sample_far_out_is_named():
    rng = np.random.default_rng(0)
    names = [f"{group}_{k}" for group in "ab" for k in range(8)]
    clean = pd.DataFrame(rng.normal(size=(16, 40)), names).add_prefix("g")
    assert "median sample" not in told(prepare(clean))
    spoiled = clean.copy()
    spoiled.iloc[5] += rng.normal(0.0, 15.0, 40)
    ratio = re.search(r"Sample a_5 is (\S+) times as far", told(prepare(spoiled)))[1]
    parts = [spoiled.iloc[rows] for rows in (range(8), range(8, 16))]
    far = [np.sqrt(((part - part.median()) ** 2).sum(axis=1)) for part in parts]
    assert float(ratio) == pytest.approx(far[0]["a_5"] / far[0].median(), rel=0.05)


def test_other_data_than_tables_are_refused():
    with pytest.raises(InputError, match="distances"):
        prepare(gm.datasets.cities())


@pytest.mark.slow
@pytest.mark.parametrize("end", ["csv", "tsv"])
@pytest.mark.parametrize("options", [{}, {"transpose": True}])
def test_the_condition_may_be_a_row_where_genes_are_rows(tmp_path, end, options):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(8, 5)).round(3), columns=list("vwxyz"))
    table.index = [f"s{k}" for k in range(8)]
    path = tmp_path / f"rows.{end}"
    turned = table.assign(state=["a"] * 4 + ["b"] * 4).T
    turned.to_csv(path, sep="," if end == "csv" else "\t", index_label="gene")
    for data in (path, turned):
        found = prepare(data, "state", **options)
        assert found.condition.tolist() == ["a"] * 4 + ["b"] * 4
        np.testing.assert_array_equal(found.table[list("vwxyz")], table)
    assert prepare(path, "state").source.title == "rows"


@pytest.mark.slow
def test_genes_with_links_come_before_those_that_vary():
    """Two modules of six quiet genes among forty loud ones without links."""
    rng = np.random.default_rng(1)
    X = 5.0 * rng.standard_normal((30, 52))
    for first in (0, 6):
        X[:, first : first + 6] = 0.1 * (3 * rng.normal(size=(30, 1)) + rng.normal(size=(30, 6)))
    table = pd.DataFrame(X, columns=[f"g{k}" for k in range(52)])
    data = table.assign(state=np.repeat(["a", "b"], 15))
    linked = prepare(data, "state", genes=12)
    assert list(linked.table.columns) == [f"g{k}" for k in range(12)]
    more = prepare(data, "state", genes=20)
    assert set(linked.table.columns) < set(more.table.columns) and more.table.shape[1] == 20
    assert any(note.key == "net.read.linked" for note in more.notes)
    loudest = prepare(data, "state", genes="variable:20")
    assert not set(loudest.table.columns) & set(linked.table.columns)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("names", "cells", "sep"),
    [
        (list("uvwxyz"), list("uvwxyz"), ","),
        (list("uvwxyz"), [f"/data/{name}.sorted.bam" for name in "uvwxyz"], ";"),
        ([f"00{k}" for k in range(1, 7)], [f"00{k}" for k in range(1, 7)], "\t"),
    ],
)
def test_a_sheet_is_read_as_reports_read_it(frame, tmp_path, names, cells, sep, turned):
    """The names need not come first, and a cell of another column may be empty."""
    frame = frame.set_axis(names).set_axis(["MYC", "TP53", "EGFR", "KRAS", "PTEN"], axis=1)
    sheet = pd.DataFrame({"age": [3, None, 5, 6, 7, 8], "file": cells, "dose": [0, 10] * 3})
    sheet.to_csv(tmp_path / "sheet.csv", sep=sep, index=False)
    data = tmp_path / "data.csv"
    (frame.T if turned else frame).to_csv(data)
    found = prepare(data, "dose", samples=tmp_path / "sheet.csv")
    assert found.condition.tolist() == ["0", "10"] * 3
    np.testing.assert_allclose(found.table, frame)
    source = gm.io.read(data, samples=tmp_path / "sheet.csv")
    assert source.groups()["dose"].astype(str).tolist() == ["0", "10"] * 3


def test_a_sheet_that_has_a_column_called_sample(frame):
    sheet = pd.DataFrame({"sample": list("uvuvuv")}, index=frame.index)
    assert prepare(frame, "sample", samples=sheet).condition.tolist() == list("uvuvuv")
    with pytest.raises(InputTypeError, match="samples"):
        prepare(frame, "sample", samples=5)
