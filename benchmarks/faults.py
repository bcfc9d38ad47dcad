"""Faults while files are written, and files that are bombs: `python -m benchmarks.faults`.

Each try is a process of its own that is forked from one that has everything imported. A writer is
stopped (a full disk, a limit of size, SIGINT, SIGKILL, no permission) at a random moment; then
the file must be the old one or the new one, whole. A bomb must be refused, or read within bounds.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import gramian as gm
from gramian.cli import main as command
from gramian.errors import InputError, OutputError

RESULTS = Path(__file__).parent / "results" / "faults.md"
OLD = b"what was there before\n"
DONE, REFUSED, RAW, INTERRUPTED = 0, 4, 1, 130  # exit statuses of a try
PATIENCE = 60.0  # seconds after which a try hangs
BOMB_MEMORY = 2_000  # MB that reading a bomb may take, of all its processes
HEAD = """# Faults while files are written, and files that are bombs

A writer is stopped at a random moment, and the file must be the old one or the new one, whole; what
a killed process leaves is gone after the next write. A bomb is refused, or read within {memory} MB.
*Reached*: tries in which the fault came before the writer had ended. *Lost*: the file is gone or
neither old nor new. *Left*: something stays beside it. *Raw*: an error that is not ours, or a hang.
Made by `python -m benchmarks.faults --tries {tries}` ({system}).
"""


@dataclass
class Job:
    """A file that is written: its name, what writes it, and whether it is whole."""

    name: str
    write: Callable[[Path], None]
    is_whole: Callable[[Path], bool]


@dataclass
class Row:
    """The counts of a row of the table."""

    counts: Counter[str] = field(default_factory=Counter)
    peak: float = 0.0  # MB
    slowest: float = 0.0  # seconds


def jobs(folder: Path, names: list[str]) -> dict[str, Job]:
    """Return what is written, by name; the study of the report is made once."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 40))
    fitted = gm.PCA(5).fit(X)
    table, model = folder / "in.csv", folder / "model.gramian"
    frame = pd.DataFrame(X[:, :6], [f"r{k}" for k in range(len(X))], list("abcdef"))
    frame.to_csv(table)
    gm.save(gm.PCA(3).fit(gm.io.read(table).active()), model)
    known = {
        "gm.save": Job("m.gramian", lambda p: gm.save(fitted, p), _loads),
        "transform -o": Job(
            "c.csv",
            lambda p: _command("transform", str(model), str(table), "-o", str(p), "--force", "-q"),
            lambda p: p.read_bytes().count(b"\n") == 3001 and len(pd.read_csv(p)) == 3000,
        ),
        "scan write": Job(
            "rows.npy",
            lambda p: gm.io.scan([X[:1500], X[1500:]]).write(p, force=True),
            lambda p: np.array_equal(np.load(p), X),
        ),
    }
    if "report -o" in names:
        study = gm.study(gm.datasets.iris().data)
        known["report -o"] = Job(
            "page.html",
            lambda p: gm.report.write(study, p, force=True),
            lambda p: p.read_bytes().rstrip().endswith(b"</html>"),
        )
    return {name: known[name] for name in names}


def _loads(path: Path) -> bool:
    return int(gm.load(path).n_components_) == 5


def _command(*words: str) -> None:
    """Run the command as a shell does: its exit status is the outcome."""
    try:
        command(list(words), standalone_mode=True)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            raise KeyboardInterrupt from end
        if end.code:
            raise OutputError(f"exit status {end.code}") from end


def forked(task: Callable[[], Any]) -> int:
    """Run a task in a process of its own; return its number. It ends without any clean-up."""
    process = os.fork()
    if process:
        return process
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = RAW
    try:
        with open(os.devnull, "w") as sink:
            os.dup2(sink.fileno(), 1)
            os.dup2(sink.fileno(), 2)
        task()
        status = DONE
    except (InputError, OutputError, gm.errors.MemoryBudgetError):
        status = REFUSED
    except KeyboardInterrupt:
        status = INTERRUPTED
    finally:
        os._exit(status)


