"""Tables larger than memory: a Parquet file through PCA and Nyström kernel PCA, block by block.

    python benchmarks/scan.py [--gigabytes 4] [--write]
    python benchmarks/scan.py --gigabytes 20 --file rows.parquet --jobs "PCA" --write

A file that is named stays, and is made only where it is not there: so that long jobs can be run one
by one, each of which adds its line. Kernel PCA keeps a checkpoint beside the file. Each job runs in
a process of its own, whose largest memory is read at its end. scikit-learn's IncrementalPCA goes
over the same blocks; both are compared with the exact axes of the moments in extended precision.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).parent / "results"
JOBS = ["read", "PCA", "scikit-learn's IncrementalPCA", "coordinates", "kernel PCA, rank 200"]
COLUMNS, BLOCK, OFFSET = 50, 100_000, 1e6


def block(k: int) -> np.ndarray:
    rng = np.random.default_rng(k)
    mixing = np.random.default_rng(99).standard_normal((5, COLUMNS))
    X = rng.standard_normal((BLOCK, 5)) @ mixing + 0.5 * rng.standard_normal((BLOCK, COLUMNS))
    return X + OFFSET


def make(path: Path, blocks: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(f"x{j}", pa.float64()) for j in range(COLUMNS)])
    with parquet.ParquetWriter(path, schema, compression="none", use_dictionary=False) as file:
        for k in range(blocks):
            X = block(k)
            columns = [pa.array(X[:, j]) for j in range(COLUMNS)]
            file.write_batch(pa.record_batch(columns, schema=schema))


def truth(blocks: int) -> np.ndarray:
    """The eigenvalues of the covariance, from moments about the offset in extended precision."""
    total = np.zeros((COLUMNS, COLUMNS), dtype=np.longdouble)
    mean = np.zeros(COLUMNS, dtype=np.longdouble)
    for k in range(blocks):
        Z = block(k) - OFFSET
        total += Z.T @ Z
        mean += Z.sum(axis=0)
    n = blocks * BLOCK
    C = np.asarray(total / n - np.outer(mean / n, mean / n), dtype=float)
    return np.sort(np.linalg.eigvalsh(C))[::-1][:5]


def job(name: str, path: str) -> None:
    from pyarrow import parquet
    from sklearn.decomposition import IncrementalPCA

    import gramian as gm  # the clock starts when libraries are there, ours and theirs

    gm.PCA(1).fit(next(iter(gm.io.scan(path)))[:9])
    start, before = time.perf_counter(), time.process_time()
    values: list[float] = []
    if name == "read":
        sum(len(part) for part in gm.io.scan(path))
    elif name == "PCA":
        values = gm.PCA(5).fit(gm.io.scan(path)).eigenvalues_.tolist()
    elif name == "coordinates":
        rows = gm.io.scan(path)
        gm.PCA(5).fit(rows).transform(rows).write(Path(path).with_suffix(".npy"), force=True)
    elif name.startswith("kernel PCA, rank "):
        kernel, rank = gm.kernels.Gaussian(20.0), int(name.split()[-1])
        fit = gm.KernelPCA(5, kernel=kernel, approximation=gm.Nystrom(rank, random_state=0))
        rows = gm.io.scan(path, checkpoint=f"{path}.point")
        values = fit.fit(rows).eigenvalues_.tolist()
    else:
        other = IncrementalPCA(5)
        n = 0
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=10_000):
                other.partial_fit(batch.to_pandas().to_numpy())
                n += batch.num_rows
        values = (other.explained_variance_ * (n - 1) / n).tolist()
    seconds = time.perf_counter() - start
    status = Path("/proc/self/status").read_text()
    peak = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1e6  # type: ignore[index]
    about = {"seconds": seconds, "processor": time.process_time() - before, "gigabytes": peak}
    print(json.dumps(about | {"values": values}))


def measured(name: str, path: Path, exact: np.ndarray) -> str:
    """Return the line of a job, which runs in a process of its own."""
    run = [sys.executable, __file__, "--job", name, str(path)]
    out = json.loads(subprocess.run(run, stdout=subprocess.PIPE, check=True).stdout)
    error = ""
    if "PCA" in name and "kernel" not in name:
        error = f"{np.abs(np.array(out['values']) / exact - 1).max():.1e}"
    times = f"{out['seconds']:.1f} | {out['processor']:.1f}"
    line = f"| {name} | {times} | {out['gigabytes']:.2f} GB | {error} |"
    print(line, flush=True)
    return line


def heading(gigabytes: float, blocks: int) -> list[str]:
    machine = platform.processor() or platform.machine()
    return [
        f"# A Parquet file of {gigabytes:g} GB, block by block",
        "",
        f"{blocks * BLOCK:,} rows × {COLUMNS} columns around {OFFSET:g}; {machine}, "
        f"{os.cpu_count()} cores: `python benchmarks/scan.py --gigabytes {gigabytes:g} --write`. "
        "Seconds on the clock depend on what else the machine does; those of the processor, of "
        "all cores together, hardly.",
        "",
        "| job | seconds | of the processor | largest memory | error of the eigenvalues |",
        "|---|---|---|---|---|",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gigabytes", type=float, default=4.0)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--jobs", default="; ".join(JOBS), help="parted by ;")
    parser.add_argument("--job", nargs=2)
    options = parser.parse_args()
    if options.job:
        job(*options.job)
        return
    blocks = max(round(options.gigabytes * 1e9 / (8 * COLUMNS * BLOCK)), 1)
    exact = truth(blocks)
    result = RESULTS / ("scan.md" if options.gigabytes <= 4 else "scan_large.md")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        path = options.file or Path(folder) / "rows.parquet"
        if not path.exists():
            make(path, blocks)
        lines = heading(options.gigabytes, blocks)
        if options.file and result.exists():
            lines = result.read_text().splitlines()
        for name in options.jobs.split(";"):
            lines.append(measured(name.strip(), path, exact))
            if options.write:
                result.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
