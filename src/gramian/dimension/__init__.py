"""How many axes? Every rule, each with its evidence.

`choose` asks them all; each is also a name for `n_components`, where an estimator has what it
needs. `RULES` holds them by name, and `register` adds to them.
"""

from gramian._reading.cross_validation import CrossValidation, bi_cross_validation, cross_validation
from gramian._reading.parallel_analysis import ParallelAnalysis
from gramian._reading.rule import Choice, Rule
from gramian._reading.rules import RULES, register
from gramian.dimension.choose import Choices, choose
from gramian.dimension.parallel import (
    KernelParallelAnalysis,
    kernel_parallel_analysis,
    parallel_analysis,
)
from gramian.dimension.rules import (
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
    "RULES",
    "Choice",
    "Choices",
    "CrossValidation",
    "KernelParallelAnalysis",
    "ParallelAnalysis",
    "Rule",
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
    "register",
    "threshold",
]
