"""Studies: claims about a fit, with their evidence."""

from gramian._study.record import KINDS, Claim, Study
from gramian._study.study import study

__all__ = ["KINDS", "Claim", "Study", "study"]
