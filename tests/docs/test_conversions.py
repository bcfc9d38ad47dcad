"""Every line of the conversion table in docs/conventions.md, against other software's numbers."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA as SklearnPCA
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics import pairwise as skl
from tests.contracts.kernel import cloud
from tests.outside._reference import array, assert_axes_close, assert_close, load, table

import gramian as gm
from gramian import kernels

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conventions.md"
TOL = 1e-8


@cache
def lines():
    """Return {(software, its number): (the fit, the expression)} of the conversion table."""
    text = PAGE.read_text(encoding="utf-8").split("| software | fit |")[1].split("\n\n")[0]
    found = {}
    for line in text.splitlines()[2:]:
        software, fit, number, ours = (cell.strip().strip("`") for cell in line[1:-1].split(" | "))
        found[software.strip("| "), number] = (fit, ours.strip("` |"))
    return found


def decathlon(scale):
    return gm.PCA(scale=scale).fit(table("data/decathlon.csv").iloc[:, :10])


def arrests(scale):
    return gm.PCA(scale=scale).fit(table("data/USArrests.csv"))


IRIS = table("kernlab/iris30_train.csv").to_numpy()
CITIES = load("classical_mds/UScitiesD.json")
KERNLAB = load("kernlab/iris30_kpca.json")["results"]["rbf_s0.1"]
SKLEARN = load("sklearn_skbio/kernel_pca.json")["results"]["rbf_gamma_default"]
STD, COV = load("factominer/decathlon_std.json"), load("factominer/decathlon_cov.json")
R = load("prcomp/USArrests.json")
LIVE = SklearnPCA(svd_solver="full").fit(IRIS)
WEIGHTS = array(CITIES["vegan_wcmdscale_weighted"]["weights"])


@cache
def cities(q, weighted=False, correction=None):
    D = table("data/UScitiesD.csv").to_numpy(float)
    mds = gm.ClassicalMDS(q, metric="precomputed", correction=correction)
    weight = WEIGHTS if weighted else None
    if correction is None:
        with pytest.warns(gm.errors.NotEuclideanWarning):
            return mds.fit(D, sample_weight=weight)
    return mds.fit(D, sample_weight=weight)


def kernel_pca(gamma, q):
    return gm.KernelPCA(q, kernel=kernels.Gaussian.from_gamma(gamma)).fit(IRIS)


FITS = {
    "scikit-learn PCA": lambda: gm.PCA().fit(IRIS),
    "scikit-learn KernelPCA": lambda: kernel_pca(SKLEARN["gamma_used"], 4),
    "FactoMineR PCA": lambda: decathlon(True),
    "FactoMineR PCA, scale.unit=FALSE": lambda: decathlon(False),
    "prcomp": lambda: arrests(False),
    "prcomp, scale.=TRUE": lambda: arrests(True),
    "princomp": lambda: arrests(False),
    "princomp, cor=TRUE": lambda: arrests(True),
    "kernlab kpca": lambda: kernel_pca(KERNLAB["kpar"]["sigma"], KERNLAB["features"]),
    "cmdscale": lambda: cities(2),
    "cmdscale, add=TRUE": lambda: cities(2, correction="cailliez"),
    "vegan wcmdscale": lambda: cities(5),
    "vegan wcmdscale, add=TRUE": lambda: cities(2, correction="lingoes"),
    "vegan wcmdscale, w": lambda: cities(5, weighted=True),
    "ade4 dudi.pco": lambda: cities(5),
    "ape pcoa": lambda: cities(5),
}
STORED = {
    ("scikit-learn PCA", "explained_variance_"): LIVE.explained_variance_,
    ("scikit-learn PCA", "singular_values_"): LIVE.singular_values_,
    ("scikit-learn PCA", "transform(X)"): LIVE.transform(IRIS),
    ("scikit-learn PCA", "components_"): LIVE.components_,
    ("scikit-learn KernelPCA", "eigenvalues_"): SKLEARN["eigenvalues"],
    ("scikit-learn KernelPCA", "eigenvectors_"): SKLEARN["eigenvectors"],
    ("scikit-learn KernelPCA", "transform(X)"): SKLEARN["scores"],
    ("FactoMineR PCA", "eig[, 1]"): array(STD["eig"])[:, 0],
    ("FactoMineR PCA", "eig[, 2]"): array(STD["eig"])[:, 1],
    ("FactoMineR PCA", "svd$V"): STD["svd"]["V"],
    ("FactoMineR PCA", "ind$coord"): STD["ind"]["coord"],
    ("FactoMineR PCA", "ind$contrib"): STD["ind"]["contrib"],
    ("FactoMineR PCA", "var$coord"): STD["var"]["coord"],
    ("FactoMineR PCA", "var$contrib"): STD["var"]["contrib"],
    ("FactoMineR PCA, scale.unit=FALSE", "eig[, 1]"): array(COV["eig"])[:, 0],
    ("FactoMineR PCA, scale.unit=FALSE", "ind$coord"): COV["ind"]["coord"],
    ("FactoMineR PCA, scale.unit=FALSE", "var$coord"): COV["var"]["coord"],
    ("prcomp", "sdev"): R["prcomp_center"]["sdev"],
    ("prcomp", "x"): R["prcomp_center"]["x"],
    ("prcomp", "rotation"): R["prcomp_center"]["rotation"],
    ("prcomp, scale.=TRUE", "sdev"): R["prcomp_center_scale"]["sdev"],
    ("prcomp, scale.=TRUE", "x"): R["prcomp_center_scale"]["x"],
    ("prcomp, scale.=TRUE", "rotation"): R["prcomp_center_scale"]["rotation"],
    ("princomp", "sdev"): R["princomp_cov"]["sdev"],
    ("princomp", "scores"): R["princomp_cov"]["scores"],
    ("princomp", "loadings"): R["princomp_cov"]["loadings"],
    ("princomp, cor=TRUE", "sdev"): R["princomp_cor"]["sdev"],
    ("princomp, cor=TRUE", "scores"): R["princomp_cor"]["scores"],
    ("kernlab kpca", "eig"): KERNLAB["eig"],
    ("kernlab kpca", "rotated"): KERNLAB["rotated"],
    ("kernlab kpca", "pcv"): KERNLAB["pcv"],
    ("cmdscale", "points"): CITIES["cmdscale_k2"]["points"],
    ("cmdscale", "eig"): array(CITIES["cmdscale_k2"]["eig"])[:2],
    ("cmdscale", "GOF[1]"): array(CITIES["cmdscale_k2"]["GOF"])[0],
    ("cmdscale", "GOF[2]"): array(CITIES["cmdscale_k2"]["GOF"])[1],
    ("cmdscale, add=TRUE", "ac"): CITIES["cmdscale_add_k2"]["ac"],
    ("vegan wcmdscale", "eig"): array(CITIES["vegan_wcmdscale"]["eig"])[:5],
    ("vegan wcmdscale, add=TRUE", "ac"): CITIES["vegan_wcmdscale_lingoes"]["ac"],
    ("vegan wcmdscale, w", "eig"): array(CITIES["vegan_wcmdscale_weighted"]["eig"])[:5],
    ("vegan wcmdscale, w", "points"): CITIES["vegan_wcmdscale_weighted"]["points"],
    ("ade4 dudi.pco", "eig"): array(CITIES["ade4_dudi_pco"]["eig"])[:5],
    ("ade4 dudi.pco", "li"): CITIES["ade4_dudi_pco"]["li"],
    ("ape pcoa", "values$Eigenvalues"): array(CITIES["ape_none"]["values"])[:5, 0],
    ("ape pcoa", "values$Relative_eig"): array(CITIES["ape_none"]["values"])[:5, 1],
}


def test_the_table_and_the_stored_numbers_have_the_same_lines():
    assert set(lines()) == set(STORED)


@pytest.mark.parametrize(("software", "number"), STORED)
def test_line(software, number):
    options, ours = lines()[software, number]
    fit = FITS[software]()
    # The estimator in the table is the one that was fitted, its open parameters aside.
    assert type(fit).__name__ == options.split("(")[0]
    for name, value in re.findall(r'(\w+)=(True|"\w+")', options):
        assert getattr(fit, name) == {"True": True}.get(value, value.strip('"'))
    n = len(fit.coordinates_)
    actual = eval(ours, {"fit": fit, "n": n, "np": np, "w": WEIGHTS})
    expected = array(STORED[software, number])
    if expected.ndim < 2:
        assert_close(actual, expected, TOL)
    else:
        transposed = number == "components_"
        actual, expected = (actual.T, expected.T) if transposed else (actual, expected)
        signed = software.startswith("scikit-learn") or "contrib" in number
        assert_axes_close(
            actual, expected, 1e-6 if software == "kernlab kpca" else TOL, 1.0 if signed else None
        )


X, Y = cloud(9, 3), cloud(4, 3, seed=2)
KERNELS = [
    (skl.rbf_kernel(X, Y, gamma=0.7), kernels.Gaussian.from_gamma(0.7)),
    (skl.laplacian_kernel(X, Y, gamma=0.7), kernels.Laplacian(scale=1 / 0.7)),
    (
        skl.polynomial_kernel(X, Y, degree=3, gamma=0.7, coef0=0.2),
        kernels.Polynomial(degree=3, offset=0.2, scale=0.7),
    ),
    (skl.sigmoid_kernel(X, Y, gamma=0.7, coef0=0.2), kernels.Sigmoid(scale=0.7, offset=0.2)),
    (skl.cosine_similarity(X, Y), kernels.Cosine()),
    (gp.RBF(0.7)(X, Y), kernels.Gaussian(0.7)),
    (gp.Matern(0.7, nu=1.5)(X, Y), kernels.Matern(1.5, 0.7)),
    (gp.RationalQuadratic(0.7, alpha=2.0)(X, Y), kernels.RationalQuadratic(0.7, 2.0)),
]


@pytest.mark.parametrize(("theirs", "ours"), KERNELS, ids=[repr(k) for _, k in KERNELS])
def test_kernels(theirs, ours):
    assert_close(ours.pairwise(X, Y), theirs, 1e-12)
