"""Rules for the number of axes, each with its evidence.

`choose` applies all of them; each is also a value of `n_components`, if it applies to the
estimator. `RULES` holds them by name, and `register` adds to them.

The rules of the spectrum take eigenvalues (all of them), a table (its PCA), or a fitted estimator,
and return the number of axes as an integer that carries its evidence. It is 0 if not even the first
axis qualifies; as a value of `n_components`, the same rule then keeps one axis.
"""

from collections.abc import Callable, Iterable
from typing import Literal, cast

import numpy as np
import pandas as pd

from gramian._core.check import generator, is_list, one_of, short
from gramian._core.check import share as check_share
from gramian._core.numbers import vector
from gramian._core.table import Table, table
from gramian._core.types import RowsLike, SeedLike, TableLike, VectorLike
from gramian._estimators.analysis import EstimatorLike, Source, SpectrumSource, source_of
from gramian._estimators.kernel_pca import KernelPCA
from gramian._nulls.draws import draw_named
from gramian._nulls.p_values import count_axes
from gramian._nulls.spectra import Reference, compare
from gramian._reading.cross_validation import CrossValidation, bi_cross_validation, cross_validation
from gramian._reading.parallel_analysis import (
    KernelParallelAnalysis,
    ParallelAnalysis,
    analyse,
    correct_for_scales,
    number_of_draws,
    result_of,
)
from gramian._reading.rule import NEEDS, Choice, Rule
from gramian._reading.rules import RULES, Choices, join_names, register
from gramian.errors import InputError, InputTypeError
from gramian.kernels import Kernel, as_kernel
from gramian.kernels.bandwidth import median_scale

__all__ = [
    "RULES",
    "Choice",
    "Choices",
    "CrossValidation",
    "KernelParallelAnalysis",
    "ParallelAnalysis",
    "Rule",
    "bi_cross_validation",
    "broken_stick",
    "cattell",
    "choose",
    "cross_validation",
    "elbow",
    "gavish_donoho",
    "kaiser",
    "kernel_parallel_analysis",
    "marchenko_pastur",
    "minka",
    "parallel_analysis",
    "register",
    "threshold",
]

_AUTO_DRAWS = 199  # draws
_SCALE_MULTIPLES = 2.0 ** np.arange(-4.0, 2.5, 0.5)  # of the median scale


def choose(
    source: Source,
    X: RowsLike | None = None,
    *,
    rules: Iterable[str] | None = None,
    n_permutations: int | Literal["auto"] = "auto",
    alpha: float = 0.05,
    share: float = 0.9,
    scale: bool = False,
    sample_weight: VectorLike | None = None,
    n_samples: int | None = None,
    random_state: SeedLike = None,
    quick: bool = False,
) -> Choices:
    """Apply all rules for the number of axes to keep.

    Parameters
    ----------
    source : table (n, p), fitted estimator, estimator (then X is needed), or eigenvalues
        A table stands for its PCA. The full spectrum is computed whatever `n_components` is.
    X : table, optional
        The data of an estimator that is not fitted.
    rules : names, optional
        Some of "threshold", "kaiser", "karlis", "elbow", "cattell", "broken_stick", "parallel",
        "signflip", "deflated", "deterministic", "gavish_donoho", "marchenko_pastur", "minka",
        "gcv", "smooth", "em", "bcv", and those of `register`; by default all that apply, except for
        "em", which is slow.
    n_permutations, alpha, random_state
        As for `parallel_analysis`; alpha is the level of all tests.
    share : float
        Share of the inertia for "threshold".
    scale : bool
        Scale the columns of a table.
    sample_weight : array (n,), optional
        Weights of the rows.
    n_samples : int, optional
        Number of rows, where the source is eigenvalues.
    quick : bool
        Where no rules are named, leave out those that are slow on a large table: "signflip",
        "deflated" and "bcv".

    Returns
    -------
    Choices
        A data frame with the rules as index and columns q, value, threshold, p_value; its
        `consensus` is the number that most rules keep.

    Examples
    --------
    >>> choices = gm.dimension.choose(gm.datasets.iris().data, scale=True, rules=["kaiser", "gcv"])
    >>> choices["q"].tolist()
    [1, 3]
    """
    s = source_of(source, X, scale=scale, sample_weight=sample_weight, n_samples=n_samples)
    options = {
        "n_permutations": n_permutations,
        "alpha": alpha,
        "share": share,
        "random_state": random_state,
    }
    if rules is None:
        paces = ("quick",) if quick else ("quick", "slow")
        names = [name for name, rule in RULES.items() if rule.pace in paces and s.meets(rule)]
    else:
        names = _check_rules(rules, s)
    evidence = {name: s.ask(RULES[name], options) for name in names}
    rows = {name: e.choice(name) for name, e in evidence.items()}
    choices = Choices.from_dict(
        {name: [int(c), c.value, c.threshold, c.p_value] for name, c in rows.items()},
        orient="index",
        columns=["q", "value", "threshold", "p_value"],
    ).astype({"q": int})
    choices.index.name = "rule"
    choices.evidence = evidence
    return choices


