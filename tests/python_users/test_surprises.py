"""What surprised people who know scikit-learn, pandas and R: each surprise is a test."""

import inspect
import json
import re
import subprocess
import sys
import tomllib
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn import decomposition, manifold
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.estimators.test_small_ways_back import Field
from tests.source import ROOT

import gramian as gm
from gramian.errors import FitIgnoredWarning, InputError, InputTypeError, UnitsWarning

WINE = gm.datasets.wine()
X = (WINE.data - WINE.data.mean()) / WINE.data.std(ddof=0)
RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    "estimator", [gm.PCA(2), gm.KernelPCA(2), gm.ClassicalMDS(2), gm.MDS(2, n_init=1), gm.CA(2)]
)
def test_embedding_is_the_array_of_the_map(estimator):
    fit = estimator.fit(X[:40] + 10.0)
    assert fit.embedding_.shape == (40, 2) and fit.embedding_.dtype == float
    np.testing.assert_array_equal(fit.embedding_[:, 0], fit.coordinates_[:, 0])


def test_a_row_without_weight_is_on_the_map_too():
    weight = np.r_[np.zeros(3), np.ones(37)]
    assert gm.PCA(2).fit(X[:40], sample_weight=weight).embedding_.shape == (40, 2)


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("solver", ["auto", "dense", "krylov"])
def test_linear_kernel_pca_is_pca_with_its_signs(scale, solver):
    data = WINE.data if scale else X
    pca = gm.PCA(7, scale=scale).fit(data)
    kernel = gm.KernelPCA(7, kernel="linear", scale=scale, solver=solver).fit(data)
    np.testing.assert_allclose(kernel.coordinates_, pca.coordinates_, atol=1e-6)
    np.testing.assert_allclose(kernel.transform(data[:9]), pca.transform(data[:9]), atol=1e-6)


def test_linear_kernel_pca_is_pca_with_weights_too():
    weight = RNG.uniform(0.5, 2.0, len(X))
    pca, kernel = gm.PCA(7, scale=True), gm.KernelPCA(7, kernel="linear", scale=True)
    a, b = (each.fit(WINE.data, sample_weight=weight).coordinates_ for each in (pca, kernel))
    np.testing.assert_allclose(a, b, atol=1e-8)


def test_units_that_differ_are_warned_of_once():
    with pytest.warns(UnitsWarning, match=r"'proline' varies .* use scale=True") as record:
        gm.KernelPCA(2).fit(WINE.data)
    assert len(record) == 1
    gm.KernelPCA(2, scale=True).fit(WINE.data)
    gm.KernelPCA(2).fit(X)
    gm.KernelPCA(2, kernel="linear").fit(WINE.data)
    gm.KernelPCA(2).fit(gm.datasets.digits().data[:200])  # one unit, with pixels at the border


@pytest.mark.parametrize("factor", [20.0, 40.0, 1 / 40.0])
@pytest.mark.parametrize("kernel", ["gaussian", "laplacian", "poly"])
def test_the_limit_of_units_is_a_factor_of_thirty(factor, kernel, recwarn):
    data = RNG.standard_normal((60, 6))
    data = data / data.std(axis=0) * np.r_[factor, np.ones(5)]
    gm.KernelPCA(2, kernel=kernel).fit(data)
    warned = [w for w in recwarn if issubclass(w.category, UnitsWarning)]
    assert len(warned) == (max(factor, 1 / factor) > 30)


