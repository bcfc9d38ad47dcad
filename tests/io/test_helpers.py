"""Small facts about the functions that readers are made of."""

import csv
import tracemalloc

import numpy as np
import pandas as pd

from gramian.io.anndata import texts_of
from gramian.io.content import allowance, damage, decode_text, lines_of
from gramian.io.csv_cells import check_quotes, csv_text, escape_formula, quoting, unescape_formula
from gramian.io.doctor.examine import combinations
from gramian.io.doctor.kinds import content_of, is_wide_counts, may_count
from gramian.io.doctor.numbers import (
    code_for_missing,
    is_category_code,
    is_date_part,
    mend_new_rows,
    number_kind,
    number_roles,
)
from gramian.io.doctor.texts import are_dates, number, numbers_of, titles_above
from gramian.io.doctor.vocabulary import (
    calendar_part,
    is_category,
    is_counter,
    is_identifier,
    is_label,
    is_measure,
    is_ordinal,
    is_postal,
    word_set,
    words_of,
)
from gramian.io.formats import check_na_values, distinct, find_columns
from gramian.io.links import data_weight, links_of_graphml, links_of_lines, links_of_table
from gramian.io.notes import Word, column_setting, finding, note
from gramian.io.roles import are_genes
from gramian.io.scan_sources import can_scan


def test_texts_of():
    assert texts_of([b"a", "b"]) == ["a", "b"]


def test_damage():
    assert (
        str(damage("malformed node or string on line 1: <ast.BinOp object at 0x7f>"))
        == "its header is damaged"
    )
    assert str(damage("could not convert string to float: 'abc'")) == "'abc' is no number"


def test_a_plain_text_is_not_copied():
    text = b"1.25,2.5\n" * 100_000
    tracemalloc.start()
    try:
        assert decode_text(text)[0] is text
        assert tracemalloc.get_traced_memory()[1] < len(text) / 4
    finally:
        tracemalloc.stop()


def test_allowance():
    assert allowance(10**7, None) <= 10**9


def test_lines_of():
    assert lines_of("a\x0cb\r\nc\n") == ["a\x0cb", "c"]


def test_check_quotes():
    assert check_quotes(b'a,b\n1,"two\nlines"\n', ",").first == 2


def test_escape_formula():
    assert (escape_formula("=1+1"), escape_formula("a=b")) == ("'=1+1", "a=b")


def test_unescape_formula():
    assert [unescape_formula(escape_formula(text)) for text in ("=1", "'=1", "'tis")] == [
        "=1",
        "'=1",
        "'tis",
    ]


def test_csv_text():
    assert csv_text(pd.DataFrame({"x": [-0.5]}, index=["=a"])) == "name,x\n'=a,-0.5\n"


def test_quoting():
    assert quoting(["a", "b"]) == csv.QUOTE_MINIMAL


def test_combinations():
    x = np.random.default_rng(0).standard_normal((30, 2))
    assert [c.others for c in combinations(np.column_stack([x, x.sum(axis=1)]))] == [(0, 1)]


def test_number_kind():
    assert (
        number_kind("ID", np.arange(1000.0, 1600, 7)),
        number_kind("height", np.arange(100.0, 200)),
    ) == ("identifier", None)


def test_is_category_code():
    codes = np.array([1.0, 2, 3] * 10)
    assert (is_category_code("race", codes), is_category_code("rooms", codes)) == (True, False)


def test_is_date_part():
    assert (
        is_date_part("Month", np.array([5.0, 6])),
        is_date_part("date", np.array([20240131.0])),
    ) == (True, True)


def test_number_roles():
    frame = pd.DataFrame({"x": np.linspace(0, 1, 12), "race": [1.0, 2.0, 3.0] * 4})
    assert number_roles(frame).roles == {"race": "group"}


def test_mend_new_rows():
    known = pd.DataFrame({"x": [4.0, 5.0, 6.0, 5.5, 4.5, 5.2, 4.8, 6.1, 3.9, 5.0]})
    assert (
        repr(mend_new_rows(pd.DataFrame({"x": [5.0, -999.0]}), known)[0]["x"].tolist())
        == "[5.0, nan]"
    )


def test_code_for_missing():
    assert (
        code_for_missing("weight", np.array([60.0, 72, -999, 81, 55, -999, 64, 70, 66, 58]))
        == -999.0
    )
    assert (
        code_for_missing("cash", np.array([60.0, -72, -999, 810, -550, 640, 70, 12, 9, -3])) is None
    )


