"""Where files are written: through links, with their permissions, and nothing is left beside."""

import errno
import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import gramian as gm
from gramian.cli import main
from gramian.errors import InputError, OutputError
from gramian.io.files import atomic_write, check_writable, replacement_file

FIT = gm.PCA(1).fit(np.arange(12.0).reshape(6, 2) ** 1.5)
NETWORK = gm.networks.Network([[0, 1], [1, 0]], names=["a", "b"])
WRITERS = {
    "save": lambda path: gm.save(FIT, path),
    "edges": lambda path: gm.networks.write_edges(NETWORK, path),
    "graphml": lambda path: gm.networks.write_graphml(NETWORK, path),
    "plot": lambda path: gm.plots.scree(FIT, backend="plotly").write_html(path),
    "plot as JSON": lambda path: gm.plots.scree(FIT, backend="plotly").write_json(path),
}
READERS = {"save": gm.load, "edges": gm.networks.read_edges, "graphml": gm.networks.read_graphml}
KILLED = """
import sys, time
from gramian.io.files import atomic_write
with atomic_write(sys.argv[1]) as file:
    file.write("half")
    file.flush()
    print("ready", flush=True)
    time.sleep(100)
"""


def start(path):
    run = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert run.stdout.readline() == "ready\n"
    return run


def end(run):
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdout.close()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.slow
def test_what_a_killed_process_left_is_removed_by_the_next_writer(tmp_path):
    path = tmp_path / "page.html"
    one, two = start(path), start(path)
    assert len(names(tmp_path)) == 2
    end(one)
    with atomic_write(path) as file:
        file.write("whole")
    assert path.read_text() == "whole"
    assert len(set(names(tmp_path)) - {"page.html"}) == 1  # somebody else is writing it still
    end(two)
    with atomic_write(path) as file:
        file.write("again")
    assert names(tmp_path) == ["page.html"]


