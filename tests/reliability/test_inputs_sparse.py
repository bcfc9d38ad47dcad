"""Sparse matrices in every format: the answer of the dense table, or a clear refusal."""

import numpy as np
import pytest
import scipy.sparse as sp

import gramian as gm

from .refusals import refuses

pytestmark = pytest.mark.slow


RNG = np.random.default_rng(61)
DENSE = RNG.integers(0, 5, (12, 6)) * (RNG.random((12, 6)) < 0.6) * 1.0
FORMATS = ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"]
KINDS = [sp.coo_matrix, sp.coo_array]

# Every door that sparse rows come in by; what comes out is compared with that of dense rows.
DOORS = {
    "PCA": lambda S: gm.PCA(3).fit(S).eigenvalues_,
    "PCA scaled": lambda S: gm.PCA(3, scale=True).fit(S).coordinates_,
    "PCA blocks": lambda S: gm.PCA(3).partial_fit(S).eigenvalues_,
    "PCA transform": lambda S: gm.PCA(3).fit(DENSE).transform(S),
    "KernelPCA linear": lambda S: gm.KernelPCA(3, kernel="linear").fit(S).eigenvalues_,
    "KernelPCA": lambda S: gm.KernelPCA(3).fit(S).eigenvalues_,
    "KernelPCA laplacian": lambda S: gm.KernelPCA(3, kernel="laplacian").fit(S).eigenvalues_,
    "KernelPCA transform": lambda S: gm.KernelPCA(3).fit(DENSE).transform(S),
    "Nystrom": lambda S: gm.Nystrom(12, random_state=0).fit(S).kernel_(S),
    "ClassicalMDS": lambda S: gm.ClassicalMDS(3).fit(S).eigenvalues_,
    "logistic": lambda S: (
        gm.KernelLogisticRegression(kernel="linear").fit(S, np.arange(12) % 2).predict_proba(S)
    ),
    "several": lambda S: gm.MultiKernelPCA(3, kernels={"a": "linear"}).fit({"a": S}).eigenvalues_,
    "Gaussian": lambda S: gm.kernels.Gaussian(2.0).pairwise(S),
    "Linear": lambda S: gm.kernels.Linear().pairwise(S, S),
    "diagonal": lambda S: gm.kernels.Polynomial(2).diag(S),
    "Polynomial": lambda S: gm.kernels.Polynomial(2).pairwise(DENSE, S),
    "squared distances": lambda S: gm.distances.squared_euclidean(S),
    "distances": lambda S: gm.distances.pairwise(S, DENSE),
    "median": lambda S: gm.kernels.median_scale(S),
    "mmd": lambda S: gm.rkhs.mmd("linear", S, DENSE[:5], n_permutations=0).statistic,
}


def with_duplicates(kind):
    """The dense table with every entry cut in two, in an order of no kind."""
    rows, columns = np.nonzero(DENSE)
    order = np.random.default_rng(0).permutation(2 * rows.size)
    halves = np.r_[DENSE[rows, columns] - 1.5, np.full(rows.size, 1.5)]
    places = np.r_[rows, rows][order], np.r_[columns, columns][order]
    return kind((halves[order], places), shape=DENSE.shape)


def uncompressed(format, kind):
    """Duplicates in a compressed format, whose conversion from triples would sum them."""
    triples = with_duplicates(kind)
    major, minor = (triples.row, triples.col) if format == "csr" else (triples.col, triples.row)
    order = np.argsort(major, kind="stable")
    size = DENSE.shape[0 if format == "csr" else 1]
    indptr = np.r_[0, np.cumsum(np.bincount(major, minlength=size))]
    make = {"csr": sp.csr_matrix, "csc": sp.csc_matrix}[format]
    return make((triples.data[order], minor[order], indptr), shape=DENSE.shape)


def explicit_zeros(format, kind):
    S = kind(DENSE + 1.0).tocsr()
    S.data -= 1.0
    return S.asformat(format)


FORMS = {
    **{f"{kind.__name__} {f}": kind(DENSE).asformat(f) for kind in KINDS for f in FORMATS},
    **{f"zeros {f}": explicit_zeros(f, sp.coo_matrix) for f in ("csr", "csc", "coo", "bsr")},
    **{f"duplicates {f}": uncompressed(f, sp.coo_array) for f in ("csr", "csc")},
    "duplicates coo": with_duplicates(sp.coo_matrix),
    "duplicates bsr": uncompressed("csr", sp.coo_matrix).tobsr((2, 3)),
    "int8": sp.csr_matrix(DENSE.astype("i1")),
}


def flagged(S):
    """A matrix that SciPy was told is canonical, which it is not."""
    S.has_sorted_indices = S.has_canonical_format = True
    return S


def long_indices(S):
    S.indices, S.indptr = S.indices.astype(np.int64), S.indptr.astype(np.int64)
    return S


def roomy(S):
    """A matrix whose arrays are longer than its entries."""
    S.data, S.indices = np.r_[S.data, np.nan], np.r_[S.indices, -7]
    return S


