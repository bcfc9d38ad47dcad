"""Types of arguments: what a caller may give."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt


class SupportsArrayApi(Protocol):
    """An array of a library that follows the array API standard (torch, CuPy, JAX)."""

    shape: Any

    def __dlpack__(self) -> Any:
        """Return a capsule of the array's memory."""


class SupportsShape(Protocol):
    """What else has rows and columns: frames, sparse matrices, AnnData, xarray, h5py, dask."""

    shape: Any


class SupportsCollect(Protocol):
    """A table that is read in blocks, such as a scan."""

    def collect(self) -> Any:
        """Return all rows as one table."""


class SupportsGram(Protocol):
    """A Gram operator."""

    n: int

    def matmul(self, V: Any) -> Any:
        """Return the product with a matrix (n, k)."""


# Whatever a table or a set of rows may be given as: arrays, frames, sparse matrices, sequences of
# objects, columns or tables by name, blocks of rows, a Gram operator. Validation tells them apart.
DataLike: TypeAlias = (
    npt.ArrayLike
    | SupportsArrayApi
    | SupportsShape
    | SupportsCollect
    | SupportsGram
    | Sequence[Any]
    | Mapping[Any, Any]
)
TableLike: TypeAlias = DataLike  # meant as a table: rows are individuals, columns variables
RowsLike: TypeAlias = DataLike  # meant as rows, or as objects that a kernel compares
# Numbers or labels, one for each row or column.
VectorLike: TypeAlias = npt.ArrayLike | Sequence[Any] | SupportsArrayApi
# Weights of rows, None for equal ones.
WeightsLike: TypeAlias = VectorLike | None
SeedLike: TypeAlias = int | np.integer[Any] | np.random.Generator | np.random.RandomState | None
# A table of any library inside this one, where objects are recognised by their attributes.
Frame: TypeAlias = Any
