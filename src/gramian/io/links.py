"""The nodes and edges that a GraphML file or an edge list names: one reader, for every use."""

import ast
import csv
import io
import math
import re
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from gramian.errors import InputError
from gramian.io.content import damage, lines_of, name_damage
from gramian.io.csv_cells import check_quotes, unescape_formula
from gramian.io.doctor.texts import number

# What it reads is judged by its callers: docs/decisions.md, "One reader of edges".
_END_TITLES = {"source", "target", "from", "to", "u", "v", "node1", "node2", "i", "j"}
_EDGE_DATA = re.compile(r"(.*\S\s*[\s,;])(\{.*\})\s*")  # as networkx writes the data of an edge
_DECIMAL_COMMA = re.compile(r"\S+\s+\S+\s+[+-]?\d+,\d+")
_NUMBER_TYPES = ("double", "float", "int", "long")  # of GraphML
_NUMPY_TYPES = ("float16", "float32", "float64", "int8", "int16", "int32", "int64")
_UNSUPPORTED = {"hyperedge", "port", "endpoint", "locator"}  # elements of GraphML
_MAX_DATA_LENGTH = 10_000  # characters of the data of one edge
_MAX_VALUE_LENGTH = 100_000  # characters of one value of GraphML


@dataclass(eq=False)
class Links:
    """A graph as a file lists it: texts, loops and repeated edges included."""

    name: str = "graph"
    directed: bool = False
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)  # name → {title: text}
    # The names of the two ends of each edge; a GraphML file may name ends that are no nodes.
    ends: list[tuple[str, str]] = field(default_factory=list)
    values: list[dict[str, str]] = field(default_factory=list)  # of each edge, {title: text}
    usual: dict[str, str] = field(default_factory=dict)  # of edges that have no value
    # Titles of edges → "number" (declared as numbers), "text", or "any" where nothing is declared.
    kinds: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, str] = field(default_factory=dict)  # of nodes that have no value
    lines: list[int] = field(default_factory=list)  # where each edge stands in the file
    extras: int = 0  # lines with cells after the weight, which are not read

    def column(self, title: str) -> list[str | None]:
        """Return the values of all edges under a title, None for a missing one."""
        usual = self.usual.get(title)
        return [value.get(title, usual) for value in self.values]

    def number(self, edge: int, title: str, finite: bool = False) -> float:
        """Return a value of an edge as a number, 1 where it has none."""
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


def links_of_table(text: str, separator: str) -> Links:
    """Return the edges of a table that has the columns "source" and "target", named in line 1.

    Cells may be quoted; a row without a target is a node without edges.
    """
    try:
        check_quotes(text.encode("utf-8"), separator)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows = [
            (reader.line_num, [unescape_formula(cell) for cell in row]) for row in reader if row
        ]
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
    """Return the edges of lines "a b" or "a b weight"; a line of one word is a lone node."""
    links = Links(kinds={"weight": "number"})
    numbered = enumerate((line.strip() for line in lines_of(text)), 1)
    lines = [(k, *_split_data(line)) for k, line in numbered if line and line[0] not in "#%"]
    mark = _separator([head for _, head, _ in lines])
    for k, (line, head, data) in enumerate(lines):
        cells = _split_cells(head, mark, line)
        if k == 0 and len(cells) > 1 and {cell.lower() for cell in cells[:2]} <= _END_TITLES:
            continue
        links.add(cells[:2], _edge_weight(cells[2:3], data, line), line)
        links.extras += len(cells) > 3
    return links


def _split_data(line: str) -> tuple[str, str]:
    """Return the cells of a line, and the data of the edge after them."""
    match = _EDGE_DATA.fullmatch(line)
    return (match[1].rstrip(" \t,;"), match[2]) if match else (line, "")


def _separator(heads: list[str]) -> str | None:
    """Return the mark between the cells of all lines, None for spaces; lone nodes have none."""
    for mark in "\t;,":
        others = [head for head in heads if mark not in head]
        if len(others) < len(heads) and all(len(head.split()) == 1 for head in others):
            is_decimal = mark == "," and all(_DECIMAL_COMMA.fullmatch(head) for head in heads)
            return None if is_decimal else mark
    return None


def _split_cells(head: str, mark: str | None, line: int) -> list[str]:
    """Return the cells of a line, the empty ones at its end left out."""
    if mark is None:
        return re.split(r"[ \t]+", head)  # a name may hold other spaces
    with name_damage(f"line {line} cannot be cut into cells", csv.Error):
        row = next(csv.reader([head], delimiter=mark, skipinitialspace=True, strict=True))
    cells = [cell.strip() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    if "" in cells[:2]:
        raise InputError(f"line {line} has an edge with one end only: name both, or a lone node")
    return cells


def _edge_weight(cells: list[str], data: str, line: int) -> dict[str, str]:
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
            "and, optionally, a number"
        )
    return {"weight": cells[0]}


