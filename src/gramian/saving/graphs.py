"""Graphs of a model file: many of them at once, as a few operations on long arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from gramian._hashing import codes
from gramian.kernels.graph import Graph
from gramian.kernels.objects import Objects
from gramian.saving.nodes import refusal

__all__ = ["check_graphs", "graphs_agree"]


def graphs_agree(objects: Objects) -> None:
    """Refuse a collection whose graphs are none, or whose codes are not those of their labels."""
    if not objects.items:
        raise refusal("has a collection of no objects")
    graphs = sum(isinstance(item, Graph) for item in objects.items)
    if graphs not in (0, len(objects.items)):
        raise refusal("has a collection of graphs and of other things")
    check_graphs(objects.items)


def check_graphs(items: Iterable[Any]) -> None:
    """Refuse graphs that are none: compiled loops go where their arrays point."""
    graphs = [item for item in items if isinstance(item, Graph)]
    if graphs:
        for graph in graphs:
            _check_parts(graph)
        _check_arcs(graphs)
        _check_codes(graphs)


def _check_parts(graph: Graph) -> None:
    """Refuse a graph whose parts are not arrays and lists of one length each."""
    k, m = getattr(graph.indptr, "size", 0) - 1, getattr(graph.indices, "size", -1)
    good = (
        k >= 1
        and _is(graph.indptr, "i", k + 1)
        and _is(graph.indices, "i", m)
        and _is(graph.weights, "f", m)
        and (graph.labels is None) == (graph.codes is None)
        and (graph.codes is None or _is(graph.codes, "u", k))
        and (graph.edge_codes is None or _is(graph.edge_codes, "u", m))
        and all(_is_list(names, k) for names in (graph.labels, graph.names))
    )
    if not good:
        raise refusal("has a graph whose parts do not go together")


def _is(a: Any, kind: str, size: int) -> bool:
    right = isinstance(a, np.ndarray) and a.dtype.kind == kind and a.dtype.itemsize == 8
    return right and a.shape == (size,)


def _is_list(values: Any, size: int) -> bool:
    return values is None or (isinstance(values, list) and len(values) == size)


def _check_arcs(graphs: Sequence[Graph]) -> None:
    """Refuse ends that are no nodes, loops, arcs twice or one way, and weights of 0 or NaN."""
    ends = np.array([graph.indptr[-1] for graph in graphs])
    counts = np.array([graph.indices.size for graph in graphs])
    nodes = np.array([graph.n_nodes for graph in graphs])
    degrees = np.concatenate([np.diff(graph.indptr) for graph in graphs])
    first = np.array([graph.indptr[0] for graph in graphs])
    if (ends != counts).any() or first.any() or (degrees < 0).any():
        raise refusal("has a graph whose rows are not those of its arcs")
    offset = np.repeat(np.cumsum(nodes) - nodes, counts)
    raw = np.concatenate([graph.indices for graph in graphs])
    weights = np.concatenate([graph.weights for graph in graphs])
    if (raw < 0).any() or (raw >= np.repeat(nodes, counts)).any():
        raise refusal("has a graph with an arc to a node that is not there")
    tails, heads, total = np.repeat(np.arange(degrees.size), degrees), raw + offset, degrees.size
    forth, back = tails * total + heads, heads * total + tails
    order = np.argsort(back, kind="stable")
    good = (np.diff(forth) > 0).all() and np.isfinite(weights).all() and weights.all()
    if not good or (tails == heads).any() or not np.array_equal(back[order], forth):
        raise refusal("has a graph that is not undirected, or has loops")
    if not np.array_equal(weights[order], weights):
        raise refusal("has a graph whose weights depend on the direction")


def _check_codes(graphs: Sequence[Graph]) -> None:
    labelled = [graph for graph in graphs if graph.labels is not None]
    if not labelled:
        return
    written = np.concatenate([graph.codes for graph in labelled])
    if not np.array_equal(codes(chain.from_iterable(g.labels or [] for g in labelled)), written):
        raise refusal("has a graph whose codes are not those of its labels")
