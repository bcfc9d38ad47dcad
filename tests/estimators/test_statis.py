"""STATIS and DISTATIS against their definitions."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError, InputTypeError

rng = np.random.default_rng(2)
n = 15
z = rng.standard_normal((n, 2))
TABLES = {k: z @ rng.standard_normal((2, 4)) + s * rng.standard_normal((n, 4))
          for k, s in (("a", 0.1), ("b", 0.5), ("c", 2.0))}  # fmt: skip
DISTANCES = {k: gm.distances.euclidean(X) for k, X in TABLES.items()}
J = np.eye(n) - 1.0 / n


def compromise(products, size):
    """The weights and the weighted sum of products that are made alike in size first."""
    W = [S / size(S) for S in products]
    norms = [np.linalg.norm(S) for S in W]
    RV = [[(A * B).sum() / (a * b) for B, b in zip(W, norms, strict=True)]
          for A, a in zip(W, norms, strict=True)]  # fmt: skip
    u = np.abs(np.linalg.eigh(np.array(RV))[1][:, -1])
    w = u / u.sum()
    return w, sum(weight * S for weight, S in zip(w, W, strict=True))


@pytest.mark.slow
def test_statis_is_the_compromise_of_the_products():
    products = [J @ X @ X.T @ J / n for X in TABLES.values()]
    w, S = compromise(products, np.linalg.norm)
    fit = gm.STATIS(3).fit(TABLES)
    np.testing.assert_allclose(fit.kernel_weights_, w, rtol=1e-9)
    np.testing.assert_allclose(fit.eigenvalues_, np.linalg.eigvalsh(S)[::-1][:3], rtol=1e-8)
    assert w[0] > w[2]
    Z = np.asarray(fit.coordinates_)
    mean = sum(fit.kernel_weights_[k] * fit.partial()[k] for k in TABLES)
    np.testing.assert_allclose(mean, Z, atol=1e-10)
    np.testing.assert_allclose(fit.transform({k: X[:3] for k, X in TABLES.items()}), Z[:3])


def test_distatis_is_the_compromise_of_the_distances():
    products = [-0.5 * J @ D**2 @ J / n for D in DISTANCES.values()]
    w, S = compromise(products, lambda S: np.linalg.eigvalsh(S)[-1])
    fit = gm.DISTATIS(3).fit(DISTANCES)
    np.testing.assert_allclose(fit.kernel_weights_, w, rtol=1e-9)
    np.testing.assert_allclose(fit.eigenvalues_, np.linalg.eigvalsh(S)[::-1][:3], rtol=1e-8)
    new = {k: D[:4] for k, D in DISTANCES.items()}
    np.testing.assert_allclose(fit.transform(new), fit.coordinates_[:4], atol=1e-8)
    assert (fit.individuals(new)["cos2"].to_numpy() <= 1 + 1e-9).all()


def test_labels_are_kept():
    names = [f"row {k}" for k in range(n)]
    frames = {k: pd.DataFrame(D, names, names) for k, D in DISTANCES.items()}
    assert list(gm.DISTATIS(2).fit(frames).individuals().index) == names


@pytest.mark.parametrize("X", [z, None, {}, {"a": -DISTANCES["a"]}, {"a": TABLES["a"]}])
def test_what_is_no_set_of_distances_is_refused(X):
    with pytest.raises((InputError, InputTypeError)):
        gm.DISTATIS(1).fit(X)
