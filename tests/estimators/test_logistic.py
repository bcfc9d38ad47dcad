"""Kernel logistic regression against direct optimisers, other software and its own identities."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

import gramian as gm
import gramian._estimators.logistic as core

RNG = np.random.default_rng(7)
X = RNG.standard_normal((40, 3))
Y = {
    2: (X[:, 0] * X[:, 1] + 0.4 * RNG.standard_normal(40) > 0).astype(int),
    3: np.digitize(X[:, 0] + 0.6 * RNG.standard_normal(40), [-0.5, 0.5]),
}
NEW = RNG.standard_normal((11, 3))
KERNEL = gm.kernels.Gaussian(scale=1.3)


def naive_loss(f, codes, w):
    """Σ w_i (log Σ_k exp f_ik − f_iy), row by row."""
    return sum(
        wi * (np.log(sum(np.exp(v - fi.max()) for v in fi)) + fi.max() - fi[k])
        for fi, k, wi in zip(f, codes, w, strict=True)
    )


def direct(span, codes, c, penalty):
    """Minimise over all functions Σ a_j k(z_j, ·), z_j in the span, by a quasi-Newton method."""
    K, S = KERNEL(X, span), KERNEL(span)
    m = len(span)
    k = 1 if c == 2 else c

    def functions(theta):
        a, b = theta[: m * k].reshape(m, k), theta[m * k :]
        return a, b, np.hstack([np.zeros((len(X), 1)), K @ a + b]) if c == 2 else K @ a + b

    def objective(theta):
        a, _, f = functions(theta)
        P = np.exp(f - f.max(axis=1, keepdims=True))
        P /= P.sum(axis=1, keepdims=True)
        R = (P - np.eye(c)[codes])[:, c - k :]
        value = naive_loss(f, codes, np.ones(len(f))) + 0.5 * penalty * np.sum(a * (S @ a))
        return value, np.append((K.T @ R + penalty * S @ a).ravel(), R.sum(axis=0))

    found = minimize(
        objective, np.zeros(m * k + k), jac=True, method="BFGS", options={"gtol": 1e-9}
    )
    a, b, _ = functions(found.x)
    return found.fun, KERNEL(NEW, span) @ a + b


@pytest.mark.slow
@pytest.mark.parametrize("c", [2, 3])
@pytest.mark.parametrize("penalty", [0.3, 3.0])
def test_representer_theorem_against_a_direct_optimiser(c, penalty):
    """More functions to choose from (kernels at other points) find nothing better."""
    codes = Y[c]
    fitted = gm.KernelLogisticRegression(penalty, kernel=KERNEL).fit(X, codes)
    value, new = direct(np.vstack([X, NEW, 2 * NEW]), codes, c, penalty)
    alpha = fitted.dual_coef_
    eta = KERNEL(X) @ alpha + fitted.intercept_
    full = np.hstack([np.zeros((len(X), 1)), eta]) if c == 2 else eta
    norm2 = np.sum(alpha * (KERNEL(X) @ alpha))
    ours = naive_loss(full, codes, np.ones(len(X))) + 0.5 * penalty * norm2
    assert ours <= value * (1 + 1e-9)
    decision = fitted.decision_function(NEW)
    if c == 2:
        np.testing.assert_allclose(decision, new[:, 0], atol=1e-5)
    else:
        centred = new - new.mean(axis=1, keepdims=True)
        np.testing.assert_allclose(
            decision - decision.mean(axis=1, keepdims=True), centred, atol=1e-5
        )


@pytest.mark.parametrize("c", [2, 3])
def test_stationarity(c):
    """Penalty·f = Σ w_i (Y − P)_i k(x_i, ·), and the residuals of each class add up to 0."""
    w = np.linspace(0.5, 2.0, 40)
    fitted = gm.KernelLogisticRegression(0.2, kernel=KERNEL).fit(X, Y[c], sample_weight=w)
    R = (w[:, None] * (np.eye(c)[Y[c]] - fitted.predict_proba(X)))[:, 1 if c == 2 else 0 :]
    f = KERNEL(NEW, X) @ R / 0.2 + fitted.intercept_
    expected = f[:, 0] if c == 2 else f
    np.testing.assert_allclose(fitted.decision_function(NEW), expected, atol=1e-8)
    np.testing.assert_allclose(R.sum(axis=0), 0.0, atol=1e-9)


@pytest.mark.parametrize("c", [2, 3])
def test_scikit_learn_on_explicit_features(c):
    """k = (1 + ⟨x, y⟩)² has ten features in three columns."""
    root = np.sqrt(2.0)

    def features(A):
        a, b, d = A.T
        products = [root * a * b, root * a * d, root * b * d]
        return np.column_stack([a * a, b * b, d * d, *products, root * A])

    kernel = gm.kernels.Polynomial(degree=2, offset=1.0, scale=1.0)
    np.testing.assert_allclose(kernel(X), features(X) @ features(X).T + 1.0)
    ours = gm.KernelLogisticRegression(0.5, kernel=kernel).fit(X, Y[c])
    theirs = LogisticRegression(C=2.0, tol=1e-12, max_iter=10_000).fit(features(X), Y[c])
    P = theirs.predict_proba(features(NEW))
    np.testing.assert_allclose(ours.predict_proba(NEW), P, atol=2e-6)


@pytest.mark.parametrize("c", [2, 3])
def test_all_components_give_the_same_functions(c):
    """The best function lies in the span of the centred points, so centring changes nothing."""
    a = gm.KernelLogisticRegression(0.3, kernel=KERNEL).fit(X, Y[c])
    b = gm.PrincipalComponentClassifier(None, kernel=KERNEL, penalty=0.3).fit(X, Y[c])
    np.testing.assert_allclose(a.decision_function(NEW), b.decision_function(NEW), atol=1e-7)


def test_every_point_a_landmark_is_exact():
    exact = gm.KernelLogisticRegression(0.3, kernel=KERNEL).fit(X, Y[3])
    low = gm.KernelLogisticRegression(0.3, kernel=KERNEL, approximation=gm.Nystrom(40))
    low.fit(X, Y[3])
    np.testing.assert_allclose(low.predict_proba(NEW), exact.predict_proba(NEW), atol=1e-8)
    assert low.approximation_error_ < 1e-8
    assert not hasattr(low, "dual_coef_")


def test_precomputed_kernel_with_weights():
    w = np.r_[np.zeros(5), np.ones(30), np.full(5, 2.0)]
    a = gm.KernelLogisticRegression(kernel=KERNEL).fit(X, Y[2], sample_weight=w)
    b = gm.KernelLogisticRegression(kernel="precomputed").fit(KERNEL(X), Y[2], sample_weight=w)
    assert not b.dual_coef_[:5].any()
    np.testing.assert_allclose(
        a.decision_function(NEW), b.decision_function(KERNEL(NEW, X)), atol=1e-10
    )


@pytest.mark.parametrize("c", [2, 3])
def test_weights_are_repetitions(c):
    w = RNG.integers(0, 4, len(X))
    a = gm.KernelLogisticRegression(0.3).fit(X, Y[c], sample_weight=w)
    b = gm.KernelLogisticRegression(0.3).fit(np.repeat(X, w, axis=0), np.repeat(Y[c], w))
    np.testing.assert_allclose(a.predict_proba(NEW), b.predict_proba(NEW), atol=1e-8)


@pytest.mark.parametrize("c", [2, 3])
@pytest.mark.parametrize("penalty", [0.0, 1e-3, 10.0])
def test_products_and_factored_hessians_agree(monkeypatch, c, penalty):
    F = RNG.standard_normal((200, 4))
    codes = (RNG.integers(0, c, 200) + (F[:, 0] > 0)) % c
    a = core.fit_logistic(F, codes, c, penalty=penalty)
    monkeypatch.setattr(core, "DIRECT", 0)
    b = core.fit_logistic(F, codes, c, penalty=penalty)
    assert a.converged and b.converged
    np.testing.assert_allclose(b.coef, a.coef, atol=1e-9)


@pytest.mark.parametrize("unit", [1e-150, 1e-3, 1e200])
def test_any_unit_of_the_features(unit):
    F = RNG.standard_normal((100, 3))
    codes = (F[:, 0] + RNG.standard_normal(100) > 0).astype(int)
    a = core.fit_logistic(F, codes, 2, penalty=0.0)
    b = core.fit_logistic(F * unit, codes, 2, penalty=0.0)
    np.testing.assert_allclose(b.coef * unit, a.coef, rtol=1e-10)


def test_dependent_features_have_an_answer():
    F = RNG.standard_normal((60, 2))
    codes = (F[:, 0] + RNG.standard_normal(60) > 0).astype(int)
    a = core.fit_logistic(F, codes, 2, penalty=0.0)
    b = core.fit_logistic(np.hstack([F, F]), codes, 2, penalty=0.0)
    np.testing.assert_allclose(a.probabilities, b.probabilities, atol=1e-8)


def test_strings_and_their_kernel():
    words = ["abab", "baba", "abba", "ccdd", "ddcc", "cdcd"]
    kernel = gm.kernels.sequence.Spectrum(k=2)
    fitted = gm.KernelLogisticRegression(0.1, kernel=kernel).fit(words, list("uuuvvv"))
    assert fitted.predict(["ababab", "cdcdcd"]).tolist() == ["u", "v"]


def test_torch_and_frames_give_the_same_numbers():
    import pandas as pd
    import torch

    plain = gm.KernelLogisticRegression(kernel=KERNEL).fit(X, Y[3])
    frame = gm.KernelLogisticRegression(kernel=KERNEL).fit(
        pd.DataFrame(X, columns=list("abc")), Y[3]
    )
    tensor = gm.KernelLogisticRegression(kernel=KERNEL).fit(torch.asarray(X), Y[3])
    P = plain.predict_proba(NEW)
    np.testing.assert_allclose(
        frame.predict_proba(pd.DataFrame(NEW, columns=list("abc"))), P, atol=1e-12
    )
    np.testing.assert_allclose(tensor.predict_proba(torch.asarray(NEW)), P, atol=1e-10)


@pytest.mark.parametrize(
    ("model", "match"),
    [
        (gm.KernelLogisticRegression(-1.0), "penalty"),
        (gm.KernelLogisticRegression(np.inf), "penalty"),
        (gm.KernelLogisticRegression(True), "penalty"),
        (gm.KernelLogisticRegression(max_iter=0), "max_iter"),
        (gm.KernelLogisticRegression(approximation=3), "approximation"),
        (gm.KernelLogisticRegression(kernel="no such kernel"), "kernel"),
        (gm.KernelLogisticRegression(memory="1kB"), "Nystrom"),
        (gm.PrincipalComponentClassifier(penalty=-1.0), "penalty"),
        (gm.PrincipalComponentClassifier(0), "n_components"),
        (gm.PrincipalComponentClassifier("cv", n_folds=1), "n_folds"),
    ],
)
def test_refusals(model, match):
    with pytest.raises(ValueError, match=match) as caught:
        model.fit(X, Y[2])
    assert len(str(caught.value)) <= 400


def test_an_indefinite_kernel_has_no_norm():
    K = KERNEL(X) - 2.0 * np.eye(40)
    with pytest.raises(gm.errors.IndefiniteError, match="indefinite"):
        gm.KernelLogisticRegression(kernel="precomputed").fit(K, Y[2])


@pytest.mark.parametrize(
    ("y", "match"),
    [(None, "y"), (np.zeros(40), "class"), (Y[2][:39], "39"), (X[:, 0], "continuous|label type")],
)
def test_targets_that_are_no_classes(y, match):
    with pytest.raises(ValueError, match=match):
        gm.KernelLogisticRegression().fit(X, y)


def test_too_few_steps_are_reported():
    with pytest.warns(gm.errors.ConvergenceWarning, match="max_iter"):
        gm.KernelLogisticRegression(1e-4, max_iter=2).fit(X, Y[2])


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_kernel_values_out_of_range_are_refused(unit):
    with pytest.raises(ValueError, match="rescale"):
        gm.KernelLogisticRegression(kernel="linear").fit(X * unit, Y[2])
