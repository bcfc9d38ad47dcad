"""How stable is what was found? Resampled eigenvalues, axes and points.

`procrustes` and its permutation test `protest` compare two maps, `mantel` two tables of distances.
"""

from gramian.stability.mantel import mantel
from gramian.stability.procrustes import procrustes, protest
from gramian.stability.resample import bootstrap, jackknife
from gramian.stability.result import Stability

__all__ = ["Stability", "bootstrap", "jackknife", "mantel", "procrustes", "protest"]
