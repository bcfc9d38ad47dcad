"""The costs of docs/scale.md against a count of what passes between the tasks of real graphs."""

from pathlib import Path

import dask
import numpy as np
import pytest
from benchmarks import sizing
from dask.callbacks import Callback
from tests.chunks.cases import spread

import gramian as gm
from gramian._core.chunked import dask_chunks
from gramian._core.chunked.blocks import Block
from gramian._core.chunked.dask_chunks import DaskChunks
from gramian._core.chunked.operators import ChunkedGram
from gramian._core.pairs import Points
from gramian._estimators.chunked import read_block

ROOT = Path(__file__).parents[2]


def size(value):
    """Return the bytes of the arrays that a value holds."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, Block | Points):
        return (value.values if isinstance(value, Block) else value.X).nbytes
    if isinstance(value, list | tuple):
        return sum(map(size, value))
    fields = vars(value).values() if hasattr(value, "__dict__") else ()
    return sum(map(size, fields)) if type(value).__module__.startswith("gramian") else 0


class Moved(Callback):
    """Counts, for each task, the bytes of all its inputs but the largest."""

    def __init__(self, least=0):
        self.total, self.sizes, self.least = 0, {}, least

    def _start_state(self, dsk, state):
        self.sizes.update({key: size(value) for key, value in state["cache"].items()})

    def _posttask(self, key, result, dsk, state, worker):
        self.sizes[key] = size(result)
        inputs = sorted(self.sizes.get(k, 0) for k in state["dependencies"][key])
        self.total += sum(s for s in inputs[:-1] if s >= self.least)


@pytest.fixture(autouse=True)
def scheduler():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.parametrize("blocks", [4, 20])
def test_pca(blocks):
    n, p = 400, 30
    D = dask.array.from_array(spread(n, p), chunks=(n // blocks, p))
    with Moved(8 * p * p) as moved:
        gm.PCA(2).fit(D)
    answers = sizing.pca(n, p, blocks).moved
    kept = answers * (1 - 1 / min(blocks, sizing.FEW))  # one input of each sum is where it is
    assert 0.9 * kept < moved.total < 1.1 * answers


def test_products_of_pairs(monkeypatch):
    n, p, r = 2_048, 20, 6
    monkeypatch.setattr(dask_chunks, "_threads", lambda: 4)
    D = dask.array.from_array(spread(n, p), chunks=(300, p))
    chunks = DaskChunks.of(D, read_block).for_pairs()
    assert len(chunks.tasks) == sizing.groups(n, p, 4)
    gram = ChunkedGram(gm.kernels.Gaussian(5.0), chunks, Points(spread(10, p)))
    with Moved(1_000) as moved:
        gram.matmul(np.ones((n, r)))
    paper = sizing.product(n, p, r, len(chunks.tasks))
    assert 0.7 * paper < moved.total < 1.1 * paper, (moved.total, paper)


def test_the_table_of_the_page_is_that_of_the_script():
    page = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    for line in sizing.lines():
        assert line in page
