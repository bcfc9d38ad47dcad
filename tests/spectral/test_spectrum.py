"""Eigenvalues and vectors together: order, signs, ties, padding."""

import warnings

import numpy as np
import pytest
import torch

import gramian as gm
from gramian._core.operators.gram import CenteredGram, DenseGram
from gramian._core.spectral.spectrum import Spectrum, column_signs, groups_of_ties

TIES = {
    "none": ([3.0, 2.0, 1.0], None, []),
    "a pair": ([3.0, 2.0, 2.0, 1.0], None, [(2, 3)]),
    "all": ([1.0, 1.0, 1.0], None, [(1, 2, 3)]),
    "two pairs": ([2.0, 2.0, 1.0, 1.0], None, [(1, 2), (3, 4)]),
    "just apart": ([1.0, 1.0 - 2e-8], None, []),
    "just tied": ([1.0, 1.0 - 0.5e-8], None, [(1, 2)]),
    "a chain": ([1.0, 1 - 0.8e-8, 1 - 1.6e-8], None, [(1, 2, 3)]),
    "with the first left out": ([3.0, 2.0], 2.0, [(2, 3)]),
    "not with the first left out": ([3.0, 2.0], 1.0, []),
    "zeros are not tied": ([1.0, 0.0, 0.0], None, []),
    "negative ones": ([3.0, -2.0, -2.0], None, [(2, 3)]),
    "opposite signs are not tied": ([2.0, -2.0], None, []),
    "one": ([5.0], None, []),
    "nothing": ([], None, []),
    "relative, not absolute": ([1.0, 1e-12, 1e-12], None, [(2, 3)]),
    "far apart though tiny": ([1.0, 2e-12, 1e-12], None, []),
}


@pytest.mark.parametrize("case", TIES)
def test_tied_groups(case):
    values, beyond, expected = TIES[case]
    assert groups_of_ties(np.array(values), beyond) == expected


SIGNS = {
    "largest positive": ([3.0, -1.0, 2.0], 1),
    "largest negative": ([1.0, -3.0, 2.0], -1),
    "a tie, skewed up": ([-3.0, 3.0, 2.0, 0.0], 1),
    "a tie, skewed down": ([3.0, -3.0, -2.0, 0.0], -1),
    "a tie to rounding": ([3.0, -3.0 * (1 + 1e-12), 2.0, -1.0], 1),
    "an odd cloud: the first decides": ([2.0, -2.0, 1.0, -1.0], 1),
    "an odd cloud, mirrored": ([-2.0, 2.0, 1.0, -1.0], -1),
    "zeros": ([0.0, 0.0], 1),
    "one entry": ([-4.0], -1),
}


@pytest.mark.parametrize("case", SIGNS)
def test_column_signs(case):
    column, expected = SIGNS[case]
    V = np.array(column)[:, None]
    assert column_signs(V).item() == expected
    assert column_signs(-V).item() == (-expected if np.any(V) else 1)
    assert column_signs(torch.asarray(V)).item() == expected
    many = torch.asarray(np.append(V, np.zeros((70_000, 1)), axis=0))  # looked at where they are
    assert column_signs(many).item() == expected


@pytest.mark.parametrize("case", ["a tie, skewed up", "a tie, skewed down", "a tie to rounding"])
def test_signs_do_not_depend_on_the_order_of_the_rows(case):
    column, expected = SIGNS[case]
    for seed in range(20):
        V = np.random.default_rng(seed).permutation(column)[:, None]
        assert column_signs(V).item() == expected


def test_signs_do_not_depend_on_the_scale():
    V = np.random.default_rng(0).standard_normal((9, 4))
    for factor in (1e-300, 1e-10, 1e200):
        assert np.array_equal(column_signs(V * factor), column_signs(V))


def example():
    U = np.linalg.qr(np.random.default_rng(2).standard_normal((6, 4)))[0]
    values = np.array([4.0, 2.0, 2.0, 1.0])
    residuals = np.array([1e-9, 2e-9, 3e-9, 4e-9])
    return Spectrum(values, U, 12.0, residuals, "dense: why", 0.5, image=U * values)


