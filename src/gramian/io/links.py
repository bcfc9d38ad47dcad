"""The nodes and edges that a GraphML file or an edge list names: one reader, for every use."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field

from gramian.errors import InputError
from gramian.io.graphml import GraphMLFile, GraphMLGraph, parse

# What it reads is judged elsewhere: docs/decisions.md, "One reader of edges".
__all__ = ["Links", "links_of_graphml", "links_of_lines", "links_of_table"]

_ENDS = {"source", "target", "from", "to", "u", "v", "node1", "node2", "i", "j"}
_WEIGHT = re.compile(r"""['"]weight['"]\s*:\s*([-+.\deE]+)""")
_NUMBERS = ("double", "float", "int", "long")  # types of GraphML


@dataclass(eq=False)
class Links:
    """A graph as a file lists it: texts, loops and repeated edges included.

    Attributes
    ----------
    nodes : dict
        What is said of each node: its name → {title: text}.
    ends : list
        The names of the two ends of each edge; a GraphML file may name ends that are no nodes.
    values : list
        What is said of each edge, {title: text}.
    kinds : dict
        Titles of edges → "number" (said to be numbers), "text", or "any" where nothing is said.
    defaults : dict
        {title: text} for nodes of which nothing is said.
    """

    name: str = "graph"
    directed: bool = False
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    ends: list[tuple[str, str]] = field(default_factory=list)
    values: list[dict[str, str]] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)

    def column(self, title: str) -> list[str | None]:
        """Return what is said under a title of each edge, None where nothing is."""
        return [value.get(title) for value in self.values]

    def number(self, edge: int, title: str) -> float:
        """Return what is said of an edge as a number, 1 where nothing is."""
        text = self.values[edge].get(title, "1")
        try:
            return float(text)
        except ValueError as error:
            a, b = (end[:40] for end in self.ends[edge])
            raise InputError(
                f"the {title[:40]} {text[:40]!r} is no number (the edge {a!r} to {b!r})"
            ) from error

    def add(self, ends: list[str], values: dict[str, str]) -> None:
        """Add an edge, or a node where only one end is named."""
        for name in ends:
            self.nodes.setdefault(name, {})
        if len(ends) == 2:
            self.ends.append((ends[0], ends[1]))
            self.values.append(values)


def links_of_graphml(data: bytes) -> list[Links]:
    """Return the graphs of a GraphML file.

    >>> text = b'<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"/></graph>'
    >>> links_of_graphml(text + b"</graphml>")[0].ends
    [('a', 'b')]
    """
    file = parse(data)
    return [_of_graph(file, graph) for graph in file.graphs]


def _of_graph(file: GraphMLFile, graph: GraphMLGraph) -> Links:
    links = Links(graph.name, graph.directed)
    for key, (owner, title, kind) in file.keys.items():
        if owner in ("edge", "all"):
            links.kinds.setdefault(title, "number" if kind in _NUMBERS else "text")
        if owner in ("node", "all") and key in file.defaults:
            links.defaults.setdefault(title, file.defaults[key])
    for name, data in graph.nodes.items():
        links.nodes[name] = _titled(file, data, "node", {})
    for a, b, data in graph.edges:
        links.ends.append((a, b))
        links.values.append(_titled(file, data, "edge", file.defaults))
    return links


def _titled(
    file: GraphMLFile, data: dict[str, str], where: str, defaults: dict[str, str]
) -> dict[str, str]:
    """Return what stands under the keys of a file under their titles, the first of a title."""
    texts: dict[str, str] = {}
    for key, (owner, title, _) in file.keys.items():
        text = data.get(key, defaults.get(key))
        if owner in (where, "all") and text is not None:
            texts.setdefault(title, text)
    return texts


def links_of_table(text: str, separator: str) -> Links:
    """Return the edges of a table that has the columns "source" and "target", named in line 1.

    Cells may be quoted; a row without a target is a node without edges.

    >>> links_of_table("source,target,weight\\na,b,0.5\\nc,,\\n", ",").column("weight")
    ['0.5']
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except (csv.Error, TypeError) as error:
        raise InputError(f"the text is not a table: {error}") from error
    rows = [row for row in rows if row]
    header = [title.strip().lower() for title in rows[0]] if rows else []
    if not {"source", "target"} <= set(header) or len(set(header)) < len(header):
        raise InputError(
            'the first line must name the columns, "source" and "target" among them, found '
            f"{str(header)[:100]}"
        )
    others = [title for title in header if title not in ("source", "target")]
    links = Links(kinds={title: "number" if title == "weight" else "any" for title in others})
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise InputError(f"line {number} has {len(row)} cells, not {len(header)}")
        cells = dict(zip(header, row, strict=True))
        if not cells["source"]:
            raise InputError(f"line {number} has no source")
        ends = [cells.pop(title) for title in ("source", "target")]
        links.add([end for end in ends if end], cells)
    return links


def links_of_lines(text: str) -> Links:
    """Return the edges of lines "a b" or "a b weight"; a line of one word is a lone node.

    >>> links_of_lines("# ours\\na b 0.5\\nc\\n").nodes
    {'a': {}, 'b': {}, 'c': {}}
    """
    links = Links(kinds={"weight": "number"})
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#%":
            continue
        words = _words(line)
        if number == 1 and {word.lower() for word in words[:2]} <= _ENDS:
            continue
        links.add(words[:2], _weight(words[2:], number))
    return links


def _words(line: str) -> list[str]:
    head, brace, data = line.partition("{")
    for mark in ("\t", ";", ","):
        if mark in head:
            words = [word.strip().strip('"') for word in head.split(mark)]
            break
    else:
        words = head.split()
    return [*(word for word in words if word), *([brace + data] if brace else [])]


def _weight(words: list[str], number: int) -> dict[str, str]:
    if not words:
        return {}
    if words[0].startswith("{"):  # as networkx writes the data of an edge
        weight = _WEIGHT.search(words[0])
        return {"weight": weight[1]} if weight else {}
    try:
        float(words[0])
    except ValueError as error:
        raise InputError(
            f"line {number} of the edge list has {words[0][:30]!r} for a weight: write two names "
            "and, if you like, a number"
        ) from error
    return {"weight": words[0]}
