"""Junk for every argument of every public entry: what leaves is a refusal in words, in time.

A part of the walk; `python -m tests.reliability.junk` walks all of it.
"""

import numpy as np
import pytest
from tests.reliability.junk.entries import NOT_WALKED, entries
from tests.reliability.junk.judge import quick, verdict
from tests.reliability.junk.values import JUNK
from tests.reliability.junk.walk import aside, faults, part_of
from tests.surface import CALLABLE, NAMES

from gramian.errors import InputError

pytestmark = pytest.mark.slow


ENTRIES = entries()
PARTS = 12  # of which the suite walks one
# Fits and pages that are accepted take seconds: these are walked by hand.
SLOW = ("report.",)


def test_every_public_name_of_the_first_release_is_walked():
    public = {f"{module}.{name}" for module in NAMES for name in NAMES[module].split()}
    named = {name.removeprefix("gramian.") for name in public & set(CALLABLE)}
    walked = {name.partition("[")[0] for name in ENTRIES} | set(NOT_WALKED.split())
    assert sorted(named - walked) == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in ENTRIES if not name.startswith(SLOW)])
def test_junk_is_refused_in_words(name):
    with aside():
        with quick():
            ENTRIES[name].rightly()  # what is not junk is accepted, so that junk is what is refused
        wrong = list(faults(ENTRIES[name], lambda case: part_of(case, PARTS) == 0))
    assert not wrong, "\n".join(["", *wrong])


def test_every_junk_is_met():
    met = {
        junk
        for name, entry in ENTRIES.items()
        for argument in entry.arguments
        for junk in JUNK
        if part_of(f"{name}({argument}={junk})", PARTS) == 0
    }
    assert met == set(JUNK)


def refusal():
    raise InputError("X is none: give another")


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: [][0], "IndexError"),
        (lambda: {}["a"], "KeyError"),
        (lambda: None.shape, "AttributeError"),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: np.linalg.inv(np.zeros((2, 2))), "LinAlgError"),
        (lambda: np.ones(3) + np.ones(2), "ValueError"),
        (lambda: [k for k in iter(int, 1)], "more than"),
    ],
)
def test_the_judge_sees_what_is_wrong(call, word, monkeypatch):
    monkeypatch.setattr("tests.reliability.junk.judge.LIMIT", 0.2)
    assert word in verdict(call)


def test_the_judge_lets_refusals_pass():
    assert verdict(refusal) == ""
    error = InputError("x")
    error.args = ("x" * 401,)  # by its constructor it would be cut

    def call():
        raise error

    assert "401 characters" in verdict(call)
