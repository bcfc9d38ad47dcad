"""Reports: one self-contained HTML page that reads an analysis in words, maps and tables."""

from gramian.report.write import replicates, write
from gramian.studies import Study, study

__all__ = ["Study", "replicates", "study", "write"]
