"""What scikit-learn's estimators are called here: their parameters in our words, and the line."""

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial, wraps
from typing import Any, Self, TypeVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, as_kind
from gramian._core.check import is_number, short, warn
from gramian.errors import FitIgnoredWarning, InputError, InputTypeError
from gramian.kernels import (
    Chi2,
    Cosine,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Polynomial,
    Sigmoid,
    as_kernel,
)

Options = dict[str, Any]
Init = TypeVar("Init", bound=Callable[..., None])

_SOLVERS = {"auto": "auto", "dense": "dense", "arpack": "krylov", "randomized": "krylov"}
_SVD_SOLVERS = {"auto": "auto", "full": "auto", "covariance_eigh": "covariance", "arpack": "krylov"}
_SVD_SOLVERS |= {"randomized": "krylov"}
_STARTS = {"classical_mds": "classical", "random": "random", "warn": "classical"}
# Parameters of kernels that scikit-learn's estimators have themselves, and where they are here.
KERNEL_PARAMETERS = {
    "gamma": "Gaussian(gamma",
    "degree": "Polynomial(degree",
    "coef0": "Polynomial(offset",
}
# Words of prince, FactoMineR, vegan and others → ours.
_SYNONYMS = {"rescale_with_std": "scale", "scale_unit": "scale", "standardize": "scale"}
_SYNONYMS |= {"ncp": "n_components", "k": "n_components", "n_axes": "n_components"}
_SYNONYMS |= {"dissimilarity": "metric", "n_iter": "max_iter", "seed": "random_state"}
_SYNONYMS |= {"n_components": "rank"}
_DISSIMILARITIES = {name: name for name in ("euclidean", "precomputed", "deprecated")}


class FromSklearn:
    """An estimator that can be made of scikit-learn's."""

    @classmethod
    def from_sklearn(cls, estimator: object = None, /, **options: object) -> Self:
        """Return this estimator with the meaning that scikit-learn gives to its own parameters.

        Parameters
        ----------
        estimator : estimator of scikit-learn, or a dict of its parameters, optional
            Only its parameters are read, with a `FitIgnoredWarning` where it is fitted:
            `gm.read_map(estimator, X)` keeps a fit.
        **options
            Parameters of scikit-learn's estimator, which override those of `estimator`.

        Returns
        -------
        estimator, not fitted
            Parameters that only control the computation (`n_jobs`, `iterated_power`, …) are
            ignored, and so is `fit_inverse_transform`: `inverse_transform` is always available.

        Examples
        --------
        >>> gm.KernelPCA.from_sklearn(n_components=2, kernel="rbf", gamma=0.5)
        KernelPCA(kernel=Gaussian(scale=1.0), n_components=2)
        """
        key = _key(cls)
        if not _has_counterpart(cls):
            raise InputTypeError(
                f"{cls.__name__} has no counterpart in scikit-learn: use gm.{key}.from_sklearn(…)"
            )
        given = _parameters(estimator, _SKLEARN_CLASS[key]) | options
        known = _SKLEARN_DEFAULTS[key]
        unknown = next((name for name in given if name not in known), None)
        if unknown is not None:
            raise InputTypeError(
                f"{short(unknown)} is not a parameter of scikit-learn's {_SKLEARN_CLASS[key]}: use "
                f"some of {', '.join(known)}"
            )
        return cls(**_TRANSLATIONS[key](known | given))


def _key(cls: type) -> str:
    """Return the name of the class here that has a counterpart there."""
    names = [base.__name__ for base in cls.__mro__ if issubclass(base, FromSklearn)]
    return next(name for name in names if name in _SKLEARN_DEFAULTS)


def _has_counterpart(cls: type) -> bool:
    """Whether a class takes what the options of scikit-learn's class mean here."""
    if not issubclass(cls, FromSklearn):
        return False
    own, key = inspect.signature(cls).parameters, _key(cls)
    return all(name in own for name in _TRANSLATIONS[key](_SKLEARN_DEFAULTS[key]))


def _parameters(estimator: object, theirs: str) -> Options:
    if estimator is None:
        return {}
    if isinstance(estimator, Mapping):
        return dict(estimator)
    if type(estimator).__name__ != theirs or not hasattr(estimator, "get_params"):
        raise InputTypeError(
            f"estimator={short(estimator)} must be a {theirs} of scikit-learn, or its parameters "
            "as a dict or by name"
        )
    if any(name.endswith("_") and not name.startswith("_") for name in vars(estimator)):
        warn(
            f"from_sklearn reads the parameters of the fitted {theirs}, not its fit: call fit, or "
            f"use gm.read_map({theirs.lower()}, X) to keep it",
            FitIgnoredWarning,
        )
    return dict(estimator.get_params(deep=False))


