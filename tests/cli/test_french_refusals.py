"""Files that the command refuses are refused in its language."""

import gzip
import pickle
import re

import pytest
from click.testing import CliRunner

import gramian as gm
from gramian.cli import main
from gramian.errors import InputError
from gramian.language import reading

ENGLISH = re.compile(r"\b(the|is|are|there|file|holds?|nothing|with|not|cannot|line)\b")
FILES = {
    "empty.csv": (b"", "le fichier est vide"),
    "blank.csv": (b"  \n \n", "le fichier ne contient pas de texte"),
    "header.csv": (b"a,b,c\n", "le fichier a un en-tête et aucune ligne"),
    "broken.csv.gz": (gzip.compress(b"a,b\n1,2\n" * 50)[:-9], "le fichier gzip est abîmé"),
    "twice.csv.gz": (gzip.compress(gzip.compress(b"a,b\n1,2\n")), "contient un fichier gzip"),
    "zeros.csv": (b"a,b\n1,\x00\x002\n3,4\n", "octets nuls"),
    "quote.csv": (b'a,b\n1,"2\n3,4\n5,6\n', "ouvre un guillemet"),
    "pickled.csv": (pickle.dumps([1, 2]), "pickle de Python"),
    "wrong.parquet": (b"a,b\n1,2\n3,4\n", "n’est pas un fichier parquet"),
    "book.xlsx": (b"PK\x03\x04 and no more", "le classeur"),
    "points.phy": (b"4\na 0 1 2 3\nb 1 0 2 3\n", "annonce 4 points et en contient 2"),
    "genes.gct": (b"#1.2\n2\t2\nName\tD\ts1\ts2\ng1\tx\t1\t2\n", "annonce 2 lignes"),
    "cells.h5ad": (b"\x89HDF\r\n\x1a\n and no more", "le fichier h5ad ne peut pas être lu"),
    "ends.edgelist": (b"a b 1\nc d heavy\n", "pour poids"),
    "letters.fasta": (b">one\nAC3T\n", "la ligne 2 du fichier FASTA"),
}


def run(*arguments):
    return CliRunner().invoke(main, [str(a) for a in arguments])


def refusal(path, *options):
    found = run("report", path, "-o", path.parent / "page.html", *options)
    assert found.exit_code == 3, found.output
    return next(line for line in found.stderr.splitlines() if line.startswith("error: "))


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_refused_in_french(tmp_path, name):
    data, words = FILES[name]
    path = tmp_path / name
    path.write_bytes(data)
    said = refusal(path, "--language", "fr").removeprefix("error: ")
    assert words in said
    assert not ENGLISH.search(said.partition("\u202f:")[0]), said
    assert said != refusal(path).removeprefix("error: ")
    with pytest.raises(InputError) as error:
        gm.io.read(path)
    assert str(error.value) == refusal(path).removeprefix("error: ")


def test_a_file_that_is_not_there(tmp_path):
    said = refusal(tmp_path / "none.csv", "--language", "fr")
    assert said.endswith("ne peut pas être lu\u202f: il n’y a pas de tel fichier")
    assert refusal(tmp_path / "none.csv").endswith("cannot be read: No such file or directory")


def test_every_sentence_on_reading_is_used():
    from tests.source import ROOT

    sources = "".join(path.read_text() for path in (ROOT / "src/gramian/io").rglob("*.py"))
    assert [key for key in reading.SENTENCES if f'"{key}"' not in sources] == []
