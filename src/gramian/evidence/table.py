"""Arguments as the tests take them: tables centred, without constant columns, scaled again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import narwhals as nw
import numpy as np
import pandas as pd

from gramian._core.array import is_array, to_numpy
from gramian._core.check import invalid, is_label, is_list, one_of, share, whole
from gramian._core.frames import is_frame
from gramian._core.numbers import as_array, as_floats, refuse_masks
from gramian._core.table import table
from gramian._core.types import TableLike, VectorLike
from gramian._nulls.deflation import NULLS, has_equal_sizes
from gramian._nulls.draws import row_orders, row_rotations
from gramian._nulls.p_values import p_values, smallest_p_value
from gramian._nulls.spectra import axes_without as axes_without
from gramian._nulls.spectra import normal_scores as normal_scores
from gramian.errors import InputError, InputTypeError


@dataclass(frozen=True)
class Table:
    """Centred columns that vary, (n, p), and whether they are standardised."""

    values: np.ndarray
    scaled: bool
    live: np.ndarray  # which columns of the caller's table these are

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.values)

    @property
    def p(self) -> int:
        """Number of columns that vary."""
        return self.values.shape[1]

    @property
    def rank(self) -> int:
        """The most axes that such a table can have."""
        return max(min(self.n - 1, self.p), 0)

    @cached_property
    def axes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """U, s and V of the singular value decomposition U·s·Vᵀ, no more than the rank of each."""
        U, s, Vt = np.linalg.svd(self.values, full_matrices=False)
        return U[:, : self.rank], s[: self.rank], Vt[: self.rank].T

    def rows(self, keep: np.ndarray) -> Table:
        """Return some rows, centred again, and scaled again where the table is."""
        return _table(self.values[keep], self.scaled, self.live)

    def like(self, values: np.ndarray) -> Table:
        """Return other values of the same columns, centred, and scaled where the table is."""
        return _table(values, self.scaled, self.live)


def table_of(X: TableLike) -> Table:
    """Return a table (n, p) of numbers, ready for the tests."""
    values = finite_table(X, bare=True)
    return _table(values, has_equal_sizes(values.T), np.arange(values.shape[1]))


def _table(values: np.ndarray, scaled: bool, live: np.ndarray) -> Table:
    values = values - values.mean(axis=0)
    values = values - values.mean(axis=0)  # an offset of 1e8 leaves a mean behind the first time
    size = values.std(axis=0)
    # Differences that are rounding are no differences.
    vary = size > 1e-13 * np.maximum(np.abs(values).max(axis=0, initial=0.0), 1e-300)
    values = values[:, vary] / size[vary] if scaled else values[:, vary]
    return Table(np.ascontiguousarray(values), scaled, live[vary])


def finite_table(X: TableLike, name: str = "X", *, bare: bool = False) -> np.ndarray:
    """Return a table of finite numbers, (n, p); with `bare` p may be 0."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if bare and len(shape) == 2 and shape[0] > 0 == shape[1]:
        return np.empty(shape)
    values = table(X, name, min_rows=1, allow_sparse=False).values
    return np.asarray(to_numpy(values), dtype=float)


def coordinates(F: TableLike | None, n: int) -> np.ndarray | None:
    """Return coordinates of the n rows of X, no axis at all included; None where there are none."""
    if F is None:
        return None
    values = finite_table(F, "F", bare=True)
    if len(values) != n:
        text = f"F has {len(values)} rows and X {n}: give coordinates of the same rows"
        raise InputError(text, argument="F", found=len(values))
    return values


def supplementary_columns(Z: TableLike, n: int) -> np.ndarray:
    """Return supplementary columns of the n rows, (n, m), m = 0 included; NaN is missing."""
    values = np.asarray(as_floats(Z, "Z"), dtype=float)
    if values.ndim != 2 or len(values) != n:
        text = f"Z has shape {values.shape} and F {n} rows: give the same rows in both"
        raise InputError(text, argument="Z", found=values.shape)
    return values


def encode_labels(
    labels: VectorLike, n: int, name: str = "labels"
) -> tuple[np.ndarray, np.ndarray]:
    """Return the groups of n rows as codes, −1 where a row has none, and their names."""
    refuse_masks(labels, name)
    values: Any = np.asarray(labels) if hasattr(labels, "__array__") else labels
    values = to_numpy(labels) if is_array(labels) else values
    if not is_list(values):
        raise invalid(name, labels, "must be a list: give one label a row", InputTypeError)
    if len(values) != n:
        text = f"{name} has {len(values)} labels and X {n} rows: give one label a row"
        raise InputError(text, argument=name, found=len(values))
    cells = np.empty(n, dtype=object)
    cells[:] = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if not all(is_label(cell) for cell in cells):
        raise invalid(name, labels, "holds lists: give texts or numbers", InputTypeError)
    codes, names = pd.factorize(cells, sort=False)
    return codes, names


