"""The candidates, the criteria and the target, after a look at them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gramian._check import one_of
from gramian._validate import Table
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.kernels.heuristics import scales
from gramian.kernels.registry import as_kernel
from gramian.selection.criteria import Target

__all__ = ["AGAINST_NOISE", "WITH_TARGET", "candidates_of", "criteria_of", "target_of"]

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
            raise InputError(f"candidates={candidates!r} has no scale to choose: give several")
        own = kernel.get_params(deep=False)
        grid = MULTIPLES * scales(X)["median"]
        family = [type(kernel)(**own | {"scale": float(scale)}) for scale in grid]
        return {f"{type(k).__name__}(scale={k.scale:.4g})": k for k in family}  # type: ignore[attr-defined]
    if isinstance(candidates, Mapping):
        kernels = {str(label): as_kernel(kernel) for label, kernel in candidates.items()}
    else:
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
    names = [criterion] if isinstance(criterion, str) else list(criterion)
    for name in names:
        one_of(name, "criterion", CRITERIA)
        if name in WITH_TARGET and y is None:
            raise InputError(f"criterion={name!r} needs a target: give y=")
        if name in AGAINST_NOISE and not columns:
            raise InputError(
                f"criterion={name!r} shuffles the columns of a table, and there is no second one: "
                "use 'contrast', or give y= and 'score'"
            )
    if not names:
        raise InputError("criterion is empty: name at least one")
    return names


def target_of(y: Any, n: int, sample: np.ndarray) -> Target:
    """Return what is to be predicted, of the rows of the sample."""
    values = np.asarray(y)
    if values.shape != (n,):
        raise InputError(f"y has shape {values.shape} but there are {n} rows: give one value each")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise InputError("y has values that are missing or not finite: drop these rows")
    labels, codes = np.unique(values[sample], return_inverse=True)
    whole = values.dtype.kind not in "f" or bool((labels == np.round(labels)).all())
    if len(labels) < 2:
        raise InputError("y is constant: there is nothing to predict")
    if values.dtype.kind in "iuf" and not (whole and len(labels) <= _CLASSES):
        return Target(values[sample].astype(float))
    return Target(codes, len(labels))