@pytest.mark.parametrize("q", [1, 2, 3, 4])
def test_keep_takes_values_vectors_and_residuals_together(q):
    full, kept = example(), example().keep(q)
    assert np.array_equal(kept.values, full.values[:q])
    assert np.array_equal(kept.residuals, full.residuals[:q])
    np.testing.assert_allclose(np.abs(kept.vectors), np.abs(full.vectors[:, :q]))
    np.testing.assert_allclose(kept.image, kept.vectors * kept.values, rtol=1e-14)
    assert np.array_equal(column_signs(kept.vectors), np.ones((1, q)))
    assert (kept.total, kept.solver, kept.negative) == (12.0, "dense: why", 0.5)
    assert kept.beyond == (full.values[q] if q < 4 else None)
    assert kept.tied == {1: [], 2: [(2, 3)], 3: [(2, 3)], 4: [(2, 3)]}[q]


def test_padding_adds_null_axes():
    padded = example().keep(2).pad(5)
    assert np.array_equal(padded.values, [4.0, 2.0, 0.0, 0.0, 0.0])
    assert padded.vectors.shape == padded.image.shape == (6, 5)
    assert not padded.vectors[:, 2:].any() and not padded.residuals[2:].any()
    assert example().pad(4).values.shape == (4,)
    assert example().pad(2).values.shape == (4,)


def test_padding_on_torch():
    full = example()
    made = Spectrum(full.values, torch.asarray(full.vectors), 12.0, full.residuals, "")
    padded = made.keep(2).pad(3)
    assert isinstance(padded.vectors, torch.Tensor) and padded.vectors.shape == (6, 3)


def test_a_tie_is_said_once_for_each_group():
    with pytest.warns(gm.errors.TiedAxesWarning, match="axes 2, 3") as caught:
        example().keep(4).warn_of_ties()
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        example().keep(1).warn_of_ties()


def test_asking_for_more_axes_than_carry_inertia():
    X = np.random.default_rng(0).standard_normal((8, 2))
    with pytest.warns(gm.errors.RankWarning, match="only 2 axes"):
        fitted = gm.KernelPCA(4, kernel=gm.kernels.Linear() ** 1).fit(X)
    assert np.array_equal(fitted.eigenvalues_[2:], [0.0, 0.0])
    assert not fitted.coordinates_[:, 2:].any() and not fitted.transform(X)[:, 2:].any()
    assert fitted.inertia_ == pytest.approx(X.var(axis=0).sum(), rel=1e-12)


@pytest.mark.parametrize("weight", [None, np.linspace(0.2, 5.0, 60)], ids=["equal", "weighted"])
@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_the_fitted_spectrum_is_one(solver, weight):
    """Values, vectors and A·vectors belong together, whatever signs were chosen last."""
    X = np.random.default_rng(1).standard_normal((60, 3))
    kernel = gm.kernels.Gaussian(1.0)
    fitted = gm.KernelPCA(4, kernel=kernel, solver=solver).fit(X, sample_weight=weight)
    s = fitted.record_.embedding.spectrum
    p = None if weight is None else weight / weight.sum()
    A = CenteredGram(DenseGram(kernel.pairwise(X)), p)
    np.testing.assert_allclose(A.matmul(s.vectors), s.vectors * s.values, atol=1e-7)
    if solver == "krylov":
        np.testing.assert_allclose(s.image, A.matmul(s.vectors), atol=1e-12)


def test_signs_on_a_device_are_those_of_the_rule():
    V = np.random.default_rng(2).standard_normal((4000, 30))
    V[5, 0], V[7, 0] = 9.0, -9.0  # the largest entries disagree: Σ v³ decides
    V[:, 1] = np.tile([1.0, -1.0], 2000)  # and here the first
    truth = np.sign(V[np.abs(V).argmax(axis=0), np.arange(30)])
    truth[0] = np.sign((V[:, 0] ** 3).sum())
    assert column_signs(torch.asarray(V)).numpy().ravel().tolist() == truth.tolist()
    assert column_signs(V).ravel().tolist() == truth.tolist()
