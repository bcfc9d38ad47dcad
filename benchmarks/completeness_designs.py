"""Problems whose leading eigenvalues are known, with exact and near ties among them.

The truth comes from closed forms or from LAPACK, in plain NumPy: nothing here uses our operators or
solvers. A family makes problems from parameters; it lists some of them, and draws others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

KEPT = 60  # leading eigenvalues that are kept of each problem
FLOOR = 1e-4  # of the first eigenvalue: below, rounding would decide on ties
TIE, UNJUDGED = 1e-8, 3.0  # the gap that makes a tie, and the factor around it that is not judged
NEAR = 2e-2  # relative gap under which eigenvalues are worth cutting between
MOST = 12  # axes of a fit

Kernel = tuple[str, float]
PROFILES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "Gaussian": lambda d: np.exp(-0.5 * d**2),
    "Exponential": lambda d: np.exp(-d),
    "Matern": lambda d: (1.0 + np.sqrt(3.0) * d) * np.exp(-np.sqrt(3.0) * d),
    "RationalQuadratic": lambda d: (1.0 + d**2 / 4.0) ** -2,
    "Laplacian": lambda d: np.exp(-d),
}
RADIAL = ("Gaussian", "Exponential", "Matern", "RationalQuadratic")


def kernel_values(kernel: Kernel, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """k(x, y) by its formula."""
    name, scale = kernel
    metric = "cityblock" if name == "Laplacian" else "euclidean"
    return PROFILES[name](cdist(X, Y, metric) / scale)


def centred(K: np.ndarray) -> np.ndarray:
    """K without its means of rows and columns."""
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


def descending(values: Any) -> np.ndarray:
    """The leading values."""
    return np.sort(np.asarray(values, dtype=float).ravel())[::-1][:KEPT].copy()


def lapack_values(K: np.ndarray) -> np.ndarray:
    """The leading eigenvalues of a centred Gram matrix over n."""
    return descending(np.linalg.eigvalsh(centred(K))) / len(K)


def cyclic_values(blocks: np.ndarray) -> np.ndarray:
    """Those of a Gram matrix whose block (i, j) is blocks[j − i], (f, m, m), by Fourier."""
    f, m = blocks.shape[:2]
    waves = np.fft.fft(blocks, axis=0)
    waves[0] = centred(waves[0].real)
    waves = 0.5 * (waves + waves.conj().transpose(0, 2, 1))
    return descending(np.linalg.eigvalsh(waves)) / (f * m)


def cyclic_values_of_points(kernel: Kernel, X: np.ndarray, f: int) -> np.ndarray:
    """Those of points in f cells, each of which a symmetry takes to the next."""
    m = len(X) // f
    return cyclic_values(kernel_values(kernel, X[:m], X).reshape(m, f, m).transpose(1, 0, 2))


@dataclass(frozen=True)
class Problem:
    """Data and the leading eigenvalues (inertias) that a fit of them should have."""

    kind: str  # "points", "gram", "table", "sparse", "counts" or "levels"
    data: Any
    truth: Callable[[], np.ndarray]
    kernel: Kernel | None = None

    @property
    def n(self) -> int:
        return self.data.shape[0]

    @cached_property
    def values(self) -> np.ndarray:
        """The leading eigenvalues, descending."""
        return self.truth()

    @cached_property
    def gram(self) -> np.ndarray:
        """The Gram matrix of points, or as it is."""
        if self.kernel is None:
            return self.data
        return kernel_values(self.kernel, self.data, self.data)

    @property
    def most(self) -> int:
        """The largest number of axes whose ties are above rounding."""
        clear = np.count_nonzero(self.values > FLOOR * self.values[0]) - 1
        return max(1, min(MOST, clear))


def gaps_of(values: np.ndarray) -> np.ndarray:
    """The relative gaps between neighbours."""
    return -np.diff(values) / values[:-1]


def ties_of(values: np.ndarray, q: int) -> list[tuple[int, ...]] | None:
    """The ties of the first q axes and the one after them; None where a gap is at the limit."""
    gaps = gaps_of(values[: q + 1])
    if ((gaps > TIE / UNJUDGED) & (gaps < TIE * UNJUDGED)).any():
        return None
    groups, start = [], 0
    for k in range(1, len(gaps) + 2):
        if k == len(gaps) + 1 or gaps[k - 1] >= TIE:
            if k - start > 1:
                groups.append(tuple(range(start + 1, k + 1)))
            start = k
    return groups


def cuts(problem: Problem, count: int) -> list[int]:
    """Numbers of axes on, before and after ties, those of the first tie and near tie first."""
    gaps, chosen = gaps_of(problem.values[: problem.most + 2]), []
    for limit in (TIE, NEAR):
        edges = np.diff(np.concatenate([[0], gaps < limit, [0]]).astype(int))
        # Axes first + 1 to last + 1 are alike: cut between them, on the last, before and after.
        for first, last in zip(*(np.flatnonzero(edges == s) for s in (1, -1)), strict=True):
            chosen.append([first + 1, last + 1, last + 2, first, last])
    order = [q for some in zip(*chosen, strict=True) for q in some]  # of all ties in turn
    order = [*chosen[0][:3], *order] if chosen else [1, 2, 4, 6]
    return sorted([int(q) for q in dict.fromkeys(order) if 1 <= q <= problem.most][:count]) or [1]


@dataclass(frozen=True)
class Family:
    """Problems of one make."""

    kind: str  # of its problems
    make: Callable[..., Problem]
    listed: list[dict[str, Any]]
    draw: Callable[[np.random.Generator], dict[str, Any]]


@dataclass(frozen=True)
class Design:
    """One problem, made when it is needed."""

    family: str
    number: int
    random: bool
    parameters: dict[str, Any] = field(hash=False)

    @property
    def name(self) -> str:
        return f"{self.family}{' random' * self.random} {self.number}"

    def problem(self) -> Problem:
        """Make the data and the truth."""
        return FAMILIES[self.family].make(**self.parameters)


FAMILIES: dict[str, Family] = {}


def family(
    kind: str,
    listed: list[dict[str, Any]],
    draw: Callable[[np.random.Generator], dict[str, Any]],
) -> Callable[[Callable[..., Problem]], Callable[..., Problem]]:
    """Register the function that makes the problems of a family."""

    def register(make: Callable[..., Problem]) -> Callable[..., Problem]:
        FAMILIES[make.__name__] = Family(kind, make, listed, draw)
        return make

    return register


def grid(**choices: list[Any]) -> list[dict[str, Any]]:
    """Every combination of the choices."""
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


def some_kernel(rng: np.random.Generator, scale: float, names: tuple[str, ...] = (*PROFILES,)):
    """A kernel whose scale is near the one given."""
    return str(rng.choice(names)), float(scale * np.exp(rng.uniform(-0.7, 0.7)))


def kernels(*scales: float, names: tuple[str, ...] = (*PROFILES,)) -> list[Kernel]:
    """Every kernel of these scales."""
    return [(name, scale) for name, scale in product(names, scales)]


def angles(n: int) -> np.ndarray:
    """Points on the unit circle."""
    t = 2 * np.pi * np.arange(n) / n
    return np.c_[np.cos(t), np.sin(t)]


# Points with symmetries ----------------------------------------------------------------------


@family(
    "points",
    grid(a=[20, 24, 30, 40], b=[20, 21], kernel=kernels(0.3, 1.0, names=RADIAL))
    + grid(a=[30], b=[30], kernel=kernels(0.5, names=RADIAL))
    + grid(a=[70, 100], b=[70], kernel=[("Gaussian", 0.5), ("Exponential", 1.0)])
    + grid(a=[100], b=[100], kernel=[("Gaussian", 0.5)]),
    lambda r: {
        "a": int(r.integers(14, 31)),
        "b": int(r.integers(14, 31)),
        "kernel": some_kernel(r, 0.6, RADIAL),
    },
)
def torus(a: int, b: int, kernel: Kernel) -> Problem:
    """A grid on the flat torus, in four dimensions."""
    X = np.hstack([np.repeat(angles(a), b, axis=0), np.tile(angles(b), (a, 1))])
    return Problem("points", X, lambda: cyclic_values_of_points(kernel, X, a), kernel)


@family(
    "points",
    grid(n=[405, 500, 800, 1200, 1999], kernel=kernels(0.1, 0.3, 1.0, names=RADIAL))
    + grid(n=[3000, 9000], kernel=[("Gaussian", 0.3), ("Exponential", 0.3)]),
    lambda r: {"n": int(r.integers(300, 900)), "kernel": some_kernel(r, 0.3, RADIAL)},
)
def circle(n: int, kernel: Kernel) -> Problem:
    """Equally spaced points on a circle: every axis but one is double."""
    X = angles(n)
    return Problem("points", X, lambda: cyclic_values_of_points(kernel, X, n), kernel)


@family(
    "points",
    grid(
        shape=[(21, 21), (25, 25), (30, 20), (9, 9, 9), (3,) * 6, (2,) * 9, (5,) * 4],
        kernel=kernels(1.0, 3.0),
    )
    + grid(shape=[(25, 25), (20, 30), (3,) * 6], kernel=kernels(20.0))
    + grid(shape=[(40, 40), (2,) * 10, (4,) * 5], kernel=kernels(1.0)),
    lambda r: {
        "shape": tuple(
            int(side)
            for side in [r.integers(17, 28, 1).repeat(2), r.integers(7, 9, 1).repeat(3), [3] * 6][
                int(r.integers(3))
            ]
        ),
        "kernel": some_kernel(r, 1.5),
    },
)
def lattice(shape: tuple[int, ...], kernel: Kernel) -> Problem:
    """The points with whole coordinates of a box."""
    X = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), -1).reshape(-1, len(shape))
    X = X.astype(float)
    return Problem("points", X, lambda: lapack_values(kernel_values(kernel, X, X)), kernel)


@family(
    "points",
    grid(k=[3, 5, 8], m=[150], spread=[0.3, 1.0], kernel=kernels(1.0))
    + grid(k=[5], m=[100], spread=[0.0], kernel=kernels(1.0))
    + grid(k=[10, 50], m=[150], spread=[0.3], kernel=kernels(1.0, names=("Gaussian", "Laplacian"))),
    lambda r: {
        "k": int(r.integers(2, 8)),
        "m": int(r.integers(100, 150)),
        "spread": float(r.choice([0.0, 0.1, 0.5, 1.0])),
        "kernel": some_kernel(r, 1.0),
        "seed": int(r.integers(1 << 30)),
    },
)
def simplex(k: int, m: int, spread: float, kernel: Kernel, seed: int = 0) -> Problem:
    """The same cluster at each corner of a simplex: axes come in sets of k − 1."""
    B = np.random.default_rng(seed).standard_normal((m, 3)) * spread
    X = np.hstack([2.0 * np.repeat(np.eye(k), m, axis=0), np.tile(B, (k, 1))])
    return Problem("points", X, lambda: cyclic_values_of_points(kernel, X, k), kernel)


@family(
    "points",
    grid(f=[2, 3, 4, 5, 6], m=[150, 200], seed=[0], kernel=kernels(0.3, 1.0, names=RADIAL))
    + grid(f=[4], m=[200], seed=[1, 2, 3, 4, 5], kernel=[("Gaussian", 0.3), ("Matern", 0.5)])
    + grid(f=[4], m=[1000, 2200], seed=[0], kernel=[("Gaussian", 0.3)]),
    lambda r: {
        "f": int(r.integers(3, 8)),
        "m": int(r.integers(90, 140)),
        "seed": int(r.integers(1 << 30)),
        "kernel": some_kernel(r, 0.5, RADIAL),
    },
)
def rotated(f: int, m: int, seed: int, kernel: Kernel) -> Problem:
    """A cloud and its images under turns by 1/f of a circle."""
    B = np.random.default_rng(seed).standard_normal((m, 2)) + np.array([2, 0.3])
    turns = [2 * np.pi * j / f for j in range(f)]
    exact = {0: (1.0, 0.0), 1: (0.0, 1.0), 2: (-1.0, 0.0), 3: (0.0, -1.0)}  # quarters
    sides = [
        exact[4 * j // f] if 4 * j % f == 0 else (np.cos(t), np.sin(t)) for j, t in enumerate(turns)
    ]
    X = np.vstack([B @ np.array([[c, s], [-s, c]]) for c, s in sides])
    return Problem("points", X, lambda: cyclic_values_of_points(kernel, X, f), kernel)


@family(
    "points",
    grid(copies=[2, 3, 4], m=[180, 300], seed=[0], kernel=kernels(0.5)),
    lambda r: {
        "copies": int(r.integers(2, 5)),
        "m": int(r.integers(110, 170)),
        "seed": int(r.integers(1 << 30)),
        "kernel": some_kernel(r, 0.5),
    },
)
def copies(copies: int, m: int, seed: int, kernel: Kernel) -> Problem:
    """The same cloud several times, so far apart that similarities vanish, or nearly."""
    rng = np.random.default_rng(seed)
    B = rng.standard_normal((m, 3))
    X = np.hstack([100.0 * np.repeat(np.eye(copies), m, axis=0), np.tile(B, (copies, 1))])
    Y = X[rng.permutation(len(X))]
    return Problem("points", Y, lambda: cyclic_values_of_points(kernel, X, copies), kernel)


@family(
    "points",
    grid(n=[500, 900, 1500], groups=[2, 8], size=[2, 5], name=["Gaussian", "Laplacian"])
    + grid(n=[8200], groups=[8], size=[5], name=["Gaussian", "Exponential"])
    + grid(n=[3000], groups=[3], size=[4], name=["Gaussian"]),
    lambda r: {
        "n": int(r.integers(300, 700)),
        "groups": int(r.integers(2, 10)),
        "size": int(r.integers(2, 9)),
        "name": str(r.choice([*PROFILES])),
        "seed": int(r.integers(1 << 30)),
    },
)
def groups(n: int, groups: int, size: int, name: str, seed: int = 0) -> Problem:
    """Groups of identical points among isolated ones: K is the identity but for their blocks."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 10)) * 10
    together, alone = groups * size, n - groups * size
    X[:together] = np.repeat(X[:groups], size, axis=0)
    kernel = (name, 1e-4 if name != "RationalQuadratic" else 1e-7)
    both = (size * alone + together) / n  # groups against isolated points
    values = [size] * (groups - 1) + [both] + [1.0] * min(alone - 1, KEPT)
    return Problem("points", X[rng.permutation(n)], lambda: descending(values) / n, kernel)


