"""Samples without the means of their conditions: as many independent rows as there is left to know.

Taking means off samples ties them: n samples of a condition less their mean are n − 1 independent
rows, the contrasts of Helmert. Networks of them are those of the deviations, and a test of a
correlation counts what there really is.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from gramian._core.numbers import groups_of_rows
from gramian._core.types import VectorLike
from gramian.errors import InputError


class Pool(Protocol):
    """Things to draw from, and the table that some of them make."""

    @property
    def n_columns(self) -> int:
        """The number of variables."""

    def table(self, rows: np.ndarray) -> np.ndarray:
        """Return the table of some things, of which networks are found."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Samples of one condition, or any rows that are to stay what they are."""

    values: np.ndarray

    @property
    def n_columns(self) -> int:
        """The number of variables."""
        return self.values.shape[1]

    def table(self, rows: np.ndarray) -> np.ndarray:
        """Return the samples themselves."""
        return np.asarray(self.values[rows])


@dataclass(frozen=True, eq=False)
class Balanced(Samples):
    """Samples of several conditions, which make one network: the means of conditions are off."""

    codes: np.ndarray

    def table(self, rows: np.ndarray) -> np.ndarray:
        """Return the samples less the means of their conditions."""
        return without_means(self.values[rows], self.codes[rows])


@dataclass(frozen=True, eq=False)
class Contrasts(Samples):
    """Contrasts of all conditions, for one network that all of them are taken to share."""

    def table(self, rows: np.ndarray) -> np.ndarray:
        """Return samples that have these contrasts."""
        return rows_of(self.values[rows])


@dataclass(frozen=True, eq=False)
class Listed:
    """Tables that are there already, by their numbers."""

    tables: list[np.ndarray]

    @property
    def n_columns(self) -> int:
        """The number of variables."""
        return self.tables[0].shape[1]

    def table(self, rows: np.ndarray) -> np.ndarray:
        """Return the table of one number."""
        return self.tables[int(rows[0])]


def contrasts(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the contrasts (n − C, p) of C conditions: z_k = (x_1 + … + x_k − k·x_{k+1})/√(k(k+1)).

    >>> contrasts(np.array([[1.0], [3.0], [10.0]]), np.array([0, 0, 1])).round(3)
    array([[-1.414]])
    """
    return contrasts_of(X, codes)[0]


def contrasts_of(X: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the contrasts of all conditions, and the condition of each."""
    conditions = np.unique(codes)
    parts = [_helmert(X[codes == c]) for c in conditions]
    return np.vstack(parts), np.repeat(conditions, [len(part) for part in parts])


def _helmert(x: np.ndarray) -> np.ndarray:
    k = np.arange(1.0, len(x))[:, None]
    x = x - x.mean(axis=0)  # large levels cost no digits
    return np.asarray((np.cumsum(x, axis=0)[:-1] - k * x[1:]) / np.sqrt(k * (k + 1.0)))


def rows_of(Z: np.ndarray) -> np.ndarray:
    """Return the table (m + 1, p) of column means 0 whose contrasts are Z (m, p).

    >>> Z = np.array([[1.0, 2.0], [0.0, 4.0]])
    >>> bool(np.allclose(contrasts(rows_of(Z), np.zeros(3)), Z))
    True
    """
    k = np.arange(1.0, len(Z) + 1.0)[:, None]
    part = Z / np.sqrt(k * (k + 1.0))
    later = np.cumsum(part[::-1], axis=0)[::-1]  # row j gets all z_k with k ≥ j …
    out = np.zeros((len(Z) + 1, Z.shape[1]))
    out[:-1] = later
    out[1:] -= k * part  # … less (j − 1) times z_{j − 1}
    return out


def without_means(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return a table with the correlations of X less the means of conditions, and their freedom.

    n rows of C conditions become n − C + 1 rows: a test of a correlation that takes them for
    independent samples is right.
    """
    return rows_of(contrasts(X, codes))


def conditions_of(condition: VectorLike | None, n: int) -> tuple[np.ndarray, list[str]]:
    """Return the condition of each sample as a number, and the names of the conditions."""
    if condition is None:
        return np.zeros(n, dtype=np.int64), ["all"]
    codes, levels = pd.factorize(groups_of_rows(condition, n, "condition"), sort=False)
    names = [str(level) for level in levels]
    if len(set(names)) < len(names):
        raise InputError("condition has two labels that read the same: make them all texts")
    return codes.astype(np.int64), names
