"""Tables of amounts and of distances against other columns: transforms, PERMANOVA, db-RDA."""

from gramian.ecology.constrained import Constrained, cca, dbrda, rda
from gramian.ecology.dispersion import Dispersion, dispersion
from gramian.ecology.gradients import gradients
from gramian.ecology.permanova import Permanova, permanova
from gramian.ecology.transform import transform

__all__ = [
    "Constrained",
    "Dispersion",
    "Permanova",
    "cca",
    "dbrda",
    "dispersion",
    "gradients",
    "permanova",
    "rda",
    "transform",
]
