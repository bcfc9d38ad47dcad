"""Print the oldest versions that pyproject.toml admits, as requirements: `name==version`."""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def lowest(requirements: list[str]) -> list[str]:
    """Return each requirement with a floor as one of that version.

    >>> lowest(["numpy>=2.0", "dask[array]>=2026.1; python_version > '3'", "gramian[plot]"])
    ['numpy==2.0', 'dask[array]==2026.1']
    """
    parts = [re.match(r"([\w\-\[\],]+)>=([\d.]+)", text) for text in requirements]
    return [f"{part[1]}=={part[2]}" for part in parts if part]


if __name__ == "__main__":
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    print("\n".join(lowest(project["dependencies"])))
