"""A small count of false and missed claims; benchmarks/claims.py makes the large one."""

import pytest
from benchmarks.claims import one
from benchmarks.spread import spread

pytestmark = pytest.mark.slow


TABLES = 2
NOISE = [
    "normal 12 × 6",
    "lognormal(1.5) 200 × 8",
    "Bernoulli(0.05) 100 × 10",
    "random walks 60 × 8",
    "rows of sd 0.3 to 3, 60 × 10",
    "equal means, 6 of 60 with 3 sd",
]
PLANTED = ["5 of 60 columns, 40 rows", "2 sd in one of 10 columns", "one row apart"]


@pytest.fixture(scope="module")
def results():
    return spread([*NOISE, *PLANTED], one, tables=TABLES)


def test_noise_makes_few_claims(results):
    """12 tables at 6 %: more than 4 false ones have a chance of 0.04 %."""
    assert sum(bool(r["false"]) for name in NOISE for r in results[name]) <= 4


def test_what_is_planted_is_found_and_named(results):
    """6 tables at 5 % missed: more than 2 have a chance of 0.2 %."""
    planted = [r for name in PLANTED for r in results[name]]
    assert sum(r["missed"] for r in planted) <= 2
    named, true = (sum(r[key] for r in planted) for key in ("named", "true"))
    assert named >= 4 * TABLES and true >= 0.85 * named
