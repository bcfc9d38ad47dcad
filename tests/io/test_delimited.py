"""Tables of text: what is guessed, what is told, what is refused."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gramian as gm
from gramian.errors import InputError
from gramian.io import delimited

from .files import FRAME


def keys(texts):
    return [text.key for text in texts]


def read(text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return gm.io.read(io.BytesIO(data), **options)


@pytest.mark.slow
@pytest.mark.parametrize("sep", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("quoting", [0, 1], ids=["plain", "quoted"])
def test_what_pandas_writes_comes_back(sep, decimal, quoting):
    source = read(FRAME.to_csv(sep=sep, decimal=decimal, quoting=quoting))
    assert source.kind == "table" and source.names == list(FRAME.index)
    assert source.roles == {"size": "active", "mass": "active", "colour": "group"}
    pd.testing.assert_frame_equal(source.active(), FRAME[["size", "mass"]], check_exact=True)
    assert list(source.groups()["colour"]) == list(FRAME["colour"])


numbers = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(st.tuples(numbers, numbers, numbers), min_size=2, max_size=8),
    st.sampled_from([",", ";", "\t", "|", " "]),
    st.booleans(),
)
def test_every_double_comes_back_to_the_last_bit(rows, sep, quick):
    text = "\n".join(sep.join(map(repr, row)) for row in [("x", "y", "z"), *rows])
    text = text.replace("'", "")
    keep = delimited.has_arrow
    delimited.has_arrow = lambda: quick
    try:
        source = read(text, sep=sep, row_names=False, kind="table")
    finally:
        delimited.has_arrow = keep
    assert np.array_equal(source.active().to_numpy(), np.array(rows))


TEXTS = [
    FRAME.to_csv(),
    FRAME.to_csv(sep=";", decimal=","),
    "x,y,z\n1,a,TRUE\n2,b,FALSE\n3,a,TRUE\n4,b,TRUE\n",
    "x,y\n1,\nNA,2\n3,n/a\n5,6\n",
    'x,"a ""b"" c"\n1,2\n3,4\n',
    'x,text\n1,"two\nlines"\n3,"two\nlines"\n4,b\n5,b\n',
    "x,day\n1,2020-01-01\n2,2021-02-03\n3,2022-03-04\n",
    "x , y\n1, 2\n3 ,4\n",
    "big\n12345678901234567890\n1\n",
]


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_the_quick_and_the_patient_reader_agree(text, monkeypatch):
    quick = read(text)
    monkeypatch.setattr(delimited, "has_arrow", lambda: False)
    patient = read(text)
    assert quick.roles == patient.roles and quick.names == patient.names
    assert quick.notes == patient.notes and quick.warnings == patient.warnings
    pd.testing.assert_frame_equal(quick.table, patient.table, check_dtype=False, check_exact=True)


@pytest.mark.parametrize(
    ("codec", "told"),
    [
        ("utf-8", None),
        ("utf-8-sig", "byte order mark"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("cp1252", "Windows-1252"),
        ("utf-32", "UTF-32"),
    ],
)
def test_encodings_are_found_and_told(codec, told):
    text = "nom;âge\nZoë;1,5\nAndré;2,5\nŒdipe;4\n"
    source = read(text.encode(codec))
    assert source.names == ["Zoë", "André", "Œdipe"]
    assert list(source.active()["âge"]) == [1.5, 2.5, 4.0]
    said = [text for text in source.notes if text.key == "encoding"]
    assert said == [] if told is None else told in said[0]


def test_an_encoding_can_be_set_and_is_checked():
    data = "x;naïve\n1;2\n3;4\n".encode("mac-roman")
    assert list(read(data, encoding="mac-roman").active()) == ["x", "naïve"]
    for encoding in ("utf-8", "no such"):
        with pytest.raises(InputError, match="encoding="):
            read(data, encoding=encoding)


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends(ends):
    source = read(ends.join(["x,y", "1,2", "3,5", ""]))
    assert source.active().to_numpy().tolist() == [[1.0, 2.0], [3.0, 5.0]]


@pytest.mark.parametrize(
    ("text", "columns", "names", "first"),
    [
        ("1.5,2\n3,4\n5,7\n", ["V1", "V2"], ["1", "2", "3"], 1.5),
        ("1990,1991,1992\n1.5,2,3\n4,5,6\n", ["1990", "1991", "1992"], ["1", "2"], 1.5),
        ("x y\nr1 1.5 2\nr2 3 4\n", ["x", "y"], ["r1", "r2"], 1.5),
        (",x\na,1.5\nb,2\n", ["x"], ["a", "b"], 1.5),
        ("# made by me\n# twice\nid,x\n7,1.5\n9,2\n", ["x"], ["7", "9"], 1.5),
        ("#id\tx\na\t1.5\nb\t2\n", ["x"], ["a", "b"], 1.5),
        ("x;y;;\n1,5;2;;\n3;4;;\n", ["x", "y"], ["1", "2"], 1.5),
        ("x,y\n\n1.5,2\n\n3,4\n", ["x", "y"], ["1", "2"], 1.5),
        ("x\n1.5\n2\n", ["x"], ["1", "2"], 1.5),
    ],
)
def test_headers_and_names_of_rows(text, columns, names, first):
    source = read(text)
    assert list(source.active()) == columns and source.names == names
    assert source.active().iloc[0, 0] == first


@pytest.mark.slow
def test_header_and_row_names_can_be_set():
    source = read("1,2\n3,4\n5,7\n", header=True)
    assert list(source.active()) == ["1", "2"] and len(source) == 2
    assert read("a,x\n1,2\n3,4\n", row_names="a").names == ["1", "3"]
    assert read("a,x\n1,2\n3,4\n", row_names=1).names == ["2", "4"]
    assert read("name,x\n1,2\n3,4\n", row_names=False).names == ["1", "2"]
    with pytest.raises(InputError, match="did you mean 'name'"):
        read("name,x\n1,2\n3,4\n", row_names="nam")


def test_the_decimal_comma_that_may_part_thousands_is_told():
    source = read("x;y\n1,234;2\n3,456;4\n")
    assert source.active().iloc[0, 0] == 1.234 and "thousands" in keys(source.warnings)
    told = read("x;y\n1,234;2\n3,456;4\n", decimal=".", thousands=",")
    assert told.active().iloc[0, 0] == 1234.0 and told.warnings == []


@pytest.mark.slow
def test_numbers_spoiled_by_a_word_are_told():
    text = "x,y\n1,2\nhigh,3\n4,5\n5,6\n6,8\n"
    source = read(text)
    assert source.roles["x"] == "ignored" and "nearly_numbers" in keys(source.warnings)
    assert "'high'" in source.warnings[0] and "row 2" in source.warnings[0]
    mended = read(text, na_values=["high"])
    assert mended.roles["x"] == "active" and np.isnan(mended.active().iloc[1, 0])


def test_numbers_with_another_mark_are_told():
    source = read('x,y\n1,"1 234,5"\n2,"2 000,1"\n3,"7 123,0"\n')
    assert "other_mark" in keys(source.warnings)
    values = "".join(f'{k},"{k} 234,5"\n' for k in range(1, 15))
    source = read(f"x,y\n0,high\n{values}")  # the cell that is quoted is one of such numbers
    (told,) = [w for w in source.warnings if w.key == "other_mark"]
    assert "1 234,5" in told and "high" not in told


def test_a_last_row_called_mean_below_texts_only_is_no_warning_of_numpy():
    rows = "".join(f"s{k},{'ab'[k % 2]}\n" for k in range(8))
    assert "summary_rows" in keys(read(f"name,kind\n{rows}mean,\n").warnings)


@pytest.mark.slow
def test_categories_called_none_are_not_missing():
    source = read("x,treatment\n1,None\n2,drug\n3,None\n4,drug\n")
    assert list(source.groups()["treatment"]) == ["None", "drug", "None", "drug"]


@pytest.mark.slow
def test_a_column_whose_first_million_is_whole_keeps_its_last_fraction():
    text = "x,y\n" + "1,2\n" * 1_200_000 + "1.25,3\n"
    source = read(text)
    assert source.active()["x"].iloc[-1] == 1.25 and len(source) == 1_200_001


@pytest.mark.slow
def test_lines_longer_than_a_cell_may_be():
    names = [f"a gene with a long name {k}" for k in range(6000)]
    rows = np.arange(18000.0).reshape(3, 6000)
    text = "\n".join(",".join(map(str, row)) for row in [names, *rows])
    assert len(text) > 4 * 65536
    source = read(text)
    assert np.array_equal(source.active().to_numpy(), rows) and list(source.active()) == names


@pytest.mark.parametrize("quick", [True, False])
def test_a_line_with_too_many_cells_is_named(quick, monkeypatch):
    monkeypatch.setattr(delimited, "has_arrow", lambda: quick)
    rows = ["x,y", *["1,2"] * 50, "1,2,3", *["3,4"] * 50]
    with pytest.raises(InputError, match="line 52 has 3 cells where 2"):
        read("\n".join(rows))
    rows[51] = "1"
    with pytest.raises(InputError, match="line 52 has 1 cells where 2"):
        read("\n".join(rows))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n\n ", "no text"),
        (b"x,y\n", "no rows"),
        (b",,\n,,\n", "no cells"),
        (b"a,b\nc,d\ne,f\n", "no column of numbers"),
        (b"\x00\x01\x02" * 50, "zero bytes"),
        (b"\x80\x04\x95\x10\x00\x00\x00", "pickle"),
        (b"\xff\xfea", "UTF-16"),
    ],
)
def test_what_is_no_table_is_refused(data, words):
    with pytest.raises(InputError, match=words) as caught:
        read(data)
    assert len(str(caught.value)) <= 400


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sep": "::"}, "sep="),
        ({"decimal": "x"}, "decimal="),
        ({"kind": "tables"}, "kind="),
        ({"format": "word"}, "format="),
        ({"missing": "guess"}, "missing="),
        ({"kind": "graphs", "format": "text"}, "kind="),
    ],
)
def test_options_without_meaning_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        read("x,y\n1,2\n3,4\n", **options)


def test_gzip_is_unpacked_and_bounded(monkeypatch):
    data = gzip.compress(FRAME.to_csv().encode())
    assert read(data).names == list(FRAME.index)
    with pytest.raises(InputError, match="broken"):
        read(data[:-9])
    monkeypatch.setattr("gramian.io.content.budget_bytes", lambda memory: 500)
    with pytest.raises(InputError, match="unpacks to more than 500 bytes"):
        read(gzip.compress(FRAME.to_csv().encode() + b"\n" * 10_000))


def test_a_repeated_name_gets_a_number():
    source = read("x,x,y\n1,2,3\n4,5,6\n")
    assert list(source.active()) == ["x", "x (2)", "y"]
    assert "duplicate_names" in keys(source.warnings)


def test_a_path_that_is_not_there_and_one_that_is(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        gm.io.read(tmp_path / "none.csv")
    with pytest.raises(TypeError, match="give a path"):
        gm.io.read(3)
    path = tmp_path / "my table.v2.csv"
    path.write_text(FRAME.to_csv())
    source = gm.io.read(str(path), sep=",")
    assert source.title == "my table.v2" and source.path == str(path)
    assert source.options == {"sep": ","}


def test_a_note_knows_itself_in_french():
    said = read("x;y\n1,5;2\n3;4\n").notes[0]
    assert said.in_language("en") == said
    assert said.in_language("fr").startswith("Les colonnes sont séparées par des points-virgules")


@pytest.mark.parametrize("name", ["dune.env.csv", "dune.env.csv.gz", "dune.env"])
def test_a_title_is_the_name_of_the_file_without_its_kind(tmp_path, name):
    path = tmp_path / name
    text = b"a,b\n1,2\n3,5\n4,4\n"
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    assert gm.io.read(path).title == ("dune.env" if ".csv" in name else "dune")
