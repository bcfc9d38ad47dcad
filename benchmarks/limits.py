"""What share of new rows is inside the limits of T² and Q: `python -m benchmarks.limits`."""

from collections.abc import Callable, Iterator

import numpy as np

import gramian as gm
from benchmarks.runner import write_page

TABLES = 100
NEW = 500
Draw = Callable[[np.random.Generator, int, int], np.ndarray]


def normal(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Return normal rows with a few large axes."""
    return rng.standard_normal((n, p)) * np.maximum(5.0 / np.arange(1, p + 1), 1.0)


def t5(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Return rows of a multivariate t law with 5 degrees of freedom."""
    return normal(rng, n, p) / np.sqrt(rng.chisquare(5, (n, 1)) / 5)


DESIGNS: dict[str, tuple[Draw, int, int, object]] = {
    "normal, 100 × 8, PCA(3)": (normal, 100, 8, gm.PCA(3)),
    "normal, 50 × 200, PCA(3)": (normal, 50, 200, gm.PCA(3)),
    "t5, 100 × 8, PCA(3)": (t5, 100, 8, gm.PCA(3)),
    "t5, 50 × 200, PCA(3)": (t5, 50, 200, gm.PCA(3)),
    "normal, 100 × 8, Gaussian kernel": (normal, 100, 8, gm.KernelPCA(3)),
    "t5, 100 × 8, Gaussian kernel": (t5, 100, 8, gm.KernelPCA(3)),
}


def coverage(design: str, tables: int = TABLES) -> np.ndarray:
    """Return the share of new rows inside, table by table."""
    draw, n, p, estimator = DESIGNS[design]
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(tables):
        fit = estimator.fit(draw(rng, n, p))  # type: ignore[attr-defined]
        shares.append(fit.limits(draw(rng, NEW, p))["inside"].mean())
    return np.array(shares)


def rows() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| rows, fit | inside | error |\n|---|---|---|"
    for design in DESIGNS:
        shares = coverage(design)
        error = shares.std(ddof=1) / np.sqrt(len(shares))
        yield f"| {design} | {shares.mean():.1%} | {error:.1%} |"


def main() -> None:
    about = (
        f"alpha = 0.05; mean over {TABLES} tables of {NEW} new rows, and its Monte-Carlo error.\n"
        "`python -m benchmarks.limits`."
    )
    write_page("limits", "New rows inside the limits of T² and Q together", about, rows())


if __name__ == "__main__":
    main()
