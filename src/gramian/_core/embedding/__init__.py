"""From a Gram operator, or from explicit features, to points on axes and the record of a fit."""

from gramian._core.embedding.models import FeatureModel, Record, signed_by_points, to_user_library
from gramian._core.embedding.pipeline import (
    EmbeddedModel,
    Embedding,
    GramModel,
    Model,
    Places,
    analyse,
)
from gramian._core.embedding.principal import (
    Principal,
    ResampledAxes,
    Standard,
    columns_that_vary,
    principal_axes,
    principal_axes_of_moments,
    principal_axes_of_rows,
    resample_axes,
    standard,
)
from gramian._core.embedding.training import (
    Training,
    copy_values,
    count,
    is_table,
    like_of,
    rows_at,
)

__all__ = [
    "EmbeddedModel",
    "Embedding",
    "FeatureModel",
    "GramModel",
    "Model",
    "Places",
    "Principal",
    "Record",
    "ResampledAxes",
    "Standard",
    "Training",
    "analyse",
    "columns_that_vary",
    "copy_values",
    "count",
    "is_table",
    "like_of",
    "principal_axes",
    "principal_axes_of_moments",
    "principal_axes_of_rows",
    "resample_axes",
    "rows_at",
    "signed_by_points",
    "standard",
    "to_user_library",
]
