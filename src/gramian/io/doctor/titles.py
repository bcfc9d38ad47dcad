"""Lines above the header of a table: its title, its source, a date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gramian._study.language import Setting
from gramian.io.doctor.finding import Finding, finding
from gramian.io.weights import number

_MOST = 20  # lines above a table


def titles_above(rows: Sequence[Sequence[str]]) -> int:
    """Return how many of the first rows, empty ones left out before, are no part of the table.

    >>> titles_above([["Results of 2024"], ["name", "x", "y"], ["a", "1", "2"], ["b", "3", "4"]])
    1
    """
    filled = [sum(bool(cell) for cell in row) for row in rows]
    widths = Counter(count for count in filled if count > 1)
    if not widths or len(rows) < 3:
        return 0
    width = widths.most_common(1)[0][0]
    count = 0
    for row, cells in zip(rows[:_MOST], filled, strict=False):
        if not _is_title(row, cells, width):
            break
        count += 1
    if count < len(rows) and all(number(cell) is not None for cell in rows[count] if cell):
        return 0  # a title stands above a header, not above numbers
    if width == 2 and count and not _starts_table(rows[count:]):
        return 0  # the header of R, which leaves out the name over the names
    whole = sum(cells >= width - 1 for cells in filled[count:])
    return count if count < len(rows) - 1 and whole >= 0.6 * (len(rows) - count) else 0


def _is_title(row: Sequence[str], cells: int, width: int) -> bool:
    if not any(cell and number(cell) is None for cell in row):
        return False
    if width == 2:
        return len(row) == 1
    return cells <= max(1, width // 3)


def _starts_table(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a header of words stands above numbers."""
    if len(rows) < 2 or any(number(cell) is not None for cell in rows[0]):
        return False
    return len(rows[0]) == 2 and any(number(cell) is not None for cell in rows[1])


def title_findings(titles: Sequence[str], asked: int | None) -> list[Finding]:
    """Say which lines were taken for titles, where nobody asked."""
    if not titles or asked is not None:
        return []
    setting = Setting("skip", (0,))
    cell = repr(" ".join(titles[0].replace("\t", " ").split()).strip(" ,;|\"'"))[:60]
    return [finding("title-rows", setting=setting, default="skipped", n=len(titles), cell=cell)]
