"""The public surface: names, documentation, signatures."""

import importlib
import inspect
import re
import types
from operator import attrgetter
from pathlib import Path

import click
import pytest
from tests.surface import (
    CALLABLE,
    CLASSES,
    COMMANDS,
    ESTIMATORS,
    FUNCTIONS,
    NAMES,
    OBJECTS,
    RESULTS,
)

import gramian as gm
from gramian.cli import main


@pytest.mark.parametrize("module", NAMES)
def test_fixed_names_are_there(module):
    home = importlib.import_module(module)
    names = NAMES[module].split()
    if module == "gramian":  # whose list is short: others are there under their names
        assert all(hasattr(home, name) for name in names)
    else:
        assert sorted(set(names) - set(home.__all__)) == []


def test_the_top_level_is_short_and_starts_with_the_estimators():
    names = [name for name in dir(gm) if not name.startswith("_")]
    assert len(names) <= 30 and set(gm.__all__) == {*names, "__version__"}
    classes = [name for name in names if inspect.isclass(getattr(gm, name))]
    assert names[: len(classes)] == classes and {"PCA", "KernelPCA", "MDS"} <= set(classes)
    stub = Path(gm.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    listed = re.search(r"__all__ = \[(.*?)\]", stub, re.S)[1]
    assert re.findall(r'"(\w+)"', listed) == list(gm.__all__)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("load", "load_model"),
        ("save", "save_model"),
        ("io.read", "io.read_file"),
    ],
)
def test_what_is_read_is_in_the_name_and_old_names_stay(old, new):
    assert attrgetter(old)(gm) is attrgetter(new)(gm)


def test_a_name_that_will_be_removed_warns_with_the_new_one():
    """The policy of CONTRIBUTING: a FutureWarning names the new call, two minor versions long."""
    with pytest.warns(FutureWarning, match=r"gm\.read is called gm\.read_map, and 0\.4") as found:
        fit = gm.read([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]])
    assert isinstance(fit, type(gm.read_map([[0.0, 1.0], [2.0, 3.0], [4.0, 5.5]])))
    assert found[0].filename == __file__
    this, gone = (
        tuple(map(int, re.match(r"(\d+)\.(\d+)", text).groups()))
        for text in (gm.__version__, str(found[0].message).rpartition(", and ")[2])
    )
    assert gone == (this[0], this[1] + 2)


def test_every_public_module_is_looked_at():
    """The modules of `gm`, and modules inside them that are public names too."""
    modules = {name for name, value in OBJECTS.items() if isinstance(value, types.ModuleType)}
    assert modules <= set(NAMES)


@pytest.mark.parametrize("module", NAMES)
def test_all_is_sorted_complete_and_importable(module):
    home = importlib.import_module(module)
    names = list(home.__all__)
    # The linter sorts names in capitals (HIM) before the others, lazy modules do not.
    assert names in (sorted(names), sorted(names, key=lambda name: (not name.isupper(), name)))
    assert len(set(names)) == len(names)
    for name in names:
        assert getattr(home, name) is not None
        assert name in dir(home) or name.startswith("__")


@pytest.mark.parametrize("module", NAMES)
def test_nothing_else_is_public(module):
    """What a module defines itself and does not list is private."""
    home = importlib.import_module(module)
    own = {
        name
        for name, value in vars(home).items()
        if getattr(value, "__module__", None) == module and not name.startswith("_")
    }
    assert sorted(own - set(home.__all__)) == []


@pytest.mark.parametrize("module", NAMES)
def test_every_public_name_says_what_it_is(module):
    silent = [
        name
        for name, value in OBJECTS.items()
        if name.rpartition(".")[0] == module and not (inspect.getdoc(value) or "").strip()
    ]
    assert silent == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLABLE)
