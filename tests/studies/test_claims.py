"""Claims, on tables whose answer is known."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import pdist, squareform
from tests.outside._reference import table
from tests.report.made import experiment, normal, study_of

import gramian as gm
from gramian._study.claims import short
from gramian._study.claims.groups import kernel_claims
from gramian._study.language import Sentence
from gramian._study.record import claim
from gramian.io import Source
from gramian.studies import KINDS

pytestmark = pytest.mark.slow


FOUND = ("axes", "axis-group", "group", "axis-variable", "tie", "curve", "cluster")


def kinds(s):
    return {c.kind for c in s.claims}


def of(s, kind, **fields):
    claims = [c for c in s.claims if c.kind == kind]
    return [c for c in claims if all(getattr(c, k) == v for k, v in fields.items())]


def test_the_record_is_the_one_that_is_promised():
    s = study_of("experiment")
    for c in s.claims:
        assert c.kind in KINDS and isinstance(c.subject, str) and c.text
        assert c.axis is None or c.axis >= 1
        assert c.say("en") == c.text and c.say("fr")
    with pytest.raises(AttributeError):
        s.claims[0].text = "other"


def test_the_same_seed_gives_the_same_claims():
    X = normal(30, 5).assign(kind=["a", "b"] * 15)
    a, b = (gm.study(X, seed=3).claims for _ in range(2))
    assert a == b


def test_the_experiment_is_read_as_it_was_planted():
    s, truth = study_of("experiment"), experiment().truth
    for k, name in ((1, "temperature"), (2, "co2")):
        assert of(s, "axis-group", axis=k)[0].subject == name
        genes = {c.subject for c in of(s, "axis-variable", axis=k)}
        assert len(genes) >= 4 and genes <= set(truth["responding"][name])


def test_the_share_of_a_group_is_its_variance_between():
    s = study_of("experiment")
    z, g = s.fit.coordinates_[:, 0], experiment().groups["temperature"].to_numpy()
    between = sum((g == k).mean() * z[g == k].mean() ** 2 for k in np.unique(g))
    assert of(s, "axis-group", axis=1)[0].effect == pytest.approx(between / (z**2).mean(), rel=1e-9)


def test_the_sides_of_the_groups_are_those_of_the_map():
    s = study_of("experiment")
    text = of(s, "axis-group", axis=1)[0].text
    g, z = experiment().groups["temperature"], s.fit.coordinates_[:, 0]
    low, high = text.split("negative side")
    for label in g.unique():
        said, other = (high, low) if z[(g == label).to_numpy()].mean() > 0 else (low, high)
        assert label in said and label not in other


@pytest.mark.parametrize("shape", [(60, 8), (30, 100)], ids=["tall", "wide"])
def test_noise_is_not_called_nothing_as_a_fact(shape):
    s = gm.study(normal(*shape, seed=1))
    assert s.empty and s.q == 0
    assert not {c.kind for c in s.claims if c.tested} & set(FOUND)
    (nothing,) = of(s, "nothing", axis=None)
    assert nothing.subject == "nothing"
    assert "does not show that there is nothing" in nothing.text
    assert nothing.p_value > 0.05 and nothing.null and nothing.assumption


def test_a_treatment_of_one_column_is_seen_though_no_axis_is():
    X = normal(60, 10, seed=4).assign(arm=["treated", "control"] * 30)
    X.loc[X["arm"] == "treated", "v3"] += 2.0
    s = gm.study(X)
    (group,) = of(s, "group")
    assert group.subject == "arm" and group.p_value < 0.01 and "v3" in group.text
    (axes,) = of(s, "nothing", axis=None)
    assert axes.subject == "axes" and "No axis could be distinguished" in axes.text and not s.empty
    assert of(s, "nothing", axis=1) and axes.text in [c.text for c in s.short]


def test_a_group_without_a_difference_is_no_finding_and_no_fact():
    s = gm.study(normal(40, 5, seed=2).assign(nothing=["a", "b"] * 20))
    (group,) = [c for c in of(s, "nothing", subject="nothing") if c.test.name == "groups"]
    assert group.p_value > 0.05 and "does not show" in group.text


@pytest.mark.parametrize(
    ("shift", "word"), [(6.0, "separates"), (1.2, "is related to"), (0.35, "differ slightly")]
)
def test_words_follow_the_size_of_an_effect(shift, word):
    """A group that explains η² of axis 1: a third of the rows moved along a factor."""
    rng = np.random.default_rng(0)
    member = rng.permutation(600) % 3 == 0
    f = rng.standard_normal(600) + shift * member
    X = pd.DataFrame(f[:, None] + 0.3 * rng.standard_normal((600, 5))).add_prefix("v")
    s = gm.study(X.assign(arm=np.where(member, "a", "b")))
    c = of(s, "axis-group", axis=1)[0]
    between = (member.mean() * (1 - member.mean())) * shift**2
    assert c.effect == pytest.approx(between / (between + 1), abs=0.08)
    assert word in c.text


def test_categories_in_the_middle_are_not_named():
    rng = np.random.default_rng(1)
    level = np.repeat([-2.0, 0.0, 2.0], 40)
    X = pd.DataFrame(level[:, None] + rng.standard_normal((120, 5))).add_prefix("v")
    order = rng.permutation(120)
    X = X.assign(arm=np.repeat(["low", "middle", "high"], 40)).iloc[order]
    c = of(gm.study(X), "axis-group", axis=1)[0]
    assert "low on the " in c.text and "high on the " in c.text and "middle" not in c.text


def test_groups_of_equal_means_and_unequal_variances_are_not_told_apart():
    false = 0
    for seed in range(6):
        X = normal(60, 6, seed=seed)
        X.iloc[:6] *= 3.0
        X = X.assign(arm=["a"] * 6 + ["b"] * 54).sample(frac=1.0, random_state=seed)
        s = gm.study(X, seed=seed)
        means = [c for c in of(s, "group") if c.text.startswith("The means")]
        false += bool(means or any(c.tested for c in of(s, "axis-group")))
    assert false <= 2  # 5 % each: three or more of six have a chance of 0.002


def test_random_walks_are_told_and_not_read():
    X = pd.DataFrame(np.random.default_rng(0).standard_normal((60, 8)).cumsum(axis=0)).add_prefix(
        "v"
    )
    s = gm.study(X)
    (order,) = of(s, "assumption", subject="order")
    assert order.p_value <= 0.01 and "order of the rows matters" in order.text
    assert s.q == 0


def test_copies_are_looked_for_in_all_columns():
    X = normal(30, 3).round(0).assign(answer=[f"text {i}" for i in range(30)], kind=["a", "b"] * 15)
    assert not of(gm.study(X), "assumption", subject="copies")  # the texts differ
    twice = pd.concat([normal(25, 4)] * 2, ignore_index=True)
    (copies,) = of(gm.study(twice), "assumption", subject="copies")
    assert copies.effect == 25


def test_a_few_rounded_rows_that_are_equal_are_told_as_the_doctor_tells_them():
    s = gm.study(gm.datasets.iris())
    assert not of(s, "assumption", subject="copies")
    (told,) = of(s, "data", subject="finding")
    assert told.text == "One row is a duplicate of another row in every column: 'flower_143'."


def test_one_row_that_makes_an_axis_is_taken_out():
    X = normal(40, 6, seed=3)
    X.iloc[7, [0, 1]] = 12.0
    s = gm.study(X)
    claims = [c for c in of(s, "stability", axis=1) if c.effect_name == "share of an axis"]
    assert (
        claims[0].subject == "r7"
        and "a high value of v0" in claims[0].text
        and "Without it" in claims[0].text
    )
    assert "r7" in [c.subject for c in of(s, "row")]


def test_rows_that_are_numbers_are_called_rows():
    X = normal(40, 6, seed=3)
    X.iloc[20] += 12.0
    s = gm.study(X.reset_index(drop=True))
    assert any(c.text.startswith("Row 21 is an outlier") for c in of(s, "row", subject="21"))


def test_supplementary_columns_bring_their_axis():
    """Axis 2 is read for a column that goes with it and with no other."""
    rng = np.random.default_rng(0)
    F = np.linalg.qr(rng.standard_normal((80, 2)))[0] * np.sqrt(80) * [3.0, 1.5]
    X = pd.DataFrame(
        np.hstack(
            [F[:, :1] + rng.standard_normal((80, 4)), F[:, 1:] + 0.7 * rng.standard_normal((80, 3))]
        )
    )
    X = X.add_prefix("v").assign(age=F[:, 1] + 0.2 * rng.standard_normal(80))
    s = gm.study(X, supplementary=["age"])
    ties = of(s, "tie", subject="age")
    r = np.corrcoef(s.fit.coordinates_[:, 1], X["age"])[0, 1]
    on_axes = [c for c in ties if c.axis is not None]  # the other is about columns
    assert [c.axis for c in on_axes] == [2] and on_axes[0].effect == pytest.approx(r)


def test_shares_of_distances_never_exceed_the_whole():
    """Kilometres by road: the positive eigenvalues are more than the net inertia."""
    D = gm.datasets.cities().distances
    s = gm.study(D)
    J = np.eye(len(D)) - 1 / len(D)
    values = np.linalg.eigvalsh(-0.5 * J @ D.to_numpy() ** 2 @ J)
    positive = values[values > 1e-9 * values.max()]
    assert s.shares.sum() <= 1.0
    assert s.shares[0] == pytest.approx(values.max() / positive.sum(), rel=1e-6)


def test_distances_and_sequences_are_tested_without_columns():
    """Cities lie in a plane; random proteins nowhere; a plane alone has nothing to compare with."""
    roads = gm.study(table("data/eurodist.csv"))
    (axes,) = of(roads, "axes", axis=None)
    assert axes.effect == 2 and "a random direction" in axes.null
    letters = np.random.default_rng(0).choice(list("ACDEFGHIKLMNPQRSTVWY"), (16, 40))
    texts = ["".join(row) for row in letters]
    random = gm.study(Source("sequences", [f"s{i}" for i in range(16)], sequences=texts))
    assert random.tested and random.q == 0 and random.empty
    points = np.random.default_rng(1).standard_normal((20, 2))
    flat = gm.study(gm.ClassicalMDS(2, metric="precomputed").fit(squareform(pdist(points))))
    (claim,) = of(flat, "not-tested", subject="axes")
    assert not of(flat, "axes") and not of(flat, "nothing") and "two dimensions" in claim.text


def test_rings_are_bent_and_the_kernel_map_shows_their_groups():
    s = study_of("rings")
    assert s.q == 0 and not s.empty and kinds(s) & {"curve", "cluster"}
    shown = [c for c in of(s, "group", subject="ring") if "kernel" in c.effect_name]
    assert shown[0].effect > 0.2 and shown[0].p_value < 0.05
    assert "kernel map" in " ".join(c.text for c in s.short)


def test_what_was_filled_in_makes_no_curve():
    X = normal(60, 8, seed=5)
    holes = np.random.default_rng(5).random((60, 8)) < np.linspace(0, 0.9, 60)[:, None]
    s = gm.study(X.mask(holes))
    (claim,) = of(s, "not-tested", subject="curves")
    assert "imputed" in claim.text and not kinds(s) & {"curve", "cluster"}


def test_weights_silence_the_tests():
    X = normal(20, 4)
    s = gm.study(gm.PCA(3).fit(X, sample_weight=np.arange(20.0)))
    assert of(s, "not-tested", subject="axes") and not kinds(s) & set(FOUND)
    s = gm.study(gm.KernelPCA(2, kernel="rbf").fit(X, sample_weight=np.arange(20.0)))
    (claim,) = of(s, "not-tested", subject="stability")
    assert "resampling" in claim.text and "rééchantillonnage" in claim.say("fr")


def test_an_axis_rests_on_a_row_that_makes_its_inertia():
    """Axis 1 is the row's own: a direction near it is left, and next to nothing along it."""
    X = normal(30, 5, seed=3).to_numpy().copy()
    X[7] = 12.0
    rest = gm.PCA(scale=True).fit(np.delete(X, 7, axis=0))
    (claim,) = of(gm.study(X), "stability", axis=1)  # and no angle that calls it stable
    assert "alone" in claim.text
    assert rest.inertia_ratio_[0] < 0.4 and "repeat the analysis without it" in claim.text
    Y = normal(60, 5, seed=3).to_numpy().copy()
    Y += 3.0 * np.random.default_rng(0).standard_normal((60, 1))
    Y[7] = 30.0
    claim = next(c for c in of(gm.study(Y), "stability", axis=1) if "alone" in c.text)
    assert "does not depend on it" in claim.text


