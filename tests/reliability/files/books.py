"""Workbooks written by hand, byte by byte, so that each can lie in one place."""

import io
import struct
import zipfile

from tests.io.files import xlsx as plain_xlsx

ROWS = [["name", "x", "y"], ["a", 1.0, 2.0], ["b", 3.0, 5.0], ["c", 2.0, 7.0]]


def parts_of(book):
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts, method=zipfile.ZIP_DEFLATED):
    """Return an archive; parts are a dict, or pairs where a name comes twice."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, part in parts.items() if isinstance(parts, dict) else parts:
            archive.writestr(name, part)
    return out.getvalue()


def xlsx(**changes):
    """Return a workbook; `sheet` is a function of the text of its sheet."""
    parts = parts_of(plain_xlsx(ROWS))
    sheet = changes.pop("sheet", None)
    if sheet is not None:
        name = "xl/worksheets/sheet1.xml"
        parts[name] = sheet(parts[name].decode()).encode()
    return packed(parts | changes.pop("parts", {}))


def shared(sheet_cells, strings, head=""):
    """Return a workbook whose cells point at shared strings."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    items = "".join(f"<si><t>{text}</t></si>" for text in strings)
    sst = f'<sst xmlns="{main}"{head}>{items}</sst>'
    rels = parts_of(plain_xlsx(ROWS))["xl/_rels/workbook.xml.rels"].decode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    link = f'<Relationship Id="rId9" Type="{kind}" Target="sharedStrings.xml"/></Relationships>'
    parts = {
        "xl/sharedStrings.xml": sst.encode(),
        "xl/_rels/workbook.xml.rels": rels.replace("</Relationships>", link).encode(),
    }
    data = f"<sheetData>{sheet_cells}</sheetData>"
    return xlsx(sheet=lambda _: f'<worksheet xmlns="{main}">{data}</worksheet>', parts=parts)


OFFICE = "urn:oasis:names:tc:opendocument:xmlns"
ODS_HEAD = (
    f'<office:document-content xmlns:office="{OFFICE}:office:1.0" xmlns:table="{OFFICE}:table:1.0" '
    f'xmlns:text="{OFFICE}:text:1.0"><office:body><office:spreadsheet><table:table table:name="s">'
)
ODS_TAIL = "</table:table></office:spreadsheet></office:body></office:document-content>"


def ods_cell(value, extra=""):
    if isinstance(value, str):
        head = f'<table:table-cell office:value-type="string"{extra}>'
        return f"{head}<text:p>{value}</text:p></table:table-cell>"
    return f'<table:table-cell office:value-type="float" office:value="{value}"{extra}/>'


def ods(rows=None, body=""):
    cells = [f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in ROWS]
    text = ODS_HEAD + ("".join(cells) if rows is None else rows) + body + ODS_TAIL
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{OFFICE}:manifest:1.0"><manifest:file-entry '
        f'manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>'
    )
    return packed(
        {"mimetype": kind, "content.xml": text, "META-INF/manifest.xml": manifest},
        zipfile.ZIP_DEFLATED,
    )


def record12(kind, data=b""):
    """Return a record of the binary workbooks of 2007 (BIFF12)."""
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size, length = len(data), b""
    while True:
        length += bytes([size & 0x7F | (0x80 if size > 127 else 0)])
        size >>= 7
        if not size:
            return head + length + data


