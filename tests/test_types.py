"""What editors and type checkers know of a user's script."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

SCRIPT = """
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline

import gramian as gm
from gramian.kernels import Gaussian


def standardise(table: pd.DataFrame) -> pd.DataFrame:
    return (table - table.mean()) / table.std()


def analyse(path: Path, cultivar: list[str]) -> dict[str, float]:
    source = gm.io.read_file(path)
    reveal_type(source)  # Source
    wine = gm.datasets.wine()
    reveal_type(wine)  # Dataset
    X = standardise(wine.data)
    pca = gm.PCA(n_components=5, scale=True).fit(X)
    reveal_type(pca)  # PCA
    reveal_type(pca.eigenvalues_)  # ndarray
    reveal_type(pca.individuals())  # DataFrame
    kpca = gm.KernelPCA(2, kernel=Gaussian(2.0)).fit(X, sample_weight=np.ones(len(X)))
    reveal_type(kpca)  # KernelPCA
    reveal_type(gm.MCA(2).fit({"tea": ["black", "green"]}).individuals())  # DataFrame
    reveal_type(gm.MDS(2, scaling="ordinal").fit(X))  # MDS
    reveal_type(gm.clusters.find(pca))  # Clusters
    reveal_type(gm.dimension.parallel_analysis(X))  # ParallelAnalysis
    reveal_type(gm.rkhs.mmd("linear", X[:50], X[50:]).p_value)  # float
    reveal_type(gm.study(path))  # Study
    reveal_type(gm.stability.bootstrap(gm.PCA(2), X).eigenvalues)  # DataFrame
    reveal_type(gm.kernels.select(X))  # KernelSelection
    gm.plots.individuals(pca, color=cultivar)
    gm.plots.scree(pca)
    gm.save_model(kpca, path.with_suffix(".gramian"))
    make_pipeline(gm.PCA(2), gm.KernelLogisticRegression())
    shares = dict(zip("ab", pca.inertia_ratio_.tolist()))
    return shares


def mistakes(X: pd.DataFrame) -> None:
    fit = gm.KernelPCA(2).fit(X)
    gm.KernelPCA(n_componentz=2)  # error: call-arg
    gm.PCA("2", scal=True)  # error: call-arg
    gm.KernelPCA(solver="foo")  # error: arg-type
    gm.PCA(missing="drop")  # error: arg-type
    gm.MDS(scaling="ordnal")  # error: arg-type
    fit.fitt(X)  # error: attr-defined
    fit.eigenvalue_  # error: attr-defined
    gm.plots.individals(fit)  # error: attr-defined
    gm.KernalPCA(2)  # error: attr-defined
    gm.rkhs.mmd("linear", X)  # error: call-arg
    gm.Nystrom(100, method=3)  # error: call-arg
    gm.plots.scree(fit, scale="logarithmic")  # error: arg-type
    gm.plots.scree(fit, backend="bokeh")  # error: arg-type
    gm.plots.biplot(fit, by="cos")  # error: arg-type
    gm.kernels.Gausian(2.0)  # error: attr-defined
    gm.kernels.select(X, k=3)  # error: call-arg
"""

# Typed, large, and in none of the types above: following torch alone takes half of the time.
UNREAD = ("torch", "polars", "dask", "distributed", "matplotlib", "IPython", "hypothesis", "plotly")
CONFIG = f"""
[mypy]
python_version = 3.11
strict = true
ignore_missing_imports = true
follow_imports = silent
[mypy-{",".join(f"{name}.*" for name in UNREAD)}]
follow_imports = skip
"""


@pytest.fixture(scope="module")
def messages(tmp_path_factory):
    """The messages of mypy by line of the script.

    With the cache of `make lint` it takes a second, without it a quarter of a minute.
    """
    pytest.importorskip("mypy")
    script = tmp_path_factory.mktemp("types") / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    config = script.with_name("mypy.ini")
    config.write_text(CONFIG)
    unseen = [f"--config-file={config}", f"--cache-dir={script.parent / 'cache'}"]
    options = [] if (ROOT / ".mypy_cache").exists() else unseen
    command = [sys.executable, "-m", "mypy", *options, str(script)]
    ran = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"MYPYPATH": "src"}, capture_output=True, text=True
    )
    out = ran.stdout
    assert not ran.stderr
    found = re.findall(r"script\.py:(\d+): (error|note): (.*)", out)
    # A note that follows an error says where the class is.
    return {int(line): (kind, text) for line, kind, text in reversed(found)}


EXPECTED = [
    (number, line.split("  # ")[1])
    for number, line in enumerate(SCRIPT.splitlines(), start=1)
    if "  # " in line
]


@pytest.mark.slow
def test_the_lines_of_a_script(messages):
    """One test: each worker that runs a part of it would run mypy."""
    for line, expected in EXPECTED:
        kind, text = messages[line]
        if expected.startswith("error: "):
            assert kind == "error" and text.endswith(f"[{expected.removeprefix('error: ')}]")
        else:
            assert kind == "note" and re.search(rf"[\".]{expected}[\"\[]", text), text
    known = {line for line, _ in EXPECTED}
    assert {line: text for line, text in messages.items() if line not in known} == {}
