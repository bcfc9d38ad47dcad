"""The public surface: names, documentation, signatures."""

import importlib
import inspect
import re

import pytest

import gramian as gm

# Fixed names: other people's code uses them. Adding is free, taking away is not.
GRAMIAN = [
    "ClassicalMDS",
    "KernelPCA",
    "MultiKernelPCA",
    "PCA",
    "__version__",
    "datasets",
    "distances",
    "errors",
    "importance",
    "kernels",
    "preimage",
]
KERNELS = [
    "Callback",
    "Columns",
    "Constant",
    "Cosine",
    "Dot",
    "Exponential",
    "FromDistance",
    "Function",
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Polynomial",
    "Precomputed",
    "Radial",
    "RationalQuadratic",
    "Sigmoid",
    "as_kernel",
    "median_scale",
    "scales",
    "select",
]
ERRORS = [
    "ConstantColumnWarning",
    "ConvergenceWarning",
    "IndefiniteError",
    "InputError",
    "InputTypeError",
    "MemoryBudgetError",
    "NotEuclideanWarning",
    "RankWarning",
    "SeparationWarning",
    "TiedAxesWarning",
]
DISTANCES = ["euclidean", "pairwise", "squared_euclidean"]
RKHS = ["Function", "alignment", "distance", "distance_to_set", "hsic", "mean_embedding", "mercer"]
RKHS += ["mmd", "rv"]
VALIDITY = ["is_cnd", "is_euclidean", "is_psd", "nearest_psd"]
SCHOENBERG = ["exponential", "log", "power", "rational"]
SURFACE = {
    "gramian": GRAMIAN,
    "gramian.kernels": KERNELS,
    "gramian.errors": ERRORS,
    "gramian.distances": DISTANCES,
    "gramian.rkhs": RKHS,
    "gramian.validity": VALIDITY,
    "gramian.schoenberg": SCHOENBERG,
}


@pytest.mark.parametrize("module", SURFACE)
def test_fixed_names_are_there(module):
    public = importlib.import_module(module).__all__
    assert sorted(set(SURFACE[module]) - set(public)) == []


@pytest.mark.parametrize("module", SURFACE)
def test_all_is_sorted_complete_and_importable(module):
    found = importlib.import_module(module)
    assert list(found.__all__) == sorted(found.__all__, key=str)
    for name in found.__all__:
        assert getattr(found, name) is not None
        assert name in dir(found) or name.startswith("__")


def test_nothing_else_is_public_in_the_modules_of_the_surface():
    """What a module defines itself and does not list is private."""
    for name in ("gramian.errors", "gramian.distances"):
        module = importlib.import_module(name)
        own = [
            key
            for key, value in vars(module).items()
            if str(getattr(value, "__module__", "")).startswith(name) and not key.startswith("_")
        ]
        assert sorted(own) == sorted(module.__all__)


OBJECTS = {
    f"{module}.{name}": getattr(importlib.import_module(module), name)
    for module in SURFACE
    for name in sorted(importlib.import_module(module).__all__)
    if name != "__version__"
}
CALLABLE = {
    name: value
    for name, value in OBJECTS.items()
    if callable(value) and not name.startswith("gramian.errors")
}
ESTIMATORS = {
    name: value
    for name, value in CALLABLE.items()
    if name.count(".") == 1 and isinstance(value, type)
}


@pytest.mark.parametrize("name", OBJECTS)
def test_every_public_name_says_what_it_is(name):
    text = inspect.getdoc(OBJECTS[name])
    assert text and text.splitlines()[0].strip()


