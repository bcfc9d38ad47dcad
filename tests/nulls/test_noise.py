"""The parts that tests against noise are made of, each against a truth written out."""

import numpy as np
import pytest
from scipy import stats

from gramian._nulls.deflation import Residual, finite_size
from gramian._nulls.draws import fastest_draw, permute_columns
from gramian._nulls.p_values import count_axes
from gramian._nulls.spectra import TableSpectrum

RNG = np.random.default_rng(5)


@pytest.mark.slow
def test_compiled_shuffles_are_permutations_and_every_place_is_as_likely():
    columns = np.tile(np.arange(5.0), (30_000, 1))
    shuffle = fastest_draw(permute_columns, columns, 10_000)
    assert shuffle is not permute_columns
    out = shuffle(columns, 3)
    assert (np.sort(out, axis=1) == columns).all()
    codes = (out @ 10.0 ** np.arange(5)).astype(int)
    counts = np.unique(codes, return_counts=True)[1]
    assert len(counts) == 120  # all orders, each as often as the others
    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("shape", [(4, 9), (9, 4)], ids=str)
def test_the_spectrum_of_a_draw_is_that_of_its_covariance(shape):
    columns = RNG.standard_normal(shape) + 3.0
    columns[0] = 2.0  # constant: it stays so, whatever size it should have
    n = shape[1]
    moved = columns - columns.mean(axis=1, keepdims=True)
    truth = np.linalg.svd(moved, compute_uv=False) ** 2 / n
    found = TableSpectrum(centre=True)(columns)
    assert np.allclose(found[: len(truth)], truth)
    assert np.allclose(TableSpectrum()(columns)[0], np.linalg.norm(columns, 2) ** 2 / n)
    norms = np.arange(1.0, shape[0] + 1)
    for row in range(1, shape[0]):
        moved[row] *= norms[row] / np.linalg.norm(moved[row])
    truth = np.linalg.svd(moved, compute_uv=False) ** 2 / n
    found = TableSpectrum(centre=True, norms=norms, axes=3)(columns)
    assert np.allclose(found, truth[:3])
    w = RNG.dirichlet(np.ones(n))
    C = np.cov(columns, aweights=w, ddof=0)
    truth = np.linalg.eigvalsh(C)[::-1][: min(shape)]
    assert np.allclose(TableSpectrum(w)(columns)[: len(truth)], truth, atol=1e-12)


@pytest.mark.parametrize("shape", [(4, 9), (9, 4)], ids=str)
def test_a_draw_loses_the_directions_that_the_data_lost(shape):
    p, n = shape
    U = np.linalg.qr(RNG.standard_normal((n, 2)))[0]
    V = np.linalg.qr(RNG.standard_normal((p, 2)))[0]
    columns = RNG.standard_normal(shape) + 1.0
    norms = np.arange(1.0, p + 1)
    E = np.array([row - row.mean() for row in columns])
    E = np.array([row * size / np.linalg.norm(row) for row, size in zip(E, norms, strict=True)])
    E = (np.eye(p) - V @ V.T) @ E @ (np.eye(n) - U @ U.T)
    truth = np.linalg.svd(E, compute_uv=False) ** 2 / n
    found = Residual(columns, U, V, 1.0, norms).spectrum(columns)
    assert np.allclose(found[: len(truth)], truth, atol=1e-12)


def test_axes_are_counted_up_to_the_first_that_is_not_significant():
    assert count_axes(np.array([0.01, 0.05, 0.2, 0.01]), 0.05) == 2
    assert count_axes(np.array([0.06, 0.01]), 0.05) == 0
    assert count_axes(np.array([0.01, 0.02]), 0.05) == 2


@pytest.mark.slow
def test_noise_without_some_of_its_axes_has_a_smaller_edge():
    # A draw spreads over 400 × 200 what the residual has in 300 × 100.
    small = [np.linalg.norm(RNG.standard_normal((300, 100)), 2) ** 2 for _ in range(8)]
    large = [np.linalg.norm(RNG.standard_normal((400, 200)), 2) ** 2 for _ in range(8)]
    truth = np.mean(small) / (300 * 100) / (np.mean(large) / (400 * 200))
    assert finite_size(400, 200, 100) == pytest.approx(truth, rel=0.02)
