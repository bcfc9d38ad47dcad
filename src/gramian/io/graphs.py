"""Graphs in files: GraphML, edge lists, and folders of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gramian.errors import InputError
from gramian.io.content import decode_text, load, reason_of
from gramian.io.formats import Options, distinct
from gramian.io.links import Links, links_of_graphml, links_of_lines
from gramian.io.notes import note, size_note
from gramian.io.source import Source, few

if TYPE_CHECKING:
    from gramian.kernels.graph import Graph

_SUFFIXES = {".graphml", ".xml", ".edgelist", ".edges", ".ncol", ".txt", ".csv", ".tsv", ".gz"}
_MAX_FILES = 100_000  # files of a folder


def read_edges(data: bytes, options: Options) -> Source:
    """Read one graph from an edge list."""
    return _source([_of_text(data, options)])


def read_graphml(data: bytes, options: Options) -> Source:
    """Read the graphs of a GraphML file."""
    return _source(links_of_graphml(data))


def _of_text(data: bytes, options: Options) -> Links:
    return links_of_lines(decode_text(data, options.encoding)[0].decode("utf-8"))


def read_folder(path: Path, options: Options) -> Source:
    """Read every graph file of a folder, in the order of their names."""
    try:
        entries = sorted((p for p in path.iterdir() if not p.name.startswith(".")), key=_natural)
    except OSError as error:
        raise InputError(f"{str(path)[-200:]} cannot be listed: {reason_of(error)}") from error
    files = [p for p in entries if p.suffix.lower() in _SUFFIXES]
    if not files:
        raise InputError(f"{path} holds no graph files: {', '.join(sorted(_SUFFIXES))} are known")
    if len(files) > _MAX_FILES:
        raise InputError(f"{path} holds {len(files)} files, more than {_MAX_FILES}")
    collection: list[Links] = []
    inside = path.resolve()
    for file in files:
        try:
            collection += _of_file(file, inside, options)
        except (InputError, ValueError) as error:
            raise InputError(f"{file.name[:100]}: {str(error)[:290]}") from error
    source = replace(_source(collection), path=str(path))
    others = [p.name for p in entries if p.suffix.lower() not in _SUFFIXES]
    if others:
        source.notes.append(note("other_files", n=len(others), names=few(others)))
    return source


def _of_file(file: Path, folder: Path, options: Options) -> list[Links]:
    """Return the graphs of a file, named after it."""
    data = load(_inside(file, folder), options.largest).data
    stem = file.name.removesuffix(".gz").rsplit(".", 1)[0]
    xml = data.lstrip()[:1] == b"<"
    inside = links_of_graphml(data) if xml else [_of_text(data, options)]
    if len(inside) == 1:
        return [replace(inside[0], name=stem)]
    return [replace(links, name=f"{stem} {links.name}") for links in inside]


def _inside(file: Path, folder: Path) -> Path:
    """Return where a file is; a link that leaves the folder would show other files."""
    try:
        place = file.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise InputError("it is a link that leads nowhere: remove it") from error
    if not place.is_relative_to(folder):
        raise InputError("it is a link that leads out of the folder: put the file itself there")
    return place


def _natural(path: Path) -> list[tuple[int, str]]:
    """Sort g2 before g10."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(p), "") if p.isdecimal() else (-1, p) for p in parts]


def _source(collection: Iterable[Links]) -> Source:
    collection, graphs, loops, repeats = list(collection), [], 0, 0
    for links in collection:
        try:
            graph, more_loops, more_repeats = _simple_graph(links)
        except ValueError as error:
            raise InputError(f"graph {links.name!r}: {error}") from error
        graphs.append(graph)
        loops, repeats = loops + more_loops, repeats + more_repeats
    labels, _ = distinct(links.name for links in collection)
    notes = [size_note("graphs", [graph.n_nodes for graph in graphs])]
    warnings = []
    if directed := sum(links.directed for links in collection):
        warnings.append(note("directed", n=directed))
    if loops or repeats:
        warnings.append(note("loops", n=loops, m=repeats))
    if extras := sum(links.extras for links in collection):
        warnings.append(note("edge_columns", n=extras))
    return Source("graphs", labels, graphs=graphs, notes=notes, warnings=warnings)


def _simple_graph(links: Links) -> tuple[Graph, int, int]:
    """Return a graph without loops and repeated edges, and how many of each were left out."""
    # Here, not above: reading a table has no use for the graph kernels that come with it.
    from gramian.kernels.graph import Graph

    names = dict.fromkeys([*links.nodes, *(end for pair in links.ends for end in pair)])
    place = {name: k for k, name in enumerate(names)}
    weights: dict[tuple[int, int], float] = {}
    loops = 0
    for k, (a, b) in enumerate(links.ends):
        i, j = sorted((place[a], place[b]))
        weight = links.number(k, "weight", finite=True)
        if i == j:
            loops += 1
        elif weights.setdefault((i, j), weight) != weight:
            raise InputError(
                f"the edge between {a!r} and {b!r} has two weights, {weights[i, j]:g} and "
                f"{weight:g}: keep one"
            )
    repeats = len(links.ends) - loops - len(weights)
    graph = Graph.from_edges(
        len(place), list(weights), list(weights.values()), _labels(links, names), list(place)
    )
    return graph, loops, repeats


def _labels(links: Links, names: Iterable[str]) -> list[str] | None:
    """Return the labels of the nodes, None where none has one."""
    usual = links.defaults.get("label")
    texts = [
        links.nodes[name].get("label", usual) if name in links.nodes else None for name in names
    ]
    labels = [text.strip() for text in texts if text is not None]
    if labels and len(labels) < len(texts):
        raise InputError(f"{len(labels)} of {len(texts)} nodes have a label: label all or none")
    return labels or None
