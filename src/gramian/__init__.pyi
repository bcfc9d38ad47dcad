"""Types of the public names; `__init__.py` loads each of them from here when it is used."""

from . import clusters as clusters
from . import datasets as datasets
from . import dimension as dimension
from . import distances as distances
from . import ecology as ecology
from . import errors as errors
from . import evidence as evidence
from . import importance as importance
from . import io as io
from . import kernels as kernels
from . import maps as maps
from . import missing as missing
from . import networks as networks
from . import operators as operators
from . import plots as plots
from . import preimage as preimage
from . import report as report
from . import rkhs as rkhs
from . import saving as saving
from . import schoenberg as schoenberg
from . import selection as selection
from . import spectral as spectral
from . import stability as stability
from . import studies as studies
from . import validity as validity
from ._browser.app.start import app as app
from ._browser.app.widget import widget as widget
from ._estimators.factors.correspondence import CA as CA
from ._estimators.factors.multiple_correspondence import FAMD as FAMD
from ._estimators.factors.multiple_correspondence import MCA as MCA
from ._estimators.factors.multiple_factors import MFA as MFA
from ._estimators.foreign.reductions import read as read
from ._estimators.foreign.reductions import read_map as read_map
from ._estimators.kernel_pca import KernelPCA as KernelPCA
from ._estimators.nystrom import Nystrom as Nystrom
from ._estimators.nystrom import RandomFourier as RandomFourier
from ._estimators.pca import PCA as PCA
from ._estimators.predictors.component_models import (
    PrincipalComponentClassifier as PrincipalComponentClassifier,
)
from ._estimators.predictors.component_models import (
    PrincipalComponentRegression as PrincipalComponentRegression,
)
from ._estimators.predictors.logistic import KernelLogisticRegression as KernelLogisticRegression
from ._estimators.robust_pca import RobustPCA as RobustPCA
from ._estimators.scaling.mds import ClassicalMDS as ClassicalMDS
from ._estimators.scaling.stress_mds import MDS as MDS
from ._estimators.several.multi_kernel import MultiKernelPCA as MultiKernelPCA
from ._estimators.several.statis import DISTATIS as DISTATIS
from ._estimators.several.statis import STATIS as STATIS
from ._estimators.sparse_pca import SparsePCA as SparsePCA
from ._study.study import study as study
from .ecology.designs import Design as Design
from .saving import load as load
from .saving import load_model as load_model
from .saving import save as save
from .saving import save_model as save_model

__version__: str
__all__ = [
    "CA",
    "DISTATIS",
    "FAMD",
    "MCA",
    "MDS",
    "MFA",
    "PCA",
    "STATIS",
    "ClassicalMDS",
    "Design",
    "KernelLogisticRegression",
    "KernelPCA",
    "MultiKernelPCA",
    "Nystrom",
    "PrincipalComponentClassifier",
    "PrincipalComponentRegression",
    "RandomFourier",
    "RobustPCA",
    "SparsePCA",
    "__version__",
    "app",
    "datasets",
    "io",
    "kernels",
    "load_model",
    "plots",
    "read_map",
    "report",
    "save_model",
    "study",
    "widget",
]
