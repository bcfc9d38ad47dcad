"""The study of replicates: its parts against plain twins, and what it claims."""

import json

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.networks import Network, agreement, infer, replicate_study, resampling, separation
from gramian.networks.finder import as_finder, similarity_of
from gramian.networks.recipe import Recipe

EDGES = 12 / 66


def blocks(n, seed=0, noise=0.3, p=12):
    """n samples of p variables in four groups that move together."""
    rng = np.random.default_rng(seed)
    hubs = np.repeat(rng.standard_normal((n, 4)), p // 4, axis=1)
    return hubs + noise * rng.standard_normal((n, p))


TWO = np.repeat(["control", "stress"], 8)
QUICK = {"n_resamples": 4, "n_permutations": 9, "infer": {"density": EDGES}}


@pytest.fixture(scope="module")
def study():
    return replicate_study(blocks(16), TWO, **QUICK)


def similarity(a, b):
    shared = a.adjacency.multiply(b.adjacency).sign().sum()
    return shared / np.sqrt(a.n_edges * b.n_edges) / 2


def test_a_unit_is_what_its_words_say():
    X, r, B = blocks(9, noise=1.0), 4, 3
    finder = as_finder({"density": EDGES}, X)
    unit = resampling.resampled(
        X, r, B, finder, similarity_of(None, finder, X, r), np.random.default_rng(3)
    )
    rng = np.random.default_rng(3)
    for b, order in enumerate([rng.permutation(9) for _ in range(B)]):
        for i in range(-1, 9):
            left = order[order != i]
            first, last, whole = (
                infer(X[np.sort(rows)], density=EDGES, shrinkage=0.0)
                for rows in (left[:r], left[-r:], left)
            )
            change = unit["change"][b] if i < 0 else unit["change_without"][i, b]
            far = unit["far"][b] if i < 0 else unit["far_without"][i, b]
            assert change == pytest.approx(1 - similarity(first, last), abs=1e-12)
            assert far == pytest.approx(2 - 2 * similarity(first, whole), abs=1e-12)
    kept = resampling.unpacked(unit)
    assert len(kept) == B and all(edges.pairs.size == 12 for edges in kept)


def test_the_variance_is_the_jackknifes_where_orders_add_nothing():
    rng = np.random.default_rng(0)
    theta = rng.standard_normal(10)
    unit = {"change": np.full(5, 0.5), "change_without": np.repeat(theta[:, None], 5, axis=1)}
    found = agreement.change_of(unit, n=20, r=5)
    assert found.value == 0.5
    assert found.variance == pytest.approx(0.9 * ((theta - theta.mean()) ** 2).sum())


def changes(noise, r=8, n_pairs=150):
    """Return the mean change between sets of r rows that share none, and that share half."""
    finder = Recipe(shrinkage=0.0, density=EDGES)
    X = blocks(16 * n_pairs, noise=noise)
    sim = similarity_of(None, finder, X, r)
    parts = [np.arange(8), np.arange(8, 16), np.arange(4, 12)]
    found = finder.many(X, [k + part for k in range(0, len(X), 16) for part in parts])
    S = sim(found)
    at = np.arange(0, len(S), 3)
    return np.mean(1 - S[at, at + 1]), np.mean(1 - S[at, at + 2])


@pytest.mark.parametrize("noise", [0.6, 1.2])
def test_shared_rows_are_corrected_for(noise):
    plain, shared = changes(noise)
    corrected = resampling.independent(np.array([shared]), 12, 8)[0]
    assert shared < 0.9 * plain
    assert abs(corrected - plain) < 0.6 * abs(shared - plain)


def test_the_correction_is_careful_where_networks_rarely_change():
    plain, shared = changes(0.3)
    corrected = resampling.independent(np.array([shared]), 12, 8)[0]
    assert plain < 0.2 and plain <= corrected < 1.6 * plain


@pytest.mark.parametrize("d", [0.0, 0.01, 0.3, 0.9, 1.0, 1.2])
def test_the_correction_solves_its_equation(d):
    D = resampling.independent(np.array([d]), 12, 8)[0]
    assert min(D, max(D, 1.0)) >= d or d > 1
    if d < 0.9:
        assert 0.5 ** (0.5 * np.sqrt(1 - D)) * D == pytest.approx(d, abs=1e-9)


def test_the_recommendation_reads_the_curve_and_its_bands():
    sizes, change = np.array([3, 4, 6, 8]), np.array([0.9, 0.5, 0.15, 0.05])
    found = agreement.recommend(sizes, change, np.full(4, 0.05), 0.2, 0.95, df=1000)
    line = np.interp(np.log([4, 5, 6]), np.log(sizes), change)
    assert line[1] > 0.2 >= line[2] and found.size == 6
    assert (found.low, found.high) == (6, 7.0)
    wide = agreement.recommend(sizes, change, np.full(4, 0.2), 0.2, 0.95, df=1000)
    assert wide.low < 6 and wide.high == np.inf and not wide.extrapolated


def test_beyond_the_data_the_interval_is_open():
    sizes, change = np.array([3, 4, 6]), np.array([0.9, 0.8, 0.6])
    found = agreement.recommend(sizes, change, np.full(3, 0.02), 0.2, 0.95, df=20)
    assert found.extrapolated and found.size > 6
    assert (found.low, found.high) == (7, np.inf)
    never = agreement.recommend(
        sizes, np.array([0.9, 0.9, 0.9]), np.full(3, 0.02), 0.2, 0.95, df=20
    )
    assert never.size is None and never.low == 7


def test_extrapolation_is_exact_for_straight_log_odds():
    sizes = np.array([3.0, 4, 6, 8])
    curve = lambda r: 1 / (1 + (r / 5) ** 2)  # noqa: E731
    found = agreement.extrapolated(sizes, curve(sizes), np.array([12.0, 20.0]))
    np.testing.assert_allclose(found, curve(np.array([12.0, 20.0])), rtol=1e-12)


def test_p_values_count_shuffles_and_hold_for_all_sizes():
    T = np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 5.0], [0.0, 0.0]])
    p = separation.p_values(T)
    np.testing.assert_allclose(p[0], [1 / 4, 3 / 4])
    # The least p-values of the four rows are 1/4, 2/4, 1/4 and 1.
    np.testing.assert_allclose(separation.adjusted(p), [2 / 4, 3 / 4])


