"""Reports: one self-contained HTML page that reads an analysis in words, maps and tables."""

from importlib import import_module as _import_module
from typing import Any as _Any

from gramian.report.write import write
from gramian.studies import Study, study

__all__ = ["Study", "replicates", "study", "write"]


def __getattr__(name: str) -> _Any:
    if name == "replicates":  # a page of networks, which no other page needs
        globals()[name] = replicates = _import_module("gramian.report.networks").replicates
        return replicates
    raise AttributeError(f"module 'gramian.report' has no attribute {name!r}")
