"""One validation for all tables: what PCA refuses, every entry refuses, or it reads it rightly."""

import re
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import gramian as gm

from .refusals import refuses

N = 14
RNG = np.random.default_rng(5)
X = RNG.standard_normal((N, 4)) * [3.0, 2.0, 1.0, 0.5] + 1.0
Y = RNG.standard_normal((N, 3))
GROUPS = np.resize(list("aab"), N).astype(object)
FIT = gm.PCA(2).fit(X)
SUPPLEMENT = pd.DataFrame({"g": GROUPS})

# Entries that take a table of rows, or its second table.
TABLES = {
    "PCA": lambda A: gm.PCA(2).fit(A),
    "PCA iterative": lambda A: gm.PCA(2, missing="iterative").fit(A),
    "PCA.transform": FIT.transform,
    "PCA.individuals": FIT.individuals,
    "KernelPCA": lambda A: gm.KernelPCA(2).fit(A),
    "ClassicalMDS": lambda A: gm.ClassicalMDS(2).fit(A),
    "gower": lambda A: gm.ClassicalMDS(2, metric="gower").fit(A),
    "CA": lambda A: gm.CA(2).fit(A),
    "MCA": lambda A: gm.MCA(2).fit(A),
    "FAMD": lambda A: gm.FAMD(2).fit(A),
    "FAMD iterative": lambda A: gm.FAMD(2, missing="iterative").fit(A),
    "MFA": lambda A: gm.MFA(2).fit(A),
    "choose": lambda A: gm.missing.choose(A, max_components=2, n_repeats=3),
    "impute": lambda A: gm.missing.impute(A, n_components=1),
    "multiple": lambda A: gm.missing.multiple(A, n_components=1),
    "rda": lambda A: gm.ecology.rda(A, SUPPLEMENT),
    "permanova": lambda A: gm.ecology.permanova(A, SUPPLEMENT, n_permutations=9),
    "dispersion": lambda A: gm.ecology.dispersion(A, GROUPS, n_permutations=9),
    "infer": gm.networks.infer,
    "replicates": lambda A: gm.networks.replicate_study(A, GROUPS, n_resamples=3),
    "gradient": lambda A: gm.importance.gradient(FIT, A),
    "bootstrap": lambda A: gm.stability.bootstrap(gm.PCA(2), A, n_resamples=3),
    "parallel": lambda A: gm.dimension.parallel_analysis(A, n_permutations=9),
}
SECOND = {
    "variables": FIT.variables,
    "categories": FIT.categories,
    "describe": FIT.describe,
    "summary": lambda A: FIT.summary(table=A),
    "CA.variables": lambda A: gm.CA(1).fit(np.abs(X)).variables(A),
    "clusters.describe": lambda A: gm.clusters.describe(GROUPS, A),
    "Clusters.describe": lambda A: gm.clusters.find(FIT, 2).describe(A),
    "rda": lambda A: gm.ecology.rda(Y, A),
    "rda, condition": lambda A: gm.ecology.rda(Y, A, condition=["a"]),
    "cca": lambda A: gm.ecology.cca(np.abs(Y), A),
    "dbrda": lambda A: gm.ecology.dbrda(Y, A, metric="euclidean"),
    "permanova": lambda A: gm.ecology.permanova(Y, A, n_permutations=9),
}


class Stack:
    """An array of three dimensions in the manner of xarray: NumPy reads it, slices iterate."""

    def __init__(self, values):
        self.values = values
        self.ndim, self.shape, self.dtype = values.ndim, values.shape, values.dtype

    def __array__(self, dtype=None, copy=None):
        return self.values

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return map(Stack, self.values)


def stack():
    return np.stack([X, X + 1.0, 2.0 * X])


@pytest.mark.parametrize("make", [Stack, np.asarray, list], ids=["protocol", "array", "list"])
@pytest.mark.parametrize("name", TABLES)
def test_three_dimensions(name, make):
    if name == "PCA" and make is list:  # blocks of rows
        return
    refuses(lambda: TABLES[name](make(stack())))


@pytest.mark.parametrize("name", SECOND)
def test_three_dimensions_of_a_second_table(name):
    refuses(lambda: SECOND[name](Stack(np.stack([X] * N))), "table")


def test_a_stack_is_no_stream_of_blocks():
    refuses(lambda: gm.PCA(2).fit(Stack(stack())), "X", "3D")
    blocks = gm.PCA(2).fit([X[:7], X[7:]])
    np.testing.assert_allclose(blocks.eigenvalues_, FIT.eigenvalues_)
    np.testing.assert_allclose(gm.PCA(2).fit(Stack(X)).eigenvalues_, FIT.eigenvalues_)


