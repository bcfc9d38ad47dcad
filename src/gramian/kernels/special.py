"""The first place of these kernels, from which other modules still import them."""

from gramian.kernels.constant import Constant
from gramian.kernels.from_distance import FromDistance
from gramian.kernels.functions import Callback, Function
from gramian.kernels.precomputed import Precomputed
from gramian.kernels.pullback import Columns

__all__ = ["Callback", "Columns", "Constant", "FromDistance", "Function", "Precomputed"]
