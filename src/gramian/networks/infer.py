"""From a table of expressions to a network: a method scores every pair, a rule picks the edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from gramian._core.array import to_numpy
from gramian._core.check import flag, generator, one_of, positive, share, warn, whole
from gramian._core.frames import in_order_of, labels_of
from gramian._core.parallel import budget_bytes, parallel_map, require_memory
from gramian._core.table import table
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import benjamini_hochberg
from gramian.errors import ConstantColumnWarning, InputError
from gramian.networks.contrasts import conditions_of, without_means
from gramian.networks.correlations import (
    Scores,
    correlations,
    graphical_lasso,
    neighbourhoods,
    partial_correlations,
    unit_columns,
    upper,
)
from gramian.networks.network import Network

METHODS = ("correlation", "partial", "glasso", "neighbourhood")
TESTED = METHODS[:2]  # those with p-values
_BATCH = 32  # tables whose columns are scaled at once: for small ones that is most of the work
_MIN_PARALLEL = 1_000_000  # pairs of columns for which threads pay


class Edges(NamedTuple):
    """The pairs that are edges, as positions among the pairs i < j, and their weights."""

    pairs: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Recipe:
    """A method, its penalties and its rule for edges."""

    method: str = "correlation"
    shrinkage: float | None = None
    penalty: float | None = None
    threshold: float | None = None
    density: float | None = None
    fdr: float | None = None
    join: str = "and"
    signed: bool = True

    least_rows = 3  # two rows make every correlation ±1

    def __post_init__(self) -> None:
        one_of(self.method, "method", METHODS)
        one_of(self.join, "join", ("and", "or"))
        rules = [
            name for name in ("threshold", "density", "fdr") if getattr(self, name) is not None
        ]
        if len(rules) > 1:
            raise InputError(f"{' and '.join(rules)} are given together: give one of them")
        if self.fdr is not None and self.method not in TESTED:
            raise InputError(
                f'fdr={self.fdr!r} needs p-values, which method="{self.method}" has not: leave it '
                "out (the penalty chooses the edges), or give threshold or density"
            )
        if self.penalty is not None and self.method in TESTED:
            raise InputError(f'penalty is for "glasso" and "neighbourhood", not "{self.method}"')
        if self.shrinkage is not None and self.method not in TESTED:
            raise InputError(f'shrinkage is for "correlation" and "partial", not "{self.method}"')
        for name in ("shrinkage", "threshold", "density", "fdr"):
            if getattr(self, name) is not None:
                share(getattr(self, name), name, zero=True, one=True)
        if self.penalty is not None:
            positive(self.penalty, "penalty")

    def scores(self, U: np.ndarray) -> Scores:
        """Return the score of each pair of columns, which have unit length."""
        if self.method == "correlation":
            return correlations(U, self.shrinkage)
        if self.method == "partial":
            return partial_correlations(U, self.shrinkage)
        if self.method == "glasso":
            return Scores(graphical_lasso(U, self.penalty))
        return Scores(neighbourhoods(U, self.penalty, self.join))

    def select(self, scores: Scores) -> np.ndarray:
        """Return which pairs are edges."""
        if self.threshold is not None:
            size = np.abs(scores.values)
            return np.flatnonzero((size >= self.threshold) & (size > 0))
        if self.density is not None:
            return densest(scores, self.density)
        if self.method in TESTED:
            return discoveries(scores, 0.05 if self.fdr is None else self.fdr)
        return np.flatnonzero(scores.values)

    def edges(self, X: np.ndarray) -> Edges:
        """Return the edges found in a table."""
        return self.edges_of(self.scores(unit_columns(X)[0]))

    def edges_of(self, scores: Scores) -> Edges:
        """Return the pairs whose scores make them edges."""
        pairs = self.select(scores)
        weights = scores.values[pairs]
        return Edges(pairs, weights if self.signed else np.abs(weights))

    def many(self, tables: Sequence[np.ndarray]) -> list[Edges]:
        """Return the edges found in each table."""
        p, every = tables[0].shape[1], range(len(tables))
        upper(p)  # cached before the threads ask for it
        networks: dict[int, Edges] = {}

        def work(numbers: Sequence[int]) -> None:
            for start in range(0, len(numbers), _BATCH):
                some = numbers[start : start + _BATCH]
                for shape in {tables[k].shape for k in some}:
                    alike = [k for k in some if tables[k].shape == shape]
                    units, _ = unit_columns(np.stack([tables[k] for k in alike]))
                    for k, U in zip(alike, units, strict=True):
                        networks[k] = self.edges_of(self.scores(U))

        # glasso silences warnings, which threads must not do
        if p**2 * len(tables) < _MIN_PARALLEL or self.method == "glasso":
            work(every)
        else:
            parallel_map(work, every)
        return [networks[k] for k in every]

    def stable(
        self, X: np.ndarray, least: float, n_subsamples: int, rng: np.random.Generator
    ) -> tuple[Edges, np.ndarray]:
        """Return the edges found in at least this share of half-samples, and the share of each."""
        # Halves come in pairs without common rows (Shah and Samworth 2013).
        n, p = X.shape
        half = n // 2
        if half < self.least_rows:
            raise InputError(f"stability needs {2 * self.least_rows} rows, X has {n}: leave it out")
        orders = [rng.permutation(n) for _ in range((n_subsamples + 1) // 2)]
        halves = [X[rows] for order in orders for rows in (order[:half], order[half : 2 * half])]
        return frequent_edges(self.many(halves), p, least)


def frequent_edges(networks: Sequence[Edges], p: int, least: float) -> tuple[Edges, np.ndarray]:
    """Return the edges that a share of networks on p nodes have, mean weights, and their shares."""
    count, total = np.zeros(p * (p - 1) // 2), np.zeros(p * (p - 1) // 2)
    for pairs, weights in networks:
        count[pairs] += 1
        total[pairs] += weights
    often = np.flatnonzero((count >= least * len(networks) - 1e-9) & (total != 0))
    return Edges(often, total[often] / count[often]), count[often] / len(networks)


def as_network(
    names: list[Any],
    edges: Edges,
    edge_values: dict[str, np.ndarray] | None = None,
    details: dict[str, Any] | None = None,
) -> Network:
    """Return edges as a network with names."""
    ends = np.stack(upper(len(names)), axis=1)[edges.pairs]
    return Network.from_edges(names, ends, edges.weights, edge_values, details)


def densest(scores: Scores, density: float) -> np.ndarray:
    """Return the share `density` of the pairs, those with the largest |score|, in order."""
    # Equal scores go by the order of the pairs, so that the number of edges is exact; pairs with
    # score 0 are never edges.
    size = np.abs(scores.values)
    count = min(round(density * size.size), int(np.count_nonzero(size)))
    if count == 0:
        return np.empty(0, dtype=np.int64)
    least = np.partition(size, size.size - count)[size.size - count]
    larger, equal = np.flatnonzero(size > least), np.flatnonzero(size == least)
    return np.sort(np.concatenate([larger, equal[: count - larger.size]]))


def discoveries(scores: Scores, level: float) -> np.ndarray:
    """Return the pairs kept by Benjamini and Hochberg's rule, in order."""
    # p-values fall as |score| grows, so the rule is a threshold: the k largest are kept, k the
    # largest number with p_(k) ≤ level·k/m.
    size, m = np.abs(scores.values), scores.values.size
    assert scores.p_values is not None
    # About the |score| of p-value `level`, below which no pair can be kept.
    grid = np.linspace(0.0, 1.0, 257)
    at = int(np.searchsorted(-scores.p_values(grid), -level))
    pairs = np.flatnonzero(size >= grid[max(at - 1, 0)])
    pairs = pairs[np.argsort(-size[pairs], kind="stable")]
    p = scores.p_values(size[pairs])
    # Those that were left out have larger p-values, and count.
    q = benjamini_hochberg(p) * (m / max(pairs.size, 1))
    return np.sort(pairs[q <= level])