def explain_foreign_names(init: Init) -> Init:
    """Let a constructor that is given the names of other libraries say what to write."""

    own = inspect.signature(init).parameters

    @wraps(init)
    def wrapper(self: object, *arguments: object, **options: object) -> None:
        foreign = next((key for key in options if key not in own), None)
        if foreign is not None and not any(p.kind is p.VAR_KEYWORD for p in own.values()):
            first = list(own)[1 : 1 + len(arguments)]
            theirs = dict(zip(first, arguments, strict=False)) | options
            raise InputTypeError(_explanation(type(self), list(own)[1:], foreign, theirs))
        init(self, *arguments, **options)

    return wrapper  # type: ignore[return-value]


def _explanation(cls: type, own: list[str], foreign: str, options: Options) -> str:
    """Return what to write in place of a parameter that a class does not have."""
    if _has_counterpart(cls) and foreign in _SKLEARN_DEFAULTS[_key(cls)]:
        text = f"{foreign}={short(options[foreign])} is scikit-learn's: "
        if _key(cls) == "KernelPCA" and "kernel" not in options:
            text += "its kernel is linear by default: "
            if foreign in KERNEL_PARAMETERS:  # of the usual kernel that has it
                text = f"{text[:-2]} and ignores {foreign}, others do not: "
                options = options | {"kernel": "rbf" if foreign == "gamma" else "poly"}
        return text + _line(cls, options)
    if foreign in KERNEL_PARAMETERS and "kernel" in own:
        return (
            f"{foreign}={short(options[foreign])} is a parameter of the kernel: write "
            f"{cls.__name__}(kernel=gm.kernels.{KERNEL_PARAMETERS[foreign]}=…))"
        )
    word = _SYNONYMS.get(foreign)
    near = [word] if word in own else get_close_matches(foreign, own, 1)
    hint = f"use {near[0]}=" if near else f"its parameters are {', '.join(own)}"
    return f"{cls.__name__} has no parameter {short(foreign)}: {hint}"


def _line(cls: Any, options: Options) -> str:
    """Return the line to write for scikit-learn's options, or what is wrong with them."""
    try:
        known = _SKLEARN_DEFAULTS[_key(cls)]
        made = cls.from_sklearn(**{k: v for k, v in options.items() if k in known})
    except (InputError, InputTypeError) as error:
        return str(error)[:300]
    usual = {k: p.default for k, p in inspect.signature(cls).parameters.items()}
    ours = {k: v for k, v in options.items() if k in usual and k not in known}
    own = made.get_params(deep=False) | ours
    parts = [f"{k}={_literal(v, options)}" for k, v in own.items() if not _same(v, usual[k])]
    return f"write gm.{cls.__name__}({', '.join(parts)})"


def _same(a: object, b: object) -> bool:
    return type(a) is type(b) and isinstance(a, str | int | float | bool | None) and a == b


def _literal(value: object, options: Options) -> str:
    """Write a value as it would be typed."""
    if isinstance(value, Gaussian | Laplacian | Chi2) and options.get("gamma") is not None:
        return f"gm.kernels.{type(value).__name__}(gamma={options['gamma']!r})"
    if isinstance(value, Kernel):
        return f"gm.kernels.{value!r}"
    if isinstance(value, partial):
        metric = value.keywords["metric"]
        if value.func.__name__ == "pairwise_distances":
            words = ", ".join(f"{name}={each!r}" for name, each in value.keywords.items())
            return f"functools.partial(sklearn.metrics.pairwise_distances, {words})"
        if isinstance(metric, str):
            return f"sklearn.metrics.pairwise.{metric}_kernel"
        return "lambda X, Y: [[f(x, y) for y in Y] for x in X]"
    return repr(value)


def _gaussian(o: Options) -> Kernel:
    return Gaussian("columns") if o["gamma"] is None else Gaussian.from_gamma(o["gamma"])


def _laplacian(o: Options) -> Kernel:
    return Laplacian("columns" if o["gamma"] is None else 1.0 / _number(o["gamma"], "gamma"))


