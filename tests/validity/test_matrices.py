"""Positive semi-definite, conditionally negative, Euclidean: matrices of every size and scale."""

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from tests.outside._reference import load, table

import gramian as gm
from gramian.kernels import Gaussian
from gramian.validity import is_cnd, is_euclidean, is_psd

pytestmark = pytest.mark.slow


few = settings(max_examples=40, deadline=None, derandomize=True)
SIZES = [1, 2, 3, 10, 100, 600]
UNITS = [1e-300, 1e-150, 1e-8, 1.0, 1e8, 1e150, 1e300]


def orthogonal(n, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]


def with_spectrum(values, seed=0):
    """A symmetric matrix with known eigenvalues."""
    Q = orthogonal(len(values), seed)
    A = (Q * values) @ Q.T
    return 0.5 * (A + A.T)


def four_cycle():
    """The corners of a square measured along its sides: a metric that no Euclidean space holds."""
    return np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])


@pytest.mark.parametrize("unit", UNITS, ids=str)
@pytest.mark.parametrize("n", SIZES)
def test_gram_matrices_of_any_size_and_scale_are_psd(n, unit):
    """Of rank 3 at most: nearly all eigenvalues are rounding."""
    X = np.random.default_rng(n).standard_normal((n, 3))
    found = is_psd(X @ X.T * unit)
    assert found and found.valid and found.certain and found.witness is None
    assert found.margin >= -found.tolerance


@pytest.mark.parametrize("unit", UNITS, ids=str)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("share", [1.0, 1e-6, 1e-11])
def test_one_negative_eigenvalue_is_found(n, unit, share):
    values = np.linspace(1.0, 2.0, n)
    values[0] = -share
    K = with_spectrum(values) * unit
    found = is_psd(K)
    assert not found
    assert found.margin / unit == pytest.approx(-share, rel=1e-2)
    c = found.witness
    assert np.linalg.norm(c) == pytest.approx(1.0, rel=1e-12)
    assert c @ (K / unit) @ c < 0 and found.value < 0
    assert found.relative_margin == pytest.approx(-share / np.abs(values).max(), rel=1e-2)


def test_two_thousand_points():
    X = np.random.default_rng(0).standard_normal((2000, 2))
    K = Gaussian(1.0).pairwise(X)
    assert is_psd(K)
    c = np.random.default_rng(1).standard_normal(2000)
    c /= np.linalg.norm(c)
    broken = K - (c @ K @ c + 1e-6) * np.outer(c, c)
    found = is_psd(broken)
    assert not found and found.witness @ broken @ found.witness < 0


@pytest.mark.parametrize("unit", UNITS, ids=str)
@pytest.mark.parametrize("n", [2, 3, 10, 100, 600])
def test_squared_distances_of_any_size_and_scale_are_cnd(n, unit):
    X = np.random.default_rng(n).standard_normal((n, 3))
    D = squareform(pdist(X))
    found = is_cnd(D**2 * unit)
    assert found and found.margin >= -found.tolerance
    assert is_euclidean(D * unit)


@pytest.mark.parametrize("unit", UNITS, ids=str)
def test_the_four_cycle_is_a_metric_but_not_euclidean(unit):
    D = four_cycle() * unit
    found = is_euclidean(D)
    assert not found
    assert found.relative_margin < -0.1
    c = found.witness
    assert abs(c.sum()) < 1e-14
    assert c @ (four_cycle() ** 2.0) @ c > 0.1
    assert not is_cnd(four_cycle() ** 2.0 * unit)


@pytest.mark.parametrize("share", [1.0, 1e-6, 1e-10])
@pytest.mark.parametrize("n", [3, 10, 200])
def test_a_small_negative_inertia_is_found(n, share):
    """−½D² centred with eigenvalues 1 … 2 and one −share."""
    values = np.linspace(1.0, 2.0, n - 1)
    values[0] = -share
    V = np.linalg.qr(np.column_stack([np.ones(n), np.eye(n)[:, : n - 1]]))[0][:, 1:]
    V = V @ orthogonal(n - 1)
    B = (V * values) @ V.T
    D2 = np.add.outer(B.diagonal(), B.diagonal()) - 2 * B
    D2 = 0.5 * (D2 + D2.T)
    found = is_cnd(D2)
    assert not found
    assert found.margin == pytest.approx(-share, rel=1e-2)
    c = found.witness
    assert abs(c.sum()) < 1e-13 and c @ D2 @ c > 0
    assert c @ D2 @ c == pytest.approx(2 * share, rel=1e-2)


def test_a_large_constant_does_not_drown_the_answer():
    """Terms of x alone and of y alone do not matter: 1e9 added everywhere, rounding aside."""
    X = np.random.default_rng(0).standard_normal((50, 2))
    D2 = squareform(pdist(X)) ** 2
    r = np.random.default_rng(1).standard_normal(50)
    assert is_cnd(D2 + np.add.outer(r, r))
    assert is_cnd(D2 + 1e9)
    found = is_cnd(four_cycle() ** 2.0 + 1e9)
    assert not found and found.margin == pytest.approx(-1.0, abs=1e-6)


