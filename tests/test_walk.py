"""The walk of a fit through the source: through few files, and no decision is taken twice."""

import collections
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.source import MODULES, import_nodes

import gramian as gm

ROOT = str(Path(gm.__file__).parent)
X = np.random.default_rng(0).standard_normal((600, 5))


def traced(work):
    """Return the calls of some work: (file of the caller, file, function)."""
    work()  # imports and compiles
    steps = []

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(ROOT):
            caller = frame.f_back.f_code.co_filename if frame.f_back else ""
            steps.append((caller, frame.f_code.co_filename, frame.f_code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return steps


@pytest.fixture(scope="module")
def walk():
    """The calls of KernelPCA(3).fit on 600 × 5."""
    estimator = gm.KernelPCA(3)
    return traced(lambda: estimator.fit(X))


@pytest.mark.slow
def test_a_fit_goes_through_few_files(walk):
    """The pipeline, and what proves that no axis was left out."""
    files = {file for _, file, _ in walk}
    assert len(files) <= 20, sorted(file.removeprefix(ROOT) for file in files)


@pytest.mark.slow
def test_saving_goes_through_few_files(tmp_path):
    fitted = gm.KernelPCA(3).fit(X)
    files = {file for _, file, _ in traced(lambda: gm.save(fitted, tmp_path / "m.gramian"))}
    assert len(files) <= 15, sorted(file.removeprefix(ROOT) for file in files)


@pytest.mark.slow
def test_a_study_goes_through_few_files():
    iris = gm.datasets.iris()
    files = {file for _, file, _ in traced(lambda: gm.study(iris))}
    assert len(files) <= 90, sorted(file.removeprefix(ROOT) for file in files)


REPORT = """
import sys
files = set()
def note(frame, event, argument):
    if event == "call" and frame.f_code.co_filename.startswith(sys.argv[1]):
        files.add(frame.f_code.co_filename)
sys.setprofile(note)
from gramian.cli import main
main(["report", sys.argv[2], "-o", sys.argv[3], "-q"], standalone_mode=False)
sys.setprofile(None)
print("\\n".join(sorted(files)))
"""


@pytest.mark.slow
def test_the_report_of_a_table_imports_and_runs_few_files(tmp_path):
    """In a fresh process, imports included: what a page of numbers needs, and no more."""
    data, page = tmp_path / "iris.csv", tmp_path / "iris.html"
    iris = gm.datasets.iris()
    iris.data.join(iris.groups).to_csv(data)
    run = [sys.executable, "-c", REPORT, ROOT, str(data), str(page)]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    files = [line for line in done.stdout.splitlines() if line.startswith(ROOT)]
    assert page.exists() and files
    assert len(files) <= 200, [file.removeprefix(ROOT) for file in files]


@pytest.mark.slow
def test_files_call_each_other_seldom(walk):
    """Half of the 528 calls between files that the same fit took before it had one pipeline.

    What the certificate takes is not counted: no fit had one then.
    """
    own = [step for step in walk if not any("spectral/probe" in file for file in step[:2])]
    between = [step for step in own if step[0].startswith(ROOT) and step[0] != step[1]]
    assert len(between) <= 264


ONCE = ["as_kernel", "selection", "budget_bytes", "available_memory", "choose_gram", "generator"]
ONCE += ["KernelPCA._request", "analyse", "solve", "select", "Radial.resolve", "median_of", "table"]


@pytest.mark.parametrize("decision", ONCE)
def test_what_is_decided_is_decided_once(walk, decision):
    calls = collections.Counter(name for _, _, name in walk)
    assert calls[decision] == 1


@pytest.mark.parametrize(
    "module", [name for name in MODULES if name.startswith("_estimators.")], ids=str
)
def test_an_estimator_knows_few_packages(module):
    """Each package outside its own counts once; those of `_core` count one by one.

    The types of arguments do not count: annotations alone need them.
    """
    starts = [start.split(".")[1:] for _, start in import_nodes(module) if "gramian." in start]
    packages = {".".join(parts[: 2 if parts[0] == "_core" else 1]) for parts in starts}
    packages -= {"_estimators", "_core.types"}
    assert len(packages) <= 14, sorted(packages)
