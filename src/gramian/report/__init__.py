"""Reports: one self-contained HTML page that reads an analysis in words, maps and tables."""

from gramian._study.record import Study
from gramian._study.study import study
from gramian.report.write import replicates, write

__all__ = ["Study", "replicates", "study", "write"]
