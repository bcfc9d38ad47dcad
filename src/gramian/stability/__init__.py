"""How stable is what was found? Resampled eigenvalues, axes and points.

`procrustes` and its permutation test `protest` are those of `gramian.procrustes`.
"""

from gramian.procrustes import procrustes, protest
from gramian.stability.resample import bootstrap, jackknife
from gramian.stability.result import Stability

__all__ = ["Stability", "bootstrap", "jackknife", "procrustes", "protest"]
