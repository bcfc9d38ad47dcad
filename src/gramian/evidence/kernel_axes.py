"""Axes of distances and similarities, where there are no columns to permute."""

from dataclasses import replace

import numpy as np

from gramian._core.check import generator, share, whole
from gramian._core.types import SeedLike, TableLike
from gramian._nulls.p_values import p_values, smallest_p_value
from gramian._nulls.stopping import HOPELESS
from gramian.errors import InputError
from gramian.evidence.axes import AxesEvidence
from gramian.evidence.validation import finite_table

OBJECTS = 12  # under which a gap says nothing
_MIN_DIMENSION = 6  # of the clouds without structure
_N_DIMENSIONS = 4  # that are tried
_SHARE = 3  # gaps are looked for in the first third of the axes
_DECAY = 0.35  # λ_k ~ k^−0.35: no cloud is quite alike in all directions
_FAR_SHARE = 10  # one row of so many, the farthest, must not make a gap
_ZERO_EIGENVALUE = 1e-8  # relative


def kernel_axes(
    G: TableLike, *, n_draws: int = 199, alpha: float = 0.05, rng: SeedLike = None
) -> AxesEvidence | None:
    """Count the axes before a gap that no cloud without structure shows; None where it cannot tell.

    The null is a cloud that is nearly alike in all directions: row i of the centred matrix keeps
    its distance rᵢ to the centre and gets a random direction, in d dimensions. The statistics are
    the ratios λ_k/λ_{k+1} in the first third of the axes, each held against the largest of all in
    each draw. A ratio must stand out whatever d is, from what the small eigenvalues need to the
    rank of the matrix, and also without the tenth of the rows that are farthest from the centre.
    Axes before the gap count all, equal or not: their space is what stands out.

    Parameters
    ----------
    G : array (n, n)
        Similarities (a Gram matrix), or −½d² of distances; it is centred here.
    n_draws : int
        For each d.
    alpha : float
    rng : Generator or seed, optional

    Returns
    -------
    AxesEvidence or None
        With scheme "directions"; None with fewer than 12 rows, or fewer than 3 dimensions.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data.to_numpy()[::5]
    >>> D2 = gm.distances.squared_euclidean(X)
    >>> gm.evidence.kernel_axes(-0.5 * D2, rng=0).n_axes
    1
    """
    share(alpha, "alpha")
    whole(n_draws, "n_draws", int(np.ceil(1 / alpha - 1 - 1e-9)))
    A = finite_table(G, "G")
    if A.shape[0] != A.shape[1]:
        text = f"G of shape {A.shape} must be square: give similarities of all pairs"
        raise InputError(text, argument="G", found=A.shape)
    A, rng = _centre(A), generator(rng, "rng")
    whole_cloud = _test(A, n_draws, alpha, rng)
    if whole_cloud is None or not whole_cloud.n_axes:
        return whole_cloud
    near = np.argsort(np.diag(A))[: len(A) - -(-len(A) // _FAR_SHARE)]
    core = _test(_centre(A[np.ix_(near, near)]), n_draws, alpha, rng)
    count = 0 if core is None else min(core.n_axes or 0, whole_cloud.n_axes)
    if count == whole_cloud.n_axes:
        return whole_cloud
    # No more axes than the core of the cloud shows.
    weakest = 1.0 if core is None else float(core.p_values[min(count, len(core.p_values) - 1)])
    p = whole_cloud.p_values.copy()
    p[count:] = np.maximum(p[count:], weakest)
    return replace(whole_cloud, n_axes=count, p_values=p)


def _test(
    A: np.ndarray, n_draws: int, alpha: float, rng: np.random.Generator
) -> AxesEvidence | None:
    values = np.linalg.eigvalsh(A)[::-1]
    d = int((values > _ZERO_EIGENVALUE * max(values[0], 1e-300)).sum())
    if len(A) < OBJECTS or d < 3:
        return None
    radii, n = np.sqrt(np.maximum(np.diag(A), 0.0)), len(A)
    k = max(1, min(n, d) // _SHARE)
    # The eigenvalues beyond the gaps tell how many dimensions the cloud has at least.
    rest = values[k:d]
    least = k + int(rest.sum() ** 2 / (rest**2).sum()) if d > k else d
    least = int(np.clip(least, min(_MIN_DIMENSION, d), d))
    tried = np.unique(np.geomspace(least, d, _N_DIMENSIONS).round().astype(int))
    observed, p, level = _ratios(values, k), np.zeros(k), np.zeros(k)
    for dimension in tried:
        drawn = np.array([_ratios(_cloud(radii, dimension, rng), k) for _ in range(n_draws)])
        largest = drawn.max(axis=1)
        p = np.maximum(p, p_values(observed, largest))
        level = np.maximum(level, np.quantile(largest, 1 - alpha))
        if p.min() > HOPELESS:
            break
    passing = np.flatnonzero(p <= alpha * (1 + 1e-12))
    count = int(passing[-1]) + 1 if passing.size else 0
    # Axes before a gap stand out with it.
    sequential = np.minimum.accumulate(p[::-1])[::-1]
    m = min(count + 1, k)
    p, reference = np.maximum.accumulate(sequential[:m]), (values[1 : k + 1] * level)[:m] / n
    floor = smallest_p_value(n_draws)
    return AxesEvidence(count, p, floor, "directions", reference, values[:m] / n, (), alpha)


def _centre(A: np.ndarray) -> np.ndarray:
    A = A - A.mean(axis=0)
    A = A - A.mean(axis=1, keepdims=True)
    return np.asarray(0.5 * (A + A.T))


def _ratios(values: np.ndarray, k: int) -> np.ndarray:
    """Return λ_k/λ_{k+1} of the first k axes; 1 where nothing is left."""
    top = np.maximum(values[: k + 1], 0.0)
    floor = _ZERO_EIGENVALUE * max(top[0], 1e-300)
    return np.where(top[1:] > floor, top[:-1] / np.maximum(top[1:], floor), 1.0)


def _cloud(radii: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    """Return the eigenvalues of rows at these distances in random directions."""
    E = rng.standard_normal((len(radii), d)) * np.arange(1, d + 1) ** (-0.5 * _DECAY)
    E *= (radii / np.linalg.norm(E, axis=1))[:, None]
    E -= E.mean(axis=0)
    G = E @ E.T if len(E) <= d else E.T @ E
    values: np.ndarray = np.linalg.eigvalsh(G)[::-1]
    return values
