"""Lines and files of every package, and a ceiling for each: growth is a decision.

`python tools/size.py` prints the table and fails where a package is larger than `CEILINGS` allows.
"""

import sys
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "gramian"
# Lines that a package may have; modules at the top of the tree stand under their own names.
CEILINGS = {
    "_estimators": 13_860,
    "_core": 11_460,
    "io": 7_930,
    "kernels": 6_540,
    "plots": 6_210,
    "evidence": 4_820,
    "_reading": 4_280,
    "networks": 3_800,
    "_study": 3_800,
    "report": 1_990,
    "ecology": 1_890,
    "_browser": 2_280,
    "saving": 1_650,
    "cli": 1_610,
    "stability": 1_190,
    "rkhs": 1_240,
    "distances": 990,
    "_nulls": 980,
    "datasets": 930,
    "clusters": 1_150,
    "selection": 700,
    "validity": 630,
    "missing": 500,
    "dimension": 480,
    "importance": 360,
    "maps": 270,
    "preimage": 260,
    "errors": 210,
    "schoenberg": 150,
    "__init__": 50,
    "__main__": 50,
    "spectral": 50,
    "studies": 50,
    "operators": 50,
}


def sizes() -> tuple[Counter[str], Counter[str]]:
    """Return the lines and the files of every package."""
    lines: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for path in sorted(SOURCE.rglob("*.py")):
        package = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        lines[package] += len(path.read_text(encoding="utf-8").splitlines())
        files[package] += 1
    return lines, files


def main() -> int:
    """Print the table; return 1 where a package is too large or has no ceiling."""
    lines, files = sizes()
    for package, count in lines.most_common():
        print(f"{count:7,} lines {files[package]:4} files  {package}")
    print(f"{lines.total():7,} lines {files.total():4} files  in all")
    faults = [
        f"{package} has {count:,} lines and may have {CEILINGS[package]:,}: remove some or raise it"
        for package, count in lines.items()
        if count > CEILINGS.get(package, count)
    ]
    faults += [f"give {package} a ceiling in CEILINGS" for package in lines.keys() - CEILINGS]
    faults += [f"{package} is no package any more" for package in CEILINGS.keys() - lines]
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
