"""Kernels that count labels of nodes and edges, as they are or refined (Weisfeiler–Lehman)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gramian._core.array import Array
from gramian._core.check import one_of, short, whole
from gramian._core.hashing import combine, mix
from gramian._core.pairs import Pairs, Points
from gramian._core.types import RowsLike
from gramian.errors import InputError
from gramian.kernels.base import Kernel, Names, Weights
from gramian.kernels.composite import inner
from gramian.kernels.graph._batch import Batch, Counting, batch_of
from gramian.kernels.graph._graph import as_graphs
from gramian.kernels.objects import Featured, Objects, Occurrences, ranges
from gramian.kernels.registry import register

EDGE_KINDS = ("auto", "label", "ends", "none")


@register(kind="graphs")
class VertexHistogram(Counting):
    """The vertex histogram kernel, Σ_l c_l(G)·c_l(H), c_l the number of nodes labelled l.

    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> float(VertexHistogram()([(path, ["a", "a", "b"])])[0, 0])
    5.0
    """

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """The label of every node."""
        return Occurrences(batch.owner, batch.codes)


@register(kind="graphs")
class EdgeHistogram(Counting):
    """The edge histogram kernel, Σ_l c_l(G)·c_l(H), c_l the number of edges of kind l.

    Every edge counts once. Its kind is its own label (`by="label"`), the two labels of its ends
    ("ends") or all the same ("none"); "auto" takes the first of these that the graphs have.

    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> float(EdgeHistogram(by="ends")([(path, ["a", "b", "a"])])[0, 0])
    4.0
    """

    def __init__(self, by: str = "auto") -> None:
        self.by = by

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """The kind of every edge."""
        arcs = batch.edges
        rows = batch.owner[batch.tails[arcs]]
        by = self._by(batch)
        if by == "label":
            return Occurrences(rows, batch.kinds[arcs])
        if by == "none":
            return Occurrences(rows, np.zeros(arcs.size, dtype=np.uint64))
        a, b = batch.codes[batch.tails[arcs]], batch.codes[batch.heads[arcs]]
        return Occurrences(rows, combine(np.minimum(a, b), np.maximum(a, b)))

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with the kind of an edge decided."""
        return EdgeHistogram(self._by(batch_of(as_graphs(points.X))))

    def _by(self, batch: Batch) -> str:
        one_of(self.by, "by", EDGE_KINDS)
        if self.by != "auto":
            return self.by
        if batch.has_edge_labels:
            return "label"
        return "ends" if batch.is_labelled else "none"


@register(kind="graphs")
class WeisfeilerLehman(Counting):
    """The Weisfeiler–Lehman kernel, Σ_{i=0..n_iter} base(G_i, H_i) over refined labels.

    In G_0 nodes have their own labels; in G_{i+1} a node's label is its label in G_i together with
    the multiset of its neighbours' labels in G_i. That is n_iter + 1 levels.

    `base`, the kernel on the relabelled graphs, is by default `VertexHistogram()`, which makes the
    subtree kernel. `labelled` is whether G_0 has the labels of the graphs (None: if they have any);
    otherwise all nodes start with the same label.

    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> float(WeisfeilerLehman(n_iter=1)([path])[0, 0])
    14.0
    """

    def __init__(
        self, n_iter: int = 5, base: Kernel | None = None, labelled: bool | None = None
    ) -> None:
        self.n_iter = n_iter
        self.base = base
        self.labelled = labelled

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """Whether the base kernel is."""
        return self._base.psd

    @property
    def _base(self) -> Kernel:
        return VertexHistogram() if self.base is None else self.base

    @property
    def _levels(self) -> range:
        return range(whole(self.n_iter, "n_iter", 0) + 1)

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """What the base kernel counts, level by level."""
        base = self._base
        assert isinstance(base, Counting)
        codes = batch.first_codes(self.labelled)
        rows, keys, counts = [], [], []
        for level in self._levels:
            if level:
                codes = _refine(batch, codes)
            part = base.occurrences_in(batch.relabel(codes))
            rows.append(part.rows)
            keys.append(combine(part.codes, np.array([level], dtype=np.uint64)))
            counts += [] if part.counts is None else [part.counts]
        number = np.concatenate(counts) if counts else None
        return Occurrences(np.concatenate(rows), np.concatenate(keys), number)

    def evaluate(self, pairs: Pairs) -> Array:
        """The base kernel's values, summed over the levels."""
        if isinstance(self._base, Counting):
            return super().evaluate(pairs)
        parts = [pairs.through(("level", i, self.labelled), self._at(i)) for i in self._levels]
        return sum(self._base.evaluate(part) for part in parts)

    def block(self, pairs: Pairs) -> Array:
        """Return `evaluate`, exactly symmetric."""
        if isinstance(self._base, Counting):
            return super().block(pairs)
        return Kernel.block(self, pairs)

    def self_similarity(self, X: Sequence[Any]) -> Array:
        """The base kernel's diagonal, summed over the levels."""
        if isinstance(self._base, Counting):
            return super().self_similarity(X)
        X = as_graphs(X)
        return sum(self._base.self_similarity(self._at(i)(X)) for i in self._levels)

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Decide whether labels are used, and resolve the base kernel on the relabelled graphs."""
        X = as_graphs(points.X)
        labelled = batch_of(X).uses_labels(self.labelled)
        base = self.base
        if base is not None:
            inner(base, "base")
            base = base.resolve(points.through(("level", 0, labelled), self._at(0)), weights)
        return WeisfeilerLehman(self.n_iter, base, labelled)

    def _at(self, level: int) -> Callable[[Any], Objects]:
        """Return the map from graphs to the graphs of one level."""

        def refine(X: Objects) -> Objects:
            batch = batch_of(X)
            codes = batch.first_codes(self.labelled)
            for _ in range(level):
                codes = _refine(batch, codes)
            refined = Objects(X.items)
            refined.memoize("batch", lambda _: batch.relabel(codes))
            return refined

        def relabel(X: RowsLike) -> Objects:
            X = as_graphs(X)
            return X.take(X.memoize(("level", level, self.labelled), refine))

        return relabel


def _refine(batch: Batch, codes: np.ndarray) -> np.ndarray:
    """Return the next labels: a sum of scrambled words is a code of a multiset."""
    near = mix(codes + np.uint64(1))[batch.heads]
    total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(near)])
    return combine(codes, total[batch.indptr[1:]] - total[batch.indptr[:-1]])


@register(kind="graphs")
class OptimalAssignment(Counting):
    """The optimal assignment kernel, Σ_f min(φ_f(G), φ_f(H)) over the features a kernel counts.

    With a Weisfeiler–Lehman kernel it is the value of the best one-to-one match of the nodes.
    VertexHistogram, EdgeHistogram and ShortestPath are accepted as well.

    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> float(OptimalAssignment(WeisfeilerLehman(n_iter=1))([path])[0, 0])
    6.0
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def occurrences(self, X: Objects) -> Occurrences:
        """The first, second, third … of everything counted: min(a, b) is a sum of products."""
        if not isinstance(self.kernel, Featured):
            raise InputError(f"kernel={short(self.kernel)} does not count: use WeisfeilerLehman()")
        features = self.kernel.features(X)
        table = features.counts.tocoo()
        times = np.rint(table.data).astype(np.int64)
        if (times != table.data).any():
            raise InputError(
                f"kernel={short(self.kernel)} gives features that are no whole numbers"
            )
        which = ranges(0, times).astype(np.uint64)
        code = np.repeat(features.vocabulary[table.col], times)
        return Occurrences(np.repeat(table.row, times), combine(code, which))
