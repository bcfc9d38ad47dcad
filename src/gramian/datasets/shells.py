"""Points around a common centre, without linear structure: circles, rings, spheres."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from gramian._core.check import flag, generator, number, short, whole
from gramian._core.numbers import vector
from gramian._core.types import SeedLike
from gramian.datasets._dataset import Dataset, listed, one_group, remember_call, row_labels
from gramian.errors import InputError


@remember_call
def circles(
    n: int = 90,
    *,
    radii: Sequence[float] = (1.0, 2.0, 3.0),
    noise: float = 0.0,
    random_state: SeedLike = 0,
) -> Dataset:
    """Concentric circles, with points at equal steps along each, (n, 2); groups: the circle.

    The n points are shared among the circles in proportion to their radii, so that all circles are
    equally dense; the defaults put 15, 30 and 45 points. Without noise nothing is random, and the
    symmetry makes eigenvalues of kernel PCA equal in pairs: compare planes there, not axes.

    Parameters
    ----------
    n : int
        Number of points over all circles.
    radii : sequence of float
        Radius of each circle.
    noise : float
        Standard deviation of a normal displacement of each coordinate.
    random_state : int, Generator or None
        Seed; pass the same Generator twice for a training and a test sample.

    Examples
    --------
    >>> circles().groups["circle"].value_counts(sort=False).tolist()
    [15, 30, 45]
    """
    radius = _radii(radii, noise)
    whole(n, "n")
    counts = np.diff(np.rint(n * np.cumsum(radius) / radius.sum()).astype(int), prepend=0)
    if counts.min() < 1:
        raise InputError(f"n={n} leaves a circle without points: use more points")
    which = np.repeat(np.arange(radius.size), counts)
    angle = np.concatenate([np.linspace(0, 2 * np.pi, m, endpoint=False) for m in counts])
    points = radius[which, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    points += generator(random_state).normal(0, noise, points.shape)
    return _shell_dataset("circles", points, radius, which, {"noise": noise})


@remember_call
def rings(
    n: int = 300,
    *,
    radii: Sequence[float] = (1.0, 2.0),
    noise: float = 0.5,
    random_state: SeedLike = 0,
) -> Dataset:
    r"""Noisy rings in the plane, a classification problem with a circular boundary.

    (n, 2); groups: the ring.

    Each point has a uniform angle, a radius R drawn with equal chances from `radii`, and normal
    noise on both coordinates: ``x = R (cos θ, sin θ) + noise · N(0, I)``. By symmetry
    the best rule uses only the distance to the centre, whose density given R is Rice's;
    ``truth["bayes_accuracy"]`` is ``∫ max_R f(r | R) dr / len(radii)``, the largest expected
    accuracy of any classifier.

    Parameters
    ----------
    n, radii, noise, random_state
        As for `circles`.

    Examples
    --------
    >>> round(rings().truth["bayes_accuracy"], 4)
    0.834
    """
    radius, rng = _radii(radii, noise), generator(random_state)
    whole(n, "n")
    angle = rng.uniform(0, 2 * np.pi, n)
    directions = np.column_stack([np.cos(angle), np.sin(angle)])
    which, points = _scatter(rng, directions, radius, noise)
    variance = pd.Series(np.mean(radius**2) / 2 + noise**2, ["x", "y"])
    best = _best_accuracy(radius, noise)
    truth = {"noise": noise, "variance": variance, "bayes_accuracy": best}
    return _shell_dataset("rings", points, radius, which, truth)


@remember_call
def spheres(
    n: int = 300,
    *,
    radii: Sequence[float] = (1.0, 3.0),
    noise: float = 0.3,
    uniform: bool = True,
    random_state: SeedLike = 0,
) -> Dataset:
    """Noisy concentric spheres in space, (n, 3); groups: the sphere.

    Each point has a direction, a radius drawn with equal chances from `radii`, and normal noise on
    each coordinate. Directions are uniform on the sphere (normal vectors divided by their length),
    so all directions have the same variance, given in ``truth``, and PCA has no preferred axis.

    Parameters
    ----------
    n, radii, noise, random_state
        As for `circles`.
    uniform : bool
        If False, the azimuth and the polar angle are uniform instead: points then concentrate at
        the poles, and z varies about twice as much as x and y.

    Examples
    --------
    >>> spheres().truth["variance"].round(4).tolist()
    [1.7567, 1.7567, 1.7567]
    >>> spheres(uniform=False).truth["variance"].round(4).tolist()
    [1.34, 1.34, 2.59]
    """
    radius, rng = _radii(radii, noise), generator(random_state)
    whole(n, "n")
    flag(uniform, "uniform")
    if uniform:
        normal = rng.standard_normal((n, 3))
        directions = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    else:
        azimuth, polar = rng.uniform(0, 2 * np.pi, n), rng.uniform(0, np.pi, n)
        x, y = np.cos(azimuth) * np.sin(polar), np.sin(azimuth) * np.sin(polar)
        directions = np.column_stack([x, y, np.cos(polar)])
    which, points = _scatter(rng, directions, radius, noise)
    # E[direction²] per coordinate: sin²θ cos²φ and cos²θ average to 1/4 and 1/2 over angles.
    second = np.full(3, 1 / 3) if uniform else np.array([1 / 4, 1 / 4, 1 / 2])
    variance = pd.Series(np.mean(radius**2) * second + noise**2, ["x", "y", "z"])
    truth = {"noise": noise, "uniform": uniform, "variance": variance}
    return _shell_dataset("spheres", points, radius, which, truth)


def _radii(radii: Sequence[float], noise: float) -> np.ndarray:
    """Radii as an array, after a look at them and at the noise."""
    radius = vector(radii, "radii")
    if radius.min() <= 0:
        raise InputError(f"radii must be one or more positive numbers, got {short(radii)}")
    if np.unique(radius).size < radius.size:
        raise InputError(f"radii must differ from one another, got {short(radii)}")
    number(noise, "noise", least=0.0)  # a standard deviation
    return radius


def _scatter(
    rng: np.random.Generator, directions: np.ndarray, radius: np.ndarray, noise: float
) -> tuple[np.ndarray, np.ndarray]:
    """Choose a shell for each direction and put a noisy point there."""
    which = rng.integers(0, radius.size, len(directions))
    return which, radius[which, None] * directions + rng.normal(0, noise, directions.shape)


def _best_accuracy(radius: np.ndarray, noise: float) -> float:
    """Bayes accuracy for equally likely rings, from Rice densities of the distance."""
    from scipy.special import i0e

    if noise == 0:
        return 1.0
    # A grid around each ring as fine as the noise; the density vanishes in between.
    steps = noise * np.linspace(-10, 10, 20_001)
    r = np.unique(np.maximum(radius[:, None] + steps, 0))[:, None]
    # i0e is the Bessel function times exp(-x), which completes the square and never overflows.
    density = r / noise**2 * np.exp(-((r - radius) ** 2) / (2 * noise**2))
    density *= i0e(r * radius / noise**2)
    return float(np.trapezoid(density.max(axis=1), r[:, 0]) / radius.size)


def _shell_dataset(
    name: str, points: np.ndarray, radius: np.ndarray, which: np.ndarray, truth: dict[str, object]
) -> Dataset:
    """Label points and shells."""
    rows = row_labels("p", len(points))
    data = pd.DataFrame(points, rows, list("xyz"[: points.shape[1]]))
    groups = one_group(name.removesuffix("s"), which, [f"radius {r:g}" for r in radius], rows)
    return listed(name, data, groups, {"radii": radius.tolist()} | truth)
