"""Factor methods: constructors (and a fit), fits, new rows, readings."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from tests.reliability.junk.entry import add, function
from tests.reliability.junk.good import FRAME, GROUPS, PLOT, D
from tests.reliability.junk.good import X as X_GOOD

import gramian as gm

COUNTS = pd.DataFrame(
    np.array([[3, 1, 2, 5, 0, 1, 1, 4], [4, 2, 2, 7, 6, 1, 0, 1], [1, 1, 0, 3, 2, 4, 2, 2]]).T,
    columns=["a", "b", "c"],
    index=FRAME.index,
).astype(float)
ANSWERS = pd.DataFrame(
    {"u": list("ababbaab"), "v": list("ccddcddc"), "w": list("efgefgef")}, index=FRAME.index
)
MIXED = FRAME.join(ANSWERS)
PARTS = {"x": ["a", "b"], "y": ["u", "v"]}
NEW = {"z": FRAME[["c"]]}
OPTIONS: dict[str, dict[str, Any]] = {
    "CA": {"n_components": 2, "solver": "auto"},
    "MCA": {"n_components": 2, "rare": 0.0, "solver": "auto"},
    "FAMD": {"n_components": 2, "solver": "auto"},
    "MFA": {"n_components": 2, "groups": PARTS, "kinds": {"x": "scaled"}, "solver": "auto"},
}
ROWS = {"CA": COUNTS, "MCA": ANSWERS, "FAMD": MIXED, "MFA": MIXED}
READINGS: dict[str, dict[str, Any]] = {
    "categories": {"table": GROUPS[["group"]]},
    "describe": {"table": GROUPS, "alpha": 0.05},
    "summary": {"n_axes": 2, "n_rows": 3, "table": None},
    "partial": {"X": None, "shares": False},
    "partial_categories": {"table": None, "shares": False},
    "group_table": {"new": NEW, "kinds": None},
    "lg": {"new": NEW, "kinds": None},
    "rv": {"new": NEW, "kinds": None},
    "separate": {"n_axes": 2, "new": NEW, "kinds": None},
    "partial_axes": {"n_axes": 2, "new": NEW, "kinds": None},
}


@cache
def factors(name: str) -> Any:
    """Return a factor method fitted on good rows."""
    return getattr(gm, name)(**OPTIONS[name]).fit(ROWS[name])


for name, options in OPTIONS.items():
    cls, X = getattr(gm, name), ROWS[name]
    add(name, lambda cls=cls, X=X, **o: cls(**o).fit(X), random_state=0, **options)
    for method in ("fit", "fit_transform"):
        add(
            f"{name}.{method}",
            lambda name=name, method=method, **a: getattr(
                getattr(gm, name)(**OPTIONS[name]), method
            )(**a),
            **{"X": X, "y": None, "sample_weight": None},
        )
    of_rows = {"transform": {"X": X}, "individuals": {"X": X, "diag": None}}
    of_rows |= {"reconstruction_error": {"X": X, "diag": None}}
    numbers = {"table": GROUPS[["size"]]} | ({"kind": "counts"} if name == "CA" else {})
    for method, arguments in (READINGS | of_rows | {"variables": numbers}).items():
        if hasattr(cls, method):
            own = arguments | ({"burt": False} if (name, method) == ("MCA", "categories") else {})
            add(
                f"{name}.{method}",
                lambda name=name, method=method, **a: getattr(factors(name), method)(**a),
                **own,
            )
BOTH = {"one": X_GOOD[:, :2], "two": X_GOOD[:, 1:]}
SQUARES = {"one": D, "two": D**0.5}
for name, blocks, more in (("STATIS", BOTH, {}), ("DISTATIS", SQUARES, {"indefinite": "raise"})):
    cls = getattr(gm, name)
    options = {"n_components": 2, "solver": "auto", "tol": 1e-8, "memory": None, "random_state": 0}
    add(name, lambda cls=cls, blocks=blocks, **o: cls(**o).fit(blocks), **options, **more)
    add(f"{name}.fit", lambda cls=cls, **a: cls(2).fit(**a), X=blocks, sample_weight=None)
    add(
        f"{name}.transform",
        lambda cls=cls, blocks=blocks, **a: cls(2).fit(blocks).transform(**a),
        X=blocks,
    )
function(
    "plots.categories",
    **{"fitted": factors("MCA"), "axes": (1, 2), "table": None, "individuals": False},
    **{"color": None, "color_as": None, "labels": "auto", "select": None, "by": "contribution"},
    **PLOT,
)
