"""gm.Design: numbers of ade4, analysis of variance by hand, new rows, weights, errors."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from benchmarks.designs import p_value
from scipy import stats
from sklearn.pipeline import make_pipeline

import gramian as gm
from gramian.errors import InputError

ADE4 = json.loads(
    (Path(__file__).parents[1] / "data/factor_methods/between_within_meaudret.json").read_text()
)


@pytest.fixture(scope="module")
def meaudret():
    env = pd.DataFrame(ADE4["env"], dtype=float)
    return (env - env.mean()) / env.std(ddof=0), pd.DataFrame({"season": ADE4["season"]})


@pytest.fixture
def plots():
    """Sixteen plants measured three times, in two batches."""
    rng = np.random.default_rng(1)
    plant = np.repeat(np.arange(16), 3)
    table = pd.DataFrame({"plant": plant.astype(str), "time": np.tile(list("xyz"), 16)})
    table["treatment"] = np.where(plant < 8, "a", "b")
    table["batch"] = np.where(plant % 2 == 0, "u", "v")
    X = rng.standard_normal((48, 4)) + rng.standard_normal((16, 4))[plant]
    X += 5.0 * (table["batch"] == "u").to_numpy()[:, None]
    return pd.DataFrame(X, columns=list("ABCD")), table


def aligned(Z, reference):
    return Z * np.sign((Z * reference).sum(axis=0))


def test_between_class_map_is_that_of_ade4(meaudret):
    X, table = meaudret
    expected = ADE4["bca"]
    fit = gm.Design("season").fit(X, table).map("season")
    assert np.allclose(fit.eigenvalues_, expected["eig"], atol=1e-10)
    Z = pd.DataFrame(fit.coordinates_, index=fit.row_labels)
    cells = Z.loc[[f"season={name}" for name in expected["classes"]]].to_numpy()
    assert np.allclose(aligned(cells, np.array(expected["li"])), expected["li"], atol=1e-8)
    rows = Z.to_numpy()[len(cells) :]
    assert np.allclose(aligned(rows, np.array(expected["ls"])), expected["ls"], atol=1e-8)
    share = gm.Design("season").fit(X, table).test(n_permutations=9).loc["season", "share"]
    assert np.isclose(share, expected["ratio"], atol=1e-10)


def test_within_class_map_is_that_of_ade4(meaudret):
    X, table = meaudret
    expected = ADE4["wca"]
    fit = gm.PCA().fit(gm.Design(remove="season").fit_transform(X, table))
    assert np.allclose(fit.eigenvalues_, expected["eig"], atol=1e-10)
    Z, reference = np.asarray(fit.coordinates_), np.array(expected["li"])
    assert np.allclose(aligned(Z, reference), reference, atol=1e-8)


def test_one_factor_of_one_column_is_an_analysis_of_variance():
    rng = np.random.default_rng(0)
    X, group = rng.standard_normal((30, 1)), np.repeat(list("abc"), [5, 10, 15])
    found = gm.Design("g").fit(X, {"g": group.tolist()}).test(n_permutations=9)
    expected = stats.f_oneway(*(X[group == name, 0] for name in "abc"))
    assert np.isclose(found.loc["g", "F"], expected.statistic)


def residual_sum(X, *blocks):
    D = np.hstack([np.ones((len(X), 1)), *blocks])
    return ((X - D @ np.linalg.lstsq(D, X, rcond=None)[0]) ** 2).sum(), np.linalg.matrix_rank(D)


def dummies(*columns):
    name = pd.Series(list(map(str, zip(*columns, strict=True))))
    return pd.get_dummies(name).to_numpy(dtype=float)


def test_repeated_measures_compare_with_the_right_error(plots):
    X, table = plots
    found = gm.Design("treatment * time", within="plant").fit(X, table)
    lines = found.test(n_permutations=9)
    Z = X.to_numpy()
    treatment, time, plant = (dummies(table[k]) for k in ("treatment", "time", "plant"))
    cell = dummies(table["treatment"], table["time"])
    # Plants within treatments are the error of treatment, plants by time that of time.
    (s0, d0), (s1, d1) = residual_sum(Z), residual_sum(Z, treatment)
    (s2, d2), (s3, d3) = residual_sum(Z, plant), residual_sum(Z, plant, time)
    s4, d4 = residual_sum(Z, plant, cell)
    error = s4 / (len(Z) - d4)
    between = (s0 - s1) / (d1 - d0) / ((s1 - s2) / (d2 - d1))
    assert np.isclose(lines.loc["treatment", "F"], between)
    assert np.isclose(lines.loc["time", "F"], (s2 - s3) / (d3 - d2) / error)
    assert np.isclose(lines.loc["treatment:time", "F"], (s3 - s4) / (d4 - d3) / error)
    assert lines["permuted"].dropna().tolist() == ["subjects", *["rows of a subject"] * 2]
    parts = lines.drop(index="total")
    assert np.isclose(parts["share"].sum(), 1.0) and parts["df"].sum() == 47


@pytest.mark.slow
def test_unbalanced_terms_are_given_each_other(plots):
    X, table = plots
    X, table = X.iloc[:37], table.iloc[:37]
    lines = gm.Design("treatment * time").fit(X, table).test(n_permutations=9)
    a, b, ab = (
        dummies(table["treatment"]),
        dummies(table["time"]),
        dummies(table["treatment"], table["time"]),
    )
    error = residual_sum(X.to_numpy(), ab)
    error = error[0] / (len(X) - error[1])
    for name, other, df in (("treatment", b, 1), ("time", a, 2)):
        gain = residual_sum(X.to_numpy(), other)[0] - residual_sum(X.to_numpy(), a, b)[0]
        assert np.isclose(lines.loc[name, "F"], gain / df / error)
        assert np.isclose(lines.loc[name, "inertia"], gain / len(X))
    assert np.isclose(lines.drop(index="total")["share"].sum(), 1.0)


def test_a_batch_is_removed_jointly_with_the_terms():
    # Most of treatment b is in batch v: means of batches would take its effect with them.
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"t": np.repeat(list("abab"), [9, 1, 1, 9]), "batch": np.repeat(["u", "v"], 10)}
    )
    truth = 3.0 * (table["t"] == "b").to_numpy()
    X = truth[:, None] + 7.0 * (table["batch"] == "v").to_numpy()[:, None]
    X = X + 1e-9 * rng.standard_normal((20, 2))
    Z = gm.Design("t", remove="batch").fit_transform(X, table)
    assert np.allclose(Z - Z.mean(axis=0), (truth - truth.mean())[:, None], atol=1e-6)
    alone = gm.Design(remove="batch").fit_transform(X, table)
    assert np.ptp(alone[table["t"] == "b"]) > 1.0


def test_new_rows_lose_their_batch_too(plots):
    X, table = plots
    design = gm.Design("time", remove="batch").fit(X, table)
    whole = design.transform(X, table)
    assert np.allclose(design.transform(X.iloc[[40, 3]], table.iloc[[40, 3]]), whole[[40, 3]])
    frame = pd.concat([X, table[["time", "batch"]]], axis=1)
    assert np.allclose(gm.Design("time", remove="batch").fit_transform(frame), whole)
    pipe = make_pipeline(gm.Design(remove="batch"), gm.PCA(2)).fit(frame[[*X, "batch"]])
    assert np.allclose(
        pipe.transform(frame[[*X, "batch"]].iloc[:5]), pipe.transform(frame[[*X, "batch"]])[:5]
    )


def test_a_number_is_removed_by_its_slope():
    x = np.linspace(0.0, 1e6, 12)
    Z = gm.Design(remove="depth").fit_transform((2.0 * x + 1.0)[:, None], {"depth": x.tolist()})
    assert np.ptp(Z) < 1e-6


@pytest.mark.parametrize("term", ["treatment", "time", "treatment:time"])
def test_effects_of_a_balanced_design_are_differences_of_means(plots, term):
    X, table = plots
    fit = gm.Design("treatment * time", within="plant").fit(X, table).map(term)
    means = {k: X.groupby(table[k]).transform("mean") for k in ("treatment", "time")}
    effect = {k: m - X.mean() for k, m in means.items()}
    cells = X.groupby([table["treatment"], table["time"]]).transform("mean") - X.mean()
    effect["treatment:time"] = cells - effect["treatment"] - effect["time"]
    inertia = (effect[term] ** 2).to_numpy().sum() / len(X)
    assert np.isclose(fit.inertia_, inertia)
    rows = np.asarray(fit.coordinates_)[-len(X) :]
    residual = X - X.mean() - cells
    expected = (effect[term] + residual).to_numpy() @ np.asarray(fit.components_).T
    assert np.allclose(rows, expected)


@pytest.mark.slow
def test_feature_space_and_distances_are_the_same_design(plots):
    X, table = plots
    lines = gm.Design("time", remove="batch").fit(X, table).test(n_permutations=19, random_state=0)
    for space in (gm.PCA(), gm.KernelPCA(kernel="linear"), gm.ClassicalMDS()):
        design = gm.Design("time", remove="batch", estimator=space).fit(X, table)
        own = design.test(n_permutations=19, random_state=0)
        assert np.allclose(
            own.iloc[:, :5].astype(float), lines.iloc[:, :5].astype(float), equal_nan=True
        )
        assert np.allclose(
            design.map("time").eigenvalues_,
            gm.Design("time", remove="batch").fit(X, table).map().eigenvalues_,
        )
    K = gm.kernels.Gaussian(scale=2.0)
    design = gm.Design("time", estimator=gm.KernelPCA(kernel=K)).fit(X, table)
    share = gm.ecology.permanova(X, table, "time", metric=K, n_permutations=9).table.loc[
        "time", "r2"
    ]
    assert np.isclose(design.test(n_permutations=9).loc["time", "share"], share)
    new = design.transform(X.iloc[:3], table.iloc[:3])
    assert np.allclose(new, design.values_[:3])


def test_weights_count_like_repeated_rows(plots):
    X, table = plots
    counts = np.arange(48) % 3
    again = np.repeat(np.arange(48), counts)
    one = gm.Design("treatment", remove="batch").fit(X, table, sample_weight=counts)
    two = gm.Design("treatment", remove="batch").fit(X.iloc[again], table.iloc[again])
    assert np.allclose(one.transform(X, table), two.transform(X, table))
    assert np.allclose(one.map().eigenvalues_, two.map().eigenvalues_)
    with pytest.raises(InputError, match="sample_weight"):
        one.test()


@pytest.mark.slow
def test_discriminant_axes_are_judged_on_rows_left_out(plots):
    rng = np.random.default_rng(0)
    X, table = plots
    noise = gm.Design("g").fit(rng.standard_normal((60, 40)), {"g": ["a", "b", "c"] * 20})
    found = noise.discriminant(random_state=0)
    assert found.accuracy < 0.55 and found.separation < 0.2
    apart = X + 6.0 * (table["treatment"] == "a").to_numpy()[:, None]
    design = gm.Design("treatment", within="plant", remove="batch").fit(apart, table)
    found = design.discriminant(random_state=0)
    assert found.accuracy > 0.9 > 0.6 > found.chance and found.separation > 0.5
    assert found.confusion.to_numpy().sum() == 48
    rows = np.asarray(found.fit.coordinates_)[-48:]
    assert np.allclose(found.transform(design.transform(apart, table)), rows)


@pytest.mark.slow
def test_models_are_saved(plots, tmp_path):
    X, table = plots
    for space in (None, gm.KernelPCA()):
        design = gm.Design("time", "plant", "batch", estimator=space).fit(X, table)
        gm.save(design, path := tmp_path / f"{space is None}.gramian")
        again = gm.load(path)
        assert np.array_equal(again.transform(X, table), design.transform(X, table))
        pd.testing.assert_frame_equal(
            again.test(n_permutations=9, random_state=0),
            design.test(n_permutations=9, random_state=0),
        )


def test_labels_pair_rows(plots):
    X, table = plots
    X, table = (
        X.add_prefix("c").set_index("r" + X.index.astype(str)),
        table.set_index("r" + table.index.astype(str)),
    )
    shuffled = table.sample(frac=1.0, random_state=0)
    a, b = (gm.Design("time", remove="batch").fit_transform(X, t) for t in (table, shuffled))
    assert np.allclose(a, b)


def test_what_cannot_be_done_says_why(plots):
    X, table = plots
    with pytest.raises(InputError, match="'sort'"):
        gm.Design("sort").fit(X, table)
    with pytest.raises(InputError, match="separated"):
        gm.Design("batch", remove="batch").fit(X, table)
    with pytest.raises(InputError, match="has not seen"):
        gm.Design(remove="batch").fit(X, table).transform(X, table.assign(batch="w"))
    with pytest.raises(InputError, match="misses 'time' in row 2"):
        gm.Design("time").fit(X, table.assign(time=table["time"].where(table.index != 2)))
    with pytest.raises(InputError, match="remove="):
        gm.Design(remove="a:b").fit(X, table)
    with pytest.raises(InputError, match="formula="):
        gm.Design(3).fit(X, table)
    with pytest.raises(InputError, match="term="):
        gm.Design("time").fit(X, table).map("sort")
    with pytest.raises(InputError, match="estimator="):
        gm.Design("time", estimator=3).fit(X, table)


def test_a_confounded_term_has_no_test(plots):
    X, table = plots
    table["same"] = table["time"].replace({"x": "1", "y": "2", "z": "3"})
    lines = gm.Design("time + same").fit(X, table).test(n_permutations=9)
    assert lines.loc[["time", "same"], "p_value"].isna().all()
    assert lines.loc["shared", "share"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    ["batches, one noisier", "repeated: interaction", "repeated, rows lost, batches: between"],
)
def test_a_slice_of_the_simulation(design):
    p = np.array([p_value(design, 0.0, seed) for seed in range(15)])
    assert (p <= 0.05).mean() <= 0.27  # more than 4 of 15 has probability 0.0006
