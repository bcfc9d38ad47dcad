"""Values that are not what they seem: masks, long integers, durations, labels out of order."""

import datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import torch

import gramian as gm
from gramian._core.table import table

from .refusals import ESTIMATORS, assert_same_fit, refuses

pytestmark = pytest.mark.slow


BASE = np.random.default_rng(71).integers(0, 9, (12, 4)).astype(float)
WHOLE = BASE.astype(np.int64)
LONG = WHOLE + 2**60 + np.arange(12)[:, None]
MASK = np.zeros((12, 4), dtype=bool)
MASK[7, 2] = True
HALF = np.arange(12) == 5
FRAME = pd.DataFrame(BASE, columns=list("abcd"))
y = BASE @ [1.0, 2.0, -1.0, 0.5]
CLASS = (y > np.median(y)).astype(int)


def cell(value, row=7, column=2):
    X = BASE.astype(object)
    X[row, column] = value
    return X


MASKED = {
    "array": np.ma.masked_array(BASE, MASK),
    "list of rows": list(np.ma.masked_array(BASE, MASK)),
    "tuple of rows": tuple(np.ma.masked_array(BASE, MASK)),
    "mixed rows": [*BASE[:11], np.ma.masked_array(BASE[11], [False, True, False, False])],
    "masked constant": [
        [*row[:3], np.ma.masked if k == 7 else row[3]] for k, row in enumerate(BASE)
    ],
    "object cell": cell(np.ma.masked),
    "integers": np.ma.masked_array(WHOLE, MASK),
}


@pytest.mark.parametrize("case", MASKED)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_masks_in_rows(method, case):
    refuses(lambda: ESTIMATORS[method]().fit(MASKED[case]), "X", "mask")
    est = ESTIMATORS[method]().fit(BASE)
    refuses(lambda: est.transform(MASKED[case]), "X", "mask")


@pytest.mark.parametrize("case", MASKED)
def test_masks_at_other_doors(case):
    X = MASKED[case]
    refuses(lambda: gm.PCA().partial_fit(X), "mask")
    refuses(lambda: gm.kernels.Gaussian(1.0).pairwise(BASE, X), "Y", "mask")
    refuses(lambda: gm.distances.euclidean(X), "mask")
    refuses(lambda: gm.rkhs.distance("linear", X, BASE), "mask")
    refuses(lambda: gm.MultiKernelPCA(kernels={"a": "linear"}).fit({"a": X}), "mask")


def test_masked_distances():
    D = np.ma.masked_array(gm.distances.euclidean(BASE), np.eye(12, k=1) + np.eye(12, k=-1) > 0)
    v = np.ma.masked_array(np.arange(66.0) + 1, np.arange(66) == 3)
    for X in (D, v, list(D)):
        refuses(lambda X=X: gm.ClassicalMDS(metric="precomputed").fit(X), "X")
        refuses(lambda X=X: gm.stability.mantel(X, D.data), "A")
        refuses(lambda: gm.validity.is_euclidean(D), "D")
    refuses(lambda: gm.KernelPCA(kernel="precomputed").fit(D), "mask")


