"""Types of the data sets; `__init__.py` loads each of them from here when it is used."""

from ._dataset import Dataset as Dataset
from .bundled import airquality as airquality
from .bundled import breast_cancer as breast_cancer
from .bundled import diabetes as diabetes
from .bundled import digits as digits
from .bundled import iris as iris
from .bundled import wine as wine
from .catalogue import load as load
from .catalogue import names as names
from .expression import gene_expression as gene_expression
from .expression import replicated_expression as replicated_expression
from .shells import circles as circles
from .shells import rings as rings
from .shells import spheres as spheres
from .worked import cities as cities
from .worked import example_matrix as example_matrix
from .worked import triples as triples

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
    "replicated_expression",
    "rings",
    "spheres",
    "triples",
    "wine",
]
