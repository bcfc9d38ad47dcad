"""Weights of edges: read as they are written, or refused with the line they stand in."""

import io

import networkx as nx
import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError

GOOD = {
    "7": 7.0,
    "-2.5": -2.5,
    "+1.": 1.0,
    ".5": 0.5,
    "1e-3": 0.001,
    "1E+2": 100.0,
    "007": 7.0,
    " 3 ": 3.0,
}
NO_NUMBERS = [
    "-",
    "+",
    ".",
    "e5",
    "0x1F",
    "1+2j",
    "1j",
    "1_000",
    "٣",
    "½",
    "much",
    "1 2",
    "1e",
    "--1",
]
NO_NUMBERS += ["True", "None", "null", "1,5", "0b1", "1/2", "'"]
NOT_FINITE = ["nan", "NaN", "NAN", "-nan", "inf", "-inf", "Infinity", "-Infinity", "INF", "1e999"]
KEY = '<key id="w" for="edge" attr.name="weight" attr.type="{}"/>'


def lines(weight, sep):
    return f"# ours\nu{sep}v{sep}1\nv{sep}w{sep}{weight}\n"


def data_line(weight):
    return f"# ours\nu v {{'weight': 1.0}}\nv w {{'colour': 'a', 'weight': {weight}}}\n"


def table(weight):
    return f"source,target,weight\nu,v,1\nv,w,{weight}\n"


def graphml(weight, kind="double"):
    return (
        f'<graphml>{KEY.format(kind)}<graph edgedefault="undirected">\n<node id="u"/><node id="v"/>'
        '<node id="w"/><edge source="u" target="v"><data key="w">1</data></edge>\n'
        f'<edge source="v" target="w"><data key="w">{weight}</data></edge></graph></graphml>'
    )


def weight_of(text, name):
    source = gm.io.read(_named(text, name))
    graph = source.graphs[0]
    k = [graph.names.index(end) for end in "vw"]
    return graph.adjacency.toarray()[k[0], k[1]]


def _named(text, name):
    file = io.BytesIO(text.encode())
    file.name = name
    return file


FORMS = {
    "spaces": (lambda w: lines(w, " "), "g.edgelist", 3),
    "tabs": (lambda w: lines(w, "\t"), "g.edges", 3),
    "semicolons": (lambda w: lines(w, ";"), "g.ncol", 3),
    "quoted": (lambda w: lines(f'"{w}"', ";"), "g.ncol", 3),
    "data": (data_line, "g.edgelist", 3),
    "quoted data": (lambda w: data_line(repr(w)), "g.edgelist", 3),
    "GraphML": (graphml, "g.graphml", 3),
    "GraphML of texts": (lambda w: graphml(w, "string"), "g.graphml", 3),
}


@pytest.mark.parametrize("form", FORMS)
def test_weights_that_are_numbers(form):
    write, name, _ = FORMS[form]
    for text, value in GOOD.items():
        if form == "data" and text == "007":
            continue  # no number to the language it is written in
        assert weight_of(write(text), name) == value


@pytest.mark.parametrize("form", FORMS)
def test_weights_that_are_none_are_refused_with_their_line(form):
    write, name, line = FORMS[form]
    words = [w for w in [*NO_NUMBERS, *NOT_FINITE] if not (form == "spaces" and " " in w)]
    for text in words:
        with pytest.raises(InputError) as caught:
            weight_of(write(text.replace("'", "’") if "data" in form else text), name)
        assert f"line {line}" in str(caught.value), text
        assert len(str(caught.value)) <= 400


@pytest.mark.parametrize("text", [*NO_NUMBERS, *NOT_FINITE])
def test_the_same_in_networks(text, tmp_path):
    for name, data in (("n.graphml", graphml(text)), ("n.tsv", table(text).replace(",", "\t"))):
        path = tmp_path / name
        path.write_text(data, encoding="utf-8")
        read = gm.networks.read_graphml if name.endswith("ml") else gm.networks.read_edges
        with pytest.raises(InputError, match="line 3"):
            read(path)


