"""Rows that are not all here: those of a scan, and those that dask holds."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from gramian._validate import is_dask
from gramian.io.scan_table import Scan

__all__ = ["LazyOutput", "Scan", "dask_rows"]


def dask_rows(X: Any) -> Any:
    """Return what can be done with rows that dask holds, None for any others."""
    if not is_dask(X):
        return None
    from gramian.estimators.blocks.dask_rows import DaskRows

    return DaskRows(X)


class LazyOutput:
    """A transformer whose `set_output` leaves coordinates that are yet to be computed alone.

    scikit-learn would make one table of them, however many there are. Blocks of a scan are frames
    then, each on its own.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)  # where scikit-learn wraps the methods
        for name in ("transform", "fit_transform"):
            method = vars(cls).get(name)
            if method is not None and hasattr(method, "__wrapped__"):
                setattr(cls, name, _lazy(method))


def _lazy(method: Callable[..., Any]) -> Callable[..., Any]:
    plain: Callable[..., Any] = method.__wrapped__  # type: ignore[attr-defined]

    @wraps(method)
    def lazy(self: Any, X: Any, *args: Any, **options: Any) -> Any:
        is_here = type(X) is np.ndarray or not (isinstance(X, Scan) or is_dask(X))
        return (method if is_here else plain)(self, X, *args, **options)

    return lazy
