"""Multinomial logistic regression on given features, by Newton's method.

With features F (n, r), class codes y and weights w, minimise over intercepts b and coefficients B

    Σ_i w_i·(log Σ_k exp η_ik − η_iy) + penalty/2·‖B‖²,   η = 1bᵀ + F·B.

Two classes share one function, η = (0, f); c > 2 classes have c functions that add up to zero, so
that nothing is left undetermined. The intercepts are not penalised.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, helmert
from scipy.optimize import linprog
from scipy.sparse.linalg import LinearOperator, cg

from gramian._core.array import power_of_two
from gramian._core.check import warn
from gramian.errors import ConvergenceWarning, SeparationWarning

DIRECT = 500  # unknowns up to which the Hessian is stored and factored
# A linear predictor beyond ±15 may be on its way to infinity: separation is then looked for
# (docs/decisions.md, "Separated classes get a penalty, and a warning").
FAR = 15.0
SLACK = 1e-14  # of the loss: Newton's decrement at which the last step is taken
MAX_HALVINGS = 40
LARGEST = 2**24  # entries of the programme's matrix
_MARGIN = 1e-5  # features have size 1; the programme's own tolerance is 1e-7


@dataclass(frozen=True)
class Logistic:
    """A fitted model: η = intercept + F·coef, and how the iteration ended."""

    intercept: np.ndarray  # (c,), the first is 0 for two classes
    coef: np.ndarray  # (r, c)
    probabilities: np.ndarray  # of the rows that were fitted, (n, c)
    loss: float  # the penalised sum
    n_iter: int
    converged: bool
    separated: bool  # the functions found tell all classes apart on the rows that were fitted


@dataclass(frozen=True)
class Likelihood:
    """Features, classes and weights, in a unit in which the features are about 1."""

    X: np.ndarray  # (n, r + 1), the first column is 1
    Y: np.ndarray  # (n, c), indicators of the classes
    w: np.ndarray  # (n,)
    Q: np.ndarray  # (c, c'), what functions are combinations of
    penalty: float

    def predictors(self, G: np.ndarray) -> np.ndarray:
        """Return the linear predictors of the classes, (n, c)."""
        return self.X @ G @ self.Q.T

    def probabilities(self, G: np.ndarray) -> np.ndarray:
        """Return the probabilities of the classes, (n, c)."""
        eta = self.predictors(G)
        P = np.exp(eta - eta.max(axis=1, keepdims=True))
        return P / P.sum(axis=1, keepdims=True)

    def loss(self, G: np.ndarray) -> float:
        """Return the penalised loss."""
        eta = self.predictors(G)
        top = eta.max(axis=1)
        each = np.log(np.exp(eta - top[:, None]).sum(axis=1)) + top - (eta * self.Y).sum(axis=1)
        return float(self.w @ each) + 0.5 * self.penalty * float((G[1:] ** 2).sum())

    def gradient(self, G: np.ndarray, P: np.ndarray) -> np.ndarray:
        """Return the gradient of the loss, (r + 1, c')."""
        g = self.X.T @ ((self.w[:, None] * (P - self.Y)) @ self.Q)
        g[1:] += self.penalty * G[1:]
        return g

    def curvature(self, P: np.ndarray) -> np.ndarray:
        """Return the Hessian of each row's loss in its linear predictors, (n, c', c')."""
        PQ = P @ self.Q
        c = self.Q.shape[1]
        pairs = (self.Q[:, :, None] * self.Q[:, None, :]).reshape(-1, c * c)
        squares = (P @ pairs).reshape(-1, c, c)
        return self.w[:, None, None] * (squares - PQ[:, :, None] * PQ[:, None, :])

    def hessian(self, M: np.ndarray) -> np.ndarray:
        """Return the whole Hessian, functions outside and features inside."""
        r, c = self.X.shape[1], M.shape[1]
        H = np.empty((c, r, c, r))
        for a in range(c):
            for b in range(a + 1):
                H[a, :, b, :] = self.X.T @ (M[:, a, b, None] * self.X)
                H[b, :, a, :] = H[a, :, b, :].T
        for a in range(c):
            H[a, range(1, r), a, range(1, r)] += self.penalty
        return H.reshape(c * r, c * r)

    def product(self, M: np.ndarray, V: np.ndarray) -> np.ndarray:
        """Return the Hessian times V, (r + 1, c')."""
        out = self.X.T @ np.einsum("iab,ib->ia", M, self.X @ V)
        out[1:] += self.penalty * V[1:]
        return out


def contrasts(c: int) -> np.ndarray:
    """Return Q (c, c'), of whose columns functions are combinations: (0, f), or of sum zero."""
    return np.array([[0.0], [1.0]]) if c == 2 else helmert(c).T


def linear_predictor(F: np.ndarray, intercept: np.ndarray, coef: np.ndarray) -> np.ndarray:
    """Return η = intercept + F·coef, (m, c)."""
    return intercept[None, :] + F @ coef


def fit_logistic(
    F: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    w: np.ndarray | None = None,
    *,
    penalty: float = 1.0,
    max_iter: int = 100,
    start: tuple[np.ndarray, np.ndarray] | None = None,
) -> Logistic:
    """Fit by Newton's method with halved steps; the Hessian is factored, or met by products only.

    Without a penalty the iteration stops as soon as the classes are separated: the loss then has
    no minimum, and the functions found are the proof. `start` is an intercept and coefficients.

    >>> F = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> fit_logistic(F, np.array([0, 1, 0, 1]), 2, penalty=0.0).coef[0, 1].round(6)
    np.float64(0.908184)
    """
    n = len(F)
    unit = power_of_two(float(np.abs(F).max())) if F.size else 1.0
    X = np.concatenate([np.ones((n, 1)), F / unit], axis=1)
    scaled = float(np.clip(penalty / unit / unit, 0.0, 1e290))
    likelihood = Likelihood(
        X, np.eye(n_classes)[codes], np.ones(n) if w is None else w, contrasts(n_classes), scaled
    )
    G = _start(likelihood, start, unit)
    G, loss, steps, converged, separated = _newton(likelihood, G, codes, max_iter)
    B = G @ likelihood.Q.T
    return Logistic(
        B[0], B[1:] / unit, likelihood.probabilities(G), loss, steps, converged, separated
    )


def _start(
    likelihood: Likelihood, start: tuple[np.ndarray, np.ndarray] | None, unit: float
) -> np.ndarray:
    Q = likelihood.Q
    back = Q / (Q * Q).sum(axis=0)
    if start is not None:
        return np.vstack([start[0][None, :], start[1] * unit]) @ back
    share = (likelihood.w @ likelihood.Y) / likelihood.w.sum()
    G = np.zeros((likelihood.X.shape[1], Q.shape[1]))
    logs = np.log(np.maximum(share, 1e-300))
    G[0] = (logs - logs[0] if len(logs) == 2 else logs - logs.mean()) @ back
    return G


def _newton(
    likelihood: Likelihood, G: np.ndarray, codes: np.ndarray, max_iter: int
) -> tuple[np.ndarray, float, int, bool, bool]:
    loss, first = likelihood.loss(G), 0.0
    for step in range(1, max_iter + 1):
        P = likelihood.probabilities(G)
        g = likelihood.gradient(G, P)
        size = float(np.linalg.norm(g))
        first = first or size
        if size == 0.0:
            return G, loss, step, True, False
        D = _direction(likelihood, P, g, min(0.1, size / first))
        decrement = -float((g * D).sum())
        t, G_new, new = 1.0, G + D, likelihood.loss(G + D)
        for _ in range(MAX_HALVINGS):
            if new <= loss - 1e-4 * t * decrement or decrement <= SLACK * loss:
                break
            t *= 0.5
            G_new = G + t * D
            new = likelihood.loss(G_new)
        else:
            return G, loss, step, decrement <= 1e-9 * loss, False
        if new >= loss and decrement > SLACK * loss:  # a step so small that nothing changes
            return G, loss, step, decrement <= 1e-9 * loss, False
        G, loss = G_new, new
        if likelihood.penalty == 0 and _tells_apart(likelihood, G, codes):
            return G, loss, step, False, True
        if decrement <= SLACK * loss:
            return G, loss, step, True, False
    return G, loss, max_iter, False, False


def _tells_apart(likelihood: Likelihood, G: np.ndarray, codes: np.ndarray) -> bool:
    """Whether every row with a weight has the largest predictor at its own class."""
    eta = likelihood.predictors(G)
    rows = np.arange(len(codes))
    own = eta[rows, codes].copy()
    eta[rows, codes] = -np.inf
    return bool(((own > eta.max(axis=1)) | (likelihood.w == 0)).all())


def _direction(likelihood: Likelihood, P: np.ndarray, g: np.ndarray, rtol: float) -> np.ndarray:
    """Return −H⁻¹ g."""
    M = likelihood.curvature(P)
    if g.size > DIRECT:
        return _by_products(likelihood, M, g, rtol)
    H = likelihood.hessian(M)
    # In units in which the diagonal is near 1: features of many sizes cost no digits. What has no
    # curvature at all, as a class that no row has, keeps its unit: no step goes there.
    size = np.sqrt(np.maximum(H.diagonal(), 1e-16 * H.diagonal().max()))
    H /= np.outer(size, size)
    flat = g.T.ravel() / size
    try:
        d = cho_solve(cho_factor(H), flat)
        if not np.isfinite(d).all():
            raise LinAlgError
    except LinAlgError:  # columns that depend on each other: the shortest step
        d = np.linalg.lstsq(H, flat, rcond=None)[0]
    return -(d / size).reshape(g.T.shape).T


def _by_products(likelihood: Likelihood, M: np.ndarray, g: np.ndarray, rtol: float) -> np.ndarray:
    """Return −H⁻¹ g by conjugate gradients, scaled by a bound of the Hessian (Böhning 1992)."""
    shape = g.shape
    squares = 0.5 * (likelihood.w @ likelihood.X**2)
    squares[1:] += likelihood.penalty
    bound = np.maximum(squares, 1e-300)[:, None]

    def operator(action: Callable[[np.ndarray], np.ndarray]) -> LinearOperator:
        return LinearOperator(
            (g.size, g.size), lambda v: action(v.reshape(shape)).ravel(), dtype=float
        )

    d, _ = cg(
        operator(lambda V: likelihood.product(M, V)),
        g.ravel(),
        rtol=rtol,
        maxiter=10 * g.size,
        M=operator(lambda V: V / bound),
    )
    return -d.reshape(shape)


def is_separated(F: np.ndarray, codes: np.ndarray, n_classes: int) -> bool | None:
    """Whether classes are separated, wholly or in part; None where the programme is too large.

    >>> F = np.array([[0.0], [1.0], [1.0], [2.0]])
    >>> is_separated(F, np.array([0, 0, 1, 1]), 2)
    True
    >>> is_separated(F, np.array([0, 1, 1, 0]), 2)
    False
    """
    n, Q = len(F), contrasts(n_classes)
    unknowns = (F.shape[1] + 1) * Q.shape[1]
    if n * (n_classes - 1) * unknowns > LARGEST:
        return None
    size = np.abs(F).max(axis=0, initial=0.0)
    X = np.concatenate([np.ones((n, 1)), F / np.where(size > 0, size, 1.0)], axis=1)
    margins = [
        (X[:, :, None] * (Q[codes] - Q[k])[:, None, :])[codes != k].reshape(-1, unknowns)
        for k in range(n_classes)
    ]
    A = np.concatenate(margins)
    programme = linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(len(A)), bounds=(-1.0, 1.0))
    return bool(programme.status == 0 and (A @ programme.x).max() > _MARGIN)


