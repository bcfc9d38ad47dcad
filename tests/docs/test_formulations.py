"""Every line of docs/formulations.md, against other software or the definition itself."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import sqrtm
from sklearn.decomposition import KernelPCA as SklearnKernelPCA
from tests.contracts.kernel import cloud
from tests.outside._reference import array, assert_axes_close, assert_close, load, table

import gramian as gm

PAGE = Path(__file__).resolve().parents[2] / "docs" / "formulations.md"
Q = 4
GAMMA = load("kernlab/iris30_kpca.json")["results"]["rbf_s0.1"]["kpar"]["sigma"]
X = table("kernlab/iris30_train.csv").to_numpy()
NEW = cloud(5, 4) + X.mean(axis=0)
N = len(X)
G = np.exp(-GAMMA * ((X[:, None] - X[None]) ** 2).sum(axis=2))
H = np.eye(N) - 1 / N
K = H @ G @ H
VALUES, U = (M[..., ::-1] for M in np.linalg.eigh(K))
LAMBDA, U = VALUES[:Q], U[:, :Q]


def fitted(**options):
    return gm.KernelPCA(Q, kernel=gm.kernels.Gaussian.from_gamma(GAMMA), **options).fit(X)


@cache
def rows(heading):
    """Return the cells of each line of a table of the page."""
    text = PAGE.read_text(encoding="utf-8").split(heading)[1].split("\n\n")[0]
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines()[2:]]
    return [[cell.strip() for cell in line] for line in lines]


def first_formulation():
    """G^½HG^½ by its own eigenvectors, and the values of f = Σ αᵢ k(xᵢ, ·), G^½α = β."""
    root = np.real(sqrtm(G))
    values, B = np.linalg.eigh(root @ H @ root)
    alpha = np.linalg.solve(root, B[:, ::-1][:, :Q])
    return values[::-1][:Q], G @ alpha


def sklearn():
    return SklearnKernelPCA(Q, kernel="rbf", gamma=GAMMA, eigen_solver="dense").fit(X)


KERNLAB = load("kernlab/iris30_kpca.json")["results"]["rbf_s0.1"]
D2 = np.add.outer(G.diagonal(), G.diagonal()) - 2 * G
TRUTH = {
    ("Gramian", "`eigenvalues_`"): LAMBDA / N,
    ("Gramian", "`coordinates_`"): np.sqrt(LAMBDA) * U,
    ("scikit-learn `KernelPCA`", "`eigenvalues_`"): sklearn().eigenvalues_,
    ("scikit-learn `KernelPCA`", "`eigenvectors_`"): sklearn().eigenvectors_,
    ("scikit-learn `KernelPCA`", "`transform(X)`"): sklearn().transform(X),
    ("kernlab `kpca`", "`eig`"): array(KERNLAB["eig"])[:Q],
    ("kernlab `kpca`", "`pcv`"): array(KERNLAB["pcv"])[:, :Q],
    ("kernlab `kpca`", "`rotated`"): array(KERNLAB["rotated"])[:, :Q],
    ("mixKernel `kernel.pca`", "`sdev`"): LAMBDA,
    ("mixKernel `kernel.pca`", "`x`"): U / np.sqrt(LAMBDA),
    ("mixKernel `kernel.pca`", "`prop_expl_var$X`"): LAMBDA / VALUES.sum(),
    ("text 1 (report)", "inertia of axis k, λ_k"): LAMBDA,
    ("text 1 (report)", "principal component c_k"): np.sqrt(LAMBDA) * U,
    ("text 1 (report)", "total inertia"): np.trace(K),
    ("text 2 (RKHS)", "λ_j"): LAMBDA,
    ("text 2 (RKHS)", "scaled eigenvectors v_j"): U / np.sqrt(LAMBDA),
    ("text 3 (chapter)", "eigenvalues λ_Φ of S_Φ"): LAMBDA / N,
    ("text 3 (chapter)", "scores Ỹ"): K @ (U / np.sqrt(LAMBDA)),
    ("text 4 (notes), I", "eigenvalues of G^½HG^½"): first_formulation()[0],
    ("text 4 (notes), I", "scores less their mean"): H @ first_formulation()[1],
    ("text 4 (notes), II", "eigenvalues of E"): LAMBDA,
    ("text 4 (notes), II", "α under \\|α\\| ≤ 1"): U,
    ("text 5 (lecture)", "eigenvalues of B = −½HD²H, D² in feature space"): np.linalg.eigvalsh(
        -0.5 * H @ D2 @ H
    )[::-1][:Q],
}


def key(cells):
    return cells[0], re.split(r" \(eigenvalues|, `variates", cells[1])[0]


def test_the_table_and_the_truths_have_the_same_lines():
    assert [key(cells) for cells in rows("| source | its number |")] == list(TRUTH)


@pytest.mark.parametrize("line", range(len(TRUTH)))
def test_scales(line):
    cells = rows("| source | its number |")[line]
    actual = eval(cells[3].strip("`"), {"fit": fitted(), "n": N, "np": np})
    expected = np.asarray(TRUTH[key(cells)])
    if expected.ndim == 2:
        assert_axes_close(actual, expected, 1e-6 if "kernlab" in cells[0] else 1e-9)
    else:
        assert_close(actual, expected, 1e-8)


@pytest.mark.parametrize("line", range(5))
def test_gaussian_scales(line):
    value, d2 = 0.7, ((X[:5, None] - X[None, 5:9]) ** 2).sum(axis=2)
    written = {
        "exp(−γ·d²)": np.exp(-value * d2),
        "exp(−σ·d²)": np.exp(-value * d2),
        "exp(−d²/(2σ²))": np.exp(-d2 / (2 * value**2)),
        "exp(−d²/γ²)": np.exp(-d2 / value**2),
        "exp(−d²/c)": np.exp(-d2 / value),
    }
    cells = rows("| source | kernel |")[line]
    scale = eval(cells[2].strip("`"), {"value": value, "np": np})
    actual = gm.kernels.Gaussian(scale).pairwise(X[:5], X[5:9])
    assert_close(actual, written[cells[1]], 1e-12)


def test_both_formulations_have_the_same_axes_and_inertias():
    values, scores = first_formulation()
    span, centred = fitted(formulation="span"), fitted()
    assert_close(N * span.eigenvalues_, values, 1e-10)
    assert_close(span.eigenvalues_, centred.eigenvalues_, 1e-14)
    assert_axes_close(span.coordinates_, scores, 1e-6)
    for one, two in zip(span.axes(), centred.axes(), strict=True):
        assert one.distance(two) < 1e-10


def test_the_shift_is_the_barycentre_on_the_axis_for_new_points_too():
    span, centred = fitted(formulation="span"), fitted()
    mu = gm.rkhs.mean_embedding(centred.kernel_, X)
    shift = np.array([axis.inner(mu) for axis in centred.axes()])
    means = np.array([axis(X).mean() for axis in centred.axes()])
    assert_close(shift, means, 1e-9, 1e-12)
    assert_close(span.coordinates_ - centred.coordinates_, np.tile(shift, (N, 1)), 0, 1e-10)
    assert_close(span.transform(NEW) - centred.transform(NEW), np.tile(shift, (5, 1)), 0, 1e-10)
    assert np.abs(shift).max() > 1e-3


def test_no_shift_where_the_kernel_is_centred_already():
    options = {"kernel": "precomputed"}
    span = gm.KernelPCA(3, formulation="span", **options).fit(K)
    assert_close(span.coordinates_, gm.KernelPCA(3, **options).fit(K).coordinates_, 0, 1e-12)
    Z = X - X.mean(axis=0)
    span = gm.KernelPCA(2, kernel="linear", formulation="span").fit(Z)
    centred = gm.KernelPCA(2, kernel="linear").fit(Z)
    assert_close(span.coordinates_, centred.coordinates_, 0, 1e-10)


def test_the_uncentred_vector_gives_the_first_formulation():
    """Eigenvectors of the centred matrix times k(x, xᵢ) as it is: the origin is that of I."""
    k = np.exp(-GAMMA * ((NEW[:, None] - X[None]) ** 2).sum(axis=2))
    assert_axes_close(k @ (U / np.sqrt(LAMBDA)), fitted(formulation="span").transform(NEW), 1e-9)
    centred = k - k.mean(axis=1)[:, None] - G.mean(axis=0)[None, :] + G.mean()
    assert_axes_close(centred @ (U / np.sqrt(LAMBDA)), fitted().transform(NEW), 1e-9)


def test_the_constraint_decides_the_scale():
    """|α| = 1 gives scores λ·u; αᵀEα = 1 gives √λ·u."""
    assert_axes_close(K @ U, np.sqrt(N * fitted().eigenvalues_) * fitted().coordinates_, 1e-9)
    alpha = U / np.sqrt(LAMBDA)
    assert_close((alpha * (K @ alpha)).sum(axis=0), np.ones(Q), 1e-10)
    assert_axes_close(K @ alpha, fitted().coordinates_, 1e-9)
