"""Kernels of the distance: the base class and the usual ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gramian._core.array import Array, as_kind, exp, is_sparse, namespace, sqrt, to_numpy
from gramian._core.check import positive
from gramian._core.pairs import Pairs, Points
from gramian.kernels.base import Change, Kernel, no_spectral_law
from gramian.kernels.profiles import difference_from_zero, integrated_gap, numerical_derivative
from gramian.kernels.registry import register


class Radial(Kernel):
    """k(x, y) = profile(t), t = |x − y|²/scale²; a subclass writes `profile`.

    `steepness` bounds |profile′|: it says how much an error in t can matter (infinite for kernels
    with a kink at 0, whose small distances must then be exact).

    A class should write `derivative`, profile′: gradients and pre-images use it, and `gap`, 1 − k
    for near points, follows from it without loss of digits. Without it derivatives are differences
    of the profile, and `gap` has the digits that 1 − k leaves. A class may also write `gap`.

    Examples
    --------
    >>> class Cauchy(Radial):
    ...     def __init__(self, scale="median"):
    ...         self.scale = scale
    ...
    ...     def profile(self, t):
    ...         return 1.0 / (1.0 + t)
    ...
    ...     def derivative(self, t):
    ...         return -1.0 / (1.0 + t) ** 2
    >>> float(Cauchy(scale=2.0)([[0.0], [2.0]])[0, 1])
    0.5
    >>> f"{Cauchy(scale=2.0).gap(np.array([1e-20]))[0]:.12g}"
    '1e-20'
    """

    psd: bool | None = True
    takes_sparse = True
    any_precision = True
    shift_changes: Change = "nothing"
    differentiable = True
    steepness: float = math.inf
    scale: float | str

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "profile" in vars(cls):
            cls._reset_inherited()

    @classmethod
    def _reset_inherited(cls) -> None:
        """Reset what ancestors say of a profile that this class has replaced."""
        replaced = next(c for c in cls.__mro__[1:] if "profile" in vars(c))
        for name in ("steepness", "derivative", "gap", "frequencies"):
            owner = next(c for c in cls.__mro__ if name in vars(c))
            if owner is not Radial and issubclass(replaced, owner):
                setattr(cls, name, vars(Radial)[name])

    def profile(self, t: Array) -> Array:
        """Return the kernel's value as a function of t = |x − y|²/scale², elementwise.

        The array t may be overwritten. With a finite `steepness`, entries that should be 0 may be
        negative by rounding.
        """
        raise NotImplementedError

    def derivative(self, t: Array) -> Array:
        """Return profile′(t), elementwise; 0 at t = 0 for a kernel with a kink there.

        0 is the mean over all directions of what counts for a gradient.
        """
        return as_kind(numerical_derivative(self.profile, to_numpy(t).astype(np.float64)), t)

    def gap(self, t: Array) -> Array:
        """Return profile(0) − profile(t) for t ≥ 0, a new array.

        Accurate relative to itself for small t too where the class writes `derivative`.
        """
        if type(self).derivative is Radial.derivative:
            return difference_from_zero(self.profile, t)
        return integrated_gap(self.profile, self.derivative, t)

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Return m frequencies ω, (p, m), drawn from the kernel's spectral law.

        k(x, y) is the mean of cos ⟨ω, x − y⟩ over that law (Bochner). It does not follow from the
        profile alone: a class that does not write it has no random Fourier features.
        """
        raise no_spectral_law(self)

    def squared_distance(self, pairs: Pairs) -> Array:
        """Return twice the gap: k(x, x) is the same for every point."""
        D = self.gap(pairs.squared_distance(positive(self.scale, "scale")))
        D *= 2.0  # in place: a tile in fresh memory leaves the cache
        return D

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the profile of the scaled squared distances."""
        steepness = math.inf if pairs.exact else self.steepness
        return self.profile(pairs.squared_distance(positive(self.scale, "scale"), steepness))

    def self_similarity(self, X: Any) -> Array:
        """Return profile(0) for every row."""
        values = X.data if is_sparse(X) else X
        xp = namespace(values)
        device = {} if is_sparse(X) else {"device": X.device}
        return self.profile(xp.zeros(X.shape[0], dtype=X.dtype, **device))

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with its scale a number."""
        from gramian.kernels.bandwidth import scale_of

        scale = scale_of(self.scale, points, weights, lambda p: math.sqrt(p / 2.0))
        if not isinstance(self.scale, str):
            return self
        return type(self)(**self.get_params(deep=False) | {"scale": scale})


