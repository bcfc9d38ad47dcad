"""Alignment, RV and HSIC against their definitions; level and power of their tests."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from tests.contracts.kernel import cloud

import gramian as gm
from gramian import rkhs
from gramian.errors import InputError
from gramian.kernels import Gaussian, Laplacian, Linear, Polynomial, Sigmoid
from gramian.kernels.sequence import Spectrum

X, Y = cloud(25, 3), cloud(25, 2, seed=4)
H = np.eye(25) - 1 / 25
PAIRS = [
    (Gaussian(1.0), Linear()),
    (Polynomial(2, 1.0), Laplacian(0.7)),
    (Gaussian(0.3) + 5.0, Gaussian(2.0)),
    (Sigmoid(1.0, -0.5), Linear()),
]
IDS = ["linear", "laplacian", "shifted", "indefinite"]


def inner(K, L):
    return float(np.trace(K @ L))


@pytest.mark.parametrize(("k", "l"), PAIRS, ids=IDS)
@pytest.mark.parametrize("centred", [True, False])
def test_alignment_is_a_cosine(k, l, centred):  # noqa: E741
    K, L = k.pairwise(X), l.pairwise(Y)
    A, B = (H @ K @ H, H @ L @ H) if centred else (K, L)
    expected = inner(A, B) / math.sqrt(inner(A, A) * inner(B, B))
    for one, two, points in ((k, l, (X, Y)), (K, L, ()), (K, l, (None, Y)), (k, L, (X,))):
        actual = rkhs.alignment(one, two, *points, centred=centred)
        assert actual == pytest.approx(expected, rel=1e-10, abs=1e-13)


def test_alignment_of_a_kernel_with_itself_is_one():
    K = Gaussian(1.0).pairwise(X)
    assert rkhs.alignment(K, 3.0 * K) == pytest.approx(1.0, rel=1e-14)
    assert rkhs.alignment(K, -K) == pytest.approx(-1.0, rel=1e-14)
    assert rkhs.alignment(K, K + 1e6) == pytest.approx(1.0, rel=1e-8)


def test_rv_is_escoufiers_coefficient():
    """tr(S_xy S_yx)/√(tr(S_xx²)·tr(S_yy²)), from covariance matrices."""
    A, B = X - X.mean(axis=0), Y - Y.mean(axis=0)
    S = [A.T @ B, A.T @ A, B.T @ B]
    top, one, two = (np.sum(M * M) for M in S)
    found = rkhs.rv("linear", "linear", X + 1e6, Y, n_permutations=50)
    assert found.statistic == pytest.approx(top / math.sqrt(one * two), rel=1e-8)
    assert found.statistic == pytest.approx(rkhs.alignment("linear", "linear", X, Y), rel=1e-8)


@pytest.mark.parametrize(("k", "l"), PAIRS, ids=IDS)
def test_hsic_is_its_definition(k, l):  # noqa: E741
    K, L, n = k.pairwise(X), l.pairwise(Y), 25
    found = rkhs.hsic(k, l, X, Y, n_permutations=0)
    assert found.statistic == pytest.approx(inner(K @ H, L @ H) / n**2, rel=1e-9)
    K, L = K - np.diag(K.diagonal()), L - np.diag(L.diagonal())
    one = np.ones(n)
    expected = inner(K, L) + (one @ K @ one) * (one @ L @ one) / ((n - 1) * (n - 2))
    expected -= 2 / (n - 2) * one @ K @ L @ one
    found = rkhs.hsic(k, l, X, Y, estimate="unbiased", n_permutations=0)
    assert found.statistic == pytest.approx(expected / (n * (n - 3)), rel=1e-8, abs=1e-13)


def test_hsic_of_linear_kernels_is_the_squared_covariance():
    A, B = X - X.mean(axis=0), Y - Y.mean(axis=0)
    found = rkhs.hsic("linear", "linear", X, Y, n_permutations=0)
    assert found.statistic == pytest.approx(np.sum((A.T @ B / 25) ** 2), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("estimate", ["biased", "unbiased"])
@pytest.mark.parametrize("way", ["by factors", "by entries", "compiled"])
def test_the_reference_values_are_those_of_permuted_points(estimate, way, monkeypatch):
    thin = way == "by factors"
    k, l = (Linear(), Linear()) if thin else (Gaussian(0.1), Laplacian(0.1))  # noqa: E741
    if way == "compiled":
        monkeypatch.setattr("gramian.rkhs.dependence._MIN_COMPILED_COST", 0)
    found = rkhs.hsic(k, l, X, Y, estimate=estimate, n_permutations=8, random_state=2)
    rng = np.random.default_rng(2)
    for value in found.reference:
        order = rng.permutation(25)
        again = rkhs.hsic(k, l, X, Y[order], estimate=estimate, n_permutations=0)
        assert value == pytest.approx(again.statistic, rel=1e-9, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("test", [rkhs.hsic, rkhs.rv], ids=["hsic", "rv"])
def test_level_and_power(test):
    rng = np.random.default_rng(0)
    rejected = power = 0
    for seed in range(200):
        A, B = rng.standard_normal((20, 1)), rng.standard_normal((20, 1))
        kernels = ("gaussian", "gaussian")
        rejected += test(*kernels, A, B, n_permutations=99, random_state=seed).p_value <= 0.05
        if seed < 40:
            C = A**2 + 0.1 * B
            power += test(*kernels, A, C, n_permutations=99, random_state=seed).p_value <= 0.05
    low, high = binom(200, 0.05).interval(0.999)
    assert low <= rejected <= high
    assert power >= 36


def test_words_against_numbers():
    words = ["banana", "bandana", "cabana", "zzz", "zzzz", "zyz"]
    numbers = np.array([[6.0], [7.0], [6.0], [3.0], [4.0], [3.0]])
    found = rkhs.rv(Spectrum(k=1), "linear", words, numbers, n_permutations=199)
    assert 0 < found.p_value < 0.2 and found.statistic > 0.7


@pytest.mark.slow
def test_tiles_give_what_the_matrix_gives():
    A = cloud(1300, 2)
    K, L = Gaussian(1.0).pairwise(A), Linear().pairwise(A)
    actual = rkhs.alignment(Gaussian(1.0), Linear(), A)
    assert actual == pytest.approx(rkhs.alignment(K, L), rel=1e-11)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rkhs.alignment("linear", "linear"), "X is missing"),
        (lambda: rkhs.alignment(np.eye(3), np.eye(4)), "points"),
        (lambda: rkhs.alignment(np.ones((3, 3)), np.eye(3)), "zero"),
        (lambda: rkhs.alignment(np.array([[1.0, 2.0], [0.0, 1.0]]), np.eye(2)), "symmetric"),
        (lambda: rkhs.hsic("linear", "linear", X, Y, estimate="best"), "estimate"),
        (lambda: rkhs.hsic("linear", "linear", X[:3], Y[:3], estimate="unbiased"), "needs 4"),
        (lambda: rkhs.rv("linear", "linear", X, Y, memory="1kB"), "budget"),
    ],
    ids=["points", "sizes", "constant", "symmetric", "estimate", "three", "memory"],
)
def test_refusals(call, words):
    with pytest.raises((gm.errors.InputError, gm.errors.MemoryBudgetError), match=words):
        call()


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_the_unit_of_the_matrices_does_not_matter(unit):
    K, L = Gaussian(1.0).pairwise(X), Linear().pairwise(Y)
    for centred in (True, False):
        expected = rkhs.alignment(K, L, centred=centred)
        assert rkhs.alignment(unit * K, L, centred=centred) == pytest.approx(expected, rel=1e-12)
    one = rkhs.rv(unit * K, L, n_permutations=20)
    two = rkhs.rv(K, L, n_permutations=20)
    assert one.statistic == pytest.approx(two.statistic, rel=1e-12)
    np.testing.assert_allclose(one.reference, two.reference, rtol=1e-9)


@pytest.mark.slow
def test_tables_stand_for_their_linear_kernels_and_are_paired_by_label():
    """As FactoMineR's coeffRV takes them: tr(X'YY'X)/√(tr(X'X)²·tr(Y'Y)²) of centred columns."""
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.normal(size=(12, 3)), index=list("abcdefghijkl"))
    Y = pd.DataFrame(X.to_numpy()[:, :2] ** 2 + rng.normal(size=(12, 2)), index=X.index)
    A, B = (np.asarray(T - T.mean()) for T in (X, Y))
    size = np.linalg.norm(A @ A.T) * np.linalg.norm(B @ B.T)
    truth = np.linalg.norm(A.T @ B) ** 2 / size
    for other in (Y, Y.sample(frac=1, random_state=0)):
        assert gm.rkhs.rv(X, other, n_permutations=9).statistic == pytest.approx(truth, rel=1e-12)
    assert gm.rkhs.alignment(X, Y) == pytest.approx(truth, rel=1e-12)
    mixed = gm.rkhs.rv(A @ A.T, np.asarray(Y), n_permutations=9)  # a Gram matrix and a table
    assert mixed.statistic == pytest.approx(truth, rel=1e-12)
    with pytest.raises(InputError, match="after two kernels"):
        gm.rkhs.hsic(X, Y)
    with pytest.raises(InputError, match="points"):
        gm.rkhs.rv(X, Y.iloc[:5].reset_index(drop=True))
