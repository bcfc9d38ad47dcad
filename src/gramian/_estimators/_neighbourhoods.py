"""Whether neighbours stay neighbours on the axes of a fit."""

from __future__ import annotations

from typing import Any

import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import to_dense, to_numpy
from gramian._core.embedding import Record
from gramian._core.frames import in_order_of
from gramian._core.table import table
from gramian._reading.individuals import preservation
from gramian.errors import InputError


class Neighbourhoods:
    """The reading of a map that any method has, whatever its axes are."""

    record_: Record

    def neighbourhoods(self, X: Any = None, *, n_neighbors: Any = None) -> pd.DataFrame:
        """Return how well neighbours in the table stay neighbours on the axes.

        Parameters
        ----------
        X : table (n, p), optional
            The rows in the space that neighbours are looked for in; those of the fit by default.
        n_neighbors : int or list of int, optional
            At most half of the rows; 5, 15 and 50 by default, as far as there are rows.

        Returns
        -------
        DataFrame, one row a number of neighbours
            "trustworthiness", 1 where no neighbour on the map is a false one, and "continuity", 1
            where none is lost. Above 2,000 rows those of a seeded sample of 2,000.

        Examples
        --------
        >>> import gramian as gm
        >>> iris = gm.datasets.iris().data
        >>> gm.PCA(2).fit(iris).neighbourhoods(n_neighbors=5).round(2).to_numpy().tolist()
        [[0.98, 0.99]]
        """
        check_is_fitted(self)
        training = self.record_.training
        if X is None:
            if training.kind != "table":
                raise InputError("X is missing: the fit has no table of its own: give the rows")
            values = training.rows
        else:
            values = table(in_order_of(X, training.index, "X", "the fit"), "X").values
        rows = to_dense(values)
        if len(rows) != training.n:
            raise InputError(f"X has {len(rows)} rows but the fit has {training.n}")
        Z = to_numpy(self.record_.coordinates).astype(float)
        return preservation(rows.astype(float), Z, n_neighbors)
