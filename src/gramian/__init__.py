"""Gramian: look at data through kernels.

PCA, kernel PCA and classical MDS are one pipeline: a kernel says what is similar to what, its Gram
operator is centred and diagonalised, and the axes are read: inertia, cos², contributions.

>>> import gramian as gm
>>> gm.PCA(n_components=1).fit([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]]).inertia_ratio_.round(3)
array([0.999])
"""

import lazy_loader

__version__ = "0.2.0.dev0"

# Nothing heavy is imported until it is used: `import gramian` must be quick.
# `__init__.pyi` lists what is loaded from where; editors and type checkers read it too.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ = sorted([*__all__, "__version__"])
