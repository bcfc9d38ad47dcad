"""An undirected graph, light: three arrays, and the labels and names it came with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from gramian.errors import InputError, InputTypeError
from gramian.kernels.hashing import codes
from gramian.kernels.objects import Objects

__all__ = ["Graph", "as_graph", "as_graphs"]


class Graph:
    """An undirected graph without loops.

    Parameters
    ----------
    adjacency : array or sparse matrix (n, n)
        Symmetric; the entries are weights, and 0 means no edge.
    labels : sequence of n labels, optional
        Texts, numbers or tuples of them; nodes of different graphs match when labels are equal.
    names : sequence of n distinct names, optional
        Who the nodes are, for kernels that compare graphs on a common set of nodes.
    edge_labels : mapping from (i, j) to a label, optional
        One for each edge, under the positions of its ends in either order.

    Examples
    --------
    >>> g = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], labels=["C", "O", "H"])
    >>> g.n_nodes, g.n_edges
    (3, 2)
    """

    __slots__ = ("codes", "edge_codes", "indices", "indptr", "labels", "names", "weights")

    def __init__(
        self,
        adjacency: Any,
        labels: Iterable[Any] | None = None,
        names: Iterable[Any] | None = None,
        edge_labels: Mapping[tuple[int, int], Any] | None = None,
    ) -> None:
        A = _adjacency(adjacency)
        self.indptr: np.ndarray = A.indptr
        self.indices: np.ndarray = A.indices
        self.weights: np.ndarray = A.data
        self.labels = _one_each(labels, self.n_nodes, "labels")
        self.codes = None if self.labels is None else codes(self.labels)
        self.names = _one_each(names, self.n_nodes, "names")
        if self.names is not None and len(set(self.names)) < self.n_nodes:
            raise InputError("names: two nodes have the same name: give each its own")
        if edge_labels is None and self.n_edges:
            self.edge_codes = None
        else:  # a graph without edges has all their labels
            self.edge_codes = self._edge_codes(edge_labels or {})

    @classmethod
    def from_edges(
        cls,
        n_nodes: int,
        edges: Iterable[tuple[int, int]],
        weights: Any = None,
        labels: Iterable[Any] | None = None,
        names: Iterable[Any] | None = None,
        edge_labels: Sequence[Any] | None = None,
    ) -> Graph:
        """Return the graph with these edges, each given once.

        >>> Graph.from_edges(3, [(0, 1), (1, 2)]).n_edges
        2
        """
        pairs = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
        w = np.ones(len(pairs)) if weights is None else np.asarray(weights, dtype=float)
        if pairs.size and not (pairs.min() >= 0 and pairs.max() < n_nodes):
            raise InputError(f"edges: an end lies outside 0..{n_nodes - 1}")
        i, j = np.concatenate([pairs, pairs[:, ::-1]]).T
        both = sparse.coo_array((np.concatenate([w, w]), (i, j)), shape=(n_nodes, n_nodes))
        given = None
        if edge_labels is not None:
            ends = (tuple(pair) for pair in pairs.tolist())
            given = dict(zip(ends, edge_labels, strict=True))
        return cls(both, labels, names, given)

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self.indptr.size - 1

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return self.indices.size // 2

    @property
    def adjacency(self) -> sparse.csr_array:
        """The symmetric matrix of weights, (n, n)."""
        n = self.n_nodes
        return sparse.csr_array((self.weights, self.indices, self.indptr), shape=(n, n))

    def __repr__(self) -> str:
        with_ = [w for w in ("labels", "names") if getattr(self, w) is not None]
        more = f", with {' and '.join(with_)}" if with_ else ""
        return f"Graph({self.n_nodes} nodes, {self.n_edges} edges{more})"

    def _edge_codes(self, edge_labels: Mapping[tuple[int, int], Any]) -> np.ndarray:
        """Return the code of each entry's edge label, in the order of `indices`."""
        ends = np.repeat(np.arange(self.n_nodes), np.diff(self.indptr)).tolist()
        found = []
        for i, j in zip(ends, self.indices.tolist(), strict=True):
            label = edge_labels.get((i, j), edge_labels.get((j, i)))
            if label is None:
                raise InputError(f"edge_labels: the edge ({i}, {j}) has no label: give all or none")
            found.append(label)
        return codes(found)


def _one_each(values: Iterable[Any] | None, n: int, name: str) -> list[Any] | None:
    if values is None:
        return None
    found = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if len(found) != n:
        raise InputError(f"{name}: {len(found)} for {n} nodes: give one each")
    return found


