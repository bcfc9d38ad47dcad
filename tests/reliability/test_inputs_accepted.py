"""Data in every shape that can be used: the answer is that of the plain float64 array."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import torch

import gramian as gm

from .refusals import ESTIMATORS, assert_same_fit, numbers, right_or_refuses

pytestmark = pytest.mark.slow


BASE = np.random.default_rng(42).integers(0, 9, (12, 4)).astype(float)
BASE.setflags(write=False)
NAMES = ["a", "b", "c", "d"]


def strided(X):
    wide = np.zeros((24, 8))
    wide[::2, ::2] = X
    return wide[::2, ::2]


def objects(X):
    mixed = X.astype(object)
    mixed[0, 0] = int(mixed[0, 0])
    mixed[1, 1] = np.float32(mixed[1, 1])
    return mixed


def nullable(X):
    return pd.DataFrame({name: pd.array(X[:, j], dtype="Int64") for j, name in enumerate(NAMES)})


INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FORMS = {
    **{f"integers {t}": lambda X, t=t: X.astype(t) for t in INTEGERS},
    "big endian": lambda X: X.astype(">f8"),
    "big endian integers": lambda X: X.astype(">i4"),
    "long double": lambda X: X.astype(np.longdouble),
    "objects": objects,
    "list": lambda X: X.tolist(),
    "list of rows": lambda X: list(X),
    "tuple": lambda X: tuple(map(tuple, X)),
    "Fortran order": np.asfortranarray,
    "transposed": lambda X: np.ascontiguousarray(X.T).T,
    "strided": strided,
    "backwards": lambda X: X[::-1].copy()[::-1],
    "read-only": lambda X: X,
    "masked nowhere": lambda X: np.ma.masked_array(X, mask=False),
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "pandas integers": lambda X: pd.DataFrame(X.astype(int), columns=NAMES),
    "pandas objects": lambda X: pd.DataFrame(objects(X), columns=NAMES),
    "pandas nullable": nullable,
    "pandas, repeated row labels": lambda X: pd.DataFrame(X, columns=NAMES, index=[0] * len(X)),
    "polars": lambda X: pl.DataFrame(X, schema=NAMES),
    "polars integers": lambda X: pl.DataFrame(X.astype(int), schema=NAMES),
    "torch": lambda X: torch.from_numpy(X.copy()),
    "torch integers": lambda X: torch.from_numpy(X.astype(int)),
}
SHORT = {
    "float32": lambda X: X.astype("f4"),
    "float16": lambda X: X.astype("f2"),
    "pandas float32": lambda X: pd.DataFrame(X.astype("f4"), columns=NAMES),
    "torch float32": lambda X: torch.from_numpy(X.astype("f4")),
    "torch float16": lambda X: torch.from_numpy(X.astype("f2")),
}
SPARSE = {
    **{f: lambda X, f=f: scipy.sparse.coo_matrix(X).asformat(f) for f in ("csr", "csc", "lil")},
    "csr array": scipy.sparse.csr_array,
    "csr integers": lambda X: scipy.sparse.csr_matrix(X.astype("i1")),
    "csr float32": lambda X: scipy.sparse.csr_matrix(X.astype("f4")),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_the_form_of_the_data_changes_nothing(method, form):
    est = ESTIMATORS[method]().fit(FORMS[form](BASE))
    reference = ESTIMATORS[method]().fit(BASE.copy())
    assert_same_fit(est, reference)
    rows = np.asarray(est.transform(FORMS[form](BASE)), dtype=float)
    np.testing.assert_allclose(rows, reference.coordinates_, rtol=0, atol=1e-10)


@pytest.mark.parametrize("form", SHORT)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_short_floats_are_computed_in_float32_or_better(method, form):
    assert_same_fit(
        ESTIMATORS[method]().fit(SHORT[form](BASE)), ESTIMATORS[method]().fit(BASE), rtol=1e-5
    )


@pytest.mark.parametrize("form", SPARSE)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_sparse_matrices_are_right_or_refused(method, form):
    reference = ESTIMATORS[method]().fit(BASE)
    fit = lambda: ESTIMATORS[method]().fit(SPARSE[form](BASE))  # noqa: E731
    rtol = 1e-5 if "float32" in form else 1e-12
    if method.startswith("PCA"):
        assert_same_fit(fit(), reference, rtol)
    else:
        right_or_refuses(fit, lambda est: assert_same_fit(est, reference, rtol))


@pytest.mark.parametrize("method", ESTIMATORS)
def test_tensors_that_track_gradients_are_right_or_refused(method):
    X = torch.from_numpy(BASE.copy()).requires_grad_()
    reference = ESTIMATORS[method]().fit(BASE)
    right_or_refuses(
        lambda: ESTIMATORS[method]().fit(X), lambda est: assert_same_fit(est, reference)
    )


@pytest.mark.parametrize("method", ESTIMATORS)
def test_memory_maps(method, tmp_path):
    np.save(tmp_path / "x.npy", BASE)
    X = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert_same_fit(ESTIMATORS[method]().fit(X), ESTIMATORS[method]().fit(BASE))


@pytest.mark.parametrize("method", ESTIMATORS)
def test_booleans_are_zeros_and_ones(method):
    B = np.random.default_rng(43).random((15, 4)) < 0.4
    reference = ESTIMATORS[method]().fit(B.astype(float))
    for X in (B, pd.DataFrame(B, columns=NAMES), pl.DataFrame(B, schema=NAMES)):
        assert_same_fit(ESTIMATORS[method]().fit(X), reference)


@pytest.mark.parametrize("method", ESTIMATORS)
def test_repeated_column_labels_are_right_or_refused(method):
    X = pd.DataFrame(BASE, columns=["a", "b", "b", "c"])
    reference = ESTIMATORS[method]().fit(BASE)
    right_or_refuses(
        lambda: ESTIMATORS[method]().fit(X), lambda est: assert_same_fit(est, reference)
    )


@pytest.mark.parametrize("dtype", ["i8", "u8"])
@pytest.mark.parametrize("method", ESTIMATORS)
def test_integers_that_float64_cannot_hold_are_right_or_refused(method, dtype):
    X = 300 * BASE.astype(dtype) + np.array(2**60, dtype=dtype)  # float64 keeps multiples of 256
    reference = ESTIMATORS[method]().fit(300 * BASE)
    refusal = right_or_refuses(
        lambda: ESTIMATORS[method]().fit(X), lambda est: assert_same_fit(est, reference)
    )
    assert "constant" not in refusal  # it is not


def everything(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for method in ESTIMATORS.values():
            est = method().fit(X)
            numbers(est)
            est.transform(X)
        gm.PCA(n_components=2).fit_transform(X)
        gm.distances.squared_euclidean(X)
        for kernel in ("Gaussian", "Laplacian", "Linear", "Cosine", "Polynomial"):
            getattr(gm.kernels, kernel)().pairwise(X, X)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_callers_array_is_left_alone(dtype, order):
    X = np.array(BASE + 1, dtype=dtype, order=order)
    before = X.tobytes()
    everything(X)
    assert X.tobytes() == before


def test_the_callers_frame_weights_and_matrices_are_left_alone():
    frame = pd.DataFrame(BASE, columns=NAMES)
    w = np.arange(1.0, 13.0)
    S = scipy.sparse.csr_matrix(BASE)
    K, D = BASE @ BASE.T, np.sqrt(((BASE[:, None] - BASE[None]) ** 2).sum(axis=2))
    tensor = torch.from_numpy(BASE.copy())
    held = [frame.to_numpy().copy(), w.copy(), S.toarray(), K.copy(), D.copy(), tensor.clone()]
    gm.PCA(scale=True).fit(frame, sample_weight=w)
    gm.PCA(scale=True).fit(S, sample_weight=w)
    gm.PCA(scale=True).fit(tensor, sample_weight=w)
    gm.KernelPCA(n_components=2, kernel="precomputed").fit(K, sample_weight=w)
    gm.KernelPCA(n_components=2, kernel="precomputed", solver="krylov").fit(K)
    gm.ClassicalMDS(metric="precomputed").fit(D)
    for array, old in zip([frame.to_numpy(), w, S.toarray(), K, D, tensor], held, strict=True):
        assert np.array_equal(array, old)
