"""Points far from the origin, far from each other, or both: digits that must not be lost."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from tests.reliability.refusals import refuses

import gramian as gm
from gramian import kernels as k
from gramian.kernels.pullback import Rooted

X = np.random.default_rng(5).integers(-9, 10, (12, 3)).astype(float)


def squares(X):
    """The exact squared distances of (⟨x, y⟩ + 1)², by fractions."""
    rows = [[Fraction(v) for v in row] for row in X]
    K = [[(sum(a * b for a, b in zip(x, y, strict=True)) + 1) ** 2 for y in rows] for x in rows]
    n = range(len(rows))
    return np.array([[float(K[i][i] + K[j][j] - 2 * K[i][j]) for j in n] for i in n])


def inertias(D2):
    n = len(D2)
    J = np.eye(n) - 1.0 / n
    return np.linalg.eigvalsh(-0.5 * J @ D2 @ J / n)[::-1]


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6, 1e8])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_an_offset_costs_a_parabola_no_digits(offset, kind):
    fit = gm.KernelPCA(3, kernel=k.Polynomial(2)).fit(kind(X + offset))
    want = inertias(squares(X + offset))[:3]
    assert np.allclose(fit.eigenvalues_, want, rtol=0, atol=1e-9 * want[0])
    assert isinstance(fit.model_.operator.kernel, Rooted) == (offset > 0)


def test_new_rows_lie_where_the_rows_lie():
    fit = gm.KernelPCA(3, kernel=k.Polynomial(2)).fit(X + 1e6)
    size = np.abs(fit.coordinates_).max()
    assert np.allclose(fit.transform(X + 1e6), fit.coordinates_, rtol=0, atol=1e-8 * size)


def test_what_no_formula_tells_apart_is_refused():
    refuses(lambda: gm.KernelPCA(2, kernel=k.Polynomial(2)).fit(X + 1e13), "offset")
    both = np.vstack([X + 1e8, X - 1e8])
    refuses(lambda: gm.KernelPCA(2, kernel=k.Polynomial(2)).fit(both), "offset")


@pytest.mark.parametrize("kernel", [k.Gaussian(2.0), k.Matern(1.5, 2.0), k.RationalQuadratic(2.0)])
def test_one_far_cell_leaves_the_other_rows_alone(kernel):
    far = X.copy()
    far[0, 0] = 1e300
    K = kernel(far)
    assert np.allclose(K[1:, 1:], kernel(X[1:]), rtol=1e-12)
    assert (K[0, 1:] == 0).all() and K[0, 0] == 1
    refuses(lambda: gm.KernelPCA(2).fit(far), "scale=")


def test_a_logistic_function_of_many_scales():
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.standard_normal((m, 4)))[0] for m in (14, 4))
    X = U * [1e3, 10.0, 0.1, 1e-4] @ V.T
    y = np.resize([0, 1, 1, 0, 1, 0, 0], 14)
    P = gm.KernelLogisticRegression(kernel="linear").fit(X, y).predict_proba(X)
    other = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    assert np.allclose(P, other.fit(X, y).predict_proba(X), rtol=0, atol=1e-6)


def test_a_small_penalty_is_what_was_asked_for():
    y = np.resize([0, 1, 1, 0, 1, 0, 0], 12)
    fit = gm.PrincipalComponentClassifier(2, kernel="linear", penalty=1.0).fit(X * 1e200, y)
    assert fit.penalty_ == 1.0
