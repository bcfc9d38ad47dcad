"""The methods of a study by name: what data each takes, and its estimator; and the usual choice."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.stats.contingency import association

import gramian as gm  # whose estimators are imported when they are used
from gramian._core.check import flag, invalid, is_list, one_of
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.pca import PCA
from gramian.errors import InputError, InputTypeError
from gramian.io import Source
from gramian.io.doctor.kinds import PROFILES
from gramian.kernels.base import Kernel

_MAX_CATEGORY_RATIO = 4  # times more categories than numbers make the axes alone
_MAX_FACTORS, _MAX_TRIAL = 8, 10_000  # columns and rows of a designed experiment
_MIN_CROSSED, _MAX_LINK = 0.8, 0.2  # of all combinations of factors; Cramér's V of two of them
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


def _classical_mds(settings: Settings) -> Any:
    return gm.ClassicalMDS(metric=settings.metric or "euclidean")


def _mds(settings: Settings) -> Any:
    return gm.MDS(metric=settings.metric or "euclidean", random_state=0)


_ALL = (
    Method("pca", ("table",), "numbers", lambda s: PCA(scale=s.scale)),
    Method("ca", ("table",), "counts", lambda s: gm.CA()),
    Method("mca", ("table",), "categories", lambda s: gm.MCA()),
    Method("famd", ("table",), "both", lambda s: gm.FAMD()),
    Method("mfa", ("table",), "both", lambda s: gm.MFA()),
    Method("classical-mds", ("table", "distances"), "numbers", _classical_mds),
    Method("mds", ("table", "distances"), "numbers", _mds),
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
    """Return the settings of a study, each of them for a method that has it."""
    one_of(method, "method", ("auto", *METHODS))
    if metric is not None and method not in MAPS:
        text = "metric= is for method='classical-mds' or 'mds': give both"
        raise InputError(text, argument="metric", found=metric)
    if flag(scale, "scale") is False and method in ("ca", "mca", "famd", "mfa"):
        text = "scale=False is for numbers, such as method='pca': other methods have a metric of "
        raise InputError(text + "their own")
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
    text = f"data: mfa needs groups of columns: {text}"
    return InputError(text, argument="groups_from_names", found=False)


def method_of(source: Source, settings: Settings) -> Method:
    """Return the method requested, or the one that suits a table."""
    # Counts are compared as profiles. Categories that are more than groups of numbers are
    # questions: with few numbers beside them they make the axes alone, else together.
    if settings.method != "auto":
        method = METHODS[settings.method]
        if source.kind not in method.kinds:
            kind = "a table" if source.kind == "table" else source.kind
            text = f"method={method.name!r} does not take {kind}: leave it out, or see which "
            raise InputError(text + "methods do")
        return method
    if source.kind != "table":
        return METHODS["classical-mds" if source.kind == "distances" else "kernel-pca"]
    if settings.scale and source.content in PROFILES:
        return METHODS["ca"]
    if source.content in ("expression", "genotypes"):
        return METHODS["pca"]
    numbers, questions = len(source.columns("active")), len(questions_of(source))
    if numbers and _MIN_QUESTIONS <= questions <= _MAX_FACTORS and len(source) <= _MAX_TRIAL:
        questions = _count_questions(source.groups()[questions_of(source)].astype(str))
    if questions <= numbers or (questions < _MIN_QUESTIONS and numbers) or not settings.scale:
        return METHODS["pca"]
    alone = numbers * _MAX_CATEGORY_RATIO < questions or numbers < 2
    return METHODS["mca" if alone else "famd"]


def _count_questions(groups: pd.DataFrame) -> int:
    """Return how many columns are no factors: what is within others, or is crossed with them."""
    sizes: dict[Any, int] = {c: groups[c].nunique() for c in groups}
    pairs = [(a, b) for a in sizes for b in sizes if 1 < sizes[b] < sizes[a]]
    within = {a for a, b in pairs if (groups.groupby(a)[b].nunique() < 2).all()}
    groups = groups.drop(columns=list(within))
    every = math.prod(sizes[c] for c in groups)
    tables = [pd.crosstab(groups[a], groups[b]).to_numpy() for a, b in combinations(groups, 2)]
    if len(groups.drop_duplicates()) >= _MIN_CROSSED * every and tables:
        tables = tables if np.median([association(N) for N in tables]) >= _MAX_LINK else []
    return 0 if all(np.ptp(N) <= 1 for N in tables) else groups.shape[1]  # a row may be lost


def questions_of(source: Source) -> list[Any]:
    """Return the columns of categories that were not specified as groups or supplementary."""
    asked = [source.options.get(name) or [] for name in ("group", "supplementary")]
    lists = [[some] if isinstance(some, str) else some for some in asked]
    named = {str(column) for some in lists for column in some} | set(source.added)
    return [c for c in source.columns("group") if str(c) not in named]
