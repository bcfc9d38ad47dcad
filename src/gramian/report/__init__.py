"""Reports: one self-contained HTML page that reads an analysis in words, maps and tables."""

from typing import Any

from gramian.report.write import write
from gramian.studies import Study, study

__all__ = ["Study", "replicates", "study", "write"]


def __getattr__(name: str) -> Any:
    """Import the page of replicates, which needs the drawing libraries, when it is asked for."""
    if name == "replicates":
        from gramian.report.networks import replicates

        return replicates
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
