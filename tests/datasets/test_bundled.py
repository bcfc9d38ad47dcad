import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets

from gramian import datasets

CLASSES = {
    "iris": ("species", "flower_001", ["setosa", "versicolor", "virginica"]),
    "wine": ("cultivar", "wine_001", ["cultivar 1", "cultivar 2", "cultivar 3"]),
    "digits": ("digit", "image_0001", list("0123456789")),
    "breast_cancer": ("diagnosis", "tumour_001", ["malignant", "benign"]),
}


@pytest.mark.parametrize("name", CLASSES)
def test_values_are_scikit_learns_and_labels_are_words(name):
    record = datasets.load(name)
    bunch = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
    group, first, levels = CLASSES[name]
    np.testing.assert_array_equal(record.data, bunch.data)
    assert record.data.columns.equals(bunch.data.columns)
    assert record.data.index[0] == first
    assert record.groups.columns.tolist() == [group]
    assert record.groups[group].cat.categories.tolist() == levels
    np.testing.assert_array_equal(record.groups[group].cat.codes, bunch.target)


@pytest.mark.parametrize("scaled", [False, True])
def test_diabetes_keeps_a_number_to_predict(scaled):
    record = datasets.diabetes(scaled=scaled)
    assert record.data.shape == (442, 10)
    assert pd.api.types.is_float_dtype(record.groups["progression"])
    norms = np.linalg.norm(record.data, axis=0)
    assert np.allclose(norms, 1) == scaled


def test_breast_cancer_axis_one_tells_much_of_the_diagnosis():
    record = datasets.breast_cancer()
    Z = (record.data - record.data.mean()) / record.data.std()
    score = np.linalg.svd(Z.to_numpy(), full_matrices=False)[0][:, 0]
    benign = record.groups["diagnosis"] == "benign"
    assert np.corrcoef(score, benign)[0, 1] ** 2 > 0.6


@pytest.mark.slow
def test_importing_datasets_does_not_import_scikit_learn_datasets():
    code = "import sys, gramian.datasets; sys.exit('sklearn.datasets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