def test_the_floor_of_a_test_is_told_as_such():
    X = np.cumsum(normal(200, 4, seed=1).to_numpy(), axis=0)
    claim = of(gm.study(X), "assumption", subject="order")[0]
    assert claim.p_value == pytest.approx(0.005) and "p\N{NO-BREAK SPACE}≤" in claim.text


def test_a_summary_reads_no_axis_that_is_not_above_noise():
    """The first axis stands above noise, the second does not."""
    carried = [
        claim("axes", Sentence("claim.data.axis.after", {"k": 1, "share": 0.5}), axis=1),
        claim("nothing", Sentence("claim.data.axis.after", {"k": 2, "share": 0.2}), axis=2),
    ]
    values = {"names": "a", "mark": ""}
    grown = [
        claim("axis-variable", Sentence("claim.variable.positive", {"k": k, **values}), axis=k)
        for k in (1, 2)
    ]
    assert short([*carried, *grown], (1, 2)) == (grown[0],)


@pytest.mark.parametrize(
    ("t", "words"), [(0.95, "similarly"), (0.72, "partly similar"), (0.4, "differently")]
)
def test_two_maps_are_alike_only_where_they_nearly_agree(t, words):
    case = SimpleNamespace(
        kernel_map=SimpleNamespace(agreement=t),
        evidence=SimpleNamespace(curves=None),
        subject=SimpleNamespace(is_imputed=False),
    )
    (said,) = kernel_claims(case)
    assert words in said.text and said.say("fr")


