"""Fifty uses as a new user writes them from the pages and docstrings: each works the first time.

What a use returns is held against scikit-learn, SciPy, pandas or a truth known beforehand.
"""

import io
import tempfile
import warnings
from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from scipy.spatial import distance
from sklearn import decomposition, manifold, metrics, pipeline, preprocessing
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score

import gramian as gm

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]

WINE = gm.datasets.wine()
IRIS = gm.datasets.iris()
X = WINE.data
Z = (X - X.mean()) / X.std(ddof=0)
Y = WINE.groups["cultivar"]
A = Z.to_numpy()
USES: dict[str, Callable[[], object]] = {}


def use(function: Callable[[], object]) -> Callable[[], object]:
    USES[function.__name__] = function
    return function


def like(ours: object, theirs: object, tol: float = 1e-7) -> bool:
    """Whether two maps are equal up to the signs of axes."""
    return np.allclose(np.abs(np.asarray(ours)), np.abs(np.asarray(theirs)), atol=tol)


@use
def shares_of_pca():
    theirs = decomposition.PCA(5).fit(A).explained_variance_ratio_
    return np.allclose(gm.PCA(5).fit(Z).explained_variance_ratio_, theirs)


@use
def standardised_pca():
    return like(gm.PCA(2, scale=True).fit_transform(X), decomposition.PCA(2).fit_transform(A))


@use
def new_rows():
    fit, theirs = gm.PCA(2).fit(Z[:100]), decomposition.PCA(2).fit(A[:100])
    return like(fit.transform(Z[100:]), theirs.transform(A[100:]))


@use
def back_to_the_columns():
    fit, theirs = gm.PCA(3).fit(Z), decomposition.PCA(3).fit(A)
    back = theirs.inverse_transform(theirs.transform(A))
    return np.allclose(fit.inverse_transform(fit.transform(Z)), back)


@use
def kernel_pca_with_gamma():
    kernel = gm.kernels.Gaussian(gamma=0.1)
    theirs = decomposition.KernelPCA(2, kernel="rbf", gamma=0.1).fit(A)
    ours = gm.KernelPCA(2, kernel=kernel).fit(Z)
    return like(ours.transform(Z[:9]), theirs.transform(A[:9]))


@use
def gamma_can_be_read_and_set():
    kernel = gm.kernels.Gaussian(gamma=0.5)
    return kernel.gamma == pytest.approx(0.5) and kernel.scale == pytest.approx(1.0)


@use
def search_over_gamma():
    pipe = pipeline.make_pipeline(
        gm.KernelPCA(3, kernel=gm.kernels.Gaussian(gamma=0.1)),
        gm.KernelLogisticRegression(kernel="linear"),
    )
    search = GridSearchCV(pipe, {"kernelpca__kernel__gamma": [1e-4, 0.05]}, cv=3).fit(Z, Y)
    return search.best_params_["kernelpca__kernel__gamma"] == 0.05


@use
def gamma_of_the_estimator_is_answered():
    pipe = pipeline.make_pipeline(gm.KernelPCA(2, kernel="rbf"))
    with pytest.raises(ValueError, match="kernel__scale"):
        pipe.set_params(kernelpca__gamma=0.1)
    return True


@use
def kernel_of_chi2():
    counts = np.abs(A[:40])
    theirs = decomposition.KernelPCA(2, kernel="precomputed").fit_transform(
        metrics.pairwise.chi2_kernel(counts)
    )
    return like(gm.KernelPCA(2, kernel="chi2").fit_transform(counts), theirs)


@use
def kernel_as_a_function():
    theirs = decomposition.KernelPCA(2, kernel="sigmoid", gamma=0.01, coef0=0).fit_transform(A)
    ours = gm.KernelPCA(
        2, kernel=lambda a, b: metrics.pairwise.sigmoid_kernel(a, b, gamma=0.01, coef0=0),
        indefinite="clip",
    )  # fmt: skip
    return like(ours.fit_transform(A), theirs)


@use
def precomputed_kernel():
    K = metrics.pairwise.rbf_kernel(A, gamma=0.1)
    theirs = decomposition.KernelPCA(2, kernel="precomputed").fit_transform(K)
    return like(gm.KernelPCA(2, kernel="precomputed").fit_transform(K), theirs)


@use
def sum_of_kernels():
    kernel = gm.kernels.Gaussian(2.0) + 0.5 * gm.kernels.Linear()
    K = metrics.pairwise.rbf_kernel(A, gamma=1 / 8) + 0.5 * A @ A.T
    return np.allclose(kernel(A), K)


@use
def nystrom_features():
    features = gm.Nystrom(len(A), kernel=gm.kernels.Gaussian(3.0)).fit_transform(A)
    return np.allclose(
        features @ features.T, metrics.pairwise.rbf_kernel(A, gamma=1 / 18), atol=1e-6
    )


