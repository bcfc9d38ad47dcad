"""How stable is what was found? Resampled eigenvalues, axes and points.

`procrustes` and its permutation test `protest` compare two maps, `mantel` two tables of distances.
"""

from typing import TYPE_CHECKING

import lazy_loader as _lazy_loader

from gramian.stability.mantel import mantel
from gramian.stability.procrustes import procrustes, protest

if TYPE_CHECKING:
    from gramian.stability.resample import Stability, bootstrap, jackknife
    from gramian.stability.samples import SamplesNeeded, samples_needed

__all__ = [
    "SamplesNeeded",
    "Stability",
    "bootstrap",
    "jackknife",
    "mantel",
    "procrustes",
    "protest",
    "samples_needed",
]

# A study resamples by itself, and compares maps alone: what it does not use waits.
_LATER = {
    "resample": ["Stability", "bootstrap", "jackknife"],
    "samples": ["SamplesNeeded", "samples_needed"],
}
__getattr__, _, _ = _lazy_loader.attach(__name__, submod_attrs=_LATER)


def __dir__() -> list[str]:
    return __all__
