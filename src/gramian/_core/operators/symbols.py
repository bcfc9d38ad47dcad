"""A kernel as text: its `evaluate` is called once on symbols instead of arrays.

The record of what it did to |x−y|² and ⟨x, y⟩ becomes the body of a function, which the CUDA code
generator puts between the two products of a fused kernel. Numbers are arguments of that function,
so that another scale needs no new compilation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from gramian.kernels.base import Kernel

LOG2_E = 1.0 / math.log(2.0)
_INFIX = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
_CALLS = {
    "exp2": "tl.exp2({0})",
    "log2": "tl.log2({0})",
    "sqrt": "tl.sqrt({0})",
    "abs": "tl.abs({0})",
    "max": "tl.maximum({0}, {1})",
    "min": "tl.minimum({0}, {1})",
    "where": "tl.where({0}, {1}, {2})",
}


SymbolLike: TypeAlias = "Symbol | float"


class Untraceable(TypeError):
    """The kernel does something that is not an elementwise formula of |x−y|² and ⟨x, y⟩."""


@dataclass(frozen=True)
class Traced:
    """A kernel as a function of d2 = |x−y|², dot = ⟨x, y⟩ and its numbers c."""

    source: str
    constants: tuple[float, ...]
    radial: tuple[tuple[float, float], ...]  # (scale, slope) of every distance that is used
    uses_dot: bool


def _comparison(op: str) -> Callable[[Symbol, SymbolLike], Symbol]:
    return lambda left, right: Symbol(op, left, symbol(right))


class Symbol:
    """A number that is not known yet; arithmetic on it is written down."""

    __array_ufunc__ = None
    ndim = 2
    dtype = "float32"

    def __init__(self, op: str, *args: Symbol, value: float = 0.0) -> None:
        self.op, self.args, self.value = op, args, value

    def __array_namespace__(self, api_version: str | None = None) -> type[SymbolNamespace]:
        return SymbolNamespace

    def __add__(self, other: SymbolLike) -> Symbol:
        return Symbol("add", self, symbol(other))

    __radd__ = __add__

    def __sub__(self, other: SymbolLike) -> Symbol:
        return Symbol("sub", self, symbol(other))

    def __rsub__(self, other: SymbolLike) -> Symbol:
        return Symbol("sub", symbol(other), self)

    def __mul__(self, other: SymbolLike) -> Symbol:
        left, right = self, symbol(other)
        if left.op == "const":
            left, right = right, left
        if right.op == "const" and left.op == "const":
            return symbol(left.value * right.value)
        if right.op == "const" and left.op == "mul" and left.args[1].op == "const":
            return Symbol("mul", left.args[0], symbol(left.args[1].value * right.value))
        return Symbol("mul", left, right)

    __rmul__ = __mul__

    def __truediv__(self, other: SymbolLike) -> Symbol:
        other = symbol(other)
        return self * (1.0 / other.value) if other.op == "const" else Symbol("div", self, other)

    def __rtruediv__(self, other: SymbolLike) -> Symbol:
        return Symbol("div", symbol(other), self)

    def __neg__(self) -> Symbol:
        return self * -1.0

    def __pos__(self) -> Symbol:
        return self

    def __pow__(self, exponent: object) -> Symbol:
        if not isinstance(exponent, int | float):
            raise Untraceable("an exponent that is not a number")
        if float(exponent).is_integer() and 1 <= exponent <= 64:
            return _whole_power(self, int(exponent))
        return Symbol("exp2", Symbol("log2", self) * float(exponent))

    def __abs__(self) -> Symbol:
        return Symbol("abs", self)

    __lt__, __le__, __gt__, __ge__ = (_comparison(op) for op in ("lt", "le", "gt", "ge"))

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise Untraceable("it looks at values, not only at formulas of them")

    __bool__ = __float__ = __int__ = __len__ = __iter__ = __getitem__ = __setitem__ = _refuse
    __array__ = _refuse

    @property
    def shape(self) -> NoReturn:
        """Refused: a formula has no shape."""
        self._refuse()


def symbol(value: SymbolLike) -> Symbol:
    """Return a symbol: itself, or the constant one."""
    if isinstance(value, Symbol):
        return value
    try:
        return Symbol("const", value=float(value))
    except (TypeError, ValueError) as error:
        raise Untraceable(f"{type(value).__name__} in a formula") from error


def _whole_power(base: Symbol, exponent: int) -> Symbol:
    """Return base^exponent by squaring."""
    if exponent == 1:
        return base
    half = _whole_power(base, exponent // 2)
    return half * half * base if exponent % 2 else half * half


def _exp(x: Symbol) -> Symbol:
    """e^x as a power of two; a lower bound against denormal numbers is not needed here."""
    if x.op == "max" and x.args[1].op == "const" and x.args[1].value <= -87.0:
        x = x.args[0]
    return Symbol("exp2", x * LOG2_E)


def _log(x: Symbol) -> Symbol:
    return Symbol("log2", x) * (1.0 / LOG2_E)


def _clip(x: Symbol, low: SymbolLike | None = None, high: SymbolLike | None = None) -> Symbol:
    x = x if low is None else Symbol("max", x, symbol(low))
    return x if high is None else Symbol("min", x, symbol(high))


class SymbolNamespace:
    """The part of the array API that profiles are written in."""

    float32 = "float32"
    float64 = "float64"
    exp = staticmethod(_exp)
    log = staticmethod(_log)
    clip = staticmethod(_clip)
    expm1 = staticmethod(lambda x: _exp(x) - 1.0)
    log1p = staticmethod(lambda x: _log(x + 1.0))
    sqrt = staticmethod(lambda x: Symbol("sqrt", x))
    square = staticmethod(lambda x: x * x)
    abs = staticmethod(lambda x: Symbol("abs", x))
    tanh = staticmethod(lambda x: 1.0 - 2.0 / (1.0 + Symbol("exp2", x * (2.0 * LOG2_E))))
    pow = staticmethod(lambda x, y: x**y)
    maximum = staticmethod(lambda x, y: Symbol("max", x, symbol(y)))
    minimum = staticmethod(lambda x, y: Symbol("min", x, symbol(y)))
    where = staticmethod(lambda condition, x, y: Symbol("where", condition, symbol(x), symbol(y)))
    zeros_like = staticmethod(lambda x: x * 0.0)
    ones_like = staticmethod(lambda x: x * 0.0 + 1.0)


class SymbolPairs:
    """The pairs a kernel sees while it is traced."""

    exact = False
    same = False

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self.distance2, self.product = Symbol("d2"), Symbol("dot")
        self.radial: list[tuple[float, float]] = []
        self.uses_dot = False

    def squared_distance(self, scale: float = 1.0, slope: float = math.inf) -> Symbol:
        """|x−y|²/scale²."""
        self.radial.append((float(scale), float(slope)))
        return self.distance2 * (self.unit / float(scale)) ** 2

    def dot(self) -> Symbol:
        """⟨x, y⟩."""
        self.uses_dot = True
        return self.product

    def full(self, value: float) -> Symbol:
        """A constant."""
        return symbol(value)

    def __getattr__(self, name: str) -> NoReturn:
        raise Untraceable(f"it needs {name} of the pairs, not only |x−y|² and ⟨x, y⟩")


def trace(kernel: Kernel, unit: float = 1.0, factor: float = 1.0) -> Traced:
    """Return factor·k as text, its d2 being |x−y|²/unit², or raise Untraceable.

    >>> print(trace(gm.kernels.Gaussian(scale=1.0)).source)
    def profile(d2, dot, c):
        v0 = d2 * c[0]
        v1 = tl.exp2(v0)
        return v1
    """
    pairs: Any = SymbolPairs(unit)
    try:
        result = symbol(kernel.evaluate(pairs))
    except Untraceable:
        raise
    except (TypeError, AttributeError, NotImplementedError) as error:
        raise Untraceable(str(error)) from error
    if result.op == "const":
        raise Untraceable("it is constant")
    lines, constants = _emit(result if factor == 1.0 else result * factor)
    return Traced(lines, tuple(constants), tuple(pairs.radial), pairs.uses_dot)


def _emit(result: Symbol) -> tuple[str, list[float]]:
    """Return the text of a function, every value computed once, and its constants."""
    lines: list[str] = []
    constants: list[float] = []
    names: dict[int, str] = {}
    seen: dict[str, str] = {}

    def name(s: Symbol) -> str:
        if id(s) not in names:
            names[id(s)] = make(s)
        return names[id(s)]

    def make(s: Symbol) -> str:
        if s.op in ("d2", "dot"):
            return s.op
        if s.op == "const":
            constants.append(s.value)
            return f"c[{len(constants) - 1}]"
        args = [name(a) for a in s.args]
        if s.op in _INFIX:
            text = f"{args[0]} {_INFIX[s.op]} {args[1]}"
        else:
            text = _CALLS[s.op].format(*args)
        if text not in seen:
            seen[text] = f"v{len(seen)}"
            lines.append(f"    {seen[text]} = {text}")
        return seen[text]

    last = name(result)
    body = "\n".join([*lines, f"    return {last}"])
    return f"def profile(d2, dot, c):\n{body}", constants
