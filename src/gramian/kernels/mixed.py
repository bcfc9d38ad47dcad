"""Kernels on tables of numbers and categories."""

import numpy as np

from gramian._core.array import Array, namespace, to_numpy
from gramian._core.check import short
from gramian._core.frames import collect, column_names, labels_of
from gramian._core.numbers import as_floats
from gramian._core.pairs import Pairs, Points
from gramian._core.table import Table, check_size
from gramian._core.types import RowsLike, TableLike
from gramian.distances import mixed
from gramian.errors import InputError
from gramian.kernels.base import Change, Kernel, Names, Weights
from gramian.kernels.composite import Constant
from gramian.kernels.pullback import Pullback
from gramian.kernels.registry import register


@register
class Gower(Kernel):
    """Gower's similarity: the mean over the columns of the agreement of two rows.

    The agreement is 1 − |x − y|/range for numbers (0 if they differ by more than the range), 1 for
    equal and 0 for different categories; ordered categories are replaced by ranks. On categories
    alone it is the share of the columns in which two rows agree. It is positive semi-definite.

    Data frames of numbers and categories can be used in `KernelPCA`, in a block of `MultiKernelPCA`
    or with the kernel itself; `Columns` applies it to some columns only. Missing values are an
    error; a category that the fit has not seen differs from all others. `spans`, (p,), are the
    ranges of the numbers, 0 for a category; by default those of the rows of the fit.

    >>> import pandas as pd
    >>> X = pd.DataFrame({"size": [1.0, 2.0, 5.0], "colour": ["red", "blue", "red"]})
    >>> Gower()(X).tolist()
    [[1.0, 0.375, 0.5], [0.375, 1.0, 0.125], [0.5, 0.125, 1.0]]
    """

    psd: bool | None = True
    takes_categories = True
    shift_changes: Change = "nothing"

    def __init__(self, spans: Array | None = None) -> None:
        self.spans = spans

    def evaluate(self, pairs: Pairs) -> Array:
        """1 less the mean difference."""
        return 1.0 - self._difference(pairs)

    def squared_distance(self, pairs: Pairs) -> Array:
        """Twice the mean difference."""
        return 2.0 * self._difference(pairs)

    def self_similarity(self, X: Array) -> Array:
        """One for every row."""
        return Constant(1.0).self_similarity(X)

    def _difference(self, pairs: Pairs) -> Array:
        X, Y = pairs.X, pairs.Y
        spans = self._spans(X) if self.spans is not None else _ranges(X)
        xp, total = namespace(X), pairs.full(0.0)
        for k, span in enumerate(spans.tolist()):  # no scalars of NumPy beside other arrays
            gap = xp.abs(X[:, k][:, None] - Y[:, k][None, :])
            one = xp.ones_like(gap)
            total += xp.minimum(gap / span, one) if span > 0 else xp.where(gap > 0, one, 0 * one)
        return total / len(spans)

    def _spans(self, X: Array) -> np.ndarray:
        spans = as_floats(self.spans, "spans")
        if spans.shape != (X.shape[1],) or not (np.isfinite(spans) & (spans >= 0)).all():
            raise InputError(
                f"spans={short(self.spans)} must hold a range for each of the {X.shape[1]} columns "
                "of X, 0 for a category"
            )
        return spans

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with its ranges made definite: those of the rows by default."""
        return Gower(_ranges(points.X)) if self.spans is None else self

    def with_reader(self, reader: mixed.Gower, names: Names = None) -> Kernel:
        """Return the kernel with the ranges that a table of numbers and categories has."""
        return Gower(reader.spans) if self.spans is None else self


def _ranges(X: Array) -> np.ndarray:
    return np.asarray(np.ptp(to_numpy(X).astype(float), axis=0))


@register(short=False)
class MixedTable(Pullback):
    """A kernel on tables of numbers and categories, which `reader` reads as numbers and codes.

    It is what `KernelPCA` has as `kernel_` after a data frame with categories.
    """

    def __init__(self, kernel: Kernel, reader: mixed.Gower) -> None:
        self.kernel = kernel
        self.reader = reader

    def for_table(self, X: RowsLike) -> Kernel:
        """Return itself: other rows are read as the first ones were."""
        return self

    def table(self, X: TableLike, name: str, min_rows: int) -> Table:
        """Return rows as numbers and codes; a missing value is refused."""
        X = collect(X)
        codes = self.reader.encode(X)
        check_size(codes, name, min_rows)
        index, names = labels_of(X), column_names(X)
        if np.isnan(codes).any():
            i, j = (int(k[0]) for k in np.nonzero(np.isnan(codes)))
            raise InputError(
                f"{name} has a missing value at row {short(i if index is None else index[i])}, "
                f"column {j if names is None else names[j]!r}: fill it first (gm.missing.impute), "
                "or drop the row"
            )
        return Table(codes, index, names, self)

    def about(self, points: Points) -> Kernel:
        """Return the inner kernel without the offsets of its numbers."""
        return self._parts_about(points)