def test_c_is_that_of_scikit_learn():
    y = WINE.groups.iloc[:, 0]
    ours = gm.KernelLogisticRegression(C=0.3, kernel="linear").fit(X, y)
    theirs = LogisticRegression(C=0.3, tol=1e-10, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    with pytest.raises(InputError, match="two names"):
        gm.KernelLogisticRegression(2.0, C=1.0).fit(X, y)
    with pytest.raises(InputError, match="C=0"):
        gm.KernelLogisticRegression(C=0).fit(X, y)
    with pytest.raises(InputTypeError, match=r"kernel=gm\.kernels\.Gaussian\(gamma="):
        gm.KernelLogisticRegression(gamma=0.4)


def test_classical_mds_of_scikit_learn():
    theirs = manifold.ClassicalMDS(2, metric="minkowski", metric_params={"p": 1}).fit(X)
    ours = gm.ClassicalMDS.from_sklearn(metric="minkowski", metric_params={"p": 1})
    with pytest.warns(gm.errors.NotEuclideanWarning):
        ours.fit(X)
    np.testing.assert_allclose(abs(ours.embedding_), abs(theirs.embedding_), atol=1e-8)
    assert gm.ClassicalMDS.from_sklearn(n_components=3).n_components == 3
    with pytest.raises(InputTypeError, match="use metric="):
        gm.ClassicalMDS(dissimilarity="precomputed")


def test_a_fit_that_is_not_kept_says_so():
    with pytest.warns(FitIgnoredWarning, match=r"gm\.read_map\(pca, X\)"):
        gm.PCA.from_sklearn(decomposition.PCA(5).fit(X))
    gm.PCA.from_sklearn(decomposition.PCA(5))


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: gm.PCA(rescale_with_std=True), "use scale="),
        (lambda: gm.MCA(ncp=3), "use n_components="),
        (lambda: gm.MDS(n_iter=3), "use max_iter="),
        (lambda: gm.KernelPCA(n_componentz=3), "use n_components="),
        (lambda: gm.PrincipalComponentRegression(gamma=2), "Gaussian"),
        (lambda: gm.CA(engine="sklearn"), "its parameters are"),
    ],
)
def test_words_of_other_libraries_are_answered(call, match):
    with pytest.raises(InputTypeError, match=match):
        call()


def test_axes_have_one_name():
    fit = gm.PCA(2).fit(X)
    assert fit.get_feature_names_out().tolist() == ["axis 1", "axis 2"]
    pipe = make_pipeline(StandardScaler(), gm.KernelPCA(2)).set_output(transform="pandas")
    assert list(pipe.fit_transform(X).columns) == ["axis 1", "axis 2"]
    assert list(fit.individuals()["coordinate"].columns) == [1, 2]


def test_a_rule_that_cannot_be_called_is_refused_when_it_is_registered():
    with pytest.raises(InputTypeError, match=r"half\(eigenvalues, inertia, n_axes\)"):

        @gm.dimension.register("half")
        def half(spectrum):
            return 1

    assert "half" not in gm.dimension.RULES
    gm.dimension.choose(X, rules=["kaiser"])


def test_a_constant_table_is_called_constant():
    with pytest.raises(InputError, match="every column of X is constant") as caught:
        gm.PCA(1).fit(np.ones((5, 3)))
    assert "float64" not in str(caught.value)
    with pytest.raises(InputError, match="give float64"):
        gm.PCA(1).fit(np.float32([[1e8], [1e8 + 8], [1e8]]))


def test_a_stream_may_start_with_a_short_block():
    rows = X.to_numpy()
    fit = gm.PCA(5).partial_fit(rows[:3])
    assert fit.n_components_ == 2
    fit.partial_fit(rows[3:4]).partial_fit(rows[4:])
    np.testing.assert_allclose(fit.eigenvalues_, gm.PCA(5).fit(rows).eigenvalues_)
    with pytest.raises(InputError, match="n_components=14"):
        gm.PCA(14).partial_fit(rows[:3])


@pytest.mark.parametrize("data", [gm.datasets.digits().data, X], ids=["digits", "wine"])
def test_mle_is_that_of_scikit_learn(data):
    theirs = decomposition.PCA("mle", svd_solver="full").fit(data).n_components_
    assert gm.PCA("mle").fit(data).n_components_ == theirs


def test_figures_of_a_fit_of_scikit_learn_take_its_rows():
    fit = decomposition.PCA(3).fit(X)
    record = gm.plots.individuals(fit, X=X, backend="none")
    assert len(record.panels[0].layers) > 0
    truth = abs(fit.transform(X)[:, 0]).max()
    assert max(abs(x) for x in record.panels[0].x.limits) == pytest.approx(truth, rel=0.35)
    with pytest.raises(InputTypeError, match=r"gm\.read_map\(fitted, X\)"):
        gm.plots.individuals(fit)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning")
def test_an_interval_that_is_missing_says_why():
    counts = pd.DataFrame(RNG.poisson(4.0, (20, 15)) + 1)
    study = gm.stability.bootstrap(gm.CA(1), counts, n_resamples=20, random_state=0)
    assert (
        study.eigenvalues["low"].isna().all() and "two rows a column" in study.axes.loc[1, "note"]
    )
    assert "two rows a column" in repr(study)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Study", "Clusters", "Certificate", "kernel", "test"])
