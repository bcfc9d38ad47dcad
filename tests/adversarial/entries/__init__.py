"""The public entries, by the kind of argument that is hostile."""

from ..cell import Entry
from . import (
    collections,
    comparisons,
    distances,
    eigenvalues,
    factors,
    functions,
    holes,
    kernel_matrices,
    kernel_pca,
    kernels,
    labels,
    models,
    pca,
    scaling,
    studies,
    weights,
)

TABLES = (
    pca,
    kernel_pca,
    scaling,
    factors,
    models,
    kernels,
    functions,
    studies,
    comparisons,
    holes,
)
ENTRIES: dict[str, list[Entry]] = {
    "table": [entry for module in TABLES for entry in module.ENTRIES],
    "weights": weights.ENTRIES,
    "kernel": kernel_matrices.ENTRIES,
    "distances": distances.ENTRIES,
    "graphs": collections.GRAPHS,
    "sequences": collections.SEQUENCES,
    "labels": labels.CLASSES,
    "targets": labels.TARGETS,
    "eigenvalues": eigenvalues.ENTRIES,
}
