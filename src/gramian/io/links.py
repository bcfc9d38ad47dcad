"""The nodes and edges that a GraphML file or an edge list names: one reader, for every use."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass, field

from gramian.errors import InputError
from gramian.io.content import lines_of
from gramian.io.graphml import GraphMLFile, GraphMLGraph, parse
from gramian.io.guard import unguarded
from gramian.io.opening import damage
from gramian.io.quotes import check_quotes
from gramian.io.weights import data_weight, number

# What it reads is judged elsewhere: docs/decisions.md, "One reader of edges".
_ENDS = {"source", "target", "from", "to", "u", "v", "node1", "node2", "i", "j"}
_DATA = re.compile(r"(.*\S\s*[\s,;])(\{.*\})\s*")  # as networkx writes the data of an edge
_DECIMAL_COMMA = re.compile(r"\S+\s+\S+\s+[+-]?\d+,\d+")
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
    usual : dict
        {title: text} for edges of which nothing is said.
    kinds : dict
        Titles of edges → "number" (said to be numbers), "text", or "any" where nothing is said.
    defaults : dict
        {title: text} for nodes of which nothing is said.
    lines : list
        Where each edge stands in the file.
    extras : int
        Lines with cells after the weight, which are not read.
    """

    name: str = "graph"
    directed: bool = False
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    ends: list[tuple[str, str]] = field(default_factory=list)
    values: list[dict[str, str]] = field(default_factory=list)
    usual: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    extras: int = 0

    def column(self, title: str) -> list[str | None]:
        """Return what is said under a title of each edge, None where nothing is."""
        usual = self.usual.get(title)
        return [value.get(title, usual) for value in self.values]

    def number(self, edge: int, title: str, finite: bool = False) -> float:
        """Return what is said of an edge as a number, 1 where nothing is."""
        text = self.values[edge].get(title, self.usual.get(title, "1"))
        value = number(text)
        if value is None or (finite and not math.isfinite(value)):
            fault = "is no number" if value is None else "must be finite"
            a, b = (end[:40] for end in self.ends[edge])
            raise InputError(
                f"line {self.lines[edge]}: the {title[:40]} {text[:40]!r} {fault} "
                f"(the edge {a!r} to {b!r}): write digits, such as 0.5"
            )
        return value

    def add(self, ends: list[str], values: dict[str, str], line: int) -> None:
        """Add an edge, or a node where only one end is named."""
        for name in ends:
            self.nodes.setdefault(name, {})
        if len(ends) == 2:
            self.ends.append((ends[0], ends[1]))
            self.values.append(values)
            self.lines.append(line)


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
            if key in file.defaults:  # once for all edges, not for each
                links.usual.setdefault(title, file.defaults[key])
        if owner in ("node", "all") and key in file.defaults:
            links.defaults.setdefault(title, file.defaults[key])
    for name, data in graph.nodes.items():
        links.nodes[name] = _titled(file, data, "node")
    links.lines = graph.lines
    for a, b, data in graph.edges:
        links.ends.append((a, b))
        links.values.append(_titled(file, data, "edge"))
    return links


def _titled(file: GraphMLFile, data: dict[str, str], where: str) -> dict[str, str]:
    """Return what stands under the keys of a file under their titles, the first of a title."""
    texts: dict[str, str] = {}
    for key, text in data.items():
        owner, title, _ = file.keys.get(key, ("", "", ""))
        if owner in (where, "all"):
            texts.setdefault(title, text)
    return texts


def links_of_table(text: str, separator: str) -> Links:
    """Return the edges of a table that has the columns "source" and "target", named in line 1.

    Cells may be quoted; a row without a target is a node without edges.

    >>> links_of_table("source,target,weight\\na,b,0.5\\nc,,\\n", ",").column("weight")
    ['0.5']
    """
    try:
        check_quotes(text.encode("utf-8"), separator)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows = [(reader.line_num, [unguarded(cell) for cell in row]) for row in reader if row]
    except (csv.Error, TypeError, InputError) as error:
        reason = error if isinstance(error, InputError) else damage(error)
        raise InputError(f"the text is not a table: {reason}") from error
    header = [title.strip().lower() for title in rows[0][1]] if rows else []
    if not {"source", "target"} <= set(header) or len(set(header)) < len(header):
        raise InputError(
            'the first line must name the columns, "source" and "target" among them, found '
            f"{str(header)[:100]}"
        )
    others = [title for title in header if title not in ("source", "target")]
    links = Links(kinds={title: "number" if title == "weight" else "any" for title in others})
    for line, row in rows[1:]:
        if len(row) != len(header):
            raise InputError(f"line {line} has {len(row)} cells, not {len(header)}")
        cells = dict(zip(header, row, strict=True))
        if not cells["source"]:
            raise InputError(f"line {line} has no source")
        ends = [cells.pop(title) for title in ("source", "target")]
        links.add([end for end in ends if end], cells, line)
    return links


def links_of_lines(text: str) -> Links:
    """Return the edges of lines "a b" or "a b weight"; a line of one word is a lone node.

    >>> links_of_lines("# ours\\na b 0.5\\nc\\n").nodes
    {'a': {}, 'b': {}, 'c': {}}
    """
    links = Links(kinds={"weight": "number"})
    numbered = enumerate((line.strip() for line in lines_of(text)), 1)
    lines = [(k, *_parted(line)) for k, line in numbered if line and line[0] not in "#%"]
    mark = _mark([head for _, head, _ in lines])
    for k, (line, head, data) in enumerate(lines):
        cells = _cells(head, mark, line)
        if k == 0 and len(cells) > 1 and {cell.lower() for cell in cells[:2]} <= _ENDS:
            continue
        links.add(cells[:2], _weight(cells[2:3], data, line), line)
        links.extras += len(cells) > 3
    return links


def _parted(line: str) -> tuple[str, str]:
    """Return the cells of a line, and the data of the edge after them."""
    match = _DATA.fullmatch(line)
    return (match[1].rstrip(" \t,;"), match[2]) if match else (line, "")


def _mark(heads: list[str]) -> str | None:
    """Return the mark between the cells of all lines, None for spaces; lone nodes have none."""
    for mark in "\t;,":
        others = [head for head in heads if mark not in head]
        if len(others) < len(heads) and all(len(head.split()) == 1 for head in others):
            is_decimal = mark == "," and all(_DECIMAL_COMMA.fullmatch(head) for head in heads)
            return None if is_decimal else mark
    return None


def _cells(head: str, mark: str | None, line: int) -> list[str]:
    """Return the cells of a line, the empty ones at its end left out."""
    if mark is None:
        return re.split(r"[ \t]+", head)  # a name may hold other spaces
    try:
        row = next(csv.reader([head], delimiter=mark, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise InputError(f"line {line} cannot be cut into cells: {damage(error)}") from error
    cells = [cell.strip() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    if "" in cells[:2]:
        raise InputError(f"line {line} has an edge with one end only: name both, or a lone node")
    return cells


def _weight(cells: list[str], data: str, line: int) -> dict[str, str]:
    """Return the weight of an edge, where its line has one."""
    if data:
        try:
            text = data_weight(data)
        except ValueError as error:
            raise InputError(f"line {line}: {data[:40]!r} cannot be read: {error}") from error
        return {} if text is None else {"weight": text}
    if not cells or not cells[0]:
        return {}
    if number(cells[0]) is None:
        raise InputError(
            f"line {line} of the edge list has {cells[0][:30]!r} for a weight: write two names "
            "and, if you like, a number"
        )
    return {"weight": cells[0]}
