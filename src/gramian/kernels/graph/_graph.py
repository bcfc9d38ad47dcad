"""An undirected graph: three arrays, with labels and names of the nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

from gramian._core.array import Array, is_array, to_numpy
from gramian._core.check import expect, is_label, short, whole
from gramian._core.numbers import as_array, as_floats, refuse_masks
from gramian._core.sparse import require_sound
from gramian._core.types import RowsLike, TableLike
from gramian.errors import InputError, InputTypeError
from gramian.kernels.graph._arcs import Arcs, RawGraph, check_graphs
from gramian.kernels.objects import Objects

# A graph of networkx or igraph, a matrix, (matrix, labels), a data frame, a network, or `Graph`.
GraphLike: TypeAlias = Any


class Graph:
    """An undirected graph without loops.

    Parameters
    ----------
    adjacency : array or sparse matrix (n, n)
        Symmetric; the entries are weights, and 0 means no edge.
    labels : sequence of n labels, optional
        Texts, numbers or tuples of them; nodes of different graphs match when labels are equal.
    names : sequence of n distinct names, optional
        Names of the nodes, for kernels that compare graphs on a common set of nodes.
    edge_labels : mapping from (i, j) to a label, optional
        The label of each edge, keyed by the positions of its two nodes in either order.

    Examples
    --------
    >>> g = Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], labels=["C", "O", "H"])
    >>> g.n_nodes, g.n_edges
    (3, 2)
    """

    __slots__ = ("codes", "edge_codes", "indices", "indptr", "labels", "names", "weights")

    indptr: np.ndarray
    indices: np.ndarray
    weights: np.ndarray
    codes: np.ndarray | None
    edge_codes: np.ndarray | None
    labels: list[Any] | None
    names: list[Any] | None

    def __init__(
        self,
        adjacency: TableLike,
        labels: Iterable[Any] | None = None,
        names: Iterable[Any] | None = None,
        edge_labels: Mapping[tuple[int, int], Any] | None = None,
    ) -> None:
        raw = _from_matrix(adjacency, labels, names, edge_labels)
        self._set(raw, next(check_graphs([raw])))

    def check(self) -> None:
        """Raise an error for an invalid graph: compiled loops index by these arrays."""
        indptr, heads, w = self.indptr, self.indices, self.weights
        whole = indptr.dtype == heads.dtype == np.int64
        expect(whole and w.dtype == np.float64, "positions and weights of 64 bits")
        k = indptr.size - 1
        flat = indptr.ndim == heads.ndim == 1 and k >= 1 and heads.shape == w.shape
        expect(flat, "at least one node, and a weight for each arc")
        degrees = indptr[1:] - indptr[:-1]
        rises = indptr[0] == 0 and indptr[-1] == heads.size and degrees.min() >= 0
        expect(rises, "rows that are those of its arcs")
        expect(heads.size == 0 or (heads.min() >= 0 and heads.max() < k), f"arcs to {k} nodes")
        for own, size in ((self.codes, k), (self.edge_codes, heads.size)):
            coded = own is None or (own.dtype == np.uint64 and own.shape == (size,))
            expect(coded, f"{size} codes of 64 bits")
        for names in (self.labels, self.names):
            expect(names is None or len(names) == k, f"names of {k} nodes")
        same = next(check_graphs([RawGraph(k, degrees, heads, w, self.labels, self.names)]))
        pairs = zip(map(np.asarray, same[:4]), (indptr, heads, w, self.codes), strict=True)
        equal = all(np.array_equal(a, np.asarray(b)) for a, b in pairs)
        expect(equal, "sorted arcs, and codes of its labels")

    def _set(self, raw: RawGraph, arcs: Arcs) -> Graph:
        self.indptr, self.indices, self.weights, self.codes, self.edge_codes = arcs
        self.labels, self.names = raw.labels, raw.names
        return self

    @classmethod
    def from_edges(
        cls,
        n_nodes: int,
        edges: Iterable[tuple[int, int]],
        weights: npt.ArrayLike | None = None,
        labels: Iterable[Any] | None = None,
        names: Iterable[Any] | None = None,
    ) -> Graph:
        """Return the graph with these edges, each given once.

        >>> Graph.from_edges(3, [(0, 1), (1, 2)]).n_edges
        2
        """
        whole(n_nodes, "n_nodes", 0)
        pairs = _ends(edges)
        w = np.ones(len(pairs)) if weights is None else as_floats(weights, "weights")
        if w.shape != (len(pairs),):
            raise InputError(f"weights has shape {w.shape} for {len(pairs)} edges: give one each")
        if pairs.size and not (pairs.min() >= 0 and pairs.max() < n_nodes):
            raise InputError(f"edges: an end lies outside 0..{n_nodes - 1}")
        low, high = pairs.min(axis=1), pairs.max(axis=1)
        if np.unique(low * n_nodes + high).size < low.size:
            raise InputError("edges: an edge is given twice: give each once")
        at = (np.concatenate([low, high]), np.concatenate([high, low]))
        A = sparse.coo_array((np.concatenate([w, w]), at), shape=(n_nodes, n_nodes))
        return cls(A, labels, names)

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


def _from_matrix(
    A: Array,
    labels: Iterable[Any] | None = None,
    names: Iterable[Any] | None = None,
    edge_labels: Mapping[tuple[int, int], Any] | None = None,
) -> RawGraph:
    """Read a square matrix in compressed rows; nothing is checked but its form."""
    if sparse.issparse(A):
        require_sound(A, "adjacency")
    else:
        refuse_masks(A, "adjacency")
        A = to_numpy(A) if is_array(A) else as_array(A, "adjacency")
        if A.ndim != 2:
            raise InputError(f"adjacency: a square matrix is needed, got {A.ndim} dimension(s)")
    if A.dtype.kind not in "fiub":
        raise InputError(f"adjacency: its entries are {A.dtype}: real numbers are needed")
    n, m = A.shape
    if n != m:
        raise InputError(f"adjacency: shape ({n}, {m}) must be square: give (n, n)")
    if sparse.issparse(A):
        A = A.tocsr()
        degrees, heads, weights = np.diff(A.indptr), A.indices, A.data
    else:
        rows, heads = np.nonzero(A)
        degrees, weights = np.bincount(rows, minlength=n), A[rows, heads]
    labels, names = _one_each(labels, n, "labels"), _one_each(names, n, "names")
    unfit = [name for name in names or () if not is_label(name)]
    if unfit:
        raise InputTypeError(f"names: {short(unfit[0])} cannot name a node: give texts or numbers")
    if names is not None and len(set(names)) < n:
        raise InputError("names: two nodes have the same name: give each its own")
    kinds = None
    if edge_labels is not None:
        if not isinstance(edge_labels, Mapping):
            raise InputTypeError(
                f"edge_labels={short(edge_labels)} must be a dict from (i, j) to the label"
            )
        tails = np.repeat(np.arange(n), degrees)
        ends = zip(tails.tolist(), heads.tolist(), strict=True)
        kinds = [edge_labels.get((i, j), edge_labels.get((j, i))) for i, j in ends]
        kinds = _all_or_none(kinds, "edge", times=2)
    return RawGraph(n, degrees, heads, weights, labels, names, kinds)


def _ends(edges: Iterable[Any]) -> np.ndarray:
    """Return edges as pairs of positions, (m, 2)."""
    none = isinstance(edges, str | bytes) or getattr(edges, "ndim", 1) == 0
    if none or not isinstance(edges, Iterable):
        raise InputTypeError(f"edges={short(edges)} must be pairs of positions, [(0, 1), …]")
    pairs = as_array(list(edges), "edges")
    if pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2):
        raise InputError("edges must be pairs of positions, [(0, 1), …]")
    if pairs.size and pairs.dtype.kind not in "iu":
        raise InputError(f"edges holds {pairs.dtype} values: positions are whole numbers")
    return pairs.astype(np.int64).reshape(-1, 2)


def _one_each(values: Iterable[Any] | None, n: int, name: str) -> list[Any] | None:
    if values is None:
        return None
    none = isinstance(values, bytes) or getattr(values, "ndim", 1) != 1
    if none or not isinstance(values, Iterable):
        raise InputTypeError(f"{name}={short(values)} must be a list with one for each node")
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if len(items) != n:
        raise InputError(f"{name}: {len(items)} for {n} nodes: give one each")
    return items


def _from_networkx(G: GraphLike) -> RawGraph:
    if G.is_directed():
        raise InputError("the graph is directed: give G.to_undirected()")
    if G.is_multigraph():
        raise InputError("the graph has parallel edges (a multigraph): give nx.Graph(G)")
    # Few operations on long lists: a loop over the edges would take longer than most kernels.
    names, rows = list(G), [row for _, row in G.adjacency()]
    n = len(names)
    heads = list(chain.from_iterable(rows))
    if names != list(range(n)):
        index = dict(zip(names, range(n), strict=True))
        heads = list(map(index.__getitem__, heads))
    weights, kinds = _edge_data(list(chain.from_iterable(row.values() for row in rows)))
    labels = _all_or_none([node.get("label") for _, node in G.nodes(data=True)], "node")
    return RawGraph(n, list(map(len, rows)), heads, weights, labels, names, kinds, both_ways=True)


def _edge_data(data: list[dict[str, Any]]) -> tuple[list[Any] | None, list[Any] | None]:
    """Return the weights and the labels of the edges, None where there are none."""
    if not any(data):
        return None, None
    weights = [edge.get("weight", 1.0) for edge in data]
    kinds = _all_or_none([edge.get("label") for edge in data], "edge", times=2)
    return None if weights.count(1.0) == len(weights) else weights, kinds


def _from_igraph(G: GraphLike) -> RawGraph:
    """Read a graph of igraph, known by its methods: the library itself is not needed."""
    if G.is_directed():
        raise InputError("the graph is directed: give G.as_undirected()")
    if G.has_multiple():
        raise InputError("the graph has parallel edges: give G.simplify()")
    nodes, edges = ({name: x[name] for name in x.attributes()} for x in (G.vs, G.es))
    n, ends = G.vcount(), np.array(G.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    order = np.argsort(np.concatenate([ends[:, 0], ends[:, 1]]), kind="stable")
    heads = np.concatenate([ends[:, 1], ends[:, 0]])[order]

    def twice(values: list[Any] | None) -> list[Any] | None:
        return None if values is None else [values[k % len(ends)] for k in order.tolist()]

    labels = _all_or_none(nodes.get("label", [None] * n), "node")
    kinds = _all_or_none(edges.get("label", [None] * len(ends)), "edge")
    names = _one_each(nodes.get("name"), n, "names")
    degrees = np.bincount(ends.ravel(), minlength=n)
    weights = edges.get("weight")
    return RawGraph(n, degrees, heads, twice(weights), labels, names, twice(kinds), both_ways=True)


def _all_or_none(labels: list[Any], what: str, times: int = 1) -> list[Any] | None:
    """Return labels, each listed so many times, or None for none; refuse some."""
    missing, n = labels.count(None) // times, len(labels) // times
    if missing == n:
        return None
    if missing:
        raise InputError(f'{missing} of {n} {what}s have no "label": give all or none')
    return labels


def _read(G: GraphLike) -> RawGraph:
    if isinstance(G, tuple):
        return _from_matrix(*G)
    if hasattr(G, "is_directed") and hasattr(G, "adj"):
        return _from_networkx(G)
    if hasattr(G, "get_edgelist") and hasattr(G, "vs"):
        return _from_igraph(G)
    if hasattr(G, "adjacency") and hasattr(G, "names"):
        return _from_matrix(G.adjacency, names=G.names)
    if hasattr(G, "columns") and hasattr(G, "to_numpy"):
        if list(getattr(G, "index", G.columns)) != list(G.columns):
            raise InputError(
                "the data frame's rows and columns are not the same nodes in one order"
            )
        return _from_matrix(G.to_numpy(), names=G.columns)
    if isinstance(G, str | bytes | Mapping) or not (hasattr(G, "shape") or isinstance(G, list)):
        raise InputTypeError(
            f"{type(G).__name__} is not a graph: give networkx graphs, adjacency matrices or "
            "(adjacency, labels)"
        )
    return _from_matrix(G)


def as_graph(G: GraphLike) -> Graph:
    """Convert a networkx graph, a matrix, (matrix, labels[, names]) or a network to a Graph.

    networkx and igraph give node names, the node attribute "label" and the edge attributes "weight"
    and "label"; a data frame gives names; an object with `.adjacency` and `.names` is a network.

    >>> as_graph(([[0, 1], [1, 0]], ["a", "b"])).labels
    ['a', 'b']
    """
    graph: Graph = as_graphs([G])[0]
    return graph


def as_graphs(X: RowsLike, name: str = "X") -> Objects:
    """Return a validated collection of graphs; errors name the graph."""
    if isinstance(X, Objects):
        return X
    one = (
        isinstance(X, Graph)
        or hasattr(X, "adj")
        or hasattr(X, "get_edgelist")
        or getattr(X, "ndim", 1) in (0, 2)
    )
    if one or isinstance(X, str | bytes | Mapping) or not isinstance(X, Iterable):
        raise InputTypeError(f"{name} is {type(X).__name__}, not a list of graphs: give a list")
    items = list(X)
    if not items:
        raise InputError(f"{name} holds 0 graphs while a minimum of 1 is required")
    new = [k for k, G in enumerate(items) if type(G) is not Graph]
    raw = [_read_one(items[k], f"{name}[{k}]") for k in new]
    for k, read, arcs in zip(new, raw, check_graphs(raw, new, name), strict=True):
        items[k] = Graph.__new__(Graph)._set(read, arcs)
    return Objects(items)


def _read_one(G: GraphLike, name: str) -> RawGraph:
    try:
        return _read(G)
    except (TypeError, ValueError) as error:
        kind = InputError if isinstance(error, ValueError) else InputTypeError
        raise kind(f"{name}: {error}") from error
