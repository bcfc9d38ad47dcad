"""Standardisations of abundances, by name."""

import numpy as np
import pandas as pd

from gramian._core.array import is_numpy
from gramian._core.check import number, one_of
from gramian._core.frames import is_frame
from gramian._core.table import table
from gramian._core.types import TableLike
from gramian.distances.communities import METHODS, refuse_negative
from gramian.errors import InputError

_ANY_SIGN = ("standardize", "range")


def transform(
    X: TableLike, method: str, *, pseudocount: float = 0.0, reference: TableLike | None = None
) -> np.ndarray | pd.DataFrame:
    """Standardise a table of abundances, as vegan's decostand does.

    Euclidean distances of the result are the distance of that name: Hellinger's of "hellinger",
    Aitchison's of "clr", and PCA of it is the ordination that goes with it.

    Parameters
    ----------
    X : array or data frame (n, p)
        Amounts, none below 0.
    method : str
        Of rows: "profiles" (shares), "hellinger" (their roots), "chord" (length 1), "log-chord",
        "clr" and "alr" (logarithms of ratios), "rclr" (of what is not zero), "presence", "log",
        "rank". Of rows and columns: "chi2", "wisconsin". Of columns: "max", "frequency", "range",
        "standardize".
    pseudocount : float
        Added to every amount first. Without one, "clr" and "alr" replace each zero by 0.65 of the
        least amount of its row, and a `ZerosReplacedWarning` is issued.
    reference : array or data frame (m, p), optional
        The rows that column statistics are taken from, for new rows X: those of the fit.

    Returns
    -------
    array or DataFrame (n, p), or (n, p − 1) for "alr"

    Examples
    --------
    >>> transform([[1.0, 3.0], [2.0, 0.0]], "hellinger").round(3).tolist()
    [[0.5, 0.866], [1.0, 0.0]]
    """
    one_of(method, "method", METHODS)
    shift = number(pseudocount, "pseudocount", least=0.0)
    rows = table(X, "X", min_rows=1, allow_sparse=False)
    other = rows
    if reference is not None:
        other = table(reference, "reference", min_rows=1, allow_sparse=False)
    if not (is_numpy(rows.values) and is_numpy(other.values)):
        raise InputError("X must be NumPy data or a data frame: convert it first")
    values, R = (np.asarray(part.values, dtype=float) + shift for part in (rows, other))
    if R.shape[1] != values.shape[1]:
        raise InputError(
            f"reference has {R.shape[1]} columns but X has {values.shape[1]}: give the same ones"
        )
    if method not in _ANY_SIGN:
        refuse_negative(values, f"method={method!r}")
    if method == "alr" and values.shape[1] < 2:
        raise InputError('X has 1 column: method="alr" compares the others with the first')
    out = METHODS[method](values, R)
    if not is_frame(X):
        return out
    columns = rows.columns if method != "alr" or rows.columns is None else rows.columns[1:]
    return pd.DataFrame(out, index=rows.index, columns=columns)
