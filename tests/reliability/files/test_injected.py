"""A slice of benchmarks/faults.py: real signals, limits and bombs, in processes of their own."""

import os
import subprocess
import sys

import pytest
from tests.source import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="tries are forked"),
]


def run(out, *options):
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.faults", "--out", str(out)]
    paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [*command, *options], env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr[-800:]
    lines = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()]
    assert out.read_text().startswith("# Faults")
    return lines[0], [line for line in lines[2:] if "not here" not in line]


def test_a_file_is_the_old_one_or_the_new_one(tmp_path):
    jobs = "gm.save,transform -o,scan write"
    keys, rows = run(tmp_path / "f.md", "--part", "writing", "--tries", "3", "--jobs", jobs)
    assert keys[-3:] == ["lost", "left", "raw"]
    assert len(rows) >= 12 and all(row[-3:] == ["0", "0", "0"] for row in rows), rows
    assert sum(int(row[3]) for row in rows) >= len(rows) * 2  # faults that came in time


def test_bombs_are_refused_in_time(tmp_path):
    keys, rows = run(tmp_path / "f.md", "--part", "bombs", "--tries", "1", "--seed", "5")
    assert keys[4] == "raw" and [row[0] for row in rows][:2] == ["gzip", "workbook"]
    assert all(row[1:5] == ["1", "1", "0", "0"] for row in rows), rows
