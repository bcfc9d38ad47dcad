"""Full decompositions of a matrix in memory: symmetric ones, and graded covariances."""

from contextlib import nullcontext

import numpy as np
from scipy import linalg

from gramian._core.array import Array, as_kind, is_numpy, namespace, power_of_two, take, to_numpy
from gramian._core.operators.gram import Symmetric
from gramian._core.parallel import one_blas_thread
from gramian._core.spectral.krylov import tridiagonal
from gramian._core.spectral.spectrum import Choice, Completeness, Request, Spectrum
from gramian.errors import IndefiniteError

_SMALL_ROWS = 600
_TINY_ROWS = 32  # rows up to which checking the arguments takes longer than the decomposition
_MAX_REDUCED_ROWS = 400  # rows up to which a tridiagonal matrix is worth a call of its own
_PANEL_COLUMNS = 8  # columns that are reduced together: a small matrix stays in the cache anyway
_SECTION_ROWS = 32  # rows of a tridiagonal matrix, and four for each axis, where these mostly lie
_ROWS_PER_AXIS = 4  # LAPACK is quicker with the leading axes alone where they are one in so many
GRADED_RATIO = 1e4  # ratio of standard deviations above which columns count as badly scaled


def eigh(
    A: Array, *, overwrite: bool = False, count: int | None = None
) -> tuple[np.ndarray, Array]:
    """Return eigenvalues in descending order (NumPy doubles) and eigenvectors of a symmetric A.

    LAPACK's `evd` driver: its residuals and orthogonality are ten times smaller than those of
    `evr`, the default of SciPy, which is as good for a few axes of doubles: at least `count` of
    them are returned.
    """
    xp = namespace(A)
    if not is_numpy(A):
        values, vectors = xp.linalg.eigh(A)
        values, vectors = xp.flip(values), xp.flip(vectors, axis=1)
        return to_numpy(values).astype(np.float64), vectors
    unit = power_of_two(float(np.abs(A).max(initial=0.0)))
    if not 1e-100 < unit < 1e100:  # LAPACK's own scaling loses digits near the ends of the range
        values, vectors = eigh(A * (1.0 / unit), overwrite=True, count=count)
        return values * unit, vectors
    n = A.shape[0]
    if 0 < n <= _TINY_ROWS and A.dtype == np.float64:
        values, vectors, failed = linalg.lapack.dsyevd(A, overwrite_a=overwrite)
        if not failed:
            return values[::-1], vectors[:, ::-1]
    is_few = count is not None and count * _ROWS_PER_AXIS <= n and A.dtype == np.float64
    few = count or 0 if is_few else 0
    # Threads of BLAS wake too slowly for a small matrix: one is then ten times quicker.
    with one_blas_thread() if n <= _SMALL_ROWS else nullcontext():
        found = _leading(A, few) if few else None
        if found is None:
            found = linalg.eigh(A, driver="evd", overwrite_a=overwrite, check_finite=False)
    values, vectors = found
    return values[::-1].astype(np.float64, copy=False), vectors[:, ::-1]


