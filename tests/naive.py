"""Five-line twins of what the library computes: the definitions, with loops and NumPy's eigh."""

import math

import numpy as np
from mpmath import besselk, gamma, mp, mpf

# kernels: each function returns k(x, y) as a function of two rows


def squared_distance(x, y):
    return sum((float(a) - float(b)) ** 2 for a, b in zip(x, y, strict=True))


def manhattan(x, y):
    return sum(abs(float(a) - float(b)) for a, b in zip(x, y, strict=True))


def inner(x, y):
    return sum(float(a) * float(b) for a, b in zip(x, y, strict=True))


def linear():
    return inner


def gaussian(scale):
    return lambda x, y: math.exp(-squared_distance(x, y) / (2 * scale**2))


def exponential(scale):
    return lambda x, y: math.exp(-math.sqrt(squared_distance(x, y)) / scale)


def laplacian(scale):
    return lambda x, y: math.exp(-manhattan(x, y) / scale)


def chi2(scale):
    def distance(x, y):
        return sum((a - b) ** 2 / (a + b) for a, b in zip(x, y, strict=True) if a + b > 0)

    return lambda x, y: math.exp(-distance(x, y) / scale)


def gower(spans):
    """Mean of 1 − |x − y|/span, at least 0, and of equality where the span is 0."""

    def one(a, b, span):
        return max(0.0, 1 - abs(float(a) - float(b)) / span) if span else float(a == b)

    return lambda x, y: sum(map(one, x, y, spans)) / len(spans)


def rational_quadratic(scale, alpha):
    return lambda x, y: (1 + squared_distance(x, y) / (2 * alpha * scale**2)) ** -alpha


def matern(nu, scale):
    """Bessel's formula in 30 digits, for every order: the closed forms are not used."""

    def k(x, y):
        with mp.workdps(30):
            z = mp.sqrt(2 * mpf(nu)) * mp.sqrt(mpf(squared_distance(x, y))) / mpf(scale)
            return float(2 ** (1 - mpf(nu)) / gamma(nu) * z**nu * besselk(nu, z)) if z else 1.0

    return k


def polynomial(degree, offset, scale):
    return lambda x, y: (scale * inner(x, y) + offset) ** degree


def sigmoid(scale, offset):
    return lambda x, y: math.tanh(scale * inner(x, y) + offset)


def cosine():
    def k(x, y):
        size = math.sqrt(inner(x, x) * inner(y, y))
        return inner(x, y) / size if size else 0.0

    return k


def constant(value):
    return lambda x, y: value


def pairwise(k, X, Y=None):
    """The matrix of k(x, y), one pair at a time."""
    return np.array([[k(x, y) for y in (X if Y is None else Y)] for x in X], dtype=float)


def median_scale(X, weight=None):
    """√(h/2), h the weighted median of the positive |x−y|² over i < j, by repeating pairs."""
    weight = [1] * len(X) if weight is None else weight
    values = []
    for i in range(len(X)):
        for j in range(i):
            d2 = squared_distance(X[i], X[j])
            values += [d2] * (weight[i] * weight[j] if d2 > 0 else 0)
    return math.sqrt(np.median(values) / 2)


# centring and axes


def weights(n, weight=None):
    w = np.ones(n) if weight is None else np.asarray(weight, dtype=float)
    return w / w.sum()


def centred(G, weight=None):
    """k̃(x_i, x_j) = k − Σ_a p_a k(x_a, x_j) − Σ_b p_b k(x_i, x_b) + ΣΣ p_a p_b k(x_a, x_b)."""
    n, p = len(G), weights(len(G), weight)
    mean = [sum(p[a] * G[a, j] for a in range(n)) for j in range(n)]
    grand = sum(p[j] * mean[j] for j in range(n))
    return np.array([[G[i, j] - mean[i] - mean[j] + grand for j in range(n)] for i in range(n)])


def inertia_matrix(G, weight=None):
    """P^½ (I − 1pᵀ) G (I − p1ᵀ) P^½, from the matrices as they stand in the formula."""
    n, p = len(G), weights(len(G), weight)
    J, root = np.eye(n) - np.outer(np.ones(n), p), np.diag(np.sqrt(p))
    return root @ J @ G @ J.T @ root


def eigh(A):
    """Eigenvalues in descending order and their vectors."""
    values, vectors = np.linalg.eigh(A)
    return values[::-1], vectors[:, ::-1]


def kernel_pca(G, q, weight=None):
    """Return the q largest inertias and the coordinates u·√λ/√p of the points."""
    values, U = eigh(inertia_matrix(G, weight))
    p = weights(len(G), weight)
    return values[:q], U[:, :q] * np.sqrt(np.maximum(values[:q], 0.0)) / np.sqrt(p)[:, None]


def project(cross, G, q, weight=None):
    """Coordinates of new points: k̃(x, ·) P F / λ, centred by the training means."""
    p, (values, F) = weights(len(G), weight), kernel_pca(G, q, weight)
    rows = [k - k @ p - G @ p + p @ G @ p for k in cross]
    return np.array([(row * p) @ F / values for row in rows])


def features(X, weight=None, scale=False, column_weight=None):
    """(x − mean)·√column_weight/deviation, one column at a time."""
    p, columns = weights(len(X), weight), []
    for j in range(X.shape[1]):
        x = X[:, j] - p @ X[:, j]
        x = x / math.sqrt(p @ x**2) if scale else x
        columns.append(x * (1.0 if column_weight is None else math.sqrt(column_weight[j])))
    return np.array(columns).T


def pca(X, q, weight=None, scale=False, column_weight=None):
    """Return inertias, coordinates and axes (rows) from the covariance, summed row by row."""
    F, p = features(X, weight, scale, column_weight), weights(len(X), weight)
    C = sum(w * np.outer(f, f) for w, f in zip(p, F, strict=True))
    values, V = eigh(C)
    return values[:q], F @ V[:, :q], V[:, :q].T


def classical_mds(D, q, weight=None):
    return kernel_pca(-0.5 * np.asarray(D, dtype=float) ** 2, q, weight)


# corrections, by bisection on their definition


def smallest_constant(D, changed):
    """The smallest c ≥ 0 for which the distances changed(D, c) are Euclidean."""

    def lowest(c):
        E = changed(D, c)
        np.fill_diagonal(E, 0.0)
        values = np.linalg.eigvalsh(centred(-0.5 * E**2))
        return values[0] + 1e-13 * abs(values[-1])

    low, high = 0.0, 10.0 * (D.max() + D.max() ** 2)
    if lowest(0.0) >= 0:
        return 0.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if lowest(middle) >= 0 else (middle, high)
    return high


def lingoes(D):
    return smallest_constant(D, lambda D, c: np.sqrt(D**2 + 2 * c))


def cailliez(D):
    return smallest_constant(D, lambda D, c: D + c)


# comparison


def aligned(actual, expected):
    """`actual` with each column turned the way that of `expected` points."""
    return np.asarray(actual) * np.where(np.sum(actual * expected, axis=0) < 0, -1.0, 1.0)
