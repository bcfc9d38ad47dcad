"""Tests of the axes above noise: of a table, sequentially, or of similarities, by a gap."""

from dataclasses import dataclass, field, replace

import numpy as np

from gramian._core.check import generator
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.deflation import USUAL_DRAWS, axis_tests
from gramian._nulls.p_values import HOPELESS, count_axes, p_values, smallest_p_value
from gramian._nulls.spectra import Reference
from gramian.errors import InputError
from gramian.evidence.order import innovations
from gramian.evidence.table import Scheme, check_level, finite_table, row_scheme, table_of

OBJECTS = 12  # under which a gap says nothing
_MIN_DIMENSION = 6  # of the clouds without structure
_N_DIMENSIONS = 4  # that are tried
_SHARE = 3  # gaps are looked for in the first third of the axes
_DECAY = 0.35  # λ_k ~ k^−0.35: no cloud is quite alike in all directions
_FAR_SHARE = 10  # one row of so many, the farthest, must not make a gap
_ZERO_EIGENVALUE = 1e-8  # relative


@dataclass(frozen=True)
class AxesEvidence:
    """The number of axes above noise, and the null model of the noise.

    Attributes
    ----------
    n_axes : int or None
        Axes before the first that does not exceed noise; None if no null model is valid.
    p_values, floor : array (m,), float
        Of axes 1 to m, the first that fails included. Each is the largest so far: an axis is above
        noise only after those before it. The smallest that so many draws can give.
    scheme : str
        "permutation", "sign flips", "blocks", "shifts", "copies" or "none"; "directions" of a cloud
        without columns, "counts" of a contingency table.
    reference, eigenvalues : array (m,)
        Limits that noise exceeds with probability alpha, and the eigenvalues of the rows tested.
    deflated : tuple of int
        Axes that are found only after removing the previous ones.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> gm.evidence.axes((X - X.mean(axis=0)) / X.std(axis=0), rng=0).n_axes
    1
    """

    n_axes: int | None
    p_values: np.ndarray
    floor: float
    scheme: str
    reference: np.ndarray = field(repr=False)
    eigenvalues: np.ndarray = field(repr=False)
    deflated: tuple[int, ...]
    alpha: float


def axes(
    X: TableLike,
    *,
    scheme: Scheme = "permutation",
    groups_of_copies: VectorLike | None = None,
    n_draws: int = USUAL_DRAWS,
    alpha: float = 0.05,
    rng: SeedLike = None,
) -> AxesEvidence:
    """Count the axes above noise, by parallel analysis with deflation.

    Axis k + 1 is compared with the largest eigenvalue of tables drawn from the residual of the
    first k axes. The count stops at the first axis whose p-value exceeds alpha, so that the
    probability of one axis too many is alpha, whatever their number. The test is that of
    `gm.dimension.parallel_analysis(X, method="deflated")`, with draws adapted to the rows.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed: standardised where the analysis standardises.
    scheme : str
        "permutation": each column is permuted, and then the signs of its entries flipped; an axis
        must exceed both. "sign flips": signs only, for rows of different variances. "copies": the
        same as "permutation" with one row of each group of copies. "blocks": for rows in serial
        order, permute what each column's past does not predict. "shifts": each column moves along
        the rows as a whole and keeps its order. "none": no test.
    groups_of_copies : array (n,), optional
        The group of each row, for "copies".
    n_draws : int
        Maximum number of draws for each axis and null; 99 if these are conclusive.
    alpha, rng : float; Generator or seed, optional
        Level of the test, and seed of the random draws.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((50, 1)) + rng.standard_normal((50, 6))
    >>> axes(X, rng=rng).n_axes
    1
    """
    check_level(alpha, n_draws)
    table, rng = table_of(X), generator(rng, "rng")
    draws = row_scheme(scheme, table.n, groups_of_copies)
    # The rows that are exchangeable under the null.
    if len(draws.rows) < table.n:
        table = table.rows(draws.rows)
    if scheme == "blocks":
        table = table.like(innovations(table.values)) if table.n > 4 else table.rows(np.arange(0))
    if scheme == "none" or table.rank < 2:
        empty = np.zeros(0)
        return AxesEvidence(None, empty, 1.0, scheme, empty, empty, (), alpha)
    columns, nulls = np.ascontiguousarray(table.values.T), draws.column_nulls
    tests = axis_tests(columns, nulls, rng, n_draws=n_draws, alpha=alpha, scaled=table.scaled)
    p = np.array([test.p_value for test in tests])
    values, spectra = table.axes[1] ** 2 / table.n, tests[0].spectra
    assert spectra is not None
    # Without deflation: the k-th eigenvalue against the k-th drawn.
    m = min(table.rank, spectra.shape[1])
    plain = count_axes(Reference(values[:m], spectra[:, :m]).p_values(), alpha)
    count = count_axes(p, alpha)
    floor = min(smallest_p_value(test.n_draws) for test in tests)
    level, deflated = np.array([test.level for test in tests]), tuple(range(plain + 1, count + 1))
    return AxesEvidence(count, p, floor, scheme, level, values[: len(p)], deflated, alpha)


def kernel_axes(
    G: TableLike, *, n_draws: int = 199, alpha: float = 0.05, rng: SeedLike = None
) -> AxesEvidence | None:
    """Count the axes before a significant gap in the eigenvalues of similarities or distances.

    The null model is a cloud that is nearly isotropic: row i of the centred matrix keeps its
    distance rᵢ to the centre and gets a random direction, in d dimensions. The statistics are the
    ratios λ_k/λ_{k+1} in the first third of the axes, each compared with the largest of all in each
    draw. A ratio must be significant for every d, from the dimension of the small eigenvalues to
    the rank of the matrix, and also without the tenth of the rows that are farthest from the
    centre. All axes before the gap are counted, as their common space is significant.

    Parameters
    ----------
    G : array (n, n)
        Similarities (a Gram matrix), or −½d² of distances; it is centred here.
    n_draws, alpha, rng
        As for `axes`; draws are for each d.

    Returns
    -------
    AxesEvidence or None
        With scheme "directions"; None with fewer than 12 rows, or fewer than 3 dimensions.

    Examples
    --------
    >>> X = gm.datasets.iris().data.to_numpy()[::5]
    >>> D2 = gm.distances.squared_euclidean(X)
    >>> gm.evidence.kernel_axes(-0.5 * D2, rng=0).n_axes
    1
    """
    check_level(alpha, n_draws)
    A = finite_table(G, "G")
    if A.shape[0] != A.shape[1]:
        text = f"G of shape {A.shape} must be square: give similarities of all pairs"
        raise InputError(text, argument="G", found=A.shape)
    A, rng = _centre(A), generator(rng, "rng")
    whole_cloud = _gaps(A, n_draws, alpha, rng)
    if whole_cloud is None or not whole_cloud.n_axes:
        return whole_cloud
    near = np.argsort(np.diag(A))[: len(A) - -(-len(A) // _FAR_SHARE)]
    core = _gaps(_centre(A[np.ix_(near, near)]), n_draws, alpha, rng)
    count = 0 if core is None else min(core.n_axes or 0, whole_cloud.n_axes)
    if count == whole_cloud.n_axes:
        return whole_cloud
    # No more axes than the core of the cloud shows.
    weakest = 1.0 if core is None else float(core.p_values[min(count, len(core.p_values) - 1)])
    p = whole_cloud.p_values.copy()
    p[count:] = np.maximum(p[count:], weakest)
    return replace(whole_cloud, n_axes=count, p_values=p)


def _gaps(
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
