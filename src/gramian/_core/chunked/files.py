"""Blocks of files: a scan as a fit reads it, pass after pass, resumed where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from gramian._core.array import Array, is_sparse
from gramian._core.chunked.blocks import Add, Block, Chunks, PairProduct, T, concatenate, stack
from gramian._core.chunked.passes import Part, Progress
from gramian._core.frames import is_scan
from gramian._core.parallel import row_blocks
from gramian._core.table import Table, plain_weights
from gramian._core.types import Frame
from gramian.errors import InputError

if TYPE_CHECKING:
    from gramian.io.scan_table import Scan

_PANEL_COPIES = 6  # of a panel: centred, and the two factors of its distances
_BUDGET_PANELS = 3  # of the budget that a panel takes
_MIN_PANEL_ROWS = 64  # rows of a panel


class FileChunks(Chunks):
    """The blocks of a scan.

    Sums and products are kept in the scan's checkpoint on the way. For a product of pairs a panel
    of rows is held while the rows after it are read: n/panel passes, each pair made once.

    A reader makes a table of a block, or says what is wrong with it; weights may be a scan of one
    column; options are all that changes the numbers of the fit, beside the files.
    """

    def __init__(
        self,
        scan: Scan,
        reader: Callable[[Frame], Table],
        sample_weight: Frame = None,
        *options: object,
    ) -> None:
        self.scan, self.reader, self.weights = scan, reader, None
        if is_scan(sample_weight):
            if (columns := sample_weight.shape[1]) != 1:
                raise InputError(
                    f"sample_weight is a scan of {columns} columns: give one, as take([name]) does"
                )
            sample_weight = np.asarray(sample_weight).ravel()
        if sample_weight is not None:
            self.weights = plain_weights(sample_weight, scan.count())
        self.point, self.progress = scan.point(*options, self.weights), scan.progress
        self.p, self.budget = len(scan.known_columns()), scan.budget
        self.panel = max(
            self.budget // (_BUDGET_PANELS * _PANEL_COPIES * 8 * (self.p + 2)), _MIN_PANEL_ROWS
        )
        self._header: Table | None = None
        self._parts = 0  # sums and products so far

    @property
    def n(self) -> int:  # type: ignore[override]
        """The number of rows."""
        return self.scan.count()

    @property
    def header(self) -> Table:
        """A table of no rows, with the names of the columns, as the first block has them."""
        if self._header is None:
            next(self.blocks())
        assert self._header is not None
        return self._header

    @property
    def row_weights(self) -> np.ndarray | None:
        """The weights of all rows as given, None for equal ones."""
        return self.weights

    def finish(self) -> None:
        """Remove the checkpoint: the fit is done, and later passes are nobody's progress."""
        self.point.clear()
        self.progress = None

    def blocks(self, progress: Progress | None = None) -> Iterator[Block]:
        """Go through the blocks from the beginning."""
        start = 0
        for k, (raw, _, place) in enumerate(self.scan.named_blocks(progress)):
            assert place is not None
            with place:
                rows = self.reader(raw)
            if self._header is None:
                self._header = replace(rows, values=rows.values[:0], index=None)
            stop = start + int(rows.values.shape[0])
            w = None if self.weights is None else self.weights[start:stop]
            yield Block(rows, w, k, place, start)
            start = stop

    def each(self, function: Callable[..., T], *args: object, cut: Array | None = None) -> list[T]:
        """Return function(block, *args) of every block, by one pass."""
        return [_call(function, block, args, cut) for block in self.blocks()]

    def _sum(
        self, function: Callable[..., T], args: tuple[object, ...], cut: Array | None, add: Add
    ) -> T:
        """Return the sum over the blocks by one pass, resumed where it was interrupted."""
        arrays = [arg for arg in (*args, cut) if isinstance(arg, np.ndarray)]
        saved = self._part("sum", function.__qualname__, *arrays)
        out: T | None = None
        for block in self.blocks(self.progress):
            old = saved.is_whole or block.number < saved.steps
            if old and out is not None:
                if saved.is_whole:
                    break
                continue
            term = _call(function, block, args, cut)
            if term is not None and old:
                out = saved.restore(term)
            elif term is not None:
                out = term if out is None else add(out, term)
            saved.note(block.number + 1, out)
        saved.end(out)
        return cast(T, out)

    def _part(self, what: str, *about: object) -> Part:
        self._parts += 1
        return self.point.part(f"{what} {self._parts}", *about)

    def at(self, positions: np.ndarray) -> Table:
        """Return the rows at some positions, ascending, by one pass."""
        parts: list[Array] = []
        rows: np.ndarray | None = None
        for block in self.blocks():
            start, stop = np.searchsorted(positions, [block.span.start, block.span.stop])
            some = block.values[positions[start:stop] - block.start]
            if is_sparse(some):
                parts.append(some)
                continue
            if rows is None:  # filled in, so that they are in memory once
                rows = np.empty((len(positions), some.shape[1]), some.dtype)
            rows[start:stop] = some
        return Table(stack(parts) if rows is None else rows)

    def symmetric(self, function: PairProduct, V: Array, *args: object) -> Array:
        """Return a symmetric matrix times V, panel by panel."""
        saved = self._part("product", function.__qualname__, V)
        out = saved.restore(V) if saved.steps else np.zeros(V.shape)
        if not saved.is_whole:
            if self.progress is not None:
                self.progress.begin("product")
            for k, own in enumerate(row_blocks(self.n, self.panel)):
                if k >= saved.steps:
                    self._add_panel(function, own, V, out, args)
                    saved.note(k + 1, out)
            saved.end(out)
        return out.astype(V.dtype, copy=False)

    def _add_panel(
        self, function: PairProduct, own: slice, V: Array, out: np.ndarray, args: Sequence[object]
    ) -> None:
        """Add what a panel and the rows after it make of V."""
        parts: list[Block] = []
        panel: Block | None = None
        for block in self._pieces():
            first, stop = block.span.start, block.span.stop
            if panel is None:
                parts.append(block.take(slice(max(own.start - first, 0), max(own.stop - first, 0))))
                if stop < own.stop:
                    continue
                panel = concatenate(parts)
                out[own] += function(panel, None, V[own], None, *args)[0]
                block = block.take(slice(own.stop - first, None))
            if len(block):
                rows = slice(stop - len(block), stop)
                mine, theirs = function(panel, block, V[own], V[rows], *args)
                out[own] += mine
                out[rows] += theirs
            self._report(own, stop)

    def _pieces(self) -> Iterator[Block]:
        """Go through the rows in pieces, which take less once they are prepared than a panel."""
        for block in self.blocks():
            for rows in row_blocks(len(block), max(self.panel // 2, 1)):
                yield replace(block.take(rows), start=block.start + rows.start)

    def _report(self, own: slice, stop: int) -> None:
        """Report how many pairs a product has met, with a panel and the rows up to `stop`."""
        if self.progress is not None:
            n = self.n
            before, after = n**2 - (n - own.start) ** 2, n**2 - (n - own.stop) ** 2
            share = (stop - own.start) / max(n - own.start, 1)
            self.progress.say(before + round(share * (after - before)), n**2)


def _call(function: Callable[..., T], block: Block, args: Sequence[object], cut: Array | None) -> T:
    """Return function(block, *args), with rows of `cut` where there is one; errors name it."""
    assert block.place is not None
    with block.place:
        return function(block, *(() if cut is None else (cut[block.span],)), *args)
