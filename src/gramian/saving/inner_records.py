"""What the records inside a model must be: operators, maps of features, pairs, objects."""

from __future__ import annotations

from gramian._pairs import Points
from gramian.distances.mixed import Gower
from gramian.estimators.inside import Distance
from gramian.features.lowrank import KernelMap
from gramian.kernels import Kernel
from gramian.reading.coding import Coding, Variable
from gramian.reading.grouping import KINDS
from gramian.saving import ties
from gramian.saving.declaration import (
    Declaration,
    kernel,
    point_weights,
    rows,
    unit,
)
from gramian.saving.graphs import graphs_agree
from gramian.saving.rules import (
    anything,
    counts,
    every,
    finite,
    flag,
    maybe,
    number,
    numbers,
    part,
    positive,
    text,
    whole,
)
from gramian.stress import LOSSES, SCALINGS, TIES

__all__ = ["INNER"]

INNER: dict[str, Declaration] = {
    "FeatureMap": Declaration(
        {"shift": numbers("p"), "rest": numbers("p"), "factor": numbers("p"), "like": anything},
        (ties.feature_map,),
    ),
    "ApproximateFeatures": Declaration(
        {
            "shift": numbers("p"),
            "rest": numbers("p"),
            "factor": numbers("p"),
            "like": anything,
            "kernel_map": part(KernelMap),
        },
        (ties.feature_map, ties.approximate_features),
    ),
    "Filler": Declaration(
        {
            "mean": numbers("p", double=True),
            "factor": numbers("p", least=0.0, double=True),
            "vectors": numbers("p", "q", double=True),
            "shrink": numbers("q", least=0.0, double=True),
            "coding": maybe(part(Coding)),
        },
        (ties.filler,),
    ),
    "DenseGram": Declaration({"K": numbers("n", "n"), "n": whole(1, "n")}, (ties.square,)),
    "SquareGram": Declaration({"K": numbers("n", "n"), "n": whole(1, "n")}, (ties.square,)),
    "DistanceGram": Declaration(
        {
            "rows": rows,
            "metric": maybe(part(Distance)),
            "unit": unit,
            "correction": maybe(text("lingoes", "cailliez")),
            "constant": number(0.0),
            "n": whole(1),
        },
        (ties.distance_gram,),
    ),
    "TiledGram": Declaration({"kernel": kernel, "points": part(Points)}, kept={"fused": anything}),
    "Points": Declaration({"X": rows, "rough": flag}, (ties.points,)),
    "Moments": Declaration(
        {
            "shift": numbers("p"),
            "unit": numbers("p", least=0.0),
            "weight": positive,
            "first": numbers("p"),
            "second": numbers("p", "p"),
        },
        (ties.moments,),
    ),
    "LandmarkMap": Declaration(
        {"kernel": kernel, "landmarks": part(Points), "W": numbers("r", None)},
        (ties.landmark_map,),
    ),
    "AxesMap": Declaration(
        {"origin": part(Points), "mean": numbers("p"), "axes": numbers("p", None)},
        (ties.axes_map,),
    ),
    "FourierMap": Declaration(
        {"origin": part(Points), "omega": numbers("p", None)}, (ties.fourier_map,)
    ),
    "Arrangement": Declaration(
        {
            "delta": numbers("e", nan=True, least=0.0, double=True),
            "weight": maybe(numbers("e", least=0.0, double=True)),
            "points": maybe(point_weights),
            "first": numbers("m", None, double=True),
            "rows": counts("m"),
            "where": counts("n", below="m"),
        },
        (ties.arrangement,),
    ),
    "Fit": Declaration(
        {
            "distance": numbers("e", least=0.0, double=True),
            "disparity": numbers("e", nan=True, double=True),
            "raw": number(0.0),
            "stress": number(0.0),
            "per_point": numbers("m", least=0.0, double=True),
        }
    ),
    "Curve": Declaration(
        {
            "delta": numbers("k", least=0.0, double=True),
            "level": numbers("k", double=True),
            "slope": maybe(finite),
        },
        (ties.curve,),
    ),
    "Scaling": Declaration(
        {
            "loss": text(*LOSSES),
            "scaling": text(*SCALINGS),
            "ties": text(*TIES),
            "pair_weight": anything,
        },
        (ties.scaling,),
    ),
    "Distance": Declaration(
        {"metric": anything, "gower": maybe(part(Gower))},
        (ties.distance,),
    ),
    "Gower": Declaration({"columns": every(part(object))}, (ties.gower,)),
    "_Column": Declaration({"codes": anything, "ordered": flag, "span": positive}, (ties.column,)),
    "Coding": Declaration({"variables": every(part(Variable), tuple)}, (ties.coding,)),
    "Variable": Declaration(
        {
            "name": anything,
            "levels": maybe(every(anything, tuple)),
            "has_holes": flag,
            "passive": every(anything, tuple),
        },
        (ties.variable,),
    ),
    "Counts": Declaration({"total": positive}),
    "Grouping": Declaration(
        {
            "coding": part(Coding),
            "columns": counts("K"),
            "names": every(anything, tuple, "G"),
            "kinds": every(text(*KINDS), tuple, "G"),
            "member": counts("K", below="G"),
            "margin": numbers("J", least=0.0, double=True),
        },
        (ties.grouping,),
    ),
    "Objects": Declaration({"items": every(anything)}, (graphs_agree,)),
    "Blocks": Declaration(
        {
            "blocks": every(rows, dict),
            "columns": anything,
            "readers": every(part(Kernel), dict),
        },
        (ties.blocks,),
    ),
    "GivenRows": Declaration(
        {"values": numbers("n", None), "positions": counts("n"), "diag": numbers("n")},
        (ties.given_rows,),
    ),
}
