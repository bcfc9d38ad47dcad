"""Networks in GraphML, written so that every number comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from gramian.errors import InputError
from gramian.io.graphml import GraphMLFile, GraphMLGraph, parse
from gramian.networks._files import build, read_bytes, written
from gramian.networks.network import Network

__all__ = ["read_graphml", "write_graphml"]

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
)
_NUMBERS = ("double", "float", "int", "long")


def write_graphml(network: Network, path: str | Path) -> None:
    """Write a network as GraphML.

    Names become the node attribute "name", weights and what else is known of the edges their
    attributes. The file is replaced only when it is complete.

    Parameters
    ----------
    network : Network
    path : str or Path

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from gramian.networks import Network, read_graphml
    >>> path = Path(tempfile.mkdtemp()) / "net.graphml"
    >>> write_graphml(Network([[0, -0.5], [-0.5, 0]], names=["a", "b"]), path)
    >>> float(read_graphml(path).weights[0])
    -0.5
    """
    with written(path) as file:
        file.writelines(_lines(network))


def _lines(network: Network) -> Iterator[str]:
    titles = ["weight", *network.edge_values]
    yield _HEAD
    yield '  <key id="name" for="node" attr.name="name" attr.type="string"/>\n'
    for k, title in enumerate(titles):
        name = quoteattr(_legal(title))
        yield f'  <key id="e{k}" for="edge" attr.name={name} attr.type="double"/>\n'
    yield '  <graph edgedefault="undirected">\n'
    for k, label in enumerate(network.names):
        yield f'    <node id="n{k}"><data key="name">{escape(_legal(label))}</data></node>\n'
    columns = [network.weights, *network.edge_values.values()]
    for k, (i, j) in enumerate(network._ends.T):
        data = "".join(f'<data key="e{c}">{float(v[k])!r}</data>' for c, v in enumerate(columns))
        yield f'    <edge source="n{i}" target="n{j}">{data}</edge>\n'
    yield "  </graph>\n</graphml>\n"


def _legal(label: Any) -> str:
    """Return a name as text that XML can hold."""
    text = str(label)
    for c in text:
        if not (c in "\t\n" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"):
            raise InputError(f"names: {text[:40]!r} holds {c!r}, which XML cannot write: rename it")
    return text


def read_graphml(path: str | Path, *, weight: str = "weight", name: str = "name") -> Network:
    """Read an undirected network from GraphML.

    Parameters
    ----------
    path : str or Path
    weight : str
        The edge attribute that holds weights; edges without have weight 1. Other numeric
        attributes that all edges have become columns of `edges`.
    name : str
        The node attribute that holds names; where nodes have none, "label" or else their ids.

    Returns
    -------
    Network
        Document types and entities, directed or nested graphs, hyperedges, loops, repeated edges
        and ends that are no nodes are refused.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "net.graphml"
    >>> text = '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>'
    >>> _ = path.write_text(text + '<edge source="a" target="b"/></graph></graphml>')
    >>> read_graphml(path).n_edges
    1
    """
    try:
        return _network(parse(read_bytes(path)), str(path), weight, name)
    except InputError as error:
        text = str(error)
        told = text if str(path)[-120:] in text else f"{str(path)[-120:]}: {text}"
        raise InputError(told) from error
    except (ValueError, LookupError) as error:  # an encoding that the parser does not know
        raise InputError(f"{str(path)[-120:]}: {error}") from error


def _network(file: GraphMLFile, path: str, weight: str, name: str) -> Network:
    """Return the one graph of a file; refuse what is no plain undirected graph."""
    if len(file.graphs) > 1:
        raise InputError("there is more than one graph: keep one")
    graph = file.graphs[0]
    if graph.directed:
        raise InputError("the graph is directed: make it undirected first")
    if not graph.nodes:
        raise InputError("there is no graph with nodes")
    place = {label: k for k, label in enumerate(graph.nodes)}
    for end in (end for edge in graph.edges for end in edge[:2]):
        if end not in place:
            raise InputError(f"an edge ends at {end[:40]!r}, which is no node")
    ends = [(place[a], place[b]) for a, b, _ in graph.edges]
    columns = dict(_columns(file, graph))
    weights = columns.pop(weight, [1.0] * len(ends))
    return build(path, _names(file, graph, name), ends, weights, columns)


def _names(file: GraphMLFile, graph: GraphMLGraph, name: str) -> list[str]:
    for title in (name, "label"):
        for key in file.titled(title, "node"):
            names = [data.get(key) for data in graph.nodes.values()]
            if all(label is not None for label in names):
                return [str(label) for label in names]
    return list(graph.nodes)


def _columns(file: GraphMLFile, graph: GraphMLGraph) -> Iterator[tuple[str, list[float]]]:
    """Go through the numeric attributes that every edge has, or has by default."""
    for key, (where, title, kind) in file.keys.items():
        if where not in ("edge", "all") or kind not in _NUMBERS:
            continue
        texts = [file.value(data, key) for _, _, data in graph.edges]
        if texts and all(text is not None for text in texts):
            yield title, [_number(str(text), title) for text in texts]


def _number(text: str, title: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f"the {title[:40]} {text[:40]!r} of an edge is no number") from error