def test_content_of():
    parts = pd.DataFrame([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8], [0.4, 0.4, 0.2]])
    assert content_of(parts, grouped=0).kind == "composition"


def test_is_wide_counts():
    genes = np.random.default_rng(0).lognormal(3, 2, 500)
    assert is_wide_counts(np.random.default_rng(1).poisson(genes, (8, 500)))


def test_may_count():
    rng = np.random.default_rng(0)
    assert may_count(rng.poisson([40, 60, 90], (12, 3)))
    assert not may_count(rng.normal([175, 2_010, 80_000], [8, 5, 9_000], (12, 3)).round())


def test_number():
    assert (number(" 7e-1 "), number("0x10"), number("1_000")) == (0.7, None, None)


def test_are_dates():
    assert (
        are_dates(pd.Series(["2024-01-31", "2024-02-01"])),
        are_dates(pd.Series(["a", "b"])),
    ) == (True, False)


def test_numbers_of():
    assert (
        repr(numbers_of(pd.Series(["5 mg", "7 mg", "ND", "2.5 mg"])).values.tolist())
        == "[5.0, 7.0, nan, 2.5]"
    )
    assert numbers_of(pd.Series(["red", "blue"])) is None


def test_titles_above():
    assert (
        titles_above([["Results of 2024"], ["name", "x", "y"], ["a", "1", "2"], ["b", "3", "4"]])
        == 1
    )


def test_word_set():
    assert sorted(word_set("id ids")) == ["id", "ids"]


def test_words_of():
    assert (words_of("patientID"), words_of("zip.code_2")) == (
        ["patient", "id"],
        ["zip", "code", "2"],
    )


def test_is_identifier():
    assert (is_identifier("Patient_ID"), is_identifier("acid"), is_identifier("id_sample")) == (
        True,
        False,
        True,
    )


def test_is_counter():
    assert (is_counter("No."), is_counter("index"), is_counter("price index")) == (
        True,
        True,
        False,
    )


def test_is_postal():
    assert (is_postal("ZIP code"), is_postal("zipper")) == (True, False)


def test_is_category():
    assert (is_category("race"), is_category("blood.group"), is_category("weight")) == (
        True,
        True,
        False,
    )


def test_is_ordinal():
    assert (is_ordinal("pain_score"), is_ordinal("n_children"), is_ordinal("race")) == (
        True,
        True,
        False,
    )


def test_is_measure():
    assert (is_measure("Age"), is_measure("patient_id"), is_measure("age 20-29")) == (
        True,
        True,
        False,
    )


def test_is_label():
    assert (is_label("Make"), is_label("weight")) == (True, False)


def test_calendar_part():
    assert (calendar_part("Month"), calendar_part("day of year")) == ((1, 12), None)


def test_check_na_values():
    assert check_na_values("-") == ["-"]


def test_distinct():
    assert distinct(["a", "b", "a"]) == (["a", "b", "a (2)"], ["a"])


def test_find_columns():
    assert find_columns("a,b", pd.DataFrame({"a": [1], "b": [2], "c": [3]}), "ignore") == ["a", "b"]


def test_links_of_table():
    assert links_of_table("source,target,weight\na,b,0.5\nc,,\n", ",").column("weight") == ["0.5"]


def test_links_of_lines():
    assert links_of_lines("# ours\na b 0.5\nc\n").nodes == {"a": {}, "b": {}, "c": {}}


def test_data_weight():
    assert (
        data_weight("{'colour': 'red', 'weight': '7'}"),
        data_weight("{'weight': np.float64(-2.5)}"),
    ) == ("7", "-2.5")


def test_links_of_graphml():
    text = b'<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"/></graph>'
    assert links_of_graphml(text + b"</graphml>")[0].ends == [("a", "b")]


def test_word():
    assert Word("commas", "des virgules").french == "des virgules"


def test_note():
    assert (
        note("dropped_rows", n=2, of=10).french
        == "2 lignes sur 10 ont une valeur manquante et sont laissées de côté."
    )


def test_finding():
    assert (
        finding("index", column="no", setting=column_setting("as_number", "no")).remedy
        == "as_number=['no']"
    )


def test_column_setting():
    assert (
        repr(column_setting("ignore", "a", "b")) == "Setting(name='ignore', values=(['a', 'b'],))"
    )


def test_are_genes():
    assert (
        are_genes("", ["ENSG00000141510", "ENSG00000012048"]),
        are_genes("name", ["Ann", "Bob"]),
    ) == (True, False)


def test_can_scan():
    assert not can_scan("table.xlsx")
