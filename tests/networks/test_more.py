"""What more replicates would show, and what pooling costs."""

import numpy as np
import pytest
from scipy import stats

import gramian as gm
from gramian.errors import InputError
from gramian.networks.more import _found


def rewired(n, rewired, seed=0):
    data = gm.datasets.replicated_expression(
        n, 40, n_modules=3, module_size=8, rewired=rewired, random_state=seed
    )
    return data.data, data.groups["treatment"].to_numpy()


@pytest.fixture(scope="module")
def power():
    X, c = rewired(44, 1)
    rows = np.r_[0:12, 44:56]
    return (
        X,
        c,
        gm.networks.differential_power(
            X.iloc[rows], c[rows], (8, 32), n_permutations=25, random_state=0
        ),
    )


@pytest.mark.slow
def test_the_curve_holds_what_is_found_later_in_the_same_experiment(power):
    X, c, found = power
    assert list(found.curve.index) == [0, 8, 32]
    rows = np.r_[0:44, 44:88]
    later = len(gm.networks.differential(X.iloc[rows], c[rows], n_permutations=25, random_state=0))
    low, high = found.curve.loc[32, ["low", "high"]]
    assert later > 40  # 56 links are planted, 28 of them gone in each condition
    assert low <= later <= high


@pytest.mark.slow
def test_the_first_row_is_what_differential_finds_now(power):
    X, c, found = power
    rows = np.r_[0:12, 44:56]
    now = gm.networks.differential(X.iloc[rows], c[rows], n_permutations=25, random_state=0)
    assert found.curve.loc[0].tolist() == [len(now)] * 3
    assert found.now.equals(now)


def test_links_that_would_be_found_are_planted_ones(power):
    _, _, found = power
    likely = found.links[found.links[32] > 0.8]
    module = {f"G{k:03d}": k // 8 for k in range(40)}
    pairs = likely[["source", "target"]].map(lambda name: module[_gene(name)])
    planted = (pairs["source"] == pairs["target"]) & pairs["source"].isin([2, 3])
    assert len(likely) >= 20
    assert planted.mean() > 0.85


def _gene(name):
    return f"G{int(str(name).lstrip('G')) - 1:03d}"


@pytest.mark.slow
def test_nothing_is_promised_where_nothing_differs():
    X, c = rewired(12, 0, seed=3)
    found = gm.networks.differential_power(X, c, (32,), n_permutations=25, random_state=0)
    assert found.curve.loc[32, "found"] < 2
    assert found.curve.loc[32, "low"] == 0


@pytest.mark.slow
def test_the_chance_to_be_found_is_that_of_a_simulation():
    # C = 2: θ given u is N(B·u, B), and u becomes (u + √(a − 1)·v)/√a, v ~ N(√(a − 1)·θ, 1).
    rng = np.random.default_rng(0)
    T = np.concatenate([stats.chi2.rvs(1, size=900, random_state=rng), np.linspace(4, 40, 100)])
    a, V, share = 3.0, 12.0, 0.1
    got = _found(T, (share, V, 1.0), 1, a, 0.05)
    B = 1 - 1 / V
    differs = share * stats.chi2.pdf(T / V, 1) / V
    differs = differs / (differs + (1 - share) * stats.chi2.pdf(T, 1))
    m = 4000
    real = rng.random((m, T.size)) < differs
    theta = np.where(real, B * np.sqrt(T) + np.sqrt(B) * rng.standard_normal((m, T.size)), 0.0)
    v = np.sqrt(a - 1) * theta + rng.standard_normal((m, T.size))
    later = (np.sqrt(T) + np.sqrt(a - 1) * v) ** 2 / a
    # the threshold at which 5 % of those beyond are expected to be false
    levels = np.geomspace(1e-9, 0.05, 120)
    beyond = [(later >= stats.chi2.isf(level, 1)).mean(axis=0) for level in levels]
    good = [k for k in range(120) if T.size * levels[k] <= 0.05 * beyond[k].sum()]
    assert np.abs(got - beyond[good[-1]]).max() < 0.06


@pytest.mark.slow
def test_pooling_pays_for_one_network_and_costs_for_two():
    one, two = (gm.networks.pooling(*rewired(12, k), random_state=0) for k in (0, 2))
    assert one.r == 6
    assert one.interval[0] > 0
    assert two.interval[1] < 0
    assert one.gain == pytest.approx(one.pooled - one.own)
    assert list(one.by_condition.index) == ["control", "stress"]


def test_refusals():
    X, c = rewired(5, 0)
    with pytest.raises(InputError, match="at least 2 of at least 6"):
        gm.networks.pooling(X, c)
    with pytest.raises(InputError, match="more"):
        gm.networks.differential_power(X, c, (-1,))
    with pytest.raises(InputError, match="n_permutations"):
        gm.networks.differential_power(X, c, n_permutations=3)
