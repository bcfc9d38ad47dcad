"""Taylor arithmetic: a profile that is called on power series returns its derivatives.

A `Jet` holds the coefficients c₀, c₁, … of f(ε) = Σ c_k ε^k, for an array of points at once. With
two coefficients it is a dual number: φ(t + ε) = φ(t) + φ′(t)·ε. With many, at one point, it is the
Taylor series of a profile. No step is chosen and no digit is lost to a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gramian.errors import InputError
from gramian.kernels.coefficients import Undifferentiable, over, power, solved, times

__all__ = ["Jet", "Undifferentiable", "applied"]


class Jet:
    """Truncated power series, one for each point: coefficients (K, …points)."""

    def __init__(self, coefs: np.ndarray) -> None:
        self.coefs = coefs

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the points."""
        return self.coefs.shape[1:]

    @property
    def ndim(self) -> int:
        """The number of axes of the points."""
        return self.coefs.ndim - 1

    @property
    def dtype(self) -> np.dtype[Any]:
        """Double precision."""
        return np.dtype(np.float64)

    @property
    def device(self) -> str:
        """Where NumPy keeps its arrays."""
        return "cpu"

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        return _NAMESPACE

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        out = options.pop("out", None)
        if method != "__call__" or options or (out and not isinstance(out[0], Jet)):
            raise Undifferentiable(f"np.{ufunc.__name__}.{method} with options")
        value = _rule(ufunc.__name__)(*(self._constant(x) for x in inputs))
        return value if not out else out[0]._become(value)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _rule(function.__name__)(*args, **kwargs)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise Undifferentiable("it looks at values, not only at formulas of them")

    __bool__ = __float__ = __int__ = __len__ = __iter__ = __array__

    def _constant(self, value: Any) -> Any:
        """Return what NumPy combines with a jet as a number or a jet, never as an array."""
        if isinstance(value, Jet):
            return value
        return Jet(_coefs(value, self.coefs)) if np.ndim(value) else float(value)

    def _become(self, value: Any) -> Jet:
        """Take another value in place, so that other names of this jet see it as NumPy's would."""
        coefs = _coefs(value, self.coefs)
        if coefs.shape == self.coefs.shape:
            self.coefs[...] = coefs
        else:
            self.coefs = coefs
        return self

    def astype(self, *_: Any, **__: Any) -> Jet:
        """Return itself: jets are in double precision."""
        return self

    def copy(self) -> Jet:
        """Return a jet of its own."""
        return Jet(self.coefs.copy())

    def __getitem__(self, index: Any) -> Jet:
        return Jet(self.coefs[_at(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        self.coefs[_at(index)] = _coefs(value, self.coefs[_at(index)])

    def __add__(self, other: Any) -> Jet:
        a, b = _both(self, other)
        return Jet(a + b)

    def __mul__(self, other: Any) -> Jet:
        return Jet(times(*_both(self, other)))

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other: Any) -> Jet:
        a, b = _both(self, other)
        return Jet(a - b)

    def __rsub__(self, other: Any) -> Jet:
        return -self + other

    def __truediv__(self, other: Any) -> Jet:
        return Jet(over(*_both(self, other)))

    def __rtruediv__(self, other: Any) -> Jet:
        return Jet(over(*reversed(_both(self, other))))

    def __neg__(self) -> Jet:
        return Jet(-self.coefs)

    def __pos__(self) -> Jet:
        return self

    def __abs__(self) -> Jet:
        return _where(self < 0, -self, self)

    def __pow__(self, exponent: Any) -> Jet:
        if isinstance(exponent, Jet):
            return _exp(exponent * _log(self))
        if np.ndim(exponent):
            raise Undifferentiable("an exponent that is an array")
        return Jet(power(self.coefs, float(exponent)))

    def __rpow__(self, base: Any) -> Jet:
        return _exp(self * np.log(base))

    def __iadd__(self, other: Any) -> Jet:
        return self._become(self + other)

    def __isub__(self, other: Any) -> Jet:
        return self._become(self - other)

    def __imul__(self, other: Any) -> Jet:
        return self._become(self * other)

    def __itruediv__(self, other: Any) -> Jet:
        return self._become(self / other)

    def __ipow__(self, other: Any) -> Jet:
        return self._become(self**other)

    # Where values are equal, the next coefficient decides: what is compared is the series just
    # beyond the point, so that a kernel's guard at t = 0 takes the branch of t > 0.
    def __lt__(self, other: Any) -> np.ndarray:
        return _sign(self - other) < 0

    def __le__(self, other: Any) -> np.ndarray:
        return _sign(self - other) <= 0

    def __gt__(self, other: Any) -> np.ndarray:
        return _sign(self - other) > 0

    def __ge__(self, other: Any) -> np.ndarray:
        return _sign(self - other) >= 0

    def __eq__(self, other: object) -> Any:
        return _sign(self - other) == 0

    def __ne__(self, other: object) -> Any:
        return _sign(self - other) != 0

    __hash__ = None  # type: ignore[assignment]


def applied(profile: Callable[[Any], Any], coefs: np.ndarray) -> np.ndarray:
    """Return the coefficients of profile(Σ c_k ε^k), (K, …points), or raise Undifferentiable.

    >>> applied(lambda t: 1.0 / (1.0 + t), np.array([[1.0], [1.0]])).ravel()
    array([ 0.5 , -0.25])
    """
    try:
        with np.errstate(all="ignore"):  # a pole at one point is that point's affair
            return _coefs(profile(Jet(coefs.copy())), coefs)
    except InputError:
        raise
    except (TypeError, ValueError, AttributeError, LookupError, NotImplementedError) as error:
        raise Undifferentiable(str(error)[:80]) from error


def _at(index: Any) -> tuple[Any, ...]:
    return (slice(None), *(index if isinstance(index, tuple) else (index,)))


def _coefs(value: Any, like: np.ndarray) -> np.ndarray:
    """Return the coefficients of a jet, or of a constant as many as those of another."""
    if isinstance(value, Jet):
        return value.coefs
    constant = np.asarray(value, dtype=np.float64)
    coefs = np.zeros((len(like), *(1,) * (like.ndim - 1 - constant.ndim), *constant.shape))
    coefs[0] = constant
    return coefs + np.zeros_like(like) if constant.ndim == 0 else coefs


def _both(a: Jet, b: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the coefficients of both, as many as both have."""
    left, right = a.coefs, _coefs(b, a.coefs)
    K = min(len(left), len(right))  # dividing by a zero shortens a series
    return left[:K], right[:K]


def _integral(first: np.ndarray, x: Jet, rate: Jet) -> Jet:
    """Return y with y(0) = first and y′ = x′·rate, for a rate that is known."""
    g = rate.coefs
    return Jet(solved(first, x.coefs[: len(g)], lambda _: g))


def _sign(x: Jet) -> np.ndarray:
    """Return the sign of the first coefficient that is not zero."""
    sign = np.sign(x.coefs[0])
    for c in x.coefs[1:]:
        sign = np.where(sign == 0, np.sign(c), sign)
    return sign


def _where(condition: Any, x: Any, y: Any) -> Jet:
    like = x if isinstance(x, Jet) else y
    a, b = _coefs(x, like.coefs), _coefs(y, like.coefs)
    K = min(len(a), len(b))
    return Jet(np.where(np.asarray(condition)[None], a[:K], b[:K]))


def _clip(x: Jet, low: Any = None, high: Any = None, **_: Any) -> Jet:
    x = x if low is None else _where(x < low, low, x)
    return x if high is None else _where(x > high, high, x)


def _exp(x: Jet) -> Jet:
    return Jet(solved(np.exp(x.coefs[0]), x.coefs, lambda y: y))


def _expm1(x: Jet) -> Jet:
    y = _exp(x).coefs
    y[0] = np.expm1(x.coefs[0])
    return Jet(y)


def _log(x: Jet) -> Jet:
    return _integral(np.log(x.coefs[0]), x, 1.0 / x)


def _log1p(x: Jet) -> Jet:
    return _integral(np.log1p(x.coefs[0]), x, 1.0 / (1.0 + x))


def _turned(x: Jet) -> np.ndarray:
    """Return the coefficients of e^{ix}."""
    first = np.cos(x.coefs[0]) + 1j * np.sin(x.coefs[0])
    return solved(first, 1j * x.coefs, lambda y: y)


def _sin(x: Jet) -> Jet:
    return Jet(_turned(x).imag)


def _cos(x: Jet) -> Jet:
    return Jet(_turned(x).real)


def _sinh(x: Jet) -> Jet:
    y = (0.5 * (_exp(x) - _exp(-x))).coefs
    y[0] = np.sinh(x.coefs[0])
    return Jet(y)


def _tanh(x: Jet) -> Jet:
    def rate(y: np.ndarray) -> np.ndarray:
        g = -times(y, y)
        g[0] = 1.0 / np.cosh(x.coefs[0]) ** 2  # 1 − y² without the difference
        return g

    return Jet(solved(np.tanh(x.coefs[0]), x.coefs, rate))


# By the names of the array API and of NumPy's functions.
_RULES: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "absolute": abs,
    "add": lambda x, y: x + y,
    "arctan": lambda x: _integral(np.arctan(x.coefs[0]), x, 1.0 / (1.0 + x * x)),
    "asarray": lambda x, **_: x,
    "astype": lambda x, *_, **__: x,
    "clip": _clip,
    "copy": lambda x, **_: x.copy(),
    "cos": _cos,
    "cosh": lambda x: 0.5 * (_exp(x) + _exp(-x)),
    "divide": lambda x, y: x / y,
    "equal": lambda x, y: x == y,
    "exp": _exp,
    "exp2": lambda x: _exp(x * np.log(2.0)),
    "expm1": _expm1,
    "full_like": lambda x, value, **_: Jet(_coefs(value, x.coefs)),
    "greater": lambda x, y: x > y,
    "greater_equal": lambda x, y: x >= y,
    "less": lambda x, y: x < y,
    "less_equal": lambda x, y: x <= y,
    "log": _log,
    "log10": lambda x: _log(x) / np.log(10.0),
    "log1p": _log1p,
    "log2": lambda x: _log(x) / np.log(2.0),
    "maximum": lambda x, y: _where(x > y, x, y),
    "minimum": lambda x, y: _where(x < y, x, y),
    "multiply": lambda x, y: x * y,
    "negative": lambda x: -x,
    "not_equal": lambda x, y: x != y,
    "ones_like": lambda x, **_: Jet(_coefs(1.0, x.coefs)),
    "positive": lambda x: x,
    "power": lambda x, y: x**y,
    "reciprocal": lambda x: 1.0 / x,
    "sign": _sign,
    "sin": _sin,
    "sinh": _sinh,
    "sqrt": lambda x: x**0.5,
    "square": lambda x: x * x,
    "subtract": lambda x, y: x - y,
    "tan": lambda x: _sin(x) / _cos(x),
    "tanh": _tanh,
    "where": _where,
    "zeros_like": lambda x, **_: Jet(np.zeros_like(x.coefs)),
}
_RULES |= {"atan": _RULES["arctan"], "pow": _RULES["power"], "true_divide": _RULES["divide"]}
_PLAIN = ("e", "finfo", "float32", "float64", "inf", "nan", "pi")


def _rule(name: str) -> Callable[..., Any]:
    if name not in _RULES:
        raise Undifferentiable(f"{name} has no rule")
    return _RULES[name]


class _Namespace:
    """The part of the array API that profiles are written in."""

    __name__ = "jets"

    def __getattr__(self, name: str) -> Any:
        if name not in _RULES and name not in _PLAIN:
            raise AttributeError(f"{name} has no rule")
        return _RULES[name] if name in _RULES else getattr(np, name)


_NAMESPACE = _Namespace()
