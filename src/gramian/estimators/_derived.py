"""What of a fitted estimator follows from its record: a file that says otherwise is forged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from gramian.distances.corrections import goodness_of_fit
from gramian.embedding import FeatureModel, GramModel
from gramian.estimators._base import Attributes, spectrum_state
from gramian.estimators.factors.base import FactorEstimator
from gramian.estimators.pca import PCA
from gramian.estimators.scaling.map import MapModel
from gramian.estimators.scaling.mds import ClassicalMDS
from gramian.estimators.scaling.stress_mds import MDS
from gramian.estimators.several.combination import weighted_kernel
from gramian.estimators.several.multi_kernel import MultiKernelPCA
from gramian.operators import DistanceGram

__all__ = ["derived"]


def derived(fitted: Any) -> Attributes:
    """Return the fitted attributes that the record of a spectral estimator gives again.

    >>> import gramian as gm
    >>> pca = gm.PCA(1).fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
    >>> round(float(derived(pca)["eigenvalues_"][0]), 6)
    2.666667
    """
    state = spectrum_state(fitted.record_.model)
    for cls, more in _OWN:
        if isinstance(fitted, cls):
            state |= more(fitted)
    return state


def _of_pca(pca: PCA) -> Attributes:
    model = pca.record_.model
    assert isinstance(model, FeatureModel)
    own = pca._axes(model.principal, pca.record_.training.n_live)
    del own["_idle"]  # correlations with the rows, which are not looked at
    # Whether columns were scaled is a parameter, which may have been set anew after the fit.
    own["scale_"] = None if pca.scale_ is None else model.principal.standard.deviation
    return own


def _of_factors(fit: FactorEstimator) -> Attributes:
    return {"components_": fit._principal.spectrum.vectors.T}


def _of_classical(mds: ClassicalMDS) -> Attributes:
    model = mds.record_.model
    if isinstance(model, GramModel) and isinstance(model.operator, DistanceGram):
        of = model.operator
        raw = of.constant * of.unit * (of.unit if of.correction == "lingoes" else 1.0)
    else:
        raw = 0.0
    s = model.spectrum
    known = not any(np.isnan(mds.goodness_of_fit_))
    fit = goodness_of_fit(s.values, s.total, s.negative, known=known)
    return {"correction_constant_": raw, "goodness_of_fit_": fit}


def _of_map(mds: MDS) -> Attributes:
    model, training = mds.record_.model, mds.record_.training
    assert isinstance(model, MapModel)
    sammon = isinstance(model.scaling.pair_weight, str)
    power = (2 if model.scaling.loss == "stress" else 4) - sammon
    with np.errstate(over="ignore", under="ignore"):
        raw = model.fit.raw * float(np.float64(model.unit) ** power)
    n = len(model.arrangement.where)
    s = np.ones(n) if model.weights is None else model.weights * n
    share = model.arrangement.share(model.fit.per_point, s)
    if training.live is not None:
        shares = np.zeros(training.n)
        shares[training.live] = share
        share = shares
    return {"stress_": model.fit.stress, "raw_stress_": raw, "stress_per_point_": share}


def _of_several(fitted: MultiKernelPCA) -> Attributes:
    c = fitted.combination_
    names = list(c.kernels)
    return {
        "kernel_": weighted_kernel(list(c.kernels.values()), c.factors),
        "kernels_": c.kernels,
        "kernel_weights_": pd.Series(c.weights, index=names, name="weight"),
        "rv_": pd.DataFrame(c.rv, index=names, columns=names),
    }


_OWN: list[tuple[type, Callable[[Any], Attributes]]] = [
    (PCA, _of_pca),
    (FactorEstimator, _of_factors),
    (ClassicalMDS, _of_classical),
    (MDS, _of_map),
    (MultiKernelPCA, _of_several),
]
