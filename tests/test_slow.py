"""The inner loop keeps quick tests of every package."""

import ast

import pytest
from tests.source import ROOT, SOURCE

from conftest import SLOW_FILE

# Packages whose tests stand under another name.
FOLDERS = {"_browser": "map", "_core": "operators", "_study": "studies"}


def is_slow(node):
    return any(ast.unparse(mark) == "pytest.mark.slow" for mark in node.decorator_list)


def quick_tests(path):
    """Return the names of the test functions of a file that do not carry the marker `slow`."""
    text = path.read_text(encoding="utf-8")
    if SLOW_FILE.search(text):
        return []
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return [f.name for f in functions if f.name.startswith("test_") and not is_slow(f)]


@pytest.mark.parametrize(
    "package", sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))
)
def test_every_package_keeps_quick_tests(package):
    folder = ROOT / "tests" / FOLDERS.get(package, package.lstrip("_"))
    assert any(quick_tests(path) for path in folder.rglob("test_*.py"))
