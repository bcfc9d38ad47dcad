"""How large a sheet may be: by the cells that stand in it, and by the memory there is."""

from __future__ import annotations

from dataclasses import dataclass

from gramian._blocks import budget_bytes, human
from gramian.errors import InputError
from gramian.io.content import allowance

__all__ = ["COLUMNS", "ROWS", "Bounds", "Extent"]

ROWS, COLUMNS = 1_048_576, 16_384  # of any program's largest sheet
_CELL = 64  # bytes of a cell, also of an empty one
_SMALL = 1_000_000  # cells of a table that may be empty but for one
_RATIO = 100  # larger ones: at least one cell of so many holds something


@dataclass
class Extent:
    """How far the cells of a sheet reach, and what they hold."""

    rows: int = 0
    columns: int = 0
    cells: int = 0  # that stand in the file
    letters: int = 0  # of texts that are written once and shown many times

    def reach(self, row: int, column: int) -> None:
        """Take in a cell, counted from 1."""
        if row > self.rows:
            self.rows = row
        if column > self.columns:
            self.columns = column
        self.cells += 1


@dataclass(frozen=True)
class Bounds:
    """What a workbook may unpack to, and its tables may take."""

    size: int
    unpacked: int
    memory: int

    @classmethod
    def of(cls, size: int, largest: int | str | None) -> Bounds:
        """Return the bounds of a file of a size."""
        return cls(size, allowance(size, largest), budget_bytes(None))

    def check(self, extent: Extent, name: str) -> None:
        """Refuse a sheet whose few cells make a large table."""
        spread = extent.rows * extent.columns
        if spread > max(_SMALL, _RATIO * extent.cells) or _CELL * spread > self.memory:
            raise InputError(
                f"{name[:80]} spreads {extent.cells} cells over {extent.rows} rows and "
                f"{extent.columns} columns: delete the cells that stand far from the table"
            )
        if extent.rows > ROWS or extent.columns > COLUMNS:
            raise InputError(f"{name[:80]} has a cell outside of any sheet: it is refused")
        if extent.letters > self.unpacked:
            raise InputError(
                f"{name[:80]} shows the same texts until they are {human(extent.letters)}: pass "
                "largest= if you trust it",
                argument="largest",
            )

    def check_count(self, said: int, real: int, name: str) -> None:
        """Refuse a part that says it holds far more than it does."""
        if said > _SMALL + real:
            raise InputError(f"{name[:80]} says that it holds {said} texts and holds {real}")
