"""Truth for the reliability tests: integers and mpmath on the stored numbers, no rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from mpmath import mp, mpf


def integers(X):
    """Return (M, s) with X = M / 2**s exactly, M an object array of Python integers."""
    fractions = [Fraction(*float(x).as_integer_ratio()) for x in np.asarray(X).ravel()]
    s = max((f.denominator.bit_length() - 1 for f in fractions), default=0)
    scaled = np.empty(len(fractions), dtype=object)
    scaled[:] = [int(f * 2**s) for f in fractions]
    return scaled.reshape(np.shape(X)), s


def covariance(X, weights=None, scale=False, digits=60):
    """Covariance (divisor: the sum of weights) or correlation matrix of X, to `digits` digits."""
    M, s = integers(X)
    w = integers(np.ones(len(M)) if weights is None else weights)[0]
    total = int(w.sum())
    C = M * total - (w[:, None] * M).sum(axis=0)
    S = (C * w[:, None]).T @ C
    p = S.shape[0]
    with mp.workdps(digits):
        unit = mpf(total) ** 3 * mpf(4) ** s
        cov = mp.matrix(p, p)
        for j in range(p):
            for k in range(p):
                cov[j, k] = mpf(int(S[j, k])) / unit
        if not scale:
            return cov
        sd = [mp.sqrt(cov[j, j]) for j in range(p)]
        return mp.matrix([[cov[j, k] / (sd[j] * sd[k]) for k in range(p)] for j in range(p)])


def eigenvalues(A, digits=60):
    """Eigenvalues of the symmetric mpmath matrix A, largest first."""
    with mp.workdps(digits):
        return sorted(mp.eigsy(A, eigvals_only=True), reverse=True)


def squared_distances(X, Y=None):
    """Exact |x - y|^2 as (integer matrix D, s) with distance = D / 4**s."""
    both, s = integers(X if Y is None else np.vstack([X, Y]))
    A, B = both[: len(X)], both if Y is None else both[len(X) :]
    return ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2), s


def to_numpy(values):
    """Any array (torch included) as a float64 NumPy array."""
    return np.asarray(values, dtype=np.float64)


def digits_of(computed, truth):
    """Correct decimal digits of each computed number, as the worst over all."""
    computed = to_numpy(computed)
    assert np.all(np.isfinite(computed)), computed
    worst = 17.0
    with mp.workdps(60):
        for c, t in zip(computed.ravel(), truth, strict=True):
            error = abs(mpf(float(c)) - t) / abs(t)
            if error > 0:
                worst = min(worst, float(-mp.log10(error)))
    return worst


def assert_digits(computed, truth, digits):
    """Assert that every computed number has at least `digits` correct digits."""
    got = digits_of(computed, truth)
    shown = [float(t) for t in truth]
    assert got >= digits, f"{got:.1f} digits, want {digits}: {to_numpy(computed)} for {shown}"
