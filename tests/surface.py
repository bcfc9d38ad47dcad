"""Names and signatures that other people's code uses. Adding is free, taking away is not."""

import importlib
import inspect
from typing import Any

# Every name that was public in 0.1.0, module by module.
NAMES = {
    "gramian": """
        CA ClassicalMDS DISTATIS Design FAMD KernelLogisticRegression KernelPCA MCA MDS MFA
        MultiKernelPCA Nystrom PCA PrincipalComponentClassifier PrincipalComponentRegression
        RandomFourier RobustPCA SparsePCA STATIS __version__ clusters datasets dimension distances
        ecology errors evidence importance io kernels load maps missing networks plots preimage
        report rkhs save schoenberg selection stability study validity""",
    "gramian.clusters": "Clusters Description Tree describe find",
    "gramian.datasets": """
        Dataset airquality breast_cancer circles cities diabetes digits example_matrix
        gene_expression iris load names replicated_expression rings spheres
        triples wine""",
    "gramian.dimension": """
        Choice Choices CrossValidation KernelParallelAnalysis ParallelAnalysis bi_cross_validation
        broken_stick cattell choose cross_validation elbow gavish_donoho kaiser
        kernel_parallel_analysis marchenko_pastur minka parallel_analysis threshold""",
    "gramian.distances": "bray_curtis euclidean gower pairwise squared_euclidean",
    "gramian.ecology": """
        Constrained Dispersion Permanova cca dbrda dispersion permanova rda transform""",
    "gramian.errors": """
        ConstantColumnWarning ConvergenceWarning EmptyProfileWarning IndefiniteError
        InputError InputTypeError MemoryBudgetError NearlyEmptyWarning NotEuclideanWarning
        RankWarning SeparationWarning TiedAxesWarning UnknownLevelWarning ZerosReplacedWarning""",
    "gramian.evidence": """
        Assumptions AxesEvidence Carried ClusterEvidence Copies Counts CurveEvidence Directions
        Finding GroupEvidence LoadingEvidence NumberEvidence RowsEvidence Tails assumptions axes
        benjamini_hochberg carried clusters contingency_axes curves directions groups holm
        kernel_axes loadings numbers rows""",
    "gramian.importance": "gradient permutation",
    "gramian.io": "Finding Scan Source as_source examine read scan",
    "gramian.kernels": """
        Callback Columns Constant Cosine Dot Exp Exponential FromDistance Function Gaussian Gower
        Kernel Laplacian Linear Mapped Matern Normalized Polynomial PolynomialOf Power Precomputed
        Product Radial RationalQuadratic Sigmoid Sum as_kernel graph median_scale scales select
        sequence""",
    "gramian.kernels.graph": """
        Diffusion EdgeHistogram EdgeOverlap Graph Graphlet HIM Laplacian OptimalAssignment
        RandomWalk ShortestPath VertexHistogram WeisfeilerLehman""",
    "gramian.kernels.sequence": "Mismatch Spectrum Subsequence",
    "gramian.maps": "Alignment Comparison align compare",
    "gramian.missing": "Imputation MultipleImputation choose impute multiple",
    "gramian.networks": """
        Experiment Network ReplicateStudy differential infer prepare read_edges read_graphml
        replicate_study write_edges
        write_graphml""",
    "gramian.plots": """
        Figure biplot categories contributions correlations cos2 dendrogram dimension draw film
        gram images imputations individuals map3d network networks outliers pairs plotly_config
        procrustes reconstruction regions replicates scatter scree selection shepard variables""",
    "gramian.preimage": "fixed_point from_distances learned",
    "gramian.report": "Study replicates study write",
    "gramian.studies": "KINDS Claim Study study",
    "gramian.rkhs": """
        Function GaussianMercer alignment distance distance_to_set hsic mean_embedding mercer mmd
        rv""",
    "gramian.saving": "load register save",
    "gramian.schoenberg": "compose exponential identity is_transform log power rational",
    "gramian.selection": "KernelSelection select",
    "gramian.stability": "Stability bootstrap jackknife mantel procrustes protest",
    "gramian.validity": """
        Repair Verdict cailliez clip flip is_cnd is_euclidean is_psd lingoes nearest_psd
        shift""",
}

