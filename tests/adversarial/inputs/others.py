"""Sparse matrices, whole and broken; tensors; arrays of other libraries."""

import numpy as np
from scipy import sparse
from tests.optional import library

from ..cell import either, refused
from .base import WHOLE, X, changed

array_api_strict = library("array_api_strict")
torch = library("torch")
THIN = np.where(WHOLE > 60, X, 0.0)


def broken(data=None, indices=None, indptr=None, kind=sparse.csr_matrix, source=THIN):
    """A matrix whose parts were changed behind the back of its constructor."""
    A = kind(source)
    for name, value in (("data", data), ("indices", indices), ("indptr", indptr)):
        if value is not None:
            getattr(A, name)[: len(value)] = value
    return A


def cut(name, kind=sparse.csr_matrix):
    """A matrix that lost the end of one of its three arrays."""
    A = kind(THIN)
    setattr(A, name, getattr(A, name)[:-2].copy())
    return A


def repeated(kind=sparse.csr_matrix):
    """Every entry in two halves."""
    A = sparse.coo_matrix(THIN)
    if kind is sparse.coo_matrix:
        return sparse.coo_matrix(
            (np.r_[A.data, A.data] / 2, (np.r_[A.row, A.row], np.r_[A.col, A.col])), A.shape
        )
    B = sparse.csr_matrix(THIN)
    return sparse.csr_matrix((B.data.repeat(2) / 2, B.indices.repeat(2), B.indptr * 2), B.shape)


def unsorted():
    B = sparse.csr_matrix(X + 1)
    order = np.arange(B.nnz).reshape(X.shape)[:, ::-1].ravel()
    return sparse.csr_matrix((B.data[order], B.indices[order], B.indptr), B.shape)


def wide():
    B = sparse.csr_matrix(THIN)
    B.indices, B.indptr = B.indices.astype("i8"), B.indptr.astype("i8")
    return B


def tensor(dtype=torch.float64, source=X):
    return torch.tensor(np.array(source)).to(dtype)


def dense(make):
    return lambda: make().toarray()


