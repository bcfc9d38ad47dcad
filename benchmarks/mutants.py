"""Do the tests notice? Sixty small faults are put into the core, one at a time.

    python -m benchmarks.mutants --count 60 --seed 0 [--processes 2] [--write]

A mutant changes one operator, comparison, constant or condition in `operators`, `spectral`,
`embedding` or `reading`; lines that no test of the chosen folders reaches are not spared. Each is
imported from a copy of the source and judged by the tests below; one that they pass survives.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "gramian"
RESULT = ROOT / "benchmarks" / "results" / "mutants.md"
SECONDS = 600  # a mutant whose tests have not ended by then hangs
# What is asked of a mutant in each room, the quickest first.
TESTS = {
    "spectral": ["tests/spectral", "tests/identities", "tests/reliability", "tests/estimators"],
    "operators": ["tests/operators", "tests/features", "tests/identities", "tests/estimators"],
    "embedding": ["tests/identities", "tests/outside", "tests/reliability", "tests/estimators"],
    "reading": [
        "tests/reading",
        "tests/dimension",
        "tests/outside",
        "tests/identities",
        "tests/ecosystem",
        "tests/evidence",
        "tests/estimators",
    ],
}
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Mutant:
    """One fault: in which file, at which node of its syntax tree."""

    path: Path
    node: int
    line: int
    text: str


def faults(path: Path) -> list[Mutant]:
    """Return every fault that one can put into a file."""
    found = []
    for number, node in enumerate(ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if (text := _fault(node)) is not None:
            found.append(Mutant(path, number, getattr(node, "lineno", 0), text))
    return found


def _fault(node: ast.AST) -> str | None:
    """Change a node in place; return what was done, or None where there is nothing to change."""
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        before, node.op = type(node.op), SWAPS[type(node.op)]()  # type: ignore[assignment]
        return f"{before.__name__} → {type(node.op).__name__}"
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        kind, node.ops[0] = type(node.ops[0]), SWAPS[type(node.ops[0])]()  # type: ignore[call-overload]
        return f"{kind.__name__} → {type(node.ops[0]).__name__}"
    if isinstance(node, ast.BoolOp):
        word, node.op = type(node.op), SWAPS[type(node.op)]()  # type: ignore[assignment]
        return f"{word.__name__} → {type(node.op).__name__}"
    if isinstance(node, ast.IfExp | ast.If):
        node.test = ast.UnaryOp(ast.Not(), node.test)
        return "condition reversed"
    return None


def mutated(mutant: Mutant) -> str:
    """Return the source of a file with its fault."""
    tree = ast.parse(mutant.path.read_text(encoding="utf-8"))
    for number, node in enumerate(ast.walk(tree)):
        if number == mutant.node:
            _fault(node)
            break
    return ast.unparse(ast.fix_missing_locations(tree))


def is_killed(mutant: Mutant, broken: dict[str, list[str]]) -> bool:
    """Whether a test fails (or does not end) with the fault in place."""
    room = mutant.path.relative_to(SOURCE).parts[0]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / mutant.path.relative_to(ROOT / "src")).write_text(mutated(mutant), encoding="utf-8")
        try:
            run = tested(room, copy, ["-x", *map(left_out, broken[room])])
        except subprocess.TimeoutExpired:
            return True
    return run.returncode != 0


def broken_tests(room: str) -> list[str]:
    """Return the tests of a room that fail here without any fault, for want of a library say."""
    run = tested(room, ROOT / "src", ["-rfE", "--continue-on-collection-errors"])
    words = [line.split(" ") for line in run.stdout.splitlines()]
    return [word[1] for word in words if word[0] in ("FAILED", "ERROR") and len(word) > 1]


def left_out(test: str) -> str:
    """Return the option that leaves out a test, or a file of tests that cannot be read."""
    return f"--{'deselect' if '::' in test else 'ignore'}={test}"


def tested(room: str, source: Path, options: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the tests of a room with the package in this folder."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    paths = os.pathsep.join([str(source), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts="]
    command += ["--import-mode=importlib", *TESTS[room], *options]
    return subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | threads | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def main() -> None:
    """Draw, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    files = [path for room in TESTS for path in sorted((SOURCE / room).glob("*.py"))]
    # The CUDA kernel itself runs on a GPU only.
    every = [fault for path in files if path.name != "_triton.py" for fault in faults(path)]
    drawn = random.Random(options.seed).sample(every, options.count)
    with ThreadPoolExecutor(options.processes) as pool:
        broken = dict(zip(TESTS, pool.map(broken_tests, TESTS), strict=True))
        print("left out, for they fail without any fault:", broken, flush=True)

        def judged(mutant: Mutant) -> bool:
            dead = is_killed(mutant, broken)
            print(mutant.path.name, mutant.line, mutant.text, dead, flush=True)
            return dead

        killed = list(pool.map(judged, drawn))
    lines = [f"{sum(killed)} of {len(drawn)} mutants were killed ({len(every)} there are).", ""]
    lines += ["| file | line | fault | killed |", "|---|---|---|---|"]
    for mutant, dead in zip(drawn, killed, strict=True):
        name = mutant.path.relative_to(SOURCE)
        lines.append(f"| {name} | {mutant.line} | {mutant.text} | {'yes' if dead else 'NO'} |")
    print("\n".join(lines))
    if options.write:
        RESULT.write_text("# Do the tests notice?\n\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
