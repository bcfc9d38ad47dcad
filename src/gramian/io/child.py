"""A program of its own: reads one file within limits of memory, and writes a plain table.

`gramian.io.limited` starts it. It imports nothing of gramian, so that it starts in milliseconds;
what it refuses is one JSON record and exit status 3.
"""

from __future__ import annotations

import io
import json
import sys
from importlib import import_module

TYPE_CHECKING = False  # each module that need not be imported is a third of the start
if TYPE_CHECKING:
    from typing import Any, NoReturn

REFUSED = 3  # exit status
_SMALL_CELLS = 1_000_000  # cells of a sheet that may be empty but for one
_MAX_CELL_RATIO = 100  # larger sheets: at least one cell of so many holds something
_TEXT_BLOCK = 256  # texts of an HDF5 file that are read at once: many may point at the same one


class Refusal(Exception):
    """What the parent says of the file: a sentence and the argument it is about, or a size."""

    def __init__(self, **record: Any) -> None:
        super().__init__()
        self.record = record


def main() -> NoReturn:
    """Read the file on standard input as the settings in the first argument say."""
    settings = json.loads(sys.argv[1])
    sys.path[:] = settings["path"]
    read, libraries = READERS[settings["reader"]]
    try:
        for name in libraries:
            import_module(name)
        data = sys.stdin.buffer.read()
        _limit_memory(settings["memory"])
        read(data, settings)
    except BaseException as error:  # panics of a library are no Exceptions
        print("\n" + json.dumps(_record(error)), file=sys.stderr)
        sys.exit(REFUSED)
    sys.exit(0)


def _record(error: BaseException) -> dict[str, Any]:
    if isinstance(error, Refusal):
        return error.record
    if isinstance(error, MemoryError):
        return {"memory": True}
    return {"damage": str(error)[:200] or type(error).__name__}


def _limit_memory(size: int) -> None:
    """Let the process take so many bytes more than it has, where a system has such a limit."""
    try:
        import resource

        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
    except (ImportError, OSError):
        return
    most = pages * resource.getpagesize() + size
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def read_workbook(data: bytes, settings: dict[str, Any]) -> None:
    """Write the names of the sheets and the rows of one, with their cells as JSON has them."""
    calamine = import_module("python_calamine")
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    except calamine.PasswordError as error:
        raise Refusal(text="the workbook is encrypted: save it without a password") from error
    except calamine.CalamineError as error:
        if data.startswith(b"PK"):
            raise
        text = "the file is no workbook, or an encrypted one: save it without a password"
        raise Refusal(text=text) from error
    names = list(book.sheet_names)
    name = _sheet_name(names, settings["sheet"])
    sheet = book.get_sheet_by_name(name)
    rows, cells, letters = [], 0, 0
    for row in sheet.iter_rows():
        filled = [cell for cell in row if cell != ""]
        if filled:
            rows.append(row)
            cells += len(filled)
            letters += sum(len(cell) for cell in filled if isinstance(cell, str))
            if letters > settings["limit"]:
                raise Refusal(size=letters, texts=True)
    if len(rows) * sheet.width > max(_SMALL_CELLS, _MAX_CELL_RATIO * cells):
        text = f"the sheet spreads {cells} cells over {len(rows)} rows and {sheet.width} columns"
        raise Refusal(text=f"{text}: delete the cells that stand far from the table")
    sys.stdout.write(json.dumps({"name": name, "names": names, "rows": rows}, default=str))


def _sheet_name(names: list[str], sheet: str | None) -> str:
    if not names:
        raise Refusal(text="the workbook has no sheets")
    if sheet is None:
        return names[0]
    if sheet in names:
        return sheet
    is_number = sheet.isascii() and sheet.isdigit() and len(sheet) < 9
    if is_number and 1 <= int(sheet) <= len(names):
        return names[int(sheet) - 1]
    known = ", ".join(names)[:200]
    text = f"sheet={sheet[:80]!r} is not there: use {known} or a number from 1"
    raise Refusal(text=text, argument="sheet", found=sheet)


def read_parquet(data: bytes, settings: dict[str, Any]) -> None:
    """Write the table of a Parquet file as an Arrow stream."""
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    file = parquet.ParquetFile(pa.BufferReader(data))
    about, schema = file.metadata, file.schema_arrow
    groups = [about.row_group(k) for k in range(about.num_row_groups)]
    columns = [group.column(k) for group in groups for k in range(group.num_columns)]
    size = sum(column.total_uncompressed_size for column in columns)
    _check_size(max(size, 8 * about.num_rows * about.num_columns), settings)
    # A text that stands in the file once is not copied for each row before they are counted.
    texts = [field.name for field in schema if _is_text(field.type)]
    plain = [field.name for field in schema if _is_plain(field.type)]
    file = parquet.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
    names = None if len(plain) == len(schema) else plain
    _write_table(file.read(columns=names, use_threads=False), schema, settings)


