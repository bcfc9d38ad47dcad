"""Files that cannot be read: one line of the exception after a prefix in the command's language."""

import gzip
import pickle

import pytest
from click.testing import CliRunner

import gramian as gm
from gramian.cli import main
from gramian.errors import InputError

FILES = {
    "empty.csv": (b"", "the file is empty"),
    "blank.csv": (b"  \n \n", "the file holds no text"),
    "header.csv": (b"a,b,c\n", "the file has a header and no rows"),
    "broken.csv.gz": (gzip.compress(b"a,b\n1,2\n" * 50)[:-9], "the gzipped file is broken"),
    "twice.csv.gz": (gzip.compress(gzip.compress(b"a,b\n1,2\n")), "holds a gzipped file"),
    "zeros.csv": (b"a,b\n1,\x00\x002\n3,4\n", "zero bytes"),
    "quote.csv": (b'a,b\n1,"2\n3,4\n5,6\n', "opens a quote"),
    "pickled.csv": (pickle.dumps([1, 2]), "Python pickle"),
    "wrong.parquet": (b"a,b\n1,2\n3,4\n", "is not a parquet file"),
    "book.xlsx": (b"PK\x03\x04 and no more", "the workbook"),
    "points.phy": (b"4\na 0 1 2 3\nb 1 0 2 3\n", "says 4 points but holds 2"),
    "genes.gct": (b"#1.2\n2\t2\nName\tD\ts1\ts2\ng1\tx\t1\t2\n", "says 2 rows"),
    "cells.h5ad": (b"\x89HDF\r\n\x1a\n and no more", "the h5ad file cannot be read"),
    "ends.edgelist": (b"a b 1\nc d heavy\n", "for a weight"),
    "letters.fasta": (b">one\nAC3T\n", "line 2 of the FASTA file"),
}


def run(*arguments):
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_read(tmp_path, name):
    data, words = FILES[name]
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as error:
        gm.io.read(path)
    for language, prefix in (("en", "error: "), ("fr", "erreur\u202f: ")):
        found = run("report", path, "-o", tmp_path / "page.html", "--language", language)
        assert found.exit_code == 3 and found.stderr == f"{prefix}{error.value}\n"


def test_a_file_that_is_not_there(tmp_path):
    found = run("fit", tmp_path / "none.csv")
    assert found.stderr.endswith("cannot be read: No such file or directory\n")
