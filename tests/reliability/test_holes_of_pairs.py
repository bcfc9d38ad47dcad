"""Missing values of pairs of points: what is advised can be done, and columns are not spoken of."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import squareform

import gramian as gm
from gramian.errors import InputError

X = np.random.default_rng(0).normal(size=(30, 4))
Y = np.repeat([0, 1, 2], 10)
D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=-1))
K = X @ X.T
GIVEN = {"a": "precomputed", "b": "precomputed"}


def with_hole(M):
    M = M.copy()
    M[3, 5] = M[5, 3] = np.nan
    return M


KINDS = {
    "array": with_hole,
    "frame": lambda M: pd.DataFrame(with_hole(M)),
    "nullable": lambda M: pd.DataFrame(with_hole(M)).astype("Float64"),
}
OF_DISTANCES = {
    "fit": lambda M: gm.ClassicalMDS(2, metric="precomputed").fit(M),
    "transform": lambda M: gm.ClassicalMDS(2, metric="precomputed").fit(D).transform(M),
    "permanova": lambda M: gm.ecology.permanova(M, Y, metric="precomputed"),
}
OF_KERNELS = {
    "fit": lambda M: gm.KernelPCA(2, kernel="precomputed").fit(M),
    "transform": lambda M: gm.KernelPCA(2, kernel="precomputed").fit(K).transform(M),
    "several": lambda M: gm.MultiKernelPCA(2, kernels=GIVEN).fit({"a": K, "b": M}),
    "logistic": lambda M: gm.KernelLogisticRegression(kernel="precomputed").fit(M, Y),
    "predict": lambda M: gm.KernelLogisticRegression(kernel="precomputed").fit(K, Y).predict(M),
    "regression": lambda M: gm.PrincipalComponentRegression(kernel="precomputed").fit(M, Y),
    "classes": lambda M: gm.PrincipalComponentClassifier(kernel="precomputed").fit(M, Y),
}


def said(ask, M):
    with pytest.raises(InputError) as refusal:
        ask(M)
    words = str(refusal.value)
    assert "NaN" in words and "leave out the points" in words
    assert "impute" not in words and "iterative" not in words
    return words


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("ask", list(OF_DISTANCES))
def test_of_distances_gm_mds_is_named(ask, kind):
    assert "gm.MDS" in said(OF_DISTANCES[ask], KINDS[kind](D))


def test_of_a_vector_of_distances_too():
    assert "gm.MDS" in said(OF_DISTANCES["fit"], squareform(with_hole(D), checks=False))


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("ask", list(OF_KERNELS))
def test_of_kernel_values_points_are_left_out(ask, kind):
    assert "gm.MDS" not in said(OF_KERNELS[ask], KINDS[kind](K))


def test_what_is_advised_can_be_done():
    assert gm.MDS(2, metric="precomputed").fit(with_hole(D)).coordinates_.shape == (30, 2)
    kept = [k for k in range(30) if k != 3]
    gm.ClassicalMDS(2, metric="precomputed").fit(with_hole(D)[np.ix_(kept, kept)])


def test_a_table_is_still_told_to_fill_its_holes():
    for fit in (gm.PCA(2).fit, gm.ClassicalMDS(2).fit, gm.KernelPCA(2).fit):
        with pytest.raises(InputError, match=r"gm\.missing\.impute"):
            fit(with_hole(X[:, [0, 1, 2, 3, 0, 1]]))