@few
@given(st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_schoenberg_euclidean_means_all_gaussians_are_psd(n, seed):
    """d is Euclidean ⟺ exp(−λd²) is positive semi-definite for every λ, small λ being enough."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    D2 = squareform(pdist(X)) ** 2
    for scale in (0.1, 1.0, 10.0):
        assert is_psd(np.exp(-scale * D2))
    crooked = rng.uniform(1.0, 2.0, (n, n))
    crooked = np.triu(crooked, 1) + np.triu(crooked, 1).T
    found = is_euclidean(crooked)
    if not found and found.relative_margin < -1e-2:
        assert not is_psd(np.exp(-1e-4 * crooked**2))
        c = found.witness
        assert c @ np.exp(-1e-4 * crooked**2) @ c < 0
    if found:
        for scale in (1e-3, 0.1, 1.0, 10.0):
            assert is_psd(np.exp(-scale * crooked**2))


def test_the_nine_cities():
    stored = load("documents/documents.json")["results"]["doc004_cities"]
    D = table("documents/doc004_cities9.csv").to_numpy(float)
    found = is_euclidean(D)
    assert not found
    assert found.margin == pytest.approx(min(stored["eigenvalues"]), rel=1e-8)


@pytest.mark.parametrize("dtype", ["f4", "f2", "i4", "i8", "u1", "bool"])
def test_other_precisions(dtype):
    X = np.random.default_rng(0).integers(0, 3, (40, 3))
    K = X @ X.T
    if dtype in ("f4", "f2"):
        K = Gaussian(2.0).pairwise(X.astype(float)).astype(dtype)
    elif dtype == "bool":
        K = np.ones((5, 5), bool)
    assert is_psd(K.astype(dtype))
    D = squareform(pdist(X))
    if dtype == "f4":
        assert is_euclidean(D.astype("f4"))
    assert not is_psd(-np.eye(3, dtype="f4"))


def test_frames_and_torch():
    K = with_spectrum(np.array([-1.0, 1.0, 2.0]))
    for given_as in (pd.DataFrame(K), torch.asarray(K), K.tolist()):
        found = is_psd(given_as)
        assert not found and found.margin == pytest.approx(-1.0)


def test_a_tolerance_of_ones_own():
    K = with_spectrum(np.array([-1e-6, 1.0, 2.0]))
    assert not is_psd(K) and is_psd(K, tolerance=1e-5)
    exactly = np.diag([1.0, -1e-20])
    assert is_psd(exactly) and not is_psd(exactly, tolerance=0.0)


def test_small_cases():
    assert is_psd([[0.0]]) and is_psd([[2.0]]) and not is_psd([[-1.0]])
    assert is_cnd([[5.0]]) and is_euclidean([[0.0]])
    assert is_psd(np.zeros((4, 4))) and is_cnd(np.zeros((4, 4))) and is_euclidean(np.zeros((4, 4)))


@pytest.mark.parametrize(
    ("check", "matrix", "words"),
    [
        (is_psd, [[1.0, 2.0], [0.0, 1.0]], "symmetric"),
        (is_psd, np.ones((2, 3)), "square"),
        (is_psd, [[np.nan]], "NaN"),
        (is_psd, [[np.inf]], "inf"),
        (is_psd, np.zeros((0, 0)), "sample"),
        (is_psd, [["a"]], "K"),
        (is_cnd, [[0.0, 1.0], [2.0, 0.0]], "symmetric"),
        (is_euclidean, [[0.0, -1.0], [-1.0, 0.0]], "negative"),
        (is_euclidean, np.eye(2), "diagonal"),
    ],
    ids=[
        "asymmetric",
        "wide",
        "nan",
        "inf",
        "empty",
        "text",
        "asymmetric D2",
        "negative",
        "kernel",
    ],
)
def test_refusals(check, matrix, words):
    with pytest.raises((gm.errors.InputError, gm.errors.InputTypeError), match=words):
        check(matrix)


def test_the_argument_is_not_changed():
    K = with_spectrum(np.array([-1.0, 1.0, 2.0]))
    K.flags.writeable = False
    before = K.copy()
    is_psd(K), is_cnd(K), gm.validity.clip(K), gm.validity.nearest_psd(K, unit_diagonal=True)
    assert np.array_equal(K, before)


@pytest.mark.parametrize("n", [50, 500])
def test_single_precision_hides_no_more_than_its_rounding(n):
    """A negative eigenvalue 100 times the rounding of the entries is seen in float32 too."""
    X = np.random.default_rng(0).standard_normal((n, 3))
    K = Gaussian(1.0).pairwise(X)
    assert is_psd(K.astype("f4"))
    c = np.random.default_rng(1).standard_normal(n)
    c /= np.linalg.norm(c)
    broken = (K - (c @ K @ c + 1e-3) * np.outer(c, c)).astype("f4")
    assert not is_psd(broken)
