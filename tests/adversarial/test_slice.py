"""A slice of all cells: nothing happens but right numbers and clear refusals."""

import pytest

from .__main__ import line
from .cells import cells, run
from .judge import GOOD
from .pool import run_all
from .slice import sample

pytestmark = pytest.mark.slow


def test_right_or_refused():
    places = sample(cells())
    outcomes = list(run_all(places, run))
    assert len(outcomes) == len(places) >= 1800
    assert [line(place, o) for place, o, _ in outcomes if o.kind not in GOOD] == []
