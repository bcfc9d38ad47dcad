"""Thousands of model files that are not what they were, and what becomes of each.

    python -m tests.saving.mutations            # all of them, and the table in benchmarks/results
    python -m tests.saving.mutations --count 400 --seed 1

Every file of `bases` is changed in bytes, in its tree and in its arrays, and loaded in another
process with a limit on its memory and 5 seconds. What may come of it:

refused        an `InputError` or one of its kin, when it is loaded
as before      it loads, and every answer is the original's to the last bit
another model  signed anew by whoever changed it, it loads and answers otherwise
fails in use   signed anew, it loads, and some answer is an error or not a number

and what must not: a file that was not signed anew and loads otherwise than before, an error of
another kind, a crash, and, while it is loaded, more than 4 times the memory of the honest file or
more than 5 seconds.
"""

import argparse
import json
import os
import pickle
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np

from . import answers, bases, edits

ROOT = Path(__file__).parent.parent.parent
TABLE = ROOT / "benchmarks" / "results" / "model_mutations.md"
SECONDS = 5.0
TIMES = 4.0  # the memory of the honest file
SPARE = 200e6  # bytes that a process may take beside it
GOOD = ("refused", "as before", "another model", "fails in use")
BAD = ("not noticed", "raw error", "crash", "memory", "time")


class Late(Exception):
    """Too much time."""


def judged(path, base, signed, say):
    """Return what becomes of a file, and the words; `say` is called when it is loaded."""
    import gramian as gm

    try:
        model = gm.load(path)
    except (ValueError, TypeError) as error:
        kin = type(error).__module__ == "gramian.errors"
        return ("refused" if kin else "raw error"), f"{type(error).__name__}: {error}"
    say()
    try:
        reply = answers.of(model, base.new)
    except (Exception, Late) as error:
        return ("fails in use" if signed else "not noticed"), f"{type(error).__name__}: {error}"
    if answers.same(reply, base.reply):
        return "as before", ""
    if not signed:
        return "not noticed", answers.first(reply, base.reply)
    lost = answers.lost(reply, base.reply)
    return ("fails in use" if lost else "another model"), lost or answers.first(reply, base.reply)


def worker(folder, seed, start, stop):
    """Judge some of the mutations, one line each: begun, then done."""
    warnings.simplefilter("ignore")
    everything = pickle.loads((folder / "bases.pickle").read_bytes())
    for base in everything:  # what was loaded once loads again without new code
        import gramian as gm

        base.reply = answers.of(gm.load(folder / base.file), base.new)
    size = max((folder / base.file).stat().st_size for base in everything)
    limit = _virtual() + int(TIMES * 3 * size + SPARE)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    signal.signal(signal.SIGALRM, _alarm)
    datas = {base.file: (folder / base.file).read_bytes() for base in everything}
    for k in range(start, stop):
        base, kind, signed, data = edits.mutation(everything, datas, seed, k)
        print(json.dumps([k, "begun", f"{kind}: {base.file}"]), flush=True)
        if data is None:
            print(json.dumps([k, "none", kind, signed, ""]), flush=True)
            continue
        path = folder / f"worker_{os.getpid()}.gramian"
        path.write_bytes(data)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            say = partial(print, json.dumps([k, "loaded", f"{kind}: {base.file}"]), flush=True)
            word, why = judged(path, base, signed, say)
        except Late:
            word, why = "time", ""
        except MemoryError:
            word, why = "memory", ""
        except Exception as error:
            word, why = "raw error", f"{type(error).__name__}: {error}"
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(json.dumps([k, word, kind, signed, f"{base.file}: {why}"[:300]]), flush=True)
    path.unlink(missing_ok=True)


def _alarm(*_):
    raise Late


def _virtual():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmSize"):
            return int(line.split()[1]) * 1024
    return 4_000_000_000


