"""Workbooks that lie about their size are refused, or read right; they end no process of ours."""

import io
import struct
import time
import zipfile

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.io.limited import read_limited

from . import books
from .books import ods, ods_cell, packed, parts_of, record8, record12, shared, xls, xlsb, xlsx

pytestmark = pytest.mark.slow


TABLE = [[1.0, 2.0], [3.0, 5.0], [2.0, 7.0]]
SHEET = "xl/worksheets/sheet1.xml"


def read(data, **options):
    return gm.io.read(io.BytesIO(data), **options)


def refused(data, words="."):
    start = time.process_time()
    with pytest.raises(InputError, match=words) as caught:
        read(data)
    assert len(str(caught.value)) <= 400
    assert time.process_time() - start < 3.0
    return str(caught.value)


def right_or_refused(data):
    """Read a workbook of the usual table that is damaged where its reader may not look."""
    start = time.process_time()
    try:
        assert read(data).active().to_numpy().tolist() == TABLE
    except InputError as error:
        assert len(str(error)) <= 400
    assert time.process_time() - start < 3.0


@pytest.mark.parametrize("book", [xlsx, ods, xlsb, xls])
def test_an_honest_workbook_is_read(book):
    source = read(book())
    assert source.active().to_numpy().tolist() == TABLE and source.names == ["a", "b", "c"]


FAR = [
    '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    "<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>",
    '<row\tr="1048576"><c\nr="XFD1048576"><v>1</v></c></row>',
    '<row r = "1048576"><c r\n=\n"XFD1048576"><v>1</v></c></row>',
    '<row spans="1:3" r="1048576"><c s="0" r="XFD1048576"><v>1</v></c></row>',
    '<row r="5"><c r="XFD1048576"><v>1</v></c></row>',
    '<row r="&#49;048576"><c r="XFD&#49;048576"><v>1</v></c></row>',
    '<row r="1048576"><c r="xfd1048576"><v>1</v></c></row>',
    '<row r="1048575"/><row><c r="XFD9"><v>1</v></c><c><v>1</v></c></row>',
    '<row r="9000000000"><c><v>1</v></c></row>',
    '<row r="7"><c r="ZZZZZZZ7"><v>1</v></c></row>',
    '<row r="1048576"><![CDATA[]]><!-- --><c r="XFD1048576"><v>1</v></c></row>',
    '<row r="-1"><c r="A-1"><v>1</v></c></row>',
    '<row r="8"><c r="A1:B2"><v>1</v></c></row>',
]


@pytest.mark.parametrize("far", FAR)
def test_a_cell_far_away_however_it_is_written(far):
    refused(xlsx(sheet=lambda text: text.replace("</sheetData>", far + "</sheetData>")))


def test_a_prefix_does_not_hide_a_cell():
    rows = '<row r="1"><c r="A1"><v>1</v></c></row>' + FAR[0]
    sheet = (
        '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<x:sheetData>{rows.replace('<', '<x:').replace('<x:/', '</x:')}</x:sheetData>"
        "</x:worksheet>"
    )
    refused(xlsx(sheet=lambda _: sheet), "far from the table")


@pytest.mark.parametrize("name", ["elsewhere/s.xml", "xl/worksheets/SHEET.XML", "xl/a", "s.dat"])
def test_any_folder_and_any_name_of_the_sheet(name):
    parts = parts_of(xlsx(sheet=lambda t: t.replace("</sheetData>", FAR[0] + "</sheetData>")))
    sheet = parts.pop(SHEET)
    links = "xl/_rels/workbook.xml.rels"
    target = f"/{name}".encode()
    parts[links] = parts[links].replace(b"worksheets/sheet1.xml", target)
    refused(packed(parts | {name: sheet}), "far from the table")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("<worksheet", "<!DOCTYPE worksheet><worksheet"),
        lambda text: "<!DOCTYPE w [<!ENTITY a 'aaaaaaaa'>]>" + text.partition("?>")[2],
        lambda text: text.replace("UTF-8", "UTF-16"),
        lambda text: text[: len(text) // 2],
        lambda text: "text " + text,
        lambda text: text.replace("<v>1.0</v>", "<v>1.0</w>"),
    ],
)
def test_a_sheet_that_is_no_plain_xml(change):
    right_or_refused(xlsx(sheet=change))  # a wrong declaration is no matter


