"""Is the kind of a table right, and does the summary name what is known to be there?

    python -m benchmarks.real_tables FOLDER [--list real_tables_2] [--export] [--jobs 16]
                                     [--only NAME …] [--texts] [--write]

The tables of real_tables.toml (or of another list) are exported from R packages by `--export`
(Rscript with ade4, vegan, HSAUR3, MASS, cluster, carData, labdsv, palmerpenguins, robustbase,
psych, mlbench, vcd, vcdExtra, ca, adegenet, gclus and rrcov installed; for the second list also
FactoMineR, mclust, lavaan, dslabs, AER, pls, nlme, boot, rpart, survival and ggplot2; for the third
mice, VIM, VGAM, prabclus, Guerry, psychTools, psychotools, ordinal, multilevel, conting,
DiscriMiner, GUniFrac, latticeExtra, kohonen, seriation, cba, Epi, geepack, GGally, metadat, bayesm,
sm, gnm, coin, TH.data, modeldata, caret, ecodist, sp and ape) to FOLDER, one CSV file each. Each
is read as published and with its rows shuffled. A row counts as right where the kind of table is
the one written down, and as named where one word of every list stands in the summary. Summaries
have at most 120 words in English and in French. With --write the table goes to the page of that
name in benchmarks/results.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
MAX_WORDS = 120


@dataclass(frozen=True)
class Outcome:
    """What was said of one table in one order of its rows."""

    name: str
    order: str
    kind: str
    right: bool
    missing: tuple[str, ...]  # lists of words of which none was named
    words: int
    text: str


def tables(name: str) -> dict[str, dict[str, object]]:
    """Return a list of tables with what is known of them."""
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def export(known: dict[str, dict[str, object]], folder: Path) -> None:
    """Write the tables to a folder, by R; what a package does not hold is named and left out."""
    code = ["data(list = data(package = 'ade4')$results[, 'Item'], package = 'ade4')"]
    for name, entry in known.items():
        path = folder / f"{name}.csv"
        code.append(f"try(write.csv({entry['r']}, file = '{path}'))")
    subprocess.run(["Rscript", "-"], input="\n".join(code), text=True, check=True)


def shuffled(path: Path, seed: int = 0) -> Path:
    """Return a copy of a file with its rows in another order; distances keep theirs."""
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    order = np.random.default_rng(seed).permutation(len(rows))
    out = path.with_suffix(".shuffled")
    out.write_text("\n".join([header, *(rows[i] for i in order)]) + "\n", encoding="utf-8")
    return out


def outcome(job: tuple[str, dict[str, object], str, Path]) -> Outcome:
    """Return what is said of one table."""
    import gramian as gm

    name, entry, order, folder = job
    path = folder / f"{name}.csv"
    if order == "shuffled" and entry["kind"] != "distances":
        path = shuffled(path)
    try:
        study = gm.study(str(path), title=name)
    except Exception as error:  # a table that fails is a result
        return Outcome(name, order, type(error).__name__, False, ("everything",), 0, str(error))
    subject = study.subject
    kind = subject.content if subject.kind == "table" else subject.kind
    text = " ".join(claim.text for claim in study.short)
    words = max(sum(len(c.say(lang).split()) for c in study.short) for lang in ("en", "fr"))
    lists: list[list[str]] = entry["words"]  # type: ignore[assignment]
    found = [any(re.search(rf"(?<!\w){re.escape(w)}", text) for w in some) for some in lists]
    lost = tuple("/".join(some) for some, ok in zip(lists, found, strict=True) if not ok)
    return Outcome(name, order, kind, kind in _kinds(entry), lost, words, text)


def _kinds(entry: dict[str, object]) -> list[str]:
    """Return the kinds that are right for a table; help pages of some leave two open."""
    kind = entry["kind"]
    return [kind] if isinstance(kind, str) else list(kind)  # type: ignore[call-overload]


def page(known: dict[str, dict[str, object]], outcomes: list[Outcome]) -> str:
    """Return the results as Markdown."""
    lines = ["# Tables of R packages: kind and known structure", ""]
    for title, held in (("used in development", False), ("held back", True)):
        for order in ("published", "shuffled"):
            some = [o for o in outcomes if o.order == order]
            some = [o for o in some if bool(known[o.name].get("held")) == held]
            if some:
                right, named = sum(o.right for o in some), sum(not o.missing for o in some)
                most = max(o.words for o in some)
                lines.append(
                    f"- {title}, {order}: kind right {right} of {len(some)}, structure named "
                    f"{named} of {len(some)}, longest summary {most} words"
                )
    lines += [
        "",
        "| table | order | kind | right | not named | words |",
        "|---|---|---|---|---|---|",
    ]
    for o in sorted(outcomes, key=lambda o: (o.name.lower(), o.order)):
        right = "yes" if o.right else f"no ({' or '.join(_kinds(known[o.name]))})"
        lost = "; ".join(o.missing)[:60]
        lines.append(f"| {o.name} | {o.order} | {o.kind} | {right} | {lost} | {o.words} |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the tables and print the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", default="real_tables", help="name of the list, a .toml here")
    parser.add_argument("--export", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--texts", action="store_true", help="print the summaries")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    known = tables(options.list)
    if options.export:
        options.folder.mkdir(parents=True, exist_ok=True)
        export(known, options.folder)
    names = options.only or [n for n in known if (options.folder / f"{n}.csv").exists()]
    orders = ("published", "shuffled")
    jobs = [(name, known[name], order, options.folder) for name in names for order in orders]
    with ProcessPoolExecutor(options.jobs) as pool:
        outcomes = list(pool.map(outcome, jobs))
    if options.texts:
        for o in outcomes:
            print(f"{o.name} ({o.order}, {o.words} words): {o.text}\n")
    text = page(known, outcomes)
    print(text)
    if options.write:
        (HERE / "results" / f"{options.list}.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