@pytest.mark.parametrize("name", SECOND)
def test_two_columns_of_one_name(name):
    columns = ["a", "b", "b", "c"]
    numbers = pd.DataFrame(np.abs(X), columns=columns)
    refuses(lambda: SECOND[name](numbers), "table", "'b'", "name")
    levels = pd.DataFrame(np.resize(list("xxyyz"), (N, 4)), columns=columns)
    refuses(lambda: SECOND[name](levels), "table", "'b'", "name")


def test_two_columns_of_one_text():
    env = pd.DataFrame({1: X[:, 0], "1": X[:, 1]})
    refuses(lambda: gm.ecology.rda(Y, env), "table", "'1'")


def test_the_reported_table_of_one_name():
    env = pd.DataFrame({"g": list("aaaabbbb"), "t": np.arange(8.0), "u": np.arange(8.0) ** 2})
    rows = np.random.default_rng(1).standard_normal((8, 4))
    want = [0.873, 0.613, 0.034]
    assert np.allclose(gm.ecology.rda(rows, env).eigenvalues, want, atol=5e-4)
    env.columns = ["k"] * 3
    refuses(lambda: gm.ecology.rda(rows, env), "table", "'k'")
    refuses(lambda: gm.ecology.dbrda(np.abs(rows), env), "table", "'k'")


@pytest.mark.parametrize("name", TABLES)
def test_a_dict_of_rows(name):
    refuses(lambda: TABLES[name]({i: row for i, row in enumerate(X)}), "X")


@pytest.mark.parametrize("name", SECOND)
def test_a_second_table_that_is_a_dict_of_rows(name):
    square = {i: row for i, row in enumerate(RNG.standard_normal((N, N)))}
    refuses(lambda: SECOND[name](square), "table", "dict")


def test_a_sparse_matrix_of_keys_is_no_dict():
    for name in ("MCA", "FAMD", "choose", "impute"):
        refuses(lambda name=name: TABLES[name](scipy.sparse.dok_matrix(X)), "X", "sparse")


@pytest.mark.slow
def test_a_dict_of_columns_is_a_table():
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "g": GROUPS})
    by_name = {name: frame[name].tolist() for name in frame}
    want = gm.FAMD(2).fit(frame).eigenvalues_
    np.testing.assert_allclose(gm.FAMD(2).fit(by_name).eigenvalues_, want)
    mapping = MappingProxyType(by_name)  # one that is no dict
    for famd in (gm.FAMD(2), gm.FAMD(2, missing="iterative")):
        np.testing.assert_allclose(famd.fit(mapping).eigenvalues_, want)
    one, two = (gm.missing.impute(A, n_components=1).table for A in (frame, by_name))
    pd.testing.assert_frame_equal(one, two)
    one, two = (gm.ecology.rda(Y, A, condition=["g"]) for A in (frame, by_name))
    np.testing.assert_allclose(one.eigenvalues, two.eigenvalues)


# Masks: the cells are missing, or they are refused; they never count.
TEXTS = np.column_stack([GROUPS, np.resize(list("xyyxz"), N).astype(object)])
MASK = np.zeros(TEXTS.shape, dtype=bool)
MASK[0, 0] = MASK[3, 1] = True


def of_rows(A, mask):
    return [np.ma.array(row, mask=where) for row, where in zip(A, mask, strict=True)]


def of_cells(A, mask):
    cells = np.where(mask, np.ma.masked, A).tolist()
    return [[np.ma.masked if m else v for v, m in zip(*pair, strict=True)] for pair in
            zip(cells, mask.tolist(), strict=True)]  # fmt: skip


