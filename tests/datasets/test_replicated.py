"""The experiment with many replicates: what is planted is there."""

import numpy as np
import pytest

from gramian.datasets import replicated_expression
from gramian.errors import InputError


@pytest.mark.slow
def test_modules_are_where_the_truth_says():
    record = replicated_expression(400, random_state=1)
    for name, modules in record.truth["modules"].items():
        own = record.data[(record.groups["treatment"] == name).to_numpy()]
        R = own.corr()
        for members in modules:
            assert R.loc[members[1:], members[0]].mean() == pytest.approx(0.93, abs=0.02)
        members = {gene for genes in modules for gene in genes}
        free = [gene for gene in record.data if gene not in members]
        outside = R.loc[free, free].to_numpy()[np.triu_indices(len(free), 1)]
        assert abs(outside).max() < 0.25


def test_two_modules_are_other_under_stress_and_some_levels():
    record = replicated_expression(400)
    control, stress = (record.truth["modules"][name] for name in ("control", "stress"))
    assert sum(genes in stress for genes in control) == 4
    means = record.data.groupby(record.groups["treatment"].to_numpy()).mean()
    far = (means.loc["stress"] - means.loc["control"]).abs() / record.data.std()
    shifted = record.truth["shifted"]
    assert far[shifted].min() > 0.5 > far.drop(shifted).max()


def test_what_does_not_fit_is_refused():
    with pytest.raises(InputError, match="do not fit"):
        replicated_expression(n_genes=50)
