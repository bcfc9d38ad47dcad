"""How tests are collected: what the inner loop leaves unread, and how doctests are imported."""

import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import gramian as gm

SOURCE = Path(__file__).parent / "src"
SLOW_FILE = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.slow\b", re.MULTILINE)


def pytest_collect_file(file_path: Path) -> None:
    """Import the package of a module before pytest imports the module by its path.

    Pytest would bind `gramian.plots.scree`, the module, over the function that the package
    binds to this name.
    """
    if file_path.suffix == ".py" and SOURCE in file_path.parents:
        with suppress(ImportError):  # pytest meets it too, and says it better
            import_module(".".join(file_path.parent.relative_to(SOURCE).parts))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow files, and doctests that nobody named, unread where slow tests are left out.

    Importing them all would take longer than the quick tests.
    """
    if config.option.markexpr != "not slow":
        return None
    if SOURCE in collection_path.parents:  # `src` itself is an argument, which is never ignored
        return True if any(Path(arg).name == "tests" for arg in config.args) else None
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if is_test and SLOW_FILE.search(collection_path.read_text("utf-8")) else None


@pytest.fixture(autouse=True, scope="session")
def _names_of_examples(doctest_namespace: dict[str, object]) -> None:
    """Let the examples of docstrings say `gm` and `np`, as those of NumPy and pandas do."""
    doctest_namespace |= {"gm": gm, "np": np}
