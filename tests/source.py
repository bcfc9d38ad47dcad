"""The text of the package as syntax trees, for the tests that keep its order."""

import ast
from functools import cache
from os.path import relpath
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "gramian"


def name_of(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


@cache
def tree(module):
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


def place(module, node):
    return f"{relpath(MODULES[module], ROOT)}:{node.lineno}"


def import_nodes(module):
    """Yield each import statement with the full name of what it starts from."""
    package = ["gramian", *module.split(".")] if module else ["gramian"]
    if MODULES[module].name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield node, ""
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield node, ".".join([*base, *([node.module] if node.module else [])])


@cache
def imports(module):
    """Return the full names of what a module imports, anywhere in its text."""
    names = set()
    for node, start in import_nodes(module):
        prefix = f"{start}." if start else ""
        names |= {f"{prefix}{alias.name}" for alias in node.names} | ({start} if start else set())
    return sorted(names)
