"""Gramian: look at data through kernels.

PCA, kernel PCA and classical MDS are one pipeline: a kernel says what is similar to what, its Gram
operator is centred and diagonalised, and the axes are read: inertia, cos², contributions.

>>> import gramian as gm
>>> gm.PCA(n_components=1).fit([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]]).inertia_ratio_.round(3)
array([0.999])

`dir(gm)` lists the estimators, what reads and writes, and the modules most used. Others are there
under their names: `gm.clusters`, `gm.dimension`, `gm.distances`, `gm.ecology`, `gm.errors`,
`gm.evidence`, `gm.importance`, `gm.maps`, `gm.missing`, `gm.networks`, `gm.preimage`, `gm.rkhs`,
`gm.schoenberg`, `gm.selection`, `gm.stability`, `gm.studies` and `gm.validity`.
"""

import lazy_loader

__version__ = "0.2.0.dev0"

# Nothing heavy is imported until it is used: `import gramian` must be quick.
# `__init__.pyi` lists what is loaded from where; editors and type checkers read it too.
__getattr__, _, _ = lazy_loader.attach_stub(__name__, __file__)
_ESTIMATORS = """
    CA DISTATIS FAMD MCA MDS MFA PCA STATIS ClassicalMDS Design KernelLogisticRegression KernelPCA
    MultiKernelPCA Nystrom PrincipalComponentClassifier PrincipalComponentRegression RandomFourier
    RobustPCA SparsePCA"""
_FUNCTIONS_AND_MODULES = (
    "app datasets io kernels load_model plots read_map report save_model study widget"
)
__all__ = [*_ESTIMATORS.split(), "__version__", *_FUNCTIONS_AND_MODULES.split()]


def __dir__() -> list[str]:
    return __all__
