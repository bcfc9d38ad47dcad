"""What a fit over dask's blocks costs, on paper: flops, bytes read, bytes moved, memory a worker.

    python -m benchmarks.sizing

Bytes moved are those between tasks, as if every task ran where none of its inputs is but the
largest. `tests/chunks/test_sizing.py` compares them with a count over task graphs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

FEW = 8  # answers that one task adds up
GROUP = 1 << 27  # bytes of a group of rows


@dataclass(frozen=True)
class Cost:
    """What a fit takes."""

    flops: float
    read: float  # bytes of the table, all passes
    moved: float  # bytes between tasks on different machines
    memory: float  # bytes a worker needs
    client: float  # bytes that the client holds


def tree(parts: int) -> int:
    """How many answers travel in a tree that adds up so many."""
    total = 0
    while parts > 1:
        total += parts
        parts = -(-parts // FEW)
    return total


def pca(n: int, p: int, blocks: int, threads: int = 1) -> Cost:
    """PCA by moments, one pass."""
    answer = 8 * (p * p + 3 * p)
    table = 8 * n * p
    memory = threads * (2 * table / blocks + answer) + FEW * answer
    return Cost(n * p * p, table, tree(blocks) * answer, memory, 4 * 8 * p * p)


def wide_pca(n: int, p: int, q: int, blocks: int, threads: int = 1, products: int = 30) -> Cost:
    """PCA by block Krylov: means, then products with q + 8 columns."""
    r = q + 8
    answer, table = 8 * p * r, 8 * n * p
    moved = products * (tree(blocks) + blocks) * answer
    memory = threads * (2 * table / blocks + 2 * answer) + FEW * answer
    flops = n * p * (4 * r * products + 3)
    return Cost(flops, (products + 1) * table, moved, memory, 8 * p * 6 * r)


def groups(n: int, p: int, threads: int) -> int:
    """In how many groups rows are for work on pairs, threads being those of all machines."""
    wanted = max(math.ceil(4 * math.sqrt(threads)), -(-8 * n * p // GROUP))
    return max(1, min(wanted, n // 256))


def product(n: int, p: int, r: int, g: int) -> float:
    """Bytes moved by one product with r columns: rows, V and answers."""
    rows = (g - 1) / 2 * 8 * n * p
    columns = g * 8 * n * r
    return rows + 2 * columns


def exact_kernel(n: int, p: int, q: int, workers: int, threads: int = 1, products: int = 8) -> Cost:
    """Exact kernel PCA: products by pairs of groups, every pair once."""
    r = q + 10
    g = groups(n, p, workers * threads)
    pairs = n * n / 2
    flops = products * pairs * (2 * (p + 2) + 20 + 4 * r)
    moved = products * product(n, p, r, g)
    memory = 8 * n * p / workers + threads * (6 * 8 * n * p / g + 4 * 8 * n * r / g)
    return Cost(flops, 8 * n * p, moved, memory, 8 * n * (12 * r))


def landmarks(n: int, p: int, rank: int, blocks: int, threads: int = 1) -> Cost:
    """Kernel PCA on landmarks: a sample, rows that it explains badly, moments."""
    sample = min(max(20 * rank, 2_000), 20_000)
    answer = 8 * (rank * rank + 3 * rank)
    moved = tree(blocks) * (2 * 8 * min(sample, n / blocks) * (p + 1) + answer)
    kernel = n * 1.5 * rank * (2 * (p + 2) + 20)
    flops = kernel + n * (2 * (rank / 2) ** 2 + 2 * rank**2 + rank**2)
    memory = threads * 8 * (n / blocks) * (2 * p + 2 * rank) + FEW * max(answer, 8 * sample * p)
    return Cost(flops, 3 * 8 * n * p, moved, memory, 8 * sample * (2 * p + rank) + 4 * answer)


# Title, machines, cost.
TABLE = [
    ("PCA, 10⁶ × 100", "laptop, 8 threads", pca(10**6, 100, 16, 8)),
    ("PCA, 10⁸ × 100", "16 workers of 4", pca(10**8, 100, 1_000, 4)),
    ("PCA, 10⁹ × 100", "64 workers of 4", pca(10**9, 100, 10_000, 4)),
    ("PCA, 10⁶ × 20,000, 10 axes", "64 workers of 4", wide_pca(10**6, 20_000, 10, 2_000, 4)),
    ("kernel PCA, exact, 10⁵ × 50", "laptop, 8 threads", exact_kernel(10**5, 50, 10, 1, 8)),
    ("kernel PCA, exact, 10⁶ × 50", "64 workers of 4", exact_kernel(10**6, 50, 10, 64, 4)),
    ("kernel PCA, 500 landmarks, 10⁶ × 50", "laptop, 8 threads", landmarks(10**6, 50, 500, 64, 8)),
    (
        "kernel PCA, 500 landmarks, 10⁹ × 50",
        "64 workers of 4",
        landmarks(10**9, 50, 500, 20_000, 4),
    ),
]


def human(size: float) -> str:
    """Write a number of bytes with two digits."""
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return (
                f"{size / factor:.2g} {unit}"
                if size < 100 * factor
                else f"{size / factor:.0f} {unit}"
            )
    return f"{size:.0f} B"


def power(flops: float) -> str:
    """Write a number of operations: 1.2e+14 as 1.2·10¹⁴."""
    digits, exponent = f"{flops:.1e}".split("e")
    raised = str(int(exponent)).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits}·10{raised}"


def lines() -> list[str]:
    """Return the table for people."""
    head = "| fit | machines | flops | read | moved | memory of a worker | of the client |"
    rows = [
        f"| {title} | {where} | {power(c.flops)} | {human(c.read)} | {human(c.moved)} | "
        f"{human(c.memory)} | {human(c.client)} |"
        for title, where, c in TABLE
    ]
    return [head, "|---|---|---|---|---|---|---|", *rows]


if __name__ == "__main__":
    print("\n".join(lines()))
