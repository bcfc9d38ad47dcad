"""A part of benchmarks/doctor.py, whose large count is in benchmarks/results/doctor.md."""

import pytest
from benchmarks.doctor import clean_outcomes, planted_outcomes

pytestmark = pytest.mark.slow


def test_planted_faults_are_found_and_clean_tables_let_go():
    faults, sound = planted_outcomes(52, seed=5), clean_outcomes(25, seed=5)
    assert sum(o.found for o in faults) >= 0.95 * len(faults), [o for o in faults if not o.found]
    assert sum(bool(o.others) for o in sound) <= 1, [o for o in sound if o.others]