def fit_or_penalise(
    F: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    w: np.ndarray | None,
    penalty: float,
    max_iter: int = 100,
) -> tuple[Logistic, float]:
    """Return the model and its penalty, which is not 0 where maximum likelihood does not exist.

    The penalty is then the total variance of the features: the functions are held to a standard
    deviation of about 1, whatever the unit of the features. A warning says so.
    """
    unit = power_of_two(float(np.abs(F).max())) if F.size else 1.0
    used, F = penalty, F / unit  # so that no square leaves the range of numbers
    if penalty > 0:
        penalty = max(penalty / unit / unit, np.finfo(float).tiny)
    model = fit_logistic(F, codes, n_classes, w, penalty=penalty, max_iter=max_iter)
    if penalty == 0 and (model.separated or _endless(model, F, codes, n_classes)):
        p = np.full(len(F), 1.0 / len(F)) if w is None else w / w.sum()
        penalty = float((p @ (F - p @ F) ** 2).sum()) or 1.0
        used = penalty * unit * unit
        warn(
            "the features separate the classes, wholly or in part: the maximum likelihood estimate "
            "does not exist (its coefficients are infinite). The penalty in `penalty_` is used "
            "instead of 0: give one, or use fewer features",
            SeparationWarning,
        )
        model = fit_logistic(F, codes, n_classes, w, penalty=penalty, max_iter=max_iter)
    if not model.converged:
        warn(
            f"Newton's method did not converge in {model.n_iter} steps: raise max_iter= or the "
            "penalty",
            ConvergenceWarning,
        )
    return replace(model, coef=model.coef / unit), used


def _endless(model: Logistic, F: np.ndarray, codes: np.ndarray, n_classes: int) -> bool:
    """Whether the iteration was on its way to infinity."""
    eta = model.intercept + F @ model.coef
    far = float(np.ptp(eta, axis=1).max()) > FAR
    return (far or not model.converged) and is_separated(F, codes, n_classes) is True
