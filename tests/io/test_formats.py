"""Every format that is read, and how broken or hostile files of each are met."""

import io

import h5py
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import gramian as gm
from gramian.errors import InputError, MemoryBudgetError

from . import files
from .files import FRAME
from .test_delimited import keys

GOOD = files.one_of_each()


class Named(io.BytesIO):
    """Bytes with the name of a file."""

    def __init__(self, data, name):
        super().__init__(data)
        self.name = name


def read(data, name="a", **options):
    return gm.io.read(Named(data, name), **options)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.feather", "a.xlsx"])
def test_the_same_table_in_four_formats(name):
    source = read(GOOD[name], name)
    pd.testing.assert_frame_equal(source.active(), FRAME[["size", "mass"]], check_exact=True)
    assert list(source.groups()["colour"]) == list(FRAME["colour"])


@pytest.mark.slow
@pytest.mark.parametrize("name", list(GOOD))
def test_the_format_is_known_by_its_bytes(name):
    text = name in ("a.csv", "a.edgelist")
    assert text or read(GOOD[name]).kind == read(GOOD[name], name).kind


@pytest.mark.slow
def test_sheets_are_chosen_by_name_or_number():
    book = files.xlsx(files.frame_rows(FRAME), sheets=["one", "two"])
    assert "sheet" in keys(read(book).notes)
    for sheet in ("two", 2, "2"):
        assert read(book, sheet=sheet).names == list(FRAME.index)
    with pytest.raises(InputError, match="one, two"):
        read(book, sheet="three")


@pytest.mark.slow
def test_numbers_that_a_sheet_holds_as_texts():
    rows = [["x", "y", "z"], ["1,5", 2, "a"], ["2,25", 3.5, "a"], ["3", 4, "b"], ["4,0", 5, "b"]]
    source = read(files.xlsx(rows))
    assert list(source.active()["x"]) == [1.5, 2.25, 3.0, 4.0]
    assert "decimal_comma" in keys(source.warnings)
    rows[3][0] = "3,0"
    assert list(read(files.xlsx(rows)).active()["x"]) == [1.5, 2.25, 3.0, 4.0]


@pytest.mark.slow
def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch):
    book = files.xlsx(files.frame_rows(FRAME), bomb=10**6)
    assert read(book).names == list(FRAME.index)
    monkeypatch.setattr("gramian.io.content.budget_bytes", lambda memory: 10**5)
    with pytest.raises(InputError, match="unpacks to"):
        read(book)


@pytest.mark.slow
def test_cells_far_from_the_table_are_refused():
    """Two cells at the ends of a sheet are a table of 17 thousand million empty cells."""
    import zipfile

    book = io.BytesIO(files.xlsx(files.frame_rows(FRAME)))
    with zipfile.ZipFile(book) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    sheet = parts["xl/worksheets/sheet1.xml"].replace(b"</sheetData>", far)
    parts["xl/worksheets/sheet1.xml"] = sheet
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    with pytest.raises(InputError, match="far from the table"):
        read(out.getvalue())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.parquet", "a.h5ad"])
def test_more_than_memory_has_room_for(name, monkeypatch):
    monkeypatch.setattr("gramian.io.limited.allowance", lambda size, largest: 30)
    for module in ("limited", "anndata"):
        monkeypatch.setattr(f"gramian.io.{module}.budget_bytes", lambda memory: 30)
    with pytest.raises(MemoryBudgetError, match="needs"):
        read(GOOD[name])


CELLS, GENES = list("wxyz"), ["g1", "g2", "g3"]
X = np.array([[0.0, 1.5, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 3.25], [1.0, 1.0, 0.0]])


@pytest.mark.slow
@pytest.mark.parametrize("matrix", [X, sparse.csr_array(X), sparse.csc_array(X)])
def test_annotated_data(matrix):
    obs = {"depth": np.array([1.0, 2.0, 3.0, 4.0]), "kind": pd.Categorical(["t", "b", "t", "b"])}
    data = files.h5ad(matrix, CELLS, GENES, obs, {"counts": X * 2})
    source = read(data)
    assert source.names == CELLS and np.array_equal(source.active().to_numpy(), X)
    assert list(source.active()) == GENES
    assert source.roles["depth"] == "supplementary" and source.roles["kind"] == "group"
    assert np.array_equal(read(data, layer="counts").active().to_numpy(), 2 * X)
    with pytest.raises(InputError, match="layers: counts"):
        read(data, layer="log")


def test_a_link_out_of_an_annotated_file_is_refused(tmp_path):
    other = tmp_path / "secret.h5"
    with h5py.File(other, "w") as file:
        file["X"] = X
    out = io.BytesIO(files.h5ad(X, CELLS, GENES, {}))
    with h5py.File(out, "r+") as file:
        del file["X"]
        file["X"] = h5py.ExternalLink(str(other), "/X")
    with pytest.raises(InputError, match="link to another file"):
        read(out.getvalue())


