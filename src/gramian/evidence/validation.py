"""Arguments as the tests take them, and which rows may change places."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from gramian._core.array import is_array, to_numpy
from gramian._core.check import generator, invalid, is_label, is_list, one_of, whole
from gramian._core.frames import is_frame
from gramian._core.numbers import as_array, as_floats, refuse_masks
from gramian._core.table import table
from gramian._nulls.draws import row_orders, turned_rows
from gramian._nulls.p_values import p_values, smallest_p_value
from gramian.errors import InputError, InputTypeError

SCHEMES = ("permutation", "sign flips", "blocks", "shifts", "copies", "none")


def finite_table(X: Any, name: str = "X", *, bare: bool = False) -> np.ndarray:
    """Return a table of finite numbers, (n, p); with `bare` p may be 0.

    >>> finite_table([[1, 2], [3, 4]]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if bare and getattr(X, "ndim", 0) == 2 and X.shape[0] > 0 == X.shape[1]:
        return np.empty(X.shape)
    values = table(X, name, min_rows=1, allow_sparse=False).values
    return np.asarray(to_numpy(values), dtype=float)


def coordinates(F: Any, n: int) -> np.ndarray | None:
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


def with_gaps(Z: Any, n: int) -> np.ndarray:
    """Return supplementary columns of the n rows, (n, m), m = 0 included; NaN is missing.

    >>> with_gaps([[1.0], [float("nan")]], 2).tolist()
    [[1.0], [nan]]
    """
    values = np.asarray(as_floats(Z, "Z"), dtype=float)
    if values.ndim != 2 or len(values) != n:
        text = f"Z has shape {values.shape} and F {n} rows: give the same rows in both"
        raise InputError(text, argument="Z", found=values.shape)
    return values


def labels_of(labels: Any, n: int, name: str = "labels") -> tuple[np.ndarray, Any]:
    """Return the groups of n rows as codes, −1 where a row has none, and their names.

    >>> codes, names = labels_of(["b", "a", None, "b"], 4)
    >>> codes.tolist(), list(names)
    ([0, 1, -1, 0], ['b', 'a'])
    """
    refuse_masks(labels, name)
    values = np.asarray(labels) if hasattr(labels, "__array__") else labels
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
    return pd.factorize(cells, sort=False)


def distinct_rows(scheme: str, n: int, groups_of_copies: Any) -> np.ndarray | None:
    """Return the rows that count, one for each group of copies; None where nothing is known.

    Rows of unequal variance ("sign flips") may be matched with labels at random like any others:
    what was drawn independently of the rows is exchangeable, whatever the rows are. Rows in an
    order ("blocks") too, as long as the labels are not in an order themselves (`in_order`); with
    "shifts" labels move along the rows as a whole.

    >>> distinct_rows("copies", 4, ["a", "b", "a", "c"]).tolist()
    [0, 1, 3]
    """
    one_of(scheme, "scheme", SCHEMES)
    groups = None if groups_of_copies is None else _groups_of(groups_of_copies, n)
    if scheme == "none":
        return None
    if scheme != "copies":
        return np.arange(n)
    if groups is None:
        raise invalid(
            "groups_of_copies",
            None,
            f'must hold one label for each of the {n} rows with scheme="copies": give '
            "assumptions(X).copies.labels",
        )
    return np.sort(np.unique(groups, return_index=True)[1])


def _groups_of(groups_of_copies: Any, n: int) -> np.ndarray:
    codes, _ = labels_of(groups_of_copies, n, "groups_of_copies")
    if codes.min(initial=0) < 0:
        row = int(codes.argmin())
        text = f"groups_of_copies has no label at row {row}: give each row a group"
        raise InputError(text, argument="groups_of_copies")
    return codes


def everything_of(everything: Any, n: int) -> pd.DataFrame | None:
    """Return all columns of the n rows of X, of whatever kind they are.

    >>> everything_of(np.eye(2), 2).shape
    (2, 2)
    """
    if everything is None:
        return None
    frame = _frame(everything)
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


def _frame(everything: Any) -> pd.DataFrame:
    if isinstance(everything, pd.DataFrame):
        return everything
    if is_frame(everything):
        return nw.from_native(everything, eager_only=True).to_pandas()
    refuse_masks(everything, "everything")
    values = to_numpy(everything) if is_array(everything) else as_array(everything, "everything")
    if values.ndim != 2:
        raise invalid("everything", everything, "must be a table: give a data frame")
    return pd.DataFrame(values).infer_objects()


def draws(n_draws: Any, default: int) -> int:
    """Return how many tables are drawn, `default` where nobody says.

    >>> draws(None, 99), draws(9, 99)
    (99, 9)
    """
    return default if n_draws is None else whole(n_draws, "n_draws")


def random(rng: Any) -> np.random.Generator:
    """Return the generator that a test draws from: `rng` is what `random_state` is elsewhere.

    >>> bool(random(3).random() == random(3).random())
    True
    """
    return generator(rng, "rng")


_DOUBT = 0.2  # a sequence that looks ordered at this level is not taken for a random one
_SHUFFLES = 199


def shuffles(
    n: int, count: int, rng: np.random.Generator, scheme: str = "permutation"
) -> np.ndarray:
    """Return permutations of n rows, (count, n); with "shifts", those that go round."""
    if scheme == "shifts" and n > 1:
        return turned_rows(n, count, rng)
    return row_orders(n, count, rng)


def p_value_floor(n: int, count: int, scheme: str) -> float:
    """Return the smallest p-value that so many draws can give."""
    return 1.0 / n if scheme == "shifts" and n <= count else smallest_p_value(count)


def in_order(values: np.ndarray, rng: np.random.Generator) -> bool:
    """Whether neighbours in a sequence of codes or numbers are more alike than chance has it.

    Two sequences that both wander are tied by that alone. The mean squared step (of numbers), or
    the number of changes (of integer codes), is held against those of the shuffled sequence, at a
    lenient level: a doubt is enough.
    """
    sequences = values[np.vstack([np.arange(len(values)), shuffles(len(values), _SHUFFLES, rng)])]
    step = np.diff(sequences, axis=1)
    roughness = (step != 0).sum(axis=1) if values.dtype.kind in "iu" else (step**2).sum(axis=1)
    return bool(p_values(-roughness[0], -roughness[1:]) <= _DOUBT)