def as_data_frame(everything: TableLike | None, n: int) -> pd.DataFrame | None:
    """Return all columns of the n rows of X, of whatever kind they are."""
    if everything is None or isinstance(everything, pd.DataFrame):
        frame = everything
    elif is_frame(everything):
        native: Any = everything
        frame = nw.from_native(native, eager_only=True).to_pandas()
    else:
        refuse_masks(everything, "everything")
        given = is_array(everything)
        values = to_numpy(everything) if given else as_array(everything, "everything")
        if values.ndim != 2:
            raise invalid("everything", everything, "must be a table: give a data frame")
        frame = pd.DataFrame(values).infer_objects()
    if frame is None:
        return None
    if len(frame) != n:
        text = f"everything has {len(frame)} rows, X {n}: give the same rows"
        raise InputError(text, argument="everything", found=len(frame))
    for j, dtype in enumerate(frame.dtypes):
        column = frame.iloc[:, j]
        if pd.api.types.is_object_dtype(dtype) and not all(map(is_label, column)):
            text = f"everything has lists in its column {j}: give texts or numbers"
            raise InputTypeError(text, argument="everything", found=column)
    return frame


def number_of_draws(n_draws: int | None, default: int) -> int:
    """Return how many tables are drawn, `default` where the caller leaves it open."""
    return default if n_draws is None else whole(n_draws, "n_draws")


def check_level(alpha: float, n_draws: int) -> int:
    """Check a level and a number of draws; return the fewest that can reach the level."""
    share(alpha, "alpha")
    least = int(np.ceil(1 / alpha - 1 - 1e-9))
    whole(n_draws, "n_draws", least)
    return least


Scheme = Literal["permutation", "sign flips", "blocks", "shifts", "copies", "none"]
_ORDER_LEVEL = 0.2  # a sequence that looks ordered at this level is not taken for a random one
_N_SHUFFLES = 199


@dataclass(frozen=True)
class RowScheme:
    """How rows depend on one another: which of them count, and how tables and labels are drawn.

    Rows of unequal variance ("sign flips") may be matched with labels at random like any others:
    what was drawn independently of the rows is exchangeable, whatever the rows are. Rows in an
    order ("blocks") too, as long as the labels are not in an order themselves (`in_order`); with
    "shifts" labels move along the rows as a whole. With "none" nothing is known.
    """

    name: Scheme
    rows: np.ndarray  # that count: one of each group of copies

    @property
    def column_nulls(self) -> tuple[str, ...]:
        """The null models of columns, of which each must fail."""
        return NULLS[{"sign flips": "signflip", "shifts": "shifts"}.get(self.name, "permutation")]

    @property
    def is_ordered(self) -> bool:
        """Whether rows may follow one another in a way that makes curves and clusters."""
        return self.name in ("blocks", "shifts", "none")

    def orders(self, n: int, count: int, rng: np.random.Generator) -> np.ndarray:
        """Return orders that labels of n rows may take, (count, n)."""
        if self.name == "shifts" and n > 1:
            return row_rotations(n, count, rng)
        return row_orders(n, count, rng)

    def floor(self, n: int, count: int) -> float:
        """Return the smallest p-value that so many orders of n rows can give."""
        return 1.0 / n if self.name == "shifts" and n <= count else smallest_p_value(count)


def row_scheme(name: Scheme, n: int, groups_of_copies: VectorLike | None) -> RowScheme:
    """Return the scheme of n rows."""
    one_of(name, "scheme", get_args(Scheme))
    argument, groups = "groups_of_copies", None
    if groups_of_copies is not None:
        groups, _ = encode_labels(groups_of_copies, n, argument)
        if groups.min(initial=0) < 0:
            text = f"{argument} has no label at row {groups.argmin()}: give each row a group"
            raise InputError(text, argument=argument)
    if groups is None and name != "copies":
        return RowScheme(name, np.arange(n))
    if groups is None:
        text = f'must hold one label for each of the {n} rows with scheme="copies"'
        raise invalid(argument, None, f"{text}: give assumptions(X).copies.labels")
    return RowScheme(name, np.sort(np.unique(groups, return_index=True)[1]))


def in_order(values: np.ndarray, rng: np.random.Generator) -> bool:
    """Whether neighbours in a sequence of codes or numbers are more alike than at random."""
    # Two autocorrelated sequences are correlated by that alone. The mean squared step (of numbers),
    # or the number of changes (of integer codes), is compared with those of the shuffled sequence,
    # at a lenient level: a doubt is enough.
    orders = row_orders(len(values), _N_SHUFFLES, rng)
    steps = np.diff(values[np.vstack([np.arange(len(values)), orders])], axis=1)
    roughness = (steps != 0).sum(axis=1) if values.dtype.kind in "iu" else (steps**2).sum(axis=1)
    return bool(p_values(-roughness[0], -roughness[1:]) <= _ORDER_LEVEL)