def read_feather(data: bytes, settings: dict[str, Any]) -> None:
    """Write the table of a Feather (Arrow) file as an Arrow stream."""
    pa, feather = import_module("pyarrow"), import_module("pyarrow.feather")
    table = feather.read_table(pa.BufferReader(data), use_threads=False)
    _check_size(max(table.nbytes, 8 * table.num_rows * table.num_columns), settings)
    plain = [k for k, field in enumerate(table.schema) if _is_plain(field.type)]
    _write_table(table.select(plain), table.schema, settings)


def _check_size(size: int, settings: dict[str, Any]) -> None:
    if size > settings["limit"]:
        raise Refusal(size=size)


def _write_table(table: Any, schema: Any, settings: dict[str, Any]) -> None:
    """Write a table with its texts in every row that shows them, if there is room for them.

    Columns that are no plain ones are empty in it, and reported like others without a value.
    """
    pa = import_module("pyarrow")
    _check_size(sum(_letters(chunk) for c in table.columns for chunk in c.chunks), settings)
    fields = [_plain_field(field) for field in schema if _is_plain(field.type)]
    if not fields:
        raise Refusal(text=f"{settings['what']} has no column of numbers or texts")
    table = table.cast(pa.schema(fields, table.schema.metadata))
    for k, field in enumerate(schema):
        if not _is_plain(field.type):
            table = table.add_column(k, field.name, pa.nulls(len(table), pa.float64()))
    table.validate(full=True)  # spoiled texts would be found much later
    with pa.ipc.new_stream(sys.stdout.buffer, table.schema) as stream:
        stream.write_table(table)


def _is_view(kind: Any) -> bool:
    types = import_module("pyarrow.types")
    return bool(types.is_string_view(kind) or types.is_binary_view(kind))


def _is_text(kind: Any) -> bool:
    types = import_module("pyarrow.types")
    return bool(types.is_string(kind) or types.is_binary(kind) or _is_view(kind))


def _is_plain(kind: Any) -> bool:
    """Whether a column has one cell a row: no lists, no records, no runs."""
    types = import_module("pyarrow.types")
    if types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    numbers = types.is_primitive(kind) or types.is_null(kind) or types.is_decimal(kind)
    texts = types.is_large_string(kind) or types.is_large_binary(kind) or _is_text(kind)
    return bool(numbers or texts)


def _plain_field(field: Any) -> Any:
    text = import_module("pyarrow").large_string()
    return field.with_type(text) if _is_view(field.type) else field


def _letters(chunk: Any) -> int:
    """Return how many bytes the texts of a column take that stand once for many rows."""
    compute, types = import_module("pyarrow.compute"), import_module("pyarrow.types")
    if _is_view(chunk.type):  # sixteen bytes a cell, the first four its length
        cells = memoryview(chunk.buffers()[1]).cast("i")
        return sum(cells[4 * chunk.offset : 4 * (chunk.offset + len(chunk)) : 4])
    if types.is_dictionary(chunk.type) and not types.is_primitive(chunk.type.value_type):
        if _is_view(chunk.type.value_type):
            raise TypeError("a column of categories in views")
        lengths = compute.binary_length(chunk.dictionary).cast("int64")
        return compute.sum(compute.take(lengths, chunk.indices)).as_py() or 0
    return 0


def try_hdf5(data: bytes, settings: dict[str, Any]) -> None:
    """Read parts of an HDF5 file piece by piece and write nothing: they can be read as a whole."""
    h5py = import_module("h5py")
    with h5py.File(io.BytesIO(data), "r") as file:
        for place in settings["places"]:
            if place in file:
                _try(file, place, settings, h5py)


def _try(group: Any, place: str, settings: dict[str, Any], h5py: Any) -> None:
    for name in place.split("/"):
        if isinstance(group.get(name, getlink=True), h5py.ExternalLink):
            return  # which the parent refuses
        group = group[name]
    if isinstance(group, h5py.Group):
        for name in group:
            _try(group, name, settings, h5py)
    elif group.shape and not group.external and not group.is_virtual:
        piece = group.dtype.itemsize
        for length in group.chunks or (0,):
            piece *= length
        _check_size(max(group.nbytes, piece), settings)
        letters, rows = 0, _TEXT_BLOCK if group.dtype.hasobject else max(len(group), 1)
        for start in range(0, len(group), rows):
            letters += _text_size(group[start : start + rows])
            if letters > settings["limit"]:
                raise Refusal(size=letters, texts=True)


def _text_size(block: Any) -> int:
    """Return how many letters the texts of an array have, also in the fields of records."""
    if block.dtype.names:
        return sum(_text_size(block[name]) for name in block.dtype.names)
    return sum(len(v) for v in block.flat if isinstance(v, bytes)) if block.dtype.hasobject else 0


READERS = {
    "workbook": (read_workbook, ["python_calamine"]),
    "parquet": (read_parquet, ["pyarrow.parquet", "pyarrow.compute"]),
    "feather": (read_feather, ["pyarrow.feather", "pyarrow.compute"]),
    "hdf5": (try_hdf5, ["h5py"]),
}

if __name__ == "__main__":
    main()
