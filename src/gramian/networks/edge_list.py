"""Edge lists: a text table with one edge a line."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from gramian.errors import InputError
from gramian.networks._files import build, read_bytes, written
from gramian.networks.network import Network

__all__ = ["read_edges", "write_edges"]


def write_edges(network: Network, path: str | Path) -> None:
    """Write a network as a table of edges: source, target, weight, and what else is known.

    Columns are separated by commas in a file that ends in .csv, by tabs in any other. A node
    without edges has a line of its own, with nothing after its name.

    Parameters
    ----------
    network : Network
    path : str or Path

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "net.csv"
    >>> write_edges(Network([[0, -0.5], [-0.5, 0]], names=["a", "b"]), path)
    >>> path.read_text().split()
    ['source,target,weight', 'a,b,-0.5']
    """
    columns = [network.weights, *network.edge_values.values()]
    names = [str(name) for name in network.names]
    with written(path) as file:
        lines = csv.writer(file, delimiter=_separator(path), lineterminator="\n")
        lines.writerow(["source", "target", "weight", *network.edge_values])
        for k, (i, j) in enumerate(network._ends.T):
            lines.writerow([names[i], names[j], *(repr(float(v[k])) for v in columns)])
        for alone in np.flatnonzero(network.degree().to_numpy() == 0):
            lines.writerow([names[alone], *[""] * (len(columns) + 1)])


def read_edges(path: str | Path, *, separator: str | None = None) -> Network:
    """Read a network from a table of edges.

    Parameters
    ----------
    path : str or Path
    separator : str, optional
        By default a comma for a file that ends in .csv, a tab for any other.

    Returns
    -------
    Network
        The first line names the columns: "source", "target", perhaps "weight" (1 without), and
        others, which are kept where all are numbers. Loops and repeated edges are refused.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "net.csv"
    >>> _ = path.write_text("source,target,weight\\na,b,0.5\\nc,,\\n")
    >>> read_edges(path)
    Network(3 nodes, 1 edges)
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
        mark = _separator(path) if separator is None else separator
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True))
    except (UnicodeDecodeError, csv.Error, TypeError) as error:
        raise InputError(f"{path} is not a table of text in UTF-8: {error}") from error
    rows = [row for row in rows if row]
    header = [title.strip().lower() for title in rows[0]] if rows else []
    if not {"source", "target"} <= set(header) or len(set(header)) < len(header):
        raise InputError(
            f'{path}: the first line must name the columns, "source" and "target" among them, '
            f"found {str(header)[:100]}"
        )
    return _network(str(path), header, rows[1:])


def _separator(path: str | Path) -> str:
    return "," if str(path).lower().endswith(".csv") else "\t"


def _network(path: str, header: list[str], rows: list[list[str]]) -> Network:
    source, target = header.index("source"), header.index("target")
    place: dict[str, int] = {}
    ends, edges = [], []
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise InputError(f"{path}: line {number} has {len(row)} cells, not {len(header)}")
        pair = [place.setdefault(row[k], len(place)) for k in (source, target) if row[k]]
        if not row[source]:
            raise InputError(f"{path}: line {number} has no source")
        if len(pair) == 2:
            ends.append((pair[0], pair[1]))
            edges.append((number, row))
    if not place:
        raise InputError(f"{path}: there are no edges")
    columns = {}
    for k, title in enumerate(header):
        if k not in (source, target):
            values = [_number(row[k]) for _, row in edges]
            if title == "weight" and None in values:
                line, row = edges[values.index(None)]
                raise InputError(f"{path}: line {line}: weight {row[k][:40]!r} is no number")
            if None not in values:
                columns[title] = values
    weights = columns.pop("weight", [1.0] * len(ends))
    return build(path, list(place), ends, weights, columns)  # type: ignore[arg-type]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
