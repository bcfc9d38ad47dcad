"""Kernels on vectors and their algebra.

A kernel is a record of parameters: `Gaussian(scale=2.0)`. Kernels add, multiply and compose:
`0.5 * Gaussian() + Linear() ** 2`, `Gaussian().on(np.log1p)`, `Polynomial(2).normalized()`. A class
of your own joins them with `register`.

Kernels on graphs and on sequences are in `gramian.kernels.graph` and `gramian.kernels.sequence`.
"""

import typing as _typing
from importlib import import_module as _import_module

from gramian.kernels.bandwidth import median_scale, scales
from gramian.kernels.base import Kernel
from gramian.kernels.composite import Constant, Exp, Normalized, PolynomialOf, Power, Product, Sum
from gramian.kernels.dot import Cosine, Dot, Linear, Polynomial, Sigmoid
from gramian.kernels.functions import Callback, FromDistance, Function, Precomputed
from gramian.kernels.matern import Matern
from gramian.kernels.mixed import Gower
from gramian.kernels.pullback import Columns, Mapped, Standardized
from gramian.kernels.radial import Chi2, Exponential, Gaussian, Laplacian, Radial, RationalQuadratic
from gramian.kernels.registry import as_kernel, register

__all__ = [
    "Callback",
    "Chi2",
    "Columns",
    "Constant",
    "Cosine",
    "Dot",
    "Exp",
    "Exponential",
    "FromDistance",
    "Function",
    "Gaussian",
    "Gower",
    "Kernel",
    "Laplacian",
    "Linear",
    "Mapped",
    "Matern",
    "Normalized",
    "Polynomial",
    "PolynomialOf",
    "Power",
    "Precomputed",
    "Product",
    "Radial",
    "RationalQuadratic",
    "Sigmoid",
    "Standardized",
    "Sum",
    "as_kernel",
    "graph",
    "median_scale",
    "register",
    "scales",
    "select",
    "sequence",
]


if _typing.TYPE_CHECKING:  # a misspelt kernel is an error for type checkers
    import gramian as _gramian
    from gramian.kernels import graph, sequence

    select = _gramian.selection.select
else:

    def __getattr__(name: str) -> _typing.Any:
        if name in ("graph", "sequence"):  # imported when they are first used
            return _import_module(f"gramian.kernels.{name}")
        if name == "select":  # a study, which fits models: it is found here but lives above
            globals()[name] = select = _import_module("gramian.selection").select
            return select
        raise AttributeError(f"module 'gramian.kernels' has no attribute {name!r}")
