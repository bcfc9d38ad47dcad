"""Do two kernels say the same? Alignment, the RV coefficient and HSIC, with permutation tests."""

from __future__ import annotations

import math
from typing import Any

from gramian._core.check import flag, one_of
from gramian._nulls.p_values import PermutationTest
from gramian.errors import InputError
from gramian.rkhs.grams import both, moments, row_means, unit_of
from gramian.rkhs.permuted import permutation_test


def alignment(
    first: Any, second: Any, X: Any = None, Y: Any = None, *, centred: bool = True
) -> float:
    """Return the alignment of two kernels, the cosine of the angle between their Gram matrices.

    ⟨K, L⟩/√(⟨K, K⟩·⟨L, L⟩), ⟨K, L⟩ = tr(KL), both centred by default: it is then the RV
    coefficient, and 1 when one configuration is the other turned and scaled.

    Parameters
    ----------
    first, second : Gram matrix (n, n); or Kernel, name or callable, of X and Y
    X : array (n, p), or n objects, where `first` is a kernel
    Y : the same for `second`; X by default. Points with the same labels in another order are paired
        by label
    centred : bool
        Whether to centre both Gram matrices; without, large means hide everything else.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0, 1.0], [1.0, 3.0], [4.0, 0.0]])
    >>> round(alignment("linear", X @ X.T, X), 12)
    1.0
    """
    K, L = both(first, second, X, Y, induced=flag(centred, "centred"))
    cross, one, two = moments(K, L, centred=centred, units=(unit_of(K), unit_of(L)))
    return _cosine(cross, one, two)


def _cosine(cross: float, one: float, two: float) -> float:
    if one <= 0 or two <= 0:
        name = "first" if one <= 0 else "second"
        raise InputError(
            f"{name}: its (centred) Gram matrix is zero, so that no angle exists: X and Y need "
            "rows that differ, in a kernel that sees it"
        )
    return cross / (math.sqrt(one) * math.sqrt(two))


def rv(
    first: Any,
    second: Any,
    X: Any = None,
    Y: Any = None,
    *,
    n_permutations: int = 999,
    memory: int | str | None = None,
    random_state: Any = None,
) -> PermutationTest:
    """Test the RV coefficient of two configurations of the same points.

    It is the centred alignment of their Gram matrices. Under the hypothesis the points of one are
    matched with those of the other at random: they are exchangeable, not in an order nor copies of
    one another.

    Parameters
    ----------
    first, second, X, Y : as for `alignment`
    n_permutations : int
        With 0 the p-value is NaN and memory does not grow with n².
    memory : int or str, optional
    random_state : int, optional

    Returns
    -------
    PermutationTest

    Examples
    --------
    >>> import numpy as np
    >>> x = np.arange(8.0)[:, None]
    >>> round(rv("linear", "linear", x, x**2, n_permutations=99).statistic, 6)
    0.924528
    """
    K, L = both(first, second, X, Y, induced=True)
    units = unit_of(K), unit_of(L)
    cross, one, two = moments(K, L, centred=True, units=units)
    value = _cosine(cross, one, two)
    size = math.sqrt(one) * math.sqrt(two)

    def share(c: float, order: Any) -> float:
        return value if order is None else c / units[0] / units[1] / size

    return permutation_test(K, L, value, share, n_permutations, memory, random_state)


def hsic(
    first: Any,
    second: Any,
    X: Any = None,
    Y: Any = None,
    *,
    estimate: str = "biased",
    n_permutations: int = 999,
    memory: int | str | None = None,
    random_state: Any = None,
) -> PermutationTest:
    """Test independence by the Hilbert–Schmidt independence criterion.

    The squared norm of the cross-covariance of φ(x) and ψ(y): tr(K̃L̃)/n² for centred Gram
    matrices ("biased"), or the estimate of Song et al. (2012) whose mean is 0 under independence.
    The p-value is exact if the rows are exchangeable; two series that wander look dependent.

    Parameters
    ----------
    first, second, X, Y : as for `alignment`
    estimate : "biased" or "unbiased"
    n_permutations : int
        With 0 the p-value is NaN and memory does not grow with n².
    memory : int or str, optional
    random_state : int, optional

    Returns
    -------
    PermutationTest

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> test = hsic("gaussian", "gaussian", x, x**2, n_permutations=99)
    >>> round(test.statistic, 4), test.p_value
    (0.051, 0.01)
    """
    one_of(estimate, "estimate", ("biased", "unbiased"))
    K, L = both(first, second, X, Y, induced=True)
    n = K.n
    if estimate == "unbiased" and n < 4:
        raise InputError(f"X has {n} rows, but the unbiased estimate needs 4: give more rows")
    value = moments(K, L, centred=True)[0]
    k, l = row_means(K) * n, row_means(L) * n  # noqa: E741
    s = float(k.sum()) * float(l.sum())

    def unbiased_estimate(centred: float, order: Any) -> float:
        kl = float(k @ (l if order is None else l[order]))
        plain = centred + 2.0 * kl / n - s / n**2
        return (plain + s / ((n - 1) * (n - 2)) - 2.0 * kl / (n - 2)) / (n * (n - 3))

    def biased_estimate(centred: float, order: Any) -> float:
        return centred / n**2

    chosen = biased_estimate if estimate == "biased" else unbiased_estimate
    return permutation_test(K, L, value, chosen, n_permutations, memory, random_state)
