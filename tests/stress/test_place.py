"""New points on a map: each is at a minimum of its own stress."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

import gramian as gm
from gramian._estimators.stress.maps import place


@pytest.mark.slow
@pytest.mark.parametrize("q", [2, 3])
@pytest.mark.parametrize("holes", [0.0, 0.4])
def test_no_start_leads_to_a_better_place(q, holes):
    rng = np.random.default_rng(q)
    X = rng.standard_normal((25, q))
    T = cdist(rng.standard_normal((8, q)), X) * rng.uniform(0.6, 1.5, (8, 25))
    W = rng.uniform(0.5, 2.0, T.shape) * (rng.random(T.shape) >= holes)
    Z = place(T, W, X, "stress")
    for z, t, w in zip(Z, T, W, strict=True):

        def loss(y, t=t, w=w):
            return float(w @ (t - np.linalg.norm(y - X, axis=1)) ** 2)

        best = min(minimize(loss, start).fun for start in rng.standard_normal((6, q)) * 1.5)
        assert loss(z) <= best * (1 + 1e-2)  # the better of two minima, of which there may be more
        assert minimize(loss, z).fun >= loss(z) * (1 - 1e-9)  # and exactly at one


@pytest.mark.slow
def test_resampled_maps_are_those_of_fits_from_the_same_start():
    X = np.random.default_rng(0).standard_normal((30, 4)) * [5, 2, 1, 1]
    whole = gm.MDS(2, random_state=0).fit(X)
    found = gm.stability.bootstrap(gm.MDS(2, random_state=0), X, n_resamples=6, random_state=1)
    again = gm.stability.bootstrap(
        gm.MDS(2, start=whole.coordinates_, n_init=1, tol=1e-9), X, n_resamples=6, random_state=1
    )
    np.testing.assert_allclose(
        found.ellipses((1, 2))[["x", "y"]], again.ellipses((1, 2))[["x", "y"]], atol=2e-2
    )
