"""A table without a network: the study says that no number of replicates is in reach."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm

pytestmark = pytest.mark.slow


def test_pure_noise_gets_no_recommendation():
    X = pd.DataFrame(np.random.default_rng(0).standard_normal((20, 15)))
    condition = np.repeat(["a", "b"], 10)
    study = gm.networks.replicate_study(
        X, condition, n_resamples=10, n_permutations=19, random_state=0, progress=False
    )
    assert study.recommended is None
    assert "No recommendation" in study.summary()
