"""A map on its principal axes, new points on it, and how good it is: stress, curve, test."""

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from scipy.spatial.distance import squareform

from gramian._core.check import expect
from gramian._core.embedding.pipeline import Embedding
from gramian._core.parallel import row_blocks
from gramian._core.spectral.dense import eigh
from gramian._core.spectral.spectrum import Completeness, Spectrum, groups_of_ties
from gramian._estimators.stress.best_of_starts import (
    Search,
    classical_start,
    map_starts,
    starts_for,
)
from gramian._estimators.stress.majorise import disparities, loops_for
from gramian._estimators.stress.numpy_loops import best_on_line, distances, settle
from gramian._estimators.stress.problem import Problem
from gramian._nulls.p_values import PermutationTest, number_of_permutations, permutation_p_value

_BLOCK_ENTRIES = 1 << 20  # of a block of dissimilarities worked on at once
_MAX_ITER = 1000
_TOL = 1e-9  # of a move, relative to the size of the map


def principal_map(X: np.ndarray, p: np.ndarray | None, unit: float, solver: str) -> Embedding:
    """Return the points (n, q) centred by their weights p, on axes of decreasing inertia."""
    w = np.full(len(X), 1.0 / len(X)) if p is None else p
    X = X - w @ X
    values, V = eigh((w[:, None] * X).T @ X)
    values = np.maximum(values, 0.0)
    Z = X @ V
    size = np.where(values > 0, np.sqrt(values), 1.0)
    spectrum = Spectrum(
        values,
        np.sqrt(w)[:, None] * Z / size,
        float(values.sum()),
        np.zeros(len(values)),
        solver,
        tied=groups_of_ties(values),
        completeness=Completeness(0.0, method="a map has no other axes"),
    )
    spectrum.warn_of_ties()
    blank = np.zeros((0, X.shape[1]))
    points = Embedding(spectrum, Z, np.sum(Z * Z, axis=1), blank, unit=unit)
    return points.with_signs_of_points()


