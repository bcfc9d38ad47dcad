"""Scaling by stress: what is minimised, the loops, the starts, the map and its measures."""

from gramian._estimators.stress.arrange import Arrangement, arrange, fill_missing
from gramian._estimators.stress.best_of_starts import Progress, Search, starts_for
from gramian._estimators.stress.majorise import Run
from gramian._estimators.stress.maps import (
    Curve,
    Fit,
    curve_of,
    fit_of,
    place,
    principal_map,
    stress_test,
)
from gramian._estimators.stress.problem import LOSSES, SCALINGS, TIES, Problem

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
