"""Counts of outcomes as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .judge import BAD, GOOD, LEFT_OUT


def table(
    title: str, counts: dict[str, Counter[str]], kinds: tuple[str, ...] = (*GOOD, *BAD, LEFT_OUT)
) -> str:
    """Lines of Markdown: a row a name, a column a kind, the sum last."""
    total: Counter[str] = sum(counts.values(), Counter())
    lines = [
        f"| {title} | cells | " + " | ".join(kinds) + " |",
        "|---|" + "---|" * (len(kinds) + 1),
    ]
    for name, row in [*counts.items(), ("**all**", total)]:
        lines.append(f"| {name} | {row.total()} | " + " | ".join(str(row[k]) for k in kinds) + " |")
    return "\n".join(lines)


def tally(pairs: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    """Count kinds by name, in the order in which names appear."""
    counts: dict[str, Counter[str]] = {}
    for name, kind in pairs:
        counts.setdefault(name, Counter())[kind] += 1
    return counts
