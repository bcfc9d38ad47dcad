"""The closed list of classes that a model file may name.

It holds the estimators of the library, their records, the kernels that are registered, some classes
of scikit-learn, and what a user registers here. A name is never given to another class: old files
use it. A file only says which class; nothing that it names is imported from elsewhere.

The classes of scikit-learn are those that stand before our estimators in a `Pipeline`, and what
combines them. Their state is numbers, texts and estimators, and setting it runs none of their code.
Only what they rely on is declared; other attributes come back as they were.
"""

from functools import cache
from importlib import import_module
from typing import Annotated, Any, get_type_hints

import numpy as np

from gramian._core.array import Array
from gramian._core.check import text
from gramian.errors import InputError, InputTypeError
from gramian.kernels import Kernel
from gramian.kernels.registry import KERNELS

# module → classes of what fitted estimators hold. Their annotations say what their parts are.
_RECORDS = {
    "_core.pairs": ["Points"],
    "_core.table": ["Table"],
    "distances.corrections": ["GoodnessOfFit"],
    "distances.mixed": ["Gower", "_Column"],
    "_core.embedding.models": ["FeatureModel", "Record"],
    "_core.embedding.pipeline": ["Embedding", "GramModel", "Places"],
    "_core.embedding.principal": ["Principal", "Standard"],
    "_core.embedding.training": ["Training"],
    "_core.chunked.operators": ["Stream"],
    "_estimators.rotated": ["Rotated"],
    "_estimators.scaling.distances": ["Distance"],
    "_estimators.scaling.map": ["MapModel", "Scaling"],
    "_estimators.several.combination": ["Combination"],
    "_core.features.lowrank": ["ApproximateFeatures", "AxesMap", "FourierMap", "LandmarkMap"],
    "_estimators.imputation.iterate": ["Filler"],
    "kernels.blocks": ["Blocks", "Given", "GivenRows", "OnBlock"],
    "kernels.graph": ["Graph"],
    "kernels.objects": ["Objects"],
    "kernels.pullback": ["Rooted", "Shifted"],
    "_core.operators.gram": ["Centering", "DenseGram"],
    "_core.operators.feature": ["FeatureMap"],
    "_core.operators.moments": ["Moments"],
    "_core.operators.variants": ["DistanceGram", "SquareGram"],
    "_core.operators.tiled": ["TiledGram"],
    "_reading.coding": ["Coding", "Variable"],
    "_reading.correspondence": ["Counts"],
    "_reading.grouping": ["Grouping"],
    "_core.spectral.spectrum": ["Completeness", "Spectrum"],
    "_estimators.stress.arrange": ["Arrangement"],
    "_estimators.stress.maps": ["Curve", "Fit"],
}
_MODULE_OF = {name: module for module, names in _RECORDS.items() for name in names}
# These modules fill the list of kernels.
_KERNEL_MODULES = {
    "kernels": "gramian.kernels",
    "graph": "gramian.kernels.graph",
    "sequence": "gramian.kernels.sequence",
}
_REGISTERED: dict[str, type] = {}  # those of the user's own

_Columns = Annotated[Array, "(p,)", "nan"]
_Numbers = Annotated[np.ndarray, "(p,)", "nan"]
_Positions = Annotated[np.ndarray, "(k)", "whole", ">= 0"]


_FITTED: dict[str, Any] = {
    "n_features_in_": Annotated[int, "p", ">= 1"] | None,
    "feature_names_in_": np.ndarray | None,
}
_COLUMN_TRANSFORMER = {
    "transformers_": list[tuple[str, Any, Any]],
    "output_indices_": dict[str, slice],
    "sparse_output_": bool,
}
_ENCODER = _FITTED | {"categories_": list[np.ndarray]}


def _columns(*names: str, hint: Any = _Columns) -> dict[str, Any]:
    return _FITTED | dict.fromkeys(names, hint)


