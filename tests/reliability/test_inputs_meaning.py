"""Inputs of the right type that cannot mean what they must: each is refused, or spoken of."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch

import gramian as gm
from gramian.errors import MemoryBudgetError, ZeroRowWarning

from .refusals import refuses

pytestmark = pytest.mark.slow


X = np.random.default_rng(81).standard_normal((20, 3))
MANY = np.random.default_rng(82).standard_normal((90, 2))


def by_pairs(function):
    """A distance of two rows, from a function of their difference."""
    return lambda a, b: float(function(np.asarray(a) - np.asarray(b)))


def by_tables(function):
    """The same for two tables at once."""
    return lambda A, B: np.array([[float(function(a - b)) for b in B] for a in A])


# functions of a difference that are no norm: (function, word)
NO_DISTANCES = {
    "negative": (lambda d: -np.abs(d).sum(), "negative"),
    "of both signs": (lambda d: d.sum(), "negative"),
    "one-sided": (lambda d: np.maximum(d, 0).sum(), "symmetric"),
    "skewed": (lambda d: np.abs(d).sum() * (2.0 if d[0] > 0 else 1.0), "symmetric"),
    "nan": (lambda d: np.nan, "nan"),
    "nan for some": (lambda d: np.nan if d[0] > 2.5 else np.abs(d).sum(), "nan"),
    "infinite": (lambda d: np.inf if d[0] > 0 else 0.0, "inf"),
    "a similarity": (lambda d: np.exp(-(d**2).sum()), "itself"),
}
USES = {
    "FromDistance": lambda f: gm.kernels.FromDistance(f, scale=1.0).pairwise(X),
    "FromDistance median": lambda f: gm.kernels.FromDistance(f).pairwise(X),
    "KernelPCA": lambda f: gm.KernelPCA(2, kernel=gm.kernels.FromDistance(f)).fit(X),
    "KernelPCA scale": lambda f: gm.KernelPCA(2, kernel=gm.kernels.FromDistance(f, 1.0)).fit(X),
    "ClassicalMDS": lambda f: gm.ClassicalMDS(2, metric=f).fit(X),
    "MDS": lambda f: gm.MDS(2, metric=f, n_init=1).fit(X),
    "pairwise": lambda f: gm.distances.pairwise(X, metric=f),
    "more rows": lambda f: gm.distances.pairwise(MANY, metric=f),
}


@pytest.mark.parametrize("form", [by_pairs, by_tables], ids=["rows", "tables"])
@pytest.mark.parametrize("case", NO_DISTANCES)
@pytest.mark.parametrize("use", USES)
def test_functions_that_are_no_distance(use, case, form):
    function, word = NO_DISTANCES[case]
    refuses(lambda: USES[use](form(function)), "metric", word)


@pytest.mark.parametrize("form", [by_pairs, by_tables], ids=["rows", "tables"])
def test_functions_that_are_one(form):
    D = gm.distances.pairwise(MANY, metric=form(np.linalg.norm))
    np.testing.assert_allclose(D, gm.distances.euclidean(MANY), atol=1e-12)
    K = gm.kernels.FromDistance(form(np.linalg.norm), scale=1.5).pairwise(X)
    np.testing.assert_allclose(K, gm.kernels.Gaussian(1.5).pairwise(X), atol=1e-12)


def test_one_pair_out_of_many_that_is_one_sided():
    def metric(a, b):
        return abs(a[0] - b[0]) + (a[0] == X[17, 0] and b[0] == X[4, 0])

    refuses(lambda: gm.distances.pairwise(X, metric=metric), "symmetric", "17", "4")


ZEROS = {
    "dense": lambda Z: Z,
    "single": lambda Z: Z.astype(np.float32),
    "sparse": sp.csr_array,
    "torch": torch.from_numpy,
}


@pytest.mark.parametrize("form", ZEROS)
def test_the_cosine_says_that_a_zero_row_has_none(form):
    Z = X.copy()
    Z[[3, 8]] = 0.0
    kernel, Z = gm.kernels.Cosine(), ZEROS[form](Z)
    with pytest.warns(ZeroRowWarning, match=r"2 row\(s\).*first is 3"):
        C = kernel.pairwise(Z)
    assert float(abs(C[3, :]).max()) == 0.0
    with pytest.warns(ZeroRowWarning):
        gm.KernelPCA(2, kernel="cosine").fit(Z)
    fit = gm.KernelPCA(2, kernel="cosine").fit(X)
    with pytest.warns(ZeroRowWarning):
        fit.transform(Z)
    with pytest.warns(ZeroRowWarning):
        (kernel + gm.kernels.Gaussian(1.0)).pairwise(Z)


RULES = {
    "threshold": gm.dimension.threshold,
    "kaiser": gm.dimension.kaiser,
    "elbow": gm.dimension.elbow,
    "cattell": gm.dimension.cattell,
    "broken_stick": gm.dimension.broken_stick,
    "gavish_donoho": lambda v: gm.dimension.gavish_donoho(v, n_samples=50),
    "marchenko_pastur": lambda v: gm.dimension.marchenko_pastur(v, n_samples=50),
    "minka": lambda v: gm.dimension.minka(v, n_samples=50),
    "choose": gm.dimension.choose,
}
NO_EIGENVALUES = {
    "negative first": [-3.0, 1.0, 2.0],
    "negative last": [2.0, 1.0, -3.0],
    "half as far below": [4.0, 1.0, -2.0],
    "all negative": [-1.0, -2.0],
    "ascending": [1.0, 2.0, 3.0],
    "out of order": [3.0, 1.0, 2.0, 0.5],
    "nan": [3.0, np.nan, 1.0],
    "inf": [np.inf, 2.0],
    "all zero": [0.0, 0.0],
    "none": [],
    "texts": ["3", "2"],
    "complex": np.array([3.0 + 0j, 2.0]),
    "masked": np.ma.masked_array([3.0, 2.0, 1.0], [0, 1, 0]),
    "too long": [2**60 + 1, 2**59, 3],
    "dates": np.array(["2020-01-02", "2020-01-01"], dtype="M8[D]"),
}


@pytest.mark.parametrize("case", NO_EIGENVALUES)
@pytest.mark.parametrize("rule", RULES)
def test_numbers_that_are_no_eigenvalues(rule, case):
    refuses(lambda: RULES[rule](NO_EIGENVALUES[case]), "source")


@pytest.mark.parametrize("rule", RULES)
def test_the_rounding_of_a_spectrum_is_let_pass(rule):
    values = np.linalg.eigvalsh(np.cov(np.hstack([X, X @ [[1.0], [2.0], [1.0]]]).T))[::-1]
    RULES[rule](np.r_[values[:-1], -1e-17])


@pytest.mark.parametrize("n_samples", [1, 0, -5, 2.5, "many", True, np.inf])
def test_numbers_of_rows_that_are_none(n_samples):
    refuses(lambda: gm.dimension.minka([3.0, 1.0], n_samples=n_samples), "n_samples")


SEQUENCES = [gm.kernels.sequence.Spectrum(2), gm.kernels.sequence.Subsequence(2)]
SEQUENCES += [gm.kernels.sequence.Mismatch(2, 1, alphabet="ACGT")]
WORDS = ["ACGTAC", "GGTACA", "TTTT"]


@pytest.mark.parametrize("kernel", SEQUENCES, ids=lambda kernel: type(kernel).__name__)
def test_bytes_are_the_text_they_encode(kernel):
    K = kernel.pairwise(WORDS)
    encoded = [word.encode() for word in WORDS]
    for other in (encoded, np.array(encoded), [WORDS[0], *encoded[1:]]):
        np.testing.assert_array_equal(kernel.pairwise(WORDS, other), K)
    letters = [[letter.encode() for letter in word] for word in WORDS]
    np.testing.assert_array_equal(kernel.pairwise(WORDS, letters), K)
    refuses(lambda: kernel.pairwise([b"\xff\xfe\xfa"]), "X[0]", "UTF-8")


@pytest.mark.parametrize("k", [1, 2, 3])
def test_as_many_mismatches_as_places(k):
    for mismatches in (k, k + 1, 10**30):
        kernel = gm.kernels.sequence.Mismatch(k, mismatches)
        refuses(lambda kernel=kernel: kernel.pairwise(WORDS), "mismatches")
        fit = gm.KernelPCA(1, kernel=kernel)
        refuses(lambda fit=fit: fit.fit(WORDS), "mismatches")


SIZES = [np.inf, -np.inf, np.nan, -1, 0, 0.0, True, "abc", "", "-1MB", "1XB", "9" * 400, [1], 1j]


@pytest.mark.parametrize("memory", SIZES, ids=str)
def test_budgets_that_are_none(memory):
    for make in (gm.KernelPCA, gm.KernelLogisticRegression, gm.PrincipalComponentClassifier):
        estimator = make(memory=memory)
        refuses(lambda e=estimator: e.fit(X, np.arange(20) % 2), "memory")
    refuses(lambda: gm.rkhs.mmd("linear", X, X + 1, memory=memory), "memory")


@pytest.mark.parametrize("rank", [10**9, 2 * 10**9])
def test_features_that_no_memory_holds(rank):
    with pytest.raises(MemoryBudgetError, match=r"memory: .*rank"):
        gm.RandomFourier(rank).fit(X)
    with pytest.raises(MemoryBudgetError, match=r"memory: .*rank"):
        gm.KernelPCA(2, approximation=gm.RandomFourier(rank)).fit(X)


@pytest.mark.parametrize("kernel", ["linear", "cosine", gm.kernels.Polynomial(2)], ids=str)
@pytest.mark.parametrize("value", [1.0, 0.1, 1e6 / 3])
def test_constant_rows_are_not_said_to_have_too_few_features(kernel, value):
    fit = gm.KernelPCA(2, kernel=kernel, approximation=gm.Nystrom(5))
    refuses(lambda: fit.fit(np.full((9, 3), value)), "constant")


D = gm.distances.euclidean(X)


@pytest.mark.parametrize("junk", [None, "abc", 3.0, [], {}, object(), X, -D, D + 1.0, lambda x: x])
def test_distances_that_are_none(junk):
    refuses(lambda: gm.stability.mantel(junk, D), "A")
    refuses(lambda: gm.stability.mantel(D, junk), "B")
    if junk is not None:
        refuses(lambda: gm.stability.mantel(D, D, given=junk), "given")
