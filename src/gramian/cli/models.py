"""From the words of a command line to an estimator."""

from __future__ import annotations

import re
from typing import Any

from gramian.cli.errors import Failure

__all__ = ["METHODS", "components", "estimator", "kernel"]

METHODS = ("pca", "kernel-pca", "classical-mds", "mds")
_USUAL = {
    "table": "pca",
    "distances": "classical-mds",
    "graphs": "kernel-pca",
    "sequences": "kernel-pca",
}
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
        raise Failure(f"--kernel {text!r}: {error}", 3) from error
    return chosen if kind == "table" else chosen.normalized()


def _kernel_class(name: str, kind: str) -> Any:
    from gramian import kernels
    from gramian.kernels.registry import kernel_class, short_names

    if kind != "table":  # the kernels of these kinds are registered where they are imported
        _ = kernels.graph if kind == "graphs" else kernels.sequence
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().replace("-", "_")
    cls = kernel_class(name, kind)
    if cls is None:
        known = ", ".join(short_names(kind))
        raise Failure(f"--kernel {name!r} is not one of {known}, nor of a --plugin", 3)
    return cls


def estimator(source: Any, options: dict[str, Any]) -> Any:
    """Return the estimator that the options ask for, or the usual one for the kind of data."""
    import gramian as gm

    method = options["method"] or _USUAL[source.kind]
    q = components(options["components"])
    parameters: dict[str, Any] = {} if q is None else {"n_components": q}
    for name, methods in _FOR.items():
        if options[name] not in (None, False) and method not in methods:
            raise Failure(f"--{name} is for --method {' or '.join(methods)}, not {method}", 3)
    if method == "kernel-pca":
        return _kernel_pca(source, options, parameters)
    if method == "pca":
        _need(source, "table", method)
        return gm.PCA(
            **parameters, scale=options["scale"] is not False, random_state=options["seed"]
        )
    if source.kind not in ("table", "distances"):
        raise Failure(f"--method {method} needs a table or distances: use kernel-pca", 3)
    metric = "precomputed" if source.kind == "distances" else options["metric"] or "euclidean"
    if method == "classical-mds":
        return gm.ClassicalMDS(**parameters, metric=metric, correction=options["correction"])
    scaling = options["scaling"] or "ratio"
    return gm.MDS(**parameters, metric=metric, scaling=scaling, random_state=options["seed"])


def _need(source: Any, kind: str, method: str) -> None:
    if source.kind != kind:
        raise Failure(f"--method {method} needs a {kind}, but the file holds {source.kind}", 3)


def _kernel_pca(source: Any, options: dict[str, Any], parameters: dict[str, Any]) -> Any:
    import gramian as gm
    from gramian.kernels.registry import usual_kernel

    if source.kind == "distances":
        raise Failure("--method kernel-pca needs a table, graphs or sequences, not distances", 3)
    text = options["kernel"]
    k = usual_kernel(source.kind) if text is None else kernel(text, source.kind)
    parameters |= {"device": options["device"], "random_state": options["seed"]}
    parameters |= {"indefinite": options["indefinite"] or "raise"}
    if options["nystrom"] is None:
        return gm.KernelPCA(kernel=k, **parameters)
    rank = options["nystrom"]
    approximation = gm.Nystrom(rank, kernel=k, random_state=options["seed"])
    return gm.KernelPCA(kernel=k, approximation=approximation, **parameters)
