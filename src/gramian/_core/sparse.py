"""Validation of sparse matrices: checked, converted to one form, the caller's left unchanged.

SciPy's loops trust their indices: one that points outside the matrix reads foreign memory, and an
entry that stands twice counts twice in a product but not in a square. So every matrix is looked at
before anything is computed from it, and comes in as CSR with sorted indices and no entry twice.
"""

import copy
import warnings

import numpy as np
from scipy import sparse

from gramian._core.numbers import refuse_rounding
from gramian.errors import InputError

_COUNT_BLOCK = 1 << 18  # places that are counted at a time


def csr_rows(X: sparse.sparray, name: str) -> sparse.csr_array:
    """Return a two-dimensional sparse matrix of any format as CSR in canonical form.

    Its numbers are float64, or float32 where they were. Arrays are shared with X where they are in
    this form already; X itself is never changed.
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
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of indices that are no integers
            if X.format in _CHECKS:  # SciPy checks others as it converts them
                _CHECKS[X.format](X)
    except (ValueError, TypeError, IndexError, UserWarning) as error:
        raise InputError(
            f"{name} is a broken sparse matrix: {error}: build it again, for instance with "
            "scipy.sparse.coo_array((data, (rows, columns)), shape)"
        ) from error


def _check_compressed(X: sparse.sparray) -> None:
    """CSR, CSC and BSR: pointers that never step back, over indices inside the matrix."""
    if (np.diff(np.asarray(X.indptr).astype(np.int64)) < 0).any():
        raise ValueError("indptr steps back")
    copy.copy(X).check_format(full_check=True)  # of the copy: SciPy prunes what it checks


def _check_triples(X: sparse.sparray) -> None:
    """COO: as many rows and columns as values, inside the matrix."""
    sparse.coo_array((X.data, (X.row, X.col)), shape=X.shape)


def _check_lists(X: sparse.sparray) -> None:
    """LIL: as many positions as values in each row."""
    rows, data = np.asarray(X.rows), np.asarray(X.data)
    if rows.shape != (X.shape[0],) or data.shape != rows.shape:
        raise ValueError(f"it has {rows.size} lists of positions and {data.size} of values")
    for i, (places, values) in enumerate(zip(rows, data, strict=True)):
        where = (np.full(len(places), i), np.array(places, dtype=int))
        sparse.coo_array((np.asarray(values, dtype=float), where), shape=X.shape)


def _check_keys(X: sparse.sparray) -> None:
    """DOK: keys that are pairs of positions."""
    keys = np.array(list(X.keys())).reshape(len(X.keys()), 2)
    sparse.coo_array((np.ones(len(keys)), (keys[:, 0], keys[:, 1])), shape=X.shape)


def _check_diagonals(X: sparse.sparray) -> None:
    """DIA: one row of values for each offset, which are all different."""
    sparse.dia_array((X.data, X.offsets), shape=X.shape)


_CHECKS = {
    "csr": _check_compressed,
    "csc": _check_compressed,
    "bsr": _check_compressed,
    "coo": _check_triples,
    "lil": _check_lists,
    "dok": _check_keys,
    "dia": _check_diagonals,
}


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


def column_counts(X: sparse.sparray) -> np.ndarray:
    """Return how many entries each column of a CSR matrix stores, (p,).

    Some at a time: NumPy counts a copy of the places in wide integers.
    """
    counts = np.zeros(X.shape[1], dtype=np.int64)
    for start in range(0, len(X.indices), _COUNT_BLOCK):
        counts += np.bincount(X.indices[start : start + _COUNT_BLOCK], minlength=X.shape[1])
    return counts


def csr_slice(X: sparse.csr_array, rows: slice) -> sparse.csr_array:
    """Return some rows of a CSR matrix, which they share their numbers with."""
    some = slice(X.indptr[rows.start], X.indptr[rows.stop])
    indptr = X.indptr[rows.start : rows.stop + 1] - X.indptr[rows.start]
    shape = (rows.stop - rows.start, X.shape[1])
    return sparse.csr_array((X.data[some], X.indices[some], indptr), shape=shape)
