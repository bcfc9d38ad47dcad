"""Data that no method can use: each is refused, and the refusal says where."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
import torch

import gramian as gm
from gramian._core.table import table
from gramian.errors import InputError

from .refusals import ESTIMATORS, refuses

pytestmark = pytest.mark.slow


BASE = np.random.default_rng(41).integers(0, 9, (12, 4)).astype(float)


def with_value(value, dtype=float, row=7, column=2):
    X = BASE.astype(dtype)
    X[row, column] = value
    return X


def masked():
    return np.ma.masked_array(BASE, mask=[[(i, j) == (7, 2) for j in range(4)] for i in range(12)])


def frame(**columns):
    X = pd.DataFrame(BASE[:, :2], columns=["a", "b"], index=[f"r{i}" for i in range(12)])
    for name, values in columns.items():
        X[name] = values
    return X


def sparse_nan():
    X = scipy.sparse.csr_matrix(with_value(np.nan))
    assert np.isnan(X.data).any()
    return X


DATES = np.array([f"2020-01-{d:02d}" for d in range(1, 13)], dtype="datetime64[D]")
WORDS = [f"w{i}" for i in range(12)]
PLACE = ("X", "7", "2")

# name: (data, words the refusal must hold)
BAD = {
    "nan": (with_value(np.nan), (*PLACE, "nan", "row", "column")),
    "inf": (with_value(np.inf), (*PLACE, "inf", "row", "column")),
    "minus inf": (with_value(-np.inf), (*PLACE, "-inf", "row", "column")),
    "nan float32": (with_value(np.nan, "f4"), (*PLACE, "row", "column")),
    "inf float16": (with_value(np.inf, "f2"), (*PLACE, "row", "column")),
    "long double beyond float64": (with_value(np.longdouble("1e400"), "longdouble"), PLACE),
    "inf and minus inf": (with_value(np.inf) - with_value(np.inf, column=3), ("X", "row", "7")),
    "nan sparse": (sparse_nan(), (*PLACE, "row", "column")),
    "nan torch": (torch.from_numpy(with_value(np.nan)), (*PLACE, "row", "column")),
    "nan in a list": (with_value(np.nan).tolist(), (*PLACE, "row", "column")),
    "nan object": (with_value(np.nan, object), PLACE),
    "None object": (with_value(None, object), PLACE),
    "huge Python integer": (with_value(10**400, object), ("X",)),
    "masked": (masked(), ("X", "mask", "7", "2")),
    "complex": (BASE + 1j, ("X", "complex")),
    "complex with zero imaginary part": (BASE + 0j, ("X", "complex")),
    "complex torch": (torch.from_numpy(BASE + 1j), ("X", "complex")),
    "complex sparse": (scipy.sparse.csr_matrix(BASE + 1j), ("X", "complex")),
    "complex object": (with_value(1j, object), ("X", "complex")),
    "string in objects": (with_value("seven", object), (*PLACE, "seven")),
    "strings": (BASE.astype(str), ("X",)),
    "bytes": (BASE.astype("S4"), ("X",)),
    "dates": (np.tile(DATES, (2, 1)).T, ("X", "datetime64")),
    "durations": (np.tile(DATES - DATES[0], (2, 1)).T, ("X", "timedelta64")),
    "structured": (np.zeros(12, dtype=[("a", float), ("b", float)]), ("X",)),
    "pandas nan": (frame(c=with_value(np.nan)[:, 2]), ("X", "r7", "'c'")),
    "pandas inf": (frame(c=with_value(np.inf)[:, 2]), ("X", "r7", "'c'")),
    "pandas NA": (frame(c=pd.array([*range(7), None, *range(4)], dtype="Int64")), ("r7", "'c'")),
    "pandas None": (frame(c=[*range(7), None, *range(4)]), ("X", "r7", "'c'")),
    "pandas strings": (frame(c=WORDS), ("X", "'c'")),
    "pandas objects": (frame(c=pd.Series(WORDS, dtype=object).values), ("X", "'c'")),
    "pandas dates": (frame(c=DATES), ("X", "'c'")),
    "pandas durations": (frame(c=DATES - DATES[0]), ("X", "'c'")),
    "pandas categories": (frame(c=pd.Categorical(WORDS)), ("X", "'c'")),
    "pandas number categories": (frame(c=pd.Categorical(range(12))), ("X", "'c'")),
    "pandas complex": (frame(c=BASE[:, 0] + 1j), ("X", "'c'")),
    "polars null": (
        pl.DataFrame({"a": range(12), "c": [*range(7), None, *range(4)]}),
        ("7", "'c'"),
    ),
    "polars nan": (pl.DataFrame({"a": BASE[:, 0], "c": with_value(np.nan)[:, 2]}), ("7", "'c'")),
    "polars strings": (pl.DataFrame({"a": BASE[:, 0], "c": WORDS}), ("X", "'c'")),
    "polars dates": (pl.DataFrame({"a": BASE[:, 0], "c": DATES}), ("X", "'c'")),
    "polars categories": (
        pl.DataFrame({"a": BASE[:, 0], "c": pl.Series(WORDS, dtype=pl.Categorical)}),
        ("X", "'c'"),
    ),
    "one row": (BASE[:1], ("X", "1")),
    "no row": (BASE[:0], ("X", "0")),
    "no column": (BASE[:, :0], ("X", "0")),
    "empty": (np.empty((0, 0)), ("X",)),
    "empty list": ([], ("X",)),
    "empty frame": (pd.DataFrame(), ("X",)),
    "frame without columns": (pd.DataFrame(index=range(12)), ("X",)),
    "one dimension": (BASE[0], ("X", "2D")),
    "three dimensions": (np.ones((3, 4, 5)), ("X",)),
    "scalar": (np.float64(3.0), ("X",)),
    "ragged": ([[1.0, 2.0], [3.0], [4.0, 5.0]], ("X",)),
    "string": ("data.csv", ("X",)),
    "None": (None, ("X",)),
    "dictionary": ({"a": [1, 2, 3]}, ("X",)),
    "all constant": (np.full((12, 4), 3.7), ("X",)),
    "all zero": (np.zeros((12, 4)), ("X",)),
    "all constant, inexact mean": (np.full((11, 3), 0.1), ("X",)),
    "all constant and far": (np.full((12, 4), 1e10 + 0.3), ("X",)),
    "all constant sparse": (scipy.sparse.csr_matrix(np.zeros((12, 4))), ("X",)),
}


@pytest.mark.filterwarnings("ignore::gramian.errors.ConstantColumnWarning")
@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_fit_refuses(method, case):
    X, words = BAD[case]
    if "sparse" in case and method in ("KernelPCA gaussian", "ClassicalMDS"):
        words = ("X",)  # these may refuse sparse matrices altogether
    refuses(lambda: ESTIMATORS[method]().fit(X), *words)


VALUES = ["nan", "inf", "minus inf", "masked", "complex", "strings", "dates", "string in objects"]


@pytest.mark.parametrize("case", VALUES)
@pytest.mark.parametrize("method", ESTIMATORS)
def test_transform_refuses(method, case):
    est = ESTIMATORS[method]().fit(BASE)
    refuses(lambda: est.transform(BAD[case][0]), "X")


@pytest.mark.parametrize("case", VALUES)
@pytest.mark.parametrize("kernel", ["Gaussian", "Laplacian", "Linear", "Polynomial", "Cosine"])
def test_kernels_refuse(kernel, case):
    X = BAD[case][0]
    made = getattr(gm.kernels, kernel)()
    refuses(lambda: made.pairwise(X, X), "X")
    refuses(lambda: made.pairwise(BASE, X), "Y")


@pytest.mark.parametrize("case", VALUES)
@pytest.mark.parametrize("kernel", ["Gaussian", "Laplacian", "Linear", "Polynomial", "Cosine"])
def test_the_diagonal_of_a_kernel_refuses(kernel, case):
    refuses(lambda: getattr(gm.kernels, kernel)().diag(BAD[case][0]), "X")


@pytest.mark.parametrize("case", VALUES)
def test_distances_refuse(case):
    X = BAD[case][0]
    refuses(lambda: gm.distances.squared_euclidean(X), "X")
    refuses(lambda: gm.distances.squared_euclidean(BASE, X), "Y")


def test_kernels_and_distances_refuse_other_numbers_of_columns():
    refuses(lambda: gm.distances.squared_euclidean(BASE, BASE[:, :3]), "Y")
    refuses(lambda: gm.kernels.Gaussian(scale=1.0).pairwise(BASE, BASE[:, :3]), "Y")
    refuses(lambda: gm.kernels.Linear().pairwise(BASE, BASE[:, :3]), "Y")


@pytest.mark.parametrize("bad", [np.nan, np.inf, "w"])
def test_a_bad_block_of_a_stream_is_refused(bad):
    second = with_value(bad, object if bad == "w" else float)
    refuses(lambda: gm.PCA().fit([BASE, second]), "7", "2")
    refuses(lambda: gm.PCA().fit([BASE, BASE[:, :3]]), "3", "4")
    refuses(lambda: gm.PCA().fit(iter([])), "X")
    est = gm.PCA().partial_fit(BASE)
    refuses(lambda: est.partial_fit(second), "7", "2")
    refuses(lambda: est.partial_fit(BASE[:, :3]), "3", "4")


def test_columns_of_one_name_are_refused():
    X = pd.DataFrame([[1.0, 2.0], [3.0, 5.0], [4.0, 4.0]], columns=["a", "a"])
    with pytest.raises(InputError, match="several columns named 'a'"):
        gm.PCA().fit(X)


def test_a_wide_frame_is_read_at_once():
    X = np.random.default_rng(0).standard_normal((5, 2000))
    wide = pd.DataFrame(X, columns=[f"g{j}" for j in range(2000)])
    np.testing.assert_array_equal(table(wide).values, X)
    wide.iloc[3, 1700] = np.nan
    with pytest.raises(InputError, match="row 3, column 'g1700'"):
        table(wide)


@pytest.mark.parametrize(
    ("X", "remedy"),
    [
        ("table.csv", "gm.io.read_file(path).data"),
        (Path("table.csv"), "gm.io.read_file(path).data"),
        (gm.datasets.iris(), "give X.data"),
        (gm.io.as_source(gm.datasets.iris()), "give X.data"),
        (["ACGT", "GGTA", "TTTT"], "gm.kernels.sequence"),
        ([gm.kernels.graph.Graph(np.ones((3, 3)) - np.eye(3))] * 4, "gm.kernels.graph"),
    ],
    ids=["text", "path", "dataset", "source", "sequences", "graphs"],
)
@pytest.mark.parametrize("name", ["PCA", "KernelPCA", "ClassicalMDS", "MDS", "Nystrom"])
def test_what_is_no_table_is_refused_with_the_way_to_one(name, X, remedy):
    refuses(lambda: getattr(gm, name)().fit(X), remedy)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_arrays_that_are_only_a_plan(name):
    """A dask array by its module: the library itself is not needed to know it."""
    Array = type("Array", (), {"__module__": "dask.array.core", "shape": (12, 4)})
    with pytest.raises(TypeError, match=r"dask.*X\.compute\(\)"):
        ESTIMATORS[name]().fit(Array())
