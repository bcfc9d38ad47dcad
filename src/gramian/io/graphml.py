"""GraphML, the XML of graphs, read as if hostile: no document types, no entities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from gramian.errors import InputError

_REFUSED = {"hyperedge", "port", "endpoint", "locator"}
_LONGEST = 100_000  # characters of one value


@dataclass(eq=False)
class GraphMLGraph:
    """The nodes and edges of one graph; values are texts under the ids of their keys."""

    name: str
    directed: bool
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # where each edge stands


@dataclass(eq=False)
class GraphMLFile:
    """The graphs of a file; keys are id → (for node, edge or all; title; type)."""

    keys: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    graphs: list[GraphMLGraph] = field(default_factory=list)

    def titled(self, title: str, where: str) -> list[str]:
        """Return the ids of the keys with a title, for nodes or for edges."""
        return [
            key
            for key, (owner, own, _) in self.keys.items()
            if owner in (where, "all") and own == title
        ]

    def value(self, data: dict[str, str], key: str) -> str | None:
        """Return what a node or an edge has under a key, or has by default."""
        return data.get(key, self.defaults.get(key))


def parse(data: bytes) -> GraphMLFile:
    """Return what a GraphML file holds, or say what is wrong with it.

    >>> text = b'<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"/></graph>'
    >>> len(parse(text + b"</graphml>").graphs[0].edges)
    1
    """
    parser = expat.ParserCreate()
    reader = _Reader(parser)
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartDoctypeDeclHandler = _refuse_types
    parser.EntityDeclHandler = _refuse_types
    parser.ExternalEntityRefHandler = lambda *_: 0
    try:
        parser.Parse(data, True)
    except InputError:
        raise
    except (expat.ExpatError, LookupError, ValueError) as error:  # or an encoding that is unknown
        text = str(error)[:150]
        raise InputError(f"the GraphML is broken, not well-formed XML: {text}") from error
    if not reader.file.graphs:
        raise InputError("there is no graph in the XML: it is not GraphML")
    return reader.file


# Why not networkx: docs/decisions.md, "Our own, though a library exists".
def _refuse_types(*_: Any) -> None:
    # Entities can be made to expand without end or to name other files.
    raise InputError("the XML declares a document type or entities: it is refused")


class _Reader:
    """The state of a parse: the elements that are open, and the value that is being read."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.parser = parser
        self.file = GraphMLFile()
        self.open: list[str] = []
        self.key = ""
        self.pieces: list[str] = []
        self.length = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if tag in _REFUSED:
            raise InputError(f"<{tag}> is not supported: only plain graphs are read")
        if not self.open and tag != "graphml":
            raise InputError(f"the XML starts with <{tag[:40]}>, not <graphml>")
        if tag == "graph":
            self.graph(attributes)
        elif tag == "key":
            self.key = _needed(attributes, "id", tag)
            title, kind = (
                attributes.get("attr.name", self.key),
                attributes.get("attr.type", "string"),
            )
            self.file.keys[self.key] = (attributes.get("for", "all"), title, kind)
        elif tag == "node":
            self.node(_needed(attributes, "id", tag))
        elif tag == "edge":
            self.edge(attributes)
        elif tag == "data":
            self.key = _needed(attributes, "key", tag)
        if tag in ("data", "default"):
            self.pieces, self.length = [], 0
        self.open.append(tag)

    def graph(self, attributes: dict[str, str]) -> None:
        if "graph" in self.open:
            raise InputError("there is a graph inside another: flatten it first")
        directed = attributes.get("edgedefault", "undirected") != "undirected"
        name = attributes.get("id") or f"graph {len(self.file.graphs) + 1}"
        self.file.graphs.append(GraphMLGraph(name, directed))

    def inside(self, tag: str) -> GraphMLGraph:
        if "graph" not in self.open:
            raise InputError(f"there is a <{tag}> outside of any graph")
        return self.file.graphs[-1]

    def node(self, name: str) -> None:
        nodes = self.inside("node").nodes
        if name in nodes:
            raise InputError(f"node {name[:40]!r} is there twice")
        nodes[name] = {}

    def edge(self, attributes: dict[str, str]) -> None:
        graph = self.inside("edge")
        graph.directed |= attributes.get("directed", "false") != "false"
        graph.lines.append(self.parser.CurrentLineNumber)
        graph.edges.append(
            (_needed(attributes, "source", "edge"), _needed(attributes, "target", "edge"), {})
        )

    def text(self, data: str) -> None:
        if self.open and self.open[-1] in ("data", "default"):
            self.length += len(data)
            if self.length > _LONGEST:
                raise InputError(f"a value is longer than {_LONGEST} characters")
            self.pieces.append(data)

    def end(self, _: str) -> None:
        tag = self.open.pop()
        value = "".join(self.pieces)
        if tag == "default":
            self.file.defaults[self.key] = value
        elif tag == "data" and self.open[-1] == "node":
            next(reversed(self.file.graphs[-1].nodes.values()))[self.key] = value
        elif tag == "data" and self.open[-1] == "edge":
            self.file.graphs[-1].edges[-1][2][self.key] = value


def _needed(attributes: dict[str, str], name: str, tag: str) -> str:
    if name not in attributes:
        raise InputError(f"a <{tag}> has no {name}")
    return attributes[name]