@use
def random_features():
    phi = gm.RandomFourier(4_000, kernel=gm.kernels.Gaussian(3.0), random_state=0).fit_transform(A)
    return np.abs(phi @ phi.T - metrics.pairwise.rbf_kernel(A, gamma=1 / 18)).max() < 0.1


@use
def map_of_distances():
    D = distance.squareform(distance.pdist(A))
    fit = gm.ClassicalMDS(2, metric="precomputed").fit(D)
    return like(fit.embedding_, decomposition.PCA(2).fit_transform(A))


@use
def embedding_is_indexed():
    fit = gm.MDS(2, n_init=1, random_state=0).fit(A[:40])
    return fit.embedding_[:, 0].shape == (40,)


@use
def stress_is_no_larger_than_scikit_learns():
    D = distance.squareform(distance.pdist(A[:60]))
    theirs = manifold.MDS(2, metric="precomputed", n_init=1, init="random", random_state=0).fit(D)
    ours = gm.MDS(2, metric="precomputed", random_state=0).fit(D)
    raw = ((distance.pdist(ours.embedding_) - D[np.triu_indices(60, 1)]) ** 2).sum()
    return raw <= theirs.stress_ * 1.001


@use
def correspondence_analysis():
    table = np.array([[20, 5, 3], [4, 18, 6], [2, 7, 25]])
    fit = gm.CA(2).fit(table)
    chi2 = stats.contingency.chi2_contingency(table, correction=False).statistic
    return fit.inertia_ == pytest.approx(chi2 / table.sum())


@use
def multiple_correspondence_analysis():
    table = pd.DataFrame({"tea": list("abcabcaa"), "sugar": list("yynnynyn")})
    return gm.MCA(2).fit(table).inertia_ == pytest.approx((3 + 2) / 2 - 1)


@use
def mixed_table():
    table = IRIS.data.assign(species=IRIS.groups["species"].astype(str))
    return gm.FAMD(2).fit(table).inertia_ == pytest.approx(4 + 3 - 1)


@use
def groups_of_columns():
    fit = gm.MFA(2, groups={"a": list(X.columns[:6]), "b": list(X.columns[6:])}).fit(X)
    return 1.0 <= fit.eigenvalues_[0] <= 2.0


@use
def readings_of_individuals():
    contribution = gm.PCA(2).fit(Z).individuals()["contribution"]
    return np.allclose(contribution.sum(), 1.0) and list(contribution.index) == list(X.index)


@use
def correlations_of_columns_and_axes():
    fit = gm.PCA(2).fit(Z)
    truth = np.corrcoef(A[:, 0], fit.coordinates_[:, 1])[0, 1]
    return fit.variables()["correlation"][2].iloc[0] == pytest.approx(truth)


@use
def supplementary_groups():
    fit = gm.PCA(2).fit(Z)
    means = pd.DataFrame(fit.coordinates_, index=X.index).groupby(Y).mean()
    return np.allclose(fit.categories(WINE.groups)["coordinate"], means)


@use
def supplementary_rows_have_no_weight():
    weight = np.r_[np.zeros(8), np.ones(len(A) - 8)]
    fit = gm.PCA(2).fit(A, sample_weight=weight)
    return np.allclose(fit.eigenvalues_, gm.PCA(2).fit(A[8:]).eigenvalues_)


@use
def summary_is_a_text():
    share = decomposition.PCA(2).fit(A).explained_variance_ratio_[1]
    return f"{100 * share:.2f}" in str(gm.PCA(2).fit(Z).summary())


@use
def parallel_analysis():
    return gm.dimension.parallel_analysis(Z, n_permutations=99, random_state=0).n_components == 3


@use
def enough_axes_for_a_share():
    theirs = decomposition.PCA(0.8, svd_solver="full").fit(A).n_components_
    return gm.PCA(0.8).fit(Z).n_components_ == theirs


@use
def rule_by_its_name():
    return gm.PCA("kaiser").fit(Z).n_components_ == (np.linalg.eigvalsh(np.cov(A.T)) > 1).sum()


@use
def missing_values_are_imputed():
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.02)
    filled = gm.missing.impute(holes, n_components=2).table
    return filled.notna().all().all() and filled[holes.notna()].equals(X[holes.notna()])


@use
def missing_values_are_refused_with_a_remedy():
    with pytest.raises(ValueError, match="iterative"):
        gm.PCA(2).fit(X.mask(X > 1_200))
    return True


@use
def sparse_tables():
    table = sparse.random(60, 20, 0.2, format="csr", random_state=0)
    return like(gm.PCA(2).fit(table).eigenvalues_, gm.PCA(2).fit(table.toarray()).eigenvalues_)


@use
def blocks_of_rows():
    fit = gm.PCA(3)
    for block in np.array_split(A, 5):
        fit.partial_fit(block)
    return np.allclose(fit.eigenvalues_, gm.PCA(3).fit(A).eigenvalues_)


