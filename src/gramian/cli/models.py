"""From the words of a command line to an estimator."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from gramian._study.language import Count, Setting
from gramian.cli.errors import Failure

_FACTOR = ("ca", "mca", "famd", "mfa")
_FOR = {
    "scale": ("pca",),
    "kernel": ("kernel-pca",),
    "nystrom": ("kernel-pca",),
    "indefinite": ("kernel-pca",),
    "device": ("kernel-pca",),
    "metric": ("classical-mds", "mds"),
    "correction": ("classical-mds",),
    "scaling": ("mds",),
}


def components(text: str | None) -> Any:
    """Return a number of axes, a share of the inertia, or the name of a rule."""
    if text is None:
        return None
    if re.fullmatch(r"\d+", text):
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)


def kernel(text: str, kind: str) -> Any:
    """Return the kernel written as name or name:parameter=value,…, for a kind of data."""
    name, _, rest = text.partition(":")
    cls = _kernel_class(name, kind)
    pairs = [part.partition("=") for part in rest.split(",") if part]
    try:
        chosen = cls(**{key.strip(): _value(value.strip()) for key, _, value in pairs})
    except TypeError as error:
        raise Failure("kernel.reason", 3, name=repr(text), reason=str(error)) from error
    return chosen if kind == "table" else chosen.normalized()


def _kernel_class(name: str, kind: str) -> Any:
    from gramian import kernels
    from gramian.kernels.registry import kernel_class, short_names

    if kind != "table":  # the kernels of these kinds are registered where they are imported
        _ = kernels.graph if kind == "graphs" else kernels.sequence
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().replace("-", "_")
    cls = kernel_class(name, kind)
    if cls is None:
        raise Failure("kernel", 3, name=repr(name), known=", ".join(short_names(kind)))
    return cls


@dataclass(frozen=True)
class Plan:
    """What is fitted to what, and what is placed afterwards."""

    model: Any
    X: Any
    groups: Any = None
    supplementary: Any = None
    chosen: Any = None  # why this method, where nobody asked for it


def plan_of(source: Any, options: dict[str, Any]) -> Plan:
    """Return what the options ask for, or what suits the data."""
    from gramian._study.methods import method_of, settings_of
    from gramian._study.subject import table_subject
    from gramian.io import examine

    asked = options["method"] or "auto"
    scale = options["scale"] is not False or asked not in _FACTOR
    by_names = bool(options["groups_from_names"])
    settings = settings_of(asked, scale=scale, groups_from_names=by_names)
    findings = examine(source) if asked == "auto" else ()
    method = method_of(source, settings, findings)
    model = estimator(source, options, method.name)
    if method.name not in _FACTOR:
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
    subject = table_subject(source, method, settings, findings)
    if method.name == "mfa":
        model.set_params(groups=subject.estimator.groups)
    return Plan(model, subject.X, subject.groups, subject.supplementary, subject.method_reason)


def _refuse_missing(source: Any) -> None:
    """Say what can be done about missing values."""
    gaps = source.missing()
    if len(gaps):
        raise Failure("missing", 3, n=int(gaps.sum()), columns=Count("column", len(gaps)))


def estimator(source: Any, options: dict[str, Any], method: str) -> Any:
    """Return the estimator of a method with the parameters that the options name."""
    import gramian as gm

    q = components(options["components"])
    parameters: dict[str, Any] = {} if q is None else {"n_components": q}
    for name, methods in _FOR.items():
        if options[name] not in (None, False) and method not in methods:
            other = Setting("method", methods)
            raise Failure("method", 3, option=f"--{name}", methods=other, method=method)
    if method == "kernel-pca":
        return _kernel_pca(source, options, parameters)
    if method in _FACTOR:
        factor = {"ca": gm.CA, "mca": gm.MCA, "famd": gm.FAMD, "mfa": gm.MFA}[method]
        return factor(**parameters, random_state=options["seed"])
    if method == "pca":
        return gm.PCA(
            **parameters, scale=options["scale"] is not False, random_state=options["seed"]
        )
    metric = "precomputed" if source.kind == "distances" else options["metric"] or "euclidean"
    if method == "classical-mds":
        return gm.ClassicalMDS(**parameters, metric=metric, correction=options["correction"])
    scaling = options["scaling"] or "ratio"
    return gm.MDS(**parameters, metric=metric, scaling=scaling, random_state=options["seed"])


def _kernel_pca(source: Any, options: dict[str, Any], parameters: dict[str, Any]) -> Any:
    import gramian as gm
    from gramian.kernels.registry import usual_kernel

    text = options["kernel"]
    k = usual_kernel(source.kind) if text is None else kernel(text, source.kind)
    parameters |= {"device": options["device"], "random_state": options["seed"]}
    parameters |= {"indefinite": options["indefinite"] or "raise"}
    if options["nystrom"] is None:
        return gm.KernelPCA(kernel=k, **parameters)
    rank = options["nystrom"]
    approximation = gm.Nystrom(rank, kernel=k, random_state=options["seed"])
    return gm.KernelPCA(kernel=k, approximation=approximation, **parameters)
