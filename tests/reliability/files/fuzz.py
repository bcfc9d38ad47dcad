"""Good files of every format, spoiled: bytes changed, cut, doubled, moved; numbers made extreme."""

import gzip
import io
import struct

import numpy as np
from tests.io import files as good

import gramian as gm

from . import books

_NUMBERS = [
    0,
    1,
    -1,
    127,
    128,
    255,
    256,
    65535,
    65536,
    2**31 - 1,
    2**31,
    2**32 - 1,
    10**6,
    2**63 - 1,
]
_TEXTS = [
    b"nan",
    b"1e999",
    b"-",
    b'"',
    b"\0",
    b"\r",
    b"\n",
    b",",
    b"=",
    b"<",
    b">",
    b"&",
    b"{",
    b"}",
]
_TEXTS += [
    b"9" * 30,
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"'weight': ",
    b"<!DOCTYPE a>",
    b"#",
]


def seeds():
    """Return a good file of every format, under a name."""
    known = good.one_of_each()
    known["b.edgelist"] = b"u v {'weight': 1.5, 'c': 'x'}\nv w {'weight': 2}\nx\n"
    known["b.csv"] = b'name;x;"y, z"\n"a\nb";1,5;2\nc;"3,5";4\n"d ""e""";2,0;7\n'
    known["a.csv.gz"] = gzip.compress(known["a.csv"], mtime=0)
    known["a.ods"], known["a.xlsb"], known["a.xls"] = books.ods(), books.xlsb(), books.xls()
    row = '<row><c t="s"><v>{0}</v></c><c r="B{1}"><v>{0}.5</v></c></row>'
    known["b.xlsx"] = books.shared("".join(row.format(k, k + 1) for k in range(3)), list("abc"))
    cells = [(k, 0, (k,)) for k in range(3)] + [(k, 1, k + 0.5) for k in range(1, 3)]
    cells = [*cells[:3], (0, 1, (2,)), *cells[3:]]
    known["b.xls"] = books.xls(cells=cells, sst=(3, ["a", "b", "c"]))
    known["b.xlsb"] = books.xlsb(cells, strings=(3, ["a", "b", "c"]))
    # Parts of an archive that are not packed can be spoiled where it counts.
    for name in ("a.xlsx", "b.xlsx", "a.ods", "a.xlsb", "b.xlsb"):
        known[f"parts of {name}"] = books.packed(books.parts_of(known[name]), 0)
    return known


def spoiled(data, rng):
    """Return a file with one to four faults."""
    out = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        at = int(rng.integers(0, max(len(out), 1)))
        kind = int(rng.integers(0, 7))
        if kind == 0:
            out[at : at + 1] = bytes([int(rng.integers(256))])
        elif kind == 1:
            del out[at : at + int(rng.integers(1, 20))]
        elif kind == 2:
            out[at:at] = out[at : at + int(rng.integers(1, 60))]
        elif kind == 3:
            number = _NUMBERS[int(rng.integers(len(_NUMBERS)))]
            form = ["<b", "<h", "<i", "<q"][int(rng.integers(4))]
            size = 8 * struct.calcsize(form)
            whole = (number & (2**size - 1)).to_bytes(size // 8, "little")
            out[at : at + len(whole)] = whole
        elif kind == 4:
            out[at:at] = _TEXTS[int(rng.integers(len(_TEXTS)))]
        elif kind == 5 and rng.random() < 0.3:
            del out[at:]
        else:
            digits = [k for k in range(len(out)) if 48 <= out[k] <= 57] or [at]
            place = digits[int(rng.integers(len(digits)))]
            out[place : place + 1] = str(_NUMBERS[int(rng.integers(len(_NUMBERS)))]).encode()
    return bytes(out)


def repacked(data, rng):
    """Return an archive with one part spoiled, its sums right."""
    parts = books.parts_of(data)
    name = list(parts)[int(rng.integers(len(parts)))]
    return books.packed(parts | {name: spoiled(parts[name], rng)}, 0)


def read(data, name):
    """Read a file by the name of its format."""
    file = io.BytesIO(data)
    file.name = name.removeprefix("parts of ")
    return gm.io.read(file)


def cases(name, data, count, seed):
    """Go through spoiled copies of a file."""
    rng = np.random.default_rng([seed, sum(name.encode())])
    for _ in range(count):
        is_archive = name.startswith("parts of") and rng.random() < 0.9
        yield repacked(data, rng) if is_archive else spoiled(data, rng)
