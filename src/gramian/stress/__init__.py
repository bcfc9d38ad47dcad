"""Scaling by stress: what is minimised, the loops, the starts, the map and its measures."""

from gramian.stress.arrange import Arrangement, arrange, fill_missing
from gramian.stress.best_of_starts import Progress, Search, starts_for
from gramian.stress.majorise import Run
from gramian.stress.maps import place, principal_map
from gramian.stress.measures import Curve, Fit, curve_of, fit_of, stress_test
from gramian.stress.problem import LOSSES, SCALINGS, TIES, Problem

__all__ = [
    "LOSSES",
    "SCALINGS",
    "TIES",
    "Arrangement",
    "Curve",
    "Fit",
    "Problem",
    "Progress",
    "Run",
    "Search",
    "arrange",
    "curve_of",
    "fill_missing",
    "fit_of",
    "place",
    "principal_map",
    "starts_for",
    "stress_test",
]