@pytest.mark.parametrize("kind", ["double", "string", "int"])
def test_an_edge_without_a_weight_leaves_the_others_theirs(kind, tmp_path):
    path = tmp_path / "n.graphml"
    path.write_text(graphml("0.25", kind).replace('<data key="w">1</data>', ""))
    assert sorted(gm.networks.read_graphml(path).weights.tolist()) == [0.25, 1.0]
    assert sorted(gm.io.read(path).graphs[0].weights.tolist()) == [0.25, 0.25, 1.0, 1.0]


@pytest.mark.parametrize("weight", [2.5, np.float64(-1.5), np.int64(4), np.float32(0.5), "7"])
def test_what_networkx_writes(weight, tmp_path):
    graph = nx.Graph()
    graph.add_edge("v", "w", weight=weight, note="{'weight': 99}", colour="it's")
    nx.write_edgelist(graph, tmp_path / "g.edgelist")
    (found,) = gm.io.read(tmp_path / "g.edgelist").graphs
    assert found.adjacency.toarray()[0, 1] == float(weight)


@pytest.mark.parametrize("weight", [float("nan"), np.float64("inf"), None, 1 + 2j, [1]])
def test_what_networkx_writes_and_is_no_weight(weight, tmp_path):
    graph = nx.Graph()
    graph.add_edge("v", "w", weight=weight)
    nx.write_edgelist(graph, tmp_path / "g.edgelist")
    with pytest.raises(InputError, match="line 1"):
        gm.io.read(tmp_path / "g.edgelist")


@pytest.mark.parametrize(
    "data",
    ["{'weight': 1", "{weight}", "{'weight': 1, 'weight': 2}", "{1: " * 300 + "}" * 300, "{'a' 1}"],
)
def test_data_that_cannot_be_read(data):
    text = f"u v\nv w {data}\n"
    with pytest.raises(InputError, match="line 2"):
        weight_of(text if data.endswith("}") else text.replace("{", "{ "), "g.edgelist")


@pytest.mark.parametrize(
    ("text", "nodes", "edges"),
    [
        ("New York,Boston,3\nBoston,Rome\n", ["New York", "Boston", "Rome"], 2),
        ('"a,1",2\n"a,1",b\n', ["a,1", "2", "b"], 2),
        ("2,4-D benzene 1\nwater benzene\n", ["2,4-D", "benzene", "water"], 2),
        ("a,b,\nc,,\nd\n", ["a", "b", "c", "d"], 1),
        ("b a{1}\n{x} b\n", ["b", "a{1}", "{x}"], 2),
        ("# one\nsource target\na b\n", ["a", "b"], 1),
        ("a\u2028x b\nb c\x0cd\n", None, 2),
    ],
)
def test_what_parts_the_names_is_the_same_in_all_lines(text, nodes, edges):
    (graph,) = gm.io.read(_named(text, "g.edgelist")).graphs
    assert nodes is None or graph.names == nodes
    assert graph.n_edges == edges


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a b 0,5\nb c 0,7\n", 1),  # not a node "a b 0"
        ("a b 0,5\nb c 1\n", 1),
        ("a,b,1\na,,3\n", 2),  # not an edge from a to 3
        ("a,b\n,c\n", 2),
        ('a,b\n"c,d\n', 2),
    ],
)
def test_lines_that_would_be_other_edges(text, line):
    with pytest.raises(InputError, match=f"line {line}"):
        gm.io.read(_named(text, "g.edgelist"))


def test_cells_after_the_weight_are_told():
    source = gm.io.read(_named("a b 1 red\nb c 2 blue\n", "g.edgelist"))
    assert [note.key for note in source.warnings] == ["edge_columns"]
    assert sorted(source.graphs[0].weights.tolist()) == [1.0, 1.0, 2.0, 2.0]
