"""The two tables are what they say: names once, truths that exist, every public door there."""

import re
from collections import Counter

import numpy as np
import pytest
from tests.reliability.junk.entries import INNER, NOT_WALKED
from tests.surface import CALLABLE, ESTIMATORS

import gramian as gm

from .cells import KINDS, cells
from .entries import ENTRIES
from .inputs import INPUTS, base

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
    assert len(list(cells())) >= 160_000
    assert {case.verdict for _, _, case in CASES} == {"right", "either", "refused"}


@pytest.mark.filterwarnings("ignore")  # the inputs themselves are odd
def test_every_input_can_be_made_twice_and_has_numbers():
    for kind, family, case in CASES:
        case.make(), case.make()
        if case.verdict != "refused" and kind not in ("graphs", "sequences"):
            values = np.array(case.meaning(), dtype=np.longdouble)
            assert np.isfinite(values).all(), (family, case.name)


# Public callables that take no data by an argument of its name: generated data, files, pictures of
# what was computed, p-values, functions of the user.
WITHOUT = """
    load load_model read save save_model saving.load saving.load_model saving.save
    saving.save_model maps.align plots.show io.read io.scan io.write_anndata networks.prepare
    networks.read_edges networks.read_graphml networks.write_edges networks.write_graphml
    report.replicates report.write clusters.find evidence.benjamini_hochberg evidence.holm
    kernels.Callback kernels.Function kernels.Mapped kernels.as_kernel kernels.graph.as_graph
    plots.contributions plots.dendrogram plots.dimension plots.draw plots.imputations plots.network
    plots.replicates plots.scree plots.selection preimage.fixed_point schoenberg.compose
    schoenberg.is_transform"""
NAMES = [entry.name for entries in ENTRIES.values() for entry in entries]


def test_every_public_callable_is_an_entry():
    known = " ".join(NAMES)
    left_out = [*WITHOUT.split(), *NOT_WALKED.split()]
    missing = [
        name
        for name in (full.removeprefix("gramian.") for full in CALLABLE)
        if name not in left_out
        and not name.startswith("datasets.")
        and not re.search(rf"\b{re.escape(name)}\b", known)
    ]
    assert missing == []
    assert [name for name in WITHOUT.split() if any(n.startswith(f"{name}[") for n in NAMES)] == []


METHODS = "fit fit_transform transform partial_fit individuals inverse_transform predict score"


def test_every_method_that_takes_rows_is_an_entry():
    for estimator in ESTIMATORS:
        for method in METHODS.split():
            name = f"{estimator}.{method}"
            if hasattr(getattr(gm, estimator)(), method) and name not in INNER:
                assert any(n.startswith(f"{name}[") for n in NAMES), name


@pytest.mark.filterwarnings("ignore")  # a warning is no refusal
def test_good_arguments_are_accepted_by_derived_entries():
    """A derived entry is no test where its good arguments do not fit: most must be accepted."""
    twins = [e for e in ENTRIES["table"] if e.name.endswith("[X]")][::12]
    assert sum(entry.fits(np.array(base.X)) for entry in twins) > 0.8 * len(twins)
