"""Imports point down; optional libraries come in by one door; `import gramian` is light."""

import subprocess
import sys
import tomllib
from functools import cache

import numpy as np
import pandas as pd
import pytest
from tests.source import MODULES, ROOT, imports

# The one table. A module belongs where its longest prefix stands; a new one needs a line here.
LAYERS = {
    0: ["_core", "_nulls", "_study.language", "errors"],
    1: ["_core.pairs", "distances", "kernels", "datasets"],
    2: [
        "_core.operators",
        "operators",
        "_core.features",
        "_core.chunked.blocks",
        "_core.chunked.dask",
        "_core.chunked.operators",
    ],
    3: ["_core.spectral", "spectral"],
    4: [
        "_core.embedding",
        "_estimators.imputation",
        "_estimators.logistic",
        "_estimators.stress",
        "_reading",
        "rkhs",
        "validity",
        "schoenberg",
        "preimage",
    ],
    5: ["_core.chunked", "_estimators", "io"],
    6: [
        "clusters",
        "dimension",
        "ecology",
        "evidence",
        "stability",
        "importance",
        "maps",
        "selection",
        "networks",
        "saving",
        "missing",
    ],
    7: ["_study", "studies"],
    8: ["plots", "_browser", "report", "cli", "__main__"],
}
LAYER_OF = {name: layer for layer, names in LAYERS.items() for name in names}
DISTRIBUTION = {"sklearn": "scikit-learn", "mpl_toolkits": "matplotlib"}
ONE_PLACE = ("_browser.app", "plots.backends")  # folders that count as one place


def layer(module):
    """The layer of a module by its longest known prefix, or None."""
    parts = module.split(".")
    for k in range(len(parts), 0, -1):
        if (prefix := ".".join(parts[:k])) in LAYER_OF:
            return LAYER_OF[prefix]
    return None


def ours(module):
    """Return the modules of this package that a module imports."""
    # Only full names: the standard library has an `io` too.
    own = [name for name in imports(module) if name.startswith("gramian.")]
    names = {name.removeprefix("gramian.") for name in own}
    return sorted(name for name in names if name in MODULES and name)


def third_party(module):
    tops = {name.split(".")[0] for name in imports(module)}
    return sorted(tops - {"gramian", "__future__"} - set(sys.stdlib_module_names))


