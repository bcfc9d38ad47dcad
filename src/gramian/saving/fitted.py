"""What the attributes of a fitted estimator must be, parameters and results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._array import is_array
from gramian._check import is_number, is_whole
from gramian._pairs import Points
from gramian.distances.corrections import CORRECTIONS, GoodnessOfFit
from gramian.embedding import Record
from gramian.estimators.inside import MISSING, Combination, Stream
from gramian.features.lowrank import KernelMap
from gramian.imputation.filler import Filler
from gramian.kernels import Kernel
from gramian.kernels.registry import short_names
from gramian.saving.labels import device
from gramian.saving.rules import (
    Rule,
    Scope,
    anything,
    counts,
    every,
    flag,
    maybe,
    number,
    numbers,
    part,
    text,
    whole,
)
from gramian.spectral.solve import POLICIES
from gramian.stress import LOSSES, SCALINGS, TIES

__all__ = ["PARAMETERS", "RESULTS"]


def _either(words: str, *kinds: type) -> Rule:
    return Rule(words, lambda value, scope: isinstance(value, kinds))


def _is_axes(value: Any, scope: Scope) -> bool:
    return value is None or isinstance(value, str) or (is_number(value) and value == value)


def _is_seed(value: Any, scope: Scope) -> bool:
    kinds = np.random.Generator | np.random.RandomState | list | tuple | np.ndarray
    return value is None or is_whole(value) or isinstance(value, kinds)


def _is_device(value: Any, scope: Scope) -> bool:
    return isinstance(value, str) and bool(device(value))


def _is_approximation(value: Any, scope: Scope) -> bool:
    if not callable(getattr(value, "lowrank", None)):
        return False
    scope.visit(value)
    return True


def _is_kernel(value: Any, scope: Scope) -> bool:
    if isinstance(value, Kernel):
        scope.visit(value)
        return True
    return isinstance(value, str) and (value == "precomputed" or value in short_names())


def _is_list(value: Any, scope: Scope) -> bool:
    return is_array(value) or isinstance(value, list | tuple | pd.DataFrame | pd.Series)


def _is_metric(value: Any, scope: Scope) -> bool:
    return isinstance(value, str) or _is_kernel(value, scope)


def _is_table(value: Any, scope: Scope) -> bool:
    """Whether a value is the table of losses that cross-validation leaves."""
    good = isinstance(value, pd.DataFrame) and list(value.columns) == ["loss", "se"]
    return good and len(value) > 0 and bool(np.isfinite(value.to_numpy(dtype=float)).all())


kernel_or_name = Rule("a kernel or its name", _is_kernel)
array = Rule("an array", _is_list)
size = Rule(
    "a number of bytes, or such a text",
    lambda value, scope: isinstance(value, str) or (is_number(value) and value > 0),
)

# The parameters of all estimators: one name means one thing.
PARAMETERS: dict[str, Rule] = {
    "approximation": maybe(Rule("a Nystrom(…)", _is_approximation)),
    "balance": maybe(text("inertia", "norm", "axis")),
    "care": maybe(number(1.0)),
    "column_weight": maybe(array),
    "combine": text("statis", "mean", "umkl", "sparse-umkl"),
    "correction": maybe(text(*CORRECTIONS)),
    "device": maybe(Rule("a device", _is_device)),
    "formulation": text("centered", "span"),
    "groups": maybe(every(anything, dict)),
    "indefinite": text(*POLICIES),
    "kernel": kernel_or_name,
    "kernels": maybe(every(kernel_or_name, dict)),
    "kinds": maybe(every(anything, dict)),
    "landmarks": maybe(_either("landmarks", int, np.integer, str, list, tuple, np.ndarray)),
    "loss": text(*LOSSES),
    "max_iter": whole(1),
    "memory": maybe(size),
    "missing": text(*MISSING),
    "metric": Rule("a metric", _is_metric),
    "n_components": Rule("a number of axes", _is_axes),
    "n_folds": whole(1),
    "n_init": whole(1),
    "n_neighbors": whole(1),
    "pair_weight": maybe(_either("weights", str, list, tuple, np.ndarray, pd.DataFrame)),
    "penalty": number(0.0),
    "progress": flag,
    "random_state": Rule("a seed", _is_seed),
    "rank": number(0.0),
    "rare": number(0.0),
    "refine": flag,
    "ridge": number(0.0),
    "scale": flag,
    "scaling": text(*SCALINGS),
    "solver": text(),
    "start": _either("a start", str, list, tuple, np.ndarray, pd.DataFrame),
    "ties": text(*TIES),
    "tol": number(0.0),
}

_NAMES = Rule(
    "names of columns",
    lambda value, scope: (
        isinstance(value, np.ndarray)
        and value.dtype == object
        and scope.fits(("p",), value.shape)
        and all(isinstance(name, str) for name in value)
    ),
)
_OUTPUT = Rule(
    "what results are given in",
    lambda value, scope: (
        isinstance(value, dict)
        and set(value) <= {"transform"}
        and all(word in ("default", "pandas", "polars") for word in value.values())
    ),
)
# What scikit-learn and `Published` leave behind; none of it must be there.
COMMON: dict[str, Rule] = {
    "n_features_in_": maybe(whole(1, "p")),
    "feature_names_in_": maybe(_NAMES),
    "_published": maybe(every(text(), tuple)),
    "_sklearn_output_config": maybe(_OUTPUT),
}
# What follows from the record is compared with it, and may overflow: `estimators`.
_SPECTRAL: dict[str, Rule] = {
    "record_": part(Record),
    "filler_": maybe(part(Filler)),
    "n_components_": whole(1, "q"),
    **dict.fromkeys(("eigenvalues_", "inertia_", "inertia_ratio_", "residuals_"), anything),
    **dict.fromkeys(("negative_inertia_", "tied_axes_", "solver_"), anything),
}


def _is_idle(value: Any, scope: Scope) -> bool:
    """Whether a value is positions of columns and their correlations with the axes."""
    if not isinstance(value, tuple) or len(value) != 2:
        return False
    positions, correlations = counts("i", below="p"), numbers("i", "q", double=True)
    return positions.holds(value[0], scope) and correlations.holds(value[1], scope)


def _is_classes(value: Any, scope: Scope) -> bool:
    good = isinstance(value, np.ndarray) and value.ndim == 1 and value.size >= 2
    if not good or not np.array_equal(np.unique(value), value):
        return False
    return scope.fits(("c",), (1 if value.size == 2 else value.size,))


_STREAM: dict[str, Rule] = {
    "stream_": maybe(part(Stream)),
    "n_samples_seen_": maybe(whole(1)),
}
_APPROXIMATION: dict[str, Rule] = {
    "approximation_error_": maybe(number(0.0, nan=True)),
    "landmarks_": maybe(counts(None)),
}
_FEATURES: dict[str, Rule] = _APPROXIMATION | {
    "kernel_": part(Kernel),
    "rank_": whole(1, "r"),
    "_map": part(KernelMap),
    "_F": numbers(None, "r"),
}
_FACTORS: dict[str, Rule] = {"components_": numbers("q", None), "total_": number(0.0)}
_SEVERAL: dict[str, Rule] = {
    "kernel_": part(Kernel),
    "kernels_": every(part(Kernel), dict),
    "kernel_weights_": _either("weights", pd.Series),
    "rv_": _either("a table", pd.DataFrame),
    "combination_": part(Combination),
}
_CLASSIFIER: dict[str, Rule] = {
    "classes_": Rule("classes", _is_classes),
    "intercept_": numbers("c", double=True),
    "penalty_": number(0.0),
    "n_iter_": whole(0),
}
_COMPONENTS: dict[str, Rule] = {
    "decomposition_": anything,  # an estimator: looked at by `estimators`
    "kernel_": part(Kernel),
    "n_components_": whole(1, "q"),
    "cv_results_": maybe(Rule("a table of losses", _is_table)),
}

# estimator → its results; those that may be None may also be missing
RESULTS: dict[str, dict[str, Rule]] = {
    "PCA": COMMON
    | _SPECTRAL
    | {
        "components_": numbers("q", "p"),
        "mean_": numbers("p"),
        "scale_": maybe(numbers("p")),
        "explained_variance_": anything,
        "singular_values_": anything,
        "_idle": Rule("columns without a weight", _is_idle),
    }
    | _STREAM,
    **dict.fromkeys(("CA", "FAMD", "MCA"), COMMON | _SPECTRAL | _FACTORS),
    "MFA": COMMON
    | _SPECTRAL
    | _FACTORS
    | {"first_eigenvalues_": numbers("G", least=0.0, double=True)},
    "KernelPCA": COMMON | _SPECTRAL | _APPROXIMATION | _STREAM | {"kernel_": part(Kernel)},
    **dict.fromkeys(("DISTATIS", "MultiKernelPCA", "STATIS"), COMMON | _SPECTRAL | _SEVERAL),
    "ClassicalMDS": COMMON
    | _SPECTRAL
    | {"goodness_of_fit_": part(GoodnessOfFit), "correction_constant_": anything},
    "MDS": COMMON
    | _SPECTRAL
    | {
        "stress_": anything,
        "raw_stress_": anything,
        "stress_per_point_": anything,
        "n_iter_": whole(0),
        "converged_": flag,
        "history_": numbers(None, least=0.0, double=True),
        "start_stresses_": numbers(None, least=0.0, double=True),
    },
    "Nystrom": COMMON | _FEATURES,
    "RandomFourier": COMMON | _FEATURES,
    "KernelLogisticRegression": COMMON
    | _CLASSIFIER
    | {
        "kernel_": part(Kernel),
        "_points": maybe(part(Points)),
        "_map": maybe(part(KernelMap)),
        "dual_coef_": maybe(numbers("n", "c", double=True)),
        "coef_": maybe(numbers(None, "c", double=True)),
        "approximation_error_": maybe(number(0.0, nan=True)),
    },
    "PrincipalComponentRegression": COMMON
    | _COMPONENTS
    | {"coef_": anything, "intercept_": anything},
    "PrincipalComponentClassifier": COMMON
    | _COMPONENTS
    | _CLASSIFIER
    | {"coef_": numbers("q", "c", double=True)},
}
