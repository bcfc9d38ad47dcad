"""The checks of options: what passes comes back plain, what does not is told in one sentence."""

import numpy as np
import pytest

from gramian import _check as check
from gramian.errors import InputError


@pytest.mark.parametrize("value", [True, np.bool_(True), 2.0, "2", None, np.nan, [2]])
def test_what_is_no_whole_number(value):
    with pytest.raises(InputError, match=r"n=.* must be a whole number, at least 1"):
        check.whole(value, "n")


def test_whole_numbers_and_their_limits():
    assert type(check.whole(np.int32(4), "n")) is int
    assert check.whole(0, "n", least=0) == 0
    for value in (1, 6):
        with pytest.raises(InputError, match="at least 2 and at most 5, the rows"):
            check.whole(value, "n", 2, 5, what="the rows")


@pytest.mark.parametrize("value", [0, -1.0, np.inf, np.nan, True, "1", None, 1j, [1.0]])
def test_what_is_not_positive(value):
    with pytest.raises(InputError, match=r"scale=.* must be a positive finite number"):
        check.positive(value, "scale")


def test_positive_and_other_numbers():
    assert type(check.positive(np.float32(0.5), "scale")) is float
    assert check.number(-3, "x") == -3.0
    for value in (-np.inf, np.nan, "1", False):
        with pytest.raises(InputError, match=r"x=.* must be a finite number"):
            check.number(value, "x")
    with pytest.raises(InputError, match="x=-1 must be a finite number of at least 0"):
        check.number(-1, "x", least=0.0)


@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("one", [False, True])
def test_shares_and_their_ends(zero, one):
    assert check.share(0.3, "alpha", zero=zero, one=one) == 0.3
    for value, allowed in ((0, zero), (1.0, one), (-1e-9, False), (1.1, False), (np.nan, False)):
        if allowed:
            assert check.share(value, "alpha", zero=zero, one=one) == value
        else:
            with pytest.raises(InputError, match=r"alpha=.*(0|1)"):
                check.share(value, "alpha", zero=zero, one=one)
    with pytest.raises(InputError, match="alpha=True"):
        check.share(True, "alpha", zero=zero, one=one)


def test_names():
    assert check.one_of("b", "kind", {"a": 1, "b": 2}) == "b"
    for value in ("c", None, 1, ["a"], np.array(["a", "b"])):
        with pytest.raises(InputError, match=r"kind=.* must be one of a, b"):
            check.one_of(value, "kind", ("a", "b"))
    with pytest.raises(InputError) as caught:
        check.one_of(np.zeros((100, 100)), "kind", ("a", "b"))
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)
