"""What every record of a model file must be: one line a part, and what ties the parts together.

`whole.require_whole` walks a model by this table. A class that is new to model files gets its lines
here; parts that have a default may be missing (older files do not have them).
"""

from __future__ import annotations

from gramian._validate import Table
from gramian.distances.mixed import Gower
from gramian.embedding import Embedding, Model, Places, Training
from gramian.embedding.principal import Principal, Standard
from gramian.estimators.inside import Distance, Scaling
from gramian.kernels import Kernel
from gramian.operators import Centering, Gram
from gramian.operators.feature import FeatureMap
from gramian.operators.moments import Moments
from gramian.reading.coding import Coding
from gramian.reading.correspondence import Counts
from gramian.reading.grouping import Grouping
from gramian.saving import model_ties, ties
from gramian.saving.declaration import (
    Declaration,
    an_array,
    index,
    kept_embedding,
    kernel,
    mark,
    rows,
    unit,
)
from gramian.saving.inner_records import INNER
from gramian.saving.rules import (
    anything,
    every,
    finite,
    flag,
    maybe,
    number,
    numbers,
    part,
    text,
    whole,
)
from gramian.spectral.spectrum import Completeness, Spectrum
from gramian.stress import Arrangement, Curve, Fit

__all__ = ["RECORDS"]

_FITS: dict[str, Declaration] = {
    "Table": Declaration(
        {
            "values": rows,
            "index": maybe(index),
            "columns": maybe(every(anything)),
            "reader": maybe(part(Kernel, Gower, Coding, Grouping, Counts)),
        },
        (ties.table,),
    ),
    "Training": Declaration(
        {
            "kind": text("table", "square", "objects", "blocks", "gram", "gone"),
            "table": maybe(part(Table)),
            "n": whole(1, "n"),
            "weights": maybe(numbers("n", least=0.0, double=True)),
            "like": maybe(an_array),
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
            "completeness": maybe(part(Completeness)),
        },
        (ties.spectrum,),
    ),
    "Completeness": Declaration(
        {"level": finite, "missed": number(0.0), "method": text(), "reached": flag}
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
            "like": an_array,
            "seen": every(anything, dict),
        },
        (ties.stream,),
    ),
    "GoodnessOfFit": Declaration(
        {"signed": number(nan=True), "positive": number(nan=True)},
    ),
}
RECORDS = _FITS | INNER
