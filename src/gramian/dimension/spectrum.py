"""Rules that look at the eigenvalues alone.

Each takes eigenvalues (all of them), a table (its PCA), or a fitted estimator, and returns the
number of axes as an integer that carries its evidence. Where not even the first axis stands out it
is 0; as a name for `n_components` the same rule then keeps one axis.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.dimension._choice import Choice
from gramian.dimension._source import Source, source_of
from gramian.errors import InputError
from gramian.reading import noise_rules, rules

__all__ = [
    "broken_stick",
    "cattell",
    "elbow",
    "gavish_donoho",
    "kaiser",
    "marchenko_pastur",
    "minka",
    "threshold",
]


def threshold(source: Any, share: float = 0.9, *, scale: bool = False) -> Choice:
    """Keep the smallest number of axes that carry at least a share of the inertia.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    share : float in (0, 1]
    scale : bool
        Scale the columns of a table.

    Examples
    --------
    >>> int(threshold([3.0, 1.5, 0.5], 0.8))
    2
    """
    if not 0.0 < share <= 1.0:
        raise InputError(f"share={share!r} must lie in (0, 1]")
    s = source_of(source, scale=scale)
    q = rules.threshold(share)(s.values, s.total, len(s.values)) or len(s.values)
    return Choice(q, "threshold", s.values[:q].sum() / s.total, share)


def kaiser(
    source: Any, *, variant: str = "mean", scale: bool = False, n_samples: int | None = None
) -> Choice:
    """Keep the axes with more inertia than the average axis.

    With scaled columns the average is 1 (Kaiser 1960). variant="karlis" asks for more,
    mean·(1 + 2√((p − 1)/(n − 1))), what sampling alone can give (Karlis, Saporta, Spinaki 2003).

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    variant : "mean" or "karlis"
    scale : bool
        Scale the columns of a table.
    n_samples : int, optional
        Number of rows, for "karlis" with eigenvalues.

    Examples
    --------
    >>> kaiser([3.0, 1.5, 0.4, 0.1])
    2
    >>> round(kaiser([3.0, 1.5, 0.4, 0.1], variant="karlis", n_samples=20).threshold, 3)
    2.243
    """
    s = source_of(source, scale=scale, n_samples=n_samples)
    if variant == "mean":
        q, level = _apply(rules.kaiser, s), s.total / s.dimension
    elif variant == "karlis":
        n, p = s.needs_shape("the variant 'karlis'")
        level = noise_rules.karlis_level(s.total, n, p)
        q = _above(s, noise_rules.karlis(n, p), level)
    else:
        raise InputError(f'variant={variant!r} must be "mean" or "karlis"')
    name = "kaiser" if variant == "mean" else variant
    return Choice(q, name, s.values[max(q, 1) - 1], level, reference=np.full(s.axes, level))


def elbow(source: Any, *, scale: bool = False) -> Choice:
    """Keep the axes before the corner of the scree: its point farthest below the chord.

    The chord goes from the first eigenvalue to the last. The evidence is the distance below the
    chord, as a share of the height of the scree, of the corner and of the runner-up.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    scale : bool
        Scale the columns of a table.

    Examples
    --------
    >>> elbow([10.0, 9.0, 1.0, 0.9, 0.8])
    2
    """
    s = source_of(source, scale=scale)
    values = s.padded(s.axes)
    q = rules.elbow(values, s.total, s.axes) or 1
    height = float(values[0] - values[-1])
    if len(values) < 3 or height <= 0:
        return Choice(q, "elbow")
    chord = np.linspace(values[0], values[-1], len(values))
    below = np.sort((chord - values) / height)[::-1]
    return Choice(q, "elbow", below[0], below[1])


def cattell(source: Any, *, scale: bool = False) -> Choice:
    """Keep axes 1 to k + 1 while the second differences 1 to k of the eigenvalues are positive.

    δ_k = (λ_k − λ_{k+1}) − (λ_{k+1} − λ_{k+2}). The evidence is the δ that ended the count,
    against 0.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    scale : bool
        Scale the columns of a table.

    Examples
    --------
    >>> cattell([5.0, 3.0, 2.0, 1.0, 0.5])
    2
    """
    s = source_of(source, scale=scale)
    values = s.padded(s.axes)
    live = int(np.count_nonzero(values > 1e-12 * values[0]))
    q = min(rules.cattell(values, s.total, s.axes) or 1, live)
    bend = np.diff(values, n=2)
    return Choice(q, "cattell", bend[q - 1] if q - 1 < len(bend) else np.nan, 0.0)


def broken_stick(source: Any, *, scale: bool = False) -> Choice:
    """Keep the axes, from the first on, longer than the pieces of a stick broken at random.

    The k-th piece of m is expected to be total/m·Σ_{i ≥ k} 1/i (MacArthur 1957, Jackson 1993).

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted estimator
    scale : bool
        Scale the columns of a table.

    Examples
    --------
    >>> broken_stick([3.0, 1.2, 0.5, 0.3])
    1
    """
    s = source_of(source, scale=scale)
    pieces = rules.sticks(s.total, s.axes)
    q = rules.broken_stick(s.padded(s.axes), s.total, s.axes) or s.axes
    q = 0 if s.values[0] <= pieces[0] else q
    k = max(q, 1) - 1
    return Choice(q, "broken_stick", s.values[k], pieces[k], reference=pieces)


def gavish_donoho(source: Any, *, scale: bool = False, n_samples: int | None = None) -> Choice:
    """Keep the axes above the best hard threshold for noise of unknown variance.

    Singular values above ω(β)·median (Gavish and Donoho 2014): good to reconstruct a table of low
    rank in white noise; it leaves out axes that are there but too noisy to help.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted PCA
    scale : bool
        Scale the columns of a table.
    n_samples : int, optional
        Number of rows, for eigenvalues.

    Examples
    --------
    >>> gavish_donoho([100.0, 1.0, 0.9], n_samples=4)
    1
    """
    s = source_of(source, scale=scale, n_samples=n_samples)
    n, p = s.needs_shape("gavish_donoho")
    level = noise_rules.gavish_donoho_level(s.padded(s.dimension), n, p)
    q = _above(s, noise_rules.gavish_donoho(n, p), level)
    value = s.values[max(q, 1) - 1]
    return Choice(q, "gavish_donoho", value, level, reference=np.full(s.axes, level))


def marchenko_pastur(
    source: Any, *, alpha: float = 0.05, scale: bool = False, n_samples: int | None = None
) -> Choice:
    """Keep axes, from the first on, that leave the Marchenko–Pastur bulk of the axes after them.

    The variance of the noise comes from the median of the eigenvalues that remain at each step; the
    largest is tested by the Tracy–Widom law at level alpha.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted PCA
    alpha : float
    scale : bool
        Scale the columns of a table.
    n_samples : int, optional
        Number of rows, for eigenvalues.

    Examples
    --------
    >>> marchenko_pastur([9.0, 1.2, 1.0, 0.8], n_samples=101)
    1
    """
    s = source_of(source, scale=scale, n_samples=n_samples)
    n, p = s.needs_shape("marchenko_pastur")
    levels = noise_rules.marchenko_pastur_levels(s.padded(s.dimension), n, p, alpha)
    q = _above(s, noise_rules.marchenko_pastur(n, p, alpha), levels[0])
    k = max(q, 1) - 1
    return Choice(q, "marchenko_pastur", s.values[k], levels[k], reference=levels)


def minka(source: Any, *, scale: bool = False, n_samples: int | None = None) -> Choice:
    """Keep the number of axes of largest evidence in probabilistic PCA (Minka 2000).

    The evidence is the log marginal likelihood, of the number kept and of the runner-up. It needs
    more rows than columns.

    Parameters
    ----------
    source : eigenvalues, table (n, p) or fitted PCA
    scale : bool
        Scale the columns of a table.
    n_samples : int, optional
        Number of rows, for eigenvalues.

    Examples
    --------
    >>> minka([9.0, 4.0, 0.1, 0.09], n_samples=50)
    2
    """
    s = source_of(source, scale=scale, n_samples=n_samples)
    n, p = s.needs_shape("minka")
    q = _apply(noise_rules.minka(n, p), s)
    ranked = np.sort(noise_rules.minka_evidence(s.padded(p), n))[::-1]
    return Choice(q, "minka", ranked[0], ranked[1] if len(ranked) > 1 else np.nan)


def _above(s: Source, rule: Any, level: float) -> int:
    """Return what a rule keeps, 0 where the first axis fails (an estimator must keep one)."""
    return 0 if s.values[0] <= level else _apply(rule, s)


def _apply(rule: Any, s: Source) -> int:
    return rule(s.padded(s.dimension), s.total, s.dimension) or len(s.values)
