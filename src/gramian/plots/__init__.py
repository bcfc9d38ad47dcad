"""Figures of a fit: a record of what is drawn is computed first, then drawn by a backend.

Every plot takes ``backend="matplotlib"`` (static), ``"plotly"`` (interactive, offline) or
``"none"`` (the record itself) and returns the backend's own figure; nothing is shown or kept. Each
takes ``ax=`` (a panel of an existing matplotlib figure), ``figsize=``, ``palette=`` and ``theme=``.
`register` adds custom plots.
"""

import typing as _typing
from typing import Any as _Any

from gramian.plots.backends import draw, plotly_config, show
from gramian.plots.choices import dendrogram, dimension, selection
from gramian.plots.drawing import PLOTS as _PLOTS
from gramian.plots.drawing import register
from gramian.plots.individuals import individuals, map3d, pairs, procrustes, scatter
from gramian.plots.maps import biplot, categories, imputations, outliers, variables
from gramian.plots.matrices import correlations, film, gram, images, shepard
from gramian.plots.networks import network, networks, replicates
from gramian.plots.record import Figure
from gramian.plots.regions import regions
from gramian.plots.scree import contributions, cos2, reconstruction, scree

__all__ = [
    "Figure",
    "biplot",
    "categories",
    "contributions",
    "correlations",
    "cos2",
    "dendrogram",
    "dimension",
    "draw",
    "film",
    "gram",
    "images",
    "imputations",
    "individuals",
    "map3d",
    "network",
    "networks",
    "outliers",
    "pairs",
    "plotly_config",
    "procrustes",
    "reconstruction",
    "regions",
    "register",
    "replicates",
    "scatter",
    "scree",
    "selection",
    "shepard",
    "show",
    "variables",
]


if not _typing.TYPE_CHECKING:  # a misspelt plot is an error for type checkers

    def __getattr__(name: str) -> _Any:
        if name in _PLOTS:
            return _PLOTS[name]
        raise AttributeError(f"module 'gramian.plots' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLOTS])
