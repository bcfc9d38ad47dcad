"""Reports: one self-contained HTML page that reads an analysis in words, maps and tables."""

from gramian.report.study import Study, study
from gramian.report.write import write

__all__ = ["Study", "study", "write"]