def q_values(scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    """Return the p-value of each pair, and the least rate at which the rule would keep it."""
    assert scores.p_values is not None
    p = scores.p_values(np.abs(scores.values))
    return p, benjamini_hochberg(p)


def infer(
    X: TableLike,
    method: Literal["correlation", "partial", "glasso", "neighbourhood"] = "correlation",
    *,
    condition: VectorLike | None = None,
    shrinkage: float | None = None,
    penalty: float | None = None,
    threshold: float | None = None,
    density: float | None = None,
    fdr: float | None = None,
    stability: float | None = None,
    n_subsamples: int = 50,
    join: Literal["and", "or"] = "and",
    signed: bool = True,
    random_state: SeedLike = None,
) -> Network:
    """Infer a network between the columns of a table, such as genes measured on samples.

    | method | meaning of an edge | |---|---| | "correlation" | two variables move together | |
    "partial" | they do so given all others; correlations are shrunk first | | "glasso" | the same,
    by a penalised precision matrix | | "neighbourhood" | each is needed to predict the other
    (Meinshausen and Bühlmann 2006) |

    Parameters
    ----------
    X : table (n, p)
        Rows are samples, columns variables, which may outnumber the samples.
    method : "correlation", "partial", "glasso" or "neighbourhood"
        What makes an edge: correlations, or partial correlations estimated in one of three ways.
    condition : n labels, optional
        Condition of each sample; the means of conditions are subtracted first, so that variables
        are not joined only because both differ between conditions. n samples of C conditions then
        count as n − C + 1.
    shrinkage : float in [0, 1], optional
        λ of (1 − λ)R + λI, for the first two methods; by default the λ with the smallest expected
        error (Schäfer and Strimmer 2005).
    penalty : positive float, optional
        Penalty of the last two methods, on the scale of correlations; by default the minimum of the
        extended BIC for "glasso", and that of Meinshausen and Bühlmann at level 0.05 for
        "neighbourhood".
    threshold, density, fdr : float, optional
        One rule for edges: |weight| at least `threshold`; the share `density` of the pairs, those
        of largest |weight|; or false discoveries at rate `fdr` (Benjamini and Hochberg). By default
        fdr = 0.05 for the first two methods, and all edges with a non-zero weight for the others.
    stability : float in (0, 1], optional
        Keep the edges that the rule finds in at least this share of random half-samples, of which
        there are `n_subsamples`.
    n_subsamples : int
        Number of subsamples on which edges must be found again.
    join : "and" or "or"
        For "neighbourhood": whether both variables must choose each other, or one.
    signed : bool
        False gives absolute weights.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Returns
    -------
    Network
        Named after the columns. `edges` has p- and q-values where there are tests, and the share
        of half-samples with `stability`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> hub = rng.standard_normal((40, 1))
    >>> X = np.hstack([hub, hub + 0.5 * rng.standard_normal((40, 2)), rng.normal(size=(40, 3))])
    >>> infer(X).edges[["source", "target"]].to_numpy().tolist()
    [['x0', 'x1'], ['x0', 'x2'], ['x1', 'x2']]
    >>> infer(X, "partial").n_edges
    2
    """
    recipe = Recipe(
        method, shrinkage, penalty, threshold, density, fdr, join, flag(signed, "signed")
    )
    values, names = require_columns(X, recipe.least_rows)
    details: dict[str, Any] = {"method": method, "n_rows": len(values)}
    if condition is not None:
        condition = in_order_of(condition, labels_of(X), "condition")
        values = _within(values, condition, recipe.least_rows)
    if stability is not None:
        least = share(stability, "stability", one=True)
        count = whole(n_subsamples, "n_subsamples", 2)
        edges, frequency = recipe.stable(values, least, count, generator(random_state))
        return as_network(names, edges, {"frequency": frequency}, details)
    scores = recipe.scores(unit_columns(values)[0])
    edges, known = recipe.edges_of(scores), {}
    if scores.p_values is not None:
        p, q = q_values(scores)
        known = {"p_value": p[edges.pairs], "q_value": q[edges.pairs]}
    if method in TESTED:
        details["shrinkage"] = scores.shrinkage
    return as_network(names, edges, known, details)


def _within(values: np.ndarray, condition: VectorLike, least: int) -> np.ndarray:
    """Return the table less the means of conditions; refuse one of which nothing is left."""
    codes, names = conditions_of(condition, len(values))
    left = len(values) - len(names) + 1
    if left < least:
        raise InputError(
            f"condition has {len(names)} conditions for {len(values)} rows, which leaves too "
            f"little to see links by: give at least {len(names) + least - 1} rows"
        )
    return without_means(values, codes)


def require_conditions(
    X: TableLike, condition: VectorLike, least: int
) -> tuple[np.ndarray, list[str], np.ndarray, list[str]]:
    """Return samples (n, p), the names of columns, codes of conditions, and the names of these."""
    values, names = require_columns(X, least)
    condition = in_order_of(condition, labels_of(X), "condition")
    codes, conditions = conditions_of(condition, len(values))
    smallest = np.bincount(codes).min()
    if len(conditions) < 2 or smallest < least:
        raise InputError(
            f"condition has {len(conditions)} conditions, the smallest of {smallest} samples: "
            f"give at least 2 of at least {least}"
        )
    return values, names, codes, conditions


def require_columns(X: TableLike, least_rows: int) -> tuple[np.ndarray, list[Any]]:
    """Return the numbers and the names of the columns; warn about constant ones."""
    rows = table(X, min_rows=least_rows, allow_sparse=False)
    values = np.asarray(to_numpy(rows.values), dtype=np.float64)
    p = values.shape[1]
    require_memory(
        40.0 * p**2, budget_bytes(None), f"all pairs of {p} columns", "keep fewer columns"
    )
    if p < 2:
        raise InputError("X has 1 column: a network needs at least 2")
    names = [f"x{k}" for k in range(p)] if rows.columns is None else rows.columns
    constant = np.flatnonzero(unit_columns(values)[1])
    if constant.size:
        some = ", ".join(str(names[k])[:40] for k in constant[:3])
        more = f" and {constant.size - 3} more" if constant.size > 3 else ""
        warn(f"X has constant columns ({some}{more}): they have no edges", ConstantColumnWarning)
    return values, names
