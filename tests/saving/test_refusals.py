"""Files that are damaged, foreign or hostile are refused, and no code runs."""

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest
from safetensors.numpy import save as safetensors_bytes

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.saving import container

from . import models
from .forge import signed


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.gramian"
    gm.save(gm.KernelPCA(1).fit(models.X[:6, :2]), path)
    return path.read_bytes()


def refused(data, path, words="."):
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as caught:
        gm.load(path)
    assert len(str(caught.value)) <= 400
    return str(caught.value)


@pytest.mark.slow
def test_every_flipped_bit_is_seen(good, tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "m.gramian"
    header = 8 + int.from_bytes(good[:8], "little")
    for at in [*range(header), *range(header, len(good), 4)]:
        data = bytearray(good)
        data[at] ^= 1 << int(rng.integers(8))
        refused(bytes(data), path)


@pytest.mark.slow
def test_every_cut_is_seen(good, tmp_path):
    for length in [*range(0, 300), *range(300, len(good), 37), len(good) - 1]:
        refused(good[:length], tmp_path / "m.gramian")
    refused(good + b"\0", tmp_path / "m.gramian")


class Trap:
    """An object whose pickle leaves a mark when it is opened."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_renamed_pickle_is_not_opened(protocol, tmp_path):
    mark = tmp_path / "mark"
    refused(pickle.dumps(Trap(mark), protocol), tmp_path / "m.gramian")
    assert not mark.exists()


def zipped():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("manifest.json", "{}")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a model file"),
        (b"x,y\n1,2\n", "not a model file"),
        (zipped(), "archive"),
        (safetensors_bytes({"a": np.ones(3)}), "not a model file"),
        (safetensors_bytes({"a": np.ones(3)}, {"format": "pt"}), "not one of gm.save"),
        (safetensors_bytes({"a": np.ones(3)}, {"format": "gramian"}), "no digest"),
        ((2**62).to_bytes(8, "little") + b"{}", "not a model file"),
        (b"\x10\0\0\0\0\0\0\0" + b"[" * 100_000, "not a model file"),
    ],
)
def test_other_files_are_refused(data, words, tmp_path):
    refused(data, tmp_path / "m.gramian", words)


def test_the_digest_is_the_sha256_of_the_file(good):
    assert signed(good) == good


def test_a_newer_version_is_refused(good, tmp_path):
    newer = signed(good.replace(b'"schema":"1"', b'"schema":"7"'))
    assert "upgrade" in refused(newer, tmp_path / "m.gramian", "newer Gramian")


HOSTILE = {
    "module": {"is": "object", "class": "os.system", "number": 0, "parts": {}},
    "class": {"is": "object", "class": "Popen", "number": 0, "parts": {}},
    "function": {"is": "object", "class": "kernels.Callback", "number": 0, "parts": {}},
    "dunder": {"is": "object", "class": "PCA", "number": 0, "parts": {"__class__": 1}},
    "tag": {"is": "code", "value": "1"},
    "ufunc": {"is": "ufunc", "name": "load"},
    "record": {"is": "record", "class": "PCA", "items": []},
    "lost": {"is": "same", "as": 12},
    "array": {"is": "array", "name": "absent", "by": "rows"},
    "kernel": {"is": "object", "class": "kernels.Gaussian", "number": 0, "parts": {"x": 1}},
    "no estimator": {"is": "object", "class": "kernels.Linear", "number": 0, "parts": {}},
    "text": "PCA",
    "float": {"is": "float", "value": "__import__('os')"},
    "dtype": {"is": "items", "dtype": "no such", "shape": [1], "items": [1]},
    "shape": {"is": "items", "dtype": "|O", "shape": [10**9, 10**9], "items": [1]},
    "rng": {"is": "rng", "state": {"is": "dict", "pairs": [["bit_generator", "system"]]}},
    "sparse": {"is": "sparse", "shape": [2, 2], "data": 1, "indices": 2, "indptr": 3},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_not_in_the_list_is_refused(name, tmp_path):
    path = tmp_path / "m.gramian"
    container.write(path, {"model": HOSTILE[name]}, {})
    with pytest.raises(InputError) as caught:
        gm.load(path)
    assert len(str(caught.value)) <= 400


def test_a_tree_too_deep_is_refused(tmp_path):
    path = tmp_path / "m.gramian"
    container.write(path, {"model": []}, {})
    tensors = {"manifest": np.frombuffer(b"[" * 200_000, dtype=np.uint8)}
    about = {"format": "gramian", "schema": "1", "sha256": "0" * 64}
    refused(signed(safetensors_bytes(tensors, about)), path, "damaged")


class Mine(gm.kernels.Radial):
    def __init__(self, scale="median"):
        self.scale = scale

    def profile(self, t):
        return 1.0 / (1.0 + t)


def far(a, b):
    return np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=-1))


def dot(A, B):
    return A @ B.T


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (gm.KernelPCA(2, kernel=dot), 'KernelPCA.kernel is a function.*"precomputed"'),
        (gm.KernelPCA(2, kernel=Mine()), "KernelPCA.kernel is a Mine"),
        (gm.KernelPCA(1, kernel=gm.kernels.Function(lambda X: X[:, 0])), "Function"),
        (gm.KernelPCA(2, kernel=gm.kernels.Gaussian().on(lambda X: X)), "mapping is a function"),
        (gm.ClassicalMDS(2, metric=far), "metric is a"),
    ],
)
def test_code_is_not_saved(estimator, words, tmp_path):
    fitted = estimator.fit(models.X)
    with pytest.raises(InputError, match=words) as caught:
        gm.save(fitted, tmp_path / "m.gramian")
    assert len(str(caught.value)) <= 400
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_fitted_estimator_is_not_saved(tmp_path):
    path = tmp_path / "m.gramian"
    with pytest.raises(ValueError, match="not fitted"):
        gm.save(gm.PCA(2), path)
    for thing in (3, "PCA", gm.PCA, models.X, gm.kernels.Gaussian()):
        with pytest.raises(InputTypeError, match="fitted is"):
            gm.save(thing, path)
    from sklearn.decomposition import PCA

    with pytest.raises(InputError, match="do not know"):
        gm.save(PCA().fit(models.X), path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path):
    fitted = gm.PCA(1).fit(models.X)
    with pytest.raises(InputError, match="cannot be written"):
        gm.save(fitted, tmp_path / "no" / "m.gramian")
    with pytest.raises(InputError, match="cannot be read"):
        gm.load(tmp_path / "none.gramian")


def test_a_failure_leaves_the_old_file(tmp_path, monkeypatch, good):
    path = tmp_path / "m.gramian"
    path.write_bytes(good)

    def full(*_):
        raise OSError(28, "No space left on device")

    for name in ("replace", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with pytest.raises(InputError, match="No space left"):
                gm.save(gm.PCA(1).fit(models.X), path)
    assert path.read_bytes() == good and [p.name for p in tmp_path.iterdir()] == ["m.gramian"]


WRITER = """
import sys, numpy as np, gramian as gm
fitted = gm.PCA(2).fit(np.random.default_rng(0).normal(size=(200_000, 4)))
gm.save(fitted, sys.argv[1])
print("ready", flush=True)
while True:
    gm.save(fitted, sys.argv[1])
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_a_whole_file(tmp_path):
    path = tmp_path / "m.gramian"
    run = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert run.stdout.readline() == "ready\n"
    time.sleep(0.35)
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdout.close()
    assert gm.load(path).n_components_ == 2


LIMITED = """
import resource, sys, numpy as np, gramian as gm
fitted = gm.PCA(2).fit(np.random.default_rng(0).normal(size=(20_000, 4)))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    gm.save(fitted, sys.argv[1])
except ValueError as error:
    print(type(error).__name__)
"""


@pytest.mark.slow
def test_a_full_disk_leaves_the_old_file(tmp_path, good):
    path = tmp_path / "m.gramian"
    path.write_bytes(good)
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=True
    )
    assert run.stdout == "OutputError\n"
    assert path.read_bytes() == good and [p.name for p in tmp_path.iterdir()] == ["m.gramian"]


def test_the_manifest_is_json_that_others_can_read(good):
    size = int.from_bytes(good[:8], "little")
    header = json.loads(good[8 : 8 + size])
    begin, end = header["manifest"]["data_offsets"]
    manifest = json.loads(good[8 + size + begin : 8 + size + end])
    assert manifest["version"] == gm.__version__
    assert manifest["model"]["class"] == "KernelPCA"