def test_the_statistic_is_the_distance_of_barycentres():
    rng = np.random.default_rng(0)
    F = rng.standard_normal((7, 3))
    owner = np.array([0, 0, 1, 1, 1, 2, 2])
    means = [F[owner == c].mean(axis=0) for c in range(3)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = np.mean([((means[a] - means[b]) ** 2).sum() for a, b in pairs])
    assert separation._between(F @ F.T, owner) == pytest.approx(expected)


def test_tables_have_what_they_promise(study):
    curve = study.curve
    assert list(curve.index) == [3, 4, 5, 6, 7, 8]
    assert curve["seen"].tolist() == [True] * 4 + [False] * 2
    assert curve["agreement_low"].notna().tolist() == curve["seen"].tolist()
    seen = curve[curve["seen"]]
    assert (seen["agreement_low"] <= seen["agreement"]).all()
    assert (seen["agreement"] <= seen["agreement_high"]).all()
    np.testing.assert_allclose(curve["dispersion"], 1 - curve["agreement"])
    assert curve["distance"].iloc[-1] == 0 and (curve["distance"].iloc[:-1] > 0).all()
    assert curve["p_adjusted"].between(0.1, 1).all()
    assert (curve["p_adjusted"] >= curve["p_value"]).all()
    parts = study.by_condition["agreement"].unstack("condition")
    np.testing.assert_allclose(parts.loc[:6].mean(axis=1), curve["agreement"].loc[:6])
    assert study.networks["all"].sum() == 2 and len(study.networks) == len(study.similarities)


def test_networks_of_the_study(study):
    X = blocks(16)
    full = study.full["stress"]
    direct = infer(X[8:], density=EDGES)
    pd.testing.assert_frame_equal(full.edges, direct.edges[["source", "target", "weight"]])
    consensus = study.consensus("stress", share=0.5)
    assert consensus.n_edges >= 8 and (consensus.edges["frequency"] >= 0.5).all()
    assert study.consensus(share=1.0).n_edges <= study.consensus(share=0.1).n_edges
    with pytest.raises(InputError, match="was not studied"):
        study.consensus(size=99)
    with pytest.raises(InputError, match="share"):
        study.consensus(share=0)
    fitted = study.map()
    assert fitted.coordinates_.shape == (len(study.networks), 2)


def test_the_same_seed_gives_the_same_study_and_another_does_not(study):
    again = replicate_study(pd.DataFrame(blocks(16)), pd.Series(TWO), **QUICK)
    pd.testing.assert_frame_equal(study.curve, again.curve)
    other = replicate_study(blocks(16), TWO, random_state=1, **QUICK)
    assert not study.curve.equals(other.curve)


def test_clear_networks_need_few_replicates_and_noise_none_at_all():
    clear = replicate_study(blocks(24, noise=0.1), None, **QUICK)
    assert clear.recommended <= 6 and clear.interval[0] <= clear.recommended <= clear.interval[1]
    assert "replicates per condition give" in clear.summary()
    noise = np.random.default_rng(0).standard_normal((24, 12))
    lost = replicate_study(noise, None, n_resamples=4)
    assert lost.recommended is None or lost.extrapolated
    assert lost.interval[1] == np.inf and lost.curve["p_value"].isna().all()
    assert "needed" in lost.summary() or "extrapolation" in lost.summary()


def test_different_networks_are_told_apart_and_different_means_are_not():
    X = np.vstack([blocks(12, 1, 0.1), blocks(12, 2, 0.1)])
    groups = np.repeat(["a", "b"], 12)
    options = QUICK | {"n_permutations": 39, "sizes": [4, 12]}
    means = replicate_study(X + 5.0 * (groups == "b")[:, None], groups, **options)
    assert not means.separated and "No difference" in means.summary()
    turned = X.copy()
    turned[groups == "b"] = turned[groups == "b"][:, np.arange(12).reshape(4, 3).T.ravel()]
    networks = replicate_study(turned, groups, **options)
    assert networks.separated and "differ" in networks.summary()
    assert networks.curve["p_adjusted"].min() == pytest.approx(1 / 40)


def test_claims_are_rare_where_conditions_differ_in_nothing():
    claims = 0
    for seed in range(20):
        options = QUICK | {"n_resamples": 2, "n_permutations": 19, "sizes": [4]}
        found = replicate_study(blocks(12, seed, 0.6), np.repeat([0, 1], 6), **options)
        claims += found.separated
    assert claims <= 4  # of 20 at level 0.05; more than 4 has probability 0.003


def test_a_run_that_was_stopped_goes_on(tmp_path, study):
    path = tmp_path / "study.npz"

    def stop(done, total):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replicate_study(blocks(16), TWO, checkpoint=path, progress=stop, **QUICK)
    seen = []
    done = replicate_study(
        blocks(16), TWO, checkpoint=path, progress=lambda *k: seen.append(k), **QUICK
    )
    pd.testing.assert_frame_equal(done.curve, study.curve)
    np.testing.assert_array_equal(done.similarities, study.similarities)
    assert seen[-1][0] == seen[-1][1]
    with np.load(path, allow_pickle=False) as file:
        assert json.loads(file["head"].tobytes())["version"] == 1


def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    path = tmp_path / "study.npz"
    options = QUICK | {"sizes": [3], "checkpoint": path}
    replicate_study(blocks(16), TWO, **options)
    for X, more in ((blocks(16, seed=9), {}), (blocks(16), {"random_state": 5})):
        with pytest.raises(InputError, match="other data or options"):
            replicate_study(X, TWO, **options | more)
    whole = path.read_bytes()
    for damaged in (b"no archive", whole[: len(whole) // 2], b""):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="not a checkpoint"):
            replicate_study(blocks(16), TWO, **options)


def test_progress_is_written_to_the_standard_error(capsys):
    replicate_study(blocks(16), TWO, progress=True, **QUICK | {"sizes": [3]})
    assert capsys.readouterr().err.endswith("3 of 3 parts\n")


def test_any_method_any_function_any_graph_kernel():
    X = blocks(16)

    def pairs(rows):
        C = np.abs(np.corrcoef(rows.T))
        return np.where(C > 0.9, 1.0, 0.0) - np.eye(12)

    quick = {"n_resamples": 2, "n_permutations": 0, "sizes": [6]}
    for method in ("partial", {"method": "neighbourhood", "penalty": 0.5}, pairs):
        assert np.isfinite(replicate_study(X, TWO, infer=method, **quick).curve["agreement"]).all()
    unsigned = {"density": EDGES, "signed": False}
    for kernel in (gm.kernels.graph.HIM(), gm.kernels.graph.WeisfeilerLehman(n_iter=2)):
        found = replicate_study(X, TWO, infer=unsigned, kernel=kernel, **quick)
        assert 0 < found.curve["agreement"].iloc[0] <= 1


def test_networks_without_edges_agree_with_nothing():
    empty = replicate_study(blocks(16), TWO, infer={"threshold": 1.0}, n_resamples=2, sizes=[4])
    assert empty.curve["agreement"].tolist() == [0.0] and not empty.separated
    with pytest.raises(InputError, match="no map"):
        empty.map()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"condition": TWO[:-1]}, "15 labels"),
        ({"condition": ["a"] * 12 + ["b"] * 4}, "'b' has 4 replicates"),
        ({"condition": [None, *["a"] * 15]}, "missing at row 0"),
        ({"condition": [1] * 8 + ["1"] * 8}, "read the same"),
        ({"sizes": [2]}, "between 3 and 8"),
        ({"sizes": [9]}, "between 3 and 8"),
        ({"sizes": [3.5]}, "whole numbers"),
        ({"sizes": []}, "whole numbers"),
        ({"sizes": [8]}, "more than 6"),
        ({"n_resamples": 1}, "n_resamples"),
        ({"n_permutations": -1}, "n_permutations"),
        ({"agreement": 1.0}, "agreement"),
        ({"level": 95}, "level"),
        ({"infer": {"magic": 1}}, "magic"),
        ({"infer": lambda rows: np.eye(3) * 0}, "3 nodes"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(InputError, match=words) as error:
        replicate_study(blocks(16), **{"condition": TWO, **options})
    assert len(str(error.value)) <= 400


def test_refusals_of_types():
    with pytest.raises(InputTypeError, match="kernel"):
        replicate_study(blocks(16), TWO, kernel="gaussian")
    with pytest.raises(InputTypeError, match="infer"):
        replicate_study(blocks(16), TWO, infer=3)


def test_the_default_edges_are_as_many_as_are_significant():
    X = blocks(40, noise=0.2)
    assert as_finder(None, X).density * 66 == pytest.approx(6.6)  # at most a tenth of the pairs
    noise = np.random.default_rng(0).standard_normal((40, 30))
    assert as_finder(None, noise).density * 435 == pytest.approx(15)  # at least one for two columns


def test_a_study_says_what_it_is(study):
    assert repr(study).startswith("ReplicateStudy(recommended=")
    assert isinstance(study.full["control"], Network)
    assert study.summary().startswith("Networks of 12 variables in 2 conditions (control: 8")


def test_noise_is_not_extrapolated():
    sizes = np.array([5.0, 6.0, 7.0])
    change = np.array([1.013, 0.984, 0.932])  # agreement 0.07 at most
    assert np.isnan(agreement.extrapolated(sizes, change, np.array([8.0, 20.0]))).all()
    se = np.full(3, 0.03)
    assert agreement.recommend(sizes, change, se, 0.2, 0.95, 9).size is None
    # Clearly above nought, but by less than its band.
    change = np.array([0.9, 0.87, 0.84])
    assert agreement.recommend(sizes, change, np.full(3, 0.2), 0.2, 0.95, 9).size is None


def test_a_faint_start_does_not_make_a_steep_line():
    sizes = np.array([5.0, 6.0, 7.0])
    found = agreement.extrapolated(sizes, np.array([1.0, 0.95, 0.84]), np.array([14.0]))
    odds = (1.0 - found[0]) / found[0]
    assert odds <= 0.16 / 0.84 * 2.0**3 * (1 + 1e-9)
