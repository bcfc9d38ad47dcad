"""A grouping or a number that the user names is a question: what a page answers."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian._nulls.corrections import holm, weighted_holm
from gramian._study.record import GROUP_LEVELS


def study(X, **columns):
    table = pd.DataFrame(X).add_prefix("v").assign(**columns)
    return gm.study(table, supplementary=["dose"] if "dose" in columns else None)


@pytest.fixture(scope="module")
def rng():
    return np.random.default_rng(0)


@pytest.mark.slow
def test_spread_and_correlations_are_stated_as_such(rng):
    y = rng.permutation(np.repeat(["a", "b"], 30))
    X = rng.standard_normal((60, 6))
    X[:, 1] = np.where(y == "a", 0.9, -0.9) * X[:, 0] + 0.4 * X[:, 1]
    X[y == "b"] *= 2.5
    for name in "ab":
        X[y == name] -= X[y == name].mean(axis=0)
    found = study(X, g=y)
    texts = {c.effect_name: c.text for c in found.claims if c.kind == "group"}
    assert "the rows of b lie" in texts["ratio of distances"]
    assert "that of v0 and v1 is −0." in texts["difference of correlations"]
    (means,) = [c for c in found.claims if c.kind == "nothing" and c.subject == "g"]
    assert means.text.startswith("No difference of means between") and "spread" not in means.text
    assert all(text in [c.text for c in found.short] for text in texts.values())
    for c in found.claims:
        assert c.say("fr")


@pytest.mark.slow
def test_what_was_compared_is_what_is_not_found(rng):
    X, y = rng.standard_normal((40, 4)), rng.permutation(np.repeat(["a", "b"], 20))
    (claim,) = [c for c in study(X, g=y).claims if c.kind == "nothing" and c.subject == "g"]
    assert "No difference of means, spread or correlations between" in claim.text


@pytest.mark.slow
def test_three_and_three_rows_can_tell_nothing(rng):
    y = rng.permutation(np.repeat(["a", "b"], 3))
    X = rng.standard_normal((6, 4)) + 9.0 * (y == "a")[:, None]
    found = [c for c in study(X, g=y).claims if "groups of g" in c.text]
    assert not any(c.tested for c in found)
    described, claim = found  # the axis is described all the same
    assert described.kind == "axis-group" and "(described)" in described.text
    assert claim.kind == "not-tested" and claim.subject == "groups"
    assert "the smallest possible p-value is 0.1" in claim.text


@pytest.mark.slow
def test_a_number_is_named_with_its_column(rng):
    X = rng.standard_normal((50, 8))
    found = study(X, dose=0.8 * X[:, 3] + 0.6 * rng.standard_normal(50))
    (claim,) = [c for c in found.claims if c.kind == "tie" and c.axis is None]
    assert claim.subject == "dose" and claim.effect > 0.6 and "with v3 (r" in claim.text
    assert claim in found.short


def test_parts_of_the_level_are_those_of_a_weighted_holm():
    p, w = np.array([0.03, 0.001, 0.004]), np.array(list(GROUP_LEVELS.values()))
    assert sum(w) == pytest.approx(1.0)
    # 0.001/0.1 first, then 0.03/0.8 · 0.9, last 0.004, which is at least the one before.
    assert weighted_holm(p, w).tolist() == pytest.approx([0.03375, 0.01, 0.03375])
    assert holm(p).tolist() == weighted_holm(p, np.ones(3)).tolist()
