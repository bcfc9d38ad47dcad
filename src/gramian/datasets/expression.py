"""Simulated gene expression experiments whose answers are known."""

import math

import numpy as np
import pandas as pd

from gramian._core.check import generator, number, share, short, whole
from gramian._core.numbers import vector
from gramian._core.types import SeedLike, VectorLike
from gramian.datasets._dataset import Dataset, listed, remember_call, row_labels
from gramian.errors import InputError

_FACTORS = ("temperature", "co2", "interaction")
_TREATMENTS = ("control", "stress")


@remember_call
def gene_expression(
    n_genes: int = 3000,
    n_replicates: int = 6,
    *,
    shares: tuple[float, float, float] = (0.20, 0.12, 0.03),
    effects: tuple[float, float, float] = (1.5, 1.0, 1.2),
    n_modules: int | None = None,
    module_size: int = 20,
    module_correlation: float = 0.9,
    noise: float = 1.0,
    random_state: SeedLike = 0,
) -> Dataset:
    """Simulate log2 expression of plants grown at two temperatures and two CO2 levels.

    With t and c equal to −1 (low) or +1 (high), gene g of sample s has::

        x = baseline_g + (τ_g/2) t_s + (γ_g/2) c_s + (δ_g/4) t_s c_s + a_s + b_s · sd_g · z_sg

    where τ and γ are log2 fold changes from low to high, and δ is the difference of the temperature
    effects at the two CO2 levels. The sets of genes with τ, γ or δ not zero are disjoint; signs are
    random and sizes spread by a third around `effects`. a_s (a shift left by normalisation) and b_s
    (a noisier or cleaner sample) are per-sample noise. The standard deviation falls as expression
    rises, as in counts: ``sd_g² = noise² (dispersion_g + 2^(−baseline_g)) / log(2)²``.

    Modules are sets of genes, outside those above, whose z are correlated: every member
    follows its hub, with correlation r = `module_correlation`, and the others only through it
    (correlation r²). The network of direct links is a star per module,
    the network of correlations a clique. Genes that respond to a condition are correlated
    as well as long as the means of the conditions are not removed.

    Parameters
    ----------
    n_genes, n_replicates : int
        Number of columns, and of samples in each of the four conditions.
    shares : (float, float, float)
        Shares of the genes that respond to temperature, to CO2, to their interaction.
    effects : (float, float, float)
        Mean absolute τ, γ and δ of those genes.
    n_modules, module_size : int
        Number of modules (by default ``n_genes // 200``) and genes in each.
    module_correlation : float
        Correlation of a member with its hub, within a condition.
    noise : float
        Multiplies the standard deviation of every gene.
    random_state : int, Generator or None
        Seed.

    Returns
    -------
    Dataset
        (4 · n_replicates, n_genes), rows such as ``T20_C400_r1``; groups: ``temperature``,
        ``co2``, ``replicate``. ``truth`` has ``responding`` (factor → genes), ``effects``
        (τ, γ, δ of all genes), ``modules`` (gene → module), ``hubs`` (module → gene),
        ``edges`` (all pairs within modules: ``source``, ``target``, ``correlation`` and
        whether the link is ``direct``), ``baseline`` and ``sd`` of all genes.

    Examples
    --------
    >>> plants = gene_expression()
    >>> plants.data.shape
    (24, 3000)
    >>> [len(genes) for genes in plants.truth["responding"].values()]
    [600, 360, 90]
    """
    whole(n_genes, "n_genes")
    sizes = [round(s * n_genes) for s in _three(shares, "shares", most=1.0)]
    effects = _three(effects, "effects")
    n_modules = n_genes // 200 if n_modules is None else whole(n_modules, "n_modules", 0)
    whole(module_size, "module_size", 2)  # a hub and a member
    number(noise, "noise", least=0.0)
    planted = sum(sizes) + n_modules * module_size
    if min(sizes) < 0 or n_modules < 0 or planted > n_genes:
        raise InputError(
            f"{sum(sizes)} responding genes and {n_modules} modules of {module_size} do not fit "
            f"in {n_genes} genes: lower shares, n_modules or module_size, or raise n_genes"
        )
    whole(n_replicates, "n_replicates")
    share(module_correlation, "module_correlation", zero=True, one=True)
    rng = generator(random_state)

    order = rng.permutation(n_genes)
    *responding, module_genes, _ = np.split(order, np.cumsum([*sizes, n_modules * module_size]))
    members = module_genes.reshape(n_modules, module_size)
    coefficients = _draw_effects(rng, n_genes, responding, effects)
    baseline = np.clip(rng.normal(7, 2, n_genes), 2, 14)
    dispersion = 0.03 * rng.lognormal(0, 0.5, n_genes)
    sd = noise * np.sqrt(dispersion + 2.0**-baseline) / np.log(2)

    samples = _design(n_replicates)
    t, c = (2.0 * samples[factor].cat.codes.to_numpy() - 1 for factor in _FACTORS[:2])
    means = baseline + np.column_stack([t / 2, c / 2, t * c / 4]) @ coefficients.T
    z = _draw_modules(rng, len(samples), n_genes, members, module_correlation)
    shift = rng.normal(0, 0.03, (len(samples), 1))
    quality = rng.lognormal(0, 0.1, (len(samples), 1))

    genes = pd.Index(row_labels("G", n_genes, width=4))
    modules = row_labels("M", n_modules, width=2)
    return listed(
        "gene_expression",
        pd.DataFrame(means + shift + quality * sd * z, samples.index, genes),
        samples,
        truth={
            "responding": {
                factor: sorted(genes[chosen])
                for factor, chosen in zip(_FACTORS, responding, strict=True)
            },
            "effects": pd.DataFrame(coefficients, genes, list(_FACTORS)),
            "modules": pd.Series(
                np.repeat(modules, module_size), genes[members.ravel()], name="module"
            ).sort_index(),
            "hubs": dict(zip(modules, genes[members[:, 0]], strict=True)),
            "edges": _edges(genes, members, module_correlation),
            "baseline": pd.Series(baseline, genes, name="baseline"),
            "sd": pd.Series(sd, genes, name="sd"),
        },
    )


