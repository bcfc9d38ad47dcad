"""Texts that come from data: made harmless and shortened."""

import re
import unicodedata

# C0, DEL and C1 steer a terminal; marks of direction show a text in another order than it has.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def escape_controls(text: str, keep: str = "\t\n") -> str:
    """Return a text with control characters as JSON writes them, but for some that are kept."""
    # Whatever a command prints or writes of names goes through this function.
    return _CONTROLS.sub(lambda m: m[0] if m[0] in keep else f"\\u{ord(m[0]):04x}", text)


def clean(label: object) -> str:
    """Return a label as one line of visible characters."""
    if isinstance(label, tuple):
        return " / ".join(clean(part) for part in label)
    label = str(label)
    if label.isprintable() and "  " not in label:
        return label.strip()
    # Control and direction marks can rearrange what follows.
    drawn = (c for c in label if c.isspace() or unicodedata.category(c)[0] != "C")
    return " ".join("".join(drawn).split())


def shorten(label: object, most: int = 24) -> str:
    """Return a label in at most `most` characters: names often differ at their end, which stays."""
    text = clean(label)
    if len(text) <= most:
        return text
    tail = (most - 1) * 2 // 5
    return text[: most - 1 - tail].rstrip() + "…" + text[len(text) - tail :].lstrip()
