"""Distances as an operator, in any array library."""

import numpy as np
import pytest
import torch

from gramian._core.operators.variants import half_squares


@pytest.mark.parametrize("library", [np.asarray, torch.asarray], ids=["numpy", "torch"])
def test_distances_become_minus_half_their_squares(library):
    D = np.random.default_rng(0).uniform(0, 9, (700, 700))
    found = np.asarray(half_squares(library(D), 4.0))
    assert np.allclose(found, -0.5 * (D / 4.0) ** 2, rtol=1e-15)