def test_gct():
    source = read(GOOD["a.gct"])
    assert source.names == ["s1", "s2", "s3"] and source.active().loc["s3", "g2"] == 7.0
    text = (
        "#1.3\n2\t3\t1\t2\nid\tsymbol\ts1\ts2\ts3\nage\t\t3\t5\t8\nkind\t\tx\ty\tx\n"
        "g1\tA\t1\t2\t3\ng2\tB\t4\tNA\t7\n"
    )
    source = read(text.encode())
    assert source.columns("active") == ["g1", "g2"] and source.columns("group") == ["kind"]
    assert source.columns("supplementary") == ["age"] and np.isnan(source.active().iloc[1, 1])
    with pytest.raises(InputError, match="cut off or edited"):
        read(text.rsplit("\n", 2)[0].encode())


D = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.5], [2.0, 1.5, 0.0]])
TABLE = pd.DataFrame(D, index=list("ABC"), columns=list("ABC"))
DISTANCES = {
    "square.csv": TABLE.to_csv(),
    "lsmat": "\tA\tB\tC\nA\t0.0\t1.0\t2.0\nB\t1.0\t0.0\t1.5\nC\t2.0\t1.5\t0.0\n",
    "lower.csv": ",A,B,C\nA,0,,\nB,1,0,\nC,2,1.5,0\n",
    "upper.csv": ",A,B,C\nA,,1,2\nB,,,1.5\nC,,,\n",
    "lower.phy": "3\nA\nB 1\nC 2 1.5\n",
    "with diagonal.phy": "3\nA 0\nB 1 0\nC 2 1.5 0\n",
    "square.phy": "  3\nA  0 1 2\nB  1 0 1.5\nC  2 1.5 0\n",
    "wrapped.phy": "3\nA 0 1\n  2\nB 1 0\n  1.5\nC 2 1.5\n  0\n",
}


@pytest.mark.parametrize("name", DISTANCES)
def test_distances(name):
    source = read(DISTANCES[name].encode(), "d.phy" if name.endswith("phy") else "d.csv")
    assert source.kind == "distances" and source.names == ["A", "B", "C"]
    assert np.array_equal(source.distances.to_numpy(), D)
    assert source.data is source.distances


@pytest.mark.slow
def test_reference_distances():
    source = gm.io.read("tests/data/data/UScitiesD.csv")
    assert source.kind == "distances" and len(source) == 10


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (",A,B\nA,0,1\nB,2,0\n", "not symmetric"),
        (",A,B\nA,0,-1\nB,-1,0\n", "negative distance"),
        (",A,B\nA,1,1\nB,1,0\n", "diagonal"),
        (",A,B,C\nA,0,1,2\nB,1,0,2\n", "square table"),
        (",B,A\nA,0,1\nB,1,0\n", "another order"),
    ],
)
def test_what_cannot_be_distances(text, words):
    with pytest.raises(InputError, match=words):
        read(text.encode(), kind="distances")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3\nA 0 1 2 9\nB 1 0 3\nC 2 3 0\n", "4 distances for 3 points"),
        ("3\nA\nB 1\n", "says 3 points but holds 2"),
        ("3\nA\nB x\nC 2 3\n", "row 'B'"),
        ("3\nA\nB 1\nC 2\n", "in each row, or the lower triangle"),
    ],
)
def test_what_is_no_phylip(text, words):
    with pytest.raises(InputError, match=words):
        read(text.encode(), "a.phy")


@pytest.mark.slow
def test_a_heap_of_texts_that_is_not_whole_is_refused(monkeypatch):
    """The HDF5 library goes round for ever on an entry that takes no room."""
    monkeypatch.setattr("gramian.io.limited._MIN_SECONDS", 2.0)
    monkeypatch.setattr("gramian.io.content._SMALL_BYTES", 1_000_000)
    data = bytearray(GOOD["a.h5ad"])
    heap = data.index(b"GCOL\x01")
    data[heap + 16 : heap + 32] = bytes(16)
    with pytest.raises(InputError, match="takes more than 2 s"):
        read(bytes(data), "a.h5ad")


@pytest.mark.slow
def test_a_square_table_of_measures_stays_a_table():
    assert read(b",x,y,z\na,1,2,3\nb,4,5,6\nc,7,8,10\n").kind == "table"
    assert read(TABLE.to_csv().encode(), kind="table").kind == "table"
    assert read(TABLE.to_csv().encode(), active=["A", "B"]).kind == "table"


def test_missing_distances_are_told():
    source = read(b",A,B,C\nA,0,,2\nB,,0,1\nC,2,1,0\n", kind="distances")
    assert keys(source.warnings) == ["missing_distances"] and np.isnan(source.distances.iloc[0, 1])


@pytest.mark.parametrize(
    ("text", "words"),
    [(">a\nACGT\n>b\nAC\n", "of 2 to 4"), (">a\nACG\n>b\nACT\n", "of 3 letters each")],
)
def test_sizes_of_sequences_are_a_range_only_where_they_differ(text, words):
    assert words in " ".join(map(str, read(text.encode()).notes))


