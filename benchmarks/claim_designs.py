"""Tables with a known answer, for the count of false and missed claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["DESIGNS", "Design", "Maker", "Rng", "frame"]

Rng = np.random.Generator
Maker = Callable[[Rng], Any]
LOADED = ("axes", "axis-variable")


@dataclass(frozen=True)
class Design:
    """How a table is made, and which claims about it are true."""

    name: str
    make: Maker
    allowed: tuple[str, ...] = ()  # kinds that are true of it; others that were found are false
    wanted: tuple[str, ...] = ()  # kinds of which one at least must be found
    variables: frozenset[str] | None = None  # those that make the axes
    rows: bool = False  # whether a row that is named is a false one
    outlier: str | None = None  # the row that must be named
    axes: int | None = None  # the number of axes that there are
    group: str | None = None  # the group that must be found
    method: str = "auto"
    counted_once: bool = True  # what is claimed "if individuals were counted independently" applies


def frame(X: np.ndarray, **columns: Any) -> pd.DataFrame:
    """Return a table with names v0, v1, …"""
    table = pd.DataFrame(X, columns=[f"v{j}" for j in range(X.shape[1])])
    table.index = pd.Index([f"r{i}" for i in range(len(X))])
    return table.assign(**columns)


def cells(draw: Callable[[Rng, tuple[int, int]], np.ndarray], n: int, p: int) -> Maker:
    """Return a table of independent cells."""
    return lambda rng: frame(draw(rng, (n, p)))


def normal(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """Return normal cells."""
    return rng.standard_normal(shape)


def zero_inflated(rng: Rng, shape: tuple[int, int]) -> np.ndarray:
    """Return negative binomial counts, half of them set to zero."""
    return rng.negative_binomial(2, 0.2, shape) * (rng.random(shape) < 0.5)


def autoregressive(rng: Rng, n: int, p: int, a: float) -> np.ndarray:
    """Return columns each of which follows itself."""
    E = rng.standard_normal((n + 100, p))
    for i in range(1, len(E)):
        E[i] += a * E[i - 1]
    return E[100:]


def unequal(rng: Rng, n: int, p: int) -> np.ndarray:
    """Return rows of standard deviations between 0.3 and 3."""
    return rng.standard_normal((n, p)) * np.exp(rng.uniform(np.log(0.3), np.log(3), (n, 1)))


def planted(
    n: int, p: int, on: list[int], size: float, noise: Callable[..., np.ndarray] = normal
) -> Maker:
    """Return factors, each on so many columns of its own."""

    def make(rng: Rng) -> pd.DataFrame:
        X, start = noise(rng, (n, p)), 0
        for count in on:
            X[:, start : start + count] += size * rng.standard_normal((n, 1))
            start += count
        return frame(X)

    return make


def names(count: int) -> frozenset[str]:
    """Return the names of the first columns."""
    return frozenset(f"v{j}" for j in range(count))


def grouped(
    n: int, p: int, small: int, shift: float, on: int, sd: float = 1.0, skew: bool = False
) -> Maker:
    """Return normal columns and two groups; the small one is shifted, more variable or skewed."""

    def make(rng: Rng) -> pd.DataFrame:
        X = rng.standard_normal((n, p))
        member = np.zeros(n, dtype=bool)
        member[rng.permutation(n)[:small]] = True
        if skew:
            X[member] = rng.exponential(1.0, (small, p)) - 1.0
        X[member] *= sd
        X[member, :on] += shift
        return frame(X, side=np.where(member, "a", "b"))

    return make


def circle(n: int, p: int, sd: float) -> Maker:
    """Return a noisy circle in p dimensions, turned at random."""

    def make(rng: Rng) -> pd.DataFrame:
        t = rng.uniform(0, 2 * np.pi, n)
        plane = np.linalg.qr(rng.standard_normal((p, 2)))[0]
        C = np.stack([np.cos(t), np.sin(t)], axis=1) * np.sqrt(2)
        return frame(C @ plane.T * np.sqrt(p / 2) + sd * rng.standard_normal((n, p)))

    return make


def rings(rng: Rng) -> pd.DataFrame:
    """Return two rings, one in the other."""
    t = rng.uniform(0, 2 * np.pi, 200)
    r = np.repeat([1.0, 3.0], 100)
    X = np.stack([r * np.cos(t), r * np.sin(t)], axis=1)
    return frame(X + 0.15 * rng.standard_normal(X.shape))


def xor(rng: Rng) -> pd.DataFrame:
    """Return four clusters at the corners of a square, and two columns of noise."""
    signs = rng.choice([-1.0, 1.0], (160, 2))
    X = np.hstack([2 * signs, np.zeros((160, 2))]) + np.array(
        [0.4, 0.4, 1, 1]
    ) * rng.standard_normal((160, 4))
    return frame(X)


def parabola(rng: Rng) -> pd.DataFrame:
    """Return a bent line in six columns."""
    t = rng.uniform(-1, 1, 120)
    base = np.stack([t, 2 * t**2 - 2 / 3], axis=1)
    A = rng.standard_normal((2, 6))
    return frame(base @ A + 0.15 * rng.standard_normal((120, 6)))


def swiss_roll(rng: Rng) -> pd.DataFrame:
    """Return a rolled sheet."""
    t = 1.5 * np.pi * (1 + 2 * rng.random(300))
    X = np.stack([t * np.cos(t), 21 * rng.random(300), t * np.sin(t)], axis=1)
    return frame(X + 0.3 * rng.standard_normal(X.shape))


def clusters(rng: Rng) -> pd.DataFrame:
    """Return three clusters in six columns."""
    centres = 3.0 * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]]) @ rng.standard_normal((3, 6))
    return frame(centres[rng.integers(0, 3, 120)] + rng.standard_normal((120, 6)) * 0.6)


def outlying(rng: Rng) -> pd.DataFrame:
    """Return a factor and one row far from all others."""
    X = rng.standard_normal((60, 8))
    X[:, :4] += 1.5 * rng.standard_normal((60, 1))
    X[7] = 9.0 * rng.choice([-1.0, 1.0], 8)
    return frame(X)


def one_long_tail(apart: bool) -> Maker:
    """Return a lognormal column beside normal ones, of which three may set a row apart."""

    def make(rng: Rng) -> pd.DataFrame:
        X = np.column_stack([rng.lognormal(0, 1.5, 60), rng.standard_normal((60, 7))])
        X[7, 1:4] += 9.0 * apart * rng.choice([-1.0, 1.0], 3)
        return frame(X)

    return make


def filled(rng: Rng) -> pd.DataFrame:
    """Return noise with rows of 0 to 90 % missing values, for the reader to fill."""
    X = rng.standard_normal((60, 8))
    X[rng.random((60, 8)) < rng.uniform(0, 0.9, (60, 1))] = np.nan
    return frame(X)


def distances(n: int, p: int, q: int) -> Maker:
    """Return distances between points: noise in p dimensions, q of them five times as wide."""

    def make(rng: Rng) -> Any:
        from scipy.spatial.distance import pdist, squareform

        from gramian.io import Source

        X = rng.standard_normal((n, p))
        X[:, :q] *= 6.0
        labels = [f"r{i}" for i in range(n)]
        D = pd.DataFrame(squareform(pdist(X)), index=labels, columns=labels)
        return Source("distances", labels, distances=D)

    return make


def sequences(families: int, n: int, length: int) -> Maker:
    """Return random sequences, of so many families where there are any."""

    def make(rng: Rng) -> Any:
        from gramian.io import Source

        letters = np.array(list("ACDEFGHIKLMNPQRSTVWY"))
        out = rng.integers(0, 20, (n, length))
        if families:
            ancestors = rng.integers(0, 20, (families, length))
            changed = rng.random((n, length)) < 0.25
            out = np.where(changed, out, ancestors[np.arange(n) % families])
        texts = ["".join(letters[row]) for row in out]
        return Source("sequences", [f"s{i}" for i in range(n)], sequences=texts)

    return make


def graphs(kinds: int, n: int) -> Maker:
    """Return random graphs of one kind, or rings and stars among them."""

    def make(rng: Rng) -> Any:
        import networkx as nx

        from gramian.io import Source
        from gramian.kernels.graph import as_graph

        made = []
        for i in range(n):
            seed = int(rng.integers(2**31))
            random = nx.gnm_random_graph(14, 24, seed=seed)
            small = nx.connected_watts_strogatz_graph(14, 4, 0.05, seed=seed)
            made.append(as_graph(small if kinds == 2 and i % 2 else random))
        return Source("graphs", [f"g{i}" for i in range(n)], graphs=made)

    return make


_NOISE = [
    Design(f"normal {n} × {p}", cells(normal, n, p), rows=True)
    for n, p in [
        (8, 4),
        (8, 20),
        (12, 6),
        (20, 3),
        (60, 10),
        (40, 60),
        (15, 600),
        (300, 30),
        (3000, 10),
    ]
]
_CELLS: list[tuple[str, Callable[[Rng, tuple[int, int]], np.ndarray], int, int]] = [
    ("t3", lambda r, s: r.standard_t(3, s), 60, 8),
    ("t3, wide", lambda r, s: r.standard_t(3, s), 40, 60),
    ("Cauchy", lambda r, s: r.standard_cauchy(s), 60, 8),
    ("lognormal(1)", lambda r, s: r.lognormal(0, 1, s), 60, 8),
    ("lognormal(1.5)", lambda r, s: r.lognormal(0, 1.5, s), 200, 8),
    ("Bernoulli(0.05)", lambda r, s: (r.random(s) < 0.05) * 1.0, 100, 10),
    ("Poisson(0.3)", lambda r, s: r.poisson(0.3, s) * 1.0, 60, 10),
    ("zero-inflated counts", zero_inflated, 100, 12),
    ("uniform", lambda r, s: r.random(s), 300, 3),
    ("uniform", lambda r, s: r.random(s), 60, 8),
]
_ROWS: list[tuple[str, Callable[[Rng], np.ndarray]]] = [
    ("AR(0.8) rows 60 × 8", lambda r: autoregressive(r, 60, 8, 0.8)),
    ("AR(0.8) rows 300 × 20", lambda r: autoregressive(r, 300, 20, 0.8)),
    ("random walks 60 × 8", lambda r: np.cumsum(r.standard_normal((60, 8)), axis=0)),
    ("every row twice 60 × 10", lambda r: r.standard_normal((30, 10)).repeat(2, axis=0)),
    ("rows of sd 0.3 to 3, 60 × 10", lambda r: unequal(r, 60, 10)),
    (
        "elliptic t5 rows 100 × 8",
        lambda r: r.standard_normal((100, 8)) / np.sqrt(r.chisquare(5, (100, 1)) / 5),
    ),
]
_SHIFT = ("group", "axis-group", "axes", "cluster")
_PLANTED = [
    Design("one factor 60 × 10", planted(60, 10, [5], 2.0), LOADED, ("axes",), names(5), axes=1),
    Design(
        "two factors 100 × 15", planted(100, 15, [5, 4], 2.0), LOADED, ("axes",), names(9), axes=2
    ),
    Design(
        "three factors 60 × 120",
        planted(60, 120, [20, 20, 20], 1.5),
        LOADED,
        ("axes",),
        names(60),
        axes=3,
    ),
    Design(
        "5 of 60 columns, 40 rows", planted(40, 60, [5], 2.0), LOADED, ("axes",), names(5), axes=1
    ),
    Design(
        "30 of 600 columns, 15 rows",
        planted(15, 600, [30], 2.5),
        LOADED,
        ("axes",),
        names(30),
        axes=1,
    ),
    Design(
        "one factor, t3 noise 100 × 12",
        planted(100, 12, [6], 3.0, lambda r, s: r.standard_t(3, s)),
        LOADED,
        ("axes",),
        names(6),
        axes=1,
    ),
    Design(
        "2 sd in one of 10 columns",
        grouped(60, 10, 30, 2.0, 1),
        (*_SHIFT[:2], "cluster"),
        ("group",),
        group="side",
    ),
    Design(
        "1.5 sd in three of 10 columns",
        grouped(100, 10, 50, 1.5, 3),
        _SHIFT,
        ("group",),
        group="side",
    ),
    Design(
        "small group of 8 in 100, 3 sd",
        grouped(100, 8, 8, 3.0, 3),
        _SHIFT,
        ("group",),
        group="side",
    ),
    Design("circle in 10 columns, 100 rows", circle(100, 10, 0.3), ("axes", "curve"), ("curve",)),
    Design("two rings", rings, ("curve", "cluster", "axes"), ("curve", "cluster")),
    Design("XOR", xor, ("curve", "cluster", "axes"), ("curve", "cluster")),
    Design("parabola", parabola, ("axes", "curve"), ("curve",)),
    Design("Swiss roll", swiss_roll, ("axes", "curve"), ("curve",)),
    Design("three clusters", clusters, ("axes", "cluster"), ("cluster",)),
    Design("one row apart", outlying, ("axes",), ("row",), outlier="r7"),
    Design("one row apart, one long tail", one_long_tail(True), ("axes",), ("row",), outlier="r7"),
    Design("one long tail of 8", one_long_tail(False), rows=True),
]
_GROUPS = [
    Design("random groups", grouped(60, 8, 30, 0.0, 0)),
    Design("random groups, 6 of 60", grouped(60, 8, 6, 0.0, 0)),
    Design("random groups, 8 rows", grouped(8, 4, 4, 0.0, 0)),
    Design("equal means, 6 of 60 with 3 sd", grouped(60, 8, 6, 0.0, 0, sd=3.0)),
    Design("equal means, 6 of 60 skewed", grouped(60, 8, 6, 0.0, 0, skew=True)),
]
_OBJECTS = [
    Design("distances of noise, 40 in 20", distances(40, 20, 0)),
    Design("distances of two wide axes", distances(40, 20, 2), ("axes",), ("axes",)),
    Design("random sequences", sequences(0, 30, 80)),
    Design("four families of sequences", sequences(4, 48, 80), ("axes",), ("axes",)),
    Design("random graphs", graphs(1, 20)),
    Design("two kinds of graphs", graphs(2, 20), ("axes",), ("axes",)),
]
DESIGNS = [
    *_NOISE,
    *(Design(f"{name} {n} × {p}", cells(draw, n, p)) for name, draw, n, p in _CELLS),
    *(Design(name, lambda rng, draw=draw: frame(draw(rng))) for name, draw in _ROWS),
    Design("noise, holes filled with means", filled),
    *_GROUPS,
    *_PLANTED,
    *_OBJECTS,
]
