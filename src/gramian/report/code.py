"""The Python code that does the study again."""

from typing import Any

from gramian._study.methods import MAPS, Settings
from gramian._study.record import Study
from gramian._study.subject import LIBRARY_SIZE
from gramian.kernels import Kernel, Normalized
from gramian.kernels.registry import KERNELS, key_of

_MODULES = {"kernels": "gm.kernels", "graph": "gm.kernels.graph", "sequence": "gm.kernels.sequence"}
_TAIL = ["", "print(fit.summary())", "rows = fit.individuals()"]


def code(s: Study) -> str:
    """Return a script that gives the numbers of the report.

    Where the data came neither from a file nor from `gramian.datasets`, it starts from `data` (or
    the estimator `fitted`), which is what the report was given.
    """
    subject = s.subject
    if subject.kind == "fit":
        lines = ["import gramian as gm", "", "fit = fitted  # the estimator that was given"]
        return "\n".join([*lines, *_TAIL, *_classes(s), *_claims(s, "fitted")]) + "\n"
    lines = ["import gramian as gm", "", *_source(s)]
    if subject.kind == "table":
        lines += _table(s) if subject.method == "pca" else _other(s)
    elif subject.kind == "distances":
        q, name = s.fit.n_components_, type(s.fit).__name__
        lines += [f'fit = gm.{name}(n_components={q}, metric="precomputed").fit(source.distances)']
    elif subject.kernel is not None:
        lines[1:1] = ["import pandas as pd"]
        lines += [
            f"kernel = {kernel_code(subject.kernel)}",
            f"K = kernel.pairwise(source.{subject.kind}, source.{subject.kind})",
            "K = pd.DataFrame(K, index=source.names, columns=source.names)",
            f'fit = gm.KernelPCA(n_components={s.fit.n_components_}, kernel="precomputed").fit(K)',
        ]
    return "\n".join([*lines, *_TAIL, *_classes(s), *_claims(s, "source")]) + "\n"


def _classes(s: Study) -> list[str]:
    """Return the line that finds the classes of the rows again."""
    if s.classes is None:
        return []
    number, axes = s.classes.found.n_clusters, s.classes.n_axes
    call = f"gm.clusters.find(fit, {number}, n_axes={axes}, random_state={s.seed})"
    return [f"classes = {call}"]


def _claims(s: Study, data: str) -> list[str]:
    """Return the lines that test everything again and print what may be said."""
    kernel = s.subject.kernel or (None if s.kernel_map is None else s.kernel_map.kernel)
    chosen = "" if kernel is None else f", kernel={kernel_code(kernel)}"
    settings, usual = s.subject.settings, Settings()
    for name in ("method", "metric", "scale", "groups_from_names", "supplementary_rows"):
        value = getattr(settings or usual, name)
        chosen += "" if value == getattr(usual, name) else f", {name}={value!r}"
    chosen += "" if s.subject.order == "auto" else f", order={s.subject.order!r}"
    if s.designed is not None:
        plan = s.designed.design
        options = {"design": plan.formula, "within": plan.within, "remove": plan.remove}
        chosen += "".join(f", {k}={v!r}" for k, v in options.items() if v is not None)
    study = f"study = gm.study({data}, seed={s.seed}{chosen})"
    return ["", study, 'print(*(claim.text for claim in study.claims), sep="\\n")']


def _source(s: Study) -> list[str]:
    options: dict[str, Any] = dict(s.subject.read_options or {})
    if s.subject.missing is not None:
        options["missing"] = s.subject.missing
    arguments = "".join(f", {name}={value!r}" for name, value in options.items())
    if s.subject.path is not None:
        return [f"source = gm.io.read_file({s.subject.path!r}{arguments})", *s.subject.steps]
    origin = f"data = {s.subject.code}" if s.subject.code else "# data: what the report was given"
    return [origin, f"source = gm.io.as_source(data{arguments})", *s.subject.steps]


def _active(s: Study) -> list[str]:
    """Return the lines that take the numbers that make the axes."""
    lines = ["X = source.active()"]
    if rows := list(getattr(s.subject.settings, "supplementary_rows", ())):
        lines.append(f"X = X.drop(index={rows!r})  # placed afterwards")
    if s.subject.content == "expression" and s.subject.method == "pca":
        lines.append("X = gm.io.log_counts(X)  # log2 counts per million")
    if s.subject.dropped:
        lines.append(f"X = X.drop(columns={list(s.subject.dropped)!r})  # constant")
    return lines


