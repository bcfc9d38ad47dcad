"""Whatever fails while a file is written, the old one is whole and nothing is left beside it."""

import errno
import os
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import gramian as gm
from gramian._core.chunked.passes import Checkpoint as ScanCheckpoint
from gramian.cli import main
from gramian.errors import OutputError
from gramian.networks.work import Checkpoint

from .faults import Disk, failing

pytestmark = pytest.mark.slow


X = np.random.default_rng(0).standard_normal((12, 3))


def full():
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def spoiled():
    return OSError(errno.EIO, os.strerror(errno.EIO))


class Job:
    """Something that writes files into a folder: what it writes, and whether that is whole."""

    names = ("out",)
    old = b"what was there before"

    def prepare(self, folder, patch):
        pass

    def run(self, folder):
        raise NotImplementedError

    def is_whole(self, path):
        return b"end" in path.read_bytes()


class Save(Job):
    names = ("m.gramian",)

    def run(self, folder):
        gm.save(gm.PCA(2).fit(X), folder / "m.gramian")

    def is_whole(self, path):
        return gm.load(path).n_components_ == 2


class Report(Job):
    names = ("page.html",)

    def prepare(self, folder, patch):
        # What is written is no matter here, and analysing takes seconds.
        text = "<html>" + "x" * 99_999 + "end"
        patch.setattr(import_module("gramian.report.write"), "study", lambda *_, **__: None)
        patch.setattr(import_module("gramian.report.page"), "page", lambda *_: text)

    def run(self, folder):
        gm.report.write(gm.datasets.cities(), folder / "page.html", force=True)


class Check(Job):
    names = ("study.npz",)

    def prepare(self, folder, patch):
        done = Checkpoint(folder / "study.npz", "d")
        done.parts["first"] = {"a": np.zeros(5)}
        done.save()
        self.old = (folder / "study.npz").read_bytes()

    def run(self, folder):
        done = Checkpoint(folder / "study.npz", "d")
        done.saved -= 1e6  # long ago
        done.store("second", {"a": np.arange(50_000.0), "b": np.ones(3)})

    def is_whole(self, path):
        return Checkpoint(path, "d").parts["second"]["a"].sum() == np.arange(50_000.0).sum()


class Part(Job):
    """A part of a long fit over blocks of rows."""

    names = ("product-1.part.npz",)

    def prepare(self, folder, patch):
        ScanCheckpoint(folder, "o").save("product 1", {"a": np.zeros(5)})
        self.old = (folder / self.names[0]).read_bytes()

    def run(self, folder):
        ScanCheckpoint(folder, "o").save("product 1", {"a": np.arange(50_000.0)})

    def is_whole(self, path):
        return ScanCheckpoint(path.parent, "o").load("product 1")["a"].size == 50_000


class Rows(Job):
    """Rows that are written block by block."""

    names = ("rows.npy",)

    def run(self, folder):
        gm.io.scan([X, X]).write(folder / "rows.npy", force=True)

    def is_whole(self, path):
        return np.load(path).shape == (24, 3)


class Edges(Job):
    names = ("net.csv",)
    network = gm.networks.Network([[0, 0.5], [0.5, 0]], names=["a", "end"])

    def run(self, folder):
        gm.networks.write_edges(self.network, folder / "net.csv")


class Graph(Edges):
    names = ("net.graphml",)

    def run(self, folder):
        gm.networks.write_graphml(self.network, folder / "net.graphml")

    def is_whole(self, path):
        return gm.networks.read_graphml(path).n_edges == 1


class Plot(Job):
    def __init__(self, suffix):
        self.names = (f"plot.{suffix}",)
        self.mark = {"png": b"IEND", "svg": b"</svg>", "pdf": b"%%EOF", "html": b"</html>"}[suffix]
        backend = "plotly" if suffix == "html" else "matplotlib"
        self.figure = gm.plots.scree(gm.PCA(2).fit(X), backend=backend)
        if backend == "matplotlib":
            self.figure.clear()  # an empty page is drawn at once

    def run(self, folder):
        write = getattr(self.figure, "savefig", None) or self.figure.write_html
        write(folder / self.names[0])

    def is_whole(self, path):
        return (
            path.read_bytes().rstrip().endswith(self.mark) or self.mark in path.read_bytes()[-20:]
        )


