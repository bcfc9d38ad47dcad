"""Criteria against their definitions, on small matrices."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

import gramian as gm
from gramian.selection import (
    USEFUL,
    _alignment,
    _diagnose,
    _entropy,
    _Fold,
    _grams,
    _inertia_above_noise,
    _inertia_held_out,
    _score,
    _SharedPairs,
    _spectrum,
    _Target,
)

RNG = np.random.default_rng(2)
X = RNG.standard_normal((30, 3))
Y = np.arange(30) % 3
FOLDS = np.arange(30) % 2
K = gm.kernels.Gaussian(scale=1.5)(X)

KERNELS = [
    gm.kernels.Gaussian(scale=0.3),
    gm.kernels.Gaussian(scale=30.0),
    gm.kernels.Matern(nu=0.5, scale=1.0),
    gm.kernels.Laplacian(scale=2.0),
    gm.kernels.Linear(),
    gm.kernels.Polynomial(degree=2),
    gm.kernels.Gaussian(scale=1.0) + 0.5 * gm.kernels.Exponential(scale=2.0),
    gm.kernels.Gaussian(scale=1.0).on(np.tanh),
]


def test_shared_distances_give_every_kernel_its_own_matrix():
    for made, kernel in zip(_grams(KERNELS, X), KERNELS, strict=True):
        np.testing.assert_allclose(made, kernel(X), rtol=1e-12, atol=1e-15)


def test_distances_are_computed_once(monkeypatch):
    calls = []
    original = _SharedPairs.__mro__[1]._expand
    monkeypatch.setattr(
        _SharedPairs.__mro__[1], "_expand", lambda self, r: calls.append(r) or original(self, r)
    )
    _grams([gm.kernels.Gaussian(scale=s) for s in (0.1, 1.0, 10.0)], X)
    assert len(calls) == 1


def test_spectrum_is_that_of_kernel_pca():
    kernel = gm.kernels.Gaussian(scale=1.5)
    np.testing.assert_allclose(_spectrum(K)[:5], gm.KernelPCA(5, kernel=kernel).fit(X).eigenvalues_)


def test_coordinates_of_held_out_rows_are_those_of_kernel_pca():
    train, test = np.arange(0, 30, 2), np.arange(1, 30, 2)
    fold = _Fold.of(K, train, test, 3)
    fitted = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(scale=1.5)).fit(X[train])
    expected = np.abs(fitted.transform(X[test]))
    np.testing.assert_allclose(np.abs(fold.Z_new), expected, atol=1e-10)
    far = fitted.individuals(X[test])[("distance2", "")]
    np.testing.assert_allclose(fold.distance2, far, atol=1e-12)


def test_explained_is_what_reconstruction_leaves():
    kernel = gm.kernels.Gaussian(scale=1.5)
    left, total = np.zeros(11), 0.0
    for k in (0, 1):
        fitted = gm.KernelPCA(10, kernel=kernel).fit(X[k != FOLDS])
        error = fitted.reconstruction_error(X[k == FOLDS]).total.to_numpy()
        left += error
        total += error[0]
    shares = 1 - left[1:] / total
    assert _inertia_held_out(K, FOLDS) == pytest.approx(shares.mean(), rel=1e-9)


def test_axes_above_noise_by_hand():
    null = np.array([[3.0, 1.0, 0.5], [2.0, 1.5, 0.4]])
    assert _inertia_above_noise(np.array([5.0, 2.0, 0.45]), null) == pytest.approx(
        (2.0 + 0.5) / 7.45
    )
    assert _inertia_above_noise(np.array([2.5, 2.0, 1.0]), null) == 0.0


def test_alignment_by_hand():
    H = np.eye(30) - 1 / 30
    L = H @ (Y[:, None] == Y[None, :]) @ H
    A = H @ K @ H
    expected = np.sum(A * L) / np.linalg.norm(A) / np.linalg.norm(L)
    assert _alignment(K, _Target(Y, 3)) == pytest.approx(expected)
    y = X[:, 0] ** 3
    centred = y - y.mean()
    expected = centred @ A @ centred / np.linalg.norm(A) / (centred @ centred)
    assert _alignment(K, _Target(y)) == pytest.approx(expected)
    assert _alignment(_Target(Y, 3).gram(), _Target(Y, 3)) == pytest.approx(1.0)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_held_out_score_by_other_software(monkeypatch, kind):
    """Ridge and logistic regression of scikit-learn on the same held-out coordinates."""
    monkeypatch.setattr("gramian.selection.PENALTIES", np.array([0.1]))
    y = Y if kind == "classes" else X[:, 0] * X[:, 1]
    H = np.eye(30) - 1 / 30
    unit = K / (np.trace(H @ K @ H) / 30)
    loss = base = 0.0
    for k in (0, 1):
        train, test = np.flatnonzero(k != FOLDS), np.flatnonzero(k == FOLDS)
        fold = _Fold.of(unit, train, test, 100)
        if kind == "classes":
            model = LogisticRegression(C=10.0, tol=1e-10, max_iter=5_000).fit(fold.Z, y[train])
            logs = model.predict_log_proba(fold.Z_new)
            loss -= logs[np.arange(len(test)), y[test]].sum()
            base += len(test) * np.log(3)
        else:
            model = Ridge(alpha=0.1).fit(fold.Z, y[train])
            loss += ((model.predict(fold.Z_new) - y[test]) ** 2).sum()
            base += ((y[test] - y[train].mean()) ** 2).sum()
    found, penalty = _score(K, _Target(y, 3 if kind == "classes" else 0), FOLDS)
    assert penalty == 0.1
    assert found == pytest.approx(1 - loss / base, abs=1e-4)


def test_entropy_counts_axes():
    assert np.exp(_entropy(np.ones(7))) == pytest.approx(7.0)
    assert _entropy(np.array([1.0, 0.0])) == 0.0


def seen(kernel):
    K = kernel(X)
    return _diagnose(kernel, K, _spectrum(K))


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (gm.kernels.Gaussian(scale=0.01), "scale too small"),
        (gm.kernels.Gaussian(scale=100.0), "scale too large"),
        (gm.kernels.Gaussian(scale=1e9), "scale too large"),
        (gm.kernels.Constant(2.0), "constant"),
        (gm.kernels.Sigmoid(scale=1.0, offset=-1.0), "indefinite"),
        (gm.kernels.Gaussian(scale=1.5), USEFUL),
        (gm.kernels.Linear(), USEFUL),
    ],
)
def test_useless_kernels_are_told_in_words(kernel, words):
    assert words in seen(kernel)["verdict"]


def test_diagnosis_of_extremes():
    assert seen(gm.kernels.Gaussian(scale=0.01))["effective_rank"] == pytest.approx(29, rel=1e-3)
    assert seen(gm.kernels.Gaussian(scale=100.0))["common"] > 0.99
    assert seen(gm.kernels.Gaussian(scale=100.0))["effective_rank"] <= 3.01  # a linear kernel's
