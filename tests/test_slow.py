"""The table of slow tests names tests that exist, and leaves quick ones of every package."""

import ast
from functools import cache

import pytest
from tests.slow import FILES, PREFIXES, is_slow
from tests.source import MODULES, ROOT

# Packages whose tests stand under another name, and those of a line or two.
ELSEWHERE = {"embedding": "tests/identities", "__main__": "tests/cli", "_array": "tests"}
ELSEWHERE |= dict.fromkeys(("_annotated", "_blocks", "_cells", "_check", "_labels"), "tests")
ELSEWHERE |= dict.fromkeys(("_cholesky", "_convergence", "_pairs", "_warn", "errors"), "tests")
ELSEWHERE |= {"_hashing": "tests/kernels/graph"}
ELSEWHERE |= {name: "tests/operators" for name in ("_compiled", "_compiled_exp")}
ELSEWHERE |= {name: "tests/chunks" for name in ("_deal", "chunked")}
ELSEWHERE |= {name: "tests/stability" for name in ("_permutation",)}
ELSEWHERE |= {name: "tests/reliability" for name in ("_numbers", "_sparse", "_validate")}


@cache
def functions(path):
    """Return the names of the tests of a file, as pytest writes them before the cases."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    kinds = ast.FunctionDef | ast.ClassDef
    names = [node.name for node in ast.walk(tree) if isinstance(node, kinds)]
    return [f"{path}::{name}" for name in names if name.lower().startswith("test")]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_an_entry_is_the_name_of_a_test(prefix):
    path, _, name = prefix.partition("::")
    assert (ROOT / path).exists()
    if name and path.startswith("tests/"):
        for part in name.partition("[")[0].split("::"):  # a class, and what it promises
            if not part.startswith("Test") and "::Test" in prefix:
                continue  # promises of a contract stand in tests/contracts
            assert any(test.startswith(f"{path}::{part}") for test in functions(path))


@pytest.mark.parametrize("package", sorted({module.split(".")[0] for module in MODULES} - {""}))
def test_every_package_keeps_quick_tests(package):
    folder = ROOT / ELSEWHERE.get(package, f"tests/{package}")
    paths = [path.relative_to(ROOT).as_posix() for path in sorted(folder.rglob("test_*.py"))]
    quick = [t for path in paths if path not in FILES for t in functions(path) if not is_slow(t)]
    assert quick, f"no quick test under {folder.relative_to(ROOT)}"
