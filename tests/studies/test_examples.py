"""Small examples of private functions, one each."""

import numpy as np
import pandas as pd
import pytest

from gramian._study.methods import questions_of, settings_of
from gramian._study.study import _cluster_number
from gramian._study.subject import _count_axes, _groups_by_name, standardise
from gramian.io import as_source


def test_settings_of():
    assert settings_of("mds", metric="cityblock").metric == "cityblock"


@pytest.mark.slow
def test_questions_of():
    frame = pd.DataFrame({"x": [1.5, 2.5, 4.0, 3.0], "sex": list("fmfm"), "g": list("aabb")})
    assert questions_of(as_source(frame, group="g")) == ["sex"]


def test_cluster_number():
    assert _cluster_number(3) == 3 and _cluster_number("auto") == "auto"


def test_standardise():
    assert standardise(np.array([[1e200], [3e200]])).ravel().round(12).tolist() == [-1.0, 1.0]


def test_count_axes():
    assert _count_axes(150, 4) == 4 and _count_axes(30, 100) == 12


def test_groups_by_name():
    assert _groups_by_name(["odor.fruity", "odor.smoky", "taste.sweet", "taste.sour", "label"]) == {
        "odor": ["odor.fruity", "odor.smoky"],
        "taste": ["taste.sweet", "taste.sour"],
    }