def run(count, seed, names=None, processes=1):
    """Return what became of each mutation: (number, word, kind, whether signed, why)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bases.write(folder, names)
        shares = np.linspace(0, count, processes + 1).astype(int)
        pairs = list(zip(shares[:-1].tolist(), shares[1:].tolist(), strict=True))
        children = [Child(folder, seed, a, b) for a, b in pairs]
        while any(child.run for child in children):
            for child in children:
                child.read()
        return [result for child in children for result in child.results]


class Child:
    """A process that judges a range of mutations, and the next one where it died."""

    def __init__(self, folder, seed, start, stop):
        self.folder, self.seed, self.at, self.stop = folder, seed, start, stop
        self.results, self.begun, self.text = [], None, b""
        self.run = None
        self._begin()

    def _begin(self):
        if self.at >= self.stop:
            self.run = None
            return
        arguments = [str(self.folder), str(self.seed), str(self.at), str(self.stop)]
        self.run = subprocess.Popen(
            [sys.executable, "-m", "tests.saving.mutations", "--worker", *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.heard = time.monotonic()

    def read(self):
        """Take what the process said, for a moment; see that it is alive."""
        if self.run is None:
            return
        if select.select([self.run.stdout], [], [], 0.2)[0]:
            piece = os.read(self.run.stdout.fileno(), 1 << 16)
            self.heard = time.monotonic()
            self.text += piece
            *lines, self.text = self.text.split(b"\n")
            for line in lines:
                self._line(json.loads(line))
            if not piece:
                self._ended("crash")
        elif self.begun is not None and time.monotonic() - self.heard > 12 * SECONDS:
            self.run.kill()  # a compiled loop, which no alarm interrupts
            self._ended("time" if self.begun[1] == "begun" else "fails in use")

    def _line(self, line):
        self.at = line[0] + 1
        self.begun = line if line[1] in ("begun", "loaded") else None
        if line[1] not in ("begun", "loaded", "none"):
            self.results.append(tuple(line))

    def _ended(self, word):
        self.run.wait()
        self.run.stdout.close()
        if self.begun is not None:
            self.results.append((self.begun[0], word, self.begun[2], True, self.begun[2]))
        elif self.at < self.stop and self.run.returncode != 0:
            raise RuntimeError(f"the worker ended by itself at {self.at}")
        self.begun, self.text = None, b""
        self._begin()


def table(results, seconds, seed):
    """Return the counts as a page."""
    kinds = sorted({(kind.split(" ")[0], signed) for _, _, kind, signed, _ in results})
    counts = Counter((kind.split(" ")[0], signed, word) for _, word, kind, signed, _ in results)
    words = [*GOOD, *BAD]
    head = f"| mutation | signed | cases | {' | '.join(words)} |"
    lines = [head, "|---|---|" + "---:|" * (len(words) + 1)]
    for kind, signed in kinds:
        row = [counts[kind, signed, word] for word in words]
        cells = " | ".join(map(str, [sum(row), *row]))
        lines.append(f"| {kind} | {'yes' if signed else 'no'} | {cells} |")
    total = [sum(word == w for _, word, _, _, _ in results) for w in words]
    lines.append(f"| **all** | | {' | '.join(map(str, [sum(total), *total]))} |")
    about = (
        "# Model files that were changed\n\n"
        f"Written by `python -m tests.saving.mutations --seed {seed}` ({len(results):,} mutations "
        f"of {len(bases.NAMES)} files, {seconds:.0f} s).\n"
        "What the words mean stands in `tests/saving/mutations.py`; the last five must be 0.\n\n"
    )
    return about + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=12_500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--names", nargs="*")
    parser.add_argument("--all", action="store_true", help="show every case that is not refused")
    parser.add_argument("--worker", nargs=4)
    options = parser.parse_args()
    if options.worker:
        folder, seed, start, stop = options.worker
        worker(Path(folder), int(seed), int(start), int(stop))
        return 0
    begin = time.perf_counter()
    results = run(options.count, options.seed, options.names, options.processes)
    page = table(results, time.perf_counter() - begin, options.seed)
    shown = (*BAD, "another model", "fails in use") if options.all else BAD
    for _, word, kind, _signed, why in results:
        if word in shown:
            print(f"{word}: {kind}: {why}")
    print(page)
    if options.count >= 10_000:
        TABLE.write_text(page)
    return int(any(word in BAD for _, word, *_ in results))


if __name__ == "__main__":
    sys.exit(main())