MASKED = {
    "objects": lambda A, mask: np.ma.array(A, mask=mask),
    "texts": lambda A, mask: np.ma.array(A.astype("U1"), mask=mask),
    "bytes": lambda A, mask: np.ma.array(A.astype("S1"), mask=mask),
    "list of rows": of_rows,
    "lists of cells": of_cells,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", MASKED)
@pytest.mark.parametrize("name", ["MCA", "FAMD", "FAMD iterative", "MFA"])
def test_masked_texts(name, kind):
    known = np.where(MASK, None, TEXTS)
    want = TABLES[name](known).eigenvalues_
    assert not np.allclose(want[:2], TABLES[name](TEXTS).eigenvalues_[:2])
    try:
        found = TABLES[name](MASKED[kind](TEXTS, MASK)).eigenvalues_
    except gm.errors.InputError as error:
        assert re.search("masked", str(error)) and "X" in str(error)
    else:
        np.testing.assert_allclose(found, want)


@pytest.mark.parametrize("kind", MASKED)
def test_masked_texts_are_filled_in(kind):
    known = pd.DataFrame(np.where(MASK, None, TEXTS))
    want = gm.missing.impute(known, n_components=1).table.to_numpy()
    try:
        found = gm.missing.impute(MASKED[kind](TEXTS, MASK), n_components=1).table
    except gm.errors.InputError as error:
        assert "masked" in str(error)
    else:
        assert np.array_equal(np.asarray(found).astype("U1"), want.astype("U1"))


def test_the_reported_masks():
    pairs = ["ax", "by", "ay", "cx", "bx", "cy", "ax", "by"]
    A = np.array([list(pair) for pair in pairs], dtype=object)
    mask = np.zeros(A.shape, bool)
    mask[0, 0] = mask[3, 1] = True
    fit = gm.MCA(2).fit(np.ma.array(A, mask=mask))
    np.testing.assert_allclose(fit.eigenvalues_, [0.867, 0.696], atol=5e-4)
    np.testing.assert_allclose(gm.MCA(2).fit(A).eigenvalues_, [0.644, 0.5], atol=5e-4)
    mixed = np.column_stack([np.arange(8.0).astype(object), A])
    where = np.column_stack([np.arange(8) == 2, mask])
    refuses(lambda: gm.FAMD(2).fit(np.ma.array(mixed, mask=where)), "X", "row 2", "x0")


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [float, "f4", object, int, bool])
@pytest.mark.parametrize("make", ["array", "list of rows", "lists of cells"])
@pytest.mark.parametrize("name", [*TABLES, "distances"])
@pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")
def test_masked_numbers(name, make, dtype):
    """Entries that fill in or leave out missing values take a mask for them; others refuse."""
    A = np.abs(np.round(X)).astype(dtype)
    mask = np.zeros(A.shape, bool)
    mask[1, 1] = mask[5, 2] = True
    call = TABLES.get(name, lambda A: gm.distances.gower(A))
    masked = np.ma.array(A, mask=mask) if make == "array" else MASKED[make](A, mask)
    try:
        found = call(masked)
    except gm.errors.InputError as error:
        assert "mask" in str(error), error
        return
    if dtype is bool:  # categories of these
        return
    want = call(pd.DataFrame(np.where(mask, np.nan, A.astype(float))))
    np.testing.assert_allclose(numbers_of(found), numbers_of(want), rtol=1e-5)


def numbers_of(result):
    """The numbers of a fit, of a choice, of completed tables or of distances."""
    for name in ("inertia_ratio_", "criterion", "tables", "table"):
        result = getattr(result, name, result)
    return np.asarray(result, dtype=float)


EMPTY = {"None": None, "NaN": np.nan, "NA": pd.NA, "NaT": pd.NaT}


@pytest.mark.parametrize("value", EMPTY)
@pytest.mark.parametrize(
    "name",
    ["MCA", "FAMD", "FAMD iterative", "MFA", "choose", "impute", "multiple"],
)
def test_a_column_without_values(name, value):
    frame = pd.DataFrame({"g": GROUPS, "h": TEXTS[:, 1], "none": [EMPTY[value]] * N})
    refuses(lambda: TABLES[name](frame), "X", "none", "drop")
    frame["none"] = frame["none"].astype(object)
    refuses(lambda: TABLES[name](frame), "X", "none", "drop")


@pytest.mark.slow
def test_new_rows_may_lack_an_answer():
    frame = pd.DataFrame(np.where(MASK, None, TEXTS), columns=["g", "h"])
    fit = gm.MCA(2).fit(frame)
    one = fit.transform(frame.iloc[[0]])
    np.testing.assert_allclose(one, fit.coordinates_[:1], atol=1e-12)
    filled = gm.FAMD(2, missing="iterative").fit(frame)
    one = filled.transform(frame.iloc[[0]])
    np.testing.assert_allclose(one, filled.coordinates_[:1], atol=1e-8)


