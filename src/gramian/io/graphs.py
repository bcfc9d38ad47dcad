"""Graphs in files: GraphML, edge lists, and folders of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gramian.errors import InputError
from gramian.io.content import decoded, load
from gramian.io.graphml import GraphMLFile, GraphMLGraph, parse
from gramian.io.raw import Options, distinct
from gramian.io.source import Source
from gramian.io.words import note
from gramian.kernels.graph import Graph

__all__ = ["edges", "folder", "graphml_file"]

_SUFFIXES = {".graphml", ".xml", ".edgelist", ".edges", ".ncol", ".txt", ".csv", ".tsv", ".gz"}
_HEADER = {"source", "target", "from", "to", "u", "v", "node1", "node2", "i", "j"}
_WEIGHT = re.compile(r"""['"]weight['"]\s*:\s*([-+.\deE]+)""")
_MOST = 100_000  # files of a folder


@dataclass
class Links:
    """The nodes and edges of a graph as a file lists them."""

    labels: dict[str, str | None] = field(default_factory=dict)  # of each node, by its name
    ends: list[tuple[str, str]] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    directed: bool = False

    def graph(self) -> tuple[Graph, int, int]:
        """Return the graph, and the loops and repeated edges that were left out."""
        place = {name: k for k, name in enumerate(self.labels)}
        kept: dict[tuple[int, int], float] = {}
        loops = repeats = 0
        for (a, b), weight in zip(self.ends, self.weights, strict=True):
            i, j = sorted((place[a], place[b]))
            if i == j:
                loops += 1
            elif kept.setdefault((i, j), weight) != weight:
                raise InputError(
                    f"the edge between {a!r} and {b!r} has two weights, {kept[i, j]:g} and "
                    f"{weight:g}: keep one"
                )
            else:
                repeats += 1
        repeats -= len(kept)
        known = [label for label in self.labels.values() if label is not None]
        if known and len(known) < len(self.labels):
            raise InputError(f"{len(known)} of {len(self.labels)} nodes have a label: all or none")
        made = Graph.from_edges(
            len(place), list(kept), list(kept.values()), known or None, list(place)
        )
        return made, loops, repeats


def _links_of_text(text: bytes) -> Links:
    """Return the edges of lines "a b" or "a b weight"; a line of one word is a lone node."""
    links = Links()
    for number, line in enumerate(text.decode("utf-8").splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#%":
            continue
        words = _words(line)
        if number == 1 and {w.lower() for w in words[:2]} <= _HEADER:
            continue
        for name in words[:2]:
            links.labels.setdefault(name, None)
        if len(words) > 1:
            links.ends.append((words[0], words[1]))
            links.weights.append(_weight(words[2:], number))
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


def _weight(words: list[str], number: int) -> float:
    if not words:
        return 1.0
    if words[0].startswith("{"):  # as networkx writes the data of an edge
        found = _WEIGHT.search(words[0])
        return float(found[1]) if found else 1.0
    try:
        return float(words[0])
    except ValueError as error:
        raise InputError(
            f"line {number} of the edge list has {words[0][:30]!r} for a weight: write two names "
            "and, if you like, a number"
        ) from error


def edges(data: bytes, options: Options) -> Source:
    """Read one graph from an edge list."""
    return _source([("graph", _links_of_text(decoded(data, options.encoding)[0]))])


def graphml_file(data: bytes, options: Options) -> Source:
    """Read the graphs of a GraphML file."""
    return _source(_of_graphml(data))


def _of_graphml(data: bytes) -> list[tuple[str, Links]]:
    file = parse(data)
    return [(graph.name, _links_of_graphml(file, graph)) for graph in file.graphs]


def _links_of_graphml(file: GraphMLFile, graph: GraphMLGraph) -> Links:
    """Return the nodes with the attribute "label", the edges with the attribute "weight"."""
    links = Links(directed=graph.directed)
    labels, weights = file.titled("label", "node"), file.titled("weight", "edge")
    for name, data in graph.nodes.items():
        texts = [text for key in labels if (text := file.value(data, key)) is not None]
        links.labels[name] = texts[0].strip() if texts else None
    for a, b, data in graph.edges:
        for name in (a, b):
            links.labels.setdefault(name, None)
        texts = [text for key in weights if (text := file.value(data, key)) is not None]
        links.ends.append((a, b))
        links.weights.append(_number(texts[0], (a, b)) if texts else 1.0)
    return links


def _number(text: str, ends: tuple[str, str]) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(f"the edge {str(ends)[:80]} has {text[:30]!r} for a weight") from error


def folder(path: Path, options: Options) -> Source:
    """Read every graph file of a folder, in the order of their names."""
    files = sorted((p for p in path.iterdir() if _is_graph_file(p)), key=_natural)
    if not files:
        raise InputError(f"{path} holds no graph files: {', '.join(sorted(_SUFFIXES))} are known")
    if len(files) > _MOST:
        raise InputError(f"{path} holds {len(files)} files, more than {_MOST}")
    found: list[tuple[str, Links]] = []
    for file in files:
        try:
            found += _of_file(file, options)
        except (InputError, ValueError) as error:
            raise InputError(f"{file.name}: {str(error)[:350]}") from error
    return replace(_source(found), path=str(path))


def _of_file(file: Path, options: Options) -> list[tuple[str, Links]]:
    data, _ = load(file)
    stem = file.name.removesuffix(".gz").rsplit(".", 1)[0]
    if data.lstrip()[:1] != b"<":
        return [(stem, _links_of_text(decoded(data, options.encoding)[0]))]
    inside = _of_graphml(data)
    if len(inside) == 1:
        return [(stem, inside[0][1])]
    return [(f"{stem} {name}", links) for name, links in inside]


def _is_graph_file(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() in _SUFFIXES and not path.name.startswith(".")


def _natural(path: Path) -> list[Any]:
    """Sort g2 before g10."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(p), "") if p.isdigit() else (-1, p) for p in parts]


def _source(found: Iterable[tuple[str, Links]]) -> Source:
    names, graphs, directed, loops, repeats = [], [], 0, 0, 0
    for name, links in found:
        try:
            graph, more_loops, more_repeats = links.graph()
        except ValueError as error:
            raise InputError(f"graph {name!r}: {error}") from error
        names.append(name)
        graphs.append(graph)
        directed += links.directed
        loops, repeats = loops + more_loops, repeats + more_repeats
    sizes = [g.n_nodes for g in graphs]
    labels, _ = distinct(names)
    notes = [note("graphs", n=len(graphs), low=min(sizes), high=max(sizes))]
    warnings = []
    if directed:
        warnings.append(note("directed", n=directed))
    if loops or repeats:
        warnings.append(note("loops", n=loops, m=repeats))
    return Source("graphs", labels, graphs=graphs, notes=notes, warnings=warnings)
