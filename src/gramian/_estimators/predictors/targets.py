"""What is predicted: classes or numbers, the weights of their rows, and classes from scores."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Annotated, Any

import numpy as np
import pandas as pd
from scipy.special import log_softmax, softmax
from sklearn.base import ClassifierMixin
from sklearn.exceptions import DataConversionWarning

from gramian._core.array import is_array, is_sparse, to_numpy
from gramian._core.check import number, short
from gramian._core.embedding import count
from gramian._core.frames import in_order_of, is_frame
from gramian._core.frames import labels_of as row_labels
from gramian._core.numbers import as_floats, refuse_masks
from gramian._core.table import Table, table, weights
from gramian._core.types import DataLike, VectorLike, WeightsLike
from gramian._estimators.logistic import Logistic
from gramian.errors import InputError, InputTypeError


@dataclass(frozen=True)
class Classes:
    """Class labels as codes."""

    labels: np.ndarray  # (c,), sorted
    codes: np.ndarray  # (n,)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, rows: np.ndarray) -> "Classes":
        return Classes(self.labels, self.codes[rows])


def classes_of(y: VectorLike, rows: Table, w: np.ndarray | None, owner: str) -> Classes:
    """Return the classes of the rows that have a weight; the code of any other row is 0."""
    n = count(rows.values)
    y = labels_of(y, rows, owner)
    live = np.ones(n, dtype=bool) if w is None else w > 0
    labels, places = np.unique(y[live], return_inverse=True)
    if len(labels) < 2:
        raise InputError(
            f"y has only one class ({str(labels[0])[:40]!r}): at least 2 classes are needed"
        )
    codes = np.zeros(n, dtype=int)
    codes[live] = places
    return Classes(labels, codes)


def with_class_weight(class_weight: Any, y: Classes, w: np.ndarray | None) -> np.ndarray | None:
    """Return the weights of the rows times those of their classes."""
    if class_weight is None:
        return w
    own = np.ones(len(y.codes)) if w is None else w
    if isinstance(class_weight, str) and class_weight == "balanced":
        of_class = np.bincount(y.codes, own, minlength=len(y))
        return own * (own.sum() / (len(y) * of_class))[y.codes]
    if not isinstance(class_weight, Mapping):
        raise InputError(
            f'class_weight={short(class_weight)} must be None, "balanced" or a dict of classes and '
            "their weights"
        )
    labels = y.labels.tolist()
    unknown = next((label for label in class_weight if label not in labels), None)
    if unknown is not None:
        raise InputError(f"class_weight names {short(unknown)}, which is no class of y: {labels}")
    each = [number(class_weight.get(k, 1.0), f"class_weight[{k!r}]", least=0.0) for k in labels]
    if min(each) == 0:
        raise InputError("class_weight has a 0: leave the rows of that class out instead")
    return own * np.array(each)[y.codes]


def labels_of(y: VectorLike, rows: Table, owner: str) -> np.ndarray:
    """Return one class label for each row, in their order."""
    y, n = _target(y, rows, owner), count(rows.values)
    refuse_masks(y, "y")
    if isinstance(y, list | tuple):  # NumPy would turn numbers among texts into texts
        _refuse_mixtures(y)
    labels = to_numpy(y) if is_array(y) else np.asarray(y)
    if labels.shape == (n, 1):
        text = "A column-vector y was passed when a 1d array was expected: use y.ravel()"
        warnings.warn(text, DataConversionWarning, stacklevel=2)
        labels = labels[:, 0]
    if labels.shape != (n,):
        raise InputError(f"y has shape {labels.shape}: give a 1d array of class labels, one a row")
    kind = labels.dtype.kind
    if kind == "O":
        _refuse_mixtures(labels)
    elif kind not in "fiubUSMm":
        raise InputError(f"Unknown label type: y holds {labels.dtype}: give texts or whole numbers")
    if kind == "f" and not np.isfinite(labels).all():
        k = int(np.argmin(np.isfinite(labels)))
        text = "drop the row, or give it a class of its own"
        raise InputError(f"y contains {labels[k]} at {k}: {text}")
    if kind == "f" and (labels != np.trunc(labels)).any():
        k = int(np.argmax(labels != np.trunc(labels)))
        raise InputError(
            f"Unknown label type: continuous. y[{k}] is {labels[k]}: classes are texts or whole "
            "numbers; for measurements use gm.PrincipalComponentRegression"
        )
    return labels


def numbers_of(y: VectorLike, rows: Table, owner: str) -> np.ndarray:
    """Return the numbers to predict, (n,) or (n, t)."""
    y = _target(y, rows, owner)
    if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        raise InputTypeError("y holds categories, not numbers: give y.astype(float) if they are")
    values = table(y, "y", min_rows=1).values if is_frame(y) else as_floats(y, "y")
    values = np.array(values, dtype=np.float64)
    if values.ndim not in (1, 2) or 0 in values.shape:
        raise InputError(f"y has shape {values.shape}: give one number a row, or one row of them")
    if not np.isfinite(values).all():
        where = tuple(int(k[0]) for k in np.nonzero(~np.isfinite(values)))
        raise InputError(f"y contains {values[where]} at {where}: drop or fill these values first")
    return values


def _target(y: Any, rows: Table, owner: str) -> Any:
    """Return y, after the checks that it is there and has a value for each row, in their order."""
    if y is None:
        raise InputError(f"{owner} requires y to be passed, but the target y is None")
    if hasattr(y, "__array__") and not hasattr(y, "shape"):
        y = np.asarray(y)
    if is_sparse(y) or isinstance(y, str | bytes | Mapping) or not hasattr(y, "__len__"):
        raise InputTypeError(f"y is a {type(y).__name__}: give an array or a list, one value a row")
    n = count(rows.values)
    length = y.shape[0] if getattr(y, "shape", ()) else 0 if hasattr(y, "shape") else len(y)
    if length != n:
        raise InputError(f"y has {length} values but X has {n} rows: give one value a row")
    return in_order_of(y, rows.index, "y")


def _refuse_mixtures(y: Sequence[Any] | np.ndarray) -> None:
    """Refuse objects that are no labels, and labels that cannot be sorted together."""
    kinds: dict[type, int] = {}
    for k, label in enumerate(y):
        label = bool(label) if isinstance(label, np.bool_) else label
        family = next((f for f in (str, Number, bytes) if isinstance(label, f)), type(label))
        kinds.setdefault(family, k)
        if family not in (str, Number, bytes) or label != label:
            raise InputError(
                f"Unknown label type: y[{k}] is {str(label)[:40]!r}, a {type(label).__name__}: "
                "give texts or whole numbers"
            )
    if len(kinds) > 1:
        first, second = list(kinds.values())[:2]
        raise InputError(
            f"y mixes types: y[{first}] is {str(y[first])[:40]!r} and y[{second}] is "
            f"{str(y[second])[:40]!r}: give all labels as texts"
        )


class Classifier(ClassifierMixin):
    """Classes from one linear predictor a class: a fitted subclass writes `_functions`."""

    classes_: np.ndarray
    intercept_: Annotated[np.ndarray, "(c,)"]
    penalty_: Annotated[float, ">= 0"]
    n_iter_: Annotated[int, ">= 0"]

    def _functions(self, X: DataLike) -> np.ndarray:
        """Return the functions of the model at rows: c of them, or one for two classes."""
        raise NotImplementedError

    def _predictors(self, X: DataLike) -> np.ndarray:
        """Return the linear predictors, (m, c); their differences matter."""
        eta = self._functions(X)
        return np.hstack([np.zeros_like(eta), eta]) if len(self.classes_) == 2 else eta

    def _fitted(self, model: Logistic, labels: np.ndarray, penalty: float) -> dict[str, Any]:
        """Return the fitted attributes of a model, with one function for two classes."""
        shown = slice(1, 2) if len(labels) == 2 else slice(None)
        found = {"classes_": labels, "penalty_": penalty, "n_iter_": model.n_iter}
        return found | {"intercept_": model.intercept[shown], "coef_": model.coef[:, shown]}

    def decision_function(self, X: DataLike) -> np.ndarray:
        """Return the logit of the second of two classes, (m,), or the predictors of c, (m, c)."""
        eta = self._predictors(X)
        return eta[:, 1] - eta[:, 0] if len(self.classes_) == 2 else eta

    def predict_proba(self, X: DataLike) -> np.ndarray:
        """Return the probabilities of the classes, (m, c), in the order of `classes_`."""
        return softmax(self._predictors(X), axis=1)

    def predict_log_proba(self, X: DataLike) -> np.ndarray:
        """Return the logarithms of the probabilities, (m, c)."""
        return log_softmax(self._predictors(X), axis=1)

    def predict(self, X: DataLike) -> np.ndarray:
        """Return the most probable class of each row, (m,)."""
        best = self._predictors(X).argmax(axis=1)
        return self.classes_[best]

    def score(self, X: DataLike, y: VectorLike, sample_weight: WeightsLike = None) -> float:
        """Return the share of rows whose class is predicted rightly, by weight.

        A labelled y goes to labelled rows by label.
        """
        predicted = self.predict(X)
        rows = Table(predicted, row_labels(X))
        right = predicted == labels_of(y, rows, type(self).__name__)
        w = weights(sample_weight, len(predicted), index=rows.index)
        return float(np.average(right, weights=w))
