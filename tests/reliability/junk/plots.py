"""Plots, drawn as records."""

from __future__ import annotations

from tests.reliability.junk.entry import function
from tests.reliability.junk.estimators import fitted
from tests.reliability.junk.good import CLASS, FRAME, PLOT, SELECT, X

import gramian as gm

MAP = {
    "axes": (1, 2),
    "color": None,
    "color_as": None,
    "labels": "auto",
    "select": None,
    "by": "contribution",
}
BARS = {"axis": 1, "of": "individuals", "top": 5}
function(
    "plots.biplot", fitted=fitted("PCA"), scaling="form", stretch="auto", X=None, **MAP, **PLOT
)
function("plots.contributions", fitted=fitted("PCA"), **BARS, **PLOT)
function("plots.cos2", fitted=fitted("PCA"), X=None, **BARS, **PLOT)
function("plots.gram", fitted=fitted("KernelPCA"), X=None, order="clusters", **PLOT)
function(
    "plots.individuals",
    **{"fitted": fitted("PCA"), "size": None, "alpha": None, "barycentres": False},
    **{"ellipses": None, "level": 0.95, "supplementary": None, "X": None},
    **MAP,
    **PLOT,
)
function(
    "plots.map3d",
    **{"fitted": gm.PCA(3).fit(FRAME), "axes": (1, 2, 3), "color": None, "size": None},
    **{
        "labels": "auto",
        "by": "contribution",
        "barycentres": False,
        "view": (20.0, -60.0),
        "X": None,
    },
    **PLOT,
)
function("plots.pairs", fitted=fitted("PCA"), n_axes=2, color=None, color_as=None, X=None, **PLOT)
function("plots.correlations", X=X, order="clusters", **PLOT)
function("plots.images", rows=X, below=None, shape=(1, 3), n_images=4, **PLOT)
function("plots.reconstruction", fitted=fitted("PCA"), X=None, relative=True, **PLOT)
function(
    "plots.regions",
    **{"fitted": gm.KernelLogisticRegression().fit(X[:, :2], CLASS), "X": X[:, :2], "y": CLASS},
    **{"columns": (0, 1), "resolution": 5},
    **PLOT,
)
function(
    "plots.scree",
    **{"fitted": fitted("PCA"), "n_axes": 2, "values": "percent", "reference": None},
    **{"cumulated": True, "scale": "log"},
    **PLOT,
)
function("plots.shepard", fitted=fitted("ClassicalMDS"), X=None, n_axes=None, **PLOT)
function("plots.variables", fitted=fitted("PCA"), table=None, values="auto", **MAP, **PLOT)
function("plots.dimension", found=gm.dimension.choose(X, rules=["kaiser"]), **PLOT)
function("plots.selection", found=gm.kernels.select(X, **SELECT), criterion=None, **PLOT)
function("plots.draw", record=gm.plots.scree(fitted("PCA"), backend="none"), backend="none")
