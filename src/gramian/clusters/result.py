"""The result of clustering: members, description and stability of classes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import flag, generator, whole
from gramian._core.frames import is_frame
from gramian._core.types import RowsLike, SeedLike, TableLike, VectorLike
from gramian._core.views import facts_html
from gramian._reading.columns import Factor, Numeric, Supplement, supplement_of
from gramian.clusters import tree as trees
from gramian.clusters.description import (
    Description,
    describe_groups,
    join_columns,
    own_columns,
    own_tally,
    row_counts,
)
from gramian.errors import InputError
from gramian.evidence.division import Split


@dataclass(frozen=True, eq=False, repr=False)
class Clusters:
    """Classes of the rows of a fit, numbered 1, 2, … along the first axis.

    `labels` (n,) are the classes of the rows; rows without a weight get that of the nearest centre.
    The `tree` has the inertias `gains` and `within`, and `suggested`, HCPC's number of classes.
    `coordinates` (n, q) are those on the axes used, `weights` (n,) sum to 1, and `hollow` is
    whether the rows lie around a ring, which has several modes but no classes. New rows go to the
    nearest centre of coordinates times `metric` (q, q), the identity if their number was given.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data
    >>> fit = gm.PCA(2, scale=True).fit(X)
    >>> gm.clusters.find(fit, random_state=0)
    Clusters(2 classes of 150 rows: 50, 100; p < 0.001 for one cloud)
    >>> found = gm.clusters.find(fit, n_clusters=2)
    >>> found.axes().variables["variable"].tolist(), found.describe().classes.loc[0, "variable"]
    (['axis 1', 'axis 2'], 'sepal width (cm)')
    >>> found.paragons(1)["row"].tolist(), found.extremes(1)["row"].tolist()
    (['flower_040', 'flower_055'], ['flower_016', 'flower_119'])
    >>> found.predict(X.iloc[:2]).tolist()
    [1, 1]
    >>> bool((found.stability(20, random_state=0)["jaccard"] > 0.9).all())
    True
    """

    labels: pd.Series
    tree: trees.Tree
    coordinates: np.ndarray
    weights: np.ndarray
    splits: tuple[Split, ...]
    hollow: bool
    alpha: float
    fit: Any = field(repr=False)
    metric: np.ndarray = field(repr=False)

    def __repr__(self) -> str:
        sizes = ", ".join(map(str, self.sizes))
        noun = "class" if self.n_clusters == 1 else "classes"
        line = f"{self.n_clusters} {noun} of {len(self.labels)} rows: {sizes}"
        if self.p_value is not None:
            p = "p < 0.001" if self.p_value < 0.001 else f"p = {self.p_value:.3f}"
            line += f"; {p} for one cloud" + (", but a ring" if self.hollow else "")
        return f"Clusters({line})"

    def _repr_html_(self) -> str:
        facts = {"result": repr(self)[9:-1]}
        return facts_html("Clusters", facts)

    @property
    def n_clusters(self) -> int:
        """How many classes there are."""
        return int(self.labels.max())

    @property
    def sizes(self) -> pd.Series:
        """How many rows each class has."""
        return self.labels.value_counts().sort_index().rename("rows")

    @property
    def centres(self) -> pd.DataFrame:
        """The barycentre of each class, (k, q)."""
        k, q = self.n_clusters, self.coordinates.shape[1]
        index = pd.RangeIndex(1, k + 1, name="class")
        return pd.DataFrame(self._centres(True), index, pd.RangeIndex(1, q + 1, name="axis"))

    @property
    def p_value(self) -> float | None:
        """p-value of the hypothesis of a single class; None if the number was specified."""
        return self.splits[0].p_value if self.splits else None

    @property
    def tests(self) -> pd.DataFrame:
        """The tested divisions: rows, their parts, p-value, level, and whether it was accepted."""
        rows = [(s.rows, *s.parts, s.p_value, s.level, s.found) for s in self.splits]
        names = ["rows", "first", "second", "p_value", "level", "found"]
        return pd.DataFrame(rows, columns=names)

    @property
    def inertia(self) -> pd.Series:
        """The inertia between the classes and within them."""
        w, F = self.weights, self.coordinates
        within = float(w @ ((F - self._centres(True)[self._codes]) ** 2).sum(axis=1))
        total = float(w @ ((F - w @ F) ** 2).sum(axis=1))
        return pd.Series({"between": total - within, "within": within})

    def predict(self, X: RowsLike) -> np.ndarray:
        """Return the class whose centre is nearest to each new row, (m,)."""
        if not hasattr(self.fit, "transform"):
            raise InputError(f"X: {type(self.fit).__name__} places no new rows: fit them with it")
        F = np.asarray(to_numpy(self.fit.transform(X)), dtype=float)
        F = F[:, : self.coordinates.shape[1]] @ self.metric
        return trees.nearest(F, self._centres(True) @ self.metric) + 1

    def describe(
        self,
        table: TableLike | None = None,
        *,
        weights: VectorLike | None = None,
        alpha: float = 0.05,
    ) -> Description:
        """Describe each class by the numbers and categories that characterise it, with v-tests.

        Parameters
        ----------
        table : data frame or array (n, p), optional
            Columns to describe in addition to those of the fit. (Those of a table of counts,
            `gm.CA`, are categories of one variable, "column".)
        weights : array (n,), optional
            Weights of the rows, as counts; by default those of the fit, with the number of rows as
            sum.
        alpha : float
            p-values up to this are kept; 1 keeps all. As the classes were found in these columns,
            p-values rank them but are not a test.
        """
        own, tally = own_columns(self.fit), own_tally(self.fit, self._codes)
        if own is None and tally is None and table is None:
            raise InputError(
                f"table is missing: {type(self.fit).__name__} keeps no columns of its own: give "
                "the table that should describe the classes, or use axes()"
            )
        other, index = Supplement([], []), self.labels.index if is_frame(table) else None
        if table is not None:
            other = supplement_of(table, len(self.labels), index)
        both = join_columns(own or Supplement([], []), other)
        return describe_groups(self._factor, both, self._counts(weights), alpha, tally)

    def axes(self, *, weights: VectorLike | None = None, alpha: float = 0.05) -> Description:
        """Describe each class by the axes that characterise it, as `describe` does for columns."""
        numbers = [Numeric(f"axis {k}", f) for k, f in enumerate(self.coordinates.T, 1)]
        return describe_groups(self._factor, Supplement(numbers, []), self._counts(weights), alpha)

    def paragons(self, n: int = 5, *, weighted: bool = True) -> pd.DataFrame:
        """Return the most typical rows of each class, those nearest to its centre.

        Parameters
        ----------
        n : int
            Number of rows of each class.
        weighted : bool
            Whether centres use the weights of the rows; FactoMineR: False.

        Returns
        -------
        DataFrame
            "class", "row" (its label), "distance".
        """
        gaps = self._gaps(weighted)
        return self._rank_rows(gaps[np.arange(len(gaps)), self._codes], n)

    def extremes(self, n: int = 5, *, weighted: bool = True) -> pd.DataFrame:
        """Return the most specific rows of each class, farthest from the centres of all others.

        "distance" is that to the nearest other centre; with a single class, to its own.
        """
        gaps = self._gaps(weighted)
        if self.n_clusters > 1:
            gaps[np.arange(len(gaps)), self._codes] = np.inf
        return self._rank_rows(gaps.min(axis=1), n, farthest=True)

    def stability(self, n_resamples: int = 100, *, random_state: SeedLike = None) -> pd.DataFrame:
        """Return how well each class is recovered from resampled rows.

        Rows are drawn with replacement, the tree is cut into as many classes, and each class is
        compared with the most similar of these by Jaccard's share of common rows (Hennig 2007).
        Above 0.85 a class is stable, below 0.6 it is dissolved. The axes stay as they are.

        Returns
        -------
        DataFrame
            One row per class: "jaccard", the mean; "low", its 5 % quantile; "recovered", how often
            it is 0.75 or more.
        """
        B, live = whole(n_resamples, "n_resamples"), self.weights > 0
        rng = generator(random_state)
        F, w, codes = self.coordinates[live], self.weights[live], self._codes[live]
        shares = jaccard_shares(F, w, codes, B, rng)
        values = {"jaccard": shares.mean(axis=0), "low": np.quantile(shares, 0.05, axis=0)}
        values |= {"recovered": (shares >= 0.75).mean(axis=0)}
        return pd.DataFrame(values, index=pd.RangeIndex(1, shares.shape[1] + 1, name="class"))

    @property
    def _codes(self) -> np.ndarray:
        return self.labels.to_numpy() - 1

    @property
    def _factor(self) -> Factor:
        return Factor("class", self._codes, pd.RangeIndex(1, self.n_clusters + 1))

    def _centres(self, weighted: bool) -> np.ndarray:
        live = self.weights > 0
        w = self.weights[live] if weighted else np.ones(int(live.sum()))
        return trees.centres_of(self.coordinates[live], w, self._codes[live])

    def _gaps(self, weighted: bool) -> np.ndarray:
        flag(weighted, "weighted")
        centres = self._centres(weighted)
        return np.asarray(np.sqrt(trees.distances_squared(self.coordinates, centres)))

    def _rank_rows(self, far: np.ndarray, n: int, farthest: bool = False) -> pd.DataFrame:
        """Return the first n rows of each class that have a weight."""
        whole(n, "n")
        codes = np.where(self.weights > 0, self._codes, -1)
        order = np.argsort(-far if farthest else far, kind="stable")
        rows = [order[codes[order] == c][:n] for c in range(self.n_clusters)]
        every = np.concatenate(rows)
        first = {"class": codes[every] + 1, "row": self.labels.index[every]}
        return pd.DataFrame(first | {"distance": far[every]})

    def _counts(self, weights: VectorLike | None) -> np.ndarray:
        """Return weights as counts of rows."""
        if weights is None:
            return self.weights * np.count_nonzero(self.weights)
        return row_counts(weights, len(self.weights))


def jaccard_shares(
    F: np.ndarray, w: np.ndarray, codes: np.ndarray, B: int, rng: np.random.Generator
) -> np.ndarray:
    """Return the largest Jaccard share of each class in each of B resamples, (B, k)."""
    # Of the rows drawn, each once: |A ∩ B|/|A ∪ B|. A class none of whose rows was drawn has 0.
    n, k = len(F), int(codes.max()) + 1
    shares = np.zeros((B, k))
    for b in range(B):
        drawn = np.bincount(rng.integers(0, n, n), minlength=n)
        rows = np.flatnonzero(drawn)
        if len(rows) <= k:
            continue
        mass = drawn[rows] * w[rows]
        mass /= mass.sum()
        own = trees.ward(F[rows], mass).cut(k)
        own = trees.consolidate_classes(F[rows], mass, own) if k > 1 else own
        both = np.zeros((k, k))
        np.add.at(both, (codes[rows], own), 1.0)
        union = both.sum(axis=1)[:, None] + both.sum(axis=0) - both
        shares[b] = (both / np.maximum(union, 1.0)).max(axis=1)
    return shares