def waited(process: int, watch: Callable[[], None] = lambda: None) -> int:
    """Return how a process ended; one that hangs is killed, and counts as raw."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        watch()
        time.sleep(0.001)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return RAW


class Memory:
    """The most memory that a forked process and its children took, above what it began with."""

    def __init__(self, process: int) -> None:
        self.process, self.peak = process, 0.0
        self.first = self.resident(process)

    @staticmethod
    def resident(process: int) -> float:
        with contextlib.suppress(OSError, IndexError):
            pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
            return pages * resource.getpagesize() / 1e6
        return 0.0

    def watch(self) -> None:
        """Look once; a child counts when it is a program of its own, no longer a copy of ours."""
        size = self.resident(self.process) - self.first
        with contextlib.suppress(OSError):
            place = Path(f"/proc/{self.process}/task/{self.process}/children")
            for child in map(int, place.read_text().split()):
                if b"child.py" in Path(f"/proc/{child}/cmdline").read_bytes():
                    size += self.resident(child)
        self.peak = max(self.peak, size)


def limited_size(job: Job, path: Path, rng: random.Random, full: int) -> int:
    """Let a file grow to a random part of what it needs, as a quota does."""

    def task() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(rng.random() * full),) * 2)
        job.write(path)

    return waited(forked(task))


def full_disk(job: Job, path: Path, rng: random.Random, full: int) -> int:
    """Fill the disk but for a random part of what the file needs."""
    filler = path.parent.parent / "filler"
    room = os.statvfs(path.parent)
    free = room.f_bavail * room.f_bsize
    keep = int(rng.random() * full)
    try:
        with open(filler, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(free - keep, 1))
        return waited(forked(lambda: job.write(path)))
    finally:
        filler.unlink()


def stopped(number: signal.Signals) -> Callable[[Job, Path, random.Random, int], int]:
    """Return a fault that sends a signal at a random moment of the writing."""

    def fault(job: Job, path: Path, rng: random.Random, full: int) -> int:
        process = forked(lambda: job.write(path))
        least = rng.choice([0, 1, full // 2])  # bytes: when it is tried, begun, half done
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not _is_writing(path, least) and not _is_over(process):
            time.sleep(0.0001)
        time.sleep(rng.random() ** 3 * 0.02)
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
        return waited(process)

    return fault


def _is_writing(path: Path, least: int) -> bool:
    """Whether there is a file beside the target that holds so many bytes."""
    with contextlib.suppress(OSError):  # it is gone, or has just taken its place
        return any(file.stat().st_size >= least for file in path.parent.glob(".*/*"))
    return False


def _is_over(process: int) -> bool:
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def forbidden(job: Job, path: Path, rng: random.Random, full: int) -> int:
    """Write where one may not: in a folder of somebody else's, or one that is read only."""
    folder = path.parent
    folder.chmod(rng.choice([0o555, 0o500, 0o755] if os.getuid() == 0 else [0o555, 0o500]))

    def task() -> None:
        if os.getuid() == 0:  # who may write anywhere
            os.setgid(65534)
            os.setuid(65534)
        job.write(path)

    try:
        return waited(forked(task))
    finally:
        folder.chmod(0o755)


FAULTS: dict[str, Callable[[Job, Path, random.Random, int], int]] = {
    "disk full": full_disk,
    "file size limit": limited_size,
    "SIGINT": stopped(signal.SIGINT),
    "SIGKILL": stopped(signal.SIGKILL),
    "no permission": forbidden,
}
EXPECTED = {"SIGINT": INTERRUPTED, "SIGKILL": -signal.SIGKILL}