class Command(Job):
    """A command: failures are exit codes."""

    def __init__(self, names, *arguments):
        self.names, self.arguments = names, arguments

    def prepare(self, folder, patch):
        place = folder.parent
        names = [f"r{k}" for k in range(len(X))]
        pd.DataFrame(X, names, list("abc")).to_csv(place / "in.csv")
        gm.save(gm.PCA(2).fit(gm.io.read(place / "in.csv").active()), place / "model.gramian")

    def run(self, folder):
        place = folder.parent
        arguments = [
            text.format(out=folder, data=place / "in.csv", model=place / "model.gramian")
            for text in self.arguments
        ]
        run = CliRunner().invoke(main, [*arguments, "-f", "-q"])
        if run.exit_code == 130:
            raise KeyboardInterrupt
        if run.exit_code:
            assert run.exit_code == 4, run.output
            (line,) = run.stderr.strip().splitlines()
            assert line.startswith("error: ") and "cannot be written" in line
            raise OutputError(line)

    def is_whole(self, path):
        if path.suffix == ".gramian":
            return gm.load(path).n_components_ >= 2
        return len(gm.io.read(path)) >= 10


JOBS = {
    "save": Save,
    "report": Report,
    "checkpoint": Check,
    "part of a scan": Part,
    "rows of a scan": Rows,
    "edges": Edges,
    "graphml": Graph,
    "png": lambda: Plot("png"),
    "pdf": lambda: Plot("pdf"),
    "html": lambda: Plot("html"),
    "transform": lambda: Command(("c.csv",), "transform", "{model}", "{data}", "-o", "{out}/c.csv"),
    "fit": lambda: Command(
        ("m.gramian", "c.csv"),
        *("fit", "{data}", "-o", "{out}/m.gramian", "--coordinates", "{out}/c.csv"),
    ),
    "datasets": lambda: Command(("d.csv",), "datasets", "iris", "-o", "{out}/d.csv"),
}
FAULTS = {
    "full": (full, False),
    "spoiled": (spoiled, False),
    "full from then on": (full, True),
    "interrupted": (KeyboardInterrupt, False),
}


def attempt(job, folder, disk):
    """Run a job on a disk that may fail; return whether it said that it was done."""
    try:
        with failing(disk):
            job.run(folder)
    except OutputError as error:
        assert len(str(error)) <= 400
        return False
    except KeyboardInterrupt:
        return False
    return True


def failing_numbers(asked):
    """Return the first two and the last two calls of every kind: others are like them."""
    places = {what: [k for k, each in enumerate(asked, 1) if each == what] for what in asked}
    return sorted({number for each in places.values() for number in (*each[:2], *each[-2:])})


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", JOBS)
def test_the_n_th_failure(name, fault, tmp_path, monkeypatch):
    folder = tmp_path / "out"
    folder.mkdir()
    job = JOBS[name]()
    job.prepare(folder, monkeypatch)
    disk = Disk(folder)
    assert attempt(job, folder, disk)
    assert {"fsync", "replace"} <= set(disk.asked) and len(disk.asked) >= 5
    numbers = failing_numbers(disk.asked)
    make, lasting = FAULTS[fault]
    failures = 0
    for number in numbers:
        for each in job.names:
            (folder / each).write_bytes(job.old)
        is_done = attempt(job, folder, Disk(folder, make, number, lasting))
        failures += not is_done
        assert sorted(p.name for p in folder.iterdir()) == sorted(job.names)
        for each in job.names:
            is_old = (folder / each).read_bytes() == job.old
            assert not (is_old and is_done)
            assert is_old or job.is_whole(folder / each)
    assert failures >= len(numbers) - 4  # a folder that cannot be synced is no failure
