"""How often does a study say what is false, and how often does it miss what is there?

    python benchmarks/claims.py [--designs TEXT ...] [--tables 100] [--processes 1] [--write]
        [--keep FOLDER [--minutes 10]]

Tables with a known answer go through `gm.study`, many of each design; its claims are counted. With
--keep what is counted is kept, one file a design, and the next call goes on from there; --minutes
ends a call in time. With --write the table goes to benchmarks/results/claims.md and into
docs/claims.md. It needs NumPy, SciPy, pandas, scikit-learn and this package.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

import gramian as gm  # noqa: E402
from benchmarks.claim_designs import DESIGNS, Design  # noqa: E402

PAGE = ROOT / "results" / "claims.md"
DOCS = ROOT.parent / "docs" / "claims.md"
START, END = "<!-- claims: start -->", "<!-- claims: end -->"
JUDGED = ("axes", "axis-group", "group", "curve", "cluster")
_NAMES = {design.name: design for design in DESIGNS}
_SHARE = 10  # tables between two looks at the clock


def judged(design: Design, claims) -> dict:
    """Return what was false, missed and named in the claims of one table."""
    kinds = {c.kind for c in claims}
    false = [kind for kind in JUDGED if kind in kinds and kind not in design.allowed]
    named = [c.subject for c in claims if c.kind == "axis-variable"]
    counts = [c.effect for c in claims if c.kind == "axes" and c.axis is None]
    if design.axes is not None and counts and counts[0] > design.axes:
        false.append("axes too many")
    missed = bool(design.wanted) and not kinds & set(design.wanted)
    if design.group is not None:
        missed = not any(c.kind == "group" and c.subject == design.group for c in claims)
    if design.outlier is not None:
        missed = not any(c.kind == "row" and c.subject == design.outlier for c in claims)
    if design.axes is not None:
        missed = not counts or counts[0] < design.axes
    true = sum(name in design.variables for name in named) if design.variables else 0
    return {
        "false": false,
        "row": "row" in kinds,
        "missed": missed,
        "named": len(named) if design.variables else 0,
        "true": true,
    }


def one(name: str, seed: int) -> tuple[str, dict]:
    """Study one table of a design."""
    design = _NAMES[name]
    rng = np.random.default_rng([seed, *name.encode()])
    begin = time.perf_counter()
    result = judged(design, gm.study(design.make(rng), seed=seed).claims)
    return name, result | {"seconds": time.perf_counter() - begin}


def counted(names, tables: int, processes: int, tell=None, first: int = 0) -> dict[str, list[dict]]:
    """Study so many tables of each design; `tell` hears of each design that is done."""
    work = [(name, seed) for name in names for seed in range(first, tables)]
    out: dict[str, list[dict]] = {name: [] for name in names}
    pool = ProcessPoolExecutor(processes) if processes > 1 else None
    run = map if pool is None else partial(pool.map, chunksize=4)
    for name, result in run(one, *zip(*work, strict=True)):
        out[name].append(result)
        if tell is not None and len(out[name]) == tables - first:
            tell(line(name, out[name]))
    return out


def kept(folder: Path, names, tables: int, processes: int, minutes: float) -> dict:
    """Count as `counted` does, on from what a folder holds, and no longer than so many minutes."""
    folder.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * minutes
    out = {}
    for name in names:
        path = folder / f"{''.join(c if c.isalnum() else '_' for c in name)}.json"
        done = json.loads(path.read_text()) if path.exists() else []
        while len(done) < tables and time.monotonic() < end:
            done += counted([name], min(len(done) + _SHARE, tables), processes, first=len(done))[
                name
            ]
            path.write_text(json.dumps(done))
        if done:
            out[name] = done[:tables]
            print(line(name, out[name]), flush=True)
    return out


def line(name: str, results: list[dict]) -> str:
    """Return a row of the table."""
    design, n = _NAMES[name], len(results)
    kinds = Counter(kind for r in results for kind in r["false"])
    false = sum(bool(r["false"]) for r in results)
    which = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    missed = _share(sum(r["missed"] for r in results), n) if design.wanted else "–"
    named = sum(r["named"] for r in results)
    share = _share(sum(r["true"] for r in results), named) if named else "–"
    rows = _share(sum(r["row"] for r in results), n) if design.rows else "–"
    seconds = np.median([r["seconds"] for r in results])
    cells = [name, _share(false, n), which, missed, share, rows, f"{seconds:.2f}"]
    return f"| {' | '.join(cells)} |"


def _share(count: int, n: int) -> str:
    """Return a share in percent with its standard error, after the counts."""
    x = count / n
    return f"{count}/{n} {100 * x:.0f} ± {100 * np.sqrt(x * (1 - x) / n):.1f}"


HEAD = (
    "| design | false % | which | missed % | names true % | rows named % | seconds |\n"
    "|---|---|---|---|---|---|---|"
)


def main() -> None:
    """Count, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", nargs="*", default=[""], help="parts of their names")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    names = [d.name for d in DESIGNS if any(text in d.name for text in options.designs)]
    print(HEAD, flush=True)
    how = options.tables, options.processes
    if options.keep is None:
        results = counted(names, *how, partial(print, flush=True))
    else:
        results = kept(options.keep, names, *how, options.minutes)
    table = "\n".join([HEAD, *(line(name, results[name]) for name in results)])
    if options.write:
        PAGE.write_text(f"# False and missed claims\n\n{table}\n", encoding="utf-8")
        text = DOCS.read_text(encoding="utf-8")
        before, after = text.split(START)[0], text.split(END)[1]
        DOCS.write_text(f"{before}{START}\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
