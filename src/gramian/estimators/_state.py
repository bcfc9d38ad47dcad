"""The fitted state of an estimator: what it saw, published in one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.utils.validation import check_is_fitted, validate_data

from gramian._validate import Table, table

__all__ = ["FittedState"]


class FittedState:
    """Columns remembered and checked as scikit-learn does; state replaced in one assignment."""

    def _publish(self, state: dict[str, Any]) -> None:
        """Replace the fitted state in one assignment: an interrupted fit leaves the old model."""
        old = vars(self).get("_published", ())
        kept = {name: value for name, value in vars(self).items() if name not in old}
        self.__dict__ = kept | state | {"_published": (*state, "_published")}

    def _names_seen(self, X: Any, rows: Table) -> dict[str, Any]:
        """Return what scikit-learn records of the columns, without touching this object yet."""
        seen: dict[str, Any] = {"_index": rows.index, "_columns": rows.columns}
        if not hasattr(rows.values, "shape"):  # objects have no columns
            return seen
        shell = type(self)()
        named = X if rows.columns is not None else rows.values
        validate_data(shell, named, reset=True, skip_check_array=True)
        names = ("n_features_in_", "feature_names_in_")
        return seen | {name: vars(shell)[name] for name in names if name in vars(shell)}

    def _new_rows(self, X: Any, door: Callable[..., Table] | None = None) -> Table:
        """Return new rows, after the checks that they are like those of the fit."""
        check_is_fitted(self)
        kernel = getattr(self, "kernel_", None)
        rows = table(X, "X", min_rows=1) if door is None else door(X, kernel, min_rows=1)
        if hasattr(self, "n_features_in_"):
            named = X if rows.columns is not None else rows.values
            validate_data(self, named, reset=False, skip_check_array=True)
        return rows
