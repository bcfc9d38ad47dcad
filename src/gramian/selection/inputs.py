"""The candidates, the criteria and the target, after a look at them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gramian._core.array import power_of_two
from gramian._core.check import is_list, one_of, short
from gramian._core.numbers import as_array, as_floats, refuse_masks
from gramian._core.table import Table
from gramian.errors import InputError, InputTypeError
from gramian.kernels.bandwidth import scales
from gramian.kernels.base import Kernel
from gramian.kernels.registry import as_kernel
from gramian.selection.criteria import Target

MULTIPLES = 2.0 ** np.arange(-4.0, 3.5, 0.5)  # of the median scale
AGAINST_NOISE = ("parallel", "entropy", "reconstruction")
WITH_TARGET = ("alignment", "score")
CRITERIA = (*AGAINST_NOISE, "contrast", *WITH_TARGET)
_CLASSES = 20  # different whole numbers, at most, that are still classes


def candidates_of(candidates: Any, X: Any) -> dict[str, Kernel]:
    """Return the candidates by label."""
    if candidates is None:
        candidates = "gaussian"
    if isinstance(candidates, str | Kernel):
        kernel = as_kernel(candidates)
        if "scale" not in kernel.get_params(deep=False):
            raise InputError(f"candidates={short(candidates)} has no scale to choose: give several")
        own = kernel.get_params(deep=False)
        grid = MULTIPLES * scales(X)["median"]
        family = [type(kernel)(**own | {"scale": float(scale)}) for scale in grid]
        return {f"{type(k).__name__}(scale={k.scale:.4g})": k for k in family}  # type: ignore[attr-defined]
    if isinstance(candidates, Mapping):
        kernels = {str(label): as_kernel(kernel) for label, kernel in candidates.items()}
    else:
        if not is_list(candidates):
            raise InputTypeError(f"candidates={short(candidates)} must be a list of kernels")
        kernels = {k if isinstance(k, str) else repr(k): as_kernel(k) for k in candidates}
        if len(kernels) < len(list(candidates)):
            raise InputError("candidates holds the same kernel twice: give each once")
    if not kernels:
        raise InputError("candidates is empty: give at least one kernel")
    return kernels


def criteria_of(criterion: Any, rows: Table, y: Any) -> list[str]:
    """Return the names of the criteria, the one that decides first."""
    columns = hasattr(rows.values, "shape") and rows.values.shape[1] > 1
    if criterion is None:
        criterion = "score" if y is not None else "reconstruction" if columns else "contrast"
    if not isinstance(criterion, str) and not is_list(criterion):
        raise InputTypeError(f"criterion={short(criterion)} must be a name or a list of names")
    names = [criterion] if isinstance(criterion, str) else list(criterion)
    for name in names:
        one_of(name, "criterion", CRITERIA)
        if name in WITH_TARGET and y is None:
            raise InputError(f"criterion={short(name)} needs a target: give y=")
        if name in AGAINST_NOISE and not columns:
            raise InputError(
                f"criterion={short(name)} shuffles the columns of a table, and there is no second "
                "one: use 'contrast', or give y= and 'score'"
            )
    if not names:
        raise InputError("criterion is empty: name at least one")
    return names


def target_of(y: Any, n: int, sample: np.ndarray) -> Target:
    """Return what is to be predicted, of the rows of the sample."""
    refuse_masks(y, "y")
    values = as_array(y, "y")
    if values.shape != (n,):
        raise InputError(f"y has shape {values.shape} but there are {n} rows: give one value each")
    if values.dtype.kind in "cMm":
        raise InputError(f"y holds {values.dtype} values: give numbers or classes")
    if values.dtype.kind == "O" and not all(isinstance(label, str) for label in values):
        raise InputError("y holds objects, not all of them texts: give numbers or texts")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise InputError("y has values that are missing or not finite: drop these rows")
    labels, codes = np.unique(values[sample], return_inverse=True)
    whole = values.dtype.kind not in "f" or bool((labels == np.round(labels)).all())
    if len(labels) < 2:
        raise InputError("y is constant, so that there is nothing to predict: give one that varies")
    if values.dtype.kind in "iuf" and not (whole and len(labels) <= _CLASSES):
        y = as_floats(values[sample], "y").astype(float)
        return Target(y / power_of_two(float(np.ptp(y))))  # squares stay in range
    if len(labels) == len(sample):
        raise InputError("y has a class of its own for every row: give classes that rows share")
    return Target(codes, len(labels))
