"""Records of evidence."""

import dataclasses

import pytest

import gramian as gm


def test_a_finding_does_not_change():
    finding = gm.evidence.Finding(0.01, 0.8, "autocorrelation")
    with pytest.raises(dataclasses.FrozenInstanceError):
        finding.p_value = 0.5
