"""From the words of a command line to an estimator."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from gramian._study.language import Count, Sentence, Setting
from gramian.cli.errors import Failure

if TYPE_CHECKING:  # commands import what they use, when they use it
    import pandas as pd

    from gramian import CA, FAMD, MCA, MDS, MFA, PCA, ClassicalMDS, KernelPCA
    from gramian.io import Source
    from gramian.kernels import Kernel

    Estimator: TypeAlias = CA | FAMD | MCA | MDS | MFA | PCA | ClassicalMDS | KernelPCA

_FACTOR_METHODS = ("ca", "mca", "famd", "mfa")
_METHODS_OF_OPTION = {
    "scale": ("pca",),
    "kernel": ("kernel-pca",),
    "nystrom": ("kernel-pca",),
    "indefinite": ("kernel-pca",),
    "device": ("kernel-pca",),
    "metric": ("classical-mds", "mds"),
    "correction": ("classical-mds",),
    "scaling": ("mds",),
}


def _number(text: str) -> int | float | str:
    """Return a text as a number where it is one."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _value(text: str) -> int | float | str | bool | None:
    words = {"true": True, "false": False, "none": None}
    return words[text.lower()] if text.lower() in words else _number(text)


def kernel(text: str, kind: str) -> Kernel:
    """Return the kernel written as name or name:parameter=value,…, for a kind of data."""
    from gramian import kernels
    from gramian.kernels.registry import kernel_class, short_names

    if kind != "table":  # the kernels of these kinds are registered where they are imported
        getattr(kernels, "graph" if kind == "graphs" else "sequence")
    name, _, rest = text.partition(":")
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().replace("-", "_")
    cls = kernel_class(name, kind)
    if cls is None:
        raise Failure("kernel", 3, name=repr(name), known=", ".join(short_names(kind)))
    pairs = [part.partition("=") for part in rest.split(",") if part]
    try:
        chosen = cls(**{key.strip(): _value(value.strip()) for key, _, value in pairs})
    except TypeError as error:
        raise Failure("kernel.reason", 3, name=repr(text), reason=str(error)) from error
    return chosen if kind == "table" else chosen.normalized()


@dataclass(frozen=True)
class Plan:
    """What is fitted to what, and what is placed afterwards."""

    model: Estimator
    X: Any  # a data frame, or graphs or sequences
    groups: pd.DataFrame | None = None
    supplementary: pd.DataFrame | None = None
    chosen: Sentence | None = None  # why this method, where none was requested


def plan_of(source: Source, options: dict[str, Any]) -> Plan:
    """Return what the options ask for, or what suits the data."""
    from gramian._study.methods import method_of, settings_of
    from gramian._study.subject import table_subject

    asked = options["method"] or "auto"
    scale = options["scale"] is not False or asked not in _FACTOR_METHODS
    by_names = bool(options["groups_from_names"])
    settings = settings_of(asked, scale=scale, groups_from_names=by_names)
    method = method_of(source, settings)
    model = estimator(source.kind, options, method.name)
    if method.name not in _FACTOR_METHODS:
        _refuse_missing(source)
        table = source.kind == "table"
        outside = (source.groups(), source.supplementary()) if table else (None, None)
        if source.holes is not None and "missing" in model.get_params():
            # The model fills them in by itself, and then those of new rows too.
            model.set_params(missing="iterative")
            return Plan(model, source.data.mask(source.holes[source.data.columns]), *outside)
        return Plan(model, source.data, *outside)
    if method.name != "mca":
        _refuse_missing(source)
    subject = table_subject(source, method, settings, ())
    if method.name == "mfa":
        model.set_params(groups=subject.estimator.groups)
    return Plan(model, subject.X, subject.groups, subject.supplementary, subject.method_reason)


def _refuse_missing(source: Source) -> None:
    """Say what can be done about missing values."""
    gaps = source.missing()
    if len(gaps):
        raise Failure("missing", 3, n=int(gaps.sum()), columns=Count("column", len(gaps)))


def estimator(kind: str, options: dict[str, Any], method: str) -> Estimator:
    """Return the estimator of a method with the parameters that the options name."""
    import gramian as gm
    from gramian.kernels.registry import usual_kernel

    axes = options["components"]  # a number, a share of the inertia, or the name of a rule
    parameters: dict[str, Any] = {} if axes is None else {"n_components": _number(axes)}
    for name, methods in _METHODS_OF_OPTION.items():
        if options[name] not in (None, False) and method not in methods:
            other = Setting("method", methods)
            raise Failure("method", 3, option=f"--{name}", methods=other, method=method)
    seed = options["seed"]
    if method == "kernel-pca":
        text, rank = options["kernel"], options["nystrom"]
        k = usual_kernel(kind) if text is None else kernel(text, kind)
        parameters |= {"indefinite": options["indefinite"] or "raise", "device": options["device"]}
        if rank is not None:
            parameters["approximation"] = gm.Nystrom(rank, kernel=k, random_state=seed)
        return gm.KernelPCA(kernel=k, random_state=seed, **parameters)
    if method in _FACTOR_METHODS:
        factor = {"ca": gm.CA, "mca": gm.MCA, "famd": gm.FAMD, "mfa": gm.MFA}[method]
        return factor(**parameters, random_state=seed)
    if method == "pca":
        return gm.PCA(**parameters, scale=options["scale"] is not False, random_state=seed)
    metric = "precomputed" if kind == "distances" else options["metric"] or "euclidean"
    if method == "classical-mds":
        return gm.ClassicalMDS(**parameters, metric=metric, correction=options["correction"])
    scaling: Any = options["scaling"] or "ratio"
    return gm.MDS(**parameters, metric=metric, scaling=scaling, random_state=seed)
