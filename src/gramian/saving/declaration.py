"""How a record is declared, and rules that several declarations share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._array import is_array, is_sparse
from gramian._check import is_whole
from gramian.embedding import Embedding
from gramian.kernels import Kernel
from gramian.kernels.blocks import Blocks, GivenRows
from gramian.kernels.objects import Objects
from gramian.operators import Gram
from gramian.saving.graphs import check_graphs
from gramian.saving.rules import (
    Rule,
    Scope,
    counts,
    is_finite,
    numbers,
    part,
    positive,
)

__all__ = [
    "Declaration",
    "an_array",
    "index",
    "kept_embedding",
    "kernel",
    "mark",
    "point_weights",
    "rows",
    "unit",
]


@dataclass(frozen=True)
class Declaration:
    """The parts of a record and their rules, and the equalities between them."""

    parts: dict[str, Rule]
    ties: tuple[Callable[[Any], None], ...] = ()
    kept: dict[str, Rule] = field(default_factory=dict)  # what is computed once and may be there


def _is_rows(value: Any, scope: Scope) -> bool:
    """Whether a value is rows of numbers, objects, blocks of these, or a Gram operator."""
    if isinstance(value, Objects | Blocks | GivenRows | Gram):
        scope.visit(value)
        return True
    if isinstance(value, list) or (is_array(value) and str(value.dtype) == "object"):
        check_graphs(value)
        return len(value) > 0 and getattr(value, "ndim", 1) == 1
    if is_sparse(value):
        return value.dtype in (np.float32, np.float64) and is_finite(value.data)
    return numbers(None, None, nan=True).holds(value, scope) and value.shape[1] > 0


def _is_kept(value: Any, scope: Scope) -> bool:
    """Whether a value is an embedding; one of no rows, which were read once, is made anew."""
    none = isinstance(value, Embedding) and value.coordinates.shape[0] == 0
    return none or part(Embedding).holds(value, scope)


rows = Rule("rows", _is_rows)
kept_embedding = Rule("an embedding", _is_kept)
index = Rule("labels", lambda value, scope: isinstance(value, pd.Index))
mark = Rule("a mark", lambda value, scope: is_whole(value) and 0 <= value < 2**64)
point_weights = Rule(
    "weights (m)",
    lambda value, scope: any(
        rule.holds(value, scope) for rule in (counts("m"), numbers("m", least=0.0, double=True))
    ),
)
kernel = part(Kernel)
unit = positive
an_array = Rule("an array", lambda value, scope: is_array(value))
