"""The width of an interval over several tables, written out."""

import numpy as np
import pytest
from scipy import stats
from tests.missing.test_impute import AIR

import gramian as gm


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_an_interval_is_that_of_one_table_more(level):
    many = gm.missing.multiple(AIR, 2, n_tables=5, random_state=0)
    found = many.intervals(level)
    drawn = np.array([table.to_numpy()[AIR.isna().to_numpy()] for table in many.tables])
    half = stats.t.ppf(0.5 + level / 2, 4) * np.sqrt(1.2) * drawn.std(axis=0, ddof=1)
    np.testing.assert_allclose(found["low"], drawn.mean(axis=0) - half)
    np.testing.assert_allclose(found["high"], drawn.mean(axis=0) + half)
