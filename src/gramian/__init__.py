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
__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=[
        "clusters",
        "datasets",
        "dimension",
        "distances",
        "ecology",
        "errors",
        "evidence",
        "importance",
        "io",
        "kernels",
        "missing",
        "networks",
        "plots",
        "preimage",
        "report",
        "rkhs",
        "saving",
        "schoenberg",
        "selection",
        "stability",
        "validity",
    ],
    submod_attrs={
        "saving": ["load", "save"],
        "studies": ["study"],
        "estimators.foreign.given": ["read"],
        "estimators.pca": ["PCA"],
        "estimators.factors.correspondence": ["CA"],
        "estimators.factors.multiple_correspondence": ["MCA"],
        "estimators.factors.mixed_factors": ["FAMD"],
        "estimators.factors.multiple_factors": ["MFA"],
        "estimators.several.statis": ["DISTATIS", "STATIS"],
        "estimators.kernel_pca": ["KernelPCA"],
        "estimators.nystrom": ["Nystrom", "RandomFourier"],
        "estimators.several.multi_kernel": ["MultiKernelPCA"],
        "estimators.predictors.logistic": ["KernelLogisticRegression"],
        "estimators.predictors.component_regression": ["PrincipalComponentRegression"],
        "estimators.predictors.component_classifier": ["PrincipalComponentClassifier"],
        "estimators.scaling.mds": ["ClassicalMDS"],
        "estimators.scaling.stress_mds": ["MDS"],
    },
)
__all__ = sorted([*__all__, "__version__"])
