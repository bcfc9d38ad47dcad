"""The feature space as an object: functions, barycentres, distances, tests, Mercer's expansion.

The space H of a kernel k holds the functions f = Σ αᵢ k(xᵢ, ·), with ⟨k(x, ·), k(y, ·)⟩ = k(x, y);
a point x is the function φ(x) = k(x, ·), and f(x) = ⟨f, φ(x)⟩.
"""

from gramian.rkhs.dependence import alignment, hsic, rv
from gramian.rkhs.distance import distance, distance_to_set
from gramian.rkhs.function import Function, mean_embedding
from gramian.rkhs.mercer import GaussianMercer, mercer
from gramian.rkhs.mmd import mmd

__all__ = [
    "Function",
    "GaussianMercer",
    "alignment",
    "distance",
    "distance_to_set",
    "hsic",
    "mean_embedding",
    "mercer",
    "mmd",
    "rv",
]
