"""Tables with holes: completed, chosen for, drawn."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from tests.reliability.junk.entry import add, function
from tests.reliability.junk.good import PLOT, X

import gramian as gm

HOLED = X.copy()
HOLED[2, 1] = np.nan
HOW = {"scale": True, "method": "regularized", "sample_weight": None, "random_state": 0}
function("missing.impute", X=HOLED, n_components=1, ridge=1.0, tol=1e-6, max_iter=100, **HOW)
function(
    "missing.choose",
    **{"X": HOLED, "criterion": "cv", "max_components": 1, "hidden": 0.1, "n_repeats": 2},
    **{"standardized": True},
    **HOW,
)
function("missing.multiple", X=HOLED, n_components=2, n_tables=4, **HOW)


@cache
def many() -> Any:
    """Return a few completed tables."""
    return gm.missing.multiple(HOLED, 2, n_tables=4)


add("missing.Imputation.fill", lambda **a: many().imputation.fill(**a), X=HOLED)
add("missing.MultipleImputation.intervals", lambda **a: many().intervals(**a), level=0.9)
ELLIPSES = {"axes": (1, 2), "level": 0.9}
add("missing.MultipleImputation.ellipses", lambda **a: many().ellipses(**a), **ELLIPSES)
function("plots.imputations", many=many(), labels="auto", **ELLIPSES, **PLOT)
for name in ("PCA", "KernelPCA", "ClassicalMDS"):
    add(
        f"missing: {name}.fit",
        lambda name=name, **a: getattr(gm, name)(1, missing="iterative").fit(**a),
        **{"X": HOLED, "sample_weight": None},
    )
add("missing: PCA.transform", lambda X: gm.PCA(1, missing="iterative").fit(HOLED).transform(X), X=X)
