"""What may be claimed of a table, and on what evidence: pure statistics, nothing said or drawn.

Every function takes arrays and gives a record back. Its p-values are (1 + #)/(B + 1), so none is
below `1/(B + 1)`; where no null model holds the answer is None, "cannot tell", not a number.
"""

from gramian.evidence.corrections import benjamini_hochberg, holm
from gramian.evidence.finding import Finding
from gramian.evidence.groups import GroupEvidence, groups
from gramian.evidence.loadings import LoadingEvidence, loadings
from gramian.evidence.numbers import NumberEvidence, numbers

__all__ = [
    "Finding",
    "GroupEvidence",
    "LoadingEvidence",
    "NumberEvidence",
    "benjamini_hochberg",
    "groups",
    "holm",
    "loadings",
    "numbers",
]