@use
def names_of_columns_come_through():
    pipe = pipeline.make_pipeline(preprocessing.StandardScaler(), gm.PCA(2))
    frame = pipe.set_output(transform="pandas").fit_transform(X)
    return list(frame.columns) == ["axis 1", "axis 2"] and frame.index.equals(X.index)


@use
def in_a_column_transformer():
    both = ColumnTransformer(
        [("a", gm.PCA(2), list(X.columns[:6])), ("b", gm.KernelPCA(1), [7, 8])]
    )
    return both.fit_transform(Z).shape == (178, 3)


@use
def clone_and_representation():
    model = gm.KernelPCA(3, kernel=gm.kernels.Matern(1.5, scale=2.0))
    return repr(clone(model)) == repr(model)


@use
def classification_in_cross_validation():
    return (
        cross_val_score(gm.KernelLogisticRegression(C=1.0, kernel="linear"), Z, Y, cv=3).mean()
        > 0.9
    )


@use
def components_then_a_classifier():
    model = gm.PrincipalComponentClassifier(3, kernel="linear")
    return metrics.accuracy_score(Y, cross_val_predict(model, Z, Y, cv=3)) > 0.9


@use
def clusters_on_the_axes():
    found = gm.clusters.find(gm.PCA(3).fit(Z), n_clusters=3)
    return metrics.adjusted_rand_score(Y, found.labels) > 0.8


@use
def two_samples_are_compared():
    test = gm.rkhs.mmd("linear", A[:60], A[60:], n_permutations=99, random_state=0)
    return test.p_value == pytest.approx(0.01)


@use
def rv_of_two_tables():
    a, b = A[:, :5] - A[:, :5].mean(0), A[:, 5:] - A[:, 5:].mean(0)
    S = a.T @ b
    truth = (S**2).sum() / np.sqrt(((a.T @ a) ** 2).sum() * ((b.T @ b) ** 2).sum())
    return gm.rkhs.rv(Z.iloc[:, :5], Z.iloc[:, 5:]).statistic == pytest.approx(truth)


@use
def bootstrap_of_eigenvalues():
    found = gm.stability.bootstrap(gm.PCA(2), Z, n_resamples=50, random_state=0).eigenvalues
    return (found["low"] < found["high"]).all()


@use
def mantels_test():
    D, E = (distance.squareform(distance.pdist(A[:50, cols])) for cols in ([0, 1], [0, 2]))
    r = stats.pearsonr(distance.squareform(D), distance.squareform(E)).statistic
    return gm.stability.mantel(D, E, n_permutations=19).statistic == pytest.approx(r)


@use
def map_of_another_library():
    places = manifold.Isomap(n_components=2).fit_transform(A)
    return np.allclose(gm.read_map(places, X).coordinates_, places - places.mean(0))


@use
def saved_and_loaded():
    fit = gm.KernelPCA(2).fit(Z)
    with tempfile.TemporaryDirectory() as folder:
        gm.save_model(fit, f"{folder}/m.gramian")
        return np.array_equal(gm.load_model(f"{folder}/m.gramian").transform(Z), fit.transform(Z))


@use
def file_is_read():
    source = gm.io.read_file(io.BytesIO(X.to_csv().encode()))
    return source.data.shape == X.shape and np.allclose(source.data, X)


@use
def claims_of_a_study():
    claims = gm.study(IRIS).claims
    return all(0 <= claim.p_value <= 1 for claim in claims if claim.p_value is not None)


@use
def bray_curtis_distances():
    counts = np.random.default_rng(0).poisson(4.0, (12, 6))
    ours = np.asarray(gm.distances.bray_curtis(counts))
    return np.allclose(ours, distance.squareform(distance.pdist(counts, "braycurtis")))


@use
def figure_in_a_panel():
    figure, ax = plt.subplots(1, 2, figsize=(8, 4))
    gm.plots.individuals(gm.PCA(2).fit(Z), color=Y, ax=ax[0])
    gm.plots.scree(gm.PCA(2).fit(Z), ax=ax[1])
    plt.close(figure)
    return all(len(panel.get_children()) > 10 for panel in ax)


@use
def importance_of_columns():
    noise = np.random.default_rng(0).normal(size=(len(A), 2)) * 0.01
    table = pd.DataFrame(np.c_[A[:, :2], noise], columns=list("abcd"))
    rank = gm.importance.gradient(gm.KernelPCA(2, kernel="linear").fit(table * [1, 1, 1, 1]))
    return rank["rank"].squeeze().loc[["a", "b"]].max() == 2


def test_there_are_fifty():
    assert len(USES) >= 50


@pytest.mark.parametrize("name", USES)
def test_it_works_the_first_time(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert USES[name]()
