"""Which elements are drawn in full, and which are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._check import is_label, is_list, is_number, is_whole, short
from gramian._numbers import as_array
from gramian.errors import InputError, InputTypeError
from gramian.plots.elements import Elements

_FEW = 40  # so many labels are all shown
_BEST = 12  # of more, these


def chosen(elements: Elements, select: Any, by: str) -> np.ndarray:
    """Return which elements are selected, (n,) bool.

    `select` is a number of elements (the best), a threshold below 1, labels, or a mask.
    """
    n = len(elements.index)
    if select is None:
        return np.ones(n, dtype=bool)
    if is_number(select):
        if is_whole(select) and int(select) >= 1:
            return _mask(n, elements.ranked(by)[: int(select)])
        if 0.0 < float(select) < 1.0:
            return elements.measure(by) >= float(select)
        raise InputError(f"select={short(select)} must be a whole number ≥ 1 or a share in (0, 1)")
    if not isinstance(select, str) and not is_list(select):
        raise InputTypeError(f"select={short(select)} must be a number, labels or a mask")
    picked = np.array([select]) if isinstance(select, str) else as_array(select, "select")
    if picked.dtype == bool and picked.shape == (n,):
        return picked
    return _by_label(elements.index, list(picked), "select")


def best(measure: np.ndarray, count: int) -> np.ndarray:
    """Return the positions of the largest values, largest first, ties in their order."""
    return np.argsort(-measure, kind="stable")[:count]


def named(elements: Elements, labels: Any, by: str, among: np.ndarray) -> np.ndarray:
    """Return the positions of the elements to name, most important first.

    `labels` is "auto" (all of a few, the best of many), True (all that find a place), False or
    None, a number (the best), or the labels to show.
    """
    ranked = elements.ranked(by)
    ranked = ranked[among[ranked]]
    if labels is None or labels is False:
        return ranked[:0]
    if labels is True:
        return ranked
    if isinstance(labels, str):
        if labels != "auto":
            raise InputError(f'labels={short(labels)} must be "auto", a flag, a number or labels')
        if len(ranked) <= _FEW:
            return ranked
        return ranked[: _BEST if elements.has_names else 0]
    if is_whole(labels):
        return ranked[: max(int(labels), 0)]
    if not is_list(labels):
        raise InputTypeError(f"labels={short(labels)} must be a number or a list of labels")
    mask = _by_label(elements.index, list(labels), "labels")
    return ranked[mask[ranked]]


def _by_label(index: pd.Index, labels: list[Any], name: str) -> np.ndarray:
    unknown = [k for k in labels if not is_label(k) or k not in index]
    if unknown:
        raise InputError(
            f"{name} has {str(unknown[0])[:40]!r}, which is not one of the labels "
            f"(the first is {str(index[0])[:40]!r})"
        )
    return np.asarray(index.isin(labels))


def _mask(n: int, positions: np.ndarray) -> np.ndarray:
    mask = np.zeros(n, dtype=bool)
    mask[positions] = True
    return mask