def test_notebooks_show_records(name):
    fit = gm.PCA(2).fit(X)
    record = {
        "Study": lambda: gm.study(gm.datasets.iris()),
        "Clusters": lambda: gm.clusters.find(fit, n_clusters=3),
        "Certificate": lambda: fit.certificate_,
        "kernel": lambda: gm.kernels.Gaussian(2.0) + gm.kernels.Linear(),
        "test": lambda: gm.rkhs.mmd("linear", X[:50], X[50:], n_permutations=9),
    }[name]()
    page = record._repr_html_()
    assert page.startswith("<h3>") and page.count("<tr>") >= 1 and "<td></td>" not in page


@pytest.mark.parametrize(
    "name",
    ["individuals", "variables", "biplot", "scree", "contributions", "cos2", "pairs", "film"],
)
def test_every_figure_of_a_pca_of_scikit_learn_takes_its_rows(name):
    Z = StandardScaler().set_output(transform="pandas").fit_transform(X)
    fit, plot = decomposition.PCA(3).fit(Z), getattr(gm.plots, name)
    record = plot(fit, X=Z, backend="none")
    assert repr(plot(fitted=fit, X=Z, backend="none")) == repr(record)
    if name == "film":  # its rows are those that scikit-learn returns
        steps = np.zeros((9, 3))
        steps[:, 0] = record.numbers["at"]
        np.testing.assert_allclose(record.numbers["rows"], fit.inverse_transform(steps), atol=1e-9)
    if name == "contributions":
        F = fit.transform(Z)
        truth = np.sort(100 * F[:, 0] ** 2 / (F[:, 0] ** 2).sum())[::-1][:20]
        np.testing.assert_allclose(record.numbers["values"], truth)
    if name == "variables":  # an option of the fit's own rows remains an error for fits made here
        with pytest.raises(InputTypeError, match="'X'"):
            plot(gm.PCA(2).fit(Z), X=Z)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "Dataset",
        "Claim",
        "claims",
        "ParallelAnalysis",
        "Comparison",
        "KernelSelection",
        "Procrustes",
    ],
)
def test_notebooks_show_results_as_escaped_texts(name):
    T = X.iloc[:60, :4].set_axis(["<script>", "a & b", "c", "d"], axis=1)
    study = lambda: gm.study(T)  # noqa: E731
    data = gm.datasets.Dataset("<script>", "About <b>two</b> & more.", T)
    result, words = {
        "Dataset": lambda: (data, "60 rows × 4 columns"),
        "Claim": lambda: (study().claims[0], "subject"),
        "claims": lambda: (study().claims, "claims"),
        "ParallelAnalysis": lambda: (
            gm.dimension.parallel_analysis(T, n_permutations=19, random_state=0),
            "n_components",
        ),
        "Comparison": lambda: (gm.maps.compare(gm.PCA(2).fit(T), gm.PCA(3).fit(T)), "overlap"),
        "KernelSelection": lambda: (
            gm.kernels.select(T, {"<script>": "linear", "b": "gaussian"}, criterion="contrast"),
            "choice among 2",
        ),
        "Procrustes": lambda: (gm.stability.procrustes(T, T), "statistic"),
    }[name]()
    page = result._repr_html_()
    assert words in page and "<script>" not in page and "<b>" not in page and "& " not in page
    assert page.startswith(("<h3>", "<p>")) and page.endswith(("</table>", "</p>"))
    if name in ("Dataset", "KernelSelection"):
        assert "&lt;script&gt;" in page


def test_plotly_figures_survive_pages_made_of_notebooks():
    bundle = gm.plots.scree(gm.PCA(2).fit(X), backend="plotly")._repr_mimebundle_()
    assert (
        "Plotly.newPlot" in bundle["text/html"] and "https://cdn" not in bundle["text/html"][:2000]
    )


