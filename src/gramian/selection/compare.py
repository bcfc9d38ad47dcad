"""Which kernel? Candidates side by side, with the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import generator, whole
from gramian._core.embedding import count
from gramian._core.frames import in_order_of, labels_of
from gramian._core.pairs import Points
from gramian._estimators.nystrom import kernel_rows
from gramian.kernels.base import Kernel
from gramian.selection.diagnosis import USEFUL
from gramian.selection.evidence import best_of, edge_of, evidence
from gramian.selection.inputs import candidates_of, criteria_of, target_of


@dataclass(frozen=True)
class KernelSelection:
    """Kernels compared.

    Attributes
    ----------
    best : Kernel
        The one with the largest criterion among those that are of use, its scale a number.
    table : DataFrame, one row a candidate
        "scale"; the criteria, with "p_value" (for the best of all candidates) where the first of
        them compares with shuffled tables or predicts a target; then what the Gram matrix looks
        like: "effective_rank" (exp of the spectral entropy), "first_share"
        (of the first axis), "common" (the mean of k over that of k(x, x)), "contrast" and, in
        words, "verdict".
    criterion : str
        What decided.
    kernels : dict
        The candidates by label, their scales numbers.
    n_rows, n : int
        How many rows were looked at, of how many.
    notes : list of str
    edge : str
        "smallest" or "largest" where the candidates are scales of one kernel and the best is the
        last of them on that side, so that others may be better; else empty.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.iris().data.iloc[:40]
    >>> selection = gm.kernels.select(X, ["linear", "gaussian"])
    >>> selection.criterion, selection.table["reconstruction"].round(3).to_dict()
    ('reconstruction', {'linear': 0.03, 'gaussian': 0.039})
    """

    best: Kernel
    table: pd.DataFrame
    criterion: str
    kernels: dict[str, Kernel] = field(repr=False)
    n_rows: int
    n: int
    notes: list[str]
    edge: str = ""

    def __repr__(self) -> str:
        """Say which kernel was chosen, how many are of no use, and what to know."""
        idle = int((self.table["verdict"] != USEFUL).sum())
        lines = [self._choice(), *([f"{idle} are of no use (see table)"] if idle else [])]
        return "KernelSelection: " + "\n  ".join([*lines, *self.notes])

    @property
    def label(self) -> str:
        """The label of the best candidate."""
        return next(label for label, kernel in self.kernels.items() if kernel is self.best)

    def summary(self) -> str:
        """Return the choice in words."""
        lines = [self._choice()]
        verdicts = dict(zip(self.kernels, self.table["verdict"], strict=True))
        lines += [f"{label}: {words}" for label, words in verdicts.items() if words != USEFUL]
        return "\n".join([*lines, *self.notes])

    def _choice(self) -> str:
        value = float(self.table[self.criterion][self.label])
        return f"{self.label}: {self.criterion} {value:.4g}, the choice among {len(self.table)}"


def select(
    X: Any,
    candidates: Any = None,
    y: Any = None,
    *,
    criterion: str | Sequence[str] | None = None,
    n_permutations: int = 19,
    n_folds: int = 5,
    max_rows: int = 500,
    random_state: Any = None,
) -> KernelSelection:
    """Compare kernels, or scales of one kernel, on data.

    Criteria, each the larger the better; all are scale-free, so that different kernels compare:

    - "reconstruction": share of held-out inertia that the first axes give back, averaged over one
      to ten of them, less that of the same table with its columns shuffled one by one; the default
      without a target;
    - "parallel": inertia of the first axes above that of any shuffled table (parallel analysis),
      as a share of the whole;
    - "entropy": spectral entropy of the shuffled tables less that of the table;
    - "contrast": spread of the cosines k(x, y)/√(k(x, x)·k(y, y)); the default where there are no
      columns to shuffle;
    - "alignment": cosine of the centred kernel and that of the target;
    - "score": share of the held-out deviance explained by penalised logistic (classes) or ridge
      (numbers) regression; the default with a target.

    The best of many candidates fits something in any target. With one, "p_value" is the share of
    shuffled targets, the one at hand among them, that some candidate predicts as well (by ridge
    regression, of the classes' indicators too), and a note says where that is often. All p-values
    suppose exchangeable rows: not in an order, no copies; without a target also of equal variance.

    A kernel that is of no use (a flat spectrum: its scale is too small; one constant: too large) is
    not chosen, whatever the criterion, unless none is of use.

    Parameters
    ----------
    X : table (n, p), or objects that the kernels take
    candidates : list of kernels or names, {label: kernel}, or one kernel
        One kernel with a scale stands for that kernel at 15 scales, from a sixteenth of the median
        scale to eight times; the Gaussian by default.
    y : array (n,), optional
        Classes (words, truth values, or up to 20 different whole numbers), or numbers.
    criterion : str or list of str, optional
        What to compute; the first one decides.
    n_permutations : int
        Shuffled tables. A shuffled target is drawn 99 times at least.
    n_folds : int
        For "score".
    max_rows : int
        Above, a seeded sample of so many rows is looked at.
    random_state : int, optional

    Returns
    -------
    KernelSelection

    Examples
    --------
    >>> import gramian as gm
    >>> rings = gm.datasets.rings()
    >>> kernels = {"line": "linear", "bell": "gaussian", "sharp": gm.kernels.Gaussian(0.001)}
    >>> choice = gm.kernels.select(rings.data, kernels, rings.groups["ring"])
    >>> choice.label, round(float(choice.table.loc["bell", "score"]), 1)
    ('bell', 0.4)
    """
    named = candidates_of(candidates, X)
    first = next(iter(named.values()))
    rows = kernel_rows(X, first, min_rows=4)
    n = count(rows.values)
    criteria = criteria_of(criterion, rows, y)
    whole(n_permutations, "n_permutations")
    whole(n_folds, "n_folds", 2)
    whole(max_rows, "max_rows", 10)
    rng = generator(random_state)
    points = Points(rows.values)
    kernels = {label: k.resolve(points, None, rows.columns) for label, k in named.items()}
    sample = np.arange(n) if n <= max_rows else np.sort(rng.choice(n, max_rows, replace=False))
    some = rows.values if n <= max_rows else points.take(sample).X
    target = None if y is None else target_of(in_order_of(y, labels_of(X), "y"), n, sample)
    table = evidence(kernels, some, target, criteria, n_permutations, n_folds, rng)
    table.insert(0, "scale", [_scale(kernel) for kernel in kernels.values()])
    best, notes = best_of(table, criteria[0])
    edge = edge_of(kernels, best)
    if edge:
        beyond = "smaller" if edge == "smallest" else "larger"
        notes.append(f"its scale is the {edge} of those compared: {beyond} ones may be better")
    if len(sample) < n:
        notes.append(f"{len(sample)} of {n} rows were looked at, drawn at random")
    return KernelSelection(kernels[best], table, criteria[0], kernels, len(sample), n, notes, edge)


def _scale(kernel: Kernel) -> float:
    scale = kernel.get_params(deep=False).get("scale", np.nan)
    return float(scale)
