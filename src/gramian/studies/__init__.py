"""Studies: an analysis of data, its tests, and the claims that they allow."""

from gramian.studies.claim import KINDS, Claim
from gramian.studies.record import Study
from gramian.studies.study import study

__all__ = ["KINDS", "Claim", "Study", "study"]