COUNTS = np.r_[np.ones(11), 3.0]
WEIGHTS = {
    "strings": (["1"] * 12, "sample_weight"),
    "bytes": ([b"1"] * 12, "sample_weight"),
    "complex": (COUNTS + 0j, "complex"),
    "complex objects": (np.array([np.complex64(1)] * 12, dtype=object), "complex"),
    "dates": (np.full(12, "2020-01-01", dtype="M8[D]"), "datetime64"),
    "durations": (COUNTS.astype("m8[s]"), "timedelta64"),
    "duration objects": (np.array([np.timedelta64(1, "s")] * 12, dtype=object), "sample_weight"),
    "Python durations": ([datetime.timedelta(1)] * 12, "sample_weight"),
    "masked": (np.ma.masked_array(COUNTS, HALF), "mask"),
    "masked list": ([np.ma.masked, *COUNTS[1:]], "mask"),
    "None inside": ([None, *COUNTS[1:]], "sample_weight"),
    "nan": (np.where(HALF, np.nan, COUNTS), "[5]"),
    "inf": (np.where(HALF, np.inf, COUNTS), "[5]"),
    "negative": (np.where(HALF, -1.0, COUNTS), "[5]"),
    "nan objects": (np.where(HALF, np.nan, COUNTS).astype(object), "[5]"),
    "zero": (np.zeros(12), "zero"),
    "too long integers": (np.r_[np.ones(11, dtype=int), 2**60], "2^53"),
    "too long among floats": ([0.5] * 11 + [2**60 + 1], "2^53"),
    "torch too long": (torch.full((12,), 2**60), "2^53"),
    "torch sparse": (torch.ones(12).to_sparse(), "sparse"),
    "torch meta": (torch.ones(12, device="meta"), "meta"),
    "torch complex": (torch.ones(12, dtype=torch.complex64), "complex"),
    "sparse": (sp.csr_matrix(COUNTS[None, :]), "sample_weight"),
    "a text": ("abc", "sample_weight"),
    "a dictionary": ({"a": 1.0}, "sample_weight"),
    "a set": ({1.0, 2.0}, "sample_weight"),
    "a generator": ((w for w in COUNTS), "sample_weight"),
    "one too few": (COUNTS[:11], "11"),
    "a column": (COUNTS[:, None], "(12, 1)"),
    "nullable": (pd.array([1, None] * 6, dtype="Int64"), "sample_weight"),
}
FITS = {
    "PCA": lambda w: gm.PCA(2).fit(BASE, sample_weight=w),
    "partial_fit": lambda w: gm.PCA(2).partial_fit(BASE, sample_weight=w),
    "KernelPCA": lambda w: gm.KernelPCA(2).fit(BASE, sample_weight=w),
    "ClassicalMDS": lambda w: gm.ClassicalMDS(2).fit(BASE, sample_weight=w),
    "logistic": lambda w: gm.KernelLogisticRegression().fit(BASE, CLASS, sample_weight=w),
    "regression": lambda w: gm.PrincipalComponentRegression().fit(BASE, y, sample_weight=w),
    "classifier": lambda w: gm.PrincipalComponentClassifier().fit(BASE, CLASS, sample_weight=w),
    "choose": lambda w: gm.dimension.choose(BASE, sample_weight=w, rules=["kaiser"]),
}


@pytest.mark.parametrize("case", WEIGHTS)
@pytest.mark.parametrize("fit", FITS)
def test_weights_of_every_type(fit, case):
    w, word = WEIGHTS[case]
    refuses(lambda: FITS[fit](w), word)


@pytest.mark.parametrize("case", WEIGHTS)
def test_weights_of_columns_of_every_type(case):
    w, word = WEIGHTS[case]
    X = np.random.default_rng(0).standard_normal((20, 12))
    word = word.replace("sample_weight", "column_weight")
    refuses(lambda: gm.PCA(2, column_weight=w).fit(X), word)
    refuses(lambda: gm.PCA(2, column_weight=w).partial_fit(X), word)


GOOD_WEIGHTS = {
    "booleans": COUNTS > 2,
    "integers": COUNTS.astype(int),
    "objects": COUNTS.astype(object),
    "fractions": [Fraction(int(w), 7) for w in COUNTS],
    "decimals": [Decimal(int(w)) / 4 for w in COUNTS],
    "series": pd.Series(COUNTS),
    "nullable": pd.array(COUNTS.astype(int), dtype="Int64"),
    "polars": pl.Series(COUNTS),
    "torch": torch.from_numpy(COUNTS),
    "torch integers": torch.from_numpy(COUNTS.astype(int)),
    "nowhere masked": np.ma.masked_array(COUNTS),
}


@pytest.mark.parametrize("case", sorted(set(GOOD_WEIGHTS) - {"booleans"}))
def test_weights_in_every_form(case):
    w = GOOD_WEIGHTS[case]
    plain = gm.PCA(2).fit(np.vstack([BASE, BASE[11:], BASE[11:]]))
    np.testing.assert_allclose(FITS["PCA"](w).eigenvalues_, plain.eigenvalues_, rtol=1e-12)
    blocks = gm.PCA(2).partial_fit(BASE, sample_weight=w)
    np.testing.assert_allclose(blocks.eigenvalues_, plain.eigenvalues_, rtol=1e-12)


def test_booleans_say_which_rows_count():
    fit = gm.PCA(2).fit(BASE, sample_weight=np.arange(12) < 8)
    np.testing.assert_allclose(fit.eigenvalues_, gm.PCA(2).fit(BASE[:8]).eigenvalues_, rtol=1e-12)
    columns = gm.PCA(2, column_weight=[True, True, False, True]).fit(BASE)
    rest = gm.PCA(2).fit(BASE[:, [0, 1, 3]])
    np.testing.assert_allclose(columns.eigenvalues_, rest.eigenvalues_, rtol=1e-12)


