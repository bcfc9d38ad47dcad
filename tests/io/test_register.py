"""Formats that join: one record makes a format known everywhere."""

import gzip
import io
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.io import FORMATS, Format
from gramian.io.formats import format_of


def numbers(data, options):
    return pd.DataFrame(np.frombuffer(data[4:], dtype="<f8").reshape(-1, 3), columns=list("abc"))


def words(data, options):
    return gm.io.Source("sequences", ["one", "two"], sequences=data[4:].decode().split())


@pytest.fixture
def registry():
    with mock.patch.dict(FORMATS):
        yield FORMATS


DATA = b"NUM!" + np.arange(12.0).tobytes()


@pytest.mark.slow
def test_a_table_is_known_by_its_bytes_its_name_or_by_word(registry, tmp_path):
    gm.io.register(
        Format("numbers", numbers, "plain numbers", "des nombres", (".num",), (b"NUM!",))
    )
    for name, data in (("a.num", DATA), ("a", DATA), ("a.num.gz", gzip.compress(DATA))):
        path = tmp_path / name
        path.write_bytes(data)
        for options in ({}, {"format": "numbers"}):
            source = gm.io.read(path, **options)
            assert source.active().to_numpy().tolist() == np.arange(12.0).reshape(4, 3).tolist()
            assert source.notes[0].french == "Le fichier a été lu comme des nombres."
    assert gm.io.read(io.BytesIO(DATA), active="a").columns("supplementary") == ["b", "c"]
    with pytest.raises(InputError, match="is not a numbers file"):
        (tmp_path / "b.num").write_text("x,y\n1,2\n")
        gm.io.read(tmp_path / "b.num")


def test_a_look_tells_where_no_first_bytes_do(registry):
    gm.io.register(Format("words", words, looks=lambda data: data.startswith(b"say ")))
    assert format_of(b"say AB CD", None).name == "words"
    assert gm.io.read(io.BytesIO(b"say AB CD")).sequences == ["AB", "CD"]
    assert gm.io.read(io.BytesIO(b"say AB CD")).notes == ["The file was read as words."]
    assert format_of(b"x,y\n1,2\n", "a.csv").name == "text"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"name": "excel"}, "is a format already"),
        ({"name": "My Format"}, "one word in small letters"),
        ({"name": 3}, "one word"),
        ({"name": "new", "suffixes": ("new",)}, "a point and small letters"),
        ({"name": "new", "suffixes": (".new", ".xlsx")}, "belongs to excel"),
    ],
)
def test_a_record_that_would_hide_another_is_refused(registry, options, told):
    before = dict(registry)
    with pytest.raises(InputError, match=told):
        gm.io.register(Format(read=numbers, **options))
    assert registry == before


def test_an_unknown_format_lists_those_that_are_known(registry):
    gm.io.register(Format("numbers", numbers))
    with pytest.raises(InputError, match=r"format='nothing' must be one of text, .*numbers"):
        gm.io.read(io.BytesIO(DATA), format="nothing")
    table = gm.io.formats()
    assert list(table.index) == list(registry) and table.loc["excel", "suffixes"].startswith(
        ".xlsx"
    )