EXTRAS = {
    "jinja2": "gm.report.write(X, 'unused.html')",
    "matplotlib": "gm.plots.scree(gm.PCA(2).fit(X))",
    "plotly": "gm.plots.scree(gm.PCA(2).fit(X), backend='plotly')",
    "networkx": "gm.networks.infer(X).to_networkx()",
    "uvicorn": "gm.app(X, browser=False)",
    "anywidget": "gm.widget(gm.PCA(2).fit(X))",
}
_WITHOUT = """
import json, sys
calls = json.loads(sys.argv[1])
sys.modules.update(dict.fromkeys(calls))
import numpy as np, gramian as gm
X = np.random.default_rng(0).normal(size=(12, 3))
for name, call in calls.items():
    try:
        exec(call)
    except gm.errors.MissingExtraError as error:
        assert isinstance(error, ImportError) and "pip install 'gramian[" in str(error), error
        print(name)
"""


@pytest.mark.slow
def test_missing_libraries_are_named_with_their_command(tmp_path):
    command = [sys.executable, "-c", _WITHOUT, json.dumps(EXTRAS)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert ran.stdout.split() == list(EXTRAS), ran.stderr


def like(ours, theirs):
    return np.allclose(np.abs(ours), np.abs(theirs), atol=1e-8)


def test_a_field_is_a_table_of_its_first_dimension():
    """Not a stream of blocks, whose rows would be those of all slices."""
    values = RNG.standard_normal((4, 5, 6))
    fit = gm.PCA(2).fit(Field(values, time=list("abcd"), lat=range(5), lon=range(6)))
    assert like(fit.coordinates_, decomposition.PCA(2).fit_transform(values.reshape(4, 30)))
    plane = gm.PCA(2).fit(Field(values[0], t=list("abcde"), lon=list("uvwxyz")))
    assert list(plane.individuals().index) == list("abcde")
    assert list(plane.variables().index) == list("uvwxyz")


@pytest.mark.parametrize("model", [gm.PCA(2), gm.KernelPCA(2)])
def test_a_data_set_of_several_fields_is_refused(model):
    with pytest.raises(InputTypeError, match=r"Dataset of xarray: give an array, X\['sst'\]"):
        model.fit(SimpleNamespace(data_vars={"sst": 0, "ice": 1}, dims={"time": 3}))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("gm.", {"PCA", "KernelPCA", "plots"}),
        ("gm.KernelPCA(2).", {"fit", "transform", "individuals"}),
        ("gm.KernelPCA(2).fit([[0.0]]).", {"transform", "eigenvalues_", "individuals"}),
    ],
)
def test_editors_complete(line, names):
    jedi = pytest.importorskip("jedi")
    script = jedi.Script(f"import gramian as gm\n{line}", project=jedi.Project(ROOT / "src"))
    offered = [completion.name for completion in script.complete()]
    assert names <= set(offered)


def test_rv_pairs_labelled_rows():
    a, b = X.iloc[:, :5], X.iloc[:, 5:]
    K, L = a.to_numpy() @ a.to_numpy().T, b.to_numpy() @ b.to_numpy().T
    truth = (K * L).sum() / np.sqrt((K**2).sum() * (L**2).sum())
    for second in (b, b.sample(frac=1.0, random_state=0)):
        assert gm.rkhs.rv(a, second).statistic == pytest.approx(truth)
    kernels_first = [list(inspect.signature(f).parameters)[:4] for f in (gm.rkhs.rv, gm.rkhs.hsic)]
    assert kernels_first == [["first", "second", "X", "Y"]] * 2
    other = gm.rkhs.rv("linear", "linear", a, b).statistic
    assert other == pytest.approx(truth)


def test_the_scree_of_a_reduction_needs_no_rows():
    for model in (decomposition.PCA(3), decomposition.IncrementalPCA(3)):
        fit = model.fit(X)
        shares = gm.plots.scree(fit, backend="none").numbers["inertia"]
        np.testing.assert_allclose(shares, 100 * fit.explained_variance_ratio_)
        for plot in (gm.plots.variables, gm.plots.contributions, gm.plots.map3d):
            with pytest.raises(InputTypeError, match=r"gm\.read_map\(fitted, X\)"):
                plot(fit)


