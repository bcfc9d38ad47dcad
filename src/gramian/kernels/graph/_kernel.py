"""What every graph kernel shares: the door, the batch, and whether labels are used."""

from __future__ import annotations

from typing import Any

from gramian._core.pairs import Points
from gramian.kernels.base import Kernel
from gramian.kernels.features import Featured, Occurrences
from gramian.kernels.graph._batch import Batch, batch_of
from gramian.kernels.graph._graph import as_graphs
from gramian.kernels.objects import Objects


class GraphKernel(Kernel):
    """A kernel on graphs."""

    psd: bool | None = True
    takes_vectors = False

    def _objects(self, X: Any, name: str) -> Objects:
        return as_graphs(X, name)

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with `labelled` decided by whether the graphs have labels."""
        kernel = super().resolve(points, weights, names)
        if getattr(self, "labelled", False) is None:
            X = as_graphs(points.X)
            kernel.set_params(labelled=batch_of(X).is_labelled)
        return kernel


class Counting(GraphKernel, Featured):
    """A graph kernel that counts; a subclass writes `occurrences_in(batch)`."""

    def occurrences_in(self, batch: Batch) -> Occurrences:
        """Return what is counted in the graphs."""
        raise NotImplementedError

    def occurrences(self, X: Objects) -> Occurrences:
        """Return what is counted in the graphs."""
        return self.occurrences_in(batch_of(X))
