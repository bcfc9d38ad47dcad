"""The closed list of what a model file may hold, by the name under which it is written.

A new class joins with one line, a kernel by `gramian.kernels.register`. A name is never given to
another class: old files use it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from gramian.errors import InputError
from gramian.kernels.registry import KERNELS, key_of

__all__ = ["UFUNCS", "class_named", "name_of"]

# module → classes. Kernels are rebuilt from their parameters, the others from their attributes.
_CLASSES = {
    "gramian.estimators.pca": ["PCA"],
    "gramian.estimators.factors.correspondence": ["CA"],
    "gramian.estimators.factors.multiple_correspondence": ["MCA"],
    "gramian.estimators.factors.mixed_factors": ["FAMD"],
    "gramian.estimators.factors.multiple_factors": ["MFA"],
    "gramian.estimators.several.statis": ["DISTATIS", "STATIS"],
    "gramian.reading.coding": ["Coding", "Variable"],
    "gramian.reading.grouping": ["Grouping"],
    "gramian.reading.correspondence": ["Counts"],
    "gramian.estimators.kernel_pca": ["KernelPCA"],
    "gramian.estimators.nystrom": ["Nystrom", "RandomFourier"],
    "gramian.estimators.scaling.mds": ["ClassicalMDS"],
    "gramian.estimators.scaling.stress_mds": ["MDS"],
    "gramian.estimators.several.multi_kernel": ["MultiKernelPCA"],
    "gramian.estimators.predictors.logistic": ["KernelLogisticRegression"],
    "gramian.estimators.predictors.component_regression": ["PrincipalComponentRegression"],
    "gramian.estimators.predictors.component_classifier": ["PrincipalComponentClassifier"],
    "gramian.estimators.inside": ["Combination", "Distance", "MapModel", "Scaling", "Stream"],
    "gramian.embedding.training": ["Training"],
    "gramian.embedding.models": ["FeatureModel", "GramModel", "Places", "Record"],
    "gramian._validate": ["Table"],
    "gramian.imputation.filler": ["Filler"],
    "gramian.embedding.pipeline": ["Embedding"],
    "gramian.embedding.principal": ["Principal", "Standard"],
    "gramian.spectral.spectrum": ["Completeness", "Spectrum"],
    "gramian.operators.centering": ["Centering"],
    "gramian.operators.base": ["DenseGram"],
    "gramian.operators.square": ["DistanceGram", "SquareGram"],
    "gramian.operators.tiled": ["TiledGram"],
    "gramian.operators.moments": ["Moments"],
    "gramian.operators.feature": ["FeatureMap"],
    "gramian.features.axes": ["AxesMap"],
    "gramian.features.lowrank": ["ApproximateFeatures", "LandmarkMap"],
    "gramian.features.fourier": ["FourierMap"],
    "gramian.stress.arrange": ["Arrangement"],
    "gramian.stress.measures": ["Curve", "Fit"],
    "gramian.distances.corrections": ["GoodnessOfFit"],
    "gramian.distances.mixed": ["Gower", "_Column"],
    "gramian._pairs": ["Points"],
    "gramian.kernels.objects": ["Objects"],
    "gramian.kernels.blocks": ["Blocks", "Given", "GivenRows", "OnBlock"],
    "gramian.kernels.shifted": ["Rooted", "Shifted"],
}
# Kernels are in the list of `gramian.kernels.registry`; these modules fill it.
_KERNEL_MODULES = {
    "kernels": "gramian.kernels",
    "graph": "gramian.kernels.graph",
    "sequence": "gramian.kernels.sequence",
}

# Functions that a kernel may be pulled back by: they are NumPy's, so a name is enough.
UFUNCS = frozenset(
    [
        "abs",
        "absolute",
        "arcsinh",
        "arctan",
        "cbrt",
        "cos",
        "exp",
        "expm1",
        "log",
        "log10",
        "log1p",
        "log2",
        "negative",
        "reciprocal",
        "sign",
        "sin",
        "sinh",
        "sqrt",
        "square",
        "tanh",
    ]
)


@cache
def _places() -> dict[str, tuple[str, str]]:
    """Return where each name lives: name → (module, attribute)."""
    places = {name: (module, name) for module, names in _CLASSES.items() for name in names}
    return places | {"graph.Graph": ("gramian.kernels.graph", "Graph")}


def class_named(name: Any) -> type | None:
    """Return the class of a name in the list, or None."""
    place = _places().get(name) if isinstance(name, str) else None
    if place is not None:
        return getattr(import_module(place[0]), place[1])
    return _kernel_named(name) if isinstance(name, str) else None


def _kernel_named(key: str) -> type | None:
    """Return a kernel class by its key; the file only says which, it imports nothing of its own."""
    room, _, word = key.partition(".")
    if room in _KERNEL_MODULES:
        import_module(_KERNEL_MODULES[room])
    if key in KERNELS:
        return KERNELS[key].cls
    if room == "registered":
        raise InputError(
            f"the model file uses the kernel {word[:60]!r}, which is not registered here: import "
            "the module that registers it (gm.kernels.register), or name it with --plugin"
        )
    return None


@cache
def _candidates() -> dict[str, list[str]]:
    """Return the names that classes of one attribute name have."""
    candidates: dict[str, list[str]] = {}
    for name, (_, attribute) in _places().items():
        candidates.setdefault(attribute, []).append(name)
    return candidates


def name_of(cls: type) -> str | None:
    """Return the name of a class in the list, or None."""
    names = _candidates().get(cls.__name__, [])
    return next((name for name in names if class_named(name) is cls), key_of(cls))