def _polynomial(o: Options) -> Kernel:
    degree = 3 if o["degree"] is None else o["degree"]
    return Polynomial(degree, _offset(o), "columns" if o["gamma"] is None else o["gamma"])


def _offset(o: Options) -> float:
    return 1.0 if o["coef0"] is None else _number(o["coef0"], "coef0", zero=True)


def _number(value: Any, name: str, *, zero: bool = False) -> float:
    if not is_number(value) or (value <= 0 and not zero):
        raise InputError(f"{name}={short(value)} must be a{'' if zero else ' positive'} number")
    return float(value)


_KERNELS: dict[str, Callable[[Options], Any]] = {
    "linear": lambda o: Linear(),
    "rbf": _gaussian,
    "poly": _polynomial,
    "polynomial": _polynomial,
    "sigmoid": lambda o: Sigmoid("columns" if o["gamma"] is None else o["gamma"], _offset(o)),
    "cosine": lambda o: Cosine(),
    "laplacian": _laplacian,
    "precomputed": lambda o: "precomputed",
    "chi2": lambda o: Chi2(gamma=o["gamma"]),
    "additive_chi2": lambda o: _pairwise("additive_chi2", {}),
}


def _pairwise(metric: str | Callable[..., Any], options: Options) -> Callable[..., Any]:
    from sklearn.metrics.pairwise import pairwise_kernels

    return partial(pairwise_kernels, metric=metric, **options)


def _kernel(o: Options) -> Kernel | str | Callable[..., Any]:
    """Return the kernel meant by scikit-learn's options."""
    kernel = o["kernel"]
    # Ours, or one of its Gaussian processes; a class is refused there.
    if isinstance(kernel, Kernel | type) or hasattr(kernel, "is_stationary"):
        return as_kernel(kernel)
    if callable(kernel):  # of two rows
        return _pairwise(kernel, dict(o["kernel_params"] or {}))
    if not isinstance(kernel, str) or kernel not in _KERNELS:
        raise InputError(f"kernel={short(kernel)} must be one of {', '.join(_KERNELS)}")
    return _KERNELS[kernel](o)


def kernel_of(estimator: BaseEstimator) -> Kernel | str:
    """Return the kernel of an estimator of scikit-learn's, or "precomputed"."""
    kernel = _kernel(_SKLEARN_DEFAULTS["KernelPCA"] | estimator.get_params(deep=False))
    return kernel if isinstance(kernel, str) else as_kernel(kernel)


def _word(o: Options, name: str, words: dict[str, str]) -> str:
    if not isinstance(o[name], str) or o[name] not in words:
        raise InputError(f"{name}={short(o[name])} must be one of {', '.join(words)}")
    return words[o[name]]


def _kernel_pca(o: Options) -> Options:
    kernel = _kernel(o)
    made = {"n_components": o["n_components"], "kernel": kernel}
    made |= {"solver": _word(o, "eigen_solver", _SOLVERS), "random_state": o["random_state"]}
    if is_number(o["tol"]) and o["tol"] > 0:
        made["tol"] = o["tol"]
    # scikit-learn leaves negative eigenvalues out without a word: so does clipping.
    return made | ({"indefinite": "clip"} if isinstance(kernel, Sigmoid) else {})


def _pca(o: Options) -> Options:
    from gramian._estimators.pca import PCA

    # Options of one name mean the same in both.
    shared = [name for name in inspect.signature(PCA).parameters if name in o]
    return {name: o[name] for name in shared} | {"solver": _word(o, "svd_solver", _SVD_SOLVERS)}


def _nystrom(o: Options) -> Options:
    made = {"rank": o["n_components"], "kernel": _kernel(o), "landmarks": "uniform"}
    return made | {"random_state": o["random_state"]}


def _metric(metric: Any, params: Options | None) -> Any:
    """Return a metric of scikit-learn with its parameters."""
    if params is None:
        return metric
    if not isinstance(params, Mapping):
        raise InputError(f"metric_params={short(params)} must be a dict of parameters, or None")
    from sklearn.metrics import pairwise_distances

    return partial(pairwise_distances, metric=metric, **params)


def _classical_mds(o: Options) -> Options:
    metric = _metric(o["metric"], o["metric_params"])
    return {"n_components": o["n_components"], "metric": metric}