def _three(values: VectorLike, name: str, most: float = math.inf) -> tuple[float, float, float]:
    """Return three numbers: of temperature, of CO2 and of both together."""
    numbers = vector(values, name)
    if numbers.size != 3 or (most < math.inf and numbers.min() < 0) or numbers.max() > most:
        raise InputError(f"{name}={short(values)} must be three numbers, one for each effect")
    first, second, third = map(float, numbers)
    return first, second, third


def _design(n_replicates: int) -> pd.DataFrame:
    """Cross temperatures, CO2 levels and replicates, one sample per row."""
    replicates = [f"r{k}" for k in range(1, n_replicates + 1)]
    levels = {"temperature": ["T20", "T30"], "co2": ["C400", "C800"], "replicate": replicates}
    crossed = pd.MultiIndex.from_product(list(levels.values()), names=list(levels))
    rows = ["_".join(labels) for labels in crossed]
    return pd.DataFrame(
        {
            name: pd.Categorical(crossed.get_level_values(name), categories)
            for name, categories in levels.items()
        },
        index=rows,
    )


def _draw_effects(
    rng: np.random.Generator, n_genes: int, responding: list[np.ndarray], effects: tuple[float, ...]
) -> np.ndarray:
    """Signed effects (n_genes, 3), zero outside the responding sets."""
    coefficients = np.zeros((n_genes, len(effects)))
    for j, (chosen, effect) in enumerate(zip(responding, effects, strict=True)):
        # Gamma(9)/9 has mean 1 and standard deviation 1/3, and never comes near 0.
        size = effect * rng.gamma(9, 1 / 9, chosen.size)
        coefficients[chosen, j] = rng.choice([-1.0, 1.0], chosen.size) * size
    return coefficients


def _draw_modules(
    rng: np.random.Generator, n: int, n_genes: int, members: np.ndarray, correlation: float
) -> np.ndarray:
    """Draw standard normal noise (n, n_genes), in which members follow the hub of their module."""
    z = rng.standard_normal((n, n_genes))
    hubs, others = members[:, :1], members[:, 1:]
    z[:, others] = correlation * z[:, hubs] + np.sqrt(1 - correlation**2) * z[:, others]
    return z