POINTING = "".join(f'<row><c t="s"><v>{k % 2}</v></c><c><v>{k}</v></c></row>' for k in range(4000))


def test_shared_texts():
    source = read(shared(POINTING, ["one", "two"]), header=False)
    assert len(source) == 4000 and source.groups().iloc[1, 0] == "two"
    refused(shared(POINTING, ["a" * 32_000, "b" * 32_000]), "same texts until")
    long = shared(POINTING, ["one", "two", "c" * 32_000])  # there, and not pointed at
    assert len(read(long, header=False)) == 4000
    refused(shared(POINTING, ["one", "two"], ' uniqueCount="4000000000"'), "largest=")


def row(cells, extra=""):
    return f"<table:table-row{extra}>{cells}</table:table-row>"


def repeated(kind, times):
    return f' table:number-{kind}-repeated="{times}"'


@pytest.mark.parametrize(
    "body",
    [
        row(ods_cell(1.0, repeated("columns", 3000)), repeated("rows", 3000)),
        row("<table:table-cell/>", repeated("rows", 1_000_000)) + row(ods_cell(1.0)) * 3,
        row(f"<table:table-cell{repeated('columns', 10**9)}/>{ods_cell(1.0)}") * 3,
        row(ods_cell("a" * 60_000, repeated("columns", 4)), repeated("rows", 20_000)),
        row(ods_cell('a<text:s text:c="4000000000"/>')),
        row(ods_cell(1.0, repeated("columns", -1))),
        row(ods_cell(1.0, repeated("columns", "many"))),
        row("<table:table-cell>" + row(ods_cell(1.0)) + "</table:table-cell>"),
    ],
)
def test_repeated_cells_of_an_open_document(body):
    right_or_refused(ods(body=body))


def test_too_many_repeated_cells_are_named():
    body = row(ods_cell(1.0, repeated("columns", 3000)), repeated("rows", 30_000))
    refused(ods(body=body), "far from the table")


@pytest.mark.parametrize(("columns", "rows"), [(4_000_000_000, 1), (1, 4_000_000_000)])
def test_cells_beyond_the_largest_sheet_are_left_out(columns, rows):
    body = row(ods_cell(1.0, repeated("columns", columns)), repeated("rows", rows))
    out = read_limited("workbook", ods(body=body), "the workbook", None, sheet=None)
    assert len(out) < 64_000_000


def test_the_empty_end_that_office_programs_write():
    tail = row(f"<table:table-cell{repeated('columns', 16_384)}/>", repeated("rows", 1_048_000))
    assert read(ods(body=tail)).active().to_numpy().tolist() == TABLE


@pytest.mark.parametrize(
    "book",
    [
        xlsb(cells=[(0, 0, 1.0), (1_048_575, 16_383, 2.0)]),
        xlsb(cells=[(0, 0, 1.0), (4_000_000_000, 0, 2.0)]),
        xlsb(cells=[(0, 0, 1.0), (5, 4_294_967_295, 2.0)]),
        xlsb(cells=[(0, 0, (0,)), (1, 0, (7,))], strings=(2, ["a", "b"])),
        xlsb(cells=[(0, 0, (0,)), (1, 0, (1,))], strings=(4_294_967_295, ["a", "b"])),
        xlsb(cells=[(k, 0, (0,)) for k in range(1500)], strings=(1, ["a" * 30_000])),
        xlsb(extra=b"\x05\xff\xff\xff\x7f"),
        xlsb(extra=b"\x80"),
    ],
)
def test_binary_workbooks_that_lie(book):
    refused(book)


