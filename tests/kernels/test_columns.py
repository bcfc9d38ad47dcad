"""A kernel on some of the columns, by position or by name."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from tests.contracts.kernel import cloud

import gramian as gm
from gramian.kernels import Columns, Gaussian, Linear

X = cloud(p=3)
NAMES = ["height", "age", "weight"]
FRAMES = [pd.DataFrame(X, columns=NAMES), pl.DataFrame(X, schema=NAMES)]
frames = pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars"])


@pytest.mark.parametrize(
    ("columns", "positions"),
    [
        ([0], [0]),
        ([2, 0], [2, 0]),
        ((1, 2), [1, 2]),
        (np.array([1, 2]), [1, 2]),
        ([-1], [2]),
        (slice(1, None), [1, 2]),
        (range(2), [0, 1]),
    ],
    ids=str,
)
def test_positions(columns, positions):
    expected = X[:, positions] @ X[:, positions].T
    np.testing.assert_allclose(Columns(Linear(), columns).pairwise(X), expected, rtol=1e-12)


@frames
def test_names_in_kernel_pca(frame):
    kernel = Columns(Gaussian(), ["weight", "height"])
    fitted = gm.KernelPCA(3, kernel=kernel).fit(frame)
    expected = gm.KernelPCA(3).fit(X[:, [2, 0]])
    np.testing.assert_allclose(fitted.eigenvalues_, expected.eigenvalues_, rtol=1e-12)
    np.testing.assert_allclose(fitted.coordinates_, expected.coordinates_, atol=1e-12)
    np.testing.assert_allclose(fitted.transform(frame), expected.coordinates_, atol=1e-12)


@frames
def test_names_inside_a_composite(frame):
    kernel = Columns(Gaussian(), ["age"]) + 2 * Columns(Linear(), ["height", "weight"]).normalized()
    fitted = gm.KernelPCA(2, kernel=kernel).fit(frame)
    by_position = Columns(Gaussian(), [1]) + 2 * Columns(Linear(), [0, 2]).normalized()
    expected = gm.KernelPCA(2, kernel=by_position).fit(X)
    np.testing.assert_allclose(fitted.coordinates_, expected.coordinates_, atol=1e-12)
    assert fitted.kernel_.left.kernel.scale == pytest.approx(
        gm.kernels.median_scale(X[:, [1]]), rel=1e-14
    )


@frames
def test_names_in_pairwise_and_diag(frame):
    kernel = Columns(Linear(), ["age"])
    np.testing.assert_allclose(kernel.pairwise(frame), np.outer(X[:, 1], X[:, 1]), rtol=1e-12)
    np.testing.assert_allclose(kernel.diag(frame), X[:, 1] ** 2, rtol=1e-12)


def test_a_name_that_is_a_number_wins_over_the_position():
    frame = pd.DataFrame(X, columns=[2, 1, 0])
    fitted = gm.KernelPCA(1, kernel=Columns(Linear(), [0])).fit(frame)
    np.testing.assert_allclose(fitted.inertia_, X[:, 2].var(), rtol=1e-12)


@frames
def test_an_unknown_name_is_refused(frame):
    with pytest.raises(gm.errors.InputError, match="'length'"):
        gm.KernelPCA(1, kernel=Columns(Linear(), ["length"])).fit(frame)


@pytest.mark.parametrize("columns", [[3], [-4], ["age"], [0.5]], ids=str)
def test_a_position_that_does_not_exist_is_refused(columns):
    with pytest.raises(gm.errors.InputError, match="columns"):
        Columns(Linear(), columns).pairwise(X)


@pytest.mark.parametrize("mask", [[False, True, True], np.array([False, True, True])], ids=str)
def test_a_mask_chooses_or_is_refused(mask):
    """True and False are not the positions 1 and 0."""
    try:
        K = Columns(Linear(), mask).pairwise(X)
    except gm.errors.InputError:
        return
    np.testing.assert_allclose(K, X[:, 1:] @ X[:, 1:].T, rtol=1e-12)


def test_one_name_alone_is_that_column_or_is_refused():
    """A text is not a list of its letters."""
    frame = pd.DataFrame(X, columns=["ab", "a", "b"])
    try:
        fitted = gm.KernelPCA(1, kernel=Columns(Linear(), "ab")).fit(frame)
    except gm.errors.InputError:
        return
    np.testing.assert_allclose(fitted.inertia_, X[:, 0].var(), rtol=1e-12)


def test_no_column_is_refused():
    with pytest.raises(gm.errors.InputError):
        Columns(Linear(), []).pairwise(X)


def test_the_median_is_that_of_the_columns():
    wide = X * [1.0, 1.0, 1e6]
    fitted = gm.KernelPCA(2, kernel=Columns(Gaussian(), [0, 1])).fit(wide)
    expected = gm.kernels.median_scale(X[:, :2])
    assert fitted.kernel_.kernel.scale == pytest.approx(expected, rel=1e-12)


def test_sparse_rows_keep_their_columns():
    rows = np.where(X > 0, X, 0.0)
    K = Columns(Linear(), [0, 2]).pairwise(sparse.csr_array(rows))
    np.testing.assert_allclose(K, rows[:, [0, 2]] @ rows[:, [0, 2]].T, rtol=1e-12)
