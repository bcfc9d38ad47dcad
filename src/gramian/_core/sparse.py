"""Sparse matrices at the door: sound, in one form, and the caller's own left as it is.

SciPy's loops trust their indices: one that points outside the matrix reads foreign memory, and an
entry that stands twice counts twice in a product but not in a square. So every matrix is looked at
before anything is computed from it, and comes in as CSR with sorted indices and no entry twice.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from gramian._core.numbers import refuse_rounding
from gramian.errors import InputError

_COUNTED = 1 << 18  # places that are counted at a time


def csr_rows(X: sparse.sparray, name: str) -> sparse.csr_array:
    """Return a two-dimensional sparse matrix of any format as CSR in canonical form.

    Its numbers are float64, or float32 where they were. Arrays are shared with X where they are in
    this form already; X itself is never changed.

    >>> S = sparse.csr_array(([1.0, 2.0, 4.0], [1, 1, 0], [0, 3]), shape=(1, 2))
    >>> csr_rows(S, "X").data.tolist(), S.nnz
    ([4.0, 3.0], 3)
    """
    if X.dtype.kind not in "fiub":
        raise InputError(f"{name} is a sparse matrix of {X.dtype}: numbers are needed")
    require_sound(X, name)
    if X.dtype.kind in "iu":  # before entries are summed, which short integers would not hold
        refuse_rounding(_values(X), name)
        X = X.astype(np.float64)
    out = _canonical(X if X.format == "csr" else X.tocsr(copy=False))
    return out if out.dtype in (np.float32, np.float64) else out.astype(np.float64)


def require_sound(X: sparse.sparray, name: str) -> None:
    """Refuse a sparse matrix whose indices point outside it, or whose arrays do not fit."""
    _CHECKS.get(X.format, _trust)(X, name)


def _canonical(S: sparse.sparray) -> sparse.csr_array:
    """Return a sound CSR matrix with its indices sorted and no entry twice."""
    used = S.indptr[-1]
    # A new object: what SciPy noted about S (sorted, canonical) may be out of date.
    out = sparse.csr_array((S.data[:used], S.indices[:used], S.indptr), shape=S.shape)
    if not out.has_canonical_format:
        out = out.copy()
        out.sum_duplicates()
    return out


def _values(X: sparse.sparray) -> np.ndarray:
    """Return the entries of any format as one array."""
    return np.asarray((X.tocoo() if X.format in ("lil", "dok") else X).data)


def _refuse(name: str, finding: str) -> None:
    raise InputError(
        f"{name} is a broken sparse matrix: {finding}: build it again, for instance with "
        "scipy.sparse.coo_array((data, (rows, columns)), shape)"
    )


def _positions(index: npt.ArrayLike, size: int, name: str, what: str) -> None:
    """Refuse positions that are no whole numbers from 0 to size − 1."""
    index = np.asarray(index)
    if index.size == 0:
        return
    if index.ndim != 1 or index.dtype.kind not in "iu":
        _refuse(name, f"each {what} must be a whole number, not {index.dtype}")
    low, high = int(index.min()), int(index.max())
    if low < 0 or high >= size:
        wrong = low if low < 0 else high
        _refuse(name, f"an entry has the {what} {wrong}, outside 0 to {size - 1}")


def _check_compressed(X: sparse.sparray, name: str) -> None:
    """CSR, CSC and BSR: pointers that never step back, over indices inside the matrix."""
    high, wide = X.blocksize if X.format == "bsr" else (1, 1)
    major, minor = X.shape[::-1] if X.format == "csc" else X.shape
    data, indices, indptr = np.asarray(X.data), np.asarray(X.indices), np.asarray(X.indptr)
    if indptr.ndim != 1 or indptr.dtype.kind not in "iu" or len(indptr) != major // high + 1:
        _refuse(name, f"indptr has {indptr.size} numbers, not {major // high + 1}")
    if indptr[0] != 0 or (np.diff(indptr.astype(np.int64)) < 0).any():
        _refuse(name, "indptr does not start at 0 or steps back")
    if data.ndim != (3 if X.format == "bsr" else 1) or len(data) != indices.size:
        _refuse(name, f"there are {len(data)} values for {indices.size} indices")
    if indptr[-1] > indices.size:
        _refuse(name, f"indptr ends at {indptr[-1]} but there are {indices.size} entries")
    used = indices[: indptr[-1]]  # what lies beyond is room, not entries
    _positions(used, minor // wide, name, "row index" if X.format == "csc" else "column index")


def _check_triples(X: sparse.sparray, name: str) -> None:
    """COO: as many rows and columns as values."""
    sizes = {np.asarray(part).size for part in (X.row, X.col, X.data)}
    if len(sizes) > 1:
        _refuse(name, f"its rows, columns and values have different lengths, {sorted(sizes)}")
    _positions(X.row, X.shape[0], name, "row index")
    _positions(X.col, X.shape[1], name, "column index")


def _check_lists(X: sparse.sparray, name: str) -> None:
    """LIL: as many positions as values in each row."""
    rows, data = np.asarray(X.rows), np.asarray(X.data)
    if rows.shape != (X.shape[0],) or data.shape != rows.shape:
        _refuse(name, f"it has {rows.size} lists of positions and {data.size} of values")
    for i, (places, values) in enumerate(zip(rows, data, strict=True)):
        if len(places) != len(values):
            _refuse(name, f"row {i} has {len(places)} positions and {len(values)} values")
        _positions(places, X.shape[1], name, "column index")


def _check_keys(X: sparse.sparray, name: str) -> None:
    """DOK: keys that are pairs of positions."""
    keys = np.array(list(X.keys()))
    if keys.size == 0:
        return
    if keys.ndim != 2 or keys.shape[1] != 2:
        _refuse(name, "its keys are not pairs of positions")
    _positions(keys[:, 0], X.shape[0], name, "row index")
    _positions(keys[:, 1], X.shape[1], name, "column index")


def _check_diagonals(X: sparse.sparray, name: str) -> None:
    """DIA: one row of values for each offset, which are all different."""
    data, offsets = np.asarray(X.data), np.asarray(X.offsets)
    if data.ndim != 2 or offsets.ndim != 1 or len(data) != len(offsets):
        _refuse(name, f"it has {len(data)} diagonals and {offsets.size} offsets")
    if offsets.dtype.kind not in "iu" or len(set(offsets.tolist())) != len(offsets):
        _refuse(name, "its offsets are not whole numbers that all differ")


def _trust(X: sparse.sparray, name: str) -> None:
    """A format that is not known here: its conversion is checked by SciPy."""


_CHECKS = {
    "csr": _check_compressed,
    "csc": _check_compressed,
    "bsr": _check_compressed,
    "coo": _check_triples,
    "lil": _check_lists,
    "dok": _check_keys,
    "dia": _check_diagonals,
}


def column_counts(X: sparse.sparray) -> np.ndarray:
    """Return how many entries each column of a CSR matrix stores, (p,).

    Some at a time: NumPy counts a copy of the places in wide integers.

    >>> column_counts(sparse.csr_array([[1.0, 0.0], [2.0, 3.0]])).tolist()
    [2, 1]
    """
    counts = np.zeros(X.shape[1], dtype=np.int64)
    for start in range(0, len(X.indices), _COUNTED):
        counts += np.bincount(X.indices[start : start + _COUNTED], minlength=X.shape[1])
    return counts
