"""How results look in notebooks: a title and a table of facts."""

import html
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np


def facts_html(title: str, facts: Mapping[str, str]) -> str:
    """Return a title and a table of names and texts as HTML; what they hold is escaped."""
    rows = "".join(
        f"<tr><th>{html.escape(name)}</th><td>{html.escape(text)}</td></tr>"
        for name, text in facts.items()
    )
    return f"<h3>{html.escape(title)}</h3><table>{rows}</table>"


def brief(value: Any) -> str:
    """Return a value in few words: a number in six digits, an array by its shape."""
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    shape = np.shape(value) if isinstance(value, np.ndarray) else getattr(value, "shape", None)
    if shape:
        return f"{type(value).__name__} ({' × '.join(map(str, shape))})"
    text = repr(value) if not isinstance(value, str) else value
    return text if len(text) <= 200 else f"{text[:197]}…"


class Lines:
    """A result that notebooks show as the lines of its repr."""

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(line)}</p>" for line in repr(self).splitlines() if line)


class Facts:
    """A dataclass that notebooks show as a table of the fields of its repr."""

    def _repr_html_(self) -> str:
        names = [field.name for field in fields(self) if field.repr]  # type: ignore[arg-type]
        texts = {name: brief(getattr(self, name)) for name in names}
        known = {name: text for name, text in texts.items() if text not in ("", "None")}
        return facts_html(type(self).__name__, known)
