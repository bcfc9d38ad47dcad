"""Quick maps of kernel PCA while a parameter of the kernel is being moved."""

import numpy as np
from scipy.linalg import eigh

from gramian._core.array import to_dense, to_numpy
from gramian._core.check import generator, invalid, whole
from gramian._core.pairs import Points
from gramian._core.parallel import one_blas_thread
from gramian._core.table import table
from gramian._core.types import SeedLike, TableLike
from gramian.distances import squared_euclidean
from gramian.errors import InputTypeError
from gramian.kernels import Kernel, Radial, as_kernel

_MIN_EIGENVALUE = 1e-6  # of the landmarks' kernel, relative to the largest: less is rounding


class Preview:
    """Maps of the same rows by Nyström's approximation, one for each kernel that it is called with.

    Landmarks and their squared distances to all rows are computed once. A call computes the values
    of the kernel from them, the axes of the Nyström approximation, and rotates the map onto the one
    of the previous call, so that points move as little as possible. The exact map is that of
    `KernelPCA`; with as many landmarks as rows they are the same.

    Parameters
    ----------
    X : array (n, p)
    n_components : int
    landmarks : int
        Rows, drawn uniformly, that the approximation is made of.
    random_state : int, Generator or RandomState, optional

    Attributes
    ----------
    last : array (n, n_components) or None
        The map of the latest call; assign another one to align the next map with it.

    Examples
    --------
    >>> iris = gm.datasets.iris().data
    >>> preview = gm.KernelPCA(2, kernel="gaussian").preview(iris, landmarks=50)
    >>> exact = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(2.0)).fit(iris)
    >>> fast = preview(gm.kernels.Gaussian(2.0))
    >>> gm.stability.procrustes(exact.coordinates_, fast, symmetric=True).statistic < 1e-4
    True
    """

    def __init__(
        self,
        X: TableLike,
        n_components: int = 2,
        *,
        landmarks: int = 300,
        random_state: SeedLike = None,
    ) -> None:
        rows = numbers(X)
        n = len(rows)
        count = min(whole(landmarks, "landmarks", 2), n)
        self.n_components = whole(n_components, "n_components", 1, count, what="the landmarks")
        chosen = np.sort(generator(random_state).choice(n, count, replace=False))
        self.rows, self.landmarks, self._points = rows, rows[chosen], Points(rows)
        # In single precision a move of 5,000 rows is twice as quick, and no pixel changes.
        self._squares = np.asarray(squared_euclidean(rows, self.landmarks), dtype=np.float32)
        self._own_squares = np.asarray(squared_euclidean(self.landmarks, self.landmarks))
        self.last: np.ndarray | None = None

    def __call__(self, kernel: Kernel | str) -> np.ndarray:
        """Return the map of a kernel, (n, n_components)."""
        # Several threads gain nothing, and wait for each other while a browser draws.
        with one_blas_thread():
            return self._map_of(kernel)

    def _map_of(self, kernel: Kernel | str) -> np.ndarray:
        C, W = self._values(as_kernel(kernel).resolve(self._points))
        C = C - C.mean(axis=0)
        values, vectors = np.linalg.eigh(W)
        kept = values > _MIN_EIGENVALUE * values[-1]
        # Features C·R have the inner products C·W⁺·Cᵀ; their axes are found among m columns.
        R = vectors[:, kept] / np.sqrt(values[kept])
        S = R.T @ np.asarray(C.T @ C, dtype=float) @ R
        q, m = min(self.n_components, len(S)), len(S)
        axes = eigh(S, subset_by_index=[m - q, m - 1])[1][:, ::-1]
        found = np.zeros((len(C), self.n_components))
        found[:, :q] = C @ (R @ axes).astype(C.dtype)
        self.last = found if self.last is None else _rotate(found, self.last)
        return self.last

    def _values(self, kernel: Kernel) -> tuple[np.ndarray, np.ndarray]:
        """Return the kernel between rows and landmarks, and between landmarks."""
        if isinstance(kernel, Radial):
            square = float(kernel.scale) ** 2
            near = kernel.profile(self._squares / np.float32(square))
            return np.asarray(near), np.asarray(kernel.profile(self._own_squares / square))
        if not kernel.takes_vectors:
            raise invalid("kernel", kernel, "must compare rows of numbers", InputTypeError)
        near = np.asarray(kernel.pairwise(self.rows, self.landmarks), dtype=np.float32)
        return near, np.asarray(kernel.pairwise(self.landmarks, self.landmarks))


def _rotate(moved: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return a map rotated and reflected onto another, which is centred too."""
    if target.shape != moved.shape:
        return moved
    U, _, Vt = np.linalg.svd(moved.T @ target)
    return np.asarray(moved @ (U @ Vt))


def numbers(X: TableLike) -> np.ndarray:
    """Return a table of finite numbers, (n, p)."""
    return np.asarray(to_numpy(to_dense(table(X, "X", min_rows=2).values)), dtype=float)


def standardized(X: TableLike) -> np.ndarray:
    """Return columns of mean 0 and variance 1; constant ones become 0."""
    rows = numbers(X)
    rows = rows - rows.mean(axis=0)
    deviation = rows.std(axis=0)
    return np.asarray(rows / np.where(deviation > 0, deviation, 1.0))