TOO_LONG = {
    "int64": LONG,
    "uint64": LONG.astype(np.uint64),
    "negative": -LONG,
    "objects": LONG.astype(object),
    "NumPy cells": cell(np.int64(2**60)),
    "beyond int64": cell(2**70),
    "list": LONG.tolist(),
    "list of tuples": list(map(tuple, LONG.tolist())),
    "list with floats": [[*map(int, row), 0.5] for row in LONG],
    "list of both signs": [[2**63 + i, -i] for i in range(9)],
    "list of rows": list(LONG),
    "decimals": cell(Decimal(2**60 + 1)),
    "fractions": cell(Fraction(2**60 + 1)),
    "torch int64": torch.from_numpy(LONG),
    "torch uint64": torch.from_numpy(LONG.astype(np.uint64)),
    "csr": sp.csr_matrix(LONG),
    "coo": sp.coo_array(LONG),
    "lil": sp.lil_matrix(LONG),
    "frame": pd.DataFrame(LONG),
    "frame with floats": pd.DataFrame({"a": LONG[:, 0], "b": BASE[:, 1]}),
    "frame of both signs": pd.DataFrame({"a": LONG[:, 0], "b": WHOLE[:, 1].astype("u8")}),
    "frame of objects": pd.DataFrame(LONG.astype(object), columns=list("abcd")),
    "frame nullable": pd.DataFrame({"a": pd.array(LONG[:, 0], dtype="Int64"), "b": BASE[:, 1]}),
    "polars": pl.DataFrame(LONG, schema=list("abcd")),
    "polars unsigned": pl.DataFrame({"a": LONG[:, 0].astype("u8"), "b": BASE[:, 1]}),
    "arrow": pa.table({"a": LONG[:, 0], "b": BASE[:, 1]}),
}


@pytest.mark.parametrize("case", TOO_LONG)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_integers_beyond_doubles(method, case):
    refuses(lambda: ESTIMATORS[method]().fit(TOO_LONG[case]), "X", "2^53")


@pytest.mark.parametrize("case", TOO_LONG)
def test_integers_beyond_doubles_at_other_doors(case):
    X = TOO_LONG[case]
    refuses(lambda: gm.kernels.Gaussian(1.0).pairwise(X), "2^53")
    refuses(lambda: gm.distances.squared_euclidean(X), "2^53")
    refuses(lambda: gm.PCA().partial_fit(X), "2^53")


def test_integers_beyond_doubles_to_predict():
    for target in (LONG[:, 0], LONG[:, 0].tolist(), torch.from_numpy(LONG[:, 0])):
        refuses(lambda t=target: gm.PrincipalComponentRegression().fit(BASE, t), "y", "2^53")


def test_integers_up_to_two_to_the_53_are_exact():
    X = [[2**53, -(2**53)], [0, 1], [5, 5]]
    for form in (X, np.array(X), np.array(X, dtype=object), sp.csr_matrix(X), torch.tensor(X)):
        values = table(form).values
        values = values.toarray() if sp.issparse(values) else np.asarray(values)
        assert values.tolist() == [[2.0**53, -(2.0**53)], [0.0, 1.0], [5.0, 5.0]]


CELLS = {
    "NumPy duration": np.timedelta64(3, "D"),
    "NumPy date": np.datetime64("2020-01-01"),
    "duration": datetime.timedelta(3),
    "date": datetime.date(2020, 1, 1),
    "time stamp": pd.Timestamp("2020-01-01"),
    "complex64": np.complex64(1 + 0j),
    "complex": 1j,
    "NA": pd.NA,
    "NaT": pd.NaT,
    "a list": [1.0],
    "an array": np.ones(2),
    "quiet NaN": Decimal("NaN"),
    "bytes": b"1",
}


@pytest.mark.parametrize("case", CELLS)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_cells_that_are_no_numbers(method, case):
    refuses(lambda: ESTIMATORS[method]().fit(cell(CELLS[case])), "X", "7", "2")
    frame = pd.DataFrame(cell(CELLS[case]), columns=list("abcd"))
    refuses(lambda: ESTIMATORS[method]().fit(frame), "X")


def test_a_decimal_that_raises_when_it_is_touched():
    refuses(lambda: gm.PCA().fit(cell(Decimal("sNaN"))), "X", "7", "2")


def test_exact_numbers_are_numbers():
    fractions = [[Fraction(int(8 * v), 8) for v in row] for row in BASE]
    decimals = np.array([[Decimal(str(v)) for v in row] for row in BASE], dtype=object)
    for X in (fractions, decimals, pd.DataFrame(decimals)):
        assert_same_fit(gm.PCA(2).fit(X), gm.PCA(2).fit(BASE))


