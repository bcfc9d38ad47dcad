"""Selection of a kernel: candidates, criteria and diagnostics."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from scipy.special import log_softmax

from gramian._core.array import Array, power_of_two, to_dense, to_numpy
from gramian._core.check import generator, is_list, one_of, short, whole
from gramian._core.embedding import count
from gramian._core.frames import in_order_of, labels_of
from gramian._core.numbers import as_array, as_floats, refuse_masks
from gramian._core.pairs import Pairs, Points
from gramian._core.table import Table
from gramian._core.types import RowsLike, SeedLike, VectorLike
from gramian._core.views import Lines
from gramian._estimators.base import kernel_rows
from gramian._estimators.logistic import fit_logistic, linear_predictor
from gramian._nulls.p_values import p_values
from gramian.distances.corrections import double_centre
from gramian.errors import InputError, InputTypeError
from gramian.kernels.bandwidth import scales
from gramian.kernels.base import Kernel, KernelLike
from gramian.kernels.learning import learned_scales
from gramian.kernels.radial import Gaussian
from gramian.kernels.registry import as_kernel

__all__ = ["KernelSelection", "select"]

MULTIPLES = 2.0 ** np.arange(-4.0, 3.5, 0.5)  # of the median scale
SHRINKAGES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of learned scales
PENALTIES = 10.0 ** np.arange(-3.0, 3.0)  # of kernels of inertia 1
USEFUL = "useful"  # the verdict on a kernel that nothing is wrong with

_AGAINST_NOISE = ("parallel", "entropy", "reconstruction")
_WITH_TARGET = ("alignment", "score")
_CRITERIA = (*_AGAINST_NOISE, "contrast", *_WITH_TARGET)
_LEVEL = 0.05
_MAX_CLASSES = 20  # different whole numbers that are still classes
_FLAT_SHARE = 0.8  # of the axes there could be: nearly all are equally long
_CONSTANT_SHARE = 0.98  # of k(x, x) is common to all points
_ROUNDING = 1e-9
_N_AXES = 10  # over which held-out shares of the inertia are averaged
_SCORE_AXES = 100  # that a held-out score may use
_TEST_AXES = 60  # that a prediction of shuffled targets may use
_TEST_ROWS = 200  # that the test of a target uses
_MIN_SHUFFLES = 99  # of a target

_Candidates: TypeAlias = Kernel | str | Sequence[KernelLike] | Mapping[str, KernelLike] | None


@dataclass(frozen=True)
class KernelSelection(Lines):
    """The result of `gm.kernels.select`: kernels compared by one or more criteria.

    Attributes
    ----------
    best : Kernel
        The usable kernel with the largest criterion, its scale a number.
    table : DataFrame, one row per candidate
        "scale"; the criteria, with "p_value" (for the best of all candidates) where the first of
        them compares with shuffled tables or predicts a target; then properties of the Gram matrix:
        "effective_rank" (exp of the spectral entropy), "first_share" (of the first axis), "common"
        (the mean of k over that of k(x, x)), "contrast" and the text "verdict".
    criterion : str
        The criterion of the selection.
    kernels : dict
        The candidates by label, their scales numbers.
    n_rows, n : int
        Number of rows used, and of all rows.
    edge : str
        "smallest" or "largest" if the best of several scales is at this end of the grid, so that
        scales beyond it may be better; else empty.

    Examples
    --------
    >>> X = gm.datasets.iris().data.iloc[:40]
    >>> selection = gm.kernels.select(X, ["linear", "gaussian"])
    >>> selection.criterion, selection.table["reconstruction"].round(3).to_dict()
    ('reconstruction', {'linear': 0.03, 'gaussian': 0.039})
    """

    best: Kernel
    table: pd.DataFrame
    criterion: str
    kernels: dict[str, Kernel]
    n_rows: int
    n: int
    notes: list[str]
    edge: str = ""

    def __repr__(self) -> str:
        idle = int((self.table["verdict"] != USEFUL).sum())
        lines = [self._choice(), *([f"{idle} are of no use (see table)"] if idle else [])]
        return "KernelSelection: " + "\n  ".join([*lines, *self.notes])

    @property
    def label(self) -> str:
        """The label of the best candidate."""
        return next(label for label, kernel in self.kernels.items() if kernel is self.best)

    def summary(self) -> str:
        """Return a text on the selection."""
        verdicts = zip(self.kernels, self.table["verdict"], strict=True)
        lines = [f"{label}: {words}" for label, words in verdicts if words != USEFUL]
        return "\n".join([self._choice(), *lines, *self.notes])

    def _choice(self) -> str:
        value = float(self.table[self.criterion][self.label])
        return f"{self.label}: {self.criterion} {value:.4g}, the choice among {len(self.table)}"


def select(
    X: RowsLike,
    candidates: _Candidates = None,
    y: VectorLike | None = None,
    *,
    criterion: str | Sequence[str] | None = None,
    n_permutations: int = 19,
    n_folds: int = 5,
    max_rows: int = 500,
    random_state: SeedLike = None,
) -> KernelSelection:
    """Compare kernels, or scales of one kernel, on data.

    Criteria, each the larger the better; all are scale-free, so that different kernels compare:

    - "reconstruction": share of held-out inertia reconstructed by the first axes, averaged over one
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

    The best of many candidates predicts any target to some extent. With a target, "p_value" is the
    share of shuffled targets, the actual one included, that some candidate predicts as well (by
    ridge regression, also for indicators of classes), and a note warns if it is large. All p-values
    suppose exchangeable rows: not in an order, no copies; without a target also of equal variance.

    An unusable kernel (a flat spectrum: its scale is too small; nearly constant: too large) is not
    chosen, whatever the criterion, unless all are unusable.

    Parameters
    ----------
    X : table (n, p), or objects that the kernels take
        The rows on which kernels are compared.
    candidates : list of kernels or names, {label: kernel}, or one kernel
        A single kernel with a scale is tried at 15 scales, from a sixteenth of the median scale to
        eight times; the Gaussian by default. ``Gaussian(scale="learn")`` learns one scale per
        column on one half of the rows (for the target, if there is one), shrunk to a common scale
        by 0, ¼, ½, ¾ and 1; these are compared on the other half.
    y : array (n,), optional
        The target: classes (texts, booleans, or up to 20 different whole numbers) or numbers.
    criterion : str or list of str, optional
        The criteria to compute; the first one is used for the selection.
    n_permutations : int
        Number of shuffled tables; targets are shuffled at least 99 times.
    n_folds : int
        Number of folds, for "score".
    max_rows : int
        For larger tables, a seeded sample of this many rows is used.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Examples
    --------
    >>> rings = gm.datasets.rings()
    >>> kernels = {"line": "linear", "bell": "gaussian", "sharp": gm.kernels.Gaussian(0.001)}
    >>> choice = gm.kernels.select(rings.data, kernels, rings.groups["ring"])
    >>> choice.label, round(float(choice.table.loc["bell", "score"]), 1)
    ('bell', 0.4)
    """
    learns = isinstance(candidates, Gaussian) and str(candidates.scale) == "learn"
    named = _read_candidates("gaussian" if learns else candidates, X)
    first = next(iter(named.values()))
    rows = kernel_rows(X, first, min_rows=12 if learns else 4)
    n = count(rows.values)
    criteria = _read_criteria(criterion, rows, y)
    whole(n_permutations, "n_permutations")
    whole(n_folds, "n_folds", 2)
    whole(max_rows, "max_rows", 10)
    rng = generator(random_state)
    points = Points(rows.values)
    sample = np.arange(n) if n <= max_rows else np.sort(rng.choice(n, max_rows, replace=False))
    y = None if y is None else in_order_of(y, labels_of(X), "y")
    if learns:
        half, sample = (np.sort(part) for part in np.array_split(rng.permutation(sample), 2))
        T = None if y is None else _read_target(y, n, half).gram()
        learned = {s: learned_scales(points.take(half), None, T, shrinkage=s) for s in SHRINKAGES}
        named = {f"Gaussian(shrunk {s:g})": Gaussian(scale=own) for s, own in learned.items()}
    kernels = {label: k.resolve(points, None, rows.columns) for label, k in named.items()}
    some = rows.values if len(sample) == n else points.take(sample).X
    target = None if y is None else _read_target(y, n, sample)
    table = _evidence(kernels, some, target, criteria, n_permutations, n_folds, rng)
    parameters = [kernel.get_params(deep=False) for kernel in kernels.values()]
    table.insert(0, "scale", [float(own.get("scale", np.nan)) for own in parameters])
    best, notes = _best(table, criteria[0])
    edge = _edge(kernels, best)
    if edge:
        beyond = "smaller" if edge == "smallest" else "larger"
        notes.append(f"its scale is the {edge} of those compared: {beyond} ones may be better")
    if learns:
        notes.append(f"scales were learned on {len(half)} other rows than they are compared on")
    if len(sample) < n:
        notes.append(f"{len(sample)} of {n} rows were looked at, drawn at random")
    return KernelSelection(kernels[best], table, criteria[0], kernels, len(sample), n, notes, edge)


def _read_candidates(candidates: _Candidates, X: RowsLike) -> dict[str, Kernel]:
    """Return the candidates by label."""
    if candidates is None:
        candidates = "gaussian"
    if isinstance(candidates, str | Kernel):
        kernel = as_kernel(candidates)
        if "scale" not in kernel.get_params(deep=False):
            raise InputError(f"candidates={short(candidates)} has no scale to choose: give several")
        own = kernel.get_params(deep=False)
        grid = MULTIPLES * scales(X)["median"]
        name = type(kernel).__name__
        return {f"{name}(scale={s:.4g})": type(kernel)(**own | {"scale": float(s)}) for s in grid}
    if isinstance(candidates, Mapping):
        kernels = {str(label): as_kernel(kernel) for label, kernel in candidates.items()}
    else:
        if not is_list(candidates):
            raise InputTypeError(f"candidates={short(candidates)} must be a list of kernels")
        kernels = {k if isinstance(k, str) else repr(k): as_kernel(k) for k in candidates}
        if len(kernels) < len(list(candidates)):
            raise InputError("candidates holds the same kernel twice: give each once")
    if not kernels:
        raise InputError("candidates is empty: give at least one kernel")
    return kernels


def _read_criteria(
    criterion: str | Sequence[str] | None, rows: Table, y: VectorLike | None
) -> list[str]:
    """Return the names of the criteria, the one that decides first."""
    columns = hasattr(rows.values, "shape") and rows.values.shape[1] > 1
    if criterion is None:
        criterion = "score" if y is not None else "reconstruction" if columns else "contrast"
    if not isinstance(criterion, str) and not is_list(criterion):
        raise InputTypeError(f"criterion={short(criterion)} must be a name or a list of names")
    names = [criterion] if isinstance(criterion, str) else list(criterion)
    for name in names:
        one_of(name, "criterion", _CRITERIA)
        if name in _WITH_TARGET and y is None:
            raise InputError(f"criterion={short(name)} needs a target: give y=")
        if name in _AGAINST_NOISE and not columns:
            raise InputError(
                f"criterion={short(name)} shuffles the columns of a table, and there is no second "
                "one: use 'contrast', or give y= and 'score'"
            )
    if not names:
        raise InputError("criterion is empty: name at least one")
    return names


def _read_target(y: VectorLike, n: int, sample: np.ndarray) -> _Target:
    """Return what is to be predicted, of the rows of the sample."""
    refuse_masks(y, "y")
    values = as_array(y, "y")
    if values.shape != (n,):
        raise InputError(f"y has shape {values.shape} but there are {n} rows: give one value each")
    if values.dtype.kind in "cMm":
        raise InputError(f"y holds {values.dtype} values: give numbers or classes")
    if values.dtype.kind == "O" and not all(isinstance(label, str) for label in values):
        raise InputError("y holds objects, not all of them texts: give numbers or texts")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise InputError("y has values that are missing or not finite: drop these rows")
    labels, codes = np.unique(values[sample], return_inverse=True)
    whole = values.dtype.kind not in "f" or bool((labels == np.round(labels)).all())
    if len(labels) < 2:
        raise InputError("y is constant, so that there is nothing to predict: give one that varies")
    if values.dtype.kind in "iuf" and not (whole and len(labels) <= _MAX_CLASSES):
        numbers = as_floats(values[sample], "y").astype(float)
        return _Target(numbers / power_of_two(float(np.ptp(numbers))))  # squares stay in range
    if len(labels) == len(sample):
        raise InputError("y has a different class for every row: give classes of several rows")
    return _Target(codes, len(labels))


def _evidence(
    kernels: dict[str, Kernel],
    X: RowsLike,
    target: _Target | None,
    criteria: list[str],
    n_permutations: int,
    n_folds: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return one row a kernel: criteria, what its spectrum looks like, and the verdict."""
    resolved = list(kernels.values())
    matrices = _grams(resolved, X, centring=True)
    n = len(matrices[0])
    spectra = [_spectrum(K) for K in matrices]
    columns: dict[str, list[Any]] = {}
    if any(name in _AGAINST_NOISE for name in criteria):
        columns |= _against_noise(resolved, matrices, spectra, X, criteria, n_permutations, rng)
    if target is not None:
        columns["alignment"] = [_alignment(K, target) for K in matrices]
        if "score" in criteria:
            folds = _folds(n, target if target.n_classes else None, n_folds, rng)
            scores = [_score(K, target, folds) for K in matrices]
            columns["score"], columns["penalty"] = map(list, zip(*scores, strict=True))
        if criteria[0] in _WITH_TARGET:
            columns["p_value"] = _target_p_values(matrices, target, n_folds, n_permutations, rng)
    diagnoses = [
        _diagnose(kernel, K, values, float(np.diag(moved).mean()))
        for kernel, K, values, moved in zip(
            resolved, _grams(resolved, X), spectra, matrices, strict=True
        )
    ]
    index = pd.Index(list(kernels), name="kernel")
    table = pd.DataFrame(columns, index=index).join(pd.DataFrame(diagnoses, index=index))
    first = [name for name in criteria if name in table]
    return table[[*first, *(name for name in table.columns if name not in first)]]