def _check_rules(rules: Iterable[str], s: SpectrumSource) -> list[str]:
    """Return the names of rules, each known and with what it needs."""
    if not isinstance(rules, str) and not is_list(rules):
        raise InputTypeError(f"rules={short(rules)} must be a list of names")
    names = [rules] if isinstance(rules, str) else list(rules)
    for name in names:
        if not isinstance(name, str) or name not in RULES:
            known = join_names(RULES)
            raise InputError(f"rules: {short(name)} is not a known rule: use some of {known}")
        if not s.meets(RULES[name]):
            able = [other for other, rule in RULES.items() if s.meets(rule)]
            raise InputError(
                f"rules: {name!r} does not apply here, it needs {NEEDS[RULES[name].needs].what}: "
                f"use some of {join_names(able)}{', or give the rows' if s.rows is None else ''}"
            )
    return names


def parallel_analysis(
    X: TableLike | EstimatorLike,
    *,
    n_permutations: int | Literal["auto"] = "auto",
    alpha: float = 0.05,
    random_state: SeedLike = None,
    null: Literal["permutation", "normal", "signflip"] = "permutation",
    scale: bool = False,
    method: Literal["standard", "deflated", "deterministic"] = "standard",
    estimator: EstimatorLike | None = None,
    sample_weight: VectorLike | None = None,
    progress: bool | Callable[[int, int], None] = False,
) -> ParallelAnalysis:
    """Count the axes with larger eigenvalues than those of permuted tables (parallel analysis).

    The columns of the table are resampled, independently of each other, B times. Axis k is
    significant when (b_k + 1)/(B + 1) ≤ alpha, b_k of the drawn k-th eigenvalues being at least
    that of the data; the count stops at the first axis that is not (Horn 1965, Buja and Eyuboglu
    1992).

    Parameters
    ----------
    X : table (n, p), or a fitted estimator
        By default the axes are those of PCA.
    n_permutations : int or "auto"
        Number B of draws. "auto" draws until more draws would change the number of axes with a
        chance of 1e-3 an axis, at most 1,999 times, of each axis 199 times with "deflated".
    alpha : float
        Level of each test.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.
    null : "permutation", "normal" or "signflip"
        Permute each column; draw normal columns of the same variances; or flip signs of the centred
        entries, which is right where the variance of the noise differs from cell to cell.
    scale : bool
        Correlations instead of covariances (for a table X).
    method : "standard", "deflated" or "deterministic"
        "deflated", the test of `gm.evidence.axes`, removes the axes counted so far before drawing,
        so that a dominant axis does not hide small ones (PCA only), and with permutations an axis
        must also exceed those of flipped signs. "deterministic" uses the distribution of the
        largest eigenvalue of normal noise instead of draws (Dobriban and Owen 2019).
    estimator : estimator, optional
        KernelPCA, ClassicalMDS, …: the columns are permuted in input space, and a kernel keeps the
        scale it has on the data.
    sample_weight : array (n,), optional
        Weights of the rows.
    progress : bool or callable (done, total)
        Whether to show progress on standard error.

    Examples
    --------
    >>> analysis = gm.dimension.parallel_analysis(gm.datasets.iris().data, scale=True)
    >>> analysis.n_components
    1
    """
    if estimator is None:
        source = source_of(X, scale=scale, sample_weight=sample_weight, name="X")
    else:
        source = source_of(estimator, cast(TableLike, X), sample_weight=sample_weight)
    return analyse(
        source.columns,
        n_permutations=n_permutations,
        alpha=alpha,
        random_state=random_state,
        null=null,
        method=method,
        progress=progress,
    )


