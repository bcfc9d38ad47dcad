"""What is not tested is described: variables, groups and numbers of every axis that is read."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm


@pytest.fixture(scope="module")
def short_series():
    rng = np.random.default_rng(0)
    walks = pd.DataFrame(rng.standard_normal((18, 6)).cumsum(axis=0), columns=list("abcdef"))
    return walks.assign(plot=np.repeat(list("xyz"), 6), alt=np.sqrt(np.arange(18.0)))


@pytest.fixture(scope="module")
def study(short_series):
    return gm.study(short_series, supplementary="alt")


def claims(study, kind, axis):
    return {c.subject: c for c in study.claims if c.kind == kind and c.axis == axis}


@pytest.mark.slow
def test_an_axis_that_no_test_holds_for_is_described(study, short_series):
    assert study.evidence.scheme == "none"
    f = np.asarray(study.fit.coordinates_)[:, 0]
    variables = claims(study, "axis-variable", 1)
    for name, each in variables.items():
        assert each.effect == pytest.approx(np.corrcoef(short_series[name], f)[0, 1])
        assert not each.tested and each.p_value is None
    assert len(variables) >= 3
    plot = claims(study, "axis-group", 1)["plot"]
    means = pd.Series(f).groupby(short_series["plot"]).transform("mean")
    assert plot.effect == pytest.approx(np.var(means) / np.var(f)) and not plot.tested
    assert "side" in plot.text and "(described)" in plot.text and "(description)" in plot.say("fr")
    alt = claims(study, "tie", 1)["alt"]
    assert alt.effect == pytest.approx(np.corrcoef(short_series["alt"], f)[0, 1])
    assert {plot.text, alt.text} <= {c.text for c in study.short}


@pytest.mark.slow
def test_the_mark_is_explained_once(study):
    notes = [c for c in study.claims if c.sentence.key == "claim.data.described"]
    assert len(notes) == 1


@pytest.mark.slow
def test_noise_is_described_and_nothing_is_claimed_of_it():
    X = np.random.default_rng(1).standard_normal((30, 5))
    study = gm.study(pd.DataFrame(X, columns=list("abcde")))
    assert study.q == 0
    for k in (1, 2):
        assert claims(study, "axis-variable", k)
        assert not any(c.tested for c in claims(study, "axis-variable", k).values())
    assert not [c for c in study.short if c.kind == "axis-variable"]


@pytest.mark.slow
def test_an_axis_of_noise_that_shows_groups_is_told_in_one_sentence():
    """As axis 2 of MASS's crabs: small beside the first, and the difference of the sexes."""
    rng = np.random.default_rng(2)
    size, sex = 5 * rng.standard_normal((80, 1)), rng.permutation(np.repeat([-1.0, 1.0], 40))
    X = size + 0.35 * rng.standard_normal((80, 5))
    X[:, 0] += sex
    table = pd.DataFrame(X, columns=list("abcde")).assign(sex=np.where(sex > 0, "f", "m"))
    study = gm.study(table)
    (axis,) = [c for c in study.claims if c.subject == "axis 2"]
    if axis.kind == "nothing":
        assert "its size alone" in axis.text and "related to sex" in axis.text
    assert claims(study, "axis-group", 2)["sex"].tested


@pytest.mark.slow
@pytest.mark.parametrize("how", ["mean", "median", "iterative"])
def test_who_filled_in_missing_values_does_not_matter(how):
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 6))
    X[rng.random(X.shape) < 0.15] = np.nan
    study = gm.study(pd.DataFrame(X, columns=list("abcdef")), missing=how)
    assert study.subject.is_imputed
    assert not {c.kind for c in study.claims} & {"curve", "cluster"}
    assert any("imputed" in c.text for c in study.claims if c.kind == "not-tested")


@pytest.mark.slow
def test_a_column_that_nearly_repeats_another_is_reported_and_makes_no_axis_or_bend():
    found = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((60, 20))
        X[:, 19] = X[:, 0] + 0.05 * rng.standard_normal(60)
        study = gm.study(pd.DataFrame(X, columns=[f"v{j}" for j in range(20)]))
        (near,) = [c for c in study.claims if c.subject == "v19" and c.kind == "assumption"]
        assert near.effect == pytest.approx(np.corrcoef(X[:, 0], X[:, 19])[0, 1])
        assert "nearly the same as v0" in near.text and "presque" in near.say("fr")
        found += bool({c.kind for c in study.claims} & {"axes", "curve", "cluster"})
    assert found <= 1


def test_several_columns_that_nearly_repeat_others_are_reported_in_one_sentence():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 20))
    X[:, 17:] = X[:, :3] + 0.05 * rng.standard_normal((60, 3))
    study = gm.study(pd.DataFrame(X, columns=[f"v{j}" for j in range(20)]))
    (near,) = [c for c in study.claims if "nearly repeat" in c.text]
    assert near.text.startswith("3 columns nearly repeat others (v17, v18 and v19;")
    least = min(np.corrcoef(X[:, j], X[:, 17 + j])[0, 1] for j in range(3))
    assert near.effect == pytest.approx(least) and "3 colonnes" in near.say("fr")


def test_a_variable_that_dominates_an_axis_is_named_beside_those_that_a_test_named():
    """Two columns make an axis alone: either is lost without the other, and one may be named."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((41, 8))
        X[:, :4] += 2.0 * rng.standard_normal((41, 1))
        X[:, 4:6] += 1.2 * rng.standard_normal((41, 1))
        study = gm.study(pd.DataFrame(X, columns=list("abcdefgh")))
        for k in study.read[:2]:
            r = study.fit.variables()["correlation", k].abs()
            named = {c.subject for c in study.claims if c.kind == "axis-variable" and c.axis == k}
            assert set(r.index[r >= max(0.75, 0.95 * r.max())]) <= named or len(named) >= 4


@pytest.mark.slow
def test_a_correlation_of_few_rows_is_described_only_where_it_is_more_than_chance():
    rng = np.random.default_rng(3)
    for seed in range(4):
        walks = pd.DataFrame(rng.standard_normal((12, 5)).cumsum(axis=0), columns=list("abcde"))
        extra = {f"z{k}": rng.standard_normal(12) for k in range(4)}
        study = gm.study(walks.assign(**extra), supplementary=list(extra), seed=seed)
        ties = [c for c in study.claims if c.kind == "tie" and c.axis and not c.tested]
        # 0.576 is the two-sided 5 % point of a correlation of 12 rows.
        assert all(abs(c.effect) >= 0.5759 for c in ties)
