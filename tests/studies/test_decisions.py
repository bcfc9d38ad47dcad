"""What a sentence about a group, a column or an axis needs, on records made up for it."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from gramian._nulls.corrections import Family
from gramian._study.claims.axes import axes_claims, independence_claims, variable_claims
from gramian._study.claims.groups import (
    axis_group_claims,
    curve_claims,
    group_claims,
    kernel_group_claims,
)
from gramian._study.evidence import Runner, _family, count_resamples
from gramian._study.record import Evidence


def grouping(p_axis=0.001, eta2=0.6, v=(3.0, -3.0), p_value=0.001):
    categories = pd.MultiIndex.from_product([["a", "b"], [1]], names=["category", "axis"])
    return SimpleNamespace(
        p_value=p_value,
        floor=0.001,
        columns=pd.DataFrame({"eta2": [eta2, 0.1], "p_value": [p_axis, 0.5]}),
        axes=pd.DataFrame({"eta2": [eta2], "p_value": [p_axis]}, index=[1]),
        categories=pd.DataFrame({"v_test": v, "p_value": [0.01, 0.01]}, index=categories),
        scheme="permutation",
        n_rows=30,
        n_groups=2,
        reason="",
        spread=None,
        correlation=None,
    )


def study(record, corrected, **evidence):
    tests = SimpleNamespace(
        assumptions=None,
        groups={"g": record},
        group_p_values={"g": corrected},
        group_tests={},
        least_group_p=lambda name: 0.001,
        rows_tested=np.arange(30),
        **evidence,
    )
    subject = SimpleNamespace(table=pd.DataFrame(np.zeros((30, 2)), columns=["x", "y"]))
    return SimpleNamespace(evidence=tests, subject=subject, has_columns=True)


@pytest.mark.parametrize(("own", "corrected"), [(0.001, 0.03), (0.02, 0.004)])
def test_a_group_on_an_axis_is_corrected_for_all_findings(own, corrected):
    (claim,) = axis_group_claims(study(grouping(own), corrected), 1)
    assert claim.p_value == max(own, corrected)


@pytest.mark.parametrize(("own", "corrected"), [(0.001, 0.07), (0.07, 0.001), (0.001, 0.05)])
def test_a_group_is_named_on_an_axis_only_where_both_p_values_are_small(own, corrected):
    assert axis_group_claims(study(grouping(own), corrected), 1) == []
    groups = {"g": grouping(own, p_value=corrected)}
    assert Evidence(np.arange(30), groups=groups).linked_axes == []


def test_an_axis_goes_with_a_group_that_explains_it():
    groups = {"g": grouping(0.001, p_value=0.01)}
    assert Evidence(np.arange(30), groups=groups).linked_axes == [1]


@pytest.mark.parametrize(
    ("eta2", "word"),
    [
        (0.5, "separates"),
        (0.49, "is related to"),
        (0.1, "is related to"),
        (0.09, "differ slightly"),
    ],
)
def test_the_word_follows_the_share(eta2, word):
    (claim,) = axis_group_claims(study(grouping(eta2=eta2), 0.01), 1)
    assert word in claim.text


def test_a_category_has_a_side_from_a_v_test_of_196_on():
    (claim,) = axis_group_claims(study(grouping(v=(1.97, -1.95)), 0.01), 1)
    assert claim.text.endswith("): a on the positive side.")


def test_columns_of_a_group_are_corrected_too():
    (claim,) = group_claims(study(grouping(), 0.04))
    assert claim.kind == "group" and claim.p_value == 0.04 and "x" in claim.text
    (none,) = group_claims(study(grouping(), 0.05))
    assert none.kind == "nothing"


def curve(p, kind="bent", modes=1.0, found=False):
    shape = SimpleNamespace(
        p_value=modes, floor=0.001, axis=1, column=None, n_clusters=2, found=lambda alpha: found
    )
    record = SimpleNamespace(
        p_value=p, floor=0.001, kind=kind, null="linear model", effect=0.5, clusters=shape
    )
    return record


@pytest.mark.parametrize(
    ("bent", "modes", "kind", "claims"),
    [
        (0.049, 1.0, "bent", ["curve"]),
        (0.05, 1.0, "bent", []),
        (0.2, 0.049, "clusters", ["cluster"]),
        (0.2, 0.05, "clusters", []),
        (0.04, 0.2, "clusters", ["cluster"]),
    ],
)
def test_curves_and_clusters_are_claimed_after_the_correction_for_all_findings(
    bent, modes, kind, claims
):
    tests = SimpleNamespace(
        assumptions=None,
        curves=curve(0.001, kind, 0.001, True),
        family=Family((), {"curves": bent, "clusters": modes}),
    )
    made = curve_claims(
        SimpleNamespace(evidence=tests, kernel_map=None, subject=SimpleNamespace(is_imputed=False))
    )
    assert [c.kind for c in made] == claims
    assert all(c.p_value == min(bent, modes) for c in made)


@pytest.mark.parametrize(
    ("p", "count", "said"), [(0.009, 1, True), (0.0101, 1, False), (0.009, 2, False)]
)
def test_groups_on_kernel_axes_take_a_fifth_of_a_level_for_each_grouping(p, count, said):
    kernel = SimpleNamespace(
        p_value=p,
        floor=0.001,
        columns=pd.DataFrame({"eta2": [0.9, 0.1]}),
        scheme="permutation",
    )
    principal = SimpleNamespace(axes=pd.DataFrame({"eta2": [0.1]}, index=[1]))
    names = [f"g{k}" for k in range(count)]
    made = kernel_group_claims(
        SimpleNamespace(
            kernel_groups=dict.fromkeys(names, kernel),
            evidence=SimpleNamespace(groups=dict.fromkeys(names, principal)),
        )
    )
    assert bool(made) is said
    assert all(c.p_value == pytest.approx(5 * p * count) for c in made)


def test_a_kernel_axis_must_show_more_than_twice_as_much():
    kernel = SimpleNamespace(
        p_value=0.001, floor=0.001, columns=pd.DataFrame({"eta2": [0.9]}), scheme="permutation"
    )
    for shown, said in ((0.44, True), (0.46, False)):
        principal = SimpleNamespace(axes=pd.DataFrame({"eta2": [shown]}, index=[1]))
        made = kernel_group_claims(
            SimpleNamespace(
                kernel_groups={"g": kernel},
                evidence=SimpleNamespace(groups={"g": principal}),
            )
        )
        assert bool(made) is said


def test_axes_are_counted_by_their_corrected_p_values():
    axes = SimpleNamespace(
        scheme="permutation", p_values=np.array([0.01, 0.02, 0.4]), floor=0.0025, deflated=()
    )
    for corrected, count in (((0.02, 0.04, 0.4), 2), ((0.02, 0.06, 0.4), 1)):
        family = Family(corrected, {})
        tests = SimpleNamespace(
            assumptions=None,
            axes=axes,
            family=family,
            q=family.n_axes,
            tested=True,
            scheme="permutation",
            failures={},
        )
        (claim,) = axes_claims(
            SimpleNamespace(evidence=tests, shares=np.array([0.5, 0.3, 0.1]), has_columns=True)
        )
        assert claim.effect == count and claim.p_value == corrected[count - 1]


def test_a_column_is_named_on_an_axis_from_a_correlation_of_three_tenths_on():
    r = pd.Series([0.9, 0.31, 0.29, -0.5])
    columns = pd.DataFrame({"correlation": r, "corrected": 0.001, "named": True})
    table = pd.concat({1: columns}, names=["axis", "column"])
    record = SimpleNamespace(table=table, scheme="permutation", named=lambda k: r)
    subject = SimpleNamespace(table=pd.DataFrame(np.zeros((30, 4)), columns=list("abcd")))
    made = variable_claims(
        SimpleNamespace(
            evidence=SimpleNamespace(loadings=record), subject=subject, has_columns=True
        ),
        1,
    )
    assert [c.subject for c in made] == ["a", "b", "d"]
    assert all(c.p_value == 0.001 for c in made)


def test_a_failed_kind_keeps_its_share_in_the_family_of_a_study():
    runner = Runner(0)
    axes = SimpleNamespace(n_axes=1, p_values=np.array([0.02]))
    assert _family(axes, None, runner).n_axes == 1
    runner.skip(["curves"], None)
    assert _family(axes, None, runner).n_axes == 0
    assert _family(axes, None, runner).axes == pytest.approx((0.06,))


@pytest.mark.parametrize(
    ("p", "q", "key"), [(0.01, 1, "found"), (0.3, 1, "axes"), (0.3, 0, "none")]
)
def test_independence_and_the_axes_do_not_contradict_each_other(p, q, key):
    found = SimpleNamespace(p_value=p, statistic=61.9, df=56, cramer_v=0.1, floor=0.0)
    made = SimpleNamespace(evidence=SimpleNamespace(independence=found), q=q)
    (claim,) = independence_claims(made)
    assert claim.sentence.key == f"claim.independence.{key}"


@pytest.mark.parametrize(("steps", "resamples"), [(40, 100), (400, 30)])
def test_a_map_that_takes_many_steps_is_fitted_less_often(steps, resamples):
    subject = SimpleNamespace(n=280, table=pd.DataFrame(np.zeros((280, 8))))
    assert count_resamples(subject, SimpleNamespace(n_iter_=steps)) == resamples
