"""Networks in files: what is written comes back, and what is no network is refused."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from gramian.errors import InputError
from gramian.networks import (
    Network,
    infer,
    read_edges,
    read_graphml,
    write_edges,
    write_graphml,
)

HOSTILE = ["<&>\"'", "a,b\tc", 'quo"te', "naïve\u2028", " spaces ", "=1+1", "new\nline"]
FORMATS = {"graphml": (write_graphml, read_graphml), "csv": (write_edges, read_edges)}
FORMATS["tsv"] = FORMATS["csv"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_written_comes_back(kind, tmp_path):
    rng = np.random.default_rng(0)
    network = infer(pd.DataFrame(rng.standard_normal((9, 7)), columns=HOSTILE), density=0.4)
    path = tmp_path / f"network.{kind}"
    write, read = FORMATS[kind]
    write(network, path)
    back = read(path)
    assert set(back.names) == set(HOSTILE)
    order = [back.names.index(name) for name in HOSTILE]
    A, B = network.adjacency.toarray(), back.adjacency.toarray()[np.ix_(order, order)]
    np.testing.assert_array_equal(A, B)
    columns = ["p_value", "q_value", "weight"]
    left = network.edges[columns].sort_values(columns).to_numpy()
    np.testing.assert_array_equal(left, back.edges[columns].sort_values(columns).to_numpy())
    assert [f.name for f in tmp_path.iterdir()] == [path.name]


def test_networkx_reads_ours_and_we_read_its(tmp_path):
    network = Network([[0, 0.5, 0], [0.5, 0, -2], [0, -2, 0]], names=["a", "b", "c"])
    write_graphml(network, tmp_path / "ours.graphml")
    graph = nx.read_graphml(tmp_path / "ours.graphml")
    names = nx.get_node_attributes(graph, "name")
    found = {frozenset((names[u], names[v])): w for u, v, w in graph.edges(data="weight")}
    assert found == {frozenset("ab"): 0.5, frozenset("bc"): -2.0}
    nx.write_graphml(network.to_networkx(), tmp_path / "theirs.graphml")
    back = read_graphml(tmp_path / "theirs.graphml")
    assert back.names == ["a", "b", "c"]
    np.testing.assert_array_equal(back.adjacency.toarray(), network.adjacency.toarray())


def graphml(body, head='edgedefault="undirected"', before=""):
    return f"{before}<graphml><graph {head}>{body}</graph></graphml>"


NODES = '<node id="a"/><node id="b"/>'
WEIGHT = '<key id="w" for="edge" attr.name="weight" attr.type="double"/>'
BOMB = '<!DOCTYPE g [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "well-formed"),
        ("plain text", "well-formed"),
        ("<html/>", "<html>"),
        ("<graphml/>", "no graph"),
        (graphml(NODES, before=BOMB), "document type"),
        (graphml(NODES, 'edgedefault="directed"'), "directed"),
        (graphml(NODES + '<edge source="a" target="b" directed="true"/>'), "directed"),
        (graphml(NODES + '<edge source="a" target="z"/>'), "'z'"),
        (graphml(NODES + '<edge source="a" target="a"/>'), "loop"),
        (graphml(NODES + '<edge source="a" target="b"/><edge source="b" target="a"/>'), "twice"),
        (graphml(NODES + '<node id="a"/>'), "twice"),
        (graphml(NODES + '<edge source="a"/>'), "no target"),
        (graphml(NODES + "<hyperedge/>"), "hyperedge"),
        (graphml(NODES + "<graph/>"), "inside another"),
        (graphml(NODES).replace("</graphml>", "<graph/></graphml>"), "more than one graph"),
        (graphml(NODES) + "<x/>", "well-formed"),
        (
            f'<graphml>{WEIGHT}<graph edgedefault="undirected">{NODES}'
            '<edge source="a" target="b"><data key="w">much</data></edge></graph></graphml>',
            "no number",
        ),
        (
            f'<graphml>{WEIGHT}<graph edgedefault="undirected">{NODES}'
            '<edge source="a" target="b"><data key="w">nan</data></edge></graph></graphml>',
            "finite",
        ),
    ],
)
def test_hostile_or_broken_graphml_is_refused(text, words, tmp_path):
    path = tmp_path / "bad.graphml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words) as error:
        read_graphml(path)
    assert len(str(error.value)) <= 400


def test_a_truncated_or_damaged_file_is_refused(tmp_path):
    path = tmp_path / "net.graphml"
    write_graphml(Network([[0, 1], [1, 0]]), path)
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], whole.replace(b"graph>", b"gr\xffph>")):
        path.write_bytes(damaged)
        with pytest.raises(InputError):
            read_graphml(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "first line"),
        ("a,b\n", "first line"),
        ("source,target\n", "no edges"),
        ("source,target,weight\na,b,x\n", "'x' is no number"),
        ("source,target,weight\na,b,inf\n", "finite"),
        ("source,target,weight\na,b\n", "line 2 has 2 cells"),
        ("source,target\n,b\n", "no source"),
        ("source,target\na,a\n", "loop"),
        ("source,target\na,b\nb,a\n", "twice"),
        ('source,target\n"a,b\n', "not a table"),
    ],
)
def test_broken_edge_lists_are_refused(text, words, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read_edges(path)


def test_edge_lists_may_have_no_weights_and_any_separator(tmp_path):
    path = tmp_path / "net.txt"
    path.write_text("target;source;note\nb;a;x\nc;a;y\n")
    network = read_edges(path, separator=";")
    assert network.weights.tolist() == [1.0, 1.0] and network.hubs(1) == ["a"]
    assert "note" not in network.edges
    path.write_bytes(b"source\ttarget\n\xff\t\xfe\n")
    with pytest.raises(InputError, match="UTF-8"):
        read_edges(path)


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path):
    for read in (read_graphml, read_edges):
        with pytest.raises(InputError, match="nowhere"):
            read(tmp_path / "nowhere")
    with pytest.raises(InputError, match="cannot be written"):
        write_graphml(Network([[0, 1], [1, 0]]), tmp_path / "no" / "folder")
    with pytest.raises(InputError, match="XML cannot"):
        write_graphml(Network([[0, 1], [1, 0]], names=["a", "\x00"]), tmp_path / "net")
    assert list(tmp_path.iterdir()) == []
