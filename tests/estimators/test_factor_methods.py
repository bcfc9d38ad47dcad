"""The factor methods: what they are equal to, what they take and what they refuse."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import gramian as gm
from gramian.errors import EmptyProfileWarning, InputError, InputTypeError, UnknownLevelWarning

rng = np.random.default_rng(5)
n = 40
LATENT = rng.standard_normal((n, 2))
NUMBERS = pd.DataFrame(LATENT @ rng.standard_normal((2, 3)) + 0.3 * rng.standard_normal((n, 3)))
NUMBERS.columns = ["a", "b", "c"]
ANSWERS = pd.DataFrame(
    {
        "colour": np.array(["red", "green", "blue"])[np.digitize(LATENT[:, 0], [-0.5, 0.5])],
        "size": np.array(["small", "large"])[(LATENT[:, 1] > 0).astype(int)],
        "taste": rng.choice(["good", "bad", "none"], n),
    }
)
MIXED = NUMBERS.join(ANSWERS)
COUNTS = rng.poisson(np.exp(LATENT @ rng.standard_normal((2, 6)) + 1.0)).astype(float) + 1.0
WEIGHT = rng.integers(0, 4, n).astype(float)


def indicators(frame):
    return pd.get_dummies(frame).to_numpy(dtype=float)


def same(ours, theirs, tol=1e-9):
    """Equal up to the sign of each axis."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    sign = np.where((ours * theirs).sum(axis=0) < 0, -1.0, 1.0)
    np.testing.assert_allclose(ours * sign, theirs, atol=tol)


def naive_ca(N):
    """Eigenvalues and row coordinates from the singular values of the residuals."""
    P = N / N.sum()
    r, c = P.sum(axis=1), P.sum(axis=0)
    U, s, _ = np.linalg.svd((P - np.outer(r, c)) / np.sqrt(np.outer(r, c)), full_matrices=False)
    return s**2, U * s / np.sqrt(r)[:, None]


def test_ca_is_the_decomposition_of_the_residuals():
    values, rows = naive_ca(COUNTS)
    fit = gm.CA().fit(COUNTS)
    np.testing.assert_allclose(fit.eigenvalues_, values[:5], rtol=1e-10)
    same(fit.coordinates_, rows[:, :5])
    expected = np.outer(COUNTS.sum(axis=1), COUNTS.sum(axis=0)) / COUNTS.sum()
    chi2 = ((COUNTS - expected) ** 2 / expected).sum()
    assert fit.inertia_ == pytest.approx(chi2 / COUNTS.sum())


@pytest.mark.slow
def test_mca_is_ca_of_the_indicators():
    fit = gm.MCA().fit(ANSWERS)
    other = gm.CA().fit(indicators(ANSWERS))
    q = fit.n_components_
    assert q == 3 + 2 + 3 - 3
    np.testing.assert_allclose(fit.eigenvalues_, other.eigenvalues_[:q], rtol=1e-10)
    same(fit.coordinates_, other.coordinates_[:, :q])
    same(fit.categories()["coordinate"], other.variables()["coordinate"].to_numpy()[:, :q])


def test_famd_of_numbers_is_pca_and_of_categories_is_mca():
    pca, famd = gm.PCA(scale=True).fit(NUMBERS), gm.FAMD().fit(NUMBERS)
    same(famd.coordinates_, pca.coordinates_)
    same(famd.variables()["coordinate"], pca.variables()["coordinate"])
    mca, famd = gm.MCA().fit(ANSWERS), gm.FAMD().fit(ANSWERS)
    np.testing.assert_allclose(famd.eigenvalues_, 3 * mca.eigenvalues_)
    same(famd.coordinates_, np.sqrt(3) * np.asarray(mca.coordinates_))