# Points without a symmetry -------------------------------------------------------------------


def tight_groups(n: int, rng: np.random.Generator) -> np.ndarray:
    """Some groups of a few equal or nearly equal points among isolated ones."""
    X = rng.standard_normal((n, 10)) * 10
    order, start = rng.permutation(n), 0
    for _ in range(int(rng.integers(3, 16))):
        size = int(rng.integers(2, 9))
        members = order[start : start + size]
        X[members] = X[members[0]] + rng.choice([0.0, 0.01, 0.3]) * rng.standard_normal((size, 10))
        start += size
    return X


def scales(n: int, rng: np.random.Generator) -> np.ndarray:
    """Clusters whose widths differ by powers of ten, some of a few points."""
    parts, left = [], n
    while left > 0:
        size = min(left, int(np.exp(rng.uniform(np.log(2), np.log(n / 8)))))
        width = 10.0 ** rng.uniform(-3, 1.3)
        parts.append(rng.standard_normal(6) * 30 + width * rng.standard_normal((size, 6)))
        left -= size
    return rng.permutation(np.concatenate(parts))


def repeated(n: int, rng: np.random.Generator) -> np.ndarray:
    """The same small block of points in many places, and isolated points."""
    block = rng.standard_normal((int(rng.integers(3, 9)), 5)) * 0.4
    times = int(rng.integers(5, max(6, n // (4 * len(block)))))
    X = rng.standard_normal((n, 5)) * 60
    for j in range(times):
        rows = slice(j * len(block), (j + 1) * len(block))
        X[rows] = block + rng.standard_normal(5) * 60
    return rng.permutation(X)


def ordinary(n: int, rng: np.random.Generator) -> np.ndarray:
    """A cloud in which every point says something of the others."""
    return rng.standard_normal((n, 4)) * 0.7 ** np.arange(4) * rng.uniform(0.3, 3)


CLOUDS = {f.__name__: f for f in (tight_groups, scales, repeated, ordinary)}


@family(
    "points",
    grid(cloud=[*CLOUDS], n=[450, 900], seed=[0], kernel=kernels(1.0)),
    lambda r: {
        "cloud": str(r.choice([*CLOUDS])),
        "n": int(r.integers(300, 700)),
        "seed": int(r.integers(1 << 30)),
        "kernel": some_kernel(r, 1.0),
    },
)
def cloud(cloud: str, n: int, seed: int, kernel: Kernel) -> Problem:
    """Random clouds of several scales, of which a sample says little."""
    X = CLOUDS[cloud](n, np.random.default_rng(seed))
    return Problem("points", X, lambda: lapack_values(kernel_values(kernel, X, X)), kernel)


# Matrices ------------------------------------------------------------------------------------

HEADS: dict[str, list[int]] = {  # multiplicities of the leading eigenvalues
    "first double": [2, 1, 1, 1],
    "second double": [1, 2, 1, 1],
    "fourth double": [1, 1, 1, 2, 1],
    "triple": [1, 3, 1, 2],
    "all double": [2] * 8,
    "fivefold": [1, 5, 1],
}
GAPS = [0.0, *(10.0**-k for k in range(2, 10))]


def prescribed(head: str, gap: float, tail: str, count: int) -> np.ndarray:
    """Descending eigenvalues: those of a head, equal to a relative gap, and a tail."""
    values, level = [], 1.0
    for size in HEADS[head]:
        values += [level * (1.0 - gap * j / max(size - 1, 1)) for j in range(size)]
        level *= 0.85
    j = np.arange(1, count - len(values) + 1)
    tails = {"flat": 0.9 * (1.0 - j / (count + 1)), "steep": 0.8**j, "low": 1e-3 * 0.999**j}
    if tail == "pairs":
        tails["pairs"] = 0.9 * (1.0 - (j // 2) / count)
    return np.sort(np.append(values, level * tails[tail]))[::-1]


def reflected(M: np.ndarray, rng: np.random.Generator, times: int = 3) -> np.ndarray:
    """M with its rows in random directions, all of them orthogonal to (1, …, 1) but the first.

    By Householder reflections: they keep eigenvalues and singular values to the last digits.
    """
    n = len(M)
    for _ in range(times):
        v = np.append(0.0, rng.standard_normal(n - 1))
        M = M - np.outer(v * (2.0 / (v @ v)), v @ M)
    v = np.full(n, n**-0.5)
    v[0] -= 1.0
    return M - np.outer(v * (2.0 / (v @ v)), v @ M)


@family(
    "gram",
    grid(n=[600], head=[*HEADS], gap=GAPS, tail=["flat"], seed=[0])
    + grid(n=[450, 1000], head=[*HEADS], gap=[0.0, 1e-5], tail=["steep", "low", "pairs"], seed=[1])
    + grid(n=[2500], head=["second double", "triple"], gap=[0.0], tail=["flat"], seed=[2]),
    lambda r: {
        "n": int(r.integers(300, 600)),
        "head": str(r.choice([*HEADS])),
        "gap": float(r.choice([0.0, 10.0 ** r.uniform(-9, -2)])),
        "tail": str(r.choice(["flat", "steep", "low", "pairs"])),
        "seed": int(r.integers(1 << 30)),
    },
)
def spectrum(n: int, head: str, gap: float, tail: str, seed: int) -> Problem:
    """A Gram matrix with prescribed eigenvalues and random axes."""
    values, rng = prescribed(head, gap, tail, n - 1), np.random.default_rng(seed)
    state = rng.bit_generator.state
    M = reflected(np.diag(np.append(0.0, values)), rng)
    rng.bit_generator.state = state  # the same reflections on the other side
    K = reflected(M.T, rng)
    return Problem("gram", n * 0.5 * (K + K.T), lambda: descending(values))


@family(
    "gram",
    grid(n=[450, 701, 1000, 1500], decay=[0.5, 0.9, 0.99, 0.999], seed=[0, 1]),
    lambda r: {
        "n": int(r.integers(300, 900)),
        "decay": float(1.0 - 10.0 ** r.uniform(-3, -0.3)),
        "seed": int(r.integers(1 << 30)),
    },
)
def circulant(n: int, decay: float, seed: int) -> Problem:
    """A circulant matrix, all of whose eigenvalues but one or two are double."""
    rng = np.random.default_rng(seed)
    waves = rng.permutation(decay ** np.arange(n // 2 + 1)) * n
    row = np.fft.irfft(waves, n)
    K = row[(np.arange(n)[:, None] - np.arange(n)) % n]
    K = 0.5 * (K + K.T)
    return Problem("gram", K, lambda: cyclic_values(K[:1].T.reshape(n, 1, 1)))


@family(
    "gram",
    grid(cliques=[30, 45, 60, 200], size=[10, 15], link=[0.0, 0.1, 0.45])
    + grid(cliques=[5, 100], size=[100], link=[0.2]),
    lambda r: {
        "cliques": int(r.integers(10, 60)),
        "size": int(r.integers(7, 13)),
        "link": float(r.choice([0.0, r.uniform(0.01, 0.49)])),
    },
)
def cliques(cliques: int, size: int, link: float) -> Problem:
    """A ring of cliques, neighbours of which share some similarity; each point has its own."""
    ring = np.zeros(cliques)
    ring[0], ring[[1, -1]] = 1.0, link
    blocks = ring[:, None, None] * np.ones((size, size))
    blocks[0] += 0.5 * np.eye(size)
    i = np.arange(cliques)
    K = (
        blocks[(i[None, :] - i[:, None]) % cliques]
        .transpose(0, 2, 1, 3)
        .reshape(2 * [len(i) * size])
    )
    return Problem("gram", K, lambda: cyclic_values(blocks))


# Tables --------------------------------------------------------------------------------------


@family(
    "table",
    grid(
        shape=[(700, 30), (900, 450), (450, 900)],
        head=[*HEADS],
        gap=[0.0, 1e-3, 1e-7],
        tail=["flat"],
        seed=[0],
    )
    + grid(shape=[(1300, 1050)], head=[*HEADS], gap=[0.0, 1e-5], tail=["flat", "steep"], seed=[1])
    + grid(shape=[(1050, 1300)], head=[*HEADS], gap=[0.0], tail=["flat"], seed=[2])
    + grid(shape=[(6000, 40)], head=["first double", "triple"], gap=[0.0], tail=["flat"], seed=[3]),
    lambda r: {
        "shape": (int(r.integers(300, 700)), int(r.integers(30, 700))),
        "head": str(r.choice([*HEADS])),
        "gap": float(r.choice([0.0, 10.0 ** r.uniform(-9, -2)])),
        "tail": str(r.choice(["flat", "steep", "low", "pairs"])),
        "seed": int(r.integers(1 << 30)),
    },
)
def table(shape: tuple[int, int], head: str, gap: float, tail: str, seed: int) -> Problem:
    """A table with prescribed inertias and random axes."""
    n, p = shape
    values, rng = prescribed(head, gap, tail, min(n - 1, p)), np.random.default_rng(seed)
    M = np.zeros(shape)
    j = np.arange(len(values))
    M[j + 1, j] = np.sqrt(n * values)
    X = reflected(reflected(M, rng).T, rng).T
    return Problem("table", X, lambda: descending(values))


def noisy_block(rows: int, columns: int, density: float, seed: int) -> sp.csr_matrix:
    """Sparse noise and a sparse axis in it."""
    r = np.random.default_rng(seed)
    S = sp.random(rows, columns, density=density, random_state=seed, data_rvs=r.standard_normal)
    u = (r.random(rows) < 0.05) * r.standard_normal(rows)
    v = (r.random(columns) < 0.1) * 1.0
    return (S.tocsr() + sp.csr_matrix(np.outer(u, v))).tocsr()


@family(
    "sparse",
    grid(times=[2], shape=[(1500, 520)], density=[0.03], seed=[*range(1, 11)])
    + grid(times=[3, 5], shape=[(400, 350), (300, 400)], density=[0.05], seed=[0, 1])
    + grid(times=[2], shape=[(260, 1200), (500, 60)], density=[0.05], seed=[0, 1]),
    lambda r: {
        "times": int(r.integers(2, 5)),
        "shape": (int(r.integers(200, 500)), int(r.integers(150, 350))),
        "density": float(r.uniform(0.02, 0.1)),
        "seed": int(r.integers(1 << 30)),
    },
)
def kronecker(times: int, shape: tuple[int, int], density: float, seed: int) -> Problem:
    """Copies of a sparse block on the diagonal, each row with its negative: all is multiple."""
    Y = noisy_block(*shape, density, seed)
    X = sp.kron(sp.identity(times), sp.vstack([Y, -Y])).tocsr()

    def truth() -> np.ndarray:
        G = (Y.T @ Y if shape[1] <= shape[0] else Y @ Y.T).toarray()
        return descending(np.repeat(np.linalg.eigvalsh(G) * 2 / X.shape[0], times))

    return Problem("sparse", X, truth)


@family(
    "sparse",
    grid(p=[300, 1050], head=[*HEADS], gap=[0.0, 1e-4], tail=["flat", "pairs"], seed=[0]),
    lambda r: {
        "p": int(r.integers(200, 500)),
        "head": str(r.choice([*HEADS])),
        "gap": float(r.choice([0.0, 10.0 ** r.uniform(-9, -2)])),
        "tail": str(r.choice(["flat", "steep", "pairs"])),
        "seed": int(r.integers(1 << 30)),
    },
)
def sparse_spectrum(p: int, head: str, gap: float, tail: str, seed: int) -> Problem:
    """A sparse table with prescribed inertias: pairs of columns turned against each other."""
    rng = np.random.default_rng(seed)
    values, n = prescribed(head, gap, tail, p), 2 * p
    size = sp.diags(np.sqrt(values * n / 2))
    turns = sp.block_diag([_turn(t) for t in rng.uniform(0, np.pi, p // 2)])
    if p % 2:
        turns = sp.block_diag([turns, [[1.0]]])
    order = rng.permutation(p)
    turned = sp.vstack([size, -size]).tocsc()[:, order] @ turns
    return Problem("sparse", turned.tocsr()[rng.permutation(n)], lambda: descending(values))


def _turn(t: float) -> np.ndarray:
    return np.array([[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]])


@family(
    "counts",
    grid(n=[300, 450, 1100], width=[3, 20], seed=[0, 1, 2]),
    lambda r: {
        "n": int(r.integers(300, 600)),
        "width": int(r.integers(2, 30)),
        "seed": int(r.integers(1 << 30)),
    },
)
def ring_counts(n: int, width: int, seed: int) -> Problem:
    """Counts on a ring: each row sees the columns after its own. Eigenvalues |c(ω)|² are double."""
    counts = np.random.default_rng(seed).integers(1, 10, width)
    row = np.zeros(n)
    row[:width] = counts
    N = row[(np.arange(n)[None, :] - np.arange(n)[:, None]) % n]
    values = np.abs(np.fft.fft(row / row.sum())[1:]) ** 2
    return Problem("counts", N, lambda: descending(values))


@family(
    "counts",
    grid(times=[2, 3], shape=[(150, 40), (200, 180)], seed=[0, 1, 2])
    + grid(times=[3], shape=[(400, 350)], seed=[0, 1]),
    lambda r: {
        "times": int(r.integers(2, 4)),
        "shape": (int(r.integers(100, 200)), int(r.integers(30, 120))),
        "seed": int(r.integers(1 << 30)),
    },
)
def block_counts(times: int, shape: tuple[int, int], seed: int) -> Problem:
    """Equal blocks of counts on the diagonal: times − 1 axes of 1, then each axis `times` over."""
    N = np.random.default_rng(seed).poisson(0.7, shape) + 1.0

    def truth() -> np.ndarray:
        S = N / np.sqrt(np.outer(N.sum(axis=1), N.sum(axis=0)))
        inner = np.linalg.svd(S, compute_uv=False)[1:] ** 2
        return descending(np.append(np.ones(times - 1), np.repeat(inner, times)))

    return Problem("counts", np.kron(np.eye(times), N), truth)


@family(
    "levels",
    grid(levels=[20, 50], variables=[3, 5], rows=[600], seed=[0, 1])
    + grid(levels=[270], variables=[4], rows=[1350], seed=[0]),
    lambda r: {
        "levels": int(r.integers(10, 60)),
        "variables": int(r.integers(2, 6)),
        "rows": int(r.integers(300, 700)),
        "seed": int(r.integers(1 << 30)),
    },
)
def ring_levels(levels: int, variables: int, rows: int, seed: int) -> Problem:
    """Categories on a ring, the same for each start: axes of MCA are double."""
    rng = np.random.default_rng(seed)
    laps = max(rows // levels, 2)
    shifts = rng.integers(0, max(levels // 4, 2), (laps, variables))
    start = np.arange(levels)
    codes = (start[None, :, None] + shifts[:, None, :]).reshape(-1, variables) % levels

    def truth() -> np.ndarray:
        n = len(codes)
        Z = (codes[:, :, None] == np.arange(levels)).reshape(n, -1)
        Z = Z[:, Z.any(axis=0)] / (n * variables)
        c = Z.sum(axis=0)
        S = (Z - c / n) / np.sqrt(c / n)
        return descending(np.linalg.eigvalsh(S.T @ S))

    return Problem("levels", codes, truth)


def listed() -> Iterator[Design]:
    """The designs of the lists, family after family."""
    for name, kind in FAMILIES.items():
        for number, parameters in enumerate(kind.listed):
            yield Design(name, number, False, parameters)


def drawn(count: int, seed: int = 0) -> Iterator[Design]:
    """Designs with random parameters, the families in turn."""
    names = [*FAMILIES]
    for number in range(count):
        name = names[number % len(names)]
        rng = np.random.default_rng([seed, number])
        yield Design(name, number, True, FAMILIES[name].draw(rng))
