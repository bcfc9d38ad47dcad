"""Other small files that would take a great deal of memory or time."""

import io
import time
import zlib

import h5py
import numpy as np
import pandas as pd
import pytest
from tests.io import files

import gramian as gm
from gramian.errors import InputError

pytestmark = pytest.mark.slow


X = np.arange(12.0).reshape(4, 3) ** 1.5
CELLS, GENES = list("wxyz"), ["g1", "g2", "g3"]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Bounds of a megabyte, so that bombs need not be large."""
    monkeypatch.setattr("gramian.io.content._SMALL_BYTES", 1_000_000)


def read(data, name="a.h5ad", **options):
    file = io.BytesIO(data)
    file.name = name
    return gm.io.read(file, **options)


def refused(data, words, name="a.h5ad", **options):
    start = time.process_time()
    with pytest.raises(InputError, match=words) as caught:
        read(data, name, **options)
    assert len(str(caught.value)) <= 400 and time.process_time() - start < 5


def changed(change, obs=None):
    out = io.BytesIO(files.h5ad(X, CELLS, GENES, obs or {}))
    with h5py.File(out, "r+") as file:
        change(file)
    return out.getvalue()


def zeros(file):
    del file["X"]
    file.create_dataset("X", shape=(4, 500_000), compression="gzip", data=np.zeros((4, 500_000)))


def one_piece(file):
    """A column of four numbers in a piece of a million."""
    file["obs"].create_dataset(
        "n", data=np.zeros(4), maxshape=(None,), chunks=(1_000_000,), compression="gzip"
    )


def long_texts(file):
    text = h5py.string_dtype()
    file["obs"].create_dataset("t", data=np.array(["a" * 400_000] * 4, dtype=object), dtype=text)


def empty_matrix(file):
    n, p = 20_000, 10_000
    del file["X"], file["obs"], file["var"]
    group = file.create_group("X")
    group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", (n, p)
    for part, size in (("data", 0), ("indices", 0), ("indptr", n + 1)):
        values = np.zeros(size, dtype=int)
        group.create_dataset(part, data=values, compression="gzip" if size else None)
    for name, count in (("obs", n), ("var", p)):
        frame = file.create_group(name)
        frame.attrs["_index"] = "_index"
        frame.create_dataset("_index", data=np.arange(count), compression="gzip")


def coded(file):
    group = file["obs"].create_group("kind")
    group.create_dataset("codes", data=np.zeros(4, dtype=int))
    levels = np.array(["a" * 300_000, "b"], dtype=object)
    group.create_dataset("categories", data=levels, dtype=h5py.string_dtype())


@pytest.mark.parametrize("change", [zeros, one_piece, long_texts, empty_matrix, coded])
def test_an_annotated_file_that_unpacks_to_too_much(change):
    # Texts cannot be packed by this library: they are as long as the file, and the bound is set.
    options = {"largest": "1MB"} if change in (long_texts, coded) else {}
    refused(changed(change), "pass largest=", **options)


def test_an_annotated_file_that_may_unpack_does(monkeypatch):
    monkeypatch.setattr("gramian.io.content._SMALL_BYTES", 50_000)
    monkeypatch.setattr("gramian.io.content._MAX_RATIO", 1)

    def change(file):
        del file["X"], file["var"]
        file.create_dataset("X", data=np.zeros((4, 9_000)), compression="gzip")
        frame = file.create_group("var")
        frame.attrs["_index"] = "_index"
        frame.create_dataset("_index", data=np.arange(9_000), compression="gzip")

    data = changed(change)
    refused(data, "pass largest=")
    assert read(data, largest="5MB").active().shape == (4, 9_000)


def test_a_piece_that_unpacks_to_more_than_it_says():
    """The HDF5 library makes room for whatever a packed piece turns out to hold."""

    def change(file):
        del file["X"]
        node = file.create_dataset("X", shape=(4, 3), chunks=(4, 3), dtype=float, compression=1)
        node.id.write_direct_chunk((0, 0), zlib.compress(bytes(300_000_000), 1))

    refused(changed(change), "cannot be read", largest="1MB")


def test_codes_that_name_no_category_are_refused():
    def change(file):
        coded(file)
        file["obs/kind/codes"][0] = 99

    refused(changed(change), "cannot be read")


def test_names_without_distances():
    """A row a name: a matrix of hundreds of millions of numbers from a file of kilobytes."""
    refused(b"20000\n" + b"a\n" * 20_000, "give all", "a.phy")
    refused(b"20000\n" + b"a 1\n" * 20_000, "give all", "a.phy")


def graphml(keys, edges):
    nodes = "".join(f'<node id="{k}"/>' for k in range(edges + 1))
    lines = "".join(f'<edge source="{k}" target="{k + 1}"/>' for k in range(edges))
    head = "".join(keys)
    return f'<graphml>{head}<graph edgedefault="undirected">{nodes}{lines}</graph></graphml>'


def test_attributes_that_every_edge_has_by_default(tmp_path):
    key = '<key id="k{0}" for="edge" attr.name="a{0}" attr.type="double"><default>1</default></key>'
    text = graphml([key.format(k) for k in range(6000)], 6000)
    start = time.process_time()
    assert read(text.encode(), "g.graphml").graphs[0].n_edges == 6000
    path = tmp_path / "n.graphml"
    path.write_text(text)
    with pytest.raises(InputError, match="by default"):
        gm.networks.read_graphml(path)
    assert time.process_time() - start < 5
    path.write_text(graphml([key.format(k) for k in range(3)], 20))
    assert list(gm.networks.read_graphml(path).edge_values) == ["a0", "a1", "a2"]


def test_a_weight_of_a_hundred_thousand_digits():
    key = '<key id="w" for="edge" attr.name="weight" attr.type="double"><default>{}</default></key>'
    refused(graphml([key.format("1" * 90_000)], 2000).encode(), "no number", "g.graphml")


@pytest.mark.parametrize("digit", ["²", "٣", "9" * 5000, "①", "Ⅷ", "१"])
def test_digits_that_are_none(digit, tmp_path):
    """In headers, names of files and names of sheets."""
    text = f"{digit},{digit},{digit}\n1,2,3\n4,5,7\n"
    assert len(read(text.encode(), "a.csv")) in (2, 3)
    folder = tmp_path / "graphs"
    folder.mkdir()
    for name in (digit[:9], f"{digit[:9]}1", "g2"):
        (folder / f"{name}.txt").write_text("a b\n")
    assert len(gm.io.read(folder)) == 3
    with pytest.raises(InputError, match="sheet="):
        read(files.xlsx([["x"], [1.0], [2.0]]), "a.xlsx", sheet=digit)


def test_the_frame_of_first_versions_is_still_read():
    def change(file):
        del file["obs"]
        kinds = [("index", "S1"), ("n", "f8"), ("t", h5py.string_dtype())]
        rows = [(c.encode(), k, f"t{k}") for k, c in enumerate(CELLS)]
        file.create_dataset("obs", data=np.array(rows, dtype=kinds))

    source = read(changed(change))
    assert source.names == CELLS and isinstance(source.table, pd.DataFrame)
    assert source.supplementary()["n"].tolist() == [0.0, 1.0, 2.0, 3.0]