def test_fasta():
    source = read(b">one first\nACgt\nAC GT*\n>two\nGGG-T\n>one\nTT\n")
    assert source.kind == "sequences" and source.sequences == ["ACGTACGT*", "GGG-T", "TT"]
    assert source.names == ["one", "two", "one (2)"] and "upper" in keys(source.notes)
    for text, words in ((b">a\n>b\nAC\n", "no letters"), (b">a\nAC3T\n", "holds '3'")):
        with pytest.raises(InputError, match=words):
            read(text)


@pytest.fixture
def graphs():
    found = [nx.cycle_graph(5), nx.path_graph(4), nx.star_graph(3)]
    for graph in found:
        nx.set_node_attributes(graph, {n: "even" if n % 2 else "odd" for n in graph}, "label")
        nx.set_edge_attributes(graph, {(u, v): 1.0 + u + v for u, v in graph.edges}, "weight")
    return found


def test_a_folder_of_graphs(tmp_path, graphs):
    for k, graph in enumerate(graphs):
        nx.write_graphml(graph, tmp_path / f"g{10 * k}.graphml")
    source = gm.io.read(tmp_path)
    assert source.kind == "graphs" and source.names == ["g0", "g10", "g20"]
    for graph, found in zip(graphs, source.graphs, strict=True):
        order = [str(n) for n in graph]
        assert found.names == order
        assert found.labels == [graph.nodes[n]["label"] for n in graph]
        assert np.array_equal(found.adjacency.toarray(), nx.to_numpy_array(graph))


@pytest.mark.parametrize("sep", [" ", "\t", ","])
@pytest.mark.parametrize("data", [False, True, ["weight"]], ids=["plain", "dict", "number"])
def test_edge_lists(tmp_path, graphs, sep, data):
    graph = graphs[0]
    nx.write_edgelist(graph, tmp_path / "g.edgelist", delimiter=sep, data=data)
    found = gm.io.read(tmp_path / "g.edgelist").graphs[0]
    order = [int(name) for name in found.names]
    expected = nx.to_numpy_array(graph, nodelist=order, weight="weight" if data else None)
    assert np.array_equal(found.adjacency.toarray(), expected)


def test_what_is_odd_in_a_graph_is_told_or_refused():
    source = read(b"source,target\na,b\nb,a\nc,c\nd\n", kind="graphs")
    assert keys(source.warnings) == ["loops"] and source.graphs[0].n_nodes == 4
    directed = read(files.graphml(nx.DiGraph([("a", "b")])))
    assert keys(directed.warnings) == ["directed"]
    with pytest.raises(InputError, match="two weights"):
        read(b"a b 1\nb a 2\n", kind="graphs")
    with pytest.raises(InputError, match="for a weight"):
        read(b"a b x\nb c y\n", kind="graphs")


def test_an_empty_folder_and_a_broken_file_in_one(tmp_path):
    with pytest.raises(InputError, match="no graph files"):
        gm.io.read(tmp_path)
    (tmp_path / "g.graphml").write_text("<graphml><graph>")
    with pytest.raises(InputError, match=r"^g\.graphml: .*broken"):
        gm.io.read(tmp_path)


LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
HOSTILE = {
    "laughs": f'<!DOCTYPE g [<!ENTITY l0 "ha">{LAUGHS}]><graphml><graph><node id="&l9;"/></graph>',
    "file": '<!DOCTYPE g [<!ENTITY f SYSTEM "file:///etc/passwd">]><graphml>&f;</graphml>',
    "remote": '<!DOCTYPE g SYSTEM "http://127.0.0.1/x.dtd"><graphml/>',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_entities_are_refused(name):
    for head in ("", '<?xml version="1.0"?>'):
        with pytest.raises(InputError, match="document type or entities"):
            read((head + HOSTILE[name]).encode(), "g.graphml")


@pytest.mark.parametrize("name", ["a.parquet", "a.xlsx", "a.h5ad", "a.gct", "a.fasta"])
def test_a_name_that_lies_is_refused(name):
    with pytest.raises(InputError, match="is not a"):
        read(b"x,y\n1,2\n3,4\n", name)


def test_both_readers_of_graphml_see_the_same_network(tmp_path):
    text = (
        '<graphml><key id="w" for="edge" attr.name="weight" attr.type="double">'
        "<default>2.5</default></key>"
        '<graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>'
        '<edge source="a" target="b"/><edge source="b" target="c"><data key="w">-1</data></edge>'
        "</graph></graphml>"
    )
    path = tmp_path / "n.graphml"
    path.write_text(text)
    (graph,) = gm.io.read(path).graphs
    network = gm.networks.read_graphml(path)
    assert graph.names == network.names == ["a", "b", "c"]
    expected = [[0, 2.5, 0], [2.5, 0, -1], [0, -1, 0]]
    assert graph.adjacency.toarray().tolist() == network.adjacency.toarray().tolist() == expected