def test_a_map_of_distances_is_not_said_to_have_a_kernel():
    X = np.random.default_rng(0).standard_normal((30, 3))
    texts = [claim.text for claim in gm.study(gm.MDS(2, random_state=0).fit(X), seed=0).claims]
    assert any("distances have no columns to permute" in text for text in texts)
    assert not any("kernel" in text for text in texts)


def test_near_copies_of_rows_make_no_axis():
    """Each row twice, with 20 % of noise and in any order: an axis or a bend was claimed."""
    rng = np.random.default_rng(0)
    who = rng.permutation(np.repeat(np.arange(30), 2))
    X = rng.standard_normal((30, 8))[who] + 0.2 * rng.standard_normal((60, 8))
    s = gm.study(pd.DataFrame(X, columns=list("abcdefgh")))
    (copies,) = of(s, "assumption", subject="copies")
    assert copies.effect == 30 and "nearly repeat" in copies.text
    assert not any(of(s, kind) for kind in ("axes", "curve", "cluster"))


def test_a_grouping_that_names_the_near_copies_is_tested_with_all_rows():
    rng = np.random.default_rng(1)
    who = np.repeat(np.arange(15), 4)
    X = pd.DataFrame(rng.standard_normal((15, 6))[who] + 0.2 * rng.standard_normal((60, 6)))
    X.columns = list("abcdef")
    s = gm.study(X.assign(subject=[f"s{i}" for i in who]), order="ignored")
    assert of(s, "assumption", subject="copies") and of(s, "group", subject="subject")


def test_groups_that_a_test_did_not_find_are_described():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.standard_normal((30, 5)), columns=list("abcde"))
    g = rng.permutation(np.repeat(["x", "y", "z"], 10))
    s = gm.study(X.assign(g=g))
    f = s.fit.coordinates_[:, 0]
    means = pd.Series(f).groupby(g).transform("mean")
    (first,) = [c for c in of(s, "axis-group", subject="g") if c.axis == 1]
    assert first.effect == pytest.approx(means.var() / f.var(ddof=1)) and not first.tested
    assert first.text not in {c.text for c in s.short}
