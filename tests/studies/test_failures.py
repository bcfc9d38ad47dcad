"""A part of a study that fails: errors surface, and what cannot be tested is a claim."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian._nulls.corrections import family
from gramian._study.evidence import Runner
from gramian.cli import main
from gramian.errors import InputError, NotTestable

# Part → where it is called.
CALLS = {
    "assumptions": "gramian.evidence.assumptions",
    "axes": "gramian.evidence.axes",
    "groups": "gramian.evidence.groups",
    "numbers": "gramian.evidence.numbers",
    "curves": "gramian.evidence.curves",
    "rows": "gramian.evidence.rows",
    "carried": "gramian.evidence.carried",
    "directions": "gramian.evidence.directions",
    "kernel": "gramian._study.study.kernel_map",
    "choices": "gramian._study.study.choose",
    "places": "gramian._study.stability.resampled_maps",
    "classes": "gramian._study.study.classes_of",
}
TESTS = ("axes", "groups", "numbers", "curves", "rows")  # those with p-values
REASONS = {
    NotTestable("no two rows are alike"): "no two rows are alike",
    np.linalg.LinAlgError("SVD did not converge"): "did not converge",
}


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.standard_normal((30, 5)), columns=list("abcde"))
    return X.assign(kind=rng.permutation(["u", "v"] * 15), age=rng.standard_normal(30))


def studied(table):
    return gm.study(table, supplementary=["age"], clusters=2)


@pytest.fixture(scope="module")
def whole(table):
    study = studied(table)
    assert study.evidence.failures == {} and study.evidence.scheme == "permutation"
    return study


def failing(monkeypatch, part, error):
    def fail(*args, **kwargs):
        raise error

    module, _, name = CALLS[part].rpartition(".")
    monkeypatch.setattr(import_module(module), name, fail)


def p_values(study, part):
    record = getattr(study.evidence, part)
    if part == "groups":
        return [each.p_value for each in record.values()]
    if part == "numbers":
        return record.table["p_value"].tolist()
    return np.asarray(record.p_values if part in ("axes", "rows") else record.p_value).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("part", CALLS)
def test_an_error_of_ours_surfaces(part, table, monkeypatch):
    failing(monkeypatch, part, TypeError("a bug"))
    with pytest.raises(TypeError, match="a bug"):
        studied(table)


@pytest.mark.slow
@pytest.mark.parametrize("error", REASONS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("part", CALLS)
def test_what_fails_is_a_claim_and_changes_no_other_test(part, error, table, whole, monkeypatch):
    failing(monkeypatch, part, error)
    study = studied(table)
    (said,) = [c for c in study.claims if c.kind == "not-tested" and c.subject == part]
    assert REASONS[error] in said.text and "too few" not in said.text
    assert said.say("fr") != said.text
    if part == "assumptions":
        return
    for other in set(TESTS) - {part}:
        if (part, other) != ("axes", "curves"):  # a bend is what the axes leave
            assert p_values(study, other) == p_values(whole, other)
    mine, theirs = study.evidence.family, whole.evidence.family
    assert part == "axes" or mine.axes == theirs.axes
    for kind, p in mine.others.items():
        assert p == theirs.others[kind]


@pytest.mark.slow
def test_nothing_is_tested_without_the_checks_of_what_tests_need(table, monkeypatch):
    failing(monkeypatch, "assumptions", NotTestable("no order can be told"))
    for part in TESTS:
        failing(monkeypatch, part, AssertionError(f"{part} was tested"))
    study = gm.study(table, supplementary=["age"], clusters="auto")
    untested = {c.subject for c in study.claims if c.kind == "not-tested"}
    assert {*TESTS, "assumptions", "classes"} <= untested and not study.tested
    assert all(c.p_value is None for c in study.claims)


@pytest.mark.parametrize("failed", [["curves", "clusters"], ["groups"], ["axes"]])
def test_a_kind_that_fails_keeps_its_share_of_the_level(failed):
    """The others are corrected as if the p-value of those that failed was 1."""
    rng = np.random.default_rng(0)
    for p in rng.uniform(0, 0.06, (100, 4)):
        others = {"groups": p[1], "curves": p[2], "clusters": p[3]}
        tested = {kind: p for kind, p in others.items() if kind not in failed}
        mine = family([] if "axes" in failed else p[:1], tested, failed)
        axes = [1.0] if "axes" in failed else p[:1]
        whole = family(axes, {kind: tested.get(kind, 1.0) for kind in others})
        assert mine.axes == (() if "axes" in failed else whole.axes)
        assert mine.others == {kind: whole.others[kind] for kind in tested}
    assert family([0.03], {}, ["curves", "clusters"]).n_axes == 0  # a third of 5 % is not enough
    assert family([0.016], {}, ["curves", "clusters"]).n_axes == 1


def test_only_what_is_named_is_caught():
    for error in (ValueError, TypeError, ZeroDivisionError, IndexError, InputError):
        with pytest.raises(error):
            Runner(0).run("axes", lambda rng, error=error: (_ for _ in ()).throw(error("x")))


@pytest.mark.slow
def test_more_classes_than_rows_are_an_error(table):
    with pytest.raises(InputError, match=r"clusters=900 .* at most 30, the rows") as caught:
        gm.study(table, clusters=900)
    assert caught.value.argument == "clusters"


@pytest.mark.slow
def test_the_command_says_so_in_one_line(table, tmp_path, capsys):
    table.to_csv(tmp_path / "t.csv", index=False)
    page = tmp_path / "page.html"
    with pytest.raises(SystemExit) as stop:
        main([*f"report {tmp_path / 't.csv'} -o {page} --clusters 900".split()])
    lines = [line for line in capsys.readouterr().err.splitlines() if "note: " not in line]
    assert stop.value.code != 0 and len(lines) == 1 and not page.exists()
    assert lines[0].startswith("error: clusters=900 must be a whole number")
    assert lines[0].endswith("(option --clusters)")


def test_a_cloud_of_one_row_leaves_nothing_to_an_axis():
    X = np.vstack([np.zeros((19, 3)), np.ones((1, 3))])
    record = gm.evidence.carried(X, 1)
    assert record.rows == (19,) and (record.share_without, record.axis_without) == (0.0, 0)


def test_columns_of_rank_one_are_tied_to_their_axis():
    rng = np.random.default_rng(0)
    x = rng.standard_normal(40)
    X = np.column_stack([x, 2 * x, -3 * x])
    table = gm.evidence.loadings(X, 1, rng=0).table
    np.testing.assert_allclose(table["held_out"].abs(), 1.0, atol=1e-6)
    assert (table["p_value"] < 1e-10).all()


@pytest.mark.slow
def test_the_kernel_map_knows_no_unit():
    X = pd.DataFrame(np.random.default_rng(1).standard_normal((20, 4))).add_prefix("x")
    maps = [gm.study(X * scale).kernel_map.agreement for scale in (1.0, 1e-200)]
    assert maps[1] == pytest.approx(maps[0], rel=1e-6)


def test_a_resample_without_axes_is_reported():
    X = np.vstack([np.zeros((19, 3)), np.ones((1, 3))])
    with pytest.raises(NotTestable, match="a resample of the rows"):
        gm.stability.bootstrap(gm.ClassicalMDS(1), X, n_resamples=50, random_state=0)
