"""What the spectrum would be if the columns of the table were independent: parallel analysis.

A null model draws tables; a spectrum function gives the eigenvalues of each, on the smaller side of
the matrix; the eigenvalues of the data are held against theirs, axis after axis.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from gramian._check import answer
from gramian._deal import dealt
from gramian.reading.shuffle import Draw, quickest, turned
from gramian.reading.turns import Grams, Turns, grams_pay

__all__ = [
    "Progress",
    "Reference",
    "Spectra",
    "TableSpectrum",
    "compare",
    "count_axes",
    "p_values",
]

Spectra = Callable[[np.ndarray], np.ndarray]  # a table by columns, (p, n) → eigenvalues, (m,)
Progress = Callable[[int, int], None]

AT_MOST = 1_999  # draws, where their number is left to the evidence
RISK = 1e-3  # chance, per axis, that more draws would have changed an early decision
_FIRST_LOOK = 100
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
        return np.count_nonzero(self.drawn >= self.observed - slack, axis=0)


def p_values(reference: Reference) -> np.ndarray:
    """Return (b + 1)/(B + 1) per axis, b of B drawn eigenvalues reaching that of the data."""
    return (reference.exceedances() + 1.0) / (len(reference.drawn) + 1.0)


def count_axes(p: np.ndarray, alpha: float) -> int:
    """Return the number of axes before the first that is not significant.

    >>> count_axes(np.array([0.01, 0.02, 0.4, 0.01]), 0.05)
    2
    """
    # (b + 1)/(B + 1) = alpha counts as significant, whatever the rounding.
    failing = np.flatnonzero(p > alpha * (1.0 + 1e-12))
    return int(failing[0]) if failing.size else len(p)


@dataclass(frozen=True, eq=False)
class TableSpectrum:
    """The function from a table by columns, (p, n), to the eigenvalues of its covariance.

    A permutation changes neither the mean nor the size of a column: they come centred and scaled.
    Where a draw changes them, `centre` takes off the means again and `norms`, (p,), are the sizes
    that columns are brought back to. `axes` keeps the first so many eigenvalues.
    """

    weights: np.ndarray | None = None
    centre: bool = False
    norms: np.ndarray | None = None
    axes: int | None = None

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
        return np.maximum(np.linalg.eigvalsh(G)[::-1][: self.axes], 0.0) / n

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
    progress: Progress | None = None,
) -> Reference:
    """Hold the eigenvalues of the data against those of tables drawn from the null model.

    With `n_draws` None, draws go on until the number of axes is decided, at most 1,999 of them.
    """
    most = AT_MOST if n_draws is None else n_draws
    seeds = rng.integers(0, 2**63, size=most)
    draw = turned(draw, columns, int(seeds[0]), _FIRST_LOOK if n_draws is None else n_draws)
    drawn: list[np.ndarray] = []
    for stop in _looks(most) if n_draws is None else _shares(most, progress):
        drawn += _eigenvalues(columns, spectra, draw, seeds[len(drawn) : stop])
        reference = Reference(observed, np.array(drawn))
        if progress is not None:
            answer(progress, "progress", len(drawn), most)
        if n_draws is None and decided(reference, alpha):
            break
    return reference


def _looks(most: int) -> list[int]:
    """Return the numbers of draws after which the evidence is looked at: each doubles the last."""
    steps = int(np.ceil(np.log2(most / _FIRST_LOOK)))
    return [min(_FIRST_LOOK << k, most) for k in range(steps + 1)]


def _shares(most: int, progress: Progress | None) -> list[int]:
    """Return where to stop for a word on progress."""
    if progress is None:
        return [most]
    return sorted({most * k // 20 for k in range(1, 21)} - {0})


def _eigenvalues(
    columns: np.ndarray, spectra: Spectra, draw: Draw, seeds: np.ndarray
) -> list[np.ndarray]:
    """Return the eigenvalues of one table a seed, in the order of the seeds, on all cores."""
    draw = quickest(draw, columns, len(seeds))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a fit says of a random table is of no use
        if columns.size * len(seeds) < _WORTH_SPREADING:
            return _drawn(seeds.tolist(), columns, spectra, draw)
        plain = isinstance(spectra, TableSpectrum) and spectra.takes_gram
        if plain and isinstance(draw, Turns) and grams_pay(draw, len(seeds)):
            return dealt(_of_grams, range(len(seeds)), Grams(draw, seeds), spectra)
        return dealt(_drawn, seeds.tolist(), columns, spectra, draw)


def _drawn(
    seeds: Sequence[int], columns: np.ndarray, spectra: Spectra, draw: Draw
) -> list[np.ndarray]:
    return [spectra(draw(columns, seed)) for seed in seeds]


def _of_grams(share: Sequence[int], grams: Grams, spectra: TableSpectrum) -> list[np.ndarray]:
    return [spectra.of_gram(grams[k], grams.n) for k in share]


def decided(reference: Reference, alpha: float) -> bool:
    """Whether more draws would leave the number of axes as it is, but for a risk of 1e-3 an axis.

    An axis is significant for certain when so few exceedances would be that rare under a p-value of
    alpha, and not significant when so many would be; the risk is shared out among the looks (after
    Gandy 2009). The first axis that is not significant ends the count.
    """
    B = len(reference.drawn)
    risk = RISK / len(_looks(AT_MOST))
    b = reference.exceedances()
    significant = stats.binom.cdf(b, B, alpha) <= risk
    idle = stats.binom.sf(b - 1, B, alpha) <= risk
    clear = significant | idle
    ends = np.flatnonzero(idle | ~clear)
    return bool(not ends.size or idle[ends[0]])
