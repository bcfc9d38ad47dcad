"""The rules of the library, one record each, in the order in which they are asked."""

from __future__ import annotations

from functools import partial
from typing import Any

from gramian._reading.noise_rules import gavish_donoho, karlis, marchenko_pastur, minka
from gramian._reading.parallel import NullTable
from gramian._reading.parallel_analysis import analyse
from gramian._reading.prediction import CrossValidation, cells, predict_blocks, predict_cells
from gramian._reading.rule import Rule
from gramian._reading.spectrum_rules import broken_stick, cattell, elbow, kaiser, reach

_DRAWS = ("n_permutations", "alpha", "random_state")


def _cells(columns: NullTable, method: str, random_state: Any = None) -> CrossValidation:
    return predict_cells(cells(columns), method=method, random_state=random_state)


def _blocks(columns: NullTable, random_state: Any = None) -> CrossValidation:
    return predict_blocks(cells(columns), random_state=random_state)


TABLE = (
    Rule("threshold", reach, options=("share",), votes=False),
    Rule("kaiser", kaiser, over="columns"),
    Rule("karlis", karlis, needs="shape", over="columns"),
    Rule("elbow", elbow),
    Rule("cattell", cattell),
    Rule("broken_stick", broken_stick),
    Rule("parallel", analyse, needs="columns", options=_DRAWS),
    Rule("signflip", partial(analyse, null="signflip"), needs="signs", options=_DRAWS, pace="slow"),
    Rule(
        "deflated",
        partial(analyse, method="deflated"),
        needs="components",
        options=_DRAWS,
        pace="slow",
    ),
    Rule(
        "deterministic",
        partial(analyse, method="deterministic"),
        needs="components",
        options=_DRAWS,
    ),
    Rule("gavish_donoho", gavish_donoho, needs="shape", over="columns"),
    Rule("marchenko_pastur", marchenko_pastur, needs="shape", over="columns", options=("alpha",)),
    Rule("minka", minka, needs="tall", over="columns"),
    Rule("gcv", partial(_cells, method="gcv"), needs="cells"),
    Rule("smooth", partial(_cells, method="smooth"), needs="cells"),
    Rule(
        "em",
        partial(_cells, method="em"),
        needs="cells",
        options=("random_state",),
        pace="on demand",
    ),
    Rule("bcv", _blocks, needs="cells", options=("random_state",), pace="slow"),
)
