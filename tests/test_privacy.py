"""What a package keeps to itself is read by nobody else: `_names` stay at home.

A package is the first folder under `gramian`, in `_core` the second; a loose module is its own.
What several packages need is a public name of the lower one, or an argument.
"""

import ast
from functools import cache

import pytest
from tests.source import MODULES, import_nodes, place, tree

pytestmark = pytest.mark.slow


# These stand above the estimators and see a fit from outside, as a user does.
OUTSIDE = {"_browser", "cli", "dimension", "importance", "networks", "plots", "report", "saving"}
OUTSIDE |= {"_study", "selection", "stability"}
# A named tuple's public methods, which carry an underscore only to stay clear of its fields.
NAMED_TUPLE = {"_asdict", "_fields", "_make", "_replace"}


def package(module):
    first, *rest = module.split(".")
    return f"_core.{rest[0]}" if first == "_core" and rest else first


def is_private(name):
    return name.startswith("_") and not name.startswith("__") and name != "_"


# Private to the library, but any of its packages may import from them.
MACHINERY = {module for module in MODULES if "." not in module and is_private(module)}


def definitions(node):
    """Return the attributes that one node of a syntax tree gives to objects."""
    match node:
        case ast.ClassDef():
            return [name for part in node.body for name in bound(part)]
        case ast.Attribute(ctx=ast.Store()) if is_own(node.value):  # self._x = … in a method
            return [node.attr]
        case ast.Dict():  # the state of a fit, published in one assignment
            return [key.value for key in node.keys if isinstance(key, ast.Constant)]
        case ast.Assign(targets=[ast.Name(id="__slots__")], value=value):
            return [name.value for name in ast.walk(value) if isinstance(name, ast.Constant)]
    return []


def bound(statement):
    """Return the names that a statement of a class body gives to something."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    return [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and is_stored(n)]


def is_stored(name):
    return isinstance(name.ctx, ast.Store)


@cache
def defined(name):
    """Return every private attribute that a package defines."""
    modules = [module for module in MODULES if package(module) == name]
    nodes = (node for module in modules for node in ast.walk(tree(module)))
    names = {text for node in nodes for text in definitions(node)}
    return {text for text in names if isinstance(text, str) and is_private(text)}


def is_own(value):
    """Whether an expression is the object itself: self, cls, super() or type(self)."""
    match value:
        case ast.Name(id="self" | "cls") | ast.Call(func=ast.Name(id="super")):
            return True
        case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id="self")]):
            return True
    return False


def foreign_attributes(module):
    """Yield each `x._name` whose name no file of the package defines."""
    home = defined(package(module)) | NAMED_TUPLE
    for node in ast.walk(tree(module)):
        match node:
            case ast.Attribute(value=value, attr=name) if is_private(name) and not is_own(value):
                if name not in home:
                    yield f"{place(module, node)} {ast.unparse(node)}"


def foreign_imports(module):
    """Yield each import of a private name, or from a private module, of another package."""
    for node, start in import_nodes(module):
        for alias in node.names:
            parts = [*start.split("."), *alias.name.split(".")]
            parts = [part for part in parts if part]
            if f"{'.'.join(parts)}.".startswith(f"gramian.{package(module)}."):
                continue
            if parts[0] == "__future__":
                continue
            private = [part for part in parts if is_private(part)]
            ours = parts[0] == "gramian"
            if private and not (ours and len(private) == 1 and parts[1] in MACHINERY):
                yield f"{place(module, node)} {'.'.join(parts)}"


def is_fitted(name):
    return name.endswith("_") and not name.startswith("__")


def guesses(module):
    """Yield each getattr of a private name and hasattr of a fitted one, above the estimators."""
    for node in ast.walk(tree(module)):
        match node:
            case ast.Call(
                func=ast.Name(id="getattr" | "hasattr" as ask),
                args=[_, ast.Constant(value=str(name)), *_],
            ):
                if is_private(name) or (ask == "hasattr" and is_fitted(name)):
                    yield f"{place(module, node)} {ast.unparse(node)}"


def listed(places):
    return "\n".join(["", *places])


def test_no_package_reads_the_private_attributes_of_another():
    places = [line for module in MODULES for line in foreign_attributes(module)]
    assert not places, listed(places)


def test_no_package_imports_the_private_names_of_another():
    places = [line for module in MODULES for line in foreign_imports(module)]
    assert not places, listed(places)


def test_nothing_above_the_estimators_guesses_what_a_fit_holds():
    above = [module for module in MODULES if package(module) in OUTSIDE]
    places = [line for module in above for line in guesses(module)]
    assert not places, listed(places)


def test_the_walks_see_what_they_forbid(monkeypatch, tmp_path):
    text = """
from gramian._estimators._base import count
from gramian._core.array import to_numpy
import sklearn.utils._tags

class Reader:
    def look(self, fit):
        self._own = fit._points, fit._own, self._anything, super()._more, fit._replace()
        return hasattr(fit, "kernel_"), getattr(fit, "_rows", None), getattr(fit, "kernel_", None)
"""
    path = tmp_path / "reader.py"
    path.write_text(text)
    monkeypatch.setitem(MODULES, "invented.reader", path)

    def seen(walk):
        return [line.split(" ", 1)[1] for line in walk("invented.reader")]

    assert seen(foreign_attributes) == ["fit._points"]
    private = ["gramian._estimators._base.count", "sklearn.utils._tags"]
    assert seen(foreign_imports) == private
    assert seen(guesses) == ["hasattr(fit, 'kernel_')", "getattr(fit, '_rows', None)"]
