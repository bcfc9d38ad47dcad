"""The two tables are what they say: names once, truths that exist, every public door there."""

import inspect
import re
from collections import Counter

import numpy as np
import pytest
from tests.surface import CALLABLE, ESTIMATORS

import gramian as gm

from .cells import KINDS, cells
from .entries import ENTRIES
from .inputs import INPUTS

pytestmark = pytest.mark.slow


CASES = [(k, f, c) for k, by in INPUTS.items() for f, cases in by.items() for c in cases]


def test_names_are_there_once():
    for kind, families in INPUTS.items():
        for family, cases in families.items():
            assert [n for n, k in Counter(c.name for c in cases).items() if k > 1] == [], family
        names = Counter(entry.name for entry in ENTRIES[kind])
        assert [name for name, number in names.items() if number > 1] == []
    assert set(INPUTS) == set(ENTRIES) == set(KINDS)


def test_exceptions_name_inputs_that_exist():
    known = {word for _, family, case in CASES for word in (family, case.name)}
    for entries in ENTRIES.values():
        for entry in entries:
            words = {w for w in (*entry.takes.split(","), *entry.skips.split(",")) if w}
            assert words <= known, (entry.name, words - known)


def test_the_size_of_the_table():
    assert len(CASES) >= 800
    assert len(list(cells())) >= 80_000
    assert {case.verdict for _, _, case in CASES} == {"right", "either", "refused"}


@pytest.mark.filterwarnings("ignore")  # the inputs themselves are odd
def test_every_input_can_be_made_twice_and_has_numbers():
    for kind, family, case in CASES:
        case.make(), case.make()
        if case.verdict != "refused" and kind not in ("graphs", "sequences"):
            values = np.array(case.meaning(), dtype=np.longdouble)
            assert np.isfinite(values).all(), (family, case.name)


# Public names that take no data (records, files, registries, drawings of what was computed), or
# whose door is that of another entry.
WITHOUT = """
    Claim Dataset Choice Choices CrossValidation KernelParallelAnalysis ParallelAnalysis Rule
    Format Source Figure Study Verdict Repair KernelSelection Stability ReplicateStudy Kernel Dot
    Radial
    GaussianMercer register read formats load save names draw plotly_config write read_edges
    read_graphml write_edges write_graphml as_kernel is_transform compose fixed_point biplot
    contributions cos2 map3d network pairs replicates selection
    Constant Exp Function PolynomialOf Mapped Power Product Sum Normalized Standardized
    Clusters Description Tree Constrained Dispersion Permanova Finding Scan Imputation
    MultipleImputation Experiment find write_anndata dendrogram imputations correlations images
    examine scan prepare
    HIM Diffusion EdgeOverlap OptimalAssignment"""
# Made, stored, said twice, or numbers that a study has read.
DATA = ("gramian.datasets.", "gramian.saving.", "gramian.selection.", "gramian.evidence.")


def test_every_public_function_is_an_entry():
    calls = "\n".join(inspect.getsource(module) for module in _modules())
    missing = [
        name
        for name in CALLABLE
        if not name.startswith(DATA)
        and (short := name.rpartition(".")[2]) not in WITHOUT.split()
        and not re.search(rf"\b{short}\b", calls)
    ]
    assert missing == []


def _modules():
    from . import entries

    return [module for _, module in inspect.getmembers(entries, inspect.ismodule)]


METHODS = "fit fit_transform transform partial_fit individuals inverse_transform predict score"


def test_every_method_that_takes_rows_is_an_entry():
    names = [entry.name for entries in ENTRIES.values() for entry in entries]
    short = {"KernelLogisticRegression": "KLR", "PrincipalComponentRegression": "PCR"}
    short["PrincipalComponentClassifier"] = "PCC"
    for estimator in ESTIMATORS:
        for method in METHODS.split():
            if hasattr(getattr(gm, estimator)(), method):
                start = short.get(estimator, estimator)
                found = [n for n in names if re.match(rf"{start}\b.*\.{method}\b", n)]
                assert found, (estimator, method)
