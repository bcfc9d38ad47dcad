"""The checks of options: what passes comes back plain, what does not is told in one sentence."""

import numpy as np
import pandas as pd
import pytest

from gramian._core import check
from gramian.errors import InputError, InputTypeError


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


@pytest.mark.parametrize("value", [0, 1, None, "yes", np.array([True, False]), [True]])
def test_what_is_neither_true_nor_false(value):
    with pytest.raises(InputError, match=r"scale=.* must be True or False"):
        check.flag(value, "scale")


def test_counts_that_are_slips():
    assert check.whole(check.MAX_COUNT, "n") == check.MAX_COUNT
    with pytest.raises(InputError, match="at least 1 and at most 2147483647"):
        check.whole(10**30, "n")


def test_what_a_function_of_the_caller_says():
    def broken(x):
        raise ZeroDivisionError("his own")

    assert check.answer(max, "metric", 2, 3) == 3
    with pytest.raises(ZeroDivisionError, match="his own"):
        check.answer(broken, "metric", 1)
    for value in (None, "max", 3, int, lambda x: x, np.eye(2)):
        with pytest.raises(InputTypeError, match="metric="):
            check.answer(value, "metric", [1], [2], [3])


def test_an_error_inside_a_function_of_the_caller_is_his():
    with pytest.raises(TypeError, match="concatenate") as caught:
        check.answer(lambda x: "" + x, "metric", 1)
    assert not isinstance(caught.value, InputTypeError)


@pytest.mark.parametrize("value", [None, 3, b"a.csv", ["a.csv"], "", "a\0b", 1.5, object()])
def test_what_is_no_path(value):
    with pytest.raises((InputError, InputTypeError), match="path="):
        check.path(value)


def test_lists_and_labels():
    assert all(map(check.is_list, ([], (1,), range(3), np.arange(3), pd.Index(["a"]))))
    assert not any(map(check.is_list, ("ab", {1}, {}, np.eye(2), np.array(1), None, iter([]))))
    assert check.is_label("a") and check.is_label((1, "a"))
    assert not any(map(check.is_label, ([1], {}, (1, []), np.zeros(2), np.zeros(1, "i4,i4")[0])))


@pytest.mark.parametrize(
    "seed", [3, np.int64(3), [3, 4], np.arange(4), np.random.SeedSequence(3), np.random.PCG64(3)]
)
def test_seeds(seed):
    if isinstance(seed, np.random.PCG64):
        assert check.generator(seed).bit_generator is seed
    else:
        expected = np.random.default_rng(seed).integers(10**9)
        assert check.generator(seed).integers(10**9) == expected


@pytest.mark.parametrize("seed", [-1, 1.5, "0", True, [], [-1, 2], np.ones(3), object()])
def test_what_is_no_seed(seed):
    with pytest.raises(InputError, match=r"random_state=.*seed"):
        check.generator(seed)
