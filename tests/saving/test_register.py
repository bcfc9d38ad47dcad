"""Classes of the user's own and scikit-learn's pipelines are saved by name, and never as code."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA as OtherPCA
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
)

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.saving import classes, register

from . import models
from .forge import changed, file_of, parts_of

X, NEW, FRAME = models.X, models.NEW, models.FRAME
HOLES = FRAME.mask(np.arange(96).reshape(24, 4) % 17 == 3)
MIXED = HOLES.join(models.COLOUR)


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(classes, "_REGISTERED", {})


class Doubled(gm.PCA):
    """Coordinates twice as long, by a parameter and an attribute that PCA does not have."""

    def __init__(self, n_components=None, *, factor=2.0):
        super().__init__(n_components)
        self.factor = factor

    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.seen_ = {"rows": len(X), "means": np.asarray(X).mean(axis=0)}
        return self

    def transform(self, X):
        return self.factor * super().transform(X)


class Shift(TransformerMixin, BaseEstimator):
    def __init__(self, by=0.0):
        self.by = by

    def fit(self, X, y=None):
        self.least_ = X.min(axis=0)
        return self

    def transform(self, X):
        return X - self.least_ + self.by


def again(fitted, tmp_path, **options):
    gm.save(fitted, tmp_path / "m.gramian")
    return gm.load(tmp_path / "m.gramian", **options)


@pytest.mark.parametrize("name", [None, "twice as long"])
def test_a_registered_class_comes_back(name, tmp_path):
    assert register(Doubled, name=name) is Doubled
    fitted = Doubled(2, factor=3.0).fit(X)
    other = again(fitted, tmp_path)
    assert type(other) is Doubled and other.factor == 3.0
    assert np.array_equal(fitted.transform(NEW), other.transform(NEW))
    assert other.seen_["rows"] == 24 and np.array_equal(other.seen_["means"], X.mean(axis=0))
    assert np.array_equal(fitted.individuals(), other.individuals())


def test_a_decorator_registers():
    @register
    class Map(gm.PCA):
        pass

    @register(name="other map")
    class Other(gm.PCA):
        pass

    assert classes.name_of(Map) == "registered.class.Map"
    assert classes.class_named("registered.class.other map") is Other


def test_a_class_that_is_not_registered_is_refused_by_name(tmp_path):
    fitted = Doubled(2).fit(X)
    with pytest.raises(InputError, match=r"write gramian.saving.register\(Doubled\) here and"):
        gm.save(fitted, tmp_path / "m.gramian")
    assert not list(tmp_path.iterdir())
    register(Doubled)
    gm.save(fitted, tmp_path / "m.gramian")
    classes._REGISTERED.clear()
    words = r"the class 'Doubled', which is not registered here: .*saving.register\(Doubled\)"
    with pytest.raises(InputError, match=words) as caught:
        gm.load(tmp_path / "m.gramian")
    assert len(str(caught.value)) <= 400


def test_it_loads_as_the_class_of_the_library_when_that_is_asked_for(tmp_path):
    register(Doubled)
    fitted = Doubled(2).fit(X)
    gm.save(fitted, tmp_path / "m.gramian")
    classes._REGISTERED.clear()
    other = gm.load(tmp_path / "m.gramian", unregistered="base")
    assert type(other) is gm.PCA and other.factor == 2.0
    assert np.array_equal(fitted.transform(NEW), 2.0 * other.transform(NEW))
    with pytest.raises(InputError, match="unregistered"):
        gm.load(tmp_path / "m.gramian", unregistered="any")


def test_a_name_belongs_to_its_class():
    register(Doubled)
    register(Doubled)
    with pytest.raises(InputError, match=r"belongs to .*Doubled: register Shift under another"):
        register(Shift, name="Doubled")
    again = type("Doubled", (gm.PCA,), {"__module__": Doubled.__module__})
    assert register(again) is again is classes.class_named("registered.class.Doubled")
    for wrong in (3, "Doubled", Doubled(2), dict):
        with pytest.raises(InputTypeError, match="not an estimator class"):
            register(wrong)
    with pytest.raises(InputTypeError, match=r"use gm\.kernels\.register"):
        register(gm.kernels.Gaussian)
    for known in (gm.PCA, StandardScaler):
        with pytest.raises(InputError, match="known already"):
            register(known)


def test_a_base_in_a_file_is_a_class_of_the_list(tmp_path):
    register(Doubled)
    gm.save(Doubled(2).fit(X), tmp_path / "m.gramian")
    tree, tensors = parts_of((tmp_path / "m.gramian").read_bytes())
    classes._REGISTERED.clear()
    for base in ("os.system", "builtins.eval", "study", "Nothing", None, 3, "kernels.Linear"):
        (tmp_path / "m.gramian").write_bytes(
            file_of(changed(tree, ("model", "base"), base), tensors)
        )
        with pytest.raises(InputError):
            gm.load(tmp_path / "m.gramian", unregistered="base")


LOADER = """
import sys, gramian as gm
fitted = gm.load(sys.argv[1])
print(type(fitted).__name__)
"""


@pytest.mark.slow
def test_a_file_imports_nothing_of_its_own(tmp_path):
    """The module of the class stands beside the file, and is not looked at."""
    register(Doubled)
    gm.save(Doubled(2).fit(X), tmp_path / "m.gramian")
    run = [sys.executable, "-c", LOADER, str(tmp_path / "m.gramian")]
    ended = subprocess.run(run, capture_output=True, text=True, check=False)
    assert "gramian.saving.register(Doubled)" in ended.stderr and ended.returncode == 1


PIPELINES = {
    "scaled": lambda: (make_pipeline(StandardScaler(), gm.KernelPCA(2)), X, NEW),
    "scalers": lambda: (
        make_pipeline(MinMaxScaler(), MaxAbsScaler(), RobustScaler(), Normalizer(), gm.PCA(2)),
        X,
        NEW,
    ),
    "holes": lambda: (
        make_pipeline(SimpleImputer(), StandardScaler(), gm.PCA(2)),
        HOLES,
        FRAME[:4],
    ),
    "indicator": lambda: (
        make_pipeline(SimpleImputer(add_indicator=True), gm.PCA(2)),
        HOLES,
        HOLES[:4],
    ),
    "powers": lambda: (make_pipeline(PowerTransformer(), gm.ClassicalMDS(2)), X, NEW),
    "union": lambda: (
        make_pipeline(FeatureUnion([("s", StandardScaler()), ("m", MinMaxScaler())]), gm.PCA(2)),
        X,
        NEW,
    ),
    "columns": lambda: (
        make_pipeline(
            ColumnTransformer(
                [
                    ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b"]),
                    ("colour", OneHotEncoder(handle_unknown="ignore"), ["colour"]),
                    ("rank", OrdinalEncoder(), ["colour"]),
                    ("as it is", "passthrough", slice(3, 4)),
                ],
                remainder=SimpleImputer(strategy="median"),
            ),
            gm.PCA(3),
        ),
        MIXED.fillna({"d": 100.0}),
        MIXED[:4].fillna({"d": 100.0}),
    ),
    "logarithms": lambda: (make_pipeline(FunctionTransformer(np.log1p), gm.PCA(2)), X**2, NEW**2),
    "passthrough": lambda: (
        Pipeline([("none", "passthrough"), ("pca", gm.PCA(2))]).set_output(transform="pandas"),
        FRAME,
        FRAME[:3],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_comes_back(name, tmp_path):
    pipeline, rows, new = PIPELINES[name]()
    pipeline.fit(rows)
    other = again(pipeline, tmp_path)
    mine, theirs = pipeline.transform(new), other.transform(new)
    assert type(mine) is type(theirs) and np.array_equal(np.asarray(mine), np.asarray(theirs))
    assert repr(other) == repr(pipeline)
    assert [*other[-1].get_feature_names_out()] == [*pipeline[-1].get_feature_names_out()]
    pd.testing.assert_frame_equal(other[-1].individuals(), pipeline[-1].individuals())


def test_a_pipeline_that_predicts_comes_back(tmp_path):
    y = np.where(X[:, 0] > 5.0, "yes", "no")
    pipeline = make_pipeline(StandardScaler(), gm.KernelLogisticRegression()).fit(X, y)
    other = again(pipeline, tmp_path)
    assert np.array_equal(pipeline.predict_proba(NEW), other.predict_proba(NEW))


def test_registered_steps_come_back(tmp_path):
    register(Shift)
    register(Doubled)
    pipeline = make_pipeline(Shift(by=1.0), Doubled(2)).fit(X)
    other = again(pipeline, tmp_path)
    assert type(other[0]) is Shift and np.array_equal(other[0].least_, X.min(axis=0))
    assert np.array_equal(pipeline.transform(NEW), other.transform(NEW))


def test_a_class_of_scikit_learn_may_be_registered(tmp_path):
    register(OtherPCA, name="sklearn's PCA")
    pipeline = make_pipeline(OtherPCA(2), gm.KernelPCA(1)).fit(X)
    other = again(pipeline, tmp_path)
    assert type(other[0]) is OtherPCA
    assert np.array_equal(pipeline.transform(NEW), other.transform(NEW))


@pytest.mark.parametrize(
    ("pipeline", "words"),
    [
        (make_pipeline(OtherPCA(2), gm.PCA(1)), r"steps\[0\]\[1\] is a PCA, which model files do"),
        (make_pipeline(FunctionTransformer(lambda Z: Z), gm.PCA(1)), "is a function"),
        (make_pipeline(Shift(), gm.PCA(1)), r"saving.register\(Shift\)"),
        (
            make_pipeline(
                ColumnTransformer([("all", StandardScaler(), make_column_selector("."))]), gm.PCA(1)
            ),
            "make_column_selector",
        ),
    ],
    ids=["another class", "a function", "not registered", "a selector"],
)
def test_other_steps_are_refused(pipeline, words, tmp_path):
    with pytest.raises(InputError, match=words) as caught:
        gm.save(pipeline.fit(FRAME if "all" in repr(pipeline) else X), tmp_path / "m.gramian")
    assert len(str(caught.value)) <= 400 and not list(tmp_path.iterdir())


def test_a_pipeline_that_is_not_fitted_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        gm.save(make_pipeline(StandardScaler(), gm.PCA(2)), tmp_path / "m.gramian")


def test_another_version_of_scikit_learn_is_told(tmp_path):
    gm.save(make_pipeline(StandardScaler(), gm.PCA(2)).fit(X), tmp_path / "m.gramian")
    tree, tensors = parts_of((tmp_path / "m.gramian").read_bytes())
    assert tree["sklearn"] == sklearn.__version__
    (tmp_path / "m.gramian").write_bytes(file_of(tree | {"sklearn": "1.0"}, tensors))
    with pytest.warns(InconsistentVersionWarning, match=r"Pipeline from version 1\.0"):
        gm.load(tmp_path / "m.gramian")


def test_steps_of_other_shapes_are_refused(tmp_path):
    gm.save(make_pipeline(StandardScaler(), gm.PCA(2)).fit(X), tmp_path / "m.gramian")
    tree, tensors = parts_of((tmp_path / "m.gramian").read_bytes())
    steps = tree["model"]["parts"]["steps"]
    scaler = steps[0]["items"][1]["parts"]
    name = scaler["mean_"]["name"]
    for other in (tensors[name][:-1], tensors[name][None], tensors[name].astype(int)):
        data = file_of(tree, tensors | {name: other})
        (tmp_path / "m.gramian").write_bytes(data)
        with pytest.raises(InputError, match=r"field model.steps\[0\]\[1\]"):
            gm.load(tmp_path / "m.gramian")
