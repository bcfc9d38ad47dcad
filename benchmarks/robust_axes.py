"""How far wild rows turn axes: classical and robust PCA under contamination.

`python -m benchmarks.robust_axes` writes benchmarks/results/robust_axes.md.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.linalg import subspace_angles

import gramian as gm
from benchmarks.runner import write_page

METHODS = ("hubert", "spherical", "pursuit")
DESIGNS = {  # rows, columns, deviations on the first axes; 1 on the others
    "200 × 6": (200, 6, (8.0, 5.0)),
    "400 × 20": (400, 20, (12.0, 8.0)),
    "60 × 100": (60, 100, (30.0, 20.0)),
}
TABLES = 20
SHARES = (0.0, 0.1, 0.2)


def table(rng: np.random.Generator, n: int, p: int, sizes: tuple[float, ...], share: float):
    """Return rows whose first axes are the first columns, a share of them far off on the last."""
    X = rng.standard_normal((n, p))
    X[:, : len(sizes)] *= sizes
    wild = int(share * n)
    X[:wild, -1] += 10.0 * sizes[0]
    X[:wild, :-1] *= 0.5
    return X


def angle(components: np.ndarray, q: int) -> float:
    """Return the largest angle to the span of the first columns, in degrees."""
    truth = np.eye(components.shape[1])[:, :q]
    return float(np.degrees(subspace_angles(truth, components.T).max()))


def angles(design: str, share: float, tables: int = TABLES) -> dict[str, np.ndarray]:
    """Return the angle of each method in each table."""
    n, p, sizes = DESIGNS[design]
    rng = np.random.default_rng(0)
    out: dict[str, list[float]] = {name: [] for name in ("classical", *METHODS)}
    for _ in range(tables):
        X, q = table(rng, n, p, sizes, share), len(sizes)
        out["classical"].append(angle(gm.PCA(q).fit(X).components_, q))
        for method in METHODS:
            fit = gm.RobustPCA(q, method=method, random_state=0).fit(X)
            out[method].append(angle(fit.components_, q))
    return {name: np.array(values) for name, values in out.items()}


def rows() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| table | wild rows | classical | hubert | spherical | pursuit |"
    yield "|---|---|---|---|---|---|"
    for design, share in product(DESIGNS, SHARES):
        found = angles(design, share).values()
        cells = [f"{a.mean():.1f} ({a.std(ddof=1) / np.sqrt(len(a)):.1f})" for a in found]
        yield f"| {design} | {share:.0%} | {' | '.join(cells)} |"


def main() -> None:
    about = (
        f"Mean over {TABLES} tables (standard error); a share of the rows lies ten deviations of\n"
        "the first axis off, along the last column. `python -m benchmarks.robust_axes`."
    )
    title = "Angles between the true plane and that of the first two axes, in degrees"
    write_page("robust_axes", title, about, rows())


if __name__ == "__main__":
    main()
