"""Small files that would fill the memory, and numbers that NumPy would follow out of its arrays."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.saving import container
from gramian.saving.encode import Encoder

from . import models
from .forge import ABOUT, changed, file_of, parts_of, paths, signed

STATES = {
    "MT19937": {
        ("state", "pos"): [-1, 625, 10**6, -5, 2**40, 1.0, "3", None, True, []],
        ("state", "key"): [None, 3, np.zeros(624, "u4"), np.ones(623, "u4"), np.ones(624, "u8")],
    },
    "PCG64": {
        ("state", "state"): [-1, 2**128, 1.5, "1", None],
        ("state", "inc"): [2, -1, 2**128, None],
        ("has_uint32",): [2, -1, None, "1"],
        ("uinteger",): [-1, 2**32, 0.5],
    },
    "PCG64DXSM": {("state", "inc"): [4, 2**200]},
    "Philox": {
        ("buffer_pos",): [-100, -1, 5, 10**9, None],
        ("buffer",): [np.zeros(3, "u8"), np.zeros(4, "i8"), None, np.zeros((4, 1), "u8")],
        ("state", "counter"): [np.zeros(5, "u8"), 7],
        ("state", "key"): [np.zeros(4, "u8"), "x"],
    },
    "SFC64": {("state", "state"): [np.zeros(3, "u8"), np.zeros(4, "u4"), None, [1, 2, 3, 4]]},
}
CASES = [
    (name, place, value)
    for name, places in STATES.items()
    for place, values in places.items()
    for value in values
]


class Forged:
    """A generator whose state is what somebody wrote."""

    def __init__(self, state):
        self.encoder = Encoder()
        self.node = self.encoder.encode(state, "state")

    def data(self, tag):
        seed = {"is": tag, "state": self.node}
        parts = {"rank": 3, "kernel": "gaussian", "landmarks": "uniform", "refine": False}
        parts |= {"random_state": seed}
        tree = {"is": "object", "class": "Nystrom", "number": 0, "parts": parts}
        return file_of({"model": tree}, self.encoder.tensors)


def load(data, tmp_path):
    path = tmp_path / "m.gramian"
    path.write_bytes(data)
    return gm.load(path)


def refused(data, tmp_path):
    with pytest.raises(InputError) as caught:
        load(data, tmp_path)
    assert len(str(caught.value)) <= 400


def edited(state, place, value):
    return changed(state, place, value)


@pytest.mark.parametrize("name", STATES)
def test_states_of_generators_come_back(name, tmp_path):
    rng = np.random.Generator(getattr(np.random, name)(5))
    rng.integers(9, size=3, dtype=np.uint32)  # half a draw is kept
    fitted = gm.Nystrom(4, landmarks="uniform", random_state=rng).fit(models.X)
    gm.save(fitted, tmp_path / "m.gramian")
    other = gm.load(tmp_path / "m.gramian").random_state
    assert np.array_equal(rng.standard_normal(9), other.standard_normal(9))
    assert rng.integers(2**32, dtype=np.uint32) == other.integers(2**32, dtype=np.uint32)


@pytest.mark.parametrize("bits", ["MT19937", "PCG64", "Philox"])
def test_old_random_states_come_back(bits, tmp_path):
    seed = np.random.RandomState(getattr(np.random, bits)(5))
    seed.standard_normal()  # the second of a pair is kept
    fitted = gm.Nystrom(4, landmarks="uniform", random_state=seed).fit(models.X)
    gm.save(fitted, tmp_path / "m.gramian")
    other = gm.load(tmp_path / "m.gramian").random_state
    assert np.array_equal(seed.standard_normal(5), other.standard_normal(5))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "place", "value"), CASES)
def test_states_that_are_none_are_refused(name, place, value, tmp_path):
    state = edited(getattr(np.random, name)(1).state, place, value)
    refused(Forged(state).data("rng"), tmp_path)
    refused(Forged(state | {"has_gauss": 0, "gauss": 0.0}).data("random_state"), tmp_path)


GAUSS = {"has_gauss": [2, -1, None, True], "gauss": [np.inf, "x", None]}


@pytest.mark.parametrize(("name", "value"), [(k, v) for k, vs in GAUSS.items() for v in vs])
def test_normal_numbers_that_are_none_are_refused(name, value, tmp_path):
    state = np.random.RandomState(0).get_state(legacy=False)
    refused(Forged(state | {name: value}).data("random_state"), tmp_path)
    refused(Forged({k: v for k, v in state.items() if k != name}).data("random_state"), tmp_path)
    refused(Forged(tuple(state)).data("random_state"), tmp_path)


@pytest.mark.parametrize("drop", ["state", "has_uint32", "bit_generator", "buffer"])
def test_states_with_parts_missing_or_more_are_refused(drop, tmp_path):
    state = np.random.Philox(1).state
    refused(Forged({k: v for k, v in state.items() if k != drop}).data("rng"), tmp_path)
    refused(Forged(state | {drop + "_": 1}).data("rng"), tmp_path)


def labels(kind, count, shape=None):
    items = ["a"] * count
    node = {"is": "items", "dtype": kind, "shape": shape or [count], "items": items}
    return {"is": "object", "class": "PCA", "number": 0, "parts": {"classes_": node}}


def frame(times, rows):
    columns = [{"is": "array", "name": "a0", "by": "rows"}] * times
    index = {"is": "range", "parts": [0, rows, 1], "names": [None]}
    names = {"is": "range", "parts": [0, times, 1], "names": [None]}
    node = {"is": "frame", "columns": columns, "labels": names, "index": index}
    return {"is": "object", "class": "PCA", "number": 0, "parts": {"rv_": node}}


def ranged(*parts):
    node = {"is": "range", "parts": list(parts), "names": [None]}
    return {"is": "object", "class": "PCA", "number": 0, "parts": {"index": node}}


BOMBS = {
    "a wide type": lambda: file_of({"model": labels("<U400000000", 2)}),
    "a wide type of bytes": lambda: file_of({"model": labels("|S900000000", 2)}),
    "many of a wide type": lambda: file_of({"model": labels("<U100000", 5000)}),
    "raw bytes": lambda: file_of({"model": labels("|V100000000", 2)}),
    "fields": lambda: file_of({"model": labels("<f8,<U100000000", 2)}),
    "a shape beyond its items": lambda: file_of({"model": labels("|O", 2, [2**40, 2**40])}),
    "one array in many columns": lambda: file_of(
        {"model": frame(300, 10**6)}, {"a0": np.zeros(10**6)}
    ),
    "a range": lambda: file_of({"model": ranged(0, 10**12, 1)}),
    "a range beyond int64": lambda: file_of({"model": ranged(0, 10**30, 1)}),
    "empty lists": lambda: file_of(b'{"model":[' + b"[]," * 3_000_000 + b"[]]}"),
    "empty objects": lambda: file_of(b'{"model":[' + b"{}," * 3_000_000 + b"{}]}"),
    "numbers": lambda: file_of(b'{"model":[' + b"1234," * 8_000_000 + b"0]}"),
    "words": lambda: file_of(b'{"model":[' + b'"ab",' * 4_000_000 + b"0]}"),
    "depth": lambda: file_of(b'{"model":' + b"[" * 10**6 + b"]" * 10**6 + b"}"),
    "depth of objects": lambda: file_of(b'{"model":' + b'{"a":' * 10**5 + b"1" + b"}" * 10**5),
    "digits": lambda: file_of(b'{"model":' + b"9" * 5000 + b"}"),
    "many digits": lambda: file_of(b'{"model":' + b"9" * 500_000 + b"}"),
    "a number beyond doubles": lambda: file_of(b'{"model":1e400}'),
    "NaN": lambda: file_of(b'{"model":NaN}'),
    "Infinity": lambda: file_of(b'{"model":[-Infinity]}'),
    "a part named twice": lambda: file_of(b'{"model":1,"model":2}'),
}
LIMITED = """
import resource, sys, time
import gramian as gm, numpy, pandas, sklearn.base, scipy.sparse
import gramian.saving.container, gramian.saving.decode
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path in sys.argv[1:]:
    start = time.perf_counter()
    try:
        gm.load(path)
        word = "loaded"
    except ValueError as error:
        word = type(error).__name__
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(word, time.perf_counter() - start, peak * 1024, flush=True)
"""


@pytest.mark.slow
def test_bombs_are_refused_before_they_go_off(tmp_path):
    """In a process of their own, whose memory is measured: at most 4 times the file and 200 MB."""
    files = []
    for k, bomb in enumerate(BOMBS.values()):
        files.append(tmp_path / f"{k}.gramian")
        files[-1].write_bytes(bomb())
    size = max(file.stat().st_size for file in files)
    run = subprocess.run(
        [sys.executable, "-c", LIMITED, *map(str, files)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    for name, line in zip(BOMBS, run.stdout.splitlines(), strict=True):
        word, seconds, peak = line.split()
        assert word == "InputError", name
        assert float(seconds) < 5.0, name
        assert float(peak) < 4 * size + 200e6, name


def test_the_cost_of_a_text_is_not_below_the_truth():
    for text in (b"[" + b"[]," * 10_000 + b"1]", b"[" + b'{"a":"bc"},' * 10_000 + b"1]"):
        tree = json.loads(text)
        truth = sys.getsizeof(tree) + sum(sys.getsizeof(item) for item in tree)
        assert container.cost(text) >= truth


def test_brackets_in_texts_are_no_depth():
    assert container.depth(json.dumps(["[" * 5000, '"' * 50, "\\" * 7 + '"[[']).encode()) == 1
    assert container.parse(b'"' + b"[" * 5000 + b'"', 1e6) == "[" * 5000


@pytest.mark.parametrize("schema", ["²", "9" * 5000, "", "0", "01", "-1", "1.0", " 1", "1\n", "٣"])
def test_a_schema_that_is_no_number(schema, tmp_path):
    model = {"is": "object", "class": "PCA", "number": 0, "parts": {}}
    refused(file_of({"model": model}, about=ABOUT | {"schema": schema}), tmp_path)


@pytest.mark.parametrize("schema", [1, [1], None, {}, True, 1.0])
def test_a_schema_that_is_no_text(schema, tmp_path):
    good = file_of({"model": {"is": "object", "class": "PCA", "number": 0, "parts": {}}})
    size = int.from_bytes(good[:8], "little")
    header = json.loads(good[8 : 8 + size])
    header["__metadata__"]["schema"] = schema
    text = json.dumps(header, separators=(",", ":")).encode()
    refused(signed(len(text).to_bytes(8, "little") + text + good[8 + size :]), tmp_path)


ODD = [None, True, 0, -1, 1.5, 10**40, "", "x", [], [[]], {}, {"is": "float"}, {"is": ["x"]}]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pca scaled, labelled, weighted", "several kernels"])
def test_no_place_of_the_tree_may_hold_anything(name, tmp_path):
    """Whatever stands where, the answer is a refusal or a model: never an error of ours."""
    fitted, _ = models.FITS[name]()
    gm.save(fitted, tmp_path / "m.gramian")
    tree, tensors = parts_of((tmp_path / "m.gramian").read_bytes())
    places = list(paths(tree))
    rng = np.random.default_rng(1)
    for _ in range(150):
        place = places[rng.integers(len(places))]
        data = file_of(changed(tree, place, ODD[rng.integers(len(ODD))]), tensors)
        try:
            load(data, tmp_path)
        except InputError as error:
            assert len(str(error)) <= 400


HEADERS = {
    "overlap": lambda h: h["a0"].update(data_offsets=h["a1"]["data_offsets"]),
    "beyond": lambda h: h["a0"].update(data_offsets=[0, 2**61]),
    "negative": lambda h: h["a0"].update(data_offsets=[-8, 0]),
    "shape": lambda h: h["a0"].update(shape=[2**32, 2**32]),
    "product": lambda h: h["a0"].update(shape=[2**61, 2**61, 0]),
    "type": lambda h: h["a0"].update(dtype="F128"),
    "no type": lambda h: h["a0"].update(dtype=["F64"]),
    "no shape": lambda h: h["a0"].update(shape=None),
    "truth": lambda h: h["a0"].update(shape=[True]),
    "part": lambda h: h["a0"].pop("shape"),
    "list": lambda h: h.update(a0=[1]),
    "many sides": lambda h: h["a0"].update(shape=[1] * 40),
    "gap": lambda h: h.pop("a0"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_headers_that_lie_are_refused(name, tmp_path):
    fitted, _ = models.FITS["pca"]()
    gm.save(fitted, tmp_path / "m.gramian")
    good = (tmp_path / "m.gramian").read_bytes()
    size = int.from_bytes(good[:8], "little")
    header = json.loads(good[8 : 8 + size])
    HEADERS[name](header)
    text = json.dumps(header, separators=(",", ":")).encode()
    refused(signed(len(text).to_bytes(8, "little") + text + good[8 + size :]), tmp_path)


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null", "."])
def test_what_is_no_file_is_not_opened(place):
    with pytest.raises(InputError, match="is not a regular file"):
        gm.load(place)


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a regular file"):
        gm.load(tmp_path / "pipe")


def test_zones_are_names_and_no_paths(tmp_path):
    node = {"is": "index", "values": None, "zone": "dateutil//dev/zero", "names": [None]}
    values = {"is": "array", "name": "a0", "by": "rows"}
    node["values"] = {"is": "time", "dtype": "<M8[ns]", "values": values}
    tree = {"is": "object", "class": "PCA", "number": 0, "parts": {"index": node}}
    refused(file_of({"model": tree}, {"a0": np.zeros(3, dtype=np.int64)}), tmp_path)


@pytest.mark.slow
def test_tiny_graphs_by_the_thousand_load(tmp_path):
    """A tree that is large beside its arrays, and honest."""
    graphs = [([[0, 1], [1, 0]], ["a", "bcddeeee"[k % 8]]) for k in range(3000)]
    kernel = gm.kernels.graph.VertexHistogram()
    fitted = gm.KernelPCA(2, kernel=kernel, approximation=gm.Nystrom(5)).fit(graphs)
    gm.save(fitted, tmp_path / "m.gramian")
    start = time.perf_counter()
    other = gm.load(tmp_path / "m.gramian")
    assert time.perf_counter() - start < 5.0
    assert np.array_equal(fitted.transform(graphs[:3]), other.transform(graphs[:3]))


@pytest.mark.slow
def test_many_labels_load(tmp_path):
    names = [f"individual {k}" for k in range(50_000)]
    table = pd.DataFrame({"a": np.arange(50_000.0), "b": np.sin(np.arange(50_000))}, index=names)
    fitted = gm.PCA(1).fit(table)
    gm.save(fitted, tmp_path / "m.gramian")
    assert list(gm.load(tmp_path / "m.gramian").training_.index) == names