def _against_noise(
    kernels: list[Kernel],
    matrices: list[np.ndarray],
    spectra: list[np.ndarray],
    X: RowsLike,
    criteria: list[str],
    n_permutations: int,
    rng: np.random.Generator,
) -> dict[str, list[float]]:
    """Return the criteria that compare with shuffled columns; the tables are the same for all."""
    # Not parallel analysis of one table (`nulls.spectra.compare`): every kernel sees each shuffled
    # table, which makes them comparable, and p-values are those of the best of all kernels.
    by_columns = np.ascontiguousarray(to_dense(X).T)
    n, m = by_columns.shape[1], len(kernels)
    halves = _folds(n, None, 2, rng)
    by_spectra = "parallel" in criteria or "entropy" in criteria
    null = np.zeros((m, n_permutations, n - 1))
    shares = np.zeros((m, n_permutations))
    for b in range(n_permutations):
        shuffled = np.ascontiguousarray(rng.permuted(by_columns, axis=1).T)
        for k, K in enumerate(_grams(kernels, shuffled, centring=True)):
            if by_spectra:
                null[k, b] = _spectrum(K)
            if "reconstruction" in criteria:
                shares[k, b] = _inertia_held_out(K, halves)
    found: dict[str, tuple[list[float], list[float]]] = {}
    if "parallel" in criteria:
        found["parallel"] = _energies(spectra, null)
    if "entropy" in criteria:
        own = -np.array([_entropy(v) for v in spectra])
        order = -np.array([[_entropy(row) for row in w] for w in null])
        found["entropy"] = _gain(own, order)
    if "reconstruction" in criteria:
        own = np.array([_inertia_held_out(K, halves) for K in matrices])
        found["reconstruction"] = _gain(own, shares)
    decisive = next(name for name in criteria if name in found)
    values = {name: gain for name, (gain, _) in found.items()}
    return values | {"p_value": found[decisive][1]}


