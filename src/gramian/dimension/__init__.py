"""How many axes? Every rule, each with its evidence.

`choose` asks them all. The rules that need eigenvalues only, and "parallel", are also names for
`n_components`.
"""

from gramian.dimension._choice import Choice
from gramian.dimension.bicross import bi_cross_validation
from gramian.dimension.choose import Choices, choose
from gramian.dimension.cross_validation import CrossValidation, cross_validation
from gramian.dimension.kernel_parallel import KernelParallelAnalysis, kernel_parallel_analysis
from gramian.dimension.parallel import ParallelAnalysis, parallel_analysis
from gramian.dimension.spectrum import (
    broken_stick,
    cattell,
    elbow,
    gavish_donoho,
    kaiser,
    marchenko_pastur,
    minka,
    threshold,
)

__all__ = [
    "Choice",
    "Choices",
    "CrossValidation",
    "KernelParallelAnalysis",
    "ParallelAnalysis",
    "bi_cross_validation",
    "broken_stick",
    "cattell",
    "choose",
    "cross_validation",
    "elbow",
    "gavish_donoho",
    "kaiser",
    "kernel_parallel_analysis",
    "marchenko_pastur",
    "minka",
    "parallel_analysis",
    "threshold",
]
