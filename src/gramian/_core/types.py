"""Types of arguments: what a caller may give."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt


class SupportsSparse(Protocol):
    """A sparse matrix or array of SciPy."""

    shape: tuple[int, ...]

    def tocsr(self, copy: bool = ...) -> Any:
        """Return the matrix in compressed rows."""


class SupportsArrayApi(Protocol):
    """An array of a library that follows the array API standard (torch, CuPy, JAX)."""

    shape: Any

    def __dlpack__(self) -> Any:
        """Return a capsule of the array's memory."""


class SupportsDataFrame(Protocol):
    """A data frame of pandas, polars or another library that narwhals reads."""

    columns: Any
    shape: Any


# A table: rows are individuals, columns variables.
TableLike: TypeAlias = npt.ArrayLike | SupportsSparse | SupportsArrayApi | SupportsDataFrame
# Numbers or labels, one for each row or column.
VectorLike: TypeAlias = npt.ArrayLike | Sequence[Any] | SupportsArrayApi
# A table, or a sequence of objects a kernel compares: graphs, texts, records.
RowsLike: TypeAlias = TableLike | Sequence[Any]
SeedLike: TypeAlias = int | np.integer[Any] | np.random.Generator | np.random.RandomState | None
# The same inside the library, where objects are recognised by their attributes.
Frame: TypeAlias = Any
