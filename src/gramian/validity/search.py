"""Looking for points at which a kernel or a distance breaks its promise."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gramian._core.check import generator, whole
from gramian.errors import InputError, ZeroRowWarning
from gramian.validity.verdict import Verdict

SIZES = (3, 4, 6, 9, 16, 32)  # points in a set: few show simple violations, many subtle ones
_SCALES = (1.0, 0.1, 10.0, 0.01, 100.0)
_MAX_MOVES = 60  # moves tried from the worst set found, where it is not yet a violation


def search(
    check: Callable[[Any], Verdict],
    what: str,
    *,
    rows: Any = None,
    dimension: int = 2,
    n_sets: int = 200,
    random_state: Any = None,
) -> Verdict:
    """Return the first violation found among seeded sets of points, or the worst margin.

    Without `rows` the points are on the line, on grids, on spheres and in normal clouds of several
    scales, on `dimension` columns; then the worst set is moved about, downhill. Otherwise the sets
    are drawn from the rows. Sets on which the function refuses to work are left out.
    """
    count, p = whole(n_sets, "n_sets"), whole(dimension, "dimension", most=10**4)
    rng = generator(random_state)
    sets = _clouds(rng, count, p) if rows is None else _subsets(rng, count, rows)
    attempt = _Attempts(check)
    worst = _first_violation(attempt, sets)
    if worst and rows is None:
        worst = _downhill(attempt, worst, rng)
    if not worst:
        text = f"{what} is violated on {_count(worst.points)} points: {worst.reason}"
        return replace(worst, reason=text)
    text = f"no violation of {what} in {attempt.done} sets of points, which is no proof"
    return replace(worst, certain=False, reason=text)


class _Attempts:
    """The check, on one set of points after the other; refusals are remembered."""

    def __init__(self, check: Callable[[Any], Verdict]) -> None:
        self.check = check
        self.done = 0
        self.refusal: InputError | None = None

    def __call__(self, points: Any) -> Verdict | None:
        try:
            with warnings.catch_warnings():  # a set of points of ours may hold a row of zeros
                warnings.simplefilter("ignore", ZeroRowWarning)
                verdict = replace(self.check(points), points=points)
        except InputError as error:  # a metric may not be defined for equal or zero rows
            self.refusal = self.refusal or error
            return None
        self.done += 1
        return verdict


def _first_violation(attempt: _Attempts, sets: Iterator[Any]) -> Verdict:
    """Return the first violation, or the verdict with the worst margin."""
    worst: Verdict | None = None
    for points in sets:
        verdict = attempt(points)
        if verdict is not None and not verdict:
            return verdict
        if verdict is not None and (
            worst is None or verdict.relative_margin < worst.relative_margin
        ):
            worst = verdict
    if worst is None:
        assert attempt.refusal is not None
        raise attempt.refusal
    return worst


def _count(points: Any) -> int:
    return points.shape[0] if hasattr(points, "shape") else len(points)


def _clouds(rng: np.random.Generator, n_sets: int, p: int) -> Iterator[np.ndarray]:
    """Yield point sets of different shapes, sizes and scales."""
    shapes: tuple[Callable[..., np.ndarray], ...] = (_grid, _normal, _line, _sphere, _corners)
    for i in range(n_sets):
        size = SIZES[i // len(shapes) % len(SIZES)]
        scale = _SCALES[i // (len(shapes) * len(SIZES)) % len(_SCALES)]
        yield scale * shapes[i % len(shapes)](rng, size, p)


def _normal(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    return rng.standard_normal((n, p))


def _grid(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Equally spaced points on the first axis, the others at 0."""
    X = np.zeros((n, p))
    X[:, 0] = np.linspace(0.0, 3.0 * rng.random(), n)
    return X


def _line(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    return rng.standard_normal((n, 1)) * rng.standard_normal((1, p))


def _sphere(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    X = rng.standard_normal((n, p))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def _corners(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Corners of boxes in the positive orthant: many equal differences, no negative entries."""
    X = rng.integers(0, 2, (n, p)) + rng.integers(0, 2, (n, p)) * 1.0
    X[0], X[1] = 0.0, 1.0
    return X


def _subsets(rng: np.random.Generator, n_sets: int, rows: Any) -> Iterator[Any]:
    """Yield all of the rows, up to 500, then parts of different sizes."""
    n = _count(rows)
    if n < 2:
        raise InputError("X has 1 point: a search needs at least 2")
    for i in range(n_sets):
        size = min(n, 500 if i == 0 else SIZES[i % len(SIZES)])
        chosen = np.sort(rng.choice(n, size, replace=False))
        yield [rows[k] for k in chosen] if isinstance(rows, list | tuple) else rows[chosen]


def _downhill(attempt: _Attempts, worst: Verdict, rng: np.random.Generator) -> Verdict:
    """Move the points of the worst set at random and keep what makes it worse."""
    step = 0.3
    for _ in range(_MAX_MOVES):
        X = worst.points
        spread = float(np.ptp(X)) or 1.0
        verdict = attempt(X + step * spread * rng.standard_normal(X.shape))
        if verdict is not None and not verdict:
            return verdict
        if verdict is not None and verdict.relative_margin < worst.relative_margin:
            worst, step = verdict, min(1.5 * step, 1.0)
        else:
            step = max(0.8 * step, 1e-3)
    return worst
