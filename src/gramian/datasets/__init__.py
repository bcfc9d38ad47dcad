"""Data to try things on: worked examples, known tables, and simulations with known answers.

Every function returns a `Dataset`: ``data`` (a labelled table, or distances), ``groups``
(supplementary columns), ``truth`` (what is known by construction) and a ``description``.
Nothing is downloaded; scikit-learn's tables are read only when asked for.
"""

from ._dataset import Dataset
from .bundled import breast_cancer, diabetes, digits, iris, wine
from .catalogue import load, names
from .expression import gene_expression
from .shells import circles, rings, spheres
from .weather import airquality
from .worked import cities, example_matrix, triples

__all__ = [
    "Dataset",
    "airquality",
    "breast_cancer",
    "circles",
    "cities",
    "diabetes",
    "digits",
    "example_matrix",
    "gene_expression",
    "iris",
    "load",
    "names",
    "rings",
    "spheres",
    "triples",
    "wine",
]
