"""What is asked: candidates, criteria and a target, after a look at them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gramian._validate import Table
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.kernels.heuristics import scales
from gramian.kernels.named import as_kernel
from gramian.selection.criteria import Target

__all__ = ["AGAINST_NOISE", "candidates_of", "criteria_of", "target_of"]

MULTIPLES = 2.0 ** np.arange(-4.0, 3.5, 0.5)  # of the median scale
AGAINST_NOISE = ("parallel", "entropy", "reconstruction")
CRITERIA = (*AGAINST_NOISE, "contrast", "alignment", "score")
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
        made = [type(kernel)(**own | {"scale": float(scale)}) for scale in grid]
        return {f"{type(k).__name__}(scale={k.scale:.4g})": k for k in made}  # type: ignore[attr-defined]
    if isinstance(candidates, Mapping):
        found = {str(label): as_kernel(kernel) for label, kernel in candidates.items()}
    else:
        found = {k if isinstance(k, str) else repr(k): as_kernel(k) for k in candidates}
        if len(found) < len(list(candidates)):
            raise InputError("candidates holds the same kernel twice: give each once")
    if not found:
        raise InputError("candidates is empty: give at least one kernel")
    return found


def criteria_of(criterion: Any, rows: Table, y: Any) -> list[str]:
    """Return the names of the criteria, the one that decides first."""
    columns = hasattr(rows.values, "shape") and rows.values.shape[1] > 1
    if criterion is None:
        criterion = "score" if y is not None else "reconstruction" if columns else "contrast"
    asked = [criterion] if isinstance(criterion, str) else list(criterion)
    for name in asked:
        if name not in CRITERIA:
            raise InputError(f"criterion={name!r} is not known: use one of {', '.join(CRITERIA)}")
        if name in ("alignment", "score") and y is None:
            raise InputError(f"criterion={name!r} needs a target: give y=")
        if name in AGAINST_NOISE and not columns:
            raise InputError(
                f"criterion={name!r} shuffles the columns of a table, and there is no second one: "
                "use 'contrast', or give y= and 'score'"
            )
    if not asked:
        raise InputError("criterion is empty: name at least one")
    return asked


def target_of(y: Any, n: int, sample: np.ndarray) -> Target:
    """Return what is to be predicted, of the rows of the sample."""
    given = np.asarray(y)
    if given.shape != (n,):
        raise InputError(f"y has shape {given.shape} but there are {n} rows: give one value each")
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise InputError("y has values that are missing or not finite: drop these rows")
    labels, codes = np.unique(given[sample], return_inverse=True)
    whole = given.dtype.kind not in "f" or bool((labels == np.round(labels)).all())
    if len(labels) < 2:
        raise InputError("y is constant: there is nothing to predict")
    if given.dtype.kind in "iuf" and not (whole and len(labels) <= _CLASSES):
        return Target(given[sample].astype(float))
    return Target(codes, len(labels))