# class → its module, and the fitted attributes that it relies on
_SCIKIT_LEARN: dict[str, tuple[str, dict[str, Any]]] = {
    "Pipeline": ("pipeline", {}),
    "FeatureUnion": ("pipeline", {}),
    "ColumnTransformer": ("compose", _FITTED | _COLUMN_TRANSFORMER),
    "StandardScaler": ("preprocessing", _columns("mean_", "var_", "scale_", hint=_Columns | None)),
    "MinMaxScaler": ("preprocessing", _columns("min_", "scale_", "data_min_", "data_max_")),
    "MaxAbsScaler": ("preprocessing", _columns("max_abs_", "scale_")),
    "RobustScaler": ("preprocessing", _columns("center_", "scale_", hint=_Columns | None)),
    "PowerTransformer": ("preprocessing", _columns("lambdas_", hint=_Numbers)),
    "Normalizer": ("preprocessing", _FITTED),
    "FunctionTransformer": ("preprocessing", _FITTED),
    "OneHotEncoder": ("preprocessing", _ENCODER),
    "OrdinalEncoder": ("preprocessing", _ENCODER),
    "SimpleImputer": ("impute", _FITTED | {"statistics_": np.ndarray}),
    "MissingIndicator": ("impute", _FITTED | {"features_": _Positions}),
}


def enter(cls: Any, name: str | None) -> Any:
    """Put an estimator class of the user's own in the list, and return it."""
    from sklearn.base import BaseEstimator

    if not isinstance(cls, type) or not issubclass(cls, BaseEstimator):
        is_kernel = isinstance(cls, type) and issubclass(cls, Kernel)
        remedy = "use gm.kernels.register" if is_kernel else "derive it from one, such as gm.PCA"
        raise InputTypeError(f"cls: {cls!r:.80} is not an estimator class: {remedy}")
    if is_scikit_learn(cls) or library_class(cls.__name__) is cls:
        raise InputError(f"cls: {cls.__name__} is known already: save it as it is")
    word = cls.__name__ if name is None else text(name, "name")
    old = _REGISTERED.get(word, cls)
    if (old.__module__, old.__qualname__) != (cls.__module__, cls.__qualname__):
        raise InputError(
            f"name: {word[:60]!r} belongs to {old.__module__}.{old.__qualname__}: register "
            f"{cls.__name__} under another name"
        )
    _REGISTERED[word] = cls
    return cls


def is_ours(cls: type) -> bool:
    """Whether a class is the library's own."""
    return cls.__module__.partition(".")[0] == "gramian"


def name_of(cls: type) -> str | None:
    """Return the name of a class in the list, or None."""
    if is_ours(cls) and library_class(cls.__name__) is cls:
        return cls.__name__
    if is_scikit_learn(cls):
        return f"sklearn.{cls.__name__}"
    names = {entry.cls: key for key, entry in KERNELS.items()}
    names |= {known: f"registered.class.{word}" for word, known in _REGISTERED.items()}
    return names.get(cls)


@cache
def library_class(name: str) -> type | None:
    """Return an estimator or a record of the library by its name."""
    import gramian

    if name in _MODULE_OF:
        return getattr(import_module(f"gramian.{_MODULE_OF[name]}"), name)
    is_public = name in gramian.__all__ and name[:1].isupper()
    return getattr(gramian, name) if is_public else None


def class_named(name: str) -> type | None:
    """Return the class of a name in the list, or None."""
    if name in _MODULE_OF or "." not in name:
        return library_class(name[:100])
    room, _, word = name.partition(".")
    if room == "sklearn":
        return scikit_learn_class(word)
    if room in _KERNEL_MODULES:
        import_module(_KERNEL_MODULES[room])
    if name in KERNELS:
        return KERNELS[name].cls
    return _REGISTERED.get(name.removeprefix("registered.class."))


def base_name(cls: type) -> str | None:
    """Return the name of the nearest class of the library that a class is derived from."""
    return next((base.__name__ for base in cls.__mro__ if is_ours(base) and name_of(base)), None)


def scikit_learn_class(name: str) -> type | None:
    """Return the class of scikit-learn with this name, if it is in the list."""
    if name not in _SCIKIT_LEARN:
        return None
    return getattr(import_module(f"sklearn.{_SCIKIT_LEARN[name][0]}"), name)


def is_scikit_learn(cls: type) -> bool:
    """Whether a class is one of scikit-learn's in the list, and not another of the same name."""
    return cls.__module__.startswith("sklearn.") and scikit_learn_class(cls.__name__) is cls


def fitted_attributes(cls: type) -> dict[str, Any]:
    """Return the attributes, with their types, of the nearest class that the library knows."""
    for base in cls.__mro__:
        if is_scikit_learn(base):
            return _SCIKIT_LEARN[base.__name__][1]
        if is_ours(base):
            return get_type_hints(base, include_extras=True)
    return {}
