"""Studies: what can be said about a fit, as claims with their evidence."""

from gramian._study.record import KINDS, Claim, Study
from gramian._study.study import study

__all__ = ["KINDS", "Claim", "Study", "study"]
