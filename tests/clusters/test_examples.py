"""Small examples of private functions, one each."""

import numpy as np

from gramian.evidence.division import along_curve


def test_along_curve():
    angle = np.linspace(0.0, 2.0, 40)
    s = along_curve(np.column_stack([np.cos(angle), np.sin(angle)]))
    assert np.abs(np.abs(s - s[0]) - angle).max() < 0.1
