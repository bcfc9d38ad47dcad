"""The classes of scikit-learn that model files may hold, and what they have once they are fitted.

They are those that stand before our estimators in a `Pipeline`, and what combines them. Each was
looked at: its state is numbers, texts and estimators, and rebuilding it runs none of its code. Only
what scikit-learn itself relies on is declared; other attributes come back as they were.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import numpy as np

from gramian._array import Array

_Columns = Annotated[Array, "(p,)", "nan"]


class _Fitted:
    n_features_in_: Annotated[int, "p", ">= 1"] | None
    feature_names_in_: np.ndarray | None


class _Pipeline:
    pass


class _StandardScaler(_Fitted):
    mean_: _Columns | None
    var_: _Columns | None
    scale_: _Columns | None


class _MinMaxScaler(_Fitted):
    min_: _Columns
    scale_: _Columns
    data_min_: _Columns
    data_max_: _Columns


class _MaxAbsScaler(_Fitted):
    max_abs_: _Columns
    scale_: _Columns


class _RobustScaler(_Fitted):
    center_: _Columns | None
    scale_: _Columns | None


class _PowerTransformer(_Fitted):
    lambdas_: Annotated[np.ndarray, "(p,)", "nan"]


class _SimpleImputer(_Fitted):
    statistics_: np.ndarray


class _MissingIndicator(_Fitted):
    features_: Annotated[np.ndarray, "(k)", "whole", ">= 0"]


class _Encoder(_Fitted):
    categories_: list[np.ndarray]


class _ColumnTransformer(_Fitted):
    transformers_: list[tuple[str, Any, Any]]
    output_indices_: dict[str, slice]
    sparse_output_: bool


_CLASSES: dict[str, tuple[str, type]] = {
    "Pipeline": ("pipeline", _Pipeline),
    "FeatureUnion": ("pipeline", _Pipeline),
    "ColumnTransformer": ("compose", _ColumnTransformer),
    "StandardScaler": ("preprocessing", _StandardScaler),
    "MinMaxScaler": ("preprocessing", _MinMaxScaler),
    "MaxAbsScaler": ("preprocessing", _MaxAbsScaler),
    "RobustScaler": ("preprocessing", _RobustScaler),
    "PowerTransformer": ("preprocessing", _PowerTransformer),
    "Normalizer": ("preprocessing", _Fitted),
    "FunctionTransformer": ("preprocessing", _Fitted),
    "OneHotEncoder": ("preprocessing", _Encoder),
    "OrdinalEncoder": ("preprocessing", _Encoder),
    "SimpleImputer": ("impute", _SimpleImputer),
    "MissingIndicator": ("impute", _MissingIndicator),
}


def scikit_learn_class(name: str) -> type | None:
    """Return the class of scikit-learn with this name, if it is one of those above."""
    if name not in _CLASSES:
        return None
    return getattr(import_module(f"sklearn.{_CLASSES[name][0]}"), name)


def is_scikit_learn(cls: type) -> bool:
    """Whether a class is one of those above, and not another of the same name."""
    return cls.__module__.startswith("sklearn.") and scikit_learn_class(cls.__name__) is cls


def fitted_attributes(cls: type) -> type | None:
    """Return the class whose annotations say what a fitted one of these has.

    >>> from sklearn.preprocessing import MaxAbsScaler
    >>> sorted(fitted_attributes(MaxAbsScaler).__annotations__)
    ['max_abs_', 'scale_']
    """
    return _CLASSES[cls.__name__][1] if is_scikit_learn(cls) else None
