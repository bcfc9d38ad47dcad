"""What every record of a model file must be: one line a part, and what ties the parts together.

`whole.require_whole` walks a model by this table. A class that is new to model files gets its lines
here; parts that have a default may be missing (older files do not have them).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._array import is_array, is_sparse
from gramian._check import is_whole
from gramian._pairs import Points
from gramian._validate import Table
from gramian.distances.mixed import Gower
from gramian.embedding import Embedding, Model, Places, Training
from gramian.embedding.principal import Principal, Standard
from gramian.estimators.inside import Distance, Scaling
from gramian.features.lowrank import KernelMap
from gramian.kernels import Kernel
from gramian.kernels.blocks import Blocks, GivenRows
from gramian.kernels.objects import Objects
from gramian.operators import Centering, Gram
from gramian.operators.feature import FeatureMap
from gramian.operators.moments import Moments
from gramian.saving import model_ties, ties
from gramian.saving.graphs import graphs_agree
from gramian.saving.rules import (
    Rule,
    Scope,
    anything,
    counts,
    every,
    finite,
    flag,
    is_finite,
    maybe,
    number,
    numbers,
    part,
    positive,
    text,
    whole,
)
from gramian.spectral.spectrum import Spectrum
from gramian.stress import LOSSES, SCALINGS, TIES, Arrangement, Curve, Fit

__all__ = ["RECORDS", "Declaration"]


@dataclass(frozen=True)
class Declaration:
    """The parts of a record and their rules, and the equalities between them."""

    parts: dict[str, Rule]
    ties: tuple[Callable[[Any], None], ...] = ()
    kept: dict[str, Rule] = field(default_factory=dict)  # what is computed once and may be there


def _is_rows(value: Any, scope: Scope) -> bool:
    """Whether a value is rows of numbers, objects, blocks of these, or a Gram operator."""
    if isinstance(value, Objects | Blocks | GivenRows | Gram):
        scope.visit(value)
        return True
    if isinstance(value, list) or (is_array(value) and str(value.dtype) == "object"):
        return len(value) > 0 and getattr(value, "ndim", 1) == 1
    if is_sparse(value):
        return value.dtype in (np.float32, np.float64) and is_finite(value.data)
    return numbers(None, None, nan=True).holds(value, scope) and value.shape[1] > 0


def _is_kept(value: Any, scope: Scope) -> bool:
    """Whether a value is an embedding; one of no rows, which were read once, is made anew."""
    none = isinstance(value, Embedding) and value.coordinates.shape[0] == 0
    return none or part(Embedding).holds(value, scope)


rows = Rule("rows", _is_rows)
kept_embedding = Rule("an embedding", _is_kept)
index = Rule("labels", lambda value, scope: isinstance(value, pd.Index))
mark = Rule("a mark", lambda value, scope: is_whole(value) and 0 <= value < 2**64)
point_weights = Rule(
    "weights (m)",
    lambda value, scope: any(
        rule.holds(value, scope) for rule in (counts("m"), numbers("m", least=0.0, double=True))
    ),
)
kernel = part(Kernel)
unit = positive

RECORDS: dict[str, Declaration] = {
    "Table": Declaration(
        {
            "values": rows,
            "index": maybe(index),
            "columns": maybe(every(anything)),
            "reader": maybe(part(Kernel, Gower)),
        },
        (ties.table,),
    ),
    "Training": Declaration(
        {
            "kind": text("table", "square", "objects", "blocks", "gram", "gone"),
            "table": maybe(part(Table)),
            "n": whole(1, "n"),
            "weights": maybe(numbers("n", least=0.0, double=True)),
            "like": maybe(Rule("an array", lambda value, scope: is_array(value))),
            "mark": maybe(mark),
        },
        (ties.training,),
    ),
    "Spectrum": Declaration(
        {
            "values": numbers("q", double=True),
            "vectors": numbers("m", "q"),
            "total": finite,
            "residuals": numbers("q", least=0.0, double=True),
            "solver": text(),
            "negative": number(0.0),
            "beyond": maybe(finite),
            "tied": every(every(whole(1), tuple)),
            "image": maybe(numbers("m", "q")),
            "modulus": maybe(numbers("m", least=0.0)),
        },
        (ties.spectrum,),
    ),
    "Centering": Declaration(
        {"p": numbers("n", least=0.0), "means": numbers("n"), "grand": finite}, (ties.centering,)
    ),
    "Embedding": Declaration(
        {
            "spectrum": part(Spectrum),
            "coordinates": numbers("n", "q"),
            "distance2": numbers("n", least=0.0),
            "coefficients": numbers(None, "q"),
            "centering": maybe(part(Centering)),
            "unit": unit,
            "modulus": maybe(numbers("n", least=0.0)),
        },
        (ties.embedding,),
    ),
    "Places": Declaration(
        {
            "coordinates": numbers("n", "q"),
            "distance2": numbers("n", nan=True),
            "modulus": maybe(numbers("n")),
        }
    ),
    "Standard": Declaration(
        {
            "mean": numbers("p"),
            "deviation": numbers("p", nan=True, least=0.0),
            "factor": numbers("p", least=0.0),
            "unit": unit,
            "varying": whole(1),
        }
    ),
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
    "Principal": Declaration(
        {"spectrum": part(Spectrum), "standard": part(Standard), "features": part(FeatureMap)},
        (ties.principal,),
    ),
    "GramModel": Declaration(
        {
            "operator": part(Gram),
            "embedding": part(Embedding),
            "shift": maybe(numbers("q")),
        },
        (model_ties.gram_model,),
    ),
    "FeatureModel": Declaration(
        {
            "principal": part(Principal),
            "shift": maybe(numbers("q")),
            "embedding": maybe(part(Embedding)),
        },
        (model_ties.feature_model,),
    ),
    "MapModel": Declaration(
        {
            "embedding": part(Embedding),
            "arrangement": part(Arrangement),
            "fit": part(Fit),
            "curve": maybe(part(Curve)),
            "scaling": part(Scaling),
            "distance": maybe(part(Distance)),
            "rows": rows,
            "weights": maybe(numbers("n", least=0.0, double=True)),
            "shift": maybe(numbers("q")),
        },
        (model_ties.map_model,),
    ),
    "Record": Declaration(
        {"training": part(Training), "model": part(Model)},
        (model_ties.record,),
        {"embedding": kept_embedding, "places": part(Places), "coordinates": numbers(None, None)},
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
    "Objects": Declaration({"items": every(anything)}, (graphs_agree,)),
    "Blocks": Declaration({"blocks": every(rows, dict), "columns": anything}, (ties.blocks,)),
    "GivenRows": Declaration(
        {"values": numbers("n", None), "positions": counts("n"), "diag": numbers("n")},
        (ties.given_rows,),
    ),
    "Combination": Declaration(
        {
            "kernels": every(kernel, dict, "B"),
            "weights": numbers("B", least=0.0, double=True),
            "scales": numbers("B", double=True),
            "inertias": numbers("B", double=True),
            "inner": numbers("B", "B", double=True),
        },
        (ties.combination,),
    ),
    "Stream": Declaration(
        {
            "moments": part(Moments),
            "n": whole(1),
            "like": Rule("an array", lambda value, scope: is_array(value)),
            "seen": every(anything, dict),
        },
        (ties.stream,),
    ),
    "GoodnessOfFit": Declaration(
        {"signed": number(nan=True), "positive": number(nan=True)},
    ),
}
