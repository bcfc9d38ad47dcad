"""The evidence for each candidate, and which one it speaks for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import to_dense
from gramian.kernels.base import Kernel
from gramian.selection._grams import grams, spectrum
from gramian.selection.criteria import (
    Target,
    above_noise,
    alignment,
    explained,
    held_out,
)
from gramian.selection.diagnosis import USEFUL, diagnosis, entropy
from gramian.selection.inputs import AGAINST_NOISE, WITH_TARGET
from gramian.selection.targets import target_p_values

_LEVEL = 0.05


def evidence(
    kernels: dict[str, Kernel],
    X: Any,
    target: Target | None,
    criteria: list[str],
    n_permutations: int,
    n_folds: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return one row a kernel: criteria, what its spectrum looks like, and the verdict."""
    resolved = list(kernels.values())
    matrices = grams(resolved, X, centring=True)
    n = len(matrices[0])
    spectra = [spectrum(K) for K in matrices]
    columns: dict[str, list[Any]] = {}
    if any(name in AGAINST_NOISE for name in criteria):
        columns |= _against_noise(resolved, matrices, spectra, X, criteria, n_permutations, rng)
    if target is not None:
        columns["alignment"] = [alignment(K, target) for K in matrices]
        if "score" in criteria:
            folds = _folds(n, target if target.n_classes else None, n_folds, rng)
            scores = [held_out(K, target, folds) for K in matrices]
            columns["score"], columns["penalty"] = map(list, zip(*scores, strict=True))
        if criteria[0] in WITH_TARGET:
            columns["p_value"] = target_p_values(matrices, target, n_folds, n_permutations, rng)
    seen = [
        diagnosis(kernel, K, values, float(np.diag(moved).mean()))
        for kernel, K, values, moved in zip(
            resolved, grams(resolved, X), spectra, matrices, strict=True
        )
    ]
    index = pd.Index(list(kernels), name="kernel")
    table = pd.DataFrame(columns, index=index).join(pd.DataFrame(seen, index=index))
    first = [name for name in criteria if name in table]
    return table[[*first, *(name for name in table.columns if name not in first)]]


def _against_noise(
    kernels: list[Kernel],
    matrices: list[np.ndarray],
    spectra: list[np.ndarray],
    X: Any,
    criteria: list[str],
    n_permutations: int,
    rng: np.random.Generator,
) -> dict[str, list[float]]:
    """Return the criteria that compare with shuffled columns; the tables are the same for all.

    Not parallel analysis of one table (`nulls.spectra.compare`): every kernel sees each shuffled
    table, which makes them comparable, and p-values are those of the best of all kernels.
    """
    by_columns = np.ascontiguousarray(to_dense(X).T)
    n, m = by_columns.shape[1], len(kernels)
    halves = _folds(n, None, 2, rng)
    by_spectra = "parallel" in criteria or "entropy" in criteria
    null = np.zeros((m, n_permutations, n - 1))
    shares = np.zeros((m, n_permutations))
    for b in range(n_permutations):
        shuffled = np.ascontiguousarray(rng.permuted(by_columns, axis=1).T)
        for k, K in enumerate(grams(kernels, shuffled, centring=True)):
            if by_spectra:
                null[k, b] = spectrum(K)
            if "reconstruction" in criteria:
                shares[k, b] = explained(K, halves)
    values: dict[str, list[float]] = {}
    p_values: dict[str, list[float]] = {}
    if "parallel" in criteria:
        values["parallel"], p_values["parallel"] = _energies(spectra, null)
    if "entropy" in criteria:
        own = -np.array([entropy(v) for v in spectra])
        order = -np.array([[entropy(row) for row in w] for w in null])
        values["entropy"], p_values["entropy"] = _gain(own, order)
    if "reconstruction" in criteria:
        own = np.array([explained(K, halves) for K in matrices])
        values["reconstruction"], p_values["reconstruction"] = _gain(own, shares)
    decisive = next(name for name in criteria if name in AGAINST_NOISE)
    return values | {"p_value": p_values[decisive]}


def _energies(spectra: list[np.ndarray], null: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the inertia above noise of each kernel, and p-values that hold for the best."""
    tables = np.concatenate([np.asarray(spectra)[:, None, :], null], axis=1)
    energy = np.array(
        [
            [above_noise(v, np.delete(each, t, axis=0)) for t, v in enumerate(each)]
            for each in tables
        ]
    )
    own = energy[:, :1]
    return list(own[:, 0]), list((energy.max(axis=0)[None, :] >= own).mean(axis=1))


def _gain(own: np.ndarray, null: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the advantage of each kernel over the shuffled tables, and p-values.

    The p-values hold for the best of all kernels: each is the share of tables, the one at hand
    among them, in which some kernel stands out as far.
    """
    every = np.column_stack([own, null])
    spread = every.std(axis=1, keepdims=True)
    z = (every - every.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, np.inf)
    p_values = (z.max(axis=0)[None, :] >= z[:, :1]).mean(axis=1)
    return list(own - null.mean(axis=1)), list(p_values)


def _folds(n: int, target: Target | None, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the fold of each row, each class dealt evenly."""
    kind = np.zeros(n, dtype=int) if target is None else target.values
    order = rng.permutation(n)
    order = order[np.argsort(kind[order], kind="stable")]
    folds = np.empty(n, dtype=int)
    folds[order] = np.arange(n) % n_folds
    return folds


def best_of(table: pd.DataFrame, criterion: str) -> tuple[str, list[str]]:
    """Return the label of the best candidate, and what must be said about the choice."""
    values = table[criterion].where(np.isfinite(table[criterion]), -np.inf)
    useful = table["verdict"] == USEFUL
    notes = []
    if not useful.any():
        notes.append("no candidate is of use: the one chosen is only the least bad")
        useful[:] = True
    best = str(values[useful].idxmax())
    if criterion in WITH_TARGET and table["p_value"][best] > _LEVEL:
        notes.append(
            "a target that has nothing to do with the rows is often predicted as well "
            f"(p = {table['p_value'][best]:.2g}): no candidate is known to help"
        )
    lost = values[best] <= 0 and criterion != "contrast"
    if lost or (criterion in AGAINST_NOISE and table.get("p_value", values * 0)[best] > _LEVEL):
        best = str(table["contrast"][useful].idxmax())
        notes.append(
            f"no candidate stands out by its {criterion}: the one of largest contrast is given"
        )
    return best, notes


def edge_of(kernels: dict[str, Kernel], best: str) -> str:
    """Return on which end of a grid of scales of one kernel the best stands, or nothing.

    >>> from gramian.kernels import Gaussian
    >>> edge_of({str(s): Gaussian(s) for s in (1.0, 2.0, 4.0)}, "4.0")
    'largest'
    """
    own = [kernel.get_params(deep=False) for kernel in kernels.values()]
    scales = [parameters.pop("scale", None) for parameters in own]
    alike = len({(type(k).__name__, repr(v)) for k, v in zip(kernels.values(), own, strict=True)})
    if alike > 1 or None in scales or len(scales) < 3:
        return ""
    at = scales[list(kernels).index(best)]
    return "smallest" if at == min(scales) else "largest" if at == max(scales) else ""
