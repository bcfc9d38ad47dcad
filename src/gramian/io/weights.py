"""Numbers that files say of edges: decimal digits, and nothing that only Python takes for one."""

from __future__ import annotations

import ast
import math
import re

# float() also takes 1_000, digits of other scripts and "infinity".
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NO_NUMBERS = {"nan": math.nan, "inf": math.inf, "infinity": math.inf}
_WRAPPERS = ("float16", "float32", "float64", "int8", "int16", "int32", "int64")
_LONGEST = 10_000  # characters of the data of one edge
_DIGITS = 1_000  # characters of a number: more are an attack, and take their time


def number(text: str) -> float | None:
    """Return a text as a number, NaN and infinities included; None where it is none.

    >>> number(" 7e-1 "), number("0x10"), number("1_000")
    (0.7, None, None)
    """
    text = text.strip()
    if len(text) > _DIGITS:
        return None
    if _DECIMAL.fullmatch(text):
        return float(text)
    value = _NO_NUMBERS.get(text.lstrip("+-").lower()) if len(text) < 12 else None
    return -value if value is not None and text.startswith("-") else value


def data_weight(text: str) -> str | None:
    """Return what networkx wrote as the weight of an edge, None where it wrote none.

    >>> data_weight("{'colour': 'red', 'weight': '7'}"), data_weight("{'weight': np.float64(-2.5)}")
    ('7', '-2.5')
    """
    if len(text) > _LONGEST:
        raise ValueError("it is too long")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("it is no {name: value}") from error
    if not isinstance(tree, ast.Dict):
        raise ValueError("it is no {name: value}")
    pairs = zip(tree.keys, tree.values, strict=True)
    texts = [
        _text(text, v) for k, v in pairs if isinstance(k, ast.Constant) and k.value == "weight"
    ]
    if len(texts) > 1:
        raise ValueError("it has two weights")
    return texts[0] if texts else None


def _text(data: str, value: ast.expr) -> str:
    """Return a value as it was written, out of quotes and of NumPy's names of types."""
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        name = ast.unparse(value.func).rpartition(".")[2]
        value = value.args[0] if name in _WRAPPERS else value
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    return ast.get_source_segment(data, value) or ""
