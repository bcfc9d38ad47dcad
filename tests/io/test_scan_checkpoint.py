"""A long fit that is killed goes on where it was, to the same bytes; progress is told."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import gramian as gm
from gramian._core.chunked import passes
from gramian.errors import InputError


def table(folder, n=1400, p=6, seed=0):
    rng = np.random.default_rng(seed)
    path = folder / "rows.npy"
    np.save(path, rng.standard_normal((n, p)) * np.geomspace(8.0, 0.5, p) + 3.0)
    return path


FITS = {
    "moments": lambda: gm.PCA(3),
    "products": lambda: gm.PCA(2, solver="krylov"),
    "landmarks": lambda: gm.KernelPCA(3, approximation=gm.Nystrom(40, random_state=1)),
    "pairs": lambda: gm.KernelPCA(2),
    "scaled pairs": lambda: gm.KernelPCA(2, scale=True),
}


class Killed(BaseException):
    pass


def killing(path, at):
    """Return blocks of a file of which the reader is killed at the at-th block, over all passes."""
    count = 0

    def blocks():
        nonlocal count
        X = np.load(path)
        for start in range(0, len(X), 200):
            count += 1
            if count == at:
                raise Killed
            yield X[start : start + 200]

    return blocks


def scan(path, folder, at=0):
    source = killing(path, at)
    return gm.io.scan(source, memory="30kB", checkpoint=folder / "point")


@pytest.mark.slow
@pytest.mark.parametrize("name", FITS)
def test_a_killed_fit_goes_on_to_the_same_bytes(name, tmp_path, monkeypatch):
    monkeypatch.setattr(passes, "SAVE_SECONDS", -1.0)  # each block is kept
    path = table(tmp_path, 2200 if name == "landmarks" else 700)
    whole = FITS[name]().fit(gm.io.scan(killing(path, 0), memory="30kB"))
    X, kills = np.load(path), 0
    for at in (3, 7, 25):  # 4 or 11 blocks make a pass
        try:
            fit = FITS[name]().fit(scan(path, tmp_path, at))
        except Killed:
            kills += 1
            fit = FITS[name]().fit(scan(path, tmp_path))
        np.testing.assert_array_equal(fit.eigenvalues_, whole.eigenvalues_)
        np.testing.assert_array_equal(fit.transform(X[:50]), whole.transform(X[:50]))
        assert not (tmp_path / "point").exists()  # it is removed when all is done
    assert kills >= {"moments": 1, "products": 2}.get(name, 3)


@pytest.mark.slow
def test_what_was_done_is_not_done_again(tmp_path, monkeypatch):
    """Products of pairs are found on disk: only the last one is made again."""
    monkeypatch.setattr(passes, "SAVE_SECONDS", -1.0)
    path, told = table(tmp_path, 700), []

    def count(done, total, most=np.inf):
        told.append(done == total == 700**2)
        if sum(told) >= most:
            raise Killed

    def rows(report):
        return gm.io.scan(path, memory="30kB", checkpoint=tmp_path / "point", progress=report)

    whole = gm.KernelPCA(2).fit(gm.io.scan(path, memory="30kB", progress=count))
    products = sum(told)
    told.clear()
    with pytest.raises(Killed):
        gm.KernelPCA(2).fit(rows(lambda done, total: count(done, total, 4)))
    assert len(list((tmp_path / "point").glob("*product*"))) == 4
    told.clear()
    fit = gm.KernelPCA(2).fit(rows(count))
    assert sum(told) == products - 4 + 1
    np.testing.assert_array_equal(fit.coordinates_, whole.coordinates_)


@pytest.mark.slow
def test_a_process_that_is_killed(tmp_path):
    path = table(tmp_path, 3000)
    code = f"""
        import sys, time
        import numpy as np, gramian as gm
        from gramian._core.chunked import passes
        passes.SAVE_SECONDS = -1.0
        X = np.load({str(path)!r})
        def blocks():
            for k in range(0, 3000, 100):
                time.sleep(0.02 if len(sys.argv) > 1 else 0.0)
                yield X[k : k + 100]
        fit = gm.PCA(2).fit(gm.io.scan(blocks, checkpoint={str(tmp_path / "point")!r}))
        print(fit.eigenvalues_.tobytes().hex())
    """
    run = [sys.executable, "-c", textwrap.dedent(code)]
    first = subprocess.Popen([*run, "slow"])
    for _ in range(600):
        if any((tmp_path / "point").glob("*.npz")):
            break
        time.sleep(0.05)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert first.returncode == -signal.SIGKILL
    assert list((tmp_path / "point").glob("*.part.npz"))
    again = subprocess.run(run, capture_output=True, text=True, check=True).stdout.strip()
    blocks = [np.load(path)[k : k + 100] for k in range(0, 3000, 100)]
    assert again == gm.PCA(2).fit(gm.io.scan(blocks)).eigenvalues_.tobytes().hex()


def half_done(tmp_path, monkeypatch, **options):
    monkeypatch.setattr(passes, "SAVE_SECONDS", -1.0)
    path = table(tmp_path)

    def stop(done, total):
        if done >= 700:
            raise Killed

    rows = gm.io.scan(path, memory="30kB", checkpoint=tmp_path / "point", progress=stop)
    with pytest.raises(Killed):
        gm.PCA(2, **options).fit(rows)
    return path


@pytest.mark.slow
def test_a_file_that_changed_meanwhile_is_named(tmp_path, monkeypatch):
    path = half_done(tmp_path, monkeypatch)
    np.save(path, np.load(path) + 1.0)
    with pytest.raises(InputError, match=r"rows\.npy changed since checkpoint='point' was written"):
        gm.PCA(2).fit(gm.io.scan(path, memory="30kB", checkpoint=tmp_path / "point"))


def test_a_checkpoint_of_another_fit_is_refused(tmp_path, monkeypatch):
    path = half_done(tmp_path, monkeypatch)
    rows = gm.io.scan(path, memory="30kB", checkpoint=tmp_path / "point")
    with pytest.raises(InputError, match="belongs to other data or options"):
        gm.PCA(2, scale=True).fit(rows)
    with pytest.raises(InputError, match="belongs to other data or options"):
        gm.PCA(2).fit(gm.io.scan(path, memory="40kB", checkpoint=tmp_path / "point"))
    part = next((tmp_path / "point").glob("*.npz"))
    part.write_bytes(part.read_bytes()[:300])
    with pytest.raises(InputError, match="not a checkpoint that can be read: remove point"):
        gm.PCA(2).fit(rows)
    with pytest.raises(InputError, match="is a file: name a folder"):
        gm.PCA(2).fit(gm.io.scan(path, checkpoint=path))


@pytest.mark.slow
def test_progress_is_told(tmp_path, capsys):
    path, told = table(tmp_path), []
    rows = gm.io.scan(path, memory="30kB", progress=lambda *words: told.append(words))
    gm.PCA(2).fit(rows)
    assert told[-1] == (1400, 1400) and [d for d, _ in told] == sorted(d for d, _ in told)
    gm.PCA(2).fit(gm.io.scan(path, memory="30kB", progress=True))
    line = capsys.readouterr().err.split("\r")[-1]
    assert line == "rows.npy, pass 1: 100 % of 1,400, 0:00 left\n"
    told.clear()
    short = table(tmp_path, 700)
    gm.KernelPCA(2).fit(gm.io.scan(short, memory="30kB", progress=lambda *w: told.append(w)))
    assert (700**2, 700**2) in told  # pairs of a product
