"""Reading files: tables, distances, graphs and sequences, with an account of what was guessed.

>>> import io
>>> import gramian as gm
>>> source = gm.io.read(io.StringIO("name;x;y\\na;1,5;2\\nb;2,5;1\\nc;4,0;3\\n"))
>>> source.names, float(source.active().loc["a", "x"])
(['a', 'b', 'c'], 1.5)
"""

from gramian.io.anndata import write_anndata
from gramian.io.doctor.examine import examine
from gramian.io.formats import FORMATS, Format, formats, register
from gramian.io.notes import Finding
from gramian.io.reader import as_source, read
from gramian.io.scan_sources import scan
from gramian.io.scan_table import Scan
from gramian.io.source import Source

__all__ = [
    "FORMATS",
    "Finding",
    "Format",
    "Scan",
    "Source",
    "as_source",
    "examine",
    "formats",
    "read",
    "register",
    "scan",
    "write_anndata",
]
