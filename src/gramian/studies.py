"""Studies: what can be said about a fit, as claims with their evidence."""

from gramian._study.claim import KINDS, Claim
from gramian._study.record import Study
from gramian._study.study import study

__all__ = ["KINDS", "Claim", "Study", "study"]
