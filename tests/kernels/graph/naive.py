"""Graph kernels by their definitions: loops, networkx and dense matrices."""

from collections import Counter
from itertools import combinations

import numpy as np
from scipy.linalg import expm
from tests.optional import library

nx = library("networkx")
LABELS = "abc"


def random_graph(rng, n=None, density=None, *, labels=True, weights=False):
    """A networkx graph with string nodes in random order."""
    n = int(rng.integers(1, 9)) if n is None else n
    density = rng.random() if density is None else density
    G = nx.Graph()
    for v in rng.permutation(n):
        G.add_node(f"n{v}", **({"label": LABELS[rng.integers(3)]} if labels else {}))
    for u, v in combinations(list(G), 2):
        if rng.random() < density:
            G.add_edge(u, v, weight=float(rng.uniform(0.1, 1.0)) if weights else 1.0)
    return G


def renumbered(G, rng):
    """The same graph with its nodes and edges in another order."""
    nodes = list(G.nodes(data=True))
    edges = list(G.edges(data=True))
    H = nx.Graph()
    for k in rng.permutation(len(nodes)):
        H.add_node(nodes[k][0], **nodes[k][1])
    for k in rng.permutation(len(edges)):
        u, v, data = edges[k]
        H.add_edge(v, u, **data)
    return H


def gram(kernel, X, Y=None):
    """The matrix of a function of two graphs."""
    return np.array([[kernel(x, y) for y in (X if Y is None else Y)] for x in X], dtype=float)


def dot(a, b):
    """The inner product of two histograms."""
    return sum(a[key] * b[key] for key in a.keys() & b.keys())


def labels(G):
    return nx.get_node_attributes(G, "label")


def vertex_histogram(G):
    return Counter(labels(G).values())


def ends_histogram(G):
    return Counter(tuple(sorted((labels(G)[u], labels(G)[v]))) for u, v in G.edges)


def path_histogram(G, labelled=True, weighted=False):
    length = dict(nx.all_pairs_dijkstra_path_length(G, weight="weight" if weighted else None))
    found = Counter()
    for u, v in combinations(G, 2):
        if v in length[u]:
            ends = tuple(sorted((labels(G)[u], labels(G)[v]))) if labelled else None
            found[ends, round(length[u][v], 9)] += 1
    return found


def refined(G):
    """The graph with labels that hold the labels of the neighbours."""
    old = labels(G)
    H = G.copy()
    for v in G:
        H.nodes[v]["label"] = f"({old[v]}|{','.join(sorted(old[u] for u in G[v]))})"
    return H


def weisfeiler_lehman(G, n_iter, histogram=vertex_histogram):
    found = Counter()
    for level in range(n_iter + 1):
        found.update({(level, key): count for key, count in histogram(G).items()})
        G = refined(G)
    return found


def product_matrix(G, H, labelled):
    """The product graph's adjacency, with rows of its matching pairs only."""
    W = np.kron(nx.to_numpy_array(G), nx.to_numpy_array(H))
    if labelled:
        match = [labels(G)[u] == labels(H)[v] for u in G for v in H]
        W = W[np.ix_(match, match)]
    return W


def random_walk(G, H, decay, kind, labelled, steps=None):
    W = decay * product_matrix(G, H, labelled)
    one = np.ones(len(W))
    if steps is not None:
        total, term = one.sum(), one
        for t in range(1, steps + 1):
            term = W @ term / (1 if kind == "geometric" else t)
            total += term.sum()
        return total
    if kind == "exponential":
        return one @ expm(W) @ one
    return one @ np.linalg.solve(np.eye(len(W)) - W, one)


def graphlets(G, k):
    """The numbers of induced subgraphs by isomorphism class, the class by an invariant.

    Up to 5 nodes, degrees with the degrees of neighbours tell all graphs apart.
    """
    found = Counter()
    for nodes in combinations(G, k):
        S = G.subgraph(nodes)
        found[tuple(sorted((S.degree(v), *sorted(S.degree(u) for u in S[v])) for v in S))] += 1
    return found


def laplacian(G, nodes):
    A = nx.to_numpy_array(G, nodelist=nodes)
    return np.diag(A.sum(axis=0)) - A
