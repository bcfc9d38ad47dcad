"""What a study is about: the rows, their columns by role, and the method that suits them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._study.language import Sentence

FILLED = ("iterative", "mean", "median")  # ways in which holes get values

AXES = 12  # computed, at most; fewer are described


@dataclass(frozen=True, eq=False)
class Subject:
    """What is analysed and how.

    `X` is what the estimator is fitted to; `table` the same rows as a table of variables, where
    there is one.
    """

    kind: str  # "table", "distances", "graphs", "sequences" or "fit"
    title: str
    index: pd.Index
    X: Any
    estimator: Any
    table: pd.DataFrame | None = None
    supplementary: pd.DataFrame | None = None
    groups: pd.DataFrame | None = None
    notes: tuple[Any, ...] = ()
    warnings: tuple[Any, ...] = ()
    everything: pd.DataFrame | None = None  # all columns of the rows, whatever their role
    roles: dict[Any, str] = field(default_factory=dict)
    path: str | None = None
    read_options: dict[str, Any] | None = None  # None where they are not known
    code: str = ""  # that makes the data, where it is known
    missing: str | None = None  # how missing values were dealt with
    dropped: tuple[Any, ...] = ()  # constant columns
    kernel: Any = None  # on graphs or sequences
    fitted: Any = None  # what was fitted elsewhere
    method: str = ""  # by its name, where a study chose or was told it
    settings: Any = None
    findings: tuple[Any, ...] = ()  # of the doctor
    placed: pd.DataFrame | None = None  # supplementary rows

    @property
    def weighted(self) -> bool:
        """Whether rows were given weights, by a fit made elsewhere."""
        return getattr(self.fitted, "weights_", None) is not None

    @property
    def told(self) -> tuple[Any, ...]:
        """How the data were read, and why they are analysed as they are."""
        return self.notes if self.chosen is None else (*self.notes, self.chosen)

    @property
    def chosen(self) -> Sentence | None:
        """Why this method, where nobody asked for it and it is not the usual one."""
        if self.settings is None or self.settings.method != "auto" or self.method == "pca":
            return None
        numbers = self.X.select_dtypes("number").shape[1]
        counts = {"numbers": numbers, "categories": self.X.shape[1] - numbers}
        return Sentence(f"claim.data.method.{self.method}", counts)

    @property
    def n(self) -> int:
        """How many rows or objects."""
        return len(self.index)

    @property
    def illustrative(self) -> pd.DataFrame | None:
        """All columns that are read on the axes without having made them."""
        parts = [part for part in (self.supplementary, self.groups) if part is not None]
        return pd.concat(parts, axis=1) if parts else None


def standardised(X: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and variance 1, whatever their unit.

    >>> standardised(np.array([[1e200], [3e200]])).ravel().round(12).tolist()
    [-1.0, 1.0]
    """
    X = X / np.abs(X).max(axis=0)  # squares of 1e-200 are 0
    X = X - X.mean(axis=0)
    return np.asarray(X / X.std(axis=0))


def axes_of(n: int, p: int) -> int:
    """Return how many axes to compute of a table (n, p).

    >>> axes_of(150, 4), axes_of(30, 100)
    (4, 12)
    """
    return max(1, min(n - 1, p, AXES))
