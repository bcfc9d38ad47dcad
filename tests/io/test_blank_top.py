"""Lines without a cell above the header change nothing."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm

TEXT = "name,a,b,c\nx,1.5,2,3\ny,4,5,7\nz,7,8.5,10\n"
ABOVE = ["\n", "\n\n", "  \n\n", "\r\n", ",,,\n", "\n,,,\n", "# note\n\n"]


@pytest.mark.slow
@pytest.mark.parametrize("above", ABOVE, ids=ascii)
@pytest.mark.parametrize("by", ["read", "scan"])
def test_a_table_is_the_same_below_lines_without_cells(tmp_path, above, by):
    plain, blank = tmp_path / "plain.csv", tmp_path / "blank.csv"
    plain.write_text(TEXT, newline="")
    blank.write_text(above + TEXT, newline="")
    if by == "read":
        pd.testing.assert_frame_equal(gm.io.read(blank).table, gm.io.read(plain).table)
        return
    ours, theirs = gm.io.scan(blank), gm.io.scan(plain)
    assert list(ours.columns) == list(theirs.columns) == ["a", "b", "c"]
    np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))


def test_without_a_header_a_first_row_may_hold_nothing(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(",,\n1,2,3\n4,5,7\n8,8,9\n")
    table = gm.io.read(path, header=False).table
    np.testing.assert_array_equal(table, [[1, 2, 3], [4, 5, 7], [8, 8, 9]])
