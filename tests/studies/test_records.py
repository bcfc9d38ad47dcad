"""Claims as records, the choice of a summary, ellipses: without an analysis."""

import dataclasses

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from threadpoolctl import threadpool_info, threadpool_limits

import gramian as gm
from gramian._study.claims import short
from gramian._study.evidence import Runner
from gramian._study.language import P, Sentence
from gramian._study.record import NullTest, claim
from gramian._study.stability import ellipses, resampled_maps


def made(kind, subject="x", axis=None, text=None):
    text = text or f"{kind} {subject} {axis}"
    return claim(kind, Sentence("claim.data.text", {"text": text}), subject=subject, axis=axis)


def test_a_claim_names_its_null_and_its_assumption():
    test = NullTest("axes", "null.axes.permutation", "holds.permutation")
    sentence = Sentence("claim.none.axes", {"p": P(0.4)})
    c = claim("data", sentence, subject="axes", p_value=np.float64(0.4), test=test)
    assert "permuted" in c.null and "independent" in c.assumption and type(c.p_value) is float
    assert c.text.startswith("No axis could be distinguished") and c.say("fr").startswith(
        "Aucun axe"
    )
    with pytest.raises(dataclasses.FrozenInstanceError):
        c.kind = "axes"


def test_a_summary_goes_through_every_axis_and_says_a_sentence_once():
    shared = [made("axis-variable", f"v{j}", 1, "both") for j in range(3)]
    claims = [
        made("data", "size"),
        made("axes", "axes"),
        made("axes", "axis 1", 1),
        *shared,
        made("axes", "axis 2", 2),
        made("axis-group", "sex", 2),
        made("axes", "axis 3", 3),
        made("group", "sex"),
        made("group", "site"),
        made("curve", "curve"),
        made("assumption", "counts"),
        made("assumption", "order"),
    ]
    chosen = [c.text for c in short(claims, (1, 2, 3))]
    assert chosen.count("both") == 1
    assert "axes axis 3 3" in chosen  # nothing else is said of it
    assert "group site None" in chosen and "group sex None" not in chosen  # told on axis 2
    assert "assumption order None" in chosen and "assumption counts None" not in chosen


def test_nothing_takes_the_place_of_the_axes():
    for subject in ("axes", "nothing"):
        claims = [made("data", "size"), made("nothing", subject), made("nothing", "axis 1", 1)]
        assert [c.subject for c in short(claims, (1, 2))] == ["size", subject]


@pytest.mark.parametrize("shape", [(30, 4), (12, 40)], ids=["tall", "wide"])
@pytest.mark.parametrize("scaled", [True, False])
def test_places_are_those_of_weighted_fits(shape, scaled):
    rng = np.random.default_rng(0)
    X = rng.standard_normal(shape) * rng.uniform(1, 3, shape[1])
    X -= X.mean(axis=0)
    F = gm.PCA(2, scale=scaled).fit(X).coordinates_
    (aligned,) = resampled_maps(X, F, 1, np.random.default_rng(5), scaled)
    n = len(X)
    drawn = np.random.default_rng(5).multinomial(n, np.full(n, 1 / n), 1)[0]
    fit = gm.PCA(2, scale=scaled).fit(X[np.repeat(np.arange(n), drawn)])
    same = pdist(fit.transform(X))
    np.testing.assert_allclose(pdist(aligned), same, rtol=1e-6, atol=1e-8 * same.max())
    U, _, Vt = np.linalg.svd(aligned.T @ F)
    np.testing.assert_allclose(U @ Vt, np.eye(2), atol=1e-8)  # no rotation brings it nearer


@pytest.mark.slow
def test_ellipses_hold_nineteen_places_of_twenty():
    maps = np.random.default_rng(0).standard_normal((4000, 1, 2)) * [3.0, 1.0]
    table = ellipses(np.repeat(maps, 500, axis=1), np.zeros((500, 2)), range(500))
    x, y, major, minor, angle = table.iloc[0]
    t = np.radians(angle)
    turned = (maps[:, 0] - [x, y]) @ np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
    inside = ((turned / [major, minor]) ** 2).sum(axis=1) <= 1
    assert inside.mean() == pytest.approx(0.95, abs=0.015)
    assert major / minor == pytest.approx(3.0, rel=0.1)


def blas_threads(rng):
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.mark.slow
def test_draws_of_a_small_table_wake_no_threads():
    with threadpool_limits(2, user_api="blas"):
        assert Runner(0, 40 * 5_000 * 40).run("axes", blas_threads) == {1}
        assert Runner(0, 3_000 * 2_000 * 2_000).run("axes", blas_threads) == {2}
