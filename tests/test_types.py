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
import numpy as np
import gramian as gm

X = np.zeros((5, 3))
reveal_type(gm.PCA(2).fit(X))  # PCA
reveal_type(gm.KernelPCA(2).fit(X, sample_weight=[1, 1, 2, 1, 1]))  # KernelPCA
reveal_type(gm.KernelPCA(2).fit(X).eigenvalues_)  # ndarray
reveal_type(gm.MCA(2).fit({"tea": ["black", "green"]}).individuals())  # DataFrame
reveal_type(gm.io.read("table.csv"))  # Source
reveal_type(gm.study("table.csv"))  # Study
reveal_type(gm.datasets.iris())  # Dataset
gm.KernelPCA(n_componentz=2)  # error: call-arg
gm.KernelPCA(solver="foo")  # error: arg-type
gm.PCA(missing="drop")  # error: arg-type
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