def _energies(spectra: list[np.ndarray], null: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the inertia above noise of each kernel, and p-values that hold for the best."""
    tables = np.concatenate([np.asarray(spectra)[:, None, :], null], axis=1)
    energy = np.array(
        [
            [_inertia_above_noise(v, np.delete(each, t, axis=0)) for t, v in enumerate(each)]
            for each in tables
        ]
    )
    return list(energy[:, 0]), _best_p_values(energy)


def _gain(own: np.ndarray, null: np.ndarray) -> tuple[list[float], list[float]]:
    """Return the advantage of each kernel over the shuffled tables, and p-values for the best."""
    every = np.column_stack([own, null])
    spread = every.std(axis=1, keepdims=True)
    z = (every - every.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, np.inf)
    return list(own - null.mean(axis=1)), _best_p_values(z)


def _best_p_values(statistics: np.ndarray) -> list[float]:
    """Return p-values, one a kernel, that hold for the best; statistics (m, 1 + B), data first."""
    return list(p_values(statistics[:, 0], statistics[:, 1:].max(axis=0)))


def _folds(n: int, target: _Target | None, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return the fold of each row, each class dealt evenly."""
    kind = np.zeros(n, dtype=int) if target is None else target.values
    order = rng.permutation(n)
    order = order[np.argsort(kind[order], kind="stable")]
    folds = np.empty(n, dtype=int)
    folds[order] = np.arange(n) % n_folds
    return folds


def _best(table: pd.DataFrame, criterion: str) -> tuple[str, list[str]]:
    """Return the label of the best candidate, and notes on the choice."""
    values = table[criterion].where(np.isfinite(table[criterion]), -np.inf)
    useful = table["verdict"] == USEFUL
    notes = []
    if not useful.any():
        notes.append("no candidate is of use: the one chosen is only the least bad")
        useful[:] = True
    best = str(values[useful].idxmax())
    if criterion in _WITH_TARGET and table["p_value"][best] > _LEVEL:
        notes.append(
            "a target that has nothing to do with the rows is often predicted as well "
            f"(p = {table['p_value'][best]:.2g}): no candidate is known to help"
        )
    lost = values[best] <= 0 and criterion != "contrast"
    if lost or (criterion in _AGAINST_NOISE and table.get("p_value", values * 0)[best] > _LEVEL):
        best = str(table["contrast"][useful].idxmax())
        notes.append(
            f"no candidate stands out by its {criterion}: the one of largest contrast is given"
        )
    return best, notes


def _edge(kernels: dict[str, Kernel], best: str) -> str:
    """Return on which end of a grid of scales of one kernel the best stands, or nothing.

    >>> _edge({str(s): gm.kernels.Gaussian(s) for s in (1.0, 2.0, 4.0)}, "4.0")
    'largest'
    """
    own = [kernel.get_params(deep=False) for kernel in kernels.values()]
    scales = [parameters.pop("scale", None) for parameters in own]
    alike = len({(type(k).__name__, repr(v)) for k, v in zip(kernels.values(), own, strict=True)})
    if alike > 1 or None in scales or len(scales) < 3:
        return ""
    at = scales[list(kernels).index(best)]
    return "smallest" if at == min(scales) else "largest" if at == max(scales) else ""


def _entropy(values: np.ndarray) -> float:
    """Return −Σ s log s, s the shares of the eigenvalues; its exponential counts axes.

    >>> float(np.exp(_entropy(np.array([1.0, 1.0, 0.0]))).round(6))
    2.0
    """
    live = values[values > 0]
    s = live / live.sum()
    return float(-(s * np.log(s)).sum())


def _diagnose(
    kernel: Kernel, K: np.ndarray, values: np.ndarray, size: float | None = None
) -> dict[str, Any]:
    """Describe a Gram matrix K and its inertias as `KernelSelection.table` does."""
    diagonal = np.diag(K)
    total = float(values.sum())
    common = float(K.mean() / diagonal.mean()) if diagonal.mean() > 0 else np.nan
    empty = total <= _ROUNDING * abs(float(diagonal.mean()) if size is None else size)
    rank = np.nan if empty else float(np.exp(_entropy(values)))
    return {
        "effective_rank": rank,
        "first_share": np.nan if empty else float(values[0] / total),
        "common": common,
        "contrast": _contrast(K),
        "verdict": _verdict(kernel, values, rank, common, empty),
    }


def _contrast(K: np.ndarray) -> float:
    root = np.sqrt(np.clip(np.diag(K), 0.0, None))
    live = root > 0
    C = K[np.ix_(live, live)] / (root[live, None] * root[None, live])
    off = C[np.triu_indices(len(C), k=1)]
    return float(off.std()) if off.size else 0.0


def _verdict(kernel: Kernel, values: np.ndarray, rank: float, common: float, empty: bool) -> str:
    scaled = "scale" in kernel.get_params(deep=False)
    if empty:
        return "constant: all points look the same" + (": scale too large" if scaled else "")
    if values[-1] < -_ROUNDING * values[0]:
        return f"indefinite: smallest eigenvalue {values[-1] / values[0]:.2g} of the largest"
    if rank > _FLAT_SHARE * len(values):
        what = f"flat spectrum ({rank:.0f} of {len(values)} axes count alike): every point "
        return what + "resembles only itself" + (": scale too small" if scaled else "")
    if scaled and common > _CONSTANT_SHARE:
        return f"one constant is {100 * common:.0f} % of the kernel: scale too large"
    return USEFUL


def _inertia_above_noise(values: np.ndarray, null: np.ndarray) -> float:
    """Return Σ_{k ≤ q} (λ_k − c_k) over the inertia, c_k the largest λ_k of the null tables."""
    # The first q axes are those with λ_k > c_k: parallel analysis, at level 1/(tables + 1).
    limit = null.max(axis=0)[: len(values)]
    below = np.flatnonzero(values <= limit)
    q = int(below[0]) if below.size else len(values)
    return float((values[:q] - limit[:q]).sum() / values.sum())


@dataclass(frozen=True)
class _Fold:
    """Coordinates on the axes of one part of the rows, for that part and for the others."""

    Z: np.ndarray  # (training rows, r)
    Z_new: np.ndarray  # (held-out rows, r)
    distance2: np.ndarray  # of the held-out rows to the barycentre of the training rows

    @classmethod
    def of(cls, K: np.ndarray, train: np.ndarray, test: np.ndarray, most: int) -> _Fold:
        """Return the coordinates from a Gram matrix of all rows."""
        T = K[np.ix_(train, train)]
        means, grand = T.mean(axis=0), T.mean()
        values, U = np.linalg.eigh(_center(T))
        values, U = values[::-1][:most], U[:, ::-1][:, :most]
        live = values > 1e-12 * values[0]
        values, U = values[live], U[:, live]
        n = len(train)
        C = K[np.ix_(test, train)]
        rows = C.mean(axis=1)
        C = C - rows[:, None] - means[None, :] + grand
        distance2 = np.diag(K)[test] - 2.0 * rows + grand
        return cls(U * np.sqrt(n * values), C @ (U / np.sqrt(n * values)), distance2)


def _inertia_held_out(K: np.ndarray, folds: np.ndarray) -> float:
    """Return the share of held-out inertia on the first q axes, averaged over q = 1 … 10."""
    inertia, total = np.zeros(_N_AXES), 0.0
    for train, test in _splits(folds):
        fold = _Fold.of(K, train, test, _N_AXES)
        squares = np.cumsum((fold.Z_new**2).sum(axis=0))
        most = squares[-1] if len(squares) else 0.0  # rows that are all alike have no axis
        inertia += np.append(squares, np.full(_N_AXES - len(squares), most))
        total += fold.distance2.sum()
    return float(inertia.mean() / total) if total > 0 else 0.0


def _splits(folds: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Return training and held-out rows of each fold."""
    for k in np.unique(folds):
        yield np.flatnonzero(folds != k), np.flatnonzero(folds == k)


@dataclass(frozen=True)
class _Target:
    """What is to be predicted: codes of classes, or numbers."""

    values: np.ndarray  # (n,)
    n_classes: int = 0  # 0 for numbers

    def gram(self) -> np.ndarray:
        """Return the kernel of the target itself: equal classes, or products of numbers."""
        y = self.values
        if self.n_classes:
            return np.asarray((y[:, None] == y[None, :]).astype(float))
        y = (y - y.mean()) / y.std()
        return np.outer(y, y)


def _alignment(K: np.ndarray, target: _Target) -> float:
    """Return the cosine of the centred kernel and the centred kernel of the target."""
    A, B = _center(K), _center(target.gram())
    return float((A * B).sum() / np.sqrt((A * A).sum() * (B * B).sum()))


def _score(K: np.ndarray, target: _Target, folds: np.ndarray) -> tuple[float, float]:
    """Return the share of held-out deviance explained and the penalty that explains most."""
    # Deviance is the log-loss of logistic regression for classes and the squared error of ridge
    # regression for numbers, on the kernel scaled to inertia 1.
    if target.n_classes:
        losses, nothing = _class_losses(K, target, folds)
    else:
        losses, nothing = _ridge_losses(K, target.values[:, None, None], folds, _SCORE_AXES)
    best = int(losses.argmin())
    return 1.0 - float(losses[best, 0] / nothing[0]), float(PENALTIES[best])


def _class_losses(
    K: np.ndarray, target: _Target, folds: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the held-out log-loss of each penalty, (penalties, 1), and of shares alone, (1,)."""
    K, c = _unit_inertia(K), target.n_classes
    losses, nothing = np.zeros((len(PENALTIES), 1)), np.zeros(1)
    for train, test in _splits(folds):
        # What was never seen cannot be predicted.
        test = test[np.isin(target.values[test], target.values[train])]
        fold = _Fold.of(K, train, test, _SCORE_AXES)
        y, y_new = target.values[train], target.values[test]
        start = None
        for k in range(len(PENALTIES))[::-1]:
            model = fit_logistic(fold.Z, y, c, penalty=PENALTIES[k], start=start)
            start = (model.intercept, model.coef)
            logs = log_softmax(linear_predictor(fold.Z_new, *start), axis=1)
            losses[k] -= logs[np.arange(len(y_new)), y_new].sum()
        share = (np.bincount(y, minlength=c) + 1e-3) / (len(y) + 1e-3 * c)
        nothing -= np.log(share[y_new]).sum()
    return losses, nothing


def _ridge_losses(
    K: np.ndarray, Y: np.ndarray, folds: np.ndarray, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return held-out squares of targets (n, B, c): by penalty, (penalties, B), of means, (B,)."""
    K, (B, c) = _unit_inertia(K), Y.shape[1:]
    losses, nothing = np.zeros((len(PENALTIES), B)), np.zeros(B)

    def by_target(E: np.ndarray) -> np.ndarray:
        return np.asarray((E**2).sum(axis=0).reshape(B, c).sum(axis=1))

    for train, test in _splits(folds):
        fold = _Fold.of(K, train, test, most)
        mean = Y[train].mean(axis=0)
        rest = (Y[test] - mean).reshape(len(test), -1)
        projected = fold.Z.T @ (Y[train] - mean).reshape(len(train), -1)
        squares = (fold.Z**2).sum(axis=0)[:, None]
        nothing += by_target(rest)
        for k, penalty in enumerate(PENALTIES):
            losses[k] += by_target(rest - fold.Z_new @ (projected / (squares + penalty)))
    return losses, nothing


def _unit_inertia(K: np.ndarray) -> np.ndarray:
    inertia = float(np.trace(_center(K)))
    return K / (inertia if inertia > 0 else 1.0)


def _target_p_values(
    matrices: list[np.ndarray],
    target: _Target,
    n_folds: int,
    n_permutations: int,
    rng: np.random.Generator,
) -> list[float]:
    """Return one p-value a candidate: how often some one predicts a shuffled target as well."""
    # Ridge regression, for classes of their indicators: it is linear in the target, so that all
    # shuffled ones are predicted at once. The folds do not depend on the target: exact, if rows
    # are exchangeable.
    n = len(matrices[0])
    rows = np.sort(rng.choice(n, _TEST_ROWS, replace=False)) if n > _TEST_ROWS else np.arange(n)
    count = max(_MIN_SHUFFLES, n_permutations)
    orders = np.vstack([np.arange(len(rows)), np.argsort(rng.random((count, len(rows))), axis=1)])
    if target.n_classes:
        numbers = np.eye(target.n_classes)[target.values]
    else:
        numbers = ((target.values - target.values.mean()) / target.values.std())[:, None]
    Y = numbers[rows][orders].transpose(1, 0, 2)  # (n, 1 + B, c)
    folds = rng.permutation(np.arange(len(rows)) % n_folds)
    shares = []
    for K in matrices:
        losses, nothing = _ridge_losses(K[np.ix_(rows, rows)], Y, folds, _TEST_AXES)
        # With the penalty that suits each target best.
        shares.append(1.0 - losses.min(axis=0) / np.maximum(nothing, 1e-300))
    return _best_p_values(np.stack(shares))


class _SharedPairs(Pairs):
    """All pairs of some points, which keep their distances for the next kernel."""

    def __init__(self, points: Points) -> None:
        super().__init__(points, exact=True)
        self._distances: dict[Hashable, Array] = {}

    def squared_distance(self, scale: float = 1.0, slope: float = math.inf) -> Array:
        """t = |x−y|²/scale², from distances that are right relative to themselves."""
        unit = self.A.unit
        if "d2" not in self._distances:
            self._distances["d2"] = super().squared_distance(unit)
        with np.errstate(over="ignore", under="ignore"):
            return self._distances["d2"] * (unit / scale) * (unit / scale)

    def l1(self, scale: float) -> Array:
        """‖x−y‖₁/scale."""
        unit = self.A.unit
        if "l1" not in self._distances:
            self._distances["l1"] = super().l1(unit)
        return self._distances["l1"] * (unit / scale)


def _grams(kernels: Sequence[Kernel], X: RowsLike, *, centring: bool = False) -> list[np.ndarray]:
    """Return the Gram matrix of each kernel on the rows of X, (n, n), or one for who centres it."""
    pairs = _SharedPairs(Points(X))
    kernels = [kernel.about(pairs.A) for kernel in kernels] if centring else kernels
    matrices = [to_numpy(k.block(pairs)).astype(np.float64) for k in kernels]
    for K in matrices:
        vanished = np.abs(np.diag(K)).max() < 1e-290 and pairs.A.varies
        if vanished or not np.isfinite(K).all():
            raise InputError("X: the values of a kernel overflow: rescale the data")
    return matrices


def _center(K: np.ndarray) -> np.ndarray:
    """Return K with its barycentre at the origin, over n: its eigenvalues are inertias."""
    return double_centre(K) / len(K)


def _spectrum(K: np.ndarray) -> np.ndarray:
    """Return the inertias of the axes, in descending order, (n − 1,)."""
    return np.asarray(np.linalg.eigvalsh(_center(K))[::-1][:-1])
