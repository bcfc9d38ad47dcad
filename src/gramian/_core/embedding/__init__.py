"""From a Gram operator, or from explicit features, to points on axes and the record of a fit."""

from gramian._core.embedding.models import FeatureModel, Record, at_home
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
    embedding_of,
    principal_axes,
    principal_axes_of_moments,
    principal_axes_of_rows,
    resampled_axes,
    standard,
)
from gramian._core.embedding.training import Training, count, is_table, like_of, owned, rows_at

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
    "at_home",
    "columns_that_vary",
    "count",
    "embedding_of",
    "is_table",
    "like_of",
    "owned",
    "principal_axes",
    "principal_axes_of_moments",
    "principal_axes_of_rows",
    "resampled_axes",
    "rows_at",
    "standard",
]