@contextlib.contextmanager
def disk(fault: str) -> Iterator[Path | None]:
    """Yield a folder to write in; for a full disk a small one, None where none can be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="faults"))
    folder.chmod(0o755)
    is_mounted = False
    if fault == "disk full":
        mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)]
        is_mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        (folder / "out").mkdir()
        yield folder / "out" if is_mounted or fault != "disk full" else None
    finally:
        if is_mounted:
            subprocess.run(["umount", str(folder)], check=True)
        shutil.rmtree(folder)


def try_writing(job: Job, fault: str, tries: int, rng: random.Random) -> Row | None:
    """Return the counts of a fault; None where it cannot be made here."""
    row = Row()
    with disk(fault) as folder:
        if folder is None:
            return None
        path = folder / job.name
        job.write(path)
        full = path.stat().st_size
        for _ in range(tries):
            path.write_bytes(OLD)
            status = FAULTS[fault](job, path, rng, full)
            is_old = path.exists() and path.read_bytes() == OLD
            is_new = path.exists() and not is_old and _is_whole(job, path)
            left = os.listdir(folder) != [job.name]
            if left and fault == "SIGKILL":
                job.write(path)
                left = os.listdir(folder) != [job.name]
            row.counts["tries"] += 1
            row.counts["reached"] += status == EXPECTED.get(fault, REFUSED)
            row.counts["old"] += is_old
            row.counts["new"] += is_new
            row.counts["lost"] += not (is_old or is_new) or (status == DONE and is_old)
            row.counts["left"] += left
            row.counts["raw"] += status not in (DONE, EXPECTED.get(fault, REFUSED))
    return row


def _is_whole(job: Job, path: Path) -> bool:
    try:
        return job.is_whole(path)
    except (InputError, ValueError, OSError):
        return False


def gzip_bombs(rng: random.Random) -> tuple[str, bytes]:
    """Return zeros, or cells that repeat, packed once or twice."""
    size = rng.randrange(100, 400) * 1_000_000
    cell = rng.choice([b"\0", b"1,2,3\n", b"a" * 50])
    out = io.BytesIO()
    with gzip.open(out, "wb", compresslevel=rng.choice([1, 3])) as file:
        block = cell * (10_000_000 // len(cell))
        for _ in range(size // 10_000_000):
            file.write(block)
    data = out.getvalue()
    return "a.csv", gzip.compress(data) if rng.random() < 0.3 else data


def workbook_bombs(rng: random.Random) -> tuple[str, bytes]:
    """Return a workbook with cells far away, repeated cells, long shared texts or much packed."""
    from tests.reliability.files import books

    row, column = rng.randrange(10**5, 2**20), rng.randrange(5000, 16_384)
    letters = "".join(chr(65 + column // 26**k % 26) for k in (2, 1, 0)).lstrip("A") or "B"
    far = f'<row r="{row}"><c r="{letters}{row}"><v>1</v></c></row></sheetData>'
    points = "".join(f'<row><c t="s"><v>0</v></c><c><v>{k}</v></c></row>' for k in range(9000))
    times = rng.randrange(10**7, 4 * 10**9)
    extra = f' table:number-columns-repeated="{rng.randrange(2000, 9000)}"'
    lines = f' table:number-rows-repeated="{rng.randrange(50_000, 10**6)}"'
    body = f"<table:table-row{lines}>{books.ods_cell(1.0, extra)}</table:table-row>"
    parts = books.parts_of(books.xlsx())
    kinds: dict[str, Callable[[], bytes]] = {
        "far.xlsx": lambda: books.xlsx(sheet=lambda text: text.replace("</sheetData>", far)),
        "far.xlsb": lambda: books.xlsb(cells=[(0, 0, 1.0), (row, column, 2.0)]),
        "far.xls": lambda: books.xls(dimension=(0, times, 0, 65_535)),
        "texts.xlsx": lambda: books.shared(points, ["a" * rng.randrange(10_000, 32_000)]),
        "count.xlsx": lambda: books.shared(points, ["a"], f' uniqueCount="{times}"'),
        "count.xlsb": lambda: books.xlsb([(0, 0, (0,)), (1, 0, (0,))], strings=(times, ["a"])),
        "repeated.ods": lambda: books.ods(body=body),
        "packed.xlsx": lambda: books.packed(parts | {"xl/a.xml": bytes(times % 10**8 + 10**8)}),
    }
    name = rng.choice(list(kinds))
    return name, kinds[name]()


def hdf5_bombs(rng: random.Random) -> tuple[str, bytes]:
    """Return zeros, a piece that unpacks to more than it says, or a heap that never ends."""
    import h5py
    from tests.io import files

    kind = rng.choice(["zeros"] * 3 + ["piece"] * 3 + ["heap"])  # which takes its 23 s
    obs = {"kind": pd.Categorical(list("tbtb"))}
    out = io.BytesIO(files.h5ad(np.ones((4, 3)), list("wxyz"), ["a", "b", "c"], obs))
    if kind == "heap":
        data = bytearray(out.getvalue())
        at = data.find(b"GCOL\x01") + 16 + 16 * rng.randrange(3)
        data[at : at + 2], data[at + 8 : at + 16] = bytes(2), bytes(8)
        return "a.h5ad", bytes(data)
    with h5py.File(out, "r+") as file:
        del file["X"]
        if kind == "zeros":
            shape = (4, rng.randrange(3, 30) * 10**6)
            file.create_dataset("X", shape=shape, dtype=float, chunks=(4, 10**5), compression=9)
        else:
            node = file.create_dataset("X", (4, 3), float, chunks=(4, 3), compression=9)
            packer = zlib.compressobj(9)
            block = bytes(10_000_000)
            piece = [packer.compress(block) for _ in range(rng.randrange(80, 160))]
            node.id.write_direct_chunk((0, 0), b"".join([*piece, packer.flush()]))
    return "a.h5ad", out.getvalue()


def arrow_bombs(rng: random.Random) -> tuple[str, bytes]:
    """Return a Parquet or Feather file of zeros, of one long text, or of one text many times."""
    import pyarrow as pa
    from pyarrow import feather, parquet

    n = rng.randrange(20, 60) * 10**6
    text = pa.array(["a" * rng.randrange(10**8, 3 * 10**8)])
    codes = np.zeros(n // 10, dtype=np.int32)
    tables = [
        lambda: pa.table({"x": np.zeros(n)}),
        lambda: pa.table({"x": [1.0], "t": text}),
        lambda: pa.table({"t": pa.DictionaryArray.from_arrays(codes, ["a" * 1000])}),
        lambda: pa.table({"x": pa.nulls(n)}),
    ]
    out = io.BytesIO()
    if rng.random() < 0.5:
        parquet.write_table(rng.choice(tables)(), out, compression="zstd", use_dictionary=False)
        return "a.parquet", out.getvalue()
    feather.write_feather(rng.choice(tables)(), out, compression="zstd")
    return "a.feather", out.getvalue()


BOMBS = {
    "gzip": gzip_bombs,
    "workbook": workbook_bombs,
    "HDF5": hdf5_bombs,
    "Parquet, Feather": arrow_bombs,
}


def try_bombs(make: Callable[[random.Random], tuple[str, bytes]], tries: int, seed: int) -> Row:
    """Read bombs, each in a process of its own."""
    row, rng = Row(), random.Random(seed)
    for _ in range(tries):
        name, data = make(rng)
        file = io.BytesIO(data)
        file.name = name
        start = time.monotonic()
        process = forked(lambda file=file: gm.io.read(file))
        memory = Memory(process)
        status = waited(process, memory.watch)
        row.slowest = max(row.slowest, time.monotonic() - start)
        row.peak = max(row.peak, memory.peak)
        row.counts["tries"] += 1
        row.counts["refused"] += status == REFUSED
        row.counts["read"] += status == DONE
        row.counts["raw"] += status not in (DONE, REFUSED) or memory.peak > BOMB_MEMORY
    return row


def write_table(tries: int, names: list[str], seed: int) -> Iterator[str]:
    """Go through the lines of the table of faults."""
    yield "| fault | what is written | tries | reached | old | new | lost | left | raw |"
    yield "|---|---|---|---|---|---|---|---|---|"
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        known = jobs(Path(folder), names)
        for fault in FAULTS:
            for name, job in known.items():
                row = try_writing(job, fault, tries, rng)
                keys = ("tries", "reached", "old", "new", "lost", "left", "raw")
                cells = ["not here"] * 7 if row is None else [row.counts[key] for key in keys]
                yield "| " + " | ".join(map(str, [fault, name, *cells])) + " |"


def bomb_table(tries: int, seed: int) -> Iterator[str]:
    """Go through the lines of the table of bombs."""
    yield "| bomb | tries | refused | read | raw | most memory | longest |"
    yield "|---|---|---|---|---|---|---|"
    for name, make in BOMBS.items():
        row = try_bombs(make, tries, seed)
        cells = [name, *(row.counts[key] for key in ("tries", "refused", "read", "raw"))]
        text = " | ".join(map(str, cells))
        yield f"| {text} | {row.peak:.0f} MB | {row.slowest:.1f} s |"


def shown(lines: Iterator[str]) -> str:
    """Return the lines of a table, each printed when it is known."""
    out = []
    for line in lines:
        print(line, flush=True)
        out.append(line)
    return "\n".join(out)


def main() -> None:
    """Run both parts, or one of them beside what the page has of the other."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tries", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", default="gm.save,report -o,transform -o,scan write")
    parser.add_argument("--part", choices=["writing", "bombs"])
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    page = options.out.read_text() if options.out.exists() else ""
    parts = {"writing": "", "bombs": ""}
    for block in page.split("\n\n"):
        parts |= {"writing": block} if block.startswith("| fault") else {}
        parts |= {"bombs": block.rstrip()} if block.startswith("| bomb") else {}
    if options.part != "bombs":
        lines = write_table(options.tries, options.jobs.split(","), options.seed)
        parts["writing"] = shown(lines)
    if options.part != "writing":
        parts["bombs"] = shown(bomb_table(options.tries, options.seed))
    system = f"{os.uname().sysname}, {'root' if os.getuid() == 0 else 'a plain user'}"
    head = HEAD.format(tries=options.tries, memory=f"{BOMB_MEMORY:,}", system=system)
    options.out.write_text("\n\n".join([head.rstrip(), *filter(None, parts.values())]) + "\n")


if __name__ == "__main__":
    main()