@cache
def declared():
    """Return the names of core and of optional distributions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    extras = [text for name, texts in optional.items() if name != "dev" for text in texts]

    def clean(texts):
        for mark in "<>=[;! ~":
            texts = [text.split(mark)[0] for text in texts]
        return {text.lower().replace("_", "-") for text in texts}

    return clean(project["dependencies"]), clean(extras)


def distribution(top):
    return DISTRIBUTION.get(top, top).lower().replace("_", "-")


def test_every_module_has_a_layer():
    loose = [module for module in MODULES if module and layer(module) is None]
    assert not loose, f"give these a layer in tests/test_layers.py: {loose}"


@pytest.mark.slow
def test_imports_point_down():
    upward = [
        f"{module} (layer {layer(module)}) imports {name} (layer {layer(name)})"
        for module in MODULES
        for name in ours(module)
        if module and (layer(name) or 0) > layer(module)
    ]
    assert not upward, "\n".join(["", *upward])


@pytest.mark.slow
def test_the_one_door_that_points_up():
    """`kernels.select` is a study that is found among the kernels; nothing loads it before."""
    code = "import sys, gramian.kernels; print('gramian.selection' in sys.modules)"
    run = [sys.executable, "-c", code]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "False\n"
    doors = [
        name
        for name, path in MODULES.items()
        if (layer(name) or 0) < 6 and 'import_module("gramian.selection")' in path.read_text()
    ]
    assert doors == ["kernels"]


def test_the_walk_sees_relative_late_and_absolute_imports():
    assert "datasets._dataset" in ours("datasets.worked")
    assert "_core.check" in ours("datasets.worked")
    assert "kernels.composite" in ours("kernels.base")
    assert "_core.operators.gram" in ours("_core.embedding.pipeline")
    assert "numpy" in third_party("_core.embedding.principal")


@pytest.mark.slow
def test_every_library_is_declared():
    core, optional = declared()
    used = {top: module for module in MODULES for top in third_party(module)}
    missing = {t: m for t, m in used.items() if distribution(t) not in core | optional}
    assert not missing, f"not in pyproject.toml: {missing}"


def test_an_optional_library_is_imported_in_one_place():
    core, optional = declared()
    places = {}
    for module in MODULES:
        for top in map(distribution, third_party(module)):
            if top in optional - core:
                # Kernels stand in the room that launches them, in a file of the library's name.
                place = f"_{top}" if module.endswith(f"._{top}") else module
                folder = next((f for f in ONE_PLACE if f"{module}.".startswith(f"{f}.")), place)
                places.setdefault(top, set()).add(folder)
    several = {top: sorted(where) for top, where in places.items() if len(where) > 1}
    assert not several, f"imported in several places: {several}"


def all_modules_after(code):
    """Return the modules loaded in a fresh interpreter after some code."""
    code += "\nimport sys; print(' '.join(sys.modules))"
    run = [sys.executable, "-c", code]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())


def modules_after(code):
    """Return the top-level modules loaded in a fresh interpreter after some code."""
    return {name.split(".")[0] for name in all_modules_after(code)}


def test_import_gramian_is_light():
    loaded = modules_after("import gramian")
    assert "gramian" in loaded
    heavy = {"sklearn", "scipy", "pandas", "numpy", "torch", "numba", "matplotlib", "plotly"}
    assert not loaded & heavy


@pytest.mark.slow
def test_fitting_needs_no_optional_library():
    _, optional = declared()
    names = {"numba", "matplotlib", "plotly", "networkx", "torch"}
    assert names <= optional | {"pytest"}
    loaded = modules_after(
        "import gramian as gm\nX = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.5], [1.0, 0.0]]\n"
        "gm.PCA(1).fit(X); gm.KernelPCA(1).fit(X); gm.ClassicalMDS(1).fit(X)"
    )
    assert "sklearn" in loaded
    assert not loaded & names


@pytest.mark.slow
def test_reading_a_table_needs_no_estimator():
    loaded = all_modules_after(
        "import io, gramian as gm\n"
        "source = gm.io.read(io.StringIO('a,b\\n1,2\\n3,5\\n4,4\\n'))\n"
        "assert list(gm.io.examine(source)) is not None"
    )
    assert "gramian.io.doctor.examine" in loaded
    assert not loaded & {"sklearn", "scipy.stats", "scipy.spatial", "gramian.kernels"}


@pytest.mark.slow
def test_a_page_of_a_table_needs_no_networks():
    loaded = all_modules_after("import gramian.report.page, gramian.report")
    assert "gramian._study.study" in loaded
    assert not loaded & {"gramian.networks", "gramian.kernels.graph", "http.client"}


COMMAND = (
    "from gramian.cli import main\n"
    "try: main({arguments})\n"
    "except SystemExit as end: assert not end.code\n"
    "print()"
)
UNUSED = {"IPython", "dask", "h5py", "matplotlib", "networkx", "numba", "polars", "rich", "torch"}
ROOMS = {"datasets", "ecology", "importance", "networks", "saving", "selection"}


def loaded_by(folder, *arguments):
    """Return the modules of a process that ran a command on a small table of its folder."""
    table = folder / "table.csv"
    X = np.random.default_rng(0).standard_normal((30, 4))
    pd.DataFrame(X, columns=list("abcd")).assign(site=["n", "s"] * 15).to_csv(table, index=False)
    command, *options = arguments
    run = [command, str(table), *options, "-q"]
    return all_modules_after(COMMAND.format(arguments=run))


def sklearn_parts(loaded):
    names = {name.split(".")[1] for name in loaded if name.startswith("sklearn.")}
    return {name for name in names if not name.startswith("_")}


@pytest.mark.slow
def test_a_report_loads_what_it_uses(tmp_path):
    loaded = loaded_by(tmp_path, "report", "-o", str(tmp_path / "page.html"))
    assert {"gramian._study.study", "gramian.report.page", "jinja2"} <= loaded
    assert "plotly" not in loaded
    assert not {name.split(".")[0] for name in loaded} & UNUSED
    assert not loaded & {f"gramian.{room}" for room in ROOMS}
    assert sklearn_parts(loaded) == {"base", "exceptions", "externals", "utils"}


@pytest.mark.slow
def test_a_fit_draws_nothing(tmp_path):
    loaded = loaded_by(tmp_path, "fit")
    assert "gramian._estimators.pca" in loaded
    assert not {name.split(".")[0] for name in loaded} & (UNUSED | {"plotly", "jinja2"})
    assert not loaded & {f"gramian.{room}" for room in (*ROOMS, "plots", "report", "missing")}
    assert sklearn_parts(loaded) == {"base", "exceptions", "externals", "utils"}
