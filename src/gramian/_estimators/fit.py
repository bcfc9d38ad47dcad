"""What figures, reports and studies may ask of a method with axes, whichever library made it."""

from collections.abc import Hashable

import numpy as np
import pandas as pd

from gramian._core.array import Array


class Fit:
    """A method with axes. The defaults are those of a bare map: points, and nothing about them."""

    is_external = False  # whether another library made the axes, and `gm.read_map` read them
    has_spectrum = True  # whether the method knows the eigenvalues of all axes
    is_factor_method = False  # whether rows and columns, or categories, are points on the same axes

    @property
    def coordinates_(self) -> Array:
        """The coordinates of the rows of the fit, (n, q)."""
        raise AttributeError(f"{type(self).__name__} has no coordinates_")

    @property
    def n_axes(self) -> int | None:
        """The number of axes, None before the fit."""
        return getattr(self, "n_components_", None)

    @property
    def axis_inertias(self) -> np.ndarray | None:
        """The eigenvalues, None for a method that has none."""
        return getattr(self, "eigenvalues_", None)

    @property
    def axis_shares(self) -> np.ndarray | None:
        """The share of each axis in the total inertia, None for a method that has none."""
        return getattr(self, "inertia_ratio_", None)

    @property
    def method_name(self) -> str:
        """The name of the method that made the axes."""
        return type(self).__name__

    @property
    def is_precomputed(self) -> bool:
        """Whether X is a square matrix over the individuals: kernel values or distances."""
        of = vars(self).get("kernel", vars(self).get("metric"))
        return isinstance(of, str) and of == "precomputed"

    @property
    def is_linear(self) -> bool:
        """Whether the axes are principal components of the table."""
        return False

    @property
    def is_map(self) -> bool:
        """Whether shares of axes are of the variance of the map alone: of stress, t-SNE, UMAP."""
        return False

    @property
    def is_streamed(self) -> bool:
        """Whether rows were read in blocks, and neither they nor their coordinates are kept."""
        record = vars(self).get("record_")
        return record is not None and not record.has_rows

    @property
    def is_scaled(self) -> bool:
        """Whether columns were divided by their standard deviations."""
        return vars(self).get("scale_") is not None

    @property
    def has_variables(self) -> bool:
        """Whether the axes are directions in the space of the columns."""
        return hasattr(self, "components_")

    @property
    def has_categories(self) -> bool:
        """Whether categories had a part in the axes."""
        return bool(self.questions)

    def axis_elements(self) -> pd.DataFrame | None:
        """Return what makes the axes of counts, categories and mixed tables, by plain names.

        None for methods whose axes are made of columns of numbers, or of none.
        """
        return None

    @property
    def questions(self) -> list[Hashable]:
        """The columns of categories, in which a missing answer is allowed."""
        return []

    @property
    def fills_missing(self) -> bool:
        """Whether missing values of new rows are filled in."""
        return vars(self).get("filler_") is not None

    @property
    def row_weights(self) -> np.ndarray | None:
        """The weights of the rows, with sum 1, None for equal ones."""
        return getattr(self, "weights_", None)

    @property
    def row_labels(self) -> pd.Index | None:
        """The row labels of the table of the fit."""
        return None

    @property
    def column_names(self) -> list[Hashable] | None:
        """The column names of the table of the fit."""
        return None

    @property
    def next_eigenvalue(self) -> float:
        """The first eigenvalue that was left out, NaN where it is not known."""
        return np.nan


def n_axes(fitted: object) -> int | None:
    """Return the number of axes of a fit, None for anything else."""
    return fitted.n_axes if isinstance(fitted, Fit) else None