FORMS |= {
    "flagged": flagged(uncompressed("csr", sp.coo_matrix)),
    "int64 indices": long_indices(sp.csr_matrix(DENSE)),
    "int64 indices csc": long_indices(sp.csc_array(DENSE)),
    "more room than entries": roomy(sp.csr_matrix(DENSE)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", DOORS)
def test_every_format_is_the_dense_table(door, form):
    S = FORMS[form]
    before = S.copy()
    answer = np.asarray(DOORS[door](S), dtype=float)
    truth = np.asarray(DOORS[door](DENSE), dtype=float)
    np.testing.assert_allclose(answer, truth, rtol=0, atol=1e-11 * np.abs(truth).max())
    assert S.nnz == before.nnz and S.dtype == before.dtype


def test_the_matrix_of_the_caller_is_not_sorted_for_him():
    S = uncompressed("csr", sp.coo_matrix)
    data, indices = S.data.copy(), S.indices.copy()
    gm.PCA(2).fit(S)
    np.testing.assert_array_equal(S.data, data)
    np.testing.assert_array_equal(S.indices, indices)


def test_short_integers_do_not_overflow_when_entries_are_summed():
    S = sp.csr_matrix((np.array([100, 100, 7], "i1"), [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    expected = gm.PCA(1).fit(np.array([[200.0, 0.0], [0.0, 7.0]])).eigenvalues_
    np.testing.assert_allclose(gm.PCA(1).fit(S).eigenvalues_, expected, rtol=1e-14)


def broken(format, part, change):
    """A matrix that was sound until one of its arrays was replaced."""
    S = sp.coo_matrix(DENSE).asformat(format)
    value = change(np.array(getattr(S, part)))
    vars(S)[part if part in vars(S) else "_" + part] = value
    return S


def entry(k, value):
    def change(a):
        a[k] = value
        return a

    return change


def coordinates(axis, value):
    S = sp.coo_array(DENSE)
    S.coords[axis][3] = value
    return S


def lists(part, row, values):
    S = sp.lil_matrix(DENSE)
    getattr(S, part)[row] = values
    return S


def key(value):
    S = sp.dok_matrix(DENSE)
    S._dict[value] = 1.0
    return S


BROKEN = {
    "csr index": broken("csr", "indices", entry(4, 6)),
    "csr far index": broken("csr", "indices", entry(4, 2**31 - 1)),
    "csr negative index": broken("csr", "indices", entry(4, -1)),
    "csr indptr steps back": broken("csr", "indptr", entry(3, 30)),
    "csr indptr starts late": broken("csr", "indptr", entry(0, 1)),
    "csr indptr ends late": broken("csr", "indptr", entry(-1, 1000)),
    "csr indptr negative": broken("csr", "indptr", entry(2, -5)),
    "csr indptr short": broken("csr", "indptr", lambda a: a[:-1]),
    "csr indptr long": broken("csr", "indptr", lambda a: np.r_[a, a[-1]]),
    "csr data short": broken("csr", "data", lambda a: a[:-2]),
    "csr indices short": broken("csr", "indices", lambda a: a[:-2]),
    "csr float indices": broken("csr", "indices", lambda a: a + 0.5),
    "csc index": broken("csc", "indices", entry(4, 12)),
    "csc indptr": broken("csc", "indptr", entry(2, 35)),
    "bsr index": broken("bsr", "indices", entry(0, 9)),
    "bsr indptr": broken("bsr", "indptr", entry(-1, 99)),
    "coo row": coordinates(0, 12),
    "coo column": coordinates(1, 6),
    "coo negative": coordinates(1, -1),
    "dia offsets": broken("dia", "offsets", lambda a: a[:-1]),
    "lil position": lists("rows", 2, [0, 99]),
    "lil negative": lists("rows", 2, [-3]),
    "lil lengths": lists("data", 2, [1.0] * 9),
    "dok key": key((50, 1)),
    "dok negative": key((0, -2)),
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("door", DOORS)
def test_broken_matrices_are_refused_and_never_read(door, case):
    refuses(lambda: DOORS[door](BROKEN[case]), "sparse matrix")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite(format, value):
    bad = DENSE.copy()
    bad[7, 2] = value
    for door in ("PCA", "KernelPCA", "Gaussian", "squared distances"):
        refuses(lambda d=door: DOORS[d](sp.coo_matrix(bad).asformat(format)), "row 7", "column 2")


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dok"])
def test_other_shapes_and_types(format):
    refuses(lambda: gm.PCA().fit(sp.coo_matrix(DENSE + 1j).asformat(format)), "complex")
    long = sp.coo_matrix(DENSE.astype(np.int64) * 2**58).asformat(format)
    refuses(lambda: gm.PCA().fit(long), "2^53")
    refuses(lambda: gm.PCA().fit(sp.coo_array(DENSE[0])), "2D")
    refuses(lambda: gm.KernelPCA(kernel="precomputed").fit(sp.csr_matrix(DENSE)), "toarray")
    refuses(lambda: gm.KernelLogisticRegression().fit(DENSE, sp.csr_matrix(DENSE[:, :1])), "y is")
    refuses(lambda: gm.PCA().fit(DENSE, sample_weight=sp.csr_matrix(DENSE[:, :1])), "sample_weight")
