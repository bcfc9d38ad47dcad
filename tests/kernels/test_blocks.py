"""Collections that kernels read: blocks of individuals, values computed before, objects."""

import numpy as np
from sklearn.metrics.pairwise import pairwise_kernels

from gramian.kernels import Exponential, Linear
from gramian.kernels.blocks import Blocks, Given, GivenRows, OnBlock
from gramian.kernels.objects import Objects
from gramian.kernels.radial import SquaredDistance

SOME = np.array([True, False, True])


def test_blocks_and_objects_are_indexed_like_arrays():
    both = Blocks({"size": np.arange(3.0)[:, None], "word": ["a", "bb", "ccc"]})
    assert both[SOME].block("word") == ["a", "ccc"]
    assert list(Objects(["a", "bb", "ccc"])[SOME]) == ["a", "ccc"]


def test_values_computed_before_are_looked_up():
    K = np.array([[2.0, 1.0], [1.0, 3.0]])
    assert Given()(GivenRows(K, np.arange(2), np.diag(K)))[0, 1] == 1.0


def test_a_kernel_on_one_block_sees_no_other():
    X = {"size": [[1.0], [3.0]], "other": [[0.0], [0.0]]}
    assert OnBlock(Linear(), "size")(X)[0, 1] == 3.0


def test_scikit_learn_calls_a_kernel_on_whole_tables():
    K = pairwise_kernels([[0.0], [2.0]], metric=Exponential(2.0).for_sklearn())
    assert K.round(3).tolist() == [[1.0, 0.368], [0.368, 1.0]]


def test_the_kernel_of_scaling_is_minus_half_the_squared_distance():
    assert SquaredDistance(scale=1.0)([[0.0], [2.0]])[0, 1] == -2.0