# Units: what columns span does not depend on them.
UNITS = [1e-320, 1e-300, 1e-170, 1e-155, 1e155, 1e160, 1e200, 1e300]
EXPLAINING = pd.DataFrame({"g": GROUPS, "t": X[:, 0], "u": X[:, 1]})
OF_UNITS = {
    "rda": lambda A: gm.ecology.rda(Y, A).eigenvalues,
    "rda, product": lambda A: gm.ecology.rda(Y, A, "t*u").eigenvalues,
    "rda, condition": lambda A: gm.ecology.rda(Y, A, condition=["t"]).eigenvalues,
    "cca": lambda A: gm.ecology.cca(np.abs(Y), A).eigenvalues,
    "dbrda": lambda A: gm.ecology.dbrda(np.abs(Y), A).eigenvalues,
    "permanova": lambda A: gm.ecology.permanova(Y, A, n_permutations=9).table["sum_of_squares"],
    "variables": lambda A: FIT.variables(A[["t", "u"]])["correlation"],
    "describe": lambda A: FIT.describe(A, alpha=1)["p_value"],
    "clusters": lambda A: gm.clusters.describe(GROUPS, A, alpha=1).variables["statistic"],
}


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", OF_UNITS)
def test_explaining_columns_in_any_unit(name, unit):
    table = EXPLAINING.assign(t=np.round(EXPLAINING["t"] * 1024) * unit)
    exact = EXPLAINING.assign(t=table["t"] / 2.0 ** np.floor(np.log2(unit)))
    np.testing.assert_allclose(
        np.asarray(OF_UNITS[name](table), float), np.asarray(OF_UNITS[name](exact), float),
        rtol=1e-8, atol=1e-12,
    )  # fmt: skip


@pytest.mark.parametrize("unit", [1e-300, 1e-160, 1e160, 1e300])
def test_rows_that_are_standardised_in_any_unit(unit):
    plain, scaled = np.abs(X), np.abs(X) * unit
    for method in ("standardize", "range", "chord", "hellinger", "max", "frequency"):
        want = gm.ecology.transform(plain, method)
        np.testing.assert_allclose(gm.ecology.transform(scaled, method), want, atol=1e-9)
    for metric in ("seuclidean", "mahalanobis", "cosine", "correlation", "chord"):
        want = gm.distances.pairwise(plain, metric=metric)
        found = gm.distances.pairwise(scaled, metric=metric)
        np.testing.assert_allclose(found, want, atol=1e-9)
    want = gm.ecology.rda(plain, EXPLAINING, scale=True).eigenvalues
    np.testing.assert_allclose(gm.ecology.rda(scaled, EXPLAINING, scale=True).eigenvalues, want)
    refuses(lambda: gm.ecology.rda(scaled, EXPLAINING), "X", "out of range", "multiply")


# Labels: one for each row, none of them missing.
OF_LABELS = {
    "clusters.describe": lambda g: gm.clusters.describe(g, X),
    "dispersion": lambda g: gm.ecology.dispersion(X, g, n_permutations=9),
    "strata": lambda g: gm.ecology.permanova(X, SUPPLEMENT, strata=g, n_permutations=9),
    "replicates": lambda g: gm.networks.replicate_study(X, g, n_resamples=3),
    "differential": lambda g: gm.networks.differential(X, g),
}
WRONG = {
    "NaN": lambda: [np.nan] * 3 + [0.0] * 5 + [1.0] * 6,
    "None": lambda: [None] * 3 + ["a"] * 5 + ["b"] * 6,
    "NA": lambda: pd.Series([1] * 7 + [2] * 6 + [pd.NA], dtype="Int64"),
    "infinite": lambda: [np.inf] * 7 + [1.0] * 7,
    "lists": lambda: [[0]] * 7 + [[1]] * 7,
    "arrays": lambda: [np.zeros(1)] * 7 + [np.ones(1)] * 7,
    "masked": lambda: np.ma.array([0, 1] * 7, mask=[True] + [False] * 13),
    "two columns": lambda: np.zeros((N, 2)),
    "a dict": lambda: dict(enumerate(GROUPS)),
    "a set": lambda: set(range(N)),
    "a text": lambda: "a" * N,
    "a scalar": lambda: 3,
    "None at all": lambda: None,
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", OF_LABELS)
def test_labels(name, wrong):
    if wrong == "None at all" and name != "clusters.describe" and name != "dispersion":
        return
    refuses(lambda: OF_LABELS[name](WRONG[wrong]()))


def test_a_label_of_its_own_for_every_row():
    refuses(lambda: gm.clusters.describe(X[:, 0], X), "labels", "every row")


@pytest.mark.parametrize("name", ["dispersion", "strata"])
def test_labels_in_another_order(name):
    frame = pd.DataFrame(X, index=[f"r{i}" for i in range(N)])
    groups = pd.Series(GROUPS, index=frame.index)
    call = {
        "dispersion": lambda g: gm.ecology.dispersion(frame, g, n_permutations=9).statistic,
        "strata": lambda g: gm.ecology.permanova(
            frame, pd.DataFrame({"t": Y[:, 0]}), strata=g, n_permutations=99, random_state=0
        ).table.loc["t", "p_value"],
    }[name]
    assert call(groups[::-1]) == call(groups)
    refuses(lambda: call(groups.rename(lambda label: f"other {label}")), "row labels")
