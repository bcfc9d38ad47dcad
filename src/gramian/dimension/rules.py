"""The rules of the spectrum, each as a function.

They take eigenvalues (all of them), a table (its PCA), or a fitted estimator, and return the number
of axes as an integer that carries its evidence. Where not even the first axis stands out it is 0;
as a name for `n_components` the same rule then keeps one axis.
"""

from typing import Literal

from gramian._core.check import one_of
from gramian._reading.rule import Choice
from gramian._reading.rules import RULES
from gramian.dimension._source import Source, source_of
from gramian.errors import InputError


def threshold(source: Source, share: float = 0.9, *, scale: bool = False) -> Choice:
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
    return _ask("threshold", source, scale, share=share)


def kaiser(
    source: Source,
    *,
    variant: Literal["mean", "karlis"] = "mean",
    scale: bool = False,
    n_samples: int | None = None,
) -> Choice:
    """Keep the axes with more inertia than the average axis.

    With scaled columns the average is 1 (Kaiser 1960). variant="karlis" asks for more,
    mean·(1 + 2√((p − 1)/(n − 1))), what sampling alone can give (Karlis, Saporta, Spinaki 2003).

    Parameters
    ----------
    source, scale
        As for `threshold`.
    variant : "mean" or "karlis"
    n_samples : int, optional
        Number of rows, where the source is eigenvalues and a rule needs it.

    Examples
    --------
    >>> kaiser([3.0, 1.5, 0.4, 0.1])
    2
    >>> round(kaiser([3.0, 1.5, 0.4, 0.1], variant="karlis", n_samples=20).threshold, 3)
    2.243
    """
    one_of(variant, "variant", ("mean", "karlis"))
    return _ask("kaiser" if variant == "mean" else variant, source, scale, n_samples)


def elbow(source: Source, *, scale: bool = False) -> Choice:
    """Keep the axes before the corner of the scree: its point farthest below the chord.

    The chord goes from the first eigenvalue to the last. The evidence is the distance below the
    chord, as a share of the height of the scree, of the corner and of the runner-up.

    Its parameters are those of `threshold`.

    Examples
    --------
    >>> elbow([10.0, 9.0, 1.0, 0.9, 0.8])
    2
    """
    return _ask("elbow", source, scale)


def cattell(source: Source, *, scale: bool = False) -> Choice:
    """Keep axes 1 to k + 1 while the second differences 1 to k of the eigenvalues are positive.

    δ_k = (λ_k − λ_{k+1}) − (λ_{k+1} − λ_{k+2}). The evidence is the δ that ended the count,
    against 0.

    Its parameters are those of `threshold`.

    Examples
    --------
    >>> cattell([5.0, 3.0, 2.0, 1.0, 0.5])
    2
    """
    return _ask("cattell", source, scale)


def broken_stick(source: Source, *, scale: bool = False) -> Choice:
    """Keep the axes, from the first on, longer than the pieces of a stick broken at random.

    The k-th piece of m is expected to be total/m·Σ_{i ≥ k} 1/i (MacArthur 1957, Jackson 1993).

    Its parameters are those of `threshold`.

    Examples
    --------
    >>> broken_stick([3.0, 1.2, 0.5, 0.3])
    1
    """
    return _ask("broken_stick", source, scale)


def gavish_donoho(source: Source, *, scale: bool = False, n_samples: int | None = None) -> Choice:
    """Keep the axes above the best hard threshold for noise of unknown variance.

    Singular values above ω(β)·median (Gavish and Donoho 2014): good to reconstruct a table of low
    rank in white noise; it leaves out axes that are there but too noisy to help.

    Its parameters are those of `kaiser`, the estimator a fitted PCA.

    Examples
    --------
    >>> gavish_donoho([100.0, 1.0, 0.9], n_samples=4)
    1
    """
    return _ask("gavish_donoho", source, scale, n_samples)


def marchenko_pastur(
    source: Source, *, alpha: float = 0.05, scale: bool = False, n_samples: int | None = None
) -> Choice:
    """Keep axes, from the first on, that leave the Marchenko–Pastur bulk of the axes after them.

    The variance of the noise comes from the median of the eigenvalues that remain at each step; the
    largest is tested by the Tracy–Widom law at level alpha.

    Parameters
    ----------
    source, scale, n_samples
        As for `kaiser`; an estimator is a fitted PCA.
    alpha : float

    Examples
    --------
    >>> marchenko_pastur([9.0, 1.2, 1.0, 0.8], n_samples=101)
    1
    """
    return _ask("marchenko_pastur", source, scale, n_samples, alpha=alpha)


def minka(source: Source, *, scale: bool = False, n_samples: int | None = None) -> Choice:
    """Keep the number of axes of largest evidence in probabilistic PCA (Minka 2000).

    The evidence is the log marginal likelihood, of the number kept and of the runner-up. It needs
    more rows than columns.

    Its parameters are those of `kaiser`, the estimator a fitted PCA.

    Examples
    --------
    >>> minka([9.0, 4.0, 0.1, 0.09], n_samples=50)
    2
    """
    return _ask("minka", source, scale, n_samples)


def _ask(
    name: str, source: Source, scale: bool, n_samples: int | None = None, **options: float
) -> Choice:
    s = source_of(source, scale=scale, n_samples=n_samples)
    if RULES[name].needs != "eigenvalues" and s.shape is None:
        raise InputError(
            f"the rule {name!r} is for principal components of a table of n rows: give X, a PCA, "
            "or n_samples= with eigenvalues"
        )
    return s.ask(RULES[name], options).choice(name)
