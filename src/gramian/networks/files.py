"""Networks in files: GraphML and tables of edges, written so that every number comes back."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from gramian._core.check import short, text
from gramian.errors import InputError, InputTypeError
from gramian.io.content import file_bytes
from gramian.io.csv_cells import escape_formula, quoting
from gramian.io.files import atomic_write
from gramian.io.links import Links, links_of_graphml, links_of_table
from gramian.networks.network import Network

_MAX_BYTES = 1_000_000_000
_MAX_DEFAULTS = 10_000_000  # numbers of edges that stand in a file once
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
)


def write_edges(network: Network, path: str | Path) -> None:
    """Write a network as a table of edges: source, target, weight and other columns.

    Columns are separated by commas in a file that ends in .csv, by tabs in any other. A node
    without edges has a line of its own, with nothing after its name.

    Parameters
    ----------
    network, path : Network, str or Path
        The network to write, and the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "net.csv"
    >>> write_edges(Network([[0, -0.5], [-0.5, 0]], names=["a", "b"]), path)
    >>> path.read_text().split()
    ['source,target,weight', 'a,b,-0.5']
    """
    require_network(network)
    columns = [network.weights, *network.edge_values.values()]
    names = [escape_formula(str(name)) for name in network.names]
    titles = [escape_formula(title) for title in network.edge_values]
    with atomic_write(path) as file:
        quotes = quoting([*names, *titles])
        lines = csv.writer(file, delimiter=_separator(path), lineterminator="\n", quoting=quotes)
        lines.writerow(["source", "target", "weight", *titles])
        for k, (i, j) in enumerate(network.ends):
            lines.writerow([names[i], names[j], *(repr(float(v[k])) for v in columns)])
        for alone in np.flatnonzero(network.degree().to_numpy() == 0):
            lines.writerow([names[alone], *[""] * (len(columns) + 1)])


def read_edges(path: str | Path, *, separator: str | None = None) -> Network:
    """Read a network from a table of edges.

    Parameters
    ----------
    path, separator : str or Path, str, optional
        The file, and the separator; by default a comma for .csv, a tab for other files.

    Returns
    -------
    Network
        The first line names the columns: "source", "target", optionally "weight" (1 by default),
        and others, which are kept if numeric. Loops and repeated edges are an error.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "net.csv"
    >>> _ = path.write_text("source,target,weight\\na,b,0.5\\nc,,\\n")
    >>> read_edges(path).n_edges
    1
    """
    mark = _separator(path) if separator is None else separator
    with _error_context(path):
        return _network(links_of_table(file_bytes(path, _MAX_BYTES).decode("utf-8-sig"), mark))


def _separator(path: str | Path) -> str:
    return "," if str(path).lower().endswith(".csv") else "\t"


def write_graphml(network: Network, path: str | Path) -> None:
    """Write a network as GraphML.

    Names become the node attribute "name", weights and other columns attributes of the edges. Its
    parameters are those of `write_edges`.

    Examples
    --------
    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/net.graphml"
    >>> write_graphml(Network([[0, -0.5], [-0.5, 0]], names=["a", "b"]), path)
    >>> float(read_graphml(path).weights[0])
    -0.5
    """
    require_network(network)
    with atomic_write(path) as file:
        file.writelines(_lines(network))


def require_network(network: object) -> None:
    """Raise an error for what is no network."""
    if not isinstance(network, Network):
        raise InputTypeError(f"network={short(network)} must be a networks.Network")


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
    for k, (i, j) in enumerate(network.ends):
        data = "".join(f'<data key="e{c}">{float(v[k])!r}</data>' for c, v in enumerate(columns))
        yield f'    <edge source="n{i}" target="n{j}">{data}</edge>\n'
    yield "  </graph>\n</graphml>\n"


def _legal(label: object) -> str:
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
    path, weight : str or Path, str
        The file, and the edge attribute with the weights, 1 for edges without it. Other numeric
        attributes that all edges have become columns of `edges`.
    name : str
        The node attribute with the names; by default of it, "label" or the ids of the nodes.

    Returns
    -------
    Network
        Document types and entities, directed or nested graphs, hyperedges, loops, repeated edges
        and ends that are not nodes are errors.

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
    text(weight, "weight")
    text(name, "name")
    with _error_context(path):
        graphs = links_of_graphml(file_bytes(path, _MAX_BYTES))
        if len(graphs) > 1:
            raise InputError("there is more than one graph: keep one")
        return _network(graphs[0], weight, name)


def _network(links: Links, weight: str = "weight", name: str = "name") -> Network:
    """Return the network that a file holds; refuse what is no plain undirected graph."""
    if links.directed:
        raise InputError("the graph is directed: make it undirected first")
    if not links.nodes:
        raise InputError("there are no edges and no nodes")
    place = {label: k for k, label in enumerate(links.nodes)}
    for end in (end for pair in links.ends for end in pair):
        if end not in place:
            raise InputError(f"an edge ends at {end[:40]!r}, which is no node")
    ends = [(place[a], place[b]) for a, b in links.ends]
    columns = dict(_columns(links, weight))
    # By the edge: where some have a weight and others none, those keep theirs.
    weights = [links.number(k, weight, finite=True) for k in range(len(ends))]
    known = (title for title in (name, "label") if all(title in v for v in links.nodes.values()))
    title = next(known, None)  # that all nodes have
    names = [node if title is None else values[title] for node, values in links.nodes.items()]
    _require_simple(names, ends, weights)
    return Network.from_edges(names, ends, weights, columns)


def _columns(links: Links, weight: str) -> Iterator[tuple[str, list[float]]]:
    """Go through the numbers, besides the weight, that every edge has."""
    said = sum(len(values) for values in links.values)
    if len(links.usual) * len(links.ends) > _MAX_DEFAULTS + 100 * said:
        raise InputError(
            f"{len(links.usual)} attributes by default of {len(links.ends)} edges are too many: "
            "remove those that are not needed"
        )
    first = links.values[0] if links.values else {}
    for title, kind in links.kinds.items():
        if title == weight or kind == "text" or not (title in first or title in links.usual):
            continue
        texts = links.column(title)
        if not texts or None in texts:
            continue
        try:
            yield title, [links.number(k, title) for k in range(len(texts))]
        except InputError:
            if kind == "number":  # other columns need not hold numbers
                raise


def _require_simple(names: list[str], ends: list[tuple[int, int]], weights: list[float]) -> None:
    """Refuse names that two nodes have, loops, repeated edges and weights that are none."""
    if len(set(names)) < len(names):
        raise InputError("two nodes have the same name: give each its own")
    seen: set[tuple[int, int]] = set()
    for (i, j), w in zip(ends, weights, strict=True):
        pair = f"{names[i][:40]!r} and {names[j][:40]!r}"
        if i == j:
            raise InputError(f"node {names[i][:40]!r} has a loop: remove it")
        if (min(i, j), max(i, j)) in seen:
            raise InputError(f"the edge between {pair} is there twice: keep one")
        if w == 0:
            raise InputError(f"the weight between {pair} is 0: leave the edge out")
        seen.add((min(i, j), max(i, j)))


@contextmanager
def _error_context(path: str | Path) -> Iterator[None]:
    """Name the file in every error that reading it raises."""
    name = str(path)[-120:]
    try:
        yield
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not text in UTF-8: {error}") from error
    except (ValueError, LookupError) as error:  # also an encoding that the parser does not know
        text = str(error)
        raise InputError(text if name in text else f"{name}: {text}"[:400]) from error