def data_weight(text: str) -> str | None:
    """Return what networkx wrote as the weight of an edge, None where it wrote none."""
    if len(text) > _MAX_DATA_LENGTH:
        raise ValueError("it is too long")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("it is no {name: value}") from error
    if not isinstance(tree, ast.Dict):
        raise ValueError("it is no {name: value}")
    pairs = zip(tree.keys, tree.values, strict=True)
    found = [v for k, v in pairs if isinstance(k, ast.Constant) and k.value == "weight"]
    if len(found) > 1:
        raise ValueError("it has two weights")
    if not found:
        return None
    value = found[0]  # as it was written, out of quotes and of NumPy's names of types
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        name = ast.unparse(value.func).rpartition(".")[2]
        value = value.args[0] if name in _NUMPY_TYPES else value
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    return ast.get_source_segment(text, value) or ""


# Why not networkx: docs/decisions.md, "Our own, though a library exists".
def links_of_graphml(data: bytes) -> list[Links]:
    """Return the graphs of a GraphML file, read as if hostile: no document types, no entities."""
    parser = expat.ParserCreate()
    reader = _GraphMLReader(parser)
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
    if not reader.graphs:
        raise InputError("there is no graph in the XML: it is not GraphML")
    reader.resolve_keys()
    return reader.graphs


def _refuse_types(*_: object) -> NoReturn:
    # Entities can be made to expand without end or to name other files.
    raise InputError("the XML declares a document type or entities: it is refused")


class _GraphMLReader:
    """The state of a parse: the elements that are open, and the value that is being read.

    Values are kept under the ids of their keys until the end, for keys may be declared after them.
    """

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.parser = parser
        self.keys: dict[str, tuple[str, str, str]] = {}  # id → (for node, edge or all; title; type)
        self.defaults: dict[str, str] = {}
        self.graphs: list[Links] = []
        self.open: list[str] = []
        self.key = ""
        self.pieces: list[str] = []
        self.length = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if tag in _UNSUPPORTED:
            raise InputError(f"<{tag}> is not supported: only plain graphs are read")
        if not self.open and tag != "graphml":
            raise InputError(f"the XML starts with <{tag[:40]}>, not <graphml>")
        if tag in ("node", "edge") and "graph" not in self.open:
            raise InputError(f"there is a <{tag}> outside of any graph")
        if tag == "graph":
            self.graph(attributes)
        elif tag == "key":
            self.key = _require(attributes, "id", tag)
            title = attributes.get("attr.name", self.key)
            kind = attributes.get("attr.type", "string")
            self.keys[self.key] = (attributes.get("for", "all"), title, kind)
        elif tag == "node":
            self.node(_require(attributes, "id", tag))
        elif tag == "edge":
            self.edge(attributes)
        elif tag == "data":
            self.key = _require(attributes, "key", tag)
        if tag in ("data", "default"):
            self.pieces, self.length = [], 0
        self.open.append(tag)

    def graph(self, attributes: dict[str, str]) -> None:
        if "graph" in self.open:
            raise InputError("there is a graph inside another: flatten it first")
        directed = attributes.get("edgedefault", "undirected") != "undirected"
        self.graphs.append(Links(attributes.get("id") or f"graph {len(self.graphs) + 1}", directed))

    def node(self, name: str) -> None:
        nodes = self.graphs[-1].nodes
        if name in nodes:
            raise InputError(f"node {name[:40]!r} is there twice")
        nodes[name] = {}

    def edge(self, attributes: dict[str, str]) -> None:
        links = self.graphs[-1]
        links.directed |= attributes.get("directed", "false") != "false"
        links.lines.append(self.parser.CurrentLineNumber)
        source, target = (_require(attributes, end, "edge") for end in ("source", "target"))
        links.ends.append((source, target))
        links.values.append({})

    def text(self, data: str) -> None:
        if self.open and self.open[-1] in ("data", "default"):
            self.length += len(data)
            if self.length > _MAX_VALUE_LENGTH:
                raise InputError(f"a value is longer than {_MAX_VALUE_LENGTH} characters")
            self.pieces.append(data)

    def end(self, _: str) -> None:
        tag = self.open.pop()
        value = "".join(self.pieces)
        if tag == "default":
            self.defaults[self.key] = value
        elif tag == "data" and self.open[-1] == "node":
            next(reversed(self.graphs[-1].nodes.values()))[self.key] = value
        elif tag == "data" and self.open[-1] == "edge":
            self.graphs[-1].values[-1][self.key] = value

    def resolve_keys(self) -> None:
        """Put titles in the place of the ids of keys."""
        for links in self.graphs:
            for key, (owner, title, kind) in self.keys.items():
                if owner in ("edge", "all"):
                    links.kinds.setdefault(title, "number" if kind in _NUMBER_TYPES else "text")
                    if key in self.defaults:  # once for all edges, not for each
                        links.usual.setdefault(title, self.defaults[key])
                if owner in ("node", "all") and key in self.defaults:
                    links.defaults.setdefault(title, self.defaults[key])
            links.nodes = {name: self._titles(data, "node") for name, data in links.nodes.items()}
            links.values = [self._titles(data, "edge") for data in links.values]

    def _titles(self, data: dict[str, str], where: str) -> dict[str, str]:
        """Return what stands under keys under their titles, the first of a title."""
        texts: dict[str, str] = {}
        for key, text in data.items():
            owner, title, _ = self.keys.get(key, ("", "", ""))
            if owner in (where, "all"):
                texts.setdefault(title, text)
        return texts


def _require(attributes: dict[str, str], name: str, tag: str) -> str:
    if name not in attributes:
        raise InputError(f"a <{tag}> has no {name}")
    return attributes[name]
