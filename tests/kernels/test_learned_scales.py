"""scale="learn": irrelevant columns are switched off, and nothing is on noise."""

import numpy as np
import pytest

import gramian as gm
from gramian._core.pairs import Points
from gramian.kernels import Gaussian
from gramian.kernels.learning import learned_scales


def ring(n, noise, seed):
    rng = np.random.default_rng(seed)
    t = rng.uniform(0.0, 2.0 * np.pi, n)
    return np.column_stack([np.cos(t), np.sin(t), rng.standard_normal((n, noise))]), t


def checkers(n, noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], (n, 2)) + 0.3 * rng.standard_normal((n, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    return np.column_stack([X, rng.standard_normal((n, noise))]), y


def test_columns_of_noise_are_switched_off():
    for seed in range(3):
        X, _ = ring(150, 6, seed)
        found = Gaussian(scale="learn").resolve(Points(X))
        assert np.isinf(found.deviation).tolist() == [False] * 2 + [True] * 6


def test_units_do_not_matter():
    X, _ = ring(120, 4, 1)
    factor = np.array([1.0, 1e6, 1e-6, 3.0, 10.0, 1.0])
    a, b = learned_scales(Points(X)), learned_scales(Points(X * factor + 5.0))
    np.testing.assert_allclose(b, a * factor, rtol=1e-6)


def test_noise_alone_keeps_every_column():
    rng = np.random.default_rng(0)
    switched = 0
    for _ in range(20):
        X = rng.standard_normal((60, 5))
        scales = learned_scales(Points(X))
        switched += np.isinf(scales).any()
        if not np.isinf(scales).any():
            same = Gaussian(1.0)(X / X.std(axis=0))
            median = gm.kernels.bandwidth.median_scale(X / X.std(axis=0))
            np.testing.assert_allclose(Gaussian(scales)(X), same ** (1 / median**2), rtol=1e-8)
    assert switched <= 3  # 5 % of tables; P(more than 3 of 20) = 1.6 %


def test_the_map_is_that_of_the_ring():
    """Angles on the ring are seen again, which the median scale of all columns loses."""
    X, t = ring(200, 12, 0)
    basis = np.column_stack([np.cos(t), np.sin(t)])
    basis -= basis.mean(axis=0)

    def share(kernel):
        Z = gm.KernelPCA(2, kernel=kernel).fit(X).coordinates_
        fitted = Z @ np.linalg.lstsq(Z, basis, rcond=None)[0]
        return (fitted**2).sum() / (basis**2).sum()

    assert share(Gaussian(scale="learn")) > 0.95 > share("gaussian") + 0.2


def test_new_rows_saving_and_weights(tmp_path):
    X, _ = ring(80, 3, 2)
    fit = gm.KernelPCA(2, kernel=Gaussian(scale="learn")).fit(X)
    np.testing.assert_allclose(fit.transform(X[:4]), fit.coordinates_[:4], atol=1e-10)
    gm.save(fit, tmp_path / "fit.gramian")
    again = gm.load(tmp_path / "fit.gramian")
    np.testing.assert_allclose(again.transform(X[:4]), fit.coordinates_[:4], atol=1e-10)
    live = gm.KernelPCA(2, kernel=Gaussian(scale="learn")).fit(
        np.vstack([X, X[:5] + 50.0]), sample_weight=[1.0] * 80 + [0.0] * 5
    )
    np.testing.assert_allclose(live.kernel_.deviation, fit.kernel_.deviation)


def test_selection_learns_for_a_target_and_compares_on_other_rows():
    X, y = checkers(240, 6, 0)
    found = gm.kernels.select(X, Gaussian(scale="learn"), y, random_state=0)
    off = np.isinf(found.kernels["Gaussian(shrunk 0)"].deviation)
    assert off.tolist() == [False] * 2 + [True] * 6
    assert found.table["score"].iloc[0] > found.table["score"].iloc[-1] + 0.2  # equal scales
    assert found.n_rows == 120 and "120 other rows" in repr(found)


def test_a_target_of_chance_has_no_small_p_value():
    X, _ = checkers(80, 3, 1)
    rng = np.random.default_rng(5)
    p = [
        gm.kernels.select(X, Gaussian(scale="learn"), rng.permutation(40 * ["a", "b"]))
        .table["p_value"]
        .min()
        for _ in range(3)
    ]
    assert min(p) > 0.01


def test_other_kernels_and_wrong_words_are_refused():
    with pytest.raises(gm.errors.InputError, match="scale='learn' must be"):
        gm.KernelPCA(2, kernel=gm.kernels.Matern(scale="learn")).fit(np.eye(6))
