"""Arguments as the tests take them, and which rows may change places."""

from typing import Any, Literal, get_args

import narwhals as nw
import numpy as np
import pandas as pd

from gramian._core.array import is_array, to_numpy
from gramian._core.check import invalid, is_label, is_list, one_of, whole
from gramian._core.frames import is_frame
from gramian._core.numbers import as_array, as_floats, refuse_masks
from gramian._core.table import table
from gramian._core.types import TableLike, VectorLike
from gramian._nulls.draws import row_orders, row_rotations
from gramian._nulls.p_values import p_values, smallest_p_value
from gramian.errors import InputError, InputTypeError

Scheme = Literal["permutation", "sign flips", "blocks", "shifts", "copies", "none"]
_ORDER_LEVEL = 0.2  # a sequence that looks ordered at this level is not taken for a random one
_N_SHUFFLES = 199


def finite_table(X: TableLike, name: str = "X", *, bare: bool = False) -> np.ndarray:
    """Return a table of finite numbers, (n, p); with `bare` p may be 0.

    >>> finite_table([[1, 2], [3, 4]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if bare and len(shape) == 2 and shape[0] > 0 == shape[1]:
        return np.empty(shape)
    values = table(X, name, min_rows=1, allow_sparse=False).values
    return np.asarray(to_numpy(values), dtype=float)


def coordinates(F: TableLike | None, n: int) -> np.ndarray | None:
    """Return coordinates of the n rows of X, no axis at all included; None where there are none.

    >>> coordinates([[1, 2], [3, 4]], 2).shape, coordinates(None, 2)
    ((2, 2), None)
    """
    if F is None:
        return None
    values = finite_table(F, "F", bare=True)
    if len(values) != n:
        text = f"F has {len(values)} rows and X {n}: give coordinates of the same rows"
        raise InputError(text, argument="F", found=len(values))
    return values


def supplementary_columns(Z: TableLike, n: int) -> np.ndarray:
    """Return supplementary columns of the n rows, (n, m), m = 0 included; NaN is missing.

    >>> supplementary_columns([[1.0], [float("nan")]], 2).tolist()
    [[1.0], [nan]]
    """
    values = np.asarray(as_floats(Z, "Z"), dtype=float)
    if values.ndim != 2 or len(values) != n:
        text = f"Z has shape {values.shape} and F {n} rows: give the same rows in both"
        raise InputError(text, argument="Z", found=values.shape)
    return values


def encode_labels(
    labels: VectorLike, n: int, name: str = "labels"
) -> tuple[np.ndarray, np.ndarray]:
    """Return the groups of n rows as codes, −1 where a row has none, and their names.

    >>> codes, names = encode_labels(["b", "a", None, "b"], 4)
    >>> codes.tolist(), list(names)
    ([0, 1, -1, 0], ['b', 'a'])
    """
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


def distinct_rows(scheme: Scheme, n: int, groups_of_copies: VectorLike | None) -> np.ndarray | None:
    """Return the rows that count, one for each group of copies; None where nothing is known.

    Rows of unequal variance ("sign flips") may be matched with labels at random like any others:
    what was drawn independently of the rows is exchangeable, whatever the rows are. Rows in an
    order ("blocks") too, as long as the labels are not in an order themselves (`in_order`); with
    "shifts" labels move along the rows as a whole.

    >>> distinct_rows("copies", 4, ["a", "b", "a", "c"]).tolist()
    [0, 1, 3]
    """
    one_of(scheme, "scheme", get_args(Scheme))
    name, groups = "groups_of_copies", None
    if groups_of_copies is not None:
        groups, _ = encode_labels(groups_of_copies, n, name)
        if groups.min(initial=0) < 0:
            text = f"{name} has no label at row {groups.argmin()}: give each row a group"
            raise InputError(text, argument=name)
    if scheme != "copies":
        return None if scheme == "none" else np.arange(n)
    if groups is None:
        text = f'must hold one label for each of the {n} rows with scheme="copies"'
        raise invalid(name, None, f"{text}: give assumptions(X).copies.labels")
    return np.sort(np.unique(groups, return_index=True)[1])


def as_data_frame(everything: TableLike | None, n: int) -> pd.DataFrame | None:
    """Return all columns of the n rows of X, of whatever kind they are.

    >>> as_data_frame(np.eye(2), 2).shape
    (2, 2)
    """
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
    objects = [pd.api.types.is_object_dtype(dtype) for dtype in frame.dtypes]
    for j in np.flatnonzero(objects).tolist():
        column = frame.iloc[:, j]
        if not all(is_label(cell) for cell in column):
            text = f"everything has lists in its column {j}: give texts or numbers"
            raise InputTypeError(text, argument="everything", found=column)
    return frame


def number_of_draws(n_draws: int | None, default: int) -> int:
    """Return how many tables are drawn, `default` where the caller leaves it open."""
    return default if n_draws is None else whole(n_draws, "n_draws")


def shuffles(
    n: int, count: int, rng: np.random.Generator, scheme: str = "permutation"
) -> np.ndarray:
    """Return permutations of n rows, (count, n); with "shifts", rotations of their order."""
    if scheme == "shifts" and n > 1:
        return row_rotations(n, count, rng)
    return row_orders(n, count, rng)


def p_value_floor(n: int, count: int, scheme: str) -> float:
    """Return the smallest p-value that so many draws can give."""
    return 1.0 / n if scheme == "shifts" and n <= count else smallest_p_value(count)


def in_order(values: np.ndarray, rng: np.random.Generator) -> bool:
    """Whether neighbours in a sequence of codes or numbers are more alike than at random.

    Two autocorrelated sequences are correlated by that alone. The mean squared step (of numbers),
    or the number of changes (of integer codes), is compared with those of the shuffled sequence, at
    a lenient level: a doubt is enough.
    """
    orders = shuffles(len(values), _N_SHUFFLES, rng)
    steps = np.diff(values[np.vstack([np.arange(len(values)), orders])], axis=1)
    roughness = (steps != 0).sum(axis=1) if values.dtype.kind in "iu" else (steps**2).sum(axis=1)
    return bool(p_values(-roughness[0], -roughness[1:]) <= _ORDER_LEVEL)
