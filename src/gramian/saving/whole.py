"""Whether a model is whole: every part there, of its kind and size, and none against another.

A model that was loaded answers as the one that was saved did, or it is refused when it is loaded,
not when it is used. What a record must be stands in `records`, what an estimator must be in
`fitted`, and what its numbers have to do with its rows is tried in `trial`.
"""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields, is_dataclass
from functools import cached_property
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from gramian.kernels import Kernel
from gramian.saving.estimators import estimator_agrees
from gramian.saving.fitted import COMMON, PARAMETERS, RESULTS
from gramian.saving.kernels import check_kernel
from gramian.saving.nodes import refusal
from gramian.saving.records import RECORDS
from gramian.saving.rules import Rule, Scope

__all__ = ["require_fitted", "require_whole"]


def require_fitted(model: BaseEstimator) -> None:
    """Refuse a model that is not fitted, or not whole."""
    check_is_fitted(model)
    require_whole(model)


def require_whole(model: Any) -> None:
    """Refuse a model with a part that is missing, of another kind, or against the others."""
    Walk().visit(model)


class Walk:
    """A walk over the records of a model, each looked at once."""

    def __init__(self) -> None:
        self._seen: dict[int, Any] = {}  # by identity; the values keep the identities in use

    def visit(self, value: Any) -> None:
        """Look at a record, those inside it first."""
        if id(value) in self._seen:
            return
        self._seen[id(value)] = value
        if isinstance(value, Kernel):
            check_kernel(value)
        elif isinstance(value, BaseEstimator):
            self._estimator(value)
        else:
            self._record(value)

    def _record(self, value: Any) -> None:
        name = type(value).__name__
        declared = RECORDS.get(name)
        if declared is None:
            return
        scope = Scope(self.visit)
        for key, rule in declared.parts.items():
            self._part(name, key, _part_of(value, key), rule, scope)
        for key, rule in declared.kept.items():
            if key in vars(value):
                self._part(name, key, vars(value)[key], rule, scope)
        if not isinstance(value, tuple):
            _refuse_others(value, {*declared.parts, *declared.kept})
        for tie in declared.ties:
            tie(value)

    def _part(self, owner: str, key: str, value: Any, rule: Rule, scope: Scope) -> None:
        if not rule.holds(value, scope):
            raise refusal(f"has a {owner} whose {key} is not {rule.words}")

    def _estimator(self, value: BaseEstimator) -> None:
        name, scope, own = type(value).__name__, Scope(self.visit), vars(value)
        parameters = value.get_params(deep=False)
        for key in parameters:
            self._part(name, key, own[key], PARAMETERS.get(key, _FREE), scope)
        results = RESULTS.get(name, COMMON)
        if set(own) <= {*parameters, "_sklearn_output_config"}:  # a parameter, not fitted
            return
        for key, rule in results.items():
            self._part(name, key, own.get(key), rule, scope)
        _refuse_others(value, {*results, *parameters})
        if "decomposition_" in results:
            self.visit(own["decomposition_"])
        estimator_agrees(value)


_FREE = Rule("anything", lambda value, scope: True)


def _part_of(value: Any, key: str) -> Any:
    """Return a part, or its default where it is missing and has one."""
    if isinstance(value, tuple) or key in getattr(value, "__dict__", {}):
        return getattr(value, key)
    if is_dataclass(value):
        default = next((f for f in fields(value) if f.name == key), None)
        if default is not None and default.default is not MISSING:
            return default.default
        if default is not None and default.default_factory is not MISSING:
            object.__setattr__(value, key, default.default_factory())
            return getattr(value, key)
    raise refusal(f"has a {type(value).__name__} without {key}")


def _refuse_others(value: Any, known: set[str]) -> None:
    """Refuse an attribute that would hide a method or a property of the class."""
    for key in set(vars(value)) - known:
        hidden = inspect.getattr_static(type(value), key, None)
        if callable(hidden) or isinstance(hidden, property | cached_property | classmethod):
            raise refusal(f"has a {type(value).__name__} whose {key[:40]} is hidden by a value")
