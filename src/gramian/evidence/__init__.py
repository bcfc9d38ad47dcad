"""What may be claimed of a table, and on what evidence: pure statistics, nothing said or drawn.

Every function takes arrays and gives a record back. Its p-values are (1 + #)/(B + 1), so none is
below `1/(B + 1)`; where no null model holds the answer is None, "cannot tell", not a number.
"""

from gramian._nulls.corrections import benjamini_hochberg, holm
from gramian.evidence.arrangement import Arrangement
from gramian.evidence.assumptions import Assumptions, assumptions
from gramian.evidence.axes import AxesEvidence, axes, kernel_axes
from gramian.evidence.clusters import ClusterEvidence, clusters
from gramian.evidence.contingency_axes import Independence, contingency_axes, independence
from gramian.evidence.curves import CurveEvidence, curves
from gramian.evidence.directions import Directions, directions
from gramian.evidence.groups import GroupEvidence, groups
from gramian.evidence.loadings import LoadingEvidence, loadings
from gramian.evidence.numbers import NumberEvidence, numbers
from gramian.evidence.order import Finding
from gramian.evidence.rows import Carried, RowsEvidence, carried, rows
from gramian.evidence.shapes import Copies, Counts, Tails

__all__ = [
    "Arrangement",
    "Assumptions",
    "AxesEvidence",
    "Carried",
    "ClusterEvidence",
    "Copies",
    "Counts",
    "CurveEvidence",
    "Directions",
    "Finding",
    "GroupEvidence",
    "Independence",
    "LoadingEvidence",
    "NumberEvidence",
    "RowsEvidence",
    "Tails",
    "assumptions",
    "axes",
    "benjamini_hochberg",
    "carried",
    "clusters",
    "contingency_axes",
    "curves",
    "directions",
    "groups",
    "holm",
    "independence",
    "kernel_axes",
    "loadings",
    "numbers",
    "rows",
]