@pytest.mark.parametrize("dimension", [(0, 2**32 - 1, 0, 2**32 - 1), (5, 0, 5, 0)])
def test_the_size_that_a_binary_sheet_says_is_no_matter(dimension):
    assert read(xlsb(dimension=dimension)).active().to_numpy().tolist() == TABLE


@pytest.mark.parametrize(
    "book",
    [
        xls(cells=[(0, 0, 1.0), (65_535, 65_535, 2.0)]),
        xls(cells=[(0, 0, (0,)), (1, 0, (7,))], sst=(2, ["aa", "bb"])),
        xls(cells=[(0, 0, (0,)), (1, 0, (1,))], sst=(2**31 - 1, ["aa", "bb"])),
        xls(cells=[(k, 0, (0,)) for k in range(9000)], sst=(1, ["a" * 8000])),
        xls(extra=record8(0x203, b"\0")),
        xls(extra=struct.pack("<HH", 0x203, 65_535)),
        xls(extra=record8(0xBD, struct.pack("<HHHIH", 0, 0, 0, 0, 65_535)) * 2),
    ],
)
def test_old_workbooks_that_lie(book):
    refused(book)


@pytest.mark.parametrize("dimension", [(0, 2**32 - 1, 0, 65_535), (7, 1, 7, 1), (0, 0, 0, 0)])
def test_an_old_sheet_that_lies_about_its_size(dimension):
    right_or_refused(xls(dimension=dimension))


def test_a_short_record_is_passed_over():
    right_or_refused(xlsb(extra=record12(5, b"\0\0")))


@pytest.mark.parametrize("n", [30, 4000, 40_000])
def test_old_workbooks_of_any_size(n):
    values = np.random.default_rng(0).standard_normal((n, 2))
    cells = [(i, j, float(v)) for i, line in enumerate(values) for j, v in enumerate(line)]
    source = read(xls(cells=cells, dimension=(0, n, 0, 2)), header=False)
    assert np.array_equal(source.active().to_numpy(), values)


def test_a_small_stream_in_pieces():
    """Streams of less than 4096 bytes stand in pieces of 64, in a stream of their own."""
    stream = books.biff8()
    assert len(stream) < 4096
    small = stream + bytes(-len(stream) % 64)
    count = len(small) // 64
    data = bytearray(books.compound(bytes(4096)))  # sectors: the table, the listing, eight of zeros
    table = struct.pack(f"<{count}I", *range(1, count), 0xFFFFFFFE).ljust(512, b"\xff")
    data[1536 : 1536 + len(small)] = small
    data[1536 + 7 * 512 :] = table
    struct.pack_into("<I", data, 512 + 4 * 8, 0xFFFFFFFE)  # the root's stream ends before it
    struct.pack_into("<I", data, 512 + 4 * 9, 0xFFFFFFFE)
    struct.pack_into("<II", data, 60, 9, 1)
    struct.pack_into("<II", data, 1024 + 116, 2, len(small))
    struct.pack_into("<II", data, 1024 + 128 + 116, 0, len(stream))
    assert read(bytes(data)).active().to_numpy().tolist() == TABLE


def test_texts_of_an_old_workbook_that_go_on_in_the_next_record():
    texts = ["x" * 5000, "y" * 5000, "z"]
    said = struct.pack("<II", 3, 3)
    whole = b"".join(struct.pack("<HB", len(t), 0) + t.encode() for t in texts)
    cut = 7000  # inside the second: what follows starts with a word on how letters are written
    strings = record8(0xFC, said + whole[:cut]) + record8(0x3C, b"\0" + whole[cut:])
    stream = books.biff8([(0, 0, (2,)), (1, 0, (1,)), (2, 0, (0,)), (0, 1, 1.0), (1, 1, 2.0)])
    head = len(record8(0x809, bytes(16)))
    moved = stream[head : head + 4], struct.unpack_from("<I", stream, head + 4)[0] + len(strings)
    stream = stream[:head] + strings + moved[0] + struct.pack("<I", moved[1]) + stream[head + 8 :]
    source = read(books.compound(stream), header=False, row_names=0)
    assert [len(name) for name in source.names] == [1, 5000, 5000]