def test_columns_of_obs_colour_by_their_labels():
    kind = pd.Series(["B", "T"] * 20, X.index[:40], name="ct")
    cells = SimpleNamespace(X=X[:40].to_numpy(), obs_names=X.index[:40], var_names=X.columns)
    cells.obs, cells.obsm, cells.layers = pd.DataFrame({"ct": kind}), {}, {}
    fit = gm.PCA(2).fit(cells)
    with pytest.raises(InputError, match="ct"):
        gm.plots.individuals(fit, color="ct")
    shuffled = cells.obs["ct"].sample(frac=1.0, random_state=0)
    record = gm.plots.individuals(fit, color=shuffled, labels=None, backend="none")
    (points,) = [layer for layer in record.panels[0].layers if layer.name == "B"]
    np.testing.assert_allclose(points.at, fit.coordinates_[::2])


def test_pages_use_names_that_are_there():
    """In a fresh interpreter: what another page has imported does not count."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))
    names = sorted(set(re.findall(r"\bgm\.([a-z]\w+)", blocks)))
    assert len(names) > 20 and "language" not in names
    code = "import sys, gramian as gm; print([n for n in sys.argv[1:] if not hasattr(gm, n)])"
    ran = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_the_package_says_where_it_lives_and_what_it_runs_on():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} <= set(project["urls"])
    versions = {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)}
    assert versions | {"Operating System :: OS Independent"} <= set(project["classifiers"])
    assert "\ndate-released: " in (ROOT / "CITATION.cff").read_text("utf-8")
    said = "".join((ROOT / name).read_text("utf-8") for name in ("CONTRIBUTING.md", "CHANGELOG.md"))
    assert "deprecat" in said.lower()


def test_the_site_has_a_reference_and_a_gallery():
    index, conf = ((ROOT / "docs" / name).read_text("utf-8") for name in ("index.md", "conf.py"))
    assert "\nreference/*\n" in index and "gallery" in index
    assert '"sphinx.ext.autosummary"' in conf and "sphinx_gallery" in conf


def test_words_for_sizes_and_models():
    with pytest.raises(InputTypeError, match="use rank="):
        gm.RandomFourier(n_components=50)
    with pytest.raises(InputTypeError, match=r"rank=50"):
        gm.Nystrom(n_components=50)
    modules = (gm.plots, gm.clusters, gm.importance)
    firsts = [
        next(iter(inspect.signature(getattr(module, name)).parameters), "")
        for module in modules
        for name in module.__all__
        if inspect.isfunction(getattr(module, name))
    ]
    assert firsts.count("fitted") >= 15 and not {"fit", "model", "estimator"} & set(firsts)


def test_each_scale_refuses_what_belongs_to_the_other():
    for call in (
        lambda: gm.KernelPCA(scale=2.0).fit(X),
        lambda: gm.KernelPCA(kernel=gm.kernels.Gaussian(scale=True)).fit(X),
        lambda: gm.plots.scree(gm.PCA(2).fit(X), scale=True),
    ):
        with pytest.raises(InputError, match="scale="):
            call()
    assert gm.kernels.Gaussian(gamma=0.5).scale == pytest.approx(1.0)
    assert gm.kernels.Polynomial(2, gamma=0.3)([[1.0]], [[2.0]]) == pytest.approx((0.6 + 1) ** 2)


def test_random_states_of_numpy_are_taken_and_documented():
    kinds = (np.random.default_rng(0), np.random.RandomState(0), 0)
    values = [gm.PCA(2, random_state=kind, solver="krylov").fit(X).eigenvalues_ for kind in kinds]
    truth = decomposition.PCA(2).fit(X).explained_variance_ * (len(X) - 1) / len(X)
    np.testing.assert_allclose(values, [truth] * 3)
    for estimator in (gm.PCA, gm.KernelPCA, gm.Nystrom, gm.RandomFourier):
        line = re.search(r"^random_state : (.*)", inspect.getdoc(estimator), re.M)
        assert line is not None and "Generator" in line[1]


def test_fit_says_what_it_takes():
    text = inspect.getdoc(gm.KernelPCA.fit)
    for word in ("AnnData", "xarray", "dask", "scan", "sequence", "precomputed"):
        assert word in text
    assert inspect.signature(gm.KernelPCA.fit).parameters["X"].annotation is not inspect._empty


def test_an_attribute_stands_for_a_parameter():
    for name in gm.__all__:
        estimator = getattr(gm, name)
        if inspect.isclass(estimator) and hasattr(estimator(), "get_params"):
            assert hasattr(estimator(), "missing") == ("missing" in estimator().get_params()), name