def place(target: np.ndarray, weight: np.ndarray, X: np.ndarray, loss: str) -> np.ndarray:
    """Return the points Z (m, q) for which Σ_j w_j(t_j − d(z, x_j))² is smallest, one by one."""
    # Disparities (m, n) to the points X (n, q) of the map are squared for "sstress"; weights (m, n)
    # are 0 where they are missing. Each point is tried from two starts: its nearest neighbour on
    # the map, and the place that squared distances give by linear least squares. The better end is
    # kept.
    Z = np.empty((len(target), X.shape[1]))
    for rows in row_blocks(len(target), max(1, _BLOCK_ENTRIES // len(X))):
        Z[rows] = _place_block(target[rows], weight[rows], X, loss)
    return Z


def _place_block(target: np.ndarray, w: np.ndarray, X: np.ndarray, loss: str) -> np.ndarray:
    if loss == "stress" and X.shape[1] == 1:
        best = [best_on_line(X[:, 0], t, v) for t, v in zip(target, w, strict=True)]
        return np.array(best)[:, None]
    near = X[np.where(w > 0, target, np.inf).argmin(axis=1)]
    ends = []
    for Z in (near, _linear_place(target if loss == "sstress" else target**2, w, X)):
        ends.append(_descend(target, w, X, Z) if loss == "stress" else _sweep(target, w, X, Z))
    power = 1 if loss == "stress" else 2
    rests = [target - distances(Z, X)[0] ** power for Z in ends]
    losses = [np.einsum("mj,mj->m", w, rest**2) for rest in rests]
    # A point that equals one of the map stays with it: training points come back where they were.
    # Where both ends are one, rounding must not choose.
    apart = ~((target == 0) & (w > 0)).any(axis=1)
    second = apart & (losses[1] < losses[0] * (1.0 - 1e-9))
    return np.where(second[:, None], ends[1], ends[0])


def _linear_place(square: np.ndarray, w: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return the z of c − 2⟨z, x_j⟩ ≈ t_j − |x_j|², weighted least squares in z and c."""
    mean = X.mean(axis=0)
    C = X - mean
    A = np.column_stack([-2.0 * C, np.ones(len(X))])
    b = square - np.einsum("jk,jk->j", C, C)
    M = np.einsum("mj,jk,jl->mkl", w, A, A, optimize=True)
    return np.einsum("mkl,ml->mk", np.linalg.pinv(M), (w * b) @ A)[:, :-1] + mean


def _descend(t: np.ndarray, w: np.ndarray, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Return Z at a minimum of Σ_j w_j(t_j − d(z, x_j))² for each row, by Newton's method.

    A row whose last step did not lower its loss takes the step of majorisation from where it was
    instead, z ← (Σ w·x_j + Σ wt/d·(z − x_j))/Σ w, which always does.
    """
    Z, q = Z.copy(), X.shape[1]
    size = w.sum(axis=1)
    fixed = (w @ X) / size[:, None]
    limit = _TOL * float(np.abs(X).max())
    products = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    live, last, safe = np.arange(len(Z)), np.full(len(Z), np.inf), Z.copy()
    for _ in range(_MAX_ITER):
        D = distances(Z[live], X)[0]
        rest = t[live] - D
        loss = np.einsum("mj,mj,mj->m", w[live], rest, rest)
        if (worse := loss > last[live] * (1.0 + 1e-12)).any():
            back = live[worse]
            Z[back] = safe[back]
            D[worse] = distances(Z[back], X)[0]
            loss[worse] = last[back]
        z = Z[live]
        B = np.divide(w[live] * t[live], D, out=np.zeros_like(D), where=D > 0)
        pull = B.sum(axis=1)
        safe[live] = fixed[live] + (pull[:, None] * z - B @ X) / size[live, None]
        gradient = size[live, None] * (z - safe[live])
        C = np.divide(B, D * D, out=B, where=D > 0)
        # Σ c(z − x)(z − x)ᵀ by its terms: one product with all of them
        terms, mixed = C @ products, z[:, :, None] * (C @ X)[:, None, :]
        H = terms.reshape(-1, q, q) - mixed - mixed.swapaxes(1, 2)
        H += C.sum(axis=1)[:, None, None] * z[:, :, None] * z[:, None, :]
        H += (size[live] - pull)[:, None, None] * np.eye(q)
        values, E = np.linalg.eigh(H)
        convex = values[:, 0] > 1e-3 * size[live]
        step = np.einsum(
            "mkl,ml->mk",
            E / np.where(convex[:, None], values, 1.0)[:, None, :],
            np.einsum("mkl,mk->ml", E, gradient),
        )
        new = np.where(convex[:, None], Z[live] - step, safe[live])
        moved = np.abs(new - Z[live]).max(axis=1)
        Z[live], last[live] = new, loss
        live = live[moved > limit]
        if not live.size:
            break
    return Z


def _sweep(t: np.ndarray, w: np.ndarray, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Return Z after minimising each point's quartics until it stands still."""
    Z = Z.copy()
    limit = _TOL * float(np.abs(X).max())
    for i in range(len(Z)):
        for _ in range(_MAX_ITER):
            old = Z[i].copy()
            Z[i] = settle(old, X, t[i], w[i])
            if np.abs(Z[i] - old).max() <= limit:
                break
    return Z


@dataclass(frozen=True)
class Fit:
    """Distances and disparities at a configuration, in condensed order, squared for "sstress"."""

    distance: Annotated[np.ndarray, "(e,)", ">= 0"]
    disparity: Annotated[np.ndarray, "(e,)", "nan"]  # NaN for pairs of weight 0
    raw: Annotated[float, ">= 0"]  # Σ w(d̂ − d)²
    stress: Annotated[float, ">= 0"]  # √(Σ w(d̂ − d)² / Σ w·d²)
    per_point: Annotated[np.ndarray, "(n,)", ">= 0"]  # shares of `raw`, sum 1


def fit_of(problem: Problem, X: np.ndarray) -> Fit:
    """Return the fit at X, its disparities fitted anew to the distances at X."""
    d = problem.measure(X)
    if problem.scaling == "ratio":
        fitted = problem.target
    else:
        pairs = problem.pairs
        loops = loops_for(problem.n)
        fitted = disparities(problem.scaling, problem.ties, pairs, d[pairs.position], loops)
        fitted = pairs.to_condensed(fitted, missing=0.0)
    w = problem.weight
    square = (fitted - d) ** 2 if w is None else w * (fitted - d) ** 2
    raw = float(square.sum())
    points = squareform(square, checks=False).sum(axis=1)
    share = points / (2.0 * raw) if raw > 0 else np.zeros(problem.n)
    stress = np.sqrt(raw / float(d @ d if w is None else (w * d) @ d))
    if w is not None:
        fitted = np.where(w > 0, fitted, np.nan)
    return Fit(d, fitted, raw, float(stress), share)


@dataclass(frozen=True)
class Curve:
    """From dissimilarities to disparities, through the knots, for pairs with new points.

    A dissimilarity of 0 has disparity 0: the points coincide. Outside the knots the curve continues
    with `slope` if there is one (interval scaling), else along a line through the origin.
    """

    delta: Annotated[np.ndarray, "(k,)", ">= 0"]
    level: Annotated[np.ndarray, "(k,)"]
    slope: Annotated[float, ">= 0"] | None = None

    def check(self) -> None:
        """Refuse knots out of order."""
        rises = self.delta.size > 0 and bool((np.diff(self.delta) >= 0).all())
        expect(rises, "knots in increasing order")

    def __call__(self, delta: np.ndarray) -> np.ndarray:
        """Return the disparities of dissimilarities."""
        x, y = self.delta, self.level
        if self.slope is None:
            low, high = (np.divide(y[k], x[k]) if x[k] > 0 else 0.0 for k in (0, -1))
            below, above = low * delta, high * delta
        else:
            below = np.maximum(y[0] + self.slope * (delta - x[0]), 0.0)
            above = y[-1] + self.slope * (delta - x[-1])
        out = np.interp(delta, x, y)
        out = np.where(delta < x[0], below, np.where(delta > x[-1], above, out))
        return np.where(delta == 0, 0.0, out)


def curve_of(problem: Problem, fit: Fit) -> Curve | None:
    """Return the curve of disparities against dissimilarities, None for ratio scaling."""
    if problem.scaling == "ratio":
        return None
    pairs = problem.pairs
    starts = pairs.starts
    x = pairs.delta[starts]
    size = np.diff(np.append(starts, len(pairs.delta)))
    # The points stand still for disparities of the size of the targets, not for those fitted to d.
    fitted = fit.disparity[pairs.position]
    fitted = fitted * np.sqrt(problem.total / pairs.square_sum(fitted))
    y = np.add.reduceat(fitted, starts) / size
    if problem.scaling == "interval":
        run = x[-1] - x[0]
        return Curve(x[[0, -1]], y[[0, -1]], float((y[-1] - y[0]) / run) if run > 0 else 0.0)
    step = np.flatnonzero(np.diff(y) > 0)
    corner = np.unique(np.concatenate([[0], step, step + 1, [len(y) - 1]]))
    return Curve(x[corner], y[corner])


def stress_test(
    problem: Problem,
    observed: float,
    q: int,
    *,
    n_permutations: int,
    n_init: int,
    search: Search,
    sammon: bool,
    rng: np.random.Generator,
) -> PermutationTest:
    """Compare a stress with those of the dissimilarities permuted over the pairs."""
    # With `sammon` weights are inverse dissimilarities, and so move with them.
    m = len(problem.target) if problem.weight is None else np.count_nonzero(problem.weight)
    draws = [
        (rng.permutation(m), int(rng.integers(2**31)))
        for _ in range(number_of_permutations(n_permutations))
    ]

    def stress_of(k: int) -> float:
        permuted = _permute(problem, draws[k][0], sammon)
        first, seeded = classical_start(permuted, q), np.random.default_rng(draws[k][1])
        starts = starts_for(permuted, first, q, n_init, seeded)
        runs = [search.run(permuted, start, number) for number, start in enumerate(starts)]
        return fit_of(permuted, min(runs, key=lambda run: run.loss).X).stress

    reference = np.array(map_starts(stress_of, len(draws), problem))
    p = permutation_p_value(observed, reference, "less")
    return PermutationTest(observed, p, reference, "less")


def _permute(problem: Problem, order: np.ndarray, sammon: bool) -> Problem:
    """Return the problem with dissimilarities exchanged among the pairs that have a weight."""
    if problem.weight is None:
        return replace(problem, target=problem.target[order])
    live = problem.weight > 0
    target, weight = problem.target.copy(), problem.weight.copy()
    target[live] = problem.target[live][order]
    if sammon:
        ratio = problem.target[live] / target[live]
        weight[live] *= ratio if problem.loss == "stress" else np.sqrt(ratio)
    return replace(problem, target=target, weight=weight)
