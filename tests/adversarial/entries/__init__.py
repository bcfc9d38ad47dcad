"""The public entries, by the kind of argument that is hostile.

Those whose truth is not ours are tables of text (see `text`); the others are derived from the
signatures of what is public, and judged by their plain twins.
"""

from ..cell import Entry
from . import factors, models, objects, squares, tables
from .derived import derived

ENTRIES: dict[str, list[Entry]] = {
    "table": [*tables.ENTRIES, *factors.ENTRIES, *models.ENTRIES],
    "weights": models.WEIGHTS,
    "kernel": squares.KERNEL,
    "distances": squares.DISTANCE,
    "graphs": objects.GRAPHS,
    "sequences": objects.SEQUENCES,
    "labels": models.CLASSES,
    "targets": models.TARGETS,
    "eigenvalues": tables.EIGENVALUES,
}
for kind, entry in derived():
    ENTRIES[kind].append(entry)
