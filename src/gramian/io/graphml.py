"""GraphML by the parser of the standard library, without document types or entities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from gramian.errors import InputError

__all__ = ["graphml"]


class _Reader:
    """The state of a parse: keys seen, graphs done, the element that is open."""

    def __init__(self, new: Callable[[], Any]) -> None:
        self.new = new
        self.keys: dict[str, tuple[str, str]] = {}  # id → (node or edge, name)
        self.done: list[tuple[str, Any]] = []
        self.links: Any = None
        self.owner: tuple[str, Any] | None = None
        self.key: str | None = None
        self.text: list[str] = []
        self.pending = 1.0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rsplit(":", 1)[-1]
        if tag == "key":
            self.keys[attributes.get("id", "")] = (
                attributes.get("for", "all"),
                attributes.get("attr.name", ""),
            )
        elif tag == "graph":
            self._graph(attributes)
        elif tag == "node" and self.links is not None:
            name = self._needed(attributes, "id")
            self.links.labels.setdefault(name, None)
            self.owner = ("node", name)
        elif tag == "edge" and self.links is not None:
            ends = self._needed(attributes, "source"), self._needed(attributes, "target")
            self.owner, self.pending = ("edge", ends), 1.0
            self.links.directed |= attributes.get("directed") == "true"
        elif tag in ("hyperedge", "port"):
            raise InputError(f"the GraphML file has a <{tag}>: only plain graphs are read")
        elif tag == "data":
            self.key, self.text = attributes.get("key"), []

    def _graph(self, attributes: dict[str, str]) -> None:
        if self.links is not None:
            raise InputError("the GraphML file has a graph inside a graph: flatten it first")
        self.links = self.new()
        self.links.directed = attributes.get("edgedefault") == "directed"
        self.done.append((attributes.get("id") or f"graph {len(self.done) + 1}", self.links))

    def _needed(self, attributes: dict[str, str], name: str) -> str:
        if name not in attributes:
            raise InputError(f"a node or edge of the GraphML file has no {name!r}")
        return attributes[name]

    def data(self, text: str) -> None:
        if self.key is not None:
            self.text.append(text)

    def end(self, tag: str) -> None:
        tag = tag.rsplit(":", 1)[-1]
        if tag == "data" and self.key is not None and self.owner is not None:
            self._value(self.keys.get(self.key, ("", self.key))[1], "".join(self.text).strip())
            self.key = None
        elif tag == "edge" and self.owner is not None:
            for name in self.owner[1]:
                self.links.labels.setdefault(name, None)
            self.links.ends.append(self.owner[1])
            self.links.weights.append(self.pending)
            self.owner = None
        elif tag == "node":
            self.owner = None
        elif tag == "graph":
            self.links = None

    def _value(self, name: str, text: str) -> None:
        kind, where = self.owner  # type: ignore[misc]
        if kind == "node" and name == "label":
            self.links.labels[where] = text
        elif kind == "edge" and name == "weight":
            try:
                self.pending = float(text)
            except ValueError as error:
                raise InputError(f"the edge {where} has {text[:30]!r} for a weight") from error


def graphml(data: bytes, new: Callable[[], Any]) -> list[tuple[str, Any]]:
    """Return the graphs of a file with their names; `new()` makes an empty list of links."""

    def refuse(*_: Any) -> None:
        # Entities can be made to expand without end or to name other files.
        raise InputError("the XML declares a document type or entities: it is refused")

    reader = _Reader(new)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = lambda *_: 0
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise InputError(f"the GraphML file is broken: {error}") from error
    if not reader.done:
        raise InputError("the XML file has no <graph>: it is not GraphML")
    return reader.done
