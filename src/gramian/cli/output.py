"""What commands write: files that are never overwritten by accident, tables, JSON, progress."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from gramian._study.language import Sentence
from gramian._study.language.labels import escape_controls
from gramian.cli.errors import Failure, phrase, tell, voice

if TYPE_CHECKING:
    import pandas as pd

    from gramian.io import Source
    from gramian.io.notes import Note


def check_free(path: str | None, force: bool) -> None:
    """Refuse, before anything is computed, to overwrite a file without --force."""
    if path is None or path == "-":
        return
    parent = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise Failure("out.folder", 4, path=path)
    if os.path.exists(path) and not force:
        raise Failure("out.exists", 4, path=path)
    if not os.path.isdir(parent):
        raise Failure("out.nowhere", 4, path=parent)
    from gramian.io.files import check_writable

    check_writable(path)


def write_text(text: str, path: str, force: bool) -> None:
    """Write a text to a file in one step, or to standard output for "-"."""
    if path == "-":
        click.echo(escape_controls(text), nl=False)
        return
    from gramian.io.files import atomic_write

    check_free(path, force)
    with atomic_write(path) as file:
        file.write(text)


def csv_text(frame: pd.DataFrame, path: str, label: str = "name") -> str:
    """Return a table as CSV, or as TSV if the path ends so; numbers keep every digit."""
    from gramian.io.csv_cells import csv_text as guarded_text

    return guarded_text(frame, "\t" if path.endswith(".tsv") else ",", label)


def as_json(value: object) -> str:
    """Return a value as JSON; what is not a finite number becomes null."""
    text = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False)
    return escape_controls(text) + "\n"


def _plain(value: Any) -> object:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return value if value - value == 0 else None
    return value if isinstance(value, str | int | bool) or value is None else str(value)


def read_source(
    data: str,
    options: dict[str, Any],
    quiet: bool,
    silent: Collection[str] = (),
    warn: bool = True,
) -> Source:
    """Read the file (or standard input for "-") and say what was guessed, but for some keys."""
    import gramian as gm

    with progress(phrase("reading", data=data)):
        source = gm.io.read_file(sys.stdin.buffer if data == "-" else data, **options)
    tell_all([] if quiet else source.notes, source.warnings if warn else [], silent)
    return source


def tell_all(notes: Iterable[Note], warnings: Iterable[Note], silent: Collection[str] = ()) -> None:
    """Say what is noted of data and what may be wrong with them, but for some keys."""
    for kind, texts in (("note", notes), ("warning", warnings)):
        for text in texts:
            if text.key not in silent:
                tell(kind, text)


def counter(key: str, **values: object) -> Callable[[int, int], None]:
    """Return a function of (done, total) that writes a sentence over the one before, on stderr."""
    speaker = voice()  # of this thread; what is counted may run in others

    def show(done: int, total: int) -> None:
        line = speaker.say(Sentence(f"cli.{key}", values | {"done": done, "total": total}))
        sys.stderr.write(f"\r{line}" + "\n" * (done == total))
        sys.stderr.flush()

    return show


@contextlib.contextmanager
def progress(text: str) -> Iterator[None]:
    """Show a sign of life on a terminal's stderr for what takes more than a second."""
    if not sys.stderr.isatty():
        yield
        return
    shown: list[Any] = []

    def show() -> None:
        with contextlib.suppress(ImportError):
            from rich.console import Console

            shown.append(Console(stderr=True).status(escape_controls(text)))
            shown[0].start()

    timer = threading.Timer(1.0, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for status in shown:
            status.stop()
