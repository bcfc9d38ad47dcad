"""The formats that are known: one record each, and how a file tells which one it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from gramian.errors import InputError
from gramian.io.notes import Word

if TYPE_CHECKING:
    from gramian.io.raw import Options, Raw
    from gramian.io.source import Source


@dataclass(frozen=True)
class Format:
    """A file format: what it is called, how it is known, and the function that reads it.

    Parameters
    ----------
    name : str
        What `format=` calls it: small letters and digits.
    read : callable (data, options) → DataFrame or Source
        `data` are the bytes of the file, unpacked; `options` holds the options of `gm.io.read`
        (`options.encoding`, `options.na_values`, …). A DataFrame is a table or distances, looked at
        like one that was given; graphs and sequences come as a `Source`.
    title : str, optional
        In the note "The file was read as …"; the name by default.
    french : str, optional
        The title in French.
    suffixes : tuple of str
        How names of such files end, ".toy" for instance; ".toy.gz" is then known too.
    magic : tuple of bytes
        The first bytes of such files. A file with the suffix and other first bytes is refused.
    looks : callable (data) → bool, optional
        Whether a file without a known suffix looks like one, where no first bytes tell.

    Examples
    --------
    >>> import pandas as pd
    >>> import gramian as gm
    >>> toy = gm.io.Format("toy", lambda data, options: pd.DataFrame({"x": [1.0]}), title="a toy")
    >>> toy.name, toy.title
    ('toy', 'a toy')
    """

    name: str
    read: Callable[[bytes, Options], pd.DataFrame | Raw | Source]
    title: str = ""
    french: str = ""
    suffixes: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    looks: Callable[[bytes], bool] | None = None

    @property
    def word(self) -> Word:
        """The title, in both languages."""
        return Word(self.title or self.name, self.french)


FORMATS: dict[str, Format] = {}


def register(format: Format) -> Format:
    """Make a format known to `read`, to everything that reads files by it, and to the command.

    Parameters
    ----------
    format : Format
        Its name and suffixes must be new.

    Returns
    -------
    Format
        The same.

    Examples
    --------
    >>> import io
    >>> import gramian as gm
    >>> import numpy as np
    >>> import pandas as pd
    >>> from unittest import mock
    >>> def pairs(data, options):
    ...     return pd.DataFrame(np.frombuffer(data[4:], dtype="<f8").reshape(-1, 2))
    >>> with mock.patch.dict(gm.io.FORMATS):  # only for this example
    ...     _ = gm.io.register(gm.io.Format("pairs", pairs, suffixes=(".pr",), magic=(b"PAIR",)))
    ...     data = b"PAIR" + np.arange(6.0).tobytes()
    ...     float(gm.io.read(io.BytesIO(data)).active().to_numpy().sum())
    15.0
    """
    name = format.name
    if not isinstance(name, str) or not name.isalnum() or name != name.lower():
        raise InputError(f"name={name!r} must be one word in small letters, such as 'toy'")
    if name in FORMATS:
        raise InputError(f"name={name!r} is a format already: give another name")
    owners = {suffix: known.name for known in FORMATS.values() for suffix in known.suffixes}
    for suffix in format.suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower():
            raise InputError(f"suffixes: {suffix!r} must be a point and small letters")
        if suffix in owners:
            raise InputError(f"suffixes: {suffix!r} belongs to {owners[suffix]}: give another")
    FORMATS[name] = format
    return format


def formats() -> pd.DataFrame:
    """Return the formats that `read` knows, one row each, by their names.

    Examples
    --------
    >>> formats().loc["fasta", "suffixes"]
    '.fasta .fa .faa .fna'
    """
    rows = {
        name: {"title": str(known.word), "suffixes": " ".join(known.suffixes)}
        for name, known in FORMATS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("format")


def format_of(data: bytes, path: str | None) -> Format:
    """Return the format of a file: by its first bytes, its name, or the look of it.

    A format that joined later comes first: it may be a special case of one before.
    """
    known = list(reversed(FORMATS.values()))
    for format in known:
        if data.startswith(format.magic):  # by none of no first bytes
            return format
    if data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise InputError("the file is a Python pickle, which is never opened: export it as CSV")
    name = Path(path or "").name.lower().removesuffix(".gz")
    named = next((f for f in known if Path(name).suffix in f.suffixes), None)
    if named is not None and named.magic:
        # Their first bytes are known, and these are others.
        raise InputError(f"{name} is not a {named.name} file: its first bytes are {data[:8]!r}")
    if named is not None:
        return named
    return next((f for f in known if f.looks is not None and f.looks(data)), FORMATS["text"])
