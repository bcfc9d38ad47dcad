"""The walk: one argument after the other of every entry is replaced by junk."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path

from tests.reliability.junk.entry import ENTRIES, Entry
from tests.reliability.junk.judge import verdict
from tests.reliability.junk.values import JUNK

# What the library gives back and nobody builds, classes to inherit from, registers, no arguments.
NOT_WALKED = """
    clusters.Clusters clusters.Description clusters.Tree
    datasets.Dataset datasets.airquality datasets.breast_cancer datasets.cities datasets.digits
    datasets.example_matrix datasets.iris datasets.names datasets.wine
    dimension.Choice dimension.Choices dimension.CrossValidation dimension.KernelParallelAnalysis
    dimension.ParallelAnalysis dimension.Rule dimension.register
    ecology.Constrained ecology.Dispersion ecology.Permanova
    evidence.Assumptions evidence.AxesEvidence evidence.Carried evidence.ClusterEvidence
    evidence.Copies evidence.Counts evidence.CurveEvidence evidence.Directions evidence.Finding
    evidence.GroupEvidence evidence.LoadingEvidence evidence.NumberEvidence evidence.RowsEvidence
    evidence.Tails studies.Claim studies.Study
    io.Finding io.Format io.Scan io.Source io.formats io.register
    kernels.Dot kernels.Kernel kernels.Radial kernels.register saving.register
    missing.Imputation missing.MultipleImputation networks.Experiment networks.ReplicateStudy
    plots.Figure plots.plotly_config plots.register
    report.Study selection.KernelSelection stability.Stability validity.Repair validity.Verdict"""
TABLES = (
    "classes",
    "estimators",
    "factors",
    "kernels",
    "spaces",
    "studies",
    "evidence",
    "missing",
    "plots",
    "networks",
    "files",
)


def entries() -> dict[str, Entry]:
    """Return every entry."""
    for name in TABLES:
        import_module(f"tests.reliability.junk.{name}")
    return ENTRIES


def part_of(name: str, parts: int) -> int:
    """Return which part of the walk a case belongs to, the same in every process."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=4).digest(), "big") % parts


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Work in a folder of one's own: a path that is accepted is written to."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def faults(entry: Entry, chosen: Callable[[str], bool] = lambda name: True) -> Iterator[str]:
    """Yield what breaks the promise when one argument after the other is junk."""
    for argument in entry.arguments:
        for name, make in JUNK.items():
            case = f"{entry.name}({argument}={name})"
            if chosen(case) and (text := verdict(partial(entry.with_junk, argument, make))):
                yield f"{case}: {text}"