def test_every_public_function_and_class_has_a_runnable_example(name):
    text = inspect.getdoc(CALLABLE[name])
    assert ">>>" in text, f"{name} shows no example"
    shown = text[text.rindex(">>>") :].splitlines()
    assert len(shown) > 1 and shown[1].strip(), "the example ends in no result"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_have_numpydoc_sections(name):
    text = inspect.getdoc(getattr(gm, name))
    for section in ("Parameters", "Attributes", "See Also", "References", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in text


def section_of(text, name):
    """Return the lines of a section of a docstring."""
    found = re.search(rf"\n{name}\n-+\n(.*?)(?:\n\n[A-Z][A-Za-z ]+\n-+\n|\Z)", text, re.S)
    return found[1].splitlines() if found else []


@pytest.mark.parametrize("name", ESTIMATORS)
def test_what_is_seen_also_is_there_and_what_is_referred_to_has_a_year(name):
    text = inspect.getdoc(getattr(gm, name))
    for line in section_of(text, "See Also"):
        other = line.split(" : ")[0].removeprefix("gramian.")
        assert attrgetter(other)(gm) is not None and line.endswith(".")
    entries = [line for line in section_of(text, "References") if not line.startswith(" ")]
    assert entries and all(re.search(r"\((19|20)\d\d\), ", entry) for entry in entries)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_attributes_have_a_meaning(name):
    lines = section_of(inspect.getdoc(getattr(gm, name)), "Attributes")
    bare = [
        line
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
        if line and not line.startswith(" ") and not after.startswith("    ")
    ]
    assert bare == [], "say what these are"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_parameter_is_documented(name):
    estimator = getattr(gm, name)
    section = inspect.getdoc(estimator).split("Parameters\n----------\n")[1]
    documented = {
        word
        for line in section.split("\n\nAttributes")[0].splitlines()
        if not line.startswith(" ")
        for word in re.split(r"[,\s]+", line.split(":")[0])
        if word
    }
    assert set(inspect.signature(estimator).parameters) <= documented


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_method_is_documented(name):
    silent = [
        key
        for key, value in inspect.getmembers(CLASSES[name], inspect.isfunction)
        if not key.startswith("_")
        and value.__module__.startswith("gramian")
        and not inspect.getdoc(value)
    ]
    assert silent == []


def test_every_estimator_is_looked_at():
    estimators = [name for name in CLASSES if name.count(".") == 1]
    assert sorted(ESTIMATORS) == sorted(name.removeprefix("gramian.") for name in estimators)


POSITIONAL, KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


@pytest.mark.parametrize("name", ESTIMATORS)
def test_constructors(name):
    """The documented parameters with their defaults; only the first is positional."""
    actual = inspect.signature(getattr(gm, name)).parameters
    for place, (key, default) in enumerate(ESTIMATORS[name].items()):
        assert actual[key].default == default
        assert actual[key].kind is (KEYWORD if place else POSITIONAL)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_their_arguments_by_place_and_by_name(name):
    actual = inspect.signature(attrgetter(name)(gm)).parameters
    by_place, _, by_name = FUNCTIONS[name].partition("*")
    assert list(actual)[: len(by_place.split())] == by_place.split()
    assert all(actual[key].kind is POSITIONAL for key in by_place.split())
    assert set(by_name.split()) <= set(actual)


TRANSFORMERS = [name for name in ESTIMATORS if hasattr(getattr(gm, name), "transform")]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_fit_takes_weights(name):
    fit = list(inspect.signature(getattr(gm, name).fit).parameters)
    features = name in ("Nystrom", "RandomFourier")  # a map of rows, whatever they weigh
    assert fit == ["self", "X", "y", *([] if features else ["sample_weight"])]


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_transformers_have_scikit_learns_methods(name):
    for method in ("transform", "fit_transform", "get_feature_names_out", "set_output"):
        assert callable(getattr(getattr(gm, name), method))


@pytest.mark.parametrize("name", RESULTS)
def test_results_hold_what_they_are_asked_for(name):
    result = attrgetter(name)(gm)
    assert set(RESULTS[name].split()) <= {*dir(result), *inspect.signature(result).parameters}


def test_a_permutation_test_holds_its_statistic_and_p_value():
    test = gm.rkhs.mmd("linear", [[0.0], [1.0], [2.0]], [[0.5], [3.0]], n_permutations=9)
    assert 0.0 < test.p_value <= 1.0 and test.statistic == pytest.approx(-4 / 3)


def test_commands():
    assert set(COMMANDS.split()) <= set(main.list_commands(click.Context(main)))


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
    instance = getattr(gm.kernels, kernel)()
    assert list(instance.get_params()) == parameters
    if "scale" in parameters and kernel not in ("Polynomial", "Sigmoid"):
        assert instance.scale == "median"


COMMON = ["eigenvalues_", "inertia_", "inertia_ratio_", "coordinates_", "residuals_"]
COMMON += ["n_components_", "solver_", "explained_variance_ratio_"]


@pytest.mark.parametrize(
    ("estimator", "more"),
    [
        (gm.PCA(2), ["components_", "mean_", "singular_values_", "explained_variance_"]),
        (gm.KernelPCA(2), ["kernel_"]),
        (gm.ClassicalMDS(2), ["negative_inertia_", "correction_constant_"]),
        (gm.MDS(2), ["stress_"]),
        (gm.MultiKernelPCA(2), ["kernel_weights_"]),
    ],
    ids=lambda value: type(value).__name__,
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
    for name in NAMES["gramian.errors"].split():
        if name.endswith("Warning"):
            assert issubclass(getattr(gm.errors, name), UserWarning)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError):
        gm.no_such_name  # noqa: B018