TARGETS = {
    "dates": np.arange(12).astype("M8[D]"),
    "durations": np.arange(12).astype("m8[D]"),
    "time stamps": pd.Series(pd.date_range("2020", periods=12)),
    "date cells": np.array([datetime.date(2020, 1, 1 + k) for k in range(12)], dtype=object),
    "complex": y + 1j,
    "texts": [str(v) for v in y],
    "masked": np.ma.masked_array(y, HALF),
    "nan": np.where(HALF, np.nan, y),
    "inf": np.where(HALF, np.inf, y),
    "None": [None, *y[1:]],
    "three dimensions": np.ones((12, 2, 2)),
    "too short": y[:11],
    "a number": 3.0,
    "a text": "abcdefghijkl",
    "a frame of dates": pd.DataFrame({"a": pd.date_range("2020", periods=12)}),
}


@pytest.mark.parametrize("case", TARGETS)
def test_numbers_to_predict(case):
    refuses(lambda: gm.PrincipalComponentRegression().fit(BASE, TARGETS[case]), "y")


CLASSIFIERS = [gm.KernelLogisticRegression, gm.PrincipalComponentClassifier]
LABELS = {
    "masked": np.ma.masked_array(CLASS, HALF),
    "masked list": [np.ma.masked, *CLASS[1:]],
    "measurements": y + 0.25,
    "nan": np.where(HALF, np.nan, CLASS),
    "None": [None, *CLASS[1:]],
    "mixed types": ["a", *CLASS[1:]],
    "lists": [[1, 2], *CLASS[1:]],
    "complex": CLASS + 1j,
    "two columns": np.column_stack([CLASS, CLASS]),
    "one class": np.ones(12),
    "too short": CLASS[:11],
    "a text": "abcdefghijkl",
    "sparse": sp.csr_matrix(CLASS[:, None]),
}


@pytest.mark.parametrize("case", LABELS)
@pytest.mark.parametrize("make", CLASSIFIERS, ids=lambda cls: cls.__name__)
def test_classes(make, case):
    refuses(lambda: make().fit(BASE, LABELS[case]), "y")


@pytest.mark.parametrize("make", CLASSIFIERS, ids=lambda cls: cls.__name__)
def test_classes_in_every_form(make):
    make = partial(make, penalty=1.0)
    codes = make().fit(BASE, CLASS).predict(BASE)
    for labels in (
        CLASS.astype(float),
        CLASS > 0,
        list(CLASS > 0),
        torch.from_numpy(CLASS),
        pd.Series(CLASS),
    ):
        np.testing.assert_array_equal(make().fit(BASE, labels).predict(BASE), codes)
    words = np.array(["no", "yes"])[CLASS]
    for labels in (words, words.tolist(), words.astype(object), pd.Categorical(words)):
        np.testing.assert_array_equal(make().fit(BASE, labels).predict(BASE) == "yes", codes > 0)


NAMES = [f"r{k}" for k in range(12)]
K, D = BASE @ BASE.T + 1.0, gm.distances.euclidean(BASE)
SQUARES = {
    "KernelPCA": (K, lambda M: gm.KernelPCA(2, kernel="precomputed").fit(M)),
    "logistic": (K, lambda M: gm.KernelLogisticRegression(kernel="precomputed").fit(M, CLASS)),
    "several": (
        K,
        lambda M: gm.MultiKernelPCA(2, kernels={"a": "precomputed"}).fit({"a": M}),
    ),
    "alignment": (K, lambda M: gm.rkhs.alignment(M, K)),
    "is_psd": (K, gm.validity.is_psd),
    "ClassicalMDS": (D, lambda M: gm.ClassicalMDS(2, metric="precomputed").fit(M)),
    "MDS": (D, lambda M: gm.MDS(2, metric="precomputed", n_init=1).fit(M)),
    "mantel": (D, lambda M: gm.stability.mantel(M, D, n_permutations=9)),
    "is_euclidean": (D, gm.validity.is_euclidean),
}


@pytest.mark.parametrize("door", SQUARES)
def test_labels_of_square_frames(door):
    M, use = SQUARES[door]
    use(pd.DataFrame(M, index=NAMES, columns=NAMES))
    use(pd.DataFrame(M, columns=NAMES))
    use(pd.DataFrame(M, index=NAMES))
    use(pd.DataFrame(M, index=range(12), columns=[str(k) for k in range(12)]))
    use(pl.DataFrame(M, schema=NAMES))
    other = [*NAMES[:11], "other"]
    for columns, word in ((NAMES[::-1], "orders"), (other, "'other'"), ([*NAMES[1:], "x"], "r0")):
        refuses(lambda c=columns: use(pd.DataFrame(M, index=NAMES, columns=c)), word)