def kernel_parallel_analysis(
    X: TableLike,
    *,
    kernel: Kernel | str = "gaussian",
    scales: VectorLike | None = None,
    n_permutations: int | Literal["auto"] = 99,
    alpha: float = 0.05,
    random_state: SeedLike = None,
) -> KernelParallelAnalysis:
    """Choose the scale of a kernel and the number of its axes, against permuted columns.

    The same tables are drawn at all scales. The share of the inertia that an axis has, in standard
    deviations from the draws' mean at that scale, is compared with the largest of each draw over
    the scales: the probability that noise shows an axis at any of them is alpha. The energy of a
    scale is Σ_{k ≤ q} (λ_k − the limit of λ_k), and the scale of largest energy is kept (after
    Jørgensen and Hansen 2012). If no axis is significant at any scale, `n_components` is 0 and the
    scale has no meaning.

    Parameters
    ----------
    X : table (n, p)
        The table to analyse.
    kernel : Kernel with a scale, or its name
        The kernel whose scale is chosen.
    scales : array of positive numbers, optional
        From a sixteenth of the median scale to four times, by factors of √2, by default.
    n_permutations, alpha, random_state
        As for `parallel_analysis`; "auto" is 199 draws, or more for a small alpha.

    Examples
    --------
    >>> X = gm.datasets.iris().data
    >>> kernel_parallel_analysis(X, scales=[0.4, 2.0], n_permutations=19).scale
    0.4
    """
    base = as_kernel(kernel)
    if "scale" not in base.get_params():
        raise InputError(f"kernel={short(kernel)} has no scale to choose: use a radial kernel")
    rows = table(X, "X", allow_sparse=False)
    grid = (
        _SCALE_MULTIPLES * median_scale(rows.values) if scales is None else vector(scales, "scales")
    )
    if grid.ndim != 1 or grid.size == 0 or not (np.isfinite(grid) & (grid > 0)).all():
        raise InputError("scales must be positive numbers, at least one of them")
    check_share(alpha, "alpha")
    B = number_of_draws(n_permutations, alpha) or max(_AUTO_DRAWS, int(np.ceil(1 / alpha)))
    seed = int(generator(random_state).integers(2**63))
    references = {s: _reference(rows, _at(base, s), B, seed) for s in map(float, grid)}
    options = {"alpha": alpha, "null": "permutation", "method": "standard"}
    analyses = {s: result_of(r, square, options) for s, (r, square) in references.items()}
    p, limits = correct_for_scales([r for r, _ in references.values()], alpha)
    counts = [count_axes(row, alpha) for row in p]
    energy = [
        float((r.observed[:q] - limit[:q]).sum()) * square
        for (r, square), q, limit in zip(references.values(), counts, limits, strict=True)
    ]
    index = pd.Index(list(references), name="scale")
    energies = pd.DataFrame({"q": counts, "energy": energy}, index=index)
    k = int(np.argmax(energy)) if max(counts) else int(p[:, 0].argmin())
    best = list(references)[k]
    return KernelParallelAnalysis(
        best, counts[k], _at(base, best), energies, float(p[:, 0].min()), analyses
    )


def _reference(rows: Table, kernel: Kernel, B: int, seed: int) -> tuple[Reference, float]:
    """Return the eigenvalues of the data and of the draws at one scale, and their unit."""
    columns = source_of(KernelPCA(kernel=kernel), rows.values).columns
    spectra, draw = columns.spectra, draw_named("permutation")
    rng = np.random.default_rng(seed)  # the same tables at each scale
    return compare(columns.observed, columns.values, spectra, draw, rng, n_draws=B), columns.unit**2


def _at(kernel: Kernel, scale: float) -> Kernel:
    return type(kernel)(**kernel.get_params(deep=False) | {"scale": scale})


def threshold(source: Source, share: float = 0.9, *, scale: bool = False) -> Choice:
    """Keep the smallest number of axes that carry at least a share of the inertia.

    Parameters
    ----------
    source, share : eigenvalues, table (n, p) or fitted estimator; float in (0, 1]
        Where the eigenvalues come from, and the share of the inertia to reach.
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

    With scaled columns the average is 1 (Kaiser 1960). variant="karlis" uses the larger limit
    mean·(1 + 2√((p − 1)/(n − 1))), which allows for sampling (Karlis, Saporta, Spinaki 2003).

    Parameters
    ----------
    source, scale
        As for `threshold`.
    variant : "mean" or "karlis"
        The limit: the mean eigenvalue, or that of Karlis.
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

    δ_k = (λ_k − λ_{k+1}) − (λ_{k+1} − λ_{k+2}). The evidence is the last δ, against 0.

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
    rank in white noise; it leaves out axes that exist but are too noisy to help.

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
        Level at which an axis is kept.

    Examples
    --------
    >>> marchenko_pastur([9.0, 1.2, 1.0, 0.8], n_samples=101)
    1
    """
    return _ask("marchenko_pastur", source, scale, n_samples, alpha=alpha)


def minka(source: Source, *, scale: bool = False, n_samples: int | None = None) -> Choice:
    """Keep the number of axes with the largest evidence in probabilistic PCA (Minka 2000).

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
