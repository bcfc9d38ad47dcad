"""The study of replicates: its parts against plain twins, and what it claims."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.networks import Network, infer, learning, replicate_study, resampling
from gramian.networks.contrasts import rows_of
from gramian.networks.finder import as_finder, similarity_of

pytestmark = pytest.mark.slow


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


def unit_of(X):
    return resampling.Unit("all", X, np.zeros(len(X), dtype=int))


def test_a_unit_is_what_its_words_say():
    X, r, B = blocks(9, noise=1.0), 4, 3
    finder = as_finder({"density": EDGES}, X)
    part = resampling.compare_experiments(
        unit_of(X), r, B, similarity_of(None, finder, X, r), np.random.default_rng(3)
    )
    rng = np.random.default_rng(3)
    for b, order in enumerate([rng.permutation(9) for _ in range(B)]):
        for i in range(-1, 9):
            left = order[order != i]
            first, last = (
                infer(X[np.sort(rows)], density=EDGES, shrinkage=0.0)
                for rows in (left[:r], left[-r:])
            )
            change = part["change"][b] if i < 0 else part["change_without"][i, b]
            assert change == pytest.approx(1 - similarity(first, last), abs=1e-12)
        whole = infer(X, density=EDGES, shrinkage=0.0)
        first = infer(X[np.sort(order[:r])], density=EDGES, shrinkage=0.0)
        assert part["far"][b] == pytest.approx(2 - 2 * similarity(first, whole), abs=1e-12)
    kept = resampling.unpack_networks(part)
    assert len(kept) == B and all(edges.pairs.size == 12 for edges in kept)


def test_balanced_halves_take_as_many_of_every_condition():
    codes = np.repeat([0, 1, 2], [6, 8, 7])
    unit = resampling.Unit("all", blocks(21), codes)
    assert unit.largest_size == 3
    first, last = unit.halves(np.random.default_rng(0).permutation(21), 3)
    assert not set(first) & set(last)
    np.testing.assert_array_equal(np.bincount(codes[first]), [3, 3, 3])
    np.testing.assert_array_equal(np.bincount(codes[last]), [3, 3, 3])


def test_chance_is_what_networks_without_links_share():
    X = blocks(12, noise=0.1)
    finder = as_finder({"density": EDGES}, X)
    S = resampling.similarities_at_random(
        unit_of(X), 6, similarity_of(None, finder, X, 6), np.random.default_rng(0)
    )
    assert len(S) == 10 and abs(S.mean()) < 0.15  # signed: 0 in the mean


def test_the_variance_is_the_jackknifes_where_orders_add_nothing():
    rng = np.random.default_rng(0)
    theta = rng.standard_normal(10)
    part = {"change": np.full(5, 0.5), "change_without": np.repeat(theta[:, None], 5, axis=1)}
    found = learning.change_of(part, np.zeros(10))
    assert found.value == 0.5
    assert found.variance == pytest.approx(0.9 * ((theta - theta.mean()) ** 2).sum())
    strata = np.repeat([0, 1], 5)
    parts = [theta[:5], theta[5:]]
    expected = sum(0.8 * ((part - part.mean()) ** 2).sum() for part in parts)
    assert learning.change_of(part, strata).variance == pytest.approx(expected)


def test_the_jackknife_sees_how_much_other_samples_would_say():
    """Its standard error is that between studies of fresh samples, to a quarter."""
    values, variances = [], []
    for seed in range(30):
        X = blocks(12, seed, noise=0.5)
        finder = as_finder({"density": EDGES}, X)
        rng = np.random.default_rng(seed)
        part = resampling.compare_experiments(
            unit_of(X), 5, 8, similarity_of(None, finder, X, 5), rng
        )
        found = learning.change_of(part, np.zeros(12))
        values.append(found.value)
        variances.append(found.variance)
    assert np.sqrt(np.mean(variances)) == pytest.approx(np.std(values, ddof=1), rel=0.3)


def planted(n, seed, link):
    """n samples of 40 genes, three modules of eight that follow their first gene."""
    X = np.random.default_rng(seed).standard_normal((n, 40))
    for first in (0, 8, 16):
        rest = slice(first + 1, first + 8)
        X[:, rest] = link * X[:, [first]] + np.sqrt(1 - link**2) * X[:, rest]
    return X


def few(seed, link, each=3):
    options = {"infer": {"density": 84 / 780}, "n_permutations": 0, "random_state": 0}
    return replicate_study(planted(2 * each, seed, link), np.repeat([0, 1], each), **options)


def test_the_smallest_experiment_has_a_wide_answer():
    """7 is the truth: 600 pairs of independent experiments agree by 0.73 at 6, by 0.82 at 7."""
    found = [few(seed, 0.97) for seed in range(12)]
    told = [study for study in found if study.recommended is not None]
    assert len(told) >= 9
    for study in told:
        low, high = study.interval
        assert low <= 7 <= high and high >= 20
        assert "simulated designs that all need at most 200" in study.summary()
        assert "une seule taille" in study.summary("fr")


def test_the_smallest_experiment_of_noise_has_none():
    assert [few(seed, 0.0).reason for seed in range(12)].count("chance") == 12


def test_conditions_that_differ_are_not_said_to_have_no_network(study):
    nothing = {"recommended": None, "reason": "chance", "shared": True, "chance": -0.004}
    alike = replace(study, **nothing, separated=False).summary()
    differ = replace(study, **nothing, separated=True).summary()
    assert "more than that of shuffled tables (0.00)" in alike  # 0.6 was observed
    assert "There may be no network" not in alike
    curve = study.curve.assign(observed=0.02)
    assert "There may be no network" in replace(study, **nothing, curve=curve).summary()
    assert "the conditions have different networks" in differ
    assert "There may be no network" not in differ


def test_random_signs_are_what_chance_gives():
    """The mean over all signs of a table is that of the splits, counted one by one."""
    Z = planted(4, 3, 0.9)
    unit = resampling.Unit("all", Z, np.zeros(4, dtype=int), lost=1)
    assert unit.few and not unit_of(Z).few
    finder = as_finder({"density": EDGES}, Z)
    likeness = similarity_of(None, finder, Z, 3)
    seen, *S = resampling.similarities_by_signs(unit, 3, 60, likeness, np.random.default_rng([5]))
    S = np.array(S)
    assert S.shape == (resampling.SIGNS,)
    rng = np.random.default_rng(11)
    signs = [np.ones(Z.shape), *(rng.choice([-1, 1], Z.shape) for _ in range(80))]
    means = []
    for T in [Z * each for each in signs]:
        halves = [(T[[0, k]], np.delete(T, [0, k], axis=0)) for k in (1, 2, 3)]
        nets = [[infer(rows_of(h), density=EDGES, shrinkage=0.0) for h in pair] for pair in halves]
        means.append(np.mean([similarity(*pair) for pair in nets]))
    assert seen == pytest.approx(means.pop(0), abs=0.02)
    assert S.mean() == pytest.approx(np.mean(means), abs=0.015)
    assert S.std() == pytest.approx(np.std(means), rel=0.3)


def test_the_recommendation_reads_the_curves():
    sizes, s = np.array([3, 5, 8, 11]), np.array([0.1, 0.4, 0.7, 0.82])
    found = learning.recommend(sizes, s, np.full(4, 0.03), 0.0, 0.8, 0.95, df=30)
    assert found.size in (10, 11) and not found.extrapolated and found.reason == ""
    assert found.low <= found.size <= found.high < 20
    wide = learning.recommend(sizes, s, np.full(4, 0.12), 0.0, 0.8, 0.95, df=30)
    assert wide.low < found.low and wide.high > found.high


def test_nothing_is_recommended_without_a_reason_to():
    sizes, se = np.array([3, 5, 7]), np.full(3, 0.03)
    noise = learning.recommend(sizes, np.array([0.01, 0.03, 0.06]), se, 0.02, 0.8, 0.95, 20)
    assert noise.size is None and noise.reason == "chance" and noise.high == np.inf
    flat = learning.recommend(sizes, np.array([0.2, 0.21, 0.22]), 0.1 * se, 0.0, 0.8, 0.95, 20)
    assert flat.size is None and flat.reason == "far" and flat.low > 7
    blind = learning.recommend(sizes, np.array([0.9, 0.91, 0.93]), se, 0.85, 0.8, 0.95, 20)
    assert blind.size is None and blind.reason == "kernel"


def test_the_statistic_is_the_distance_of_barycentres():
    rng = np.random.default_rng(0)
    F = rng.standard_normal((7, 3))
    owner = np.array([0, 0, 1, 1, 1, 2, 2])
    means = [F[owner == c].mean(axis=0) for c in range(3)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = np.mean([((means[a] - means[b]) ** 2).sum() for a, b in pairs])
    assert resampling._between(F @ F.T, owner) == pytest.approx(expected)


def test_tables_have_what_they_promise(study):
    curve = study.curve
    seen = curve[curve["seen"]]
    assert study.shared and list(seen.index) == [3, 4, 5, 7, 8]  # 14 contrasts: 7 and 7
    assert (curve["agreement_low"] <= curve["agreement"]).all()
    assert (curve["agreement"] <= curve["agreement_high"]).all()
    assert curve["agreement"].is_monotonic_increasing
    np.testing.assert_allclose(curve["dispersion"], 1 - curve["agreement"])
    assert (
        seen[["observed", "distance", "edges", "degrees", "hubs", "modules"]].notna().all(axis=None)
    )
    assert 0.1 <= study.p_value <= 1 and len(study.power) == 0  # nine shuffles reach no 5 %
    assert study.networks["all"].sum() == 3 and len(study.networks) == len(study.similarities)
    assert sum(study.families.values()) == pytest.approx(1)


def test_with_twelve_replicates_each_condition_speaks_for_itself():
    two = np.repeat(["control", "stress"], 12)
    own = replicate_study(blocks(24), two, **QUICK | {"n_permutations": 0})
    assert not own.shared and list(own.full) == ["control", "stress"]
    parts = own.by_condition["agreement"].unstack("condition")
    np.testing.assert_allclose(parts.mean(axis=1), own.curve["observed"].dropna())


def test_one_network_of_all_conditions():
    four = np.repeat(list("abcd"), 6)
    X = blocks(24, noise=0.4) + 9 * np.repeat(np.random.default_rng(1).normal(size=(4, 12)), 6, 0)
    pooled = replicate_study(X, four, design="pooled", **QUICK | {"n_permutations": 0})
    alone = replicate_study(X, four, **QUICK | {"n_permutations": 0})
    assert list(pooled.curve.index[pooled.curve["seen"]]) == [2, 3]
    # r of each of four conditions leave 4(r − 1), as 4r − 3 replicates of one do.
    assert pooled.recommended < alone.recommended <= 4 * pooled.recommended - 3 + 2
    direct = infer(X, condition=four, density=EDGES)
    pd.testing.assert_frame_equal(
        pooled.full["all"].edges, direct.edges[["source", "target", "weight"]], check_exact=False
    )
    assert "one network" in pooled.summary()


@pytest.mark.parametrize("n", [3, 4])
def test_few_replicates_get_a_wide_answer(n):
    X = blocks(4 * n, noise=0.1) + np.repeat(np.arange(4), n)[:, None]
    few = replicate_study(X, np.repeat(list("abcd"), n), **QUICK)
    assert few.shared and few.recommended is not None
    low, high = few.interval
    assert low <= few.recommended <= high and high > low
    assert "as if conditions had the same network" in few.summary()
    assert "needs 6 replicates" in few.summary() and np.isnan(few.p_value)


def test_two_replicates_are_refused_with_the_reason():
    with pytest.raises(InputError, match="two samples differ in one way only"):
        replicate_study(blocks(8), np.repeat(list("abcd"), 2))
    with pytest.raises(InputError, match="too few for two experiments"):
        replicate_study(blocks(4))


def test_networks_of_the_study(study):
    X = blocks(16)
    full = study.full["all"]
    direct = infer(X, condition=TWO, density=EDGES)
    pd.testing.assert_frame_equal(full.edges, direct.edges[["source", "target", "weight"]])
    consensus = study.consensus("all", share=0.5)
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
    assert lost.recommended is None and lost.reason == "chance"
    assert lost.interval[1] == np.inf and np.isnan(lost.p_value)
    assert "No recommendation" in lost.summary()


def test_different_networks_are_told_apart_and_different_means_are_not():
    X = np.vstack([blocks(12, 1, 0.1), blocks(12, 2, 0.1)])
    groups = np.repeat(["a", "b"], 12)
    options = QUICK | {"n_permutations": 39, "sizes": [4]}
    means = replicate_study(X + 5.0 * (groups == "b")[:, None], groups, **options)
    assert not means.separated and "No difference" in means.summary()
    turned = X.copy()
    turned[groups == "b"] = turned[groups == "b"][:, np.arange(12).reshape(4, 3).T.ravel()]
    networks = replicate_study(turned, groups, **options)
    assert networks.separated and "differ" in networks.summary()
    assert networks.p_value == pytest.approx(1 / 40)
    assert networks.power.iloc[-1] > means.power.iloc[-1]


def test_claims_are_rare_where_conditions_differ_in_nothing():
    claims = 0
    for seed in range(20):
        options = QUICK | {"n_resamples": 2, "n_permutations": 18, "sizes": [4]} | {"alpha": 0.06}
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
        assert json.loads(file["head"].tobytes())["version"] == 4


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
    assert re.search(r"(\d+) of \1 parts\n$", capsys.readouterr().err)


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
    assert empty.curve["observed"].tolist() == [0.0] and not empty.separated
    assert empty.recommended is None and empty.reason == "chance"
    with pytest.raises(InputError, match="no map"):
        empty.map()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"condition": TWO[:-1]}, "15 labels"),
        ({"condition": ["a"] * 14 + ["b"] * 2}, "'b' has 2 replicates"),
        ({"design": "paired"}, "design='paired'"),
        ({"condition": [None, *["a"] * 15]}, "missing at row 0"),
        ({"condition": [1] * 8 + ["1"] * 8}, "read the same"),
        ({"sizes": [2]}, "between 3 and 8"),
        ({"sizes": [9]}, "between 3 and 8"),
        ({"sizes": [3.5]}, "whole numbers"),
        ({"sizes": []}, "whole numbers"),
        ({"condition": None, "sizes": [16]}, "more than 8"),
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


def test_two_variables_make_no_networks_to_compare():
    with pytest.raises(InputError, match=r"X has 2 variables, .* at least 3 genes"):
        replicate_study(blocks(16)[:, :2], TWO, **QUICK)


def test_refusals_of_types():
    with pytest.raises(InputTypeError, match="kernel"):
        replicate_study(blocks(16), TWO, kernel="gaussian")
    with pytest.raises(InputTypeError, match="infer"):
        replicate_study(blocks(16), TWO, infer=3)


def test_the_default_edges_are_as_many_as_are_significant():
    X = blocks(40, noise=0.2)
    assert as_finder(None, X).density * 66 == pytest.approx(12)  # all pairs within four blocks
    noise = np.random.default_rng(0).standard_normal((40, 30))
    assert as_finder(None, noise).density * 435 == pytest.approx(15)  # at least one for two columns


@pytest.mark.parametrize("seen", [-0.001, 0.69])
def test_agreement_is_told_within_its_interval_and_apart_from_what_was_seen(study, seen):
    curve = study.curve.copy()
    last = curve.index[curve["seen"]][-1]
    curve.loc[last, ["agreement_low", "agreement", "agreement_high"]] = 0.74, 0.8, 0.91
    curve.loc[last, "observed"] = seen
    told = replace(study, curve=curve).summary()
    assert f"0.80 (0.74 to 0.91) by the learning curves, and {abs(seen):.2f} was observed" in told


def test_conditions_together_show_more_than_each_has():
    X = blocks(16, noise=0.1)
    groups = np.repeat(list("abcd"), 4)
    few = replicate_study(X, groups, **QUICK)
    noise = replicate_study(np.random.default_rng(0).normal(size=X.shape), groups, **QUICK)
    assert noise.reason == "chance"
    for study in (few, noise):
        r = study.curve.index[study.curve["seen"]][-1]
        assert r > 4 and f"equivalent to an experiment of {r}" in study.summary()
        assert f"autant qu’une expérience de {r} en montrerait" in study.summary("fr")
        assert "the most" not in study.summary()
    alone = replicate_study(blocks(24), None, **QUICK).summary()
    assert "the most for which two experiments can be compared" in alone


def test_a_study_says_what_it_is(study):
    assert repr(study).startswith("ReplicateStudy(recommended=")
    assert isinstance(study.full["all"], Network)
    assert study.summary().startswith("Networks of 12 variables in 2 conditions (control: 8")


def test_what_must_agree_can_be_chosen():
    X = blocks(24, noise=0.3)
    found = {
        name: replicate_study(X, agreement=name, n_resamples=4, random_state=0)
        for name in ("links", "weights", "modules")
    }
    assert all(study.recommended is not None for study in found.values())
    assert "weighted networks" in found["weights"].summary()
    assert "les modules de deux" in found["modules"].summary("fr")
    number = replicate_study(X, agreement=0.6, n_resamples=4, random_state=0)
    assert number.target == 0.6 and number.agreement == "links"
    with pytest.raises(InputError, match="agreement"):
        replicate_study(X, agreement="edges")


def test_conditions_with_other_networks_are_studied_alone():
    """Clear blocks in one condition, weak ones elsewhere in the other."""
    X = np.vstack([blocks(10, 1, 0.2), blocks(10, 2, 0.6)[:, ::-1][:, np.r_[1:12, 0]]])
    options = QUICK | {"n_permutations": 19}
    study = replicate_study(X, np.repeat(["clear", "weak"], 10), **options)
    assert study.separated and not study.shared
    assert list(study.per_condition.index) == ["clear", "weak"]
    assert study.per_condition.loc["clear", "recommended"] <= 8
    assert "The hardest is weak" in study.summary()


@pytest.mark.parametrize("counts", [(11, 21), (14, 18)], ids=["few", "alone from the start"])
def test_links_of_different_networks_are_counted_in_each_condition(counts):
    """Two planted networks of 84 pairs: samples of one condition blur the links of the other."""
    X = np.vstack([planted(counts[0], 5, 0.97), planted(counts[1], 6, 0.97)[:, ::-1]])
    condition = np.repeat(["a", "b"], counts)
    options = {"n_permutations": 19, "n_resamples": 4, "random_state": 0}
    study = replicate_study(X, condition, **options)
    assert study.separated and not study.shared
    assert [net.n_edges for net in study.full.values()] == pytest.approx([84, 84], abs=8)
    together = rows_of(resampling.trim_contrasts(X, np.repeat([0, 1], counts), 1.5)[0])
    assert as_finder(None, together).density * 780 > 93  # the links of either
    fixed = replicate_study(X, condition, infer={"density": 0.05}, **options)
    assert {net.n_edges for net in fixed.full.values()} == {39}  # what the user requests stays


def test_a_number_of_links_counted_in_few_contrasts_is_uncertain():
    """Of 135 links of about equal strength 60 to 110 are significant: no experiment finds them."""
    few = [
        replicate_study(planted(8, seed, 0.97), np.repeat([0, 1], 4), random_state=0, **options)
        for seed in range(4)
        for options in ({"n_permutations": 0}, {"n_permutations": 0, "infer": {"density": 0.108}})
    ]
    limits = {name for name in learning.FAMILIES if name.startswith(learning.LIMITED)}
    counted, fixed = (
        np.mean([sum(study.families[name] for name in limits) for study in some])
        for some in (few[0::2], few[1::2])
    )
    assert counted > 3.0 * fixed


def test_an_open_interval_says_at_least(study):
    text = replace(study, interval=(7, np.inf)).summary()
    assert "At least 7 replicates" in text and "no upper limit" in text
    assert "au moins 7" in replace(study, interval=(7, np.inf)).summary("fr")
