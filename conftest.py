"""Doctests of one file, run alone, see the package as its users do."""

from contextlib import suppress
from importlib import import_module
from pathlib import Path

SOURCE = Path(__file__).parent / "src"


def pytest_collect_file(file_path: Path) -> None:
    """Import the package of a module before pytest imports the module by its path.

    Pytest would bind `gramian.dimension.choose`, the module, over the function that the package
    binds to this name.
    """
    if file_path.suffix == ".py" and SOURCE in file_path.parents:
        with suppress(ImportError):  # pytest meets it too, and says it better
            import_module(".".join(file_path.parent.relative_to(SOURCE).parts))
