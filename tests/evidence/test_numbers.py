import numpy as np
import pytest

from gramian.errors import InputError
from gramian.evidence import numbers

LAWS = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "lognormal": lambda rng, shape: rng.lognormal(0.0, 1.5, shape),
    "bernoulli": lambda rng, shape: (rng.random(shape) < 0.05).astype(float),
}


@pytest.mark.slow
@pytest.mark.parametrize("law", list(LAWS))
@pytest.mark.parametrize("n", [8, 20, 60])
def test_numbers_of_chance_are_tied_to_nothing(law, n):
    rng, draw = np.random.default_rng(n), LAWS[law]
    tables = [(draw(rng, (n, 3)), draw(rng, (n, 3))) for _ in range(60)]
    claims = [numbers(*t, rng=rng, n_draws=199).table["p_value"].min() <= 0.05 for t in tables]
    assert np.mean(claims) <= 9 / 60


@pytest.mark.slow
def test_a_wider_spread_at_the_ends_is_no_correlation():
    rng = np.random.default_rng(0)
    claims = 0
    for _ in range(60):
        F = rng.standard_normal((80, 2))
        Z = rng.standard_normal((80, 2)) * np.abs(F[:, :1])
        claims += numbers(F, Z, rng=rng, n_draws=199).table["p_value"].min() <= 0.05
    assert claims <= 9


@pytest.mark.slow
@pytest.mark.parametrize(("n", "r"), [(12, 0.97), (20, 0.9), (60, 0.6), (300, 0.35)])
def test_what_is_tied_is_found_on_its_axis(n, r):
    rng, hits = np.random.default_rng(1), []
    for _ in range(20):
        F = rng.standard_normal((n, 3))
        z = r * F[:, 1] + np.sqrt(1 - r * r) * rng.standard_normal(n)
        table = numbers(F, np.column_stack([rng.standard_normal(n), z]), rng=rng).table
        hits.append(table["p_value"][1, 2] <= 0.05)
        assert np.isclose(table["correlation"][1, 2], np.corrcoef(F[:, 1], z)[0, 1])
    assert np.mean(hits) >= 0.9


def test_a_perfect_tie_of_few_rows_is_what_matching_at_random_gives():
    # Of five rows one in 5! permutations keeps the order and one turns it round: p is near 1/60.
    x = np.array([0.0, 1.0, 3.0, 7.0, 20.0])
    p = numbers(x[:, None], 2.0 * x[:, None], rng=np.random.default_rng(0)).table["p_value"]
    assert 0.004 <= p[0, 1] <= 0.03


def test_missing_values_copies_and_columns_that_cannot_be_tested():
    rng = np.random.default_rng(0)
    F = rng.standard_normal((30, 2))
    Z = np.column_stack([F[:, 0] + 0.1 * rng.standard_normal(30), np.ones(30), F[:, 1]])
    Z[:3, 0] = np.nan
    Z[4:, 2] = np.nan
    table = numbers(F, Z, rng=rng).table
    assert table["p_value"][0, 1] < 0.01 and table["n_rows"][0, 1] == 27
    assert table["reason"].xs(1, level="axis").tolist() == ["", "constant", "few values"]
    assert table["p_value"][1].isna().all() and table["p_value"][2].isna().all()
    thrice = np.repeat(np.arange(30), 3)
    options = {"scheme": "copies", "groups_of_copies": thrice, "rng": np.random.default_rng(3)}
    copied = numbers(F[thrice], Z[thrice], **options).table
    one = numbers(F, Z, rng=np.random.default_rng(3)).table
    assert copied.equals(one)


@pytest.mark.slow
def test_two_walks_tell_nothing():
    rng = np.random.default_rng(0)
    F, Z = (np.cumsum(rng.standard_normal((60, 2)), axis=0) for _ in range(2))
    for scheme, reason in (("blocks", "order"), ("none", "scheme")):
        table = numbers(F, Z, scheme=scheme, rng=rng).table
        assert table["p_value"].isna().all() and set(table["reason"]) == {reason}
    claims = 0
    for _ in range(40):  # a column drawn at random can be tested, whatever the axes are
        Z = rng.standard_normal((60, 2))
        claims += (numbers(F, Z, scheme="blocks", rng=rng).table["p_value"] <= 0.05).any()
    assert claims <= 7


def test_wrong_input():
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="same rows"):
        numbers(np.eye(3), np.eye(4), rng=rng)
    with pytest.raises(InputError, match="contains inf"):
        numbers(np.full((8, 1), np.inf), np.ones((8, 1)), rng=rng)
    assert len(numbers(np.ones((8, 1)), np.empty((8, 0)), rng=rng).table) == 0
