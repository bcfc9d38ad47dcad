"""Classes that features tell apart: no maximum likelihood estimate, and a finite answer."""

import numpy as np
import pytest

import gramian as gm
from gramian._estimators.logistic import fit_logistic, fit_or_penalise, is_separated

LINE = np.array([[0.0], [1.0], [2.0], [3.0]])


@pytest.mark.parametrize(
    ("F", "codes", "c", "expected"),
    [
        (LINE, [0, 0, 1, 1], 2, True),
        (LINE, [0, 1, 0, 1], 2, False),
        ([[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1], 2, True),  # in part: two rows in one place
        ([[0.0], [1.0], [1.0], [2.0]], [0, 1, 1, 0], 2, False),
        (LINE, [0, 1, 1, 2], 3, True),
        ([[0.0], [1.0], [0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1, 2, 2], 3, False),
        ([[0.0], [0.0], [0.0], [0.0], [9.0]], [0, 1, 0, 1, 2], 3, True),  # only the third class
    ],
)
def test_is_separated(F, codes, c, expected):
    assert is_separated(np.asarray(F), np.asarray(codes), c) is expected


@pytest.mark.parametrize("seed", range(5))
def test_newton_and_the_programme_agree(seed):
    rng = np.random.default_rng(seed)
    for n in (8, 12, 20):
        F, codes = rng.standard_normal((n, 3)), np.arange(n) % 2
        found = fit_logistic(F, codes, 2, penalty=0.0)
        assert found.separated is is_separated(F, codes, 2)
        assert found.converged is not found.separated


@pytest.mark.parametrize("codes", [[0, 0, 1, 1], [0, 0, 1, 2]])
@pytest.mark.parametrize("F", [LINE, [[0.0], [1.0], [1.0], [2.0]]])
def test_the_answer_is_finite_and_says_so(F, codes):
    F, codes = np.asarray(F), np.asarray(codes)
    with pytest.warns(gm.errors.SeparationWarning, match="penalty_"):
        model, penalty = fit_or_penalise(F, codes, codes.max() + 1, None, 0.0)
    assert model.converged and np.isfinite(model.coef).all()
    assert penalty == pytest.approx(F.var())


@pytest.mark.parametrize("unit", [1e-200, 1e6, 1e200])
def test_the_answer_does_not_depend_on_the_unit(unit):
    codes = np.array([0, 0, 1, 1])
    with pytest.warns(gm.errors.SeparationWarning):
        a, _ = fit_or_penalise(LINE, codes, 2, None, 0.0)
        b, _ = fit_or_penalise(unit * LINE, codes, 2, None, 0.0)
    np.testing.assert_allclose(a.coef, b.coef * unit, rtol=1e-9)
    np.testing.assert_allclose(a.probabilities, b.probabilities, atol=1e-12)


@pytest.mark.parametrize(
    "model",
    [gm.KernelLogisticRegression(0.0), gm.PrincipalComponentClassifier(None)],
)
def test_estimators_without_a_penalty(model):
    X = np.random.default_rng(0).standard_normal((30, 2))
    with pytest.warns(gm.errors.SeparationWarning):
        fitted = model.fit(X, np.arange(30) % 3)
    assert fitted.penalty_ > 0
    assert np.isfinite(fitted.predict_proba(X)).all()


def test_a_programme_too_large_is_left_alone(monkeypatch):
    monkeypatch.setattr("gramian._estimators.logistic.LARGEST", 1)
    assert is_separated(LINE, np.array([0, 0, 1, 1]), 2) is None