_FACTORS: dict[str, Any] = {"n_components": None, "solver": "auto", "random_state": None}
# What may follow `*` in an estimator's constructor, with the defaults; the first is positional.
ESTIMATORS: dict[str, dict[str, Any]] = {
    "PCA": {
        "n_components": None,
        "scale": False,
        "column_weight": None,
        "solver": "auto",
        "random_state": None,
    },
    **{name: dict(_FACTORS) for name in ("CA", "FAMD")},
    "MCA": _FACTORS | {"rare": 0.0, "passive": None},
    "MFA": _FACTORS | {"groups": None, "kinds": None},
    "KernelPCA": {
        "n_components": None,
        "kernel": "gaussian",
        "approximation": None,
        "formulation": "centered",
        "indefinite": "raise",
        "solver": "auto",
        "tol": 1e-8,
        "memory": None,
        "device": None,
        "random_state": None,
    },
    "Design": {"formula": None},
    "SparsePCA": {"n_components": 1, "n_nonzero": 0.9, "scale": False},
    "RobustPCA": {
        "n_components": None,
        "method": "hubert",
        "scale": False,
        "random_state": None,
    },
    "Nystrom": {
        "rank": 100,
        "kernel": "gaussian",
        "landmarks": "rpcholesky",
        "random_state": None,
    },
    "RandomFourier": {"rank": 100, "kernel": "gaussian", "random_state": None},
    "ClassicalMDS": {
        "n_components": 2,
        "metric": "euclidean",
        "correction": None,
        "solver": "auto",
    },
    "MDS": {
        "n_components": 2,
        "metric": "euclidean",
        "scaling": "ratio",
        "loss": "stress",
        "pair_weight": None,
        "n_init": 4,
        "max_iter": 1000,
        "tol": 1e-6,
        "random_state": None,
    },
    "STATIS": _FACTORS,
    "DISTATIS": _FACTORS | {"indefinite": "raise"},
    "MultiKernelPCA": {"n_components": None, "kernels": None, "combine": "statis"},
    "KernelLogisticRegression": {"penalty": 1.0, "kernel": "gaussian", "approximation": None},
    "PrincipalComponentRegression": {
        "n_components": 0.9,
        "kernel": "gaussian",
        "approximation": None,
        "random_state": None,
    },
    "PrincipalComponentClassifier": {
        "n_components": 0.9,
        "kernel": "gaussian",
        "penalty": 0.0,
        "approximation": None,
        "random_state": None,
    },
}

# Arguments that may be given in this order, and by these names; after `*`, by name only.
FUNCTIONS = {
    "distances.squared_euclidean": "X Y",
    "kernels.Kernel.diag": "self X",
    "kernels.Kernel.pairwise": "self X Y",
    "kernels.Kernel.gradient": "self X Y",
    "kernels.graph.Graphlet": "k",
    "kernels.graph.RandomWalk": "decay kind labelled",
    "kernels.graph.WeisfeilerLehman": "n_iter",
    "kernels.sequence.Spectrum": "k",
    "rkhs.Function": "kernel points coefficients",
    "rkhs.Function.inner": "self other",
    "rkhs.Function.norm": "self",
    "rkhs.distance": "kernel X Y",
    "rkhs.distance_to_set": "kernel X S",
    "rkhs.mmd": "kernel X Y * n_permutations random_state",
    "validity.is_cnd": "D2",
    "validity.is_euclidean": "D",
    "validity.is_psd": "K",
    "schoenberg.exponential": "D2 a",
    "schoenberg.log": "D2 a",
    "schoenberg.power": "D2 p",
    "schoenberg.rational": "D2 a",
    "dimension.choose": "source X",
    "dimension.parallel_analysis": "X * n_permutations alpha random_state",
    "stability.bootstrap": "estimator X * n_resamples random_state",
    "importance.gradient": "fitted X",
    "importance.permutation": "fitted * n_permutations random_state",
    "maps.compare": "a b",
    "maps.align": "maps",
    "networks.infer": "X method * condition",
    "networks.replicate_study": "X condition * design sizes n_resamples random_state",
    "report.write": "data path",
    "save": "fitted path",
    "load": "path",
    "PCA.individuals": "self X",
    "PCA.variables": "self table",
    "PCA.categories": "self table",
    "PCA.describe": "self table",
    "PCA.summary": "self",
    "PCA.reconstruction_error": "self X",
    "PCA.inverse_transform": "self",
    "PCA.partial_fit": "self X",
    "PCA.limits": "self X",
    "PCA.places": "self X",
    "PCA.why": "self rows axis sets",
    "PCA.rotate": "self method n_components",
    "KernelPCA.axes": "self",
    "KernelPCA.inverse_transform": "self",
}
PLOTS = "scree individuals variables biplot contributions cos2 pairs gram shepard reconstruction"
FUNCTIONS |= {f"plots.{name}": "fitted * backend" for name in PLOTS.split()}

# What a result is asked for.
RESULTS = {
    "validity.Verdict": "witness margin",
    "dimension.ParallelAnalysis": "n_components p_values reference",
    "networks.Network": "adjacency names",
    "networks.ReplicateStudy": "recommended interval curve summary",
    "report.Study": "claims fit q short",
    "studies.Claim": "kind subject axis p_value effect effect_name null assumption text say",
    "stability.Stability": "eigenvalues axes points",
}

COMMANDS = "datasets examine fit replicates report transform"


def public(module: str) -> dict[str, Any]:
    """Return what a module offers, by name, and names that it keeps."""
    home = importlib.import_module(module)
    names = {*home.__all__, *NAMES[module].split()} - {"__version__"}
    return {name: getattr(home, name) for name in sorted(names)}


OBJECTS = {f"{module}.{name}": value for module in NAMES for name, value in public(module).items()}
CALLABLE = {
    name: value
    for name, value in OBJECTS.items()
    if callable(value) and not name.startswith("gramian.errors")
}
CLASSES = {name: value for name, value in CALLABLE.items() if inspect.isclass(value)}
