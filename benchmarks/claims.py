"""How often does a study say what is false, and how often does it miss what is there?

    python benchmarks/claims.py [--designs TEXT ...] [--tables 100] [--processes 1] [--minutes 9]
        [--keep FOLDER] [--write]

Tables with a known answer go through `gm.study`, many of each design; its claims are counted. Each
process has one thread; tables of all designs take turns, cheap ones end first. With --keep each
table is kept, and the next call goes on from there; --minutes ends a call in time. With --write the
table goes to benchmarks/results/claims.md and into docs/claims.md. It needs NumPy, SciPy, pandas,
scikit-learn and this package.
"""

import os
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402

import gramian as gm  # noqa: E402
from benchmarks.claim_designs import DESIGNS, Design  # noqa: E402
from benchmarks.count_designs import COUNTS  # noqa: E402
from benchmarks.spread import Page, command  # noqa: E402

JUDGED = ("axes", "axis-group", "group", "curve", "cluster")
_NAMES = {design.name: design for design in [*DESIGNS, *COUNTS]}
DESCRIBED = ("axis-variable", "axis-group", "group", "tie")  # without a test, a description


def judged(design: Design, claims) -> dict:
    """Return what was false, missed and named in the claims of one table."""
    if not design.counted_once:  # "If individuals were counted independently, …": they were not
        claims = [c for c in claims if c.subject != "independence"]
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


def one(name: str, seed: int) -> dict:
    """Study one table of a design; a study that fails has said something false."""
    design = _NAMES[name]
    rng = np.random.default_rng([seed, *name.encode()])
    begin = time.perf_counter()
    try:
        study = gm.study(design.make(rng), seed=seed, method=design.method)
        claims = [c for c in study.claims if c.tested or c.kind not in DESCRIBED]
        result = judged(design, claims)
    except Exception as error:
        result = judged(design, ()) | {"false": [f"{type(error).__name__}: {error}"]}
    return result | {"seconds": time.perf_counter() - begin}


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


PAGE = Page(
    "False and missed claims",
    "claims",
    "claims",
    "claims",
    "| design | false % | which | missed % | names true % | rows named % | seconds |\n"
    "|---|---|---|---|---|---|---|",
)


if __name__ == "__main__":
    command(__doc__, list(_NAMES), one, line, PAGE)
