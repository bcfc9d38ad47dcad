"""The judge tells each kind of outcome from the others, and the pool survives what it runs."""

import os
import signal
import time
import warnings

import numpy as np
import pytest

from gramian.errors import InputError

from .cell import Entry, either, refused, right
from .judge import SINGLE, Outcome, agree, clear, verdict
from .pool import run_all
from .truth import Rows, Square, eigenvalues, solve

X = np.arange(6.0).reshape(3, 2)
GOOD = right("good", lambda: X.copy())
BAD = refused("bad", lambda: X * np.nan)
HARD = either("hard", lambda: X.copy())


def double(x, plain):
    return 2 * np.asarray(x)


def wrong(x, plain):
    return 3 * np.asarray(x)


def loud(x, plain):
    warnings.warn("some digits are lost", stacklevel=1)
    return 3 * np.asarray(x)


def refuse(x, plain):
    raise InputError("X has NaN at row 0: drop the row")


def mutter(x, plain):
    raise InputError("no")


def raw(x, plain):
    return [][0]


def spoil(x, plain):
    x[0, 0] += 1.0
    return 2 * (x - [[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])


def freeze(x, plain):
    x.setflags(write=False)
    return 2 * x


KINDS = [
    (double, GOOD, "right"),
    (double, HARD, "right"),
    (double, BAD, "silent accept"),
    (wrong, GOOD, "silent wrong"),
    (wrong, HARD, "silent wrong"),
    (loud, GOOD, "warned wrong"),
    (refuse, BAD, "refused"),
    (refuse, HARD, "refused"),
    (refuse, GOOD, "needless refusal"),
    (mutter, BAD, "unclear refusal"),
    (raw, BAD, "raw error"),
    (raw, GOOD, "raw error"),
    (spoil, GOOD, "input changed"),
    (freeze, GOOD, "input changed"),
]


@pytest.mark.parametrize(("call", "case", "kind"), KINDS)
def test_kinds(call, case, kind):
    entry = Entry("entry", call, lambda result, truth: [(result, 2 * truth)])
    assert verdict(entry, case, X, X).kind == kind


def test_a_refusal_names_its_argument_and_a_remedy():
    assert clear(InputError("X has NaN at row 3: drop it"), "X") == ""
    assert "none of X" in clear(InputError("Xylophone at row 3: drop it"), "X")
    assert clear(InputError("X is odd"), "X") == "no remedy"
    assert "characters" in clear(ValueError("X: drop it" + "!" * 400), "X")


def test_numbers_agree_to_the_digits_of_the_largest():
    assert agree([1.0, 1e-12], [1.0, 0.0]) == ""
    assert agree([1.0, 1e-6], [1.0, 0.0])
    assert agree([1.0], [1.0, 0.0]).startswith("shape")
    assert agree([np.nan], [1.0])
    assert agree([np.nan], [np.nan]) == ""
    assert agree([np.inf, 1.0], [np.longdouble("1e600"), 1.0]) == ""
    assert agree([1.0], [np.longdouble("1e600")])
    assert agree([0.0], [np.longdouble("1e-600")]) == ""
    assert agree([np.nan, np.inf], [0.0, np.longdouble("1e600")])
    assert agree([np.inf], [1e43], SINGLE) == ""
    assert agree([np.inf], [1e43])
    assert agree([-np.inf], [1e43], SINGLE)


def test_jacobi_against_known_spectra():
    H = 1 / (np.arange(5)[:, None] + np.arange(5) + 1.0)
    known = "1.567050691098231 0.208534218668012 0.0114074915734274 0.000305898040 0.0000032879287"
    np.testing.assert_allclose(
        eigenvalues(H).astype(float), [*map(float, known.split())], rtol=1e-7
    )
    n = 9  # the second difference: 2 − 2 cos(πk/(n + 1))
    T = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    want = 2 - 2 * np.cos(np.pi * np.arange(n, 0, -1) / (n + 1))
    np.testing.assert_allclose(eigenvalues(T).astype(float), want, rtol=1e-14)


def test_truth_does_not_know_an_offset():
    far = Rows(X * 4 + 2.0**52)
    np.testing.assert_array_equal(far.variances, Rows(X * 4).variances)
    assert Square(np.eye(4)).inertias.sum() == pytest.approx(3 / 4)
    np.testing.assert_allclose(
        solve(np.array([[0.0, 2.0], [1.0, 1.0]]), np.array([2.0, 3.0])), [2, 1]
    )


def act(what):
    """What a cell may do to its worker."""
    if what == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "sleep":
        time.sleep(60)
    if what == "eat":
        np.ones(1 << 33)
    return Outcome("right", str(what))


@pytest.mark.slow
def test_a_crash_costs_one_cell():
    places = ["a", "die", "b", "eat", "c"]
    outcomes = {place: outcome for place, outcome, _ in run_all(places, act)}
    kinds = {place: outcome.kind for place, outcome in outcomes.items()}
    assert kinds == {"a": "right", "b": "right", "c": "right", "die": "crash", "eat": "raw error"}
    assert "MemoryError" in outcomes["eat"].text