def _adjacency(A: Any) -> sparse.csr_array:
    """Return a checked copy in compressed rows, sorted, without explicit zeros."""
    if not sparse.issparse(A):
        A = np.asarray(A)
        if A.ndim != 2:
            raise InputError(f"adjacency: a square matrix is needed, got {A.ndim} dimension(s)")
    if A.dtype.kind not in "fiub":
        raise InputError(f"adjacency: its entries are {A.dtype}: real numbers are needed")
    n, m = A.shape
    if n != m:
        raise InputError(f"adjacency: shape ({n}, {m}) is not square")
    if n == 0:
        raise InputError("the graph has no nodes: leave it out")
    M = sparse.csr_array(A, dtype=np.float64, copy=True)
    M.sum_duplicates()
    M.eliminate_zeros()
    if not np.isfinite(M.data).all():
        k = int(np.flatnonzero(~np.isfinite(M.data))[0])
        i, j = int(np.searchsorted(M.indptr, k, side="right")) - 1, int(M.indices[k])
        raise InputError(f"adjacency: the weight of ({i}, {j}) is {M.data[k]}: give finite weights")
    return _undirected(M)


def _undirected(M: sparse.csr_array) -> sparse.csr_array:
    """Refuse loops and edges that go one way; even out differences of rounding."""
    rows = np.repeat(np.arange(M.shape[0]), np.diff(M.indptr))
    if (rows == M.indices).any():
        k = int(rows[rows == M.indices][0])
        raise InputError(f"adjacency: node {k} has a loop: set the diagonal to 0")
    back = M.T.tocsr()
    same = np.array_equal(back.indices, M.indices) and np.array_equal(back.indptr, M.indptr)
    if same and np.array_equal(back.data, M.data):
        return M
    scale = np.abs(M.data).max(initial=0.0)
    if not same or np.abs(back.data - M.data).max() > 1e-10 * scale:
        gap = abs(M - back).tocoo()
        k = int(gap.data.argmax())
        raise InputError(
            f"adjacency: ({gap.row[k]}, {gap.col[k]}) differs from ({gap.col[k]}, {gap.row[k]}): "
            "directed graphs are not supported: give (A + A.T)/2 if the direction does not matter"
        )
    M.data = 0.5 * (M.data + back.data)
    return M


def as_graph(G: Any) -> Graph:
    """Return the graph meant by a networkx graph, a matrix, (matrix, labels[, names]) or a network.

    networkx gives node names, the node attribute "label" and the edge attributes "weight" and
    "label"; a data frame gives names; anything with `.adjacency` and `.names` is a network.

    >>> as_graph(([[0, 1], [1, 0]], ["a", "b"])).labels
    ['a', 'b']
    """
    if isinstance(G, Graph):
        return G
    if isinstance(G, tuple):
        return Graph(*G)
    if hasattr(G, "is_directed") and hasattr(G, "adj"):
        return _from_networkx(G)
    if hasattr(G, "adjacency") and hasattr(G, "names"):
        return Graph(G.adjacency, names=G.names)
    if hasattr(G, "columns") and hasattr(G, "to_numpy"):
        return Graph(G.to_numpy(), names=G.columns)
    if isinstance(G, str | bytes | Mapping) or not (hasattr(G, "shape") or isinstance(G, list)):
        raise InputTypeError(
            f"{type(G).__name__} is not a graph: give networkx graphs, adjacency matrices or "
            "(adjacency, labels)"
        )
    return Graph(G)


def _from_networkx(G: Any) -> Graph:
    if G.is_directed():
        raise InputError("the graph is directed: give G.to_undirected()")
    if G.is_multigraph():
        raise InputError("the graph has parallel edges (a multigraph): give nx.Graph(G)")
    names = list(G)
    index = {name: k for k, name in enumerate(names)}
    labels = _attribute([data.get("label") for _, data in G.nodes(data=True)], "node")
    ends, weights, kinds = [], [], []
    for u, v, data in G.edges(data=True):
        ends.append((index[u], index[v]))
        weights.append(data.get("weight", 1.0))
        kinds.append(data.get("label"))
    if None in weights:
        raise InputError('an edge has weight None: give numbers as the edge attribute "weight"')
    return Graph.from_edges(len(names), ends, weights, labels, names, _attribute(kinds, "edge"))


def _attribute(found: list[Any], what: str) -> list[Any] | None:
    missing = sum(label is None for label in found)
    if missing == len(found):
        return None
    if missing:
        raise InputError(f'{missing} of {len(found)} {what}s have no "label": give all or none')
    return found


def as_graphs(X: Any, name: str = "X") -> Objects:
    """Return a collection of graphs, or say which one cannot be used and why."""
    if isinstance(X, Objects):
        return X
    one = isinstance(X, Graph) or hasattr(X, "adj") or (getattr(X, "ndim", 3) != 3)
    if one or isinstance(X, str | bytes | Mapping) or not isinstance(X, Iterable):
        raise InputTypeError(f"{name} is {type(X).__name__}, not a list of graphs: give a list")
    items = []
    for k, G in enumerate(X):
        try:
            items.append(as_graph(G))
        except (InputError, InputTypeError, TypeError) as error:
            kind = InputError if isinstance(error, InputError) else InputTypeError
            raise kind(f"{name}[{k}]: {error}") from error
    if not items:
        raise InputError(f"{name} holds 0 graphs while a minimum of 1 is required")
    return Objects(items)