def _leading(A: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the last eigenpairs in ascending order; None where LAPACK does not find them all.

    So `evr` does of a matrix whose eigenvalues are all the same. SciPy's `eigh` looks at its
    arguments for a quarter of the time that 64 rows take.
    """
    n = A.shape[0]
    if n <= _MAX_REDUCED_ROWS:
        return _leading_of_reduced(A, count)
    wanted = {"range": "I", "il": n - count + 1, "iu": n, "lwork": 64 * n}
    # The transpose of a C array is in the order of Fortran: it is not copied column by column.
    values, vectors, found, _, failed = linalg.lapack.dsyevr(A.T, lower=0, **wanted)
    return None if failed or found < count else (values[:count], vectors[:, :count])


def _leading_of_reduced(A: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the same of a tridiagonal matrix, by relatively robust representations.

    For a few axes `evr` bisects, which takes a third of its time here. Eigenvalues are those of
    the vectors, vᵀAv: what a vector lacks enters them squared.
    """
    n, lapack = A.shape[0], linalg.lapack
    Q, d, e, tau, _ = lapack.dsytrd(A.T, lower=1, lwork=_PANEL_COLUMNS * n)
    S = _in_section(d, e, count, _SECTION_ROWS + 4 * count)
    if S is None:
        S = tridiagonal(d, e, count)[1]
    if S is None:
        return None
    k = S.shape[0]
    V = np.zeros((n, count), order="F")
    V[:k] = S
    # Reflections beyond the section leave what is 0 there as it is.
    V[1:] = lapack.dormqr("L", "N", Q[1:, : k - 1], tau[: k - 1], V[1:], 64 * count)[0]
    values = np.einsum("ij,ij->j", V, A @ V)
    return values, V


def _in_section(d: np.ndarray, e: np.ndarray, count: int, k: int) -> np.ndarray | None:
    """Return the last eigenvectors of a tridiagonal matrix, (k, count), where k rows hold them.

    The first k rows are what Lanczos' method knows after k steps, where the ends of a spectrum are
    found. What joins them to the others must be rounding, and Sturm's count of the eigenvalues
    above tell that none was missed; None otherwise.
    """
    # Of a spectrum whose ends do not stand apart the numbers beside the diagonal hardly fall.
    if 3 * k > 2 * len(d) or abs(e[k - 1]) > 0.5 * np.abs(e).max():
        return None
    values, S = tridiagonal(d[:k], e[: k - 1], count)
    if S is None:
        return None
    rounding = 2.0**-53 * float(np.abs(values).max())
    if not np.abs(e[k - 1] * S[-1]).max() <= rounding:
        return None
    above, *_ = linalg.lapack.dstebz(d, e, 1, values[0] - 8 * k * rounding, 1e300, 1, 1, 1e300, "E")
    return S if above == count else None


def residual_norms(AV: Array, V: Array, values: np.ndarray) -> np.ndarray:
    """Return the residuals |A v − λ v| of the columns v of V, given A·V.

    >>> gm.spectral.residual_norms(np.diag([2.0, 1.0]), np.eye(2), np.array([2.0, 1.5]))
    array([0. , 0.5])
    """
    if not len(values):
        return np.zeros(0)
    unit = power_of_two(float(np.abs(values).max()))
    if is_numpy(V) and V.dtype == np.float64 and 1e-100 < unit < 1e100:
        R = AV - V * values
        return np.sqrt(np.einsum("ij,ij->j", R, R))
    xp = namespace(V)
    R = AV * (1.0 / unit) - V * as_kind(values / unit, V)[None, :]
    return to_numpy(xp.sqrt(xp.sum(R * R, axis=0))).astype(np.float64) * unit


def is_graded(deviation: np.ndarray) -> bool:
    """Whether standard deviations of columns differ so much that small axes would drown."""
    if not deviation.min() > 0:
        deviation = deviation[deviation > 0]
    with np.errstate(over="ignore"):
        return deviation.size > 1 and bool(deviation.max() / deviation.min() > GRADED_RATIO)


def eigh_graded(C: Array, d: Array) -> tuple[np.ndarray, Array]:
    """Return eigenvalues in descending order and eigenvectors of D·C·D, D = diag(d).

    The matrix is factored after bringing every column to variance 1, and the factor's singular
    values are found by one-sided Jacobi rotations, so that each eigenvalue, however small, is as
    accurate as the correlations are well conditioned (Demmel and Veselić 1992). Null axes are left
    out. In units of the largest column.
    """
    C_, d_ = to_numpy(C), to_numpy(d)
    s = np.sqrt(np.clip(np.diagonal(C_), 0.0, None))
    live = np.flatnonzero(s > 0)
    R = C_[np.ix_(live, live)] / (s[live][:, None] * s[live][None, :])
    L, order, rank, _ = linalg.lapack.dpstrf(R, tol=R.shape[0] * 2.0**-52)
    U = np.triu(L)[:rank]
    columns = order - 1
    size = (d_[live] * s[live])[columns]
    # dgejsv wants rows at least as many as columns: the factor's transpose, scaled by rows.
    factor = (U * size[None, :]).T
    values, left, _, work, *_ = linalg.lapack.dgejsv(factor, joba=2, jobu=0, jobv=3)
    values = values * (work[0] / work[1])
    V = np.zeros((C_.shape[0], rank))
    V[live[columns]] = left[:, :rank]
    descending = np.argsort(values[:rank])[::-1]
    V = _apart(V[:, descending], C_ * d_ * d_[:, None])
    return values[:rank][descending] ** 2, as_kind(V, C)


def _apart(V: np.ndarray, M: np.ndarray) -> np.ndarray:
    """Take what rounding left of long axes out of the short ones, so that their rows stay apart.

    An entry of 1e-16 in an axis of length 1e-12, in the direction of one of length 1, would give
    it a ten-thousandth of the other's coordinates.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        S = V.T @ (M @ V)
        share = np.triu(S, k=1) / np.diagonal(S)[:, None]
    return V - V @ np.where(np.abs(share) < 2.0**-48, share, 0.0)


def solve_dense(A: Symmetric, choice: Choice, request: Request) -> Spectrum:
    """Return every eigenpair, negative ones after the policy, null ones last."""
    request.require_dense(A.n)
    M = A.dense()
    total = A.trace()
    # Of an operator that can only be definite the axes that are wanted, and the first left out.
    q = request.axes.q if request.psd else None
    values, vectors = eigh(M, count=None if q is None else q + 1)
    residuals = residual_norms(M @ vectors, vectors, values)
    noise = A.null_level(max(request.scale, abs(values[0]), abs(values[-1])))
    if values[-1] > noise:  # all are axes, in their order
        known = Completeness(noise)
        return Spectrum(values, vectors, total, residuals, str(choice), completeness=known)
    below = values < -noise
    negative = 0.0 if request.psd else float(-values[below].sum())
    if negative > 0:
        total = _after_policy(values, total, negative, request.policy)
    both = request.policy in ("flip", "krein") and negative > 0
    live = np.flatnonzero((values > noise) | (both & below))
    live = live[np.argsort(-np.abs(values[live]), kind="stable")]
    null = np.flatnonzero(np.abs(values) <= noise)
    order = np.concatenate([live, null])
    signed = np.concatenate([values[live], np.zeros(null.size)])
    if request.policy == "flip":
        signed = np.abs(signed)
    vectors = take(vectors, order, axis=1)
    modulus = None
    if negative > 0:  # then the diagonal of A is not what the live axes carry
        modulus = vectors[:, : live.size] ** 2 @ as_kind(np.abs(signed[: live.size]), vectors)
    known = Completeness(noise)
    parts = (signed, vectors, total, residuals[order], str(choice), negative)
    return Spectrum(*parts, modulus=modulus, completeness=known)


def _after_policy(values: np.ndarray, total: float, negative: float, policy: str) -> float:
    """Return the trace of the matrix that the policy analyses in place of an indefinite one."""
    if policy == "raise":
        raise indefinite_error(
            f"its smallest eigenvalue is {values[-1]:.3g} and its largest {values[0]:.3g}", total
        )
    positive = float(values[values > 0].sum())
    return {"clip": positive, "flip": positive + negative}.get(policy, total)


def indefinite_error(eigenvalues: str, total: float) -> IndefiniteError:
    """Return the refusal of an operator with negative eigenvalues, of which `total` is the sum."""
    remedy = "Use indefinite='clip', 'flip' or 'krein', or a positive semi-definite kernel"
    if total < 0:
        remedy += "; distances, whose sum is negative, need gm.ClassicalMDS(metric='precomputed')"
    return IndefiniteError(
        f"kernel: the centred Gram matrix is indefinite: {eigenvalues}. {remedy}",
        argument="indefinite",
        found="raise",
    )