@register("gaussian", "rbf")
class Gaussian(Radial):
    """The Gaussian kernel, k(x, y) = exp(−|x−y|²/(2·scale²)).

    Parameters
    ----------
    scale : positive float, "median", "median_all" or "columns"
        The standard deviation; "median" is √(h/2), h the median squared distance between distinct
        points. Under "median_all" h is the median over all n² pairs, zeros too. "columns" is
        √(p/2) for p columns, scikit-learn's default (gamma = 1/p).

    Examples
    --------
    >>> float(Gaussian(scale=2.0)([[0.0], [2.0]])[0, 1].round(6))
    0.606531
    """

    steepness = 0.5

    def __init__(self, scale: float | str = "median") -> None:
        self.scale = scale

    @classmethod
    def from_gamma(cls, gamma: float) -> Gaussian:
        """Return the kernel exp(−γ|x−y|²).

        >>> Gaussian.from_gamma(0.5)
        Gaussian(scale=1.0)
        """
        return cls(scale=1.0 / math.sqrt(2.0 * positive(gamma, "gamma")))

    def profile(self, t: Array) -> Array:
        """exp(−t/2)."""
        t *= -0.5
        return exp(t)

    def derivative(self, t: Array) -> Array:
        """−exp(−t/2)/2."""
        return -0.5 * exp(-0.5 * t)

    def gap(self, t: Array) -> Array:
        """1 − exp(−t/2)."""
        return one_minus_exp(-0.5 * t)

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Normal."""
        return rng.standard_normal((p, m)) / float(self.scale)


@register
class Exponential(Radial):
    """The exponential kernel, k(x, y) = exp(−|x−y|/scale), also Matérn's with ν = 1/2.

    >>> float(Exponential(scale=2.0)([[0.0], [2.0]])[0, 1].round(6))
    0.367879
    """

    def __init__(self, scale: float | str = "median") -> None:
        self.scale = scale

    def profile(self, t: Array) -> Array:
        """exp(−√t)."""
        return exp(-sqrt(t))

    def derivative(self, t: Array) -> Array:
        """−exp(−√t)/(2√t)."""
        xp = namespace(t)
        d = xp.sqrt(t)
        return xp.where(d > 0, -0.5 * exp(-d) / xp.where(d > 0, d, xp.ones_like(d)), 0.0 * d)

    def gap(self, t: Array) -> Array:
        """1 − exp(−√t)."""
        return one_minus_exp(-sqrt(1.0 * t))  # of a copy, as roots are taken in place

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Cauchy's law of p coordinates, the t of one degree of freedom."""
        return student(rng, p, m, 1.0) / float(self.scale)


@register
class RationalQuadratic(Radial):
    """The rational quadratic kernel, k(x, y) = (1 + |x−y|²/(2·alpha·scale²))^(−alpha).

    >>> float(RationalQuadratic(scale=1.0, alpha=0.5)([[0.0], [1.0]])[0, 1].round(6))
    0.707107
    """

    steepness = 0.5

    def __init__(self, scale: float | str = "median", alpha: float = 1.0) -> None:
        self.scale = scale
        self.alpha = alpha

    def profile(self, t: Array) -> Array:
        """(1 + t/(2·alpha))^(−alpha)."""
        alpha = positive(self.alpha, "alpha")
        return (1.0 + t / (2.0 * alpha)) ** -alpha

    def derivative(self, t: Array) -> Array:
        """−(1 + t/(2·alpha))^(−alpha−1)/2."""
        alpha = positive(self.alpha, "alpha")
        return -0.5 * (1.0 + t / (2.0 * alpha)) ** (-alpha - 1.0)

    def gap(self, t: Array) -> Array:
        """1 − (1 + t/(2·alpha))^(−alpha)."""
        xp, alpha = namespace(t), positive(self.alpha, "alpha")
        return one_minus_exp(-alpha * xp.log1p(t / (2.0 * alpha)))

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Normal, with a precision that follows a gamma law."""
        alpha = positive(self.alpha, "alpha")
        normal = rng.standard_normal((p, m))
        return normal * np.sqrt(rng.gamma(alpha, 1.0 / alpha, m)) / float(self.scale)


@register(short=False)
class SquaredDistance(Radial):
    """k(x, y) = −½|x − y|²/scale²: conditionally positive definite, the Gram matrix of MDS.

    After centring it is the inner product of the centred points.

    >>> float(SquaredDistance(scale=1.0)([[0.0], [2.0]])[0, 1])
    -2.0
    """

    psd: bool | None = None

    def __init__(self, scale: Any = 1.0) -> None:
        self.scale = scale

    def profile(self, t: Array) -> Array:
        """−t/2."""
        return -0.5 * t

    def derivative(self, t: Array) -> Array:
        """−1/2."""
        return namespace(t).full_like(t, -0.5)

    def gap(self, t: Array) -> Array:
        """t/2."""
        return 0.5 * t


def one_minus_exp(exponent: Array) -> Array:
    """Return 1 − e^exponent without loss of digits."""
    gap = namespace(exponent).expm1(exponent)
    gap *= -1.0
    return gap


def student(rng: np.random.Generator, p: int, m: int, dof: float) -> np.ndarray:
    """Return draws of the t distribution of p coordinates, (p, m): Matérn's law, dof = 2ν."""
    return rng.standard_normal((p, m)) / np.sqrt(rng.chisquare(dof, m) / dof)


@register
class Laplacian(Kernel):
    """The Laplacian kernel of the sum of absolute differences, k(x, y) = exp(−‖x−y‖₁/scale).

    `scale` is a number or a rule, as for `Gaussian`; "columns" is p, the number of columns.

    >>> float(Laplacian(scale=1.0)([[0.0, 0.0], [0.5, 0.5]])[0, 1].round(6))
    0.367879
    """

    psd: bool | None = True
    any_precision = True
    shift_changes: Change = "nothing"

    def __init__(self, scale: float | str = "median") -> None:
        self.scale = scale

    def evaluate(self, pairs: Pairs) -> Array:
        """exp(−‖x−y‖₁/scale)."""
        return exp(-pairs.l1(positive(self.scale, "scale")))

    def squared_distance(self, pairs: Pairs) -> Array:
        """2(1 − exp(−‖x−y‖₁/scale))."""
        return 2.0 * one_minus_exp(-pairs.l1(positive(self.scale, "scale")))

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Cauchy's law in each coordinate."""
        return rng.standard_cauchy((p, m)) / float(self.scale)

    def self_similarity(self, X: Any) -> Array:
        """One for every row."""
        return namespace(X).ones(X.shape[0], dtype=X.dtype, device=X.device)

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with its scale a number; "median" is that of radial kernels."""
        from gramian.kernels.bandwidth import scale_of

        scale = scale_of(self.scale, points, weights, float)
        return Laplacian(scale) if isinstance(self.scale, str) else self