FRAMES = {
    "arrow": pa.Table.from_pandas(FRAME),
    "sparse columns": FRAME.astype(pd.SparseDtype(float, 0.0)),
    "one sparse column": FRAME.assign(c=pd.arrays.SparseArray(BASE[:, 2])),
    "sparse integers": FRAME.astype(int).astype(pd.SparseDtype(int, 0)),
    "sparse fill": FRAME.astype(pd.SparseDtype(float, 3.0)),
    "arrow-backed": FRAME.astype("double[pyarrow]"),
}


@pytest.mark.parametrize("case", FRAMES)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_frames_of_every_kind(method, case):
    est = ESTIMATORS[method]().fit(FRAMES[case])
    assert_same_fit(est, ESTIMATORS[method]().fit(BASE))
    assert list(est.feature_names_in_) == list("abcd")
    rows = np.asarray(est.transform(FRAMES[case]), dtype=float)
    np.testing.assert_allclose(rows, est.coordinates_, rtol=0, atol=1e-10)


def test_frames_that_are_refused():
    twice = pa.table([BASE[:, 0], BASE[:, 1]], names=["a", "a"])
    batch = pa.RecordBatch.from_pandas(FRAME)
    gap = FRAME.assign(c=pd.arrays.SparseArray(np.where(HALF, np.nan, 1.0)))
    words = pa.table({"a": BASE[:, 0], "b": [f"w{k}" for k in range(12)]})
    for X, word in (
        (twice, "'a'"),
        (gap, "row 5"),
        (words, "'b'"),
        (batch, "from_batches"),
    ):
        refuses(lambda X=X: gm.PCA().fit(X), word)


TENSORS = {
    "coo": (torch.from_numpy(BASE).to_sparse(), "to_dense"),
    "meta": (torch.ones(12, 4, device="meta"), "meta"),
}


@pytest.mark.parametrize("case", TENSORS)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_tensors_without_numbers(method, case):
    X, word = TENSORS[case]
    refuses(lambda: ESTIMATORS[method]().fit(X), "X", word)
    est = ESTIMATORS[method]().fit(BASE)
    refuses(lambda: est.transform(X), "X", word)


def test_masks_in_supplementary_columns_are_gaps():
    """As NaN and None are, in every table that is placed on the axes afterwards."""
    fit = gm.PCA(2).fit(BASE)
    gap = np.where(HALF, np.nan, y)
    expected = fit.variables(pd.DataFrame({"x0": gap}))
    pd.testing.assert_frame_equal(fit.variables(np.ma.masked_array(y, HALF)), expected)
    pd.testing.assert_frame_equal(fit.variables({"x0": np.ma.masked_array(y, HALF)}), expected)
    words = np.array(["no", "yes"])[CLASS].astype(object)
    expected = fit.categories(pd.DataFrame({"x0": np.where(HALF, None, words)}))
    masked = np.ma.masked_array(words, HALF)
    pd.testing.assert_frame_equal(fit.categories(masked), expected)
    refuses(lambda: fit.categories([np.ma.masked, *words[1:]]), "table", "mask")


def test_masks_are_gaps_for_gower():
    """Σ over the columns known for both rows, by hand: a gap is no third value."""
    M = np.ma.masked_array([[1.0, 5.0], [3.0, 4.0], [2.0, 1.0]], [[0, 1], [0, 0], [0, 0]])
    expected = [[0.0, 1.0, 0.5], [1.0, 0.0, (0.5 + 1.0) / 2], [0.5, (0.5 + 1.0) / 2, 0.0]]
    for X in (M, list(M), M.astype(object)):
        np.testing.assert_allclose(gm.distances.gower(X), expected, rtol=1e-15)


def test_masks_of_positions_and_groups():
    half = np.ma.masked_array(np.arange(6), np.arange(6) == 2)
    refuses(lambda: gm.Nystrom(landmarks=half).fit(BASE), "landmarks", "mask")
    refuses(lambda: gm.ClassicalMDS(landmarks=half).fit(BASE), "landmarks", "mask")
    groups = np.ma.masked_array(list("uvuvuvuvuvuv"), HALF)
    refuses(lambda: gm.networks.replicate_study(BASE, groups), "condition", "mask")
    refuses(lambda: gm.kernels.select(BASE, ["linear"], groups), "y", "mask")
    refuses(lambda: gm.rkhs.Function("linear", BASE, np.ma.masked_array(y, HALF)), "mask")


@pytest.mark.parametrize("target", [np.arange(12).astype("M8[D]"), y + 1j, list("abcdefghijkl")])
def test_targets_that_no_kernel_can_be_chosen_by(target):
    refuses(lambda: gm.kernels.select(BASE, ["linear"], target), "y")
