"""Tests for valid kernels and distances, with witnesses; repairs of invalid ones."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, cg

from gramian._core.array import Array, eps, power_of_two, to_numpy
from gramian._core.check import answer, flag, generator, share, warn, whole
from gramian._core.embedding import count
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.spectral.dense import eigh
from gramian._core.table import distance_matrix, pair_table, square, table
from gramian._core.types import RowsLike, SeedLike, TableLike
from gramian.distances import pairwise
from gramian.distances.corrections import CORRECTIONS, distinct, double_centre
from gramian.errors import ConvergenceWarning, InputError, ZeroRowWarning
from gramian.kernels.base import Kernel
from gramian.kernels.functions import Precomputed
from gramian.kernels.registry import as_kernel

__all__ = [
    "Repair",
    "Verdict",
    "cailliez",
    "clip",
    "flip",
    "is_cnd",
    "is_euclidean",
    "is_psd",
    "lingoes",
    "nearest_psd",
    "shift",
]

_EPS = 2.0**-52
_SET_SIZES = (3, 4, 6, 9, 16, 32)  # points: few show simple violations, many subtle ones
_SET_SCALES = (1.0, 0.1, 10.0, 0.01, 100.0)
_MAX_MOVES = 60  # tried from the worst set of points, where it is not yet a violation
_MAX_NEWTON_STEPS = 200

_Points: TypeAlias = Array | Sequence[Any]  # rows of a table, or objects
_Metric: TypeAlias = Callable[[Any, Any], Any]  # of two tables


@dataclass(frozen=True, eq=False)
class Verdict:
    """The result of a test of validity: true or false, with the evidence.

    `margin` is the smallest eigenvalue, which must not be negative beyond rounding; `tolerance` is
    the size of rounding errors.

    >>> verdict = gm.validity.is_psd(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> bool(verdict), round(verdict.margin, 12), round(verdict.value, 12)
    (False, -1.0, -1.0)
    """

    valid: bool
    margin: float
    tolerance: float
    # a vector of length 1 that violates the property
    witness: np.ndarray | None = field(default=None, repr=False)
    value: float = float("nan")  # the quadratic form of the witness
    relative_margin: float = float("nan")  # the margin over the size of the matrix
    points: _Points | None = field(default=None, repr=False)  # where a search found the violation
    certain: bool = True  # False where a search found nothing, which proves nothing
    reason: str = ""

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        word = "holds" if self.valid else "is violated"
        return f"{word} (margin {self.margin:.3g}, tolerance {self.tolerance:.3g}): {self.reason}"


def is_psd(
    K: TableLike | Kernel | str | _Metric,
    X: RowsLike | None = None,
    *,
    dimension: int = 2,
    n_sets: int = 200,
    tolerance: float | None = None,
    random_state: SeedLike = None,
) -> Verdict:
    """Test whether a matrix or a kernel is positive semi-definite: cᵀKc ≥ 0 for all c.

    Parameters
    ----------
    K : matrix (n, n), Kernel, name of one, or function of two tables
        A matrix is decided by its eigenvalues. For a kernel or a function a violation is searched
        for: a set of points whose Gram matrix has a negative eigenvalue.
    X : array (n, p) or n objects, optional
        The points among which to search; by default random points with `dimension` columns.
    dimension, n_sets : int
        Columns of the points and number of sets of a search.
    tolerance : float, optional
        Size of rounding errors relative to |K|. By default n·eps·|K| of double precision and
        16·√n·eps·max|k| of the matrix's own.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Returns
    -------
    Verdict
        True or false, with `margin` (the smallest eigenvalue), `witness` (c with cᵀKc < 0, where
        false), `value` (cᵀKc), `points` and `certain` (of a search).

    Examples
    --------
    >>> bool(is_psd(gm.kernels.Gaussian(1.0))), bool(is_psd(gm.kernels.Sigmoid()))
    (True, False)
    >>> c = is_psd(np.array([[1.0, 2.0], [2.0, 1.0]])).witness
    >>> (c * np.sqrt(2)).round(12)
    array([ 1., -1.])
    """
    if isinstance(K, Precomputed):
        return _check_psd(K.matrix, tolerance)
    if not (isinstance(K, Kernel | str) or callable(K)):
        return _check_psd(K, tolerance)
    kernel = as_kernel(K)
    name = str(kernel)[:60] if isinstance(K, Kernel | str) else getattr(K, "__name__", "it")
    rows = None if X is None else kernel.rows(X, "X")
    search = _Search(lambda points: _check_psd(kernel.pairwise(points), tolerance), random_state)
    verdict = search.run(f"positivity of {name}", rows, dimension, n_sets)
    if verdict and kernel.psd is True:
        text = f"known of {name}, and {verdict.reason.split(',')[0]}"
        return replace(verdict, certain=True, reason=text)
    return verdict


def is_cnd(
    D2: TableLike | _Metric,
    X: RowsLike | None = None,
    *,
    dimension: int = 2,
    n_sets: int = 200,
    tolerance: float | None = None,
    random_state: SeedLike = None,
) -> Verdict:
    """Test whether a matrix or a function is conditionally negative definite.

    cᵀ·D2·c ≤ 0 for all c with Σc = 0. With a diagonal of zeros these are the squared distances of
    points of a Euclidean space, and exp(−λ·D2) is positive semi-definite for every λ > 0
    (Schoenberg).

    D2 is a matrix (n, n) or a function of two tables, the rest as for `is_psd`; `tolerance` is
    relative to the largest of |D2| and its eigenvalues. `margin` is the smallest eigenvalue of
    −½·D2 on vectors that sum to 0; where false, the witness sums to 0 and `value` = cᵀ·D2·c > 0.

    >>> x = np.arange(4.0)
    >>> bool(is_cnd((x[:, None] - x) ** 2)), bool(is_cnd((x[:, None] - x) ** 4))
    (True, False)
    """

    def check(D2: TableLike) -> Verdict:
        return _check_cnd(*_read_matrix(D2, "D2", "squared distance"), tolerance)

    if not callable(D2):
        return check(D2)
    search = _Search(lambda points: check(answer(D2, "D2", points, points)), random_state)
    return search.run("conditional negativity", _rows(X), dimension, n_sets)


def is_euclidean(
    D: TableLike | str | _Metric,
    X: RowsLike | None = None,
    *,
    dimension: int = 2,
    n_sets: int = 200,
    tolerance: float | None = None,
    random_state: SeedLike = None,
) -> Verdict:
    """Test whether distances (not squared) are those of points in a Euclidean space.

    They are exactly when their squares are conditionally negative definite; the triangle
    inequality is not enough.

    D is a matrix (n, n), or a name or a function as in `gm.distances.pairwise`, of which violations
    are searched for; the rest, and the verdict, are as for `is_cnd` of the squares.

    >>> bool(is_euclidean("euclidean")), bool(is_euclidean("cityblock"))
    (True, False)
    """

    def check(D: TableLike) -> Verdict:
        A, precision = _read_matrix(D, "D", "distance")
        unit = power_of_two(float(A.max()))
        return _check_cnd((A * (1.0 / unit)) ** 2, precision, tolerance, unit)

    if not (isinstance(D, str) or callable(D)):
        return check(D)
    name = D if isinstance(D, str) else "the metric"
    search = _Search(lambda points: check(to_numpy(pairwise(points, None, D))), random_state)
    return search.run(f"being Euclidean of {name}", _rows(X), dimension, n_sets)


def _rows(X: RowsLike | None) -> _Points | None:
    """Return rows of numbers as a table, and a list of other objects as it is."""
    if X is None:
        return None
    if isinstance(X, list | tuple) and not X:
        raise InputError("X is empty: give at least one row")
    objects = isinstance(X, list | tuple) and not isinstance(X[0], list | tuple | np.ndarray)
    return X if objects else table(X, "X", min_rows=1).values


def _read_matrix(M: TableLike, name: str, what: str) -> tuple[np.ndarray, float]:
    """Return a symmetric matrix in double precision and the unit roundoff it came with."""
    rows = pair_table(M, name, "kernel", min_rows=1)
    if what == "distance":
        distance_matrix(rows, name)
    else:
        square(rows, name, what)
    A = to_numpy(rows.values)
    require_memory(
        24 * A.size, budget_bytes(None), f"the eigenvalues of {name}", "give fewer points"
    )
    half = getattr(M, "dtype", None) == np.float16  # computed in single precision, rounded before
    precision = eps(np.float16) if half else eps(A.dtype)
    # Halves before the sum: numbers near the largest must not overflow.
    return 0.5 * A.astype(np.float64) + 0.5 * A.T.astype(np.float64), precision


def _check_psd(K: Array, tolerance: float | None) -> Verdict:
    """Whether all eigenvalues are at least −tolerance·|K|."""
    A, precision = _read_matrix(K, "K", "kernel")
    unit = power_of_two(float(np.abs(A).max()))
    B = A * (1.0 / unit)
    values = linalg.eigvalsh(B, check_finite=False, driver="evd")
    least, size = float(values[0]), float(np.abs(values).max())
    slack = _rounding(tolerance, len(A), precision, size, float(np.abs(B).max()))
    if least >= -slack:
        return _verdict(least, slack, size, unit, f"the smallest of {len(A)} eigenvalues")
    c = _first_eigenvector(B)
    return _verdict(least, slack, size, unit, "cᵀKc < 0 for the witness c", c, float(c @ B @ c))


def _check_cnd(
    D2: np.ndarray, precision: float, tolerance: float | None, length: float = 1.0
) -> Verdict:
    """Look at −½·D2 on the vectors that sum to 0; `length` is the unit of the distances."""
    n = len(D2)
    if n == 1:
        return Verdict(True, 0.0, 0.0, relative_margin=0.0, reason="one point")
    unit = power_of_two(float(np.abs(D2).max()))
    B = D2 * (-0.5 / unit)
    # The reflection I − 2wwᵀ takes the constant vector to the first axis, and the other axes to a
    # basis of the vectors that sum to 0. B is centred first, so that a large constant in it does
    # not drown the rest.
    w = np.full(n, n**-0.5)
    w[0] += 1.0
    w /= np.linalg.norm(w)
    C = double_centre(B)
    y = C @ w
    M = C - 2.0 * (np.outer(w, y) + np.outer(y, w)) + 4.0 * (w @ y) * np.outer(w, w)
    M = 0.5 * (M + M.T)[1:, 1:]
    values = linalg.eigvalsh(M, check_finite=False, driver="evd")
    least, largest = float(values[0]), float(np.abs(B).max())
    size = max(float(np.abs(values).max()), largest)
    slack = _rounding(tolerance, n, precision, size, largest)
    with np.errstate(over="ignore", under="ignore"):
        unit = float(np.float64(unit) * length * length)
    if least >= -slack:
        reason = f"the smallest of the {n - 1} inertias, eigenvalues of −½D² centred"
        return _verdict(least, slack, size, unit, reason)
    c = np.concatenate([[0.0], _first_eigenvector(M)])
    c -= 2.0 * w * float(w @ c)
    c -= c.mean()
    value = float(c @ (-2.0 * B) @ c)
    return _verdict(least, slack, size, unit, "Σc = 0 and cᵀD²c > 0 for the witness c", c, value)


def _rounding(
    tolerance: float | None, n: int, precision: float, size: float, largest: float
) -> float:
    """Return what counts as rounding of an eigenvalue."""
    # Products in double precision are right to n·eps·size; entries that were rounded by `precision`
    # each, independently, move eigenvalues by some √n times that.
    if tolerance is None:
        return float(max(n, 16) * _EPS * size + 16.0 * np.sqrt(n) * precision * largest)
    return share(tolerance, "tolerance", zero=True) * size


def _verdict(
    least: float,
    slack: float,
    size: float,
    unit: float,
    reason: str,
    witness: np.ndarray | None = None,
    value: float = float("nan"),
) -> Verdict:
    """Return the verdict in the matrix's own unit."""
    relative = least / size if size > 0 else 0.0
    with np.errstate(over="ignore", under="ignore"):
        margin, tolerance, form = (float(np.float64(v) * unit) for v in (least, slack, value))
    return Verdict(witness is None, margin, tolerance, witness, form, relative, reason=reason)


def _first_eigenvector(A: np.ndarray) -> np.ndarray:
    """Return the eigenvector of the smallest eigenvalue, its largest entry positive."""
    c: np.ndarray = linalg.eigh(A, subset_by_index=[0, 0], check_finite=False)[1][:, 0]
    return np.asarray(c * np.sign(c[np.abs(c).argmax()]))


class _Search:
    """A search for points at which a check fails; inputs that the check rejects are skipped."""

    def __init__(self, check: Callable[[Any], Verdict], random_state: SeedLike) -> None:
        self.check = check
        self.rng = generator(random_state)
        self.n_done = 0
        self.worst: Verdict | None = None
        self.error: InputError | None = None

    def run(self, what: str, rows: _Points | None, dimension: int, n_sets: int) -> Verdict:
        """Return the first violation found among seeded sets of points, or the worst margin.

        Without `rows` the points are those of `_clouds`; then the worst set is moved, downhill.
        Otherwise the sets are drawn from the rows.
        """
        m, p = whole(n_sets, "n_sets"), whole(dimension, "dimension", most=10**4)
        sets = _clouds(self.rng, m, p) if rows is None else _subsets(self.rng, m, rows)
        any(self._violates(points) for points in sets)
        if self.worst is None:
            assert self.error is not None
            raise self.error
        if self.worst and rows is None:
            self._descend()
        worst = self.worst
        if worst:
            text = f"no violation of {what} in {self.n_done} sets of points, which is no proof"
            return replace(worst, certain=False, reason=text)
        n = count(worst.points)
        return replace(worst, reason=f"{what} is violated on {n} points: {worst.reason}")

    def _violates(self, points: _Points) -> bool:
        """Check one set of points; keep the verdict if it is the worst so far."""
        try:
            with warnings.catch_warnings():  # a generated set may hold a row of zeros
                warnings.simplefilter("ignore", ZeroRowWarning)
                verdict = replace(self.check(points), points=points)
        except InputError as error:  # a metric may not be defined for equal or zero rows
            self.error = self.error or error
            return False
        self.n_done += 1
        worst = self.worst
        if not verdict or worst is None or verdict.relative_margin < worst.relative_margin:
            self.worst = verdict
        return not verdict

    def _descend(self) -> None:
        """Move the points of the worst set at random and keep what makes it worse."""
        step = 0.3
        for _ in range(_MAX_MOVES):
            before = self.worst
            assert before is not None
            X = np.asarray(before.points)
            spread = float(np.ptp(X)) or 1.0
            if self._violates(X + step * spread * self.rng.standard_normal(X.shape)):
                return
            step = max(0.8 * step, 1e-3) if self.worst is before else min(1.5 * step, 1.0)


def _clouds(rng: np.random.Generator, n_sets: int, p: int) -> Iterator[np.ndarray]:
    """Yield point sets of different shapes, sizes and scales."""
    shapes: list[Callable[[np.random.Generator, int, int], np.ndarray]] = [
        _grid,
        lambda rng, n, p: rng.standard_normal((n, p)),  # a cloud
        lambda rng, n, p: rng.standard_normal((n, 1)) * rng.standard_normal((1, p)),  # a line
        _sphere,
        _corners,
    ]
    for i in range(n_sets):
        size = _SET_SIZES[i // len(shapes) % len(_SET_SIZES)]
        scale = _SET_SCALES[i // (len(shapes) * len(_SET_SIZES)) % len(_SET_SCALES)]
        yield scale * shapes[i % len(shapes)](rng, size, p)


def _grid(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Equally spaced points on the first axis, the others at 0."""
    X = np.zeros((n, p))
    X[:, 0] = np.linspace(0.0, 3.0 * rng.random(), n)
    return X


def _sphere(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    X = rng.standard_normal((n, p))
    return np.asarray(X / np.linalg.norm(X, axis=1, keepdims=True))


def _corners(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Corners of boxes in the positive orthant: many equal differences, no negative entries."""
    X = rng.integers(0, 2, (n, p)) + rng.integers(0, 2, (n, p)) * 1.0
    X[0], X[1] = 0.0, 1.0
    return X


def _subsets(rng: np.random.Generator, n_sets: int, rows: Array) -> Iterator[_Points]:
    """Yield all of the rows, up to 500, then parts of different sizes."""
    n = count(rows)
    if n < 2:
        raise InputError("X has 1 point: a search needs at least 2")
    for i in range(n_sets):
        size = min(n, 500 if i == 0 else _SET_SIZES[i % len(_SET_SIZES)])
        chosen = np.sort(rng.choice(n, size, replace=False))
        yield [rows[k] for k in chosen] if isinstance(rows, list | tuple) else rows[chosen]


@dataclass(frozen=True, eq=False)
class Repair:
    """A repaired matrix and the size of the repair; NumPy converts it to the matrix.

    >>> repair = gm.validity.clip(np.array([[1.0, 2.0], [2.0, 1.0]]))
    >>> repair.matrix.round(12).tolist(), round(repair.loss, 12)
    ([[1.5, 1.5], [1.5, 1.5]], 1.0)
    """

    matrix: np.ndarray = field(repr=False)
    loss: float  # Frobenius norm of the change
    relative_loss: float  # over the norm of the matrix before
    negative_inertia: float  # Σ|λ| over the negative eigenvalues that were there
    method: str
    constant: float = 0.0  # what was added: to the diagonal (shift) or to distances

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.matrix, dtype=dtype, copy=copy)


def _repair(
    K: np.ndarray, new: np.ndarray, negative: float, method: str, constant: float = 0.0
) -> Repair:
    unit = power_of_two(float(np.abs(K).max()))
    size = float(np.linalg.norm(K / unit))
    loss = float(np.linalg.norm(new / unit - K / unit))
    relative = loss / size if size > 0 else 0.0
    return Repair(new, loss * unit, relative, negative, method, constant)


def clip(K: TableLike) -> Repair:
    """Set negative eigenvalues of K (n, n) to 0: the nearest positive semi-definite matrix.

    >>> round(clip([[0.0, 1.0], [1.0, 0.0]]).loss, 12)
    1.0
    """
    return _repair_eigenvalues(K, "clip")


def flip(K: TableLike) -> Repair:
    """Replace the eigenvalues of K (n, n) by their absolute values.

    >>> flip([[0.0, 1.0], [1.0, 0.0]]).matrix.round(12) + 0.0
    array([[1., 0.],
           [0., 1.]])
    """
    return _repair_eigenvalues(K, "flip")


def shift(K: TableLike) -> Repair:
    """Add the smallest constant to the diagonal of K (n, n) that makes it positive semi-definite.

    Similarities between different points stay as they are; `constant` is what was added.

    >>> round(shift([[0.0, 1.0], [1.0, 0.0]]).constant, 12)
    1.0
    """
    return _repair_eigenvalues(K, "shift")


def nearest_psd(K: TableLike, *, unit_diagonal: bool = False) -> Repair:
    """Return the positive semi-definite matrix nearest to K (n, n) in the Frobenius norm.

    With `unit_diagonal` its diagonal is 1: the nearest correlation matrix (Higham 2002), here by
    the quadratically convergent Newton method of Qi and Sun (2006).

    >>> K = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    >>> repair = nearest_psd(K, unit_diagonal=True)
    >>> repair.matrix[0, 1].round(4), repair.matrix[0, 2].round(4)
    (np.float64(0.7607), np.float64(0.1573))
    """
    if not flag(unit_diagonal, "unit_diagonal"):
        return _repair_eigenvalues(K, "nearest")
    A, _ = _read_matrix(K, "K", "kernel")
    if np.abs(A).max() > 1e4:
        raise InputError("K: its entries are too large for a unit diagonal to be near: rescale K")
    values = eigh(A)[0]
    negative = float(-values[values < 0].sum())
    return _repair(A, _nearest_with_unit_diagonal(A), negative, "nearest with unit diagonal")


def _repair_eigenvalues(K: TableLike, method: str) -> Repair:
    A, _ = _read_matrix(K, "K", "kernel")
    values, V = eigh(A)
    negative = float(-values[values < 0].sum())
    if negative == 0:
        return _repair(A, A, 0.0, method)
    if method == "shift":
        c = float(-values[-1])
        return _repair(A, A + c * np.eye(len(A)), negative, method, c)
    # From the root, so that the result is positive semi-definite but for the last rounding.
    R = V * np.sqrt(np.abs(values) if method == "flip" else np.maximum(values, 0.0))
    B = R @ R.T
    return _repair(A, 0.5 * (B + B.T), negative, method)


def lingoes(D: TableLike) -> Repair:
    """Make distances D (n, n) Euclidean by d ↦ √(d² + 2c) between distinct points, c the smallest.

    `constant` is c; `negative_inertia` Σ|λ| of the negative eigenvalues of −½D² centred.

    >>> square = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0.0]])
    >>> round(lingoes(square).constant, 12)
    1.0
    """
    return _repair_distances(D, "lingoes")


def cailliez(D: TableLike) -> Repair:
    """Make distances D (n, n) Euclidean by d ↦ d + c between distinct points, c the smallest.

    `constant` is c.

    >>> square = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0.0]])
    >>> round(cailliez(square).constant, 6)
    1.414214
    """
    return _repair_distances(D, "cailliez")


def _repair_distances(D: TableLike, method: str) -> Repair:
    A, _ = _read_matrix(D, "D", "distance")
    unit = power_of_two(float(A.max()))
    B = A / unit
    np.fill_diagonal(B, 0.0)
    constant, add = CORRECTIONS[method]
    c = constant(distinct(B * unit, "D") / unit)
    values = np.linalg.eigvalsh(double_centre(-0.5 * B**2))
    noise = max(len(B), 16) * _EPS * float(np.abs(values).max())
    negative = float(-values[values < -noise].sum())
    power = unit if method == "cailliez" else unit * unit
    with np.errstate(over="ignore", under="ignore"):
        scaled = float(np.float64(c) * power)
        inertia = float(np.float64(negative) * unit * unit)
    return _repair(A, add(B, c) * unit, inertia, method, scaled)


def _nearest_with_unit_diagonal(K: np.ndarray) -> np.ndarray:
    """Return the positive semi-definite matrix with unit diagonal nearest to K."""
    # It is (K + Diag(y))₊ for the y that minimises the convex ½|(K + Diag(y))₊|² − Σy, found by
    # Newton steps with conjugate gradients and a line search (Qi and Sun 2006).
    n = len(K)
    y = 1.0 - K.diagonal()
    value, gradient, state = _dual(K, y)
    target = 4.0 * n * _EPS * max(1.0, float(np.abs(K).max()))
    for _ in range(_MAX_NEWTON_STEPS):
        size = float(np.linalg.norm(gradient))
        if size <= target:
            break
        step = _newton_step(state, gradient, size)
        slope = float(gradient @ step)
        t = 1.0
        while True:
            new_value, new_gradient, new_state = _dual(K, y + t * step)
            flat = abs(new_value - value) <= 1e-12 * abs(value)
            if new_value <= value + 1e-4 * t * slope or flat or t < 1e-10:
                break
            t *= 0.5
        if flat and np.linalg.norm(new_gradient) >= size:
            break  # as near as rounding allows
        y, value, gradient, state = y + t * step, new_value, new_gradient, new_state
    if float(np.linalg.norm(gradient)) > 1e-8 * np.sqrt(n):
        warn(
            "nearest_psd: the diagonal is 1 only to "
            f"{np.abs(gradient).max():.1g} before it is made so",
            ConvergenceWarning,
        )
    values, V = state
    X = (V * np.maximum(values, 0.0)) @ V.T
    d = np.sqrt(np.maximum(X.diagonal(), _EPS))
    X = X / d[:, None] / d[None, :]
    X = 0.5 * (X + X.T)
    np.fill_diagonal(X, 1.0)
    return np.asarray(X)


_State: TypeAlias = tuple[np.ndarray, np.ndarray]  # eigenvalues and eigenvectors of K + Diag(y)


def _dual(K: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray, _State]:
    """Return the dual function, its gradient and the eigenpairs of K + Diag(y)."""
    values, V = eigh(K + np.diag(y))
    positive = np.maximum(values, 0.0)
    gradient = (V**2) @ positive - 1.0
    return 0.5 * float(positive @ positive) - float(y.sum()), gradient, (values, V)


def _newton_step(state: _State, gradient: np.ndarray, size: float) -> np.ndarray:
    """Return the solution of H·step = −gradient, H the generalised Hessian plus a little."""
    values, V = state
    n, r = len(values), int((values > 0).sum())
    if r == n:
        return -gradient
    # First divided differences of max(λ, 0): 1 between positives, 0 between negatives.
    with np.errstate(divide="ignore", invalid="ignore"):
        W = values[:r, None] / (values[:r, None] - values[None, r:])
    P, Q = V[:, :r], V[:, r:]

    def product(h: np.ndarray) -> np.ndarray:
        h = np.ravel(h)
        A = P.T @ (h[:, None] * P)
        B = W * (P.T @ (h[:, None] * Q))
        left = np.einsum("ij,ij->i", P @ A, P)
        return np.asarray(left + 2.0 * np.einsum("ij,ij->i", P @ B, Q) + 1e-10 * h)

    H = LinearOperator((n, n), matvec=product, dtype=float)
    step: np.ndarray = cg(H, -gradient, rtol=min(0.1, size), maxiter=200)[0]
    return step if gradient @ step < 0 else -gradient
