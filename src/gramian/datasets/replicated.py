"""A simulated experiment with enough replicates to say how many are needed."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gramian._core.check import generator, number, share, whole
from gramian.datasets._dataset import Dataset, Seed, remembered, row_labels
from gramian.datasets.entries import ENTRIES
from gramian.errors import InputError

_TREATMENTS = ("control", "stress")


@remembered
def replicated_expression(
    n_replicates: int = 24,
    n_genes: int = 120,
    *,
    n_modules: int = 6,
    module_size: int = 10,
    module_correlation: float = 0.93,
    rewired: int = 2,
    effect: float = 1.0,
    random_state: Seed = 0,
) -> Dataset:
    """Simulate log2 expression of genes in modules, control against stress, well replicated.

    Members of a module follow its first gene with correlation `module_correlation`, and one
    another through it. Under stress the last `rewired` modules fall apart, and as many sets of
    genes that were free become modules instead. A third of the genes also change their level by
    `effect` standard deviations, up or down, which is no link. With the usual settings 13
    replicates per condition give an agreement of 0.8 between the networks of two experiments, and
    24 are enough to say so.

    Parameters
    ----------
    n_replicates : int
        Samples in each of the two conditions.
    n_genes, n_modules, module_size, rewired : int
        ``(n_modules + rewired)·module_size`` genes at most.
    module_correlation : float
    effect : float
    random_state : int, Generator or None

    Returns
    -------
    Dataset
        (2 · n_replicates, n_genes), rows such as ``control_1``; groups: ``treatment``. ``truth``
        has ``modules`` (condition → module → genes) and ``shifted`` (genes).

    Examples
    --------
    >>> from gramian.datasets import replicated_expression
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
        z = rng.standard_normal((n_replicates, n_genes))
        for members in present[name]:
            z[:, members[1:]] *= np.sqrt(1.0 - module_correlation**2)
            z[:, members[1:]] += module_correlation * z[:, members[:1]]
        tables.append(baseline + sd * (z + shift * (name == "stress")))
    rows = [f"{name}_{k}" for name in _TREATMENTS for k in range(1, n_replicates + 1)]
    treatment = pd.Categorical(np.repeat(_TREATMENTS, n_replicates), _TREATMENTS)
    return Dataset(
        name="replicated_expression",
        description=ENTRIES["replicated_expression"].description,
        data=pd.DataFrame(np.vstack(tables), index=rows, columns=genes),
        groups=pd.DataFrame({"treatment": treatment}, index=rows),
        truth={
            "modules": {
                name: [[genes[k] for k in members] for members in present[name]]
                for name in _TREATMENTS
            },
            "shifted": sorted(genes[k] for k in shifted),
        },
    )