def _edges(genes: pd.Index, members: np.ndarray, correlation: float) -> pd.DataFrame:
    """All pairs within modules, hub links first, with the correlation of each."""
    first, second = np.triu_indices(members.shape[1], 1)
    direct = np.tile(first == 0, len(members))
    return pd.DataFrame(
        {
            "source": genes[members[:, first].ravel()],
            "target": genes[members[:, second].ravel()],
            "correlation": np.where(direct, correlation, correlation**2),
            "direct": direct,
        }
    )


@remember_call
def replicated_expression(
    n_replicates: int = 24,
    n_genes: int = 120,
    *,
    n_modules: int = 6,
    module_size: int = 10,
    module_correlation: float = 0.93,
    rewired: int = 2,
    effect: float = 1.0,
    random_state: SeedLike = 0,
) -> Dataset:
    """Simulate log2 expression of genes in modules, control against stress, well replicated.

    Members of a module follow its first gene with correlation `module_correlation`, and one another
    through it. Under stress the last `rewired` modules dissolve, and as many sets of independent
    genes become modules instead. A third of the genes also change their level by `effect` standard
    deviations, up or down, which is not a link. With the usual settings 13 replicates per condition
    give an agreement of 0.8 between the networks of two experiments, and 24 are enough to show it.

    Parameters
    ----------
    n_replicates : int
        Samples in each of the two conditions.
    n_genes, n_modules, module_size, rewired : int
        ``(n_modules + rewired)·module_size`` genes at most.
    effect, module_correlation, random_state
        The change of level in standard deviations; the others as for `gene_expression`.

    Returns
    -------
    Dataset
        (2 · n_replicates, n_genes), rows such as ``control_1``; groups: ``treatment``. ``truth``
        has ``modules`` (condition → module → genes) and ``shifted`` (genes).

    Examples
    --------
    >>> experiment = replicated_expression()
    >>> experiment.data.shape, len(experiment.truth["modules"]["stress"])
    ((48, 120), 6)
    """
    for name, value in (("n_replicates", n_replicates), ("n_genes", n_genes)):
        whole(value, name, 2)
    whole(n_modules, "n_modules", 0)
    whole(module_size, "module_size", 2)
    whole(rewired, "rewired", 0)
    number(effect, "effect")
    share(module_correlation, "module_correlation", zero=True, one=True)
    if rewired > n_modules or (n_modules + rewired) * module_size > n_genes:
        raise InputError(
            f"{n_modules} modules of {module_size}, {rewired} of them rewired, do not fit in "
            f"{n_genes} genes: lower n_modules, rewired or module_size, or raise n_genes"
        )
    rng = generator(random_state)
    genes = row_labels("G", n_genes, width=3)
    sets = np.arange((n_modules + rewired) * module_size).reshape(-1, module_size)
    present = {"control": sets[:n_modules]}
    present["stress"] = np.concatenate([sets[: n_modules - rewired], sets[n_modules:]])
    shift = np.zeros(n_genes)
    shifted = rng.permutation(n_genes)[: n_genes // 3]
    shift[shifted] = effect * rng.choice([-1.0, 1.0], shifted.size)
    baseline, sd = rng.normal(8.0, 2.0, n_genes), 0.3 * rng.lognormal(0.0, 0.3, n_genes)
    tables = []
    for name in _TREATMENTS:
        z = _draw_modules(rng, n_replicates, n_genes, present[name], module_correlation)
        tables.append(baseline + sd * (z + shift * (name == "stress")))
    rows = [f"{name}_{k}" for name in _TREATMENTS for k in range(1, n_replicates + 1)]
    treatment = pd.Categorical(np.repeat(_TREATMENTS, n_replicates), _TREATMENTS)
    return listed(
        "replicated_expression",
        pd.DataFrame(np.vstack(tables), index=rows, columns=genes),
        pd.DataFrame({"treatment": treatment}, index=rows),
        truth={
            "modules": {
                name: [[genes[k] for k in members] for members in present[name]]
                for name in _TREATMENTS
            },
            "shifted": sorted(genes[k] for k in shifted),
        },
    )