def _mds(o: Options) -> Options:
    if not isinstance(o["init"], str) or o["init"] not in _STARTS:  # scikit-learn has it in fit
        raise InputError(
            f"init={short(o['init'])} must be 'classical_mds' or 'random': give points, an array "
            "(n, q), as start= of gm.MDS"
        )
    is_metric, metric = o["metric_mds"] is True, o["metric"]
    if isinstance(metric, bool):  # whether scaling is metric, as it was called before
        is_metric, metric = metric, "euclidean"
    if _word(o, "dissimilarity", _DISSIMILARITIES) == "precomputed":
        metric = "precomputed"
    made = {name: o[name] for name in ("n_components", "max_iter", "random_state")}
    made |= {"start": _STARTS[o["init"]], "tol": o["eps"]}
    made["metric"] = _metric(metric, o["metric_params"])
    made["scaling"] = "ratio" if is_metric else "ordinal"
    if is_number(o["n_init"]):
        made["n_init"] = int(o["n_init"])
    return made


_SKLEARN_CLASS = {"KernelPCA": "KernelPCA", "PCA": "PCA", "Nystrom": "Nystroem", "MDS": "MDS"}
_SKLEARN_CLASS |= {"ClassicalMDS": "ClassicalMDS"}
_TRANSLATIONS: dict[str, Callable[[Options], Options]] = {
    "KernelPCA": _kernel_pca,
    "PCA": _pca,
    "Nystrom": _nystrom,
    "MDS": _mds,
    "ClassicalMDS": _classical_mds,
}
_KERNEL_DEFAULTS: Options = dict.fromkeys(("gamma", "kernel_params", "n_jobs", "random_state"))
# estimator here → the parameters of scikit-learn's, with their defaults
_SKLEARN_DEFAULTS: dict[str, Options] = {
    "KernelPCA": _KERNEL_DEFAULTS
    | {"n_components": None, "kernel": "linear", "degree": 3, "coef0": 1, "alpha": 1.0}
    | {"fit_inverse_transform": False, "eigen_solver": "auto", "tol": 0, "max_iter": None}
    | {"iterated_power": "auto", "remove_zero_eig": False, "copy_X": True},
    "PCA": {"n_components": None, "copy": True, "whiten": False, "svd_solver": "auto", "tol": 0.0}
    | {"iterated_power": "auto", "n_oversamples": 10, "power_iteration_normalizer": "auto"}
    | {"random_state": None},
    "Nystrom": _KERNEL_DEFAULTS
    | {"kernel": "rbf", "coef0": None, "degree": None, "n_components": 100},
    "MDS": {"n_components": 2, "metric_mds": True, "n_init": "warn", "init": "warn"}
    | {"max_iter": 300, "verbose": 0, "eps": 1e-6, "n_jobs": None, "random_state": None}
    | {"dissimilarity": "deprecated", "metric": "euclidean", "metric_params": None}
    | {"normalized_stress": "auto"},
    "ClassicalMDS": {"n_components": 2, "metric": "euclidean", "metric_params": None},
}


class SklearnNames:
    """What scikit-learn's KernelPCA calls its results."""

    kernel_: Kernel

    @property
    def eigenvectors_(self) -> Array:
        """The eigenvectors of the centred Gram matrix, (n, q): scikit-learn's name for them.

        Only rows with a weight have an entry; scikit-learn's eigenvalues are n times
        `eigenvalues_`.
        """
        fit = self._record("eigenvectors_")  # type: ignore[attr-defined]
        e, p = fit.embedding, fit.training.active()[1]
        Z = e.coordinates / as_kind(np.sqrt(np.abs(e.spectrum.values)), e.coordinates)[None, :]
        root = np.full(Z.shape[0], Z.shape[0] ** -0.5) if p is None else np.sqrt(p)
        return Z * as_kind(root, Z)[:, None]

    @property
    def X_fit_(self) -> Array:
        """The rows of the fit: scikit-learn's name for them."""
        return self._record("X_fit_").training.rows  # type: ignore[attr-defined]

    @property
    def gamma_(self) -> float:
        """scikit-learn's γ, of a kernel that has one there: 1/(2·scale²) for the Gaussian."""
        check_is_fitted(self)
        kernel = self.kernel_
        if not hasattr(kernel, "gamma"):
            raise AttributeError(f"gamma_: {type(kernel).__name__} has no γ in scikit-learn")
        return float(kernel.gamma)