def leftover(folder, name, age=0.0):
    path = folder / name
    path.mkdir()
    (path / "new.tmp").write_text("half")
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_only_ours_and_only_stale_ones_are_removed(tmp_path):
    target = tmp_path / "m.gramian"
    stale = [leftover(tmp_path, f".m.gramian.abcd123{k}.tmp", age=7200 * k) for k in (0, 1)]
    kept = [
        leftover(tmp_path, ".m.gramian.abcd5678.tmp", age=7200),
        leftover(tmp_path, ".other.gramian.abcd1234.tmp", age=7200),
        leftover(tmp_path, ".m.gramian.notes.tmp", age=7200),
        leftover(tmp_path, ".m.gramian.abcd1234.tmp.bak", age=7200),
        leftover(tmp_path, "m.gramian.abcd1234.tmp", age=7200),
        leftover(tmp_path, "data.tmp", age=7200),
    ]
    link = tmp_path / ".m.gramian.abcdabcd.tmp"
    link.symlink_to(kept[-1])
    (tmp_path / ".m.gramian.dcbadcba.tmp").write_text("a file")
    handle = os.open(kept[0], os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # as another process does that is writing
        gm.save(FIT, target)
    finally:
        os.close(handle)
    assert not any(path.exists() for path in stale)
    assert all((path / "new.tmp").exists() for path in kept) and link.is_symlink()
    assert (tmp_path / ".m.gramian.dcbadcba.tmp").is_file()


def test_a_disk_without_locks_goes_by_age(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    old = leftover(tmp_path, ".m.gramian.abcd1234.tmp", age=7200)
    new = leftover(tmp_path, ".m.gramian.abcd5678.tmp")
    gm.save(FIT, tmp_path / "m.gramian")
    assert not old.exists() and new.exists() and gm.load(tmp_path / "m.gramian").n_components_ == 1


def test_a_file_removed_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    lock, removed = fcntl.flock, []

    def reaped(handle, operation):
        if not removed:
            removed.append(os.listdir(tmp_path))
            shutil.rmtree(tmp_path / removed[0][0])
        return lock(handle, operation)

    monkeypatch.setattr("fcntl.flock", reaped)
    with atomic_write(tmp_path / "t.txt") as file:
        file.write("whole")
    assert len(removed[0]) == 1 and (tmp_path / "t.txt").read_text() == "whole"
    assert names(tmp_path) == ["t.txt"]


def test_threads_that_write_the_same_file_leave_one_another_alone(tmp_path):
    path, faults = tmp_path / "t.txt", []

    def write(k):
        try:
            for _ in range(20):
                with atomic_write(path) as file:
                    file.write(f"{k}" * 1000)
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == [] and names(tmp_path) == ["t.txt"]
    assert len(set(path.read_text())) == 1 and len(path.read_text()) == 1000


def test_a_long_name_has_room_beside_it(tmp_path):
    path = tmp_path / ("x" * 240 + ".html")
    with atomic_write(path) as file:
        file.write("whole")
    assert names(tmp_path) == [path.name]


@pytest.mark.parametrize("writer", WRITERS)
def test_a_link_is_written_through(writer, tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    target, link = real / "file.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to("real/file.csv")
    WRITERS[writer](link)
    assert link.is_symlink() and not target.is_symlink()
    assert target.read_bytes() == link.read_bytes() != b"old"
    assert READERS.get(writer, Path.read_bytes)(link) is not None
    assert names(real) == ["file.csv"] and names(tmp_path) == ["link.csv", "real"]


def test_links_to_links_and_to_what_is_not_there_yet(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("c")
    gm.save(FIT, tmp_path / "a")
    assert (tmp_path / "a").is_symlink() and (tmp_path / "b").is_symlink()
    assert not (tmp_path / "c").is_symlink() and gm.load(tmp_path / "a").n_components_ == 1


@pytest.mark.slow
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o444])
def test_permissions_are_kept(writer, mode, tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("old")
    path.chmod(mode)
    WRITERS[writer](path)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_usual_permissions(mask, tmp_path):
    old = os.umask(mask)
    try:
        gm.save(FIT, tmp_path / "m.gramian")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "m.gramian").stat().st_mode) == 0o666 & ~mask


def test_nobody_else_reads_a_private_file_while_it_is_written(tmp_path):
    path = tmp_path / "private"
    path.touch(mode=0o600)
    with replacement_file(path) as name:
        assert stat.S_IMODE(Path(name).parent.stat().st_mode) == 0o700


def device(folder):
    return "/dev/null"


def pipe(folder):
    os.mkfifo(folder / "pipe.html")
    return folder / "pipe.html"


def loop(folder):
    (folder / "loop.html").symlink_to("loop.html")
    return folder / "loop.html"


def under_a_file(folder):
    (folder / "file").write_text("x")
    return folder / "file" / "x.html"


PLACES = {
    "the system": lambda _: "/proc/x.html",
    "the kernel": lambda _: "/sys/x.html",
    "no folder": lambda folder: folder / "no" / "x.html",
    "a folder": lambda folder: folder,
    "a device": device,
    "a pipe": pipe,
    "a loop": loop,
    "under a file": under_a_file,
    "a long name": lambda folder: folder / ("x" * 300),
    "a zero": lambda folder: f"{folder}/a\0b",
}


@pytest.mark.parametrize("place", PLACES)
def test_a_place_where_nothing_can_be_written(place, tmp_path):
    path = PLACES[place](tmp_path)
    before = names(tmp_path)
    for write in (check_writable, *WRITERS.values()):
        is_name = "\0" not in str(path)
        kind, words = (OutputError, "be written: ") if is_name else (InputError, "names no file")
        with pytest.raises(kind, match=words) as caught:
            write(path)
        text = str(caught.value)
        assert len(text) <= 400 and "Errno" not in text and "embedded" not in text
    assert names(tmp_path) == before and stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("place", [p for p in PLACES if p != "a zero"])
def test_a_report_is_refused_before_it_is_computed(place, tmp_path, monkeypatch):
    def never(*_, **__):
        raise AssertionError("it was computed")

    monkeypatch.setattr(import_module("gramian.report.write"), "study", never)
    path = PLACES[place](tmp_path)
    for force in (False, True):
        with pytest.raises(InputError):
            gm.report.write(gm.datasets.cities(), path, force=force)


COMMANDS = {
    "report": ["report", "{data}", "-o", "{path}"],
    "fit": ["fit", "{data}", "-o", "{path}"],
    "coordinates": ["fit", "{data}", "--coordinates", "{path}"],
    "transform": ["transform", "{data}", "{data}", "-o", "{path}"],
    "datasets": ["datasets", "iris", "-o", "{path}"],
}


@pytest.mark.slow
@pytest.mark.parametrize("place", [p for p in PLACES if p != "a zero"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_refused_before_it_reads(command, place, tmp_path, monkeypatch):
    def never(*_, **__):
        raise AssertionError("it was read")

    for name in ("gramian.io.read", "gramian.load", "gramian.datasets.load"):
        monkeypatch.setattr(name, never)
    path = str(PLACES[place](tmp_path))
    before = names(tmp_path)
    arguments = [text.format(data="in.csv", path=path) for text in COMMANDS[command]]
    for more in ([], ["--force"]):
        run = CliRunner().invoke(main, [*arguments, *more])
        assert run.exit_code == 4, run.output
        (line,) = run.stderr.strip().splitlines()
        assert line.startswith("error: ") and "Errno" not in line
    assert names(tmp_path) == before


def test_a_study_with_a_checkpoint_that_cannot_be_written(tmp_path):
    X = np.random.default_rng(0).standard_normal((12, 4))
    with pytest.raises(OutputError, match="there is no folder"):
        gm.networks.replicate_study(X, ["a", "b"] * 6, checkpoint=tmp_path / "no" / "c.npz")


def test_an_image_of_plotly_is_there_whole_or_not_at_all(tmp_path, monkeypatch):
    made = []

    def image(fig, format=None, **_):
        made.append(format)
        if len(made) > 1:
            raise RuntimeError("the browser was lost")
        return b"whole"

    monkeypatch.setattr("plotly.io._kaleido.kaleido_available", lambda: True)
    monkeypatch.setattr("plotly.io._kaleido.to_image", image)
    path, figure = tmp_path / "scree.png", gm.plots.scree(FIT, backend="plotly")
    figure.write_image(path)
    assert path.read_bytes() == b"whole" and made == ["png"]
    with pytest.raises(RuntimeError, match="lost"):
        figure.write_image(path, format="svg")
    assert path.read_bytes() == b"whole" and names(tmp_path) == ["scree.png"]
    with pytest.raises(OutputError, match="no folder"):
        figure.write_image(tmp_path / "none" / "scree.png")