def test_mfa_of_one_group_is_its_analysis_divided_by_its_first_eigenvalue():
    for kind, alone in (("scaled", gm.PCA(scale=True)), ("centered", gm.PCA())):
        fit = gm.MFA(groups={"g": ["a", "b", "c"]}, kinds={"g": kind}).fit(NUMBERS)
        alone.fit(NUMBERS)
        first = alone.eigenvalues_[0]
        np.testing.assert_allclose(fit.eigenvalues_, alone.eigenvalues_ / first)
        same(fit.coordinates_, alone.coordinates_ / np.sqrt(first))
    counts = gm.MFA(groups={"g": range(6)}, kinds={"g": "counts"}).fit(COUNTS)
    ca = gm.CA().fit(COUNTS)
    np.testing.assert_allclose(counts.eigenvalues_, ca.eigenvalues_ / ca.eigenvalues_[0])
    same(counts.coordinates_, ca.coordinates_ / np.sqrt(ca.eigenvalues_[0]))


FITS = {
    "ca": (lambda: gm.CA(3), pd.DataFrame(COUNTS)),
    "mca": (lambda: gm.MCA(3), ANSWERS),
    "famd": (lambda: gm.FAMD(3), MIXED),
    "mfa": (lambda: gm.MFA(3, groups={"x": ["a", "b", "c"], "y": list(ANSWERS)}), MIXED),
    "mfa of counts": (
        lambda: gm.MFA(3, groups={"x": [0, 1, 2], "y": [3, 4, 5]}, kinds={"x": "f", "y": "s"}),
        pd.DataFrame(COUNTS),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FITS)
def test_rows_are_placed_alike_alone_in_a_batch_and_in_the_fit(name):
    make, X = FITS[name]
    fit = make().fit(X)
    np.testing.assert_allclose(fit.transform(X), fit.coordinates_, atol=1e-10)
    one_by_one = np.vstack([fit.transform(X.iloc[[k]]) for k in range(5)])
    np.testing.assert_allclose(one_by_one, fit.coordinates_[:5], atol=1e-10)


@pytest.mark.parametrize("name", FITS)
def test_whole_weights_are_repeated_rows(name):
    make, X = FITS[name]
    fit = make().fit(X, sample_weight=WEIGHT)
    repeated = X.loc[np.repeat(X.index, WEIGHT.astype(int))].reset_index(drop=True)
    other = make().fit(repeated)
    np.testing.assert_allclose(fit.eigenvalues_, other.eigenvalues_, rtol=1e-9)
    assert fit.total_ == other.total_
    live = WEIGHT > 0
    first = np.concatenate([[0], np.cumsum(WEIGHT[live])[:-1]]).astype(int)
    same(fit.coordinates_[live], other.coordinates_[first], tol=1e-8)
    table = pd.DataFrame({"side": np.where(LATENT[:, 0] > 0, "u", "v")})
    ours = fit.categories(table)["v_test"].to_numpy()
    theirs = other.categories(table.loc[np.repeat(X.index, WEIGHT.astype(int))])["v_test"]
    same(ours, theirs, tol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("name", FITS)
def test_every_study_of_pca_is_there(name):
    make, X = FITS[name]
    fit = make().fit(X)
    assert fit.certificate_.level >= 0 and "eigenvalue" in fit.certificate_.text
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        study = gm.stability.bootstrap(make(), X, n_resamples=5, random_state=0)
        assert np.isfinite(study.points.to_numpy()).all()
        table = gm.dimension.choose(fit, n_permutations=19, random_state=0)
        assert table.loc["kaiser", "q"] >= 1
    assert "axis 1" in str(fit.summary())
    for plot in (gm.plots.individuals, gm.plots.variables, gm.plots.biplot, gm.plots.scree):
        assert plot(fit, backend="none").numbers
    assert fit.reconstruction_error().total.iloc[0] == pytest.approx(fit.inertia_)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["kaiser", "parallel", 0.8])
def test_number_of_axes_by_rules(rule):
    fit = gm.MCA(rule, random_state=0).fit(ANSWERS)
    whole = gm.MCA().fit(ANSWERS)
    if rule == "kaiser":
        assert fit.n_components_ == (whole.eigenvalues_ > 1 / 3).sum()
    assert 1 <= fit.n_components_ <= whole.n_components_


@pytest.mark.parametrize("name", ["mca", "famd", "mfa"])
def test_frames_of_other_libraries_and_kinds_of_columns(name):
    make, X = FITS[name]
    fit = make().fit(X)
    other = make().fit(pl.from_pandas(X))
    np.testing.assert_allclose(other.coordinates_, fit.coordinates_, atol=1e-10)
    as_category = X.astype({c: "category" for c in X.columns if c in ANSWERS})
    np.testing.assert_allclose(make().fit(as_category).coordinates_, fit.coordinates_, atol=1e-10)


def test_codes_and_flags_are_categories_for_mca():
    flags = pd.DataFrame({"x": LATENT[:, 0] > 0, "y": np.digitize(LATENT[:, 1], [-1.0, 1.0])})
    texts = flags.astype(str)
    np.testing.assert_allclose(
        np.abs(gm.MCA().fit(flags).coordinates_), np.abs(gm.MCA().fit(texts).coordinates_)
    )
    assert gm.MCA().fit(flags).categories().index.tolist()[-1] == ("y", 2)


def test_sparse_counts_stay_sparse_and_give_the_same():
    counts = np.where(rng.random(COUNTS.shape) < 0.4, 0.0, COUNTS)
    dense, thin = gm.CA(3).fit(counts), gm.CA(3).fit(sparse.csr_array(counts))
    assert sparse.issparse(thin.training_.rows)
    np.testing.assert_allclose(thin.coordinates_, dense.coordinates_, atol=1e-10)
    np.testing.assert_allclose(thin.individuals(), dense.individuals(), atol=1e-10)
    np.testing.assert_allclose(thin.variables(), dense.variables(), atol=1e-10)
    new = sparse.csr_array(counts[:3])
    np.testing.assert_allclose(thin.transform(new), dense.coordinates_[:3], atol=1e-10)


def test_a_row_without_counts_lies_at_the_origin():
    counts = np.vstack([COUNTS, np.zeros(6)])
    with pytest.warns(EmptyProfileWarning, match="row 40 has no counts"):
        fit = gm.CA(2).fit(counts)
    np.testing.assert_allclose(fit.eigenvalues_, gm.CA(2).fit(COUNTS).eigenvalues_)
    row = fit.individuals().loc[40]
    assert row["contribution", 1] == row["mass", ""] == 0 and row["cos2", 1] < 1e-20
    np.testing.assert_allclose(fit.coordinates_[40], 0.0, atol=1e-12)


@pytest.mark.parametrize("make", [gm.MCA, gm.FAMD])
def test_a_level_that_nobody_had_says_nothing(make):
    fit = make(3).fit(ANSWERS)
    new = ANSWERS.iloc[[0]].assign(colour="violet")
    with pytest.warns(UnknownLevelWarning, match="column 'colour': 'violet'"):
        placed = fit.transform(new)
    # The level's place is the mean of all levels: what rows of every colour have in common.
    rows = pd.concat([ANSWERS.iloc[[0]].assign(colour=c) for c in ("blue", "green", "red")])
    share = ANSWERS["colour"].value_counts(normalize=True)[["blue", "green", "red"]]
    np.testing.assert_allclose(placed[0], share.to_numpy() @ fit.transform(rows), atol=1e-10)


@pytest.mark.slow
def test_a_missing_answer_is_a_level_and_a_missing_number_is_refused():
    holes = ANSWERS.mask(rng.random(ANSWERS.shape) < 0.2)
    filled = holes.fillna("NA")
    np.testing.assert_allclose(
        np.abs(gm.MCA(3).fit(holes).coordinates_), np.abs(gm.MCA(3).fit(filled).coordinates_)
    )
    assert ("colour", "NA") in gm.MCA(3).fit(holes).categories().index
    with pytest.raises(InputError, match=r"missing value \(NaN\) at row 0, column 'a'"):
        gm.FAMD().fit(MIXED.assign(a=[np.nan, *NUMBERS["a"][1:]]))


@pytest.mark.slow
def test_rare_levels_are_left_out_as_in_specific_mca():
    answers = ANSWERS.copy()
    answers.loc[:2, "colour"] = "grey"
    fit = gm.MCA(rare=0.1).fit(answers)
    assert fit.rare_levels_ == {"colour": ["grey"]}
    Z = indicators(answers)
    names = list(pd.get_dummies(answers).columns)
    p = Z.mean(axis=0)
    F = (Z - p) / np.sqrt(3 * p)
    F = np.delete(F, names.index("colour_grey"), axis=1)
    values = np.linalg.eigvalsh(F.T @ F / n)[::-1]
    np.testing.assert_allclose(fit.eigenvalues_, values[: fit.n_components_], rtol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the level is known
        np.testing.assert_allclose(fit.transform(answers), fit.coordinates_, atol=1e-10)


def test_describe_of_active_variables_and_categories():
    described = gm.FAMD(2).fit(MIXED).describe()
    assert set(described["kind"]) == {"quantitative", "qualitative", "category"}
    eta2 = gm.FAMD(2).fit(MIXED).categories()["eta2", 1].loc["colour"].iloc[0]
    row = described.query("name == 'colour' and kind == 'qualitative' and axis == 1")
    assert row["statistic"].iloc[0] == pytest.approx(eta2)


def test_partial_points_average_to_the_point():
    make, X = FITS["mfa"]
    fit = make().fit(X)
    mean = fit.partial().T.groupby(level="axis").mean().T
    np.testing.assert_allclose(mean, fit.coordinates_, atol=1e-10)
    new = fit.partial(X.iloc[:3])
    np.testing.assert_allclose(new, fit.partial().iloc[:3], atol=1e-10)


REFUSED = {
    "negative counts": (gm.CA, [[1.0, -1.0], [2.0, 3.0]], "Negative values"),
    "no counts": (gm.CA, np.zeros((3, 2)), "no counts"),
    "independence": (gm.CA, np.outer([1.0, 2.0, 3.0], [1.0, 4.0]), "constant"),
    "numbers that are no codes": (gm.MCA, [[0.5, 1.0], [1.5, 2.0]], "no codes"),
    "one level": (gm.MCA, pd.DataFrame({"x": ["a", "a", "a"]}), "constant"),
    "dates": (gm.FAMD, pd.DataFrame({"x": pd.date_range("2020", periods=3)}), "neither"),
    "a flat list": (gm.FAMD, ["a", "b", "c"], ""),
    "nothing": (gm.FAMD, None, ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_analysed_is_refused_in_words(name):
    make, X, words = REFUSED[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((InputError, InputTypeError), match=words):
            make().fit(X)


GROUPS = {
    "unknown column": ({"x": ["a", "zz"]}, None, "'zz'"),
    "in two groups": ({"x": ["a", "b"], "y": ["b"]}, None, "'b'"),
    "empty": ({"x": []}, None, "no column"),
    "kind": ({"x": ["a"]}, {"x": "q"}, "must be one of"),
    "kind of no group": ({"x": ["a"]}, {"y": "s"}, "'y'"),
    "categories as numbers": ({"x": ["colour"]}, {"x": "s"}, "categories"),
    "negative counts": ({"x": ["a", "b"]}, {"x": "f"}, "negative"),
}


@pytest.mark.parametrize("name", GROUPS)
def test_groups_that_are_wrong_are_refused_in_words(name):
    groups, kinds, words = GROUPS[name]
    with pytest.raises((InputError, InputTypeError), match=words):
        gm.MFA(groups=groups, kinds=kinds).fit(MIXED)