def _other(s: Study) -> list[str]:
    """Return the lines that fit a method other than PCA to a table."""
    subject, fit = s.subject, s.fit
    own = list(subject.X.columns)
    lines = {
        "ca": [*_active(s), "X = X[(X > 0).any(axis=1)]  # rows without counts have no profile"],
        "mca": [f"X = source.groups()[{own!r}]"],
        "famd": [*_active(s), f"X = X.join(source.groups())[{own!r}]"],
        "mfa": [*_active(s), f"X = X.join(source.groups())[{own!r}]"],
    }.get(subject.method, _active(s))
    settings = subject.settings or Settings()
    euclidean = settings.metric in (None, "euclidean")
    if subject.method in (*MAPS, "kernel-pca") and settings.scale and euclidean:
        lines.append("X = (X - X.mean()) / X.std(ddof=0)")
    parameters = {"n_components": fit.n_components_}
    if subject.method == "mfa":
        parameters["groups"] = fit.groups
    if subject.method in MAPS:
        parameters["metric"] = fit.metric
    arguments = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    if subject.method == "kernel-pca":
        chosen = subject.kernel
        arguments += "" if chosen is None else f', kernel={kernel_code(chosen)}, indefinite="clip"'
    if subject.method in ("mds", "kernel-pca"):
        arguments += ", random_state=0"
    return [*lines, f"fit = gm.{type(fit).__name__}({arguments}).fit(X)"]


def _table(s: Study) -> list[str]:
    subject, q = s.subject, s.fit.n_components_
    lines = [*_active(s), f"fit = gm.PCA(n_components={q}, scale={s.fit.scale}).fit(X)"]
    for name, part in (("groups", subject.groups), ("supplementary", subject.supplementary)):
        if part is not None:
            read = [] if subject.everything is None else list(subject.everything.columns)
            own = [c for c in part.columns if c != LIBRARY_SIZE or c in read]
            # Rows that are placed afterwards, or had missing values, are not among those of X.
            lines.append(f"{name} = source.{name}().loc[X.index, {own!r}]")
            lines.append(f"print(fit.describe({name}))")
    lines += ["", *_rules(s)]
    if s.kernel_map is not None:
        rank = s.kernel_map.rank
        near = f"approximation=gm.Nystrom(rank={rank}, random_state={s.seed}), " if rank else ""
        kernel = s.kernel_map.kernel
        chosen = "" if kernel is None else f'kernel={kernel_code(kernel)}, indefinite="clip", '
        lines += [
            "",
            "Z = (X - X.mean()) / X.std(ddof=0)",
            f"kernel_fit = gm.KernelPCA(n_components={s.kernel_map.fit.n_components_}, {chosen}"
            f"{near}random_state={s.seed}).fit(Z)",
        ]
    return lines


def _rules(s: Study) -> list[str]:
    if s.choices is None:
        return []
    lines, rows = [], "X.to_numpy()"
    if s.asked.rows is not None:
        rows = "X.to_numpy()[rows]"
        lines = [
            "import numpy as np",
            "",
            f"rng = np.random.default_rng({s.seed})",
            f"rows = np.sort(rng.choice(len(X), {s.asked.rows}, replace=False))",
        ]
    options = "".join(f"{name}={value!r}, " for name, value in s.asked.options.items())
    call = (
        f"gm.dimension.choose(gm.PCA(scale={s.fit.scale}), {rows}, {options}random_state={s.seed})"
    )
    return [*lines, f"choices = {call}", "print(choices)"]


def kernel_code(kernel: Kernel) -> str:
    """Return the expression that makes a kernel; a custom one is called by its name."""
    if isinstance(kernel, Normalized):
        return f"{kernel_code(kernel.kernel)}.normalized()"
    parameters = {
        name: kernel_code(value) if isinstance(value, Kernel) else repr(value)
        for name, value in kernel.get_params(deep=False).items()
    }
    arguments = ", ".join(f"{name}={value}" for name, value in parameters.items())
    key = key_of(type(kernel)) or ""
    if (module := _MODULES.get(key.partition(".")[0])) is not None:
        return f"{module}.{type(kernel).__name__}({arguments})"
    if key in KERNELS and KERNELS[key].names:
        change = f".set_params({arguments})" if arguments else ""
        return f"gm.kernels.as_kernel({KERNELS[key].names[0]!r}){change}"
    return repr(kernel)
