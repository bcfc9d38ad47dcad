"""A network: named nodes, weighted and signed edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from gramian._core.check import flag, is_label, short, whole
from gramian._core.numbers import as_array, as_floats
from gramian._core.types import TableLike, VectorLike
from gramian.errors import InputError, InputTypeError, MissingExtraError
from gramian.kernels.graph import Graph


class Network:
    """An undirected network without loops.

    Graph kernels, and so every method that takes a kernel, accept lists of networks.

    Parameters
    ----------
    adjacency : array or sparse matrix (p, p)
        Symmetric matrix of signed weights, 0 for no edge.
    names : sequence of p distinct names, optional
        Names of the nodes; "x0", "x1", … by default.
    edge_values : mapping from a title to one number per edge, optional
        Further columns of the table `edges`, in its order.
    details : mapping, optional
        Information on how the network was made.

    Attributes
    ----------
    adjacency : sparse array (p, p)
    names : list of p names
    ends : array (m, 2)
        The positions in `names` of both ends of each edge, in the order of `edges`.
    weights : array (m,)
        The weights of the edges, in the order of `edges`.

    Examples
    --------
    >>> net = Network([[0, 0.9, 0], [0.9, 0, -0.5], [0, -0.5, 0]], names=["a", "b", "c"])
    >>> net.n_edges, net.hubs(1)
    (2, ['b'])
    """

    def __init__(
        self,
        adjacency: TableLike,
        names: Iterable[Any] | None = None,
        edge_values: Mapping[str, Any] | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        size = Graph(adjacency).n_nodes if names is None else 0
        labels = [f"x{k}" for k in range(size)] if names is None else names
        graph = Graph(adjacency, names=labels)
        self.adjacency = graph.adjacency
        self.names: list[Any] = list(graph.names or ())
        self.details = dict(details or {})
        upper = sparse.triu(self.adjacency, 1).tocoo()
        order = np.lexsort((upper.col, upper.row))
        self.ends = np.stack([upper.row[order], upper.col[order]], axis=1).astype(np.int64)
        self.weights: np.ndarray = upper.data[order]
        known = _mapping(edge_values)
        self.edge_values = {title: np.asarray(values) for title, values in known.items()}
        for title, array in self.edge_values.items():
            if array.shape != (self.n_edges,):
                raise InputError(f"edge_values[{title!r}]: {array.size} for {self.n_edges} edges")

    @classmethod
    def from_edges(
        cls,
        names: Iterable[Any],
        ends: npt.ArrayLike,
        weights: VectorLike,
        edge_values: Mapping[str, Any] | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> Network:
        """Return the network with these edges, `ends` (m, 2) being positions in `names`.

        >>> Network.from_edges(["a", "b", "c"], [(0, 2)], [-0.5]).degree().tolist()
        [1, 0, 1]
        """
        names = _as_list(names)
        pairs = as_array(ends, "ends")
        if pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu"):
            raise InputError(f"ends={short(ends)} must be pairs of positions, (m, 2)")
        pairs = pairs.astype(np.int64).reshape(-1, 2)
        values = np.asarray(as_floats(weights, "weights"), dtype=np.float64)
        if values.shape != (len(pairs),):
            raise InputError(f"weights has shape {values.shape} for {len(pairs)} edges")
        if (values == 0).any():
            raise InputError("weights: an edge has weight 0: leave it out")
        low, high = pairs.min(axis=1, initial=len(names)), pairs.max(axis=1, initial=-1)
        order = np.lexsort((high, low))
        sorted_values = {k: np.asarray(v)[order] for k, v in _mapping(edge_values).items()}
        adjacency = Graph.from_edges(len(names), pairs, values).adjacency
        return cls(adjacency, names, sorted_values, details)

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.names)

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return self.weights.size

    @property
    def density(self) -> float:
        """The number of edges over the number of pairs of nodes."""
        return self.n_edges / max(self.n_nodes * (self.n_nodes - 1) / 2, 1)

    @property
    def edges(self) -> pd.DataFrame:
        """The table of edges: "source", "target", "weight" and further columns."""
        source, target = ([self.names[k] for k in ends] for ends in self.ends.T)
        columns = {"source": source, "target": target, "weight": self.weights}
        return pd.DataFrame(columns | self.edge_values)

    def degree(self, weighted: bool = False) -> pd.Series:
        """Return the number of neighbours of each node, or the sum of its |weights|."""
        flag(weighted, "weighted")
        each = np.abs(self.weights) if weighted else np.ones(self.n_edges, dtype=np.int64)
        total = np.zeros(self.n_nodes, dtype=each.dtype)
        np.add.at(total, self.ends[:, 0], each)
        np.add.at(total, self.ends[:, 1], each)
        return pd.Series(total, index=pd.Index(self.names, name="node"), name="degree")

    def hubs(self, n: int = 10) -> list[Any]:
        """Return the nodes with most neighbours, ties by the sum of their |weights|."""
        whole(n, "n", 0)
        count, strength = self.degree().to_numpy(), self.degree(weighted=True).to_numpy()
        ranked = np.lexsort((-strength, -count))[:n]
        return [self.names[k] for k in ranked if count[k]]

    def subnetwork(self, names: Iterable[Any]) -> Network:
        """Return the network between some of the nodes."""
        nodes = _as_list(names)
        place = {name: k for k, name in enumerate(self.names)}
        unknown = [name for name in nodes if not is_label(name) or name not in place]
        if unknown:
            raise InputError(f"names: {str(unknown[0])[:40]!r} is not a node of the network")
        rows = np.array([place[name] for name in nodes], dtype=np.int64)
        return Network(self.adjacency[rows][:, rows], nodes, details=self.details)

    def to_networkx(self) -> Any:
        """Return the network as a networkx graph; edges have the attribute "weight"."""
        try:
            import networkx
        except ImportError as error:
            raise MissingExtraError("networkx is missing: pip install 'gramian[graphs]'") from error
        graph = networkx.Graph(**self.details)
        graph.add_nodes_from(self.names)
        known = {"weight": self.weights} | self.edge_values
        for k, (i, j) in enumerate(self.ends):
            values = {title: float(column[k]) for title, column in known.items()}
            graph.add_edge(self.names[i], self.names[j], **values)
        return graph

    def __repr__(self) -> str:
        negative = int((self.weights < 0).sum())
        signs = f", {negative} of them negative" if negative else ""
        return f"Network({self.n_nodes} nodes, {self.n_edges} edges{signs})"


def _as_list(names: object) -> list[Any]:
    """Return names as a list, the letters of a text."""
    flat = getattr(names, "ndim", 1) == 1 and not isinstance(names, bytes)
    if not isinstance(names, Iterable) or not flat:
        raise InputTypeError(f"names={short(names)} must be a list of names")
    return list(names)


def _mapping(values: object) -> Mapping[str, Any]:
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise InputTypeError(f"edge_values={short(values)} must be a dict with one value an edge")
    return values
