"""Figures of a fit: a record of what is drawn is computed first, then drawn by a backend.

Every plot takes ``backend="matplotlib"`` (static), ``"plotly"`` (interactive, offline) or
``"none"`` (the record itself) and returns the backend's own figure; nothing is shown or kept.
"""

from gramian.plots.axes_kept import dimension
from gramian.plots.backends import draw
from gramian.plots.backends.config import plotly_config
from gramian.plots.bars import contributions, cos2
from gramian.plots.circle import variables
from gramian.plots.curves import reconstruction, scree
from gramian.plots.evidence import selection
from gramian.plots.gabriel import biplot
from gramian.plots.grid import pairs
from gramian.plots.heat import gram
from gramian.plots.maps import individuals
from gramian.plots.plane import regions
from gramian.plots.record import Figure
from gramian.plots.replication import network, networks, replicates
from gramian.plots.space import map3d
from gramian.plots.stress import shepard

__all__ = [
    "Figure",
    "biplot",
    "contributions",
    "cos2",
    "dimension",
    "draw",
    "gram",
    "individuals",
    "map3d",
    "network",
    "networks",
    "pairs",
    "plotly_config",
    "reconstruction",
    "regions",
    "replicates",
    "scree",
    "selection",
    "shepard",
    "variables",
]
