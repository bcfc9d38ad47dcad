"""GraphML, the XML of graphs: written so that every number comes back, read as if hostile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from gramian.errors import InputError
from gramian.networks._files import build, read_bytes, written
from gramian.networks.network import Network

__all__ = ["read_graphml", "write_graphml"]

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
)
_NUMBERS = ("double", "float", "int", "long")
_KNOWN = {"graphml", "key", "default", "desc", "graph", "node", "edge", "data"}
_REFUSED = {"hyperedge", "port", "endpoint", "locator"}
_LONGEST = 100_000  # characters of one value


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
    reader = _Reader(str(path))
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = reader.doctype
    try:
        parser.Parse(read_bytes(path), True)
    except expat.ExpatError as error:
        raise InputError(f"{path}: this is not well-formed XML: {error}") from error
    except (ValueError, LookupError, UnicodeError) as error:
        raise error if isinstance(error, InputError) else InputError(f"{path}: {error}") from error
    return reader.network(weight, name)


class _Reader:
    """Gathers keys, nodes and edges; refuses what is no plain undirected graph."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.open: list[str] = []
        self.keys: dict[str, tuple[str, str, str]] = {}  # id → for, title, type
        self.defaults: dict[str, str] = {}
        self.nodes: dict[str, dict[str, str]] = {}
        self.edges: list[tuple[str, str, dict[str, str]]] = []
        self.graphs = 0
        self.key: str | None = None
        self.pieces: list[str] = []
        self.length = 0

    def refuse(self, what: str) -> InputError:
        return InputError(f"{self.path[-120:]}: {what}")

    def doctype(self, *_: Any) -> None:
        raise self.refuse("a document type is declared, which can hide entities: remove it")

    def start(self, tag: str, given: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if tag in _REFUSED:
            raise self.refuse(f"<{tag}> is not supported: only nodes and edges are read")
        if not self.open and tag != "graphml":
            raise self.refuse(f"the file starts with <{tag[:40]}>, not <graphml>")
        if tag == "graph":
            self.graph(given)
        elif tag == "key":
            self.key = self.attribute(given, "id", tag)
            kind = given.get("attr.type", "string")
            title = given.get("attr.name", self.key)
            self.keys[self.key] = (given.get("for", "all"), title, kind)
        elif tag == "node":
            label = self.attribute(given, "id", tag)
            if label in self.nodes:
                raise self.refuse(f"node {label[:40]!r} is there twice")
            self.nodes[label] = {}
        elif tag == "edge":
            self.edge(given)
        elif tag == "data":
            self.key = self.attribute(given, "key", tag)
        if tag in ("data", "default"):
            self.pieces, self.length = [], 0
        self.open.append(tag)

    def graph(self, given: dict[str, str]) -> None:
        self.graphs += 1
        if self.graphs > 1:
            raise self.refuse("there is more than one graph, or one inside another: keep one")
        if given.get("edgedefault", "undirected") != "undirected":
            raise self.refuse("the graph is directed: make it undirected first")

    def edge(self, given: dict[str, str]) -> None:
        if given.get("directed", "false") != "false":
            raise self.refuse("an edge is directed: make the graph undirected first")
        ends = [self.attribute(given, end, "edge") for end in ("source", "target")]
        self.edges.append((ends[0], ends[1], {}))

    def attribute(self, given: dict[str, str], name: str, tag: str) -> str:
        if name not in given:
            raise self.refuse(f"a <{tag}> has no {name}")
        return given[name]

    def text(self, data: str) -> None:
        if self.open and self.open[-1] in ("data", "default"):
            self.length += len(data)
            if self.length > _LONGEST:
                raise self.refuse(f"a value is longer than {_LONGEST} characters")
            self.pieces.append(data)

    def end(self, tag: str) -> None:
        tag = self.open.pop()
        if tag == "default" and self.key is not None:
            self.defaults[self.key] = "".join(self.pieces)
        if tag == "data" and self.open and self.key is not None:
            where = self.open[-1]
            if where == "node":
                next(reversed(self.nodes.values()))[self.key] = "".join(self.pieces)
            elif where == "edge":
                self.edges[-1][2][self.key] = "".join(self.pieces)

    def network(self, weight: str, name: str) -> Network:
        if self.graphs == 0 or not self.nodes:
            raise self.refuse("there is no graph with nodes")
        names = self.named(name)
        place = {label: k for k, label in enumerate(self.nodes)}
        ends = []
        for edge in self.edges:
            for end in edge[:2]:
                if end not in place:
                    raise self.refuse(f"an edge ends at {end[:40]!r}, which is no node")
            ends.append((place[edge[0]], place[edge[1]]))
        columns = dict(self.columns())
        weights = columns.pop(weight, [1.0] * len(ends))
        return build(self.path, names, ends, weights, columns)

    def named(self, name: str) -> list[str]:
        for title in (name, "label"):
            for key, (where, found, _) in self.keys.items():
                if where in ("node", "all") and found == title:
                    names = [data.get(key) for data in self.nodes.values()]
                    if all(label is not None for label in names):
                        return [str(label) for label in names]
        return list(self.nodes)

    def columns(self) -> Iterator[tuple[str, list[float]]]:
        """Go through the numeric attributes that every edge has, or has by default."""
        for key, (where, title, kind) in self.keys.items():
            if where not in ("edge", "all") or kind not in _NUMBERS:
                continue
            texts = [data.get(key, self.defaults.get(key)) for _, _, data in self.edges]
            if texts and all(text is not None for text in texts):
                yield title, [self.number(str(text), title) for text in texts]

    def number(self, text: str, title: str) -> float:
        try:
            return float(text)
        except ValueError as error:
            raise self.refuse(f"the {title[:40]} {text[:40]!r} of an edge is no number") from error