FORMATS = "csr csc coo bsr dia lil dok"
FAMILIES = {
    "sparse": [
        *(
            either(f"{f}_matrix", lambda f=f: getattr(sparse, f"{f}_matrix")(THIN), lambda: THIN)
            for f in FORMATS.split()
        ),
        *(
            either(f"{f}_array", lambda f=f: getattr(sparse, f"{f}_array")(THIN), lambda: THIN)
            for f in FORMATS.split()
        ),
        either("every entry twice, csr", repeated, lambda: THIN),
        either("every entry twice, coo", lambda: repeated(sparse.coo_matrix), lambda: THIN),
        either("indices out of order", unsorted, lambda: X + 1),
        either("indices of 64 bits", wide, lambda: THIN),
        either(
            "zeros that are stored",
            lambda: sparse.csr_matrix(THIN) * 0 + sparse.csr_matrix(THIN),
            lambda: THIN,
        ),
        either("only stored zeros", lambda: sparse.csr_matrix(THIN) * 0, lambda: THIN * 0),
        either("nothing stored", lambda: sparse.csr_matrix(X.shape), lambda: np.zeros(X.shape)),
        either("csr f4", lambda: sparse.csr_matrix(THIN.astype("f4")), lambda: THIN, single=True),
        either("csr ints", lambda: sparse.csr_matrix(WHOLE), lambda: WHOLE),
        either("csr bools", lambda: sparse.csr_matrix(WHOLE > 60), lambda: WHOLE > 60),
        either("csr at 1e200", lambda: sparse.csr_matrix(THIN * 1e200), lambda: THIN * 1e200),
        either("csr at offset 1e8", lambda: sparse.csr_matrix(X * 16 + 1e8), lambda: X * 16 + 1e8),
        either("csr of stored read-only arrays", lambda: sparse.csr_matrix(THIN)[:], lambda: THIN),
        refused("csr NaN", lambda: sparse.csr_matrix(changed(np.nan))),
        refused("csr inf", lambda: sparse.csr_matrix(changed(np.inf))),
        refused("csr complex", lambda: sparse.csr_matrix(X + 1j)),
        refused("csr ints beyond 2^53", lambda: sparse.csr_matrix(WHOLE.astype("i8") + 2**60)),
        refused("coo ints beyond 2^53", lambda: sparse.coo_array(WHOLE.astype("i8") + 2**60)),
        refused("csr index out of range", lambda: broken(indices=[99])),
        refused("csr index far out of range", lambda: broken(indices=[10**8])),
        refused("csr index negative", lambda: broken(indices=[-3])),
        refused("csc index out of range", lambda: broken(indices=[99], kind=sparse.csc_matrix)),
        refused(
            "coo index out of range",
            lambda: (A := sparse.coo_matrix(THIN), A.row.__setitem__(0, 99))[0],
        ),
        refused("bsr index out of range", lambda: broken(indices=[99], kind=sparse.bsr_matrix)),
        refused("csr pointers that go back", lambda: broken(indptr=[0, 3, 1])),
        refused("csr pointers beyond the data", lambda: broken(indptr=[0, 10**6])),
        refused("csr pointers negative", lambda: broken(indptr=[-5])),
        refused("csr data too short", lambda: cut("data")),
        refused("csr indices too short", lambda: cut("indices")),
        refused("csr pointers too short", lambda: cut("indptr")),
        refused("csr without rows", lambda: sparse.csr_matrix((0, 3))),
        refused("csr without columns", lambda: sparse.csr_matrix((3, 0))),
        refused("a sparse vector", lambda: sparse.coo_array(X[0])),
    ],
    "torch": [
        either("torch f8", tensor, lambda: X),
        either("torch f4", lambda: tensor(torch.float32), lambda: X, single=True),
        either("torch f2", lambda: tensor(torch.float16), lambda: X, single=True),
        either("torch bfloat16", lambda: tensor(torch.bfloat16, WHOLE), lambda: WHOLE, single=True),
        either("torch i8", lambda: tensor(torch.int64, WHOLE), lambda: WHOLE),
        either("torch u1", lambda: tensor(torch.uint8, WHOLE), lambda: WHOLE),
        either("torch bool", lambda: tensor(torch.bool, WHOLE > 50), lambda: WHOLE > 50),
        either("torch with a gradient", lambda: tensor().requires_grad_(), lambda: X),
        either("torch inside a graph", lambda: tensor().requires_grad_() * 1.0, lambda: X),
        either("torch transposed", lambda: tensor(source=X.T).T, lambda: X),
        either("torch strided", lambda: tensor(source=np.repeat(X, 2, axis=0))[::2], lambda: X),
        either(
            "torch of stride 0",
            lambda: tensor(source=X[:, :1]).expand(*X.shape),
            lambda: np.broadcast_to(X[:, :1], X.shape),
        ),
        either("torch sharing NumPy's memory", lambda: torch.from_numpy(np.array(X)), lambda: X),
        either("torch sparse coo", lambda: tensor(source=THIN).to_sparse(), lambda: THIN),
        either("torch sparse csr", lambda: tensor(source=THIN).to_sparse_csr(), lambda: THIN),
        either("torch of a negative view", lambda: torch._neg_view(-tensor()), lambda: X),
        either("torch parameter", lambda: torch.nn.Parameter(tensor()), lambda: X),
        either("list of tensors", lambda: list(tensor()), lambda: X),
        either("torch at 1e-300", lambda: tensor() * 1e-300, lambda: X * 1e-300),
        either("torch at 1e200", lambda: tensor() * 1e200, lambda: X * 1e200),
        either("torch at offset 1e8", lambda: tensor() * 16 + 1e8, lambda: X * 16 + 1e8),
        refused("torch meta", lambda: torch.empty(9, 3, device="meta")),
        refused("torch complex", lambda: tensor() + 1j),
        refused("torch NaN", lambda: tensor(source=changed(np.nan))),
        refused("torch inf f2", lambda: tensor(torch.float16, changed(np.inf))),
        refused("torch int64 beyond 2^53", lambda: tensor(torch.int64, WHOLE) + 2**60),
        refused("torch one axis", lambda: tensor()[0]),
        refused("torch without rows", lambda: tensor()[:0]),
        refused("torch number", lambda: torch.tensor(3.0)),
    ],
    "other libraries": [
        either("the strict standard", lambda: array_api_strict.asarray(np.array(X)), lambda: X),
        either(
            "the strict standard f4",
            lambda: array_api_strict.asarray(X.astype("f4")),
            lambda: X,
            single=True,
        ),
        either(
            "the strict standard: ints",
            lambda: array_api_strict.asarray(np.array(WHOLE)),
            lambda: WHOLE,
        ),
        refused("the strict standard: NaN", lambda: array_api_strict.asarray(changed(np.nan))),
        refused("the strict standard: complex", lambda: array_api_strict.asarray(X + 1j)),
        refused(
            "the strict standard: ints beyond 2^53",
            lambda: array_api_strict.asarray(WHOLE.astype("i8") + 2**60),
        ),
    ],
}
