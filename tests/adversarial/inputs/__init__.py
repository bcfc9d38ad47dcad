"""The hostile inputs, by kind and family."""

from ..cell import Input
from . import (
    arrays,
    distances,
    frames,
    graphs,
    labels,
    numbers,
    others,
    sequences,
    squares,
    weights,
)

# kind: {family: inputs}
INPUTS: dict[str, dict[str, list[Input]]] = {
    "table": arrays.FAMILIES | numbers.FAMILIES | frames.FAMILIES | others.FAMILIES,
    "weights": weights.FAMILIES,
    "kernel": squares.FAMILIES,
    "distances": distances.FAMILIES,
    "graphs": graphs.FAMILIES,
    "sequences": sequences.FAMILIES,
    "labels": labels.CLASSES,
    "targets": labels.TARGETS,
    "eigenvalues": labels.EIGENVALUES,
}