def damaged(change):
    data = bytearray(xls())
    change(data)
    return bytes(data)


def first_of_table(value):
    def change(data):
        struct.pack_into("<I", data, 512 + 4 * 3, value)

    return change


@pytest.mark.parametrize(
    "change",
    [
        first_of_table(3),  # a sector that follows itself
        first_of_table(2),
        lambda data: (struct.pack_into("<I", data, 68, 0), struct.pack_into("<I", data, 1020, 0)),
        lambda data: struct.pack_into("<H", data, 30, 31),
        lambda data: data.__delitem__(slice(200, None)),
        lambda data: data.__setitem__(slice(1024 + 128, 1024 + 144), b"\0" * 16),
    ],
)
def test_sectors_that_go_in_a_circle(change):
    right_or_refused(damaged(change))


def test_an_encrypted_workbook_is_named_so():
    words = "save it without a password"
    refused(books.compound(b"secret" * 1000, name="EncryptedPackage"), words)
    book = bytearray(xlsx())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = book.find(mark)
        while place >= 0:
            book[place + at] |= 1
            place = book.find(mark, place + 1)
    refused(bytes(book), words)


@pytest.mark.parametrize("name", ["/xl/x.xml", "../x.xml", "xl/../../x.xml", "xl\\x.xml", "C:/x"])
def test_names_that_lead_out(name):
    refused(packed(parts_of(xlsx()) | {name: "<a/>"}), "leads out")


def test_two_parts_of_one_name():
    parts = list(parts_of(xlsx()).items())
    for name in (SHEET, SHEET.upper()):
        with pytest.warns(UserWarning) if name == SHEET else _nothing():
            book = packed([*parts, (name, dict(parts)[SHEET])])
        refused(book, "two parts")


class _nothing:
    def __enter__(self):
        return None

    def __exit__(self, *_):
        return None


def test_too_many_parts_and_too_much_in_them(monkeypatch):
    parts = parts_of(xlsx())
    refused(packed(parts | {f"x/{k}": "" for k in range(5_001)}, zipfile.ZIP_STORED), "parts")
    monkeypatch.setattr("gramian.io.content._SMALL_BYTES", 5_000_000)
    bomb = packed(parts | {"xl/media/image1.png": bytes(6_000_000)})
    assert len(bomb) < 20_000
    refused(bomb, "unpacks to more than 5 MB")
    assert read(bomb, largest="10MB").names == ["a", "b", "c"]
    inner = packed({"zeros": bytes(50_000_000)})
    assert read(packed(parts | {"xl/embeddings/a.zip": inner})).names == ["a", "b", "c"]


def test_a_size_that_an_archive_lies_about():
    book = bytearray(packed(parts_of(xlsx()) | {"xl/x.bin": bytes(1_000_000)}))
    at = book.rfind(b"PK\x01\x02")
    struct.pack_into("<I", book, at + 24, 10)
    refused(bytes(book), "broken")


def test_an_archive_that_is_no_workbook():
    refused(packed({"a.csv": "x,y\n1,2\n"}), "not a workbook")
    with pytest.raises(InputError, match="in an unusual way"):
        read(packed(parts_of(xlsx()), zipfile.ZIP_LZMA))


def test_both_kinds_of_workbook_in_one_archive():
    """A library that fails on the one tries the other."""
    bomb = parts_of(ods(body=row(ods_cell(1.0), repeated("rows", 4_000_000_000))))
    right_or_refused(packed(parts_of(xlsx()) | bomb))
    right_or_refused(packed(parts_of(xlsx()) | parts_of(xlsb())))
