"""A slice of the fuzz: whatever a file holds, it is read or refused in words, and soon."""

import time
import warnings

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError, MemoryBudgetError
from gramian.networks.work import Checkpoint

from . import fuzz

pytestmark = pytest.mark.slow


SEEDS = fuzz.seeds()


@pytest.mark.parametrize("name", SEEDS)
def test_spoiled_files(name):
    assert len(fuzz.read(SEEDS[name], name)) > 0
    refused = 0
    for data in fuzz.cases(name, SEEDS[name], 40, seed=11):
        start = time.process_time()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                fuzz.read(data, name)
        except (InputError, MemoryBudgetError) as error:
            assert 10 < len(str(error)) <= 400
            refused += 1
        assert time.process_time() - start < 3
    assert refused > 5


def _checkpoint(path):
    done = Checkpoint(path, "d")
    done.parts["unit"] = {"a": np.arange(30.0)}
    done.save()


def _network(names=("=a", "b", "c,d", "e")):
    return gm.networks.Network(np.ones((4, 4)) - np.eye(4), names=list(names))


OTHERS = {
    "n.graphml": (lambda p: gm.networks.write_graphml(_network(), p), gm.networks.read_graphml),
    "n.csv": (lambda p: gm.networks.write_edges(_network(), p), gm.networks.read_edges),
    "n.tsv": (
        lambda p: gm.networks.write_edges(_network(["\r", "\n", "\t", '"']), p),
        gm.networks.read_edges,
    ),
    "c.npz": (_checkpoint, lambda p: Checkpoint(p, "d")),
}


@pytest.mark.parametrize("name", OTHERS)
def test_spoiled_networks_and_checkpoints(name, tmp_path):
    write, read = OTHERS[name]
    path = tmp_path / name
    write(path)
    good = path.read_bytes()
    read(path)
    refused = 0
    for data in fuzz.cases(name, good, 80, seed=5):
        path.write_bytes(data)
        try:
            read(path)
        except InputError as error:
            assert 10 < len(str(error)) <= 400
            refused += 1
    assert refused > 20
