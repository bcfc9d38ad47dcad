"""Eigenvalues of the data against those of tables drawn from a null model.

A null model draws tables; a spectrum function gives the eigenvalues of each, on the smaller side of
the matrix; the eigenvalues of the data are held against theirs, axis after axis.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special, stats

from gramian._core.check import answer
from gramian._core.parallel import distribute
from gramian._nulls.draws import Draw, Grams, Turns, choose_rotations, fastest_draw, grams_pay
from gramian._nulls.p_values import (
    doubling_looks,
    draw_until,
    is_count_of_axes_decided,
    p_value_of_count,
)

Spectra = Callable[[np.ndarray], np.ndarray]  # a table by columns, (p, n) → eigenvalues, (m,)
Progress = Callable[[int, int], None]

_WORTH_SPREADING = 200_000  # numbers to draw, under which starting threads costs more
_EQUAL = 1e-10  # relative: a permuted table can have the very eigenvalue of the data


@dataclass(frozen=True)
class Reference:
    """Eigenvalues of the data and of the null model's tables."""

    observed: np.ndarray  # (m,)
    drawn: np.ndarray  # (B, m)

    def exceedances(self) -> np.ndarray:
        """Return, per axis, how many drawn eigenvalues reach that of the data."""
        # What is zero but for rounding is reached by anything.
        slack = _EQUAL * self.observed + 1e-12 * self.observed[0]
        return np.asarray(np.count_nonzero(self.drawn >= self.observed - slack, axis=0))

    def p_values(self) -> np.ndarray:
        """Return the p-value of each axis."""
        return np.asarray(p_value_of_count(self.exceedances(), len(self.drawn)))


@dataclass(frozen=True, eq=False)
class TableSpectrum:
    """The function from a table by columns, (p, n), to the eigenvalues of its covariance.

    A permutation changes neither the mean nor the size of a column: they come centred and scaled.
    Where a draw changes them, `centre` takes off the means again and `norms`, (p,), are the sizes
    that columns are brought back to. `axes` keeps the first so many eigenvalues, times `factor`.
    """

    weights: np.ndarray | None = None
    centre: bool = False
    norms: np.ndarray | None = None
    axes: int | None = None
    factor: float = 1.0

    def __call__(self, columns: np.ndarray) -> np.ndarray:
        """Return the eigenvalues, in descending order."""
        F, weights = columns, self.weights
        if weights is not None:
            F = (F - (F @ weights)[:, None]) * np.sqrt(weights)
        elif self.centre:
            F = F - F.mean(axis=1, keepdims=True)
        if self.norms is not None:
            size = np.sqrt(np.einsum("ij,ij->i", F, F))
            F = F * (self.norms / np.where(size > 0, size, 1.0))[:, None]
        G = F @ F.T if F.shape[0] <= F.shape[1] else F.T @ F
        return self.of_gram(G, 1 if weights is not None else F.shape[1])

    def of_gram(self, G: np.ndarray, n: int) -> np.ndarray:
        """Return the same from a Gram matrix over n rows, of which the lower triangle is read."""
        return np.maximum(np.linalg.eigvalsh(G)[::-1][: self.axes], 0.0) / n * self.factor

    @property
    def takes_gram(self) -> bool:
        """Whether columns are taken as they are, so that their products are all that is needed."""
        return self.weights is None and not self.centre and self.norms is None