def wide(text):
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def xlsb(cells=None, dimension=(0, 3, 0, 2), strings=None, extra=b""):
    """Return a binary workbook: cells are (row, column, number or text)."""
    if cells is None:
        cells = [(i, j, v) for i, row in enumerate(ROWS) for j, v in enumerate(row)]
    body, last = b"", None
    for i, j, value in cells:
        if i != last:
            body += record12(0, struct.pack("<I", i) + bytes(13))
            last = i
        head = struct.pack("<II", j, 0)
        if isinstance(value, str):
            body += record12(6, head + wide(value))
        elif isinstance(value, tuple):  # the number of a shared string
            body += record12(7, head + struct.pack("<I", value[0]))
        else:
            body += record12(5, head + struct.pack("<d", value))
    sheet = record12(129) + record12(148, struct.pack("<IIII", *dimension)) + record12(145)
    sheet += body + extra + record12(146) + record12(130)
    book = record12(131) + record12(143)
    book += record12(156, struct.pack("<II", 0, 1) + wide("rId1") + wide("s"))
    book += record12(144) + record12(132)
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    links = f'<Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.bin"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.bin"/></Relationships>',
        "xl/workbook.bin": book,
        "xl/worksheets/sheet1.bin": sheet,
    }
    if strings is not None:
        said, texts = strings
        items = b"".join(record12(19, b"\0" + wide(text)) for text in texts)
        parts["xl/sharedStrings.bin"] = (
            record12(159, struct.pack("<II", said, said)) + items + record12(160)
        )
        links += (
            f'<Relationship Id="rId2" Type="{office}/sharedStrings" Target="sharedStrings.bin"/>'
        )
    parts["xl/_rels/workbook.bin.rels"] = (
        f'<Relationships xmlns="{package}/relationships">{links}</Relationships>'
    )
    return packed(parts)


def record8(kind, data=b""):
    return struct.pack("<HH", kind, len(data)) + data


def cell8(i, j, value):
    head = struct.pack("<HHH", i, j, 0)
    if isinstance(value, str):
        return record8(0x204, head + struct.pack("<HB", len(value), 0) + value.encode())
    if isinstance(value, tuple):
        return record8(0xFD, head + struct.pack("<I", value[0]))
    return record8(0x203, head + struct.pack("<d", value))


def biff8(cells=None, dimension=(0, 4, 0, 3), sst=None, extra=b""):
    """Return the stream of an old workbook (BIFF8)."""
    if cells is None:
        cells = [(i, j, v) for i, row in enumerate(ROWS) for j, v in enumerate(row)]
    bof = struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)
    body = record8(0x809, bof[:2] + struct.pack("<H", 0x10) + bof[4:])
    body += record8(0x200, struct.pack("<IIHHH", *dimension, 0))
    body += b"".join(cell8(*cell) for cell in cells) + extra + record8(0x0A)
    strings = b""
    if sst is not None:
        said, texts = sst
        items = b"".join(struct.pack("<HB", len(t), 0) + t.encode() for t in texts)
        strings = record8(0xFC, struct.pack("<II", said, said) + items)
    sheet = struct.pack("<BB", 1, 0) + b"s"
    start = len(record8(0x809, bof)) + len(strings) + 4 + 6 + len(sheet) + 4
    head = record8(0x809, bof) + strings
    head += record8(0x85, struct.pack("<IBB", start, 0, 0) + sheet) + record8(0x0A)
    assert len(head) == start
    return head + body


def compound(stream, name="Workbook"):
    """Return a compound file with one stream, padded so that it stands in whole sectors."""
    stream = stream + bytes(max(4096 - len(stream), -len(stream) % 512))
    n = len(stream) // 512
    n_fat = -(-(n + 2) // 127)
    fat = [0xFFFFFFFD] * n_fat + [0xFFFFFFFE]
    fat += [*range(n_fat + 2, n_fat + 1 + n), 0xFFFFFFFE]
    fat += [0xFFFFFFFF] * (128 * n_fat - len(fat))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, n_fat, n_fat, 0)
    head += struct.pack("<IIIII", 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    difat = [*range(n_fat), *[0xFFFFFFFF] * (109 - n_fat)]
    head += struct.pack("<109I", *difat)

    def entry(title, kind, start, size, child):
        text = title.encode("utf-16-le")
        out = text.ljust(64, b"\0") + struct.pack("<HBB", len(text) + 2, kind, 1)
        out += struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, child) + bytes(36)
        return out + struct.pack("<IQ", start, size)

    directory = entry("Root Entry", 5, 0xFFFFFFFE, 0, 1) + entry(
        name, 2, n_fat + 1, len(stream), 0xFFFFFFFF
    )
    return head + struct.pack(f"<{len(fat)}I", *fat) + directory + bytes(256) + stream


def xls(**changes):
    return compound(biff8(**changes))