@pytest.mark.parametrize("name", CALLABLE)
def test_every_public_function_and_class_has_a_runnable_example(name):
    text = inspect.getdoc(CALLABLE[name])
    assert ">>>" in text, f"{name} shows no example"
    shown = text[text.rindex(">>>") :].splitlines()
    assert len(shown) > 1 and shown[1].strip(), "the example ends in no result"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_have_numpydoc_sections(name):
    text = inspect.getdoc(ESTIMATORS[name])
    for section in ("Parameters", "Attributes", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in text


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_parameter_is_documented(name):
    text = inspect.getdoc(ESTIMATORS[name])
    section = text.split("Parameters\n----------\n")[1].split("\n\nAttributes")[0]
    documented = {
        word
        for line in section.splitlines()
        if not line.startswith(" ")
        for word in re.split(r"[,\s]+", line.split(":")[0])
        if word
    }
    assert set(inspect.signature(ESTIMATORS[name]).parameters) <= documented


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_public_method_is_documented(name):
    for key, value in inspect.getmembers(ESTIMATORS[name], inspect.isfunction):
        if not key.startswith("_"):
            assert inspect.getdoc(value), f"{name}.{key}"


POSITIONAL, KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
SIGNATURES = {
    "PCA": {
        "n_components": None,
        "scale": False,
        "column_weight": None,
        "solver": "auto",
        "random_state": None,
    },
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
    "ClassicalMDS": {
        "n_components": 2,
        "metric": "euclidean",
        "correction": None,
        "solver": "auto",
    },
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name):
    """The documented parameters with their defaults; only n_components is positional."""
    actual = inspect.signature(getattr(gm, name)).parameters
    for key, default in SIGNATURES[name].items():
        assert actual[key].default == default
        assert actual[key].kind is (POSITIONAL if key == "n_components" else KEYWORD)


@pytest.mark.parametrize("name", SIGNATURES)
def test_fit_takes_weights(name):
    fit = inspect.signature(getattr(gm, name).fit).parameters
    assert list(fit) == ["self", "X", "y", "sample_weight"]
    for method in ("transform", "fit_transform", "get_feature_names_out", "set_output"):
        assert callable(getattr(getattr(gm, name), method))


@pytest.mark.parametrize(
    ("kernel", "parameters"),
    [
        ("Gaussian", ["scale"]),
        ("Exponential", ["scale"]),
        ("Laplacian", ["scale"]),
        ("Matern", ["nu", "scale"]),
        ("RationalQuadratic", ["scale", "alpha"]),
        ("Polynomial", ["degree", "offset", "scale"]),
        ("Sigmoid", ["scale", "offset"]),
        ("Linear", []),
        ("Cosine", []),
        ("Constant", ["value"]),
    ],
)
def test_parameters_of_kernels(kernel, parameters):
    made = getattr(gm.kernels, kernel)()
    assert list(made.get_params()) == parameters
    if "scale" in parameters and kernel not in ("Polynomial", "Sigmoid"):
        assert made.scale == "median"


COMMON = ["eigenvalues_", "inertia_", "inertia_ratio_", "coordinates_", "residuals_"]
COMMON += ["n_components_", "solver_", "explained_variance_ratio_"]


@pytest.mark.parametrize(
    ("estimator", "more"),
    [
        (gm.PCA(2), ["components_", "mean_", "singular_values_", "explained_variance_"]),
        (gm.KernelPCA(2), ["kernel_"]),
        (gm.ClassicalMDS(2), ["negative_inertia_", "correction_constant_"]),
    ],
    ids=["PCA", "KernelPCA", "ClassicalMDS"],
)
def test_fitted_attributes(estimator, more):
    fitted = estimator.fit([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5], [1.0, 0.0]])
    for name in [*COMMON, *more]:
        assert getattr(fitted, name) is not None


def test_errors_are_what_callers_catch():
    for name in ("InputError", "IndefiniteError", "MemoryBudgetError"):
        assert issubclass(getattr(gm.errors, name), ValueError)
    assert issubclass(gm.errors.InputTypeError, TypeError)
    assert issubclass(gm.errors.MemoryBudgetError, MemoryError)
    for name in ERRORS:
        if name.endswith("Warning"):
            assert issubclass(getattr(gm.errors, name), UserWarning)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError):
        gm.no_such_name  # noqa: B018
