"""Reading files: tables, distances, graphs and sequences, with an account of what was guessed.

>>> import io
>>> source = gm.io.read_file(io.StringIO("name;x;y\\na;1,5;2\\nb;2,5;1\\nc;4,0;3\\n"))
>>> source.names, float(source.active().loc["a", "x"])
(['a', 'b', 'c'], 1.5)
"""

from typing import TYPE_CHECKING

import lazy_loader as _lazy_loader

from gramian.io.doctor.examine import examine
from gramian.io.expression import log_counts
from gramian.io.formats import FORMATS, Format, formats, register
from gramian.io.notes import Finding
from gramian.io.reader import as_source, read, read_file
from gramian.io.source import Source

if TYPE_CHECKING:
    from gramian.io.anndata import write_anndata
    from gramian.io.scan_sources import scan
    from gramian.io.scan_table import Scan

__all__ = [
    "FORMATS",
    "Finding",
    "Format",
    "Scan",
    "Source",
    "as_source",
    "examine",
    "formats",
    "log_counts",
    "read",
    "read_file",
    "register",
    "scan",
    "write_anndata",
]

# What few readers need is imported when it is used.
_LATER = {"anndata": ["write_anndata"], "scan_sources": ["scan"], "scan_table": ["Scan"]}
__getattr__, _, _ = _lazy_loader.attach(__name__, submod_attrs=_LATER)


def __dir__() -> list[str]:
    return __all__
