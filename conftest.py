"""How tests are collected: which are slow, and doctests of one file run alone."""

from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from tests.slow import FILES, is_slow

ROOT = Path(__file__).parent
SOURCE = ROOT / "src"


def pytest_collect_file(file_path: Path) -> None:
    """Import the package of a module before pytest imports the module by its path.

    Pytest would bind `gramian.dimension.choose`, the module, over the function that the package
    binds to this name.
    """
    if file_path.suffix == ".py" and SOURCE in file_path.parents:
        with suppress(ImportError):  # pytest meets it too, and says it better
            import_module(".".join(file_path.parent.relative_to(SOURCE).parts))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave whole slow files unread in the inner loop: reading all takes a third of its time."""
    path = collection_path.relative_to(ROOT).as_posix()
    return True if config.option.markexpr == "not slow" and path in FILES else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what tests/slow.py lists."""
    for item in items:
        if is_slow(item.nodeid):
            item.add_marker(pytest.mark.slow)
