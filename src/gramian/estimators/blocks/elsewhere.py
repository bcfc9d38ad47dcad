"""Rows that are not all here: those of a scan, and those that dask holds."""

from __future__ import annotations

from typing import Any

from gramian._validate import is_dask
from gramian.io.scan_table import Scan

__all__ = ["Scan", "dask_rows"]


def dask_rows(X: Any) -> Any:
    """Return what can be done with rows that dask holds, None for any others."""
    if not is_dask(X):
        return None
    from gramian.estimators.blocks.dask_rows import DaskRows

    return DaskRows(X)
