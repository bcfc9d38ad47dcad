"""The methods of a study by name: what data each takes, and its estimator; and the usual choice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gramian._core.check import flag, invalid, is_list, one_of
from gramian._estimators.factors.correspondence import CA
from gramian._estimators.factors.multiple_correspondence import FAMD, MCA
from gramian._estimators.factors.multiple_factors import MFA
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.pca import PCA
from gramian._estimators.scaling.mds import ClassicalMDS
from gramian._estimators.scaling.stress_mds import MDS
from gramian.errors import InputError, InputTypeError
from gramian.io import Finding, Source
from gramian.kernels.base import Kernel

_MAX_CATEGORY_RATIO = 4  # times more categories than numbers make the axes alone
_MIN_QUESTIONS = 3  # columns of categories, from which on they are more than groups


@dataclass(frozen=True)
class Settings:
    """The options of a study that concern its method."""

    method: str = "auto"
    metric: str | None = None
    kernel: Kernel | None = None
    scale: bool = True
    groups_from_names: bool = False
    supplementary_rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Method:
    """A method: its name, the kinds of data it takes, the columns of a table that make its axes."""

    name: str
    kinds: tuple[str, ...]
    columns: str  # "numbers", "counts", "categories" or "both"
    estimator: Callable[[Settings], Any]


def _kernel_pca(settings: Settings) -> KernelPCA:
    kernel = "gaussian" if settings.kernel is None else settings.kernel
    indefinite: Literal["raise", "clip"] = "raise" if settings.kernel is None else "clip"
    return KernelPCA(kernel=kernel, indefinite=indefinite, random_state=0)


_ALL = (
    Method("pca", ("table",), "numbers", lambda s: PCA(scale=s.scale)),
    Method("ca", ("table",), "counts", lambda s: CA()),
    Method("mca", ("table",), "categories", lambda s: MCA()),
    Method("famd", ("table",), "both", lambda s: FAMD()),
    Method("mfa", ("table",), "both", lambda s: MFA()),
    Method(
        "classical-mds",
        ("table", "distances"),
        "numbers",
        lambda s: ClassicalMDS(metric=s.metric or "euclidean"),
    ),
    Method(
        "mds",
        ("table", "distances"),
        "numbers",
        lambda s: MDS(metric=s.metric or "euclidean", random_state=0),
    ),
    Method("kernel-pca", ("table", "graphs", "sequences"), "numbers", _kernel_pca),
)
MAPS = ("classical-mds", "mds")  # of distances
METHODS = {method.name: method for method in _ALL}


def settings_of(
    method: str = "auto",
    metric: str | None = None,
    kernel: Kernel | None = None,
    scale: bool = True,
    groups_from_names: bool = False,
    supplementary_rows: str | int | Sequence[object] = (),
) -> Settings:
    """Return the settings of a study, each of them for a method that has it.

    >>> settings_of("mds", metric="cityblock").metric
    'cityblock'
    """
    one_of(method, "method", ("auto", *METHODS))
    if metric is not None and method not in MAPS:
        text = "metric= is for method='classical-mds' or 'mds': give both"
        raise InputError(text, argument="metric", found=metric)
    if flag(scale, "scale") is False and method in ("ca", "mca", "famd", "mfa"):
        raise InputError(
            "scale=False is for numbers, such as method='pca': other methods have a metric of "
            "their own"
        )
    flag(groups_from_names, "groups_from_names")
    if method == "mfa" and not groups_from_names:
        raise no_groups()
    if groups_from_names and method == "auto":
        method = "mfa"
    if isinstance(supplementary_rows, str | int):
        supplementary_rows = [supplementary_rows]
    if not is_list(supplementary_rows):
        reason = "must be a list of names of rows"
        raise invalid("supplementary_rows", supplementary_rows, reason, InputTypeError)
    names = tuple(str(name) for name in supplementary_rows)
    return Settings(method, metric, kernel, bool(scale), bool(groups_from_names), names)


def no_groups() -> InputError:
    """Return the error of MFA without groups of columns."""
    text = "name columns as group.column and pass groups_from_names=True"
    return InputError(
        f"data: mfa needs groups of columns: {text}", argument="groups_from_names", found=False
    )


def method_of(source: Source, settings: Settings, findings: Sequence[Finding]) -> Method:
    """Return the method requested, or the one that suits a table.

    Counts are compared as profiles. Categories that are more than groups of numbers are questions:
    with few numbers beside them they make the axes alone, else together.
    """
    if settings.method != "auto":
        method = METHODS[settings.method]
        if source.kind not in method.kinds:
            kind = "a table" if source.kind == "table" else source.kind
            raise InputError(
                f"method={method.name!r} does not take {kind}: leave it out, or see which "
                "methods do"
            )
        return method
    if source.kind != "table":
        return METHODS["classical-mds" if source.kind == "distances" else "kernel-pca"]
    if not settings.scale:
        return METHODS["pca"]
    return METHODS[_usual_method(source, findings)]


def _usual_method(source: Source, findings: Sequence[Finding]) -> str:
    if any(found.default == "ca" for found in findings):
        return "ca"
    numbers, questions = len(source.columns("active")), len(questions_of(source))
    if questions <= numbers or (questions < _MIN_QUESTIONS and numbers):
        return "pca"
    return "mca" if numbers * _MAX_CATEGORY_RATIO < questions or numbers < 2 else "famd"


def questions_of(source: Source) -> list[Any]:
    """Return the columns of categories that were not specified as groups or supplementary.

    >>> import pandas as pd
    >>> from gramian.io import as_source
    >>> frame = pd.DataFrame({"x": [1.5, 2.5, 4.0, 3.0], "sex": list("fmfm"), "g": list("aabb")})
    >>> questions_of(as_source(frame, group="g"))
    ['sex']
    """
    asked = [source.options.get(name) for name in ("group", "supplementary")]
    named = {
        str(c) for given in asked for c in ([given] if isinstance(given, str) else given or [])
    }
    return [c for c in source.columns("group") if str(c) not in named]