def compare(
    observed: np.ndarray,
    columns: np.ndarray,
    spectra: Spectra,
    draw: Draw,
    rng: np.random.Generator,
    *,
    n_draws: int | None = None,
    alpha: float = 0.05,
    looks: Sequence[int] | None = None,
    is_settled: Callable[[Reference], bool] | None = None,
    progress: Progress | None = None,
) -> Reference:
    """Hold the eigenvalues of the data against those of tables drawn from the null model."""
    # With `n_draws` None, draws continue until the number of axes is decided, at most 1,999 of
    # them; `looks` are the numbers of draws after which something else may settle the question.
    if looks is None and n_draws is not None:
        looks = [n_draws]
    planned = None if looks is None else looks[-1]  # the same draws, whenever they are looked at
    if looks is None:
        looks = doubling_looks()

        def is_settled(reference: Reference) -> bool:
            reached = reference.exceedances()
            return is_count_of_axes_decided(reached, len(reference.drawn), alpha)

    most, done = looks[-1], 0
    if is_settled is None:  # stops are there to report progress alone
        looks = sorted({most * k // 20 for k in range(1, 21)} - {0}) if progress else [most]
    seeds = rng.integers(0, 2**63, size=most)
    draw = choose_rotations(draw, columns, int(seeds[0]), planned or looks[0])

    def spectra_of(count: int) -> np.ndarray:
        nonlocal done
        some = seeds[done : done + count]
        drawn = np.array(_eigenvalues(columns, spectra, draw, some, planned or count))
        done += count
        if progress is not None:
            answer(progress, "progress", done, most)
        return drawn

    def is_enough(drawn: np.ndarray) -> bool:
        return is_settled is not None and is_settled(Reference(observed, drawn))

    return Reference(observed, draw_until(spectra_of, looks, is_enough))


def _eigenvalues(
    columns: np.ndarray, spectra: Spectra, draw: Draw, seeds: np.ndarray, planned: int
) -> list[np.ndarray]:
    """Return the eigenvalues of one table a seed, in the order of the seeds, on all cores."""
    draw = fastest_draw(draw, columns, planned)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a fit says of a random table is of no use
        if columns.size * len(seeds) < _WORTH_SPREADING:
            return _draw_spectra(seeds.tolist(), columns, spectra, draw)
        plain = isinstance(spectra, TableSpectrum) and spectra.takes_gram
        if plain and isinstance(draw, Turns) and grams_pay(draw, len(seeds)):
            return distribute(_of_grams, range(len(seeds)), Grams(draw, seeds), spectra)
        return distribute(_draw_spectra, seeds.tolist(), columns, spectra, draw)


def _draw_spectra(
    seeds: Sequence[int], columns: np.ndarray, spectra: Spectra, draw: Draw
) -> list[np.ndarray]:
    return [spectra(draw(columns, seed)) for seed in seeds]


def _of_grams(share: Sequence[int], grams: Grams, spectra: TableSpectrum) -> list[np.ndarray]:
    return [spectra.of_gram(grams[k], grams.n) for k in share]


_STEPS = 60  # halvings: more digits than a float has
_ENTRIES = 2e6  # of the columns taken together


def normal_scores(X: np.ndarray, axis: int = 0) -> np.ndarray:
    """Return Φ⁻¹((rank − ½)/n) along an axis, centred and of variance 1; zeros where constant."""
    Z = special.ndtri((stats.rankdata(X, axis=axis) - 0.5) / X.shape[axis])
    Z = Z - Z.mean(axis=axis, keepdims=True)
    size = Z.std(axis=axis, keepdims=True)
    return np.asarray(Z / np.where(size > 1e-9, size, np.inf))


def axes_without(X: np.ndarray, q: int) -> np.ndarray:
    """Return, for each column j and axis k, the axis that X without column j gives, (p, q, n)."""
    # A column takes part in the axes that it is then compared with; where columns outnumber rows
    # that alone makes noise look tied to them. With X = U S Vᵀ (columns centred) the Gram matrix
    # without column j is U (S² − z zᵀ) Uᵀ, z = S v_j: its eigenvalues solve 1 = Σ z_i²/(s_i² − μ)
    # one between each two of S², and its eigenvectors are z_i/(s_i² − μ). Axis k of the whole table
    # is projected on the first q of these, so that axes which change places are distinguished.
    U, s, V = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    # One value more than axes, if only a zero: the value of an axis lies above the next one.
    r = max(int((s > 1e-10 * s[0]).sum()), min(q + 1, len(s)))
    U, d, Z = U[:, :r], np.maximum(s[:r], 1e-10 * s[0]) ** 2, V[:r].T * s[:r]
    d = d * (1.0 - 1e-12 * np.arange(len(d)))  # equal values would leave no room between them
    # A column at right angles to an axis leaves it as it is: the limit of a tiny angle.
    least = 1e-7 * np.sqrt(d[0])
    Z = np.where(np.abs(Z) < least, np.where(Z < 0, -least, least), Z)
    step = max(1, int(_ENTRIES / len(d)))
    parts = [_some(d, Z[a : a + step], q) for a in range(0, len(Z), step)]
    return np.asarray(np.concatenate(parts) @ U.T)


def _some(d: np.ndarray, Z: np.ndarray, q: int) -> np.ndarray:
    """Return the projected axes in the basis of the whole table's, (columns, q, r)."""
    W = np.stack([_vector(d, Z, k) for k in range(q)], axis=1)
    W = W / np.linalg.norm(W, axis=2, keepdims=True)
    # Row k is Σ_l ⟨w_l, e_k⟩ w_l.
    return np.asarray(W[:, :, :q].transpose(0, 2, 1) @ W)


def _vector(d: np.ndarray, Z: np.ndarray, k: int) -> np.ndarray:
    """Return the eigenvectors of axis k, not normed, (columns, r)."""
    gap, squares = d - d[k], Z**2
    low = np.zeros(len(Z))
    high = np.full(len(Z), d[k] - d[k + 1])
    for _ in range(_STEPS):
        # How far below d_k the value lies: a difference that must keep its own digits.
        middle = 0.5 * (low + high)
        above = (squares / (gap + middle[:, None])).sum(axis=1) > 1.0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(Z / (gap + high[:, None]))
